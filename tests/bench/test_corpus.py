"""The corpus of answers is what its index says, and the check of that can fail."""

from __future__ import annotations

import random
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mpmath
import pytest

CORPUS = Path(__file__).parents[2] / "bench" / "answers"
if not CORPUS.is_dir():
    pytest.skip("the corpus is not shipped", allow_module_level=True)
sys.path.append(str(CORPUS))

import verify  # noqa: E402

ELBOW: dict[str, Any] = {"file": "spong_elbow/a01_book_layout.tex", "arm": "arms/spong_elbow.toml"}


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mpmath.workdps(verify.DIGITS):
        yield


def test_every_answer_is_as_right_or_wrong_as_the_index_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.main() == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("claim", "formula", "holds"),
    [
        ("M22", "m2*lc2**2 + I2", True),
        ("M22", "m2*lc2**2/2 + I2", False),
        ("P", "(m1*lc1 + m2*l1)*g*s1 + m2*lc2*g*s12 + 7", True),
        ("P", "(m1*lc1 + m2*l1)*g*s1 - m2*lc2*g*s12", False),
        ("L", "-(m1*lc1 + m2*l1)*g*s1 - m2*lc2*g*s12", False),
        ("tau2", "0", False),
        ("C12", "-2*m2*l1*lc2*s2*(qd1 + qd2)", False),
        ("eq2", "tau2 - tau1", False),
    ],
)
def test_a_claim_that_is_not_as_listed_is_a_fault(claim: str, formula: str, holds: bool) -> None:
    arm = verify.Arm(str(ELBOW["arm"]))
    for listed in (True, False):
        answer = {**ELBOW, "verdict": "right" if listed else "wrong", "claims": {claim: formula}}
        answer["wrong"] = [] if listed else [claim]
        assert bool(verify.faults(answer, arm, random.Random(1))) == (listed != holds)


def test_every_bad_file_is_there_or_says_how_it_is_made() -> None:
    bad = tomllib.loads((CORPUS / "bad.toml").read_text(encoding="utf-8"))["bad"]
    assert all(each["says"] and ("generate" in each) != (CORPUS / each["file"]).exists() for each in bad)
    assert {f"bad/{path.name}" for path in (CORPUS / "bad").iterdir()} <= {each["file"] for each in bad}


@pytest.mark.slow
def test_the_measure_prints_what_is_said_of_bad_input() -> None:
    command = [sys.executable, str(CORPUS.parent / "check.py"), str(CORPUS / "bad.toml")]
    *rows, last = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    bad = tomllib.loads((CORPUS / "bad.toml").read_text(encoding="utf-8"))["bad"]
    stored = [each["file"] for each in bad if "generate" not in each]
    assert {row.split(" ")[0] for row in rows if row.startswith("bad/")} == set(stored)
    assert last.startswith(f"{len(stored)} files")
