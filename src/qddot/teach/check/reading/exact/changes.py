"""Computes by how much a value changes where one of its decimals is increased by half a unit of its last place."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.teach.check.reading.exact.evaluation import Evaluation
from qddot.teach.check.reading.exact.half_angles import names_of_half
from qddot.teach.check.reading.exact.quotients import Quotient, added
from qddot.teach.check.reading.syntax import (
    Derivative,
    Name,
    Node,
    Number,
    Power,
    Product,
    Reference,
    Sum,
    Table,
    Transposed,
    Tree,
    children,
)


class NoPolynomialError(Exception):
    """This is raised for a tree whose value or change is no polynomial, or needs half angles."""


class TooLongError(Exception):
    """This is raised where the changes of an answer would take too long."""


class Inside(NamedTuple):
    """These are the decimals in a node, with the places of the children that contain them."""

    node: Node  # which is kept, so that no other one has its id
    places: Mapping[Fraction, Sequence[int]]


class Changes:
    """These are the changes of the trees of one answer, whose other parts are computed once for all decimals.

    evaluation: computes trees, with the values of the definitions, in bounds of its own
    definitions: those of the answer's own names, each after those that it uses
    most: the largest number of nodes that are visited
    """

    def __init__(self, evaluation: Evaluation, definitions: Mapping[str, Tree], most: int) -> None:
        self.ring, self._evaluation, self._definitions, self._left = evaluation.ring, evaluation, definitions, most
        names = (name for own in self.ring.turning for name in names_of_half(own))
        self._has_halves = any(name in self.ring.index for name in names)
        self._inside: dict[int, Inside] = {}  # by the nodes' ids
        self._values: dict[int, Polynomial] = {}
        self._of_definitions: dict[Fraction, dict[str, Polynomial]] = {}
        for each in definitions.values():  # in their order, so that long chains of them are not followed inwards
            self.decimals(each.node)

    def decimals(self, node: Node) -> Collection[Fraction]:
        """Returns the decimals with two digits or more, which may be rounded, in a tree and its definitions."""
        return self._places(node).keys()

    def _places(self, node: Node) -> Mapping[Fraction, Sequence[int]]:
        """Returns the decimals in a tree, with the places of the children that contain them."""
        if id(node) not in self._inside:
            places: dict[Fraction, list[int]] = {}
            if isinstance(node, Number) and node.half_unit:
                places[node.value] = []
            key = _key(node)
            definition = [self._definitions[key].node] if key in self._definitions else []
            for k, child in enumerate((*children(node), *definition)):
                for decimal in self.decimals(child):
                    places.setdefault(decimal, []).append(k)
            self._inside[id(node)] = Inside(node, places)
        return self._inside[id(node)].places

    def of(self, node: Node, decimal: Fraction) -> Polynomial:
        """Returns the change of a tree's value; raises NoPolynomialError or TooLongError."""
        if self._has_halves:
            raise NoPolynomialError
        return self._of(node, decimal)

    def _of(self, node: Node, decimal: Fraction) -> Polynomial:
        self._left -= 1
        if self._left < 0:
            raise TooLongError
        match node:
            case Number():
                return self.ring.convert(node.half_unit)
            case Sum():
                changed = [node.terms[k] for k in self._places(node)[decimal]]
                changes = [(sign, self._of(term, decimal)) for sign, term in changed]
                return added([change if sign > 0 else -change for sign, change in changes])
            case Product():
                return self._of_factors(node.factors, decimal, node)
            case Power() if node.exponent > 0:
                return self._of_factors([(1, node.base)] * node.exponent, decimal, node)
            case Transposed() | Table() if len(children(node)) == 1:
                return self._of(children(node)[0], decimal)
            case Derivative() if not self._has(node.by, decimal):
                change = self._evaluation.quotients.whole(self._of(node.of, decimal))
                return self._polynomial(self._evaluation.derivative(change, node.by))
            case Name() | Reference() if _key(node) in self._definitions:
                return self._of_definition(_key(node), decimal)
        raise NoPolynomialError

    def _of_definition(self, key: str, decimal: Fraction) -> Polynomial:
        """Returns the change of a definition; those of all are computed in their order."""
        if decimal not in self._of_definitions:
            self._of_definitions[decimal] = changes = dict[str, Polynomial]()
            for name, each in self._definitions.items():
                if self._has(each.node, decimal):
                    with suppress(NoPolynomialError):
                        changes[name] = self._of(each.node, decimal)
        if key not in self._of_definitions[decimal]:
            raise NoPolynomialError
        return self._of_definitions[decimal][key]

    def _of_factors(self, factors: Sequence[tuple[int, Node]], decimal: Fraction, node: Node) -> Polynomial:
        """Returns ab δc for one factor that changes, and (a + δa)(b + δb) c − abc for several."""
        times = self._evaluation.quotients.times
        whole, changed = self._evaluation.one, list[tuple[Polynomial, Polynomial]]()
        for exponent, factor in factors:
            value = self._value(factor)
            if not self._has(factor, decimal):
                whole = times(whole, value if exponent > 0 else self._inverse(value), node)
            elif exponent > 0:
                changed.append((value, self._of(factor, decimal)))
            else:
                before, after = self._inverse(value), self._inverse(value + self._of(factor, decimal))
                changed.append((before, after - before))
        total, product = self.ring.zero, self._evaluation.one  # the change and the value of the first factors
        for value, change in changed:
            total = times(total, value + change, node) + times(product, change, node)
            product = times(product, value, node)
        return times(whole, total, node)

    def _has(self, node: Node, decimal: Fraction) -> bool:
        return decimal in self._places(node)

    def _value(self, node: Node) -> Polynomial:
        """Returns the value of a tree with the decimals as they are written."""
        if id(node) not in self._values:
            self._values[id(node)] = self._polynomial(self._evaluation.of_node(node))
        return self._values[id(node)]

    def _inverse(self, value: Polynomial) -> Polynomial:
        return self._polynomial(Quotient(self._evaluation.one, value)) if value else self._no_polynomial()

    def _polynomial(self, value: Quotient) -> Polynomial:
        reduced = self._evaluation.quotients.reduced(value)
        return reduced.numerator if reduced.denominator == 1 else self._no_polynomial()

    def _no_polynomial(self) -> Polynomial:
        raise NoPolynomialError


def _key(node: Node) -> str:
    """Returns the key of the definition that a node stands for, or ""."""
    if isinstance(node, Reference):
        return node.key
    return node.meaning.name if isinstance(node, Name) and node.meaning.kind == "own" else ""
