"""Computes an arm's functions that a traced law calls: the results are signals, whose nodes join the law's graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qddot.algebra.program.graph import Symbolic
from qddot.algebra.program.signal import Signal
from qddot.base.errors import EvaluationError, refuse_masked
from qddot.base.words.message import say
from qddot.machine.tracing.chains import TracedChain
from qddot.machine.tracing.functions import Function
from qddot.machine.tracing.ports import WRENCHES
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.dynamics import OWN, SLID
from qddot.physics.systems import ClosedSystem, System
from qddot.robot.symbol_values import refuse_missing

DEEPEST = 3  # nesting of lists: wrenches on bodies, in a batch


def has_signals(arrays: Sequence[Any]) -> bool:
    """Returns whether the arrays contain a signal."""
    return any(_first(array) is not None for array in arrays)


def _first(array: Any, depth: int = DEEPEST) -> Signal | None:
    """Returns the first signal in an array, a list or a signal itself, or None if there are only numbers."""
    if isinstance(array, Signal):
        return array
    if not depth:
        return None
    if not isinstance(array, np.ndarray | list | tuple) or (isinstance(array, np.ndarray) and array.dtype != object):
        return None
    return next((signal for part in array if (signal := _first(part, depth - 1)) is not None), None)


def computed(
    system: System, function: Function, arrays: Sequence[Any], values: Mapping[str, Any], options: Mapping[str, Any]
) -> Any:
    """Returns a function's outputs for one state as arrays of signals.

    raises EvaluationError: the arrays are not those of one state, or a symbol has no value
    """
    like = next(signal.node for array in arrays if (signal := _first(array)) is not None)
    ports = zip(function.inputs, arrays, strict=True)
    nodes = {port.name: _nodes(array, port.name, port.shape(system), like) for port, array in ports}
    system = system.with_given(values)
    symbols = {**system.tree.defaults(), **{name: _node(value, like) for name, value in values.items()}}
    refuse_missing(system.used_symbols - set(symbols), system.name)
    # frames with few operations, usually those of the plant; the links' own frames if wrenches are given in them
    frames = OWN if WRENCHES in nodes else SLID
    tree = TracedArm(system.tree, like.graph, nodes, symbols, frames)
    traced = TracedChain(tree, system) if isinstance(system, ClosedSystem) else tree
    outputs = [_signals(result, like) for result in function.plainly(traced, **options).values()]
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def _nodes(array: Any, name: str, shape: tuple[int, ...], like: Symbolic) -> list[Symbolic]:
    entries = np.asarray(array, dtype=object)
    if entries.shape != shape:
        raise EvaluationError("argument-in-a-law-misshapen", name=name, shape=entries.shape, expected=shape)
    return [_node(entry, like) for entry in entries.ravel()]


def _node(value: Any, like: Symbolic) -> Symbolic:
    refuse_masked(value, say("value-in-a-law"), EvaluationError)
    return value.node if isinstance(value, Signal) else like.graph.constant(float(value))


def _signals(nested: Any, like: Symbolic) -> Any:
    """Returns nested lists of nodes and numbers as an array of signals, or one signal."""
    if not isinstance(nested, list | tuple):
        return Signal(nested if isinstance(nested, Symbolic) else like.graph.constant(float(nested)))
    parts = [_signals(part, like) for part in nested]
    array = np.empty(
        (len(parts), *np.shape(parts[0])) if isinstance(parts[0], np.ndarray) else len(parts), dtype=object
    )
    for k, part in enumerate(parts):
        array[k] = part
    return array
