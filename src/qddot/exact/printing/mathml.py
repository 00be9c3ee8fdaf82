"""Writes expressions as MathML Core, which browsers display without scripts; the XML writer escapes every name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from unicodedata import lookup
from xml.etree.ElementTree import Element, tostring

from qddot.algebra.expressions.expression import MAGNITUDE
from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.notation import DEGREE, LETTERS, index_parts
from qddot.exact.printing.tree import NOTHING, UNNAMED, Circular, Equation, Matrix, Partial, Root, Sign, Symbol
from qddot.exact.printing.typeset import Typeset, TypesetWriter

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
BAR, DOTS = "\u00af", ("", "\u02d9", "\u00a8")
LETTER = "0.6em"  # about the height of a letter without marks


class MathML(Typeset[Element]):
    """This makes elements of MathML Core."""

    def symbol(self, symbol: Symbol) -> Element:
        if symbol is DEGREE:
            return _leaf("mo", "°")
        if symbol is NOTHING:
            return number(symbol.text)
        base = _marked(_word(symbol.head), [BAR] * symbol.bar + [DOTS[symbol.dots]] * bool(symbol.dots))
        below = _index(symbol.below) if symbol.below else None
        above = _index(symbol.above) if symbol.above else None
        if symbol.frame:
            nothing = [_node("mrow") for _ in range(2)]
            return _node(
                "mmultiscripts",
                base,
                nothing[0] if below is None else below,
                nothing[1] if above is None else above,
                Element("mprescripts"),
                _node("mrow"),
                _index(symbol.frame),
            )
        if below is not None and above is not None:
            return _node("msubsup", base, below, above)
        if below is not None:
            return _node("msub", base, below)
        return base if above is None else _node("msup", base, above)

    def circular(self, function: Circular, exponent: int) -> Element:
        name = _leaf("mi", function.kind)
        raised = name if exponent == 1 else _node("msup", name, _leaf("mn", str(exponent)))
        argument = self.write(function.argument)
        if function.kind == MAGNITUDE:
            bars = _node("mrow", *(_leaf("mo", "|"), argument, _leaf("mo", "|")))
            return bars if exponent == 1 else _node("msup", bars, _leaf("mn", str(exponent)))
        simple = len(function.argument.products) == 1 and function.argument.products[0].number == 1
        return _node("mrow", raised, gap(), argument) if simple else _node("mrow", raised, self.brackets(argument))

    def sign(self, sign: Sign) -> Element:
        return _node("mrow", _leaf("mi", "sgn"), gap(), self.symbol(sign.of))

    def root(self, root: Root) -> Element:
        inside = self.radicand(root)
        return _node("msqrt", _leaf("mn", str(inside)) if isinstance(inside, int) else inside)

    def partial(self, partial: Partial) -> Element:
        above, below = (_node("mrow", _leaf("mo", "∂"), self.symbol(part)) for part in (partial.of, partial.by))
        return _node("mfrac", above, below)

    def chain(self, factors: Sequence[Element], traced: bool) -> Element:
        product = _node("mrow", *factors)
        return _node("mrow", _leaf("mi", "Tr"), self.brackets(product)) if traced else product

    def brackets(self, inner: Element) -> Element:
        return _node("mrow", _leaf("mo", "(", stretchy="false"), inner, _leaf("mo", ")", stretchy="false"))

    def bracket(self, opens: bool) -> Element:
        return _leaf("mo", "(" if opens else ")", stretchy="false")

    def quotient(self, top: Element, bottom: Element) -> Element:
        return _node("mfrac", top, bottom)

    def raised(self, base: Element, exponent: int) -> Element:
        above = _leaf("mn", str(exponent).replace("-", "−"))
        return _node("msubsup", *base, above) if base.tag == "msub" else _node("msup", base, above)

    def product(self, number: Fraction, factors: Sequence[Element], numbers: NumberForm) -> Element:
        first = [] if factors and number == 1 else [_number(number, numbers)]
        return _node("mrow", *first, *factors)

    def total(self, terms: Sequence[tuple[bool, Element]]) -> Element:
        row = Element("mrow")
        for k, (negative, term) in enumerate(terms):
            if negative or k:
                row.append(sign("−" if negative else "+", infix=k > 0))
            row.append(term)
        return row if terms else _leaf("mn", "0")

    def matrix(self, matrix: Matrix) -> Element:
        rows = [_node("mtr", *(_node("mtd", self.write(entry)) for entry in row)) for row in matrix.rows]
        return _node("mrow", _leaf("mo", "["), _node("mtable", *rows), _leaf("mo", "]"))

    def transposed(self, matrix: Element) -> Element:
        return _node("msup", matrix, _leaf("mi", "T"))


def equations(listed: Iterable[Equation], width: int = PAGE) -> str:
    """Returns one `math` element with one equation per row; long ones are broken before their signs."""
    table = Element("mtable", {"columnalign": "right center left", "displaystyle": "true"})
    for equation in listed:
        table.extend(_rows(equation, width))
    return display(table)


def display(content: Element) -> str:
    """Returns a `math` element that is displayed on its own line."""
    return tostring(_node("math", content, xmlns=NAMESPACE, display="block"), encoding="unicode")


def sign(text: str, infix: bool = True) -> Element:
    """Returns a sign as an operator; infix: whether it is between two terms"""
    if text in "+−=":
        return _leaf("mo", text, form="infix" if infix else "prefix")
    if text in "/∂":
        return _leaf("mo", text, lspace="0.05em", rspace="0.05em")
    return _leaf("mo", text, stretchy="false") if text in "()[]{}" else _leaf("mo", text)


def number(text: str) -> Element:
    """Returns digits as a number."""
    return _leaf("mn", text)


def _rows(equation: Equation, width: int) -> list[Element]:
    mathml = MathML()
    named = equation.left is not UNNAMED
    left, equals = (mathml.write(equation.left), _leaf("mo", "=")) if named else (None, None)
    if isinstance(equation.right, Matrix):
        return [_row(left, equals, mathml.write(equation.right))]
    first, *others = mathml.rows(equation, width)
    return [_row(left, equals, mathml.total(first)), *(_row(None, None, _opened(mathml, part)) for part in others)]


def _opened(mathml: MathML, terms: Sequence[tuple[bool, Element]]) -> Element:
    """Returns a continuation line of a sum, which begins with its sign."""
    row = mathml.total(terms)
    if not terms[0][0]:
        row.insert(0, _leaf("mo", "+", form="infix"))
    else:
        row[0].set("form", "infix")
    return row


def _row(*cells: Element | None) -> Element:
    elements = [
        _node("mtd", *([] if cell is None else [cell]), style=f"text-align: {side}; padding: 0.25em 0.2em")
        for cell, side in zip(cells, ("right", "center", "left"), strict=True)
    ]
    return _node("mtr", *elements)


def _number(number: Fraction, numbers: NumberForm) -> Element:
    digits = written(number, numbers)
    if "e" in digits:
        mantissa, exponent = digits.split("e")
        power = _node("msup", _leaf("mn", "10"), _leaf("mn", str(int(exponent)).replace("-", "−")))
        return _node("mrow", _leaf("mn", mantissa), _leaf("mo", "×"), power)
    if "/" in digits:
        return fraction(*digits.split("/"))
    return _leaf("mn", digits)


def fraction(top: object, bottom: object) -> Element:
    """Returns a fraction in small type."""
    return _node("mfrac", _leaf("mn", str(top)), _leaf("mn", str(bottom)), displaystyle="false")


def _word(word: str) -> Element:
    """Returns a letter, which a browser sets in italics, or a word, which it sets upright."""
    if word not in LETTERS:
        return _leaf("mi", word)
    # a browser would set a single letter in italics, even a capital
    upright = {"mathvariant": "normal"} if word[0].isupper() else {}
    return _leaf("mi", _letter(word), **upright)


def _marked(letter: Element, marks: Sequence[str]) -> Element:
    """Returns a letter with marks above it, which are not as small as an index, and do not raise the indices beside."""
    for mark in marks:
        letter = _node("mover", letter, _leaf("mo", mark, scriptlevel="+0"))
    return _node("mpadded", letter, height=LETTER) if marks else letter


def _letter(name: str) -> str:
    """Returns θ for theta, Θ for Theta, ℓ for ell."""
    if name == "ell":
        return "ℓ"
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    return lookup(f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


def _index(index: str) -> Element:
    leaves: list[Element] = []
    for part, is_word in index_parts(index):
        if is_word:
            leaves.append(_word(part))
        elif part.isalpha():
            leaves += [_leaf("mi", letter) for letter in part]
        else:
            leaves.append(_leaf("mn", part.replace("-", "−")))
    return leaves[0] if len(leaves) == 1 else _node("mrow", *leaves)


def gap() -> Element:
    """Returns the space between a function and an argument without brackets."""
    return Element("mspace", width="0.17em")


def _leaf(tag: str, text: str, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.text = text
    return element


def _node(tag: str, *children: Element, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.extend(children)
    return element


WRITER = TypesetWriter("`math` elements of MathML Core, one per quantity", equations, ("<!--", "-->"))
