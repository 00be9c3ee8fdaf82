"""Says what the short names in written expressions mean: c12 = cos(q1 + q2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from qddot.exact.printing.tree import Atom, Circular, Equation, Factor, Named, Sum, Symbol, alone

Short: TypeAlias = tuple[Symbol, Circular | Named]


def shortened_functions(atoms: Iterable[Factor]) -> list[Short]:
    """Returns each short name of a cosine or sine, once, with the function: single angles first, cosine before sine."""
    named = ((atom.short, atom) for atom in atoms if isinstance(atom, Circular | Named) and atom.short is not None)
    functions = {short.text: (short, function) for short, function in named}
    return sorted(functions.values(), key=_rank)


def _rank(named: Short) -> tuple[int, int, bool, str]:
    short, function = named
    return len(function.angle.symbols), int(short.below), isinstance(function, Named), function.kind


def equations(atoms: Iterable[Atom]) -> list[Equation]:
    """Returns c12 = cos(q1 + q2) for each short name, as equations."""
    listed = []
    for short, function in shortened_functions(atoms):
        listed.append(Equation(short, _meaning(function)))
    return listed


def _meaning(function: Circular | Named) -> Sum:
    if isinstance(function, Named):
        return Sum((function.of,))
    return alone(Circular(function.kind, function.angle, function.argument))
