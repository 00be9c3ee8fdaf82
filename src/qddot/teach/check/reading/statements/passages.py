"""Splits a text of any format into passages that are read in one way: formulas of LaTeX, scripts, notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from qddot.teach.check.reading.dialects.common_signs import with_common_signs
from qddot.teach.check.reading.dialects.formats import LATEX, MARKDOWN, NOTEBOOK, OF_FENCE, ORG, Format, is_latex
from qddot.teach.check.reading.dialects.latex import of_latex
from qddot.teach.check.reading.dialects.linear_math import of_linear_math
from qddot.teach.check.reading.dialects.markdown import of_markdown, without_list_marks
from qddot.teach.check.reading.statements.equations import COMMAND_LINE, Passage
from qddot.teach.check.reading.texts.rewriting import PROSE, Rewriting
from qddot.teach.check.reading.texts.written import Written

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
    rf"(?<={PROSE})[^\S\n{PROSE}]*=[^\S\n]*"
    rf"(?:\((?:{_NUMBER}(?:[^\S\n]*{_UNIT})*[,;]?[^\S\n]*)+\)|[-−+]?\d+\.\d+|{_NUMBER}(?=[^\S\n]+{_UNIT}))"
    rf"(?:[^\S\n]*×[^\S\n]*10[⁻⁰¹²³⁴-⁹]+)?(?:[^\S\n]+{_UNIT})*(?![\w*^(])"
)


def passages(written: Written, form: Format) -> Iterator[Passage]:
    """Yields the passages of a text in a format."""
    if form.rewritten is not None:
        text = with_common_signs(_cleared(form.rewritten(written)))
        yield Passage(text, 0, len(text.text), latex=False, strict=True, prose=form.has_prose)
        return
    if form in (MARKDOWN, NOTEBOOK, ORG):
        written, fenced = _without_fences(written)
        for inner, language in fenced:
            yield from passages(inner, language)
    if form != LATEX:
        written = of_markdown(written)
    if form == LATEX or is_latex(written.text):
        yield from _of_latex(written, form)
        return
    written = of_linear_math(with_common_signs(without_list_marks(_cleared(written))))
    yield Passage(written, 0, len(written.text), latex=False, strict=True, prose=True)


def _of_latex(written: Written, form: Format) -> Iterator[Passage]:
    """Yields the formulas of a document, and for notes also the text between them."""
    written = Rewriting(written).sub(EQUAL_FORMULAS, " = ").sub(CONTINUED, " ").done()
    written = with_common_signs(of_latex(written))
    parts = formula_spans(written.text)
    if not parts:
        yield Passage(written, 0, len(written.text), latex=True, strict=True)
        return
    for start, end in parts:
        yield Passage(written, start, end, latex=True, strict=False)
    if form == LATEX or "\\documentclass" in written.text:
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


def formula_spans(text: str) -> list[tuple[int, int]]:
    """Returns the spans of a LaTeX document's formulas."""
    return list(_formulas(text))


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans in one pass."""
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


def _without_fences(written: Written) -> tuple[Written, list[tuple[Written, Format]]]:
    """Returns a note without its blocks of code, and these blocks with their languages."""
    fenced: list[tuple[Written, Format]] = []
    text, file = written.text, written.file or written.text
    for fence in FENCE.finditer(text):
        language = OF_FENCE.get(fence[1].lower())
        if language is not None:
            start, end = fence.span(2)
            origins = written.origins or range(len(text) + 1)
            inner = replace(written, text=text[start:end], file=file, origins=tuple(origins[start : end + 1]))
            fenced.append((inner, language))
    blanked = Rewriting(written)
    blanked.sub(FENCE, lambda fence: _blank(fence[0]) if fence[1].lower() in OF_FENCE else fence[0])
    return blanked.done(), fenced


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _cleared(written: Written) -> Written:
    """Returns a text without lines of commands and declarations, such as syms, import and clear."""
    return Rewriting(written).blank(COMMAND_LINE).done()
