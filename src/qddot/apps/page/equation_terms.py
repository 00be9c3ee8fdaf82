"""Writes equations for the page in pieces of MathML, one for each term, for line breaks and highlighting.

Long arrays are written piece by piece as they come into view; before that only entries' names and lengths are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing import legend, mathml
from qddot.exact.printing.tree import UNNAMED, ZERO, Equation, Matrix, Sum, Symbol
from qddot.papers.report.formats import html_mathematics as html

FIRST, FIRST_INSIDE = 120, 700  # terms that are written at once: plain ones, and including those in brackets


def written(array: Printed, short: Textbook | None = None) -> dict[str, Any]:
    """Returns an array as equations, the first ones written out, with the constants and short names in them.

    short: the short form that has the constants, if the array belongs to one
    """
    listed = list(array.listed_equations())
    laid_out = matrix(array, listed)
    atoms = [atom for equation in listed for atom in equation.right.atoms()]
    used = {atom.text for atom in atoms if isinstance(atom, Symbol)}
    constants = [] if short is None else [each for each in short.definitions() if _text(each) in used]
    return {
        "equations": _as_far_as(listed),
        "constants": [whole(each) for each in constants],
        "legend": [whole(each) for each in legend.equations(atoms)],
        "terms": sum(map(length, listed)),
        **({"matrix": laid_out} if laid_out else {}),
    }


def matrix(array: Printed, listed: Sequence[Equation]) -> dict[str, Any] | None:
    """Returns a matrix or a column with the name of each entry, "" where it is zero, or None for other arrays."""
    if array.ndim not in (1, 2) or not array.whole or not array.entries or matrix_axes(array.name):
        return None
    written = {_text(each) for each in listed if not isinstance(each.right, Matrix) and each.right.products}

    def name(place: tuple[int, ...]) -> str:
        ordered = tuple(sorted(place)) if array.symmetric else place
        text = _text(Equation(array.named(ordered), ZERO))
        return text if text in written else ""

    names, width = list(map(name, array.places)), array.shape[1] if array.ndim == 2 else 1
    rows = [names[k : k + width] for k in range(0, len(names), width)]
    left = mathml.MathML().write(array.symbol)
    return {"left": html.math(left, mathml.sign("=")), "rows": rows}


def _as_far_as(listed: Sequence[Equation]) -> list[dict[str, Any]]:
    pieces: list[dict[str, Any]] = []
    terms = inside = 0
    for equation in listed:
        terms, inside = terms + length(equation), inside + _length_inside(equation.right)
        is_short = terms <= FIRST and inside <= FIRST_INSIDE
        pieces.append(whole(equation) if is_short or not pieces else named(equation))
    return pieces


def some(array: Printed, places: Iterable[int]) -> list[dict[str, Any]]:
    """Returns the equations at these places in an array's list, written out."""
    listed = list(array.listed_equations())
    return [whole(listed[k]) for k in places]


def length(equation: Equation) -> int:
    """Returns the number of terms on the right side."""
    right = equation.right
    if isinstance(right, Matrix):
        return sum(len(entry.products) for row in right.rows for entry in row)
    return len(right.products)


def _length_inside(right: Sum | Matrix) -> int:
    """Returns the number of terms, including those within brackets."""
    if isinstance(right, Matrix):
        return sum(_length_inside(entry) for row in right.rows for entry in row)
    brackets = ([_length_inside(base) for base, _ in each.factors if isinstance(base, Sum)] for each in right.products)
    return sum(max(1, sum(each)) for each in brackets)


def formula(value: Sum | None) -> str:
    """Returns a value as a `math` element, or "" where there is none."""
    return "" if value is None else html.math(mathml.MathML().write(value))


def named(equation: Equation) -> dict[str, Any]:
    """Returns an equation without its right side."""
    left = "" if equation.left is UNNAMED else html.math(mathml.MathML().write(equation.left), mathml.sign("="))
    return {"left": left, "name": _text(equation), "length": length(equation)}


def whole(equation: Equation) -> dict[str, Any]:
    """Returns an equation with its right side: a `math` element per term, or one for a matrix."""
    return {**named(equation), "terms": _terms(equation.right)}


def _terms(right: Sum | Matrix) -> list[str]:
    if isinstance(right, Matrix) or not right.products:
        return [html.math(mathml.MathML().write(right))]
    return [html.term(product, right, k == 0) for k, product in enumerate(right.products)]


def _text(equation: Equation) -> str:
    left = equation.left
    return left.text if isinstance(left, Symbol) else f"∂{left.of.text}/∂{left.by.text}"
