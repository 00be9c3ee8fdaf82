"""A Chinese page has an English twin and shows the same blocks with the same outputs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(?:python|output)$.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
PAGES = sorted(path.relative_to(DOCS / "zh") for path in (DOCS / "zh").rglob("*.md"))


def prose(path: Path) -> str:
    """What stands between the blocks of a page, of any language."""
    return re.sub(r"^(`{3,}|:{3,}).*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def test_what_a_course_hands_out_is_there_in_chinese() -> None:
    handed = {"first-arm.md", "table-to-report.md"} | {path.name for path in (DOCS / "learn").glob("course-*.md")}
    assert len(handed) == 7
    assert {Path("learn") / name for name in handed} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_chinese_page_has_the_blocks_and_outputs_of_its_english_twin(page: Path) -> None:
    chinese, english = ((folder / page).read_text(encoding="utf-8") for folder in (DOCS / "zh", DOCS))
    assert BLOCK.findall(chinese) == (BLOCK.findall(english) if page.name != "index.md" else [])


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "index.md"], ids=str)
def test_a_chinese_page_has_the_sections_of_its_twin_in_chinese(page: Path) -> None:
    chinese, english = (HEADING.findall(prose(folder / page)) for folder in (DOCS / "zh", DOCS))
    assert [level for level, _ in chinese] == [level for level, _ in english]
    assert all(re.search("[一-鿿]", title) for _, title in chinese)
