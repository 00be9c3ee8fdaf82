"""Calls functions that depend on the independent coordinates of a closed chain, which may not determine the others.

The code of such a function has a last output, its regularity, which is positive where they do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from qddot.machine.compilers import buffers
from qddot.machine.compilers.batch import BatchFunction, compiled
from qddot.machine.numeric.undetermined import LEAST_RANK, is_singular, undetermined
from qddot.machine.tracing.functions import Function
from qddot.machine.tracing.joined import IN_ALL_COORDINATES, is_mixed, trace_in_all_coordinates
from qddot.physics.independent import of_loops
from qddot.physics.systems import ClosedSystem
from qddot.robot.symbol_values import all_values


class GuardedCalls:
    """This checks the regularity of results, and computes some of them without independent coordinates instead."""

    def __init__(self, system: ClosedSystem, closure: Callable[[Any, Mapping[str, Any]], tuple[Any, Any]]) -> None:
        """closure: returns φ and all rows of A at q, for some values of symbols"""
        self.system, self._closure = system, closure
        self._in_all_coordinates: dict[tuple[str, ...], BatchFunction] = {}

    def results(
        self,
        function: Function,
        code: BatchFunction,
        arrays: Sequence[Any],
        symbols: Mapping[str, Any],
        settings: Mapping[str, Any],
        out: Any,
    ) -> Any:
        """Returns a function's outputs, for its arrays and values of some symbols.

        raises EvaluationError: the independent coordinates do not determine the others in a state, unless the function
            does not depend on their choice and the loops are regular there
        """
        *results, regularity = code.with_guard([*arrays, *symbols.values()], **settings)
        singular = regularity <= 0
        if singular.any():
            results = [self._elsewhere(function, arrays, symbols, results[0], singular)]
        if out is not None:
            ports = code.interface.results
            targets = buffers.targets_of(out, ports, regularity.shape[:-1], code.dtype, function.name)
            buffers.check_apart(targets, ports, function.name)
            for target, result in zip(targets, results, strict=True):
                target[...] = result
            results = targets
        return results[0] if len(results) == 1 else tuple(results)

    def _elsewhere(
        self, function: Function, arrays: Sequence[Any], symbols: Mapping[str, Any], result: Any, singular: Any
    ) -> Any:
        """Returns the result, computed without independent coordinates in states where these are singular."""
        if function.name not in IN_ALL_COORDINATES:
            self._refuse(arrays[0], singular, symbols)
        rank, rows = len(self.system.choice.conditions), self._closure(arrays[0], symbols)[1]
        left, sizes, _ = np.linalg.svd(rows)
        lost = singular & (sizes[..., rank - 1 : rank] <= LEAST_RANK * sizes[..., :1])
        if lost.any():
            self._refuse(arrays[0], lost, symbols)
        mixing = np.swapaxes(left[..., :rank], -1, -2).reshape(*left.shape[:-2], -1)
        mixed = [mixing] if is_mixed(function.name, self.system.choice) else []
        key = (function.name, *symbols)
        if key not in self._in_all_coordinates:
            values = all_values(self.system.model, key[1:])
            program = trace_in_all_coordinates(self.system, function.name, values, key[1:])
            self._in_all_coordinates[key] = compiled(program)
        return np.where(singular, self._in_all_coordinates[key](*arrays, *mixed, *symbols.values()), result)

    def _refuse(self, q: Any, singular: Any, symbols: Mapping[str, Any]) -> NoReturn:
        """Raises EvaluationError for the first state that is singular."""
        model, choice = self.system.model, self.system.choice
        first, batch = int(singular.argmax()), singular.shape[:-1]
        states = [np.broadcast_to(each, batch).ravel()[first] for each in symbols.values()]
        own = np.asarray(q, dtype=float)
        at = np.broadcast_to(own, (*batch, own.shape[-1])).reshape(-1, own.shape[-1])[first]
        A = self._closure(at, dict(zip(symbols, states, strict=True)))[1]
        loops = of_loops(model, choice)
        if loops is not choice and not is_singular(A, choice):
            raise undetermined(model, loops, A, of_loops=True)
        raise undetermined(model, choice, A)
