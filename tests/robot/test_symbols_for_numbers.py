"""Symbols for a file's numbers leave every value as it was, and name what each term comes from."""

from __future__ import annotations

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError


@pytest.mark.parametrize("kinds", [("mass",), ("com",), ("inertia",), ("mass", "inertia"), ("all",)])
@pytest.mark.parametrize("name", ["ur5", "franka_panda", "solo12", "kinova_6dof"])
def test_no_value_changes(name: str, kinds: tuple[str, ...]) -> None:
    arm, symbolic = qddot.load(name), qddot.load(name, symbolic=kinds)
    rng = np.random.default_rng(0)
    q = arm.integrate(arm.neutral(), rng.normal(size=arm.model.n))
    qd, qdd = rng.normal(size=(2, arm.model.n))
    assert symbolic.inverse_dynamics(q, qd, qdd) == pytest.approx(arm.inverse_dynamics(q, qd, qdd), rel=1e-12)
    assert symbolic.dynamic_parameters() == pytest.approx(arm.dynamic_parameters(), abs=1e-15)
    added = set(symbolic.model.symbols) - set(arm.model.symbols)
    assert added
    assert symbolic.model.used_symbols >= added


def test_masses_of_two_links_are_those_of_the_textbook() -> None:
    """G of two rods, which is (m1 l1/2 + m2 l1) g c1 + m2 g l2/2 c12 with l1 = 1 and l2 = 0.8."""
    text = """
    convention = "dh"
    gravity = [0, "-g", 0]
    [[link]]
    dh = { theta = "q1", d = 0, a = 1, alpha = 0 }
    mass = 2
    com = [-0.5, 0, 0]
    inertia = { about = "com", zz = 0.1 }
    joint = { damping = 0.3, coulomb = 0.2 }
    [[link]]
    dh = { theta = "q2", d = 0, a = 0.8, alpha = 0 }
    mass = 3
    com = [-0.4, 0, 0]
    inertia = { about = "com", zz = 0.2 }
    """
    arm = qddot.loads(text)
    masses = arm.with_symbols("mass")
    assert masses.equations().G.free_symbols >= {"m1", "m2", "g"}
    q1, q2, m1, m2 = 0.3, -1.1, 1.7, 0.6
    second = 0.4 * m2 * 9.81 * np.cos(q1 + q2)
    right = [(0.5 * m1 + m2) * 9.81 * np.cos(q1) + second, second]
    assert masses.gravity([q1, q2], m1=m1, m2=m2) == pytest.approx(right, rel=1e-12)
    whole = arm.with_symbols()
    symbols = whole.model.symbols.items()
    assert {name: symbol.value.value({}) for name, symbol in symbols if symbol.value is not None} == {
        "m1": 2.0,
        "m2": 3.0,
        "rx1": -0.5,
        "rx2": -0.4,
        "Izz1": 0.1,
        "Izz2": 0.2,
        "fv1": 0.3,
        "fc1": 0.2,
        "g": 9.81,
    }
    assert str(whole.equations().friction) == "friction1 = fv1*qd1 + fc1*sgn(qd1)\nfriction2 = 0"
    assert str(whole.equations().M) == str(arm.with_symbols("all").equations().M)
    assert whole.with_symbols("all").model == whole.model


def test_taken_names_get_underscores() -> None:
    arm = qddot.load("ur5").with_symbols("mass")
    again = qddot.loads(arm.to_toml().replace('mass = "m2"', "mass = 8").replace("value = 8.393, ", "value = 1, "))
    added = set(again.with_symbols("mass").model.symbols) - set(again.model.symbols)
    assert added <= {"m2_"}


@pytest.mark.parametrize(
    ("name", "kind", "error"),
    [("ur5", "masses", ("symbolic-unknown", "'masses'")), ("puma560_1986", "mass", ("not-possible-equations-given",))],
)
def test_what_has_no_such_numbers_is_refused(name: str, kind: str, error: tuple[str, ...]) -> None:
    with refusal(QddotError, *error):
        qddot.load(name).with_symbols(kind)


@pytest.mark.parametrize("kind", ["", "masses", ["mass", "com"]])
def test_the_kinds_are_listed_once(kind: str) -> None:
    with refusal(QddotError, "symbolic-unknown") as caught:
        qddot.load("ur5").with_symbols(kind)
    assert str(caught.value).count("inertia, friction, all") == 1


def test_every_friction_has_a_symbol_with_its_unit() -> None:
    arm = qddot.load("two_link").with_values(m1=1, m2=2, l=1).with_friction(damping=0.1, drag=0.2, offset=0.3)
    symbolic = arm.with_symbols("friction")
    right = {f"f{kind}{k}": value for k in (1, 2) for kind, value in (("v", 0.1), ("d", 0.2), ("o", 0.3))}
    assert {name: value for name, value in symbolic.model.defaults().items() if name[0] == "f"} == right
    assert symbolic.model.symbols["fd1"].unit == "N m s²/rad²"
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, 2))
    assert symbolic.inverse_dynamics(q, qd, qdd) == pytest.approx(arm.inverse_dynamics(q, qd, qdd), rel=1e-12)
