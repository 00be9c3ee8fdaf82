"""Every law has its derivation: what a docstring names as its source stands in the page that derives the laws."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "src" / "qddot"
LAWS = ROOT / "docs" / "understand" / "laws.md"
SOURCES = re.compile(r"Sources?: (.*)", re.DOTALL)
AUTHOR = re.compile(r"(?:^|;\s)([A-Z][\w-]+)")  # of each work, the first name
FORMATS = "formats"  # whose sources are specifications of files


def docstrings() -> Iterator[tuple[Path, str]]:
    for path in sorted(LIBRARY.rglob("*.py")):
        if FORMATS not in path.relative_to(LIBRARY).parts[:1]:
            for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(each, ast.Module | ast.FunctionDef | ast.ClassDef):
                    yield path, ast.get_docstring(each) or ""


def test_every_source_that_a_docstring_names_is_in_the_page_of_laws() -> None:
    page, count = LAWS.read_text(encoding="utf-8"), 0
    for path, text in docstrings():
        for named in SOURCES.findall(text):
            for author in AUTHOR.findall(named):
                count += 1
                assert author in page, f"{path.relative_to(ROOT)} names {author}, of whom {LAWS.name} does not know"
    assert count > 40
