"""Long runs of parallel joints are proved in absolute angles and rates, and what is shown in q is their transform."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import qddot
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.exact.equations import shortest_angles as choice
from qddot.exact.equations.centres import OwnCentres
from qddot.exact.equations.proofs import absolute_rates
from qddot.exact.equations.proofs.prove import prove
from qddot.exact.equations.quantities import Quantities
from qddot.faces.robot import Robot
from qddot.formats.toml import robot_file
from qddot.physics.algorithms import kinematics, newton_euler
from qddot.physics.frames import absolute_rates as absolute
from qddot.physics.frames import parallel_joints as parallel
from qddot.physics.lagrange import com_jacobian, dh4x4, energy, screw
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.spring import Spring

N = 10
TRANSFORMED = "composite in q ≡ in θ = A q"


def pendulum(n: int = N, flipped: tuple[int, ...] = ()) -> Robot:
    """A chain in a vertical plane, all symbols; flipped: joints whose axes point the other way."""
    axes = [[0, 0, -1 if k in flipped else 1] for k in range(n)]
    symbols = [f"{name}{k}" for name in ("m", "x", "y", "J", "a") for k in range(n)]
    links = [
        {
            "name": f"link {k}",
            "parent": f"link {k - 1}" if k else "base",
            "joint": {"type": "revolute", "axis": axis, "xyz": [f"a{k}", 0, 0] if k else [0, 0, 0]},
            "mass": f"m{k}",
            "first_moment": [f"x{k}", f"y{k}", 0],
            "inertia": {"about": "origin", "zz": f"J{k}"},
            "partial_inertia": True,
        }
        for k, axis in enumerate(axes)
    ]
    return tree(links, symbols)


def tree(links: list[dict[str, Any]], symbols: list[str]) -> Robot:
    given = {"convention": "tree", "gravity": [0, "-g", 0], "symbols": dict.fromkeys([*symbols, "g"]), "link": links}
    return Robot(robot_file.from_mapping(given, "arm"))


def false(eq: Quantities, routes: list[str]) -> set[str]:
    return {identity.name for identity in prove(eq, routes).identities if identity.verdict == "false"}


@pytest.mark.parametrize("flipped", [(), (1, 2, 7)])
def test_a_long_pendulum_is_proved_by_every_route(flipped: tuple[int, ...]) -> None:
    certificate = pendulum(N, flipped).prove()
    assert certificate and {identity.verdict for identity in certificate.identities} == {"proved"}
    assert len(certificate.identities) == 15 and certificate.identities[0].name == TRANSFORMED
    assert len(certificate.angles) == N - 1 and certificate.primes == ()
    assert "in absolute angles θ = A q and their rates" in str(certificate)
    assert json.loads(certificate.to_json())["angles"] == list(certificate.angles)
    assert certificate.model_hash == pendulum(N, flipped).model.hash


def other_entry(right: Callable[..., Any], *given: Any) -> Any:
    """The same list with its last entry in the place of the one before."""
    entries = right(*given)
    return [*entries[:-2], entries[-1], entries[-1]]


def doubled_last(right: Callable[..., Any], *given: Any) -> Any:
    """The same list with twice its last entry."""
    *others, last = right(*given)
    return [*others, 2 * last]


@pytest.mark.parametrize(
    ("module", "function", "wrong", "identity"),
    [
        (dh4x4, "inertia_coefficients", other_entry, "dh4x4 ≡ composite"),
        (dh4x4, "velocity_coefficients", other_entry, "dh4x4 ≡ composite"),
        (dh4x4, "gravity", other_entry, "dh4x4 ≡ composite"),
        (com_jacobian, "gravity", other_entry, "com_jacobian ≡ composite"),
        (screw, "mass_matrix", other_entry, "screw ≡ composite"),
        (energy, "potential_energies", doubled_last, "energy ≡ composite"),
        (newton_euler, "joint_torques", other_entry, "newton_euler ≡ composite"),
        (newton_euler, "joint_torques", other_entry, "Newton–Euler ≡ Lagrange, symbolic q̈"),
        (absolute, "in_coordinates", None, TRANSFORMED),
    ],
)
def test_a_planted_falsehood_is_found(
    module: Any, function: str, wrong: Any, identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a pendulum of ten links, in any route, or on the way from the angles to q."""
    right = getattr(module, function)
    if wrong is None:
        monkeypatch.setattr(absolute._Sums, "_negative", lambda self, entry: entry)
        assert false(pendulum(N, (3,)).equations().quantities, ["energy"]) == {identity}
        return
    monkeypatch.setattr(module, function, lambda *given: wrong(right, *given))
    route = identity.split()[0]
    certificate = prove(
        pendulum().equations().quantities, [route] if route in ("dh4x4", "com_jacobian", "screw", "energy") else None
    )
    failed = {each.name: each for each in certificate.identities if each.verdict == "false"}
    assert identity in failed and TRANSFORMED not in failed
    assert "stand for the absolute angles of their links" in failed[identity].detail


@pytest.mark.parametrize(
    "change",
    [
        lambda derivation: derivation.G.__setitem__(5, -derivation.G[5]),
        lambda derivation: derivation.M[9].__setitem__(2, derivation.M[9][2] * 2),
        lambda derivation: derivation.christoffel[3][4].__setitem__(8, derivation.christoffel[3][4][9]),
        lambda derivation: derivation.christoffel[0][0].__setitem__(0, derivation.M[0][0]),
    ],
)
def test_what_is_shown_is_what_is_proved(change: Callable[[Any], None]) -> None:
    """One entry in q that is not the transform of those in θ, on one side of the diagonal alone."""
    eq = Quantities(pendulum().model)
    change(eq.derivation)
    assert false(eq, ["energy"]) == {TRANSFORMED}


def test_another_arm_in_absolute_angles_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose joints turn back the wrong way, or not at all, is another arm."""
    right = parallel.in_absolute_angles

    def other_senses(model: Any, arm: Any, before: Any) -> Any:
        return right(model, arm, {k: (j, -sense) for k, (j, sense) in before.items()})

    monkeypatch.setattr(absolute_rates, "in_absolute_angles", other_senses)
    monkeypatch.setattr(choice, "LONG", 2)
    assert "energy ≡ composite" in false(mixed("antiparallel").equations().quantities, ["energy"])


def body(name: str, parent: str, axis: list[int], kind: str = "revolute", **joint: Any) -> dict[str, Any]:
    """A link with a full inertia in symbols of its own."""
    return {
        "name": name,
        "parent": parent,
        "joint": {"type": kind, "axis": axis, "xyz": [f"a{name}", 0, f"d{name}"], **joint},
        "mass": f"m{name}",
        "com": [f"x{name}", 0.5, f"z{name}"],
        "inertia": {"about": "com", "xx": f"I{name}", "yy": 2, "zz": 1.5},
        "partial_inertia": True,
    }


Z, BACK, X = [0, 0, 1], [0, 0, -1], [1, 0, 0]
ACTING = {"armature": "Jr", "damping": "cv", "coulomb": "fc", "spring": {"stiffness": "ks", "rest": "q0"}}
MIXED = {
    "then another axis": [body("1", "base", Z), body("2", "1", Z), body("3", "2", X), body("4", "3", X)],
    "antiparallel": [body("1", "base", Z), body("2", "1", BACK), body("3", "2", Z)],
    "with a slide": [body("1", "base", Z), body("2", "1", Z), body("3", "2", X, "prismatic"), body("4", "3", Z)],
    "a tree": [body("1", "base", Z), body("2", "1", Z), body("3", "1", BACK), body("4", "3", Z), body("5", "2", X)],
    "turned and fixed": [
        body("1", "base", X),
        body("2", "1", [0, 1, 0], rpy=[0, 0, "-90deg"]),
        {"name": "plate", "parent": "2", "joint": {"type": "fixed", "xyz": [0, 1, 0], "rpy": [0, "30deg", 0]}},
        body("3", "plate", [0, 1, 0]),
    ],
    "with effects": [body("1", "base", Z, **ACTING), body("2", "1", BACK, **ACTING), body("3", "2", Z, **ACTING)],
}


def mixed(name: str) -> Robot:
    names = [f"{symbol}{k}" for symbol in "admxzI" for k in range(1, 6)]
    return tree(MIXED[name], [*names, "Jr", "cv", "fc", "ks", "q0"])


@pytest.mark.parametrize("name", MIXED)
def test_short_runs_are_proved_as_long_ones_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every run counted as long, the equations are those of the joints' own angles, and proved both ways."""
    own = Quantities(mixed(name).model, ring=Ring.of(mixed(name).model))
    monkeypatch.setattr(choice, "LONG", 2)
    eq = mixed(name).equations().quantities
    assert choice.long_runs(eq.dynamics.mechanism, eq.ring)
    assert (eq.M, eq.christoffel, eq.G) == (own.M, own.christoffel, own.G)
    for other in (eq, mixed(name).equations("screw").quantities):
        certificate = prove(other)
        assert certificate and certificate.angles, str(certificate)
        assert {identity.verdict for identity in certificate.identities} == {"proved"}
    assert prove(own).angles == ()


@pytest.mark.parametrize(("effect", "method"), [(Armature, "kinetic_energy"), (Spring, "potential_energy")])
def test_what_acts_in_the_joints_is_proved_beside_the_bodies(
    effect: Any, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "LONG", 2)
    right = getattr(effect, method)
    monkeypatch.setattr(effect, method, lambda *given: right(*given) * 3)
    assert "energy rate = power" in false(mixed("with effects").equations().quantities, ["energy"])
    assert false(mixed("antiparallel").equations().quantities, ["energy"]) == set()


@pytest.mark.parametrize("again", ["x1", "a1", "2*x1"])
def test_first_moments_stand_for_centres_only_where_they_stand_alone(again: str) -> None:
    """A symbol that means something else, too, is no centre of mass; the route has other symbols for it then."""
    assert OwnCentres.suit(Quantities(pendulum(3).model).dynamics.mechanism)
    links = [body(str(k), str(k - 1) if k > 1 else "base", Z) for k in (1, 2, 3)]
    for k, link in enumerate(links, 1):
        del link["com"]
        link["first_moment"] = [again if k == 2 else f"x{k}", f"z{k}", 0]
        link["inertia"] = {"about": "origin", "xx": 3, "yy": 2, "zz": 1.5}
    other = tree(links, [f"{symbol}{k}" for symbol in "admxz" for k in range(1, 4)])
    assert not OwnCentres.suit(Quantities(other.model).dynamics.mechanism)
    assert other.prove(["com_jacobian"])


def test_a_body_may_have_the_name_of_one_that_turns_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "LONG", 2)
    links = [body("1", "base", Z), {**body("2", "1", Z), "name": "3 turned back"}, body("3", "3 turned back", Z)]
    assert tree(links, [f"{symbol}{k}" for symbol in "admxzI" for k in range(1, 4)]).prove(["energy"])


@pytest.mark.parametrize("flipped", [(), (1, 4)])
def test_a_moment_that_does_no_work_may_be_let_go(flipped: tuple[int, ...]) -> None:
    """In absolute angles every second body turns with no coordinate; the moments on all others do work."""
    eq = pendulum(6, flipped).equations().quantities
    arm = absolute_rates.InAbsoluteRates(eq, choice.long_runs(eq.dynamics.mechanism, eq.ring)).mechanism
    through = newton_euler.inverse_dynamics(arm)
    assert newton_euler.torques(arm) == through.tau
    carriers = [not any(any(c.w) for c in columns if c) for columns in kinematics.body_jacobians(arm)]
    assert carriers == [link.name.endswith("turned back") for link in arm.links]
    others = [not carrier for carrier in carriers]
    wrong = newton_euler.joint_torques(arm, newton_euler.from_tip(arm, through.inertial, others))
    assert wrong != through.tau


def test_one_route_is_enough() -> None:
    certificate = qddot.Robot(pendulum(8).model).equations().prove(["screw"])
    assert certificate.routes == ("composite", "screw") and certificate
