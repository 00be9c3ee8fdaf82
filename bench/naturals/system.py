"""A tree, or a closed chain, that a torque drives: the rates of its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from naturals.closed import RANK, Conditions
from naturals.tree import tree_of

Torque = Callable[[float, Any, Any], Any]


class System:
    """A state is (q, v) in one array; closed: the conditions of loops and wheels, or None."""

    def __init__(self, model: Any, torque: Torque) -> None:
        closed = hasattr(model, "loops")
        self.tree = tree_of(model.tree)
        self.closed = Conditions(model, self.tree) if closed else None
        self.torque = torque

    def halves(self, x: Any) -> tuple[Any, Any]:
        return x[: self.tree.positions], x[self.tree.positions :]

    def rate(self, t: float, x: Any) -> Any:
        q, v = self.halves(x)
        M, bias = self.tree.evaluated(q, v)
        force = self.torque(t, q, v) - bias
        if self.closed is None:
            return np.concatenate([self.tree.rates(q, v), np.linalg.solve(M, force)])
        _, A, drift = self.closed.rows(q, v)
        size, weight = np.linalg.norm(A, axis=1), np.abs(M).max()
        some = size > RANK * size.max()  # a plane's conditions out of the plane have no rows
        # each row of the mass matrix's size
        A, drift = weight * A[some] / size[some, None], weight * drift[some] / size[some]
        m, n = A.shape
        left = np.block([[M, A.T], [A, np.zeros((m, m))]])
        right = np.concatenate([force, -drift])
        return np.concatenate([self.tree.rates(q, v), np.linalg.lstsq(left, right, rcond=RANK**1.5)[0][:n]])

    def settled(self, x: Any) -> Any:
        """Returns the state with unit quaternions, closed loops and allowed velocities."""
        q, v = self.halves(x)
        q = self.tree.unit(q)
        if self.closed is None:
            return np.concatenate([q, v])
        near = self.closed.closed(q)
        if near is None:
            raise ArithmeticError("the loops cannot be closed")
        return np.concatenate([near, self.closed.allowed(near, v)])

    def stiffness(self, t: float, x: Any) -> float:
        """Returns the largest size of an eigenvalue of the rates' Jacobian [1/s], by differences."""
        base, columns = self.rate(t, x), []
        for k in range(len(x)):
            moved = x.copy()
            moved[k] += 1e-7
            columns.append((self.rate(t, moved) - base) / 1e-7)
        return float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())
