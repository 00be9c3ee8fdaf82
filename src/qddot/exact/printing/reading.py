"""Rewrites a polynomial in the angles in which it is shortest: those of joints, or absolute ones of parallel joints."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import TypeAlias

from qddot.algebra.expressions.turning import Combination, sum_name
from qddot.algebra.numbers.polynomials.exact import Ring, Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced

MOST_TERMS = 5_000  # longer entries stay as they are
LONGEST_SUM = 4  # sines and cosines of sums of more joint angles are not expanded

Coefficients: TypeAlias = dict[tuple[int, ...], Fraction]  # by the exponents of the ring's generators


def readable(value: Terms) -> Terms:
    """Returns the shorter of two equal forms: in the joints' angles, or in the ring's, where c2*c23 + s2*s23 is c3."""
    ring = value.ring
    if len(value) > MOST_TERMS or all(len(of) == 1 for of in ring.turning.values()):
        return value
    longest = max((len(generator.of) for generator in value.generators()), default=0)
    in_joints = ring.of_joints.convert(value) if longest <= LONGEST_SUM else None
    wider, contracted = _contracted(value)
    if in_joints is not None and len(in_joints) <= len(contracted):
        return in_joints
    return Unreduced.of(wider, contracted.items())


def _contracted(value: Terms) -> tuple[Ring, Coefficients]:
    """Replaces pairs of products of two absolute angles' sines and cosines by the sine or cosine of the difference.

    Returns a ring with the differences, and the terms in it.
    """
    ring = value.ring
    used = {generator.name for generator in value.generators() if generator.of}
    pairs = [pair for pair in _nested_pairs(ring) if used.issuperset(pair)]
    differences = {pair: _difference(ring, *pair) for pair in pairs}
    new = {name: of for name, of, _ in differences.values() if name not in ring.turning}
    wider = ring.with_turning({**ring.turning, **new})
    # a generator that the value's ring does not have gets the zero behind its exponents
    places = [ring.index.get(key, len(ring.index)) for key in wider.index]
    in_wider = itemgetter(*places)
    terms: Coefficients = {in_wider((*exponents, 0)): c for exponents, c in value.terms()}
    for (first, second), (name, _, sense) in differences.items():
        c1, s1, c2, s2, c, s = (wider.index[f"{kind}({q})"] for q in (first, second, name) for kind in ("cos", "sin"))
        terms = _paired(terms, (c1, c2), (s1, s2), c, 1, 1)
        terms = _paired(terms, (c1, s2), (s1, c2), s, -1, sense)
    return wider, terms


def _paired(
    terms: Coefficients, one: tuple[int, int], other: tuple[int, int], new: int, sign: int, factor: int
) -> Coefficients:
    """Replaces A·one + sign·A·other by factor·A·new; one and other are products of two variables, new is a variable."""
    results = dict(terms)
    for state, c in terms.items():
        if state in results and state[one[0]] and state[one[1]]:
            partner = moved(state, one, other)
            if results.get(partner) == c * sign:
                del results[state], results[partner]
                place = moved(state, one, (new,))
                results[place] = results.get(place, Fraction(0)) + c * factor
    return {state: c for state, c in results.items() if c}


def moved(state: tuple[int, ...], away: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the exponents with one power fewer of some variables, and one more of others."""
    exponents = list(state)
    for k in away:
        exponents[k] -= 1
    for k in to:
        exponents[k] += 1
    return tuple(exponents)


def _nested_pairs(ring: Ring) -> Iterator[tuple[str, str]]:
    """Yields the pairs of angles in which the second sum begins with the first."""
    for first, second in combinations(sorted(ring.turning, key=lambda name: len(ring.turning[name])), 2):
        of, longer = ring.turning[first], ring.turning[second]
        if longer[: len(of)] == of and len(longer) > len(of):
            yield first, second


def _difference(ring: Ring, first: str, second: str) -> tuple[str, Combination, int]:
    """Returns (name, combination, sense): the second angle minus the first is sense (1 or −1) times the combination."""
    rest = ring.turning[second][len(ring.turning[first]) :]
    sense = 1 if rest[0][1] > 0 else -1
    positive = tuple((name, n * sense) for name, n in rest)
    alone = positive[0][0] if len(positive) == 1 and positive[0][1] == 1 else sum_name(positive, ring.coordinates)
    return alone, positive, sense
