"""Gives the joints their coordinates in a kind of number; the cosine and sine of each are computed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from qddot.algebra.expressions.expression import Expression, evaluator
from qddot.algebra.spatial import Number

if TYPE_CHECKING:
    from qddot.algebra.numbers.state_numbers import StateNumbers


class Coordinates:
    """These are the positions of a model's joints, by name. angles: the names of those whose cosine and sine occur."""

    def __init__(self, numbers: StateNumbers, angles: Iterable[str]) -> None:
        self._numbers, self._evaluate = numbers, evaluator(numbers)
        self._circular = {name: numbers.cos_sin(name) for name in angles}

    def __call__(self, name: str) -> Number:
        return self._numbers.coordinate(name)

    def values(self, names: Iterable[str]) -> Mapping[str, Number]:
        return {name: self._numbers.coordinate(name) for name in names}

    def cos_sin(self, name: str) -> tuple[Number, Number]:
        return self._circular[name]

    def cos_sin_of(self, name: str, times: Fraction) -> tuple[Number, Number]:
        """Returns the cosine and sine of a multiple."""
        return self._numbers.cos_sin(name, times)

    def number(self, ratio: Fraction | Expression) -> Any:
        return number(ratio, self._evaluate)


def number(ratio: Fraction | Expression | None, evaluate: Any) -> Any:
    """Returns a ratio as a number, a whole one as an integer, None as None."""
    if ratio is None:
        return None
    return int(ratio) if isinstance(ratio, Fraction) and ratio.denominator == 1 else evaluate(ratio)
