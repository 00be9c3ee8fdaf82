"""The answers of others are judged as the page about checking says; the page is made by bench/answers/blind.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ANSWERS = Path(__file__).parents[3] / "bench" / "answers"
if not ANSWERS.is_dir():
    pytest.skip("the corpus is not shipped", allow_module_level=True)
sys.path += [str(ANSWERS.parent), str(ANSWERS)]

import blind  # noqa: E402


@pytest.mark.parametrize("name", blind.sets())
def test_a_set_is_judged_as_the_page_says(name: str) -> None:
    page, said = blind.PAGE.read_text(encoding="utf-8"), blind.said_of(name)
    assert blind.row(name, said) in page
    assert not [each for each in said if (each.verdict, each.said) == ("wrong", "accepted")]
    remaining = blind.unlike_their_authors(said)
    assert all(line in page for line in remaining)
    files = {each.name for each in said} - {line.split("`")[1] for line in remaining}
    assert not [file for file in files if f"| `{file}` |" in page]  # what is mended is no longer listed


def test_texts_that_only_look_right_are_accepted_as_rarely_as_the_page_says() -> None:
    assert blind.cheats() in blind.PAGE.read_text(encoding="utf-8")
