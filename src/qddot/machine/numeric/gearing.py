"""Maps torques and motions between the motors of an arm and its joints, by the ratios of its rotors.

A motor turns by q_m = A q with a row of A for each rotor, so that equal power, τ · q̇ = τ_m · q̇_m, gives τ = Aᵀ τ_m.
Source: Siciliano et al., *Robotics*, 2009, §5.1 and §7.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import finite, together
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import EvaluationError, shortened
from qddot.base.words.message import Listed
from qddot.robot.model import Model
from qddot.robot.rotors import rotors_of
from qddot.robot.symbol_values import refuse_missing

SINGULAR = 1e-12  # the least singular value of A, relative to the largest


def ratios(model: Model) -> Any:
    """Returns A, with a row for each rotor and a column for each coordinate that has a motor.

    raises EvaluationError: A is not square and regular, so that motors and joints do not determine each other
    """
    values, driven = model.defaults(), [model.coordinates[k] for k in model.drives]
    rotors = {body.name: of for body, _, of in rotors_of(model.bodies)}
    used = {name for of in rotors.values() for n in of.values() for name in expression(n).symbols()}
    refuse_missing(used - {*values, "pi"}, model.name)
    A = np.array(
        [[(Expression.constant(0) + of.get(name, 0)).value(values) for name in driven] for of in rotors.values()]
    ).reshape(len(rotors), len(driven))
    sizes = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
    if len(rotors) != len(driven) or not sizes.size or sizes[-1] <= SINGULAR * sizes[0]:
        rank = int((sizes > SINGULAR * sizes.max(initial=0)).sum())
        names = Listed(driven)
        raise EvaluationError("coupling-not-regular", where=model.name, count=len(rotors), names=names, rank=rank)
    return A


def motor_torques(model: Model, tau: Any, qd: Any, efficiency: Any) -> Any:
    """Returns τ_m of the motors; arguments and errors are those of `Robot.motor_torques`."""
    A, drives = ratios(model), list(model.drives)
    rows = _together(_rows(tau, "tau", model), qd, model)
    needed = np.linalg.solve(A.T, rows[..., drives, None])[..., 0]
    losses, power = _losses(efficiency, len(A), qd), needed * _speeds(A, qd, model)
    return np.where(power > 0, needed / losses, needed * losses)


def joint_torques(model: Model, tau: Any, qd: Any, efficiency: Any) -> Any:
    """Returns τ in the joints; arguments and errors are those of `Robot.joint_torques`."""
    A, drives = ratios(model), list(model.drives)
    given = finite(tau, "tau_m")
    if given.shape[-1:] != (len(A),):
        raise EvaluationError("motors-of-another-size", shape=given.shape, size=len(A))
    _together(given, qd, model)
    losses, power = _losses(efficiency, len(A), qd), given * _speeds(A, qd, model)
    after = np.where(power > 0, given * losses, given / losses)
    joints = np.zeros((*after.shape[:-1], model.n))
    joints[..., drives] = after @ A
    return joints


def _together(rows: Any, qd: Any, model: Model) -> Any:
    """Returns rows after a check that they fit the rates. raises EvaluationError: they do not"""
    if qd is not None:
        together([rows[..., 0], _rows(qd, "qd", model)[..., 0]])
    return rows


def _rows(values: Any, what: str, model: Model) -> Any:
    array = finite(values, what)
    if array.shape[-1:] != (model.n,):
        raise EvaluationError("motors-of-another-size", shape=array.shape, size=model.n)
    return array


def _speeds(A: Any, qd: Any, model: Model) -> Any:
    """Returns q̇_m, or 0 where the joints' rates are not given."""
    return 0.0 if qd is None else _rows(qd, "qd", model)[..., list(model.drives)] @ A.T


def _losses(efficiency: Any, count: int, qd: Any) -> Any:
    eta = finite(efficiency, "efficiency")
    if qd is None and (eta != 1).any():
        raise EvaluationError("efficiency-without-rates")
    if eta.shape not in ((), (count,)) or not ((eta > 0) & (eta <= 1)).all():
        raise EvaluationError("efficiency-wrong", efficiency=shortened(efficiency), count=count)
    return eta
