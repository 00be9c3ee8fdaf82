"""Marks numbers, which an answer gives in lines such as tau1@ = 12.3 in addition to formulas.

The sign @ distinguishes the value of a quantity in one state from a formula, which is judged for all states.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from qddot.base.errors import QddotError, shortened
from qddot.base.words.message import say

TOLERANCE = 5e-3  # relative error of a number that is right to three significant digits
SMALLEST = 1e-9  # numbers below this count as zero
NAME = re.compile(r"[A-Za-z]+\d*@")
NUMBER = re.compile(
    r"""(?:(?<=\\n)|(?<![\w@])(?<!\\(?=n)))(?P<name>[A-Za-z]+\d*@)["'`$]*\s*[=:]\s*["'`$]*
    (?P<number>[-+−]?\s*(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+|\s*(?:×|\\times|\*)\s*10\s*(?:\^|\*\*)\s*\{?[-+−]?\d+\}?)?)
    [^\S\n]*(?:kg|N|m|s|rad|J|[·*/^²³\-\d\ ])*""",
    re.VERBOSE,
)
POWER = re.compile(r"\s*(?:×|\\times|\*)\s*10\s*(?:\^|\*\*)\s*\{?([-+]?\d+)\}?")
EXPECTED = '"tau1@" = { value = 12.3, points = 2 }'


class AskedNumber(NamedTuple):
    """This is a number that an exam requires: its right value and its points."""

    value: float
    points: float

    def accepts(self, number: float | None) -> bool:
        """Returns whether a number agrees to three significant digits; None is a missing answer."""
        return number is not None and abs(number - self.value) <= max(abs(self.value) * TOLERANCE, SMALLEST)


class MarkedNumber(NamedTuple):
    """This is an answer's number for a required one. answer: None if it is missing"""

    name: str
    asked: AskedNumber
    answer: float | None

    def __bool__(self) -> bool:
        return self.asked.accepts(self.answer)

    @property
    def points(self) -> float:
        """Returns the points for it."""
        return self.asked.points if self else 0.0

    def sentence(self) -> str:
        """Returns the sentence on a number that is wrong or missing."""
        if self.answer is None:
            return str(say("number-missing", name=self.name))
        return str(say("number-differs", name=self.name, yours=f"{self.answer:g}", right=f"{self.asked.value:.6g}"))


def asked_numbers(table: Any) -> dict[str, AskedNumber]:
    """Returns the numbers that a rubric's table requires; raises QddotError for anything but such a table."""
    if not isinstance(table, Mapping):
        raise QddotError("numbers-not-table", table=shortened(table), example=EXPECTED)
    numbers = {}
    for name, entry in table.items():
        facts = dict(entry) if isinstance(entry, Mapping) else {}
        if not NAME.fullmatch(name) or set(facts) != {"value", "points"} or not all(map(_is_number, facts.values())):
            raise QddotError("number-not-asked-so", name=shortened(name), entry=shortened(entry), example=EXPECTED)
        if not 0 < facts["points"] < 1e6:
            raise QddotError("number-points", points=shortened(facts["points"]), name=name)
        numbers[name] = AskedNumber(float(facts["value"]), float(facts["points"]))
    return numbers


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")


def marked(numbers: Mapping[str, AskedNumber], text: str) -> tuple[MarkedNumber, ...]:
    """Returns a text's number for each required one; if a name occurs twice, the last number counts."""
    answers = {match["name"]: _value(match["number"]) for match in NUMBER.finditer(text)}
    return tuple(MarkedNumber(name, number, answers.get(name)) for name, number in numbers.items())


def _value(text: str) -> float:
    plain = POWER.sub(r"e\1", text.replace("−", "-"))
    return float(re.sub(r"\s", "", plain))
