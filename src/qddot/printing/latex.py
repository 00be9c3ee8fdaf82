"""Writes exact polynomials and arrays as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from qddot.errors import QddotError, shortened
from qddot.numbers.exact import Polynomial
from qddot.printing import notation
from qddot.printing.text import NARROWEST, Entry, Factors, decimal, ordered_terms, rational, signed

NAMES = {"Γ": "\\Gamma", "tau": "\\tau", "C2": "C^{(2)}", "friction": "\\tau^{f}", "springs": "\\tau^{s}"}
PAGE = 72  # characters of a line of mathematics
WIDEST_MATRIX = 2 * PAGE  # characters of a row; with a longer row the entries are listed
MOST_MATRIX_TERMS = 400  # of all entries: with more, some row is too long in any case


def polynomial(value: Polynomial, decimals: bool = False) -> str:
    """Returns every term of the normal form."""
    taken = {*value.ring.symbols, *value.ring.extra}

    def names(factors: Factors) -> str:
        return " ".join(power(notation.latex(g, taken), e) for g, e in factors)

    return signed((c < 0, term(abs(c), names(factors), decimals)) for c, factors in ordered_terms(value))


def term(coefficient: Fraction, names: str, decimals: bool = False) -> str:
    """Returns a positive number before its factors."""
    number = decimal(coefficient) if decimals else rational(coefficient)
    if "e" in number:
        number = "{} \\cdot 10^{{{}}}".format(number.split("e")[0], int(number.split("e")[1]))
    if "/" in number:
        number = f"\\tfrac{{{coefficient.numerator}}}{{{coefficient.denominator}}}"
    if not names:
        return number
    return names if coefficient == 1 else f"{number} {names}"


def power(base: str, exponent: int) -> str:
    """Returns a factor with its exponent."""
    if exponent == 1:
        return base
    # an exponent goes between a function's name and its argument, and outside an accent
    for function in ("\\cos", "\\sin"):
        if base.startswith(function):
            return f"{function}^{{{exponent}}}{base[len(function) :]}"
    return f"{base}^{{{exponent}}}"


def name(text: str, place: Iterable[int] = ()) -> str:
    """Returns a name with its place: M and (0, 1) → M_{12}, Γ → \\Gamma, U_ijk and (0, 1, 2) → U^{ijk}_{123}."""
    shown = NAMES.get(text) or _plain_name(text)
    numbers = [str(int(k) + 1) for k in place]
    index = ("" if all(len(k) == 1 for k in numbers) else ",").join(numbers)
    return f"{shown}_{{{index}}}" if index else shown


def _plain_name(text: str) -> str:
    stem, _, rest = text.partition("_")
    head = stem if len(stem) == 1 else f"\\mathrm{{{stem}}}"
    return f"{head}^{{\\mathrm{{{rest.replace('_', ' ')}}}}}" if rest else head


def matrix(cells: Sequence[str], width: int) -> str | None:
    """Returns a matrix with `width` columns, or None where a row is too long for a page."""
    rows = [" & ".join(cells[k : k + width]) for k in range(0, len(cells), width)] if width else []
    if all(_visible(row) <= WIDEST_MATRIX for row in rows):
        return "\\begin{bmatrix} " + " \\\\ ".join(rows) + " \\end{bmatrix}"
    return None


def aligned(entries: Iterable[Entry]) -> str:
    """Returns one line for each entry that is not zero; long ones are broken before their signs."""
    lines = [
        line
        for entry in entries
        if not entry.is_zero
        for line in _broken(f"{name(entry.name, entry.place)} &= ", entry.written, PAGE)
    ]
    return "\\begin{aligned} " + " \\\\\n".join(lines or ["0"]) + " \\end{aligned}"


def numbered(entries: Iterable[tuple[str, str]], width: int) -> str:
    """Returns equations (left, right) in an `align` environment, one number each; long ones have several lines."""
    if isinstance(width, bool) or not isinstance(width, int) or width < NARROWEST:
        raise QddotError(f"a width of {shortened(width)}", expected=f"a whole number from {NARROWEST} on")
    lines = [line for left, right in entries for line in _broken(f"{left} &= ", right, width, " \\notag")]
    return "\\begin{align}\n" + " \\\\\n".join(lines) + "\n\\end{align}"


def _broken(head: str, body: str, width: int, end: str = "") -> list[str]:
    """Returns lines of at most `width` visible characters; all but the last have this end."""
    lines, line = [], head
    # an argument such as that of \\sin(q_{2} + q_{3}) is not broken
    for part in re.findall(r"(?:^| [+-] )(?:\\(?:sin|cos)\([^)]*\)|(?! [+-] ).)*", body):
        if _visible(line + part) > width and line != head:
            lines.append(line + end)
            line = "&\\quad"
        line += part
    return [*lines, line]


def _visible(text: str) -> int:
    """Returns roughly the width on the page, in characters."""
    return len(re.sub(r"\\[a-z]+|[{}_^& ]", "", re.sub(r"\\(sin|cos)", "sin", text)))
