"""Converts programs in C, C++, Java, JavaScript, Rust and similar languages to the equations that they compute."""

from __future__ import annotations

import re
from math import isqrt

from qddot.teach.check.reading.dialects.assignments import of_assignments
from qddot.teach.check.reading.dialects.braces import of_functions, of_macros
from qddot.teach.check.reading.dialects.extents import start_of_operand
from qddot.teach.check.reading.dialects.lists import matrix_of, pairs_of, rows_of
from qddot.teach.check.reading.dialects.program_names import FIELD, of_camel
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, parted
from qddot.teach.check.reading.texts.written import Written

NUMERIC = r"double|float|real_t|real|Real|long|int|auto|f64|f32|number|unsigned|size_t|usize|boolean|bool|String|void"
OF_EIGEN = (
    r"(?:Eigen::)?(?:Matrix|Vector|RowVector|Array)\w*(?:<[^<>;\n]*>)?|std::\w+<[^;=\n]*?>|(?:Vec|Mat)\w*(?:<[^<>]*>)?"
)
MODIFIER = "val|const|static|constexpr|final|var|let|mut|inline|public|private|protected|pub|export"
TYPE = rf"(?:(?:{MODIFIER}|{NUMERIC}|{OF_EIGEN})\b(?:\[\])*)"
DECLARED = re.compile(
    rf"((?:^|(?<=[;{{}}(]))[ \t]*)(?:{TYPE}[ \t\n&*]*)+(?:\[\]\s*)*"
    r"(?=[*&]?[^\W\d]\w*[ \t]*(?::[^=;\n]*)?(?:\[|=|,|;|<<|\())(?:(?<=\s)|(?<=[&*]))",
    re.MULTILINE,
)
IDLE = re.compile(
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
METHOD = re.compile(r"\.(cos|sin|tan|sqrt|powi|powf|pow|square)\(")


def of_c(written: Written) -> Written:
    """Returns a program in C, or in a language with its braces, as equations."""
    text = Rewriting(written).blank(r"/\*(?:.|\n)*?\*/").blank(r"//[^\n]*").blank(r"\"[^\"\n]*\"")
    is_rust = re.search(r"\bfn\s+\w+|\blet\s+(?:mut\s+)?\w+\s*(?::[^=\n]*)?=\s*\||\.powi\(", text.text) is not None
    of_macros(text)
    text.blank(r"^[ \t]*#[^\n]*", re.MULTILINE).blank(UNPACKED).sub(UNPACKED_TUPLE, _apart).sub(PREFIX, "")
    text.sub(r"(?<![\w.])(Cos|Sin|Tan|Sqrt|Pow)(?=\()", lambda match: match[1].lower())
    text.sub(r"(?<!\w)(?:\w*[aA]rrayOf|[lL]istOf)(?=\()", "Array")
    text.sub(ZEROS_OF_EIGEN, "zeros((1))").sub(r"(?<![\w.])(sin|cos|tan|sqrt)f(?=\()", lambda match: match[1])
    _constructors(text)
    of_functions(text, last_is_returned=is_rust)
    text.blank(IDLE)
    _methods(text)
    _without_types(text)
    of_assignments(text)
    _powers(text)
    _streams(text)
    _lists(text)
    text.sub(ENTRY_OF_EIGEN, lambda match: match[1] + "".join(f"[{k}]" for k in re.findall(r"\d", match[2])))
    text.sub(r"(?<=\d)(?:\.0)?_?[fF](?:32|64)?(?!\w)", "").sub(PI, "pi").sub(r"(?<=\w)_rad(?!\w)", "")
    of_camel(text)
    return text.sub(r"[{}]", " ").done()


def _apart(unpacked: re.Match[str]) -> str:
    """Returns let (a, b) = (x, y); as two assignments."""
    pairs = pairs_of(unpacked["names"], unpacked["values"])
    return " ".join(f"let {name} = {value};" for name, value in pairs) or unpacked[0]


def _without_types(text: Rewriting) -> None:
    """Replaces declarations by their assignments, and removes those without values."""
    text.sub(DECLARED, lambda match: match[1])
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
        rows = rows_of(entries, columns if columns**2 == len(entries) else 1)
        text.replace(match.start(), end, f"{match['name']} = [{'; '.join(', '.join(row) for row in rows)}]")


def _constructors(text: Rewriting) -> None:
    """Writes Matrix2::new(a, b, c, d) of nalgebra as [[a, b], [c, d]]."""
    while constructor := CONSTRUCTOR.search(text.text):
        end = closing(text.text, constructor.end() - 1, "()")
        if end < 0:
            return
        entries = [each.strip() for each in parted(text.text[constructor.end() : end])]
        columns = isqrt(len(entries)) if constructor["kind"] == "Matrix" else 1
        text.replace(constructor.start(), end + 1, matrix_of(rows_of(entries, columns)))


def _methods(text: Rewriting) -> None:
    """Writes x.cos() as cos(x), x.powi(2) as (x)^2, and let (s, c) = x.sin_cos() as s = sin(x); c = cos(x)."""
    text.sub(
        r"(?:let\s*)?\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*=\s*([^;\n]+?)\.sin_cos\(\)",
        lambda match: f"{match[1]} = ({match[3]}).sin(); {match[2]} = ({match[3]}).cos()",
    )
    at = 0
    while method := METHOD.search(text.text, at):
        start, end = start_of_operand(text.text, method.start()), closing(text.text, method.end() - 1, "()")
        at = method.end()
        if not start < method.start() <= end:
            continue
        of, inside = text.text[start : method.start()], text.text[method.end() : end].strip()
        power = inside if method[1].startswith("pow") else "2" if method[1] == "square" else ""
        new = f"(({of})^({inside}))" if power and not power.isdigit() else f"(({of})^{power})"
        text.replace(start, end + 1, new if power else f"{method[1]}({of})")
        at = start


def _powers(text: Rewriting) -> None:
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
