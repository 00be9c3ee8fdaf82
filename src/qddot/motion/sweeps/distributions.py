"""A Distribution gives the values of a drawn number: it maps numbers between 0 and 1 to these values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from qddot.algebra.expressions.expression import Scalar
from qddot.algebra.expressions.parser import expression
from qddot.base.checked import is_whole, real
from qddot.base.errors import QddotError, SweepError, check_one_of, located, shortened
from qddot.base.records import record
from qddot.base.words.message import Listed, say
from qddot.motion.simulate.acting.open_numbers import Distribution

MOST_VALUES = 1_000_000  # the most values of a choice or a grid


@record()
class Uniform:
    """All values from low to high are equally likely."""

    low: float
    high: float

    def values(self, u: Any) -> Any:
        return self.low + (self.high - self.low) * u

    @property
    def facts(self) -> dict[str, list[float]]:
        return {"uniform": [self.low, self.high]}


@record()
class LogUniform:
    """The logarithms of the values are uniform."""

    low: float
    high: float

    def values(self, u: Any) -> Any:
        return np.exp(math.log(self.low) + math.log(self.high / self.low) * u)

    @property
    def facts(self) -> dict[str, list[float]]:
        return {"log_uniform": [self.low, self.high]}


@record()
class Normal:
    """The values are normal, cut off below low and above high."""

    mean: float
    deviation: float
    low: float = -math.inf
    high: float = math.inf

    def values(self, u: Any) -> Any:
        from scipy.special import ndtri

        below, above, upper = self._ends
        part = below + (above - below) * (1 - u if upper else u)
        sizes = -ndtri(part) if upper else ndtri(part)
        # rounding must not move a value beyond an end
        return np.clip(self.mean + self.deviation * sizes, self.low, self.high)

    @property
    def _ends(self) -> tuple[float, float, bool]:
        """Returns the fractions of values below the ends, or above them where that is more accurate."""
        from scipy.special import ndtr

        low, high = ((end - self.mean) / self.deviation for end in (self.low, self.high))
        upper = low > 0
        return (float(ndtr(-high)), float(ndtr(-low)), True) if upper else (float(ndtr(low)), float(ndtr(high)), False)

    @property
    def is_possible(self) -> bool:
        """Returns whether there are values between the ends."""
        below, above, _ = self._ends
        return above > below

    @property
    def facts(self) -> dict[str, list[float]]:
        ends = [] if (self.low, self.high) == (-math.inf, math.inf) else [self.low, self.high]
        return {"normal": [self.mean, self.deviation, *ends]}


@record()
class Choice:
    """The values of a list are equally likely; a grid takes each in turn."""

    of: tuple[float, ...]
    in_grid: bool = False

    def values(self, u: Any) -> Any:
        places = np.minimum((np.asarray(u) * len(self.of)).astype(np.int64), len(self.of) - 1)
        return np.array(self.of)[places]

    @property
    def facts(self) -> dict[str, list[float]]:
        return {"grid" if self.in_grid else "choice": list(self.of)}


def uniform(low: Scalar, high: Scalar) -> Uniform:
    """Returns the uniform distribution from low to high: numbers, or texts such as "90deg".

    raises SweepError: ends that are not finite or not in order
    """
    return Uniform(*_ends(low, high, "uniform"))


def log_uniform(low: Scalar, high: Scalar) -> LogUniform:
    """Returns the distribution of values from low to high, both above 0, whose logarithms are uniform.

    raises SweepError: ends that are not finite, not in order or not above 0
    """
    low, high = _ends(low, high, "log_uniform")
    if low <= 0:
        raise SweepError("log-uniform-below-zero", low=f"{low:g}", high=f"{high:g}")
    return LogUniform(low, high)


def normal(mean: Scalar, deviation: Scalar, low: Scalar | None = None, high: Scalar | None = None) -> Normal:
    """Returns the normal distribution with a mean and a standard deviation, which low and high cut off.

    raises SweepError: numbers that are not finite, a deviation that is not above 0, ends that are not in order
    """
    middle, spread = number(mean, "normal"), number(deviation, "normal")
    if spread <= 0:
        raise SweepError("normal-without-spread", middle=f"{middle:g}", spread=f"{spread:g}")
    least = -math.inf if low is None else number(low, "normal")
    most = math.inf if high is None else number(high, "normal")
    if not least < most:
        raise SweepError("normal-ends-not-in-order", least=f"{least:g}", most=f"{most:g}")
    distribution = Normal(middle, spread, least, most)
    if not distribution.is_possible:
        raise SweepError(
            "normal-without-values",
            middle=f"{middle:g}",
            spread=f"{spread:g}",
            least=f"{least:g}",
            most=f"{most:g}",
        )
    return distribution


def choice(values: Sequence[Scalar]) -> Choice:
    """Returns the distribution in which each of some values is equally likely. raises SweepError: no values"""
    return Choice(_listed(values, "choice"))


def grid(low: Scalar | Sequence[Scalar], high: Scalar | None = None, count: int | None = None) -> Choice:
    """Returns values that a sweep takes in turn: `grid(0, 1, 11)` at equal distances, or `grid([1, 2, 5])`.

    If one drawn number is a grid, all have to be: every combination is run, and the last grid changes fastest.
    raises SweepError: no values, or a count below 2
    """
    if high is None and count is None and not isinstance(low, str) and np.iterable(low):
        return Choice(_listed(low, "grid"), in_grid=True)
    if high is None or not is_whole(count) or not 2 <= (count or 0) <= MOST_VALUES:
        numbers = Listed(shortened(value) for value in (low, high, count) if value is not None)
        raise SweepError("grid-of-other-numbers", numbers=numbers)
    ends = _ends(low, high, "grid")
    return Choice(tuple(map(float, np.linspace(*ends, int(count or 0)))), in_grid=True)


Made: TypeAlias = Callable[..., Distribution]
DISTRIBUTIONS: Mapping[str, Made] = {
    "uniform": uniform,
    "log_uniform": log_uniform,
    "normal": normal,
    "choice": lambda *values: choice(values),
    "grid": lambda *values: grid(*values),
}


def from_mapping(mapping: Mapping[str, Any], what: str) -> Distribution:
    """Returns the distribution that a file writes as {uniform = [5, 15]}. raises SweepError: an unknown distribution"""
    if len(mapping) != 1:
        raise SweepError("no-single-distribution", what=what, mapping=shortened(dict(mapping)))
    ((name, numbers),) = mapping.items()
    check_one_of(name, DISTRIBUTIONS, say("no-distribution-of", what=what), SweepError)
    try:
        with located(what):
            return DISTRIBUTIONS[name](*numbers)
    except TypeError:
        raise SweepError("distribution-of-other-numbers", what=what, name=name, numbers=shortened(numbers)) from None


def read_value(value: Any, what: str) -> Any:
    """Returns a value of a plan's file, in which tables are distributions."""
    if isinstance(value, Mapping):
        return from_mapping(value, what)
    return [read_value(each, what) for each in value] if isinstance(value, list) else value


def number(value: Any, what: str) -> float:
    """Returns a finite number, or that of a text such as "90deg". raises SweepError: anything else"""
    try:
        read = expression(value).value({}) if isinstance(value, str) else value
        return real(read, what)
    except (QddotError, KeyError, OverflowError, RecursionError):
        pass
    raise SweepError("no-finite-number", what=what, value=shortened(value))


def _ends(low: Any, high: Any, what: str) -> tuple[float, float]:
    ends = number(low, what), number(high, what)
    if not ends[0] < ends[1] or not math.isfinite(ends[1] - ends[0]):
        raise SweepError("ends-not-in-order", what=what, low=f"{ends[0]:g}", high=f"{ends[1]:g}")
    return ends


def _listed(values: Any, what: str) -> tuple[float, ...]:
    if isinstance(values, str | Mapping) or not np.iterable(values):
        raise SweepError("no-list-of-numbers", what=what, values=shortened(values))
    listed = tuple(number(value, what) for value in values)
    if not 0 < len(listed) <= MOST_VALUES:
        raise SweepError("list-too-long", what=what, count=len(listed), largest=MOST_VALUES)
    return listed
