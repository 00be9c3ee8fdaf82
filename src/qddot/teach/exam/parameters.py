"""Writes the torques of an arm as linear in its inertial parameters, τ = Y β."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import QddotError
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.rewriting.states import moves
from qddot.exact.printing.reading_order import RATES

Exponents = tuple[int, ...]


def regression(short: Textbook) -> tuple[ExactArray, ExactArray]:
    """Returns Y, a row for each joint, and the column β of the constants that multiply it.

    raises QddotError: torques with numbers in place of symbols
    """
    lumped = short if short.constants else Textbook(short.eq)
    torques = lumped.array("tau").entries
    rows = [dict(_by_constants(entry)) for entry in torques]
    constants = list(dict.fromkeys(each for row in rows for each in row))
    if not all(map(any, constants)):
        remedy = "use symbols for the masses, lengths and inertias of the arm, or leave this question out"
        raise QddotError(
            f"the question 'linear' needs symbols, but some constants of {short.eq.model.name} are numbers",
            remedy=remedy,
        )
    ring = torques[0].ring
    zero = Unreduced.of(ring, [])
    Y = [[lumped.sums.back(row.get(each, zero)) for each in constants] for row in rows]
    meanings = {name: lumped.sums.back(value) for name, value in lumped.constants.items()}
    beta = [lumped.sums.back(Unreduced.of(ring, [(each, Fraction(1))]), meanings) for each in constants]
    return ExactArray.of(short.eq.ring, Y), ExactArray.of(short.eq.ring, beta)


def _by_constants(entry: Terms) -> Iterator[tuple[Exponents, Unreduced]]:
    """Yields each product of constants in an entry, as exponents, and the sum of its coefficients."""
    moving = [moves(generator) or generator.kind in RATES for generator in entry.ring.generators]
    parts: dict[Exponents, list[tuple[Exponents, Fraction]]] = {}
    for exponents, number in entry.terms():
        still = tuple(0 if k_moves else e for e, k_moves in zip(exponents, moving, strict=True))
        rest = tuple(e if k_moves else 0 for e, k_moves in zip(exponents, moving, strict=True))
        parts.setdefault(still, []).append((rest, number))
    yield from ((still, Unreduced.of(entry.ring, terms)) for still, terms in parts.items())
