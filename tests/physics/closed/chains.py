"""Closed chains for the tests."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import qddot
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables

BENCH = Path(__file__).parents[3] / "bench"
# a rod hangs on a crank by a ball, and on a plate, which turns about a fixed point
HANGING = """<mujoco><compiler angle="radian"/><option gravity="0.3 -9 1.5"/><worldbody>
<body name="crank"><joint axis="0 0 1"/><inertial pos="0.1 0 0" mass="1" diaginertia="0.02 0.03 0.04"/>
<body name="rod" pos="0.2 0 0.05"><joint type="ball"/>
<inertial pos="0.25 0.01 0" mass="0.7" diaginertia="0.01 0.03 0.03"/></body></body>
<body name="plate" pos="0.6 0.1 0.2"><freejoint/>
<inertial pos="0.02 0.03 0" mass="1.5" diaginertia="0.02 0.03 0.04"/></body></worldbody>
<equality><connect body1="rod" body2="plate" anchor="0.4 0.1 0.15"/>
<connect body1="plate" body2="world" anchor="0.1 0.2 0"/></equality></mujoco>"""
GUESSES: dict[str, dict[str, float]] = {
    "four_bar": {"q1": 1.0, "q2": -0.5, "q3": 1.5},
    "five_bar": {"q1": 2.0, "q2": -1.2, "q3": 1.0, "q4": 1.2},
    "slider_crank": {"q1": 1.0, "q2": -1.2, "x": 0.2},
    "tilted": {"q1": 1.0, "q2": -0.5, "q3": 1.5},
    "scara_parallelogram": {"q1": 0.3, "q2": 1.4, "q3": -1.1, "q4": 1.1, "d5": 0.1},
    "delta": {"q1": 0.3, "q2": 0.3, "q3": 0.3, "x": 0.05, "y": -0.03, "z": -0.6},
    "spatial": {"q1": 0.3, "q2": 0.8, "q3": 0.1, "q4": 0.2},
    "robotiq_2f85": {"q1": 0.3, "q2": 0.25, "q3": 0.2},
}


@cache
def chain(name: str) -> ClosedChain:
    texts = {"tilted": TILTED, "spatial": SPATIAL}
    if name in texts:
        return ClosedChain(loop_tables.loads(texts[name], name))
    return qddot.load_closed_chain(name)


@cache
def whipple() -> ClosedChain:
    """Whipple's bicycle of the benchmarks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        rolling = importlib.import_module("linkages.rolling")
    for name in [name for name in sys.modules if name.partition(".")[0] == "linkages"]:
        del sys.modules[name]
    return ClosedChain(loop_tables.loads(rolling.whipple().text, "bicycle"), rolling.WHIPPLE)


@cache
def driven(name: str, *independent: str) -> ClosedChain:
    """A chain that ships, by other independent coordinates."""
    return chain(name).with_independent(*independent)


@cache
def assembled(name: str) -> Any:
    return chain(name).assemble(GUESSES[name])


def link(name: str, parent: str, joint: str, mass: float, com: list[float]) -> str:
    return f"""
[[link]]
name = "{name}"
parent = "{parent}"
joint = {{ {joint} }}
mass = {mass}
com = {com}
inertia = {{ about = "com", xx = 0.02, yy = 0.03, zz = 0.04 }}
"""


def loop(kind: str, first: str, at: list[float], second: str, other: list[float]) -> str:
    return f"""
[[loop]]
type = "{kind}"
first = {{ link = "{first}", xyz = {at} }}
second = {{ link = "{second}", xyz = {other} }}
"""


HEAD = 'name = "{}"\nconvention = "tree"\ngravity = [0.3, -9.0, 1.5]\ncoordinates = [{}]\n'
STAND = """
[[link]]
name = "stand"
joint = { type = "fixed", rpy = ["30deg", "45deg", 0], xyz = [0.1, 0.2, 0.3] }
"""
CROSS = """
[[link]]
name = "cross"
parent = "follower"
joint = { type = "revolute", xyz = [0, 0.4, 0], coordinate = "q3" }
"""
# a four-bar whose axes stand askew in space: five conditions, of which two are independent
TILTED = "".join(
    (
        HEAD.format("tilted", '"q1", "q2", "q3"'),
        STAND,
        link("crank", "stand", 'type = "revolute", coordinate = "q1"', 1.0, [0.1, 0, 0]),
        link("coupler", "crank", 'type = "revolute", xyz = [0.2, 0, 0], coordinate = "q2"', 2.0, [0.2, 0.05, 0.01]),
        link("rocker", "stand", 'type = "revolute", xyz = [0.45, 0, 0], coordinate = "q3"', 1.5, [0.2, 0, 0]),
        loop("revolute", "coupler", [0.5, 0, 0], "rocker", [0.4, 0, 0]),
    )
)
ABOUT_X = 'type = "revolute", axis = [1, 0, 0]'
# two cranks about skew axes, joined by a rod with a universal joint at one end and a ball at the other
SPATIAL = "".join(
    (
        HEAD.format("spatial", '"q1", "q2", "q3", "q4"'),
        link("crank", "base", 'type = "revolute", coordinate = "q1"', 1.0, [0.1, 0, 0]),
        link("follower", "base", f'{ABOUT_X}, xyz = [0.6, 0.1, 0], coordinate = "q2"', 1.2, [0, 0.1, 0]),
        CROSS,
        link("rod", "cross", 'type = "revolute", axis = [0, 1, 0], coordinate = "q4"', 0.7, [-0.25, 0, 0]),
        loop("spherical", "rod", [-0.6, 0, 0], "crank", [0.2, 0.3, 0]),
    )
)
