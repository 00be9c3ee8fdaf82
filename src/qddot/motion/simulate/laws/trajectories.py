"""Trajectories of joints: from rest to rest, or through several points; the time may be a number or a signal.

A trajectory is a sum of parts that are clipped to their own times, so that it compiles without branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import finite
from qddot.base.checked import real
from qddot.base.errors import SimulationError, check_one_of, shortened
from qddot.base.records import record
from qddot.base.words.message import Both, say
from qddot.motion.simulate.laws.elementary import clip, maximum, minimum

STEEP = 1e9  # slope of the ramps that replace jumps, per duration
KINDS = ("cubic", "quintic", "trapezoidal")
LARGEST_MISS = 1e-9  # of the travel, by which a spline may pass its points, beside what rounding does to them
ROUNDED = 1e-14
LEAST_TRAVEL = 1e-12  # rad or m; points that are nearer to each other are one point
FARTHEST = 1e15  # rad or m; beyond it neighbouring floats are more than 0.1 apart
SHORTEST, LONGEST = 1e-15, 1e15  # s; powers of a time, up to the fifth, are far from the ends of the floats


@record(eq=False)
class TimedTrajectory:
    """This is a trajectory of joints: `motion(t)` returns (q, q̇, q̈) at t [s]; it is at rest outside 0 … duration."""

    duration: float

    def __call__(self, t: Any) -> tuple[Any, Any, Any]:
        """Returns (q, q̇, q̈) at t [s]."""
        raise NotImplementedError

    def extremes(self) -> tuple[Any, Any]:
        """Returns the largest |q̇| and |q̈| of each joint."""
        raise NotImplementedError


@record(eq=False)
class Quintic(TimedTrajectory):
    """This motion is q = q0 + (q1 − q0)(10 s³ − 15 s⁴ + 6 s⁵) with s = t / duration."""

    start: Any
    move: Any

    def __call__(self, t: Any) -> tuple[Any, Any, Any]:
        T = self.duration
        s = clip(t * (1 / T), 0.0, 1.0)
        s2 = s * s
        position = s2 * s * (10 + s * (s * 6 - 15))
        speed = s2 * (30 + s * (s * 30 - 60)) * (1 / T)
        acceleration = s * (60 + s * (s * 120 - 180)) * (1 / T**2)
        return self.start + self.move * position, self.move * speed, self.move * acceleration

    def extremes(self) -> tuple[Any, Any]:
        size = np.abs(self.move)
        return size * (15 / 8 / self.duration), size * (10 / np.sqrt(3) / self.duration**2)


@record(eq=False)
class Trapezoid(TimedTrajectory):
    """This motion has a constant speed between two parabolic blends, each a part `blend` of the duration."""

    start: Any
    move: Any
    blend: float

    def __call__(self, t: Any) -> tuple[Any, Any, Any]:
        T, blend, speed = self.duration, self.blend, 1 / (1 - self.blend)
        s = clip(t * (1 / T), 0.0, 1.0)
        first, last = minimum(s, blend), maximum(s - (1 - blend), 0.0)
        middle = s - first - last
        v = (first - last) * (speed / blend)
        position = (first * first - last * last) * (speed / (2 * blend)) + (middle + last) * speed
        # 1 during a blend: steep ramps replace the jumps
        rising = clip((blend - s) * STEEP, 0.0, 1.0) * clip(t * (STEEP / T), 0.0, 1.0)
        falling = clip((s - (1 - blend)) * STEEP, 0.0, 1.0) * clip((1 - t * (1 / T)) * STEEP, 0.0, 1.0)
        a = (rising - falling) * (speed / blend / T**2)
        return self.start + self.move * position, self.move * v * (1 / T), self.move * a

    def extremes(self) -> tuple[Any, Any]:
        fastest = np.abs(self.move) / ((1 - self.blend) * self.duration)
        return fastest, fastest / (self.blend * self.duration)


@record(eq=False)
class Sequel(TimedTrajectory):
    """These are several motions from rest to rest, one after the other; begins: the times at which they begin."""

    parts: Sequence[Trapezoid]
    begins: Sequence[float]

    def __call__(self, t: Any) -> tuple[Any, Any, Any]:
        places, rates, accelerations = zip(
            *(p(t - t0) for p, t0 in zip(self.parts, self.begins, strict=True)), strict=True
        )
        # a part that has not begun is at its start, which is the end of the one before
        since = [place - part.start for place, part in zip(places, self.parts, strict=True)]
        return self.parts[0].start + sum(since), sum(rates), sum(accelerations)

    def extremes(self) -> tuple[Any, Any]:
        rates, accelerations = zip(*(part.extremes() for part in self.parts), strict=True)
        return np.max(rates, axis=0), np.max(accelerations, axis=0)


@record(eq=False)
class Spline(TimedTrajectory):
    """This is a spline through points: coefficients (K − 1, d + 1, n) of rising powers of the time since each knot."""

    knots: Any
    coefficients: Any

    def __call__(self, t: Any) -> tuple[Any, Any, Any]:
        c, T = self.coefficients, self.duration
        # q, q̇ and q̈ are continuous inside, so that each is a sum of the changes in all pieces
        q, qd, qdd = c[0, 0], c[0, 1], 2 * c[0, 2]
        for k, (begin, end) in enumerate(zip(self.knots[:-1], self.knots[1:], strict=True)):
            u = clip(t - begin, 0.0, end - begin)
            q = q + u * _horner(c[k, 1:], u)
            qd = qd + u * _horner(_slopes(c[k])[1:], u)
            qdd = qdd + u * _horner(_slopes(_slopes(c[k]))[1:], u)
        inside = clip(t * (STEEP / T), 0.0, 1.0) * clip((1 - t * (1 / T)) * STEEP, 0.0, 1.0)
        return q, qd, qdd * inside

    def extremes(self) -> tuple[Any, Any]:
        from scipy.interpolate import PPoly  # SciPy takes a while to load

        largest = []
        for order in (1, 2):
            derivative = PPoly(self.coefficients.swapaxes(0, 1)[::-1], self.knots).derivative(order)
            best = np.abs(derivative(self.knots)).max(axis=0)
            for j, roots in enumerate(np.atleast_1d(derivative.derivative().roots(extrapolate=False))):
                best[j] = max([best[j], *np.abs(derivative(roots[np.isfinite(roots)])[:, j])])
            largest.append(best)
        return largest[0], largest[1]


def _horner(c: Any, u: Any) -> Any:
    total = c[-1]
    for row in c[-2::-1]:
        total = total * u + row
    return total


def _slopes(c: Any) -> Any:
    """Returns the coefficients of the derivative."""
    return c[1:] * np.arange(1.0, len(c))[:, None]


def quintic(start: Any, end: Any, duration: float) -> TimedTrajectory:
    """Returns the motion from rest at `start` to rest at `end` [rad or m] in `duration` seconds, without a jump of q̈.

    q = q0 + (q1 − q0)(10 s³ − 15 s⁴ + 6 s⁵) with s = t / duration.
    raises SimulationError: ends of different shapes or beyond 1e15, or a duration outside 1e-15 … 1e15
    Source: Lynch & Park, *Modern Robotics*, 2017, §9.2.2.
    """
    q0, move, T = _ends(start, end, duration)
    return Quintic(T, q0, move)


def trapezoidal(start: Any, end: Any, duration: float, blend: float = 0.25) -> TimedTrajectory:
    """Returns the motion from rest to rest with a constant speed between two parabolic blends.

    blend: each blend's part of the duration; the acceleration jumps at the blends' ends
    raises SimulationError: a blend outside 1e-9 … 1/2; else as in `quintic`
    Source: Lynch & Park 2017, §9.2.2.2; Siciliano et al., *Robotics*, 2009, §4.2.1.
    """
    q0, move, T = _ends(start, end, duration)
    return Trapezoid(T, q0, move, _blend(blend))


def waypoints(
    points: Any,
    times: Any = None,
    kind: str = "cubic",
    rate: Any = None,
    acceleration: Any = None,
    blend: float = 0.25,
) -> TimedTrajectory:
    """Returns the motion from rest to rest through several points, (K, n) [rad or m].

    times: increasing, the first 0 [s]; without them each segment takes a time in proportion to its longest joint
    travel, at least a thousandth of the largest distance, and all are scaled so that the limits are just kept, which is
    not the fastest motion
    kind: "cubic" (q̈ is continuous), "quintic" (q̈ also begins and ends at 0), "trapezoidal" (at rest in each point)
    rate, acceleration: the largest |q̇| and |q̈|, one number or one for each joint
    blend: as in `trapezoidal`
    raises SimulationError: points or times that do not fit, points beyond 1e15, times between points outside
        1e-15 … 1e15, times in which the limits would be broken, or no times for a single point that is held
    Source: Siciliano et al., *Robotics*, 2009, §4.2.2.
    """
    q, limits = _places(points, "points"), [_limit(rate, "rate"), _limit(acceleration, "acceleration")]
    if q.ndim != 2 or len(q) < 2 or not q.shape[1]:
        raise SimulationError("points-misshapen", shape=q.shape)
    check_one_of(kind, KINDS, "kind", SimulationError)
    if times is not None:
        motion = _through(q, _times(times, len(q)), kind, _blend(blend))
        slower = _too_fast(motion, limits)
        if slower > 1 + 1e-9:
            rates, accelerations = motion.extremes()
            raise SimulationError(
                "waypoints-exceed-limits",
                rate=f"{rates.max():.4g}",
                acceleration=f"{accelerations.max():.4g}",
                limits=Both(limit for limit in limits if limit is not None),
                slower=f"{slower:.4g}",
            )
        return motion
    if all(limit is None for limit in limits):
        raise SimulationError("waypoints-without-times")
    if np.ptp(q, axis=0).max() < LEAST_TRAVEL:
        raise SimulationError("waypoints-of-one-point", point=q[0].tolist())
    spans = np.maximum(np.abs(np.diff(q, axis=0)).max(axis=1), 1e-3 * np.ptp(q, axis=0).max())
    knots = np.concatenate([[0.0], np.cumsum(spans)])
    # in time scaled by s, rates are 1/s of what they were and accelerations 1/s²
    slower = _too_fast(_through(q, knots, kind, _blend(blend)), limits)
    _check_spans(spans, slower, "waypoint-times-by-limits")
    return _through(q, knots * slower, kind, _blend(blend))


def _through(q: Any, t: Any, kind: str, blend: float) -> TimedTrajectory:
    if kind == "trapezoidal":
        spans = np.diff(t)
        parts = [Trapezoid(float(T), a, b - a, blend) for T, a, b in zip(spans, q[:-1], q[1:], strict=True)]
        return Sequel(float(t[-1]), parts, t[:-1].tolist())
    from scipy.interpolate import CubicSpline, PPoly, make_interp_spline

    still = np.zeros(q.shape[1])
    if kind == "cubic":
        pieces = CubicSpline(t, q, bc_type="clamped")
    else:
        ends = [(1, still), (2, still)]
        try:
            whole = make_interp_spline(t, q, k=5, bc_type=(ends, ends))
            missed = (np.abs(whole(t) - q) - ROUNDED * np.abs(q)).max()
        except np.linalg.LinAlgError:
            missed = np.inf
        if not missed <= LARGEST_MISS * np.ptp(q, axis=0).max():
            spans = np.diff(t)
            raise SimulationError("spline-nearly-singular", shortest=f"{spans.min():.4g}", longest=f"{spans.max():.4g}")
        each = [PPoly.from_spline((whole.t, column, 5)) for column in whole.c.T]
        intervals = np.flatnonzero(np.diff(whole.t) > 0)  # its knots at the ends are repeated
        pieces = PPoly(
            np.stack([piece.c[:, intervals] for piece in each], axis=-1), whole.t[[*intervals, intervals[-1] + 1]]
        )
    return Spline(float(t[-1]), pieces.x, np.ascontiguousarray(pieces.c[::-1].swapaxes(0, 1)))


def _too_fast(motion: TimedTrajectory, limits: Sequence[Any]) -> float:
    """Returns the factor by which the motion has to be slower to keep its limits; below 1 it may be faster."""
    factors = [0.0]
    for order, (size, limit) in enumerate(zip(motion.extremes(), limits, strict=True), 1):
        if limit is not None:
            with np.errstate(over="ignore"):
                factors.append(float(np.max(size / limit)) ** (1 / order))
    return max(factors)


def _times(times: Any, count: int) -> Any:
    t = finite(times, "times")
    if t.shape != (count,) or t[0] != 0 or not (np.diff(t) > 0).all():
        raise SimulationError("times-do-not-begin-at-zero", times=shortened(times), count=count)
    _check_spans(np.diff(t), 1.0, "waypoint-times-apart")
    return t


def _check_spans(spans: Any, factor: float, key: str) -> None:
    """Checks the times between points, of which each is a span times the factor; key: of the error."""
    with np.errstate(over="ignore"):
        times = spans * factor
    wrong = times[(times < SHORTEST) | (times > LONGEST)]
    if wrong.size:
        raise SimulationError(key, wrong=f"{wrong[0]:.4g}", shortest=f"{SHORTEST:g}", longest=f"{LONGEST:g}")


def _places(value: Any, what: str) -> Any:
    """Returns coordinates. raises SimulationError: those that are so large that a float leaves no digits of a turn"""
    q = finite(value, what)
    if q.size and (largest := np.abs(q).max()) > FARTHEST:
        raise SimulationError("coordinates-too-large", what=what, largest=f"{largest:.4g}", farthest=f"{FARTHEST:g}")
    return q


def _limit(value: Any, what: str) -> Any:
    limit = None if value is None else finite(value, what)
    if limit is not None and (limit <= 0).any():
        raise SimulationError("limit-not-above-zero", what=what, value=shortened(value))
    return limit


def _blend(blend: Any) -> float:
    return real(blend, "blend", 1 / STEEP, 0.5, error=SimulationError)


def _ends(start: Any, end: Any, duration: Any) -> tuple[Any, Any, float]:
    q0, q1 = _places(start, "start"), _places(end, "end")
    if q0.shape != q1.shape and 0 not in (q0.ndim, q1.ndim):
        raise SimulationError("start-and-end-misshapen", start=q0.shape, end=q1.shape)
    return q0, q1 - q0, real(duration, "duration", SHORTEST, LONGEST, of=say("in-seconds"), error=SimulationError)
