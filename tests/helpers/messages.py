"""The messages that the source makes: each key with the slots it is given, and each sentence with the slots it has."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import qddot
from qddot.base.errors import joined
from qddot.base.words.language import ENGLISH, FOLDER, OF_LANGUAGE, catalogue, languages, manner

SOURCE = Path(qddot.__file__).parent
ALWAYS = {"where", "excerpt"}  # what an error has besides its slots
FOREIGN = ("FrozenInstanceError",)  # of dataclasses
MAKERS = ("say", "error", "sentence", "note")


class Made(NamedTuple):
    """A place of the source that makes a message: its key, or the text where a key should be, and its slots."""

    place: str
    key: str
    slots: frozenset[str]
    is_error: bool


@cache
def made() -> tuple[Made, ...]:
    """All places that make messages by a key that stands there."""
    return tuple(each for path in sorted(SOURCE.rglob("*.py")) for each in _made_in(path))


def _made_in(path: Path) -> Iterator[Made]:
    text = path.read_text(encoding="utf-8")
    imported = r"(words|notes)\S* import .*\b{}\b"
    makers = tuple(name for name in MAKERS if name == "error" or re.search(imported.format(name), text))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args and _makes(node.func, makers):
            slots = frozenset(each.arg for each in node.keywords if each.arg) - ALWAYS
            for key in _keys(node.args[0]) or [key for each in node.args[1:2] for key in _keys(each) if " " not in key]:
                is_error = _name(node.func) not in ("say", "sentence", "note")
                yield Made(f"{path.relative_to(SOURCE)}:{node.lineno}", key, slots, is_error)


def _makes(function: ast.expr, makers: tuple[str, ...]) -> bool:
    name = _name(function).lstrip("_")
    return name in makers or (
        name.endswith("Error") and name[0].isupper() and not hasattr(builtins, name) and name not in FOREIGN
    )


def _name(function: ast.expr) -> str:
    name: str = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name


def _keys(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*_keys(node.body), *_keys(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


@cache
def texts() -> set[str]:
    """All texts that stand in the source, among them the keys of messages."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {node.value for node in nodes if isinstance(node.value, str)}


def files(lang: str) -> dict[str, dict[str, Any]]:
    """The entries of a language by their files."""
    import tomllib

    paths = (path for path in sorted((FOLDER / lang).glob("*.toml")) if path.name != OF_LANGUAGE)
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}


def slots_in(entry: Any) -> set[str]:
    """The slots of an entry, in all its parts and forms."""
    if isinstance(entry, str):
        return {name for _, name, _, _ in Formatter().parse(entry) if name}
    parts = entry.values() if isinstance(entry, dict) else entry
    return {name for part in parts for name in slots_in(part)} | ({"count"} if isinstance(entry, dict) else set())


REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "reference" / "errors.md"
CODES = REPOSITORY / "tests" / "base" / "error_codes.txt"  # one a line; those that are no longer used begin with "-"
BEGIN, END = "<!-- written by `python tests/helpers/messages.py` -->\n", "<!-- the end of what it writes -->\n"


def codes() -> list[str]:
    """The codes of all errors that the source makes."""
    return sorted({each.key for each in made() if each.is_error and each.key in catalogue(ENGLISH)})


def table() -> str:
    """The table of all codes, with what each says in each language."""
    heads = [manner(lang)["name"] for lang in languages()]
    rows = [f"| code | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    rows += [f"| `{code}` | {' | '.join(_said(code, lang) for lang in languages())} |" for code in codes()]
    return "\n".join(["", *rows, "", ""])


def _said(code: str, lang: str) -> str:
    """What an entry says: what was found, what was expected, the remedy."""
    entry = catalogue(lang).get(code, "")
    parts = entry if isinstance(entry, list) else [entry]
    texts = [part if isinstance(part, str) else part["other"] for part in parts]
    found, expected, remedy = [*texts, "", ""][:3]
    text = joined(lang, found, expected, remedy)
    return text.replace("{{", "{").replace("}}", "}").replace("|", "\\|").replace("<", "&lt;")


def with_table(text: str) -> str:
    """A text with the table between its marks."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


def all_codes() -> list[str]:
    """The codes of now and of before, those of before with a sign."""
    listed = CODES.read_text(encoding="utf-8").split() if CODES.exists() else []
    now = codes()
    return sorted([*now, *(f"-{code.lstrip('-')}" for code in listed if code.lstrip("-") not in now)], key=_by_name)


def _by_name(code: str) -> str:
    return code.lstrip("-")


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    CODES.write_text("\n".join(all_codes()) + "\n", encoding="utf-8")
