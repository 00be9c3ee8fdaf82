"""Splits a text into equations, side = side = side, at line ends, rows, wide gaps, punctuation and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.reading.names.arm_names import FUNCTIONS
from qddot.teach.check.reading.names.left_sides import is_left, left_of
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.signs.latex_signs import MATRICES
from qddot.teach.check.reading.signs.lexemes import Lexeme, lexemes, word_of
from qddot.teach.check.reading.signs.nesting import CLOSING, OPENING, nested
from qddot.teach.check.reading.statements.prose import without_prose
from qddot.teach.check.reading.statements.remarks import PAIRS, UNITS, closings, without_remarks
from qddot.teach.check.reading.statements.spoken import spoken_of
from qddot.teach.check.reading.texts.written import Written

MOST_OPEN = 100  # braces
OPERATORS = ("+", "-", "*", "/", "^")
SOFT = ("&", "wide")
WIDE_GAP = 3  # blanks between two equations in one line
IDLE = ("&", "wide", "newline")
COMMAND_LINE = re.compile(
    r"^[ \t]*(?:from|import|syms|clear|clc|close|format|end|return|def|function|global|assume\w*)\b[^\n]*|"
    r"^[ \t]*\d+ other entries of \S+ are zero(?:, where \S+ = \S+ counts once)?[ \t]*$",
    re.MULTILINE,
)
BREAKS = re.compile(r"\n\s*\n"), re.compile(r"\n")  # between paragraphs, and between lines
Side = tuple[Lexeme, ...]
IsName = Callable[[str], bool]


class Passage(NamedTuple):
    """A passage is a part of a text that is read in one way.

    latex: whether it has LaTeX commands; strict: whether ends of lines separate its equations even then;
    prose: whether words may stand between its formulas
    """

    written: Written
    start: int
    end: int
    latex: bool
    strict: bool
    prose: bool = False


class Equation(NamedTuple):
    """An equation has two or more sides."""

    passage: Passage
    sides: tuple[Side, ...]

    @property
    def text(self) -> str:
        """Returns the written text in one line."""
        return " ".join(self.passage.written.text[self.sides[0][0].start : self.sides[-1][-1].end].split())

    @property
    def where(self) -> str:
        return self.passage.written.where(self.sides[0][0].start)


class Loose(NamedTuple):
    """This is a formula without '='. about: the quantities of which the words before it speak"""

    passage: Passage
    side: Side
    about: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Returns the written text in one line."""
        return " ".join(self.passage.written.text[self.side[0].start : self.side[-1].end].split())

    @property
    def where(self) -> str:
        return self.passage.written.where(self.side[0].start)


def equations(passage: Passage, is_name: IsName) -> Iterator[Equation | Loose | Unread]:
    """Yields the equations of a passage, and formulas without '='. is_name: whether a text is a name of the arm"""
    written = passage.written
    comments = "%" if passage.latex else "#%"
    try:
        signs = lexemes(written, passage.start, passage.end, comments)
    except ExpressionError as fault:
        yield from _apart_from_fault(passage, is_name, fault)
        return
    signs = _without_frames(signs, written)
    own = {word_of(a) for a, b in pairwise(signs) if b.kind == "="}

    def is_known(text: str) -> bool:
        return text in own or is_name(text)

    signs = without_remarks(signs, is_known, passage.prose)
    if passage.prose:
        signs = without_prose(signs, is_known)
    has_equations = False
    for chain in _chains(signs, passage):
        if len(chain) == 1:
            yield from _loose(chain[0], passage, is_known)
            continue
        has_equations = True
        yield from _finished(chain, passage, is_name)
    equal = next((lexeme for lexeme in signs if lexeme.kind == "="), None)
    if not equal or has_equations:
        return
    ends = closings(signs)
    opened = next((k for k, lexeme in enumerate(signs) if lexeme.kind in PAIRS and k not in ends), None)
    if opened is not None:
        error = written.error(signs[opened].start, "bracket-left-open")
        yield Unread.because(
            " ".join(written.text[signs[0].start : equal.end].split()), written.where(equal.start), error
        )


def _apart_from_fault(passage: Passage, is_name: IsName, error: ExpressionError) -> Iterator[Equation | Loose | Unread]:
    """Yields what the paragraphs of a passage say, or its lines, besides the one with an unclosed brace."""
    text = passage.written.text[passage.start : passage.end]
    breaks = next((found for each in BREAKS if (found := [m.span() for m in each.finditer(text.rstrip())])), [])
    if not breaks:
        if "=" in text:
            yield Unread.because(" ".join(text.split()), error.where, error)
        return
    starts, ends = [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(text)]
    for start, end in zip(starts, ends, strict=True):
        part = passage._replace(start=passage.start + start, end=passage.start + end)
        yield from equations(part, is_name)


def _chains(signs: Sequence[Lexeme], passage: Passage) -> Iterator[list[list[Lexeme]]]:
    """Yields chains of sides between separators; a line that continues the one above is joined to it.

    A formula without '=' is a chain with one side.
    """
    chain: list[list[Lexeme]] = []
    pending: list[Lexeme] = []
    for separator, line in _lines(signs, passage.latex and not passage.strict):
        parts = _sides(line)
        goes_on = line[0].kind in OPERATORS and separator not in (";", ",", "prose")
        incomplete = bool(chain) and (not _solid(chain[-1]) or chain[-1][-1].kind in OPERATORS)
        if len(parts) == 1:
            product = bool(chain) and _is_product(chain[-1], line)
            joins = (
                goes_on or incomplete or product or (separator in ("row", *SOFT) and not _is_number_of_equation(line))
            )
            if chain and joins and separator != "prose":
                chain[-1] += parts[0]
                continue
            if chain:
                yield chain
            before = pending if goes_on or (pending and pending[-1].kind in OPERATORS) else []
            if pending and not before:
                yield [pending]
            chain, pending = [], [*before, *parts[0]]
            continue
        if chain and (not _solid(parts[0]) or incomplete) and separator != "prose":
            chain[-1] += parts[0]
            chain += parts[1:]
            continue
        if chain and goes_on and line[0].kind != "-":
            chain[-1] += parts[0]
            chain += parts[1:]
            continue
        if chain:
            yield chain
        fits = pending and (goes_on or not _solid(parts[0]) or pending[-1].kind in OPERATORS)
        if pending and not fits:
            yield [pending]
        chain = [[*(pending if fits else []), *parts[0]], *parts[1:]]
        pending = []
    if chain or pending:
        yield chain or [pending]


def _loose(line: Sequence[Lexeme], passage: Passage, is_known: IsName) -> Iterator[Loose]:
    """Yields a line without '=' if it is a formula of several names that are all known.

    It is a sum or has a function, or is a product and words before it speak of a quantity.
    """
    line = _trimmed(line)
    names = [lexeme for lexeme in line if lexeme.kind == "word" and word_of(lexeme) not in FUNCTIONS]
    has_terms = any(lexeme.kind in ("+", "-", "function") or word_of(lexeme) in FUNCTIONS for lexeme in line)
    if len(names) > 1 and all(is_known(word_of(name)) for name in names):
        about = spoken_of(passage.written, line[0].start)
        if has_terms or (about and not is_left(line)):
            yield Loose(passage, tuple(line), about)


def _is_product(before: Sequence[Lexeme], line: Sequence[Lexeme]) -> bool:
    """Returns whether a line begins with a matrix and the one above ends with one, so that they are multiplied."""
    solid = [lexeme for lexeme in before if lexeme.kind not in IDLE]
    return line[0].kind == "begin" and bool(solid) and solid[-1].kind == "end"


def _is_number_of_equation(line: Sequence[Lexeme]) -> bool:
    """Returns whether a line is a number such as (1) or (2.3)."""
    kinds = [lexeme.kind for lexeme in line if lexeme.kind not in IDLE]
    return kinds == ["(", "number", ")"]


def _solid(side: Sequence[Lexeme]) -> bool:
    return any(lexeme.kind not in IDLE for lexeme in side)


def _finished(chain: list[list[Lexeme]], passage: Passage, is_name: IsName) -> Iterator[Equation | Unread]:
    trimmed = [_without_unit(_trimmed(side), is_name) for side in chain]
    for sides in _apart(trimmed, is_name, passage.written):
        empty = next((k for k, side in enumerate(sides) if not side), None)
        if sides[0] and sides[0][0].kind == "+" and not passage.prose:  # nobody begins an equation so
            error = passage.written.error(sides[0][0].start, "rest-of-equation")
            whole = [lexeme for side in sides for lexeme in side]
            yield Unread.because(passage.written.text[whole[0].start : whole[-1].end], error.where, error)
        elif empty is None:
            yield Equation(passage, tuple(tuple(side) for side in sides))
        elif any(sides):
            solid = [lexeme for side in sides for lexeme in side]
            before = sides[empty - 1][-1].end if empty and sides[empty - 1] else solid[0].start
            error = passage.written.error(before, "side-empty")
            text = passage.written.text[solid[0].start : solid[-1].end]
            yield Unread.because(text, passage.written.where(solid[0].start), error)


def _apart(sides: list[list[Lexeme]], is_name: IsName, written: Written) -> Iterator[list[list[Lexeme]]]:
    """Yields each of the chains in one line: a = b   M22 = c."""
    first = [sides[0]]
    for k, side in enumerate(sides[1:], 1):
        at = _next_name(side, is_name, written) if k < len(sides) - 1 else 0
        if at:
            yield [*first, _trimmed(side[:at])]
            first = [_trimmed(side[at:])]
        else:
            first.append(side)
    yield first


def _next_name(side: Sequence[Lexeme], is_name: IsName, written: Written) -> int:
    """Returns where the name of another quantity begins after an expression, or 0."""
    for k in range(1, len(side)):
        before, lexeme = side[k - 1], side[k]
        if lexeme.kind != "word" or before.kind in OPERATORS or not is_left(side[k:]):
            continue
        if before.kind in ("newline", "wide") or lexeme.start - before.end >= WIDE_GAP:
            return k
        left = left_of(side[k:], written)
        if lexeme.blank and left.indices and any(each.sure for each in candidates(left)) and not is_name(left.text):
            return k
    return 0


def _trimmed(side: Sequence[Lexeme]) -> list[Lexeme]:
    """Returns a side without separators and full stops at its ends."""
    kept = list(side)
    idle = ("newline", ",", ";", "wide", "&", "row")
    while kept and (kept[-1].kind in idle or kept[-1].data in (".", ":")):
        kept.pop()
    while kept and kept[0].kind in idle:
        kept.pop(0)
    return kept


def _without_unit(side: list[Lexeme], is_name: IsName) -> list[Lexeme]:
    """Returns a side without the unit behind a number or a row of numbers, as in 0.5 Nm and (2, -1) rad/s.

    A unit that is a name of the arm is a factor.
    """
    end = len(side)
    while end and (word_of(side[end - 1]) in UNITS or (side[end - 1].kind in ("/", "*") and end < len(side))):
        end -= 1
    behind, is_row = side[end:], side[end - 1 : end] and side[end - 1].kind in CLOSING
    is_unit = 0 < end and bool(behind) and behind[0].kind == "word" and behind[0].blank
    of_numbers = all(each.kind in (*OPENING, *CLOSING, *OPERATORS, "number", ",", ";", "degree") for each in side[:end])
    is_behind = is_unit and (side[end - 1].kind == "number" or (is_row and of_numbers))
    return side[:end] if is_behind and not all(is_name(word_of(each)) for each in behind if each.data) else side


def _without_frames(signs: Sequence[Lexeme], written: Written) -> list[Lexeme]:
    """Returns the lexemes without environments other than matrices, and without braces around whole equations."""
    dropped: set[int] = set()
    opened: list[int] = []
    closing: dict[int, int] = {}
    framed: set[int] = set()
    ends = closings(signs)
    for k, lexeme in enumerate(signs):
        if lexeme.kind in ("begin", "end") and lexeme.data.rstrip("*") not in MATRICES:
            dropped.add(k)
            dropped |= _name_in_front(signs, k) if lexeme.kind == "begin" and _holds_equations(signs, k) else set()
            before = _before(signs, k)
            if lexeme.kind == "begin" and signs[before].kind == "(" and before not in ends:
                dropped.add(before)  # \\left\\{ \\begin{aligned} … \\right.
        elif lexeme.kind == "begin" and _holds_equations(signs, k):
            dropped |= {k, _end_of(signs, k)}
            dropped |= _name_in_front(signs, k)
            before = _before(signs, k)
            dropped |= {before} if signs[before].kind == "(" else set()  # \\left\\{ … \\right.
        elif lexeme.kind == "{":
            opened.append(k)
            if len(opened) > MOST_OPEN:
                raise written.error(lexeme.start, "brackets-too-deep", most=MOST_OPEN)
        elif lexeme.kind == "}" and opened:
            closing[opened.pop()] = k
        elif lexeme.kind == "=":
            framed.update(opened)
    dropped |= {k for opening in framed if opening in closing for k in (opening, closing[opening])}
    return [lexeme for k, lexeme in enumerate(signs) if k not in dropped]


def _before(signs: Sequence[Lexeme], k: int) -> int:
    """Returns the place of the last lexeme before a place, besides line ends, or the place itself."""
    return next((j for j in reversed(range(k)) if signs[j].kind != "newline"), k)


def _name_in_front(signs: Sequence[Lexeme], start: int) -> set[int]:
    """Returns the places of a name and its '=' before a block of equations."""
    before = [k for k in range(start) if signs[k].kind not in IDLE]
    while before and signs[before[-1]].kind in ("(", "{", "begin"):
        before.pop()
    is_named = len(before) > 1 and signs[before[-1]].kind == "=" and signs[before[-2]].kind == "word"
    return set(before[-2:]) if is_named else set()


def _end_of(signs: Sequence[Lexeme], start: int) -> int:
    depth = 0
    for k in range(start, len(signs)):
        depth += (signs[k].kind == "begin") - (signs[k].kind == "end")
        if not depth:
            return k
    return start


def _holds_equations(signs: Sequence[Lexeme], start: int) -> bool:
    """Returns whether an array is a block of equations rather than a matrix."""
    return any(lexeme.kind == "=" and depth == 1 for depth, lexeme in nested(signs[start : _end_of(signs, start)]))


def _lines(signs: Sequence[Lexeme], latex: bool) -> Iterator[tuple[str, list[Lexeme]]]:
    """Yields the lexemes between separators, each time with the separator before them."""
    depth, separator, line = 0, "", list[Lexeme]()
    signs = list(_without_breaks(signs))
    ends = closings(signs)
    for k, lexeme in enumerate(signs):
        is_unclosed = lexeme.kind in PAIRS and k not in ends  # it does not reach beyond its line
        depth = max(depth + (lexeme.kind in OPENING and not is_unclosed) - (lexeme.kind in CLOSING), 0)
        kind = _separator(lexeme, latex)
        if depth or not kind or (kind in SOFT and not _ends(line)):
            line.append(lexeme)
            continue
        if _solid(line):
            yield separator, _from_first(line)
            separator, line = kind, []
        elif separator not in (";", ",", "prose") and not (separator == "row" and kind == "newline"):
            separator = kind
    if _solid(line):
        yield separator, _from_first(line)


def _from_first(line: list[Lexeme]) -> list[Lexeme]:
    """Returns a line from its first lexeme that is not a gap, and without the empty braces of {}-x."""
    line = line[next(k for k, lexeme in enumerate(line) if lexeme.kind not in IDLE) :]
    is_empty = [lexeme.kind for lexeme in line[:2]] == ["{", "}"] and len(line) > 2
    return line[2:] if is_empty and line[2].kind in OPERATORS[:2] else line


def _separator(lexeme: Lexeme, latex: bool) -> str:
    """Returns the kind of separator that a lexeme is, or ""."""
    if lexeme.kind in ("row", ";", ",", "prose", *SOFT) or (lexeme.kind == "newline" and not latex):
        return lexeme.kind
    return "prose" if lexeme.kind == "unknown" and lexeme.data in (".", ":", "|") else ""


def _ends(line: Sequence[Lexeme]) -> bool:
    """Returns whether an equation may end here: it has an '=' with an expression after it."""
    equal = next((k for k, lexeme in enumerate(line) if lexeme.kind == "="), None)
    return equal is not None and _solid(line[equal + 1 :]) and line[-1].kind not in (*OPERATORS, "=")


def _without_breaks(signs: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """Yields the lexemes without line breaks of LaTeX inside round brackets."""
    opened = list[str]()
    for lexeme in signs:
        if lexeme.kind in OPENING:
            opened.append(lexeme.kind)
        elif lexeme.kind in CLOSING and opened:
            opened.pop()
        if lexeme.kind not in ("row", "&") or opened[-1:] != ["("]:
            yield lexeme


def _sides(line: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """Returns the parts of a line between the '=' outside of brackets."""
    sides = [list[Lexeme]()]
    for depth, lexeme in nested(line):
        if lexeme.kind == "=" and depth <= 0:
            sides.append([])
        elif lexeme.kind != "&" or depth > 0:
            sides[-1].append(lexeme)
    return sides
