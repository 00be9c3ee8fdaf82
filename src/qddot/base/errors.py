"""The exceptions of the project say what was found, where, what was expected, and the remedy."""

from __future__ import annotations

import errno
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from qddot.base.words.language import manner, or_in_use
from qddot.base.words.message import Listed, Message, Words, say, told

BREAKS = "\t\n\v\f\r\x85\u2028\u2029"
KIND = re.compile(r"\b([a-z]+)( ['\"])")  # in a place: link 'upper'
OF = re.compile(r"(<\w+>) of ((?:<?\w+>?) '[^']*')")  # in a place of XML: <axis> of joint 'elbow'
LINE = re.compile(r"\bline (\d+), column (\d+)")  # in a place of a text without a file
REASONS = {
    errno.ENOENT: "no-such-file",
    errno.EACCES: "permission-denied",
    errno.EPERM: "not-permitted",
    errno.EISDIR: "is-a-directory",
    errno.ENOTDIR: "not-a-directory",
    errno.EEXIST: "already-exists",
    errno.ENOSPC: "disk-full",
    errno.EROFS: "read-only-disk",
    errno.ENAMETOOLONG: "name-too-long",
}
UNSEEN = ("Cc", "Cf", "Cs")  # controls of terminals and of the direction of writing, zero widths, lone surrogates


class Where(str):
    """This is a place as errors have it, which messages tell in their language."""

    __slots__ = ()

    def told(self, lang: str = "") -> str:
        """Returns the place in a language, by default the one in use."""
        how = manner(or_in_use(lang))
        kinds: Mapping[str, str] = how["kinds"]
        text = LINE.sub(how["line"], OF.sub(how["of"], self))
        return KIND.sub(lambda kind: kinds.get(kind[1], kind[1]) + kind[2], text)


class QddotError(Exception):
    """A mistake in the input of qddot raises this error; it says where it is and how to correct it.

    code: the key of a message, whose entry in the catalogues has what was found, what was expected, and the remedy;
    or a message itself. where: the place; slots: what fills the places in its sentences
    """

    def __init__(self, code: str | Message, *, where: str = "", **slots: Any) -> None:
        self.message = Message(code, slots) if isinstance(code, str) else code
        self.where = where
        self._own = {} if isinstance(code, str) else slots
        super().__init__(self.code)

    @property
    def code(self) -> str:
        """The key of the message, which stays the same in all versions and languages."""
        return self.message.key

    @property
    def found(self) -> str:
        """What was found."""
        return self.parts()[0]

    @property
    def expected(self) -> str:
        """What was expected, or ""."""
        return self.parts()[1]

    @property
    def remedy(self) -> str:
        """What mends it, or ""."""
        return self.parts()[2]

    def parts(self, lang: str = "") -> tuple[str, str, str]:
        """Returns what was found, what was expected and the remedy in a language, by default the one in use."""
        lang = or_in_use(lang)
        found, expected, remedy = self.message.parts(lang)
        own = {name: told(value, lang) for name, value in self._own.items()}
        return found, own.get("expected", expected), own.get("remedy", remedy)

    def place(self, lang: str = "") -> str:
        """Returns the place in a language, by default the one in use."""
        lang = or_in_use(lang)
        return Where(told(self.where, lang)).told(lang)

    def told(self, lang: str = "") -> str:
        """Returns the sentence of the error in a language, by default the one in use."""
        lang = or_in_use(lang)
        place = manner(lang)["place"].format(where=self.place(lang)) if self.where else ""
        text = place + joined(lang, *self.parts(lang))
        return visible(text)

    def __str__(self) -> str:
        return self.told()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.message, self.where, self._own)

    def at(self, where: str) -> QddotError:
        """Returns the same error with a more exact place: `where` goes in front of the place it has."""
        return self.to(type(self), where=f"{where} {self.where}".rstrip() if self.where else where)

    def to(self, kind: type[QddotError], *, where: str | None = None, **own: Any) -> QddotError:
        """Returns the same error as one of another kind, perhaps with another place.

        own: `expected` or `remedy` instead of its own
        """
        return _again(kind, self.message, self.where if where is None else where, {**self._own, **own})


def joined(lang: str, found: str, expected: str, remedy: str) -> str:
    """Returns the parts of an error as one sentence of a language."""
    how = manner(lang)
    if expected:
        gap = " " if expected[0].isascii() and not expected[0].isspace() else ""  # before Latin letters in Chinese
        found += how["expected"].format(expected=expected, gap=gap)
    return found + how["remedy"].format(remedy=remedy) if remedy else found


def _again(kind: type[QddotError], message: Message, where: str, own: Mapping[str, Any]) -> QddotError:
    return kind(message, where=where, **own)


@contextmanager
def located(where: str) -> Iterator[None]:
    """Puts a place in front of those of errors that do not begin with it."""
    try:
        yield
    except QddotError as error:
        raise (error if error.where.startswith(where) else error.at(where)) from None


class ExpressionError(QddotError):
    """A text is not an arithmetic expression, or the expression is not allowed in this place."""


class ModelError(QddotError):
    """A robot is not possible: its tree, a joint, an inertia or a symbol is wrong."""


class FormatError(QddotError):
    """A file or a table does not follow its format."""


class NotModelledError(FormatError):
    """A file follows its format, but describes something that qddot does not model, such as wind on a link."""


class ClosedChainError(FormatError):
    """A description has loops or rolling wheels where a tree of links is needed."""


class ExactnessError(QddotError):
    """An operation does not exist for exact polynomials, or their ring has no variable of a given name."""


class EvaluationError(QddotError):
    """Numbers are missing, superfluous or of the wrong shape."""


class SimulationError(QddotError):
    """A simulation cannot be run, or a file of a run cannot be read or written."""


class SweepError(QddotError):
    """A sweep cannot be run, or its store cannot be read or written."""


class NotInstalledError(QddotError):
    """An operation needs a package or a program that is not installed; the remedy says how to install it."""


def visible(text: str) -> str:
    """Returns text for a terminal: line breaks become spaces, and invisible characters become codes such as \\x1b."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(letter: str) -> str:
    if letter in BREAKS:
        return " "
    code = ord(letter)
    # Unicode promises that the first two kinds will never be letters; XML may not hold U+FFFE and U+FFFF
    unseen = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF or unicodedata.category(letter) in UNSEEN
    return letter.encode("unicode_escape").decode() if unseen else letter


def shortened(text: object, limit: int = 60) -> str:
    """Returns `text` in quotes, cut to `limit` characters, since errors may quote huge input."""
    try:
        quoted = repr(text if isinstance(text, str | int | float) else str(text))
    except Exception:  # integers of thousands of digits, lists in lists without end, objects that fail
        quoted = str(say("value-not-shown", type=type(text).__name__))
    return quoted if len(quoted) <= limit else quoted[: limit - 1] + "…"


def few(names: Sequence[str], most: int = 8) -> Listed | Message:
    """Returns names with commas between them; of more than `most`, the first ones and how many more there are."""
    if len(names) <= most:
        return Listed(names)
    return say("few-names", names=Listed(names[: most - 2]), more=len(names) - most + 2)


def number_of(count: int, one: str, more: str = "") -> str:
    """Returns a number with its noun: "1 link", "2 links". more: the noun's plural if that is not `one` with an s"""
    return f"{count} {one if count == 1 else more or f'{one}s'}"


def is_one_of(value: object, names: Iterable[str]) -> bool:
    """Returns whether a value of any type is one of these names."""
    return isinstance(value, str) and value in names


def check_one_of(
    value: object, names: Iterable[str], what: Words, error: type[QddotError], where: str = "", expected: Words = ""
) -> None:
    """Raises an error that lists the names, or says what is `expected`, if the value is none of the names."""
    names = list(names)
    if not is_one_of(value, names):
        listed, remedy = expected or Listed(names), near(value, names)
        raise error("none-of-these", where=where, what=what, value=shortened(value), expected=listed, remedy=remedy)


def flag(value: object, what: Words) -> bool:
    """Returns True or False; raises QddotError for values such as arrays."""
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise QddotError("not-true-or-false", what=what, value=shortened(value)) from None


def has_masked(value: object) -> bool:
    """Returns whether a value, or something in a list of values, is a masked array of NumPy with masked entries."""
    ma = sys.modules.get("numpy.ma")
    if ma is None:
        return False  # no array is masked before this module is imported
    waiting, lists = [value], set[int]()
    while waiting:
        each = waiting.pop()
        if isinstance(each, ma.MaskedArray):
            if ma.is_masked(each):
                return True
        elif isinstance(each, list | tuple) and id(each) not in lists:
            lists.add(id(each))  # lists may contain themselves
            waiting += [part for part in each if not isinstance(part, int | float)]
    return False


def reason_of(error: OSError) -> Words:
    """Returns why the system refuses something, in the words of the catalogues if they have this reason."""
    if isinstance(error.strerror, Message) or error.errno not in REASONS:
        return error.strerror or str(error)
    return say(REASONS[error.errno])


def refuse_masked(value: object, what: Words, error: type[QddotError]) -> None:
    """Raises error if a value has masked entries, whose numbers are not to be used."""
    if has_masked(value):
        raise error("masked-entries", what=what)


def near(name: object, names: Iterable[str]) -> Message | str:
    """Returns a remedy that names the nearest known name, or "" if none is near."""
    from difflib import get_close_matches

    matches = get_close_matches(name if isinstance(name, str) else shortened(name), list(names), n=1)
    return say("did-you-mean", name=repr(matches[0])) if matches else ""


def did_you_mean(name: object, choices: Iterable[str]) -> Message:
    """Returns a remedy that names the nearest known name, or else all of them."""
    if isinstance(nearest := near(name, names := list(choices)), Message):
        return nearest
    return say("known-names", names=Listed(names)) if names else say("none-known")
