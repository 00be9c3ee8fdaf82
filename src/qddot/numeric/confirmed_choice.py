"""Confirms in closed configurations that the independent coordinates of a chain determine the others.

Exact ranks, which `independent.chosen` uses, are those in random states, where loops are open. Where they are closed, a
coordinate may be fixed that moves elsewhere, as the height of a body on a plane is, and rounding in a description may
couple two coordinates by parts in 1e8. Then other coordinates are chosen there, by the sizes of A's columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.dynamics.algorithms import closure
from qddot.dynamics.independent import Choice, of_loops
from qddot.dynamics.mechanism import Mechanism
from qddot.errors import ModelError, number_of
from qddot.model.closed_model import ClosedModel
from qddot.numbers.floats import Floats
from qddot.numeric.assembly import TOLERANCE, newton
from qddot.numeric.manifold import integrate, neutral
from qddot.numeric.spanning import spanning_columns

Array = NDArray[np.float64]
STARTS, WALKED = 6, 0.3  # configurations from which loops are closed; a step along the motion [rad or m]
ILL = 1e-6  # the smallest singular value of A_d, relative to A's largest, of coordinates that are to be replaced


def confirmed(model: ClosedModel, choice: Choice) -> Choice:
    """Returns the choice, or another one if it is singular in all closed configurations that are looked at.

    It stays if some symbol has no value, if no closed configuration is found, or if no coordinates determine the others
    raises ModelError: in all of them fewer conditions are independent than where loops are open
    """
    values = model.tree.defaults()
    if not model.loops or model.used_symbols - set(values):
        return choice
    held, slopes = choice if model.integrable else of_loops(model, choice), list[Array]()
    for q in closed_poses(model, values):
        slopes.append(at(model, values, q)[1])
        if all(_is_regular(each, slopes[-1:]) for each in (choice, held)):
            return choice
    if not slopes:
        return choice
    if (rank := max(map(_rank, slopes))) < len(choice.conditions):
        raise _of_smaller_rank(model, choice, rank)
    choice = _better(choice, slopes, range(model.tree.n), wheels=not model.integrable)
    if model.integrable:
        return choice
    slopes = [A for A in slopes if _is_regular(choice, [A])] or slopes  # where loops and wheels determine the others
    return replace(choice, held=_better(of_loops(model, choice), slopes, choice.dependent).dependent)


def _is_regular(choice: Choice, slopes: Sequence[Array]) -> bool:
    """Returns whether the independent coordinates determine the others in some configuration. slopes: A in each"""
    part = np.ix_(choice.conditions, choice.dependent)
    return not choice.dependent or any(_sizes(A[part])[-1] > ILL * _sizes(A)[0] for A in slopes)


def _better(choice: Choice, slopes: Sequence[Array], among: Sequence[int], wheels: bool = False) -> Choice:
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


def _of_smaller_rank(model: ClosedModel, choice: Choice, rank: int) -> ModelError:
    free, fewer = number_of(model.tree.n - rank, "coordinate"), len(choice.independent)
    remedy = "give near=, a guess of a configuration with closed loops, by which the independent conditions are chosen"
    return ModelError(
        f"the conditions leave {free} free where the loops are closed, and {fewer} where they are open",
        where=model.name,
        expected="conditions that are as independent where the loops are closed",
        remedy=remedy if model.integrable else "remove conditions that follow from others, by other types of loops",
    )


def _rank(A: Array) -> int:
    sizes = _sizes(A)
    return int((sizes > ILL * sizes.max(initial=0.0)).sum())


def _sizes(A: Array) -> Any:
    """Returns the singular values, from the largest one on."""
    return np.linalg.svd(A, compute_uv=False)


def closed_poses(model: ClosedModel, values: dict[str, float]) -> Iterator[Array]:
    """Yields closed configurations, one near the neutral one if possible; each is followed by two along its motion."""
    every, rest = Choice((), tuple(range(model.tree.n)), ()), neutral(model.tree)
    random = np.random.default_rng(1)

    def closed(q: Array) -> Array | None:
        q, phi = newton(model, every, partial(at, model, values), q)
        return q if np.abs(phi).max() <= TOLERANCE else None

    for start in (np.zeros(model.tree.n), *random.uniform(-1, 1, (STARTS, model.tree.n))):
        q = closed(integrate(model.tree, rest, start))
        for _ in range(3):
            if q is None:
                break
            yield q
            free = motions(at(model, values, q)[1])
            q = closed(integrate(model.tree, q, free.T @ random.normal(size=len(free)), WALKED))


def motions(A: Array) -> Array:
    """Returns orthonormal rows that span the null space of A."""
    return np.linalg.svd(A)[2][_rank(A) :]


def at(model: ClosedModel, values: dict[str, float], q: Array) -> tuple[Array, Array]:
    """Returns φ and A at q, computed without a compiler."""
    still = dict.fromkeys(model.tree.coordinates, 0.0)
    numbers = Floats(values, dict(zip(model.tree.positions, map(float, q), strict=True)), still, still)
    arm = Mechanism.of(model.tree, numbers)
    phi = closure.residuals(arm, model, lambda expression: expression.evaluate(numbers))
    return np.array(phi, dtype=float), np.array(closure.jacobian(arm, model), dtype=float)
