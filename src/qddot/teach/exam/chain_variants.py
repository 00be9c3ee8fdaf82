"""Makes a variant of a closed chain for each seed: other lengths and numbers, and another gravity.

A length in the formulas is a multiple of what it was, and its value is divided by the multiple, so that the loops close
as before. Then the values of all symbols change; lengths keep theirs where the loops would not close.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import EvaluationError, ModelError, QddotError, check_one_of
from qddot.base.words.message import say
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.formats.conversions.substitute import replaced
from qddot.machine.numeric.assembly import newton
from qddot.machine.numeric.closed_evidence import symbols_of_conditions
from qddot.machine.numeric.closed_poses import TOLERANCE
from qddot.machine.numeric.confirmed_choice import at
from qddot.machine.numeric.undetermined import is_singular
from qddot.physics.independent import of_loops
from qddot.physics.of_model import check_links
from qddot.robot.bodies import Symbol
from qddot.robot.closed_model import ClosedModel
from qddot.robot.symbol_values import all_values
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.exam.variants import (
    GRAVITY,
    LENGTHS,
    NUMBERS,
    along_axes,
    chance,
    check_seed,
    combination,
    combinations,
    lengths_in,
    other_values,
    with_meanings,
    with_source,
    with_units_of_lengths,
)

CHANGES = (LENGTHS, GRAVITY, NUMBERS)
TRIALS = 12  # of other values of lengths, with which the loops may close or not


class ChainVariants:
    """These are the variants of a closed chain.

    changes: what may differ, from CHANGES; kept: symbols that keep their values
    """

    def __init__(
        self, eq: ChainQuantities, changes: Sequence[str] = CHANGES, kept: Collection[str] = frozenset()
    ) -> None:
        """raises QddotError: no such change, a system without links, or changes with "lengths" without such a symbol"""
        check_links(eq.reduced.model.tree, say("an-exam"))
        for name in changes:
            check_one_of(name, CHANGES, "a change", QddotError)
        self.eq = _with_units_of_lengths(eq)
        self.model, self.changes, self.kept = self.eq.reduced.model, tuple(changes), kept
        if self.changes != CHANGES and LENGTHS in self.changes and not self._lengths:
            raise QddotError("no-lengths-to-vary", name=self.model.tree.name)

    def of(self, seed: int, number: int | None = None) -> ChainQuantities:
        """Returns the variant of a seed; 0 is the chain itself. number: of its formulas, as in `Variants.of`

        raises QddotError: not a whole number
        """
        check_seed(seed)
        if seed == 0:
            return self.eq
        model = self._formulas(seed if number is None else number)
        model = replace(model, tree=with_source(model.tree, seed))
        return self._with_numbers(model, seed) if NUMBERS in self.changes else self._near(model)

    def formulas(self, number: int) -> ChainQuantities:
        """Returns the chain with the formulas of a number, and its own values."""
        return self._near(self._formulas(number))

    @cached_property
    def count(self) -> int:
        """Returns how many combinations of formulas there are, after which they repeat."""
        return len(self._gravities) * combinations(self._lengths)

    def _formulas(self, number: int) -> ClosedModel:
        k, factors = combination(number, len(self._gravities), self._lengths)
        model = _scaled(self.model, {name: factor for name, factor in factors.items() if factor != 1})
        tree = replace(model.tree, gravity=self._gravities[k])
        if tree.gravity != self.model.tree.gravity or model is not self.model:
            tree = replace(with_meanings(tree, "m"), notes=())
        return replace(model, tree=tree)

    @cached_property
    def _lengths(self) -> list[str]:
        return lengths_in(self.eq, ("A", "M", "G")) if LENGTHS in self.changes else []

    @cached_property
    def _gravities(self) -> list[Vec3]:
        """Returns gravity along the axes of the base, as far as it acts along no fewer independent coordinates.

        That of a chain with wheels stays, since it presses them on the ground.
        """
        own = self.model.tree.gravity
        if GRAVITY not in self.changes or self.model.rolling or len(axes := along_axes(own)) == 1:
            return [own]
        felt = self._felt(own)
        others = [each for axis in axes if self._felt(axis) >= felt for each in (axis, axis * -1)]
        return [own, *(each for each in others if each != own)]

    def _felt(self, gravity: Vec3) -> int:
        model = replace(self.model, tree=replace(self.model.tree, gravity=gravity))
        return sum(map(bool, ReducedEquations(model, self.eq.reduced.choice).array("G").entries))

    def _with_numbers(self, model: ClosedModel, seed: int) -> ChainQuantities:
        """Returns a chain with other values of its symbols, which are possible and close its loops near as before."""
        held = symbols_of_conditions(model)
        for trial in range(TRIALS + 1):
            values = other_values(model.tree, chance(f"{seed} {trial}"), self.kept)
            if self.eq.reduced.choice.near or trial == TRIALS:
                values = {name: value for name, value in values.items() if name not in held}
            with suppress(EvaluationError, ModelError):
                return self._near(replace(model, tree=model.tree.with_values(values)))
        return self._near(model)

    def _near(self, model: ClosedModel) -> ChainQuantities:
        """Returns the quantities of a chain in its configuration near that of the original.

        raises EvaluationError: the loops do not close there, or are singular
        """
        choice, near = self.eq.reduced.choice, self.eq.near
        functions = partial(at, model, all_values(model))
        if model.loops:
            near, phi = newton(model, of_loops(model, choice), functions, near)
            if not np.abs(phi).max() <= TOLERANCE:
                raise EvaluationError("loops-stay-open", where=model.name)
        if is_singular(functions(near)[1], choice):
            raise EvaluationError("singular-loops", where=model.name)
        return ChainQuantities(ReducedEquations(model, choice), near)


def _with_units_of_lengths(eq: ChainQuantities) -> ChainQuantities:
    model = eq.reduced.model
    tree = with_units_of_lengths(model.tree, (loop.length for loop in model.loops))
    if tree is model.tree:
        return eq
    return ChainQuantities(ReducedEquations(replace(model, tree=tree), eq.reduced.choice), eq.near)


def _scaled(model: ClosedModel, factors: Mapping[str, Fraction]) -> ClosedModel:
    """Returns a chain with multiples of some lengths in their places, whose values are divided by the factors."""
    if not factors:
        return model
    values = {name: Expression.of(name) * factor for name, factor in factors.items()}
    tree = model.tree
    bodies, tool = (replaced(part, values) for part in (tree.bodies, tree.tool))
    symbols = {**tree.symbols, **dict(_divided(tree.symbols, factors))}
    tree = replace(tree, bodies=bodies, tool=tool, symbols=symbols)
    return replace(model, tree=tree, loops=replaced(model.loops, values))


def _divided(symbols: Mapping[str, Symbol], factors: Mapping[str, Fraction]) -> Iterator[tuple[str, Symbol]]:
    for name, factor in factors.items():
        value = symbols[name].value
        yield name, replace(symbols[name], value=None if value is None else value * (1 / factor))
