"""Splits a text of any format into passages that are read in one way: formulas of LaTeX, scripts, notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from qddot.check.reading.dialects import sessions
from qddot.check.reading.dialects.c import of_c
from qddot.check.reading.dialects.common_signs import with_common_signs
from qddot.check.reading.dialects.fortran import of_fortran
from qddot.check.reading.dialects.julia import of_julia
from qddot.check.reading.dialects.latex import of_latex
from qddot.check.reading.dialects.maple import of_maple
from qddot.check.reading.dialects.markdown import of_markdown, without_list_marks
from qddot.check.reading.dialects.mathematica import of_mathematica
from qddot.check.reading.dialects.matlab import of_matlab
from qddot.check.reading.dialects.maxima import of_maxima
from qddot.check.reading.dialects.modelica import of_modelica
from qddot.check.reading.dialects.pages import of_html
from qddot.check.reading.dialects.python import of_python
from qddot.check.reading.dialects.typst import of_typst
from qddot.check.reading.signs.lexemes import is_latex
from qddot.check.reading.statements.equations import COMMAND_LINE, Passage
from qddot.check.reading.texts.linear_math import of_linear_math
from qddot.check.reading.texts.rewriting import PROSE, Rewriting
from qddot.check.reading.texts.written import Written

OPENED = re.compile(
    r"(?<!\\)\$\$|(?<!\\)\$|\\\[|\\\(|"
    r"\\begin\s{0,3}\{((?:equation|align|alignat|gather|multline|eqnarray|flalign|displaymath|math|dmath|IEEEeqnarray)"
    r"\*?)\}"
)
CLOSED = {"$$": r"(?<!\\)\$\$", "$": r"(?<!\\)\$", "\\[": r"\\\]", "\\(": r"\\\)"}
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*(\w+)[ \t]*\n(.*?)^[ \t]*(?:```|~~~)[ \t]*$", re.MULTILINE | re.DOTALL)
# a display that continues the one before it
CONTINUED = re.compile(r"(?:\\\]\s*\\\[|\$\$\s*\$\$)(?=\s*(?:\{\s*\}\s*[-+=]|[+=]))")
EQUAL_FORMULAS = re.compile(r"(?:(?<![$\\])\$|\\\))(?:[^\S\n]|~)*=(?:[^\S\n]|~)*(?:\$(?!\$)|\\\()")  # $a$ = $b$

# between words, as in "moment about O = rate of the angular momentum"
WORDS = r"(?:[^\W\d]{2,}[ \t]+){1,8}"
EQUAL_IN_WORDS = re.compile(
    rf"(?<=[A-Za-z)])[ \t]*=(?=[ \t]*{WORDS}(?:of|the|der|des|du|de|del|von)[ \t]+(?:{WORDS})?(?:[^\W\d]{{2,}}[ \t]*)?"
    rf"(?:{PROSE}|[.,;\n]|$))"
)

# a value beside a formula, as in $c_1$ = 0.92 and $q$ = (0.4 rad, 0.2 m), which says nothing without the formula
_NUMBER = r"[-−+]?\d+(?:\.\d+)?"
_UNIT = r"(?:(?:kg|rad|m|s|N|J)(?![A-Za-z])[²³/·\w]*)"
VALUE_OF_FORMULA = re.compile(
    rf"(?<={PROSE})[^\S\n]*=[^\S\n]*"
    rf"(?:\((?:{_NUMBER}(?:[^\S\n]*{_UNIT})*[,;]?[^\S\n]*)+\)|[-−+]?\d+\.\d+|{_NUMBER}(?=[^\S\n]+{_UNIT}))"
    rf"(?:[^\S\n]*×[^\S\n]*10[⁻⁰¹²³⁴-⁹]+)?(?:[^\S\n]+{_UNIT})*(?![\w*^(])"
)


def of_session(written: Written) -> Written:
    """Returns the inputs and outputs in the window of a program as equations, read in the language of the program."""
    language = of_matlab if sessions.is_of_matlab(written.text) else of_python
    return language(sessions.of_session(written))


REWRITTEN: dict[str, Callable[[Written], Written]] = {
    "python": of_python,
    "matlab": of_matlab,
    "mathematica": of_mathematica,
    "maple": of_maple,
    "maxima": of_maxima,
    "typst": of_typst,
    "c": of_c,
    "julia": of_julia,
    "modelica": of_modelica,
    "session": of_session,
    "fortran": of_fortran,
}
SUFFIXES = {
    ".toml": "toml",
    ".json": "json",
    ".ipynb": "notebook",
    ".tex": "latex",
    ".ltx": "latex",
    ".latex": "latex",
    ".py": "python",
    ".sage": "python",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".typ": "typst",
    ".wl": "mathematica",
    ".wls": "mathematica",
    ".nb": "mathematica",
    ".mpl": "maple",
    ".mw": "maple",
    ".mac": "maxima",
    ".max": "maxima",
    ".wxm": "maxima",
    ".mma": "mathematica",
    ".maple": "maple",
    ".jl": "julia",
    ".mo": "modelica",
    **dict.fromkeys((".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08"), "fortran"),
    **dict.fromkeys(
        (".c", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".js", ".mjs", ".ts", ".java", ".cs", ".rs", ".go", ".kt"), "c"
    ),
}
OF_FENCES = {"python": "python", "py": "python", "matlab": "matlab", "octave": "matlab", "mathematica": "mathematica"}
OF_FENCES |= {
    "julia": "julia",
    "jl": "julia",
    "modelica": "modelica",
    **dict.fromkeys(("c", "cpp", "js", "javascript", "ts", "typescript", "java", "rust", "rs"), "c"),
    "m": "matlab",
}
OF_FENCES |= {"maple": "maple", "maxima": "maxima", "typst": "typst", "wolfram": "mathematica", "latex": "latex"}
LOOKS = (
    ("modelica", r"^\s*(?:equation|model\s+\w+)\s*$(?:.|\n)*\bder\("),
    ("julia", r"^\s*(?:using\s+\w+|function\s+\w+!\()|^\s*@variables\b"),
    ("c", r"^\s*#include|^\s*(?:const\s+)?double\s+\w+\s*[=;\[(]"),
    ("html", r"(?is)<(?:html|body|p|div|sub|sup|math|table|br)\b[^>]*>"),
    ("mathematica", r"\b(?:Cos|Sin)\[|\(\*|^\s*\w+\s*:?=\s*\{\{"),
    ("maxima", r"%pi|\$\s*$(?![^$]*\$)|\bmatrix\s*\(\s*\[|^\s*\w+\s*:\s*(?:matrix|\w+[\^*])[^\n=]*[;$]\s*$"),
    ("maple", r"\bMatrix\(\[\[.*:=|^\s*\w+(?:\[\d,\d\])?\s*:=\s*(?:Matrix|<<)|\bdiff\([^()]*\(t\)\s*,\s*t\s*\$"),
    ("python", r"^\s*(?:from\s+\w+\s+import|import\s+\w+)|\b(?:np|sp|sympy)\.\w+\(|^\s*def\s+\w+\("),
    ("matlab", r"^\s*(?:syms\b|function\b)|\.\*|\.\^|^\s*%"),
    ("typst", r"\bmat\(|\bdot\.double\(|\bdot\(\w+\)_"),
)


def form_of(text: str, suffix: str = "") -> str:
    """Returns the format of a text, by the suffix of its file or by its look."""
    low = suffix.lower()
    if low in ("", ".txt", ".m", ".py", ".log", ".out") and sessions.is_session(text):
        return "session"
    if low == ".m":
        return "mathematica" if re.search(r"\b(?:Cos|Sin)\[|\(\*|\{\{", text) else "matlab"
    if low in SUFFIXES:
        return SUFFIXES[low]
    if is_latex(text):
        return (
            "markdown"
            if re.search(r"^#{1,6} |^```", text, re.MULTILINE)
            else "latex"
            if "\\begin{document" in text
            else ""
        )
    if text.lstrip().startswith("{") and re.search(r'^\s*\{\s*"', text):
        return "json"
    return next((form for form, look in LOOKS if re.search(look, text, re.MULTILINE)), "")


def passages(written: Written, form: str) -> Iterator[Passage]:
    """Yields the passages of a text in one of the FORMATS; "" is a note of any kind."""
    if form in REWRITTEN:
        text = with_common_signs(_cleared(REWRITTEN[form](written)))
        yield Passage(text, 0, len(text.text), latex=False, strict=True, prose=form in ("typst", "session"))
        return
    if form == "html":
        written = of_html(written)
    if form == "markdown":
        written, fenced = _without_fences(written)
        for inner, language in fenced:
            yield from passages(inner, language)
    if form in ("markdown", "html", "text", ""):
        written = of_markdown(written)
    if form == "latex" or is_latex(written.text):
        yield from _of_latex(written, form)
        return
    written = of_linear_math(with_common_signs(without_list_marks(_cleared(written))))
    yield Passage(written, 0, len(written.text), latex=False, strict=True, prose=True)


def _of_latex(written: Written, form: str) -> Iterator[Passage]:
    """Yields the formulas of a document, and for notes also the text between them."""
    written = Rewriting(written).sub(EQUAL_FORMULAS, " = ").sub(CONTINUED, " ").done()
    written = with_common_signs(of_latex(written))
    parts = list(_formulas(written.text))
    if not parts:
        yield Passage(written, 0, len(written.text), latex=True, strict=True)
        return
    for start, end in parts:
        yield Passage(written, start, end, latex=True, strict=False)
    if form == "latex" or "\\documentclass" in written.text:
        return
    text, behind, between = written.text, 0, list[str]()
    for start, end in parts:
        between += [text[behind:start], re.sub(r"[^\n]", PROSE, text[start:end])]
        behind = end
    rest = replace(written, text="".join([*between, text[behind:]]), file=written.file or text)
    rest = Rewriting(rest).sub(r"\$+|\\[\[\]()]|\\(?:begin|end)\{[^{}]*\}", PROSE).done()
    rest = Rewriting(rest).sub(VALUE_OF_FORMULA, PROSE).sub(EQUAL_IN_WORDS, PROSE).done()
    rest = without_list_marks(rest)
    yield Passage(rest, 0, len(rest.text), latex=False, strict=False, prose=True)


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans of a LaTeX document's formulas, in one pass."""
    at, unclosed = 0, set[str]()
    while opened := OPENED.search(text, at):
        sign = opened[0]
        closing = CLOSED.get(sign) or rf"\\end\s{{0,3}}\{{{re.escape(opened[1])}\}}"
        closed = None if closing in unclosed else re.compile(closing).search(text, opened.end())
        if closed is None:
            unclosed.add(closing)
            at = opened.end()
        else:
            yield opened.end(), closed.start()
            at = closed.end()


def _without_fences(written: Written) -> tuple[Written, list[tuple[Written, str]]]:
    """Returns a note without its blocks of code, and these blocks with their languages."""
    fenced: list[tuple[Written, str]] = []
    text, file = written.text, written.file or written.text
    for fence in FENCE.finditer(text):
        language = OF_FENCES.get(fence[1].lower())
        if language:
            start, end = fence.span(2)
            origins = written.origins or range(len(text) + 1)
            inner = replace(written, text=text[start:end], file=file, origins=tuple(origins[start : end + 1]))
            fenced.append((inner, language))
    blanked = Rewriting(written)
    blanked.sub(FENCE, lambda fence: _blank(fence[0]) if fence[1].lower() in OF_FENCES else fence[0])
    return blanked.done(), fenced


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _cleared(written: Written) -> Written:
    """Returns a text without lines that only declare or calculate."""
    return Rewriting(written).blank(COMMAND_LINE).done()
