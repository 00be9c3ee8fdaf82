"""A finding of a comparison has a cause by name, where it acts, and a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np

from qddot.inspect.comparison.places import Array

UNITS: dict[str, dict[float, str]] = {  # known factors on B's numbers, and the units that were exchanged
    "mass": {1e3: "g for kg", 1e-3: "kg for g", 1 / 0.45359237: "lb for kg", 0.45359237: "kg for lb"},
    "length": {1e3: "mm for m", 1e-3: "m for mm", 100: "cm for m", 0.01: "m for cm", 1 / 0.0254: "in for m"},
    "tensor": {
        1e3: "g·m² for kg·m²",
        1e4: "kg·cm² for kg·m²",
        1e6: "kg·mm² for kg·m²",
        1e7: "g·cm² for kg·m²",
        1e9: "g·mm² for kg·m²",
        1e-3: "kg·m² for g·m²",
        1e-6: "kg·m² for kg·mm²",
        1e-9: "kg·m² for g·mm²",
        10: "",
        0.1: "",
    },
}
SAME_FACTOR = 1e-3


@dataclass(frozen=True)
class Finding:
    """A finding has a short and stable cause, a sentence without the places, and the links or joints, if any."""

    cause: str
    text: str
    where: tuple[str, ...] = ()
    everywhere: bool = False

    def __str__(self) -> str:
        if not self.where:
            return self.text
        names = "wherever it matters" if self.everywhere else names_text(self.where)
        return f"{names}: {self.text}"


def factor_name(factor: float, kind: str) -> str:
    """Returns a factor with its units: "× 1000 (g for kg)"."""
    unit = known_unit(factor, kind)
    text = f"× {short(unit[0] if unit else factor)}"
    return f"{text} ({unit[1]})" if unit and unit[1] else text


def known_unit(factor: float, kind: str) -> tuple[float, str] | None:
    """Returns the exact factor and its words, or None where it is no change of units."""
    units = [(size, words) for size, words in UNITS[kind].items() if abs(factor / size - 1) < SAME_FACTOR]
    return units[0] if units else None


def short(number: float, digits: int = 6) -> str:
    return f"{round(number, 12) + 0.0:.{digits}g}"


def vector_text(values: Iterable[float], digits: int = 4) -> str:
    """Returns "(0.1, 0, 0)"; an entry below a hundred-thousandth of the largest is written as 0."""
    numbers = list(values)
    least = 1e-5 * max(map(abs, numbers), default=0.0)
    return "(" + ", ".join(short(0.0 if abs(number) < least else number, digits) for number in numbers) + ")"


def names_text(names: Sequence[str], most: int = 6) -> str:
    """Returns the names, or the first of them and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def rounded_digits(x: Sequence[float] | Array, y: Sequence[float] | Array) -> int | None:
    """Returns to how many digits of the largest two lists agree, if one is the other rounded; else None.

    Either each number is the other's rounded to the decimals of the shorter one, or they agree to four digits.
    """
    one, other = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    largest, gap = float(np.abs([one, other]).max()), float(np.abs(one - other).max())
    if not gap or not largest:
        return None
    digits = floor(-log10(2 * gap / largest) + 1e-6)
    rounded = digits >= 2 and all(
        _is_rounding(p, q, largest) for p, q in zip(one.tolist(), other.tolist(), strict=True)
    )
    return digits if rounded or digits >= 4 else None


def _is_rounding(p: float, q: float, largest: float) -> bool:
    if abs(p - q) <= 1e-9 * largest:
        return True
    decimals = min(_decimals(p), _decimals(q))
    coarse = 10.0**-decimals
    return abs(p - q) <= 0.5 * coarse * (1 + 1e-6) and coarse <= 10 ** ceil(log10(largest)) / 50


def _decimals(number: float) -> int:
    """Returns the number of decimals of a number as people write it, without rounding errors."""
    text = f"{round(number, 12):.12f}".rstrip("0")
    return len(text.split(".")[1])
