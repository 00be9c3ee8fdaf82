"""Checks quantities that an answer computes in its own state: q1 = 0.4, or a table of the joints."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from qddot.check.reading.arm_names import ArmNames
from qddot.check.reading.claims import Claim
from qddot.check.reading.letters import candidates, fits, place_of, shapes
from qddot.check.reading.lexemes import lexemes, word_of
from qddot.check.reading.written import Written
from qddot.equations.quantities import Quantities
from qddot.errors import ExpressionError, QddotError
from qddot.numbers.floats import Floats

TOLERANCE = 5e-3  # relative error of a number whose factors may have been rounded to three digits
SMALLEST = 1e-6
SIMPLE = ("M", "C", "C2", "B", "h", "G", "tau", "K", "P", "L", "T_tool", "J_tool")
NUMBER = r"([-+−]?\s*\d+(?:\.\d+)?)\s*(°|deg|\^\\circ|\^\{\\circ\})?[^|&\n]*?"
ROW = re.compile(
    rf"^[ \t]*\|?[ \t]*\$?([^|&$\n]+?)\$?[ \t]*[|&][ \t]*\$?{NUMBER}[|&][ \t]*\$?{NUMBER}"
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
    """A state has the answer's numbers for coordinates, rates and accelerations, by the joint's name."""

    coordinate: dict[str, float] = field(default_factory=dict)
    rate: dict[str, float] = field(default_factory=dict)
    acceleration: dict[str, float] = field(default_factory=dict)

    def add_table(self, text: str, names: ArmNames) -> None:
        """Adds the rows of a table that begin with the name of a coordinate."""
        for line in _with_bars(text).splitlines():
            row = ROW.match(line) if len(line) < LONGEST_ROW else None
            if row is None:
                continue
            try:
                signs = lexemes(Written(row[1].replace("`", "")))
            except QddotError:
                continue
            name = names.coordinate(word_of(signs[0])) if len(signs) == 1 and signs[0].kind == "word" else None
            for k, numbers in enumerate((self.coordinate, self.rate, self.acceleration) if name else ()):
                if name and row[2 * k + 2]:
                    number = float(re.sub(r"\s", "", row[2 * k + 2].replace("−", "-")))
                    numbers.setdefault(name, math.radians(number) if row[2 * k + 3] else number)

    def add(self, claim: Claim, names: ArmNames, number: float) -> None:
        """Adds q1 = 0.4 or q1dot = 0.1."""
        for meaning in names.readings(claim.left.key)[:1]:
            getattr(self, meaning.kind)[meaning.name] = number

    def floats(self, eq: Quantities, values: Mapping[str, Fraction]) -> Floats:
        """Returns the state as a kind of number; symbols have the answer's values or the model's."""
        symbols = {name: float(value) for name, value in {**eq.model.exact_defaults(), **values}.items()}
        nothing = dict.fromkeys(eq.model.coordinates, math.nan)
        return Floats(symbols, nothing | self.coordinate, nothing | self.rate, nothing | self.acceleration)


def _with_bars(text: str) -> str:
    """Returns a text with the cells of its tables between bars, as in Markdown."""
    for mark, bar in CELLS:
        text = re.sub(mark, bar, text, flags=re.MULTILINE)
    return text


def in_numbers(claim: Claim) -> bool:
    """Returns whether the right side of a quantity has only decimals."""
    signs = [lexeme for leaf in claim.leaves for lexeme in leaf.lexemes]
    text = claim.leaves[0].written.text
    is_decimal = any(each.kind == "number" and "." in text[each.start : each.end] for each in signs)
    return is_decimal and bool(candidates(claim.left)) and all(each.kind in DIGITS for each in signs)


def quantity_in_state(
    claim: Claim, shape: tuple[int, ...], numbers: Sequence[float], eq: Quantities, state: Floats
) -> str:
    """Returns the quantity that has these numbers in a state, or "" if the state is not complete.

    raises ExpressionError: the numbers are not its values
    """
    known, unknown = shapes(eq), True
    for candidate in candidates(claim.left):
        place = place_of(claim.left, candidate, eq.n, zero_based=False)
        if not fits(place, shape, known[candidate.quantity]):
            continue
        array = eq.in_joint_angles.array(candidate.quantity) if candidate.quantity in SIMPLE else None
        if array is None:
            continue
        entries = [entry for at, entry in zip(array.places, array.entries, strict=True) if at[: len(place)] == place]
        try:
            exact = [float(entry.evaluate(state)) for entry in entries]
        except (KeyError, TypeError):
            continue
        if any(map(math.isnan, exact)):
            continue
        unknown = False
        pairs = zip(numbers, exact, strict=True)
        if all(abs(a - b) <= max(abs(b) * TOLERANCE, SMALLEST) for a, b in pairs):
            return candidate.quantity
    if unknown:
        return ""
    raise ExpressionError(
        "this is not the value in the given state", where=claim.where, expected="its value in that state"
    )
