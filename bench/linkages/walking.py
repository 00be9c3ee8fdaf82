"""Describes legs whose rods close loops, and feet that stand."""

from __future__ import annotations

from collections.abc import Iterator

from linkages.parts import Links, Mechanism, Tables, X, Y, Z, end, link, loop, made


def cassie_leg(tag: str = "") -> tuple[Links, Links]:
    """A leg with a rod from the thigh to the heel's spring, and a rod that moves the foot."""

    def own(name: str) -> str:
        return f"{tag}{name}"

    links = [
        link(own("roll"), "pelvis", axis=X, xyz=[0, 0.1 if tag != "r_" else -0.1, 0]),
        link(own("yaw"), own("roll"), axis=Z, xyz=[0, 0, -0.1]),
        link(own("thigh"), own("yaw"), axis=Y),
        link(own("knee"), own("thigh"), axis=Y, xyz=[0.12, 0, 0]),
        link(own("shin"), own("knee"), axis=Y, xyz=[0.06, 0.05, 0]),
        link(own("tarsus"), own("shin"), axis=Y, xyz=[0.43, 0, 0]),
        link(own("heel"), own("tarsus"), axis=Y, xyz=[-0.02, -0.01, 0.02], rpy=[0.05, 0.1, -0.02]),
        link(own("rod"), own("thigh"), "spherical", xyz=[0, 0, 0.045]),
        link(own("crank"), own("tarsus"), axis=Y, xyz=[0.058, 0.03, -0.034]),
        link(own("plantar"), own("crank"), axis=Y, xyz=[0.055, 0, 0]),
        link(own("foot"), own("tarsus"), axis=Y, xyz=[0.408, 0, -0.04]),
    ]
    loops = [
        loop(end(own("rod"), [0.5, 0, 0]), end(own("heel"), [-0.1, 0.01, 0]), "spherical"),
        loop(end(own("plantar"), [0.35, 0.03, 0]), end(own("foot"), [-0.04, 0.06, -0.03]), "spherical"),
    ]
    return links, loops


def digit_leg() -> tuple[Links, Links]:
    """Cassie's rod to the heel, and two rods with balls that pitch and roll the foot."""
    links, loops = cassie_leg()
    links, loops = links[:8], loops[:1]
    links.append(link("foot", "tarsus", "universal", axes=[Y, X], xyz=[0.4, 0, 0]))
    for k, y in enumerate((0.05, -0.05)):
        links.append(link(f"toe{k}", "tarsus", axis=Y, xyz=[0.1, y, 0]))
        links.append(link(f"toe_rod{k}", f"toe{k}", "universal", axes=[Y, Z], xyz=[0, 0, 0.06]))
        loops.append(loop(end(f"toe_rod{k}", [0.3, 0, 0]), end("foot", [0, y, 0.06]), "spherical"))
    return links, loops


def ankle(kind: str) -> Mechanism:
    """A foot that pitches and rolls, moved by two cranks with rods, or by two cylinders."""
    links, loops = [link("foot", kind="universal", axes=[Y, X])], list[Tables]()
    for k, y in enumerate((0.05, -0.05)):
        there = end("foot", [-0.06, y, 0])
        if kind == "cylinders":
            links.append(link(f"tube{k}", kind="universal", axes=[Y, X], xyz=[-0.06, y, 0.3]))
            links.append(link(f"d{k}", f"tube{k}", "prismatic"))
            loops.append(loop(end(f"d{k}", [0, 0, -0.3]), there, "spherical"))
            continue
        links.append(link(f"crank{k}", axis=Y, xyz=[0, y, 0.3]))
        if kind == "rods":
            loops.append(loop(end(f"crank{k}", [-0.06, 0, 0]), there, "rod", length=0.3))
        else:
            links.append(link(f"rod{k}", f"crank{k}", "spherical", xyz=[-0.06, 0, 0]))
            loops.append(loop(end(f"rod{k}", [0, 0, -0.3]), there, "spherical"))
    return Mechanism(f"ankle with two {kind}", made(links, loops), {"foot_0": 0.1, "foot_1": 0.05})


LEG = {"thigh": 0.3, "knee": 0.2, "tarsus": 0.2, "crank": 0.4, "plantar": -0.4}


def legs() -> Iterator[Mechanism]:
    pelvis = link("pelvis", kind="free")
    links, loops = cassie_leg()
    yield Mechanism("leg of Cassie on a free pelvis", made([pelvis, *links], loops), LEG)
    one, two = cassie_leg("l_"), cassie_leg("r_")
    tables = made([pelvis, *one[0], *two[0]], [*one[1], *two[1]])
    both = {f"{side}{name}": angle for side in ("l_", "r_") for name, angle in LEG.items()}
    yield Mechanism("both legs of Cassie", tables, both)
    links, loops = digit_leg()
    yield Mechanism("leg of Digit on a free pelvis", made([pelvis, *links], loops), {"thigh": 0.3, "tarsus": 0.2})
    yield from map(ankle, ("rods", "rods with balls", "cylinders"))
    for kind in ("fixed", "planar", "spherical"):
        links, loops = [link("trunk", kind="free")], []
        for side, y in (("l", 0.1), ("r", -0.1)):
            axes = enumerate((Z, X, Y, Y, Y, X), 1)
            for k, axis in axes:
                at = [0, y, 0] if k == 1 else [0, 0, -0.4] if k in (4, 5) else [0, 0, 0]
                links.append(link(f"{side}{k}", f"{side}{k - 1}" if k > 1 else "trunk", axis=axis, xyz=at))
            loops.append(loop(end("base", [0, y, 0]), end(f"{side}6"), kind))
        guess = {"p_z": 0.75, **{f"{side}{k}": x for side in "lr" for k, x in ((3, -0.35), (4, 0.7), (5, -0.35))}}
        yield Mechanism(f"biped whose two feet have {kind} contacts", made(links, loops), guess)
    links, loops = [link("trunk", kind="free")], []
    for k, (x, y) in enumerate(((0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2))):
        links += [link(f"hip{k}", "trunk", axis=X, xyz=[x, y, 0]), link(f"thigh{k}", f"hip{k}", axis=Y)]
        links.append(link(f"shank{k}", f"thigh{k}", axis=Y, xyz=[0, 0, -0.3]))
        loops.append(loop(end(f"shank{k}", [0, 0, -0.3]), end("base", [x, y, 0]), "spherical"))
    guess = {"p_z": 0.5, **{f"thigh{k}": 0.6 for k in range(4)}, **{f"shank{k}": -1.2 for k in range(4)}}
    yield Mechanism("quadruped on four points", made(links, loops), guess)
