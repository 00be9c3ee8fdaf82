"""A Run is the motion that a simulation computed, with its pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from qddot.model.model import Model
from qddot.simulate.runs.ledger import Ledger
from qddot.simulate.runs.recording import Recording

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from qddot.draw.widget import ArmWidget
    from qddot.simulate.runs.stops import Stop


class EnergyLedger(Ledger):
    """This is the ledger of energy of a run, with a plot."""

    def plot(self, arm: int = 0, lang: str = "en") -> Figure:
        """Returns a Matplotlib figure of K, P and E [J] over time, with work and losses if there are any.

        arm: the index of an arm of a batch; lang: "en" or "zh"
        raises QddotError: no such arm or language
        """
        from qddot.draw import plot

        return plot.energy(self, arm, lang)


class Run(Recording):
    """A run holds the samples of one arm or of a batch of arms, their energies, and why arms stopped.

    stops: where and why arms stopped before the end, after which their values are NaN
    """

    _make: Callable[[Model], Any]

    @classmethod
    def of(cls, recording: Recording, robot: Callable[[Model], Any]) -> Self:
        """Returns a recording as a run; robot: the function that makes a robot from a model."""
        run = cls(recording._given, recording.stops, recording._model, recording._again)
        run._make = robot
        return run

    def _with(self, data: xr.Dataset, stops: Sequence[Stop]) -> Self:
        run = super()._with(data, stops)
        if hasattr(self, "_make"):
            run._make = self._make
        return run

    def arm(self, k: int = 0) -> Any:
        """Returns the k-th arm as a Robot, with its own values of symbols.

        raises SimulationError: a run from a file, which does not know its arms, or no such arm
        """
        model = super().arm(k).model  # raises for a run from a file
        return self._make(model)

    @cached_property
    def energy(self) -> EnergyLedger:
        """Returns the ledger of energy: K, P, E = K + P, work, losses and their balance [J]."""
        return EnergyLedger(self.arrays)

    def plot(self, arm: int = 0, lang: str = "en") -> Figure:
        """Returns a Matplotlib figure of the coordinates, rates and torques over time.

        arm: the index of an arm of a batch; lang: "en" or "zh"
        raises QddotError: no such arm or language
        """
        from qddot.draw import plot

        return plot.motion(self, arm, lang)

    def plot_phase(self, joint: int = 0, arm: int = 0, lang: str = "en") -> Figure:
        """Returns a Matplotlib figure of q̇ over q of one joint.

        joint: an index in the order of q; arm, lang: as for `plot`
        raises QddotError: no such joint, arm or language
        """
        from qddot.draw import plot

        return plot.phase(self, joint, arm, lang)

    def plot_path(self, arm: int = 0, lang: str = "en", camera: tuple[float, float] | None = None) -> Figure:
        """Returns a Matplotlib figure of the end point's path in space, with the arm at its end.

        arm, lang: as in `plot`; camera: (elevation, azimuth) in degrees
        raises QddotError: no such arm or language, or a run from a file, which does not know its arms
        """
        from qddot.draw import picture

        return picture.path(self, arm, lang, camera)

    def view(self, arm: int = 0, lang: str = "en") -> ArmWidget:
        """Returns a widget for a notebook that plays the run in three dimensions, and in which its time is sought.

        arm: the index of an arm of a batch; lang: "en" or "zh"
        raises QddotError: anywidget or the built page is not installed, no such arm or language, or a run from a file,
        which does not know its arms
        """
        from qddot.draw import in_notebook

        return in_notebook.of_run(self, arm, lang)

    def movie(self, path: str | Path, **options: Any) -> Path:
        """Writes the arm in motion to a file, .mp4 or .gif, and returns its path, which shows the movie in a notebook.

        options: `fps`; `duration`, seconds of the run to show; `speed`, times faster than the arm; `arm`; `size` in
        pixels; `camera`, (elevation, azimuth) in degrees; `trail`, seconds of the path behind the end point; `lang`;
        `progress`, a function that is called with the fraction that is done
        raises SimulationError: an unknown format, option, path or number, or no ffmpeg for .mp4
        """
        from qddot.draw import movie

        return movie.movie(self, path, **options)

    def pictures(self, folder: str | Path, **options: Any) -> list[Path]:
        """Writes the movie's pictures as PNG files into a folder, which is made, and returns their paths.

        Options and errors are those of `movie`.
        """
        from qddot.draw import movie

        return movie.frames(self, folder, **options)
