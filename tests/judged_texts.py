"""Texts that are judged as files of an arm, as a student hands them in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import qddot
from qddot.check.checking import check
from qddot.check.judging.judgement import Judgement
from qddot.equations.quantities import Quantities


@cache
def equations(arm: str) -> Quantities:
    return qddot.load(arm).equations().quantities


def judged(text: str, arm: str, folder: Path, suffix: str = ".txt") -> Judgement:
    path = folder / f"answer{suffix}"
    path.write_text(text, encoding="utf-8")
    return check(equations(arm), path, None, {})
