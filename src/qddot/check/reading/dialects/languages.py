"""Converts programs of C, JavaScript, Julia and Modelica to the equations that they compute."""

from __future__ import annotations

import re
from math import isqrt

from qddot.check.reading.dialects.assignments import of_assignments
from qddot.check.reading.dialects.braces import of_functions, of_macros
from qddot.check.reading.dialects.functions import is_result, name_output, rename, result_of
from qddot.check.reading.dialects.loops import of_loops_of_matlab
from qddot.check.reading.dialects.programs import FIELD, of_camel, of_matlab, of_methods, parallel
from qddot.check.reading.dialects.states import State
from qddot.check.reading.texts.rewriting import Rewriting, closing, parted
from qddot.check.reading.texts.written import Written

NUMERIC = r"double|float|real_t|real|Real|long|int|auto|f64|f32|number|unsigned|size_t|usize|boolean|bool|String|void"
OF_EIGEN = (
    r"(?:Eigen::)?(?:Matrix|Vector|RowVector|Array)\w*(?:<[^<>;\n]*>)?|std::\w+<[^;=\n]*?>|(?:Vec|Mat)\w*(?:<[^<>]*>)?"
)
MODIFIER = "val|const|static|constexpr|final|var|let|mut|inline|public|private|protected|pub|export"
TYPE = rf"(?:(?:{MODIFIER}|{NUMERIC}|{OF_EIGEN})\b(?:\[\])*)"
DECLARED_IN_C = re.compile(
    rf"((?:^|(?<=[;{{}}(]))[ \t]*)(?:{TYPE}[ \t\n&*]*)+(?:\[\]\s*)*"
    r"(?=[*&]?[^\W\d]\w*[ \t]*(?::[^=;\n]*)?(?:\[|=|,|;|<<|\())(?:(?<=\s)|(?<=[&*]))",
    re.MULTILINE,
)
IDLE_IN_C = re.compile(
    r"(?:^|(?<=;))[ \t]*(?:return|using|import|export|package|use|printf|std::cout|console|System|println!|assert|"
    r"throw)\b[^;\n]*",
    re.MULTILINE,
)
UNPACKED = re.compile(r"(?<!\w)(?:let|const|var)\s+\w*\s*(?:\{[^{}]*\}|\[[\w, ]*\])\s*=\s*[^;=(\[]*;")
UNPACKED_TUPLE = re.compile(r"(?<!\w)let[ \t]+\((?P<names>[\w, ]+)\)[ \t]*=[ \t]*\((?P<values>[^;]*)\)[ \t]*;")
ZEROS_OF_EIGEN = re.compile(r"(?<![\w.])(?:Eigen::)?(?:Matrix|Vector)\w*(?:<[^<>;\n]*>)?::Zero\(\s*\)")
CONSTRUCTOR = re.compile(r"(?<![\w.])(?:\w+::)*(?:S)?(?P<kind>Matrix|Vector)\d?(?:::<[^<>]*>)?::new\(")
PREFIX = re.compile(r"(?<![\w.])(?:Math|math|std|Eigen|f64|f32|consts|numbers|libm|np)(?:\.|::)(?=[A-Za-z])")
PI = re.compile(r"(?<!\w)(?:M_PI|PI)(?!\w)")
OF_LINK = re.compile(r"(?<![\w.])[A-Za-z]+?_?(\d)\.([A-Za-z]+)(?![\w(])")  # link1.m is m1
ENTRY_OF_EIGEN = re.compile(r"(?<![\w.])([A-Za-z]\w*)\((\d(?:[ ]*,[ ]*\d)?)\)")
DECLARED_IN_MODELICA = re.compile(
    r"(?:^|(?<=;))[ \t]*(?:parameter|constant|input|output|final|Real|Modelica\.[\w.]+|import|model|class|block|within|"
    r"annotation|initial equation|equation|algorithm|end|protected|public)\b[^;\n]*(?:;|$)",
    re.MULTILINE,
)
DECLARATION_OF_MODELICA = re.compile(
    r"(?:^|(?<=;))[ \t]*(?:Real|Modelica\.SIunits\.\w+|\w*(?:Velocity|Speed))[ \t]+(?P<declared>[^;]*);", re.M
)
IDLE_IN_FORTRAN = re.compile(
    r"^[ \t]*(?:(?:pure|elemental|recursive|real|double[ \t]+precision|integer|logical|implicit|program|module|use|"
    r"contains|subroutine|function|end|return|call|dimension|parameter|intent|common|write|print|stop|type)\b|end)"
    r"[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
FUNCTION_OF_FORTRAN = re.compile(
    r"^[^\n!]*\bfunction[ \t]+(?P<name>\w+)[ \t]*\([^)]*\)[ \t]*(?:result[ \t]*\([ \t]*(?P<result>\w+)[ \t]*\))?",
    re.MULTILINE | re.IGNORECASE,
)
IDLE_IN_JULIA = re.compile(
    r"^[ \t]*(?:using|import|@unpack|@variables|@parameters|@named|@syms|return|println|plot|prob|sol|end|begin|let|"
    r"struct|mutable)\b[^\n]*|^[ \t]*D[ \t]*=[ \t]*Differential\(t\)[^\n]*",
    re.MULTILINE,
)
FUNCTION_OF_JULIA = re.compile(
    r"^[ \t]*function[ \t]+[\w!.]+\(\s*(?P<rate>\w+)\s*,\s*(?P<state>\w+)\s*,\s*(?P<params>\w+)\s*,\s*t\s*\)[^\n]*$",
    re.MULTILINE,
)
# f(x, u; m=1) = [x[2], …]
STATE_OF_ONE_LINE = re.compile(r"^[ \t]*[^\W\d]\w*\((?P<state>[xsz])\b[^()\n]*\)[ \t]*=[ \t]*(?=\[)", re.MULTILINE)
OPENED_IN_JULIA = re.compile(
    r"^(?P<indent>[ \t]*)function[ \t]+(?P<name>[\w!.]+)\((?P<arguments>[^()\n]*)\)[^\n]*\n", re.MULTILINE
)
SINE_AND_COSINE = re.compile(r"^([ \t]*)([^\W\d]\w*)[ \t]*,[ \t]*([^\W\d]\w*)[ \t]*=[ \t]*sincos\(([^()\n]*)\)", re.M)
MOST_JOINTS = 30


def of_c(written: Written) -> Written:
    """Returns a program of C, C++, Java, JavaScript or Rust as equations."""
    text = Rewriting(written).blank(r"/\*(?:.|\n)*?\*/").blank(r"//[^\n]*").blank(r"\"[^\"\n]*\"")
    is_rust = re.search(r"\bfn\s+\w+|\blet\s+(?:mut\s+)?\w+\s*(?::[^=\n]*)?=\s*\||\.powi\(", text.text) is not None
    of_macros(text)
    text.blank(r"^[ \t]*#[^\n]*", re.MULTILINE).blank(UNPACKED).sub(UNPACKED_TUPLE, _apart).sub(PREFIX, "")
    text.sub(r"(?<![\w.])(Cos|Sin|Tan|Sqrt|Pow)(?=\()", lambda match: match[1].lower())
    text.sub(r"(?<!\w)(?:\w*[aA]rrayOf|[lL]istOf)(?=\()", "Array")
    text.sub(ZEROS_OF_EIGEN, "zeros((1))").sub(r"(?<![\w.])(sin|cos|tan|sqrt)f(?=\()", lambda match: match[1])
    _constructors(text)
    of_functions(text, last_is_returned=is_rust)
    text.blank(IDLE_IN_C)
    of_methods(text)
    _without_types(text)
    of_assignments(text)
    of_powers(text)
    _streams(text)
    _lists(text)
    text.sub(ENTRY_OF_EIGEN, lambda match: match[1] + "".join(f"[{k}]" for k in re.findall(r"\d", match[2])))
    text.sub(r"(?<=\d)(?:\.0)?_?[fF](?:32|64)?(?!\w)", "").sub(PI, "pi").sub(r"(?<=\w)_rad(?!\w)", "")
    of_camel(text)
    return text.sub(r"[{}]", " ").done()


def _apart(unpacked: re.Match[str]) -> str:
    """Returns let (a, b) = (x, y); as two assignments."""
    names, values = parted(unpacked["names"]), parted(unpacked["values"])
    if len(names) != len(values):
        return unpacked[0]
    return " ".join(f"let {a.strip()} = {b.strip()};" for a, b in zip(names, values, strict=True))


def _without_types(text: Rewriting) -> None:
    """Replaces declarations by their assignments, and removes those without values."""
    text.sub(DECLARED_IN_C, lambda match: match[1])
    text.sub(r"(?<![\w)\]])[*&](?=[A-Za-z])", "").sub(r"->", ".").sub(OF_LINK, lambda match: f"{match[2]}{match[1]}")
    text.sub(FIELD, "").sub(r"(?<![\w.])(?:self|this)\.", "")
    text.blank(r"(?:^|(?<=;))[ \t]*[^\W\d]\w*(?:\[\d*\])*(?:[ \t]*,[ \t]*[^\W\d]\w*(?:\[\d*\])*)*[ \t]*(?=;)", re.M)


def _streams(text: Rewriting) -> None:
    """Writes M << a, b, c, d of Eigen as M = [a, b; c, d]."""
    while match := re.search(r"(?<![\w.])(?P<name>[^\W\d]\w*)\s*<<\s*", text.text):
        end = text.text.find(";", match.end())
        end = end if end >= 0 else len(text.text)
        entries = [each.strip() for each in parted(text.text[match.end() : end])]
        columns = isqrt(len(entries))
        is_square = columns**2 == len(entries) and columns > 1
        rows = (
            [entries[k : k + columns] for k in range(0, len(entries), columns)] if is_square else [[e] for e in entries]
        )
        text.replace(match.start(), end, f"{match['name']} = [{'; '.join(', '.join(row) for row in rows)}]")


def _constructors(text: Rewriting) -> None:
    """Writes Matrix2::new(a, b, c, d) of nalgebra as [[a, b], [c, d]]."""
    while made := CONSTRUCTOR.search(text.text):
        end = closing(text.text, made.end() - 1, "()")
        if end < 0:
            return
        entries = [each.strip() for each in parted(text.text[made.end() : end])]
        columns = isqrt(len(entries)) if made["kind"] == "Matrix" else 1
        rows = (entries[k : k + columns] for k in range(0, len(entries), columns))
        text.replace(made.start(), end + 1, "[" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "]")


def of_powers(text: Rewriting) -> None:
    """Writes pow(a, 2) as (a)^2."""
    while power := re.search(r"(?<![\w.])pow\(", text.text):
        end = closing(text.text, power.end() - 1, "()")
        parts = parted(text.text[power.end() : end]) if end >= 0 else []
        if len(parts) != 2:
            text.replace(power.start(), power.end(), "power(")
            continue
        text.replace(power.start(), end + 1, f"({parts[0].strip()})^{parts[1].strip()}")


def _lists(text: Rewriting) -> None:
    """Writes M[2][2] = {{a, b}, {c, d}} as M = [[a, b], [c, d]]."""
    array = re.compile(r"(\w+)(?:\[\d*\])*[ \t]*=\s*(?=\{)")
    while match := array.search(text.text):
        end = closing(text.text, match.end())
        if end < 0:
            return
        inside = text.text[match.end() : end + 1].translate(str.maketrans("{}", "[]"))
        text.replace(match.start(), end + 1, f"{match[1]} = {inside}")


def of_modelica(written: Written) -> Written:
    """Returns the equations of a model in Modelica, including those in declarations."""
    text = Rewriting(written).blank(r"/\*(?:.|\n)*?\*/").blank(r"//[^\n]*").blank(r"\"[^\"\n]*\"")
    sizes = {match[1]: int(match[2]) for match in re.finditer(r"(?<!\w)(\w+)\[(\d)\]\s*[(;,]", text.text)}
    text.sub(
        r"(?<![\w.])(\w+)[ \t]*=[ \t]*der\((\w+)\)",
        lambda match: (
            "; ".join(f"{match[1]}[{k}] = der({match[2]}[{k}])" for k in range(1, sizes[match[1]] + 1))
            if match[1] in sizes and match[2] in sizes
            else match[0]
        ),
    )
    text.sub(DECLARATION_OF_MODELICA, _equations_of_declaration)
    return text.blank(DECLARED_IN_MODELICA).sub(r"\[(\d)\]", lambda match: f"({match[1]})").done()


def _equations_of_declaration(declaration: re.Match[str]) -> str:
    """Returns v = der(x) for Real x, v(start = 0) = der(x); initial values are dropped."""
    parts = [re.sub(r"^\s*(\w+(?:\[\d+\])?)\s*\([^()]*\)", r"\1", part) for part in parted(declaration["declared"])]
    return "; ".join(part.strip() for part in parts if "der(" in part and "=" in part) + ";"


def of_fortran(written: Written) -> Written:
    """Returns a program of Fortran, in free or fixed form, as equations."""
    text = Rewriting(written).blank(r"^[Cc*](?![ \t]*=)(?=[ \t])[^\n]*", re.MULTILINE).blank(r"![^\n]*")
    text.sub(r"&[ \t]*\n[ \t]*&?|\n {5}[^\s0](?=[ \t])", " ")
    for function in list(FUNCTION_OF_FORTRAN.finditer(text.text)):
        _rename_result(text, function["name"], function["result"] or function["name"])
    text.blank(IDLE_IN_FORTRAN).sub(r"(?<=[\d.])[dD]([+-]?\d+)(?!\w)", lambda match: f"e{match[1]}").sub("%", ".")
    return of_matlab(text.sub(FIELD, "").sub(r"(?<=\d)_\w+", "").done())


def _rename_result(text: Rewriting, name: str, output: str) -> None:
    result = result_of(name)
    if not is_result(output) and result != output:
        rename(text, 0, len(text.text), output, result)


# du[3:4] .= M \\ (τ .- h), and du[1:2] .= u[3:4] before it
SOLVED_HALF = re.compile(
    r"^([ \t]*)\w+\[\d+:\w+\][ \t]*\.?=[ \t]*(?P<M>\w+)[ \t]*\\[ \t]*(?P<rest>[^\n]+)", re.MULTILINE
)
COPIED_HALF = re.compile(r"^[ \t]*\w+\[\d+:\w+\][ \t]*\.?=[ \t]*\w+(?:\[\d+:\w+\])?[ \t]*$", re.MULTILINE)


def of_julia(written: Written) -> Written:
    """Returns a script of Julia as equations; D(x) ~ a of ModelingToolkit is one, too."""
    text = Rewriting(written).blank(r"#=(?:.|\n)*?=#").blank(r"#[^\n]*").blank(r"\"[^\"\n]*\"")
    text.blank(r"^[ \t]*\([ \t]*;[^()\n]*\)[ \t]*=[ \t]*\w+[ \t]*$", re.MULTILINE).sub(FIELD, "")
    of_loops_of_matlab(text)
    text.sub(r"(?<=\d)//(?=\d)", "/")
    text.sub(SOLVED_HALF, lambda half: f"{half[1]}{half['M']}*qdd = {half['rest'].replace('.', '')}").blank(COPIED_HALF)
    _states(text)
    _functions_of_julia(text)
    text.blank(r"^[ \t]*function\b[^\n]*", re.MULTILINE).blank(IDLE_IN_JULIA).sub(r"@(?:\.|inbounds|views?)(?=\s)", "")
    text.sub(SINE_AND_COSINE, lambda match: f"{match[1]}{match[2]} = sin({match[4]}); {match[3]} = cos({match[4]})")
    text.sub(r"(?<!\w)D\(D\(([^()]*)\)\)", lambda match: f"diff({match[1]}, t, t)")
    text.sub(r"(?<!\w)D\((?![\d, ]*\))([^()]*)\)", lambda match: f"diff({match[1]}, t)")
    if re.search(r"[^~]~[^~]", text.text):
        text.sub(r"^[ \t]*\w+[ \t]*=[ \t]*\[(?=[^\[\]]*~)", "", re.MULTILINE).sub(r"(?<!~)~(?!~)", "=")
        text.sub(r",[ \t]*\n|\n?[ \t]*\][ \t]*$", "\n", re.MULTILINE)
    text.sub(r"(?<=[\w)\]])\.(?=[-+*/^])|(?<=[a-z])\.(?=\()", "")
    parallel(text)
    return of_matlab(text.done())


def _functions_of_julia(text: Rewriting) -> None:
    """Names return values after their functions; a function of Julia returns the value of its last line."""
    text.sub(r"^([ \t]*)([^\W\d][\w\u0307\u0308!]*)\(([^()\n]*)\)[ \t]*=(?!=)", _function_of_one_line, re.MULTILINE)
    for function in reversed(list(OPENED_IN_JULIA.finditer(text.text))):
        end = re.compile(rf"^{function['indent']}end\b", re.MULTILINE).search(text.text, function.end())
        if end is None:
            continue
        body, result = text.text[function.end() : end.start()], result_of(function["name"], function["arguments"])
        last = [
            each
            for each in re.finditer(r"^[ \t]*(?:return\b[ \t]*)?(?=\S)", body, re.MULTILINE)
            if not _is_inside(body, each.start())
        ]
        value = body[last[-1].end() :].strip() if last else ""
        if not value or re.search(r"(?<![=<>!~])=(?!=)", re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", value)):
            continue
        start = function.end() + last[-1].start()
        if re.fullmatch(r"[\w\u0307\u0308, ]+", value):
            text.replace(start, end.start(), "\n")
            if re.fullmatch(r"[\w\u0307\u0308]+", value):
                name_output(text, function.end(), start, result, value)
        else:
            text.replace(start, function.end() + last[-1].end(), f"{result} = ")


def _function_of_one_line(match: re.Match[str]) -> str:
    """Writes accel(x) = … as qdd = …; M(q) = … remains unchanged."""
    result = result_of(match[2], match[3])
    return f"{match[1]}{result} =" if result != match[2] or "\u0308" in result else match[0]


def _is_inside(body: str, at: int) -> bool:
    """Returns whether a place is within brackets."""
    return any(body.count(a, 0, at) > body.count(b, 0, at) for a, b in ("()", "[]"))


def _states(text: Rewriting) -> None:
    """Renames the entries of a state and of its rate to q, qd and qdd, in a function f!(du, u, p, t)."""
    header = FUNCTION_OF_JULIA.search(text.text)
    if header is None:
        _state_of_one_line(text)
        return
    rate, state, params = header["rate"], header["state"], header["params"]
    count = max((int(k) for k in re.findall(rf"(?<!\w){rate}\[(\d+)\]", text.text)), default=0)
    joints = count // 2
    names = re.search(rf"^[ \t]*([^\n=,]+(?:,[^\n=,]+)+?)[ \t]*=[ \t]*{state}[ \t]*$", text.text, re.MULTILINE)
    text.sub(rf"^[ \t]*[^\n=]*=[ \t]*(?:{params}|{state})[ \t]*$", "", re.MULTILINE)
    if count % 2 or not 0 < joints <= MOST_JOINTS:
        return
    text.sub(rf"(?<!\w){state}\[(\d+)\]", lambda entry: _entry(int(entry[1]), joints))
    text.sub(rf"(?<!\w){rate}\[(\d+)\]", lambda entry: _entry(int(entry[1]) + joints, joints))
    own = [name.strip() for name in names[1].split(",")] if names else []
    if len(own) == count:
        header_line = "; ".join(f"{name} = {_entry(k, joints)}" for k, name in enumerate(own, 1))
        text.replace(header.start(), header.start(), f"{header_line}\n")


def _state_of_one_line(text: Rewriting) -> None:
    """Writes f(x, u) = [x[2], (u - k*x[1])/m] as equations for the rate of the state."""
    header = STATE_OF_ONE_LINE.search(text.text)
    end = closing(text.text, header.end(), "[]") if header else -1
    if header is None or end < 0:
        return
    parts = parted(text.text[header.end() + 1 : end])
    state = State(header["state"], len(parts) // 2, 1, "()")
    if len(parts) % 2 or not (equations := state.equations(parts)):
        return
    text.replace(header.start(), end + 1, equations)
    text.sub(rf"(?<!\w){state.name}\[(\d+)\]", lambda entry: state.entry(int(entry[1]) - 1))


def _entry(k: int, joints: int) -> str:
    """Returns the name of the k-th entry, from 1: coordinates come first, then rates, then accelerations."""
    heads = ("q", "qd", "qdd")
    return f"{heads[(k - 1) // joints]}({(k - 1) % joints + 1})"
