"""Answers about arms with quaternions are read with their positions, velocities and rates, and judged as others are."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from refusals import refusal

import qddot
from qddot.base.errors import ExpressionError
from qddot.formats.toml import robot_file

QUANTITIES = ("M", "C", "B", "C2", "h", "G", "tau", "christoffel", "K", "P")
SATELLITE = qddot.load("one_link").free(mass="m", inertia=("J", 0, 0, "J", 0, "J"), symbols={"J": 2})


def top() -> qddot.Robot:
    inertia = {"about": "com", "xx": "A", "yy": "A", "zz": "B"}
    link = {"name": "top", "joint": {"type": "spherical"}, "mass": "m", "com": [0, 0, "l"], "inertia": inertia}
    symbols: dict[str, Any] = {name: {} for name in ("m", "l", "A", "B", "g")}
    data = {"convention": "tree", "gravity": [0, 0, "-g"], "symbols": symbols, "link": [link]}
    return qddot.Robot(robot_file.from_mapping(data, "top"))


TOP = top()
ARMS = {"satellite": SATELLITE, "top": TOP}
H1 = "(B - A - m*l**2)*omega_y*omega_z"


@cache
def equations(arm: str) -> qddot.EquationsOfMotion:
    return ARMS[arm].equations()


PAIRS = [("satellite", name) for name in QUANTITIES] + [("top", name) for name in QUANTITIES if name != "C2"]  # zero


@pytest.mark.parametrize(("arm", "quantity"), PAIRS)
def test_what_qddot_prints_is_right(arm: str, quantity: str) -> None:
    printed = str(getattr(equations(arm), quantity))
    assert ARMS[arm].check(printed if "=" in printed else f"{quantity} = {printed}")


@pytest.mark.parametrize(
    "answer",
    [
        f"tau1 = (A + m*l**2)*omega_xd + {H1} - 2*m*g*l*(e_w*e_x + e_y*e_z)",
        r"\tau_1 = (A+m l^2)\dot\omega_x + (B - A - m l^2)\omega_y \omega_z - 2 m g l (e_w e_x + e_y e_z)",
        r"(A+m l^2)\dot{\omega}_x + (B - A - m l^2)\omega_y \omega_z - 2 m g l (e_w e_x + e_y e_z) = \tau_{1}",
        f"h1 = {H1}",
        "P = m*g*l*(e_w^2 - e_x^2 - e_y^2 + e_z^2)",
        "P = m g l (1 - 2 e_x^2 - 2 e_y^2)",
        "K = 1/2 (A + m l^2)(ω_x^2 + ω_y^2) + 1/2 B ω_z^2",
    ],
)
def test_forms_of_right_answers(answer: str) -> None:
    """A quaternion has the norm 1, so that its attitude may be written in several ways."""
    assert TOP.check(answer)


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (f"h1 = -{H1}", "the sign"),
        ("M11 = A", "the parallel-axis term m*l**2 is missing"),
        ("G1 = 2*m*g*l*(e_w*e_x + e_y*e_z)", "gravity points the other way"),
        ("P = m*g*l*(1 - e_x^2 - e_y^2)", ""),
        ("tau3 = B*omega_z", ""),
        ("h1 = 0*omega_x\nh2 = 0*omega_x", "lack Hamel's terms"),
        ("tau1 = (A + m*l**2)*omega_xd - 2*m*g*l*(e_w*e_x + e_y*e_z)", "lack Hamel's terms"),
    ],
)
def test_mistakes_are_found_and_named(answer: str, mistake: str) -> None:
    judged = TOP.check(answer)
    assert not judged
    assert mistake in str(judged)


def test_a_position_has_no_rate_of_its_own() -> None:
    with refusal(ExpressionError, "unknown-name", "e_wd"):
        TOP.check("h1 = e_wd")
    with refusal(ExpressionError, "unknown-name", "'q'", "q"):
        TOP.check("h1 = q")
