"""What pages show of most kinds of values has no English word in Chinese; `tests/docs` looks at all pages."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import pytest
from shown_in_chinese import words_of_page

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["reference/robots", "reference/numbers", "learn/trust", "reference/errors"])
def test_a_page_shows_no_english_word(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpl.use("Agg")
    monkeypatch.setenv("QDDOT_LANG", "zh")
    monkeypatch.chdir(tmp_path)
    assert words_of_page(DOCS / f"{page}.md") == set()
