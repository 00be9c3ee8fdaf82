"""Computes expressions with each of their decimals increased, to tell what the rounding of decimals explains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.exact.changes import Changes, NoPolynomialError, TooLongError
from qddot.teach.check.reading.exact.evaluation import Evaluation
from qddot.teach.check.reading.exact.quotients import Quotient
from qddot.teach.check.reading.syntax import Tree, walk

MOST_COMPUTED = 400_000  # nodes of trees that are computed again, in one answer: some seconds


class Rounding:
    """This computes by how much expressions of one answer change with each decimal, increased by half a unit.

    definitions: those of the answer's own names, each after those that it uses
    """

    def __init__(self, evaluation: Evaluation, definitions: Mapping[str, Tree]) -> None:
        self.evaluation, self.definitions = evaluation, definitions
        self.changes = Changes(evaluation.again(), definitions, MOST_COMPUTED)
        self._sizes = {key: _size(each) for key, each in definitions.items()}
        self._left = MOST_COMPUTED

    def of(self, tree: Tree, value: Quotient) -> Callable[[], list[tuple[Polynomial, Polynomial]] | None] | None:
        """Returns a function that computes the changes of the numerator and the denominator of a tree's value.

        There is one pair for each decimal. Without decimals, the result is None. The function returns None if
        that would take more nodes than may be computed for one answer.
        """
        decimals = sorted(self.changes.decimals(tree.node))
        if not decimals:
            return None

        @cache
        def changes() -> list[tuple[Polynomial, Polynomial]] | None:
            try:
                return [(self.changes.of(tree.node, decimal), self.evaluation.ring.zero) for decimal in decimals]
            except NoPolynomialError:
                return [self._again(decimal, tree, value) for decimal in decimals] if self._may(tree) else None
            except (TooLongError, ExpressionError):
                return None

        return changes

    def _may(self, tree: Tree) -> bool:
        """Returns whether the time suffices to compute a tree and its definitions again for each decimal."""
        decimals = set(self.changes.decimals(tree.node))
        of_definitions = {key: self.changes.decimals(each.node) for key, each in self.definitions.items()}
        nodes = len(decimals) * _size(tree)
        nodes += sum(len(decimals.intersection(of_definitions[key])) * size for key, size in self._sizes.items())
        if nodes > self._left:
            return False
        self._left -= nodes
        return True

    def _again(self, decimal: Fraction, tree: Tree, before: Quotient) -> tuple[Polynomial, Polynomial]:
        evaluation = self.evaluation.again(decimal)
        for key, each in self.definitions.items():
            if decimal in self.changes.decimals(each.node):
                evaluation.define(key, each)
        value = evaluation.value(tree)
        return value.numerator - before.numerator, value.denominator - before.denominator


def _size(tree: Tree) -> int:
    return sum(1 for _ in walk(tree.node))
