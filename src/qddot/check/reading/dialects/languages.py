"""Reads functions of C, JavaScript, Julia and Modelica as the equations that they compute."""

from __future__ import annotations

import re

from qddot.check.reading.dialects.assignments import of_assignments
from qddot.check.reading.dialects.programs import FIELD, of_matlab, parallel
from qddot.check.reading.rewriting import Rewriting, closing, parted
from qddot.check.reading.written import Written

TYPES = r"(?:(?:const|static|constexpr|final|var|let|auto|double|float|real_t|real|long|Real|f64|f32|mut)\b[ \t&*]*)+"
HEADER = re.compile(
    r"^[ \t]*(?:(?:static|inline|public|private|void|double|float|function|int|auto|std::\w+(?:<[^>\n]*>)?)[ \t]+)+"
    r"\w+[ \t]*\([^;{}]*\)[^;{}]*\{",
    re.MULTILINE,
)
IDLE_IN_C = re.compile(
    r"^[ \t]*(?:#\s*(?:include|define|pragma|if|endif)|return|using|import|export|printf|std::cout)\b[^\n]*", re.M
)
DECLARED_IN_C = re.compile(rf"^([ \t]*){TYPES}(?=[A-Za-z_]\w*[ \t]*(?:\[|=|,))", re.MULTILINE)
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
    """Returns a function of C, C++, Java or JavaScript as equations."""
    text = Rewriting(written).blank(r"/\*(?:.|\n)*?\*/").blank(r"//[^\n]*").blank(HEADER).blank(IDLE_IN_C)
    text.sub(DECLARED_IN_C, lambda match: match[1]).sub(r"(?<![\w.])(?:Math|std)(?:\.|::)(?=[a-z])", "")
    of_assignments(text)
    _powers(text)
    _lists(text)
    return text.sub(r"->|(?<=[A-Za-z])\.(?=[A-Za-z]\w*)", "_").sub(r"(?<=\d)[fF](?!\w)", "").sub(r"[{}]", " ").done()


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
