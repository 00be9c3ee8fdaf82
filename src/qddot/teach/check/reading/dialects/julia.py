"""Converts Julia scripts, with ModelingToolkit or without, to the equations that they compute."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.loops import of_loops_of_matlab
from qddot.teach.check.reading.dialects.matlab import of_matlab
from qddot.teach.check.reading.dialects.program_names import FIELD
from qddot.teach.check.reading.dialects.scripts import of_parallel
from qddot.teach.check.reading.dialects.states import of_states_of_julia
from qddot.teach.check.reading.programs.functions import name_output, result_of
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

IDLE = re.compile(
    r"^[ \t]*(?:using|import|@unpack|@variables|@parameters|@named|@syms|return|println|plot|prob|sol|end|begin|let|"
    r"struct|mutable)\b[^\n]*|^[ \t]*D[ \t]*=[ \t]*Differential\(t\)[^\n]*",
    re.MULTILINE,
)
# what a session prints besides values
DISPLAY = re.compile(r"^(?:julia>[ \t]*\w*[ \t]*$|\d+-element[^\n]*:[ \t]*$)", re.MULTILINE)
FUNCTION = re.compile(
    r"^(?P<indent>[ \t]*)function[ \t]+(?P<name>[\w!.]+)\((?P<arguments>[^()\n]*)\)[^\n]*\n", re.MULTILINE
)
SINE_AND_COSINE = re.compile(r"^([ \t]*)([^\W\d]\w*)[ \t]*,[ \t]*([^\W\d]\w*)[ \t]*=[ \t]*sincos\(([^()\n]*)\)", re.M)
# du[3:4] .= M \\ (τ .- h), and du[1:2] .= u[3:4] before it
SOLVED_HALF = re.compile(
    r"^([ \t]*)\w+\[\d+:\w+\][ \t]*\.?=[ \t]*(?P<M>\w+)[ \t]*\\[ \t]*(?P<rest>[^\n]+)", re.MULTILINE
)
COPIED_HALF = re.compile(r"^[ \t]*\w+\[\d+:\w+\][ \t]*\.?=[ \t]*\w+(?:\[\d+:\w+\])?[ \t]*$", re.MULTILINE)


def of_julia(written: Written) -> Written:
    """Returns a Julia script as equations; D(x) ~ a of ModelingToolkit is one, too."""
    text = Rewriting(written).blank(r"#=(?:.|\n)*?=#").blank(r"#[^\n]*").blank(r"\"[^\"\n]*\"")
    text.blank(DISPLAY).sub(r"Differential\(t\)(?=\()", "D").sub(r"(?<=\w)(?<!Differential)\(t\)(?![ \t]*=)", "")
    text.blank(r"^[ \t]*\([ \t]*;[^()\n]*\)[ \t]*=[ \t]*\w+[ \t]*$", re.MULTILINE).sub(FIELD, "")
    of_loops_of_matlab(text)
    text.sub(r"(?<=\d)//(?=\d)", "/")
    text.sub(SOLVED_HALF, lambda half: f"{half[1]}{half['M']}*qdd = {half['rest'].replace('.', '')}").blank(COPIED_HALF)
    of_states_of_julia(text)
    _functions(text)
    text.blank(r"^[ \t]*function\b[^\n]*", re.MULTILINE).blank(IDLE).sub(r"@(?:\.|inbounds|views?)(?=\s)", "")
    text.sub(SINE_AND_COSINE, lambda match: f"{match[1]}{match[2]} = sin({match[4]}); {match[3]} = cos({match[4]})")
    text.sub(r"(?<!\w)D\(D\(([^()]*)\)\)", lambda match: f"diff({match[1]}, t, t)")
    text.sub(r"(?<!\w)D\((?![\d, ]*\))([^()]*)\)", lambda match: f"diff({match[1]}, t)")
    if re.search(r"[^~]~[^~]", text.text):
        text.sub(r"^[ \t]*\w+[ \t]*=[ \t]*\[(?=[^\[\]]*~)", "", re.MULTILINE).sub(r"(?<!~)~(?!~)", "=")
        text.sub(r",[ \t]*\n|\n?[ \t]*\][ \t]*$", "\n", re.MULTILINE)
    text.sub(r"(?<=[\w)\]])\.(?=[-+*/^])|(?<=[a-z])\.(?=\()", "")
    of_parallel(text)
    return of_matlab(text.done())


def _functions(text: Rewriting) -> None:
    """Names return values after their functions; a Julia function returns the value of its last line."""
    text.sub(r"^([ \t]*)([^\W\d][\w\u0307\u0308!]*)\(([^()\n]*)\)[ \t]*=(?!=)", _function_of_one_line, re.MULTILINE)
    for function in reversed(list(FUNCTION.finditer(text.text))):
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
