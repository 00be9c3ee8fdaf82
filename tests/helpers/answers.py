"""Helpers make answers of exact arrays, as the reader makes them of texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.expressions.parser import expression
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.printing.notation import key_of
from qddot.teach.check.reading.answer import Answer, Entry

Place = tuple[int, ...]


def answered(eq: Quantities, changes: Mapping[tuple[str, Place], Any] | None = None, /, *names: str) -> Answer:
    """The quantities of these names as an answer, with other entries in some places."""
    arrays = {name: eq.in_joint_angles.array(name) for name in names}
    return answer_of(arrays, changes or {})


def answer_of(arrays: Mapping[str, ExactArray], changes: Mapping[tuple[str, Place], Any] | None = None) -> Answer:
    """An answer with these arrays, and with other entries in some places."""
    changed, ring = changes or {}, next(iter(arrays.values())).ring
    for value in (*arrays.values(), *changed.values()):
        ring = ring.joined(value.ring)
    entries = {}
    for name, array in arrays.items():
        cells = zip(array.places, array.entries, strict=True)
        entries[name] = tuple(
            Entry(place, ring.convert(_polynomial(changed.get((name, place), entry))), ring.convert(1), "", "")
            for place, entry in cells
        )
    return Answer(entries, {name: array.shape for name, array in arrays.items()}, (), ring)


def _polynomial(value: Any) -> Polynomial:
    return value.entries[0] if isinstance(value, ExactArray) else value


def written(ring: Ring, text: str) -> Polynomial:
    """The polynomial of an expression such as "m2*l2*cos(q1 + q2)*qd1"."""
    return ring.convert(expression(text).evaluate(_Names(ring)))


class _Names:
    """A kind of number: symbols, rates and the angles of joints in a ring."""

    def __init__(self, ring: Ring) -> None:
        self.ring, self.rational, self.root = ring, ring.rational, ring.root

    def symbol(self, name: str) -> Polynomial:
        key = key_of(name, self.ring.coordinates)
        return self.ring.generator(f"q({name})" if name in self.ring.coordinates else key)

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        pair: tuple[Any, Any] = (1, 0)
        for name, n in angle.symbols:
            pair = sum_of_angles(pair, self.ring.cos_sin(name, n))
        return pair
