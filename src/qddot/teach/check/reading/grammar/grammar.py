"""Parses expressions as people write them, by recursive descent; nothing is evaluated.

sum := [±] product (± product)*; product := power ((* | / | nothing) power)*; power := atom (^ exponent)*;
atom := number | names | function argument | Σ_i sum | (sum) | {sum} | a matrix in [ ] or between \\begin and \\end.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qddot.teach.check.reading.grammar.brackets import ATOMS, Brackets
from qddot.teach.check.reading.grammar.cursor import Cursor, without_gaps
from qddot.teach.check.reading.grammar.derivatives import Derivatives
from qddot.teach.check.reading.grammar.functions import Functions, functions_apart
from qddot.teach.check.reading.grammar.operators import may_begin, operator
from qddot.teach.check.reading.grammar.sums import summed
from qddot.teach.check.reading.grammar.words import Words
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.signs.lexemes import Lexeme, half_unit, word_of
from qddot.teach.check.reading.syntax import (
    Derivative,
    Meaning,
    Mirrored,
    Name,
    Node,
    Number,
    Part,
    Power,
    Product,
    Sum,
    Table,
    Transposed,
    derived,
)
from qddot.teach.check.reading.texts.written import Written

AROUND_ENTRIES = ("begin", "end", "&", "row", "newline", ",", ";", "[", "]")
RAISED = ("^", "power", "'", "degree")
LONGEST_MATRIX = 12  # lexemes of {}^{1}T_{2}


class Grammar:
    """This is a parser of one expression; its methods are the rules.

    blanks_part: whether blanks separate the columns of a matrix in brackets, as in MATLAB
    latex: whether the text has LaTeX commands
    """

    def __init__(
        self,
        lexemes: Sequence[Lexeme],
        vocabulary: Vocabulary,
        written: Written,
        latex: bool,
        blanks_part: bool = False,
    ) -> None:
        signs = without_gaps(lexemes)
        self.cursor = Cursor(functions_apart(signs, vocabulary) if latex else signs, written)
        self.brackets = Brackets(self.cursor, self.sum, are_matrices=not vocabulary.primes, blanks_part=blanks_part)
        self.vocabulary, self.latex = vocabulary, latex
        self.take_matrix = vocabulary.matrices_in(self.cursor.lexemes, written)
        self.functions = Functions(self)
        self.derivatives = Derivatives(self)
        self.words = Words(self, self.functions, self.derivatives)

    def inside(self, lexemes: Sequence[Lexeme]) -> Grammar:
        """Returns the parser of some of the lexemes."""
        return Grammar(lexemes, self.vocabulary, self.cursor.written, self.latex)

    def whole(self) -> Node:
        """Returns the tree; raises ExpressionError with the place of a fault."""
        node = self.sum()
        self.cursor.skip_lines()
        if self.cursor.next < len(self.cursor.lexemes):
            raise self.cursor.error("sign-after-end", sign=self.cursor.shown())
        return node

    # the rules

    def sum(self) -> Node:
        start, terms, sign = self.cursor.offset(), list[tuple[int, Node]](), self.cursor.signs()
        terms.append((sign, self.product()))
        while self.cursor.kind() in ("+", "-") and not self.brackets.new_column():
            sign = self.cursor.signs()
            terms.append((sign, self.product()))
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum((start, self.cursor.end()), tuple(terms))

    def product(self) -> Node:
        start, factors, written = self.cursor.offset(), [(1, self.power())], [""]
        while True:
            kind = self.cursor.kind()
            if kind in ("*", "/") and not self.cursor.pieces:
                lexeme = self.cursor.take()
                written += [""] * (len(factors) - len(written)) + [self.cursor.written.text[lexeme.start : lexeme.end]]
                self.cursor.skip_lines()
                sign = self.cursor.signs() if self.cursor.kind() in ("+", "-") else 1
                factor = self.power()
                factors += [(1, Number(factor.span, Fraction(-1)))] if sign < 0 else []
                factors.append((1 if kind == "*" else -1, factor))
            elif self.cursor.pieces or self._matrix() or (kind in ATOMS and not self.brackets.new_column()):
                if kind == "number" and not self.cursor.pieces and isinstance(factors[-1][1], Number):
                    raise self.cursor.error("two-numbers")
                factors.append((1, self.power()))
            else:
                product = Product((start, self.cursor.end()), tuple(factors), tuple(written))
                return factors[0][1] if len(factors) == 1 else product

    def power(self) -> Node:
        start, node, raised = self.cursor.offset(), self.atom(), False
        while (kind := self.cursor.kind()) in RAISED and not self.cursor.pieces and not self._matrix():
            if kind == "'" and self.vocabulary.primes and not isinstance(node, Table | Sum | Product | Derivative):
                node = self._derived(node)
            elif kind == "'" or self.cursor.length_of_transposition():
                self.cursor.next += self.cursor.length_of_transposition() or 1
                node = node.of if isinstance(node, Transposed) else Transposed((start, self.cursor.end()), node)
            elif raised:
                raise self.cursor.error("answer-power-of-power")
            elif kind == "degree" or self.cursor.length_of_degree():
                self.cursor.next += self.cursor.length_of_degree() or 1
                node, raised = self.functions.in_degrees(node), True
            else:
                node, raised = self._power_of(node, start), True
        return node

    def _power_of(self, node: Node, start: int) -> Node:
        """Returns a power; if the answer defines a name by its square, v² = …, the name stands for the square."""
        exponent, squared = self.cursor.exponent(), self.vocabulary.squared
        if isinstance(node, Name) and node.meaning.kind == "own" and node.meaning.name in squared:
            if exponent % 2:
                raise self.cursor.error("power-of-name", name=node.text, exponent=exponent)
            return node if exponent == 2 else Power((start, self.cursor.end()), node, exponent // 2)
        return Power((start, self.cursor.end()), node, exponent)

    def _derived(self, node: Node) -> Node:
        """Returns the derivative that a prime after a name means; a prime is never ignored."""
        if isinstance(node, Name) and (meaning := derived(node.meaning)):
            self.cursor.next += 1
            return Name(node.span, node.text, meaning)
        if isinstance(node, Name) and node.meaning.kind in ("own", "own rate"):
            if node.meaning.name in self.vocabulary.moving:
                self.cursor.next += 1
                kind = "own rate" if node.meaning.kind == "own" else "own acceleration"
                return Name(node.span, node.text, Meaning(kind, node.meaning.name))
            if node.meaning.kind == "own" and node.meaning.name in self.vocabulary.own:
                self.cursor.next += 1
                return Transposed(node.span, node)
        raise self.cursor.error("prime-not-after-coordinate")

    def atom(self) -> Node:
        if self.cursor.pieces:
            return self.words.named(self.cursor.pieces.pop(0))
        self.cursor.skip_lines()
        if matrix := self._matrix():
            node, self.cursor.next = matrix
            return node
        self._skip_frame()
        kind = self.cursor.kind()
        signs = self.cursor.lexemes[self.cursor.next :] if kind and may_begin(self.cursor.ahead[0]) else []
        if signs and (fraction := operator(signs)):
            return self.derivatives.by_fraction(fraction)
        if kind == "number":
            lexeme = self.cursor.take()
            digits = self.cursor.written.text[lexeme.start : lexeme.end]
            return Number((lexeme.start, lexeme.end), lexeme.data, half_unit(digits))
        if kind == "pi":
            lexeme = self.cursor.take()
            return Name((lexeme.start, lexeme.end), "pi", Meaning("pi"))
        if self._is_mirrored():
            lexeme = self.cursor.take()
            return Mirrored((lexeme.start, lexeme.end))
        if kind == "word":
            return self.words.word()
        if kind == "function":
            return self.functions.function(self.cursor.take())
        if kind == "sum":
            return summed(self, self.cursor.take())
        if kind in ("(", "{"):
            return self._entry_of(self.brackets.bracket())
        if kind == "[":
            return self.brackets.listed()
        if kind == "begin":
            return self.brackets.environment()
        if kind:
            raise self.cursor.error("sign-where-value", sign=self.cursor.shown())
        raise self.cursor.error("answer-ends-too-early")

    def _matrix(self) -> tuple[Node, int] | None:
        """Returns the matrix of a link at the cursor, perhaps with its frame as in {}^1T_2, and the place after it."""
        if self.take_matrix is None or not self.cursor.kind():
            return None
        start = self.cursor.next
        if [lexeme.kind for lexeme in self.cursor.lexemes[max(start - 2, 0) : start]] == ["{", "}"]:
            start -= 2 * (self.cursor.kind() != "word")
        matrix = self.take_matrix(self.cursor.lexemes[start:][:LONGEST_MATRIX])
        return matrix and (matrix[0], start + matrix[1])

    def _skip_frame(self) -> None:
        """Skips the number of a frame before a vector, ^1 in {}^1ω_1."""
        kinds = [lexeme.kind for lexeme in self.cursor.ahead]
        for frame in (["^", "number", "word"], ["^", "{", "number", "}", "word"], ["power", "word"]):
            if kinds[: len(frame)] == frame:
                self.cursor.next += len(frame) - 1

    def _entry_of(self, node: Node) -> Node:
        """Parses the index in (a' M a)[0], as Python writes it, after a bracket."""
        signs = self.cursor.ahead
        kinds = [lexeme.kind for lexeme in signs]
        is_index = kinds[:3] == ["[", "number", "]"] or (kinds[:2] == ["[", "number"] and kinds[2:3] == [","])
        if not is_index or self.latex or signs[0].blank or not self.vocabulary.zero_based:
            return node
        numbers = list[int]()
        while self.cursor.kind() != "]":
            self.cursor.next += 1
            numbers += [int(self.cursor.ahead[0].data) + 1] if self.cursor.kind() == "number" else []
        self.cursor.next += 1
        return Part((node.span[0], self.cursor.end()), node, tuple(numbers), by_columns=False)

    def _is_mirrored(self) -> bool:
        """Returns whether a star or "sym." stands for the entry of a matrix across the diagonal."""
        here, behind = self.cursor.ahead[:1], self.cursor.ahead[1:]
        if not here or not (here[0].kind == "*" or word_of(here[0]) == "sym"):
            return False
        before = self.cursor.lexemes[: self.cursor.next][-1:]
        return all(side and side[0].kind in AROUND_ENTRIES for side in (before, behind))
