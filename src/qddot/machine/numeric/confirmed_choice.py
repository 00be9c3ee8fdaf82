"""Confirms in closed configurations that the independent coordinates of a chain determine the others.

Exact ranks, which `independent.chosen` uses, are those in random states, where loops are open. Where they are closed, a
coordinate may be fixed that moves elsewhere, as the height of a body on a plane is, and rounding in a description may
couple two coordinates by parts in 1e8. Then other coordinates are chosen there, by the sizes of A's columns.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.numbers.floats import Floats
from qddot.base.words.message import Message, say
from qddot.machine.numeric.closed_poses import (
    MOST_STEPS,
    TOLERANCE,
    ClosedPose,
    Functions,
    as_pose,
    closed_from,
    motions,
    open_at,
    rank_of,
)
from qddot.machine.numeric.conditions import conditions_of
from qddot.machine.numeric.manifold import integrate, neutral
from qddot.machine.numeric.spanning import spanning_columns
from qddot.physics.algorithms import closure
from qddot.physics.independent import Independents, of_loops
from qddot.physics.mechanism import Mechanism
from qddot.robot.closed_model import ClosedModel

Array = NDArray[np.float64]
STARTS, WALKED = 6, 0.3  # configurations from which loops are closed; a step along the motion [rad or m]
POSES = 3  # configurations in which coordinates are looked at that hardly move the loops
ROUNDING = 1e-13  # of the influence of a coordinate on the loops, relative to the largest, that is none
COMPILED, FEW = 2, 15  # the start from which on functions are compiled, since many are needed; steps before it
ILL = 1e-6  # the smallest singular value of A_d, relative to A's largest, of coordinates that are to be replaced


class Confirmed(NamedTuple):
    """This is a choice that was confirmed, None if fewer conditions are independent where the loops are closed.

    notes: on loops that cannot be closed, and coordinates that hardly move the loops
    """

    choice: Independents | None
    notes: tuple[Message, ...] = ()


def confirmed(model: ClosedModel, choice: Independents) -> Confirmed:
    """Returns the choice, or another one if it is singular in all closed configurations that are looked at.

    It stays if some symbol has no value, if no closed configuration is found, or if no coordinates determine the others
    """
    values = model.tree.defaults()
    if not model.positional or model.used_symbols - set(values):
        return Confirmed(choice)
    held, slopes, nearest = choice if model.integrable else of_loops(model, choice), list[Array](), list[ClosedPose]()
    for pose, A in closed_poses(model, values):
        nearest.append(pose)
        if pose.residual > TOLERANCE:
            continue
        slopes.append(A)
        if all(_is_regular(each, slopes[-1:]) for each in (choice, held)):
            return Confirmed(choice)
    if not slopes:
        return Confirmed(choice, (open_at(model, min(nearest, key=lambda pose: pose.residual)),))
    if max(map(rank_of, slopes)) < len(choice.conditions):
        return Confirmed(None)
    choice = _better(choice, slopes, range(model.tree.n), wheels=not model.integrable)
    if not model.integrable:
        both = [A for A in slopes if _is_regular(choice, [A])] or slopes  # where loops and wheels determine the others
        choice = replace(choice, held=_better(of_loops(model, choice), both, choice.dependent).dependent)
    return Confirmed(choice, tuple(hardly_moving(model, slopes).values()))


def hardly_moving(model: ClosedModel, slopes: Sequence[Array] = ()) -> dict[str, Message]:
    """Returns a sentence on each coordinate that moves the loops, and hardly, in all closed configurations.

    slopes: A in each of them, by default in those that are found
    """
    values = model.tree.defaults()
    if model.positional and not slopes:
        poses = itertools.islice(closed_poses(model, values), POSES)
        slopes = [A for pose, A in poses if pose.residual <= TOLERANCE]
    if not slopes:
        return {}
    sizes = np.max([np.linalg.norm(A, axis=0) for A in slopes], axis=0)
    shares = sizes / max(sizes.max(), 1e-300)
    return {
        name: say("note-of-hardly-moving", name=name, share=f"{share:.0e}")
        for name, share in zip(model.tree.coordinates, shares, strict=True)
        if ROUNDING < share <= ILL
    }


def _is_regular(choice: Independents, slopes: Sequence[Array]) -> bool:
    """Returns whether the independent coordinates determine the others in some configuration. slopes: A in each"""
    part = np.ix_(choice.conditions, choice.dependent)
    return not choice.dependent or any(_sizes(A[part])[-1] > ILL * _sizes(A)[0] for A in slopes)


def _better(choice: Independents, slopes: Sequence[Array], among: Sequence[int], wheels: bool = False) -> Independents:
    """Returns the choice, with other dependent coordinates if it is ill-conditioned in all configurations.

    slopes: A in each of them; among: places of coordinates that may depend on others; wheels: as in `chosen`
    """
    if _is_regular(choice, slopes):
        return choice
    A = slopes[-1][list(choice.conditions)]
    ordered = list(among) if wheels else list(among)[::-1]
    dependent = spanning_columns(A, ordered)
    if dependent is None:
        return choice
    others = (k for k in range(A.shape[1]) if k not in dependent)
    return replace(choice, independent=tuple(others), dependent=tuple(sorted(dependent)))


def _sizes(A: Array) -> Any:
    """Returns the singular values, from the largest one on."""
    return np.linalg.svd(A, compute_uv=False)


def closed_poses(model: ClosedModel, values: dict[str, float]) -> Iterator[tuple[ClosedPose, Array]]:
    """Yields configurations and A, one near the neutral one; two along the motion follow each that is closed."""
    rest, random = neutral(model.tree), np.random.default_rng(1)
    functions: Functions = partial(at, model, values)
    starts = (np.zeros(model.tree.n), *random.uniform(-1, 1, (STARTS, model.tree.n)))
    for k, start in enumerate(starts):
        most = FEW if k < COMPILED else MOST_STEPS
        if k == COMPILED:
            functions = conditions_of(model)
        q = integrate(model.tree, rest, start)
        for _ in range(3):
            q, phi = closed_from(model, functions, q, most)
            A = functions(q)[1]
            yield as_pose(q, "", rank_of(A), phi), A
            if np.abs(phi).max() > TOLERANCE:
                break
            along = motions(A)
            q = integrate(model.tree, q, along.T @ random.normal(size=len(along)), WALKED)


def at(model: ClosedModel, values: dict[str, float], q: Array) -> tuple[Array, Array]:
    """Returns φ and A at q, computed without a compiler."""
    still = dict.fromkeys(model.tree.coordinates, 0.0)
    numbers = Floats(values, dict(zip(model.tree.positions, map(float, q), strict=True)), still, still)
    mechanism = Mechanism.of(model.tree, numbers)
    phi = closure.residuals(mechanism, model, lambda expression: expression.evaluate(numbers))
    return np.array(phi, dtype=float), np.array(closure.jacobian(mechanism, model), dtype=float)
