"""Checks the single numbers that a user gives: one function for real numbers, one for whole ones."""

from __future__ import annotations

import math
import sys
from numbers import Integral, Real
from typing import Any

from qddot.base.errors import QddotError, shortened
from qddot.base.words.message import Message, Words, say

LARGEST = sys.float_info.max


def real(
    value: Any,
    what: Words,
    low: float = -LARGEST,
    high: float = LARGEST,
    *,
    above: bool = False,
    below: bool = False,
    of: Words = "",
    error: type[QddotError] = QddotError,
) -> float:
    """Returns a real number from low to high as a float; truth values and texts are refused.

    above: whether `low` itself is refused; below: whether `high` itself is refused; of: its unit, such as "seconds"
    raises error: anything else; `what` is the number's name in the message
    """
    number = _float(value)
    if low <= number <= high and not (above and number == low) and not (below and number == high):
        return number
    number_expected = say("number-of-unit", unit=of) if of else say("a-number")
    expected = say("number-within", number=number_expected, bounds=_bounds(low, high, above, below))
    raise error("number-not-allowed", what=what, value=shortened(value), expected=expected)


def _float(value: Any) -> float:
    """Returns a real number as a float, infinite if it is too large for one; NaN for anything else."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def whole(value: Any, what: Words, low: int, high: int | None = None, *, error: type[QddotError] = QddotError) -> int:
    """Returns a whole number from low to high; truth values are refused.

    raises error: anything else; `what` is the number's name in the message
    """
    if is_whole(value) and low <= value and (high is None or value <= high):
        return int(value)
    if high is None:
        raise error("not-whole-number-from", what=what, value=shortened(value), low=low)
    raise error("not-whole-number-within", what=what, value=shortened(value), low=low, high=high)


def index(value: Any, what: Words, count: int, *, error: type[QddotError] = QddotError) -> int:
    """Returns the index of one of `count` things; a negative index counts from the end.

    raises error: anything else; `what` is the name of the things in the message
    """
    if is_whole(value) and -count <= value < count:
        return int(value)
    raise error("no-such-index", what=what, value=shortened(value), low=-count, high=count - 1)


def is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _bounds(low: float, high: float, above: bool, below: bool) -> Message:
    """Returns " above 0 and at most 0.5", or " that is finite" if there are no bounds."""
    least = say("bound-above" if above else "bound-at-least", low=f"{low:g}")
    most = say("bound-below" if below else "bound-at-most", high=f"{high:g}")
    if low == -LARGEST:
        return say("bound-finite") if high == LARGEST else most if below else say("bound-of", most=most)
    return least if high == LARGEST else say("bounds-both", least=least, most=most)
