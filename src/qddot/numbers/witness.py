"""Finds a state that proves a difference between two exact results."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from qddot.numbers.balls import precise
from qddot.numbers.enclosures import evaluated
from qddot.numbers.exact import Polynomial

BITS = 128


def witness(difference: Polynomial, seed: int = 1) -> tuple[dict[str, str], float] | None:
    """Returns a state where a polynomial is certainly not zero, and its value there; None if none is found.

    Coordinates and symbols take small rational values, angles their true sines and cosines; the value
    is the middle of a ball that excludes zero.
    """
    with precise(BITS):
        for attempt in range(seed, seed + 5):
            names: dict[str, fmpq] = {}
            value = evaluated(difference, _choice(names, attempt))
            if not value.contains(0):
                return {name: str(number) for name, number in sorted(names.items())}, float(value.mid())
    return None


def _choice(names: dict[str, fmpq], attempt: int) -> Callable[[str], fmpq]:
    """Returns a function that gives each name its own rational value and remembers it in `names`."""

    def value(name: str) -> fmpq:
        if name not in names:
            names[name] = fmpq(7 * len(names) + 3 + attempt, 5 + 2 * attempt + 3 * len(names))
        return names[name]

    return value
