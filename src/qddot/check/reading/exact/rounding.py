"""Computes expressions with each of their decimals increased, to tell what the rounding of decimals explains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from qddot.check.reading.exact.evaluation import Evaluation
from qddot.check.reading.syntax import Name, Node, Number, Reference, Tree, walk
from qddot.numbers.polynomials.exact import Polynomial

MOST_COMPUTED = 400_000  # nodes of trees that are computed again, in one answer: some seconds


class Rounding:
    """This computes expressions of one answer again, each time with one decimal increased by half a unit.

    definitions: those of the answer's own names, each after those that it uses
    """

    def __init__(self, evaluation: Evaluation, definitions: Mapping[str, Tree]) -> None:
        self.evaluation, self.definitions = evaluation, definitions
        self._decimals_of: dict[str, set[Fraction]] = {}
        for key, each in definitions.items():
            self._decimals_of[key] = self._decimals(each.node)
        self._sizes = {key: _size(each) for key, each in definitions.items()}
        self._left = MOST_COMPUTED

    def of(self, tree: Tree) -> Callable[[], list[tuple[Polynomial, Polynomial]] | None] | None:
        """Returns a function that computes a tree with each decimal increased in turn; None without decimals.

        The function returns None if all that an answer lets compute would take too long.
        """
        decimals = self._decimals(tree.node)
        if not decimals:
            return None

        @cache
        def values() -> list[tuple[Polynomial, Polynomial]] | None:
            nodes = len(decimals) * _size(tree)
            nodes += sum(len(decimals & self._decimals_of[key]) * size for key, size in self._sizes.items())
            if nodes > self._left:
                return None
            self._left -= nodes
            return [self._with_larger(decimal, tree) for decimal in sorted(decimals)]

        return values

    def _decimals(self, node: Node) -> set[Fraction]:
        """Returns the decimals with two digits or more, which may be rounded, in a tree and its definitions."""
        decimals = set[Fraction]()
        for each in walk(node):
            if isinstance(each, Number) and each.half_unit:
                decimals.add(each.value)
            key = each.key if isinstance(each, Reference) else ""
            key = each.meaning.name if isinstance(each, Name) and each.meaning.kind == "own" else key
            decimals |= self._decimals_of.get(key, set())
        return decimals

    def _with_larger(self, decimal: Fraction, tree: Tree) -> tuple[Polynomial, Polynomial]:
        evaluation = self.evaluation.with_larger(decimal)
        for key, each in self.definitions.items():
            if decimal in self._decimals_of[key]:
                evaluation.define(key, each)
        value = evaluation.value(tree)
        return value.numerator, value.denominator


def _size(tree: Tree) -> int:
    return sum(1 for _ in walk(tree.node))
