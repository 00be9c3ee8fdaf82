"""The page about answers lists what the checker's own tables have, and every example on it is read and right."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import qddot

ANSWERS = Path(__file__).parents[3] / "bench" / "answers"
if not ANSWERS.is_dir():
    pytest.skip("the corpus is not shipped", allow_module_level=True)
sys.path.append(str(ANSWERS))

import readable  # noqa: E402

TABLES = {table.title: table for table in readable.tables()}


def test_the_page_has_the_tables_of_today() -> None:
    page = readable.PAGE.read_text(encoding="utf-8")
    assert readable.written(page) == page, "run python bench/answers/readable.py --write"


@pytest.mark.parametrize("title", TABLES)
def test_every_example_of_a_table_is_right(tmp_path: Path, title: str) -> None:
    for k, example in enumerate(each for row in TABLES[title].rows for each in row.examples):
        path = tmp_path / f"{k}{example.suffix or '.txt'}"
        path.write_text(f"{example.text}\n", encoding="utf-8")
        assert qddot.load(example.arm).check(path), example.text
