"""Reads the sentence "entries that are not listed are zero", which is about the quantity listed after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from qddot.check.reading.claims import Balance, Claim, Leaf
from qddot.check.reading.equations import Fault
from qddot.check.reading.letters import candidates
from qddot.check.reading.lexemes import lexemes
from qddot.check.reading.rewriting import Rewriting
from qddot.check.reading.written import Written

SENTENCE = re.compile(r"(?i)entries (?:that are )?not listed are zero\b|未列出的元素均为零")
MARK = "unlistedzero"  # replaces the sentence among the equations
WITH_FORMULAS = ("latex", "markdown", "html", "typst", "notebook")
OF_ENTRIES = ("M", "C", "B", "C2", "h", "G", "christoffel")


def marked(written: Written, form: str) -> Written:
    """Returns a document with an equation in place of each such sentence."""
    if form not in WITH_FORMULAS:
        return written
    return Rewriting(written).sub(SENTENCE, f" ${MARK} = 0$ ").done()


def with_zeros(items: Iterable[Claim | Balance | Fault]) -> Iterator[Claim | Balance | Fault]:
    """Yields the items, with a claim of zeros before the first entry after each such sentence."""
    before = None
    for item in items:
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
