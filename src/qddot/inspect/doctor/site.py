"""The site of a finding: what it is about, as data, and the line of a robot file on which that begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from qddot.base.records import record
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Words, say, told
from qddot.robot.bodies import Joint

_SAID_LINE = re.compile(r"(?::|line )(\d+)(?![\d.])")
_QUOTED = re.compile(r"'([^']+)'")
_NUMBERED = re.compile(r"\D*?(\d+)")
_LINKS = re.compile(r"^\s*\[\[\s*link\s*\]\]|<(?:link|body)\b", re.MULTILINE)
_NAMED_TAG = re.compile(
    r"""<(?P<tag>[\w.:-]+)\s[^<>]*?\bname\s*=\s*(?P<quote>["'])(?P<name>.*?)(?P=quote)""", re.DOTALL
)
_FORMULA = re.compile(r"\\\$\\\{.*?\\\}")  # ${…} of xacro, after re.escape
TAGS = {"joint": ("joint", "hinge", "slide", "freejoint"), "link": ("link", "body"), "body": ("body", "link")}
# how a site without names begins in a file; {} is the name of one symbol or the digits of one number
FORMS = {
    "gravity": r"^\s*gravity\b|<gravity\b|\bgravity\s*=",
    "links": _LINKS.pattern,
    "joints": r"^\s*\[\[\s*link\s*\]\]|<joint\b",
    "loops": r"^\s*\[\[\s*loop\s*\]\]",
    "symbol": r"^\s*{}\s*=",
    "number": r"(?<![\w.]){}(?![\w.])",
}


@record(slots=True)
class Site:
    """A site is what a finding is about: a link, a joint, a symbol, a number or a table of a file, or one of its lines.

    place: how findings call it; the place that a reader gives begins with a file and its line, or quotes names
    kind: "link", "joint", "line" or one of FORMS; "" if the place says it
    name: of a link, a joint or a symbol, or the number
    """

    place: Words
    kind: str = ""
    name: str = ""

    @classmethod
    def link(cls, name: str) -> Site:
        return cls(f"link {name!r}", "link", name)

    @classmethod
    def joint(cls, joint: Joint) -> Site:
        """Returns a joint by its name in the file, or by its coordinate if it has none."""
        name = str(joint.name or joint.coordinate)
        return cls(f"joint {name!r}", "joint", name)

    @classmethod
    def symbols(cls, names: Sequence[str]) -> Site:
        """Returns several symbols, which begin where the first one does."""
        return cls(say("site-symbols"), "symbol", names[0])

    def line(self, path: Path, text: str) -> int:
        """Returns the line, from 1, on which the site begins in a file; 1 if it is not found.

        path: the file's path as the user wrote it, with which a reader's place begins; text: the content of the file
        """
        place = told(self.place, ENGLISH).removeprefix(str(path))
        match = _SAID_LINE.match(place)
        if match or self.kind == "line":
            return int(match[1] if match else self.name)
        return text.count("\n", 0, next(self._starts(place.strip(), text), 0)) + 1

    def _starts(self, place: str, text: str) -> Iterator[int]:
        """Yields offsets at which the site may begin, the most certain first."""
        if self.kind in TAGS:
            yield from _of_name(self.kind, self.name, text)
            return
        for name in reversed(_QUOTED.findall(place)):
            yield from _of_name(place.lstrip("<").partition(" ")[0], name, text)
        form = FORMS.get(self.kind or place)
        if form:
            yield from _first(form.replace("{}", re.escape(self.name)), text)


def _of_name(kind: str, name: str, text: str) -> Iterator[int]:
    """Yields offsets at which a link or a joint of that name begins: an element of XML, a table or a value of TOML."""
    own_name = re.split(r"::|__", name)[-1]
    tags = [match for match in _NAMED_TAG.finditer(text) if _matches(match["name"], own_name)]
    yield from (match.start() for match in tags if match["tag"] in TAGS.get(kind, ()))
    yield from (match.start() for match in tags)
    yield from _first(rf"^\s*name\s*=\s*[\"']{re.escape(name)}[\"']", text)
    yield from _first(rf"[\"']{re.escape(name)}\b", text)
    numbered = _NUMBERED.fullmatch(name)
    links = list(_LINKS.finditer(text))
    # a link or a body without a name is called by its number
    if numbered and 0 < int(numbered[1]) <= len(links):
        yield links[int(numbered[1]) - 1].start()


def _matches(written: str, name: str) -> bool:
    """Returns whether a name matches the written one, in which ${…} of xacro matches any text."""
    if "${" not in written:
        return written == name
    fixed = _FORMULA.sub(".*", re.escape(written))
    return fixed.strip(".*") != "" and re.fullmatch(fixed, name) is not None


def _first(pattern: str, text: str) -> Iterator[int]:
    match = re.search(pattern, text, re.MULTILINE)
    if match:
        # blanks and line breaks before it belong to earlier lines
        yield match.start() + len(match[0]) - len(match[0].lstrip())
