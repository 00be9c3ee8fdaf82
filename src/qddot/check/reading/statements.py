"""Parts a text into statements, `name = name = expression = expression`, wherever lines, rows and marks end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from qddot.check.reading.latex_signs import MATRICES
from qddot.check.reading.lexemes import Lexeme, is_latex, lexemes
from qddot.check.reading.written import Written

LONGEST_LEFT = 60  # lexemes of a name with its indices and arguments
MOST_OPEN = 100  # braces
OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")
LEFT = {"word", "number", "power", "^", "'", *OPENING, *CLOSING, ",", ";", "newline", "degree", "*"}
COMMAND_LINE = re.compile(
    r"^[ \t]*(?:from|import|syms|clear|clc|close|format|end|return|def|function|global|assume\w*)\b[^\n]*|"
    r"^[ \t]*\d+ other entries of \S+ are zero[ \t]*$",
    re.MULTILINE,
)
OPENED = re.compile(
    r"(?<!\\)\$\$|(?<!\\)\$|\\\[|\\\(|"
    r"\\begin\s{0,3}\{((?:equation|align|alignat|gather|multline|eqnarray|flalign|displaymath|math)\*?)\}"
)
CLOSED = {"$$": r"(?<!\\)\$\$", "$": r"(?<!\\)\$", "\\[": r"\\\]", "\\(": r"\\\)"}


class Side(NamedTuple):
    """A side of an equation: its lexemes, without what only aligns them."""

    lexemes: tuple[Lexeme, ...]

    @property
    def start(self) -> int:
        return self.lexemes[0].start

    @property
    def end(self) -> int:
        return self.lexemes[-1].end


class Statement(NamedTuple):
    """A statement has the names on its left and the expressions that each of them shall be equal to.

    strict: whether it must be about a quantity of the arm, or may as well be a formula of a paper about something else
    """

    written: Written
    lefts: tuple[Side, ...]
    rights: tuple[Side, ...]
    latex: bool
    strict: bool


def statements(written: Written, form: str = "") -> list[Statement]:
    """Returns the statements of a text. form: "latex" for a document, "text", or "" to find out

    raises ExpressionError: a line that is no equation, in a text
    """
    text = written.text
    latex = is_latex(text) or form == "latex"
    parts = list(_formulas(_without_comments(text))) if latex else []
    if not latex:
        blanked = COMMAND_LINE.sub(lambda line: " " * len(line[0]), text)
        cleared = replace(written, text=blanked, file=written.file or text)
        return list(_parted(lexemes(cleared), cleared, latex, strict=True))
    if not parts:
        return list(_parted(lexemes(written, comments="%"), written, latex, strict=True))
    return [
        statement
        for start, end in parts
        for statement in _parted(lexemes(written, start, end, "%"), written, latex, strict=False)
    ]


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """Yields where the formulas of a LaTeX document begin and end, in one pass."""
    at, unclosed = 0, set[str]()
    while opened := OPENED.search(text, at):
        sign = opened[0]
        closing = CLOSED.get(sign) or rf"\\end\s{{0,3}}\{{{re.escape(opened[1])}\}}"
        closed = None if closing in unclosed else re.compile(closing).search(text, opened.end())
        if closed is None:
            unclosed.add(closing)
            at = opened.end()
        else:
            yield opened.end(), closed.start()
            at = closed.end()


def _without_comments(text: str) -> str:
    """Returns a LaTeX text with blanks in place of its comments."""
    return re.sub(r"(?<!\\)%[^\n]*", lambda comment: " " * len(comment[0]), text)


def _parted(found: Sequence[Lexeme], written: Written, latex: bool, strict: bool) -> Iterator[Statement]:
    sides: list[list[Lexeme]] = []
    for separator, line in _lines(_without_frames(found, written)):
        parts = _sides(line)
        if len(parts) > 1 and (not sides or parts[0]):
            if sides:
                yield from _statement(sides, written, latex, strict)
            sides = parts
        elif len(parts) > 1:  # "= …" goes on from the line above
            sides += parts[1:]
        elif sides and (separator not in (";", ",") or not strict):
            if separator not in (";", ","):
                sides[-1] += line
        elif strict:
            shown = written.text[line[0].start : line[-1].end][:40]
            raise written.error(line[0].start, f"no '=' in {shown!r}", "name = expression")
    if sides:
        yield from _statement(sides, written, latex, strict)


def _statement(sides: list[list[Lexeme]], written: Written, latex: bool, strict: bool) -> Iterator[Statement]:
    trimmed = [_trimmed(side) for side in sides]
    empty = next((k for k, side in enumerate(trimmed) if not side), None)
    if empty is not None and not strict:
        return
    if empty is not None:
        before = trimmed[empty - 1][-1].end if empty and trimmed[empty - 1] else 0
        raise written.error(before, "nothing on one side of '='", "name = expression")
    if not is_left(trimmed[0]) and is_left(trimmed[-1]):  # … = τ_1
        trimmed = [trimmed[-1], *trimmed[:-1]]
    if not is_left(trimmed[0]):
        if strict:
            start, end = trimmed[0][0].start, trimmed[0][-1].end
            shown = written.text[start:end][:40]
            raise written.error(start, f"{shown!r} on the left of '='", "the name of a quantity, such as M12")
        return
    first = next((k for k in range(1, len(trimmed) - 1) if not is_left(trimmed[k])), len(trimmed) - 1)
    parts = [Side(tuple(side)) for side in trimmed]
    yield Statement(written, tuple(parts[:first]), tuple(parts[first:]), latex, strict)


def is_left(side: Sequence[Lexeme]) -> bool:
    """Returns whether something may be the name of a quantity: one word with indices, arguments and frames."""
    depth, words = 0, 0
    for lexeme in side:
        depth += (lexeme.kind in OPENING) - (lexeme.kind in CLOSING)
        words += lexeme.kind == "word" and not depth
        if not depth and lexeme.kind not in LEFT:
            return False
    return words == 1 and len(side) <= LONGEST_LEFT


def _trimmed(side: Sequence[Lexeme]) -> list[Lexeme]:
    """Returns a side without ends of lines around it, and without the full stop of a sentence."""
    kept = list(side)
    while kept and (kept[-1].kind in ("newline", ",", ";") or kept[-1].data == "."):
        kept.pop()
    while kept and kept[0].kind == "newline":
        kept.pop(0)
    return kept


def _without_frames(found: Sequence[Lexeme], written: Written) -> list[Lexeme]:
    """Returns the lexemes without environments that are no matrices, and without braces round whole equations."""
    dropped: set[int] = set()
    opened: list[int] = []
    closing: dict[int, int] = {}
    framed: set[int] = set()
    for k, lexeme in enumerate(found):
        if lexeme.kind in ("begin", "end") and lexeme.data.rstrip("*") not in MATRICES:
            dropped.add(k)
        elif lexeme.kind == "{":
            opened.append(k)
            if len(opened) > MOST_OPEN:
                raise written.error(lexeme.start, "brackets nested too deep", f"at most {MOST_OPEN} levels")
        elif lexeme.kind == "}" and opened:
            closing[opened.pop()] = k
        elif lexeme.kind == "=":
            framed.update(opened)
    dropped |= {k for opening in framed if opening in closing for k in (opening, closing[opening])}
    return [lexeme for k, lexeme in enumerate(found) if k not in dropped]


def _lines(found: Sequence[Lexeme]) -> Iterator[tuple[str, list[Lexeme]]]:
    """Yields the lines that are not empty, each with what stands in front: "newline", "row", ";" or ","."""
    depth, separator, line = 0, "", list[Lexeme]()
    for lexeme in _without_breaks(found):
        depth += (lexeme.kind in (*OPENING, "begin")) - (lexeme.kind in (*CLOSING, "end"))
        depth = max(depth, 0)
        if depth or lexeme.kind not in ("newline", "row", ";", ","):
            line += [lexeme] if depth or lexeme.kind != "&" else []
            continue
        if any(each.kind != "newline" for each in line):
            yield separator, line
            separator, line = lexeme.kind, []
        elif separator not in (";", ","):
            separator = lexeme.kind
    if line:
        yield separator, line


def _without_breaks(found: Iterable[Lexeme]) -> Iterator[Lexeme]:
    """Yields all but the signs by which a line of LaTeX goes on within round brackets."""
    opened = list[str]()
    for lexeme in found:
        if lexeme.kind in (*OPENING, "begin"):
            opened.append(lexeme.kind)
        elif lexeme.kind in (*CLOSING, "end") and opened:
            opened.pop()
        if lexeme.kind not in ("row", "&") or opened[-1:] != ["("]:
            yield lexeme


def _sides(line: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """Returns a line parted at each '=' outside of brackets."""
    depth, sides = 0, [list[Lexeme]()]
    for lexeme in line:
        depth += (lexeme.kind in (*OPENING, "begin")) - (lexeme.kind in (*CLOSING, "end"))
        if lexeme.kind == "=" and depth <= 0:
            sides.append([])
        else:
            sides[-1].append(lexeme)
    return sides
