"""Groups what could not be read in the answers of a class by its cause, with the renaming that may mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from qddot.base.errors import Where, visible
from qddot.base.words.language import in_english, language
from qddot.base.words.message import Message, Words, say
from qddot.teach.check.reading.answer import Unread

RENAMING, OR_RENAMING = "give-by-rename", "hint-or-rename"  # remedies that ask for the meaning of a name
MOST_TRIED = 5  # the most groups for which meanings are tried
MOST_SYMBOLS = 40  # the most meanings that are tried
MOST_EXAMPLES = 2  # answers in which a meaning is tried


class UnreadGroup(NamedTuple):
    """These are the parts of the answers of a class that are unread for one cause, such as an unknown name.

    first: the first part; answers: the names of the answers
    meaning: the symbol that the unknown name means, or "" if it is not known or there is no such name
    """

    first: Unread
    answers: tuple[str, ...]
    meaning: str = ""

    @property
    def cause(self) -> str:
        """Returns why the parts are not read, without what is quoted of them."""
        cause = _cause(self.first)
        return visible(cause.parts(language())[0] if isinstance(cause, Message) else str(cause))

    @property
    def name(self) -> str:
        """Returns the unknown name whose meaning would mend it, or ""."""
        return _unknown_name(self.first)

    @property
    def remedy(self) -> str:
        """Returns what mends it, such as --rename L=l1."""
        if self.name:
            return f"--rename {self.name}={self.meaning or '…'}"
        _, expected, remedy = self.first.error.parts() if self.first.error is not None else ("", "", "")
        return visible(remedy or (str(say("write-expected", expected=expected)) if expected else ""))

    def sentence(self) -> str:
        """Returns the cause, how many answers have it, and the remedy."""
        return str(say("unread-group", cause=self.cause, count=len(self.answers), remedy=self.remedy))

    def row(self) -> tuple[str, str, str, str]:
        """Returns the row of a table: how many answers, the cause, an example, and the remedy."""
        name, text, where = self.answers[0], self.first.text[:60], self.first.where.rpartition("/")[2]
        whole = name == self.first.text  # an answer that is not read at all
        example = name if whole else str(say("part-of-answer", answer=name, text=text, where=Where(where)))
        return str(len(self.answers)), self.cause, visible(example), self.remedy

    @in_english
    def as_json(self) -> dict[str, Any]:
        """Returns the group as data for JSON."""
        place = {"text": self.first.text, "where": self.first.where}
        return {"cause": self.cause, "answers": list(self.answers), **place, "remedy": self.remedy}


TITLES = tuple(map(say, ("title-answers", "title-unread-because", "title-example", "title-remedy")))


def groups_of(
    parts: Iterable[tuple[str, Unread]], symbols: Iterable[str], is_right: Callable[[str, dict[str, str]], bool]
) -> tuple[UnreadGroup, ...]:
    """Returns the groups of the unread parts of named answers, those of the most answers first.

    symbols: the arm's, which an unknown name may mean
    is_right: whether an answer with a name in it is right with a renaming of its names
    """
    first, answers = dict[Words, Unread](), dict[Words, dict[str, None]]()
    for answer, part in parts:
        cause = _cause(part)
        first.setdefault(cause, part)
        answers.setdefault(cause, {})[answer] = None
    ordered = sorted(first, key=lambda cause: -len(answers[cause]))
    groups = [UnreadGroup(first[each], tuple(answers[each])) for each in ordered]
    names = tuple(symbols)
    tried = [group._replace(meaning=_meaning(group, names, is_right)) for group in groups[:MOST_TRIED]]
    return (*tried, *groups[MOST_TRIED:])


def _cause(part: Unread) -> Words:
    """Returns why a part is not read, without what is quoted of it."""
    if part.error is None:
        return part.doubt
    message = part.error.message
    return Message(message.key, {**message.slots, "excerpt": ""})


def _unknown_name(part: Unread) -> str:
    remedy = part.error.message.slots.get("remedy") if part.error is not None else None
    if isinstance(remedy, Message) and remedy.key == OR_RENAMING:
        remedy = remedy.slots["rename"]
    return remedy.slots["name"] if isinstance(remedy, Message) and remedy.key == RENAMING else ""


def _meaning(group: UnreadGroup, symbols: tuple[str, ...], is_right: Callable[[str, dict[str, str]], bool]) -> str:
    """Returns the symbol that the unknown name means if exactly one makes answers right, else ""."""
    meanings = set(_meanings(group, symbols, is_right)) if group.name else ()
    return next(iter(meanings)) if len(meanings) == 1 else ""


def _meanings(
    group: UnreadGroup, symbols: tuple[str, ...], is_right: Callable[[str, dict[str, str]], bool]
) -> Iterator[str]:
    """Yields the symbols that make an answer right if the name means them."""
    for answer in group.answers[:MOST_EXAMPLES]:
        yield from (symbol for symbol in islice(symbols, MOST_SYMBOLS) if is_right(answer, {group.name: symbol}))
