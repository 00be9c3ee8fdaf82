"""Converts what scripts in Python, SymPy, MATLAB, Octave and Julia have in common."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.lists import pairs_of
from qddot.teach.check.reading.dialects.program_names import MODULE
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing

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
TARGET = r"[A-Za-z]\w*(?:\[[\d, ]*\])*"
TUPLE = re.compile(rf"^([ \t]*)({TARGET}(?:[ \t]*,[ \t]*{TARGET})+)[ \t]*=(?!=)[ \t]*([^\n]+)$", re.MULTILINE)
VECTOR = re.compile(r"\s*[A-Za-z]\w*\s*,?\s*")
RIGHT = r"((?:\[[^\[\]\n]*\]|[^\n;\[])+)"  # an expression, in whose columns semicolons stand
SOLVED = (
    re.compile(rf"^([ \t]*)(\w+)[ \t]*=[ \t]*{MODULE}(?:linalg\.)?(?:inv|pinv)\((\w+)\)[ \t]*[*@][ \t]*{RIGHT}", re.M),
    re.compile(
        rf"^([ \t]*)(\w+)[ \t]*=[ \t]*{MODULE}linalg\.solve\([ \t]*(\w+)[ \t]*,[ \t]*([^\n;]+)\)[ \t]*;?$", re.M
    ),
    re.compile(rf"^([ \t]*)(\w+)[ \t]*=[ \t]*(\w+)[ \t]*\\[ \t]*{RIGHT}", re.M),
    re.compile(r"^([ \t]*)(\w+)[ \t]*=[ \t]*(\w+)\.(?:LUsolve|solve)\(([^\n;]+)\)[ \t]*$", re.M),
    re.compile(r"^([ \t]*)(\w+)[ \t]*=[ \t]*(\w+)\.inv\(\)[ \t]*[*@][ \t]*([^\n;]+)", re.M),
)
SOLVING = re.compile(r"linalg\.solve(?=\()")


def of_torques(text: Rewriting) -> None:
    """Writes torques that are functions of time and state, tau(t, z), as tau."""
    text.sub(r"(?<![\w.])(tau|u)\([ \t]*t[ \t]*(?:,[ \t]*\w+[ \t]*)*\)", lambda match: match[1])


def of_solutions(text: Rewriting) -> None:
    """Writes solutions of the equations of motion, qdd = inv(M)*(tau - h), as M*qdd = (tau - h)."""
    for call in SOLVING.finditer(text.text):
        for k in range(call.end(), closing(text.text, call.end(), "()")):
            if text.text[k] == "\n":
                text.replace(k, k + 1, " ")
    for solved in SOLVED:
        text.sub(solved, lambda match: f"{match[1]}{match[3]}*{match[2]} = ({match[4].rstrip()})")


def of_parallel(text: Rewriting) -> None:
    """Splits a, b = x, y into two equations; an unpacked vector, such as q1, q2 = q, is removed."""
    text.sub(TUPLE, _apart)


def _apart(parallel: re.Match[str]) -> str:
    """Returns a = x; b = y for a, b = x, y, and nothing for a, b = v."""
    if VECTOR.fullmatch(parallel[3]):
        return ""
    pairs = pairs_of(parallel[2], parallel[3])
    return parallel[1] + "; ".join(f"{name} = {value}" for name, value in pairs) if pairs else parallel[0]
