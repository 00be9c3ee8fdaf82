"""Reads the sentence "entries that are not listed are zero", which is about the quantity listed after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from qddot.check.reading.claims import Balance, Claim, Leaf
from qddot.check.reading.equations import Fault
from qddot.check.reading.letters import candidates
from qddot.check.reading.lexemes import is_latex, lexemes
from qddot.check.reading.rewriting import Rewriting
from qddot.check.reading.written import Written

SENTENCE = re.compile(r"(?i)entries (?:that are )?not listed are zero\b|未列出的元素均为零")
# speaks of the quantity that is listed before it
OTHERS = re.compile(
    r"(?i)(?<!\d )(?:\ball[ \t]+)?\b(?:the[ \t]+)?(?:other|remaining)[ \t]+(?:entries|elements|components|terms)"
    r"(?:[ \t]+(?:of|in)[ \t]+(?:the[ \t]+\w+[ \t]+matrix[ \t]*)?\$?(?P<name>[A-Za-z])?\$?(?:\([^()\n]*\))?)?"
    r"[ \t]+(?:are|vanish|=)(?:[ \t]+(?:all[ \t]+)?(?:zero|0|nil))?\b[.;]?|"
    r"\ball[ \t]+others?[ \t]+(?:are[ \t]+)?(?:zero|0)\b[.;]?|"
    r"\b(?:the[ \t]+)?rest[ \t]+(?:is|are)[ \t]+(?:all[ \t]+)?zero\b[.;]?|"
    r"(?:其余|其他|其它)(?:各)?(?:元素|项|分量)?(?:均|都|全)?(?:为|是)?零"
)
OTHER_MARK = "otherzero"
MARK = "unlistedzero"  # replaces the sentence among the equations
WITH_FORMULAS = ("latex", "markdown", "html", "typst", "notebook")
OF_ENTRIES = ("M", "C", "B", "C2", "h", "G", "christoffel")


def marked(written: Written, form: str) -> Written:
    """Returns a document with an equation in place of each such sentence."""
    if form in ("", "text", *WITH_FORMULAS):
        sign = "$" * (form in WITH_FORMULAS or is_latex(written.text))
        written = (
            Rewriting(written).sub(OTHERS, lambda said: f"\n{sign}{OTHER_MARK}{said['name'] or ''} = 0{sign}\n").done()
        )
    if form not in WITH_FORMULAS:
        return written
    return Rewriting(written).sub(SENTENCE, f" ${MARK} = 0$ ").done()


def with_zeros(items: Iterable[Claim | Balance | Fault]) -> Iterator[Claim | Balance | Fault]:
    """Yields the items, with a claim of zeros before the first entry after each such sentence."""
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
