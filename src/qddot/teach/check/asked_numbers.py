"""Marks numbers, which an answer gives in lines such as tau1@ = 12.3 in addition to formulas.

The sign @ distinguishes the value of a quantity in one state from a formula, which is judged for all states.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from qddot.base.errors import QddotError, shortened
from qddot.base.words.message import say

TOLERANCE = 5e-3  # relative error of a number that is right to three significant digits
SMALLEST = 1e-9  # numbers below this count as zero
NAME = re.compile(r"[A-Za-z]+\d*@")
NUMERAL = r"""[-+−]?\s*(?:\d+(?:(?:[.,]|\{,\})\d+)*\.?|[.,]\d+)
    (?:[eE][-+]?\d+|\s*(?:×|\\times|\*)\s*10\s*(?:\^|\*\*)\s*\{?[-+−]?\d+\}?)?"""
NUMBER = re.compile(
    rf"""(?:(?<=\\n)|(?<![\w@])(?<!\\(?=n)))(?P<name>[A-Za-z]+\d*@)["'`$]*\s*[=:]\s*["'`$]*
    (?P<number>{NUMERAL})[^\S\n]*(?:kg|N|m|s|rad|J|[·*/^²³\-\d\ ])*""",
    re.VERBOSE,
)
GREEK = {"tau": "τ", "lambda": "λ"}
QUOTES = r"""["'`$]{0,4}"""
SPACE = r"(?:[^\S\n]|~|\\[,;:!\ ]){0,8}"  # bounded, for answers with nothing but spaces
UNIT = r"(?:kg|N|m|s|rad|J)(?:\^?\{?[-−]?\d\}?|[²³])?"
UNITS = rf"(?:{UNIT}(?:(?:[·*/]|\\cdot|{SPACE}){UNIT})*|\\(?:mathrm|text|rm|unit|si)\s*\{{[^{{}}\n]*\}})?"
BEGINS = r"(?:^|(?<=[;&${,，；])|(?<=\band))"
ENDS = r"(?=$|[;&$},，；]|\\\\|\\quad|and\b)"
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
POWER = re.compile(r"\s*(?:×|\\times|\*)\s*10\s*(?:\^|\*\*)\s*\{?([-+]?\d+)\}?")
THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}(?!\d)")  # or a decimal comma: 1,234
EXPECTED = '"tau1@" = { value = 12.3, points = 2 }'


class AskedNumber(NamedTuple):
    """This is a number that an exam requires: its right value and its points."""

    value: float
    points: float

    def accepts(self, number: float | None) -> bool:
        """Returns whether a number agrees to three significant digits; None is a missing answer."""
        return number is not None and abs(number - self.value) <= max(abs(self.value) * TOLERANCE, SMALLEST)


class MarkedNumber(NamedTuple):
    """This is an answer's number for a required one.

    answer: None if it is missing or not read; unread: the text of one that is not read, in this line of the answer
    """

    name: str
    asked: AskedNumber
    answer: float | None
    unread: str = ""
    line: int = 0

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


def marked(numbers: Mapping[str, AskedNumber], text: str, formulas: Collection[str] = ()) -> tuple[MarkedNumber, ...]:
    """Returns a text's number for each required one; if a name occurs twice, the last number counts.

    A plain number for tau1, as in τ₁ = 5.54 N m, is that for tau1@ unless the text has the latter, or formulas of the
    same quantity are required. A decimal comma is read where it cannot separate thousands, or the text has others.
    formulas: the names of required quantities and entries
    """
    found: dict[str, re.Match[str]] = {}
    for name, pattern in _plain(numbers, formulas).items():
        for match in pattern.finditer(text):
            found[name] = match
    found |= {match["name"]: match for match in NUMBER.finditer(text)}
    values = [found[name]["number"] for name in numbers if name in found]
    with_commas = not any("." in value for value in values) and any(map(_has_decimal_comma, values))
    return tuple(
        _marked(name, number, found[name], with_commas) if name in found else MarkedNumber(name, number, None)
        for name, number in numbers.items()
    )


def besides(numbers: Mapping[str, AskedNumber], formulas: Collection[str] = ()) -> re.Pattern[str] | None:
    """Returns a pattern of the numbers in an answer that `marked` takes, or None if none are required."""
    if not numbers:
        return None
    patterns = (NUMBER, *_plain(numbers, formulas).values())
    return re.compile("|".join(f"(?mx:{re.sub('[?]P<[a-z]+>', '?:', each.pattern)})" for each in patterns))


def _plain(numbers: Mapping[str, AskedNumber], formulas: Collection[str]) -> dict[str, re.Pattern[str]]:
    """Returns a pattern of a line with a plain number for each name that only asks for a number."""
    required = {re.sub(r"\d", "", name) for name in formulas}
    names = {name: re.fullmatch(r"([A-Za-z]+)(\d*)@", name) for name in numbers}
    return {name: _line(*match.groups()) for name, match in names.items() if match and match[1] not in required}


def _line(letters: str, index: str) -> re.Pattern[str]:
    """Returns the pattern of a line such as tau_1 = 5.54 N m, in which nothing else stands."""
    greek = rf"|\\{letters}|{GREEK[letters]}" if letters in GREEK else ""
    digits = r"[,\s]*".join(index)
    place = rf"(?:{SPACE}_?{SPACE}[{{(]{{0,3}}{digits}[)}}]{{0,3}}|{index.translate(LOWERED)})" if index else ""
    return re.compile(
        rf"""{BEGINS}{SPACE}["'`$%\#&*\-]{{0,8}}{SPACE}(?:{letters}{greek}){place}{QUOTES}{SPACE}(?:&?:?=|:|≈|\\approx){SPACE}{QUOTES}
        (?P<number>{NUMERAL})(?!,\d){QUOTES}{SPACE}{UNITS}{SPACE}{QUOTES}(?:\.(?!\d)|。)?{SPACE}{ENDS}""",
        re.VERBOSE | re.MULTILINE,
    )


def _marked(name: str, asked: AskedNumber, match: re.Match[str], with_commas: bool) -> MarkedNumber:
    text = match["number"]
    value = _value(text, with_commas)
    if value is not None:
        return MarkedNumber(name, asked, value)
    return MarkedNumber(name, asked, None, text, match.string.count("\n", 0, match.start("number")) + 1)


def _has_decimal_comma(text: str) -> bool:
    plain = _plain_digits(text)
    return plain.count(",") == 1 and "." not in plain and not THOUSANDS.match(plain)


def _plain_digits(text: str) -> str:
    return re.sub(r"\s", "", POWER.sub(r"e\1", text.replace("−", "-")))


def _value(text: str, with_commas: bool) -> float | None:
    """Returns a number, or None where a comma may be decimal or separate thousands, or separators are mixed."""
    if with_commas or _has_decimal_comma(text):
        text = text.replace(",", ".")
    try:
        return float(_plain_digits(re.sub(r"\{([.,])\}", ".", text)))
    except ValueError:
        return None
