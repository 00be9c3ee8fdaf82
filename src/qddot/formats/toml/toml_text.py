"""Writes the content of a robot file as readable TOML, with one line for each vector and joint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import tomlkit
from tomlkit.items import AbstractTable, Item

Table = TypeVar("Table", bound=AbstractTable)
# the keys of texts, which stay in quotes even if they look like numbers
TEXT_KEYS = {
    *("name", "title", "source", "convention", "unit", "meaning", "formula", "shape"),
    *("link", "wheel", "ground", "directions", "independent"),
    *("parent", "carrier", "body", "type", "part_of", "coordinate", "coordinates", "about", "products"),
}
DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def written(mapping: Mapping[str, Any], notes: Iterable[str]) -> str:
    """Returns the text of a file, with the notes as comments at its beginning."""
    document = tomlkit.document()
    for note in notes:
        for line in note.splitlines():
            document.add(tomlkit.comment("".join(c if c.isprintable() else "?" for c in line)))
    for key, value in mapping.items():
        if key in ("link", "motor", "rotor", "loop", "rolling"):
            tables = tomlkit.aot()
            for table in value:
                tables.append(_filled(tomlkit.table(), table))
            document.add(key, tables)
        elif key == "left_out":
            document.add(key, tomlkit.item(dict(value)))
        elif key == "equations":
            document.add(key, _nested(value))
        elif isinstance(value, Mapping):
            document.add(key, _filled(tomlkit.table(), value))
        else:
            document.add(key, _item(key, value))
    return tomlkit.dumps(document)


def _nested(value: Mapping[str, Any]) -> Any:
    """Returns the tables of [equations] with one line per entry; entries that are not tables come first."""
    table = tomlkit.table()
    for key, entry in sorted(value.items(), key=lambda item: isinstance(item[1], Mapping)):
        table.add(key, _filled(tomlkit.table(), entry) if isinstance(entry, Mapping) else _item(key, entry))
    return table


def _filled(table: Table, value: Mapping[str, Any]) -> Table:
    """Returns the table, which may be inline, with an item for each key."""
    for key, entry in value.items():
        table.add(key, _item(key, entry))
    return table


def _item(key: str, value: Any) -> Item:
    """Returns the value of a key, or an entry of the list that is its value."""
    if isinstance(value, Mapping):
        return _filled(tomlkit.inline_table(), value)
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        for entry in value:
            array.append(_item(key, entry))
        return array
    return tomlkit.item(_number(value) if isinstance(value, str) and key not in TEXT_KEYS else value)


def _number(text: str) -> str | int | float:
    """Returns the text as a number if its decimal is exactly the same, else the text in quotes."""
    if not DECIMAL.fullmatch(text):
        return text
    if "." not in text:
        return int(text) if len(text) < 16 else text
    return float(text) if Fraction(repr(float(text))) == Fraction(text) else text
