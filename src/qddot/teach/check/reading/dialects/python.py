"""Converts Python scripts, with SymPy, NumPy or CasADi, to equations, without calculations and printing."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.assignments import of_assignments, of_lists
from qddot.teach.check.reading.dialects.degrees import of_degrees
from qddot.teach.check.reading.dialects.extents import end_of_indented
from qddot.teach.check.reading.dialects.loops import of_loops_of_python
from qddot.teach.check.reading.dialects.program_names import FIELD, MODULE, MODULES, of_camel
from qddot.teach.check.reading.dialects.returned_values import of_returned_values, of_scopes
from qddot.teach.check.reading.dialects.scripts import IDLE, of_parallel, of_solutions, of_solutions_apart, of_torques
from qddot.teach.check.reading.dialects.states import of_states_of_python
from qddot.teach.check.reading.dialects.sympy import of_derivatives, of_expressions, of_symbols
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, parted
from qddot.teach.check.reading.texts.written import Written

DOCSTRING = re.compile(r'^[ \t]*(?:"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\')', re.MULTILINE)
RATES = re.compile(
    r"^[ \t]*def[ \t]+\w+\([ \t]*(?:self[ \t]*,[ \t]*)?(?:q|th|theta|x)[ \t]*,[ \t]*([vw])\b", re.MULTILINE
)
# calls that integrate, minimize or compile, whose results are no formulas
NUMERIC = re.compile(
    r"^[^\n=()]*=[ \t]*(?:\w+\.)*(?:solve_ivp|odeint|ode\d+\w*|lambdify|autowrap|quad|fsolve|minimize)\([^\n]*",
    re.MULTILINE,
)
_OF_ANGLE = r"(?:\w+\.)?(?:cos|sin)"
FUNCTION_NAMES = re.compile(
    rf"^[ \t]*(\w+(?:[ \t]*,[ \t]*\w+)?)[ \t]*=[ \t]*({_OF_ANGLE}(?:[ \t]*,[ \t]*{_OF_ANGLE})?)[ \t]*$", re.MULTILINE
)
# functions that differentiate by small steps
BY_STEPS = re.compile(
    r"^(?P<indent>[ \t]*)def[ \t]+(?P<name>\w+)\((?P<arguments>[^()]*\b(?:eps|tol|delta)[ \t]*=[^()]*)\)[^\n:]*:",
    re.MULTILINE,
)
# calls of qddot: the text of a robot file in loads(…), and equations() or textbook()
OF_QDDOT = re.compile(
    r"^[^\n]*\bloads\(\s*r?(\"\"\"|''')(?:[^\\]|\\.)*?\1\s*\)|^[^\n=]*=[^\n=]*\.(?:equations|textbook)\([^\n]*",
    re.MULTILINE | re.DOTALL,
)
IMPORTED = re.compile(r"^[ \t]*import[ \t]+[\w.]+[ \t]+as[ \t]+(?P<name>\w+)", re.MULTILINE)
OF_CASADI = re.compile(r"^[ \t]*[\w, \t]+=[ \t]*(?:\w+\.)?(?:SX|MX|DM)\.sym\([^\n]*", re.MULTILINE)
PRODUCT = re.compile(rf"(?<![\w.]){MODULE}(?:dot|matmul|mtimes)\(")


def of_python(written: Written) -> Written:
    """Returns a Python or SymPy script as equations."""
    text = Rewriting(written).blank(OF_QDDOT).blank(DOCSTRING).blank(r"#[^\n]*")
    for alias in {match["name"] for match in IMPORTED.finditer(text.text)} - {*MODULES}:
        text.sub(rf"(?<![\w.]){alias}\.(?=\w)", "np.")
    for function in reversed(list(BY_STEPS.finditer(text.text))):
        text.replace(function.start(), end_of_indented(text.text, function), "\n")
    of_degrees(text)
    _function_names(text)
    text.blank(NUMERIC).blank(OF_CASADI).sub(r"(?<![\w.])self\.", "")
    of_scopes(text)
    of_states_of_python(text)
    of_loops_of_python(text)
    of_symbols(text)
    of_lists(text, 0)
    of_assignments(text)
    of_returned_values(text)
    of_derivatives(text)
    for name in {match[1] for match in RATES.finditer(text.text)}:
        text.sub(rf"(?<![\w.]){name}(?=\[)", "qd")
    text.sub(r";[ \t]*(?=[A-Za-z][\w, \t]*=[^=])", "\n")
    text.blank(r"^[ \t]*(?:def|lambda)\b[^\n]*", re.MULTILINE).blank(IDLE)
    of_torques(text)
    of_expressions(text)
    of_solutions_apart(text)
    of_parallel(text)
    of_solutions(text)
    _products(text)
    text.sub(r"\.(?:T\b|transpose\(\))", "'").sub(FIELD, "").sub(r"(?<=[\w)\]])\.dot\(", "*(").sub(
        r"(?<=[\w)\]'])[ \t]*@", "*"
    )
    of_camel(text)
    text.sub(r"\.(?:simplify|evalf|doit|expand|flatten|tolist|copy)\(\)", "")
    return text.done()


def _function_names(text: Rewriting) -> None:
    """Writes cos(x) for c(x) in a script with c, s = np.cos, np.sin."""
    while names := FUNCTION_NAMES.search(text.text):
        pairs = list(zip(re.findall(r"\w+", names[1]), re.findall(r"(?:cos|sin)\b", names[2]), strict=False))
        text.replace(names.start(), names.end(), "")
        for name, function in pairs:
            text.sub(rf"(?<![\w.]){name}(?=\()", function)


def _products(text: Rewriting) -> None:
    """Writes np.dot(A, b) as (A)*(b)."""
    while product := PRODUCT.search(text.text):
        end = closing(text.text, product.end() - 1, "()")
        parts = parted(text.text[product.end() : end]) if end >= 0 else []
        if len(parts) != 2:
            return
        text.replace(product.start(), end + 1, f"({parts[0].strip()})*({parts[1].strip()})")
