"""Assembles a closed chain: solves φ(q) = 0 for the dependent coordinates near a guess, and proves that it is solved.

Newton's method finds a solution in doubles. Krawczyk's operator K(X) = x − Y φ(x) + (I − Y A_d(X)) (X − x), in balls,
with the middle x of X, the columns A_d of A for the dependent coordinates, and an approximate inverse Y of A_d(x), maps
a small box X into its own interior only if X contains exactly one solution of the independent conditions. A joint with
a quaternion e has the coordinates δ about it: the quaternion e ⊗ (1, δ/2) divided by its norm, and the translation p +
R(e) δ. Source: Krawczyk, "Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken", Computing 4, 1969;
Rump, "Verification methods", Acta Numerica 19, 2010, §13.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import EvaluationError
from qddot.base.words.message import Listed, Message, say
from qddot.machine.numeric.closed_poses import TOLERANCE, rank_of
from qddot.machine.numeric.manifold import difference, integrate, neutral
from qddot.machine.numeric.undetermined import LEAST_RANK, is_singular, undetermined
from qddot.physics.algorithms import closure
from qddot.physics.independent import Independents
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import dynamics_of
from qddot.robot.closed_model import ClosedModel, names_of_conditions

Array = NDArray[np.float64]
MOST_STEPS, MOST_HALVINGS = 60, 12
ROUNDING = 2.0**-50  # of a step, relative to q, that improves nothing: a few units in the last place
MOST_STARTS = 40  # of the search for some configuration
ENOUGH = 20  # configurations among which the search chooses
EASY = 0.5  # rad by which joints may be turned without turning back in this search
TURNING_BACK = 0.3  # the step of turning back; larger ones may overshoot
ALIKE = 1.2  # times as much turned as the least
REACHES, STARTS_BESIDE = (0.1, 1.0, 3.0), 6  # around a guess from which Newton's method finds nothing [rad or m]
RADII = (1e-12, 1e-10, 1e-8)  # half widths of the boxes that are tried


class Assembly(NamedTuple):
    """This is a configuration in which all loops are closed.

    q: its nearest doubles; radius: the true configuration with the same independent coordinates lies within this
        distance of q in each entry
    """

    q: Array
    radius: float


def assembled(
    model: ClosedModel,
    choice: Independents,
    functions: Callable[[Array], tuple[Array, Array]],
    guess: Array,
    values: Mapping[str, float],
) -> Assembly:
    """Returns the configuration near a guess, whose independent coordinates stay.

    choice: the independent coordinates and the conditions of loops; functions: returns φ and all rows of A at q
    raises EvaluationError: the loops cannot be closed near the guess, or are singular there
    """
    if not model.positional:
        return Assembly(guess, 0.0)
    q = _unwound(model, choice, functions, closed_near(model, choice, functions, np.array(guess, dtype=float)), guess)
    A = functions(q)[1]
    if is_singular(A, choice):
        raise undetermined(model, choice, A, of_loops=not model.integrable)
    Y = np.linalg.inv(A[np.ix_(choice.conditions, choice.dependent)])
    with precise():
        return _proved(model, choice, q, Y.astype(float), values)


def found(
    model: ClosedModel,
    choice: Independents,
    functions: Callable[[Array], tuple[Array, Array]],
    values: Mapping[str, float],
) -> Assembly:
    """Returns some configuration with closed loops, within limits if one is found there; it is the same in each call.

    raises EvaluationError: none is found
    """
    if not model.positional:
        return Assembly(neutral(model.tree), 0.0)
    everywhere = replace(choice, dependent=tuple(range(model.tree.n)))
    places = _places(model)
    turning = [place for k, place in places.items() if model.tree.turning[k]]
    own = [places[k] for k in choice.independent if k in places]
    low, high = _limits(model, values)
    closed: list[Array] = []
    nearest: Message | None = None
    least = np.inf
    random = np.random.default_rng(1).uniform(low, high, (MOST_STARTS, model.tree.n))
    for start in (np.zeros(model.tree.n), *random):  # files often close their loops where all coordinates are zero
        q, phi = newton(model, everywhere, functions, integrate(model.tree, neutral(model.tree), start))
        if not np.abs(phi).max() <= TOLERANCE:
            if np.abs(phi).max() < least:
                nearest, least = _nearest(model, q, phi), np.abs(phi).max()
            continue
        q, phi = newton(model, everywhere, functions, _relaxed(model, functions, q))
        if not np.abs(phi).max() <= TOLERANCE or (choice.near and _is_other_branch(choice, phi, functions(q)[1])):
            continue
        q[turning] = (q[turning] + np.pi) % (2 * np.pi) - np.pi
        closed.append(q)
        if len(closed) == ENOUGH:
            break
    rounded = [q.copy() for q in closed]
    for q in rounded:
        q[own] = q[own].round(2)
    for guesses in (rounded, closed):  # short numbers may be out of reach, as beyond a dead centre
        for q in _as_expected(model, values, low, high, guesses):
            with suppress(EvaluationError):
                return assembled(model, choice, functions, q, values)
    raise EvaluationError(
        "no-configuration-found",
        where=model.name,
        starts=MOST_STARTS,
        nearest=say("after-a-colon", what=nearest) if nearest else "",
    )


def _is_other_branch(choice: Independents, phi: Array, A: Array) -> bool:
    """Returns whether as many conditions of loops as are kept do not suffice in a configuration."""
    return rank_of(A[: len(phi)]) != len(choice.conditions)


def _relaxed(model: ClosedModel, functions: Callable[[Array], tuple[Array, Array]], q: Array) -> Array:
    """Returns a configuration with joints turned back that were turned by more than EASY; its loops nearly close."""
    places = {k: place for k, place in _places(model).items() if model.tree.turning[k]}
    for _ in range(MOST_STEPS):
        phi, A = functions(q)
        angles, back = q[list(places.values())], np.zeros(model.tree.n)
        back[list(places)] = -2 * _excess(np.cos(angles)) * np.sin(angles)
        if not back.any():
            break
        A = A[: len(phi)]
        q = integrate(model.tree, q, back - np.linalg.lstsq(A, A @ back + phi, rcond=None)[0], TURNING_BACK)
    return q


def _excess(cosines: Array) -> Array:
    """Returns by how much the cosines of angles are less than that of EASY."""
    return np.maximum(np.cos(EASY) - cosines, 0.0)  # type: ignore[no-any-return]


def _as_expected(
    model: ClosedModel, values: Mapping[str, float], low: Array, high: Array, closed: Sequence[Array]
) -> list[Array]:
    """Returns configurations, first those that look natural: within limits, with joints little turned, and hanging.

    Of configurations whose joints are turned hardly more than in the first, such as mirror images, the lowest comes
    first.
    """
    places = _places(model)
    turning = [place for k, place in places.items() if model.tree.turning[k]]

    def turned(q: Array) -> tuple[bool, float]:
        outside = any(not low[k] <= q[place] <= high[k] for k, place in places.items())
        scalars = [place for _, place in model.tree.quaternions]
        cosines = np.append(np.cos(q[turning]), 2 * q[scalars] ** 2 - 1)
        return outside, float(np.sum(_excess(cosines) ** 2))

    def height(q: Array) -> float:
        state = dict(zip(model.tree.positions, map(float, q), strict=True))
        still = dict.fromkeys(model.tree.coordinates, 0.0)
        P: Any = dynamics_of(model.tree, Floats({**values}, state, still, still)).potential_energy()
        return float(P)

    ordered = sorted(closed, key=turned)
    if not ordered:
        return []
    outside, least = turned(ordered[0])
    alike = [q for q in ordered if turned(q) <= (outside, ALIKE * least)]
    return [*sorted(alike, key=height), *ordered[len(alike) :]]


def _unwound(
    model: ClosedModel, choice: Independents, functions: Callable[[Array], tuple[Array, Array]], q: Array, guess: Array
) -> Array:
    """Returns q with dependent joints turned back by whole turns towards the guess, if the loops stay closed."""
    places, near = _places(model), q.copy()
    turning = [places[k] for k in choice.dependent if k in places and model.tree.turning[k]]
    near[turning] -= 2 * np.pi * np.rint((q - guess)[turning] / (2 * np.pi))
    return near if np.abs(functions(near)[0]).max() <= TOLERANCE else q


def _places(model: ClosedModel) -> dict[int, int]:
    """Returns the place in q of each coordinate, by its place in q̇; quasi-velocities have none."""
    positions = {name: place for place, name in enumerate(model.tree.positions)}
    return {k: positions[name] for k, name in enumerate(model.tree.coordinates) if name in positions}


def _limits(model: ClosedModel, values: Mapping[str, float]) -> tuple[Array, Array]:
    """Returns the lower and the upper limits of all coordinates, by default −1 and 1 [rad or m]."""
    limits = {body.joint.coordinate: body.joint.limits for body in model.tree.bodies}
    ends = [limits.get(name) for name in model.tree.coordinates]
    low, high = ([pair[k].value(values) if pair else 2 * k - 1 for pair in ends] for k in range(2))
    return np.array(low, dtype=float), np.array(high, dtype=float)


def closed_near(
    model: ClosedModel, choice: Independents, functions: Callable[[Array], tuple[Array, Array]], q: Array
) -> Array:
    """Returns the configuration with closed loops that Newton's method finds.

    From a guess at which A_d is singular, as where all links are in line, it may find none; then it begins beside it,
    and of those that it finds there the nearest is returned.
    choice: its dependent coordinates change, until all conditions of loops are zero
    raises EvaluationError: the conditions do not become zero
    """
    guess = q
    q, phi = newton(model, choice, functions, guess)
    if not np.abs(phi).max() <= TOLERANCE:
        beside = _found_beside(model, choice, functions, guess)
        if beside is not None:
            return beside
        independent = Listed(model.tree.coordinates[k] for k in choice.independent)
        reachable = say("values-within-reach", names=independent) if independent else say("near-closed-loops")
        raise EvaluationError(
            "loops-not-closed-near",
            where=model.name,
            nearest=_nearest(model, q, phi),
            expected=reachable,
        )
    return q


def all_closed_near(
    model: ClosedModel, choice: Independents, functions: Callable[[Array], tuple[Array, Array]], q: Array
) -> Array:
    """Returns the configurations with closed loops near several, in the same shape, as `closed_near` does."""
    if not model.positional:
        return q
    rows = [closed_near(model, choice, functions, row) for row in q.reshape(-1, q.shape[-1])]
    return np.array(rows).reshape(q.shape)


def _found_beside(
    model: ClosedModel, choice: Independents, functions: Callable[[Array], tuple[Array, Array]], guess: Array
) -> Array | None:
    """Returns the nearest closed configuration found from starts around a guess, None if there is none."""
    random, dependent = np.random.default_rng(1), list(choice.dependent)
    for reach in REACHES:
        found: list[Array] = []
        for _ in range(STARTS_BESIDE):
            step = np.zeros(model.tree.n)
            step[dependent] = random.uniform(-reach, reach, len(dependent))
            q, phi = newton(model, choice, functions, integrate(model.tree, guess, step))
            found += [q] if np.abs(phi).max() <= TOLERANCE else []
        if found:
            return min(found, key=lambda q: float(np.abs(difference(model.tree, guess, q)).max()))
    return None


def newton(
    model: ClosedModel, choice: Independents, functions: Callable[[Array], tuple[Array, Array]], q: Array
) -> tuple[Array, Array]:
    """Returns q and φ after Newton's method with halved steps where a whole one does not reduce the residual."""
    dependent = list(choice.dependent)
    phi, A = functions(q)
    for _ in range(MOST_STEPS):
        step = np.zeros(model.tree.n)
        step[dependent] = np.linalg.lstsq(A[: len(phi), dependent], -phi, rcond=LEAST_RANK)[0]
        if np.abs(step).max(initial=0.0) < ROUNDING * max(1.0, np.abs(q).max(initial=0.0)):
            break
        for halving in range(MOST_HALVINGS):
            trial = integrate(model.tree, q, step, 1 / 2**halving)
            beyond, slopes = functions(trial)
            if np.abs(beyond).max() < np.abs(phi).max():
                q, phi, A = trial, beyond, slopes
                break
        else:
            break
    return q, phi


def _nearest(model: ClosedModel, q: Array, phi: Array) -> Message:
    """Returns the sentence on the configuration that was reached, with its largest residual and the condition."""
    worst = names_of_conditions(model)[int(np.abs(phi).argmax())]
    at = ", ".join(f"{name} = {value:.6g}" for name, value in zip(model.tree.positions, q, strict=True))
    return say("nearest-reached", at=at, residual=f"{np.abs(phi).max():.3g}", condition=worst)


def _proved(model: ClosedModel, choice: Independents, q: Array, Y: Array, values: Mapping[str, float]) -> Assembly:
    """Returns the middle of a box that contains one solution. raises EvaluationError: none is proved"""
    if exact := enclosed_near(model, choice, q, Y, values):
        rounded = [0.0 if side.contains(0) else float(side.mid()) for side in exact.values()]
        reach = max(float(abs(side - near).upper()) for side, near in zip(exact.values(), rounded, strict=True))
        return Assembly(np.array(rounded), float(np.nextafter(reach, np.inf)))
    raise EvaluationError("no-configuration-proved", where=model.name)


def enclosed_near(
    model: ClosedModel, choice: Independents, q: Array, Y: Any, values: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Returns balls that contain the only solution near q, as `enclosed` does, from the first radius that suffices."""
    middle = moved(model, dict(zip(model.tree.positions, map(ball, map(float, q)), strict=True)), {})
    boxes = (enclosed(model, choice, values, middle, Y, arb(radius)) for radius in RADII)
    return next((box for box in boxes if box is not None), None)


def enclosed(
    model: ClosedModel,
    choice: Independents,
    values: Mapping[str, Any],
    middle: Mapping[str, Any],
    Y: Any,
    radius: Any,
    free: Mapping[int, Any] | None = None,
) -> dict[str, Any] | None:
    """Returns balls, by coordinate, that contain the only solution of the kept conditions near a configuration.

    None is returned if it is not proved, or if another condition of the loops certainly does not hold there.
    middle: the configuration, with the independent coordinates of the solution; radius: how near the solution is, in
    each dependent coordinate; Y: an approximate inverse of A_d; free: balls of steps of independent coordinates, with
    each of which there is one solution then, as with each of the values
    """
    dependent, together, free = list(choice.dependent), _together(model), free or {}
    box = moved(model, middle, {**free, **dict.fromkeys(dependent, arb(0, radius))})
    phi, A = residuals(model, values, moved(model, middle, free)), jacobian(model, values, box)
    reach = max([radius, *(abs(step).upper() for step in free.values())])
    A_d = [[_slope(A[i], k, together, reach) for k in dependent] for i in choice.conditions]
    inverse = [[arb(entry) for entry in row] for row in Y]
    steps = krawczyk(inverse, [arb(phi[i]) for i in choice.conditions], A_d, [radius] * len(dependent))
    if not all(bool(abs(part) < radius) for part in steps):
        return None
    if not all(arb(entry).contains(0) for entry in residuals(model, values, box)):
        return None
    return moved(model, middle, {**free, **dict(zip(dependent, steps, strict=True))})


def moved(model: ClosedModel, at: Mapping[str, Any], steps: Mapping[int, Any]) -> dict[str, Any]:
    """Returns q in balls, by name, after steps that are given by places in q̇; quaternions have norm 1."""
    step = {name: steps.get(k, arb(0)) for k, name in enumerate(model.tree.coordinates)}
    q = {name: side + step.get(name, arb(0)) for name, side in at.items()}
    for freedoms in model.tree.freedoms:
        for velocity, rates in freedoms.fields(at).items():
            for name, rate in rates.items():
                q[name] = q[name] + rate * step[velocity]
        norm = sum((q[name] * q[name] for name in freedoms.quaternion), start=arb(0)).sqrt()
        q |= {name: q[name] / norm for name in freedoms.quaternion}
    return q


def slopes_of_positions(model: ClosedModel, box: Mapping[str, Any], radius: Any) -> list[list[Any]]:
    """Returns balls with the derivatives of each entry of q by steps from the middle of a box, as `moved` makes them.

    radius: the largest step
    """
    fields = {name: {name: arb(1)} for name in model.tree.coordinates}
    for freedoms in model.tree.freedoms:
        fields |= freedoms.fields(box)
    rows = [[arb(fields[name].get(entry, 0)) for name in model.tree.coordinates] for entry in model.tree.positions]
    together = _together(model)
    return [[_slope(row, k, together, radius) for k in range(model.tree.n)] for row in rows]


def _together(model: ClosedModel) -> dict[int, range]:
    """Returns for each quasi-velocity, by its place in q̇, the places of the three along the same frame's axes."""
    places: dict[int, range] = {}
    for freedoms in model.tree.freedoms:
        first = model.tree.coordinates.index(freedoms.velocities[0])
        for start in range(first, first + len(freedoms.velocities), 3):
            places |= dict.fromkeys(range(start, start + 3), range(start, start + 3))
    return places


def _slope(row: Sequence[Any], k: int, together: Mapping[int, range], radius: Any) -> Any:
    """Returns a ball that contains the derivative of a condition with respect to a coordinate at all small steps δ.

    At δ, the velocities of a quaternion's joint are (1 + E) δ̇ with |E_ij| ≤ 2 |δ|.
    row: that of A, or of other derivatives along the velocities; radius: the largest |δ|
    """
    own: Any = arb(row[k])
    return own + sum((arb(row[a]) * arb(0, 2 * radius) for a in together.get(k, ())), start=arb(0))


def residuals(model: ClosedModel, values: Mapping[str, Any], q: Mapping[str, Any]) -> list[Any]:
    """Returns φ in balls, at balls q by coordinate."""
    evaluate = partial(Expression.evaluate, numbers=Balls({**values}))
    return closure.residuals(_mechanism(model, values, q), model, evaluate)


def jacobian(model: ClosedModel, values: Mapping[str, Any], q: Mapping[str, Any]) -> list[list[Any]]:
    """Returns A in balls, at balls q by coordinate."""
    return closure.jacobian(_mechanism(model, values, q), model)


def _mechanism(model: ClosedModel, values: Mapping[str, Any], q: Mapping[str, Any]) -> Mechanism:
    still = dict.fromkeys(model.tree.coordinates, arb(0))
    return Mechanism.of(model.tree, Balls({**values}, q, still, still))


def krawczyk(
    Y: Sequence[Sequence[Any]], phi: Sequence[Any], A: Sequence[Sequence[Any]], radii: Sequence[Any]
) -> list[Any]:
    """Returns K(X) − x for the box X = x ± radii; phi: φ(x), A: A_d(X), Y: an approximate inverse of A."""
    n = range(len(Y))
    YA = [[sum((Y[i][k] * A[k][j] for k in n), start=arb(0)) for j in n] for i in n]
    steps = []
    for i in n:
        newton = -sum((Y[i][k] * phi[k] for k in n), start=arb(0))
        spread = sum(((arb(int(i == j)) - YA[i][j]) * arb(0, radii[j]) for j in n), start=arb(0))
        steps.append(newton + spread)
    return steps
