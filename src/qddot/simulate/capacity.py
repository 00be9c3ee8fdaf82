"""Refuses what would not fit into memory, before it is run or read."""

from __future__ import annotations

import psutil

from qddot.errors import SimulationError
from qddot.simulate.setup import Setup

LITTLE = 2**20  # bytes, which need no look at how many there are


def check(setup: Setup) -> None:
    """Raises SimulationError if the samples of a run, and what they are made from, will not fit in memory."""
    per_sample = setup.plant.state_size + 4 * setup.plant.n + 4
    needed = 8 * setup.arms * setup.records * per_sample
    if needed > LITTLE and needed > (there := psutil.virtual_memory().available):
        least = setup.record_every * -(-needed // max(there // 2, 1))
        every = next((k for k in range(least, min(setup.steps, 100_000) + 1) if setup.steps % k == 0), setup.steps)
        raise SimulationError(
            f"{setup.arms} arms with {setup.records} samples each take {needed / 1e9:.1f} GB",
            expected=f"at most the {there / 1e9:.1f} GB that are free",
            remedy=f'keep fewer samples: record_every={every}, or fewer arms; store="run.zarr" keeps them on disk',
        )


def check_reading(size: int, what: str) -> None:
    """Raises SimulationError if so many bytes of a stored run will not fit in memory."""
    there = psutil.virtual_memory().available
    if size > there:
        raise SimulationError(
            f"{what} takes {size / 1e9:.1f} GB",
            expected=f"at most the {there / 1e9:.1f} GB that are free",
            remedy="run.data reads a part: run.data.q.isel(time=slice(0, 1000))",
        )
