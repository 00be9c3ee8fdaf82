"""Parses brackets, and matrices in brackets or between \\begin and \\end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from qddot.check.reading.cursor import CLOSING, Cursor
from qddot.check.reading.latex_signs import MATRICES
from qddot.check.reading.lexemes import Lexeme
from qddot.check.reading.syntax import Mirrored, Node, Span, Table
from qddot.check.reading.written import Written

ATOMS = ("number", "word", "function", "(", "[", "{", "begin", "pi", "partial")


class Brackets(Cursor, ABC):
    """This cursor parses brackets. blanks_part: whether blanks separate the columns of a matrix, as in MATLAB"""

    def __init__(self, lexemes: Sequence[Lexeme], written: Written, blanks_part: bool = False) -> None:
        super().__init__(lexemes, written)
        self.blanks_part = blanks_part

    @abstractmethod
    def sum(self) -> Node:
        """Parses an expression."""

    def _bracket(self) -> Node:
        opening, rows, self.rows = self._opened(), self.rows, 0
        node = self.sum()
        self._skip_lines()
        if opening.kind == "(" and self._kind() == ",":
            node = Table(node.span, (node, *self._more_parts()))
        self._close(opening)
        self.rows = rows
        return node

    def _more_parts(self) -> list[Node]:
        parts: list[Node] = []
        while self._kind() == ",":
            self.next += 1
            self._skip_lines()
            if self._kind() == ")":
                break
            parts.append(self.sum())
            self._skip_lines()
        return parts

    def _list(self) -> Node:
        """Returns [a, b; c, d], [a b; c d] or [[a, b], [c, d]]; a single row is not a matrix."""
        opening, outer = self._opened(), self.rows
        self.rows = 1 if self.blanks_part else 0
        rows: list[list[Node]] = [[]]
        self._skip_lines()
        while self._kind() != "]":
            rows[-1].append(self.sum())
            if self._kind() == "newline" and self._row_ends():
                rows.append([])
            self._skip_lines()
            if self._kind() == ";":
                self.next += 1
                rows.append([])
            elif self._kind() == ",":
                self.next += 1
            elif self._kind() != "]" and not self.rows and rows[-1]:
                break
            self._skip_lines()
        self._close(opening)
        self.rows = outer
        span, rows = (opening.start, self._end()), [row for row in rows if row]
        if len(rows) == 1 and len(rows[0]) == 1 and not isinstance(rows[0][0], Table):
            return Table(span, tuple(rows[0]))
        if len(rows) <= 1:
            return self._row(span, tuple(rows[0]) if rows else ())
        return Table(span, tuple(Table((row[0].span[0], row[-1].span[1]), tuple(row)) for row in rows))

    def _row(self, span: Span, entries: tuple[Node, ...]) -> Node:
        """Returns the node of a list with one row."""
        return Table(span, entries)

    def _row_ends(self) -> bool:
        """Returns whether a line break in brackets ends a row, as in MATLAB, rather than continuing a sum."""
        k = self.next
        while k < len(self.lexemes) and self.lexemes[k].kind == "newline":
            k += 1
        signed = self.lexemes[k : k + 1] and self.lexemes[k].kind in ("+", "-") and self.rows
        if signed and k + 1 < len(self.lexemes) and not self.lexemes[k + 1].blank:
            return True
        return k < len(self.lexemes) and self.lexemes[k].kind in ("number", "word", "function", "pi", "(")

    def _environment(self) -> Node:
        opening = self._opened()
        if opening.data.rstrip("*") not in MATRICES:
            raise self.written.error(opening.start, f"\\begin{{{opening.data}}} in an expression", "a matrix")
        outer, self.rows = self.rows, 0
        rows: list[list[Node | None]] = [[]]
        is_cell_due = True
        while self._kind() not in ("end", ""):
            if self._kind() in ("&", "row"):
                rows[-1] += [None] if is_cell_due else []
                rows += [[]] if self._kind() == "row" else []
                is_cell_due = True
                self.next += 1
            elif self._kind() == "newline":
                self.next += 1
            else:
                rows[-1].append(self.sum())
                is_cell_due = False
                self._skip_lines()
                if self._kind() not in ("&", "row", "end"):
                    break
        self._close(opening)
        self.rows = outer
        span = (opening.start, self._end())
        return Table(span, tuple(Table(span, row) for row in _without_blanks(rows, span) if row))

    def _opened(self) -> Lexeme:
        self._go_deeper()
        return self._take()

    def _close(self, opening: Lexeme) -> None:
        self._skip_lines()
        closing = "end" if opening.kind == "begin" else CLOSING[opening.kind]
        if self._kind() != closing:
            shown = f"\\end{{{opening.data}}}" if closing == "end" else repr(closing)
            place = self.written.where(opening.start)
            raise self._error(f"{self._shown()} in a bracket that was opened at {place}", f"an operator or {shown}")
        self.next += 1
        self.depth -= 1

    def _new_column(self) -> bool:
        """Returns whether a blank begins a new column here: before an entry, or before the sign of one."""
        if not self.rows or self.pieces:
            return False
        lexeme, k = self.lexemes[self.next], self.next + 1
        signed = lexeme.kind in ("+", "-") and k < len(self.lexemes) and not self.lexemes[k].blank
        return lexeme.blank and (lexeme.kind in ATOMS or signed)


def _without_blanks(rows: Sequence[Sequence[Node | None]], span: Span) -> list[tuple[Node, ...]]:
    """Returns rows without empty cells; beside "sym." an empty cell stands for the entry across the diagonal, too."""
    is_symmetric = any(isinstance(entry, Mirrored) for row in rows for entry in row)
    blank = (Mirrored(span),) if is_symmetric else ()
    kept = [row for row in rows if any(entry is not None for entry in row)]
    return [tuple(each for entry in row for each in ((entry,) if entry is not None else blank)) for row in kept]
