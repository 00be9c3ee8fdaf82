"""Moves positions q by velocities ν, and finds the velocities between two positions, on the manifold of q.

A coordinate changes by its rate. A free body makes the screw motion of its twist (v, ω), which is constant along its
own axes: q ⊞ ν t = q · exp([ν] t). Sources: Lynch & Park, *Modern Robotics*, 2017, §3.3.3; Solà, Deray, Atchuthan, "A
micro Lie theory for state estimation in robotics", 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import factorial, hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.checked_arrays import ROUNDED, numbers, read, unit_quaternions
from qddot.algebra.freedoms import FREE, Freedoms
from qddot.base.errors import EvaluationError, QddotError, has_masked
from qddot.base.words.message import Listed, Words, say
from qddot.robot.model import Model

SMALL, TERMS = 0.5, 7  # below this angle functions are computed by series of so many terms, with an error below 1e-16
OF_COTANGENT = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600)
Array = NDArray[np.float64]
DOUBLE = np.dtype(float)


def with_unit_quaternions(model: Model, q: Any, what: Words = "q", error: type[QddotError] = EvaluationError) -> Any:
    """Returns q with quaternions scaled to norm 1; signals are not changed. raises `error`: a norm is not near 1"""
    positions = np.asarray(None if has_masked(q) else q)
    if positions.dtype.kind not in "iuf" and not has_masked(q):
        positions = np.asarray(read(q))
    if positions.dtype.kind not in "iuf" or positions.shape[-1:] != (len(model.positions),):
        return q  # the caller rejects it, or it consists of a law's signals
    unit = positions
    for names, place in model.quaternions:
        part = positions[..., place : place + 4]
        mended = unit_quaternions(part, say("numbers-in", names=Listed(names), what=what), error=error)
        if mended is not part:
            unit = positions.astype(float) if unit is positions else unit
            unit[..., place : place + 4] = mended
    return unit


def of_unit_quaternions(entry: Callable[..., Any], places: Sequence[int]) -> Callable[..., Any]:
    """Returns a code's fast entry for a single state, q first, with quaternions of norm 1; else it returns None.

    places: where quaternions begin in q
    """

    def checked(q: Any, *others: Any) -> Any:
        is_array = type(q) is np.ndarray
        if not (q.dtype is DOUBLE and q.ndim == 1 if is_array else type(q) in (list, tuple)):
            return None
        for place in places:
            parts = q[place : place + 4].tolist() if is_array else q[place : place + 4]
            # numbers of other types go the long way, and signals of a law, which have no values
            if not is_array and set(map(type, parts)) != {float}:
                return None
            if not abs(hypot(*parts) - 1) <= ROUNDED:
                return None
        return entry(q, *others)

    return checked


def on_spheres(model: Model, q: Array) -> Array:
    """Returns q with its quaternions divided by their norms, unless these are 1 to rounding."""
    for _, place in model.quaternions:
        part = q[..., place : place + 4]
        norms = np.sqrt(np.square(part).sum(axis=-1, keepdims=True))
        with np.errstate(invalid="ignore"):  # a quaternion of zeros has no direction
            part[...] = np.where(np.abs(norms - 1) > ROUNDED, part / norms, part)
    return q


def normalise_quaternions(model: Model, q: Array) -> None:
    """Divides the quaternions in q by their norms, in place, which removes the rounding errors of an integration."""
    for _, place in model.quaternions:
        part = q[..., place : place + 4]
        part /= np.sqrt(np.square(part).sum(axis=-1, keepdims=True))


def neutral(model: Model) -> Array:
    """Returns q with coordinates and translations 0 and quaternions (1, 0, 0, 0)."""
    q = np.zeros(len(model.positions))
    for _, place in model.quaternions:
        q[place] = 1.0
    return q


def integrate(model: Model, q: Any, qd: Any, time: Any = 1.0) -> Array:
    """Returns q ⊞ ν t."""
    start = _checked(model, q, "q")
    move = of_size(qd, "qd", model.n) * numbers(time, "t", error=EvaluationError)[..., None]
    batch = np.broadcast_shapes(start.shape[:-1], move.shape[:-1])
    moved = np.empty((*batch, start.shape[-1]))
    start, move = np.broadcast_to(start, moved.shape), np.broadcast_to(move, (*batch, model.n))
    for names, places, freedoms in joints(model):
        from_q, by = start[..., places], move[..., names]
        moved[..., places] = from_q + by if freedoms is None else _moved(freedoms, from_q, by)
    return moved


def difference(model: Model, q1: Any, q2: Any) -> Array:
    """Returns the ν with q2 = q1 ⊞ ν that is the shortest rotation."""
    first, second = np.broadcast_arrays(_checked(model, q1, "q1"), _checked(model, q2, "q2"))
    between = np.empty((*first.shape[:-1], model.n))
    for names, places, freedoms in joints(model):
        a, b = first[..., places], second[..., places]
        between[..., names] = b - a if freedoms is None else _between(freedoms, a, b)
    return between


def joints(model: Model) -> Iterator[tuple[slice, slice, Freedoms | None]]:
    """Yields the slices of each joint's velocities and positions."""
    velocity = position = 0
    for body in model.moving():
        n, m = len(body.joint.velocities), len(body.joint.positions)
        yield slice(velocity, velocity + n), slice(position, position + m), body.joint.freedoms
        velocity, position = velocity + n, position + m


def of_size(value: Any, what: Words, size: int) -> Array:
    """Returns an array of floats whose last axis has this size. raises EvaluationError: another shape, no numbers"""
    array: Array = numbers(value, what, error=EvaluationError)
    if array.shape[-1:] != (size,):
        raise EvaluationError("last-axis-misshapen", what=what, shape=array.shape, size=size)
    return array


def _checked(model: Model, q: Any, what: Words) -> Array:
    unit: Array = with_unit_quaternions(model, of_size(q, what, len(model.positions)))
    return unit


def _moved(freedoms: Freedoms, q: Array, move: Array) -> Array:
    turn = move[..., -3:]
    quaternion = q[..., -4:]
    angle = np.sqrt(np.square(turn).sum(axis=-1, keepdims=True))
    step = np.concatenate([np.cos(angle / 2), turn * (_sinc(angle / 2) / 2)], axis=-1)
    turned = product(quaternion, step)
    turned /= np.sqrt(np.square(turned).sum(axis=-1, keepdims=True))
    if freedoms.kind != FREE:
        return turned
    along = move[..., :3]
    once = np.cross(turn, along)
    way = along + once * _one_minus_cos(angle) + np.cross(turn, once) * _angle_minus_sin(angle)
    return np.concatenate([q[..., :3] + rotated(quaternion, way), turned], axis=-1)


def _between(freedoms: Freedoms, a: Array, b: Array) -> Array:
    inverse = a[..., -4:] * np.array([1.0, -1, -1, -1])
    step = product(inverse, b[..., -4:])
    step = np.where(step[..., :1] < 0, -step, step)
    sine = np.sqrt(np.square(step[..., 1:]).sum(axis=-1, keepdims=True))
    angle = 2 * np.arctan2(sine, step[..., :1])
    turn = step[..., 1:] * (2 / _sinc(angle / 2))
    if freedoms.kind != FREE:
        return turn
    way = rotated(inverse, b[..., :3] - a[..., :3])
    once = np.cross(turn, way)
    along = way - once / 2 + np.cross(turn, once) * _inverse_factor(angle)
    return np.concatenate([along, turn], axis=-1)


def product(a: Array, b: Array) -> Array:
    """Returns the product of quaternions."""
    w, v, x, u = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    scalar = w * x - (v * u).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, u * w + v * x + np.cross(v, u)], axis=-1)


def rotated(quaternion: Array, vector: Array) -> Array:
    """Returns vectors rotated by quaternions."""
    twice = 2 * np.cross(quaternion[..., 1:], vector)
    turned: Array = vector + quaternion[..., :1] * twice + np.cross(quaternion[..., 1:], twice)
    return turned


def _sinc(angle: Array) -> Array:
    quotient: Array = np.sin(angle) / np.where(angle == 0, 1.0, angle)
    return np.where(angle == 0, 1.0, quotient)


def _one_minus_cos(angle: Array) -> Array:
    """Returns (1 − cos θ) / θ²."""
    return np.square(_sinc(angle / 2)) / 2


def _angle_minus_sin(angle: Array) -> Array:
    """Returns (θ − sin θ) / θ³."""
    return _by_series(angle, lambda x: (x - np.sin(x)) / x**3, [(-1) ** k / factorial(2 * k + 3) for k in range(TERMS)])


def _inverse_factor(angle: Array) -> Array:
    """Returns 1/θ² − cot(θ/2) / 2θ, whose series contains Bernoulli numbers."""
    return _by_series(angle, lambda x: 1 / np.square(x) - 1 / (2 * x * np.tan(x / 2)), OF_COTANGENT)


def _by_series(angle: Array, exact: Callable[[Array], Array], series: Sequence[float]) -> Array:
    """Returns a function of an angle, computed by its series in θ² for small angles, where the formula would cancel."""
    small = angle < SMALL
    near: Any = np.polynomial.polynomial.polyval(np.square(np.where(small, angle, 0.0)), series)
    far: Array = exact(np.where(small, 1.0, angle))
    return np.where(small, near, far)
