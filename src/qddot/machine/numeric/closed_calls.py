"""Calls the compiled functions of a closed chain, each traced and compiled at its first call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from qddot.algebra.checked_arrays import numbers
from qddot.algebra.program.program import Program
from qddot.base.errors import EvaluationError
from qddot.machine.compilers.batch import BatchFunction, compiled
from qddot.machine.numeric.manifold import with_unit_quaternions
from qddot.machine.numeric.possible_values import refuse
from qddot.machine.numeric.undetermined import LEAST_RANK, is_singular, undetermined
from qddot.machine.tracing import closed
from qddot.physics.independent import Independents, of_loops
from qddot.robot.closed_model import ClosedModel
from qddot.robot.symbol_values import refuse_missing, symbols_of


class ClosedCalls:
    """This has the compiled functions of one closed chain with one choice of independent coordinates."""

    def __init__(self, model: ClosedModel, choice: Independents) -> None:
        self.model, self.choice = model, choice
        self._functions: dict[tuple[str, ...], BatchFunction] = {}

    def results(self, name: str, /, *arrays: Any, **symbols: Any) -> Any:
        """Returns a function's outputs.

        symbols: values of symbols in each state, by name; the others have their defaults
        raises EvaluationError: wrong shapes, an unknown symbol, a symbol without a value, or a configuration in which
            the independent coordinates do not determine the others, unless the function does not depend on their
            choice; ModelError: no robot has such values of the symbols
        """
        if symbols:
            symbols_of(self.model.tree, tuple(symbols), closed.FUNCTIONS[name][0])
            refuse(self.model.tree, symbols)
        q, *others = arrays
        arguments = with_unit_quaternions(self.model.tree, q), *others
        outputs = self._called(closed.trace, name, arguments, symbols)
        if not closed.is_checked(name, self.choice):
            return outputs
        *results, regularity = outputs
        singular = regularity <= 0
        if singular.any():
            results = [self._in_all_coordinates(name, arguments, symbols, results[0], singular)]
        return results[0] if len(results) == 1 else tuple(results)

    def _called(
        self, trace: Callable[..., Program], name: str, arguments: Sequence[Any], symbols: Mapping[str, Any]
    ) -> Any:
        """Returns the outputs of the function that `trace` writes."""
        key = (trace.__name__, name, *sorted(symbols))
        if key not in self._functions:
            self._functions[key] = compiled(trace(self.model, self.choice, name, self.values(key[2:]), key[2:]))
        return self._functions[key](*arguments, *map(symbols.__getitem__, key[2:]))

    def _in_all_coordinates(
        self, name: str, arguments: Sequence[Any], symbols: Mapping[str, Any], result: Any, singular: Any
    ) -> Any:
        """Returns the result, computed without independent coordinates in states where these are singular.

        raises EvaluationError: the function depends on their choice, or the loops themselves are singular
        """
        if name not in closed.IN_ALL_COORDINATES:
            self._refuse(arguments[0], singular, symbols)
        rank, rows = len(self.choice.conditions), self.closure(arguments[0], **symbols)[1]
        left, sizes, _ = np.linalg.svd(rows)
        lost = singular & (sizes[..., rank - 1 : rank] <= LEAST_RANK * sizes[..., :1])
        if lost.any():
            self._refuse(arguments[0], lost, symbols)
        mixing = np.swapaxes(left[..., :rank], -1, -2).reshape(*left.shape[:-2], -1)
        mixed = [mixing] if closed.is_mixed(name, self.choice) else []
        return np.where(
            singular, self._called(closed.trace_in_all_coordinates, name, [*arguments, *mixed], symbols), result
        )

    def _refuse(self, q: Any, singular: Any, symbols: Mapping[str, Any]) -> NoReturn:
        """Raises EvaluationError for the first state that is singular."""
        first, batch = int(singular.argmax()), singular.shape[:-1]
        states = [np.broadcast_to(each, batch).ravel()[first] for each in symbols.values()]
        own = np.asarray(q, dtype=float)
        at = np.broadcast_to(own, (*batch, own.shape[-1])).reshape(-1, own.shape[-1])[first]
        A = self.closure(at, **dict(zip(symbols, states, strict=True)))[1]
        loops = of_loops(self.model, self.choice)
        if loops is not self.choice and not is_singular(A, self.choice):
            raise undetermined(self.model, loops, A, of_loops=True)
        raise undetermined(self.model, self.choice, A)

    def values(self, free: Collection[str] = ()) -> dict[str, float]:
        """Returns the default of each symbol, or 0 if it has none. raises EvaluationError: one that is used has none"""
        tree = self.model.tree
        values = tree.defaults()
        refuse_missing(self.model.used_symbols - {*values, *free}, tree.name)
        return {**dict.fromkeys(tree.symbols, 0.0), **values}

    def closure(self, q: Any, **symbols: Any) -> tuple[Any, Any]:
        """Returns φ and A at q."""
        phi, A = self.results("closure", numbers(q, "q", error=EvaluationError), **symbols)
        return phi, A
