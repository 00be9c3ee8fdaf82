"""Traces a function of an arm into a Program: the dynamics are evaluated with nodes of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from qddot.algebra.freedoms import refuse_several
from qddot.algebra.program.factors import factored
from qddot.algebra.program.program import Program
from qddot.base.errors import QddotError, check_one_of, shortened
from qddot.base.system.collector import without_collector
from qddot.machine.tracing import choice
from qddot.machine.tracing.choice import Way
from qddot.machine.tracing.functions import FUNCTIONS, INVERSE_DYNAMICS, OF_COORDINATES, Function
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.dynamics import COMPOSITE
from qddot.physics.of_model import has_bodies
from qddot.robot.model import Model


def trace(
    model: Model,
    name: str,
    values: Mapping[str, float],
    free: Sequence[str] = (),
    wrenches: bool = False,
    **options: Any,
) -> Program:
    """Returns the Program of one function with the fewest operations.

    values: values of all symbols except those in `free`, which become inputs after the arrays
    wrenches: whether the inputs include external wrenches
    raises QddotError: the function or an option is unknown
    """
    function = _checked(name, options, wrenches)
    if function.name in OF_COORDINATES:
        refuse_several(model, f"the function {name}")
    chosen = function.chosen(options)

    with without_collector():  # all nodes stay until the end
        traced = TracedArm.with_ports(model, function.arrays, values, free)
        algorithms = function.algorithms(traced) if function.algorithms else ()

        def written(way: Way) -> Program:
            by = {"algorithm": way.algorithm} if algorithms else {}
            return _written(function, traced, way, **by, **chosen)

        if not has_bodies(model):  # there are no inertias that would be shorter in other frames
            by = {"algorithm": COMPOSITE} if algorithms else {}
            return factored(traced.graph.program(name, function.compute(traced, **by, **chosen)))
        return choice.shortest(written, free, torques(model, values, free), algorithms)


def torques(model: Model, values: Mapping[str, float], free: Sequence[str]) -> Callable[[Way], Program]:
    """Returns the function that writes the inverse dynamics of a model, by which frames of long programs are chosen."""
    arm = cache(lambda: TracedArm.with_ports(model, INVERSE_DYNAMICS.arrays, values, free))
    return lambda way: _written(INVERSE_DYNAMICS, arm(), way)


def _written(function: Function, traced: TracedArm, way: Way, **options: Any) -> Program:
    """Returns a function of an arm computed in one way; only nodes of the arm itself stay in the graph."""
    moving = traced.in_frames(way.frames)
    with traced.graph.tried():
        return traced.graph.program(function.name, function.compute(moving, **options))


def _checked(name: str, options: Mapping[str, Any], wrenches: bool) -> Function:
    """Returns the function with this name and options. raises QddotError: there is none"""
    check_one_of(name, FUNCTIONS, "no function", QddotError)
    function = FUNCTIONS[name]
    for option in options:
        if option not in function.options:
            raise QddotError(f"{name} has no option {option!r}", expected=", ".join(function.options) or "none")
    if not isinstance(wrenches, bool) or (wrenches and not function.pushed):
        names = " or ".join(each.name for each in FUNCTIONS.values() if each.pushed)
        raise QddotError(f"{name} with wrenches={shortened(wrenches)}", expected=f"False, or True with {names}")
    return function.with_wrenches if wrenches else function
