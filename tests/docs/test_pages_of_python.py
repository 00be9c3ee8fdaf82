"""The Python that pages show without its output runs, block after block, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```py\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHOWING = [
    path
    for path in sorted(DOCS.rglob("*.md"))
    if not {"_build", "gallery", "zh"} & set(path.parts) and BLOCK.search(path.read_text(encoding="utf-8"))
]
pytestmark = pytest.mark.slow


def test_most_pages_of_the_reference_are_among_them() -> None:
    assert len(SHOWING) > 10
    assert sum(len(BLOCK.findall(page.read_text(encoding="utf-8"))) for page in SHOWING) > 35


@pytest.mark.parametrize("page", SHOWING, ids=lambda path: path.stem)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for code in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(code, page.name, "exec"), space)
