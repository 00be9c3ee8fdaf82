"""Checks quantities that an answer computes in its own state: q1 = 0.4, or a table of the joints."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from qddot.check.reading.answer import Place
from qddot.check.reading.arm_names import FUNCTIONS, ArmNames
from qddot.check.reading.claims import Balance, Claim
from qddot.check.reading.general import number_of
from qddot.check.reading.given_values import DEGREES
from qddot.check.reading.known_steps import OF_LAWS
from qddot.check.reading.letters import candidates, fits, place_of, shapes
from qddot.check.reading.lexemes import Lexeme, lexemes, word_of
from qddot.check.reading.syntax import MOTIONS, Meaning
from qddot.check.reading.written import Written
from qddot.equations.quantities import Quantities
from qddot.errors import ExpressionError, QddotError
from qddot.numbers.floats import Floats
from qddot.numbers.polynomials.exact import Polynomial

TOLERANCE = 5e-3  # relative error of a number whose factors may have been rounded to three digits
SMALLEST = 1e-6
SIMPLE = ("M", "C", "C2", "B", "h", "G", "tau", "K", "P", "L", "T_tool", "J_tool")
NUMBER = r"([-+−]?\s*\d+(?:\.\d+)?)\s*(°|deg|\^\\circ|\^\{\\circ\})?[^|&\n]*?"
ROW = re.compile(
    rf"^[ \t]*\|?[ \t]*\$?([^|&$\n]+?)\$?[ \t]*[|&][ \t]*\$?{NUMBER}(?:[|&][ \t]*\$?{NUMBER})?"
    rf"(?:[|&][ \t]*\$?{NUMBER})?(?:\||\\\\)"
)
# text between, before, after and in the cells of tables in LaTeX, HTML and Typst, and its replacement
CELLS = (
    (r"\\ensuremath\{-\}", "-"),
    (r"\\ensuremath\{\^\{\\circ\}\}", "°"),
    (r"(?i)</t[dh]>\s*<t[dh]\b[^<>]*>", " | "),
    (r"(?i)<tr\b[^<>]*>\s*<t[dh]\b[^<>]*>", "\n| "),
    (r"(?i)</t[dh]>\s*</tr>", " |\n"),
    (r"(?i)</?(?:math|m\w+|span|b|i|em|strong|sub)\b[^<>]*>", ""),
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

    def with_number(self, meaning: Meaning, number: float) -> WorkedState:
        """Returns this state with q1 = 0.4 or q1dot = 0.1; another one where it has a different number already."""
        if getattr(self, meaning.kind).get(meaning.name, number) == number:
            getattr(self, meaning.kind)[meaning.name] = number
            return self
        parts = {kind: dict(getattr(self, kind)) for kind in ("coordinate", "rate", "acceleration")}
        parts[meaning.kind][meaning.name] = number
        return WorkedState(**parts)

    def is_at_rest(self, eq: Quantities) -> bool:
        """Returns whether all rates and accelerations are zero."""
        zero = dict.fromkeys(eq.model.coordinates, 0.0)
        return self.rate == self.acceleration == zero

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
    word, dots = word_of(left.lexemes[0]), sum(unit.dots for unit in left.lexemes[0].data)
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


def is_repeated(claim: Claim, claims: Sequence[Claim]) -> bool:
    """Returns whether a claim is an array, as M = [1] is, of a quantity that the answer has in symbols, too."""
    is_array = any(lexeme.kind in ("[", "begin") for lexeme in claim.leaves[0].lexemes)
    return is_array and any(each.left.head == claim.left.head and not in_numbers(each) for each in claims)


def quantity_in_states(
    claim: Claim, shape: tuple[int, ...], numbers: Sequence[float], eq: Quantities, states: Sequence[Floats]
) -> tuple[str, list[Place]]:
    """Returns the quantity that has these numbers in a state, with the places of its entries.

    The quantity is "" if it is the same in all states, or if no state has all the numbers that it depends on.
    raises ExpressionError: the numbers are its values in none of the states
    """
    unknown = True
    for name, by_place in _meant(claim, shape, eq):
        entries = by_place.values()
        if not any(entry.variables() for entry in entries):
            return "", []  # a constant is the same in every state, and is judged as a formula
        for state in states:
            try:
                exact = [float(entry.evaluate(state)) for entry in entries]
            except (KeyError, TypeError):
                continue
            if any(map(math.isnan, exact)) or len(exact) != len(numbers):
                continue
            unknown = False
            pairs = zip(numbers, exact, strict=True)
            if all(abs(a - b) <= max(abs(b) * TOLERANCE, SMALLEST) for a, b in pairs):
                return name, [*by_place]
    if unknown:
        return "", []
    raise ExpressionError(
        "this is not the value in the given state", where=claim.where, expected="its value in that state"
    )


def _meant(claim: Claim, shape: tuple[int, ...], eq: Quantities) -> Iterator[tuple[str, dict[Place, Polynomial]]]:
    """Yields the quantities that a name may stand for, with those of their entries that it names, by place."""
    exact, whole_shapes = eq.in_joint_angles, shapes(eq)
    if claim.left.key in OF_LAWS and not candidates(claim.left):
        yield claim.left.key, {(k,): entry for k, entry in enumerate(OF_LAWS[claim.left.key](exact))}
    for candidate in candidates(claim.left):
        place = place_of(claim.left, candidate, eq.n, zero_based=False)
        if fits(place, shape, whole_shapes[candidate.quantity]) and candidate.quantity in SIMPLE:
            array = exact.array(candidate.quantity)
            pairs = zip(array.places, array.entries, strict=True)
            yield candidate.quantity, {at: entry for at, entry in pairs if at[: len(place)] == place}
