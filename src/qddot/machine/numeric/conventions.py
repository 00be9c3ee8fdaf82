"""Converts positions, velocities, accelerations, M, C, J and torques into the conventions of other programs, and back.

They differ for joints with quaternions, and in the order of the joints. If another program has the velocities
ν' = B(q) ν, in our order, then

    M' = B⁻ᵀ M B⁻¹,  C' = B⁻ᵀ (C − M B⁻¹ Ḃ) B⁻¹,  J' = J B⁻¹,  τ' = B⁻ᵀ τ,  ν̇' = B ν̇ + Ḃ ν,

so that τᵀν, K and the skewness of Ṁ − 2C do not change. The numbers are floats, or balls in arrays of objects. Then
every axis that counts joints is put in the program's order. Sources: the programs' own documentation of their joints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.checked_arrays import numbers
from qddot.algebra.freedoms import FREE, Freedoms
from qddot.algebra.spatial import Matrix3, Vec3
from qddot.algebra.spatial.quaternion import rotation_of
from qddot.algebra.spatial.vectors import skew
from qddot.base.errors import EvaluationError, check_one_of
from qddot.base.words.message import say
from qddot.machine.numeric.arm import NumericArm
from qddot.machine.numeric.joint_orders import order_there
from qddot.machine.numeric.manifold import joints, of_size, product, with_unit_quaternions
from qddot.robot.model import Model

Array = NDArray[Any]
Rows = list[list[Any]]
OWN, PARENTS = "the body's axes", "the parent's axes"
SQUARE = ("M", "C")  # arrays with two axes that count velocities
UNIT = Matrix3(Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1))
ZERO = Matrix3(Vec3.zero(), Vec3.zero(), Vec3.zero())


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
    check_one_of(program, CONVENTIONS, say("no-convention"), EvaluationError)
    rule = CONVENTIONS[program]
    for body in model.bodies:
        if not rule.ball and body.joint.freedoms is not None and body.joint.type != FREE:
            raise EvaluationError(
                "joint-unknown-to-program", type=body.joint.type, name=repr(body.name), program=program
            )
    return rule


def positions_there(model: Model, rule: Convention, q: Array, arctangent: Callable[..., Any] = np.arctan2) -> Array:
    """Returns q, which has unit quaternions, in the program's convention. arctangent: that of the numbers in q"""
    entries: list[Any] = []
    for (_, at, of), on_circle in zip(joints(model), _on_circles(model, rule), strict=True):
        own = _entries(q[..., at])
        if on_circle:
            own = [np.cos(*own), np.sin(*own)]
        entries += own if of is None else _place(of, rule, own, arctangent)
    return np.stack(entries, axis=-1)


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


def _place(of: Freedoms, rule: Convention, q: list[Any], arctangent: Callable[..., Any]) -> list[Any]:
    """Returns the position of one joint in the program's convention."""
    *place, w, x, y, z = q
    if _has_angles(rule, of):
        (xx, _, _), (yx, _, _), (zx, zy, zz) = rotation_of([w, x, y, z])
        # roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll)
        return [arctangent(zy, zz), arctangent(-zx, (xx * xx + yx * yx) ** 0.5), arctangent(yx, xx)]
    quaternion = [x, y, z, w] if rule.w_last else [w, x, y, z]
    return [*quaternion, *place] if rule.turned_first else [*place, *quaternion]


def _place_here(of: Freedoms, rule: Convention, q: Array) -> Array:
    if _has_angles(rule, of):
        return _quaternions(q)
    if rule.turned_first:
        q = np.concatenate([q[..., 4:], q[..., :4]], axis=-1)
    quaternion = q[..., -4:][..., [3, 0, 1, 2]] if rule.w_last else q[..., -4:]
    return np.concatenate([q[..., :-4], quaternion], axis=-1)


def _entries(array: Array) -> list[Any]:
    """Returns the numbers along the last axis, or arrays of them."""
    return list(np.moveaxis(array, -1, 0))


def changes(
    model: Model, rule: Convention, q: Array, qd: Array, centres: Mapping[str, Any]
) -> tuple[Array, Array, Array]:
    """Returns B with ν' = B ν, B⁻¹, and Ḃ, which follows from Ṙ = R [ω], each (…, n, n).

    q, qd: floats, or balls in arrays of objects; centres: the centre of mass of each link
    """
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    B, back, rate = (np.zeros((*batch, model.n, model.n), q.dtype) for _ in range(3))
    for body, (at, places, of) in zip(model.moving(), joints(model), strict=True):
        if of is None:
            B[..., at, at] = back[..., at, at] = 1
            continue
        R = Matrix3(*rotation_of(_entries(q[..., places][..., -4:])))
        turned = R.times(skew(Vec3(*_entries(qd[..., at][..., -3:]))))
        blocks = _blocks(rule, of, R, turned, Vec3(*centres[body.name]))
        for whole, rows in zip((B, back, rate), blocks, strict=True):
            for i, row in enumerate(rows, at.start):
                for j, entry in enumerate(row, at.start):
                    whole[..., i, j] = entry
    return B, back, rate


def _blocks(rule: Convention, of: Freedoms, R: Matrix3, turned: Matrix3, centre: Vec3) -> tuple[Rows, Rows, Rows]:
    """Returns the rows of one joint in B, B⁻¹ and Ḃ. turned: Ṙ; centre: the body's centre of mass c

    v' = R v − R [c] ω and ω' = R ω, from which v = Rᵀ v' + [c] Rᵀ ω'.
    """
    along = {PARENTS: (R, turned), OWN: (UNIT, ZERO)}
    if of.kind != FREE:
        w, w_rate = along[rule.ball]
        return _rows(w), _rows(w.T), _rows(w_rate)
    (v, v_rate), (w, w_rate) = along[rule.v], along[rule.w]
    lever = skew(centre) if rule.of_com else ZERO
    B = _rows(v, -v.times(lever), ZERO, w)
    back = _rows(v.T, lever.times(w.T), ZERO, w.T)
    rate = _rows(v_rate, -v_rate.times(lever), ZERO, w_rate)
    if not rule.turned_first:
        return B, back, rate
    return B[3:] + B[:3], [row[3:] + row[:3] for row in back], rate[3:] + rate[:3]


def _rows(first: Matrix3, *others: Matrix3) -> Rows:
    """Returns the rows of one block, or of two by two."""
    if not others:
        return [list(row) for row in first]
    beside, below, last = others
    return [[*left, *right] for a, b in ((first, beside), (below, last)) for left, right in zip(a, b, strict=True)]


def _quaternions(angles: Array) -> Array:
    """Returns the quaternions of roll, pitch and yaw."""
    cosine, sine = np.cos(angles / 2)[..., None], np.sin(angles / 2)[..., None] * np.eye(3)
    roll, pitch, yaw = (np.concatenate([cosine[..., k, :], sine[..., k, :]], axis=-1) for k in range(3))
    return product(yaw, product(pitch, roll))


def converted(changes: tuple[Array, Array, Array], quantities: Mapping[str, Array], M: Array) -> dict[str, Array]:
    """Returns the quantities, converted by ν' = B ν; those besides qd, qdd, M, C and J are torques.

    changes: B, B⁻¹, and Ḃ, which qdd and C need; M: the mass matrix for ν, which C needs
    """
    B, back, rate = changes
    over = np.swapaxes(back, -1, -2)
    law: dict[str, Callable[[Array], Array]] = {
        "qd": lambda qd: _times(B, qd),
        "qdd": lambda qdd: _times(B, qdd) + _times(rate, quantities["qd"]),
        "M": lambda mass: over @ mass @ back,
        "C": lambda C: over @ (C - M @ back @ rate) @ back,
        "J": lambda J: J @ back,
    }
    return {name: law[name](array) if name in law else _times(over, array) for name, array in quantities.items()}


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
    by = changes(arm.model, rule, ours, arrays.get("qd", np.zeros(arm.n)), _centres(arm, values))
    theirs = converted(by, arrays, arm.mass_matrix(ours, **values) if "C" in arrays else by[0])
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
    centres = _centres(arm, values)
    B, back, rate = changes(arm.model, rule, ours, np.zeros(arm.n), centres)
    M = np.swapaxes(back, -1, -2) @ arm.mass_matrix(ours, **values) @ back if "C" in arrays else B
    if "qd" in arrays:
        rate = changes(arm.model, rule, ours, _times(back, arrays["qd"]), centres)[2]
    return {"q": ours} | converted((back, B, -back @ rate @ back), arrays, M)


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
            raise EvaluationError("of-another-shape", what=name, shape=arrays[name].shape, expected=expected)
    if "qd" not in arrays and ("qdd" in arrays or "C" in arrays):
        raise EvaluationError("qdd-c-without-qd")
    return arrays


def _centres(arm: NumericArm, values: Mapping[str, Any]) -> dict[str, Array]:
    """Returns the centre of mass of each link, 0 if it has no mass."""
    parameters = arm.dynamic_parameters(**values).reshape(-1, 10)
    mass = np.where(parameters[:, :1], parameters[:, :1], 1.0)
    return {body.name: centre for body, centre in zip(arm.model.bodies, parameters[:, 1:4] / mass, strict=True)}
