"""Parses functions of what follows them: cos(q1), \\sin^2 \\theta, C θ_1 and \\frac{1}{2}."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from qddot.teach.check.reading.grammar.arguments import is_angle
from qddot.teach.check.reading.grammar.rules import Rules
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.signs.spelling import Unit
from qddot.teach.check.reading.syntax import Call, Meaning, Name, Node, Number, Power, Product, Table


class Functions:
    """This parses functions by the rules of a grammar."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.cursor, self.vocabulary = rules, rules.cursor, rules.vocabulary

    def function(self, function: Lexeme) -> Node:
        """Parses the argument of a function, or both parts of a fraction."""
        if function.data == "frac":
            return self._fraction(function)
        self.cursor.go_deeper()
        call = self._call(function)
        self.cursor.depth -= 1
        return call

    def _call(self, function: Lexeme) -> Node:
        exponent = None
        if self.cursor.kind() in ("^", "power") and function.data in ("cos", "sin") and not self.cursor.pieces:
            exponent = self.cursor.exponent()
            if exponent < 1:
                raise self.cursor.error("function-to-negative-power", function=function.data, exponent=exponent)
        bracketed = self.cursor.kind() in ("(", "{", "[") and not self.cursor.pieces
        is_degree = function.data == "sqrt" and self.cursor.kind() == "["
        argument = self._bracket_of_function() if bracketed else self._bare_argument(function)
        if is_degree and self.cursor.kind() == "{":
            raise self.cursor.error("root-of-a-degree")
        is_raised = (
            self.cursor.kind() in ("^", "power") and not self.cursor.pieces and not self.cursor.length_of_degree()
        )
        if is_raised and not bracketed:
            raise self.cursor.error("power-after-argument", function=function.data)
        call = Call((function.start, self.cursor.end()), function.data, argument)
        return call if exponent is None else Power(call.span, call, exponent)

    def _bracket_of_function(self) -> Node:
        if self.cursor.kind() != "[":
            return self.rules.brackets.bracket()
        node = self.rules.brackets.listed()
        return node.parts[0] if isinstance(node, Table) and len(node.parts) == 1 else node

    def _bare_argument(self, function: Lexeme) -> Node:
        """Parses the argument of a function without brackets: a name, perhaps after a number."""
        start, factors = self.cursor.offset(), list[tuple[int, Node]]()
        if not self.cursor.pieces and self.cursor.kind() == "number" and function.data != "sqrt":
            factors.append((1, self.rules.atom()))
        if self.cursor.pieces or self.cursor.kind() in ("number", "word", "pi") or self._is_fraction():
            factors.append((1, self._in_own_degrees(self.rules.atom())))
        elif not factors:
            raise self.cursor.error("function-without-argument", found=self.cursor.shown(), function=function.data)
        else:
            factors = [(1, self._in_own_degrees(factors[0][1]))]
        return factors[0][1] if len(factors) == 1 else Product((start, self.cursor.end()), tuple(factors))

    def _in_own_degrees(self, node: Node) -> Node:
        if self.cursor.kind() == "degree" or self.cursor.length_of_degree():
            self.cursor.next += self.cursor.length_of_degree() or 1
            return self.in_degrees(node)
        return node

    def _is_fraction(self) -> bool:
        return self.cursor.kind() == "function" and self.cursor.ahead[0].data == "frac"

    def _fraction(self, function: Lexeme) -> Node:
        top, bottom = self._part_of_fraction(), self._part_of_fraction()
        return Product((function.start, self.cursor.end()), ((1, top), (-1, bottom)))

    def _part_of_fraction(self) -> Node:
        """Parses the next braces, or the next digit or name: \\frac12."""
        self.cursor.skip_lines()
        if self.cursor.kind() != "number":
            if self.cursor.kind() not in ("{", "word", "pi"):
                raise self.cursor.error("fraction-without-braces", found=self.cursor.shown())
            return self.rules.atom()
        lexeme = self.cursor.ahead[0]
        digits = self.cursor.written.text[lexeme.start : lexeme.end]
        if len(digits) == 1 or not digits.isdecimal():
            return self.rules.atom()
        self.cursor.lexemes[self.cursor.next] = lexeme._replace(start=lexeme.start + 1, data=Fraction(digits[1:]))
        return Number((lexeme.start, lexeme.start + 1), Fraction(digits[0]))

    def in_degrees(self, node: Node) -> Node:
        pi = Name(node.span, "pi", Meaning("pi"))
        return Product(node.span, ((1, node), (1, pi), (-1, Number(node.span, Fraction(180)))))

    def short(self, lexeme: Lexeme, text: str) -> Node | None:
        """Parses C θ_1, a short form of the cosine of θ_1; returns None for anything else."""
        if self.vocabulary.names.readings(text) or text in self.vocabulary.own:
            return None
        signs, names = self.cursor.lexemes[self.cursor.next :], self.vocabulary.names
        if self.cursor.kind() == "(" and text in "cs" and is_angle(signs, names):
            return self.function(Lexeme("function", lexeme.start, lexeme.end, "cos" if text == "c" else "sin"))
        if self.cursor.kind() != "word":
            return None
        following = word_of(self.cursor.ahead[0])
        if not self.vocabulary.is_angle(following) and not following.startswith(("alpha", "beta")):
            return None
        function = "cos" if text in "cC" else "sin"
        return self.function(Lexeme("function", lexeme.start, lexeme.end, function))


def functions_apart(signs: Sequence[Lexeme], vocabulary: Vocabulary) -> list[Lexeme]:
    """Returns the lexemes with l_1 and s apart in l_1s\\theta, where s is the sine of the angle after it."""
    apart = list[Lexeme]()
    for lexeme, following in pairwise([*signs, Lexeme("end of signs", 0, 0)]):
        units: tuple[Unit, ...] = lexeme.data if lexeme.kind == "word" else ()
        is_function = len(units) > 2 and units[-1].text in ("s", "c") and units[-2].text.isdigit()
        if is_function and vocabulary.is_angle(word_of(following)):
            middle = lexeme.end - 1
            apart += [lexeme._replace(end=middle, data=units[:-1]), Lexeme("word", middle, lexeme.end, units[-1:])]
        else:
            apart.append(lexeme)
    return apart
