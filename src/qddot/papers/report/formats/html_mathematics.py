"""Writes the mathematics of a page: one `math` element for each term, so that lines are broken between them.

Pointing at the element of a term, or reaching it by keyboard, shows the share of each link in it, and highlights the
links in the pictures, by the style sheet alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from xml.etree.ElementTree import Element, SubElement, tostring

from qddot.base.errors import visible
from qddot.exact.printing import mathml
from qddot.exact.printing.tree import UNNAMED, Matrix, Product, Sum
from qddot.papers.report.document import Blank, EquationBlock, Mathematics, Numbered, Share
from qddot.papers.report.formula import THIN, Formula, Operator, written

OPENING = ("(", "=", ",")  # operators after which a sign stands alone
DIFFERENTIALS = ("d", "dm")
ROOM = 30  # a term with more letters may be broken within its brackets, since windows and columns are narrow
BREAK = "\u200b"  # a line may end here; unlike a blank it adds no room beside a sign
GROUP = 24  # equations that are laid out together


def equations(block: EquationBlock, first: int) -> str:
    """Returns a block of equations; first: the number of the first one."""
    rows = [row(equation, first + k) for k, equation in enumerate(block.listed)]
    groups = ["\n".join(rows[k : k + GROUP]) for k in range(0, len(rows), GROUP)]
    return "\n".join(f'<div class="equations">{group}</div>' for group in groups)


def row(equation: Numbered, number: int) -> str:
    """Returns the left side, the right side and the number of an equation."""
    place = f"equation-{number}"
    left = "" if equation.left is UNNAMED else math(mathml.MathML().write(equation.left), mathml.sign("="))
    right = _right(equation, number)
    return (
        f'<div class="left" id="{place}">{left}</div><div class="right">{right}</div>'
        f'<a class="number" href="#{place}">({number})</a>'
    )


def _right(equation: Numbered, number: int) -> str:
    right = equation.right
    if isinstance(right, Blank):
        return f'<div class="blank" style="height: {right.lines * 2}em"></div>'
    if isinstance(right, Matrix):
        return f'<div class="matrix" {reached(f"({number})")}>{math(mathml.MathML().write(right))}</div>'
    if not right.products:
        return math(mathml.MathML().write(right))
    shares = equation.shares or ((),) * len(right.products)
    return BREAK.join(
        _term(product, right, k == 0, term_shares)
        for k, (product, term_shares) in enumerate(zip(right.products, shares, strict=True))
    )


def _term(product: Product, total: Sum, leads: bool, shares: Sequence[Share]) -> str:
    """Returns a term with the share of each link in it."""
    element = term(product, total, leads)
    if not shares:
        return element
    links = " ".join(sorted({f"l{share.link}" for share in shares}))
    spans = "".join(map(_share, shares))
    return f'<span class="term {links}" tabindex="0">{element}<span class="shares" role="tooltip">{spans}</span></span>'


def term(product: Product, total: Sum, leads: bool) -> str:
    """Returns a term of a sum with its sign in one `math` element, or in several if it is wider than a line.

    leads: whether it is the first term
    """
    language = mathml.MathML()
    pieces = list(language.pieces(Sum((product,), total.numbers), ROOM))
    parts = []
    for k, piece in enumerate(pieces):
        opened = leads and k == 0
        sign = "−" if piece.negative else "" if opened else "+"
        parts.append(math(*([mathml.sign(sign, infix=not opened)] if sign else []), piece.written))
    return BREAK.join(parts)


def _share(share: Share) -> str:
    value = "" if share.value is None else f" {math(mathml.MathML().write(share.value))}"
    return f"<span>{text(share.name)}{':' if value else ''}{value}</span>"


def mathematics(part: Mathematics) -> str:
    """Returns mathematics within a line."""
    language = mathml.MathML()
    if not isinstance(part, Formula):
        return math(language.write(part))
    return math(*_elements(part))


def _elements(law: Formula) -> list[Element]:
    parts = written(law, mathml.MathML().symbol, _operator)
    for before, sign in zip([None, *parts], parts, strict=False):
        if sign.tag == "mo" and sign.text == "−" and (before is None or before.text in OPENING):
            sign.set("form", "prefix")
    return parts


def _operator(operator: Operator) -> Element:
    if operator.text[0].isdigit():
        return mathml.number(operator.text)
    if operator.text == "½":
        return mathml.fraction(1, 2)
    if operator.text == THIN:
        return mathml.gap()
    if operator.text in DIFFERENTIALS:  # without the room around a sign
        row = Element("mrow")
        if operator.text == "dm":
            row.append(mathml.gap())
        SubElement(row, "mi", mathvariant="normal").text = operator.text
        return row
    sign = mathml.sign(operator.text)
    attached = {"sub": operator.lower, "sup": operator.upper}
    places = [place for place, law in attached.items() if law] or (["sub"] if operator.below else [])
    if not places:
        return sign
    whole = Element(f"m{''.join(places)}")
    whole.append(sign)
    if operator.below:
        SubElement(whole, "mi").text = operator.below
    for law in filter(None, attached.values()):
        SubElement(whole, "mrow").extend(_elements(law))
    return whole


def math(*content: Element) -> str:
    """Returns a `math` element within a line of text."""
    whole = Element("math")
    whole.extend(content)
    return tostring(whole, encoding="unicode")


def reached(label: str) -> str:
    """Returns the attributes of an element that can be scrolled if it is wide, also by keyboard; label: its name."""
    return f'tabindex="0" role="group" aria-label="{label}"'


def text(content: str) -> str:
    """Returns a text in which no letter is a tag or invisible."""
    return escape(visible(content))
