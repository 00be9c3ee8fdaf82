"""Reads the states in which an answer computes numbers: q1 = 0.4, or a table of the joints."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import QddotError
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.names.arm_names import FUNCTIONS, ArmNames
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.numbers.given_values import DEGREES
from qddot.teach.check.reading.quantities.steps import OF_LAWS
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, lexemes, word_of
from qddot.teach.check.reading.statements.claims import Balance, Claim
from qddot.teach.check.reading.statements.written_numbers import is_value, number_of
from qddot.teach.check.reading.syntax import MOTIONS, Meaning
from qddot.teach.check.reading.texts.written import Written

NUMBER = r"([-+−]?\s*\d+(?:\.\d+)?)\s*(°|deg|\^\\circ|\^\{\\circ\})?[^|&\n]*?"
ROW = re.compile(
    rf"^[ \t]*\|?[ \t]*\$?([^|&$\n]+?)\$?[ \t]*[|&][ \t]*\$?{NUMBER}(?:[|&][ \t]*\$?{NUMBER})?"
    rf"(?:[|&][ \t]*\$?{NUMBER})?(?:\||\\\\)"
)
# text between, before, after and in the cells of tables in LaTeX, HTML and Typst, and its replacement
CELLS = (
    (r"\\ensuremath\{-\}", "-"),
    (r"\\ensuremath\{\^\{\\circ\}\}", "°"),
    (r"[;\"$]*\],[ \t]*\[#?[\"$]*", " | "),
    (r"(?m)^[ \t]*\[\$", "| "),
    (r"\";\],[ \t]*\)?$", " |"),
    (r"_\((\w+)\)", r"_\1"),
)
DIGITS = {
    "number",
    "+",
    "-",
    "&",
    "row",
    "begin",
    "end",
    "newline",
    "wide",
    ";",
    ",",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "^",
    "*",
    "power",
}
LONGEST_ROW = 1_000  # characters of a row of a table


@dataclass
class WorkedState:
    """A state has the answer's numbers for coordinates, rates and accelerations, by the coordinate's name."""

    coordinate: dict[str, float] = field(default_factory=dict)
    rate: dict[str, float] = field(default_factory=dict)
    acceleration: dict[str, float] = field(default_factory=dict)

    def add_row(self, name: str, row: re.Match[str]) -> None:
        """Adds the row of a table that begins with the name of a coordinate."""
        for k, numbers in enumerate((self.coordinate, self.rate, self.acceleration)):
            if row[2 * k + 2]:
                number = float(re.sub(r"\s", "", row[2 * k + 2].replace("−", "-")))
                numbers[name] = math.radians(number) if row[2 * k + 3] else number

    def has_other(self, meaning: Meaning, number: float) -> bool:
        """Returns whether the state already has another number for a coordinate, a rate or an acceleration."""
        other: float = getattr(self, meaning.kind).get(meaning.name, number)
        return other != number

    def with_number(self, meaning: Meaning, number: float) -> WorkedState:
        """Returns the state with one more number, such as q1 = 0.4."""
        return replace(self, **{meaning.kind: {**getattr(self, meaning.kind), meaning.name: number}})

    def is_at_rest(self, eq: Quantities) -> bool:
        """Returns whether all rates and accelerations are zero."""
        zero = dict.fromkeys(eq.model.coordinates, 0.0)
        return self.rate == self.acceleration == zero

    def named(self) -> dict[str, str]:
        """Returns the numbers by the names of coordinates, rates and accelerations, with the digits to be shown."""
        parts = enumerate((self.coordinate, self.rate, self.acceleration))
        return {rate_name(name, dots) if dots else name: f"{x:.6g}" for dots, part in parts for name, x in part.items()}

    def with_degrees(self, turning: Collection[str]) -> WorkedState:
        """Returns the state in which the angles of these joints have their numbers of degrees, as if in radians."""
        angles = {name: math.degrees(angle) if name in turning else angle for name, angle in self.coordinate.items()}
        return replace(self, coordinate=angles)

    def floats(self, eq: Quantities, values: Mapping[str, Fraction], at_rest: bool) -> Floats:
        """Returns the state in floating-point numbers; symbols have the answer's values, else the model's.

        at_rest: whether rates and accelerations without numbers are zero
        """
        symbols = {name: float(value) for name, value in {**eq.model.exact_defaults(), **values}.items()}
        nothing = dict.fromkeys(eq.model.coordinates, math.nan)
        still = dict.fromkeys(eq.model.coordinates, 0.0) if at_rest else nothing
        return Floats(symbols, nothing | self.coordinate, still | self.rate, still | self.acceleration)


def states_in(text: str, names: ArmNames) -> list[WorkedState]:
    """Returns the states in the tables of a text; another state begins where a coordinate occurs again."""
    states = [WorkedState()]
    for line in _with_bars(text).splitlines():
        row = ROW.match(line) if len(line) < LONGEST_ROW else None
        if row is None:
            continue
        try:
            signs = lexemes(Written(row[1].replace("`", "")))
        except QddotError:
            continue
        name = names.coordinate(word_of(signs[0])) if len(signs) == 1 and signs[0].kind == "word" else None
        if name is None:
            continue
        if name in states[-1].coordinate:
            states.append(WorkedState())
        states[-1].add_row(name, row)
    return states


def _with_bars(text: str) -> str:
    """Returns a text with the cells of its tables between bars, as in Markdown."""
    for mark, bar in CELLS:
        text = re.sub(mark, bar, text, flags=re.MULTILINE)
    return text


def motion_in_state(balance: Balance, names: ArmNames) -> list[tuple[Meaning, float]]:
    """Returns the rates or accelerations that an equation such as q̇1 = 2 or q̈ = 0 sets to a number."""
    left, right = balance.sides
    number = number_of(right)
    if number is None or len(left.lexemes) != 1 or left.lexemes[0].kind != "word":
        return []
    word, dots = word_of(left.lexemes[0]), dots_of(left.lexemes[0])
    if not 0 < dots < len(MOTIONS):
        return []
    every = [*names.ring.coordinates] if names.vector(word, dots) and not names.coordinate(word) else []
    coordinate = names.coordinate(word)
    joints = [coordinate] if coordinate else every if not number else []
    return [(Meaning(MOTIONS[dots], joint), float(number)) for joint in joints]


def in_numbers(claim: Claim) -> bool:
    """Returns whether the right side of a quantity has only numbers, perhaps those of a transposed row."""
    is_known = bool(candidates(claim.left)) or claim.left.key in OF_LAWS
    signs = (lexeme for leaf in claim.leaves for lexeme in leaf.lexemes)
    return is_known and all(each.kind in DIGITS or _is_function(each) for each in signs)


def _is_function(lexeme: Lexeme) -> bool:
    """Returns whether a lexeme is a function, a degree, or the T of a transposed row."""
    kinds = ("function", "degree", "pi", "/", "transpose")
    return lexeme.kind in kinds or word_of(lexeme) in (*FUNCTIONS, *DEGREES, "T")


def has_decimals(claim: Claim) -> bool:
    """Returns whether one of the numbers on the right side has a decimal point."""
    text = claim.leaves[0].written.text
    signs = (lexeme for leaf in claim.leaves for lexeme in leaf.lexemes)
    return any(each.kind == "number" and "." in text[each.start : each.end] for each in signs)


class Forms(NamedTuple):
    """These are the left sides of an answer's claims by the form of their right sides.

    in_numbers: how often a left side has only numbers; with_decimals: the letters of those with a decimal point
    in_symbols: the letters of all others
    """

    in_numbers: Counter[Left]
    with_decimals: frozenset[str]
    in_symbols: frozenset[str]

    @classmethod
    def of(cls, claims: Sequence[Claim]) -> Forms:
        numbers, symbols = list[Claim](), list[Claim]()
        for claim in claims:
            (numbers if in_numbers(claim) else symbols).append(claim)
        decimals = frozenset(claim.left.head for claim in numbers if has_decimals(claim))
        return cls(Counter(claim.left for claim in numbers), decimals, frozenset(claim.left.head for claim in symbols))

    def has_zero_in_state(self, claim: Claim) -> bool:
        """Returns whether a claim is zero beside decimals for other entries of its letter, as G_2 = 0, G_1 = 16.2."""
        return claim.left.head in self.with_decimals and is_value(claim) and number_of(claim.leaves[0]) == 0

    def has_in_symbols(self, claim: Claim) -> bool:
        """Returns whether a claim is an array, as M = [1] is, of a quantity that the answer has in symbols, too."""
        is_array = any(lexeme.kind in ("[", "begin") for lexeme in claim.leaves[0].lexemes)
        return is_array and claim.left.head in self.in_symbols
