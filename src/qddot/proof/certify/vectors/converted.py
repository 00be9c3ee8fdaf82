"""Converts exact values into the conventions of other programs, by the laws of `numeric.conventions` over balls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from qddot.algebra.numbers.balls import arctangent
from qddot.base.errors import EvaluationError
from qddot.machine.numeric.conventions import CONVENTIONS, Convention, changes, convention, converted, positions_there
from qddot.proof.certify.vectors.values import Values
from qddot.robot.model import Model

OURS = "qddot"


def conventions(model: Model) -> Iterator[tuple[list[str], Callable[[Values, Mapping[str, Any]], Values]]]:
    """Yields names of programs, and the function of values and centres of mass that converts values for them."""
    programs = [program for program in CONVENTIONS if _has_joints_of(model, program)]
    if not model.freedoms:
        yield [OURS, *programs], lambda values, _: values
        return
    yield [OURS], lambda values, _: values
    for program in programs:
        # a joint that turns endlessly has an angle in every convention
        yield [program], partial(_converted, model, CONVENTIONS[program]._replace(circles=False))


def _has_joints_of(model: Model, program: str) -> bool:
    try:
        convention(program, model)
    except EvaluationError:
        return False
    return True


def _converted(model: Model, rule: Convention, values: Values, centres: Mapping[str, Any]) -> Values:
    """Returns the values in a program's convention."""
    arrays = {name: np.array(part, dtype=object) for name, part in values.data().items() if not isinstance(part, dict)}
    q, _ = arrays.pop("q"), arrays.pop("h")
    by = changes(model, rule, q, arrays["qd"], centres)
    theirs = converted(by, arrays, arrays["M"])
    return Values(
        q=positions_there(model, rule, q, arctangent).tolist(),
        h=(theirs["C"] @ theirs["qd"]).tolist(),
        **{name: part.tolist() for name, part in theirs.items()},
        frames=values.frames,
        jacobians={
            name: converted(by, {"J": np.array(J, dtype=object)}, by[0])["J"].tolist()
            for name, J in values.jacobians.items()
        },
    )
