"""Reduces products of cosines and sines of half angles: cos² (q/2) is (1 + cos q)/2, sin(q/2) cos(q/2) is (sin q)/2."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from qddot.algebra.expressions.turning import TurningAngles
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring

HALF = Fraction(1, 2)


def names_of_half(coordinate: str) -> tuple[str, str]:
    """Returns the symbols that stand for cosine and sine of half a coordinate until they are reduced."""
    return f"cos({coordinate}/2)", f"sin({coordinate}/2)"


def half_turns(coordinates: Iterable[tuple[str, Fraction]], turning: TurningAngles) -> dict[str, int]:
    """Returns a sum of coordinates as a number of halves of each of the ring's angles."""
    halves: dict[str, int] = {}
    for name, times in coordinates:
        is_whole = times.denominator == 1
        for own, n in turning.multiple(name, times if is_whole else times * 2):
            halves[own] = halves.get(own, 0) + (2 * n if is_whole else n)
    return halves


def without_halves(value: Polynomial, ring: Ring) -> Polynomial:
    """Returns a value with whole angles alone, where halves occur in pairs; other halves stay."""
    halves = {name: own for own in ring.turning for name in names_of_half(own) if name in ring.index}
    if not halves or not any(generator.name in halves for generator in value.generators()):
        return value
    total = ring.zero
    for powers, coefficient in value.powers():
        term, counts = ring.convert(coefficient), dict[str, int]()
        for k, power in powers.items():
            generator = value.ring.generators[k]
            if generator.name in halves:
                counts[generator.name] = power
            else:
                term = term * ring.generator(generator.key) ** power
        for own in {halves[name] for name in counts}:
            cosine, sine = (counts.get(name, 0) for name in names_of_half(own))
            term = term * _whole(own, cosine, sine, ring)
        total = total + term
    reduced: Polynomial = ring.convert(total)
    return reduced


def has_halves(value: Polynomial, ring: Ring) -> bool:
    """Returns whether a value has cosines or sines of half angles."""
    names = {name for own in ring.turning for name in names_of_half(own)}
    return any(generator.name in names for generator in value.generators())


def _whole(own: str, cosines: int, sines: int, ring: Ring) -> Polynomial:
    """Returns cos^a (q/2) sin^b (q/2), by whole angles where a + b is even."""
    c, s = ring.cos_sin(own)
    half_c, half_s = map(ring.symbol, names_of_half(own))
    product = ((1 + c) * HALF) ** (cosines // 2) * ((1 - c) * HALF) ** (sines // 2)
    if cosines % 2 and sines % 2:
        return ring.convert(product * s * HALF)
    return ring.convert(product * half_c ** (cosines % 2) * half_s ** (sines % 2))
