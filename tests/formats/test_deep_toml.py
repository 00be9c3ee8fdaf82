"""TOML whose tables, arrays or keys lie too deep is refused at its line, before it takes time or memory."""

from __future__ import annotations

import random
import tomllib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from refusals import refusal

import qddot
from qddot.apps.page import described
from qddot.base.errors import QddotError
from qddot.formats.toml import toml_tables
from qddot.inspect.doctor.described import diagnose_file
from qddot.motion.sweeps import plan_file
from qddot.teach.check.reading import answer_files

MANY = 20_000
DEEP_TOML = {
    "dotted": "a" + ".a" * MANY + " = 1",
    "quoted": '"a"' + " . 'a'" * MANY + " = 1",
    "header": "[a" + ".a" * MANY + "]\n" + "".join(f"b{k} = 1\n" for k in range(1_000)),
    "headers": "[[a" + ".a" * MANY + "]]",
    "arrays": "a = " + "[" * MANY + "]" * MANY,
    "tables": "a = " + "{a = " * MANY + "1" + "}" * MANY,
    "both": "a = " + "{a.b.c = [" * MANY + "1" + "]}" * MANY,
    "behind texts": 'a = """\\""" # " """\nb = \'\'\'"\'\'\'\n' + "a" + ".a" * MANY + " = 1",
}
READERS: dict[str, Callable[[Path], Any]] = {
    "robot": qddot.load,
    "doctor": lambda path: diagnose_file(str(path)),
    "plan": plan_file.read,
    "answer": lambda path: answer_files.values_of(*answer_files.text_of(path), str(path)),
    "page": lambda path: described.read(path.read_text(), "arm.toml"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", DEEP_TOML)
def test_deep_toml_is_refused_before_it_is_parsed(text: str, reader: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(DEEP_TOML[text])
    tracemalloc.start()
    try:
        with pytest.raises(QddotError, match=r"arm\.toml:[13]: (a key of more than 16 parts|.* more than 16 deep)"):
            READERS[reader](path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 20 * len(DEEP_TOML[text])


@pytest.mark.parametrize(
    "text",
    [
        "a = 1 # " + "[" * 40 + "b" + ".b" * 40,
        'a = "' + "[" * 40 + '" # "',
        'a = "\\"' + "{" * 40 + "a.b" * 40 + '"',
        "a = '\\'\nb = '" + "[" * 40 + "'",
        'a = """\n"' + "[" * 40 + '""\\"""' + "{" * 40 + '"""""',
        "a = '''\n'" + "[" * 40 + "''\\'''",
        '"' + "." * 40 + '" = 1\n[x."' + "[" * 40 + '"]',
        "a = [" + "[1.5, 2.5],\n" * 400 + "]",
        "a = [" + "{b.c = 1.5, d = []}," * 400 + "]\n" + "[[link]]\n" * 400,
        "when = 1979-05-27T07:32:00.999999-07:00",
        "",
    ],
)
def test_what_stands_in_texts_and_comments_or_side_by_side_is_not_deep(text: str) -> None:
    assert toml_tables.read(text, "arm.toml", float) == tomllib.loads(text)


def depth(value: Any) -> int:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return int(isinstance(value, list | dict)) + max(map(depth, parts), default=0)


@pytest.mark.parametrize("seed", range(200))
def test_the_depth_that_is_counted_is_that_of_the_values(seed: int) -> None:
    """Texts full of brackets, quotes and dots lie between arrays and tables."""
    r = random.Random(seed)
    odd = ['"[{.#\'"', "'[{.#\"\\'", '"\\"["', '"""["\\""" {"""', "'''[''{'''", "1.5", "true", '"""a"""""', '""', "''"]

    def value(left: int) -> str:
        if not left:
            return r.choice(odd)
        if r.random() < 0.5:
            return f"[{r.choice(odd)}, {value(left - 1)}, {r.choice(odd)}, # ]]] ''' \"\"\"\n]"
        return f'{{a = {r.choice(odd)}, "b.]" = {value(left - 1)}, \'c"\' = {r.choice(odd)}}}'

    deep = r.choice([0, 3, 15, 16, 17, 18, 40])
    text = "".join(f"a{k} = {value(r.choice([0, 2, 16]))} # ''' [[\n" for k in range(3)) + f"b = {value(deep)}\n"
    content = tomllib.loads(text)
    if depth(content["b"]) > toml_tables.DEEPEST:
        with refusal(QddotError, "tables-too-deep", "16"):
            toml_tables.read(text, "arm.toml", float)
    else:
        assert toml_tables.read(text, "arm.toml", float) == content
