"""Converts exact values into the conventions of other programs, as `numeric.conventions` does it in floats.

If another program has the velocities ν' = B(q) ν, then M' = B⁻ᵀ M B⁻¹, C' = B⁻ᵀ (C − M B⁻¹ Ḃ) B⁻¹, J' = J B⁻¹,
forces are multiplied by B⁻ᵀ, and ν̇' = B ν̇ + Ḃ ν.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from qddot.algebra.freedoms import FREE, Freedoms
from qddot.algebra.numbers.balls import arctangent
from qddot.algebra.spatial import Vec3, inner
from qddot.algebra.spatial.quaternion import rotation_of
from qddot.algebra.spatial.vectors import skew
from qddot.base.errors import EvaluationError
from qddot.machine.numeric.conventions import CONVENTIONS, PARENTS, SWAPPED, Convention, convention
from qddot.machine.numeric.manifold import joints
from qddot.proof.certify.vectors.values import Matrix, Values
from qddot.robot.model import Model

OURS = "qddot"
Block = tuple[Matrix, Matrix, Matrix]


def conventions(model: Model) -> Iterator[tuple[list[str], Callable[[Values, Mapping[str, Any]], Values]]]:
    """Yields names of programs, and the function of values and centres of mass that converts values for them."""
    programs = [program for program in CONVENTIONS if _has_joints_of(model, program)]
    if not model.freedoms:
        yield [OURS, *programs], lambda values, _: values
        return
    yield [OURS], lambda values, _: values
    for program in programs:
        yield [program], partial(_converted, model, CONVENTIONS[program])


def _has_joints_of(model: Model, program: str) -> bool:
    try:
        convention(program, model)
    except EvaluationError:
        return False
    return True


def _converted(model: Model, rule: Convention, values: Values, centres: Mapping[str, Any]) -> Values:
    """Returns the values in a program's convention."""
    B, back, rate = _changes(model, rule, values, centres)
    over = _transposed(back)
    qd, M = _of(B, values.qd), values.M
    moved = _of(rate, values.qd)
    C = _times(over, _times(_minus(values.C, _times(M, _times(back, rate))), back))
    return Values(
        q=[entry for _, at, of in joints(model) for entry in _place(rule, of, values.q[at])],
        qd=qd,
        qdd=[a + b for a, b in zip(_of(B, values.qdd), moved, strict=True)],
        M=_times(over, _times(M, back)),
        C=C,
        h=_of(C, qd),
        G=_of(over, values.G),
        springs=_of(over, values.springs),
        friction=_of(over, values.friction),
        tau=_of(over, values.tau),
        frames=values.frames,
        jacobians={name: _times(J, back) for name, J in values.jacobians.items()},
    )


def _place(rule: Convention, of: Freedoms | None, q: Sequence[Any]) -> list[Any]:
    """Returns the positions of one joint in the convention."""
    if of is None:
        return list(q)
    w, x, y, z = q[-4:]
    if rule.angles and of.kind != FREE:
        return _angles(rotation_of([w, x, y, z]))
    parts = [list(q[:-4]), [x, y, z, w] if rule.w_last else [w, x, y, z]]
    return [entry for part in (parts[::-1] if rule.turned_first else parts) for entry in part]


def _angles(R: Any) -> list[Any]:
    """Returns roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (xx, _, _), (yx, _, _), (zx, zy, zz) = R
    across = (xx * xx + yx * yx).sqrt()
    return [arctangent(zy, zz), arctangent(-zx, across), arctangent(yx, xx)]


def _changes(model: Model, rule: Convention, values: Values, centres: Mapping[str, Any]) -> Block:
    """Returns B, B⁻¹ and Ḃ."""
    B, back, rate = ([[0] * model.n for _ in range(model.n)] for _ in range(3))
    for at, places, of in joints(model):
        if of is None:
            B[at.start][at.start] = back[at.start][at.start] = 1
            continue
        R = _listed(rotation_of(values.q[places][-4:]))
        turned = _times(R, _listed(skew(Vec3(*values.qd[at][-3:]))))
        blocks = _blocks(rule, of, R, turned, centres[_body(model, at.start)])
        for whole, block in zip((B, back, rate), blocks, strict=True):
            for row, entries in zip(whole[at], block, strict=True):
                row[at] = entries
    return B, back, rate


def _body(model: Model, place: int) -> str:
    """Returns the name of the body whose joint has the velocity at this place."""
    name = model.coordinates[place]
    return next(body.name for body in model.bodies if body.joint.leads and name in body.joint.velocities)


def _blocks(rule: Convention, of: Freedoms, R: Matrix, turned: Matrix, centre: Any) -> Block:
    """Returns the blocks of one joint in B, B⁻¹ and Ḃ. turned: Ṙ; centre: the body's centre of mass"""
    unit, zero = [[int(i == j) for j in range(3)] for i in range(3)], [[0] * 3 for _ in range(3)]
    if of.kind != FREE:
        return (R, _transposed(R), turned) if rule.ball == PARENTS else (unit, unit, zero)
    v, v_rate = (R, turned) if rule.v == PARENTS else (unit, zero)
    w, w_rate = (R, turned) if rule.w == PARENTS else (unit, zero)
    arm = _listed(skew(Vec3(*centre))) if rule.of_com else zero
    v_back, w_back = _transposed(v), _transposed(w)
    # v' = v − v [c] ω and ω' = w ω, from which v = v_backᵀ v' + [c] w_backᵀ ω'
    B = _stacked(v, _minus(zero, _times(v, arm)), zero, w)
    back = _stacked(v_back, _times(arm, w_back), zero, w_back)
    rate = _stacked(v_rate, _minus(zero, _times(v_rate, arm)), zero, w_rate)
    if not rule.turned_first:
        return B, back, rate
    return [B[k] for k in SWAPPED], [[row[k] for k in SWAPPED] for row in back], [rate[k] for k in SWAPPED]


def _stacked(a: Matrix, b: Matrix, c: Matrix, d: Matrix) -> Matrix:
    upper = [[*left, *right] for left, right in zip(a, b, strict=True)]
    return upper + [[*left, *right] for left, right in zip(c, d, strict=True)]


def _listed(matrix: Any) -> Matrix:
    return [list(row) for row in matrix]


def _transposed(matrix: Matrix) -> Matrix:
    return _listed(zip(*matrix, strict=True))


def _times(a: Matrix, b: Matrix) -> Matrix:
    columns = _transposed(b)
    return [[inner(row, column) for column in columns] for row in a]


def _of(matrix: Matrix, vector: Sequence[Any]) -> list[Any]:
    return [inner(row, vector) for row in matrix]


def _minus(a: Matrix, b: Matrix) -> Matrix:
    return [[x - y for x, y in zip(left, right, strict=True)] for left, right in zip(a, b, strict=True)]
