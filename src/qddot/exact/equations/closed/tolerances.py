"""Computes intervals that enclose a quantity of a closed chain for all values within the symbols' tolerances.

Lengths that differ move the coordinates that follow: Krawczyk's operator encloses them for all values at once. By the
mean value theorem, a quantity differs from that at the symbols' defaults by no more than its slopes, which balls
enclose over all values, times the tolerances. The slopes of the dependent coordinates and of the coefficients solve
linear systems with the matrix A_d: 0 = dφ/ds, 0 = d(A R)/ds and so on.
Source: Moore, Kearfott & Cloud, *Introduction to Interval Analysis*, 2009, §6.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.balls import ball, ends, precise
from qddot.algebra.numbers.dual_balls import DualBall, DualBalls
from qddot.algebra.numbers.polynomials.evaluation import Evaluation
from qddot.algebra.spatial import inner
from qddot.base.errors import EvaluationError
from qddot.base.words.message import Listed
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.closed.values import ClosedValues
from qddot.exact.equations.tolerances import widened
from qddot.machine.numeric.assembly import enclosed, jacobian, newton, residuals
from qddot.machine.numeric.confirmed_choice import at
from qddot.physics.algorithms import closure
from qddot.physics.independent import of_loops
from qddot.physics.mechanism import Mechanism

EXACT = 2.0**-40  # the least radius that is tried [rad or m]
TIGHTER = 3  # computations, each with narrower balls of the coordinates that follow
WIDER, LARGEST = 1.5, 1.0  # the quotient of radii that are tried, and the largest


def interval(eq: ReducedEquations, name: str, state: ClosedValues) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns (lower, upper) bounds of a quantity on the branch of a state, with its q, u and u̇ of independent ones.

    raises EvaluationError: the tolerances are too wide for a proof that the others follow
    """
    array = eq.array(name)
    with precise():
        symbols = widened(eq.model.tree, state.symbols)
        inexact = [each for each, value in symbols.items() if not value.is_exact()]
        steps = [symbols[each] - symbols[each].mid() for each in inexact]
        middles = {each: value.mid() for each, value in symbols.items()}
        try:
            middle = _Varied(eq, state, middles, inexact, _configuration(eq, state, middles)).numbers
            q = _configuration(eq, state, symbols)
            for _ in range(TIGHTER):
                whole = _Varied(eq, state, symbols, inexact, q).numbers
                q = {each: q[each].intersection(_mean(middle.q[each], whole.q[each], steps)) for each in q}
        except ZeroDivisionError:
            raise _too_wide(eq) from None
        at_middle, at_all = (Evaluation(array.ring.generators, numbers) for numbers in (middle, whole))
        bounds = []
        for entry in array.entries:
            over = at_all(entry)
            mean = ends(_mean(at_middle(entry), over, steps))
            bounds.append([choose(*pair) for choose, *pair in zip((max, min), mean, ends(over.x), strict=True)])
    low, high = zip(*bounds, strict=True)
    return np.array(low).reshape(array.shape), np.array(high).reshape(array.shape)


def _mean(middle: DualBall, whole: DualBall, steps: Sequence[arb]) -> arb:
    """Returns a ball of a number for all values of the symbols, from its slopes there and the number at the middle."""
    return middle.x + (inner(whole.slopes, steps) if whole.slopes else 0)


class _Varied:
    """This is a state of a chain in balls for some values of the symbols, with slopes along those that are inexact."""

    def __init__(
        self,
        eq: ReducedEquations,
        state: ClosedValues,
        symbols: Mapping[str, arb],
        inexact: Sequence[str],
        positions: Mapping[str, arb],
    ) -> None:
        """positions: those in which the loops are closed, for all values of the symbols

        raises ZeroDivisionError: A_d may be singular
        """
        self._eq, self._many = eq, len(inexact)
        of, tree = eq.coefficients, eq.model.tree
        along = {name: [int(name == other) for other in inexact] for name in inexact}
        self._symbols = {name: DualBall(value, along.get(name, ())) for name, value in symbols.items()}
        q = self._positions(positions, symbols)
        A = [self._closure(q)[1][i] for i in eq.choice.conditions]
        self._A_d = [[_dual(row[k]) for k in eq.choice.dependent] for row in A]
        columns = [self._following([-_dual(row[own]) for row in A]) for own in eq.choice.independent]
        R = {(k, j): x for j, column in enumerate(columns) for k, x in zip(eq.choice.dependent, column, strict=True)}
        R |= {(own, j): DualBall(1) for j, own in enumerate(eq.choice.independent)}
        values = self._symbols | {name: R[place] for place, name in of.names.items()}
        u = [state.qd[each] for each in eq.independent]
        qd = {
            each: sum((R[k, j] * u[j] for j in range(len(u)) if (k, j) in R), start=DualBall(0))
            for k, each in enumerate(tree.coordinates)
        }
        qdd = {each: DualBall(state.qdd[each]) for each in eq.independent}
        first = Evaluation(of.slope_ring.generators, DualBalls(None, values, q))
        for j, l in of.pairs:
            column = self._following([-first(of.slope_ring.convert(right)) for right in of.right_sides(j, l)])
            values |= {of.slopes[k, j, l]: x for k, x in zip(of.dependent, column, strict=True)}
        self.numbers = DualBalls(None, values, q, qd, qdd)

    def _closure(self, q: Mapping[str, DualBall]) -> tuple[list[Any], list[list[Any]]]:
        """Returns φ and A."""
        model, numbers = self._eq.model, DualBalls(None, self._symbols, q)
        mechanism = Mechanism.of(model.tree, numbers)
        phi = closure.residuals(mechanism, model, partial(Expression.evaluate, numbers=numbers))
        return phi, closure.jacobian(mechanism, model)

    def _positions(self, q: Mapping[str, Any], symbols: Mapping[str, arb]) -> dict[str, DualBall]:
        """Returns the positions with their slopes: A_d dq_d/ds = −∂φ/∂s."""
        model, still = self._eq.model, {name: DualBall(side) for name, side in q.items()}
        loops = of_loops(model, self._eq.choice)
        if not model.positional or not self._many:
            return still
        phi, A = self._closure(still)[0], jacobian(model, symbols, q)
        slopes = arb_mat([[-each.x for each in self._slopes(_dual(phi[i]))] for i in loops.conditions])
        steps = arb_mat([[ball(A[i][k]) for k in loops.dependent] for i in loops.conditions]).solve(slopes).tolist()
        by_velocity = {model.tree.coordinates[k]: row for k, row in zip(loops.dependent, steps, strict=True)}
        fields: dict[str, dict[str, Any]] = {}
        for freedoms in model.tree.freedoms:
            fields |= freedoms.fields(q)
        moved: dict[str, list[Any]] = {name: [arb(0)] * self._many for name in q}
        for velocity, row in by_velocity.items():
            for name, rate in fields.get(velocity, {velocity: 1}).items():
                moved[name] = [own + rate * step for own, step in zip(moved[name], row, strict=True)]
        return {name: DualBall(side, moved[name]) for name, side in q.items()}

    def _following(self, right: Sequence[DualBall]) -> list[DualBall]:
        """Returns X with A_d X = right, and its slopes: A_d dX/ds = d right/ds − dA_d/ds X."""
        if not right:
            return []
        A_d = arb_mat([[entry.x for entry in row] for row in self._A_d])
        X = [row[0] for row in A_d.solve(arb_mat([[each.x] for each in right])).tolist()]
        if not self._many:
            return [DualBall(x) for x in X]
        slopes = []
        for row, each in zip(self._A_d, right, strict=True):
            turned = [self._slopes(entry) for entry in row]
            own = self._slopes(each)
            slopes.append([own[s].x - inner([entry[s].x for entry in turned], X) for s in range(self._many)])
        return [DualBall(x, row) for x, row in zip(X, A_d.solve(arb_mat(slopes)).tolist(), strict=True)]

    def _slopes(self, x: DualBall) -> list[DualBall]:
        return [x.slope(s) for s in range(self._many)]


def _dual(x: Any) -> DualBall:
    return x if isinstance(x, DualBall) else DualBall(x)


def _configuration(eq: ReducedEquations, state: ClosedValues, symbols: Mapping[str, arb]) -> dict[str, Any]:
    """Returns balls of all positions in which the loops are closed, for all values of the symbols."""
    model, loops = eq.model, of_loops(eq.model, eq.choice)
    if not model.positional:
        return {name: ball(x) for name, x in state.q.items()}
    functions = partial(at, model, state.symbols)
    q, _ = newton(model, loops, functions, np.array([*state.q.values()]))
    Y = np.linalg.inv(functions(q)[1][np.ix_(loops.conditions, loops.dependent)])
    middle = {name: ball(float(x)) for name, x in zip(model.tree.positions, q, strict=True)}
    phi = residuals(model, symbols, middle)
    sizes = [float(abs(ball(phi[i])).upper()) for i in loops.conditions]
    radius = max(EXACT, WIDER * float((np.abs(Y) @ sizes).max(initial=0.0)))
    while radius < LARGEST:
        if balls := enclosed(model, loops, symbols, middle, Y.tolist(), arb(radius)):
            return balls
        radius *= WIDER
    raise _too_wide(eq)


def _too_wide(eq: ReducedEquations) -> EvaluationError:
    return EvaluationError(
        "tolerances-too-wide",
        where=eq.model.name,
        dependent=Listed(eq.dependent),
        independent=Listed(eq.independent),
    )
