"""Defines equations of motion that are given entry by entry instead of links with inertias."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from fractions import Fraction
from itertools import chain
from math import comb
from typing import Any

from qddot.algebra.expressions.expression import Expression, Trigonometric
from qddot.algebra.expressions.parser import expression
from qddot.algebra.expressions.turning import LARGEST_MULTIPLE, Combination, is_multiple
from qddot.base.errors import ModelError, number_of
from qddot.base.records import record
from qddot.base.words.message import Listed, say
from qddot.robot.lagrangian import Lagrangian
from qddot.robot.placements import listed


@record()
class ExplicitEquations:
    """Explicit equations are M (n × n), B (n × n(n−1)/2), C2 (n × n), G (n) and the potential energy P of gravity.

    τ = M q̈ + B [q̇_j q̇_k] + C2 [q̇_j²] + G. The expressions contain coordinates by name; angles in cos and sin may be
    sums of coordinates, as in cos(q2 + q3).
    names: definitions, in the model's symbols, of names for constants in the entries, such as I1 = m*l**2/3
    inserted: symbols whose values are already in the numbers of the entries, so that they cannot have others
    lagrangian: the energies from which the entries follow, of a system without links, whose friction and forces are
        added to τ
    """

    M: tuple[tuple[Expression, ...], ...]
    B: tuple[tuple[Expression, ...], ...]
    C2: tuple[tuple[Expression, ...], ...]
    G: tuple[Expression, ...]
    P: Expression
    names: Mapping[str, Expression] = field(default_factory=dict)
    inserted: Mapping[str, Fraction] = field(default_factory=dict, compare=False)
    lagrangian: Lagrangian | None = None

    def __post_init__(self) -> None:
        for name in ("M", "B", "C2"):
            object.__setattr__(self, name, tuple(_row(row, name) for row in listed(getattr(self, name), name)))
        object.__setattr__(self, "G", _row(self.G, "G"))
        object.__setattr__(self, "P", expression(self.P))
        object.__setattr__(self, "names", {name: expression(entry) for name, entry in self.names.items()})

    def __repr__(self) -> str:
        return f"<explicit equations with {number_of(len(self.G), 'coordinate')}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        matrices = {"M": self.M, "B": self.B, "C2": self.C2}
        cells = [
            (f"{name}[{i}][{j}]", entry)
            for name, rows in matrices.items()
            for i, row in enumerate(rows)
            for j, entry in enumerate(row)
        ]
        cells += [*((f"G[{i}]", entry) for i, entry in enumerate(self.G)), ("P", self.P), *self.names.items()]
        rows = [[name, str(entry)] for name, entry in cells if entry]
        table = html.table(("", ""), rows, say("have-all-entries"))
        return html.block(html.lines([say("explicit-law")]), table)

    def entries(self) -> list[Expression]:
        """Returns all expressions: the rows of M, B and C2, then G and P, and the definitions of names.

        Those of a Lagrangian follow.
        """
        own = [*chain(*self.M), *chain(*self.B), *chain(*self.C2), *self.G, self.P, *self.names.values()]
        return own if self.lagrangian is None else [*own, *self.lagrangian.entries]

    def symbols(self) -> set[str]:
        """Returns the symbols and the coordinates that occur."""
        rates: set[str] = set() if self.lagrangian is None else set(self.lagrangian.rates)
        return set().union(*(entry.symbols() for entry in self.entries())) - set(self.names) - rates

    def check(self, n: int, turning: Mapping[str, Combination], coordinates: Collection[str]) -> None:
        """Checks the shapes, the symmetry of M, the names, and that angles are combinations of revolute joints' angles.

        raises ModelError: one of these checks fails
        """
        for name, entry in self.names.items():
            if others := sorted(entry.symbols() & {*coordinates, *self.names}):
                raise ModelError("name-of-other", name=name, entry=entry, other=others[0])
        for atom in (atom for entry in self.entries() for atom in entry.atoms()):
            if isinstance(atom, Trigonometric):
                for name, times in atom.angle.symbols:
                    if name in self.names:
                        raise ModelError("name-in-angle", atom=atom, name=name)
                    if name in coordinates and not is_multiple(name, times, turning):
                        raise ModelError("angle-not-multiple", atom=atom, most=LARGEST_MULTIPLE)
        for name, rows, width in (("M", self.M, n), ("B", self.B, comb(n, 2)), ("C2", self.C2, n)):
            if [len(row) for row in rows] != [width] * n:
                raise ModelError(
                    "matrix-shape", name=name, rows=len(rows), lengths=Listed(map(len, rows[:8])), n=n, width=width
                )
        if len(self.G) != n:
            raise ModelError("g-length", count=len(self.G), n=n)
        for i in range(n):
            for j in range(i):
                if self.M[i][j] != self.M[j][i]:
                    raise ModelError("m-not-symmetric", row=j + 1, column=i + 1)


def _row(row: Any, name: str) -> tuple[Expression, ...]:
    return tuple(expression(entry) for entry in listed(row, name))
