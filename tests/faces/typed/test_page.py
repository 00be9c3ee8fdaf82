"""A type checker has no finding on a page that a user writes, and the page runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from faces.typed.page import page

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
pytestmark = pytest.mark.slow


MISTAKES = """
import qddot
arm = qddot.load("two_link")
arm.gravity([0, 0], threads="two")
arm.mass_matrix()
arm.gravty([0, 0])
arm.mass_matrix([0, 0]).shap
qddot.from_dh([{"theta": "q1", "a": 1}], graviti=[0, 0, -9.81])
"""


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What basedpyright has to say of the page, and of a file with mistakes, in its basic mode."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "mistakes.py").write_text(MISTAKES)
    settings = {
        "include": [str(HERE / "page.py"), "mistakes.py"],
        "extraPaths": [str(ROOT / "src")],
        "typeCheckingMode": "basic",
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    told = json.loads(ran.stdout)
    assert told["summary"]["filesAnalyzed"] == 2
    messages: dict[str, list[str]] = {"page.py": [], "mistakes.py": []}
    for finding in told["generalDiagnostics"]:
        messages[Path(finding["file"]).name].append(finding["message"])
    return messages


def test_a_users_page_has_no_finding(findings: dict[str, list[str]]) -> None:
    assert findings["page.py"] == []


def test_mistakes_are_marked(findings: dict[str, list[str]]) -> None:
    for what in ('"threads"', '"q"', '"gravty"', '"shap"', '"graviti"'):
        assert any(what in message for message in findings["mistakes.py"]), what


def test_the_page_runs(tmp_path: Path) -> None:
    assert page(tmp_path) < 1e-9  # the fourth power of a step of 1 ms
