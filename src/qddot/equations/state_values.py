"""Values has every quantity and every step of the equations as a NumPy array, in one state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot import html
from qddot.dynamics import coriolis
from qddot.equations.array import ExactArray
from qddot.equations.centres import Centres
from qddot.equations.quantities import KINEMATICS, QUANTITIES, Quantities
from qddot.equations.symbol_values import symbol_values
from qddot.errors import EvaluationError, did_you_mean, shortened
from qddot.expressions.names import rate_name
from qddot.model.model import Model
from qddot.numbers.at_state import generator_values

NAMES = (*QUANTITIES, *KINEMATICS)
MOST_NUMBERS = 9  # of an array that is shown whole


class Values(Mapping[str, NDArray[np.float64]]):
    """These are numeric arrays by the names of the quantities and the steps; each is computed when it is asked for."""

    def __init__(self, eq: Quantities, state: list[dict[str, float]], symbols: dict[str, float]) -> None:
        self._eq = eq
        self.state, self.symbols = state, symbols
        self._qd, self._qdd = (np.array(list(rates.values())) for rates in state[1:])
        self._done: dict[str, NDArray[np.float64]] = {}

    @classmethod
    def of(cls, eq: Quantities, state: tuple[Any, Any, Any], symbols: Mapping[str, Any]) -> Values:
        """Returns the values for a checked state and checked symbols; raises EvaluationError."""
        names = ("q", "qd", "qdd")
        named = [_named(eq.model, value, label) for value, label in zip(state, names, strict=True)]
        values = cls(eq, named, symbol_values(eq.model, symbols))
        values._check_complete(eq.M, eq.G, eq.springs, eq.friction, eq.P)
        return values

    def _check_complete(self, *arrays: ExactArray) -> None:
        used: set[str] = set().union(*(array.free_symbols for array in arrays))
        missing = sorted(used & set(self._eq.model.symbols) - set(self.symbols))
        if missing:
            raise EvaluationError(
                f"no value for {', '.join(missing)}",
                where=self._eq.model.name,
                remedy=f"give them: eq.at(q, ..., {missing[0]}=...)",
            )

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name not in self._done:
            if name not in list(self):
                raise KeyError(f"{name}; {did_you_mean(str(name), self)}")
            self._done[name] = np.asarray(self._compute(name), dtype=float)
        return self._done[name]

    def __iter__(self) -> Iterator[str]:
        yield from NAMES
        yield from (name for name in self._eq.steps if name not in NAMES)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<{self._eq.model.name} in one state: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        rows = [[name, _size(self[name]), _numbers(self[name])] for name in QUANTITIES]
        state = [
            f"{rate_name(name, dots) if dots else name} = {value:g}"
            for dots, names in enumerate(self.state)
            for name, value in names.items()
        ]
        steps = [f"and the steps {', '.join(self._eq.steps)}"] if self._eq.steps else []
        head = [f"{self._eq.model.name} in one state, SI units", ", ".join(state)]
        return html.shown(html.lines(head), html.table(("", "shape", "numbers"), rows), html.notes(steps))

    def _compute(self, name: str) -> Any:
        """Returns a quantity; those that follow from M, Γ and G come from numbers, as their exact forms are long."""
        gamma = self["christoffel"].tolist() if name in ("C", "B", "C2") else []
        if name == "C":
            return coriolis.coriolis_matrix(gamma, self._qd.tolist())
        if name == "B":
            n = self._eq.n
            return np.array(coriolis.coriolis_products(gamma)).reshape(n, n * (n - 1) // 2)
        if name == "C2":
            return coriolis.centrifugal_matrix(gamma)
        if name == "h":
            return self["C"] @ self._qd
        if name == "tau":
            return self["M"] @ self._qdd + self["h"] + self["G"] + self["springs"] + self["friction"]
        if name == "K":
            return self._qd @ self["M"] @ self._qd / 2
        return self._evaluated(getattr(self._eq, name) if name in NAMES else self._eq.steps[name])

    def _evaluated(self, array: ExactArray) -> NDArray[np.float64]:
        self._check_complete(array)
        known = generator_values(array.ring, *self.state, self.symbols)  # type: ignore[call-arg]
        known.update(self._centres(array, known))
        return array.values(known)

    def _centres(self, array: ExactArray, known: Mapping[str, float]) -> dict[str, float]:
        """Returns the values of a route's auxiliary masses and centres of mass: first moment over mass."""
        if not array.ring.extra:
            return {}
        centres = Centres(self._eq.model, self._eq.ring)

        def number(value: Any) -> float:
            return float(ExactArray(self._eq.ring, value).values(known))

        found = {name: number(mass) for name, mass in centres.new_masses.items()}
        for name, (moment, mass) in centres.definitions().items():
            found[name] = number(moment) / number(mass)
        return found


def _size(array: NDArray[np.float64]) -> str:
    return " × ".join(map(str, array.shape))


def _numbers(array: NDArray[np.float64]) -> str:
    """Returns the numbers of a vector or a small matrix, of others the largest magnitude."""
    if array.size > MOST_NUMBERS:
        return f"up to {np.abs(array).max():.6g}"
    text = np.array2string(array, formatter={"float_kind": lambda x: f"{x:.6g}"}, separator=", ")
    return " ".join(text.split())


def _named(model: Model, value: Any, label: str) -> dict[str, float]:
    """Returns n finite numbers by the names of the coordinates; missing rates are zero."""
    names = model.coordinates
    if value is None and label != "q":
        return dict.fromkeys(names, 0.0)
    if isinstance(value, Mapping):
        for name in value:
            if name not in names:
                raise EvaluationError(f"{label} has {shortened(name)}", remedy=did_you_mean(str(name), names))
        missing = [name for name in names if name not in value]
        if label == "q" and missing:
            raise EvaluationError(f"q lacks {', '.join(missing)}", expected=", ".join(names))
        value = [value.get(name, 0.0) for name in names]
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError(f"{label} is not numeric: {shortened(value)}", expected=f"{len(names)} numbers") from None
    if numbers.shape != (len(names),):
        raise EvaluationError(f"{label} has the shape {numbers.shape}", expected=f"({len(names)},): {', '.join(names)}")
    if not np.isfinite(numbers).all():
        raise EvaluationError(f"{label} is {numbers.tolist()}", expected="finite numbers")
    return dict(zip(names, numbers.tolist(), strict=True))
