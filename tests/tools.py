"""Programs that some tests run: in CI they must be there, elsewhere a test without its program is skipped."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

BROWSER = Path(__file__).parent.parent / ".venv" / "browser"  # Python for the browser, and KaTeX, for Node


def node() -> str:
    """The command, where Pyodide and KaTeX are installed for it, too; `make test` does that."""
    if (BROWSER / "stamp").exists():
        return plain_node()
    return _missing("Pyodide or KaTeX", "install node and npm, and run `make test`")


def plain_node() -> str:
    return shutil.which("node") or _missing("Node", "install node")


def chromium() -> str:
    """The command of a browser."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), "") or _missing("Chromium", "install chromium")


def page() -> Path:
    """The folder of the built page."""
    built = BROWSER.parent.parent / "page" / "dist"
    if not (built / "index.html").exists():
        _missing("the built page", "run `make page`")
    return built


def pdflatex() -> str:
    return shutil.which("pdflatex") or _missing("pdflatex", "install texlive-latex-base")


def font_for(lang: str) -> None:
    """Makes sure that pictures and pages in a language have letters."""
    from qddot.draw.labels import Words
    from qddot.errors import QddotError

    try:
        Words(lang)
    except QddotError:
        _missing("a font with Chinese letters", "install fonts-noto-cjk")


def _missing(what: str, remedy: str) -> str:
    assert "CI" not in os.environ, f"{what} is missing"
    pytest.skip(f"{what} is missing: {remedy}")
