"""This script follows pages block by block, as somebody who has only installed qddot does: python newcomer.py PAGE …"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(text: str) -> list[str]:
    """Returns the blocks of a page that run."""
    return BLOCK.findall(text)


def follow(page: Path) -> int:
    """Runs the blocks of a page in a folder of their own, and returns how many there were."""
    listings, space = blocks(page.read_text(encoding="utf-8")), dict[str, Any](__name__="__main__")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for k, block in enumerate(listings, 1):
            exec(compile(block, f"{page.name}, block {k}", "exec"), space)
        os.chdir(page.parent)
    return len(listings)


def main() -> None:
    """Follows the pages that are given."""
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    for page in pages:
        count = follow(page)
        assert count or page.name == "index.md", f"{page.name} has no block"
        sys.stderr.write(f"{page.name}: {count} blocks\n")


if __name__ == "__main__":
    main()
