"""Texts that are judged as files of an arm, as a student hands them in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import qddot
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.checking import check
from qddot.teach.check.judging.judgement import Judgement


@cache
def equations(arm: str) -> Quantities:
    return qddot.load(arm).equations().quantities


def judged(text: str, arm: str, folder: Path, suffix: str = ".txt") -> Judgement:
    path = folder / f"answer{suffix}"
    path.write_text(text, encoding="utf-8")
    return check(equations(arm), path, None, {})


def assert_judged(text: str, arm: str, verdict: str, folder: Path, suffix: str = ".txt") -> None:
    """Asserts the verdict on a text: "right", "wrong", or "unread", where nothing is wrong but something is unread."""
    judgement = judged(text, arm, folder, suffix)
    said = "right" if judgement else "wrong" if judgement.wrong else "unread"
    assert said == verdict, str(judgement)


def assert_twins(arm: str, suffix: str, text: str, change: tuple[str, str], folder: Path) -> None:
    """Asserts that a text is right, and that it is wrong once one part is changed into another."""
    assert_judged(text, arm, "right", folder, suffix)
    assert_judged(text.replace(*change, 1), arm, "wrong", folder, suffix)
