"""What the blocks of the reference show, and command lines print, has no English word in Chinese."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import matplotlib as mpl
import pytest
from shown_in_chinese import english_in, words_of_page
from test_command_lines import LINES, prepare, served_at_once
from test_documents import FOLLOWED

from qddot.apps.cli import main


@pytest.fixture(autouse=True)
def _chinese(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mpl.use("Agg")
    monkeypatch.setenv("QDDOT_LANG", "zh")
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.chdir(tmp_path)


REFERENCE = [path for path in FOLLOWED if path.parent.name == "reference"]


@pytest.mark.parametrize("page", REFERENCE, ids=[path.stem for path in REFERENCE])
def test_the_blocks_of_a_page_show_no_english_word(page: Path) -> None:
    assert words_of_page(page) == set()


# lines that print data, or write documents, films and code, for which other tests read the Chinese
OTHER = re.compile(r"--json|--csv|sarif|--movie|-o|--plot|qddot (report|exam|sweep|export|vectors|page)\b")


@pytest.mark.parametrize("line", [line for line in LINES if not OTHER.search(line)])
def test_a_command_line_prints_no_english_word(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("qddot.apps.page.server.serving", served_at_once)
    prepare(words := shlex.split(line)[1:])
    capsys.readouterr()
    main(words)
    assert english_in("\n".join(capsys.readouterr())) == set()
