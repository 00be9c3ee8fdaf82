"""Tests find no program that they do not name, and no font of the system."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import typst
from matplotlib import font_manager, get_data_path
from tools import HIDDEN, WITHOUT, node, skip_without, uses, without_tools

from qddot.papers.draw import lettering


def test_what_a_test_does_not_name_is_hidden_from_it() -> None:
    assert [name for name in HIDDEN if shutil.which(name)] == []
    for name in ("node", "pdflatex"):
        with pytest.raises(FileNotFoundError):
            subprocess.run([name, "--version"], check=False)
    with pytest.raises(AssertionError, match="@uses"):
        node()


@uses("node")
def test_what_a_test_names_is_there() -> None:
    assert subprocess.run([node(), "--version"], check=False, capture_output=True).returncode == 0
    assert subprocess.run(["node", "--version"], check=False, capture_output=True).returncode == 0


def test_other_programs_are_there(tmp_path: Path) -> None:
    for folder in ("programs", "others", "links"):
        (tmp_path / folder).mkdir()
    for program in ("programs/node", "programs/make", "others/cc"):
        (tmp_path / program).touch(0o755)
    variables = {"PATH": os.pathsep.join(str(tmp_path / folder) for folder in ("programs", "others"))}
    seen = without_tools(variables, tmp_path / "links")["PATH"]
    assert shutil.which("make", path=seen)
    assert shutil.which("cc", path=seen) == str(tmp_path / "others" / "cc")
    assert shutil.which("node", path=seen) is None


def test_fonts_of_the_system_are_hidden() -> None:
    """There are those that come with Matplotlib and Typst, and the one with Chinese characters that pip installs."""
    assert typst.Fonts().families() == typst.Fonts(include_system_fonts=False).families()
    assert lettering.chinese_letters() == "Noto Sans SC"
    others = [font for font in font_manager.fontManager.ttflist if not font.fname.startswith(get_data_path())]
    assert {font.name for font in others} <= {"Noto Sans SC", lettering.STAND_IN}
    assert not [path for path in font_manager.findSystemFonts() if "mpl-data" not in path]


def test_what_is_missing_is_a_reason_to_skip_but_not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.delenv(WITHOUT, raising=False)
    with pytest.raises(AssertionError, match="pdflatex is missing"):
        skip_without(["pdflatex"])
    monkeypatch.setenv(WITHOUT, "1")
    with pytest.raises(pytest.skip.Exception, match="pdflatex is missing: install texlive-latex-base"):
        skip_without(["pdflatex"])
