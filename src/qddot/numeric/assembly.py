"""Assembles a closed chain: solves φ(q) = 0 for the dependent coordinates near a guess, and proves that it is solved.

Newton's method finds a solution in doubles. Krawczyk's operator K(X) = x − Y φ(x) + (I − Y A_d(X)) (X − x), in balls,
maps a small box X into its own interior only if X contains exactly one solution of the independent conditions. Source:
Krawczyk, "Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken", Computing 4, 1969; Rump,
"Verification methods", Acta Numerica 19, 2010, §13.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.dynamics.algorithms import closure
from qddot.dynamics.independent import Choice
from qddot.dynamics.mechanism import Mechanism
from qddot.errors import EvaluationError
from qddot.expressions.expression import Expression
from qddot.model.closed_model import ClosedModel, names_of_conditions
from qddot.numbers.balls import Balls, ball, precise

Array = NDArray[np.float64]
MOST_STEPS, MOST_HALVINGS = 60, 12
TOLERANCE = 1e-12  # of a residual [m or 1] that Newton's method must reach
MOST_STARTS = 40  # of the search for some configuration
RADII = (1e-12, 1e-10, 1e-8)  # half widths of the boxes that are tried
LEAST_RANK = (
    1e-9  # the smallest singular value of A_d, relative to the largest, of a configuration that is not singular
)


class Assembly(NamedTuple):
    """This is a configuration in which all loops are closed.

    q: (n,), its nearest doubles; radius: the true configuration with the same independent coordinates lies within this
        distance of q in each coordinate
    """

    q: Array
    radius: float


def assembled(
    model: ClosedModel,
    choice: Choice,
    functions: Callable[[Array], tuple[Array, Array]],
    guess: Array,
    values: Mapping[str, float],
) -> Assembly:
    """Returns the configuration near a guess, whose independent coordinates stay.

    choice: the independent coordinates and the conditions of loops; functions: returns φ and all rows of A at q
    raises EvaluationError: the loops cannot be closed near the guess, or are singular there
    """
    if not model.loops:
        return Assembly(guess, 0.0)
    q = closed_near(model, choice, functions, np.array(guess, dtype=float))
    A = functions(q)[1][np.ix_(choice.conditions, choice.dependent)]
    sizes = np.linalg.svd(A, compute_uv=False)
    if sizes[-1] <= LEAST_RANK * max(sizes[0], 1e-300):
        raise _singular(model, choice, A)
    with precise():
        return _proved(model, choice, q, np.linalg.inv(A).astype(float), values)


def found(
    model: ClosedModel,
    choice: Choice,
    functions: Callable[[Array], tuple[Array, Array]],
    values: Mapping[str, float],
) -> Assembly:
    """Returns some configuration with closed loops, within limits if one is found there; it is the same in each call.

    raises EvaluationError: none is found
    """
    if not model.loops:
        return Assembly(np.zeros(model.tree.n), 0.0)
    everywhere = replace(choice, dependent=tuple(range(model.tree.n)))
    turning = list(model.tree.turning)
    low, high = _limits(model, values)
    outside: Assembly | None = None
    for start in np.random.default_rng(0).uniform(low, high, (MOST_STARTS, model.tree.n)):
        try:
            q = closed_near(model, everywhere, functions, start)
            q[turning] = (q[turning] + np.pi) % (2 * np.pi) - np.pi
            q[list(choice.independent)] = q[list(choice.independent)].round(2)
            assembly = assembled(model, choice, functions, q, values)
        except EvaluationError:
            continue
        if ((low <= assembly.q) & (assembly.q <= high)).all():
            return assembly
        outside = outside or assembly
    if outside is not None:
        return outside
    raise EvaluationError(
        f"no configuration with closed loops was found from {MOST_STARTS} starts",
        where=model.name,
        remedy="give one near which the loops close",
    )


def _limits(model: ClosedModel, values: Mapping[str, float]) -> tuple[Array, Array]:
    """Returns the lower and the upper limits of all coordinates, by default −1 and 1 [rad or m]."""
    limits = {body.joint.coordinate: body.joint.limits for body in model.tree.bodies}
    ends = [limits[name] for name in model.tree.coordinates]
    low, high = ([pair[k].value(values) if pair else 2 * k - 1 for pair in ends] for k in range(2))
    return np.array(low, dtype=float), np.array(high, dtype=float)


def closed_near(
    model: ClosedModel, choice: Choice, functions: Callable[[Array], tuple[Array, Array]], q: Array
) -> Array:
    """Returns q after Newton's method with halved steps where a whole one does not reduce the residual.

    choice: its dependent coordinates change, until all conditions of loops are zero
    raises EvaluationError: the conditions do not become zero
    """
    dependent = list(choice.dependent)
    phi, A = functions(q)
    for _ in range(MOST_STEPS):
        step = np.linalg.lstsq(A[: len(phi), dependent], -phi, rcond=None)[0]
        for halving in range(MOST_HALVINGS):
            trial = q.copy()
            trial[dependent] += step / 2**halving
            beyond, slopes = functions(trial)
            if np.abs(beyond).max() < np.abs(phi).max():
                q, phi, A = trial, beyond, slopes
                break
        else:
            break
    if not np.abs(phi).max() <= TOLERANCE:
        names = model.tree.coordinates
        nearest = ", ".join(f"{name} = {value:.6g}" for name, value in zip(names, q, strict=True))
        independent = ", ".join(names[k] for k in choice.independent)
        worst = names_of_conditions(model)[int(np.abs(phi).argmax())]
        residual = f"{np.abs(phi).max():.3g} ({worst})"
        raise EvaluationError(
            f"the loops cannot be closed near the guess: the least residual is {residual} at {nearest}",
            where=model.name,
            expected=f"values of {independent} that the mechanism can reach",
            remedy="give another guess for the dependent coordinates, or other values",
        )
    return q


def _singular(model: ClosedModel, choice: Choice, A: Array) -> EvaluationError:
    """Returns the error that names the coordinates that the independent ones do not determine here."""
    free = np.abs(np.linalg.svd(A)[2][-1])
    names = [model.tree.coordinates[k] for k, share in zip(choice.dependent, free, strict=True) if share > 0.1]
    return EvaluationError(
        f"a singular configuration: the independent coordinates do not determine {', '.join(names)} here",
        where=model.name,
        remedy="choose other independent coordinates, or another configuration; give near= for a mechanism that can "
        "move only because its lengths are special",
    )


def _proved(model: ClosedModel, choice: Choice, q: Array, Y: Array, values: Mapping[str, float]) -> Assembly:
    """Returns the middle of a box that contains one solution. raises EvaluationError: none is proved"""
    names, dependent = model.tree.coordinates, list(choice.dependent)
    Y_balls = [[arb(float(entry)) for entry in row] for row in Y]
    for radius in RADII:
        point = {name: ball(float(value)) for name, value in zip(names, q, strict=True)}
        box = {**point, **{names[k]: point[names[k]] + arb(0, radius) for k in dependent}}
        phi, A = residuals(model, values, point), jacobian(model, values, box)
        A_d = [[arb(A[i][k]) for k in dependent] for i in choice.conditions]
        moved = krawczyk(Y_balls, [arb(phi[i]) for i in choice.conditions], A_d, [radius] * len(dependent))
        if all(bool(abs(part) < arb(radius)) for part in moved):
            exact = [arb(point[names[k]]) + part for k, part in zip(dependent, moved, strict=True)]
            rounded = [0.0 if side.contains(0) else float(side.mid()) for side in exact]
            reach = max(float(abs(side - near).upper()) for side, near in zip(exact, rounded, strict=True))
            if all(arb(entry).contains(0) for entry in residuals(model, values, box)):
                corrected = q.copy()
                corrected[dependent] = rounded
                return Assembly(corrected, float(np.nextafter(reach, np.inf)))
    raise EvaluationError(
        "no configuration is proved near the one found, where the loops are nearly singular or contradict each other",
        where=model.name,
        remedy="choose other independent coordinates, or another configuration",
    )


def residuals(model: ClosedModel, values: Mapping[str, float], q: Mapping[str, Any]) -> list[Any]:
    """Returns φ in balls, at balls q by coordinate."""
    evaluate = partial(Expression.evaluate, numbers=Balls({**values}))
    return closure.residuals(_mechanism(model, values, q), model, evaluate)


def jacobian(model: ClosedModel, values: Mapping[str, float], q: Mapping[str, Any]) -> list[list[Any]]:
    """Returns A in balls, at balls q by coordinate."""
    return closure.jacobian(_mechanism(model, values, q), model)


def _mechanism(model: ClosedModel, values: Mapping[str, float], q: Mapping[str, Any]) -> Mechanism:
    still = dict.fromkeys(q, arb(0))
    return Mechanism.of(model.tree, Balls({**values}, q, still, still))


def krawczyk(
    Y: Sequence[Sequence[Any]], phi: Sequence[Any], A: Sequence[Sequence[Any]], radii: Sequence[float]
) -> list[Any]:
    """Returns K(X) − x for the box X = x ± radii; phi: φ(x), A: A_d(X), Y: about its inverse."""
    n = range(len(Y))
    YA = [[sum((Y[i][k] * A[k][j] for k in n), start=arb(0)) for j in n] for i in n]
    moved = []
    for i in n:
        newton = -sum((Y[i][k] * phi[k] for k in n), start=arb(0))
        spread = sum(((arb(int(i == j)) - YA[i][j]) * arb(0, radii[j]) for j in n), start=arb(0))
        moved.append(newton + spread)
    return moved
