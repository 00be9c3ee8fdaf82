"""Finds formulas in a LaTeX document that stand outside its displays and $…$, where only words are expected."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.reading.dialects.formats import LATEX, Format
from qddot.teach.check.reading.dialects.latex import COMMENT, VERBATIM
from qddot.teach.check.reading.statements.passages import formula_spans
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

PREAMBLE = re.compile(r"\A.*?(?=\\begin\s*\{document\})", re.DOTALL)
# name = …, with a command or an index that only formulas have, in the same paragraph
EQUATION = re.compile(
    r"(?<![\w\\{\[,=])(?P<name>\\?[A-Za-z]+(?:\s*_\s*(?:\w|\{[^{}=]*\}))?(?:\s*\([^()=\n]*\))?)\s*&?\s*=(?!=)\s*"
    r"(?P<value>(?:(?!\\end\s*\{document\}|\n\s*\n).){1,2000})",
    re.DOTALL,
)
OF_FORMULAS = re.compile(
    r"\\(?:begin\s*\{\s*(?:[bpvBV]?(?:small)?matrix|array|cases)|[td]?frac|sin|cos|d{1,2}ot|sqrt|theta|left)(?![A-Za-z])|"
    r"(?<=\w)\s*[_^]\s*[\w{\\]"
)


def outside_math(written: Written, form: Format) -> Iterator[Unread]:
    """Yields each equation between the formulas of a document, which TeX would refuse to typeset."""
    if form != LATEX and "\\documentclass" not in written.text:
        return
    text = Rewriting(written).blank(COMMENT.pattern).blank(VERBATIM.pattern, re.DOTALL)
    spans = formula_spans(text.text)
    if not spans:
        return  # the whole text is read as formulas
    behind, words = 0, list[str]()
    for start, end in [*spans, (len(text.text), len(text.text))]:
        words += [text.text[behind:start], re.sub(r"[^\n]", "\n", text.text[start:end])]
        behind = end
    between = PREAMBLE.sub(lambda preamble: re.sub(r"[^\n]", "\n", preamble[0]), "".join(words))
    for equation in EQUATION.finditer(between):
        if OF_FORMULAS.search(equation["value"]) is None:
            continue
        where = written.where(equation.start())
        error = ExpressionError("outside-formulas")
        yield Unread.because(" ".join(equation[0].split())[:80], where, error)
