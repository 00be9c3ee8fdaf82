"""Reads functions of C, JavaScript, Julia and Modelica as the equations that they compute."""

from __future__ import annotations

import re
from math import isqrt

from qddot.check.reading.dialects.assignments import of_assignments
from qddot.check.reading.dialects.braces import of_functions, of_macros
from qddot.check.reading.dialects.programs import FIELD, of_camel, of_matlab, of_methods, parallel
from qddot.check.reading.rewriting import Rewriting, closing, parted
from qddot.check.reading.written import Written

NUMERIC = r"double|float|real_t|real|Real|long|int|auto|f64|f32|number|unsigned|size_t|usize|boolean|bool|String|void"
OF_EIGEN = (
    r"(?:Eigen::)?(?:Matrix|Vector|RowVector|Array)\w*(?:<[^<>;\n]*>)?|std::\w+<[^;=\n]*?>|(?:Vec|Mat)\w*(?:<[^<>]*>)?"
)
MODIFIER = "const|static|constexpr|final|var|let|mut|inline|public|private|protected|pub|export"
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
PREFIX = re.compile(r"(?<![\w.])(?:Math|math|std|Eigen|f64|f32|consts|numbers|libm|np)(?:\.|::)(?=[A-Za-z])")
PI = re.compile(r"(?<!\w)(?:M_PI|PI)(?!\w)")
OF_LINK = re.compile(r"(?<![\w.])[A-Za-z]+?_?(\d)\.([A-Za-z]+)(?![\w(])")  # link1.m is m1
ENTRY_OF_EIGEN = re.compile(r"(?<![\w.])([A-Za-z]\w*)\((\d(?:[ ]*,[ ]*\d)?)\)")
DECLARED_IN_MODELICA = re.compile(
    r"(?:^|(?<=;))[ \t]*(?:parameter|constant|input|output|final|Real|Modelica\.[\w.]+|import|model|class|block|within|"
    r"annotation|initial equation|equation|algorithm|end|protected|public)\b[^;\n]*(?:;|$)",
    re.MULTILINE,
)
IDLE_IN_JULIA = re.compile(
    r"^[ \t]*(?:using|import|@unpack|@variables|@parameters|@named|@syms|return|println|plot|prob|sol|end|begin|let|"
    r"struct|mutable)\b[^\n]*|^[ \t]*D[ \t]*=[ \t]*Differential\(t\)[^\n]*",
    re.MULTILINE,
)
FUNCTION_OF_JULIA = re.compile(
    r"^[ \t]*function[ \t]+[\w!.]+\(\s*(?P<rate>\w+)\s*,\s*(?P<state>\w+)\s*,\s*(?P<given>\w+)\s*,\s*t\s*\)[^\n]*$",
    re.MULTILINE,
)
SINE_AND_COSINE = re.compile(r"^([ \t]*)([^\W\d]\w*)[ \t]*,[ \t]*([^\W\d]\w*)[ \t]*=[ \t]*sincos\(([^()\n]*)\)", re.M)
MOST_JOINTS = 30


def of_c(written: Written) -> Written:
    """Returns a program of C, C++, Java, JavaScript or Rust as equations."""
    text = Rewriting(written).blank(r"/\*(?:.|\n)*?\*/").blank(r"//[^\n]*").blank(r"\"[^\"\n]*\"")
    is_rust = re.search(r"\bfn\s+\w+|\blet\s+(?:mut\s+)?\w+\s*(?::[^=\n]*)?=\s*\||\.powi\(", text.text) is not None
    of_macros(text)
    text.blank(r"^[ \t]*#[^\n]*", re.MULTILINE).blank(UNPACKED).sub(PREFIX, "")
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


def _without_types(text: Rewriting) -> None:
    """Leaves of declarations with values their assignments, and nothing of those without."""
    text.sub(DECLARED_IN_C, lambda match: match[1])
    text.sub(r"(?<![\w)\]])[*&](?=[A-Za-z])", "").sub(r"->", ".").sub(OF_LINK, lambda match: f"{match[2]}{match[1]}")
    text.sub(FIELD, "").sub(r"(?<![\w.])(?:self|this)\.", "")
    text.blank(r"(?:^|(?<=;))[ \t]*[^\W\d]\w*(?:\[\d*\])*(?:[ \t]*,[ \t]*[^\W\d]\w*(?:\[\d*\])*)*[ \t]*(?=;)", re.M)


def _streams(text: Rewriting) -> None:
    """Writes M << a, b, c, d of Eigen as M = [a, b; c, d]."""
    while found := re.search(r"(?<![\w.])(?P<name>[^\W\d]\w*)\s*<<\s*", text.text):
        end = text.text.find(";", found.end())
        end = end if end >= 0 else len(text.text)
        entries = [each.strip() for each in parted(text.text[found.end() : end])]
        columns = isqrt(len(entries))
        is_square = columns**2 == len(entries) and columns > 1
        rows = (
            [entries[k : k + columns] for k in range(0, len(entries), columns)] if is_square else [[e] for e in entries]
        )
        text.replace(found.start(), end, f"{found['name']} = [{'; '.join(', '.join(row) for row in rows)}]")


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
    while found := array.search(text.text):
        end = closing(text.text, found.end())
        if end < 0:
            return
        inside = text.text[found.end() : end + 1].translate(str.maketrans("{}", "[]"))
        text.replace(found.start(), end + 1, f"{found[1]} = {inside}")


def of_modelica(written: Written) -> Written:
    """Returns the equations of a model in Modelica."""
    text = Rewriting(written).blank(r"/\*(?:.|\n)*?\*/").blank(r"//[^\n]*").blank(r"\"[^\"\n]*\"")
    return text.blank(DECLARED_IN_MODELICA).sub(r"\[(\d)\]", lambda match: f"({match[1]})").done()


def of_julia(written: Written) -> Written:
    """Returns a script of Julia as equations; D(x) ~ a of ModelingToolkit is one, too."""
    text = Rewriting(written).blank(r"#=(?:.|\n)*?=#").blank(r"#[^\n]*").blank(r"\"[^\"\n]*\"")
    text.blank(r"^[ \t]*\([ \t]*;[^()\n]*\)[ \t]*=[ \t]*\w+[ \t]*$", re.MULTILINE).sub(FIELD, "")
    _states(text)
    text.blank(r"^[ \t]*function\b[^\n]*", re.MULTILINE).blank(IDLE_IN_JULIA).sub(r"@(?:\.|inbounds|views?)(?=\s)", "")
    text.sub(SINE_AND_COSINE, lambda match: f"{match[1]}{match[2]} = sin({match[4]}); {match[3]} = cos({match[4]})")
    text.sub(r"(?<!\w)D\(D\(([^()]*)\)\)", lambda match: f"diff({match[1]}, t, t)")
    text.sub(r"(?<!\w)D\((?=[^()\d]*\))([^()]*)\)", lambda match: f"diff({match[1]}, t)")
    if re.search(r"[^~]~[^~]", text.text):
        text.sub(r"^[ \t]*\w+[ \t]*=[ \t]*\[(?=[^\[\]]*~)", "").sub(r"(?<!~)~(?!~)", "=")
        text.sub(r",[ \t]*\n|\n[ \t]*\][ \t]*$", "\n")
    text.sub(r"(?<=[\w)\]])\.(?=[-+*/^])|(?<=[a-z])\.(?=\()", "")
    parallel(text)
    return of_matlab(text.done())


def _states(text: Rewriting) -> None:
    """Writes the entries of the rate of a state as accelerations, in a function f!(du, u, p, t)."""
    header = FUNCTION_OF_JULIA.search(text.text)
    if header is None:
        return
    rate, state, given = header["rate"], header["state"], header["given"]
    count = max((int(k) for k in re.findall(rf"(?<!\w){rate}\[(\d+)\]", text.text)), default=0)
    joints = count // 2
    names = re.search(rf"^[ \t]*([^\n=,]+(?:,[^\n=,]+)+?)[ \t]*=[ \t]*{state}[ \t]*$", text.text, re.MULTILINE)
    text.sub(rf"^[ \t]*[^\n=]*=[ \t]*(?:{given}|{state})[ \t]*$", "", re.MULTILINE)
    if count % 2 or not 0 < joints <= MOST_JOINTS:
        return
    text.sub(rf"(?<!\w){state}\[(\d+)\]", lambda entry: _entry(int(entry[1]), joints))
    text.sub(rf"(?<!\w){rate}\[(\d+)\]", lambda entry: _entry(int(entry[1]) + joints, joints))
    own = [name.strip() for name in names[1].split(",")] if names else []
    if len(own) == count:
        header_line = "; ".join(f"{name} = {_entry(k, joints)}" for k, name in enumerate(own, 1))
        text.replace(header.start(), header.start(), f"{header_line}\n")


def _entry(k: int, joints: int) -> str:
    """Returns the name of an entry of a state, or of its rate behind it."""
    heads = ("q", "qd", "qdd")
    return f"{heads[(k - 1) // joints]}({(k - 1) % joints + 1})"
