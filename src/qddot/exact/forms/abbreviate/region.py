"""A Region is the motion over which an abbreviated model's error bounds hold: intervals of coordinates and rates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import EvaluationError, QddotError, did_you_mean, shortened
from qddot.base.records import record
from qddot.robot.model import Model

Interval: TypeAlias = tuple[float, float]
FASTEST = 1.0  # rad/s or m/s: default for every joint


@record()
class Region:
    """A region has intervals by coordinate: of q [rad or m], and of q̇ [rad/s or m/s]."""

    q: Mapping[str, Interval]
    qd: Mapping[str, Interval]

    @classmethod
    def of(cls, model: Model, intervals: Mapping[str, Any] | None) -> Region:
        """Returns the region with these intervals; by default all angles, prismatic joints within limits, and |q̇| ≤ 1.

        intervals: {"q2": ("-90deg", "90deg"), "qd1": (-2, 2)}
        raises EvaluationError: an unknown name, an empty or reversed interval, a prismatic joint with neither an
        interval nor limits
        """
        if intervals is not None and not isinstance(intervals, Mapping):
            raise EvaluationError(f"the region {shortened(intervals)}", expected='a mapping such as {"q2": (-1, 1)}')
        chosen = {name: _interval(name, value) for name, value in (intervals or {}).items()}
        rates = {rate_name(q): q for q in model.coordinates}
        for name in chosen:
            if name not in rates and name not in model.coordinates:
                raise EvaluationError(
                    f"the region has {shortened(name)}", remedy=did_you_mean(str(name), (*model.coordinates, *rates))
                )
        return cls(
            {q: chosen[q] if q in chosen else _default(model, q) for q in model.coordinates},
            {q: chosen.get(rate, (-FASTEST, FASTEST)) for rate, q in rates.items()},
        )

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
        parts = [f"{', '.join(full)} any angle"] if full else []
        parts += [f"{q} in {_written(interval)}" for q, interval in self.q.items() if q not in full]
        parts += [f"{rate_name(q)} in {_written(interval)}" for q, interval in self.qd.items()]
        return "; ".join(parts)


def _written(interval: Interval) -> str:
    return f"[{interval[0]:.6g}, {interval[1]:.6g}]"


def _interval(name: str, value: Any) -> Interval:
    where = f"region of {shortened(name)}"
    value = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise EvaluationError(f"{shortened(value)}", where=where, expected="a lower and an upper bound")
    try:
        low, high = (expression(bound).value({}) for bound in value)
    except (QddotError, KeyError) as error:
        fact = error.found if isinstance(error, QddotError) else f"the symbol {error.args[0]!r} in a bound"
        raise EvaluationError(fact, where=where, expected='numbers, or texts such as "90deg"') from None
    if low >= high:
        raise EvaluationError(
            f"from {low:g} to {high:g}", where=where, expected="the lower bound first, then a larger upper bound"
        )
    return low, high


def _default(model: Model, name: str) -> Interval:
    joint = next(body.joint for body in model.moving() if body.joint.coordinate == name)
    slides = any(b.joint.coordinate == name and not b.joint.turns for b in model.bodies)
    if not slides:
        return -math.pi, math.pi
    defaults = model.defaults()
    if joint.limits is None or any(not limit.symbols() <= set(defaults) for limit in joint.limits):
        raise EvaluationError(
            f"no region of {name!r}, along which a joint slides",
            where=model.name,
            remedy=f"give it: {{{name!r}: (0, 1)}}",
        )
    low, high = (limit.value(defaults) for limit in joint.limits)
    return low, high
