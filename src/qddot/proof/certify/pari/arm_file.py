"""Writes an arm and its printed equations for PARI/GP, which derives them again from the description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.words.message import say
from qddot.exact.equations.quantities import Quantities
from qddot.proof.certify.described import DescribedArm, DescribedLink, Sliding, Turning, described, numbered
from qddot.proof.certify.printed import comment, printed
from qddot.robot.left_out import headed

LETTERS = {"sin": "s", "cos": "c", "symbol": "p", "root": "r", "qd": "v", "qdd": "a"}


def arm_file(eq: Quantities, derivation: str, more: Iterable[str] = ()) -> str:
    """Returns the text of a script: the arm as data, the fixed text of the derivation, and the call of the check.

    eq: equations in the joints' own angles; more: lines after the check
    raises ModelError: the derivation does not support one of the joints
    """
    arm, equations = described(eq, say("the-pari-script")), printed(eq)
    names = names_of(arm.ring)
    data = {
        "gravity": written(arm.gravity, names),
        "links": listed(_link(link, names) for link in arm.links),
        "joints": written(arm.effects, names),
        "printed_M": written(equations.M, names),
        "printed_Gamma": written(equations.christoffel, names),
        **{f"printed_{name}": written(values, names) for name, values in equations.vectors.items()},
    }
    named = comment(headed(arm.model.name, arm.model.left_out))
    head = f"/* {named}: its description, and its equations as qddot prints them. gp -q FILE */"
    legend = (f"/* {name}: {comment(key)} */" for name, key in zip(names, arm.ring.index, strict=True))
    lines = [head, *legend, *assigned(_variables(arm)), derivation, *assigned(data), "check();", *more, "quit(failed);"]
    return "\n".join([*lines, ""])


def names_of(ring: Ring) -> list[str]:
    """Returns the names of a ring's generators in a script."""
    return [f"{LETTERS.get(kind, kind)}{number}" for kind, number in numbered(ring)]


def assigned(values: Mapping[str, str]) -> list[str]:
    return [f"{name} = {value};" for name, value in values.items()]


def listed(entries: Iterable[str]) -> str:
    return "[" + ", ".join(entries) + "]"


def _variables(arm: DescribedArm) -> dict[str, str]:
    """Returns the variables; those that are named first are reduced first."""
    angles = range(1, len(arm.ring.turning) + len(arm.ring.variables.bases.bases) + 1)
    roots = [f"[r{of}, {of}]" for of in (2, 3)] if arm.ring.roots else []
    return {
        "sines": listed(f"s{k}" for k in angles),
        "roots": listed(roots),
        "cosines": listed(f"c{k}" for k in angles),
        "positions": listed(f"q{k}" for k in range(1, len(arm.effects) + 1)),
        "turning": listed(f"[{place}, {Fraction(n, arm.per)}]" for place, n in arm.turning),
    }


def written(value: Any, names: Sequence[str]) -> str:
    """Returns a number, or nested lists of numbers."""
    if isinstance(value, list | tuple):
        return listed(written(part, names) for part in value)
    if not isinstance(value, Polynomial):
        return str(Fraction(value))
    terms = (
        "*".join([f"({c})", *(names[k] if e == 1 else f"{names[k]}^{e}" for k, e in powers.items())])
        for powers, c in value.powers()
    )
    return "+".join(terms) or "0"


def _link(link: DescribedLink, names: Sequence[str]) -> str:
    def pose(rows: Sequence[Sequence[Any]]) -> str:
        return "pose([" + "; ".join(", ".join(written(value, names) for value in row) for row in rows) + "])"

    match link.motion:
        case Turning():
            motion = f"turn({written(link.motion.axis, names)}, {link.motion.angle}, {link.motion.times})"
        case Sliding():
            motion = f"slide({written(link.motion.axis, names)}, {written(link.motion.by, names)})"
        case _:
            motion = "matid(4)"
    kind = "about_com" if link.about_com else "about_origin"
    inertia = ", ".join(written(part, names) for part in (link.mass, link.first, link.tensor))
    parent = 0 if link.parent is None else link.parent + 1
    return f"[{parent}, {pose(link.placement)} * {motion} * {pose(link.offset)}, {kind}({inertia})]"
