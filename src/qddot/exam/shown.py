"""Shows laws for one arm: both sides of each law are computed, so that it is seen that they are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from qddot.equations.arrays.exact_array import ExactArray
from qddot.equations.quantities import Quantities
from qddot.printing.tree import Equation, Matrix, Symbol
from qddot.report.document import Block, Equations
from qddot.report.wording import Words

Uses = Callable[..., Iterable[str]]  # of names of quantities: the keys of those that are derived


class Shown(NamedTuple):
    """This is a law that an exam may ask to be shown.

    needs: the quantities that are derived first; parts: what has marks, by the keys of its words
    checked: the quantities that are the first part, which `qddot check` marks
    sides: writes both sides, for a function that says which equations give some quantities
    """

    needs: tuple[str, ...]
    parts: tuple[str, ...]
    checked: tuple[str, ...]
    sides: Callable[[Quantities, Words, Uses], Iterator[Block]]


def _skew(eq: Quantities, words: Words, uses: Uses) -> Iterator[Block]:
    """Yields Ṁ − 2C, and that it is skew-symmetric."""
    yield words.paragraph("skew matrix")
    yield _equation(Symbol("S", "S"), _rate(eq, eq.array("M")) - eq.array("C") * 2, uses("M", "C"))
    yield words.paragraph("skew shown")


def _power(eq: Quantities, words: Words, uses: Uses) -> Iterator[Block]:
    """Yields the rate of the energy and the power of the torques, which are the same expression."""
    springs = ExactArray.of(eq.ring, eq.dynamics.spring_energy())
    energy = eq.array("K") + eq.array("P") + springs
    yield words.paragraph("energy rate")
    yield _equation(Symbol("Ed", "E", dots=1), _rate(eq, energy), uses("K", "P"))
    yield words.paragraph("power")
    power = _rates(eq) @ (eq.array("tau") - eq.array("friction"))
    yield _equation(Symbol("Wd", "W", dots=1), power, uses("tau"))
    yield words.paragraph("power shown")


def _velocity(eq: Quantities, words: Words, uses: Uses) -> Iterator[Block]:
    """Yields Ṁ q̇ and ∂K/∂q, whose difference is the velocity torques."""
    K = eq.array("K")
    slopes = [K.diff(name).entries[0] for name in eq.model.coordinates]
    yield words.paragraph("momentum rate")
    yield _equation(Symbol("u", "u"), _rate(eq, eq.array("M")) @ _rates(eq), uses("M"))
    yield words.paragraph("energy slopes")
    yield _equation(Symbol("w", "w"), ExactArray.of(eq.ring, slopes), uses("K"))
    yield words.paragraph("velocity shown")


LAWS: Mapping[str, Shown] = {
    "skew": Shown(("C",), ("matrix C", "rate of M", "difference"), ("C",), _skew),
    "power": Shown(("K", "P", "tau"), ("energies part", "rate of energy", "power of torques"), ("K", "P"), _power),
    "velocity": Shown(("h", "K"), ("torques h", "term of M", "slopes of K"), ("h",), _velocity),
}


def _rates(eq: Quantities) -> ExactArray:
    """Returns the column q̇."""
    return ExactArray.of(eq.ring, [eq.ring.rate(name) for name in eq.model.coordinates])


def _rate(eq: Quantities, array: ExactArray) -> ExactArray:
    """Returns the derivative of an array with respect to time."""
    rates: Any = [eq.ring.time_derivative(entry) for entry in array.entries]
    width = array.shape[-1] if array.shape else 0
    nested = [rates[k : k + width] for k in range(0, len(rates), width)] if width else rates[0]
    return ExactArray.of(eq.ring, nested)


def _equation(left: Symbol, array: ExactArray, uses: Iterable[str]) -> Equations:
    """Returns the equation that gives a scalar, a column or a matrix its name."""
    entries = [array.written(entry) for entry in array.entries]
    if not array.shape:
        return Equations.of(left.text, [Equation(left, entries[0])], uses)
    width = array.shape[1] if array.ndim == 2 else 1
    rows = (tuple(entries[k : k + width]) for k in range(0, len(entries), width))
    return Equations.of(left.text, [Equation(left, Matrix(tuple(rows)))], uses)
