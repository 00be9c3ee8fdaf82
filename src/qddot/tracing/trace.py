"""Traces a function of an arm into a Program: the dynamics are evaluated with nodes of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qddot.errors import QddotError, near, shortened
from qddot.model.model import Model
from qddot.program.program import Program
from qddot.system.collector import without_collector
from qddot.tracing import choice
from qddot.tracing.arms import Arm, algorithms
from qddot.tracing.choice import Way
from qddot.tracing.functions import FUNCTIONS, INVERSE_DYNAMICS, Function


def trace(
    model: Model,
    name: str,
    values: Mapping[str, float],
    free: Sequence[str] = (),
    wrenches: bool = False,
    **options: Any,
) -> Program:
    """Returns the Program of one function, in the way with the fewest operations.

    values: those of all symbols except those in `free`, which become inputs after the arrays
    wrenches: whether the inputs include external wrenches
    raises QddotError: an unknown function or option
    """
    function = _checked(name, options, wrenches)
    chosen = function.chosen(options)

    def written(way: Way) -> Program:
        arm = Arm.with_ports(model, function.arrays, values, free, way.sliding)
        by = {"algorithm": way.algorithm} if function.algorithms else {}
        return arm.graph.program(name, function.compute(arm, **by, **chosen))

    with without_collector():  # all nodes stay to the end
        by = algorithms(model, values, free, function.algorithms) if function.algorithms else ()
        return choice.shortest(written, free, torques(model, values, free), by)


def torques(model: Model, values: Mapping[str, float], free: Sequence[str]) -> Callable[[Way], Program]:
    """Returns what writes the inverse dynamics of a model, by which frames are chosen for long programs."""

    def written(way: Way) -> Program:
        arm = Arm.with_ports(model, INVERSE_DYNAMICS.arrays, values, free, way.sliding)
        return arm.graph.program(INVERSE_DYNAMICS.name, INVERSE_DYNAMICS.compute(arm))

    return written


def _checked(name: str, options: Mapping[str, Any], wrenches: bool) -> Function:
    """Returns the function with this name, which has these options. raises QddotError: there is none"""
    if not isinstance(name, str) or name not in FUNCTIONS:
        raise QddotError(f"no function {shortened(name)}", expected=", ".join(FUNCTIONS), remedy=near(name, FUNCTIONS))
    function = FUNCTIONS[name]
    for option in options:
        if option not in function.options:
            raise QddotError(f"{name} has no option {option!r}", expected=", ".join(function.options) or "none")
    if not isinstance(wrenches, bool) or (wrenches and not function.pushed):
        known = " or ".join(each.name for each in FUNCTIONS.values() if each.pushed)
        raise QddotError(f"{name} with wrenches={shortened(wrenches)}", expected=f"True, with {known}")
    return function.with_wrenches if wrenches else function
