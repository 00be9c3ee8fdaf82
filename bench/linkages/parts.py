"""Describes links and loops as the tables of robot files, and what several mechanisms share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import qddot

ZOO = Path(qddot.__file__).parent / "robot" / "zoo" / "closed"
Tables = dict[str, Any]
Links = list[Tables]
INERTIA = {"about": "com", "xx": 0.2, "yy": 0.3, "zz": 0.25}
X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]
ABOUT_Y = ["-90deg", 0, 0]  # of a frame whose z axis is its link's y axis
CROSS = [X, Y]
THIRDS = (0, 120, 240)


class Mechanism(NamedTuple):
    """guess: of a configuration with closed loops; near: whether it moves only because its lengths are special"""

    name: str
    tables: Tables
    guess: Mapping[str, float]
    near: bool = False

    @property
    def text(self) -> str:
        """The mechanism as a robot file."""
        lines = ['name = "mechanism"', 'convention = "tree"']
        for key in ("gravity", "coordinates", "symbols"):
            lines += [f"{key} = {inline(self.tables[key])}"] if key in self.tables else []
        for key in ("link", "loop", "rolling"):
            for table in self.tables.get(key, ()):
                lines += [f"[[{key}]]", *(f"{name} = {inline(value)}" for name, value in table.items())]
        return "\n".join(lines)


def inline(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {inline(each)}' for key, each in value.items())} }}"
    return f"[{', '.join(map(inline, value))}]" if isinstance(value, list) else json.dumps(value)


def link(name: str, parent: str = "base", kind: str = "revolute", **joint: Any) -> Tables:
    """A link whose coordinate has its name, unless the joint has several."""
    own: dict[str, Any] = {"type": kind}
    if kind in ("revolute", "prismatic", "helical") and "coordinate" not in joint:
        own["coordinate"] = name
    if kind in ("universal", "cylindrical", "planar"):
        own["coordinates"] = [f"{name}_{k}" for k in range(3 if kind == "planar" else 2)]
    return {
        "name": name,
        "parent": parent,
        "joint": {**own, **joint},
        "mass": 1,
        "com": [0.1, 0.07, 0.05],
        "inertia": INERTIA,
    }


def end(name: str, xyz: Sequence[float] = (0, 0, 0), rpy: Sequence[Any] = (0, 0, 0)) -> Tables:
    return {"link": name, "xyz": list(xyz), "rpy": list(rpy)}


def loop(first: Tables, second: Tables, kind: str = "revolute", **more: Any) -> Tables:
    return {"type": kind, "first": first, "second": second, **more}


def pin(first: str, at: Sequence[float], second: str, other: Sequence[float], rpy: Sequence[Any] = ABOUT_Y) -> Tables:
    """A hinge about the y axes of two links."""
    return loop(end(first, at, rpy), end(second, other, rpy))


def made(links: Links, loops: Sequence[Tables] = (), rolling: Sequence[Tables] = ()) -> Tables:
    return {"link": links, "loop": list(loops), "rolling": list(rolling)}


BASES: dict[str, Links] = {
    "the ground": [],
    "an axis that turns": [link("b1", axis=Z)],
    "an inclined axis": [link("b1", axis=["2/3", "-1/3", "2/3"], rpy=[0.3, -0.4, 0.5])],
    "a slide": [link("b1", kind="prismatic", axis=["3/5", 0, "4/5"])],
    "a slide and a turn": [link("b1", kind="prismatic", axis=X), link("b2", "b1", axis=X)],
    "a wrist": [link("b1", axis=Z), link("b2", "b1", axis=Y, xyz=[0.1, 0.2, 0.1]), link("b3", "b2", axis=X)],
    "a ball": [link("b1", kind="spherical")],
    "a universal joint": [link("b1", kind="universal", axes=CROSS)],
    "a free body": [link("b1", kind="free")],
}


def top(base: str) -> str:
    return BASES[base][-1]["name"] if BASES[base] else "base"


def four_bar(
    on: str, a: float = 0.3, b: float = 0.6, c: float = 0.5, d: float = 0.7, tag: str = "", y: float = 0
) -> tuple[Links, Links]:
    """A crank a, a coupler b, a rocker c and the ground d, in the plane of x and z."""
    crank, coupler, rocker = (f"{tag}{each}" for each in ("crank", "coupler", "rocker"))
    links = [
        link(crank, on, axis=Y, xyz=[0, y, 0]),
        link(coupler, crank, axis=Y, xyz=[a, 0, 0]),
        link(rocker, on, axis=Y, xyz=[d, y, 0]),
    ]
    return links, [pin(coupler, [b, 0, 0], rocker, [c, 0, 0])]


FOUR_BAR = {"crank": -1.2, "coupler": 0.9, "rocker": -1.4}
PARALLELOGRAM = {"crank": -1.2, "coupler": 1.2, "rocker": -1.2}
