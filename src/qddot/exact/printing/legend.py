"""Says what the short names in written expressions mean: c12 = cos(q1 + q2)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from qddot.exact.printing.latex import Latex
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Atom, Circular, Equation, Product, Sum, Symbol

Short: TypeAlias = tuple[Symbol, Circular]


def shortened_functions(atoms: Iterable[Atom]) -> list[Short]:
    """Returns each short name of a cosine or sine, once, with the function: single angles first, cosine before sine."""
    named = ((atom.short, atom) for atom in atoms if isinstance(atom, Circular) and atom.short is not None)
    functions = {short.text: (short, function) for short, function in named}
    return sorted(functions.values(), key=_rank)


def _rank(named: Short) -> tuple[int, int, str]:
    short, function = named
    return len(function.angle.symbols), int(short.below), function.kind


def text(atoms: Iterable[Atom]) -> list[str]:
    """Returns "c12 = cos(q1 + q2)" for each short name."""
    plain = Text()
    return [f"{short.text} = {plain.write(function)}" for short, function in shortened_functions(atoms)]


def latex(atoms: Iterable[Atom]) -> str:
    """Returns a sentence in LaTeX, or nothing where no short name occurs."""
    maths = Latex()
    meanings = [f"${maths.symbol(short)} = {maths.write(function)}$" for short, function in shortened_functions(atoms)]
    return f"Here {', '.join(meanings)}." if meanings else ""


def equations(atoms: Iterable[Atom]) -> list[Equation]:
    """Returns c12 = cos(q1 + q2) for each short name, as equations."""
    listed = []
    for short, function in shortened_functions(atoms):
        whole = Circular(function.kind, function.angle, function.argument)
        listed.append(Equation(short, Sum((Product(Fraction(1), ((whole, 1),)),))))
    return listed
