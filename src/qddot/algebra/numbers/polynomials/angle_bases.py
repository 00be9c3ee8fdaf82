"""Chooses a basis for the constant angles of a model, so that related angles share one pair (cos, sin)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product

from qddot.algebra.expressions.angles import QUARTER, TWELFTH, Angle

LARGEST_MULTIPLE = 12  # of one base; combinations of two go up to 2


class AngleBases:
    """These bases split angles into multiples of 15° and integer combinations of a few base angles.

    The parts in π, in plain radians and in each symbol are independent of each other and are split
    separately. Within one part the angles are taken in rising order; each angle that is not a small integer combination
    of one or two bases becomes a base itself.
    """

    def __init__(self, angles: Iterable[Angle]) -> None:
        self.bases: list[Angle] = []
        self._combinations: dict[Angle, list[tuple[Angle, int]]] = {}
        parts = {_positive(part)[0] for angle in angles for part in _split(angle)[1]}
        for part in sorted(parts, key=_size):
            combination = self._combination(part)
            if combination is None:
                self.bases.append(part)
                combination = [(part, 1)]
            self._combinations[part] = combination

    def split(self, angle: Angle) -> tuple[int, list[tuple[Angle, int]]]:
        """Returns (k, [(base, n) …]) with angle = k · 15° + Σ n · base."""
        steps, parts = _split(angle)
        total: list[tuple[Angle, int]] = []
        for part in parts:
            size, sign = _positive(part)
            total += [(base, sign * n) for base, n in self._combinations[size]]
        return steps, total

    def _combination(self, part: Angle) -> list[tuple[Angle, int]] | None:
        related = [base for base in self.bases if _kind(base) == _kind(part)]
        for base in related:
            ratio = _coefficient(part) / _coefficient(base)
            if ratio.denominator == 1 and ratio <= LARGEST_MULTIPLE:
                return [(base, int(ratio))]
        for first, second in combinations(related, 2):
            for n, k in product((-2, -1, 1, 2), repeat=2):
                if first * n + second * k == part:
                    return [(first, n), (second, k)]
        return None


def _split(angle: Angle) -> tuple[int, list[Angle]]:
    """Returns the steps of 15° in an angle, and the rest of it in π, radians and each symbol."""
    steps = angle.pi / TWELFTH
    parts = [Angle(symbols=(part,)) for part in angle.symbols]
    if angle.radians:
        parts.append(Angle(radians=angle.radians))
    if steps.denominator == 1:
        return int(steps), parts
    quarters = round(angle.pi / QUARTER)
    return 6 * quarters, [*parts, Angle(pi=angle.pi - quarters * QUARTER)]


def _coefficient(part: Angle) -> Fraction:
    return part.pi or part.radians or part.symbols[0][1]


def _positive(part: Angle) -> tuple[Angle, int]:
    return (part, 1) if _coefficient(part) > 0 else (-part, -1)


def _kind(part: Angle) -> str:
    return part.symbols[0][0] if part.symbols else ("1pi" if part.pi else "1rad")


def _size(part: Angle) -> tuple[str, Fraction]:
    return _kind(part), _coefficient(part)
