"""Parses derivatives: d/dt (…), ∂L/∂q̇ and the calls diff(q1, t), jacobian(p, q) and hessian(K, qd)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Self

from qddot.check.reading.arm_names import plain
from qddot.check.reading.brackets import ATOMS, Brackets
from qddot.check.reading.derivatives import ENERGIES, Operator
from qddot.check.reading.lexemes import Lexeme, word_of
from qddot.check.reading.spelling import Unit
from qddot.check.reading.syntax import MOTIONS, Derivative, Meaning, Name, Node, Number, Power, Product
from qddot.check.reading.vocabulary import Vocabulary
from qddot.check.reading.written import Written

NO_RATE, SUCH_AS = "a derivative that is not a rate", "such as Derivative(q1(t), t)"


class Differentiation(Brackets, ABC):
    """This is a parser of derivatives.

    blanks_part: whether blanks separate the columns of a matrix in brackets, as in MATLAB
    latex: whether the text has commands of LaTeX
    """

    def __init__(
        self,
        lexemes: Sequence[Lexeme],
        vocabulary: Vocabulary,
        written: Written,
        latex: bool,
        blanks_part: bool = False,
    ) -> None:
        super().__init__(lexemes, written, blanks_part)
        self.vocabulary = vocabulary
        self.latex = latex
        self.lexemes = self._with_functions_apart(self.lexemes) if latex else self.lexemes

    def _is_named_angle(self, text: str) -> bool:
        """Returns whether a name is a coordinate, or is defined by coordinates as θ_12 = θ_1 + θ_2."""
        return self.vocabulary.names.coordinate(text) is not None or plain(text) in self.vocabulary.moving

    def _with_functions_apart(self, signs: list[Lexeme]) -> list[Lexeme]:
        """Returns the lexemes with l_1 and s apart in l_1s\\theta, where s is the sine of the angle after it."""
        apart = list[Lexeme]()
        for lexeme, following in pairwise([*signs, Lexeme("end of signs", 0, 0)]):
            units: tuple[Unit, ...] = lexeme.data if lexeme.kind == "word" else ()
            is_function = len(units) > 2 and units[-1].text in ("s", "c") and units[-2].text.isdigit()
            if is_function and self._is_named_angle(word_of(following)):
                middle = lexeme.end - 1
                apart += [lexeme._replace(end=middle, data=units[:-1]), Lexeme("word", middle, lexeme.end, units[-1:])]
            else:
                apart.append(lexeme)
        return apart

    @abstractmethod
    def whole(self) -> Node:
        """Parses all lexemes."""

    @abstractmethod
    def product(self) -> Node:
        """Parses a product."""

    @abstractmethod
    def power(self) -> Node:
        """Parses one factor."""

    @abstractmethod
    def _skip_arguments(self) -> None:
        """Skips the (q, q̇) after a name."""

    def _inside(self, lexemes: Sequence[Lexeme]) -> Self:
        """Returns a parser of some of the lexemes."""
        return type(self)(lexemes, self.vocabulary, self.written, self.latex)

    def _by_fraction(self, written: Operator) -> Node:
        """Returns the derivative of the expression in an operator, or after it."""
        start = self._offset()
        self.next += written.length
        if written.of:
            inner = self._inside(written.of)
            node = inner.energy() or inner.whole()
        else:
            node = self._after_operator()
        for variable in written.variables:
            node = self._differentiated(node, self._inside([variable]).variable(), start)
        return node

    def _after_operator(self) -> Node:
        """Parses the expression after d/dt: a name, a bracket, or a product that begins with a constant."""
        node = self.energy() or self.power()
        constant = isinstance(node, Number | Power) or (isinstance(node, Name) and node.meaning.kind == "symbol")
        if constant and (self._kind() == "*" or self._kind() in ATOMS):
            self.next += self._kind() == "*"
            return Product((node.span[0], self._end()), ((1, node), (1, self.product())))
        return node

    def energy(self) -> Name | None:
        """Parses the letter of an energy, which means the answer's own energy if it defines one, else the arm's."""
        lexeme = self.lexemes[self.next] if self._kind() == "word" and not self.pieces else None
        text = word_of(lexeme) if lexeme is not None else ""
        is_own = text in self.vocabulary.own
        if lexeme is None or text not in ENERGIES or (is_own and not self.vocabulary.drives_apart):
            return None
        self.next += 1
        self._skip_arguments()
        meaning = Meaning("own", text) if is_own else Meaning("energy", ENERGIES[text])
        return Name((lexeme.start, lexeme.end), text, meaning)

    def variable(self) -> Node:
        """Parses a variable of differentiation: the time, a name, or a list of names."""
        if self._kind() == "word" and word_of(self.lexemes[self.next]) == "t" and "t" not in self.vocabulary.own:
            lexeme = self._take()
            return Name((lexeme.start, lexeme.end), "t", Meaning("time"))
        return self.power()

    def _derivative(self, word: Lexeme) -> Node:
        """Returns Derivative(q1(t), t), diff(q1, t, t), diff(K, qd1), jacobian(p, q) or hessian(K, qd)."""
        opening, text = self._opened(), word_of(word)
        node, variables = self.energy() or self.sum(), list[Node]()
        while self._kind() == ",":
            self.next += 1
            self._skip_lines()
            variables += self._variables_of_call(variables)
        self._close(opening)
        variables = variables * 2 if text == "hessian" else variables
        if not variables and text != "der":
            raise self.written.error(word.start, NO_RATE, SUCH_AS)
        for variable in variables or [Name(node.span, "t", Meaning("time"))]:
            node = self._differentiated(node, variable, word.start)
        return node

    def _differentiated(self, node: Node, by: Node, start: int) -> Node:
        """Returns the derivative of a tree; the time derivative of a coordinate or a rate is a name."""
        span = (start, self._end())
        if not (isinstance(by, Name) and by.meaning.kind == "time" and isinstance(node, Name | Number)):
            return Derivative(span, node, by)
        if isinstance(node, Number) or node.meaning.kind in ("symbol", MOTIONS[-1]):
            raise self.written.error(start, NO_RATE, SUCH_AS)
        if node.meaning.kind in MOTIONS:
            return Name(span, node.text, Meaning(MOTIONS[MOTIONS.index(node.meaning.kind) + 1], node.meaning.name))
        if node.meaning.kind == "vector" and node.meaning.name in MOTIONS[:2]:
            return Name(span, node.text, Meaning("vector", MOTIONS[MOTIONS.index(node.meaning.name) + 1]))
        return Derivative(span, node, by)

    def _variables_of_call(self, before: Sequence[Node]) -> list[Node]:
        """Parses a variable in a call; a number repeats the variable before it, as does the 2 in (t, 2)."""
        if self._kind() == "number" and before:
            return [before[-1]] * (int(self._take().data) - 1)
        kinds = [lexeme.kind for lexeme in self.lexemes[self.next : self.next + 5]]
        if kinds == ["(", "word", ",", "number", ")"] or kinds == ["[", "word", ",", "number", "]"]:
            self.next += 1
            variable = self.variable()
            times = int(self.lexemes[self.next + 1].data)
            self.next += 3
            return [variable] * times
        return [self.variable()]
