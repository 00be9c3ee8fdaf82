"""Random trees with joints of all kinds obey every law, and their momenta change by the forces from outside alone.

All of it is exact: residues modulo primes carry their derivatives, and a false identity passes with a probability
below 2⁻²⁰⁰.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import qddot
from qddot.algebra import freedoms
from qddot.algebra.spatial import Force, Pose
from qddot.exact.equations.proofs import modulo_primes
from qddot.exact.equations.proofs.jets import Jets
from qddot.formats.shared.compound_joints import COORDINATES
from qddot.formats.toml import robot_file
from qddot.physics.algorithms import composite, kinematics, newton_euler
from qddot.physics.algorithms.sensitivities import inverse_dynamics_derivatives
from qddot.physics.frames.regrouped import at_joints
from qddot.physics.mechanism import Mechanism
from qddot.robot.bodies import JOINT_TYPES
from qddot.robot.model import Model

SEEDS = range(7)
KINDS = (*JOINT_TYPES, *COORDINATES)
AXES = ([1, 0, 0], [0, 1, 0], [0, 0, 1], ["3/5", 0, "-4/5"], ["2/3", "1/3", "2/3"])
ANGLES = ("0deg", "90deg", "-30deg", "20deg")


def tree(seed: int) -> Model:
    """A tree of three to five links; the kinds of joints take turns, so that the seeds have them all."""
    rng = Random(seed)

    def joint(kind: str) -> dict[str, Any]:
        table: dict[str, Any] = {"type": kind, "xyz": [rng.randint(-3, 3) for _ in range(3)]}
        table["rpy"] = [rng.choice(ANGLES) for _ in range(3)]
        if kind == "universal":
            table["axes"] = rng.sample(AXES, 2)
        elif kind not in ("fixed", *freedoms.SEVERAL):
            table["axis"] = rng.choice(AXES)
        if kind == "helical":
            table["pitch"] = "1/7"
        elif kind == freedoms.SPHERICAL:
            table |= {"damping": 2, "armature": 3}
        return table

    links = []
    for k in range(rng.randint(3, 5)):
        kind = KINDS[(3 * seed + k) % len(KINDS)]
        tensor = {"about": "com", "xx": rng.randint(5, 7), "yy": rng.randint(5, 7), "zz": rng.randint(5, 7), "xy": 1}
        parent = f"l{rng.randrange(k)}" if k and rng.random() < 0.8 else "base"
        com = [rng.randint(-2, 2) for _ in range(3)]
        links.append(
            {"name": f"l{k}", "parent": parent, "joint": joint(kind), "mass": 2 + k, "com": com, "inertia": tensor}
        )
    return robot_file.from_mapping({"convention": "tree", "gravity": [1, -2, "-g"], "link": links}, "tree")


def test_the_trees_have_all_kinds_of_joints() -> None:
    bodies = [body for seed in SEEDS for body in tree(seed).bodies]
    assert {body.joint.part_of or body.joint.type for body in bodies} == set(KINDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_law_holds_on_a_random_tree(seed: int) -> None:
    certificate = modulo_primes.verify(tree(seed))
    assert certificate, certificate


@pytest.mark.parametrize("seed", SEEDS)
def test_momenta_change_by_gravity_and_the_base_alone(seed: int) -> None:
    """d/dt of the linear and the angular momentum about the base's origin is what the base and gravity supply."""
    model = tree(seed)
    numbers = Jets(model, seed)
    arm = Mechanism.of(model, numbers)
    T, V = kinematics.poses(arm), arm.twists
    momentum = supplied = Force.zero()
    for link, reaction in zip(arm.links, newton_euler.inverse_dynamics(arm).reaction, strict=True):
        at = T[link.index]
        momentum = momentum + in_base(at, link.inertia.momentum(V[link.index]))
        weight = arm.gravity * link.inertia.m
        supplied = supplied + Force((at.R.apply(link.inertia.h) + at.p * link.inertia.m).cross(arm.gravity), weight)
        if link.parent is None:
            supplied = supplied + in_base(at, reaction)
    for part, other in zip((*momentum.n, *momentum.f), (*supplied.n, *supplied.f), strict=True):
        assert not numbers.time_derivative(part) - other


@pytest.mark.parametrize("seed", SEEDS)
def test_derivatives_by_recursion_are_those_of_the_torques(seed: int) -> None:
    model = tree(seed)
    numbers = Jets(model, seed)
    tau = newton_euler.torques(Mechanism.of(model, numbers))
    by_q, by_rates, M = inverse_dynamics_derivatives(at_joints(Mechanism.of(model, numbers.plain)))
    mass = composite.mass_matrix(Mechanism.of(model, numbers.plain))
    for i, torque in enumerate(tau):
        for j, name in enumerate(model.coordinates):
            assert not numbers.convert(by_q[i][j]) - numbers.differentiate(torque, name)
            assert not numbers.convert(by_rates[i][j]) - numbers.by_rate(torque, name)
            assert M[i][j] == mass[i][j]


def test_an_inertia_that_is_one_is_verified_as_any_other() -> None:
    """Half of it is a fraction, which is no residue."""
    body = {"name": "l0", "joint": {"type": "revolute"}, "mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    tip = {**body, "name": "l1", "parent": "l0", "joint": {"type": "revolute", "axis": [1, 0, 0], "xyz": [1, 0, 0]}}
    certificate = modulo_primes.verify(robot_file.from_mapping({"convention": "tree", "link": [body, tip]}, "arm"))
    assert certificate, certificate


def in_base(at: Pose, wrench: Force) -> Force:
    f = at.R.apply(wrench.f)
    return Force(at.R.apply(wrench.n) + at.p.cross(f), f)


def test_a_free_body_that_moves_by_a_wrong_field_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that moved along the world's axes would not fit the twists."""
    fields = freedoms.Freedoms.fields

    def wrong(self: freedoms.Freedoms, values: Any) -> Any:
        changed = fields(self, values)
        return changed | {v: {p: 1} for v, p in zip(self.velocities, self.place, strict=False)}

    monkeypatch.setattr(freedoms.Freedoms, "fields", wrong)
    free = {"name": "l0", "joint": {"type": "free"}, "mass": 1, "com": [1, 0, 0]}
    arm = qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": [free]}, "body"))
    certificate = modulo_primes.verify(arm.model)
    assert "G = ∂P/∂q" in {identity.name for identity in certificate.identities if identity.verdict == "false"}
