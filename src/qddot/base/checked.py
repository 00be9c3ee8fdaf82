"""Checks the single numbers that a user gives: one function for real numbers, one for whole ones."""

from __future__ import annotations

import math
import sys
from numbers import Integral, Real
from typing import Any

from qddot.base.errors import QddotError, shortened

LARGEST = sys.float_info.max


def real(
    value: Any,
    what: str,
    low: float = -LARGEST,
    high: float = LARGEST,
    *,
    above: bool = False,
    below: bool = False,
    of: str = "",
    error: type[QddotError] = QddotError,
) -> float:
    """Returns a real number from low to high as a float; truth values and texts are refused.

    above: whether `low` itself is refused; below: whether `high` itself is refused; of: its unit, such as "seconds"
    raises error: anything else; `what` is the number's name in the message
    """
    number = _float(value)
    if low <= number <= high and not (above and number == low) and not (below and number == high):
        return number
    expected = f"a number of {of}" if of else "a number"
    raise error(
        "what-value-expected",
        what=what,
        value=shortened(value),
        expected=expected,
        low=_bounds(low, high, above, below),
    )


def _float(value: Any) -> float:
    """Returns a real number as a float, infinite if it is too large for one; NaN for anything else."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def whole(value: Any, what: str, low: int, high: int | None = None, *, error: type[QddotError] = QddotError) -> int:
    """Returns a whole number from low to high; truth values are refused.

    raises error: anything else; `what` is the number's name in the message
    """
    if is_whole(value) and low <= value and (high is None or value <= high):
        return int(value)
    ends = f"of at least {low}" if high is None else f"from {low} to {high}"
    raise error("whole-number", what=what, value=shortened(value), ends=ends)


def index(value: Any, what: str, count: int, *, error: type[QddotError] = QddotError) -> int:
    """Returns the index of one of `count` things; a negative index counts from the end.

    raises error: anything else; `what` is the name of the things in the message
    """
    if is_whole(value) and -count <= value < count:
        return int(value)
    raise error("what-value-index", what=what, value=shortened(value), value2=-count, number=count - 1)


def is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _bounds(low: float, high: float, above: bool, below: bool) -> str:
    """Returns " above 0 and at most 0.5", or " that is finite" if there are no bounds."""
    least = "" if low == -LARGEST else f" above {low:g}" if above else f" of at least {low:g}"
    of = "" if least else " of"
    most = "" if high == LARGEST else f" below {high:g}" if below else f"{of} at most {high:g}"
    return f"{least} and{most}" if least and most else least + most or " that is finite"
