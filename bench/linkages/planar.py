"""Describes mechanisms in a plane, some of which something carries."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from math import cos, radians, sin

from linkages.parts import (
    BASES,
    FOUR_BAR,
    PARALLELOGRAM,
    THIRDS,
    ZOO,
    Links,
    Mechanism,
    X,
    Y,
    end,
    four_bar,
    link,
    loop,
    made,
    pin,
    top,
)


def on_bases() -> Iterator[Mechanism]:
    for base, links in BASES.items():
        own, loops = four_bar(top(base))
        yield Mechanism(f"four-bar on {base}", made([*links, *own], loops), FOUR_BAR)
    for base in ("the ground", "an axis that turns", "a wrist", "a free body"):
        own, loops = four_bar(top(base), 0.3, 0.7, 0.3, 0.7)
        yield Mechanism(f"parallelogram on {base}", made([*BASES[base], *own], loops), PARALLELOGRAM)
    gripper = tomllib.loads((ZOO / "robotiq_2f85.toml").read_text(encoding="utf-8"))
    for base in ("a wrist", "a free body"):
        carried = [{**each, "parent": each.get("parent", top(base))} for each in gripper["link"]]
        tables = {**gripper, "link": [*BASES[base], *carried]}
        del tables["coordinates"]
        yield Mechanism(f"robotiq_2f85 on {base}", tables, {"q1": 0.3, "q2": 0.25, "q3": 0.2})


def palletizer() -> Mechanism:
    """The forearm is driven by a parallelogram from the turntable, and two more keep the tool level."""
    links = [
        link("swing"),
        link("arm", "swing", axis=Y, xyz=[0.1, 0, 0.4]),
        link("forearm", "arm", axis=Y, xyz=[0, 0, 0.6]),
        link("crank", "swing", axis=Y, xyz=[0.1, 0.1, 0.4]),
        link("rod", "crank", axis=Y, xyz=[-0.2, 0, 0]),
        link("plate", "arm", axis=Y, xyz=[0, 0, 0.6]),
        link("tie", "swing", axis=Y, xyz=[-0.05, 0, 0.5]),
        link("head", "forearm", axis=Y, xyz=[0.7, 0, 0]),
        link("upper_tie", "plate", axis=Y, xyz=[0.1, 0, 0.15]),
        link("tool", "head"),
    ]
    loops = [
        pin("rod", [0, 0, 0.6], "forearm", [-0.2, 0.1, 0]),
        pin("tie", [0, 0, 0.6], "plate", [-0.15, 0, 0.1]),
        pin("upper_tie", [0.7, 0, 0], "head", [0.1, 0, 0.15]),
    ]
    return Mechanism("palletizer, three parallelograms", made(links, loops), {})


def excavator(base: str) -> Mechanism:
    """A boom, a stick and a bucket with its linkage, each moved by a cylinder."""
    on = top(base)
    links = [*BASES[base], link("swing", on), link("boom", "swing", axis=Y, xyz=[0.5, 0, 1])]
    links += [link("stick", "boom", axis=Y, xyz=[5, 0, 0]), link("bucket", "stick", axis=Y, xyz=[2.5, 0, 0])]
    links += [link("rocker", "stick", axis=Y, xyz=[2, 0, 0]), link("coupler", "rocker", axis=Y, xyz=[0, 0, 0.5])]
    loops = [pin("coupler", [0.6, 0, 0], "bucket", [0.1, 0, 0.4])]
    cylinders = (
        ("swing", [1, 0, 0.5], "boom", [2, 0, 0.5]),
        ("boom", [2.5, 0, 1], "stick", [-0.6, 0, 0.3]),
        ("stick", [0.3, 0, 0.6], "rocker", [0, 0, 0.5]),
    )
    for k, (carrier, at, moved, there) in enumerate(cylinders):
        links += [link(f"tube{k}", carrier, axis=Y, xyz=at), link(f"piston{k}", f"tube{k}", "prismatic", axis=X)]
        loops.append(pin(f"piston{k}", [0.5, 0, 0], moved, there))
    guess = {"boom": -0.5, "stick": 1.2, "bucket": 0.5, "tube0": -1.0, "piston0": 1.0, "piston1": 1, "piston2": 1}
    return Mechanism(f"excavator on {base}", made(links, loops), guess)


def planar() -> Iterator[Mechanism]:
    yield palletizer()
    yield excavator("the ground")
    digger = excavator("a free body")
    yield digger
    tracks = [loop(end("base"), end("b1"), "planar"), *digger.tables["loop"]]
    yield Mechanism("excavator on a plane", {**digger.tables, "loop": tracks}, digger.guess)
    links, loops = four_bar("base")
    more = [link("rod", "coupler", axis=Y, xyz=[0.3, 0, -0.2]), link("lever", axis=Y, xyz=[0.9, 0, -0.3])]
    guess = {**FOUR_BAR, "rod": 0.5, "lever": -2.0}
    tables = made([*links, *more], [*loops, pin("rod", [0.5, 0, 0], "lever", [0.4, 0, 0])])
    yield Mechanism("Stephenson's six-bar", tables, guess)
    more = [link("rod", "rocker", axis=Y, xyz=[0.3, 0, -0.2]), link("lever", axis=Y, xyz=[1.2, 0, 0])]
    tables = made([*links, *more], [*loops, pin("rod", [0.5, 0, 0], "lever", [0.4, 0, 0])])
    yield Mechanism("Watt's six-bar", tables, {**FOUR_BAR, "rod": 1.2, "lever": -1.6})
    yield peaucellier()
    yield scissor_lift()
    yield three_rrr()
    links = [link("crank"), link("rod", "crank", xyz=[0.2, 0, 0]), link("block", "rod", xyz=[0.5, 0, 0])]
    slide = loop(end("base", [0, 0.05, 0], [0, "90deg", 0]), end("block", [0, 0, 0], [0, "90deg", 0]), "prismatic")
    yield Mechanism(
        "slider-crank whose loop is the slide", made(links, [slide]), {"crank": 1, "rod": -1.3, "block": 0.3}
    )
    links = [link("left", axis=Y), link("right", axis=Y, xyz=[0.7, 0, 0]), link("coupler", kind="free")]
    loops = [pin("coupler", [0, 0, 0], "left", [0.3, 0, 0]), pin("coupler", [0.6, 0, 0], "right", [0.5, 0, 0])]
    guess = {"left": -1.2, "right": -1.4, "p_x": 0.109, "p_z": 0.28}
    yield Mechanism("four-bar whose coupler is a free body", made(links, loops), guess)
    links = [link("left"), link("right", xyz=[0.7, 0, 0]), link("plate", kind="free")]
    flat = [0, 0, 0]
    loops = [loop(end("base"), end("plate"), "planar")]
    loops += [pin("plate", flat, "left", [0.3, 0, 0], flat), pin("plate", [0.6, 0, 0], "right", [0.5, 0, 0], flat)]
    guess = {"left": 1.2, "right": 1.4, "p_x": 0.109, "p_y": 0.28}
    yield Mechanism("plate on a table, pinned to two cranks", made(links, loops), guess)
    yield welded_halves()


def welded_halves() -> Mechanism:
    """A four-bar on a frame that turns in two bearings, and is cut into two halves that a loop holds together."""
    halves = [link("half1", axis=X), link("half2", axis=X, xyz=[0.7, 0, 0])]
    links, loops = four_bar("half1")
    links[2] = link("rocker", "half2", axis=Y)
    weld = loop(end("half1", [0.7, 0, 0]), end("half2"), "fixed")
    return Mechanism("four-bar on a frame of two welded halves", made([*halves, *links], [weld, *loops]), FOUR_BAR)


def peaucellier() -> Mechanism:
    """Two long rods and a rhombus draw a straight line."""
    links = [
        link("crank", xyz=[0.3, 0, 0]),
        link("side1", "crank", xyz=[0.3, 0, 0]),
        link("side2", "crank", xyz=[0.3, 0, 0]),
        link("long1"),
        link("long2"),
        link("far1", "side1", xyz=[0.4, 0, 0]),
        link("far2", "side2", xyz=[0.4, 0, 0]),
    ]
    flat = [0, 0, 0]
    loops = [
        pin("side1", [0.4, 0, 0], "long1", [0.8, 0, 0], flat),
        pin("side2", [0.4, 0, 0], "long2", [0.8, 0, 0], flat),
        pin("far1", [0.4, 0, 0], "far2", [0.4, 0, 0], flat),
    ]
    guess = {"crank": 0.5, "side1": 0.4, "side2": -1.0, "long1": 0.5, "long2": -0.1, "far1": -1.3, "far2": 1.3}
    return Mechanism("Peaucellier's linkage", made(links, loops), guess)


def scissor_lift() -> Mechanism:
    """Two crosses one above the other, on a slide below."""
    links = [
        link("a1", axis=Y),
        link("slide", kind="prismatic", axis=X),
        link("b1", "slide", axis=Y),
        link("a2", "b1", axis=Y, xyz=[-1, 0, 0]),
        link("b2", "a1", axis=Y, xyz=[1, 0, 0]),
    ]
    loops = [pin("a1", [0.5, 0, 0], "b1", [-0.5, 0, 0]), pin("a2", [0.5, 0, 0], "b2", [-0.5, 0, 0])]
    guess = {"a1": -0.5, "slide": 0.88, "b1": 0.5, "a2": -1.0, "b2": 1.0}
    return Mechanism("scissor lift of two crosses", made(links, loops), guess)


def three_rrr() -> Mechanism:
    """A platform in the plane, on three legs."""
    links: Links = []
    loops: Links = []
    for k, turn in enumerate(map(radians, THIRDS)):
        links.append(link(f"upper{k}", xyz=[cos(turn), sin(turn), 0]))
        links.append(link(f"lower{k}", f"upper{k}", xyz=[0.6, 0, 0]))
    links.append(link("platform", "lower0", xyz=[0.6, 0, 0]))
    for k, (x, y) in ((1, (-0.45, 0.26)), (2, (-0.45, -0.26))):
        loops.append(loop(end(f"lower{k}", [0.6, 0, 0]), end("platform", [x, y, 0])))
    guess = {"upper0": 2.4, "lower0": 1.5, "platform": -3.9, "upper1": 4.5, "lower1": 1.5, "upper2": 6.6, "lower2": 1.5}
    return Mechanism("three legs RRR and a platform in the plane", made(links, loops), guess)
