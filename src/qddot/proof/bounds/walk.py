"""Encloses the results of an exact program over many boxes of coordinates at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import inf, nextafter
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.program import interpreter
from qddot.algebra.program.operations import OPERATIONS
from qddot.base.errors import EvaluationError
from qddot.machine.compilers import blocks
from qddot.proof.bounds import forms, functions
from qddot.proof.bounds.exact_programs import ExactProgram
from qddot.proof.bounds.forms import UNIT, Array, Form

FORMS: Mapping[str, Callable[..., Form]] = {  # operations whose enclosures are arithmetic of whole arrays
    "add": forms.added,
    "sub": forms.subtracted,
    "mul": forms.multiplied,
    "neg": forms.negated,
    "sin": forms.sine,
    "cos": forms.cosine,
}


def of_forms() -> dict[str, Callable[..., Form]]:
    """Returns the function that encloses each operation."""
    return {name: FORMS.get(name) or partial(functions.enclosed, each) for name, each in OPERATIONS.items()}


class Enclosure:
    """The results of a program over boxes: centre and radius (results, boxes), slopes (results, coordinates, boxes).

    hidden: how much each coordinate may change the radius, (boxes, coordinates), which helps to choose the coordinate
    to halve
    rates: how many of the coordinates, the last ones, are rates
    """

    def __init__(
        self,
        centre: Array,
        slopes: Array,
        radius: Array,
        low: Array,
        high: Array,
        hidden: Array | float = 0.0,
        rates: int = 0,
    ) -> None:
        self.centre, self.slopes, self.radius, self.low, self.high = centre, slopes, radius, low, high
        self.hidden, self.rates = hidden, rates

    @classmethod
    def of_forms(cls, results: list[Form]) -> Enclosure:
        """Returns forms as arrays; where the interval is narrower than the linear form, it replaces the form."""
        names = ("centre", "slopes", "radius", "low", "high")
        centre, slopes, radius, low, high = (np.array([getattr(form, name) for form in results]) for name in names)
        middle = low + (high - low) / 2
        half = np.maximum(high - middle, middle - low) * (1 + 4 * UNIT)
        narrow = half < radius + np.abs(slopes).sum(axis=1)
        centre, radius = np.where(narrow, middle, centre), np.where(narrow, half, radius)
        return cls(centre, np.where(narrow[:, None], 0.0, slopes), radius, low, high)

    @classmethod
    def without_bounds(cls, results: int, hidden: Array) -> Self:
        """Returns what encloses nothing, for as many boxes as `hidden` has rows."""
        zero, wide = np.zeros((results, len(hidden))), np.full((results, len(hidden)), inf)
        return cls(zero, np.zeros((results, *hidden.shape[::-1])), wide, -wide, wide.copy(), hidden)

    def put(self, which: NDArray[np.bool_], other: Enclosure) -> None:
        """Replaces the results over some of the boxes."""
        for name in ("centre", "slopes", "radius", "low", "high"):
            getattr(self, name)[..., which] = getattr(other, name)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Returns which boxes have bounds of all results."""
        sizes = np.abs(self.centre) + np.abs(self.slopes).sum(axis=1) + self.radius
        known: NDArray[np.bool_] = np.isfinite(sizes.sum(axis=0))
        return known

    def only(self, which: NDArray[np.bool_]) -> Self:
        """Returns the results over some of the boxes."""
        centre, radius, low, high = (each[:, which] for each in (self.centre, self.radius, self.low, self.high))
        return type(self)(centre, self.slopes[:, :, which], radius, low, high, self.hidden, self.rates)


class Walk(Protocol):
    """A walk encloses the results of a program over boxes of the coordinates on which they depend."""

    coordinates: list[int]
    turning: bool  # whether all coordinates are angles, a whole turn of which changes nothing
    is_zero: bool  # whether all results are exactly 0

    def __call__(self, low: Array, high: Array) -> Enclosure: ...
    def at(self, points: Array) -> Array: ...


Walks: TypeAlias = Callable[[ExactProgram, int], Walk]  # of programs, with the most points from which a sum is made


class FormProgram:
    """This is an exact program that is computed over forms of the coordinates on which it depends, in their order."""

    def __init__(self, exact: ExactProgram, operations: Mapping[str, Callable[..., Form]]) -> None:
        """operations: those of forms, by name"""
        self.program, self.coordinates = exact.program, exact.coordinates
        self._irrational, self._operations = exact.irrational, operations
        self.is_zero = all(node.op == "constant" and node.value == 0 for node in self.program.nodes)

    def over(self, q: Sequence[Form], coordinates: int, boxes: int) -> Enclosure:
        """Returns enclosures; coordinates: how many the forms have

        raises UndefinedError: an operation may have no value in a box
        """

        def constant(low: float, high: float) -> Form:
            return forms.constant(low, high, coordinates, boxes)

        walk = interpreter.Walk(self.program, self._operations, lambda value: constant(*_ends(Fraction(value))))
        values = walk(self._inputs(q, [constant(*ends) for ends in self._irrational]))
        return Enclosure.of_forms([values[place] for place in self.program.results])

    def at(self, points: Array) -> Array:
        """Returns the results in plain floats at points (points, coordinates), as (results, points)."""
        middles = [(low + high) / 2 for low, high in self._irrational]
        values = interpreter.Walk(self.program, blocks.functions(), float)(self._inputs(points.T, middles))
        return np.array([np.broadcast_to(values[place], len(points)) for place in self.program.results])

    def _inputs(self, q: Iterable[Any], irrational: list[Any]) -> list[Any]:
        """Returns the elements of each input; q: the coordinates on which the program depends."""
        own = dict(zip(self.coordinates, q, strict=True))
        return [own if port.name == "q" else irrational for port in self.program.inputs]


class ExactWalk(FormProgram):
    """Walks an exact program over boxes of the coordinates on which it depends.

    raises EvaluationError: the program depends on too many coordinates
    """

    def __init__(self, exact: ExactProgram) -> None:
        check_few(exact.program.name, len(exact.coordinates))
        super().__init__(exact, of_forms())
        self.turning = False

    def __call__(self, low: Array, high: Array) -> Enclosure:
        """Returns enclosures over boxes with these corners, (boxes, coordinates).

        raises UndefinedError: an operation may have no value in a box
        """
        return self.over([forms.coordinate(place, low, high) for place in range(low.shape[1])], *low.shape[::-1])


def check_few(name: str, count: int) -> None:
    """raises EvaluationError: bounds would depend on more coordinates than forms may have"""
    if count > forms.MOST_COORDINATES:
        raise EvaluationError("too-many-coordinates", name=name, count=count, most_coordinates=forms.MOST_COORDINATES)


def _ends(value: Fraction) -> tuple[float, float]:
    """Returns two floats that enclose a fraction; they are equal if it is a float."""
    near = float(value)
    if Fraction(near) == value:
        return near, near
    return (nextafter(near, -inf), near) if Fraction(near) > value else (near, nextafter(near, inf))
