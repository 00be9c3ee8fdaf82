"""Reads sums in a program as components of turned vectors R (a + r b), a form in which products cancel.

The angular acceleration of a link that turns about z with the rate r is, across z, R (ω̇ + r ω × z), where R is the
turn. A program may compute it as a difference: the turned second derivative of z, minus a product of velocities.
Both have common parts, which cancel once they are multiplied out; their intervals and error bounds do not cancel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qddot.algebra.program.program import Node

Monomial = tuple[int, ...]  # the nodes of a product, in their order
Polynomial = Mapping[Monomial, int]
MOST_TERMS, MOST_FACTORS = 24, 2
SIGNS = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}


class Component(NamedTuple):
    """A component of a vector before its turn, the function of the angle that multiplies it, cos or sin, and a sign."""

    node: int
    function: str
    sign: int


class Reading(NamedTuple):
    """One node as a component of a turned vector R (a + s r b): before the turn, a multiple of b was added to a.

    factor: the input r by which, with the integer `scale` s, the vector b is multiplied; scale 0: nothing was added
    """

    angle: int
    parts: tuple[Component, ...]
    added: tuple[Component, ...] = ()
    factor: int = 0
    scale: int = 0


class Expansions:
    """These are the nodes of a program as polynomials in its inputs and in turned nodes.

    turned: for each node that is c x, or c x ± s y, how it is read
    polynomials: of each node; that of a turned node, of a constant's multiple or of a long sum is the node itself
    """

    def __init__(self, nodes: Sequence[Node], turned: Mapping[int, Reading]) -> None:
        self._nodes, self.turned = nodes, turned
        self.polynomials: list[Polynomial] = []
        self._places: dict[frozenset[tuple[Monomial, int]], int] = {}  # the first node with a polynomial
        for place in range(len(nodes)):
            polynomial = self._of(place) or {(place,): 1}
            self.polynomials.append(polynomial)
            self._places.setdefault(frozenset(polynomial.items()), place)

    def is_expanded(self, place: int) -> bool:
        return (place,) not in self.polynomials[place]

    def readings(self, place: int) -> Iterator[Reading]:
        """Yields the ways to read a sum as a component of a vector R (a + s r b), with an input r and an integer s."""
        turn = self._before_turn(place) if self.is_expanded(place) else None
        if turn is None:
            return
        angle, before = turn
        inputs = {k for value in before.values() for term in value if len(term) > 1 for k in term}
        for factor in sorted(k for k in inputs if self._nodes[k].op == "input"):
            rest = {
                name: {term: x for term, x in value.items() if factor not in term} for name, value in before.items()
            }
            quotient = {
                name: {_without(term, factor): x for term, x in value.items() if factor in term}
                for name, value in before.items()
            }
            parts, added = self._parts(rest, 1, place), self._parts(quotient, 1, place)
            if added is None:
                added, scale = self._parts(quotient, 2, place), 2
            else:
                scale = 1
            if parts is not None and added:
                yield Reading(angle, parts, added, factor, scale)

    def _of(self, place: int) -> Polynomial | None:
        """Returns the polynomial of a node, or None if that polynomial is the node itself."""
        node = self._nodes[place]
        if place in self.turned or any(self._nodes[k].op == "constant" for k in node.args):
            return None
        before = [self.polynomials[k] for k in node.args]
        if node.op == "mul":
            return _product(before[0], before[1])
        if node.op in SIGNS:
            return _sum(list(zip(before, SIGNS[node.op], strict=True)))
        return None

    def _before_turn(self, place: int) -> tuple[int, Mapping[str, Polynomial]] | None:
        """Returns the angle of the last turn, and the polynomials that its cosine and its sine multiply.

        None: not every term has exactly one factor that was turned by this angle, or a sum grows too long
        """
        leaves = [k for term in self.polynomials[place] for k in term if k in self.turned]
        angle = self.turned[max(leaves)].angle if leaves else -1
        before: dict[str, list[tuple[Polynomial | None, int]]] = {"cos": [], "sin": []}
        for term, coefficient in self.polynomials[place].items():
            last = [k for k in term if self._is_turned(k, angle)]
            if len(last) != 1:
                return None
            for part in self.turned[last[0]].parts:
                value = _product(self.polynomials[part.node], {_without(term, last[0]): 1})
                before[part.function].append((value, coefficient * part.sign))
        sums = {function: _sum(values) for function, values in before.items()}
        complete = {function: value for function, value in sums.items() if value is not None}
        again = any(self._is_turned(k, angle) for value in complete.values() for term in value for k in term)
        return None if again or len(complete) < len(sums) else (angle, complete)

    def _is_turned(self, place: int, angle: int) -> bool:
        return place in self.turned and self.turned[place].angle == angle

    def _parts(self, vector: Mapping[str, Polynomial], scale: int, last: int) -> tuple[Component, ...] | None:
        """Returns the components, each ± scale times a node before `last`; None: one of them is no such node."""
        parts = []
        for function, polynomial in vector.items():
            candidates = (self._node(polynomial, sign * scale) for sign in (1, -1))
            nodes = [
                (node, sign) for node, sign in zip(candidates, (1, -1), strict=True) if node is not None and node < last
            ]
            if polynomial and not nodes:
                return None
            parts += [Component(nodes[0][0], function, nodes[0][1])] if polynomial else []
        return tuple(parts)

    def _node(self, polynomial: Polynomial, scale: int) -> int | None:
        """Returns the first node that is a polynomial divided by an integer, if there is one."""
        if any(value % scale for value in polynomial.values()):
            return None
        return self._places.get(frozenset((term, value // scale) for term, value in polynomial.items()))


def _without(term: Monomial, factor: int) -> Monomial:
    at = term.index(factor)
    return term[:at] + term[at + 1 :]


def _sum(values: Sequence[tuple[Polynomial | None, int]]) -> Polynomial | None:
    """Returns the sum of polynomials with signs; None if one of them is None, or it has too many terms."""
    total: Counter[Monomial] = Counter()
    for polynomial, sign in values:
        if polynomial is None:
            return None
        for term, value in polynomial.items():
            total[term] += sign * value
    rest = {term: value for term, value in total.items() if value}
    return rest if len(rest) <= MOST_TERMS else None


def _product(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """Returns the product of polynomials; None if it has too many terms or factors."""
    total: Counter[Monomial] = Counter()
    for one, x in a.items():
        for other, y in b.items():
            total[tuple(sorted(one + other))] += x * y
    if any(len(term) > MOST_FACTORS for term in total):
        return None
    return _sum([(total, 1)])
