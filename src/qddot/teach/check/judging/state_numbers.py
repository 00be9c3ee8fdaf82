"""Judges the wrong numbers of an answer in its own state, and names their mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.base.errors import visible
from qddot.exact.equations.quantities import Quantities
from qddot.formats.confusions.of_arms import DEGREES
from qddot.teach.check.exact_arrays import entry_name, exact_array
from qddot.teach.check.judging.cases import DIFFERENT, Witness
from qddot.teach.check.judging.judgement import Judged
from qddot.teach.check.judging.mistakes import Mistake
from qddot.teach.check.reading.answer import NumberInState
from qddot.teach.check.reading.numbers.numbers_in_states import is_near

FACTORS = {"sign": -1.0, "double": 2.0, "half": 0.5}


def mistakes_in_numbers(numbers: Sequence[NumberInState]) -> Iterator[Mistake]:
    """Yields the mistakes that explain wrong numbers: degrees taken as radians, or a factor of the whole."""
    for number in numbers:
        key = (number.quantity, number.place)
        if is_near(number.yours, number.in_degrees):
            yield Mistake(DEGREES.name, {}, (key,))
        for kind, factor in FACTORS.items():
            if is_near(number.yours, factor * number.exact):
                yield Mistake(kind, {}, (key,))


def judged_number(eq: Quantities, number: NumberInState, mistakes: tuple[Mistake, ...]) -> Judged:
    """Returns the judgement of a wrong number."""
    name = entry_name(exact_array(eq, number.quantity), number.place)
    witness = Witness(dict(number.state), number.yours, number.exact)
    said = (visible(number.text), visible(number.where))
    return Judged(number.quantity, number.place, name, DIFFERENT, *said, witness=witness, mistakes=mistakes)
