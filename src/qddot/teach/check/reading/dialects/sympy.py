"""Converts the declarations, matrices and equations of SymPy in Python scripts."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.extents import start_of_operand
from qddot.teach.check.reading.dialects.lists import matrix_of, rows_of
from qddot.teach.check.reading.dialects.program_names import MODULE, MODULES
from qddot.teach.check.reading.dialects.scripts import SIMPLIFIED
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, parted

FRACTION = re.compile(rf"(?<![\w.]){MODULE}Rational\(\s*(-?\d+)\s*,\s*(\d+)\s*\)")
SHAPED = re.compile(rf"(?<![\w.]){MODULE}Matrix\(\s*(\d)\s*,\s*(\d)\s*,\s*(?=\[)")
DECLARED = re.compile(
    rf"^([ \t]*)(\w[\w, \t]*?)[ \t]*=[ \t]*{MODULE}(?:symbols|Symbol|dynamicsymbols|var)\(\s*\[?['\"]([^'\"]*)['\"]"
    r"\]?([^\n]*)\)[ \t]*$",
    re.MULTILINE,
)
SYMBOLS = re.compile(
    rf"(?<![\w.]){MODULE}(?:symbols|Symbol|dynamicsymbols)\(\s*['\"]([^'\"]*)['\"](?:\s*,\s*\w+\s*=\s*\w+)*\s*\)"
)
FUNCTIONS = re.compile(
    rf"^([ \t]*)(\w[\w, \t]*?)[ \t]*=[ \t]*((?:{MODULE}Function\([^()]*\)\([^()]*\)[ \t]*,?[ \t]*)+)$", re.MULTILINE
)
FUNCTIONS_OF = re.compile(
    rf"^([ \t]*)(\w[\w, \t]*?)[ \t]*=[ \t]*[\[(][ \t]*{MODULE}Function\((\w+)\)\([^\n]*\)[ \t]*for[ \t]+\3[ \t]+in"
    r"[ \t]+([^\n]+)[\])][ \t]*$",
    re.MULTILINE,
)
OF_LAGRANGE = re.compile(
    r"^([ \t]*)\w+[ \t]*=[ \t]*(?:\w+\.)*(?:LagrangesMethod|euler_equations)\([ \t]*(\w+)[^\n]*", re.MULTILINE
)
DERIVED = re.compile(
    r"^[^\n]*\.(?:form_lagranges_equations|rhs|mass_matrix|mass_matrix_full|forcing)\b[^\n]*", re.MULTILINE
)
METHOD = re.compile(r"\.(diff|jacobian)(?=\()")


def of_symbols(text: Rewriting) -> None:
    """Writes declarations of symbols as equations for their names, and symbols("q1 q2") in an expression as a list."""
    text.sub(DECLARED, _declared).sub(SYMBOLS, _symbols)


def of_derivatives(text: Rewriting) -> None:
    """Writes diff and jacobian as functions, and writes out Lagrange's equations where a call derives them."""
    text.sub(OF_LAGRANGE, lambda match: f"{match[1]}tau = {_lagranges_equation(match[2])}").blank(DERIVED)
    _methods(text)


def of_expressions(text: Rewriting) -> None:
    """Writes functions of time, fractions, matrices and equations, Eq(a, b), as formulas."""
    text.sub(FUNCTIONS, _functions).sub(FUNCTIONS_OF, _functions_of)
    _without_simplification(text)
    _shape(text)
    _equations(text)


def _declared(match: re.Match[str]) -> str:
    """Returns equations between names and the symbols that a script declares for them: th = symbols("theta")."""
    names, others = re.findall(r"\w+", match[2]), re.findall(r"[\w{}\\]+", match[3].replace(":", " "))
    dots = re.match(r"\s*,\s*([12])\b", match[4])
    if len(names) != len(others):
        return ""
    marks = {"1": "\u0307", "2": "\u0308"}[dots[1]] if dots else ""
    return match[1] + _equal(names, others, marks)


def _symbols(match: re.Match[str]) -> str:
    """Returns the list of the symbols that a script declares within an expression, as in Matrix(symbols("q1 q2"))."""
    names = re.findall(r"\w+", match[1])
    return f"[{', '.join(names)}]" if len(names) > 1 else "".join(names)


def _functions(match: re.Match[str]) -> str:
    """Returns equations between names and the functions that a script declares for them: th = Function("q1")(t)."""
    names, others = re.findall(r"\w+", match[2]), re.findall(r"Function\(\s*r?['\"]([^'\"]*)['\"]", match[3])
    return match[1] + _equal(names, others) if len(names) == len(others) else ""


def _functions_of(match: re.Match[str]) -> str:
    """Returns equations a = q1; b = q2 for a list of functions: a, b = [Function(n)(t) for n in ("q1", "q2")]."""
    names, others = re.findall(r"\w+", match[2]), re.findall(r"['\"]([^'\"]*)['\"]", match[4])
    others = re.findall(r"\w+", others[0]) if len(others) == 1 else others
    return match[1] + _equal(names, others) if len(names) == len(others) else match[0]


def _equal(names: list[str], others: list[str], marks: str = "") -> str:
    """Returns equations a = q1; b = q2 between names and the symbols for which they stand."""
    return "; ".join(f"{a} = {b}{marks}" for a, b in zip(names, others, strict=True) if a != b or marks)


def _without_simplification(text: Rewriting) -> None:
    """Writes Rational(1, 2) as ((1)/(2)), and simplify(a) as (a)."""
    text.sub(FRACTION, lambda match: f"(({match[1]})/({match[2]}))").sub(SIMPLIFIED, "(")


def _shape(text: Rewriting) -> None:
    """Splits Matrix(2, 2, [a, b, c, d]) into rows."""
    while shaped := SHAPED.search(text.text):
        end = closing(text.text, shaped.end(), "[]")
        outer = closing(text.text, text.text.index("(", shaped.start()), "()")
        if end < 0 or outer < 0:
            return
        rows = rows_of(parted(text.text[shaped.end() + 1 : end]), int(shaped[2]))
        text.replace(shaped.start(), outer + 1, matrix_of(rows))


def _equations(text: Rewriting) -> None:
    """Writes Eq(a, b) as a = b."""
    equal = re.compile(rf"^[ \t]*(?:\w+[ \t]*=[ \t]*)?{MODULE}Eq(?=\()", re.MULTILINE)
    while call := equal.search(text.text):
        end = closing(text.text, call.end(), "()")
        sides = parted(text.text[call.end() + 1 : end]) if end >= 0 else []
        text.replace(call.start(), end + 1 if end >= 0 else call.end(), " = ".join(sides[:2]))


def _methods(text: Rewriting) -> None:
    """Writes L.diff(q1) as diff(L, q1), and Matrix([P]).jacobian(q) as jacobian(Matrix([P]), q)."""
    at = 0
    while method := METHOD.search(text.text, at):
        start, end = start_of_operand(text.text, method.start()), closing(text.text, method.end(), "()")
        at = method.end()
        if start < method.start() <= end and text.text[start : method.start()] not in MODULES:
            call = f"{method[1]}({text.text[start : method.start()]}, {text.text[method.end() + 1 : end]})"
            text.replace(start, end + 1, call)
            at = start


def _lagranges_equation(L: str) -> str:
    """Returns the formula of d/dt ∂L/∂q̇ − ∂L/∂q, with Jacobians."""
    of_rates = f"jacobian({L}, qd)"
    return f"jacobian({of_rates}, q)*qd + jacobian({of_rates}, qd)*qdd - jacobian({L}, q)'"
