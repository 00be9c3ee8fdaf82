"""Compares the functions of a run, which were compiled, with what they return when they are called again after it.

A function that counts its calls, reads a clock or draws numbers may give equal answers while it is tried and traced,
and others later; its program then has only the first ones. In its first run a function is called many times. In further
runs of the same object it is called a few times, since calls from Python can take longer than a run, and so are the
laws of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import WeakSet

import numpy as np

from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError
from qddot.base.records import record
from qddot.base.words.message import Words
from qddot.machine.compilers import blocks
from qddot.motion.simulate.laws.law import REMEMBERED

CALLS, FEWER = 64, 4  # of a function after its first run, and after later ones
BETWEEN = 0.382  # of the way from a sample to the next, so that no state lies on a jump that the function has by design
TOLERANCE = 1e-9  # relative to the largest answer
CHECKED: WeakSet[Any] = WeakSet()  # functions that were called many times
OWN = __name__.partition(".")[0]  # the package
ASIDE = 1e-6  # relative; how far a state is moved, to see whether it was so near to a jump that rounding decided


@record(eq=False)
class TracedFunction:
    """A user's function of (t, q, q̇), or (t, q, q̇, z), with its program; what: its name in errors."""

    what: Words
    function: Any
    program: Program

    @property
    def is_known(self) -> bool:
        """Returns whether this object was called many times before, or belongs to this package with all its parts."""
        with suppress(TypeError):  # of an object without a hash
            if self.function in CHECKED:
                return True
        return _is_own(self.function)


def _is_own(function: Any) -> bool:
    """Returns whether a function or an object, and all that it calls, is written in this package."""
    if isinstance(function, partial):
        return _is_own(function.func)
    written = function if hasattr(function, "__qualname__") else type(function)
    parts = [part for part in getattr(function, "__dict__", {}).values() if callable(part)]
    return str(written.__module__).partition(".")[0] == OWN and all(map(_is_own, parts))


def check(functions: Iterable[TracedFunction], times: Any, samples: Mapping[str, Any]) -> None:
    """Raises SimulationError if a function returns something else in some states of a run than its program.

    times: of the samples; samples: q and qd (arms, times, …), and z of laws with a state
    """
    for traced in functions:
        parts = [samples["q"], samples["qd"], *([samples["z"]] if "z" in samples else [])]
        rows = _states(times, parts[: len(traced.program.inputs) - 1], FEWER if traced.is_known else CALLS)
        _check(traced, rows)
        with suppress(TypeError):  # of an object without a hash or weak references
            CHECKED.add(traced.function)


def check_beforehand(functions: Iterable[TracedFunction], duration: float, q: Any, qd: Any) -> None:
    """Raises SimulationError as `check` does, in states of arms that would keep their rates; q, qd: (arms, …)"""
    times = np.linspace(0, duration, CALLS + 1)
    rates = np.repeat(qd[:, None], len(times), axis=1)
    moves = rates * times[:, None] if q.shape == qd.shape else 0.0
    check(functions, times, {"q": q[:, None] + moves + np.zeros((1, len(times), 1)), "qd": rates})


def _states(times: Any, parts: Sequence[Any], calls: int) -> list[Any]:
    """Returns some states of a run, from arm to arm and evenly over its time: t, and one row of each part."""
    arms, count = parts[0].shape[:2]
    first = np.linspace(0, max(count - 2, 0), calls).astype(int)
    arm, second = np.arange(len(first)) % arms, np.minimum(first + 1, count - 1)
    t = times[first] + BETWEEN * (times[second] - times[first])
    # a quaternion between two others would not have the norm 1
    share = BETWEEN if parts[0].shape[-1] == parts[1].shape[-1] else 0.0
    rows = [part[arm, first] + share * (part[arm, second] - part[arm, first]) for part in parts]
    known = np.isfinite(np.concatenate(rows, axis=1)).all(axis=1)
    return [t[known], *(row[known] for row in rows)]


def _check(traced: TracedFunction, rows: Sequence[Any]) -> None:
    if not len(rows[0]):  # the arm stopped at once
        return
    compiled = values(traced.program, rows)
    called = [_called(traced.function, [row[k] for row in rows]) for k in range(len(rows[0]))]
    scale = max((_size(answer) for answer in called if answer is not None), default=0.0)
    for k, answer in enumerate(called):
        if answer is None or _agree(compiled[k], answer, scale):
            continue
        state = [row[k] for row in rows]
        again = _called(traced.function, state)
        if again is not None and np.array_equal(answer, again) and _is_at_a_jump(traced, state):
            continue
        raise SimulationError(
            "compiled-gives-another-answer",
            what=traced.what,
            compiled=compiled[k],
            t=f"{state[0]:g}",
            answer=answer,
            remedy=REMEMBERED,
        )


def _is_at_a_jump(traced: TracedFunction, state: Sequence[Any]) -> bool:
    """Returns whether function and program agree beside a state, on both sides."""
    for by in (-ASIDE, ASIDE):
        beside = [state[0] + by, *(x + by * np.cos(1.0 + np.arange(len(x))) for x in state[1:])]
        answer = _called(traced.function, beside)
        value = values(traced.program, [np.asarray([x]) for x in beside])[0]
        if answer is None or not _agree(value, answer, _size(answer)):
            return False
    return True


def _size(answer: Any) -> float:
    """Returns the largest finite number of an answer."""
    return float(np.abs(answer[np.isfinite(answer)]).max(initial=0.0))


def _agree(compiled: Any, called: Any, scale: float) -> bool:
    return compiled.shape == called.shape and np.allclose(
        compiled, called, rtol=TOLERANCE, atol=1e-12 + TOLERANCE * scale, equal_nan=True
    )


def values(program: Program, rows: Sequence[Any]) -> Any:
    """Returns the program's results in some states, one row for each."""
    with np.errstate(all="ignore"):
        values = Walk(program, blocks.functions(), float)([row.reshape(len(row), -1).T for row in rows])
    results = [values[place] for _, places in program.result_slices() for place in places]
    return np.stack([np.broadcast_to(value, len(rows[0])) for value in results], axis=1)


def _called(function: Callable[..., Any], state: Sequence[Any]) -> Any:
    """Returns the numbers that a function returns in a state, or None if it has no answer there."""
    t, *others = state
    try:
        with np.errstate(all="ignore"):
            answer = function(float(t), *(x.copy() for x in others))
            parts = answer if isinstance(answer, tuple) else (answer,)
            return np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in parts])
    except Exception:  # a function need not have an answer in every state
        return None
