"""Counts the linearly independent equations of motion in an answer."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.judging.cases import Case
from qddot.teach.check.judging.modulo import States


def independent_equations(eq: Quantities, ring: Ring, cases: Sequence[Case]) -> int:
    """Returns the rank of the equations' derivatives with respect to the accelerations.

    It is computed in a random state modulo a prime.
    """
    states, rows = States(ring), list[list[int]]()
    accelerations = [f"qdd({name})" for name in eq.model.coordinates]
    for case in cases:
        balance = case.entry.balance if case.entry.balance is not None else case.yours
        if case.quantity == "tau" and balance is not None and all(key in ring.index for key in accelerations):
            whole: Polynomial = ring.convert(balance)
            rows.append([_value(states, ring.convert(whole.derivative(key))) for key in accelerations])
    return _rank(rows, states.numbers.prime)


def _value(states: States, polynomial: Polynomial) -> int:
    total, prime = 0, states.numbers.prime
    for product, powers in states.residues_of(polynomial):
        for key, e in powers:
            product = product * pow(states.values[key], e, prime) % prime
        total += product
    return total % prime


def _rank(rows: list[list[int]], prime: int) -> int:
    """Returns the rank of a matrix modulo a prime, by elimination."""
    rank, left = 0, [row for row in rows if any(row)]
    while left:
        pivot = left.pop()
        k = next(k for k, entry in enumerate(pivot) if entry)
        inverse = pow(pivot[k], -1, prime)
        reduced = ([(a - b * row[k] * inverse) % prime for a, b in zip(row, pivot, strict=True)] for row in left)
        left, rank = [row for row in reduced if any(row)], rank + 1
    return rank
