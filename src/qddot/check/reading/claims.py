"""A claim is what an answer says of one quantity, entry or name; answers of every format are parted into claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.check.reading.drawn_matrices import drawn_matrices
from qddot.check.reading.left_sides import Left, left_of
from qddot.check.reading.lexemes import Lexeme, is_latex, lexemes
from qddot.check.reading.spelling import Unit
from qddot.check.reading.statements import Side, Statement, is_left, statements
from qddot.check.reading.written import Written
from qddot.errors import ExpressionError, shortened

MOST_CLAIMS = 20_000
DEEPEST_LIST = 6
LONGEST_TEXT = 200_000  # characters of one expression


class Leaf(NamedTuple):
    """A leaf is one expression, or a matrix in one text, at a place of nested lists."""

    place: tuple[int, ...]
    written: Written
    lexemes: Sequence[Lexeme]
    latex: bool


class Claim(NamedTuple):
    """A claim has what it is about and the expressions.

    shape: of nested lists; steps: whether other expressions follow in a chain of equalities, so that it may be left out
    """

    left: Left
    leaves: tuple[Leaf, ...]
    shape: tuple[int, ...]
    where: str
    steps: bool
    strict: bool


def of_text(written: Written, form: str = "") -> list[Claim]:
    """Returns the claims of a text of statements."""
    found, rest = _of_drawn(written)
    found += [claim for statement in statements(rest, form) for claim in _of_statement(statement)]
    if len(found) > MOST_CLAIMS:
        raise ExpressionError(f"{len(found)} equations", expected=f"at most {MOST_CLAIMS}")
    return found


def _of_drawn(written: Written) -> tuple[list[Claim], Written]:
    """Returns the claims of matrices that are drawn in lines, and the text with blanks in their places."""
    found, kept, behind = list[Claim](), list[str](), 0
    for drawn in drawn_matrices(written.text):
        _check_rows([len(row) for row in drawn.rows], written, drawn.span[0])
        leaves = tuple(
            Leaf((i, j), written, lexemes(written, *cell), latex=False)
            for i, row in enumerate(drawn.rows)
            for j, cell in enumerate(row)
        )
        left = left_of(lexemes(written, *drawn.name), written)
        shape = (len(drawn.rows), len(drawn.rows[0]))
        found.append(Claim(left, leaves, shape, written.where(drawn.name[0]), steps=False, strict=True))
        start, end = drawn.span
        kept += [written.text[behind:start], re.sub(r"[^\n]", " ", written.text[start:end])]
        behind = end
    text = "".join([*kept, written.text[behind:]])
    return found, replace(written, text=text, file=written.file or written.text) if found else written


def _check_rows(lengths: Sequence[int], written: Written, start: int) -> None:
    for length in lengths:
        if length != lengths[0]:
            raise written.error(start, f"a row of {length} beside one of {lengths[0]}", "rows of one length")


def _of_statement(statement: Statement) -> list[Claim]:
    opposite = [side for side in statement.rights if _is_opposite(side)]
    rights = [side for side in statement.rights if side not in opposite] or list(statement.rights)
    found = [
        _claim(statement, left.lexemes, right.lexemes, k < len(rights) - 1)
        for left in statement.lefts
        for k, right in enumerate(rights)
    ]
    if len(rights) < len(statement.rights):  # … = expression = −Γ_211
        minus, value = opposite[0].lexemes[0], rights[-1].lexemes
        negative = (minus, minus._replace(kind="("), *value, minus._replace(kind=")"))
        found += [_claim(statement, side.lexemes[1:], negative, steps=False) for side in opposite]
    return found


def _is_opposite(side: Side) -> bool:
    """Returns whether a side is −Γ_211: the name of a quantity with a minus in front."""
    name = side.lexemes[1:]
    return side.lexemes[0].kind == "-" and is_left(name) and any(unit.text.isdigit() for unit in _units(name))


def _units(side: Sequence[Lexeme]) -> list[Unit]:
    return [unit for lexeme in side if lexeme.kind == "word" for unit in lexeme.data]


def _claim(statement: Statement, left: Sequence[Lexeme], right: Sequence[Lexeme], steps: bool) -> Claim:
    written = statement.written
    leaf = Leaf((), written, right, statement.latex)
    return Claim(left_of(left, written), (leaf,), (), written.where(left[0].start), steps, statement.strict)


class Texts:
    """This finds the text of a value; a file's reader says where it stands, too."""

    def written(self, name: str, place: tuple[int, ...], value: Any) -> Written:
        return Written(str(value), part=name + "".join(f"[{k}]" for k in place))


def of_parts(parts: Mapping[str, Any], texts: Texts) -> list[Claim]:
    """Returns the claims of a mapping from names to texts, numbers and nested lists of them."""
    return [claim for name, value in parts.items() for claim in _of_part(str(name), value, texts)]


def _of_part(name: str, value: Any, texts: Texts) -> list[Claim]:
    key = Written(name, part="the name")
    side = lexemes(key)
    if not is_left(side):
        raise ExpressionError(f"{shortened(name)} names no quantity", expected="such as M, M12 or tau")
    left = left_of(side, key)
    leaves: list[Leaf] = []
    shape = _collect(name, value, (), texts, leaves)
    if len(leaves) > MOST_CLAIMS:
        raise ExpressionError(f"{name} has {len(leaves)} entries", expected=f"at most {MOST_CLAIMS}")
    where = leaves[0].written.where(0) if leaves else name
    return [Claim(left, tuple(leaves), shape, where, steps=False, strict=True)]


def _collect(name: str, value: Any, place: tuple[int, ...], texts: Texts, leaves: list[Leaf]) -> tuple[int, ...]:
    """Adds the texts of nested lists and returns the lists' shape."""
    value = value.tolist() if hasattr(value, "tolist") else value  # of NumPy and SymPy
    if not isinstance(value, list | tuple):
        _check_expressible(name, value)
        written = texts.written(name, place, value)
        if len(written.text) > LONGEST_TEXT:
            raise ExpressionError(f"{name} of {len(written.text)} characters", expected=f"at most {LONGEST_TEXT}")
        latex = is_latex(written.text)
        leaves.append(Leaf(place, written, lexemes(written, comments="%" if latex else "#%"), latex))
        return ()
    if not value or len(place) >= DEEPEST_LIST:
        raise ExpressionError(
            f"{name} is {'an empty list' if not value else 'nested too deep'}", expected="expressions"
        )
    inner = [_collect(name, part, (*place, k), texts, leaves) for k, part in enumerate(value)]
    for k, each in enumerate(inner):
        if each != inner[0]:
            found = f"row {k + 1} of {name} has {_size(each)}, row 1 has {_size(inner[0])}"
            raise ExpressionError(found, expected="rows of one length")
    return (len(value), *inner[0])


def _check_expressible(name: str, value: Any) -> None:
    """Raises ExpressionError for what is neither a text nor a number nor an expression of SymPy."""
    known = isinstance(value, str | int | float | Fraction | Decimal) and not isinstance(value, bool)
    if not known and type(value).__module__.split(".")[0] != "sympy":
        raise ExpressionError(
            f"{name} is {shortened(value)}", expected="an expression as text, a number, or lists of them"
        )


def _size(shape: tuple[int, ...]) -> str:
    return f"{' × '.join(map(str, shape))} entries" if shape else "one entry"
