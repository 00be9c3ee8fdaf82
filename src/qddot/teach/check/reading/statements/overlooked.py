"""Finds entries that an answer states only where nothing is read: beside formulas, or in unusual commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.reading.dialects.formats import Format
from qddot.teach.check.reading.names.left_sides import left_of
from qddot.teach.check.reading.names.letters import is_sure
from qddot.teach.check.reading.signs.lexemes import lexemes
from qddot.teach.check.reading.statements.claims import Claim, Item
from qddot.teach.check.reading.statements.equations import IsName
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

# an entry such as M12, M_{12}, \tau_1, M₁₂ or M(1,2), followed by '=', an arrow or words
ENTRY = r"(?<![\w\\.])(\\?[A-Za-zτΓ]+(?:_?\d+|_\{\d(?:,?\d)*\}|[₀-₉]+)|[A-Z]\(\d,\d\))"
ARGUMENTS = r"(?:\([^()=\n]{0,40}\))?"
# G2 = …, G2 -> … or "G2 is m2*g", but not a declaration
DECLARATION = r"(?!\s*(?:\w+\.)?(?:symbols|Symbol|dynamicsymbols|sym|var)\()"
VALUE = r"(?P<value>-?\d|zero\b|-?[\w.]+\s*[*^])"
SAID = rf"(?:\s*(?::?=(?!=){DECLARATION}|->|→)|[ \t]*(?:~|\b(?:is|equals)\b)[ \t]*{VALUE})"
ENTRY_SAID = re.compile(rf"{ENTRY}{ARGUMENTS}{SAID}|\bdef[ \t]+{ENTRY}\(")
DECORATED = re.compile(r"\\(?:hat|bar|tilde|check|breve|overline|widehat|widetilde|mathring|dot|ddot)\s*\{?\s*$")
NO_COMMENTS = r"<!--.*?-->|<(?:s|del|strike)\b.*?</|~~.*?~~"


def overlooked(written: Written, form: Format, items: Sequence[Item], is_symbol: IsName) -> Iterator[Unread]:
    """Yields the first place of each entry that a text states outside of comments and that no item contains.

    is_symbol: whether a name is a symbol of the arm, and thus not an entry: J1 = symbols("J1")
    """
    text = Rewriting(written).blank(form.comments, re.DOTALL | re.MULTILINE)
    text.blank(NO_COMMENTS, re.DOTALL)
    read = {item.left.key for item in items if isinstance(item, Claim)}
    arrays = {item.left.text.split("[")[0] for item in items if isinstance(item, Claim)} if form.is_program else set()
    other_texts = "\n".join(item.text for item in items if not isinstance(item, Claim))
    spoken = {item.where for item in items if isinstance(item, Claim) and item.about}
    for stated in ENTRY_SAID.finditer(text.text):
        name = Written(stated[1] or stated[3])
        left = left_of(lexemes(name), name)
        is_spoken = stated["value"] is not None and text.done().where(stated.start("value")) in spoken
        if is_spoken or DECORATED.search(text.text, max(0, stated.start() - 20), stated.start()):
            continue
        if "(" in name.text and name.text.split("(")[0] in arrays:
            continue
        if is_sure(left) and not is_symbol(name.text) and left.key not in read and name.text not in other_texts:
            read.add(left.key)
            where = text.done().where(stated.start())
            error = ExpressionError("formula-not-read", where=where, name=left.text)
            yield Unread.because(" ".join(stated[0].split()), where, error)
