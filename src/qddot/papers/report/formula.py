"""Reads laws in sentences, such as `U_ij = ∂T_i/∂q_j`, as symbols and signs, and writes them as mathematics.

A letter is a symbol; it may have an accent, an index after an underscore (perhaps in curly brackets), and superscripts;
a zero before it is the base's frame. Some words are operators, and ⅆ is the operator of a differential; other adjacent
letters are a product. Everything else is a sign.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar
from unicodedata import normalize

from qddot.algebra.expressions.identifiers import spelled
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Symbol

T = TypeVar("T")
WORDS = ("Tr", "Ad", "ad", "det", "diag", "exp", "cos", "sin")
ACCENTS = {"\u0307": {"dots": 1}, "\u0308": {"dots": 2}, "\u0304": {"bar": True}}
THIN = "\u2009"  # space after a word
RAISED = {"ᵀ": "T", "⁻": "-", "¹": "1", "²": "2", "³": "3"}
LATEX = {
    "d": "\\mathrm{d}",
    "dm": "\\mathrm{d} m",
    "Σ": "\\sum",
    "{": "\\{",
    "}": "\\}",
    "…": "\\ldots",
    THIN: "\\,",
}  # where signs are not those of a text
TYPST = {
    "d": "upright(d)",
    "dm": "upright(d) m",
    "Σ": "sum",
    "∫": "integral",
    "∂": "partial",
    "×": "times",
    "·": "dot.op",
    "−": "-",
    "≡": "equiv",
    "½": "1/2",
}
TYPST |= {"/": "slash", "(": "paren.l", ")": "paren.r", "[": "bracket.l", "]": "bracket.r", ",": "comma"}
TYPST |= {";": "semi", "°": "degree", "{": "brace.l", "}": "brace.r", THIN: "thin"}
CALL = re.compile(r'("\w+") (?=paren\.l|bracket\.l)')  # in Typst, where a gap after a word is shown
PLAIN = frozenset("=+-<>!|.:*'%")  # signs that are not commands of Typst
TOKEN = re.compile(
    rf"""(?P<large>[Σ∫])(?:_(?P<of>\w|\{{\w+\}}))?
    |(?P<frame>⁰?)(?P<head>{"|".join(WORDS)}|(?![½ⅆ])[^\W\d_])(?P<accent>[{"".join(ACCENTS)}]?)
     (?:_(?P<below>[^\W_]+?|\{{[^}}]*\}})(?=[{"".join(RAISED)}]|[^\w]|$))?(?P<above>\^\{{[^}}]*\}}|[{"".join(RAISED)}]*)
    |(?P<sign>\d+(?:\.\d+)?|ⅆm|[^\s\w]|[½ⅆ])|\s+""",
    re.VERBOSE,
)
ARITHMETIC = re.compile(
    r"(?P<name>[^\W\d]\w*)|\*\*(?P<power>\d+)|(?P<mantissa>\d+(?:\.\d+)?)e(?P<exponent>[+-]?\d+)"
    r"|(?P<sign>\d+(?:\.\d+)?|\S)"
)


class Operator(NamedTuple):
    """An operator is a sign, such as = or Σ, or a number, with an index if it has one.

    lower, upper: what is below and above it: the limits of an integral, or the exponent of a bracket
    """

    text: str
    below: str = ""
    lower: Formula | None = None
    upper: Formula | None = None


class Formula(NamedTuple):
    """A formula is a law within a sentence, by its symbols and signs. text: as it was written"""

    text: str
    parts: tuple[Symbol | Operator, ...]


def formula(text: str) -> Formula:
    """Returns a text as a formula."""
    parts: list[Symbol | Operator] = []
    for token in TOKEN.finditer(normalize("NFD", text)):
        if token[0].isspace():
            continue
        if token["head"] and parts and isinstance(parts[-1], Symbol) and parts[-1].head in WORDS:
            parts.append(Operator(THIN))
        parts.append(_part(token))
    return Formula(text.replace("ⅆ", "d"), tuple(parts))


def arithmetic(text: str) -> Formula:
    """Returns an expression of a robot file, such as 2*l1**2 or q1 + 90deg, as a formula."""
    parts: list[Symbol | Operator] = []
    for token in ARITHMETIC.finditer(text):
        if token["name"]:
            parts.append(Operator("°") if token["name"] == "deg" else symbol(token["name"]))
        elif token["power"]:
            parts[-1] = _raised(parts[-1], token["power"])
        elif token["exponent"]:
            exponent = str(int(token["exponent"]))
            parts += [Operator(token["mantissa"]), Operator("×"), Symbol(f"10^{exponent}", "10", above=exponent)]
        elif token["sign"] != "*":
            parts.append(Operator(token["sign"].replace("-", "−")))
    return Formula(text, tuple(parts))


def terms(text: str) -> Iterator[str | Formula]:
    """Yields the terms of a sum in a robot file, with signs between them as texts, before which a line may break."""
    start, depth, before = 0, 0, "("
    for token in ARITHMETIC.finditer(text):
        depth += (token[0] == "(") - (token[0] == ")")
        if token[0] in "+-" and depth == 0 and before not in "(*/^+-":
            yield arithmetic(text[start : token.start()])
            yield f" {token[0].replace('-', '−')}\N{NO-BREAK SPACE}"
            start = token.end()
        before = token[0]
    yield arithmetic(text[start:])


def _raised(part: Symbol | Operator, power: str) -> Symbol | Operator:
    """Returns a power of a symbol, of a number, or of the bracket that a sign closes."""
    if isinstance(part, Symbol):
        return part._replace(above=power)
    return part._replace(upper=Formula(power, (Operator(power),)))


def _part(token: re.Match[str]) -> Symbol | Operator:
    if token["large"]:
        return Operator(token["large"], (token["of"] or "").strip("{}"))
    if token["sign"]:
        return Operator(token["sign"].replace("ⅆ", "d"))
    above = "".join(RAISED.get(sign, sign) for sign in token["above"] if sign not in "^{}")
    below, frame = spelled((token["below"] or "").strip("{}")), "0" if token["frame"] else ""
    return Symbol(token[0], spelled(token["head"]), below, above, frame, **ACCENTS.get(token["accent"], {}))  # type: ignore[arg-type]


def written(law: Formula, of_symbol: Callable[[Symbol], T], of_operator: Callable[[Operator], T]) -> list[T]:
    """Returns the parts of a formula, each as a language writes it."""
    return [of_symbol(part) if isinstance(part, Symbol) else of_operator(part) for part in law.parts]


def in_latex(law: Formula) -> str:
    """Returns a formula without delimiters."""
    from qddot.exact.printing.latex import Latex

    latex = " ".join(written(law, Latex().symbol, _latex_operator))
    return latex if "(" in latex else latex.replace(" , ", " ,\\allowbreak ")  # a line may end within a list of names


def _latex_operator(operator: Operator) -> str:
    from qddot.exact.printing.latex import escaped
    from qddot.papers.report.formats.tex_text import MATHEMATICS

    sign = LATEX.get(operator.text) or MATHEMATICS.get(operator.text) or escaped(operator.text)
    below = operator.below or (in_latex(operator.lower) if operator.lower else "")
    above = in_latex(operator.upper) if operator.upper else ""
    return sign + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def in_typst(law: Formula) -> str:
    """Returns a formula without dollar signs."""
    from qddot.exact.printing.typst import Typst

    return CALL.sub(r"\1", " ".join(written(law, Typst().symbol, _typst_operator)))


def _typst_operator(operator: Operator) -> str:
    sign = operator.text
    if sign in TYPST:
        name = TYPST[sign]
    else:
        name = sign if sign.isalnum() or sign in PLAIN or not sign.isascii() else json.dumps(sign)
    below = operator.below or (in_typst(operator.lower) if operator.lower else "")
    above = in_typst(operator.upper) if operator.upper else ""
    return name + (f"_({below})" if below else "") + (f"^({above})" if above else "")
