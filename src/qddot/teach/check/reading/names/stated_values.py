"""Reads the values that a text states for an arm's symbols, in SI units: e = 350 mm is 0.35, and so is e = 35 cm."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.expressions.identifiers import spelled
from qddot.algebra.expressions.signs import UNITS
from qddot.robot.model import Model
from qddot.teach.check.reading.names.arm_names import ArmNames, plain
from qddot.teach.check.reading.names.stated_names import DECORATION, WORD

NAMES_OF_UNITS = "|".join(sorted(UNITS, key=len, reverse=True))
IS_NAME = r"(?<![A-Za-z])[A-Za-z]\d?[ \t]*="  # such as g and m2 in l = 2 g = 9.81 and m1 = 3 m2 = 4
ONE_UNIT = rf"(?!{IS_NAME})(?:{NAMES_OF_UNITS})(?![A-Za-z])(?:\^?[\d²³])?"
GAP = r"(?:[ \t~]|,(?=[A-Za-z]))*"  # the comma is the rest of a thin space
VALUE = re.compile(
    rf"(?<![\w.])(?P<name>{WORD})\s*=\s*(?P<number>\d*\.?\d+)"
    rf"(?P<unit>{GAP}{ONE_UNIT}(?:{GAP}[/·]?{GAP}{ONE_UNIT})*)?(?!\w|\.\d|\s*[-+*/^'(])"
)
UNIT = re.compile(rf"(?P<over>/?)\s*(?P<name>{NAMES_OF_UNITS})(?![A-Za-z])(?:\^?(?P<power>[\d²³]))?")
COMMAND = re.compile(r"\\[A-Za-z]+")  # such as \text, which ends in the sign of a ton
# factors between a number in cm, mm or g and the one in m or kg, by the symbol's unit, which may be missing
SLIPS = {"m": (100, 1000), "kg": (1000,), "": (100, 1000)}


class StatedValue(NamedTuple):
    """This is a value that a text states for a symbol: the number in SI units, and the number as it is written."""

    value: Fraction
    written: Fraction
    has_unit: bool


def stated_values(text: str, names: ArmNames) -> dict[str, StatedValue]:
    """Returns the first value that a text, including its comments, states for each of the arm's symbols."""
    values: dict[str, StatedValue] = {}
    for assignment in VALUE.finditer(spelled(DECORATION.sub("", text))):
        readings = names.readings(plain(assignment["name"]))
        if [each.kind for each in readings] == ["symbol"]:
            values.setdefault(readings[0].name, in_si(Fraction(assignment["number"]), assignment["unit"] or ""))
    return values


def in_si(number: Fraction, unit: str) -> StatedValue:
    """Returns the value of a number with a unit such as mm or kg cm^2; other words are ignored."""
    scale = Fraction(1)
    for each in UNIT.finditer(COMMAND.sub(" ", unit)):
        factor = Fraction(UNITS[each["name"]]) ** int(unicodedata.digit(each["power"] or "1"))
        scale = scale / factor if each["over"] else scale * factor
    return StatedValue(number * scale, number, bool(unit.strip()))


def suspected(stated: Mapping[str, StatedValue], model: Model) -> Iterator[tuple[str, StatedValue]]:
    """Yields values without a unit that are 100 or 1000 times the arm's, as if they were in cm, mm or g."""
    defaults = model.exact_defaults()
    for name, each in stated.items():
        own, unit = defaults.get(name), model.symbols[name].unit.strip() if name in model.symbols else ""
        if own and not each.has_unit and each.written / own in SLIPS.get(unit, ()):
            yield name, each._replace(value=own)
