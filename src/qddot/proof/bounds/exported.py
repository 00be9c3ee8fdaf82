"""Writes the bounds of rounding errors into the comments of exported code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qddot.base.errors import EvaluationError, shortened
from qddot.base.words.message import say
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.machine.numeric.source_code import options_of
from qddot.proof.bounds.rounding import rounding
from qddot.robot.symbol_values import names_of

OF_C = ("c", "cpp")  # targets whose arithmetic is that of exported C


def comments(
    arm: NumericSystem,
    target: str,
    functions: Sequence[str],
    real: str,
    free: Sequence[str],
    region: Mapping[str, Any],
    options: Mapping[str, Any],
) -> dict[str, str]:
    """Returns the bounds of functions' rounding errors as lines of comments, by function.

    The arguments are those of an export. raises QddotError: code without known bounds, or what `rounding` raises
    """
    if target not in OF_C or free or options["wrenches"]:
        what = say("with-arguments") if target in OF_C else say("in-language", language=shortened(target))
        raise EvaluationError("no-bounds-of-code", what=what)
    notes, dtype = {}, "float32" if real == "float" else "float64"
    for name in names_of(functions, "functions"):
        has = {key: options[key] for key in options_of(name) if key != "wrenches"}
        notes[name] = rounding(arm, name, region, dtype, exported=True, **has).comment()
    return notes
