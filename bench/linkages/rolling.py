"""Describes bodies on a plane, and wheels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from linkages.parts import FOUR_BAR, Links, Mechanism, Tables, X, Y, Z, end, four_bar, link, loop, made

WHIPPLE = ("spin_r", "lean", "delta")  # independent coordinates of Whipple's bicycle


def on_plane(first: str, *more: Tables) -> Links:
    """A body that slides and turns on the ground."""
    return [link(first, kind="planar"), *more]


def wheel(name: str, on: str, at: Sequence[float]) -> Tables:
    return link(name, on, axis=Y, xyz=list(at))


def rolls(name: str, on: str, at: Sequence[float] = (0, 0, 0), **more: Any) -> Tables:
    return {"name": f"tread of {name}", "wheel": name, "contact": {"link": on, "xyz": list(at)}, **more}


def wheels() -> Iterator[Mechanism]:
    yield Mechanism("bicycle", bicycle(), {"lean": 0.1, "steer": 0.2})
    sides = (("left", [0, 0.2, 0.1]), ("right", [0, -0.2, 0.1]))
    treads = [rolls(name, "cart", [*at[:2], 0]) for name, at in sides]
    drive = [wheel(name, "cart", at) for name, at in sides]
    yield Mechanism("differential drive", made(on_plane("cart", *drive), [], treads), {})
    free = [link("cart", kind="free")]
    flat = [loop(end("base"), end("cart"), "planar")]
    yield Mechanism("cart on a plane", made(free, flat), {})
    yield Mechanism("differential drive, a free body on a plane", made([*free, *drive], flat, treads), {})
    steer = [link("fork", "cart", xyz=[0.5, 0, 0]), wheel("front", "fork", [0, 0, 0.1])]
    tables = made(on_plane("cart", *drive, *steer), [], [*treads, rolls("front", "fork")])
    yield Mechanism("tricycle", tables, {"fork": 0.3})
    arms = [link("arm1", "cart", xyz=[0, 0, 0.3]), link("arm2", "arm1", axis=Y)]
    yield Mechanism("differential drive with an arm", made(on_plane("cart", *drive, *arms), [], treads), {})
    trailer = [link("trailer", "cart", xyz=[-0.3, 0, 0]), wheel("tl", "trailer", [-0.4, 0.2, 0.1])]
    tables = made(on_plane("cart", *drive, *trailer), [], [*treads, rolls("tl", "trailer", [-0.4, 0.2, 0])])
    yield Mechanism("differential drive with a trailer", tables, {"trailer": 0.3})
    corners = [
        (f"wheel{k}", [x, y, 0.1]) for k, (x, y) in enumerate(((0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2)))
    ]
    four = [wheel(name, "cart", at) for name, at in corners]
    under = [rolls(name, "cart", [*at[:2], 0]) for name, at in corners]
    yield Mechanism("cart whose four wheels do not steer, a free body", made([*free, *four], flat, under), {})
    own, loops = four_bar("cart", y=0.1)
    yield Mechanism("sled with a four-bar, on a plane", made([*free, *own], [*flat, *loops]), FOUR_BAR)
    runner = {"name": "runner", "wheel": "cart", "contact": {"link": "heading"}, "directions": "y"}
    heading = link("heading", kind="planar")
    tables = made([heading, link("cart", "heading", "prismatic", axis=Z), *own], loops, [runner])
    yield Mechanism("skate that carries a four-bar", tables, FOUR_BAR)
    door = link("door", xyz=[1, 0.5, 0])
    handle = loop(end("cart", [0.3, 0, 0.2]), end("door", [0, -0.6, 0.2]))
    yield Mechanism("cart on a plane that holds a door", made([*free, door], [*flat, handle]), {"p_x": 0.5})
    hitched = link("trailer", "cart", xyz=[-0.3, 0, 0])
    behind = loop(end("base"), end("trailer", [-0.4, 0, 0]), "planar")
    yield Mechanism("cart and trailer, each on a plane", made([*free, hitched], [*flat, behind]), {})
    tables = made([*free, *drive, hitched], [*flat, behind], treads)
    yield Mechanism("differential drive and trailer, each on a plane", tables, {"trailer": 0.3})
    table = made([link("stand", axis=Y), link("cart", "stand", "free"), link("crank", "stand")])
    pinned = loop(end("cart", [0.3, 0, 0]), end("crank", [0.4, 0, 0]))
    table["loop"] = [loop(end("stand"), end("cart"), "planar"), pinned]
    yield Mechanism("plate on a table that tilts, pinned to a crank", table, {})
    yield suspended_car()


def suspended_car() -> Mechanism:
    """A free chassis with four uprights, each on two wishbones and a tie rod."""
    links, loops = [link("chassis", kind="free")], list[Tables]()
    for k, (x, side) in enumerate(((1.2, 1), (1.2, -1), (-1.2, 1), (-1.2, -1))):
        links += [
            link(f"low{k}", "chassis", axis=X, xyz=[x, 0.3 * side, 0]),
            link(f"up{k}", "chassis", axis=X, xyz=[x, 0.35 * side, 0.25]),
            link(f"hub{k}", f"low{k}", "spherical", xyz=[0, 0.4 * side, 0]),
        ]
        loops.append(
            loop(end(f"hub{k}", [0.02, -0.05 * side, 0.25]), end(f"up{k}", [0.02, 0.3 * side, 0]), "spherical")
        )
        tie = end(f"hub{k}", [0.1, 0, 0.1]), end("chassis", [x + 0.12, 0.3 * side, 0.08])
        loops.append(loop(*tie, "rod", length=0.4))
    return Mechanism("car on eight wishbones and four tie rods", made(links, loops), {})


def bicycle() -> Tables:
    """Two wheels; a patch of the ground below the front one, whose rim turns about its axle without it."""
    links = [
        link("path", kind="planar"),
        link("lean", "path", axis=X),
        link("rear", "lean", axis=Y, xyz=[0, 0, 0.3]),
        link("frame", "lean", axis=Y, xyz=[0, 0, 0.3]),
        link("steer", "frame", axis=Z, xyz=[1, 0, 0.3], rpy=[0, "-18deg", 0]),
        link("front", "steer", axis=Y, xyz=[0.05, 0, -0.35]),
        link("spoke", "steer", axis=Y, xyz=[0.05, 0, -0.35]),
        link("patch", "spoke", axis=X, xyz=[0, 0, -0.35]),
    ]
    ground = [loop(end("base"), end("patch"), "planar")]
    return made(links, ground, [rolls("rear", "path"), rolls("front", "patch")])


def whipple() -> Mechanism:
    """Whipple's bicycle with the lengths and masses of the benchmark, z downward, on a chain of ten joints.

    Source: Meijaard, Papadopoulos, Ruina, Schwab, "Linearized dynamics equations for the balance and steer of a
    bicycle", Proc. R. Soc. A 463, 2007, table 1.
    """

    def body(name: str, parent: str, axis: list[int], mass: float, com: list[float], I: Any, **joint: Any) -> Tables:
        inertia = {"about": "com", **dict(zip(("xx", "yy", "zz", "xz"), I, strict=False))}
        return link(name, parent, axis=axis, **joint) | {"mass": mass, "com": com, "inertia": inertia}

    tilt, axle = "18deg", [-0.08, 0, -0.35]
    upright = {"frame": {"xyz": [0, 0, 0], "rpy": [0, f"-{tilt}", 0]}}  # of the fork's link, whose axis is tilted
    fork = body("delta", "pitch", Z, 4, [-0.2, 0, -0.7], (0.05892, 0.06, 0.00708, -0.00756), xyz=[1.1, 0, 0.3])
    fork["joint"]["rpy"] = [0, tilt, 0]
    links = [
        *(massless(link(name, parent, kind, axis=axis)) for name, parent, kind, axis in PATH),
        body("spin_r", "lean", Y, 2, [0, 0, 0], (0.0603, 0.12, 0.0603), xyz=[0, 0, -0.3]),
        body("pitch", "lean", Y, 85, [0.3, 0, -0.6], (9.2, 11, 2.8, 2.4), xyz=[0, 0, -0.3]),
        fork | upright,
        body("spin_f", "delta", Y, 3, [0, 0, 0], (0.1405, 0.28, 0.1405), xyz=axle),
        massless(link("spoke", "delta", axis=Y, xyz=axle)),
        massless(link("patch", "spoke", axis=X, xyz=[0, 0, 0.35])),
    ]
    wheels = [rolls("spin_r", "yaw"), rolls("spin_f", "patch")]
    tables = made(links, [loop(end("base"), end("patch"), "planar")], wheels)
    order = ["x", "y", "pitch", "spoke", "patch", "yaw", "lean", "spin_r", "delta", "spin_f"]
    return Mechanism("Whipple's bicycle", {"gravity": [0, 0, 9.81], "coordinates": order, **tables}, {})


PATH = (
    ("x", "base", "prismatic", X),
    ("y", "x", "prismatic", Y),
    ("yaw", "y", "revolute", Z),
    ("lean", "yaw", "revolute", X),
)


def massless(tables: Tables) -> Tables:
    return {key: value for key, value in tables.items() if key not in ("mass", "com", "inertia")}
