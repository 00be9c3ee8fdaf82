"""Models with equations entry by entry behave as arms do, and tolerances give intervals."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from shipped import robot

import qddot
from qddot.formats.toml import robot_file
from qddot.machine.compilers import kernels
from qddot.robot.explicit import ExplicitEquations

PENDULUM = """
name = "pendulum"
convention = "dh"
gravity = [0, 0, 0]

[symbols]
J = { value = 2.0, tolerance = 0.1 }
w = { value = 3.0, tolerance = 0.5 }

[[link]]
dh = { theta = "q1", d = 0, a = 1, alpha = 0 }

[equations]
P = "w*s1"
[equations.names]
s1 = "sin(q1)"
[equations.M]
11 = "J"
[equations.G]
1 = "w*cos(q1)"
"""


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run by NumPy: the equations are given, whichever compiler they have."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


def pendulum(old: str = "", new: str = "") -> qddot.Robot:
    assert old in PENDULUM
    return qddot.Robot(robot_file.loads(PENDULUM.replace(old, new), "pendulum.toml"))


def test_the_puma_of_1986_is_consistent() -> None:
    """Its b and c are the Christoffel symbols of its M, its g the gradient of a potential."""
    certificate = qddot.load("puma560_1986").prove()
    assert certificate, str(certificate)
    assert [identity.name for identity in certificate.identities] == [
        "Ṁ − 2C is skew",
        "energy rate = power",
        "Γ are the Christoffel symbols of M",
        "Jv = ∂p/∂q, [Jω] = ∂R/∂q Rᵀ",
        "G = ∂P/∂q",
    ]


def test_numbers_come_out_as_from_any_arm() -> None:
    arm, rng = robot("puma560_1986"), np.random.default_rng(1)
    q, qd, qdd = rng.normal(size=(3, 6))
    at, tau = arm.equations().at(q, qd, qdd), arm.inverse_dynamics(q, qd, qdd)
    # about a thousand operations
    np.testing.assert_allclose(tau, at["tau"], rtol=1e-12)
    np.testing.assert_allclose(arm.mass_matrix(q), at["M"], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(arm.coriolis_matrix(q, qd), at["C"], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(arm.gravity(q), at["G"], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(arm.forward_dynamics(q, qd, tau), qdd, rtol=1e-11)
    assert arm.kinetic_energy(q, qd) == pytest.approx(at["K"], rel=1e-12)
    assert arm.potential_energy(q) == pytest.approx(at["P"], rel=1e-12)
    # the geometry is the link table's
    np.testing.assert_allclose(arm.forward_kinematics(q), robot("puma560_akb").forward_kinematics(q), atol=1e-15)


def test_derivatives_are_those_of_the_given_equations() -> None:
    arm, rng, h = robot("puma560_1986"), np.random.default_rng(2), 1e-6
    q, qd, qdd = rng.normal(size=(3, 6))
    by_q, by_qd, M = arm.inverse_dynamics_derivatives(q, qd, qdd)
    for j, step in enumerate(h * np.eye(6)):
        slope = (arm.inverse_dynamics(q + step, qd, qdd) - arm.inverse_dynamics(q - step, qd, qdd)) / (2 * h)
        np.testing.assert_allclose(by_q[:, j], slope, atol=1e-7)  # h² and rounding over h
        slope = (arm.inverse_dynamics(q, qd + step, qdd) - arm.inverse_dynamics(q, qd - step, qdd)) / (2 * h)
        np.testing.assert_allclose(by_qd[:, j], slope, atol=1e-7)
    np.testing.assert_allclose(M, arm.mass_matrix(q), rtol=1e-12, atol=1e-14)


def test_the_energy_holds_in_a_simulation() -> None:
    run = pendulum().simulate([0.3], [0.1], duration=2, step=0.001)
    # J q̈ + w cos q = 0 keeps J q̇²/2 + w sin q; the step's error is of order h⁴
    total = np.asarray(run.energy.E)
    np.testing.assert_allclose(total, total.ravel()[0], atol=1e-10)


def test_tolerances_become_intervals() -> None:
    eq = pendulum().equations()
    low, high = eq.interval("tau", [0.0], [0.0], [1.0])
    # τ = J q̈ + w at q = 0
    assert low == pytest.approx([2 - 0.1 + 3 - 0.5], abs=1e-7)
    assert high == pytest.approx([2 + 0.1 + 3 + 0.5], abs=1e-7)
    low, high = eq.interval("tau", [0.0], [0.0], [1.0], J=5.0)
    assert (low, high) == (pytest.approx([7.5], abs=1e-7), pytest.approx([8.5], abs=1e-7))


def test_the_interval_of_1986_holds_what_its_corners_do() -> None:
    arm, rng = robot("puma560_1986"), np.random.default_rng(3)
    q, qd, qdd = rng.normal(size=(3, 6))
    low, high = arm.equations().interval("tau", q, qd, qdd)
    symbols = [s for s in arm.model.symbols.values() if s.value is not None and s.tolerance is not None]
    assert len(symbols) == 34
    signs = rng.choice([-1, 1], size=(200, len(symbols)))
    given = {
        s.name: s.value.value({}) + signs[:, k] * s.tolerance.value({})
        for k, s in enumerate(symbols)
        if s.value is not None and s.tolerance is not None
    }
    tau = arm.inverse_dynamics(*(np.tile(x, (200, 1)) for x in (q, qd, qdd)), **given)
    assert (tau >= low).all()
    assert (tau <= high).all()


@pytest.mark.slow
def test_it_is_written_and_read(tmp_path: Path) -> None:
    for name in ("puma560_1986", ""):
        arm = robot(name) if name else pendulum()
        path = tmp_path / "again.toml"
        path.write_text(robot_file.dumps(arm.model), encoding="utf-8")
        again = qddot.load(path)
        assert again.model.explicit == arm.model.explicit
        assert again.model.symbols == arm.model.symbols
        assert again.model.hash == arm.model.hash or name  # the convention may change how links are written
        arm.equations().save(tmp_path / "eq.json")
        assert qddot.EquationsOfMotion.load(tmp_path / "eq.json").M == arm.equations().M


def test_what_needs_inertias_is_refused() -> None:
    arm = pendulum()
    for ask in (
        lambda: arm.regressor([0], [0], [0]),
        lambda: arm.reactions([0], [0], [0]),
        arm.base_parameters,
    ):
        with pytest.raises(qddot.QddotError, match="entry by entry"):
            ask()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('11 = "J"', '12 = "J"', ("equations-entry-wrong", "2", "1")),
        ('11 = "J"', '11 = "K"', ("symbols-undeclared", "K")),
        ('P = "w*s1"', "", ("equations-without-p",)),
        ("[equations.G]", "[equations.H]", ("unknown-key", "'H'")),
        ('1 = "w*cos(q1)"', '1 = "w*cos(q1"', ("bracket-not-closed",)),
        ('1 = "w*cos(q1)"', '2 = "w"', ("equations-entry-wrong", "'2'")),
        ('s1 = "sin(q1)"', 'w = "sin(q1)"', ("equations-name-taken", "'w'")),
        ("tolerance = 0.1", "tolerance = -0.1", ("tolerance-wrong",)),
        ("tolerance = 0.1", 'tolerance = "J"', ("symbol-not-number",)),
        ("alpha = 0 }", "alpha = 0 }\nmass = 1", ("equations-beside-links",)),
    ],
)
def test_mistakes_are_named(old: str, new: str, said: tuple[str, ...]) -> None:
    with refusal(qddot.QddotError, *said):
        pendulum(old, new)


def test_shapes_and_symmetry_are_checked() -> None:
    from dataclasses import replace

    model = pendulum().model
    assert model.explicit is not None
    with refusal(qddot.QddotError, "g-length", "0"):
        replace(model, explicit=replace(model.explicit, G=()))
    two = robot("two_link").model
    bare = [qddot.Body(body.name, body.joint) for body in two.bodies]
    one, zero = model.explicit.P, model.explicit.P * 0
    wrong = ExplicitEquations(((zero, one), (zero, zero)), ((zero,), (zero,)), ((zero, zero),) * 2, (zero, zero), zero)
    with refusal(qddot.QddotError, "m-not-symmetric"):
        replace(two, bodies=tuple(bare), explicit=wrong)


FREE = {  # of two turning joints: what may stand in an entry, and its value in the state (0.3, -0.7), J = 2
    "2 + cos(20deg)": 2 + np.cos(np.radians(20)),
    "2 + cos(q1 + 30deg)": 2 + np.cos(0.3 + np.pi / 6),
    "2 + cos(2*q1 - q2 + J)": 2 + np.cos(0.6 + 0.7 + 2),
    "2 + sqrt(2)*sin(q2)": 2 + np.sqrt(2) * np.sin(-0.7),
    "2 + pi + q1**2": 2 + np.pi + 0.09,
    "1 + zero": 1,
}


@pytest.mark.parametrize("entry", FREE)
def test_what_may_stand_in_an_entry(entry: str) -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": 1, "alpha": 0} for k in (1, 2)]
    content = {
        "convention": "dh",
        "symbols": {"J": 2},
        "link": [{"dh": row} for row in rows],
        "equations": {"P": 0, "names": {"zero": 0}, "M": {"11": entry, "22": 1}},
    }
    arm = qddot.Robot(robot_file.from_mapping(content, "two.toml"))
    assert arm.mass_matrix([0.3, -0.7])[0, 0] == pytest.approx(FREE[entry], rel=1e-14)
    assert arm.equations().at([0.3, -0.7])["M"][0, 0] == pytest.approx(FREE[entry], rel=1e-14)
    assert arm.equations().textbook().proved()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"M": {"1x1": "J"}}, ("equations-entry-wrong", "'1x1'")),
        ({"M": {"11": "J"}, "G": {"1_": "w"}}, ("equations-entry-wrong", "'1_'")),
        ({"M": {"11": "J", "1_1": "J"}}, ("equations-entry-twice",)),
        ({"M": {"11": "J + cos(1000*q1)"}}, ("angle-not-multiple", "12")),
        ({"M": {"11": "J + cos(q1/2)"}}, ("angle-not-multiple",)),
        ({"M": {"11": "J"}, "names": {"q1": "1"}}, ("equations-name-taken", "'q1'")),
        ({"M": {"11": "J"}, "names": {"pi": "3"}}, ("equations-name-taken", "'pi'")),
    ],
)
def test_mistakes_in_entries_are_named(table: dict[str, Any], said: tuple[str, ...]) -> None:
    content = tomllib.loads(PENDULUM)
    content["equations"] = {"P": 0, **table}
    with refusal(qddot.QddotError, *said):
        robot_file.from_mapping(content, "pendulum.toml")


def test_numbers_and_texts_make_equations() -> None:
    made = ExplicitEquations(((1, "q1"), ("q1", 2.5)), ((0,), (0,)), ((0, 0), (0, 0)), ("g", 0), 0)
    assert str(made.M[1][1]) == "5/2"
    with refusal(qddot.QddotError, "not-list", "M"):
        ExplicitEquations(None, None, None, None, None)
