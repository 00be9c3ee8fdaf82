"""A language that is English with accents on all letters, and a copy of the library that has it as one more folder."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import qddot
from qddot.base.words.language import FOLDER

CODE = "xx"
LETTERS = str.maketrans("aceghijklnorstuwyzACEGHIJKLNORSTUWYZ", "áćéǵĥíĵḱĺńóŕśţúŵýźÁĆÉǴĤÍĴḰĹŃÓŔŚŢÚŴÝŹ")
KEPT = re.compile(
    r"\{[^{}]*\}|`[^`]*`|\$[^$]*\$|«\w+:|%\(\w+\)\w|%\w|--[\w-]+"
)  # slots, code, formulas, traits, options


def accented(text: Any) -> Any:
    """A sentence with accents on its letters, but not in what is put in and in what is typed."""
    if isinstance(text, dict):
        return {key: accented(part) for key, part in text.items()}
    if isinstance(text, list):
        return [accented(part) for part in text]
    kept = [*KEPT.findall(text), ""]
    return "".join(part.translate(LETTERS) + own for part, own in zip(KEPT.split(text), kept, strict=True))


def library(folder: Path) -> Path:
    """A copy of the library with the language, which needs its folder of sentences alone."""
    source = Path(qddot.__file__).parent
    shutil.copytree(source, folder / "qddot", ignore=shutil.ignore_patterns("__pycache__"))
    words = folder / "qddot" / FOLDER.relative_to(source)
    for path in sorted((words / "en").rglob("*.toml")):
        own = words / CODE / path.relative_to(words / "en")
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(_toml(_sentences(words, path)), encoding="utf-8")
    return folder


def _sentences(words: Path, path: Path) -> dict[str, Any]:
    """The sentences of a file; the texts of robots are English themselves, so that Chinese names them."""
    if path.stem == "robots":
        texts = tomllib.loads((words / "zh" / path.relative_to(words / "en")).read_text(encoding="utf-8"))
        return {text: accented(text) for text in texts}
    sentences: dict[str, Any] = accented(tomllib.loads(path.read_text(encoding="utf-8")))
    return sentences


def _toml(entries: dict[str, Any]) -> str:
    flat = {key: entry for key, entry in entries.items() if not _is_table(key, entry)}
    tables = {key: entry for key, entry in entries.items() if _is_table(key, entry)}
    lines = [f"{json.dumps(key)} = {_value(entry)}" for key, entry in flat.items()]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{json.dumps(key)} = {_value(entry)}" for key, entry in table.items())]
    return "\n".join(lines) + "\n"


def _is_table(key: str, entry: Any) -> bool:
    return isinstance(entry, dict) and "other" not in entry


def _value(entry: Any) -> str:
    if isinstance(entry, list):
        return f"[{', '.join(map(_value, entry))}]"
    if isinstance(entry, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(part)}" for key, part in entry.items()) + "}"
    return json.dumps(entry, ensure_ascii=False)
