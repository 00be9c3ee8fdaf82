"""A Region is the motion over which an abbreviated model's error bounds hold: intervals of coordinates and rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import EvaluationError, QddotError, did_you_mean, shortened
from qddot.base.records import record
from qddot.base.words.message import Following, Listed, say
from qddot.robot.model import Model
from qddot.robot.usual_region import usual_range, usual_rate

Interval: TypeAlias = tuple[float, float]
BEYOND, SMALL = 0.05, 1e-3  # by how much a region goes on beyond states: a part of their extent; the least [rad or m]


@record()
class Region:
    """A region has intervals by coordinate: of q [rad or m], and of q̇ [rad/s or m/s].

    qd: of all coordinates, or of a closed chain's independent ones
    """

    q: Mapping[str, Interval]
    qd: Mapping[str, Interval]

    @classmethod
    def of(
        cls,
        model: Model,
        intervals: Mapping[str, Any] | None,
        moving: Sequence[str] | None = None,
        default: Callable[[Model, str], Interval] | None = None,
    ) -> Region:
        """Returns the region with these intervals, by default those of `usual_region`.

        intervals: {"q2": ("-90deg", "90deg"), "qd1": (-2, 2)}
        moving: the coordinates whose rates have intervals, by default all; default: of a coordinate without an interval
        raises EvaluationError: an unknown name, an empty or reversed interval, a prismatic joint with neither an
        interval nor limits, limits in symbols without a value
        """
        if intervals is not None and not isinstance(intervals, Mapping):
            raise EvaluationError("region-not-mapping-of-intervals", intervals=shortened(intervals))
        chosen = {name: _interval(name, value) for name, value in (intervals or {}).items()}
        rates = {rate_name(q): q for q in (model.coordinates if moving is None else moving)}
        for name in chosen:
            if name not in rates and name not in model.coordinates:
                raise EvaluationError(
                    "region-of-unknown-name",
                    name=shortened(name),
                    remedy=did_you_mean(str(name), (*model.coordinates, *rates)),
                )
        default = default or _usual
        fastest = {q: usual_rate(model, q) for q in rates.values()}
        return cls(
            {q: chosen[q] if q in chosen else default(model, q) for q in model.coordinates},
            {q: chosen.get(rate, (-fastest[q], fastest[q])) for rate, q in rates.items()},
        )

    def reaching(self, states: Mapping[str, NDArray[np.float64]], turning: Collection[str]) -> Region:
        """Returns the region with ends that states reach, and a little beyond, where it has none.

        turning: names of coordinates that are angles; one that turns nearly round may be any angle
        """
        ends = {name: _around(values, name in turning) for name, values in states.items()}
        return replace(self, q={name: pair if math.isfinite(pair[0]) else ends[name] for name, pair in self.q.items()})

    def fastest(self, name: str) -> float:
        """Returns the largest |q̇| of a joint."""
        return max(map(abs, self.qd[name]))

    def states(self, count: int) -> dict[str, NDArray[np.float64]]:
        """Returns evenly spread states as positions by coordinate, the same at each call."""
        from scipy.stats import qmc

        names = list(self.q)
        low, high = (np.array([self.q[name][k] for name in names]) for k in (0, 1))
        points = qmc.Halton(len(names), scramble=False).random(count)
        return dict(zip(names, (low + points * (high - low)).T, strict=True))

    def __str__(self) -> str:
        full = [name for name, (low, high) in self.q.items() if (low, high) == (-math.pi, math.pi)]
        parts = [say("any-angle", names=Listed(full))] if full else []
        bounded = {q: pair for q, pair in self.q.items() if q not in full and math.isfinite(pair[0])}
        intervals = {**bounded, **{rate_name(q): pair for q, pair in self.qd.items()}}
        parts += [say("in-interval", name=name, interval=_written(pair)) for name, pair in intervals.items()]
        return str(Following(parts))


def _written(interval: Interval) -> str:
    return f"[{interval[0]:.6g}, {interval[1]:.6g}]"


def _interval(name: str, value: Any) -> Interval:
    where = f"region of {shortened(name)}"
    value = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise EvaluationError("not-two-bounds", where=where, value=shortened(value))
    try:
        low, high = (expression(bound).value({}) for bound in value)
    except QddotError as error:
        raise error.to(EvaluationError, where=where, expected=say("numbers-or-texts"), remedy="") from None
    except KeyError as error:
        raise EvaluationError("symbol-in-bound", where=where, name=repr(error.args[0])) from None
    if low >= high:
        raise EvaluationError("bounds-in-wrong-order", where=where, low=f"{low:g}", high=f"{high:g}")
    return low, high


def _around(values: NDArray[np.float64], turns: bool) -> Interval:
    """Returns the interval of some values, and a little more."""
    low, high = float(values.min()), float(values.max())
    beyond = max(BEYOND * (high - low), SMALL)
    if turns and high - low + 2 * beyond >= 2 * math.pi:
        return -math.pi, math.pi
    return low - beyond, high + beyond


def within_limits(model: Model, name: str) -> Interval:
    """Returns the limits of a coordinate, infinite ones if it has none."""
    joint = next(body.joint for body in model.moving() if body.joint.coordinate == name)
    return (-math.inf, math.inf) if joint.limits is None else _usual(model, name)


def _usual(model: Model, name: str) -> Interval:
    """Returns the range of a coordinate without an interval. raises EvaluationError: none, or one without a value"""
    try:
        low, high = (limit.value(model.defaults()) for limit in usual_range(model, name))
    except KeyError as error:
        where = f"region of {name}"
        raise EvaluationError("symbol-in-limit-without-value", where=where, name=repr(error.args[0])) from None
    return low, high
