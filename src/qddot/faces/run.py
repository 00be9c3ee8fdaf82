"""Run: what a simulation gave, and how a person looks at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from qddot.model.model import Model
from qddot.simulate.ledger import Ledger
from qddot.simulate.recording import Recording


class EnergyLedger(Ledger):
    """The ledger of energy, which draws itself."""

    def plot(self, **options: Any) -> Any:
        """K, P and E over time, and losses where there are any; a Matplotlib figure."""
        from qddot.draw import plot

        return plot.energy(self, **options)


class Run(Recording):
    """Samples of one arm or of a batch, and what is known of them.

    data: an xarray Dataset with the dimensions run, time and joint; stops: where and why arms stopped before
    the end; values after that are NaN
    """

    _make: Callable[[Model], Any]

    @classmethod
    def of(cls, recording: Recording, robot: Callable[[Model], Any]) -> Self:
        """A recording as it is handed out; robot: what makes a robot of a model."""
        run = cls(recording.data, recording.stops, recording._model, recording._again)
        run._make = robot
        return run

    def arm(self, k: int = 0) -> Any:
        """Returns the k-th arm as a Robot, with its own values of symbols.

        raises SimulationError: a run from a file, which does not know its arms, or no such arm
        """
        return self._make(super().arm(k).model)

    @cached_property
    def energy(self) -> EnergyLedger:
        """The ledger of energy."""
        return EnergyLedger(self.data)

    def plot(self, **options: Any) -> Any:
        """Coordinates, rates and torques over time; a Matplotlib figure. options: of `qddot.draw.plot.motion`"""
        from qddot.draw import plot

        return plot.motion(self, **options)

    def plot_phase(self, joint: int = 0, **options: Any) -> Any:
        """q̇ over q of one joint; a Matplotlib figure."""
        from qddot.draw import plot

        return plot.phase(self, joint, **options)

    def plot_path(self, **options: Any) -> Any:
        """The end point's path in space; a Matplotlib figure."""
        from qddot.draw import scene

        return scene.path(self, **options)

    def movie(self, path: str | Path, **options: Any) -> Path:
        """The arm in motion as .mp4 or .gif. options: of `qddot.draw.movie.Film`, and progress="""
        from qddot.draw import movie

        return movie.movie(self, path, **options)

    def pictures(self, folder: str | Path, **options: Any) -> list[Path]:
        """The movie's pictures as PNG files in a folder. options as for `movie`"""
        from qddot.draw import movie

        return movie.frames(self, folder, **options)
