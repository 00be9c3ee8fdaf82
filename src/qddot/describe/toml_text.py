"""Writes the content of a robot file as readable TOML, with one line for each vector and joint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import tomlkit
from tomlkit.items import Item

OWN_LINES = ("link", "symbols", "equations")  # tables whose parts each have their own line
DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def written(mapping: Mapping[str, Any], notes: Iterable[str]) -> str:
    """Returns the text of a file, with the notes as comments at its beginning."""
    document = tomlkit.document()
    for note in notes:
        for line in note.splitlines():
            document.add(tomlkit.comment("".join(c if c.isprintable() else "?" for c in line)))
    for key, value in mapping.items():
        if key == "link":
            links = tomlkit.aot()
            for link in value:
                links.append(_table(link))
            document.add(key, links)
        elif key == "equations":
            document.add(key, _nested(value))
        elif key in OWN_LINES or isinstance(value, Mapping):
            document.add(key, _table(value))
        else:
            document.add(key, _item(value))
    return tomlkit.dumps(document)


def _nested(value: Mapping[str, Any]) -> Any:
    """Returns the tables of [equations] with one line per entry; entries that are not tables come first."""
    table = tomlkit.table()
    for key, entry in sorted(value.items(), key=lambda item: isinstance(item[1], Mapping)):
        table.add(key, _table(entry) if isinstance(entry, Mapping) else _item(entry))
    return table


def _table(value: Mapping[str, Any]) -> Any:
    table = tomlkit.table()
    for key, entry in value.items():
        table.add(key, _item(entry))
    return table


def _item(value: Any) -> Item:
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        for key, entry in value.items():
            inline.add(key, _item(entry))
        return inline
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        for entry in value:
            array.append(_item(entry))
        return array
    return tomlkit.item(_number(value) if isinstance(value, str) else value)


def _number(text: str) -> str | int | float:
    """Returns the text as a number if its decimal is exactly the same, else the text in quotes."""
    if not DECIMAL.fullmatch(text):
        return text
    if "." not in text:
        return int(text) if len(text) < 16 else text
    return float(text) if Fraction(repr(float(text))) == Fraction(text) else text
