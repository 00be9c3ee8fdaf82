"""Finds numbers in another unit that are used as if they were in SI units: 350 for 350 mm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from qddot.check.judging.cases import Case
from qddot.check.judging.mistakes import Mistake
from qddot.check.judging.numbers import with_values
from qddot.check.reading.answer import Answer
from qddot.equations.arrays.exact_array import ExactArray
from qddot.equations.quantities import Quantities
from qddot.numbers.polynomials.exact import Ring


def unconverted(
    eq: Quantities,
    ring: Ring,
    answer: Answer,
    exact: Mapping[str, ExactArray],
    values: Mapping[str, Fraction],
    cases: Sequence[Case],
) -> Iterator[Mistake]:
    """Yields unconverted numbers that explain wrong entries: each number by itself, and all together.

    exact: the quantities in symbols; values: those that have precedence over the answer's own
    """
    written = {name: number for name, number in answer.unconverted.items() if name not in values}
    choices = [{name: number} for name, number in written.items()]
    for chosen in [*choices, written] if len(choices) > 1 else choices:
        _, arrays, _ = with_values(eq, answer, exact, {**values, **chosen})
        entries = {name: dict(zip(array.places, array.entries, strict=True)) for name, array in arrays.items()}
        same = [case for case in cases if case.is_equal_to(ring.convert(entries[case.quantity][case.place]))]
        explains = tuple(case.key for case in same if case.difference)
        against = sum(not case.difference for case in cases if case not in same)
        if explains:
            words = {
                "wrong": _assignments(chosen),
                "right": _assignments({name: answer.values[name] for name in chosen}),
            }
            yield Mistake("units", words, explains, contradicts=against)


def _assignments(values: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} = {float(value):g}" for name, value in values.items())
