"""Checks somebody's own derivation: reads it, and judges what was read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qddot.check.judging.judge import judge
from qddot.check.judging.judgement import Judgement
from qddot.check.reading import read_answer
from qddot.check.reading.answer import Answer
from qddot.equations.quantities import Quantities
from qddot.errors import QddotError, shortened

EXPECTED = 'a text such as "M12 = …", the path of a file, or quantities by name: M=[[…]], tau=[…], L="…"'


def check(eq: Quantities, answer: Any, rename: Any, parts: Mapping[str, Any]) -> Judgement:
    """Returns the judgement of a text with equations, of a file by its path, or of quantities by name.

    raises QddotError: nothing to judge, or what cannot be read
    """
    if rename is not None and not isinstance(rename, Mapping):
        raise QddotError(f"rename = {shortened(rename)}", expected='a mapping such as {"L1": "l1"}')
    return judge(eq, _read(eq, answer, rename, parts))


def _read(eq: Quantities, answer: Any, rename: Mapping[str, str] | None, parts: Mapping[str, Any]) -> Answer:
    if (answer is None) == (not parts):
        raise QddotError("both a text and quantities" if parts else "nothing to check", expected=EXPECTED)
    if parts:
        return read_answer.read_parts(parts, eq, rename)
    if isinstance(answer, Path):
        return read_answer.read(answer, eq, rename)
    if not isinstance(answer, str):
        raise QddotError(f"an answer {shortened(answer)}", expected=EXPECTED)
    # a path has no sign of equality, and an equation has one
    return read_answer.read_text(answer, eq, rename) if "=" in answer else read_answer.read(answer, eq, rename)
