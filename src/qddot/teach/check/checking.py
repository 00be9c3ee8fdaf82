"""Checks a user's derivation: reads it and judges it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from qddot.algebra.expressions.parser import expression
from qddot.base.errors import QddotError, shortened
from qddot.base.system.time_limit import TooLongError, within
from qddot.base.words.message import say
from qddot.exact.equations.quantities import Quantities
from qddot.robot.symbol_values import unknown_symbol
from qddot.teach.check import templates
from qddot.teach.check.asked import required_entries
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.check.judging.judge import judge
from qddot.teach.check.judging.judgement import Judgement
from qddot.teach.check.reading import answer_files, read_answer
from qddot.teach.check.reading.answer import Answer

T = TypeVar("T")
LONGEST = 10  # seconds of processor time for one answer
EXPECTED = say("what-is-checked")


def check(
    eq: Quantities,
    answer: Any,
    rename: Any,
    parts: Mapping[str, Any],
    asked: str | Sequence[str] | None = None,
    values: Mapping[str, Any] | None = None,
    besides: re.Pattern[str] | None = None,
) -> Judgement:
    """Returns the judgement of a text with equations, of a file by its path, or of quantities by name.

    asked: the required quantities, such as "M,G"; values: the values of symbols that are numbers in the answer
    besides: a pattern of text to skip in a file, such as the numbers that are left to a rubric
    raises QddotError: nothing to judge, an answer that cannot be read, or one that takes longer than LONGEST seconds
    """
    return limited(eq, answer, lambda: _check(eq, answer, rename, parts, asked, values, besides))


def limited(eq: Quantities, answer: Any, work: Callable[[], T]) -> T:
    """Returns what work on an answer returns; raises QddotError if it takes longer than LONGEST seconds."""
    for name in ("M", "h", "G"):
        eq.in_joint_angles.array(name)  # the arm's own equations may take longer
    if isinstance(eq, ChainQuantities):
        eq.prepare()  # as may its configurations
    try:
        return within(LONGEST, work)
    except RecursionError:
        raise QddotError("answer-nested-deeply", where=str(answer) if isinstance(answer, Path) else "") from None
    except TooLongError:
        raise QddotError(
            "answer-takes-long", where=str(answer) if isinstance(answer, Path) else "", longest=LONGEST
        ) from None


def _check(
    eq: Quantities,
    answer: Any,
    rename: Any,
    parts: Mapping[str, Any],
    asked: str | Sequence[str] | None,
    values: Mapping[str, Any] | None,
    besides: re.Pattern[str] | None,
) -> Judgement:
    values_of = {name: _number(eq, name, value) for name, value in (values or {}).items()}
    asked = asked or templates.asked_in(text_of(answer))
    return judge(eq, answer_of(eq, answer, rename, parts, asked, besides), asked, values_of)


def answer_of(
    eq: Quantities,
    answer: Any,
    rename: Any,
    parts: Mapping[str, Any],
    asked: str | Sequence[str] | None,
    besides: re.Pattern[str] | None = None,
) -> Answer:
    """Returns what is read of an answer, nothing of an empty template; besides: a pattern of text to skip in a file."""
    if rename is not None and not isinstance(rename, Mapping):
        raise QddotError("rename-not-mapping", rename=shortened(rename))
    if (answer is None) == (not parts):
        raise QddotError("text-and-quantities" if parts else "nothing-to-check", expected=EXPECTED)
    quantities = _quantities(eq, asked)
    if parts:
        return read_answer.read_parts(parts, eq, rename, quantities)
    if not isinstance(answer, Path) and (not isinstance(answer, str) or not answer.strip()):
        raise QddotError("answer-not-text", answer=shortened(answer), expected=EXPECTED)
    if not _is_path(answer):
        return answer_in(eq, str(answer), rename, asked)
    if templates.is_empty(text_of(answer), eq):
        return Answer({}, {}, (), eq.ring)
    return read_answer.read(answer, eq, rename, besides, quantities)


def answer_in(eq: Quantities, text: str, rename: Any, asked: str | Sequence[str] | None) -> Answer:
    """Returns what is read of a text, which is never the path of a file."""
    if templates.is_empty(text, eq):
        return Answer({}, {}, (), eq.ring)
    return read_answer.read_text(text, eq, rename, _quantities(eq, asked))


def _quantities(eq: Quantities, asked: str | Sequence[str] | None) -> set[str]:
    return {quantity for quantity, _ in required_entries(eq, asked)}


def text_of(answer: Any) -> str:
    """Returns the text of an answer or of its file, or nothing for quantities by name."""
    if _is_path(answer):
        return answer_files.text_of(Path(answer))[0]
    return answer if isinstance(answer, str) else ""


def _is_path(answer: Any) -> bool:
    """Returns whether an answer is a path, which has no equals sign, unlike an equation."""
    return isinstance(answer, Path) or (isinstance(answer, str) and bool(answer.strip()) and "=" not in answer)


def _number(eq: Quantities, name: str, value: Any) -> Fraction:
    """Returns the value of a symbol; raises QddotError for an unknown symbol, or for anything but a number."""
    if name not in eq.model.symbols:
        raise unknown_symbol(name, eq.model, error=QddotError)
    number = expression(str(value)).rational
    if number is None:
        raise QddotError("answer-value-not-number", value=shortened(value), name=name)
    return number
