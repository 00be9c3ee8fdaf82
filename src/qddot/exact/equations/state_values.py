"""Computes every quantity and every step of the equations in one state, as NumPy arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.checked_arrays import unit_quaternions, vector
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.floats import Floats
from qddot.base import html
from qddot.base.errors import EvaluationError, did_you_mean, few, shortened
from qddot.base.words.message import Listed, Words, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.centres import Centres
from qddot.exact.equations.quantities import Equations, Quantities
from qddot.exact.equations.quantity_table import EntriesByName, of_motion, record_of
from qddot.physics.of_model import with_loads
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing, symbol_values

MOST_NAMES = 24  # of quantities in the text of a state

MOST_NUMBERS = 9  # the most numbers of an array that is shown whole


class InOneState(Mapping[str, NDArray[np.float64]], ABC):
    """These are numeric arrays by the names of the quantities and the steps; each is computed at its first use."""

    symbols: dict[str, float]

    def __init__(self, of: str, equations: Equations) -> None:
        self._of, self._equations = of, equations
        self._done: dict[str, NDArray[np.float64]] = {}

    @abstractmethod
    def _compute(self, name: str) -> Any:
        """Returns the numbers of a quantity or a step."""

    def _check_complete(self, model: Model, *arrays: ExactArray) -> None:
        used: set[str] = set().union(*(array.free_symbols for array in arrays))
        missing = used & set(model.symbols) - set(self.symbols)
        refuse_missing(missing, model.name, "pass-values-at", most=len(missing))

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name not in self._done:
            if name not in self._equations.names:
                raise KeyError(f"{name}; {did_you_mean(str(name), self)}")
            self._done[name] = np.asarray(self._compute(name), dtype=float)
        return self._done[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._equations.names)

    def __len__(self) -> int:
        return len(self._equations.names)

    def __repr__(self) -> str:
        return f"<{self._of} in one state: {few(list(self), MOST_NAMES)}>"


class Values(InOneState):
    """These are those of an arm."""

    def __init__(self, eq: Quantities, state: list[dict[str, float]], symbols: dict[str, float]) -> None:
        super().__init__(eq.model.name, eq)
        self._eq = eq
        self.state, self.symbols = state, symbols

    @classmethod
    def of(cls, eq: Quantities, state: tuple[Any, Any, Any], symbols: Mapping[str, Any]) -> Values:
        """Returns the values for a checked state and checked symbols; raises EvaluationError."""
        names = ("q", "qd", "qdd")
        named = [named_state(eq.model, value, label) for value, label in zip(state, names, strict=True)]
        values = cls(eq, named, symbol_values(eq.model, symbols))
        values._check_complete(eq.model, eq.M, eq.G, eq.springs, eq.friction, eq.forces, eq.P)
        return values

    def _repr_html_(self) -> str:
        rows = [[name, _size(self[name]), _numbers(self[name])] for name in of_motion() if name in {*self}]
        numbers = ((dots, name, value) for dots, names in self._dotted() for name, value in names.items())
        state = [f"{rate_name(name, dots) if dots else name} = {value:g}" for dots, name, value in numbers]
        steps = [say("and-the-steps", names=Listed(self._eq.steps))] if self._eq.steps else []
        head: list[Words] = [say("in-one-state", name=self._eq.model.name), ", ".join(state)]
        titles = ("", say("title-shape"), say("title-numbers"))
        return html.block(html.lines(head), html.table(titles, rows), html.notes(steps))

    def _dotted(self) -> Iterator[tuple[int, dict[str, float]]]:
        """Yields each number of dots, and the state's values with that many; quasi-velocities have one dot fewer."""
        quasi = {name for freedoms in self._eq.model.freedoms for name in freedoms.velocities}
        for dots, names in enumerate(self.state):
            yield dots, {name: value for name, value in names.items() if name not in quasi}
            yield dots - 1, {name: value for name, value in names.items() if name in quasi}

    def _compute(self, name: str) -> Any:
        """Returns a quantity; one that follows from others is computed from numbers if its exact form is long."""
        quantity = record_of(name)
        if not quantity.follows or self._eq.model.lagrangian is not None:
            return self._evaluated(self._eq.array(name))
        entries = np.array(self._parts[name], dtype=float)
        return entries.reshape(self._eq.n, -1) if quantity.places else entries

    @cached_property
    def _parts(self) -> EntriesByName:
        qd, qdd = (list(rates.values()) for rates in self.state[1:])
        return EntriesByName(lambda name: self[name].tolist(), qd, qdd)

    def _evaluated(self, array: ExactArray) -> NDArray[np.float64]:
        self._check_complete(self._eq.model, array)
        return array.values(self._with_centres if array.ring.extra else self._numbers)

    @cached_property
    def _numbers(self) -> Floats:
        return with_loads(self._eq.model, Floats(self.symbols, *self.state))

    @cached_property
    def _with_centres(self) -> Floats:
        """Returns the numbers with values of a route's auxiliary masses and centres of mass, first moment over mass."""
        centres = Centres(self._eq.model, self._eq.ring, self._eq.dynamics.mechanism)

        def number(value: Any) -> float:
            return float(self._eq.ring.convert(value).evaluate(self._numbers))

        symbols = {name: number(mass) for name, mass in centres.new_masses.items()}
        for name, (moment, mass) in centres.definitions().items():
            symbols[name] = number(moment) / number(mass)
        return Floats({**self.symbols, **symbols}, *self.state)


def _size(array: NDArray[np.float64]) -> str:
    return " × ".join(map(str, array.shape))


def _numbers(array: NDArray[np.float64]) -> str:
    """Returns the numbers of a vector or a small matrix as text, of other arrays the largest magnitude."""
    if array.size > MOST_NUMBERS:
        return f"up to {np.abs(array).max():.6g}"
    text = np.array2string(array, formatter={"float_kind": lambda x: f"{x:.6g}"}, separator=", ")
    return " ".join(text.split())


def named_state(model: Model, value: Any, label: str) -> dict[str, float]:
    """Returns finite numbers by the names of the entries of q or of the velocities; missing rates are zero."""
    names = model.positions if label == "q" else model.coordinates
    if value is None and label != "q":
        return dict.fromkeys(names, 0.0)
    if isinstance(value, Mapping):
        for name in value:
            if name not in names:
                raise EvaluationError(
                    "unknown-name-in-state", label=label, name=shortened(name), remedy=did_you_mean(str(name), names)
                )
        missing = [name for name in names if name not in value]
        if label == "q" and missing:
            raise EvaluationError("q-lacks", names=Listed(missing), expected=Listed(names))
        value = [value.get(name, 0.0) for name in names]
    numbers = vector(value, label, len(names), names, error=EvaluationError)
    named = dict(zip(names, numbers.tolist(), strict=True))
    for freedoms in model.freedoms if label == "q" else ():
        names = freedoms.quaternion
        quaternion = unit_quaternions(np.array([named[part] for part in names]), say("in-q", names=", ".join(names)))
        named |= zip(names, quaternion.tolist(), strict=True)
    return named
