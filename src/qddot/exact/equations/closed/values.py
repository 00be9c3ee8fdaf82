"""Computes every quantity of a closed chain in one state in which its loops are closed, as NumPy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import EvaluationError
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.closed.reduced import OWN, ReducedEquations
from qddot.exact.equations.quantity_table import JOINT_PARTS
from qddot.exact.equations.state_values import InOneState, named_state
from qddot.robot.symbol_values import symbol_values

CLOSED = 1e-6  # the largest residual of closed loops [m or 1]


class ClosedValues(InOneState):
    """These are those of a closed chain, the names of whose symbols are those of its tree."""

    def __init__(self, eq: ReducedEquations, state: tuple[Any, Any, Any], symbols: Mapping[str, Any]) -> None:
        """state: q, q̇ and q̈, of which the entries of the independent coordinates count

        raises EvaluationError: a wrong state or symbol, a symbol without a value, or loops that are open
        """
        super().__init__(eq.model.name, eq)
        self._eq, tree = eq, eq.model.tree
        labels = zip(state, ("q", "qd", "qdd"), strict=True)
        self.q, self.qd, self.qdd = (named_state(tree, value, label) for value, label in labels)
        self.symbols = symbol_values(tree, symbols)
        arrays = [eq.array("A"), eq.array("phi"), *(eq.tree.array(name) for name in ("M", "G", *JOINT_PARTS))]
        self._check_complete(tree, *arrays)
        self._check_closed()

    def _check_closed(self) -> None:
        residual = np.abs(self["phi"]).max(initial=0.0)
        if not residual <= CLOSED:
            raise EvaluationError("configuration-not-closed", where=self._eq.model.name, residual=f"{residual:.3g}")

    def _compute(self, name: str) -> NDArray[np.float64]:
        return self._of_conditions(name) if name in OWN and OWN[name].in_tree else self._reduced(name)

    def _of_conditions(self, name: str) -> NDArray[np.float64]:
        rates = dict(zip(self.qd, self._R @ self._u, strict=True)) if name == "gamma" else self.qd
        return self._eq.array(name).values(Floats(self.symbols, self.q, rates))

    def _reduced(self, name: str) -> NDArray[np.float64]:
        return self._eq.array(name).values(Floats(self.symbols | self._coefficients, self.q, self.qd, self.qdd))

    @cached_property
    def _u(self) -> NDArray[np.float64]:
        return np.array([self.qd[name] for name in self._eq.independent])

    @cached_property
    def _R(self) -> NDArray[np.float64]:
        """Returns R, from A R = 0."""
        choice, A = self._eq.choice, self["A"]
        R = np.zeros((A.shape[1], len(choice.independent)))
        R[list(choice.independent)] = np.eye(R.shape[1])
        R[list(choice.dependent)] = self._solved(-A[:, list(choice.independent)])
        return R

    def _solved(self, right: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the solution for the dependent coordinates."""
        return np.asarray(np.linalg.solve(self["A"][:, list(self._eq.choice.dependent)], right), dtype=np.float64)

    @cached_property
    def _coefficients(self) -> dict[str, float]:
        """Returns r_kj and r_kj,l; the latter solve A_d r = −Ȧ R along the motions of the independent coordinates."""
        of = self._eq.coefficients
        first = {name: float(self._R[place]) for place, name in of.names.items()}
        numbers, slopes = Floats(self.symbols | first, self.q, self.qd, self.qdd), dict[str, float]()
        for j, l in of.pairs:
            right = ExactArray.of(of.slope_ring, of.right_sides(j, l)).values(numbers)
            column = self._solved(-right)
            slopes |= {of.slopes[k, j, l]: float(x) for k, x in zip(of.dependent, column, strict=True)}
        return first | slopes
