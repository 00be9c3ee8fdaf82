"""Derives the exact equations of a closed chain in independent coordinates: M̄ u̇ + C̄ u + Ḡ + springs + friction = Rᵀ τ.

With q̇ = R u, the forces of the loops do no work: Rᵀ Aᵀ λ = 0. M̄ = Rᵀ M R, C̄ = Rᵀ (C R + M Ṙ) and Ḡ = Rᵀ G, so that
dM̄/dt − 2C̄ is skew. With spherical and free joints, q̇ stands for the velocities, of which some are no rates.
Source: Murray, Li, Sastry, *A Mathematical Introduction to Robotic Manipulation*, 1994, §6.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import inner, summed
from qddot.base.errors import ModelError, QddotError, check_one_of
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.closed.coefficients import Coefficients
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.shortest_angles import in_absolute_angles
from qddot.physics.algorithms import closure
from qddot.physics.independent import Independents, chosen
from qddot.robot.closed_model import ClosedModel, names_of_conditions

REDUCED = ("M", "C", "h", "G", "springs", "friction", "tau", "R")
OF_LOOPS = ("phi", "A", "gamma")


class ReducedEquations:
    """These are the equations of one closed chain.

    tree: the quantities of the chain without its loops, M q̈ + h + G + springs + friction = τ + Aᵀ λ
    """

    def __init__(self, model: ClosedModel, choice: Independents | None = None) -> None:
        """choice: of independent coordinates, by default that of `chosen`"""
        self.model = model
        self.choice = choice or chosen(model)
        self.tree = Quantities(model.tree, ring=in_absolute_angles(model.tree))
        self._arrays: dict[str, ExactArray] = {}
        self._check_constants()

    @property
    def independent(self) -> tuple[str, ...]:
        return tuple(self.model.tree.coordinates[k] for k in self.choice.independent)

    @property
    def dependent(self) -> tuple[str, ...]:
        return tuple(self.model.tree.coordinates[k] for k in self.choice.dependent)

    @cached_property
    def phi(self) -> list[Any]:
        """Returns all conditions of loops over the tree's ring; some may be zero."""
        evaluate = partial(Expression.evaluate, numbers=self.tree.ring)
        residuals = closure.residuals(self.tree.dynamics.mechanism, self.model, evaluate)
        return list(map(self.tree.ring.convert, residuals))

    @cached_property
    def A(self) -> list[list[Any]]:
        """Returns the independent rows of A, over the tree's ring."""
        rows = closure.jacobian(self.tree.dynamics.mechanism, self.model)
        return [list(map(self.tree.ring.convert, rows[k])) for k in self.choice.conditions]

    @cached_property
    def coefficients(self) -> Coefficients:
        return Coefficients(
            self.tree.ring, self.A, self.choice, self.model.integrable and not self.model.tree.freedoms, self.model.name
        )

    def array(self, name: str) -> ExactArray:
        """Returns a quantity. raises QddotError: an unknown name"""
        check_one_of(name, (*REDUCED, *OF_LOOPS), "no quantity", QddotError)
        if name not in self._arrays:
            ring = self.tree.ring if name in OF_LOOPS else self.coefficients.ring
            symmetric = (0, 1) if name == "M" else None
            self._arrays[name] = ExactArray.of(ring, self._entries(name), name, symmetric)
        return self._arrays[name]

    def _entries(self, name: str) -> Any:
        """Returns the entries of a quantity as nested lists."""
        ways: dict[str, Callable[[], Any]] = {
            "phi": lambda: [self.phi[k] for k in self.choice.conditions if k < len(self.phi)],
            "A": lambda: self.A,
            "gamma": self._gamma,
            "R": lambda: self.coefficients.R,
            "M": self._M,
            "C": self._C,
            "h": lambda: [_product(row, self.coefficients.u) for row in self.array("C").nested],
            "G": lambda: self._onto(list(map(self.coefficients.ring.convert, self.tree.G.entries))),
            "springs": lambda: self._onto(list(map(self.coefficients.moving, self.tree.springs.entries))),
            "friction": lambda: self._onto(list(map(self.coefficients.moving, self.tree.friction.entries))),
            "tau": self._tau,
        }
        return ways[name]()

    def _gamma(self) -> list[Any]:
        """Returns γ = Ȧ q̇, so that A q̈ = −γ."""
        ring, qd = self.tree.ring, self.tree.dynamics.mechanism.qd
        moving = [inner(row, qd) for row in self.A]
        return [_product((ring.differentiate(speed, name) for name in ring.coordinates), qd) for speed in moving]

    def _onto(self, vector: list[Any]) -> list[Any]:
        """Returns Rᵀ times a vector."""
        R = self.coefficients.R
        return [_product((row[j] for row in R), vector) for j in range(self.coefficients.m)]

    @cached_property
    def _tree_M(self) -> list[list[Any]]:
        return [[self.coefficients.ring.convert(entry) for entry in row] for row in self.tree.M.nested]

    def _M(self) -> list[list[Any]]:
        R, m = self.coefficients.R, range(self.coefficients.m)
        MR = [[_product(row, (each[j] for each in R)) for j in m] for row in self._tree_M]
        columns = [self._onto([row[j] for row in MR]) for j in m]
        return [[columns[max(i, j)][min(i, j)] for j in m] for i in m]

    def _C(self) -> list[list[Any]]:
        """Returns Rᵀ (C R + M Ṙ), with the tree's C at q̇ = R u."""
        of, n = self.coefficients, range(self.tree.n)
        christoffel = self.tree.christoffel.nested
        C = [[_product(map(of.ring.convert, christoffel[i][j]), of.rates) for j in n] for i in n]
        columns = []
        for j in range(of.m):
            R, slope = [row[j] for row in of.R], [row[j] for row in of.R_rate]
            columns.append(self._onto([_product(C[i], R) + _product(self._tree_M[i], slope) for i in n]))
        return [list(row) for row in zip(*columns, strict=True)]

    def _tau(self) -> list[Any]:
        """Returns Rᵀ τ, the torques that the motion requires along the independent coordinates."""
        accelerations = [self.coefficients.ring.acceleration(name) for name in self.independent]
        inertial = [inner(row, accelerations) for row in self.array("M").nested]
        others = zip(*(self.array(name).entries for name in ("h", "G", "springs", "friction")), strict=True)
        return [summed((first, *rest)) for first, rest in zip(inertial, others, strict=True)]

    def _check_constants(self) -> None:
        """Raises ModelError for a condition that no coordinate changes and that is not zero."""
        from qddot.exact.printing import text

        names = self.tree.ring.coordinates
        loops = [loop for loop in self.model.loops for _ in range(loop.conditions.number)]
        for loop, own, condition in zip(loops, names_of_conditions(self.model), self.phi, strict=False):
            if condition and not any(self.tree.ring.differentiate(condition, name) for name in names):
                which = own.removeprefix(f"{loop.name}, ")
                raise ModelError(
                    f"its condition {which} requires {text.polynomial(condition)} = 0, which no joint can change",
                    where=f"{self.model.name}: loop {loop.name!r}",
                    remedy="correct the loop's frames, or choose a type with fewer conditions",
                )


def _product(a: Iterable[Any], b: Iterable[Any]) -> Any:
    """Returns Σ a_k b_k, in which many terms are zero."""
    return summed(x * y for x, y in zip(a, b, strict=True) if x and y)
