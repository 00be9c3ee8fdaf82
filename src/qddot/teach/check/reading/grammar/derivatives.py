"""Parses derivatives: d/dt (…), ∂L/∂q̇ and the calls diff(q1, t), jacobian(p, q) and hessian(K, qd)."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.teach.check.reading.grammar.arguments import skip_arguments
from qddot.teach.check.reading.grammar.brackets import ATOMS
from qddot.teach.check.reading.grammar.operators import ENERGIES, Operator
from qddot.teach.check.reading.grammar.rules import Rules
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.syntax import MOTIONS, Derivative, Meaning, Name, Node, Number, Power, Product, derived

NO_RATE = "derivative-no-rate"


class Derivatives:
    """This parses derivatives by the rules of a grammar."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.cursor, self.vocabulary = rules, rules.cursor, rules.vocabulary

    def by_fraction(self, written: Operator) -> Node:
        """Returns the derivative of the expression in an operator, or after it."""
        start = self.cursor.offset()
        self.cursor.next += written.length
        if written.of:
            inner = self.rules.inside(written.of)
            node = Derivatives(inner).energy() or inner.whole()
        else:
            node = self._after_operator()
        for variable in written.variables:
            node = self._differentiated(node, Derivatives(self.rules.inside([variable])).variable(), start)
        return node

    def _after_operator(self) -> Node:
        """Parses the expression after d/dt: a name, a bracket, or a product that begins with a constant."""
        node = self.energy() or self.rules.power()
        constant = isinstance(node, Number | Power) or (isinstance(node, Name) and node.meaning.kind == "symbol")
        if constant and (self.cursor.kind() == "*" or self.cursor.kind() in ATOMS):
            self.cursor.next += self.cursor.kind() == "*"
            return Product((node.span[0], self.cursor.end()), ((1, node), (1, self.rules.product())))
        return node

    def energy(self) -> Name | None:
        """Parses the letter of an energy, which means the answer's own energy if it defines one, else the arm's."""
        is_word = self.cursor.kind() == "word" and not self.cursor.pieces
        lexeme = self.cursor.ahead[0] if is_word else None
        text = word_of(lexeme) if lexeme is not None else ""
        is_own = text in self.vocabulary.own
        if lexeme is None or text not in ENERGIES or (is_own and not self.vocabulary.drives_apart):
            return None
        self.cursor.next += 1
        skip_arguments(self.cursor, self.vocabulary.names)
        meaning = Meaning("own", text) if is_own else Meaning("energy", ENERGIES[text])
        return Name((lexeme.start, lexeme.end), text, meaning)

    def variable(self) -> Node:
        """Parses a variable of differentiation: the time, a name, or a list of names."""
        is_time = self.cursor.kind() == "word" and word_of(self.cursor.ahead[0]) == "t"
        if is_time and "t" not in self.vocabulary.own:
            lexeme = self.cursor.take()
            return Name((lexeme.start, lexeme.end), "t", Meaning("time"))
        return self.rules.power()

    def call(self, word: Lexeme) -> Node:
        """Returns Derivative(q1(t), t), diff(q1, t, t), diff(K, qd1), jacobian(p, q) or hessian(K, qd)."""
        opening, text = self.rules.brackets.opened(), word_of(word)
        node, variables = self.energy() or self.rules.sum(), list[Node]()
        while self.cursor.kind() == ",":
            self.cursor.next += 1
            self.cursor.skip_lines()
            variables += self._variables_of_call(variables)
        self.rules.brackets.close(opening)
        variables = variables * 2 if text == "hessian" else variables
        if not variables and text != "der":
            raise self.cursor.written.error(word.start, NO_RATE)
        for variable in variables or [Name(node.span, "t", Meaning("time"))]:
            node = self._differentiated(node, variable, word.start)
        return node

    def _differentiated(self, node: Node, by: Node, start: int) -> Node:
        """Returns the derivative of a tree; the time derivative of a coordinate or a rate is a name."""
        span = (start, self.cursor.end())
        if not (isinstance(by, Name) and by.meaning.kind == "time" and isinstance(node, Name | Number)):
            return Derivative(span, node, by)
        if isinstance(node, Number) or node.meaning.kind in ("symbol", MOTIONS[-1]):
            raise self.cursor.written.error(start, NO_RATE)
        meaning = derived(node.meaning)
        return Name(span, node.text, meaning) if meaning is not None else Derivative(span, node, by)

    def _variables_of_call(self, before: Sequence[Node]) -> list[Node]:
        """Parses a variable in a call; a number repeats the variable before it, as does the 2 in (t, 2)."""
        if self.cursor.kind() == "number" and before:
            return [before[-1]] * (int(self.cursor.take().data) - 1)
        kinds = [lexeme.kind for lexeme in self.cursor.ahead]
        if kinds == ["(", "word", ",", "number", ")"] or kinds == ["[", "word", ",", "number", "]"]:
            self.cursor.next += 1
            variable = self.variable()
            times = int(self.cursor.lexemes[self.cursor.next + 1].data)
            self.cursor.next += 3
            return [variable] * times
        return [self.variable()]
