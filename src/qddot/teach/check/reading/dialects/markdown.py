"""Converts Markdown and reStructuredText to plain text, and removes list marks, headings and arrows from notes."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.tables import of_tables
from qddot.teach.check.reading.texts.rewriting import PROSE, Rewriting
from qddot.teach.check.reading.texts.written import Written

TAG = re.compile(
    r"</?(?:a|br|div|span|p|details|summary|img|b|i|u|em|strong|hr|center|font|small|table|t[rdh]|ul|ol|li|h\d)\b[^<>\n]{0,300}>"
)
STRUCK = re.compile(r"(?<!~)~~(?!~)(?:[^~]|~(?!~))*~~(?!~)")
QUOTED = re.compile(r"^[ \t]{0,3}>[ \t]+(?=[A-Za-z$\\|])", re.MULTILINE)
UNFINISHED = re.compile(r"[\w)\]'] *[*/^+-] *[\w(\[\\].*[\w)\]'}] *$")
LIST_MARK = re.compile(
    r"^[ \t>]*(?:[-*•+][ \t]+(?=[^\n]*=|\W*[^\W\d]{3,}[^\n=+*/^\d]*$)|"
    r"\(?(?:\d{1,2}|[a-hivx]{1,3})[.)][ \t]+|#{1,6}[ \t][^\n]*)",
    re.MULTILINE,
)
# words such as Step 2. and link 1, whose numbers belong to no formula
NUMBERED_WORDS = (
    r"(?:steps?|schritt|problem|aufgabe|question|part|exercise|task|equations?|fig(?:ure)?|section|chapter|page|table|"
    r"links?|joints?|frames?|glied|gelenk|body|rod|row|column|case|no\.|nr\.|ex\.|prob\.)[ \t]*"
)
NUMBERED = re.compile(  # the bracket in "from link 1)" closes another one
    rf"(?:^[ \t]*{NUMBERED_WORDS}\d+[a-z]?\)|\b{NUMBERED_WORDS}(?:\(\d+(?:\.\d+)*[a-z]?\)|\d+(?:\.\d+)*[a-z]?)[.:]?)"
    r"(?![\w*/^+=-])",
    re.IGNORECASE | re.MULTILINE,
)
# between sentences: arrows, dashes, abbreviations
ARROW = re.compile(
    r"<?[=-]+>(?!=)(?=[^\n]*=|[ \t]*(?:\n|$)|\s*[^\W\d]{3,}\s)|(?<=[ \t])(?:--|[–—])(?=[ \t]+[A-Za-z]{3,})|"
    r"\b(?:i\.e|e\.g|c\.o\.m|w\.r\.t|cf|eq|eqs|resp|etc|viz)\.",
    re.IGNORECASE,
)


def of_markdown(written: Written) -> Written:
    """Returns a text without the marks of Markdown, and without struck-out text."""
    text = Rewriting(written).blank(STRUCK).blank(r"^[ \t]*(?:```|~~~)[^\n]*", re.MULTILINE)
    text.blank(QUOTED).sub(r"\\([_*])", lambda sign: sign[1])
    of_tables(text)
    text.blank(r"^[ \t]*\|?[ \t:|+-]*-{3,}[ \t:|+-]*$", re.MULTILINE).blank(r"(?<=\])\(#[^()\s]*\)")  # rules, links
    text.blank(r"^[ \t]*={3,}[ \t]*$|^[ \t]*\.\.[ \t]+[\w-]+::[^\n]*", re.MULTILINE)  # of reStructuredText
    text.sub(r"(?i)<sub>\s*", "_{").sub(r"(?i)<sup>\s*", "^{").sub(r"(?i)\s*</su[bp]>", "}").blank(TAG).sub("`", " ")
    text.sub(r"\*\*(?=[^\s*][^*\n]*\*\*(?!\w))([^*\n]*)\*\*", lambda match: f"  {match[1]}  ")
    return text.sub(r"^[ \t]*\|(?=[^\n]*=)|\|[ \t]*$", " ", re.MULTILINE).done()


def without_list_marks(written: Written) -> Written:
    """Returns a text without list marks, headings, arrows and dashes."""
    text = Rewriting(written).sub(LIST_MARK, lambda mark: mark[0] if _is_sign(mark) else " " * len(mark[0]))
    return text.sub(NUMBERED, PROSE).sub(ARROW, PROSE).done()


def _is_sign(mark: re.Match[str]) -> bool:
    """Returns whether a dash before a formula is a minus: the line above is a formula that has no '=' yet."""
    above = mark.string[: mark.start()].split("\n")[-2:-1]
    is_formula = any("=" not in line and UNFINISHED.search(line) for line in above)
    return mark[0].strip() in ("+", "-") and is_formula
