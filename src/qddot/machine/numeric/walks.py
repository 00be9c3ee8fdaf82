"""Walks along the motion of a closed chain by random steps, which stay on one branch of its closed configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from qddot.machine.numeric.assembly import newton
from qddot.machine.numeric.closed_poses import TOLERANCE, Functions, motions
from qddot.machine.numeric.manifold import difference, integrate
from qddot.physics.independent import Independents
from qddot.robot.closed_model import ClosedModel

Array = NDArray[np.float64]
SHORTEST, LONGEST = 0.1, 0.6  # steps of a walk [rad or m]


def some_length(random: np.random.Generator) -> float:
    """Returns the length of a step."""
    return random.uniform(SHORTEST, LONGEST)


def walk(
    model: ClosedModel,
    loops: Independents,
    functions: Functions,
    q: Array,
    accepts: Callable[[Array, Array], bool] = lambda _, there: True,
    length: Callable[[np.random.Generator], float] = some_length,
) -> Iterator[Array]:
    """Yields configurations in doubles, the last one again after a step that is not made.

    loops: the choice of `independent.of_loops`; functions: returns φ and all rows of A; q: in which loops nearly close
    accepts: whether a step from one configuration to another is made; length: returns that of a step
    """
    random = np.random.default_rng(1)
    if model.positional:
        q = newton(model, loops, functions, q)[0]
    while True:
        yield q
        there = _beside(model, loops, functions, q, random, length)
        if there is not q and accepts(q, there):
            q = there


def _beside(
    model: ClosedModel,
    loops: Independents,
    functions: Functions,
    q: Array,
    random: np.random.Generator,
    length_of: Callable[[np.random.Generator], float],
) -> Array:
    """Returns a configuration beside one, or the same if a random step may lead to another branch."""
    tree, count = model.tree, model.positional
    free = motions(functions(q)[1][:count]) if count else np.eye(tree.n)
    step, length = free.T @ random.normal(size=len(free)), length_of(random)
    guess = integrate(tree, q, step / np.linalg.norm(step), length)
    if not count:
        return guess
    there, phi = newton(model, loops, functions, guess)
    is_near = np.linalg.norm(difference(tree, guess, there)) < length / 2
    return there if np.abs(phi).max() <= TOLERANCE and is_near else q
