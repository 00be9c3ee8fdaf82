"""Converts the formulas of Typst documents to plain equations, and separates those from the words between them."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import PROSE, Rewriting, closing, parted
from qddot.teach.check.reading.texts.written import Written

# Typst: an equation whose name and terms are arguments of a layout function, as in reports
LAID_OUT = re.compile(
    r"^[ \t]*\(\$display\(([^$\n]*) =\)\$, \((\$[^\n]*\$),\), (?:\d+|none), (?:true|false)\),\)?$", re.MULTILINE
)
ATTACHED = re.compile(
    r"(?<!\w)attach\(([^(),]*|[a-z.]+\([^(),]*\)), tl: [^,()]*(?:, b: ((?:\"[^\"]*\"|[^,()\"])*))?(?:, t: ([^,()]*))?\)"
)


def of_typst(written: Written) -> Written:
    """Returns the formulas of a Typst document, with separators in place of words between them."""
    text = Rewriting(written).blank(r"//[^\n]*|/\*(?:.|\n)*?\*/")
    text.sub(LAID_OUT, _laid_out)
    if "$" in text.text:
        _only_formulas(text)
    text.sub(r"(?<!\w)plus(?!\w)", "+").sub(r"(?<!\w)minus(?!\w)", "-").sub(r"(?<!\w)slash(?!\w)", "/").sub(
        r"(?<!\w)integral(?!\w)", "∫"
    )
    text.sub(r"(?<![\w.])sum(?=_\()", "∑")
    text.sub(ATTACHED, lambda match: match[1] + (f"_({match[2]})" if match[2] else ""))
    text.sub(r"\"([(),])\"", lambda match: match[1])  # signs in quotes, as in C^("("2")")
    text.sub(r"\"(exp|Ad|ad|Tr|det)\"", lambda match: f" {match[1]}")
    text.sub(r"(?<=_)\"([^\"\n]*)\"", lambda match: f"{{{match[1]}}}")
    text.sub(r"([_^])\(([^()]*)\)", lambda match: f"{match[1]}{{{_without_blanks(match[2])}}}").sub(
        r"\"[^\"\n]*\"", PROSE
    )
    text.sub(r"(?<!\w)comma(?!\w)", ",")
    text.sub(r"(?<!\w)bracket\.([lr])(?!\w)", lambda match: "[" if match[1] == "l" else "]")
    text.sub(r"(?<!\w)paren\.([lr])(?!\w)", lambda match: "(" if match[1] == "l" else ")").sub(
        r"(?<!\w)macron\((\w+)\)", lambda match: f"\\bar{{{match[1]}}}"
    )
    text.sub(r"(?<!\w)dot\.double\(([^()]*)\)", lambda match: f"\\ddot{{{match[1]}}}")
    text.sub(r"(?<!\w)(?:diaer|dot\.dot)\(([^()]*)\)", lambda match: f"\\ddot{{{match[1]}}}")
    text.sub(r"(?<!\w)dot\(([^()]*)\)", lambda match: f"\\dot{{{match[1]}}}")
    text.sub(r"(?<![\\\w])(?:dot\.op|dot\.c|times|dot)(?![\w({])", "*").sub(
        r"(?<!\w)(?:quad|wide|thin|med|thick)(?!\w)", r"\quad "
    )
    text.sub(r"(?<!\w)(?:bold|upright|italic|cal|bb|hat|arrow)\((\w+)\)", lambda match: match[1])
    text.sub(r"(?<!\w)partial(?!\w)", "∂").sub(r"(?<!\w)(?:dif|upright\(d\))(?!\w)", "d")
    text.sub(r"\(\s*∂\s*(\w+)\s*\)\s*/\s*(?=\()", lambda match: f"∂ {match[1]}/").sub(r"\\(?=\s|$)", "\n").sub(
        r"&", " "
    ).sub(r"(?<!\w)(?:bold|upright|italic|cal|bb|hat|arrow|display)(?=\()", "")
    _calls(text)
    return text.done()


def _laid_out(row: re.Match[str]) -> str:
    """Returns a row of a layout function as one formula."""
    return f"${row[1]} = {row[2].replace('$, $', ' ').strip('$')}$"


def _without_blanks(index: str) -> str:
    """Returns an index without blanks and quotes."""
    return re.sub(r"[\s\"]+", "", index)


def _only_formulas(text: Rewriting) -> None:
    """Replaces the words between formulas by blanks, and the signs around formulas by separators."""
    inside, pieces = False, list[str]()
    for letter in text.text:
        if letter == "$":
            inside = not inside
            pieces.append(PROSE)
        else:
            pieces.append(letter if inside or letter == "\n" else " ")
    text.text = "".join(pieces)


def _calls(text: Rewriting) -> None:
    """Writes mat(…) and vec(…) as lists, and frac(…) as a quotient."""
    while call := re.search(r"(?<![\w\\])(mat|vec|frac)\(", text.text):
        end = closing(text.text, call.end() - 1, "()")
        if end < 0:
            return
        inner = re.sub(r"delim:[^,]*,", "", text.text[call.end() : end])
        if call[1] == "frac":
            new = "/".join(f"({part})" for part in parted(inner))
            new = f"({new})"
        elif call[1] == "vec":
            new = f"[{'; '.join(parted(inner))}]"
        else:
            new = f"[{inner}]"
        text.replace(call.start(), end + 1, new)
