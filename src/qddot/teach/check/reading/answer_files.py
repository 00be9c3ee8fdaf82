"""Reads the text of an answer's file in any encoding, and the values by name in files of TOML and JSON."""

from __future__ import annotations

import codecs
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError
from qddot.base.system.texts import raw
from qddot.formats.toml import toml_tables
from qddot.teach.check.reading.dialects.formats import HTML, NOTEBOOK, TOML, Format, format_of
from qddot.teach.check.reading.dialects.notebooks import cells
from qddot.teach.check.reading.dialects.word import ARCHIVE, COMPOUND, LARGEST_DOCUMENT, of_word
from qddot.teach.check.reading.statements.claims import Claim
from qddot.teach.check.reading.statements.claims_of_parts import Texts, claims_of_parts
from qddot.teach.check.reading.texts.written import Written

LARGEST_FILE = 2_000_000  # bytes; a whole derivation of six joints has a million
ANSWER_FILE = "equations (.txt, .tex, .py, .m, .md, .toml …)"
BINARY = {
    b"%PDF": "answer-is-pdf",
    **dict.fromkeys((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"), "answer-is-picture"),
    b"{\\rtf": "answer-is-word",
}
ENCODINGS = ("utf-8-sig", "gb18030", "cp1252", "latin-1")
MOST_TEXT_A_CONTROL = 100  # a text has at least this many characters per control character
TOML_STRING = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<long>\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''.*?''')|(?P<short>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')""",
    re.DOTALL,
)
ABOUT = ("arm", "robot", "student", "author", "title", "note", "notes", "comment", "date", "course", "task", "question")
COMMENTS = ("comment", "comments", "remark", "remarks")
NAMES = ("name", "quantity", "entry", "symbol", "lhs", "label", "id")
VALUES = ("value", "expression", "expr", "formula", "rhs", "answer", "latex", "text")
ESCAPE = re.compile(r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\.|.", re.DOTALL)


def text_of(path: Path) -> tuple[str, Format]:
    """Returns the text of a file and its format; raises FormatError for one that is missing, empty or too large."""
    where = str(path)
    largest = LARGEST_DOCUMENT if path.suffix.lower() == ".docx" else LARGEST_FILE
    data = raw(path, largest, ANSWER_FILE)
    if data.startswith((ARCHIVE, COMPOUND)):
        text = of_word(data, where)
        check(text, where)
        return text, HTML
    text = decoded(data, where)
    check(text, where)
    form = TOML if not path.suffix and _is_toml(text) else format_of(text, path.suffix)
    return (cells(text, where) if form == NOTEBOOK else text), form


def decoded(data: bytes, where: str) -> str:
    """Returns the text of a file in UTF-8, UTF-16, GB 18030 or Windows-1252.

    raises FormatError: a PDF, a picture, or other binary data
    """
    if kind := _kind(data):
        raise FormatError(kind, where=where)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    for encoding in ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        controls = sum(letter < " " and letter not in "\t\n\r\f\v" for letter in text)
        if controls * MOST_TEXT_A_CONTROL <= len(text):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise FormatError("answer-is-binary", where=where)


def _kind(data: bytes) -> str:
    """Returns what kind of file without a text it is that its first bytes mark, or an empty text."""
    if data[4:8] == b"ftyp" or data[8:12] == b"WEBP":  # the first is of photos in HEIC
        return "answer-is-picture"
    kind = next((kind for mark, kind in BINARY.items() if data.startswith(mark)), "")
    return "answer-is-encrypted-pdf" if kind == "answer-is-pdf" and b"/Encrypt" in data else kind


def values_of(text: str, form: Format, where: str) -> tuple[dict[str, Any], list[str]]:
    """Returns the values of a TOML or JSON file by name, and the lines of equations in notes of a JSON file."""
    if form == TOML:
        return _flat(toml_tables.read(text, where), where), []
    try:
        data = json.loads(text, object_pairs_hook=lambda pairs: _merge({}, pairs, where))
    except (ValueError, RecursionError) as error:
        raise FormatError("answer-not-json", where=where, problem=error) from None
    if isinstance(data, list):
        are_tables = data and all(isinstance(each, Mapping) and not _named(each) for each in data)
        data = {str(k): each for k, each in enumerate(data)} if are_tables else {"answers": data}
    if not isinstance(data, dict):
        raise FormatError("json-single-value", where=where)
    values = _flat(data, where)
    lists = [value for value in values.values() if isinstance(value, list) and value and all(map(_is_equation, value))]
    notes = [value for value in values.values() if _is_equation(value)] + [each for value in lists for each in value]
    if not notes:
        return values, []
    others = [f"{name} = {value}" for name, value in values.items() if value not in notes and value not in lists]
    return values, others + notes


def _is_equation(value: Any) -> bool:
    return isinstance(value, str) and "=" in value


def claims_of(values: Mapping[str, Any], text: str, where: str) -> list[Claim]:
    """Returns the claims of the values by name in a file."""
    return claims_of_parts(values, TextsOfFile(text, where))


def check(text: str, where: str) -> None:
    """Raises FormatError for a text that is empty, too long or binary."""
    if len(text) > LARGEST_FILE:
        raise FormatError("answer-too-long", where=where, count=len(text), most=LARGEST_FILE)
    if not text.strip():
        raise FormatError("answer-empty", where=where)
    if "\0" in text:
        raise FormatError("answer-is-binary", where=where)


def _is_toml(text: str) -> bool:
    """Returns whether a text has quoted values after names, as TOML does."""
    return re.search(r"^[ \t]*[\w.\"']+[ \t]*=[ \t]*\[*[ \t]*[\"']", text, re.MULTILINE) is not None


def _flat(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Returns the values of all tables by their names."""
    values: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            inner = _flat(value, where)
            _merge(values, ((f"{name}{key}" if key.isdigit() else key, inner[key]) for key in inner), where)
        elif isinstance(value, list) and value and all(map(_named, value)):
            _merge(values, (pair for each in value if (pair := _named(each))), where)
        elif not _is_about(name, value):
            _merge(values, [(name, value)], where)
    return values


def _merge(values: dict[str, Any], pairs: Iterable[tuple[str, Any]], where: str) -> dict[str, Any]:
    """Adds values by name and returns all; raises FormatError for a second value of a name."""
    for name, value in pairs:
        if values.setdefault(name, value) != value:
            raise FormatError("answer-two-values", where=where, name=name)
    return values


def _named(value: Any) -> tuple[str, Any] | None:
    """Returns the name and the value of {"name": "M11", "value": "…"}, or None for anything else."""
    if not isinstance(value, Mapping):
        return None
    name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), None)
    content = next((value[key] for key in VALUES if key in value), None)
    return (name, content) if name is not None and content is not None else None


def _is_about(name: str, value: Any) -> bool:
    """Returns whether a value describes the file in words, as "arm": "two rods, point masses" does."""
    is_text = isinstance(value, str)
    return is_text and (name.lower() in COMMENTS or (name.lower() in ABOUT and "=" not in value))


class TextsOfFile(Texts):
    """These are the texts in a file of TOML or JSON, with their places."""

    def __init__(self, file: str, name: str) -> None:
        self.file, self.name = file, name
        self._places: dict[str, list[tuple[int, ...]]] = {}
        self._starts: dict[str, int] = {}
        for text, origins in _strings(file):
            self._places.setdefault(text, []).append(origins)

    def written(self, name: str, place: tuple[int, ...], value: Any) -> Written:
        places = self._places.get(value, []) if isinstance(value, str) else []
        if places:
            return Written(str(value), self.name, self.file, places.pop(0) if len(places) > 1 else places[0])
        return Written(str(value), self.name, self.file, (self._start(name),))

    def _start(self, name: str) -> int:
        """Returns where the value of a name begins."""
        if name not in self._starts:
            key = re.search(rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*=", self.file, re.MULTILINE)
            self._starts[name] = key.end() if key else 0
        return self._starts[name]


def _strings(file: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yields every string of a TOML file with the offset of each of its characters."""
    for match in TOML_STRING.finditer(file):
        if match["comment"]:
            continue
        width = 3 if match["long"] else 1
        raw, start = match[0][width:-width], match.start() + width
        if raw.startswith("\n") and width == 3:
            raw, start = raw[1:], start + 1
        if match[0].startswith("'") or "\\" not in raw:
            yield raw, tuple(range(start, start + len(raw) + 1))
            continue
        try:
            text = tomllib.loads(f"text = {match[0]}")["text"]
        except tomllib.TOMLDecodeError:
            continue
        origins = [start + piece.start() for piece in ESCAPE.finditer(raw)]
        yield text, (*origins[: len(text)], start + len(raw))
