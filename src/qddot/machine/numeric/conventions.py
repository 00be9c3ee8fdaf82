"""Converts positions, velocities, accelerations, M, C, J and torques into the conventions of other programs, and back.

They differ for joints with quaternions, and in the order of the joints. If another program has the velocities
ν' = B(q) ν, in our order, then

    M' = B⁻ᵀ M B⁻¹,  C' = B⁻ᵀ (C − M B⁻¹ Ḃ) B⁻¹,  J' = J B⁻¹,  τ' = B⁻ᵀ τ,  ν̇' = B ν̇ + Ḃ ν,

so that τᵀν, K and the skewness of Ṁ − 2C do not change. Then every axis that counts joints is put in the program's
order. Sources: the programs' own documentation of their joints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.checked_arrays import numbers
from qddot.algebra.freedoms import FREE, Freedoms
from qddot.base.errors import EvaluationError, near, shortened
from qddot.machine.numeric.arm import NumericArm
from qddot.machine.numeric.joint_orders import order_there
from qddot.machine.numeric.manifold import joints, of_size, product, rotated, with_unit_quaternions
from qddot.robot.model import Model

Array = NDArray[np.float64]
OWN, PARENTS = "the body's axes", "the parent's axes"
LAST = [1, 2, 3, 0]  # (w, x, y, z) in the order (x, y, z, w)
SWAPPED = [3, 4, 5, 0, 1, 2]
SQUARE = ("M", "C")  # arrays with two axes that count velocities


class Convention(NamedTuple):
    """A convention says how a program writes the position and the velocity of a free body and of a ball.

    v, w: the axes of a free body's velocities; of_com: whether v is that of the centre of mass instead of the origin
    ball: the axes of a ball's velocity, "" if the program has no ball joint
    w_last: whether quaternions are (x, y, z, w); angles: whether a ball's position is roll, pitch and yaw
    turned_first: whether quaternion and ω come before p and v
    circles: whether the position of a joint that URDF calls continuous is (cos q, sin q)
    """

    v: str = OWN
    w: str = OWN
    ball: str = OWN
    of_com: bool = False
    w_last: bool = False
    angles: bool = False
    turned_first: bool = False
    circles: bool = False


CONVENTIONS: Mapping[str, Convention] = {
    "pinocchio": Convention(w_last=True, circles=True),
    "mujoco": Convention(v=PARENTS),
    "drake": Convention(v=PARENTS, w=PARENTS, ball=PARENTS, angles=True, turned_first=True),
    "idyntree": Convention(v=PARENTS, w=PARENTS, ball=""),
    "newton": Convention(v=PARENTS, w=PARENTS, ball=PARENTS, of_com=True, w_last=True),
}


def convention(program: Any, model: Model) -> Convention:
    """Returns the convention of a program. raises EvaluationError: it is unknown, or lacks a joint of the model"""
    if not isinstance(program, str) or program not in CONVENTIONS:
        raise EvaluationError(
            f"no convention {shortened(program)}", expected=", ".join(CONVENTIONS), remedy=near(program, CONVENTIONS)
        )
    rule = CONVENTIONS[program]
    for body in model.bodies:
        if not rule.ball and body.joint.freedoms is not None and body.joint.type != FREE:
            raise EvaluationError(f"the {body.joint.type} joint of link {body.name!r}, which {program} does not have")
    return rule


def positions_there(model: Model, rule: Convention, q: Any) -> Array:
    """Returns q in the program's convention."""
    ours: Array = with_unit_quaternions(model, of_size(q, "q", len(model.positions)))
    parts = []
    for (_, at, of), on_circle in zip(joints(model), _on_circles(model, rule), strict=True):
        part = ours[..., at]
        if on_circle:
            part = np.concatenate([np.cos(part), np.sin(part)], axis=-1)
        parts.append(part if of is None else _place_there(of, rule, part))
    return np.concatenate(parts, axis=-1)


def positions_here(model: Model, rule: Convention, q: Any) -> Array:
    """Returns q from the program's convention."""
    sizes = _sizes(model, rule)
    theirs, parts, first = of_size(q, "q", sum(sizes)), [], 0
    for size, (_, _, of), on_circle in zip(sizes, joints(model), _on_circles(model, rule), strict=True):
        part = theirs[..., first : first + size]
        if on_circle:
            part = np.arctan2(part[..., 1:], part[..., :1])
        parts.append(part if of is None else _place_here(of, rule, part))
        first += size
    ours: Array = with_unit_quaternions(model, np.concatenate(parts, axis=-1))
    return ours


def _on_circles(model: Model, rule: Convention) -> list[bool]:
    """Returns whether the position of each joint is (cos q, sin q) in the program."""
    reads_so = rule.circles and model.from_urdf
    return [reads_so and body.joint.type == "continuous" for body in model.moving()]


def _sizes(model: Model, rule: Convention) -> list[int]:
    """Returns how many entries of the program's q each joint has."""
    pairs = zip(joints(model), _on_circles(model, rule), strict=True)
    return [3 if _has_angles(rule, of) else at.stop - at.start + on_circle for (_, at, of), on_circle in pairs]


def _has_angles(rule: Convention, of: Freedoms | None) -> bool:
    return rule.angles and of is not None and of.kind != FREE


def _place_there(of: Freedoms, rule: Convention, q: Array) -> Array:
    if _has_angles(rule, of):
        return _angles(_rotations(q))
    quaternion = q[..., -4:][..., LAST] if rule.w_last else q[..., -4:]
    parts = [q[..., :-4], quaternion]
    return np.concatenate(parts[::-1] if rule.turned_first else parts, axis=-1)


def _place_here(of: Freedoms, rule: Convention, q: Array) -> Array:
    if _has_angles(rule, of):
        return _quaternions(q)
    if rule.turned_first:
        q = np.concatenate([q[..., 4:], q[..., :4]], axis=-1)
    quaternion = q[..., -4:][..., [3, 0, 1, 2]] if rule.w_last else q[..., -4:]
    return np.concatenate([q[..., :-4], quaternion], axis=-1)


def velocities_there(model: Model, rule: Convention, q: Array, parameters: Array) -> Array:
    """Returns B with ν' = B ν, shape (…, n, n). parameters: the inertial ones of each body, (bodies, 10)"""
    return _blocks(model, q, lambda at, of, R: _block(rule, of, R, _centre(model, parameters, at)))


def rates_there(model: Model, rule: Convention, q: Array, qd: Array, parameters: Array) -> Array:
    """Returns Ḃ, by Ṙ = R [ω]."""

    def moved(at: slice, of: Freedoms, R: Array) -> Array:
        turned = R @ _cross(qd[..., at][..., -3:])
        still = np.zeros_like(R)
        return _block(rule, of, turned, _centre(model, parameters, at), still)

    return _blocks(model, q, moved, still=True)


def _blocks(model: Model, q: Array, block: Callable[[slice, Freedoms, Array], Array], still: bool = False) -> Array:
    """Returns the identity, or zero for rates, with blocks for the joints with quaternions."""
    matrix = np.zeros((*q.shape[:-1], model.n, model.n))
    for at, places, of in joints(model):
        if of is not None:
            matrix[..., at, at] = block(at, of, _rotations(q[..., places][..., -4:]))
        elif not still:
            matrix[..., at, at] = 1.0
    return matrix


def _block(rule: Convention, of: Freedoms, R: Array, centre: Array, own: Array | None = None) -> Array:
    """Returns the rows of one joint. own: the block of velocities along the body's axes, by default the identity"""
    own = np.broadcast_to(np.eye(3), R.shape) if own is None else own
    if of.kind != FREE:
        return R if rule.ball == PARENTS else own
    v, w = R if rule.v == PARENTS else own, R if rule.w == PARENTS else own
    shifted = -v @ _cross(centre) if rule.of_com else np.zeros_like(R)
    rows = np.concatenate(
        [np.concatenate([v, shifted], axis=-1), np.concatenate([np.zeros_like(R), w], axis=-1)], axis=-2
    )
    return rows[..., SWAPPED, :] if rule.turned_first else rows


def _centre(model: Model, parameters: Array, at: slice) -> Array:
    """Returns the centre of mass of the body whose joint has these velocities; 0 if it has no mass."""
    name = model.coordinates[at.start]
    k = next(k for k, body in enumerate(model.bodies) if body.joint.leads and name in body.joint.velocities)
    mass, moment = parameters[k, 0], parameters[k, 1:4]
    return moment / mass if mass else np.zeros(3)


def _cross(vector: Array) -> Array:
    x, y, z = np.moveaxis(vector, -1, 0)
    zero = np.zeros_like(x)
    return np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1), np.stack([-y, x, zero], -1)], -2)


def _rotations(quaternion: Array) -> Array:
    return np.stack([rotated(quaternion, axis) for axis in np.eye(3)], axis=-1)


def _angles(R: Array) -> Array:
    """Returns roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    roll, yaw = np.arctan2(R[..., 2, 1], R[..., 2, 2]), np.arctan2(R[..., 1, 0], R[..., 0, 0])
    pitch = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 0, 0], R[..., 1, 0]))
    return np.stack([roll, pitch, yaw], axis=-1)


def _quaternions(angles: Array) -> Array:
    """Returns the quaternions of roll, pitch and yaw."""
    cosine, sine = np.cos(angles / 2)[..., None], np.sin(angles / 2)[..., None] * np.eye(3)
    roll, pitch, yaw = (np.concatenate([cosine[..., k, :], sine[..., k, :]], axis=-1) for k in range(3))
    return product(yaw, product(pitch, roll))


def converted(B: Array, rate: Array, quantities: Mapping[str, Any], M: Array) -> dict[str, Array]:
    """Returns those of the arrays qd, qdd, M, C, J and tau that are in `quantities`, converted by ν' = B ν.

    rate: Ḃ, which qdd and C need; M: the mass matrix for ν, which C needs
    """
    back = _inverse(B)
    over = np.swapaxes(back, -1, -2)
    law: Mapping[str, Callable[[Array], Array]] = {
        "qd": lambda qd: _times(B, qd),
        "qdd": lambda qdd: _times(B, qdd) + _times(rate, quantities["qd"]),
        "M": lambda mass: over @ mass @ back,
        "C": lambda C: over @ (C - M @ back @ rate) @ back,
        "J": lambda J: J @ back,
        "tau": lambda tau: _times(over, tau),
    }
    return {name: law[name](array) for name, array in quantities.items()}


def _inverse(matrix: Array) -> Array:
    return np.asarray(np.linalg.inv(matrix), dtype=float)


def _times(matrix: Array, vector: Array) -> Array:
    product: Array = (matrix @ vector[..., None])[..., 0]
    return product


def in_convention(
    arm: NumericArm, program: Any, q: Any, quantities: Mapping[str, Any], values: Mapping[str, Any], order: Any = None
) -> dict[str, Array]:
    """Returns q and the other arrays in a program's convention. order: the names of the joints there, if given"""
    rule, arrays = convention(program, arm.model), _checked(arm.model, quantities)
    q_places, places = _places(arm.model, rule, order_there(arm.model, program, order))
    ours: Array = with_unit_quaternions(arm.model, of_size(q, "q", len(arm.model.positions)))
    parameters = _parameters(arm, values)
    B = velocities_there(arm.model, rule, ours, parameters)
    rate = rates_there(arm.model, rule, ours, arrays["qd"], parameters) if "qd" in arrays else np.zeros_like(B)
    M = arm.mass_matrix(ours, **values) if "C" in arrays else np.zeros_like(B)
    theirs = converted(B, rate, arrays, M)
    return {"q": positions_there(arm.model, rule, ours)[..., q_places]} | _in_order(theirs, places)


def from_convention(
    arm: NumericArm, program: Any, q: Any, quantities: Mapping[str, Any], values: Mapping[str, Any], order: Any = None
) -> dict[str, Array]:
    """Returns q and the other arrays from a program's convention. order: the names of the joints there, if given

    The rate of B⁻¹ is −B⁻¹ Ḃ B⁻¹.
    """
    rule, arrays = convention(program, arm.model), _checked(arm.model, quantities)
    q_places, places = (np.argsort(each) for each in _places(arm.model, rule, order_there(arm.model, program, order)))
    arrays = _in_order(arrays, places)
    ours = positions_here(arm.model, rule, of_size(q, "q", len(q_places))[..., q_places])
    parameters = _parameters(arm, values)
    B = velocities_there(arm.model, rule, ours, parameters)
    back, rate, M = _inverse(B), np.zeros_like(B), np.zeros_like(B)
    if "qd" in arrays:
        rate = -back @ rates_there(arm.model, rule, ours, _times(back, arrays["qd"]), parameters) @ back
    if "C" in arrays:
        M = np.swapaxes(back, -1, -2) @ arm.mass_matrix(ours, **values) @ back
    return {"q": ours} | converted(back, rate, arrays, M)


def _places(model: Model, rule: Convention, order: Sequence[int]) -> tuple[list[int], list[int]]:
    """Returns where the entries of the program's q, and of its velocities, are in our order of the joints."""
    ends = np.cumsum([0, *_sizes(model, rule)])
    of_q = [place for k in order for place in range(int(ends[k]), int(ends[k + 1]))]
    velocities = [at for at, _, _ in joints(model)]
    return of_q, [place for k in order for place in range(velocities[k].start, velocities[k].stop)]


def _in_order(arrays: Mapping[str, Array], places: Any) -> dict[str, Array]:
    """Returns the arrays with every axis that counts velocities in another order."""
    last = {name: array[..., places] for name, array in arrays.items()}
    return {name: array[..., places, :] if name in SQUARE else array for name, array in last.items()}


def _checked(model: Model, quantities: Mapping[str, Any]) -> dict[str, Array]:
    """Returns the given arrays. raises EvaluationError: a shape is wrong, or qdd or C is given without qd"""
    arrays = {}
    for name, value in quantities.items():
        if value is None:
            continue
        shape = (model.n, model.n) if name in SQUARE else (6, model.n) if name == "J" else (model.n,)
        arrays[name] = numbers(value, name, error=EvaluationError)
        if arrays[name].shape[-len(shape) :] != shape:
            expected = f"(…, {', '.join(map(str, shape))})"
            raise EvaluationError(f"{name} has the shape {arrays[name].shape}", expected=expected)
    if "qd" not in arrays and ("qdd" in arrays or "C" in arrays):
        raise EvaluationError("qdd or C without qd", remedy="give qd, on which they depend")
    return arrays


def _parameters(arm: NumericArm, values: Mapping[str, Any]) -> Array:
    parameters: Array = arm.dynamic_parameters(**values).reshape(-1, 10)
    return parameters
