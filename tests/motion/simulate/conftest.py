"""Gives the tests of simulation a run to look at, and closes the figures that they leave."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

import qddot
from qddot.faces.run import Run
from qddot.motion.simulate import simulation
from qddot.motion.simulate.runs import run_store

mpl.use("Agg")


@pytest.fixture(scope="module")
def run() -> Run:
    """A second of an arm that swings with damping."""
    return qddot.load("spatial_2r").simulate([2.0, 0.3], [0.1, 0.1], 1.0, 0.01, damping=1.0)


@pytest.fixture(scope="module")
def small_blocks() -> Iterator[None]:
    """Streamed runs are written in blocks of a few samples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_store, "LARGEST", 300)
        patch.setattr(simulation, "FIRST", 3)
        yield


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    yield
    plt.close("all")
