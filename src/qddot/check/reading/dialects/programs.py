"""Converts scripts of Python, SymPy and MATLAB to equations, without calculations, imports and printing."""

from __future__ import annotations

import re

from qddot.check.reading.dialects.assignments import of_assignments, of_lists
from qddot.check.reading.dialects.degrees import of_degrees
from qddot.check.reading.dialects.functions import is_result, name_output, rename, result_of
from qddot.check.reading.dialects.loops import of_loops_of_matlab, of_loops_of_python
from qddot.check.reading.dialects.states import of_states, of_states_of_python
from qddot.check.reading.texts.rewriting import Rewriting, closing, opening, parted
from qddot.check.reading.texts.written import Written

MODULES = ("np", "numpy", "math", "sp", "sy", "sym", "sympy", "me", "mechanics", "s", "smp")
MODULE = r"(?:(?:np|numpy|math|sp|sy|sym|sympy|me|mechanics|s|smp)\.)?"
SIMPLIFIED = (
    rf"(?<![\w.]){MODULE}(?:simplify|trigsimp|expand|factor|nsimplify|expand_trig|radsimp|Integer|Float|S|N(?!\(\d\))|"
    r"vpa)\("
)
IDLE = re.compile(
    r"^[ \t]*(?:from|import|print|assert|pprint|display|init_printing|init_vprinting|plt|matplotlib|class|if|else|elif|"
    r"for|while|try|except|with|raise|pass|syms|clear|clc|close|format|end|disp|fprintf|assume\w*|global|warning|"
    r"figure|plot|latex|pretty|return)\b[^\n]*|^[ \t]*@[^\n]*",
    re.MULTILINE,
)
DOCSTRING = re.compile(r'^[ \t]*(?:"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\')', re.MULTILINE)
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
TARGET = r"[A-Za-z]\w*(?:\[[\d, ]*\])*"
TUPLE = re.compile(rf"^([ \t]*)({TARGET}(?:[ \t]*,[ \t]*{TARGET})+)[ \t]*=(?!=)[ \t]*([^\n]+)$", re.MULTILINE)
SOLVED = (
    re.compile(
        rf"^([ \t]*)(\w+)[ \t]*=[ \t]*{MODULE}(?:linalg\.)?(?:inv|pinv)\((\w+)\)[ \t]*[*@][ \t]*([^\n;]+)", re.M
    ),
    re.compile(
        rf"^([ \t]*)(\w+)[ \t]*=[ \t]*{MODULE}linalg\.solve\([ \t]*(\w+)[ \t]*,[ \t]*([^\n;]+)\)[ \t]*;?$", re.M
    ),
    re.compile(r"^([ \t]*)(\w+)[ \t]*=[ \t]*(\w+)[ \t]*\\[ \t]*([^\n;]+)", re.M),
    re.compile(r"^([ \t]*)(\w+)[ \t]*=[ \t]*(\w+)\.(?:LUsolve|solve)\(([^\n;]+)\)[ \t]*$", re.M),
    re.compile(r"^([ \t]*)(\w+)[ \t]*=[ \t]*(\w+)\.inv\(\)[ \t]*[*@][ \t]*([^\n;]+)", re.M),
)
SOLVED_APART = re.compile(
    rf"^([ \t]*)(\w+(?:[ \t]*,[ \t]*\w+)+)[ \t]*=[ \t]*{MODULE}linalg\.solve\([ \t]*(\w+)[ \t]*,"
    r"[ \t]*([^\n;]+)\)[ \t]*;?$",
    re.MULTILINE,
)
# calls of qddot: the text of a robot file in loads(…), and equations() or textbook()
OF_QDDOT = re.compile(
    r"^[^\n]*\bloads\(\s*r?(\"\"\"|''')(?:[^\\]|\\.)*?\1\s*\)|^[^\n=]*=[^\n=]*\.(?:equations|textbook)\([^\n]*",
    re.MULTILINE | re.DOTALL,
)
# the prefix of a field, as in p.m1 and self.m1, but not a module such as np
FIELD = re.compile(
    r"(?<![\w.)\]])(?!(?:np|numpy|math|sp|sy|sym|sympy|me|mechanics|smp)\.)[A-Za-z]\w*\.(?=[A-Za-z]\w*(?![\w(]))"
)
FUNCTION = re.compile(
    r"^(?P<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?P<name>\w+)\((?P<arguments>[^()]*(?:\([^()]*\)[^()]*)*)\)[^\n:]*:",
    re.MULTILINE,
)
LAMBDA = re.compile(r"^([ \t]*)(\w+)[ \t]*=[ \t]*lambda[ \t]+([^:\n]*):[ \t]*", re.MULTILINE)
RETURNED = re.compile(r"(?:^|(?<=:))[ \t]*return[ \t]+", re.MULTILINE)
IMPORTED = re.compile(r"^[ \t]*import[ \t]+[\w.]+[ \t]+as[ \t]+(?P<name>\w+)", re.MULTILINE)
OF_CASADI = re.compile(r"^[ \t]*[\w, \t]+=[ \t]*(?:\w+\.)?(?:SX|MX|DM)\.sym\([^\n]*", re.MULTILINE)
GRADIENT = re.compile(r"(?<![\w.])(?:\w+\.)?(?:grad|jacfwd|jacrev|jacobian)\((\w+)\)(?:\(\w+\))?(?!\w)")
OF_LAGRANGE = re.compile(
    r"^([ \t]*)\w+[ \t]*=[ \t]*(?:\w+\.)*(?:LagrangesMethod|euler_equations)\([ \t]*(\w+)[^\n]*", re.MULTILINE
)
PRODUCT = re.compile(rf"(?<![\w.]){MODULE}(?:dot|matmul|mtimes)\(")
OF_NUMBERS = re.compile(r"\.(cos|sin|tan|sqrt|powi|powf|pow|square)\(")
METHOD = re.compile(r"\.(diff|jacobian)(?=\()")


def of_python(written: Written) -> Written:
    """Returns a script of Python or SymPy as equations."""
    text = Rewriting(written).blank(OF_QDDOT).blank(DOCSTRING).blank(r"#[^\n]*")
    for alias in {match["name"] for match in IMPORTED.finditer(text.text)} - {*MODULES}:
        text.sub(rf"(?<![\w.]){alias}\.(?=\w)", "np.")
    for function in reversed(list(BY_STEPS.finditer(text.text))):
        text.replace(function.start(), _end_of_body(text.text, function), "\n")
    of_degrees(text)
    _function_names(text)
    text.blank(NUMERIC).blank(OF_CASADI).sub(r"(?<![\w.])self\.", "")
    _scopes(text)
    of_states_of_python(text)
    of_loops_of_python(text)
    text.sub(DECLARED, _declared).sub(SYMBOLS, _symbols)
    of_lists(text, 0)
    of_assignments(text)
    _name_returned(text)
    text.sub(OF_LAGRANGE, lambda match: f"{match[1]}tau = {lagranges_equation(match[2])}")
    text.blank(r"^[^\n]*\.(?:form_lagranges_equations|rhs|mass_matrix|mass_matrix_full|forcing)\b[^\n]*", re.MULTILINE)
    _methods(text)
    for name in {match[1] for match in RATES.finditer(text.text)}:
        text.sub(rf"(?<![\w.]){name}(?=\[)", "qd")
    text.sub(r";[ \t]*(?=[A-Za-z][\w, \t]*=[^=])", "\n")
    text.blank(r"^[ \t]*(?:def|lambda)\b[^\n]*", re.MULTILINE).blank(IDLE)
    text.sub(FUNCTIONS, _functions).sub(FUNCTIONS_OF, _functions_of)
    _derivatives(text)
    _shape(text)
    _equations(text)
    text.sub(SOLVED_APART, lambda match: f"{match[1]}{match[3]}*[{match[2].replace(',', ';')}] = ({match[4]})")
    parallel(text)
    for solved in SOLVED:
        text.sub(solved, lambda match: f"{match[1]}{match[3]}*{match[2]} = ({match[4].rstrip()})")
    _products(text)
    text.sub(r"\.(?:T\b|transpose\(\))", "'").sub(FIELD, "").sub(r"(?<=[\w)\]])\.dot\(", "*(").sub(
        r"(?<=[\w)\]'])[ \t]*@", "*"
    )
    of_camel(text)
    text.sub(r"\.(?:simplify|evalf|doit|expand|flatten|tolist|copy)\(\)", "")
    return text.done()


def of_matlab(written: Written) -> Written:
    """Returns a script of MATLAB or Octave as equations."""
    text = Rewriting(written).blank(r"^[ \t]*%\{(?:.|\n)*?^[ \t]*%\}", re.MULTILINE).blank(r"%[^\n]*")
    text.sub(r"\.\.\.[^\n]*\n", " ").sub(r"@\((?!t\b)[\w, ~]*\)", "").sub(FIELD, "")
    text.blank(r"^[^\n=]*=[ \t]*ode\d+\w*\([^\n]*", re.MULTILINE)
    of_degrees(text)
    of_loops_of_matlab(text)
    of_lists(text, 1)
    of_assignments(text)
    of_states(text)
    text.blank(r"^[ \t]*function\b[^\n]*", re.MULTILINE).blank(IDLE)
    text.sub(SIMPLIFIED, "(").sub(r"(?<![\w.])sym\(\s*'?([-\d./]+)'?\s*\)", lambda match: f"({match[1]})")
    text.blank(r"^[ \t]*\w+[ \t]*=[ \t]*(?:matlabFunction|subs|ode45|linspace|sym)\b[^\n]*", re.MULTILINE)
    for solved in SOLVED:
        text.sub(solved, lambda match: f"{match[1]}{match[3]}*{match[2]} = ({match[4].rstrip()})")
    return text.done()


def _derivatives(text: Rewriting) -> None:
    text.sub(FRACTION, lambda match: f"(({match[1]})/({match[2]}))").sub(SIMPLIFIED, "(")


def _methods(text: Rewriting) -> None:
    """Writes L.diff(q1) as diff(L, q1), and Matrix([P]).jacobian(q) as jacobian(Matrix([P]), q)."""
    at = 0
    while method := METHOD.search(text.text, at):
        start, end = _start_of_primary(text.text, method.start()), closing(text.text, method.end(), "()")
        at = method.end()
        if start < method.start() <= end and text.text[start : method.start()] not in MODULES:
            call = f"{method[1]}({text.text[start : method.start()]}, {text.text[method.end() + 1 : end]})"
            text.replace(start, end + 1, call)
            at = start


def of_methods(text: Rewriting) -> None:
    """Writes x.cos() as cos(x), x.powi(2) as (x)^2, and let (s, c) = x.sin_cos() as s = sin(x); c = cos(x)."""
    text.sub(
        r"(?:let\s*)?\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*=\s*([^;\n]+?)\.sin_cos\(\)",
        lambda match: f"{match[1]} = ({match[3]}).sin(); {match[2]} = ({match[3]}).cos()",
    )
    at = 0
    while method := OF_NUMBERS.search(text.text, at):
        start, end = _start_of_primary(text.text, method.start()), closing(text.text, method.end() - 1, "()")
        at = method.end()
        if not start < method.start() <= end:
            continue
        of, inside = text.text[start : method.start()], text.text[method.end() : end].strip()
        power = inside if method[1].startswith("pow") else "2" if method[1] == "square" else ""
        new = f"(({of})^({inside}))" if power and not power.isdigit() else f"(({of})^{power})"
        text.replace(start, end + 1, new if power else f"{method[1]}({of})")
        at = start


def of_camel(text: Rewriting) -> None:
    """Writes thetaDot, q1DDot and tauTheta in lower case, as other names are written."""
    text.sub(r"(?<=[a-z0-9])(DD|Dd|D)ot(?![a-z])", lambda match: match[1].lower() + "ot")
    text.sub(r"(?<!\w)(tau|torque|force|F|f|Q)([A-Z][a-z]*|R)(?!\w)", lambda match: f"{match[1]}_{match[2].lower()}")


def _start_of_primary(text: str, end: int) -> int:
    """Returns where the name, the call or the bracket that ends at a place begins."""
    at = end
    while at and text[at - 1] in ")]":
        at = opening(text, at - 1, "()" if text[at - 1] == ")" else "[]")
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_."):
        at -= 1
    return max(at, 0)


def _function_names(text: Rewriting) -> None:
    """Writes cos(x) for c(x) in a script with c, s = np.cos, np.sin."""
    while names := FUNCTION_NAMES.search(text.text):
        pairs = list(zip(re.findall(r"\w+", names[1]), re.findall(r"(?:cos|sin)\b", names[2]), strict=False))
        text.replace(names.start(), names.end(), "")
        for name, function in pairs:
            text.sub(rf"(?<![\w.]){name}(?=\()", function)


def _scopes(text: Rewriting) -> None:
    """Gives the variables of a function names of their own if another function sets them, too."""
    functions, seen = list(FUNCTION.finditer(text.text)), set[str]()
    for number, function in reversed(list(enumerate(functions))):
        end = _end_of_body(text.text, function)
        body = text.text[function.end() : end]
        own = {each[1] for each in re.finditer(r"^[ \t]+([^\W\d]\w*)[ \t]*=(?!=)", body, re.MULTILINE)}
        own = {name for name in own if not is_result(name)}
        for name in sorted(own & seen):
            end = rename(text, function.end(), end, name, f"{name}In{number}")
        seen |= own


def _name_returned(text: Rewriting) -> None:
    """Names return values after their functions: mass_matrix returns M, tau2 returns tau2."""
    text.sub(LAMBDA, lambda match: f"{match[1]}{result_of(match[2], match[3])} = ")
    for function in reversed(list(FUNCTION.finditer(text.text))):
        result, end = result_of(function["name"], function["arguments"]), _end_of_body(text.text, function)
        for returned in reversed(list(RETURNED.finditer(text.text, function.end(), end))):
            stop = _end_of_line(text.text, returned.end())
            value = text.text[returned.end() : stop].strip()
            names = re.findall(r"[^\W\d]\w*", value)
            is_list = re.fullmatch(r"[\[(]?[\w, \t]*[\])]?", value) is not None and len(names) > 1
            if re.fullmatch(r"[^\W\d]\w*", value) and re.search(rf"^[ \t]*{value}\b[^=\n]*=", text.text, re.MULTILINE):
                text.replace(returned.start(), stop, "\n")
                name_output(text, function.end(), returned.start(), result, value)
            elif is_list and all(map(is_result, names)):
                text.replace(returned.start(), stop, "\n")
            elif re.search(r"[-+*/(\[]|,", value):
                value = f"[{value}]" if len(parted(value)) > 1 else value
                text.replace(returned.start(), stop, f"\n{result} = {value}")
    potentials = {name: result_of(name) for name in re.findall(r"^[ \t]*def[ \t]+(\w+)", text.text, re.MULTILINE)}
    text.sub(
        GRADIENT,
        lambda match: f"gradient({potentials[match[1]]}, q)" if match[1] in potentials else match[0],
    )


def _end_of_body(text: str, function: re.Match[str]) -> int:
    """Returns the start of the first line after a function's header that is not indented further than it."""
    indent = len(function["indent"].expandtabs())
    for line in re.finditer(r"^([ \t]*)\S", text[function.end() :], re.MULTILINE):
        at_start = text[function.end() + line.start() - 1 : function.end() + line.start()] == "\n"
        if at_start and len(line[1].expandtabs()) <= indent:
            return function.end() + line.start()
    return len(text)


def _end_of_line(text: str, at: int) -> int:
    """Returns the end of a line, outside of brackets."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if text[k] == "\n" and depth <= 0 and not text[:k].endswith("\\"):
            return k
    return len(text)


def lagranges_equation(L: str) -> str:
    """Returns the formula of d/dt ∂L/∂q̇ − ∂L/∂q, with Jacobians."""
    of_rates = f"jacobian({L}, qd)"
    return f"jacobian({of_rates}, q)*qd + jacobian({of_rates}, qd)*qdd - jacobian({L}, q)'"


def _products(text: Rewriting) -> None:
    """Writes np.dot(A, b) as (A)*(b)."""
    while product := PRODUCT.search(text.text):
        end = closing(text.text, product.end() - 1, "()")
        parts = parted(text.text[product.end() : end]) if end >= 0 else []
        if len(parts) != 2:
            return
        text.replace(product.start(), end + 1, f"({parts[0].strip()})*({parts[1].strip()})")


def _declared(match: re.Match[str]) -> str:
    """Returns equations between names and the symbols that a script declares for them: th = symbols("theta")."""
    names, others = re.findall(r"\w+", match[2]), re.findall(r"[\w{}\\]+", match[3].replace(":", " "))
    dots = re.match(r"\s*,\s*([12])\b", match[4])
    if len(names) != len(others):
        return ""
    marks = {"1": "\u0307", "2": "\u0308"}[dots[1]] if dots else ""
    pairs = [f"{a} = {b}{marks}" for a, b in zip(names, others, strict=True) if a != b or marks]
    return match[1] + "; ".join(pairs)


def _symbols(match: re.Match[str]) -> str:
    """Returns the list of the symbols that a script declares within an expression, as in Matrix(symbols("q1 q2"))."""
    names = re.findall(r"\w+", match[1])
    return f"[{', '.join(names)}]" if len(names) > 1 else "".join(names)


def _functions(match: re.Match[str]) -> str:
    names, others = re.findall(r"\w+", match[2]), re.findall(r"Function\(\s*r?['\"]([^'\"]*)['\"]", match[3])
    pairs = [f"{a} = {b}" for a, b in zip(names, others, strict=False) if a != b]
    return match[1] + "; ".join(pairs) if len(names) == len(others) else ""


def _functions_of(match: re.Match[str]) -> str:
    """Returns equations a = q1; b = q2 for a list of functions: a, b = [Function(n)(t) for n in ("q1", "q2")]."""
    names, others = re.findall(r"\w+", match[2]), re.findall(r"['\"]([^'\"]*)['\"]", match[4])
    others = re.findall(r"\w+", others[0]) if len(others) == 1 else others
    if len(names) != len(others):
        return match[0]
    return match[1] + "; ".join(f"{a} = {b}" for a, b in zip(names, others, strict=True) if a != b)


def _shape(text: Rewriting) -> None:
    """Splits Matrix(2, 2, [a, b, c, d]) into rows."""
    while shaped := SHAPED.search(text.text):
        end = closing(text.text, shaped.end(), "[]")
        outer = closing(text.text, text.text.index("(", shaped.start()), "()")
        if end < 0 or outer < 0:
            return
        parts, columns = parted(text.text[shaped.end() + 1 : end]), int(shaped[2])
        rows = [parts[k : k + columns] for k in range(0, len(parts), columns)]
        text.replace(shaped.start(), outer + 1, "[" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "]")


def _equations(text: Rewriting) -> None:
    """Writes Eq(a, b) as a = b."""
    equal = re.compile(rf"^[ \t]*(?:\w+[ \t]*=[ \t]*)?{MODULE}Eq(?=\()", re.MULTILINE)
    while call := equal.search(text.text):
        end = closing(text.text, call.end(), "()")
        sides = parted(text.text[call.end() + 1 : end]) if end >= 0 else []
        text.replace(call.start(), end + 1 if end >= 0 else call.end(), " = ".join(sides[:2]))


def parallel(text: Rewriting) -> None:
    """Splits a, b = x, y into two equations; an unpacked vector, such as q1, q2 = q, is removed."""

    def apart(match: re.Match[str]) -> str:
        names, values = parted(match[2]), parted(match[3])
        if len(values) == 1 and re.fullmatch(r"\s*[A-Za-z]\w*\s*", values[0]):
            return ""
        if len(names) != len(values):
            return match[0]
        return match[1] + "; ".join(f"{a.strip()} = {b.strip()}" for a, b in zip(names, values, strict=True))

    text.sub(TUPLE, apart)
