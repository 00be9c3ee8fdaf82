"""Groups what could not be read in the answers of a class by its cause, with the renaming that may mend it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from qddot.base.errors import visible
from qddot.base.words.language import ENGLISH
from qddot.teach.check.reading.answer import Unread

NAME_TO_GIVE = re.compile(r"--rename (\S+)=…")
MOST_TRIED = 5  # the most groups for which meanings are tried
MOST_SYMBOLS = 40  # the most meanings that are tried
MOST_EXAMPLES = 2  # answers in which a meaning is tried


class UnreadGroup(NamedTuple):
    """These are the parts of the answers of a class that are unread for one cause, such as an unknown name.

    answers: the names of the answers; text, where: those of the first part
    remedy: what mends them, such as --rename L=l1
    """

    cause: str
    answers: tuple[str, ...]
    text: str
    where: str
    remedy: str

    def row(self) -> tuple[str, str, str, str]:
        """Returns the row of a table: how many answers, the cause, an example, and the remedy."""
        name, text, where = self.answers[0], self.text[:60], self.where.rpartition("/")[2]
        example = name if text == name else f"{name}: {text} ({where})"  # of an answer that is not read at all
        return str(len(self.answers)), self.cause, visible(example), self.remedy

    def as_json(self) -> dict[str, Any]:
        """Returns the group as data for JSON."""
        return {**self._asdict(), "answers": list(self.answers)}


TITLES = ("answers", "not read because of", "example", "remedy")


def groups_of(
    parts: Iterable[tuple[str, Unread]], symbols: Iterable[str], is_right: Callable[[str, dict[str, str]], bool]
) -> tuple[UnreadGroup, ...]:
    """Returns the groups of the unread parts of named answers, those of the most answers first.

    symbols: the arm's, which an unknown name may mean
    is_right: whether an answer with a name in it is right with a renaming of its names
    """
    first, answers = dict[str, Unread](), dict[str, dict[str, None]]()
    for answer, part in parts:
        cause = _cause(part)
        first.setdefault(cause, part)
        answers.setdefault(cause, {})[answer] = None
    ordered = sorted(first, key=lambda cause: -len(answers[cause]))
    groups = [
        UnreadGroup(each, tuple(answers[each]), first[each].text, first[each].where, _remedy(first[each]))
        for each in ordered
    ]
    names = tuple(symbols)
    return tuple(
        group._replace(remedy=_with_meaning(group, names, is_right)) if k < MOST_TRIED else group
        for k, group in enumerate(groups)
    )


def _cause(part: Unread) -> str:
    """Returns why a part is not read, without what is quoted of it."""
    return visible(part.error.parts(ENGLISH)[0] if part.error is not None else part.reason).split(" (")[0]


def _remedy(part: Unread) -> str:
    if part.error is None:
        return ""
    _, expected, remedy = part.error.parts(ENGLISH)
    return visible(remedy or (f"write {expected}" if expected else ""))


def _with_meaning(group: UnreadGroup, symbols: tuple[str, ...], is_right: Callable[[str, dict[str, str]], bool]) -> str:
    """Returns the renaming that makes answers right if exactly one symbol does, else the remedy as it is."""
    match = NAME_TO_GIVE.search(group.remedy)
    if not match:
        return group.remedy
    meanings = set(_meanings(match[1], group.answers[:MOST_EXAMPLES], symbols, is_right))
    if len(meanings) == 1:
        return f"--rename {match[1]}={meanings.pop()}"
    return f"--rename {match[1]}=…"


def _meanings(
    name: str, answers: tuple[str, ...], symbols: tuple[str, ...], is_right: Callable[[str, dict[str, str]], bool]
) -> Iterator[str]:
    """Yields the symbols that make an answer right if the name means them."""
    for answer in answers:
        yield from (symbol for symbol in islice(symbols, MOST_SYMBOLS) if is_right(answer, {name: symbol}))
