"""Names the variables of the equations in text, in LaTeX and as a user writes them."""

from __future__ import annotations

import re
from collections.abc import Collection

from qddot.expressions.angles import Angle
from qddot.expressions.names import rate_name
from qddot.numbers.generators import Generator

GREEK = frozenset(
    {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"}
    | {"nu", "xi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"}
    | {"Gamma", "Delta", "Theta", "Lambda", "Xi", "Sigma", "Phi", "Psi", "Omega"}
)
SPLIT = re.compile(r"^(?P<stem>[^\W\d_]+)_?(?P<index>\w*)$")


def key_of(name: str, coordinates: tuple[str, ...]) -> str:
    """Returns the generator's key for a name that a user may write: "qd1" → "qd(q1)"."""
    for coordinate in coordinates:
        if name == rate_name(coordinate):
            return f"qd({coordinate})"
        if name == rate_name(coordinate, 2):
            return f"qdd({coordinate})"
    return name


def text(generator: Generator, taken: Collection[str] = ()) -> str:
    """Returns c1, s1, qd1 for coordinates q1 …, cos(theta) for others; constant angles as cos(20deg).

    taken: the symbols' names; where one is called c1, the cosine is printed as cos(q1)
    """
    kind, name = generator.kind, generator.name
    if kind in ("sin", "cos"):
        inside = generator.angle if generator.angle is not None else name
        return _short(generator, taken) or f"{kind}({inside})"
    if kind in ("qd", "qdd"):
        return rate_name(name, len(kind) - 1)
    if kind == "sgn":
        return f"sgn({rate_name(name)})"
    return generator.key if kind == "root" else name


def latex(generator: Generator, taken: Collection[str] = ()) -> str:
    """Returns c_{1}, s_{1}, \\dot q_{1} for coordinates q1 …, \\cos\\theta for others."""
    kind, name = generator.kind, generator.name
    if kind in ("sin", "cos"):
        short = _short(generator, taken)
        if short:
            return f"{short[0]}_{{{short[1:]}}}"
        if generator.angle is not None:
            return f"\\{kind}({_angle(generator.angle)})"
        return f"\\{kind}({_sum(name)})" if set(name) & set("+-*/") else f"\\{kind}{{{symbol(name)}}}"
    if kind in ("qd", "qdd"):
        return _dotted(name, "\\dot" if kind == "qd" else "\\ddot")
    if kind == "sgn":
        return f"\\operatorname{{sgn}}{_dotted(name, chr(92) + 'dot')}"
    return f"\\sqrt{{{name}}}" if kind == "root" else symbol(name)


def _short(generator: Generator, taken: Collection[str]) -> str:
    """Returns c1 for the cosine of q1, or "" where it has no short name."""
    match = re.fullmatch(r"q(\d+)", generator.name)
    short = generator.kind[0] + match[1] if match and generator.angle is None else ""
    return short if short not in taken else ""


def symbol(name: str) -> str:
    """Returns a name as mathematics: Ixx1 → I_{xx1}, theta_2 → \\theta_{2}, Ia → I_{a}."""
    stem, index = _stem_and_index(name)
    head = f"\\{stem}" if stem in GREEK else (stem if len(stem) == 1 else f"\\mathrm{{{stem}}}")
    return f"{head}_{{{index}}}" if index else head


def _stem_and_index(name: str) -> tuple[str, str]:
    match = SPLIT.match(name)
    if match is None:
        return name.replace("_", r"\_"), ""
    stem, index = match["stem"], match["index"].replace("_", "")
    if stem not in GREEK and len(stem) > 1:
        stem, index = stem[0], stem[1:] + index
    return stem, index


def _dotted(name: str, dot: str) -> str:
    stem, index = _stem_and_index(name)
    head = f"\\{stem}" if stem in GREEK else stem
    return f"{dot}{{{head}}}" + (f"_{{{index}}}" if index else "")


def _sum(name: str) -> str:
    """2*q2 + q3, q2 - q3 or q1/2 as mathematics."""
    terms = re.split(r" ([+-]) ", name)
    factors = [term if term in "+-" else " ".join(map(_quotient, term.split("*"))) for term in terms]
    return " ".join(factors)


def _quotient(name: str) -> str:
    top, bar, bottom = name.partition("/")
    return (symbol(top) if top.isidentifier() else top) + bar + bottom


def _angle(angle: Angle) -> str:
    parts = [str(Angle(pi=angle.pi)).replace("deg", "^\\circ")] if angle.pi else []
    parts += [f"{n}\\,{symbol(name)}" if n != 1 else symbol(name) for name, n in angle.symbols]
    parts += [str(angle.radians)] if angle.radians else []
    return " + ".join(parts).replace("+ -", "- ")
