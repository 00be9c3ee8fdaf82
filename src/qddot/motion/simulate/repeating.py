"""Says how a run is repeated to judge it: by a method of another kind, or else by the same one with smaller errors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping.methods import METHODS

LONGEST, LEAST_PARTS = 1e-3, 2  # steps of fixed size in a repetition [s], and how many of them make one of the run


def by_others(setup: Setup) -> Iterator[Setup]:
    """Yields the setups of the same run by methods of another kind, the most precise of them first.

    A method may turn out not to take the run, or to give up. A law that has to be called in order of time cannot be
    called by a method that repeats steps.
    """
    drive = setup.plant.drive
    if drive.in_stages and drive.in_stages.in_order:
        return
    for method in map(METHODS.__getitem__, setup.method.others):
        other = replace(setup, method=method, tolerance=method.precise, shortened=1.0, hurried=True)
        yield other if method.precise else _in_parts(other, max(LEAST_PARTS, math.ceil(setup.step / LONGEST)))


def finer(setup: Setup) -> Setup:
    """Returns the setup of the same run with half the step, or with a hundredth of the tolerance."""
    if setup.tolerance is None:
        return _in_parts(setup, 2)
    if setup.method.series:  # a hundredth of its tolerance may be below rounding
        return replace(setup, shortened=setup.shortened / 2)
    return replace(setup, tolerance=setup.tolerance.finer(setup.method.least))


def _in_parts(setup: Setup, count: int) -> Setup:
    """Returns the same run with the same samples, and shorter steps."""
    return replace(setup, step=setup.step / count, steps=setup.steps * count, record_every=setup.record_every * count)
