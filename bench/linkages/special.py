"""Describes mechanisms that move only because their lengths are special."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin, sqrt
from typing import Any

from linkages.parts import ABOUT_Y, BASES, THIRDS, Mechanism, Tables, X, Y, Z, end, link, loop, made, pin, top


def turning(name: str, parent: str, a: float, twist: str) -> Tables:
    """A hinge at the distance a from its parent's, and twisted."""
    return link(name, parent, xyz=[a, 0, 0], rpy=[twist, 0, 0])


def ring(name: str, lengths: Sequence[float], twists: Sequence[int], guess: Sequence[float]) -> Mechanism:
    """A loop of hinges, by the lengths and twists of its links; the last one is the ground."""
    parents = ("base", *(f"j{k}" for k in range(1, len(lengths) - 1)))
    places = zip((0, *lengths), (0, *twists), parents, strict=False)
    links = [turning(f"j{k}", parent, a, f"{twist}deg") for k, (a, twist, parent) in enumerate(places, 1)]
    last = end(links[-1]["name"], [lengths[-2], 0, 0], [f"{twists[-2]}deg", 0, 0])
    ground = end("base", [0, 0, 0], [f"{-twists[-1]}deg", 0, 0])
    ground["xyz"] = [-lengths[-1], 0, 0]
    angles = dict(zip((each["name"] for each in links), guess, strict=True))
    return Mechanism(name, made(links, [loop(last, ground)]), angles, near=True)


def special() -> Iterator[Mechanism]:
    bennett = ring("Bennett's linkage", (1, 2, 1, 2), (30, 90, 30, 90), (1, 2, -1))
    yield bennett
    turned = [{**each, "parent": "swing"} if each["parent"] == "base" else each for each in bennett.tables["link"]]
    held = {**bennett.tables["loop"][0]}
    held["second"] = {**held["second"], "link": "swing"}
    yield Mechanism(
        "Bennett's linkage on an axis that turns", made([link("swing"), *turned], [held]), bennett.guess, True
    )
    lengths = (1, sqrt(2) + sqrt(3), 1, sqrt(3), sqrt(2))
    yield ring("Goldberg's linkage of five hinges", lengths, (30, 105, 30, 60, 45), GOLDBERG)
    yield ring("Bricard's linkage", (1,) * 6, (90, -90) * 3, BRICARD)
    yield sarrus()
    yield spherical_four_bar()
    links = [link("input"), link("cross", "input", axis=X), link("output", rpy=[0.5, 0, 0])]
    joint = loop(end("cross", rpy=ABOUT_Y), end("output", rpy=ABOUT_Y))
    yield Mechanism("universal joint of two shafts", made(links, [joint]), {"input": 0.3, "output": 0.3}, near=True)
    yield cranks([0, 1, 2.5])
    yield cranks([0, 1, 2, 3.5])
    yield cranks([0, 1, 2.5], "an axis that turns")
    yield cranks([0, 1, 2.5], "a free body")
    yield tripteron()
    yield hinged_delta()
    yield spherical_platform()


GOLDBERG: tuple[float, ...] = (1.1, 2.87, 2.1, 2.0)
BRICARD: tuple[float, ...] = (1.37, 1.74, 1.37, 1.74, 1.37)


def cranks(places: Sequence[float], base: str = "the ground") -> Mechanism:
    """A bar on three or more parallel cranks of one length."""
    names = [f"crank{k}" for k in range(len(places))]
    on = top(base)
    links = [link(name, on, axis=Y, xyz=[x, 0, 0]) for name, x in zip(names, places, strict=True)]
    links.append(link("bar", names[0], axis=Y, xyz=[0.5, 0, 0]))
    ends = list(zip(names, places, strict=True))[1:]
    loops = [pin("bar", [x, 0, 0], name, [0.5, 0, 0]) for name, x in ends]
    guess = {**dict.fromkeys(names, 1.0), "bar": -1.0}
    title = f"bar on {len(places)} parallel cranks on {base}"
    return Mechanism(title, made([*BASES[base], *links], loops), guess, near=True)


def sarrus() -> Mechanism:
    """Two chains of three parallel hinges lift a plate."""
    links = [
        link("a1", axis=Y, xyz=[0.3, 0, 0]),
        link("a2", "a1", axis=Y, xyz=[0, 0, 0.4]),
        link("plate", "a2", axis=Y, xyz=[0, 0, 0.4]),
        link("b1", axis=X, xyz=[0, 0.3, 0]),
        link("b2", "b1", axis=X, xyz=[0, 0, 0.4]),
    ]
    hinge = [0, "90deg", 0]
    loops = [loop(end("plate", [-0.3, 0.3, 0], hinge), end("b2", [0, 0, 0.4], hinge))]
    guess = {"a1": 0.6, "a2": -1.2, "plate": 0.6, "b1": -0.6, "b2": 1.2}
    return Mechanism("Sarrus's linkage", made(links, loops), guess, near=True)


def spherical_four_bar() -> Mechanism:
    links = [
        link("crank"),
        link("coupler", "crank", rpy=["40deg", 0, 0]),
        link("rocker", rpy=["60deg", 0, 0]),
    ]
    loops = [loop(end("coupler", rpy=["70deg", 0, 0]), end("rocker", rpy=["50deg", 0, 0]))]
    return Mechanism("spherical four-bar", made(links, loops), {"crank": 1, "coupler": 1, "rocker": 2}, near=True)


def spherical_platform() -> Mechanism:
    """Three legs of three hinges, all of whose axes meet in one point."""
    links, loops = list[Tables](), list[Tables]()
    for k, turn in enumerate(THIRDS):
        links.append(link(f"upper{k}", rpy=["55deg", 0, f"{turn}deg"]))
        links.append(link(f"lower{k}", f"upper{k}", rpy=["70deg", 0, 0]))
    links.append(link("platform", "lower0", rpy=["80deg", 0, 0]))
    turned = {1: [1.2, 0.3, 0.4], 2: [-1.1, 0.5, -0.3]}
    for k, rpy in turned.items():
        loops.append(loop(end("platform", rpy=rpy), end(f"lower{k}", rpy=["80deg", 0, 0])))
    return Mechanism("spherical platform on three legs", made(links, loops), {}, near=True)


def tripteron() -> Mechanism:
    """Three sliders along orthogonal axes, each with a chain of parallel hinges: the platform only shifts."""
    links, loops = list[Tables](), list[Tables]()
    turns: tuple[list[Any], ...] = ([0, 0, 0], ["90deg", 0, "90deg"], ["-90deg", "-90deg", 0])
    for k, rpy in enumerate(turns):
        links.append(link(f"slide{k}", kind="prismatic", rpy=rpy))
        links.append(link(f"upper{k}", f"slide{k}"))
        links.append(link(f"lower{k}", f"upper{k}", xyz=[0.5, 0, 0]))
    links.append(link("platform", "lower0", xyz=[0.5, 0, 0]))
    for k, rpy in list(enumerate(turns))[1:]:
        loops.append(loop(end("platform", [0.1 * k, 0.05, 0.02], rpy), end(f"lower{k}", [0.5, 0, 0])))
    guess = {"upper0": 0.3, "lower0": 1.0, "platform": -1.3, "upper1": 0.3, "lower1": 1.0, "upper2": 0.3, "lower2": 1.0}
    return Mechanism("Tripteron", made(links, loops), guess, near=True)


def hinged_delta() -> Mechanism:
    """A delta whose parallelograms turn on hinges, as the patent draws it: the platform only shifts."""
    links, loops = list[Tables](), list[Tables]()
    for k, turn in enumerate(THIRDS):
        around = [0, 0, f"{turn}deg"]
        at = [round(0.2 * cos(radians(turn)), 15), round(0.2 * sin(radians(turn)), 15), 0]
        links += [
            link(f"arm{k}", axis=Y, xyz=at, rpy=around),
            link(f"upper{k}", f"arm{k}", axis=Y, xyz=[0.3, 0, 0]),
            link(f"rod{k}", f"upper{k}", axis=Z, xyz=[0, 0.05, 0]),
            link(f"other{k}", f"upper{k}", axis=Z, xyz=[0, -0.05, 0]),
            link(f"lower{k}", f"rod{k}", axis=Z, xyz=[0.6, 0, 0]),
        ]
        loops.append(loop(end(f"other{k}", [0.6, 0, 0]), end(f"lower{k}", [0, -0.1, 0])))
    links.append(link("platform", "lower0", axis=Y, xyz=[0, -0.05, 0]))
    for k, turn in list(enumerate(THIRDS))[1:]:
        x, y = 0.05 * cos(radians(turn)) - 0.05, 0.05 * sin(radians(turn))
        frame = end("platform", [round(x, 15), round(y, 15), 0], ["-90deg", 0, f"{turn}deg"])
        loops.append(loop(frame, end(f"lower{k}", [0, -0.05, 0], ABOUT_Y)))
    guess = {**{f"arm{k}": 0.3 for k in range(3)}, **{f"upper{k}": 1.6 for k in range(3)}, "platform": -1.9}
    return Mechanism("delta whose parallelograms have hinges", made(links, loops), guess, near=True)
