"""Programs that some tests use, and how they and the fonts of this machine are hidden from all other tests.

A test says which programs it uses, by `@uses("node")`. Where one is missing, the test is skipped, except in CI. All
other tests find neither these programs, but for C's compilers, nor a font of the system, as on a machine without them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BROWSER = ROOT / ".venv" / "browser"  # Python for the browser, and KaTeX, for Node
PAGE = ROOT / "page" / "dist"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TEX = ("pdflatex", "latex", "pdftex", "tex", "xelatex", "lualatex")
OCTAVE = ("octave-cli", "octave")
EIGEN = Path("/usr/include/eigen3")
HIDDEN = frozenset(("node", "nodejs", "npm", "npx", "coqc", "gp", *OCTAVE, *BROWSERS, *TEX))
REMEDIES = {
    "node": "install node",
    "pyodide": "install node and npm, and run `make test-all`",
    "built page": "run `make page`",
    "chromium": "install chromium",
    "pdflatex": "install texlive-latex-base",
    "coqc": "install coq",
    "gp": "install pari-gp",
    "gcc": "install gcc",
    "g++": "install g++",
    "octave": "install octave",
    "eigen": "install g++ and libeigen3-dev",
}
WITHOUT = "WITHOUT_TOOLS"  # the variable that hides them from all tests
uses = pytest.mark.uses


def cache(factory: pytest.TempPathFactory) -> Path:
    """Where this run keeps compiled code; its workers, whose folders lie in one, share theirs."""
    own = factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"


def node() -> str:
    return command("node")


def chromium() -> str:
    """The command of a browser."""
    return command(*BROWSERS)


def pdflatex() -> str:
    return command("pdflatex")


def command(*names: str) -> str:
    path = next(filter(None, map(shutil.which, names)), None)
    assert path is not None, f"a test that runs {names[0]} says so by @uses"
    return path


def without_tools(variables: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The variables of a process that finds neither these programs nor fonts of the system; folder: an empty one."""
    places = [Path(place) for place in variables.get("PATH", os.defpath).split(os.pathsep)]
    (folder / "fonts.conf").write_text(f"<fontconfig><dir>{folder / 'none'}</dir></fontconfig>", encoding="utf-8")
    return {
        "PATH": os.pathsep.join(str(_other_programs(place, folder / str(k))) for k, place in enumerate(places)),
        "FONTCONFIG_FILE": str(folder / "fonts.conf"),
    }


def hide_fonts() -> None:
    """Leaves Matplotlib the fonts that it brings along, and none of the folders where it looks for others."""
    from matplotlib import font_manager, get_data_path

    font_manager.X11FontDirectories.clear()
    font_manager.OSXFontDirectories.clear()
    known = font_manager.fontManager
    known.ttflist = [font for font in known.ttflist if font.fname.startswith(get_data_path())]


def _other_programs(place: Path, links: Path) -> Path:
    """The folder, or one with links to all of its programs but the hidden ones."""
    if not any((place / name).exists() for name in HIDDEN):
        return place
    links.mkdir()
    for program in place.iterdir():
        if program.name not in HIDDEN:
            (links / program.name).symlink_to(program)
    return links


def skip_without(names: list[str]) -> None:
    """Skips a test that uses something that is missing."""
    there = {
        "node": shutil.which("node"),
        "pyodide": (BROWSER / "stamp").exists() and shutil.which("node"),
        "built page": (PAGE / "index.html").exists(),
        "chromium": any(map(shutil.which, BROWSERS)),
        "pdflatex": shutil.which("pdflatex"),
        "coqc": shutil.which("coqc"),
        "gp": shutil.which("gp"),
        "gcc": shutil.which("gcc"),
        "g++": shutil.which("g++"),
        "octave": any(map(shutil.which, OCTAVE)),
        "eigen": EIGEN.exists() and shutil.which("g++"),
    }
    for name in names:
        if not there[name]:
            assert WITHOUT in os.environ or "CI" not in os.environ, f"{name} is missing"
            pytest.skip(f"{name} is missing: {REMEDIES[name]}")
