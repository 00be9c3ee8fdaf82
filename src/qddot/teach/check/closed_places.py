"""Computes states of a closed chain in which the entries of answers are compared: in balls, with closed loops."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.arbitrary import arbitrary
from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.base.errors import EvaluationError
from qddot.exact.equations.closed.closed_states import ClosedState, ClosedStates, values_in_balls
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.machine.numeric.closed_evidence import symbols_of_conditions

STATES = 4  # with the default lengths, and as many with others
LARGEST = Fraction(1, 20)  # the largest part by which lengths differ from the defaults


class Place(NamedTuple):
    """This is a state with closed loops: its numbers, and those that a witness names."""

    numbers: Balls
    state: dict[str, str]


class Places:
    """These are states of one chain: with the default lengths and, if the loops also close there, with others."""

    def __init__(self, reduced: ReducedEquations, near: NDArray[np.float64]) -> None:
        self.reduced, self.near = reduced, near

    @cached_property
    def every(self) -> list[Place]:
        """Returns the states in which differences are computed."""
        with precise():
            defaults = self.at({})
            others: list[Place] = []
            with suppress(EvaluationError):  # special lengths, without which nothing moves
                others = self.at(self._other_lengths)
        return [*defaults, *others]

    def at(self, lengths: Mapping[str, Any]) -> list[Place]:
        """Returns states with given values of some symbols.

        raises EvaluationError: the loops cannot be closed with these values, or not in so many configurations
        """
        with precise():
            return [self._place(state) for state in self._states(lengths)]

    @cached_property
    def _other_lengths(self) -> Mapping[str, Any]:
        """Returns values of the symbols in conditions, each of which differs from the default by another part of it."""
        own = values_in_balls(self.reduced.model)
        names = sorted(symbols_of_conditions(self.reduced.model) & set(own))
        return {name: own[name] * ball(1 + LARGEST * Fraction(k, len(names))) for k, name in enumerate(names, 1)}

    def _states(self, lengths: Mapping[str, Any]) -> list[ClosedState]:
        model = self.reduced.model
        held = symbols_of_conditions(model)
        others = {name: ball(_decimal(name)) for name in model.tree.symbols if name not in held}
        values = {**values_in_balls(model), **others, **lengths}
        return ClosedStates(model, self.reduced.choice, self.near, values).first(STATES)

    def _place(self, state: ClosedState) -> Place:
        of, names = self.reduced.coefficients, self.reduced.model.tree.coordinates
        values = _Values({**state.values, **state.coefficients(of)})
        own = state.numbers
        told = {name: f"{float(side):.6g}" for name, side in state.q.items()}
        told |= {rate_name(names[k]): f"{float(rate):g}" for k, rate in zip(of.independent, state.u, strict=True)}
        told |= {name: f"{float(value):.6g}" for name, value in state.values.items()}
        return Place(Balls(values, own.q, own.qd, own.qdd), told)


class _Values(dict[str, Any]):
    """These are values of symbols; an answer's own symbol, such as a torque, has an arbitrary one."""

    def __missing__(self, name: str) -> Any:
        return ball(_decimal(name))


def _decimal(name: str) -> Fraction:
    return Fraction(3 + arbitrary(name) % 17, 10)
