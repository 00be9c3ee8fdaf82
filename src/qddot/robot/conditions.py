"""Defines conditions on coordinates and rates that are given as expressions: φ(q) = 0, and A(q) q̇ = 0."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.derivative import derivative
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.base.words.message import Listed


@record()
class Condition:
    """A condition holds an expression at zero: φ(q), or a linear combination of the rates.

    row: its row of A, one entry for each coordinate; moving: whether it is on the rates alone
    """

    name: str
    value: Expression
    row: tuple[Expression, ...]
    moving: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", expression(self.value))
        object.__setattr__(self, "row", tuple(map(expression, self.row)))

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Returns the expression and the entries of its row."""
        return (self.value, *self.row)

    def symbols(self) -> set[str]:
        """Returns the names of the symbols, coordinates and rates that occur."""
        return self.value.symbols()


def condition(name: str, value: Expression, coordinates: Sequence[str]) -> Condition:
    """Returns the condition that an expression is zero: on the coordinates if no rate occurs in it, else on the rates.

    raises ModelError: no coordinate occurs, or the rates do not occur linearly in each term
    """
    rates = [rate_name(q) for q in coordinates]
    if not value.symbols() & set(rates):
        row = tuple(reduced(derivative(value, q)) for q in coordinates)
        if not any(row):
            raise ModelError("constraint-no-coordinate", where=name, value=value, names=Listed(coordinates))
        return Condition(name, value, row)
    row = tuple(reduced(derivative(value, rate)) for rate in rates)
    linear = Expression.sum(entry * Expression.of(rate) for entry, rate in zip(row, rates, strict=True))
    if any(entry.symbols() & set(rates) for entry in row) or reduced(value - linear):
        raise ModelError("constraint-not-linear", where=name, value=value)
    return Condition(name, value, row, moving=True)


def check_consistent(conditions: Sequence[Condition]) -> None:
    """Raises ModelError for two conditions on q that differ by a number other than zero, as x = 1 and x = 2."""
    for one, other in combinations([each for each in conditions if not each.moving], 2):
        (monomial, c), *_ = next(entry for entry in one.row if entry).terms.items()
        share = next((entry.terms.get(monomial) for entry, own in zip(other.row, one.row, strict=True) if own), None)
        if share and other.row == tuple(entry * (share / c) for entry in one.row):
            difference = reduced(other.value - one.value * (share / c)).rational
            if difference:
                raise ModelError(
                    "constraints-contradict", one=one.name, other=other.name, left=one.value, right=other.value
                )
