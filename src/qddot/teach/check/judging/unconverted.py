"""Finds numbers and angles in another unit that are used as if they were in SI units: 350 for 350 mm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.formats.confusions.of_arms import DEGREES
from qddot.teach.check.judging.cases import Case
from qddot.teach.check.judging.mistakes import Mistake
from qddot.teach.check.judging.numbers import with_values
from qddot.teach.check.reading.answer import Answer
from qddot.teach.check.reading.exact.turned_angles import NEAR_PI

NEARLY = 1e-6  # the largest error of a multiple of an angle after division by 180/π


def unconverted(
    eq: Quantities,
    ring: Ring,
    answer: Answer,
    exact: Mapping[str, ExactArray],
    values: Mapping[str, Fraction],
    cases: Sequence[Case],
) -> Iterator[Mistake]:
    """Yields unconverted numbers that explain wrong entries: each number by itself, and all together.

    exact: the quantities in symbols; values: numbers for symbols, with precedence over the answer's own numbers
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


def in_degrees(ring: Ring, opaque: Mapping[str, Angle], cases: Sequence[Case]) -> Iterator[Mistake]:
    """Yields angles that are converted between radians and degrees although they should not be: cos(180/π q1).

    opaque: the angles whose cosines and sines are symbols, by their names
    """
    for factor in (180 / NEAR_PI, NEAR_PI / 180):
        images: dict[str, Polynomial] = {}
        for name, angle in opaque.items():
            images |= _converted(ring, name, angle, factor)
        explains = []
        for case in cases if images else ():
            top, below = (ring.composed(part, images) for part in (case.numerator, case.denominator))
            explains += [case.key] if case.difference and not top - below * case.exact else []
        if explains:
            yield Mistake(DEGREES.name, {}, tuple(explains))


def _converted(ring: Ring, name: str, angle: Angle, factor: Fraction) -> dict[str, Polynomial]:
    """Returns cosine and sine of an angle divided by a factor, if that is a sum of multiples of joint angles."""
    pair: tuple[Any, Any] = (ring.convert(1), ring.zero)
    for joint, times in angle.symbols:
        turns = Fraction(round(times / factor))
        if joint not in ring.turning.coordinates or not turns or abs(times / factor - turns) > NEARLY:
            return {}
        pair = sum_of_angles(pair, ring.cos_sin(joint, turns))
    is_whole = angle == Angle(symbols=angle.symbols)
    return {f"cos({name})": ring.convert(pair[0]), f"sin({name})": ring.convert(pair[1])} if is_whole else {}


def _assignments(values: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} = {float(value):g}" for name, value in values.items())
