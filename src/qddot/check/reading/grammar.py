"""Parses expressions as people write them, by recursive descent; nothing is evaluated.

sum := [±] product (± product)*; product := power ((* | / | nothing) power)*; power := atom (^ exponent)*;
atom := number | names | function argument | (sum) | {sum} | a matrix in brackets, or between \\begin and \\end.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeGuard

from qddot.check.reading.arguments import end_of_arguments, indices_behind, is_angle
from qddot.check.reading.arm_names import plain
from qddot.check.reading.brackets import ATOMS
from qddot.check.reading.derivatives import DERIVATIVES, may_begin, operator
from qddot.check.reading.differentiation import Differentiation
from qddot.check.reading.letters import LETTERS
from qddot.check.reading.lexemes import Lexeme, half_unit, word_of
from qddot.check.reading.syntax import (
    MOTIONS,
    Call,
    Derivative,
    Meaning,
    Mirrored,
    Name,
    Node,
    Number,
    Part,
    Power,
    Product,
    Reference,
    Span,
    Sum,
    Table,
    Transposed,
    Zeros,
    diagonal,
)

WRAPPERS_IN_A_ROW = (
    "list tuple vec vcat hcat Vector Matrix ImmutableMatrix MutableDenseMatrix Array array asarray "
    "matrix sym vertcat horzcat block stack hstack col"
)
WRAPPERS = frozenset(WRAPPERS_IN_A_ROW.split())
IDENTITIES = ("eye", "identity", "IdentityMatrix", "Identity")
SUBSCRIPT = re.compile(r"(?P<letter>[^\W\d_]+)_?(?P<row>[1-9]),?(?P<column>[1-9])?")
MOST_ROWS = 30  # of an identity matrix
AROUND_ENTRIES = ("begin", "end", "&", "row", "newline", ",", ";", "[", "]")
EXPECTED = "a number, a name, a function or a bracket"


class Grammar(Differentiation):
    """This is a parser of one expression; its methods are the rules."""

    def whole(self) -> Node:
        """Returns the tree; raises ExpressionError with the place of a fault."""
        node = self.sum()
        self._skip_lines()
        if self.next < len(self.lexemes):
            raise self._error(f"{self._shown()} after the end of the expression", "an operator or the end")
        return node

    def _row(self, span: Span, entries: tuple[Node, ...]) -> Node:
        """Returns the node of a list with one row, which in MATLAB is a matrix with one row."""
        is_row = (
            not self.vocabulary.primes and len(entries) > 1 and not any(isinstance(each, Table) for each in entries)
        )
        return Table(span, (Table(span, entries),) if is_row else entries)

    # the rules

    def sum(self) -> Node:
        start, terms, sign = self._offset(), list[tuple[int, Node]](), self._signs()
        terms.append((sign, self.product()))
        while self._kind() in ("+", "-") and not self._new_column():
            sign = self._signs()
            terms.append((sign, self.product()))
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum((start, self._end()), tuple(terms))

    def product(self) -> Node:
        start, factors = self._offset(), [(1, self.power())]
        while True:
            kind = self._kind()
            if kind in ("*", "/") and not self.pieces:
                self.next += 1
                self._skip_lines()
                sign = self._signs() if self._kind() in ("+", "-") else 1
                factor = self.power()
                factors += [(1, Number(factor.span, Fraction(-1)))] if sign < 0 else []
                factors.append((1 if kind == "*" else -1, factor))
            elif self.pieces or (kind in ATOMS and not self._new_column()):
                if kind == "number" and not self.pieces and isinstance(factors[-1][1], Number):
                    raise self._error("two numbers side by side", "an operator between them")
                factors.append((1, self.power()))
            else:
                return factors[0][1] if len(factors) == 1 else Product((start, self._end()), tuple(factors))

    def power(self) -> Node:
        start, node, raised = self._offset(), self.atom(), False
        while (kind := self._kind()) in ("^", "power", "'", "degree") and not self.pieces:
            if kind == "'" and self.vocabulary.primes and not isinstance(node, Table | Sum | Product | Derivative):
                node = self._derived(node)
            elif kind == "'" or self._is_transposition():
                self.next += self._is_transposition() or 1
                node = node.of if isinstance(node, Transposed) else Transposed((start, self._end()), node)
            elif raised:
                raise self._error("a power of a power", "one exponent", "put the inner power in brackets")
            elif kind == "degree" or self._is_degree():
                self.next += self._is_degree() or 1
                node, raised = self._in_degrees(node), True
            else:
                node, raised = self._power_of(node, start), True
        return node

    def _power_of(self, node: Node, start: int) -> Node:
        """Returns a power; if the answer defines a name by its square, v² = …, the name stands for the square."""
        exponent, squared = self._exponent(), self.vocabulary.squared
        if isinstance(node, Name) and node.meaning.kind == "own" and node.meaning.name in squared:
            if exponent % 2:
                raise self._error(f"{node.text} to the power {exponent}", f"a power of {node.text}^2")
            return node if exponent == 2 else Power((start, self._end()), node, exponent // 2)
        return Power((start, self._end()), node, exponent)

    def _derived(self, node: Node) -> Node:
        """Returns the derivative that a prime after a name means; a prime is never ignored."""
        if isinstance(node, Name) and node.meaning.kind == "vector" and node.meaning.name in MOTIONS[:2]:
            self.next += 1
            return Name(node.span, node.text, Meaning("vector", MOTIONS[MOTIONS.index(node.meaning.name) + 1]))
        if isinstance(node, Name) and node.meaning.kind in ("own", "own rate"):
            if node.meaning.name in self.vocabulary.moving:
                self.next += 1
                kind = "own rate" if node.meaning.kind == "own" else "own acceleration"
                return Name(node.span, node.text, Meaning(kind, node.meaning.name))
            if node.meaning.kind == "own" and node.meaning.name in self.vocabulary.own:
                self.next += 1
                return Transposed(node.span, node)
        if not _moves(node) or node.meaning.kind == MOTIONS[-1]:
            raise self._error(
                "a prime after something that is not a coordinate", "a prime after a coordinate, as in q1'"
            )
        self.next += 1
        return Name(node.span, node.text, Meaning(MOTIONS[MOTIONS.index(node.meaning.kind) + 1], node.meaning.name))

    def atom(self) -> Node:
        if self.pieces:
            return self._named(self.pieces.pop(0))
        self._skip_lines()
        self._skip_frame()
        kind = self._kind()
        if kind and may_begin(self.lexemes[self.next]) and (written := operator(self.lexemes[self.next :])):
            return self._by_fraction(written)
        if kind == "number":
            lexeme = self._take()
            digits = self.written.text[lexeme.start : lexeme.end]
            return Number((lexeme.start, lexeme.end), lexeme.data, half_unit(digits))
        if kind == "pi":
            lexeme = self._take()
            return Name((lexeme.start, lexeme.end), "pi", Meaning("pi"))
        if self._is_mirrored():
            lexeme = self._take()
            return Mirrored((lexeme.start, lexeme.end))
        if kind == "word":
            return self._word()
        if kind == "function":
            return self._function(self._take())
        if kind in ("(", "{"):
            return self._entry_of(self._bracket())
        if kind == "[":
            return self._list()
        if kind == "begin":
            return self._environment()
        message = f"{self._shown()} where a value is expected" if kind else "the expression ends too early"
        raise self._error(message, EXPECTED)

    def _skip_frame(self) -> None:
        """Skips the number of a frame before a vector, ^1 in {}^1ω_1."""
        kinds = [lexeme.kind for lexeme in self.lexemes[self.next : self.next + 5]]
        for frame in (["^", "number", "word"], ["^", "{", "number", "}", "word"], ["power", "word"]):
            if kinds[: len(frame)] == frame:
                self.next += len(frame) - 1

    def _entry_of(self, node: Node) -> Node:
        """Parses the index in (a' M a)[0], as Python writes it, after a bracket."""
        signs = self.lexemes[self.next : self.next + 4]
        kinds = [lexeme.kind for lexeme in signs]
        is_index = kinds[:3] == ["[", "number", "]"] or (kinds[:2] == ["[", "number"] and kinds[2:3] == [","])
        if not is_index or self.latex or signs[0].blank or not self.vocabulary.zero_based:
            return node
        numbers = list[int]()
        while self._kind() != "]":
            self.next += 1
            numbers += [int(self.lexemes[self.next].data) + 1] if self._kind() == "number" else []
        self.next += 1
        return Part((node.span[0], self._end()), node, tuple(numbers), by_columns=False)

    def _is_mirrored(self) -> bool:
        """Returns whether a star or "sym." stands for the entry of a matrix across the diagonal."""
        lexeme = self.lexemes[self.next] if self.next < len(self.lexemes) else None
        if lexeme is None or not (lexeme.kind == "*" or word_of(lexeme) == "sym"):
            return False
        around = [self.lexemes[self.next - 1 : self.next], self.lexemes[self.next + 1 : self.next + 2]]
        return all(side and side[0].kind in AROUND_ENTRIES for side in around)

    # names and functions

    def _word(self) -> Node:
        lexeme = self._take()
        text = word_of(lexeme)
        if text in WRAPPERS and self._kind() == "(":
            return self._bracket()
        if text == "diag" and self._kind() == "(":
            return diagonal(self._bracket())
        if text in IDENTITIES and self._kind() == "(":
            return self._identity()
        if text in ("zeros", "empty") and self._kind() == "(":
            node = self._bracket()
            return Zeros((lexeme.start, node.span[1]))
        if text in DERIVATIVES and self._kind() == "(":
            return self._derivative(lexeme)
        if f"{plain(text)}()" in self.vocabulary.own and (end := self._end_of_arguments()):
            self.next = end
            return Name((lexeme.start, self._end()), text, Meaning("own", f"{plain(text)}()"))
        indexed = self._indexed(lexeme, text)
        if indexed is not None:
            return indexed
        if (entry := self._entry_by_subscript(lexeme, text)) is not None:
            return entry
        if text in ("c", "s", "C", "S") and (call := self._short_function(lexeme, text)):
            return call
        self.pieces = self.vocabulary.pieces(lexeme, self.written, self.latex)
        if self.pieces[-1].meaning.kind in MOTIONS:
            self._skip_time()
        elif self.pieces[-1].meaning.kind == "own":
            self._skip_arguments()
        return self._named(self.pieces.pop(0))

    def _identity(self) -> Node:
        """Parses eye(2), a diagonal matrix of ones."""
        size = self._bracket()
        if not isinstance(size, Number) or size.value.denominator != 1 or not 0 < size.value <= MOST_ROWS:
            raise self.written.error(size.span[0], "the size of an identity matrix", f"a number from 1 to {MOST_ROWS}")
        return diagonal(Table(size.span, (Number(size.span, Fraction(1)),) * int(size.value)))

    def _skip_time(self) -> None:
        """Skips the (t) of q1(t)."""
        following = self.lexemes[self.next : self.next + 3]
        if [lexeme.kind for lexeme in following] == ["(", "word", ")"] and word_of(following[1]) == "t":
            self.next += 3

    def _skip_arguments(self) -> None:
        """Skips the (q, \\dot q) of M(q, \\dot q), brackets that contain only coordinates and rates."""
        self.next = self._end_of_arguments() or self.next

    def _end_of_arguments(self) -> int:
        return end_of_arguments(self.lexemes, self.next, self.vocabulary.names)

    def _indexed(self, lexeme: Lexeme, text: str) -> Node | None:
        """Parses q(1), q[0] or D(1,2), which MATLAB and Python write for q1 and D12; returns None for anything else."""
        opening = self._kind()
        if opening not in ("(", "[") or self.lexemes[self.next].blank:
            return None
        from_zero = opening == "[" and self.vocabulary.zero_based
        numbers, k = indices_behind(self.lexemes, self.next, 0 if from_zero else 1)
        if not numbers:
            return None
        joined = f"{text}{''.join(map(str, numbers))}"
        span = (lexeme.start, self.lexemes[k - 1].end)
        if plain(joined) in self.vocabulary.own and not any(unit.dots for unit in lexeme.data):
            self.next = k
            return Reference(span, plain(joined))
        readings, dots = self.vocabulary.names.readings(joined), sum(unit.dots for unit in lexeme.data)
        if plain(text) in self.vocabulary.own and not dots:
            self.next = k
            array = Name((lexeme.start, lexeme.end), text, Meaning("own", plain(text)))
            return Part(span, array, tuple(numbers), opening == "(")
        if dots:  # q̇[1]
            name = self.vocabulary.names.coordinate(joined)
            readings = [Meaning(MOTIONS[dots], name)] if name and dots < len(MOTIONS) else []
        if len(numbers) != 1 or len(readings) != 1 or text in self.vocabulary.names.symbols:
            return None
        self.next = k
        return Name(span, joined, readings[0])

    def _entry_by_subscript(self, lexeme: Lexeme, text: str) -> Node | None:
        """Parses H_{12}, an entry of the answer's own matrix H, and M_{21} where only M_{12} is defined."""
        match, own, names = SUBSCRIPT.fullmatch(text), self.vocabulary.own, self.vocabulary.names
        if match is None or plain(text) in own or names.readings(text) or any(unit.dots for unit in lexeme.data):
            return None
        span, (row, column) = (lexeme.start, lexeme.end), (match["row"], match["column"] or "")
        across = f"{plain(match['letter'])}{column}{row}"
        if column and across in own and [each.quantity for each in LETTERS.get(match["letter"], ())[:1]] == ["M"]:
            return Reference(span, across)
        if plain(match["letter"]) not in self.vocabulary.arrays or names.drive(text):
            return None
        array = Name(span, match["letter"], Meaning("own", plain(match["letter"])))
        return Part(span, array, (int(row), *map(int, column)), by_columns=True)

    def _short_function(self, lexeme: Lexeme, text: str) -> Node | None:
        """Parses C θ_1, a short form of the cosine of θ_1; returns None for anything else."""
        if self.vocabulary.names.readings(text) or text in self.vocabulary.own:
            return None
        if self._kind() == "(" and text in "cs" and is_angle(self.lexemes[self.next :], self.vocabulary.names):
            return self._function(Lexeme("function", lexeme.start, lexeme.end, "cos" if text == "c" else "sin"))
        if self._kind() != "word":
            return None
        following = word_of(self.lexemes[self.next])
        if not self._is_named_angle(following) and not following.startswith(("alpha", "beta")):
            return None
        function = "cos" if text in "cC" else "sin"
        return self._function(Lexeme("function", lexeme.start, lexeme.end, function))

    def _named(self, name: Name) -> Node:
        if name.meaning.kind == "function":
            return self._function(Lexeme("function", *name.span, name.meaning.name))
        return name

    def _function(self, function: Lexeme) -> Node:
        if function.data == "frac":
            return self._fraction(function)
        self._go_deeper()
        call = self._call(function)
        self.depth -= 1
        return call

    def _call(self, function: Lexeme) -> Node:
        exponent = None
        if self._kind() in ("^", "power") and function.data in ("cos", "sin") and not self.pieces:
            exponent = self._exponent()
            if exponent < 1:
                raise self._error(f"{function.data} to the power {exponent}", "a positive exponent")
        bracketed = self._kind() in ("(", "{", "[") and not self.pieces
        argument = self._bracket_of_function() if bracketed else self._bare_argument(function)
        if not bracketed and self._kind() in ("^", "power") and not self.pieces and not self._is_degree():
            remedy = f"write \\{function.data}^2 x or ({function.data} x)^2"
            raise self._error(f"a power after the argument of {function.data}", "brackets", remedy)
        call = Call((function.start, self._end()), function.data, argument)
        return call if exponent is None else Power(call.span, call, exponent)

    def _bracket_of_function(self) -> Node:
        if self._kind() != "[":
            return self._bracket()
        node = self._list()
        return node.parts[0] if isinstance(node, Table) and len(node.parts) == 1 else node

    def _bare_argument(self, function: Lexeme) -> Node:
        """Parses the argument of a function without brackets: a name, perhaps after a number."""
        start, factors = self._offset(), list[tuple[int, Node]]()
        if not self.pieces and self._kind() == "number" and function.data != "sqrt":
            factors.append((1, self.atom()))
        if self.pieces or self._kind() in ("number", "word", "pi") or self._is_fraction():
            factors.append((1, self._in_own_degrees(self.atom())))
        elif not factors:
            raise self._error(f"{self._shown()} after {function.data}", "its argument")
        else:
            factors = [(1, self._in_own_degrees(factors[0][1]))]
        return factors[0][1] if len(factors) == 1 else Product((start, self._end()), tuple(factors))

    def _in_own_degrees(self, node: Node) -> Node:
        if self._kind() == "degree" or self._is_degree():
            self.next += self._is_degree() or 1
            return self._in_degrees(node)
        return node

    def _is_fraction(self) -> bool:
        return self._kind() == "function" and self.lexemes[self.next].data == "frac"

    def _fraction(self, function: Lexeme) -> Node:
        top, bottom = self._part_of_fraction(), self._part_of_fraction()
        return Product((function.start, self._end()), ((1, top), (-1, bottom)))

    def _part_of_fraction(self) -> Node:
        """Parses the next braces, or the next digit or name: \\frac12."""
        self._skip_lines()
        if self._kind() != "number":
            if self._kind() not in ("{", "word", "pi"):
                raise self._error(f"{self._shown()} after \\frac", "a part in braces")
            return self.atom()
        lexeme = self.lexemes[self.next]
        digits = self.written.text[lexeme.start : lexeme.end]
        if len(digits) == 1 or not digits.isdecimal():
            return self.atom()
        self.lexemes[self.next] = lexeme._replace(start=lexeme.start + 1, data=Fraction(digits[1:]))
        return Number((lexeme.start, lexeme.start + 1), Fraction(digits[0]))

    def _in_degrees(self, node: Node) -> Node:
        pi = Name(node.span, "pi", Meaning("pi"))
        return Product(node.span, ((1, node), (1, pi), (-1, Number(node.span, Fraction(180)))))


def _moves(node: Node) -> TypeGuard[Name]:
    return isinstance(node, Name) and node.meaning.kind in MOTIONS
