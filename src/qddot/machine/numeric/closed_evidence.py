"""Looks for a closed configuration at which the equations of a chain are regular, and at the conditions left out.

The rank of A is proved there: Krawczyk's operator gives a box that contains a configuration in which the kept
conditions of the loops hold, and ball arithmetic encloses the determinant of A_d, their columns of the dependent
coordinates, over this box. That further rows of A are combinations of the kept ones, and that their conditions hold, is
verified in doubles there and at other configurations along the motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.balls import ends, precise
from qddot.base.errors import EvaluationError
from qddot.base.words.message import REMEDY, Message, Part, Told, Words, say
from qddot.machine.numeric.assembly import Assembly, assembled, found, jacobian, newton
from qddot.machine.numeric.closed_poses import TOLERANCE, motions
from qddot.machine.numeric.conditions import conditions_of
from qddot.machine.numeric.confirmed_choice import WALKED, at, closed_poses
from qddot.machine.numeric.manifold import integrate, neutral
from qddot.machine.numeric.undetermined import is_singular, undetermined
from qddot.physics.independent import Independents, of_loops
from qddot.robot.closed_model import ClosedModel, names_of_conditions

Array = NDArray[np.float64]
DIGITS = 2  # after the point, of the independent coordinates where the loops close there
WALKS, ENOUGH = 12, 6  # steps along the motion; configurations at which conditions are examined
ROUNDED = 1e-15  # by which doubles of a quaternion may miss one of norm 1
POSES = 4  # at random, of a chain whose wheels roll and whose configurations are all closed


class LeftCondition(NamedTuple):
    """This is what was seen of a condition that is left out: by how much its row is no combination of the kept rows.

    part: the largest part of the row, relative to the longest row of A, that the kept ones do not span
    """

    name: str
    part: float


class Evidence(NamedTuple):
    """This is what closed configurations tell of a chain's conditions and of the choice among them.

    configuration: one of them, by coordinate, if there is one; radius: in each coordinate, the true one is as near
    determinant: the ends of a ball that contains det A_d there
    left: the conditions that were examined; examined: in so many configurations
    residual: the largest residual of all conditions of loops in these
    lacking: symbols without values on which the conditions depend; refused: why there is no configuration otherwise
    """

    configuration: Mapping[str, float] | None = None
    radius: float = 0.0
    determinant: tuple[float, float] = (0.0, 0.0)
    left: tuple[LeftCondition, ...] = ()
    examined: int = 0
    residual: float = 0.0
    lacking: tuple[str, ...] = ()
    refused: Words = ""
    seconds: float = 0.0


def evidence(
    model: ClosedModel, choice: Independents, rows: Sequence[int] | None = None, near: Array | None = None
) -> Evidence:
    """Returns what a closed configuration tells of the choice, and others of the conditions left out.

    rows: places of conditions left out that are examined, None if not even their residuals are; near: a guess of the
    configuration, by default the neutral one and those of `closed_poses` are tried
    """
    started = perf_counter()
    values = model.tree.defaults()
    if lacking := symbols_of_conditions(model) - set(values):
        return Evidence(lacking=tuple(sorted(lacking)))
    chain = _Chain(model, choice, {**dict.fromkeys(model.tree.symbols, 1.0), **values})  # masses move nothing
    told = chain.regular(near)
    if told.configuration is not None and rows is not None:
        told = chain.with_left(told, rows)
    return told._replace(seconds=perf_counter() - started)


def symbols_of_conditions(model: ClosedModel) -> set[str]:
    """Returns the symbols on which the conditions depend."""
    ratios = [body.joint.ratio for body in model.tree.bodies if isinstance(body.joint.ratio, Expression)]
    lengths = [loop.length for loop in model.loops if loop.length is not None]
    parts = (*model.tree.geometry(), *ratios, *lengths, *(each.value for each in model.conditions))
    return set[str]().union(*(part.symbols() for part in parts)) & set(model.tree.symbols)


class _Chain:
    """This is a chain with values of its symbols, whose conditions are computed without a compiler."""

    def __init__(self, model: ClosedModel, choice: Independents, values: dict[str, float]) -> None:
        self.model, self.choice, self.values = model, choice, values
        self.loops = of_loops(model, choice)
        self.functions = partial(at, model, values)

    def regular(self, near: Array | None) -> Evidence:
        """Returns a configuration where det A_d is not zero, the first of some, or why there is none."""
        seen = list[Array]()
        refused: Words = ""
        for guess in self._guesses() if near is None else (near,):
            if near is None and is_singular(self.functions(guess)[1], self.choice):
                seen.append(guess)
                continue
            try:
                assembly = self._assembled(guess, short=near is None)
            except EvaluationError as error:
                refused = Told(error)
                continue
            seen.append(assembly.q)
            determinant = self._determinant(assembly)
            if not determinant.contains(0):
                named = dict(zip(self.model.tree.positions, map(float, assembly.q), strict=True))
                return Evidence(named, assembly.radius, ends(determinant))
        if near is None and not refused and not seen:
            return self._far()
        return Evidence(refused=self._empty(seen) if seen else refused)

    def _far(self) -> Evidence:
        """Returns the evidence at a configuration that only many starts find, which need a compiler."""
        whole = replace(self.model, tree=self.model.tree.with_values(self.values))
        try:
            assembly = found(whole, self.loops, conditions_of(whole), self.values)
        except EvaluationError as error:
            return Evidence(refused=Told(error))
        return self.regular(assembly.q)

    def _empty(self, seen: Sequence[Array]) -> Message:
        """Returns the sentence on a determinant that vanishes in all closed configurations that were seen."""
        refused = undetermined(self.model, self.choice, self.functions(seen[-1])[1])
        return say("proof-may-be-empty", count=len(seen), remedy=Part(refused.message, REMEDY))

    def _guesses(self) -> Iterator[Array]:
        """Yields closed configurations in doubles."""
        tree = self.model.tree
        if self.model.positional:
            return (pose.q for pose, _ in closed_poses(self.model, self.values) if pose.residual <= TOLERANCE)
        steps = np.random.default_rng(1).uniform(-1, 1, (POSES, tree.n))
        return (integrate(tree, neutral(tree), step) for step in (np.zeros(tree.n), *steps))

    def _assembled(self, guess: Array, short: bool) -> Assembly:
        """Returns the proved configuration near a guess; short: with short coordinates if it closes there as well."""
        nearby = self._rounded(guess) if short else None
        if nearby is not None:
            with suppress(EvaluationError):
                return assembled(self.model, self.loops, self.functions, nearby, self.values)
        return assembled(self.model, self.loops, self.functions, guess, self.values)

    def _rounded(self, guess: Array) -> Array | None:
        """Returns a closed configuration with the independent coordinates of a guess, rounded, if there is one."""
        tree, short = self.model.tree, guess.copy()
        places = {name: place for place, name in enumerate(tree.positions)}
        turning = [places[name] for k, name in enumerate(tree.coordinates) if tree.turning[k] and name in places]
        own = [places[tree.coordinates[k]] for k in self.loops.independent if tree.coordinates[k] in places]
        short[turning] = (short[turning] + np.pi) % (2 * np.pi) - np.pi
        short[own] = short[own].round(DIGITS)
        if self.model.positional:
            short, phi = newton(self.model, self.loops, self.functions, short)
            if not np.abs(phi).max() <= TOLERANCE:
                return None
        return None if is_singular(self.functions(short)[1], self.choice) else short

    def _determinant(self, assembly: Assembly) -> Any:
        """Returns a ball that contains det A_d at the true configuration, whose quaternions have norm 1."""
        radius = max(assembly.radius, ROUNDED if self.model.tree.freedoms else 0.0)
        with precise():
            sides = zip(self.model.tree.positions, assembly.q, strict=True)
            box = {name: arb(float(side), radius) for name, side in sides}
            A = jacobian(self.model, self.values, box)
            part = [[arb(A[i][k]) for k in self.choice.dependent] for i in self.choice.conditions]
            return arb_mat(part).det() if part else arb(1)

    def with_left(self, told: Evidence, rows: Sequence[int]) -> Evidence:
        """Returns the evidence with what is seen of conditions left out. rows: those whose rows are examined"""
        assert told.configuration is not None
        names, parts, residual, count = names_of_conditions(self.model), np.zeros(len(rows)), 0.0, 0
        for q in self._along_the_motion(np.array(list(told.configuration.values()))):
            phi, A = self.functions(q)
            kept, others = A[list(self.choice.conditions)], A[list(rows)]
            spanned = np.linalg.lstsq(kept.T, others.T, rcond=None)[0].T @ kept
            longest = np.linalg.norm(A, axis=1).max()
            parts = np.maximum(parts, np.linalg.norm(others - spanned, axis=1) / longest)
            residual, count = max(residual, float(np.abs(phi).max(initial=0.0))), count + 1
        left = tuple(LeftCondition(names[i], float(part)) for i, part in zip(rows, parts, strict=True))
        return told._replace(left=left, examined=count, residual=residual)

    def _along_the_motion(self, q: Array) -> Iterator[Array]:
        """Yields a configuration and others, closed and regular as well, on a random walk along the motion."""
        random, count = np.random.default_rng(1), 1
        yield q
        for _ in range(WALKS):
            free = motions(self.functions(q)[1])
            if count == ENOUGH or not len(free):
                return
            step = free.T @ random.normal(size=len(free))
            guess = integrate(self.model.tree, q, step / np.linalg.norm(step), WALKED)
            there, phi = (
                newton(self.model, self.loops, self.functions, guess) if self.model.positional else (guess, q[:0])
            )
            if np.abs(phi).max(initial=0.0) <= TOLERANCE and not is_singular(self.functions(there)[1], self.choice):
                count, q = count + 1, there
                yield q
