"""Calls the compiled functions of a closed chain, each traced and compiled at its first call."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.compilers.batch import BatchFunction, compiled
from qddot.dynamics.independent import Choice
from qddot.model.closed_model import ClosedModel
from qddot.numeric.names import refuse_missing
from qddot.tracing import closed


class ClosedCalls:
    """This has the compiled functions of one closed chain with one choice of independent coordinates."""

    def __init__(self, model: ClosedModel, choice: Choice) -> None:
        self.model, self.choice = model, choice
        self._functions: dict[str, BatchFunction] = {}

    def results(self, name: str, *arrays: Any, **settings: Any) -> Any:
        """Returns a function's outputs. raises EvaluationError: wrong shapes, or a symbol without a value"""
        if name not in self._functions:
            values = self.values()
            self._functions[name] = compiled(closed.trace(self.model, self.choice, name, values))
        return self._functions[name](*arrays, **settings)

    def values(self) -> dict[str, float]:
        """Returns the values of all symbols. raises EvaluationError: one that is used has none"""
        tree = self.model.tree
        values = tree.defaults()
        refuse_missing(tree, sorted(self.model.used_symbols - set(values)))
        return {**dict.fromkeys(tree.symbols, 0.0), **values}

    def closure(self, q: Any) -> tuple[Any, Any]:
        """Returns φ and A at q."""
        phi, A = self.results("closure", np.asarray(q, dtype=float))
        return phi, A
