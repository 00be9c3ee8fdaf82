"""The pages read well in a clone, as the Markdown that they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if not {"_build", "gallery"} & {*path.parts}]
MOST = 55
FENCED = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def prose(path: Path) -> str:
    return COMMENT.sub("", FENCED.sub("", path.read_text(encoding="utf-8")))


def links(path: Path) -> Iterator[tuple[Path, str]]:
    """Yields each link to a file of the repository, with the place in it."""
    for link in LINK.findall(prose(path)):
        if not re.match("[a-z]+:", link):
            name, _, place = link.partition("#")
            yield (path.parent / name).resolve() if name else path, place


def places(path: Path) -> set[str]:
    """The anchors that GitHub, editors and the site give to a page's headings."""
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in HEADING.findall(prose(path))}


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading_in_it(page: Path) -> None:
    for target, place in links(page):
        assert target.exists(), target
        assert not place or place in places(target), f"{target.relative_to(ROOT)}#{place}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_no_directive(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"^([`:])\1{2,}\{", text, re.MULTILINE)
    assert not text.startswith("---")


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "index.md"], ids=lambda page: page.stem)
def test_the_title_of_a_page_is_the_question_that_it_answers(page: Path) -> None:
    title = HEADING.search(prose(page))
    assert title
    assert title[1].endswith(("?", "？"))


def test_every_page_is_two_clicks_from_the_front_page() -> None:
    assert len(PAGES) <= MOST
    front = {DOCS / "index.md"}
    first = {target for page in front for target, _ in links(page)}
    second = {target for page in first if page.suffix == ".md" for target, _ in links(page)}
    assert set(PAGES) <= front | first | second
