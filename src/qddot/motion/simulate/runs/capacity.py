"""Refuses runs that would not fit into memory, before they are computed or read."""

from __future__ import annotations

from collections.abc import Callable

import psutil

from qddot.base.errors import QddotError, SimulationError
from qddot.base.words.message import Message, Words, say
from qddot.motion.simulate.clock import divisors
from qddot.motion.simulate.setup import Setup

UNITS = (("EB", 18), ("PB", 15), ("TB", 12), ("GB", 9), ("MB", 6), ("kB", 3), ("B", 0))  # the powers of ten of bytes
LITTLE = 2**20  # bytes; below this the free memory is not looked up


def check(setup: Setup) -> None:
    """Raises SimulationError if the samples of a run, and what they are made from, will not fit in memory."""
    per_sample = setup.plant.state_size + 4 * setup.plant.n + 4
    size = 8 * setup.arms * setup.records * per_sample

    def remedy(there: int) -> Message:
        least = setup.record_every * -(-size // max(there // 2, 1))
        every = next((k for k in divisors(setup.steps) if k >= least), setup.steps)
        return say("keep-fewer-samples", every=every)

    check_free(size, say("samples-take", arms=setup.arms, samples=setup.records), remedy)


def check_reading(size: int, what: Words) -> None:
    """Raises SimulationError if so many bytes of a stored run will not fit in memory."""
    check_free(size, say("it-takes", what=what), lambda _: say("read-a-part"))


def check_free(
    size: int, what: Message, remedy: Callable[[int], Message], error: type[QddotError] = SimulationError
) -> None:
    """Raises `error` if so many bytes will not fit in memory.

    what: the message of subject and verb, "4 arms take"; remedy: the function from the free bytes to the remedy
    """
    if size > LITTLE and size > (there := psutil.virtual_memory().available):
        needed, free = apart(size, there)
        raise error("too-large-for-memory", what=what, needed=needed, free=free, remedy=remedy(there))


def apart(size: int, there: int) -> tuple[str, str]:
    """Returns two different numbers of bytes as readable texts that differ."""
    digits = 3
    while readable(size, digits) == readable(there, digits):
        digits += 1
    return readable(size, digits), readable(there, digits)


def readable(size: int, digits: int = 3) -> str:
    """Returns a number of bytes as a text, in the largest unit that it reaches."""
    rounded = float(f"{size:.{digits}g}")
    unit, power = next(((unit, power) for unit, power in UNITS if rounded >= 10**power), UNITS[-1])
    return f"{rounded / 10**power:.{digits}g} {unit}"
