"""Refuses values of symbols that no robot has, in calls and runs of many states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.program import Program
from qddot.base.records import Named
from qddot.machine.compilers import blocks
from qddot.machine.tracing.possible import least_margin
from qddot.machine.tracing.trace import trace
from qddot.robot.model import Model


def refuse(model: Model, values: Mapping[str, Any], divided: bool = False) -> None:
    """Raises ModelError for the first values of symbols, of one state or of several, that no robot has.

    divided: whether EvaluationError is raised for those with which a joint moves no inertia
    Where rounding could decide, the exact rule of the description does. NaN, ∞ and what is no number are
    not judged: the functions that take the values say what they make of them.
    """
    program = _program(Named(model.hash, model), tuple(values), divided)
    if program is None:
        return
    try:
        arrays = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in values.values()))
    except (TypeError, ValueError, OverflowError):
        return
    rows = np.stack([array.ravel() for array in arrays])
    with np.errstate(all="ignore"):
        results = Walk(program, blocks.functions(), float)([[0.0], *([row] for row in rows)])
    ((_, (place,)),) = program.result_slices()
    is_bad = ~(np.broadcast_to(results[place], rows.shape[1:]) >= 0)
    for k in np.flatnonzero(is_bad & np.isfinite(rows).all(axis=0)):
        own = dict(zip(values, map(float, rows[:, k]), strict=True))
        model.check_values(own)
        if divided:
            trace(model, "forward_dynamics", {**model.defaults(), **own})


@lru_cache(maxsize=64)
def _program(key: Named[Model], free: tuple[str, ...], divided: bool) -> Program | None:
    return least_margin(key.value, free, divided)
