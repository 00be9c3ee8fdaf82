"""Parses brackets, and matrices in brackets or between \\begin and \\end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qddot.base.errors import Where
from qddot.teach.check.reading.grammar.cursor import CLOSING, Cursor
from qddot.teach.check.reading.signs.latex_signs import MATRICES
from qddot.teach.check.reading.signs.lexemes import Lexeme
from qddot.teach.check.reading.syntax import Mirrored, Node, Span, Table

ATOMS = ("number", "word", "function", "sum", "(", "[", "{", "begin", "pi", "partial")


class Brackets:
    """This parses brackets at a cursor.

    expression: parses the expression at the cursor
    are_matrices: whether a list of one row is a matrix with one row, as in MATLAB
    blanks_part: whether blanks separate the columns of a matrix, as in MATLAB
    """

    def __init__(
        self, cursor: Cursor, expression: Callable[[], Node], *, are_matrices: bool, blanks_part: bool
    ) -> None:
        self.cursor, self.expression = cursor, expression
        self.are_matrices, self.blanks_part = are_matrices, blanks_part

    def bracket(self) -> Node:
        """Parses (a), {a} or the row (a, b)."""
        opening, rows, self.cursor.rows = self.opened(), self.cursor.rows, 0
        node = self.expression()
        self.cursor.skip_lines()
        if opening.kind == "(" and self.cursor.kind() == ",":
            node = Table(node.span, (node, *self._more_parts()))
        self.close(opening)
        self.cursor.rows = rows
        return node

    def _more_parts(self) -> list[Node]:
        parts: list[Node] = []
        while self.cursor.kind() == ",":
            self.cursor.next += 1
            self.cursor.skip_lines()
            if self.cursor.kind() == ")":
                break
            parts.append(self.expression())
            self.cursor.skip_lines()
        return parts

    def listed(self) -> Node:
        """Parses [a, b; c, d], [a b; c d] or [[a, b], [c, d]]; a single row is a matrix if `are_matrices`."""
        opening, outer = self.opened(), self.cursor.rows
        self.cursor.rows = 1 if self.blanks_part else 0
        rows: list[list[Node]] = [[]]
        self.cursor.skip_lines()
        while self.cursor.kind() != "]":
            rows[-1].append(self.expression())
            if self.cursor.kind() == "newline" and self._row_ends():
                rows.append([])
            self.cursor.skip_lines()
            if self.cursor.kind() == ";":
                self.cursor.next += 1
                rows.append([])
            elif self.cursor.kind() == ",":
                self.cursor.next += 1
            elif self.cursor.kind() != "]" and not self.cursor.rows and rows[-1]:
                break
            self.cursor.skip_lines()
        self.close(opening)
        self.cursor.rows = outer
        span, rows = (opening.start, self.cursor.end()), [row for row in rows if row]
        if len(rows) == 1 and len(rows[0]) == 1 and not isinstance(rows[0][0], Table):
            return Table(span, tuple(rows[0]))
        if len(rows) <= 1:
            return self._row(span, tuple(rows[0]) if rows else ())
        return Table(span, tuple(Table((row[0].span[0], row[-1].span[1]), tuple(row)) for row in rows))

    def _row(self, span: Span, entries: tuple[Node, ...]) -> Node:
        """Returns the node of a list with one row."""
        is_row = self.are_matrices and len(entries) > 1 and not any(isinstance(each, Table) for each in entries)
        return Table(span, (Table(span, entries),) if is_row else entries)

    def _row_ends(self) -> bool:
        """Returns whether a line break in brackets ends a row, as in MATLAB, rather than continuing a sum."""
        signs, k = self.cursor.lexemes, self.cursor.next
        while k < len(signs) and signs[k].kind == "newline":
            k += 1
        is_signed = k < len(signs) and signs[k].kind in ("+", "-") and bool(self.cursor.rows)
        if is_signed and k + 1 < len(signs) and not signs[k + 1].blank:
            return True
        return k < len(signs) and signs[k].kind in ("number", "word", "function", "pi", "(")

    def environment(self) -> Node:
        """Parses a matrix between \\begin and \\end."""
        opening = self.opened()
        if opening.data.rstrip("*") not in MATRICES:
            raise self.cursor.written.error(opening.start, "environment-in-expression", name=opening.data)
        outer, self.cursor.rows = self.cursor.rows, 0
        rows: list[list[Node | None]] = [[]]
        is_cell_due = True
        while self.cursor.kind() not in ("end", ""):
            if self.cursor.kind() in ("&", "row"):
                rows[-1] += [None] if is_cell_due else []
                rows += [[]] if self.cursor.kind() == "row" else []
                is_cell_due = True
                self.cursor.next += 1
            elif self.cursor.kind() == "newline":
                self.cursor.next += 1
            else:
                rows[-1].append(self.expression())
                is_cell_due = False
                self.cursor.skip_lines()
                if self.cursor.kind() not in ("&", "row", "end"):
                    break
        self.close(opening)
        self.cursor.rows = outer
        span = (opening.start, self.cursor.end())
        return Table(span, tuple(Table(span, row) for row in _without_blanks(rows, span) if row))

    def opened(self) -> Lexeme:
        """Returns the bracket at the cursor, and moves past it."""
        self.cursor.go_deeper()
        return self.cursor.take()

    def close(self, opening: Lexeme) -> None:
        """Moves past the bracket that closes `opening`; raises ExpressionError if there is another sign."""
        self.cursor.skip_lines()
        closing = "end" if opening.kind == "begin" else CLOSING[opening.kind]
        if self.cursor.kind() != closing:
            shown = f"\\end{{{opening.data}}}" if closing == "end" else repr(closing)
            place = Where(self.cursor.written.where(opening.start))
            raise self.cursor.error("bracket-not-closed-at", sign=self.cursor.shown(), place=place, closing=shown)
        self.cursor.next += 1
        self.cursor.depth -= 1

    def new_column(self) -> bool:
        """Returns whether a blank begins a new column here: before an entry, or before the sign of one."""
        if not self.cursor.rows or self.cursor.pieces:
            return False
        lexeme, *behind = self.cursor.ahead
        is_signed = lexeme.kind in ("+", "-") and bool(behind) and not behind[0].blank
        return lexeme.blank and (lexeme.kind in ATOMS or is_signed)


def _without_blanks(rows: Sequence[Sequence[Node | None]], span: Span) -> list[tuple[Node, ...]]:
    """Returns rows without empty cells; beside "sym." an empty cell stands for the entry across the diagonal, too."""
    is_symmetric = any(isinstance(entry, Mirrored) for row in rows for entry in row)
    blank = (Mirrored(span),) if is_symmetric else ()
    kept = [row for row in rows if any(entry is not None for entry in row)]
    return [tuple(each for entry in row for each in ((entry,) if entry is not None else blank)) for row in kept]
