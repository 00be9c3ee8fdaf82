"""Lists the formats of answers, each with how its texts are found and how they are rewritten as plain formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from qddot.teach.check.reading.dialects import sessions
from qddot.teach.check.reading.dialects.org import of_org
from qddot.teach.check.reading.dialects.pages import of_html
from qddot.teach.check.reading.dialects.typst import of_typst
from qddot.teach.check.reading.programs.python import of_python
from qddot.teach.check.reading.programs.reading import of_language
from qddot.teach.check.reading.texts.written import Written

LATEX_COMMANDS = re.compile(r"\\(?:[A-Za-z]{2,}|\[|\()|\$[^$\n]*[_^=][^$\n]*\$|\$\$")
OF_C = r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\""
OF_LATEX = (
    r"(?<!\\)%[^\n]*|\\iffalse.*?\\fi|\\begin\{(?:comment|tikzpicture)\}.*?\\end|\\\w*(?:cancel|sout|st|label|ref)\s*\{[^{}]*"
    r"(?:\{[^{}]*\}[^{}]*)*\}"
)


class Format(NamedTuple):
    """This is a format of answers.

    suffixes: of its files; fences: the names of its blocks of code in Markdown; look: a pattern of its texts
    shown: the function that returns what a page shows, without its marks
    rewritten: the function that replaces the format's notation by plain formulas, or None where these are its notation
    is_program: whether it is a program or what one prints, whose numbers have points and whose cosines take radians
    is_document: whether its formulas are set apart from the words around them
    has_prose: whether words may stand between its formulas after rewriting
    zero_based: whether indices in square brackets count from 0; primes: whether a prime is a time derivative
    comments: a pattern of what is not part of an answer, also of texts between quotation marks
    """

    name: str
    suffixes: str = ""
    fences: str = ""
    look: str = ""
    shown: Callable[[Written], Written] | None = None
    rewritten: Callable[[Written], Written] | None = None
    is_program: bool = False
    is_document: bool = False
    has_prose: bool = False
    zero_based: bool = False
    primes: bool = True
    comments: str = OF_LATEX


def of_session(written: Written) -> Written:
    """Returns the inputs and outputs in the window of a program as equations, read in the language of the program."""
    if sessions.is_of_matlab(written.text):
        return of_language("matlab", sessions.of_session(written))
    return of_python(sessions.of_session(written))


# in the order in which a text is compared with their looks
MODELICA = Format(
    "modelica",
    suffixes=".mo",
    fences="modelica",
    look=r"^\s*(?:equation|model\s+\w+)\s*$(?:.|\n)*\bder\(",
    rewritten=partial(of_language, "modelica"),
    is_program=True,
    zero_based=True,
    comments=OF_C,
)
JULIA = Format(
    "julia",
    suffixes=".jl",
    fences="julia jl",
    look=r"^\s*(?:using\s+\w+|function\s+\w+!\()|^\s*@variables\b|^julia>",
    rewritten=partial(of_language, "julia"),
    is_program=True,
    zero_based=True,
    comments=r"#=.*?=#|#[^\n]*|\"[^\"\n]*\"",
)
C = Format(
    "c",
    suffixes=".c .cpp .cc .cxx .h .hpp .js .mjs .ts .java .cs .rs .go .kt",
    fences="c cpp js javascript ts typescript java rust rs",
    look=r"^\s*#include|^\s*(?:const\s+)?double\s+\w+\s*[=;\[(]",
    rewritten=partial(of_language, "c"),
    is_program=True,
    zero_based=True,
    comments=OF_C,
)
HTML = Format(
    "html",
    suffixes=".html .htm .xhtml",
    look=r"(?is)<(?:html|body|p|div|sub|sup|math|table|br)\b[^>]*>",
    shown=of_html,
    is_document=True,
)
MATHEMATICA = Format(
    "mathematica",
    suffixes=".wl .wls .nb .mma",
    fences="mathematica wolfram",
    look=r"\b(?:Cos|Sin)\[|\(\*|^\s*\w+\s*:?=\s*\{\{",
    rewritten=partial(of_language, "mathematica"),
    is_program=True,
    zero_based=True,
    comments=r"\(\*.*?\*\)|\"[^\"\n]*\"",
)
MAXIMA = Format(
    "maxima",
    suffixes=".mac .max .wxm",
    fences="maxima",
    look=r"%pi|\$\s*$(?![^$]*\$)|\bmatrix\s*\(\s*\[|^\s*\w+\s*:\s*(?:matrix|\w+[\^*])[^\n=]*[;$]\s*$",
    rewritten=partial(of_language, "maxima"),
    is_program=True,
    zero_based=True,
    comments=r"/\*.*?\*/|\"[^\"\n]*\"",
)
MAPLE = Format(
    "maple",
    suffixes=".mpl .mw .maple",
    fences="maple",
    look=r"\bMatrix\(\[\[.*:=|^\s*\w+(?:\[\d,\d\])?\s*:=\s*(?:Matrix|<<)|\bdiff\([^()]*\(t\)\s*,\s*t\s*\$",
    rewritten=partial(of_language, "maple"),
    is_program=True,
    zero_based=True,
    comments=r"#[^\n]*|\(\*.*?\*\)|\"[^\"\n]*\"",
)
PYTHON = Format(
    "python",
    suffixes=".py .sage",
    fences="python py",
    look=r"^\s*(?:from\s+\w+\s+import|import\s+\w+)|\b(?:np|sp|sympy)\.\w+\(|^\s*def\s+\w+\(",
    rewritten=of_python,
    is_program=True,
    zero_based=True,
    comments=r"#[^\n]*|\"\"\".*?\"\"\"|'''.*?'''|\"[^\"\n]*\"|'[^'\n]*'",
)
MATLAB = Format(
    "matlab",
    fences="matlab octave m",
    look=r"^\s*(?:syms\b|function\b)|\.\*|\.\^|^\s*%",
    rewritten=partial(of_language, "matlab"),
    is_program=True,
    zero_based=True,
    comments=r"^[ \t]*%\{.*?^[ \t]*%\}|%[^\n]*|'[^'\n]*'|\"[^\"\n]*\"",
)
TYPST = Format(
    "typst",
    suffixes=".typ",
    fences="typst",
    look=r"\bmat\(|\bdot\.double\(|\bdot\(\w+\)_",
    rewritten=of_typst,
    is_document=True,
    has_prose=True,
    comments=r"//[^\n]*|/\*.*?\*/",
)
FORTRAN = Format(
    "fortran",
    suffixes=".f .for .f77 .f90 .f95 .f03 .f08",
    fences="fortran f90",
    rewritten=partial(of_language, "fortran"),
    is_program=True,
    zero_based=True,
    comments=r"^[Cc*](?![ \t]*=)(?=[ \t])[^\n]*|![^\n]*",
)
SESSION = Format("session", rewritten=of_session, is_program=True, has_prose=True)
LATEX = Format("latex", suffixes=".tex .ltx .latex", fences="latex", is_document=True)
MARKDOWN = Format("markdown", suffixes=".md .markdown .rst .qmd .rmd", is_document=True)
ORG = Format(
    "org",
    suffixes=".org",
    look=r"(?i)^#\+(?:title|begin_\w+|options)\b",
    shown=of_org,
    is_document=True,
)
NOTEBOOK = Format("notebook", suffixes=".ipynb", is_document=True, zero_based=True)
TOML, JSON, NOTES = Format("toml", suffixes=".toml"), Format("json", suffixes=".json"), Format("notes")
FORMATS = (
    *(MODELICA, JULIA, C, HTML, MATHEMATICA, MAXIMA, MAPLE, PYTHON, MATLAB, TYPST),
    *(FORTRAN, SESSION, LATEX, MARKDOWN, ORG, NOTEBOOK, TOML, JSON, NOTES),
)
OF_SUFFIX = {suffix: each for each in FORMATS for suffix in each.suffixes.split()}
OF_FENCE = {fence: each for each in FORMATS for fence in each.fences.split()}
OF_SESSIONS = ("", ".txt", ".m", ".py", ".log", ".out")  # suffixes of files that may have prompts


def is_latex(text: str) -> bool:
    """Returns whether a text has LaTeX commands."""
    return LATEX_COMMANDS.search(text) is not None


def format_of(text: str, suffix: str = "") -> Format:
    """Returns the format of a text, by the suffix of its file or by its look."""
    low = suffix.lower()
    if low in OF_SESSIONS and sessions.is_session(text):
        return SESSION
    if low == ".m":
        return MATHEMATICA if re.search(r"\b(?:Cos|Sin)\[|\(\*|\{\{", text) else MATLAB
    if low in OF_SUFFIX:
        return OF_SUFFIX[low]
    if is_latex(text):
        has_marks = re.search(r"^#{1,6} |^```", text, re.MULTILINE)
        return MARKDOWN if has_marks else LATEX if "\\begin{document" in text else NOTES
    if text.lstrip().startswith("{") and re.search(r'^\s*\{\s*"', text):
        return JSON
    return next((each for each in FORMATS if each.look and re.search(each.look, text, re.MULTILINE)), NOTES)
