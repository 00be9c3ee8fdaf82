"""Finds the line of a robot file that a finding is about, by the names in the finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from qddot.inspect.doctor.diagnosis import Finding

_SAID_LINE = re.compile(r"(?::|line )(\d+)(?![\d.])")
_TOML_LINE = re.compile(r"\(at line (\d+)")  # in the messages of tomllib
_QUOTED = re.compile(r"'([^']+)'")
_NUMBERED = re.compile(r"\D*?(\d+)")
_LINKS = re.compile(r"^\s*\[\[\s*link\s*\]\]|<(?:link|body)\b", re.MULTILINE)
_LOOPS = re.compile(r"^\s*\[\[\s*loop\s*\]\]", re.MULTILINE)
_JOINTS = re.compile(r"^\s*\[\[\s*link\s*\]\]|<joint\b", re.MULTILINE)
_NAMED_TAG = re.compile(
    r"""<(?P<tag>[\w.:-]+)\s[^<>]*?\bname\s*=\s*(?P<quote>["'])(?P<name>.*?)(?P=quote)""", re.DOTALL
)
_FORMULA = re.compile(r"\\\$\\\{.*?\\\}")  # ${…} of xacro, after re.escape
TAGS = {"joint": ("joint", "hinge", "slide", "freejoint"), "link": ("link", "body"), "body": ("body", "link")}


def line_of(finding: Finding, path: Path, text: str) -> int:
    """Returns the line, from 1, on which the object of a finding begins; 1 if it is not found.

    path: the file's path as the user wrote it, with which an error's place begins; text: the content of the file
    """
    match = _SAID_LINE.match(finding.place.removeprefix(str(path))) or _TOML_LINE.search(finding.found)
    if match:
        return int(match[1])
    place = finding.place.removeprefix(str(path)).strip()
    start = next(_starts(place, finding, text), 0)
    return text.count("\n", 0, start) + 1


def _starts(place: str, finding: Finding, text: str) -> Iterator[int]:
    """Yields offsets at which the object may begin, the most certain first."""
    kind = place.lstrip("<").partition(" ")[0]
    for name in reversed(_QUOTED.findall(place)):
        yield from _of_name(kind, name, text)
    if place == "gravity":
        yield from _first(rf"^\s*{kind}\b|<{kind}\b|\b{kind}\s*=", text)
    if finding.check == "symbols_without_effect":
        names = re.split(r"used nowhere: |no torque contains ", finding.found)[-1].split(", ")
        yield from _first(rf"^\s*{re.escape(names[0])}\s*=", text)
    if finding.check == "angles_in_degrees":
        angle = finding.found.split()[-2]
        yield from _first(rf"(?<![\w.]){re.escape(angle)}(?![\w.])", text)
    if finding.check == "copied_inertia":
        yield from _first(_LINKS, text)
    if place == "joints":
        yield from _first(_JOINTS, text)
    if place == "loops":
        yield from _first(_LOOPS, text)


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


def _first(pattern: str | re.Pattern[str], text: str) -> Iterator[int]:
    match = re.compile(pattern, re.MULTILINE).search(text) if isinstance(pattern, str) else pattern.search(text)
    if match:
        # blanks and line breaks before it belong to earlier lines
        yield match.start() + len(match[0]) - len(match[0].lstrip())
