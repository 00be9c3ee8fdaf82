"""Finds states of a closed chain in balls: loops closed, q̇ = R u, and q̈ = R u̇ + Ṙ u.

The independent coordinates, u and u̇ are exact numbers. Krawczyk's operator encloses the dependent coordinates to nearly
as many bits as balls have, and the coefficients in R and their derivatives solve linear systems in balls. With
over-constrained loops, that the conditions left out hold there is verified to these bits and not proved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx
from numpy.typing import NDArray

from qddot.algebra.numbers.arbitrary import arbitrary
from qddot.algebra.numbers.balls import Balls, ball
from qddot.algebra.numbers.dual_balls import DualBall, DualBalls
from qddot.algebra.spatial import inner
from qddot.base.errors import EvaluationError
from qddot.base.words.message import Listed, say
from qddot.exact.equations.closed.coefficients import Coefficients
from qddot.machine.numeric.assembly import enclosed, jacobian, moved, newton, residuals
from qddot.machine.numeric.closed_poses import TOLERANCE
from qddot.machine.numeric.confirmed_choice import at
from qddot.machine.numeric.undetermined import is_singular
from qddot.machine.numeric.walks import walk
from qddot.physics.algorithms import closure
from qddot.physics.independent import Independents, of_loops
from qddot.physics.mechanism import Mechanism
from qddot.robot.closed_model import ClosedModel
from qddot.robot.symbol_values import refuse_missing

Array = NDArray[np.float64]
DIGITS = 2  # after the point, of independent coordinates
GUARD = 4  # a fourth of all bits
MOST_STEPS = 12  # of Newton's method in balls, each of which doubles the bits
MOST_MISSES = 60  # guesses without a new closed configuration, one after another
MOST_EIGHTHS = 20  # in a rate


def values_in_balls(model: ClosedModel, others: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Returns the default of each symbol, and other values of some, in balls; those without any are left out."""
    defaults = {name: each.value for name, each in model.tree.symbols.items() if each.value is not None}
    values = {name: ball(value.evaluate(Balls())) for name, value in defaults.items()}
    return values | {name: ball(value) for name, value in (others or {}).items()}


class ClosedState:
    """This is a state of a chain in balls.

    values: those of the symbols; q: balls by the names of positions, in which the loops are closed
    u, u_rates: the rates of the independent coordinates and their derivatives, exact numbers
    """

    def __init__(
        self,
        model: ClosedModel,
        choice: Independents,
        values: Mapping[str, Any],
        q: Mapping[str, Any],
        u: Sequence[Any],
        u_rates: Sequence[Any],
    ) -> None:
        self.model, self.choice, self.values, self.q = model, choice, values, q
        self.u, self.u_rates = list(map(ball, u)), list(map(ball, u_rates))

    @cached_property
    def A(self) -> list[list[Any]]:
        """Returns the rows of the kept conditions."""
        rows = jacobian(self.model, self.values, self.q)
        return [list(map(ball, rows[k])) for k in self.choice.conditions]

    @cached_property
    def phi(self) -> list[Any]:
        """Returns the kept conditions of loops, which contain zero."""
        phi = residuals(self.model, self.values, self.q)
        return [ball(phi[k]) for k in self.choice.conditions if k < len(phi)]

    @cached_property
    def A_d(self) -> arb_mat:
        return arb_mat([[row[k] for k in self.choice.dependent] for row in self.A])

    @cached_property
    def R(self) -> list[list[Any]]:
        """Returns R (n × m)."""
        right = [[-row[k] for k in self.choice.independent] for row in self.A]
        rows = self._following(right)
        for j, own in enumerate(self.choice.independent):
            rows[own] = [arb(int(j == l)) for l in range(len(self.u))]
        return rows

    @cached_property
    def slopes(self) -> list[list[list[Any]]]:
        """Returns ∂R_kj along the motion in which u_l = 1 is alone, by k, j and l."""
        n, m = range(self.model.tree.n), range(len(self.u))
        slopes = [[[arb(0)] * len(self.u) for _ in m] for _ in n]
        for l, rows in enumerate(self._slopes_of_A):
            right = [[-inner(row, column) for column in zip(*self.R, strict=True)] for row in rows]
            for k, row in enumerate(self._following(right)):
                for j in m:
                    slopes[k][j][l] = row[j]
        return slopes

    @cached_property
    def _slopes_of_A(self) -> list[list[list[Any]]]:
        """Returns the derivatives of A along each column of R."""
        q = {name: DualBall(side, slopes) for (name, side), slopes in zip(self.q.items(), self._along(), strict=True)}
        numbers = DualBalls(None, self.values, q)
        rows = closure.jacobian(Mechanism.of(self.model.tree, numbers), self.model)
        kept = [[x if isinstance(x, DualBall) else DualBall(x) for x in rows[i]] for i in self.choice.conditions]
        return [[[x.slope(l).x for x in row] for row in kept] for l in range(len(self.u))]

    def _along(self) -> Iterator[list[Any]]:
        """Yields the derivatives of each position along the columns of R."""
        fields: dict[str, dict[str, Any]] = {}
        for freedoms in self.model.tree.freedoms:
            fields |= freedoms.fields(self.q)
        for name in self.model.tree.positions:
            total = [arb(0) for _ in self.u]
            for k, velocity in enumerate(self.model.tree.coordinates):
                rate = fields[velocity].get(name, 0) if velocity in fields else int(velocity == name)
                total = [x + r * rate for x, r in zip(total, self.R[k], strict=True)]
            yield total

    def _following(self, right: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Returns X with A_d X = right in the rows of dependent coordinates, and zeros in the others."""
        rows = [[arb(0)] * len(self.u) for _ in range(self.model.tree.n)]
        if self.choice.dependent:
            solution = self.A_d.solve(arb_mat(right))
            for place, k in enumerate(self.choice.dependent):
                rows[k] = [solution[place, j] for j in range(len(self.u))]
        return rows

    @cached_property
    def qd(self) -> list[Any]:
        """Returns q̇ = R u."""
        return [inner(row, self.u) for row in self.R]

    @cached_property
    def drift(self) -> list[Any]:
        """Returns Ṙ u."""
        return [inner([inner(row, self.u) for row in slopes], self.u) for slopes in self.slopes]

    @cached_property
    def qdd(self) -> list[Any]:
        """Returns q̈ = R u̇ + Ṙ u."""
        return [inner(row, self.u_rates) + own for row, own in zip(self.R, self.drift, strict=True)]

    @cached_property
    def numbers(self) -> Balls:
        """Returns the kind of number that has this state."""
        names = self.model.tree.coordinates
        return Balls(
            self.values, self.q, dict(zip(names, self.qd, strict=True)), dict(zip(names, self.qdd, strict=True))
        )

    @cached_property
    def mechanism(self) -> Mechanism:
        """Returns the tree in this state."""
        return Mechanism.of(self.model.tree, self.numbers)

    def coefficients(self, of: Coefficients) -> dict[str, Any]:
        """Returns the values of r_kj and r_kj,l by their names."""
        first = {name: self.R[k][j] for (k, j), name in of.names.items()}
        return first | {name: self.slopes[k][j][l] for (k, j, l), name in of.slopes.items()}

    def onto(self, vector: Sequence[Any]) -> list[Any]:
        """Returns Rᵀ times a vector."""
        return [inner(column, vector) for column in zip(*self.R, strict=True)]


class ClosedStates:
    """These are states of a chain with some values of its symbols, on a random walk along its motion.

    All configurations are thus on one branch, on which whatever holds for almost all of them holds everywhere.
    """

    def __init__(
        self,
        model: ClosedModel,
        choice: Independents,
        near: Array,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        """near: a configuration in doubles whose loops are nearly closed; values: of symbols, by default their own

        raises EvaluationError: a symbol on which the equations depend has no value
        """
        self.model, self.choice, self.near = model, choice, near
        self.values = values_in_balls(model) if values is None else dict(values)
        refuse_missing(model.used_symbols - set(self.values), model.name)
        floats = {name: float(value) for name, value in self.values.items()}
        self._floats = {**dict.fromkeys(model.tree.symbols, 1.0), **floats}
        self._loops, self._functions = of_loops(model, choice), partial(at, model, self._floats)
        places = {name: place for place, name in enumerate(model.tree.positions)}
        names = (model.tree.coordinates[k] for k in self._loops.independent)
        self._own = [places[name] for name in names if name in places]
        self._found: list[ClosedState] = []
        self._walk = (self._state(k, q) for k, q in enumerate(self.configurations()))

    def first(self, number: int) -> list[ClosedState]:
        """Returns so many states, the same in each call; raises EvaluationError: they are not found."""
        self._found += islice(self._walk, max(number - len(self._found), 0))
        return self._found[:number]

    def _state(self, number: int, q: Mapping[str, Any]) -> ClosedState:
        keys = [f"{self.model.name} {number} {name}" for name in self.model.tree.coordinates]
        u, u_rates = ([_eighths(f"{keys[k]} {dots}") for k in self.choice.independent] for dots in (1, 2))
        return ClosedState(self.model, self.choice, self.values, q, u, u_rates)

    def configurations(self) -> Iterator[dict[str, Any]]:
        """Yields closed configurations as balls by the names of positions, with short independent coordinates.

        raises EvaluationError: no further one is found
        """
        misses, seen = 0, set[tuple[float, ...]]()
        for guess in walk(self.model, self._loops, self._functions, self.near):
            q = self._enclosed(guess)
            key = tuple(round(float(side), DIGITS) for side in (q or {}).values())
            misses = 0 if q is not None and key not in seen else misses + 1
            if q is not None and key not in seen:
                seen.add(key)
                yield q
            if misses > MOST_MISSES:
                names = Listed(self.model.tree.coordinates[k] for k in self.choice.independent)
                raise EvaluationError(
                    "no-dependent-coordinates",
                    where=self.model.name,
                    found=say("count-of-configurations", count=len(seen)),
                    names=names,
                )

    def _enclosed(self, q: Array) -> dict[str, Any] | None:
        """Returns balls that contain the closed configuration near one in doubles, with short independent coordinates.

        None is returned if the loops cannot be closed there, or the independent coordinates do not determine the others
        """
        short = q.copy()
        short[self._own] = short[self._own].round(DIGITS)
        if self.model.positional:
            short, phi = newton(self.model, self._loops, self._functions, short)
            if not np.abs(phi).max() <= TOLERANCE:
                return None
        if is_singular(self._functions(short)[1], self.choice):
            return None
        exact = {name: ball(float(side)) for name, side in zip(self.model.tree.positions, short, strict=True)}
        own = {self.model.tree.positions[place]: short[place] for place in self._own}
        exact |= {name: ball(Fraction(f"{side:.{DIGITS}f}")) for name, side in own.items()}
        return self._proved(moved(self.model, exact, {}), tuple(own))

    def _proved(self, q: dict[str, Any], own: Collection[str]) -> dict[str, Any] | None:
        """Returns balls that contain the closed configuration near another one, by Newton's method in balls.

        own: names of independent coordinates, which stay; None is returned if it is not proved
        """
        loops = self._loops
        if not loops.conditions:
            return q
        radius = arb(2) ** (GUARD - ctx.prec + ctx.prec // GUARD)
        for _ in range(MOST_STEPS):
            phi, A = residuals(self.model, self.values, q), jacobian(self.model, self.values, q)
            inverse = arb_mat([[ball(A[i][k]).mid() for k in loops.dependent] for i in loops.conditions]).inv()
            step = inverse * arb_mat([[-ball(phi[i]).mid()] for i in loops.conditions])
            q = moved(self.model, q, {k: step[place, 0].mid() for place, k in enumerate(loops.dependent)})
            q = moved(self.model, {name: side if name in own else side.mid() for name, side in q.items()}, {})
            if all(abs(step[place, 0]) < radius for place in range(len(loops.conditions))):
                break
        Y = [[inverse[i, j].mid() for j in range(inverse.ncols())] for i in range(inverse.nrows())]
        return enclosed(self.model, loops, self.values, q, Y, radius)


def _eighths(key: str) -> Fraction:
    """Returns a number of eighths other than zero that depends only on the key."""
    size = Fraction(1 + arbitrary(key) % MOST_EIGHTHS, 8)
    return size if arbitrary(f"sign of {key}") % 2 else -size
