"""The wheel of the built page is made for this version of qddot, and is looked for where it puts its files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from qddot.base.system import built_page

ROOT = Path(__file__).parents[3]


def project(folder: Path) -> Any:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_page_takes_its_version_from_the_library() -> None:
    own, page = project(ROOT), project(ROOT / "page")
    version = page["tool"]["hatch"]["version"]["path"]
    assert (ROOT / "page" / version).resolve() == ROOT / own["tool"]["hatch"]["version"]["path"]


def test_the_built_folder_becomes_the_package_that_is_looked_for() -> None:
    included = project(ROOT / "page")["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert ROOT / "page" / next(iter(included)) == built_page.CHECKOUT
    assert included["dist"] == built_page.PACKAGE
    assert included["package.py"] == f"{built_page.PACKAGE}/__init__.py"
