"""Friction and payloads are given in Python in the words of robot files, and mean what they mean there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError

ZOO = Path(qddot.__file__).parent / "robot/zoo"


def test_friction_is_a_torque_against_the_motion() -> None:
    """τ grows by c q̇ + f sgn q̇ of the joints that have it, and M, G and h stay."""
    arm = qddot.load("two_link")
    rubbed = arm.with_friction({"q1": {"damping": 0.1}}, coulomb=[0.2, "3/10"])
    q, qd = np.array([0.4, -0.3]), np.array([1.5, -2.0])
    more = rubbed.inverse_dynamics(q, qd, [0, 0]) - arm.inverse_dynamics(q, qd, [0, 0])
    np.testing.assert_allclose(more, [0.1 * 1.5 + 0.2, -0.3], rtol=1e-12)
    np.testing.assert_array_equal(rubbed.mass_matrix(q), arm.mass_matrix(q))
    assert not arm.model.moving()[0].joint.effects


def test_friction_that_is_given_replaces_that_of_its_kind_alone() -> None:
    arm = qddot.load("two_link").with_friction(damping=1, coulomb=2)
    other = arm.with_friction({"upper": {"damping": 0}, "q2": {"damping": "c"}}, symbols={"c": 4})
    q, qd = [0, 0], np.array([2.0, 3.0])
    np.testing.assert_allclose(other.bias(q, qd) - other.bias(q, -qd), 2 * np.array([2, 2 + 4 * 3.0]), rtol=1e-12)
    assert str(other.equations().friction[1]) == "friction2 = c*qd2 + 2*sgn(qd2)"
    assert "friction" not in str(other.with_friction(damping=0, coulomb=0).equations())


def test_a_chain_has_the_friction_that_its_file_would_have() -> None:
    text = (ZOO / "closed/four_bar.toml").read_text(encoding="utf-8")
    file = qddot.loads_closed_chain(text.replace('coordinate = "q3" }', 'coordinate = "q3", damping = 0.3 }'))
    chain = qddot.load_closed_chain("four_bar").with_friction({"q3": {"damping": 0.3}})
    q = chain.assemble([1.0, -0.55, 1.3]).q
    qd = chain.velocities(q, [0.7])
    assert chain.bias(q, qd) == pytest.approx(file.bias(q, qd)) != pytest.approx(chain.bias(q, -qd))


def test_a_free_base_has_friction_by_the_name_of_its_link_alone() -> None:
    arm = qddot.load("satellite_arm").with_friction({"bus": {"damping": 2}}, damping=0.5)
    qd = np.arange(1.0, 12.0)
    twice = arm.bias(arm.neutral(), qd) - arm.bias(arm.neutral(), -qd)
    np.testing.assert_allclose(twice, 2 * qd * [*[2] * 6, *[0.5] * 5], rtol=1e-9)


@pytest.mark.parametrize(
    "table",
    [
        {"about": "com", "xx": "0.1", "yy": 0.2, "zz": 0.25, "xy": -0.01},
        {"about": "origin", "matrix": [[0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.1]]},
        {"shape": "box", "length": 0.1, "width": "wide", "height": 0.3, "at": [0, 0, "1/10"]},
        {"shapes": [{"shape": "sphere", "radius": 0.1}, {"shape": "rod", "length": 0.4, "density": 2}], "density": 3},
    ],
)
@pytest.mark.parametrize("name", ["two_link", "delta"])
def test_a_payload_is_what_a_link_with_the_same_table_is(name: str, table: Any) -> None:
    """A file in which the last link is fixed at the tool and has these numbers is the same robot."""
    arm: Any = qddot.load(name) if name == "two_link" else qddot.load_closed_chain(name)
    own = {"mass": 2, "com": [0, 0, 0.1]} if "shapes" not in table else {}
    loaded = arm.with_payload(**own, inertia=table, symbols={"wide": 0.2})
    lines = [f"{key} = {value}" for key, value in own.items()]
    entries = ", ".join(f"{key} = {_toml(value)}" for key, value in table.items())
    text = "\n".join(
        [
            'name = "x"\nconvention = "tree"\n[symbols]\nwide = 0.2\n[[link]]\nname = "payload"',
            'joint = { type = "revolute" }',
            *lines,
            f"inertia = {{ {entries} }}",
        ]
    )
    alone, payload = qddot.loads(text).model.bodies[0], loaded.model.tree.bodies[-1]
    assert (payload.inertia, payload.com) == (alone.inertia, alone.com) and payload.name == "payload"


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(each)}' for key, each in value.items())} }}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_a_base_may_be_given_by_a_table_and_a_whole_pseudo_inertia_is_all_of_a_load() -> None:
    arm = qddot.load("two_link").with_values(m1=1, m2=2)
    ball = arm.free(inertia={"shape": "sphere", "radius": 0.5, "mass": 4})
    assert ball.mass_matrix(ball.neutral())[0, 0] == pytest.approx(4 + 1 + 2)
    rows = [[1, 0, 0, 0.1], [0, 1, 0, 0], [0, 0, 1, 0], [0.1, 0, 0, 3]]
    body = arm.with_payload(inertia={"about": "pseudo", "matrix": rows}).model.bodies[-1]
    assert (float(str(body.inertia.m)), body.inertia.I.xx) == (3, 2)
    assert arm.with_payload(0).mass_matrix([0.3, 0.2]).tolist() == arm.mass_matrix([0.3, 0.2]).tolist()


def test_odd_friction_and_loads_are_refused() -> None:
    arm, bus = qddot.load("two_link"), qddot.load("satellite_arm")
    for make, key in (
        (lambda: arm.with_friction({"q9": {}}), "friction-unknown-joint"),
        (lambda: arm.with_friction({"q1": {"viscous": 1}}), "friction-keys"),
        (lambda: arm.with_friction({"q1": 1}), "friction-keys"),  # type: ignore[dict-item]
        (lambda: arm.with_friction(3), "friction-not-mapping"),
        (lambda: arm.with_friction(damping=[1, 2, 3]), "friction-of-another-length"),
        (lambda: arm.with_friction(damping=-1), "effect-negative"),
        (lambda: arm.with_friction(damping="c"), "symbols-undeclared"),
        (lambda: arm.with_friction(coulomb=float("nan")), "not-finite"),
        (lambda: bus.with_friction({"v_x": {"damping": 1}}), "friction-of-part"),
        (lambda: bus.with_friction({"bus": {"coulomb": 1}}), "joint-type-effect"),
        (lambda: qddot.load("puma560_1986").with_friction(damping=1), "not-possible-equations-given"),
        (lambda: arm.with_payload(1, inertia={"xx": 1}), "inertia-about-missing"),
        (lambda: arm.with_payload(1, inertia={"about": "com", "ixx": 1}), "unknown-key"),
        (lambda: arm.with_payload(1, inertia={"shape": "bx"}), "none-of-these"),
        (lambda: arm.with_payload(1, about="origin", inertia={"about": "com"}), "about-beside-table"),
        (lambda: arm.with_payload(), "payload-without-mass"),
        (lambda: arm.with_payload(com=[0, 0, 1]), "payload-without-mass"),
        (lambda: arm.with_payload(inertia=(1, 0, 0, 1, 0, 1)), "payload-without-mass"),
        (lambda: arm.with_payload(-1, inertia={"about": "com", "xx": 1}), "mass-negative"),
    ):
        with refusal(QddotError, key):
            make()
