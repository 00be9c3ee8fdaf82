"""Judges answers that have numbers instead of symbols, by the values of the symbols."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from qddot.algebra.expressions.expression import PI
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import QddotError
from qddot.base.words.message import Listed, Message, Told, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.robot.model import expressions_in
from qddot.teach.check.reading.answer import Answer, Entry, Unread

DECIMAL = re.compile(r"\d\.\d")
LARGEST_IN_FORMULAS = 48  # largest numerator or denominator of a number in a formula with symbols
NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d+|\d{2,})(?![\d.]|[eE][-+\d])")  # 9.8 or 10, in an entry's text
GRAVITIES = {Fraction(number) for number in ("9.8", "9.81", "9.80665", "10")}  # [m/s²]
MULTIPLES = (Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(2))  # of a symbol's value, as 4.9 for g/2


def with_values(
    eq: Quantities, answer: Answer, exact: Mapping[str, ExactArray], values: Mapping[str, Fraction]
) -> tuple[Answer, dict[str, ExactArray], list[Message]]:
    """Returns an answer, the exact quantities with values for symbols that the answer lacks, and sentences about this.

    A value is the one in `values`, else the answer's own, else the model's. Quantities whose symbols have no values are
    listed as unread.
    """
    entries, unread, sentences, arrays = dict(answer.entries), list(answer.unread), list[Message](), dict(exact)
    of_gravity = {name for each in expressions_in(eq.model.gravity) for name in each.symbols()}
    values_of, own = {**eq.model.exact_defaults(), **answer.values, **values}, set(eq.model.symbols)
    every = [entry for name in exact for entry in answer.entries[name]]
    written = [entry.numerator for entry in every]
    is_numeric = not any(own & symbols_of(entry) for entry in written) and any(map(_has_numbers, written))
    for name, array in exact.items():
        symbols = {key for entry in array.entries for key in symbols_of(entry)} - set(eq.ring.extra)
        if any(own & symbols_of(entry.numerator) for entry in answer.entries[name]):
            stand_ins = _stand_ins(answer.entries[name], symbols, values_of, {*answer.values, *values}, of_gravity)
            if stand_ins:
                chosen = {**stand_ins, **{name: values[name] for name in stand_ins if name in values}}
                arrays[name] = _in_numbers(array, chosen)
                sentences.append(say("numbers-beside-symbols", quantity=name, values=_assignments(chosen)))
            continue
        if not symbols:
            continue
        if all(not symbols & symbols_of(array[entry.place].entries[0]) for entry in answer.entries[name]):
            continue  # these entries do not depend on the symbols
        has_numbers = any(_has_numbers(entry.numerator) for entry in answer.entries[name])
        if not has_numbers and not (is_numeric and symbols <= set(answer.values)):
            continue  # only zeros, or rates without a factor: they are judged as formulas
        absent = sorted(symbols - set(values_of))
        if absent:
            first = entries.pop(name)[0]
            unread.append(Unread(name, first.where, Told(say("doubt-no-value", names=Listed(absent)))))
            del arrays[name]
            continue
        has_values = symbols & {*answer.values, *values} or any(map(_has_measured_numbers, every))
        arrays[name] = _in_numbers(array, {symbol: values_of[symbol] for symbol in sorted(symbols)})
        if not has_values and all(_agrees(entry, arrays[name]) for entry in answer.entries[name]):
            first = entries.pop(name)[0]  # right if m2 = 1, but the answer may have omitted m2
            doubt = say("doubt-without-values", names=Listed(sorted(symbols)))
            unread.append(Unread(name, first.where, Told(doubt)))
            del arrays[name]
            continue
        assignments = _assignments({symbol: values_of[symbol] for symbol in sorted(symbols)})
        sentences.append(say("numbers-for-symbols", quantity=name, values=assignments))
    return answer._replace(entries=entries, unread=tuple(unread)), arrays, sentences


def has_decimals(answer: Answer) -> bool:
    """Returns whether an answer writes the number of a term as a decimal, as 9.8."""
    every = (entry for entries in answer.entries.values() for entry in entries)
    return any(
        Fraction(written) in {abs(number) for _, number in entry.numerator.powers()}
        for entry in every
        for written in NUMBER.findall(entry.text)
        if "." in written
    )


def _in_numbers(array: ExactArray, values: Mapping[str, Fraction]) -> ExactArray:
    """Returns a quantity with numbers in place of some symbols."""
    images = {symbol: array.ring.convert(value) for symbol, value in values.items()}
    return replace(array, entries=tuple(array.ring.composed(entry, images) for entry in array.entries))


def _assignments(values: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{symbol} = {float(value):g}" for symbol, value in values.items())


def _stand_ins(
    entries: Sequence[Entry],
    symbols: Collection[str],
    values: Mapping[str, Fraction],
    stated: Collection[str],
    of_gravity: Collection[str],
) -> dict[str, Fraction]:
    """Returns the numbers that stand for symbols in entries with other symbols, such as 9.8 for g.

    Such a symbol occurs in no entry, and its value, or a multiple of it, has the digits of one of their numbers, or it
    is g and the number a usual one. An entry that is a number alone gives no value, since it would be right by its own.
    symbols: of the exact entries; values: of symbols; stated: those whose values the answer or its reader states
    of_gravity: those in the acceleration of gravity
    """
    absent = set(symbols) - {symbol for entry in entries for symbol in symbols_of(entry.numerator)}
    numbers: dict[str, Fraction] = {}
    formulas = [entry for entry in entries if symbols_of(entry.numerator)]
    for written in (each for entry in formulas for each in NUMBER.findall(entry.text)):
        number, half = Fraction(written), Fraction(1, 2 * 10 ** len(written.partition(".")[2]))
        fitting = {
            symbol: number / multiple
            for symbol in sorted(absent & set(values))
            for multiple in reversed(MULTIPLES)
            if abs(values[symbol] * multiple - number) <= half and (symbol in stated or not _is_simple(number))
        }
        fitting |= {symbol: number for symbol in absent.intersection(of_gravity) if number in GRAVITIES}
        if len(fitting) == 1:
            numbers = {**fitting, **numbers}
    return numbers


def symbols_of(entry: Polynomial) -> set[str]:
    """Returns the names of the symbols in a polynomial."""
    return {generator.name for generator in entry.generators() if generator.kind == "symbol" and generator.key != PI}


def _has_numbers(entry: Polynomial) -> bool:
    """Returns whether a coefficient is a number other than 1 and −1."""
    return any(abs(coefficient) != 1 for _, coefficient in entry.powers())


def _has_measured_numbers(entry: Entry) -> bool:
    """Returns whether an entry has a decimal such as 0.08, or a number that is not a simple fraction."""
    numbers = (number for _, number in entry.numerator.powers())
    return DECIMAL.search(entry.text) is not None or not all(map(_is_simple, numbers))


def _is_simple(number: Fraction) -> bool:
    return max(abs(number.numerator), number.denominator) <= LARGEST_IN_FORMULAS


def _agrees(entry: Entry, array: ExactArray) -> bool:
    exact = array.ring.convert(array[entry.place].entries[0])
    try:
        return not array.ring.convert(entry.numerator) - array.ring.convert(entry.denominator) * exact
    except (KeyError, QddotError):
        return False
