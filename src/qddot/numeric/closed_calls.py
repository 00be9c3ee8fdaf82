"""Calls the compiled functions of a closed chain, each traced and compiled at its first call."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from qddot.checked_arrays import numbers
from qddot.compilers.batch import BatchFunction, compiled
from qddot.dynamics.independent import Choice
from qddot.errors import EvaluationError
from qddot.model.closed_model import ClosedModel
from qddot.numeric.manifold import with_unit_quaternions
from qddot.numeric.names import refuse_missing, symbols_of
from qddot.numeric.possible_values import refuse
from qddot.tracing import closed


class ClosedCalls:
    """This has the compiled functions of one closed chain with one choice of independent coordinates."""

    def __init__(self, model: ClosedModel, choice: Choice) -> None:
        self.model, self.choice = model, choice
        self._functions: dict[tuple[str, ...], BatchFunction] = {}

    def results(self, name: str, /, *arrays: Any, out: Any = None, **symbols: Any) -> Any:
        """Returns a function's outputs.

        symbols: values of symbols in each state, by name; the others have their defaults
        raises EvaluationError: wrong shapes, an unknown symbol, or a symbol without a value; ModelError: no robot has
            such values of the symbols
        """
        key, tree = (name, *sorted(symbols)), self.model.tree
        if key not in self._functions:
            free = symbols_of(tree, key[1:], closed.FUNCTIONS[name][0])
            program = closed.trace(self.model, self.choice, name, self.values(free), free)
            self._functions[key] = compiled(program)
        if symbols:
            refuse(tree, symbols)
        q, *others = arrays
        return self._functions[key](
            with_unit_quaternions(tree, q), *others, *map(symbols.__getitem__, key[1:]), out=out
        )

    def values(self, free: Collection[str] = ()) -> dict[str, float]:
        """Returns the default of each symbol, or 0 if it has none. raises EvaluationError: one that is used has none"""
        tree = self.model.tree
        values = tree.defaults()
        refuse_missing(tree, sorted(self.model.used_symbols - {*values, *free}))
        return {**dict.fromkeys(tree.symbols, 0.0), **values}

    def closure(self, q: Any, **symbols: Any) -> tuple[Any, Any]:
        """Returns φ and A at q."""
        phi, A = self.results("closure", numbers(q, "q", error=EvaluationError), **symbols)
        return phi, A
