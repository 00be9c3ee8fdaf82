"""Traces a function of a system into a Program: the dynamics are evaluated with nodes of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from qddot.algebra.program.factors import factored
from qddot.algebra.program.program import GUARD, Program
from qddot.base.errors import QddotError, check_one_of, is_one_of, shortened
from qddot.base.system.collector import without_collector
from qddot.base.words.message import Either, Listed, say
from qddot.machine.tracing import choice
from qddot.machine.tracing.chains import ILL, LEAST, TracedChain
from qddot.machine.tracing.choice import Way
from qddot.machine.tracing.functions import FUNCTIONS, INVERSE_DYNAMICS, OF_COORDINATES, PUT_TOGETHER, Function
from qddot.machine.tracing.joined import IN_ALL_COORDINATES
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.of_model import has_bodies
from qddot.physics.systems import ClosedSystem, System
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model


def trace(
    system: System,
    name: str,
    values: Mapping[str, float],
    free: Sequence[str] = (),
    wrenches: bool = False,
    **options: Any,
) -> Program:
    """Returns the Program of one function with the fewest operations.

    values: values of all symbols except those in `free`, which become inputs after the arrays
    wrenches: whether the inputs include external wrenches
    raises QddotError: the function or an option is unknown, or the system has no such function
    """
    function = _checked(system, name, options, wrenches)
    chosen = function.chosen(options)

    with without_collector():  # all nodes stay until the end
        traced = TracedArm.with_ports(system, function.inputs, values, free)
        if isinstance(system, ClosedSystem):
            return _of_chain(function, TracedChain(traced, system), **chosen)
        algorithms = function.algorithms(traced) if function.algorithms else ()

        def written(way: Way) -> Program:
            by = {"algorithm": way.algorithm} if way.algorithm else {}
            return _written(function, traced, way, **by, **chosen)

        if not has_bodies(system.tree):  # there are no inertias that would be shorter in other frames
            return factored(traced.graph.program(name, function.plainly(traced, **chosen), function.units))
        return choice.shortest(written, free, torques(system.tree, values, free), algorithms)


def _of_chain(function: Function, chain: TracedChain, **options: Any) -> Program:
    """Returns the program of a closed chain's function, with its regularity if it depends on the choice of rates."""
    outputs = function.plainly(chain, **options)
    if chain.depends_on_choice:
        outputs[GUARD] = [chain.regularity(least_of(function.name))]
    return factored(chain.graph.program(function.name, outputs, function.units))


def least_of(name: str) -> float:
    """Returns the threshold of a function's regularity."""
    return ILL if name in IN_ALL_COORDINATES else LEAST


def torques(model: Model, values: Mapping[str, float], free: Sequence[str]) -> Callable[[Way], Program]:
    """Returns the function that writes the inverse dynamics of a model, by which frames of long programs are chosen."""
    arm = cache(lambda: TracedArm.with_ports(model, INVERSE_DYNAMICS.inputs, values, free))
    return lambda way: _written(INVERSE_DYNAMICS, arm(), way)


def _written(function: Function, traced: TracedArm, way: Way, **options: Any) -> Program:
    """Returns a function of an arm computed in one way; only nodes of the arm itself stay in the graph."""
    moving = traced.in_frames(way.frames)
    with traced.graph.tried():
        return traced.graph.program(function.name, function.results(moving, **options), function.units)


def _checked(system: System, name: str, options: Mapping[str, Any], wrenches: bool) -> Function:
    """Returns the function with this name and options. raises QddotError: there is none"""
    if is_one_of(name, PUT_TOGETHER):
        raise QddotError("function-put-together", name=name, parts=Listed(PUT_TOGETHER[name]))
    check_one_of(name, FUNCTIONS, say("no-function"), QddotError)
    function = FUNCTIONS[name]
    if function.of_loops and not isinstance(system, ClosedSystem):
        raise QddotError("function-of-chains", name=name, system=system.name)
    for option in options:
        if option not in function.options:
            raise QddotError(
                "no-such-option", name=name, option=repr(option), expected=Listed(function.options) or say("no-options")
            )
    if not isinstance(wrenches, bool) or (wrenches and not function.pushed):
        names = Either(each.name for each in FUNCTIONS.values() if each.pushed)
        raise QddotError("wrenches-not-taken", name=name, wrenches=shortened(wrenches), names=names)
    if function.name in OF_COORDINATES:
        refuse_several(system.tree, say("the-function", name=name))
    return function.with_wrenches if wrenches else function
