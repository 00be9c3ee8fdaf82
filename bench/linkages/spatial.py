"""Describes platforms on legs, and other loops in space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from typing import Any

from linkages.parts import CROSS, THIRDS, Links, Mechanism, Tables, X, Y, Z, end, link, loop, made


def stewart(foot: str) -> Mechanism:
    """A platform on six legs with balls above, and universal or ball joints below."""
    links, loops = [link("platform", kind="free")], list[Tables]()
    feet, ends = (10, 110, 130, 230, 250, 350), (50, 70, 170, 190, 290, 310)
    for k, (below, above) in enumerate(zip(map(radians, feet), map(radians, ends), strict=True)):
        axes: dict[str, Any] = {"axes": CROSS} if foot == "universal" else {}
        links.append(
            link(f"tube{k}", kind=foot, xyz=[round(0.5 * cos(below), 4), round(0.5 * sin(below), 4), 0], **axes)
        )
        links.append(link(f"d{k}", f"tube{k}", "prismatic"))
        at = [round(0.3 * cos(above), 4), round(0.3 * sin(above), 4), 0]
        loops.append(loop(end(f"d{k}"), end("platform", at), "spherical"))
    guess = {**{f"d{k}": 0.7 for k in range(6)}, "p_x": 0.1, "p_z": 0.6}
    return Mechanism(f"Stewart's platform, {foot} joints below", made(links, loops), guess)


def spatial() -> Iterator[Mechanism]:
    yield stewart("universal")
    yield stewart("spherical")
    yield hexa()
    yield three_rps()
    yield three_upu()
    links = [
        link("crank"),
        link("rod", "crank", "spherical", xyz=[0.2, 0, 0]),
        link("rocker", axis=X, xyz=[0.6, 0, 0]),
    ]
    ball = loop(end("rod", [0.6, 0, 0]), end("rocker", [0, 0.4, 0]), "spherical")
    yield Mechanism("RSSR", made(links, [ball]), {"crank": 0.5})
    links = [
        link("input", axis=X),
        link("cross", "input", "universal", axes=[Y, Z], xyz=[0.3, 0, 0]),
        link("shaft", "cross", "prismatic", axis=X),
        link("output", axis=X, xyz=[1, 0.3, 0.1], rpy=[0, 0.1, 0.3]),
    ]
    joint = loop(
        end("shaft", [0.4, 0, 0], ["90deg", "90deg", 0]), end("output", [0, 0, 0], ["90deg", "90deg", 0]), "universal"
    )
    yield Mechanism("shaft with two universal joints and a spline", made(links, [joint]), {})
    arms = list[Tables]()
    for side, y in (("l", 0.4), ("r", -0.4)):
        arms += arm(side, [0, y, 0])
    weld = loop(end("l6", [0.3, 0, 0]), end("r6", [0.3, 0, 0]), "fixed")
    guess = {"l1": -0.8, "l2": 0.5, "l3": 0.9, "r1": 0.8, "r2": 0.5, "r3": 0.9, "l5": -0.5, "r5": -0.5}
    yield Mechanism("two arms that hold one object", made(arms, [weld]), guess)


def arm(tag: str, at: Sequence[float]) -> Links:
    """Six joints: a shoulder, an elbow and a wrist."""
    axes, places = (Z, Y, Y, X, Y, X), (list(at), [0, 0, 0.1], [0.5, 0, 0], [0.2, 0, 0], [0.3, 0, 0], [0.1, 0, 0])
    parents = ("base", *(f"{tag}{k}" for k in range(1, 6)))
    rows = enumerate(zip(axes, places, parents, strict=True), 1)
    return [link(f"{tag}{k}", parent, axis=axis, xyz=xyz) for k, (axis, xyz, parent) in rows]


def hexa() -> Mechanism:
    """Six cranks move a free platform by rods."""
    links, loops = [link("platform", kind="free")], list[Tables]()
    for k in range(6):
        turn, above = radians(60 * k + (10 if k % 2 else -10)), radians(60 * k + (-20 if k % 2 else 20))
        at = [round(0.5 * cos(turn), 4), round(0.5 * sin(turn), 4), 0]
        links.append(link(f"crank{k}", axis=Y, xyz=at, rpy=[0, 0, f"{60 * k}deg"]))
        there = [round(0.2 * cos(above), 4), round(0.2 * sin(above), 4), 0]
        loops.append(loop(end(f"crank{k}", [0.3, 0, 0]), end("platform", there), "rod", length=0.8))
    return Mechanism("six cranks with rods and a platform", made(links, loops), {"p_z": -0.5, "p_x": 0.05})


def three_rps() -> Mechanism:
    links, loops = [link("platform", kind="free")], list[Tables]()
    for k, turn in enumerate(THIRDS):
        x, y = cos(radians(turn)), sin(radians(turn))
        links.append(link(f"tube{k}", axis=Y, xyz=[round(0.5 * x, 4), round(0.5 * y, 4), 0], rpy=[0, 0, f"{turn}deg"]))
        links.append(link(f"d{k}", f"tube{k}", "prismatic"))
        loops.append(loop(end(f"d{k}"), end("platform", [round(0.3 * x, 4), round(0.3 * y, 4), 0]), "spherical"))
    return Mechanism(
        "three legs RPS and a platform", made(links, loops), {"p_z": 0.6, "d0": 0.6, "d1": 0.7, "d2": 0.65}
    )


def three_upu() -> Mechanism:
    """Three legs with two universal joints and a slide each."""
    links, loops = list[Tables](), list[Tables]()
    for k, turn in enumerate(THIRDS):
        x, y = cos(radians(turn)), sin(radians(turn))
        at, around = [round(0.5 * x, 4), round(0.5 * y, 4), 0], [0, 0, f"{turn}deg"]
        links.append(link(f"tube{k}", kind="universal", axes=[Y, X], xyz=at, rpy=around))
        links.append(link(f"d{k}", f"tube{k}", "prismatic"))
    links.append(link("platform", "d0", "universal", axes=[X, Y]))
    for k, turn in list(enumerate(THIRDS))[1:]:
        x, y = 0.3 * cos(radians(turn)) - 0.3, 0.3 * sin(radians(turn))
        frame = end("platform", [round(x, 4), round(y, 4), 0], [0, 0, f"{turn}deg"])
        loops.append(loop(end(f"d{k}"), frame, "universal"))
    guess = {**{f"d{k}": 0.8 for k in range(3)}, "tube0_0": -0.2, "platform_1": 0.2, "tube0_1": 0.1, "platform_0": -0.1}
    return Mechanism("three legs UPU and a platform", made(links, loops), guess)
