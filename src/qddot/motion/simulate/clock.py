"""Reads the clock of a run: its duration, its steps, and how many of them lie between two samples."""

from __future__ import annotations

from typing import Any

from qddot.base.checked import is_whole, real
from qddot.base.errors import QddotError, SimulationError, shortened
from qddot.base.words.message import say

LARGEST = 1e15  # steps that a float can count
MOST_APART = 100_000  # steps between two samples that are proposed


def clock(duration: Any, step: Any, record_every: Any) -> tuple[float, float, int]:
    """Returns (duration, step, number of steps).

    raises SimulationError: another duration or step, or a number of steps that `record_every` does not divide
    """
    length, h = (
        real(duration, "duration", 0, of=say("in-seconds"), error=SimulationError),
        positive_seconds(step, "step"),
    )
    steps = whole_steps(length, h)
    counts = is_whole(record_every) and record_every > 0
    if not counts or steps % record_every:
        raise no_divisor(record_every, steps, nearest_divisor(record_every, steps) if counts else 1, SimulationError)
    return length, h, steps


def positive_seconds(value: Any, what: str) -> float:
    """Returns a time above zero. raises SimulationError: anything else"""
    return real(value, what, 0, above=True, of=say("in-seconds"), error=SimulationError)


NEAR = 1e-9  # of the duration, within which a number of steps makes it up
DIGITS = 18  # with which a number is certainly exact


def whole_steps(duration: float, step: float) -> int:
    """Returns how many steps make up the duration.

    raises SimulationError: no whole number does; the error names the nearest step that fits
    """
    ratio = duration / step
    if not ratio < LARGEST:
        raise SimulationError("too-many-steps", duration=f"{duration:g}", step=f"{step:g}", largest=f"{LARGEST:.0e}")
    steps = round(ratio)
    if abs(steps * step - duration) > NEAR * max(duration, step):
        count = max(1, steps)
        texts = (f"{duration / count:.{digits}g}" for digits in range(4, DIGITS))
        nearest = next(text for text in texts if abs(count * float(text) - duration) <= NEAR * duration)
        raise SimulationError(
            "step-does-not-divide",
            step=f"{step:g}",
            duration=f"{duration:g}",
            nearest=nearest,
            count=count,
        )
    return steps


def divisors(steps: int) -> list[int]:
    """Returns the divisors of a number of steps, up to MOST_APART: how many steps may lie between two samples."""
    return [k for k in range(1, min(steps, MOST_APART) + 1) if steps % k == 0] or [1]


def nearest_divisor(every: int, steps: int) -> int:
    """Returns the divisor of a number of steps that is nearest to another number."""
    return min(divisors(steps), key=lambda k: abs(k - every))


def no_divisor(every: Any, steps: int, nearest: int, error: type[QddotError]) -> QddotError:
    """Returns the error about samples that do not end with the last step."""
    return error("record-every-does-not-divide", every=shortened(every), steps=steps, nearest=nearest)
