"""Every public name is at work in an example that runs: a block of the site, or a file in `examples`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from newcomer import blocks

import qddot

ROOT = Path(__file__).parents[2]
PAGES = [path for path in (ROOT / "docs").rglob("*.md") if not {"_build", "gallery", "zh"} & set(path.parts)]
SHOWN = re.compile(r"^```py\n(.*?)^```$", re.DOTALL | re.MULTILINE)  # tests/docs/test_pages_of_python.py runs them
ELSEWHERE = {
    "view",  # needs the built page: tests/apps/page/test_widget.py
    "check_exam",  # needs the files of an exam: tests/docs/test_command_lines.py
    *("arrays", "of", "quantities", "sheet"),  # what the library's rooms hand to each other
}


def examples() -> str:
    pages = (page.read_text(encoding="utf-8") for page in PAGES)
    texts = [block for page in pages for block in (*blocks(page), *SHOWN.findall(page))]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.py")]
    for path in (ROOT / "examples").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return "\n".join(texts)


@pytest.mark.parametrize("owner", ["qddot", "laws", "forces", "Robot", "EquationsOfMotion", "Run"])
def test_every_public_name_is_at_work_in_an_example(owner: str) -> None:
    held = qddot if owner == "qddot" else getattr(qddot, owner)
    names = {name for name in getattr(held, "__all__", dir(held)) if not name.startswith("_")} - ELSEWHERE
    text, before = examples(), r"\." if isinstance(held, type) else r"(?<!\w)"
    assert len(names) > 2
    assert [name for name in sorted(names) if not re.search(rf"{before}{name}\b", text)] == []
