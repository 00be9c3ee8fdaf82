"""Writes an arm and its printed equations for PARI/GP, which derives them again from the description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.quantities import Quantities
from qddot.proof.certify.described import DescribedArm, DescribedLink, Sliding, Turning, described
from qddot.proof.certify.printed import Printed, comment, printed
from qddot.robot.left_out import headed


def arm_file(eq: Quantities, derivation: str) -> str:
    """Returns the text of a script: the arm as data, the fixed text of the derivation, and the call of the check.

    eq: equations in the joints' own angles
    raises ModelError: the derivation does not support one of the joints
    """
    arm, equations = described(eq, "the script for PARI/GP"), printed(eq)
    names = _names(arm.ring)
    data = {
        "gravity": _list(_expression(part, names) for part in arm.gravity),
        "links": _list(_link(link, names) for link in arm.links),
        "joints": _list(_list(_expression(value, names) for value in effects) for effects in arm.effects),
        **_equations(equations, names),
    }
    named = comment(headed(arm.model.name, arm.model.left_out))
    head = f"/* {named}: its description, and its equations as qddot prints them. gp -q FILE */"
    legend = (f"/* {name}: {comment(key)} */" for name, key in zip(names, arm.ring.index, strict=True))
    lines = [head, *legend, *_assigned(_variables(arm)), derivation, *_assigned(data), "check();", "quit(failed);", ""]
    return "\n".join(lines)


def _assigned(values: Mapping[str, str]) -> list[str]:
    return [f"{name} = {value};" for name, value in values.items()]


def _names(ring: Ring) -> list[str]:
    """Returns a short name for each generator of the ring; the angles that move are counted first."""
    bases = ring.variables.bases.bases
    places = {
        "sin": {**_count(ring.turning), **_count(bases, len(ring.turning))},
        "symbol": _count((*ring.symbols, *ring.extra)),
        "q": _count(ring.coordinates),
    }
    places["cos"] = places["sin"]
    letters = {"sin": "s", "cos": "c", "symbol": "p", "q": "q", "root": "r", "qd": "v", "qdd": "a", "sgn": "sgn"}
    return [
        f"{letters[each.kind]}{places.get(each.kind, {}).get(each.angle or each.name, each.name)}"
        for each in ring.generators
    ]


def _count(names: Iterable[Any], after: int = 0) -> dict[Any, int]:
    return {name: k for k, name in enumerate(names, start=after + 1)}


def _list(entries: Iterable[str]) -> str:
    return "[" + ", ".join(entries) + "]"


def _variables(arm: DescribedArm) -> dict[str, str]:
    """Returns the variables; those that are named first are reduced first."""
    angles = range(1, len(arm.ring.turning) + len(arm.ring.variables.bases.bases) + 1)
    roots = [f"[r{of}, {of}]" for of in (2, 3)] if arm.ring.roots else []
    return {
        "sines": _list(f"s{k}" for k in angles),
        "roots": _list(roots),
        "cosines": _list(f"c{k}" for k in angles),
        "positions": _list(f"q{k}" for k in range(1, len(arm.effects) + 1)),
        "turning": _list(f"[{place}, {Fraction(n, arm.per)}]" for place, n in arm.turning),
    }


def _expression(value: Any, names: Sequence[str]) -> str:
    if not isinstance(value, Polynomial):
        return str(Fraction(value))
    terms = (
        "*".join([f"({c})", *(names[k] if e == 1 else f"{names[k]}^{e}" for k, e in powers.items())])
        for powers, c in value.powers()
    )
    return "+".join(terms) or "0"


def _link(link: DescribedLink, names: Sequence[str]) -> str:
    def entries(values: Iterable[Any]) -> str:
        return _list(_expression(value, names) for value in values)

    def pose(rows: Sequence[Sequence[Any]]) -> str:
        return "pose([" + "; ".join(", ".join(_expression(value, names) for value in row) for row in rows) + "])"

    match link.motion:
        case Turning():
            motion = f"turn({entries(link.motion.axis)}, {link.motion.angle}, {link.motion.times})"
        case Sliding():
            motion = f"slide({entries(link.motion.axis)}, {_expression(link.motion.by, names)})"
        case _:
            motion = "matid(4)"
    kind = "about_com" if link.about_com else "about_origin"
    inertia = f"{kind}({_expression(link.mass, names)}, {entries(link.first)}, {entries(link.tensor)})"
    parent = 0 if link.parent is None else link.parent + 1
    return f"[{parent}, {pose(link.placement)} * {motion} * {pose(link.offset)}, {inertia}]"


def _equations(equations: Printed, names: Sequence[str]) -> dict[str, str]:
    def entries(values: Iterable[Any]) -> str:
        return _list(_expression(value, names) for value in values)

    return {
        "printed_M": _list(map(entries, equations.M)),
        "printed_Gamma": _list(_list(map(entries, rows)) for rows in equations.christoffel),
        **{f"printed_{name}": entries(values) for name, values in equations.vectors.items()},
    }
