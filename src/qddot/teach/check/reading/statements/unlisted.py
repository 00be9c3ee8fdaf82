"""Reads sentences which say that entries are zero: "entries that are not listed are zero" is about the next quantity,
"all others are zero" about the last one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from qddot.teach.check.reading.dialects.formats import Format, is_latex
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.signs.lexemes import lexemes
from qddot.teach.check.reading.statements.claims import Claim, Item, Leaf
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

SENTENCE = re.compile(r"(?i)entries (?:that are )?not listed are zero\b|未列出的元素均为零")
# An entry is zero where the words say so: not where it follows by symmetry, or is zero under a condition only
ZERO = r"(?:zero|nil|null|0(?![\d.*/]))"
CONDITION = (
    r"(?![ \t]*,?[ \t]*(?:if|when|where|for|at|only|unless|except|but|or|and|wenn|falls|für|bei|außer|oder|und)\b|"
    r"[ \t]*[,，]?[ \t]*(?:当|除|或))"
)
OF = r"(?:[ \t]+(?:of|in|von)[ \t]+(?:the[ \t]+\w+[ \t]+matrix[ \t]*)?\$?(?P<{}>[A-Za-z])?\$?(?:\([^()\n]*\))?)?"
ENGLISH = (
    r"(?:\ball[ \t]+)?\b(?:the[ \t]+)?(?:other|remaining)s?"
    r"(?:[ \t]+(?:entry|entries|elements?|components?|terms?|ones))?"
    rf"{OF.format('of')}[ \t]+(?:vanish(?:es)?|(?:is|are|being|=)[ \t]+(?:all[ \t]+)?{ZERO})|"
    rf"\b(?:the[ \t]+)?rest{OF.format('rest_of')}[ \t]+(?:vanishes|(?:is|are|=)[ \t]+(?:all[ \t]+)?{ZERO})"
)
GERMAN = (
    r"\b(?:alle|die)(?:[ \t]+die)?[ \t]+(?:anderen|übrigen|restlichen)"
    r"(?:[ \t]+(?:Einträge|Elemente|Komponenten|Terme))?"
    rf"{OF.format('von')}[ \t]+(?:verschwinden|(?:sind|=)[ \t]+(?:alle[ \t]+)?{ZERO})"
)
CHINESE = r"(?:其余|其他|其它)(?:各)?(?:元素|项|分量)?(?:均|都|全)?(?:为|是|等于|=)?(?:零|0(?![\d.*/]))"
# speaks of the quantity that is listed before it
OTHERS = re.compile(
    rf"(?i)(?<!\d )(?<!not )(?<!not all )(?<!not all the )(?:{ENGLISH}|{GERMAN}|{CHINESE})(?!\w){CONDITION}[.;。；]?"
)
OTHER_MARK = "otherzero"
MARK = "unlistedzero"  # replaces the sentence among the equations
OF_ENTRIES = ("M", "C", "B", "C2", "h", "G", "christoffel")


def marked(written: Written, form: Format) -> Written:
    """Returns a document or notes with an equation in place of each such sentence."""
    if form.is_program:
        return written
    sign = "$" * (form.is_document or is_latex(written.text))
    written = Rewriting(written).sub(OTHERS, lambda said: f"\n{sign}{OTHER_MARK}{_name(said)} = 0{sign}\n").done()
    if not form.is_document:
        return written
    return Rewriting(written).sub(SENTENCE, f" ${MARK} = 0$ ").done()


def _name(said: re.Match[str]) -> str:
    return said["of"] or said["rest_of"] or said["von"] or ""


def with_zeros(items: Iterable[Item]) -> Iterator[Item]:
    """Yields the items, with a claim of zeros for each sentence: before the next quantity, or where the sentence is."""
    before, last = None, dict[str, Claim]()
    for item in items:
        if isinstance(item, Claim) and item.left.key.startswith(OTHER_MARK):
            of = last.get(item.left.key.removeprefix(OTHER_MARK))
            yield from [_zeros(of, item.where)] if of else []
            continue
        if (
            isinstance(item, Claim)
            and item.left.indices
            and any(x.quantity in OF_ENTRIES for x in candidates(item.left))
        ):
            last[""] = last[item.left.head] = item
        if isinstance(item, Claim) and item.left.key == MARK:
            before = item
            continue
        if before is not None and isinstance(item, Claim):
            if item.left.indices and any(each.quantity in OF_ENTRIES for each in candidates(item.left)):
                yield _zeros(item, before.where)
            before = None
        yield item


def _zeros(first: Claim, where: str) -> Claim:
    """Returns the claim that the unlisted entries of a quantity are zero."""
    text = Written("zeros(1)")
    left = first.left._replace(key=first.left.head, indices=(), cell=())
    leaf = Leaf((), text, lexemes(text), latex=False)
    return first._replace(left=left, leaves=(leaf,), where=where, name=None)
