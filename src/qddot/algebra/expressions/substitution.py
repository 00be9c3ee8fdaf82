"""Replaces symbols in expressions: these are evaluated in a kind of number that consists of expressions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.constant_angles import cos_sin
from qddot.algebra.expressions.derivative import applied
from qddot.algebra.expressions.expression import Applied, Expression, Root, folded
from qddot.algebra.expressions.parser import angle


class Substitution:
    """In this kind of number, an expression is its own value, except that some symbols are replaced."""

    def __init__(self, values: Mapping[str, Expression]) -> None:
        self.values = values
        self._pairs: dict[Angle, tuple[Expression, Expression]] = {}

    def put(self, entry: Expression) -> Any:
        """Returns an expression with the symbols replaced; all terms are added in one pass."""
        one = Expression.constant(1)
        return folded(Expression.sum(one * Expression({m: c}).evaluate(self) for m, c in entry.terms.items()))

    def rational(self, value: Fraction) -> Expression:
        return Expression.constant(value)

    def symbol(self, name: str) -> Expression:
        return self.values.get(name, Expression.of(name))

    def circular(self, turn: Angle) -> tuple[Expression, Expression]:
        if turn not in self._pairs:
            total = Angle(turn.pi, turn.radians)
            for name, n in turn.symbols:
                total += angle(self.values[name]) * n if name in self.values else Angle(symbols=((name, n),))
            self._pairs[turn] = cos_sin(total)
        return self._pairs[turn]

    def applied(self, atom: Applied) -> Expression:
        argument = self.put(atom.argument)
        return applied(atom.function, argument if isinstance(argument, Expression) else Expression.constant(argument))

    def root(self, of: int) -> Expression:
        return Expression.of(Root(of))
