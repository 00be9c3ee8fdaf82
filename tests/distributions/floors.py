"""This script prints the oldest versions that pyproject.toml allows, as pip's constraints: floors.py [EXTRA …]"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

FLOOR = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)")


def floors(extras: Sequence[str]) -> list[str]:
    """Returns name==version of each dependency, and of those of some extras."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
    matches = [FLOOR.fullmatch(each) for each in needed]
    unread = [each for each, match in zip(needed, matches, strict=True) if not match]
    if unread:
        raise SystemExit(f"pyproject.toml: {unread[0]!r} has no floor; expected name>=version")
    return [f"{match[1]}=={match[2]}" for match in matches if match]


if __name__ == "__main__":
    sys.stdout.write("\n".join(floors(sys.argv[1:])) + "\n")
