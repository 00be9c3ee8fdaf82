"""Gives each value a name of its own in Python, MATLAB and C programs that set a name twice, such as tau1 += …"""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.extents import end_of_statement
from qddot.teach.check.reading.texts.rewriting import Rewriting

TARGET = r"[^\W\d]\w*(?:\[[\d, ]*\]|\([\d, ]*\))*"
AUGMENTED = re.compile(
    rf"(?P<before>^[ \t]*|[;{{][ \t]*)(?P<name>{TARGET})[ \t]*(?P<sign>[-+*/])=(?!=)[ \t]*", re.MULTILINE
)
ASSIGNED = re.compile(rf"(?:^[ \t]*|[;{{][ \t]*)(?P<name>{TARGET})[ \t]*:?=(?!=)[ \t]*", re.MULTILINE)
NAMES = re.compile(
    r"^[ \t]*(?P<name>\w+)[ \t]*=[ \t]*(?:(?:\w+\.)?(?:Matrix|array|Array|ImmutableMatrix)\()?[ \t]*\[[ \t]*"
    r"(?P<names>[A-Za-z]\w*(?:[ \t]*[,;][ \t]*[A-Za-z]\w*)+)[ \t]*\]\)?[ \t]*[.'T]*[ \t]*(?:;|$)",
    re.MULTILINE,
)
PAIR_OF_LISTS = re.compile(
    r"^([ \t]*)(\w+)[ \t]*,[ \t]*(\w+)[ \t]*=[ \t]*(\[[\w, \t]+\])[ \t]*,[ \t]*(\[[\w, \t]+\])[ \t]*$", re.MULTILINE
)
# a coordinate's name for a number other than the coordinate: q1 = q(1)*180/pi
CONVERTED = re.compile(
    r"^[ \t]*(?P<name>(?P<letters>[A-Za-z]+)\d)[ \t]*=[ \t]*(?:[^=\n;]*[-+*/])?(?P=letters)[(\[]\d[)\]]"
    r"[ \t]*[-+*/][^=\n;]*(?:;|$)",
    re.MULTILINE,
)
MOST = 200  # values of one name


def of_lists(text: Rewriting, base: int) -> None:
    """Writes q1 for q[0] after q = [q1, q2]. base: the first index of the language, 0 or 1"""
    text.sub(PAIR_OF_LISTS, lambda pair: f"{pair[1]}{pair[2]} = {pair[4]}\n{pair[1]}{pair[3]} = {pair[5]}")
    lists = {each["name"]: re.findall(r"\w+", each["names"]) for each in NAMES.finditer(text.text)}
    for name, names in lists.items():
        for k, own in enumerate(names, base):
            text.sub(rf"(?<![\w.]){name}(?:\[{k}\](?!\[)|\({k}\))", own)


def of_assignments(text: Rewriting) -> None:
    """Renames the earlier values of names that are computed from themselves."""
    while converted := CONVERTED.search(text.text):
        own = converted["name"] + "Converted"
        for each in reversed(list(re.finditer(rf"(?<![\w.]){converted['name']}(?![\w(\[])", text.text))):
            if each.start() >= converted.start("name"):
                text.replace(each.start(), each.end(), own)
    while augmented := AUGMENTED.search(text.text):
        end = end_of_statement(text.text, augmented.end())
        name, sign = augmented["name"], augmented["sign"]
        text.replace(end, end, ")")
        text.replace(augmented.end("name"), augmented.end(), f" = {name} {sign} (")
    at = 0
    for _ in range(MOST):
        assigned = ASSIGNED.search(text.text, at)
        if assigned is None:
            return
        at = _renamed(text, assigned)


def _renamed(text: Rewriting, assigned: re.Match[str]) -> int:
    """Renames the earlier value of a name if an assignment to it uses that; returns where to continue."""
    name, end = assigned["name"], end_of_statement(text.text, assigned.end())
    is_it = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w(\[])")
    value = text.text[assigned.end() : end]
    earlier = [each for each in ASSIGNED.finditer(text.text, 0, assigned.start()) if each["name"] == name]
    if not earlier and _is_zero(text.text[: assigned.start()], name):
        for each in reversed(list(is_it.finditer(text.text, assigned.end(), end))):
            text.replace(each.start(), each.end(), "0")
        return assigned.end()
    if not earlier or not is_it.search(value) or not re.search(r"[-+*/]", value):
        return assigned.end()
    other = f"{re.sub(r'[^A-Za-z]', '', name)}Before{assigned.start()}"
    places = [each.span() for each in is_it.finditer(text.text, earlier[-1].start(), end)]
    for start, stop in reversed(places):
        if start != assigned.start("name"):
            text.replace(start, stop, other)
    return assigned.end() + len(other) * len(places)


def _is_zero(before: str, name: str) -> bool:
    """Returns whether the array of an entry was filled with zeros."""
    array = re.split(r"[\[(]", name)[0]
    return array != name and re.search(rf"(?<![\w.]){re.escape(array)}[ \t]*=[^\n;]*\bzeros\(", before) is not None
