"""Why each term of an entry is there: the parts add up to it, and their lever arms and axes make them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from refusals import refusal
from robots import robots
from shipped import robot

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import QddotError
from qddot.base.words.language import speaking
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.forms.textbook.shares.why import EXPLAINED, OF_LINKS, Reason
from qddot.formats.toml import robot_file

ARMS = ("planar_2r", "spatial_2r", "rp", "elbow_3r", "spherical_pendulum")


def slider(**joint: Any) -> qddot.Robot:
    """A mass m slides up."""
    link = {"name": "cart", "mass": "m", "joint": {"type": "prismatic", "axis": [0, 0, 1], **joint}}
    data = {"convention": "tree", "symbols": {"m": 2, "k": 3, "l": 1, "J": 0.1, "c": 0.2, "f": 0.3}, "link": [link]}
    return qddot.Robot(robot_file.from_mapping(data, "slider"))


def test_a_student_asks_why_m12() -> None:
    assert str(robot("planar_2r").equations().why("M12")).splitlines() == [
        "M12 = m2*l2*(l2 + 2*l1*c2)/4 + I2zz",
        "  m2*l2*(l2 + 2*l1*c2)/4",
        "    mass of fore: m2 a·b: both qd1 and qd2 move its centre of mass, by the lever arms a = ∂v/∂qd1 =",
        "    (l1*s2, l2/2 + l1*c2, 0) and b = ∂v/∂qd2 = (0, l2/2, 0), in the axes of fore",
        "  I2zz",
        "    inertia of fore: a·I b: both qd1 and qd2 turn it, about a = ∂ω/∂qd1 = (0, 0, 1) and b = ∂ω/∂qd2",
        "    = (0, 0, 1), in the axes of fore; I is about its centre of mass",
        "These parts add up to M12: proved, term by term.",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("quantity", EXPLAINED)
def test_parts_add_up(name: str, quantity: str) -> None:
    eq = robot(name).equations()
    explained = eq.why(quantity)
    assert len(explained) == len(list(eq.array(quantity).labelled()))
    for each, (_, _, entry) in zip(explained, eq.in_joint_angles.array(quantity).labelled(), strict=True):
        assert each.proved
        assert sum((reason.exact for reason in each.reasons), start=entry.ring.zero) == entry


@pytest.mark.slow
@given(robots())
@settings(max_examples=10)
def test_parts_add_up_on_random_trees(arm: qddot.Robot) -> None:
    """Joints turn and slide about any axis, with armature, springs and friction; links have first moments, too."""
    for quantity in ("M", "tau", "P"):
        assert all(each.proved for each in arm.equations().why(quantity))


def test_parts_of_long_arms_add_up() -> None:
    eq = robot("puma560_akb").equations()
    assert all(each.proved for name in ("M", "G") for each in eq.why(name))
    assert "in the axes of link3" in str(eq.why("M23"))[-400:]


def test_the_parts_of_m_are_those_of_the_jacobians() -> None:
    """M = Σ m J_vᵀ J_v + (Rᵀ J_ω)ᵀ I_c (Rᵀ J_ω), with all matrices in floats."""
    arm = robot("elbow_3r")
    eq, q = arm.equations(), [0.3, -0.7, 1.1]
    at = eq.at(q)
    masses = [float(arm.model.defaults()[name]) for name in ("m1", "m2", "m3")]
    for each, (i, j) in zip(eq.why("M"), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)], strict=True):
        by_origin = {reason.origin.told("en"): value(reason, eq, q) for reason in each.reasons}
        for k, body in enumerate(arm.model.bodies):
            J, R = np.asarray(at["J_c"][k]), np.asarray(at["T"][k])[:3, :3]
            moved = masses[k] * J[:3, i] @ J[:3, j]
            turned = (R.T @ J[3:, i]) @ np.asarray(at["I_c"][k]) @ (R.T @ J[3:, j])
            assert by_origin.get(f"mass of {body.name}", 0) == pytest.approx(moved, abs=1e-12)
            assert by_origin.get(f"inertia of {body.name}", 0) == pytest.approx(turned, abs=1e-12)


KINDS = {key: quantity for quantity, key in OF_LINKS["mass"].items()}
RATES, ACCELERATIONS = (0.2, 0.5, 0.8), (1.5, 0.5, -0.5)


def value(reason: Reason, eq: Any, q: Any) -> float:
    """The number of a part, in a state."""
    q, qd, qdd = (dict(zip(eq.model.coordinates, each, strict=False)) for each in (q, RATES, ACCELERATIONS))
    part = ExactArray.of(reason.exact.ring, [reason.exact])
    return float(part.values(Floats(eq.model.defaults(), q, qd, qdd))[0])


def vector(text: str, eq: Any, q: Any) -> Any:
    """The numbers of a vector as it is printed: c12 is cos(q1 + q2)."""
    names: dict[str, Any] = {**eq.model.defaults(), "sqrt": math.sqrt}
    for k, (rate, acceleration) in enumerate(zip(RATES, ACCELERATIONS, strict=True), 1):
        names |= {f"qd{k}": rate, f"qdd{k}": acceleration}
    for kind, digits in re.findall(r"\b([cs])(\d+)\b", text):
        names[kind + digits] = {"c": math.cos, "s": math.sin}[kind](sum(q[int(k) - 1] for k in digits))
    return np.array(eval(text, names), dtype=float)


def made(kind: str, m: float, of: dict[str, Any]) -> float:
    """The part by the formula of its sentence."""
    if kind in ("G", "P"):
        return float(-m * of["g"] @ of["a"])
    if kind == "K":
        return float(m * of["v"] @ of["v"] / 2)
    return float(m * of["a"] @ (of.get("b", of["a"]) if kind == "M" else of["w"]))


@pytest.mark.parametrize("name", ["planar_2r", "elbow_3r", "spatial_2r"])
@pytest.mark.parametrize("quantity", ["M", "G", "h", "K", "P", "tau"])
def test_the_vectors_of_a_sentence_make_the_part(name: str, quantity: str) -> None:
    """m a·b, −m g·a, m a·w, ½ m v·v and −m g·p, from the texts that a student reads."""
    eq = robot(name).equations()
    q = [0.3, -0.7, 1.1][: eq.n]
    reasons = [reason for each in eq.why(quantity) for reason in each.reasons if reason.why.key in KINDS]
    assert reasons
    for reason in reasons:
        slots, kind = reason.why.slots, KINDS[reason.why.key]
        vectors = {key: vector(slots[key], eq, q) for key in "abgvw" if slots.get(key)}
        assert made(kind, float(vector(slots["m"], eq, q)), vectors) == pytest.approx(value(reason, eq, q), abs=1e-12)


def test_torques_are_divided_by_what_they_are_for() -> None:
    (tau,) = robot("planar_2r").equations().why("tau1")
    kinds = [reason.why.key for reason in tau.reasons]
    upper = ["why-mass-accelerated", "why-weight", "why-turned-faster"]
    assert kinds == [*upper, "why-mass-accelerated", "why-mass-at-rates", "why-weight", "why-turned-faster"]


def test_effects_have_reasons_of_their_own() -> None:
    arm = slider(armature="J", damping="c", coulomb="f", spring={"stiffness": "k", "rest": "l"})
    (tau,) = arm.equations().why("tau1")
    assert {reason.origin.told("en"): reason.text for reason in tau.reasons if reason.why.key not in KINDS} == {
        "armature of joint q1": "J*qdd1",
        "friction in joint q1": "c*qd1 + f*sgn(qd1)",
        "spring of joint q1": "k*(-l + q1)",
    }
    assert [reason.text for reason in arm.equations().why("M11")[0].reasons] == ["m", "J"]
    assert "½ J q̇² of the rotor" in str(arm.equations().why("K"))
    assert "dry and viscous friction" in str(arm.equations().why("friction1"))
    for effect, said in (({"damping": "c"}, "viscous friction c q̇"), ({"coulomb": "f"}, "dry friction f sgn q̇")):
        assert said in str(slider(**effect).equations().why("tau1"))


def test_a_link_with_a_first_moment() -> None:
    """Its mass acts at its origin, and the first moment and the tensor about the origin do the rest."""
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}],
        [{"mass": "m", "first_moment": ["mx", 0, 0], "inertia": {"about": "origin", "zz": "Izz"}}],
        gravity=[0, "-g", 0],
        symbols="l m mx Izz",
    )
    (entry,) = arm.equations().why("M11")
    assert [(reason.origin.told("en"), reason.text) for reason in entry.reasons] == [
        ("mass of link1", "l**2*m"),
        ("first moment of link1", "2*l*mx"),
        ("inertia of link1", "Izz"),
    ]
    assert entry.proved
    assert "h = (mx, 0, 0)" in str(entry.reasons[1].why)
    assert "its frame's origin" in str(entry.reasons[0].why)


def test_a_free_base_has_velocities_for_names() -> None:
    arm = robot("planar_2r").free(mass=3, inertia=[1, 0, 0, 1, 0, 1])
    explained = arm.equations().why("M17")
    assert explained[0].proved
    assert "both v_x and qd1 move its" in " ".join(str(explained).split())


def test_what_nothing_gives_is_said() -> None:
    (entry,) = robot("rp").equations().why("M12")
    assert (entry.reasons, entry.proved, str(entry.verdict)) == (
        (),
        True,
        "No link, rotor, spring or friction gives anything to M12.",
    )


def test_it_is_said_in_chinese() -> None:
    explained = robot("planar_2r").equations().why("tau1")
    with speaking("zh"):
        text = str(explained)
        assert "fore 的质量" in text
        assert "已逐项证明" in text
        assert re.findall(r"\b(?:the|of|its|and|mass|in)\b", text) == []


def test_a_notebook_shows_a_table() -> None:
    page = robot("planar_2r").equations().why("M12")._repr_html_()
    assert page.count("<tr") == 3
    assert "inertia of fore" in page
    assert repr(robot("planar_2r").equations().why("G")) == "<why G1, G2>"


def test_other_names_are_refused() -> None:
    eq = robot("planar_2r").equations()
    for name in ("T1", "J", "L", "p_c"):
        with refusal(QddotError, "none-of-these", "why-of"):
            eq.why(name)
    with refusal(QddotError, "no-entry", "'M13'"):
        eq.why("M13")
    with refusal(QddotError, "none-of-these"):
        eq.why("nothing")
    with refusal(QddotError, "none-of-these"):
        eq.why(7)
    with refusal(QddotError, "entries-without-reasons"):
        qddot.lagrange("x", "m*xd**2/2", symbols="m").equations().why("M11")
    with refusal(QddotError, "chain-entries-unexplained", "'M11'"):
        qddot.load_closed_chain("four_bar").equations().why("M11")
