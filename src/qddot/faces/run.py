"""A Run is a simulated motion, with its energy, trust, files and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qddot.base import html
from qddot.base.errors import SimulationError
from qddot.base.words.language import in_english
from qddot.base.words.message import Listed, Message, Words, say
from qddot.motion.simulate.runs import joined_runs, loaded_runs, saved_runs
from qddot.motion.simulate.runs.joined_runs import Difference
from qddot.motion.simulate.runs.ledger import Ledger
from qddot.motion.simulate.runs.recording import Recording
from qddot.motion.simulate.runs.samples import Arrays
from qddot.motion.simulate.runs.stops import Stop
from qddot.motion.simulate.runs.trust import Trust, trusted
from qddot.robot.model import Model

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from qddot.machine.numeric.linear_model import LinearModel
    from qddot.papers.draw.camera import Direction
    from qddot.papers.draw.widget import ArmWidget

MOST_STOPS = 5  # stops that are listed


class Run:
    """A run holds the samples of one arm or of a batch of arms, their energies, and why arms stopped.

    Values of an arm after it has stopped are NaN.
    """

    def __init__(self, recording: Recording, robot: Callable[[Model], Any] | None = None) -> None:
        """robot: the function that makes a robot from a model, for `arm`; a run from a file needs none."""
        self._recording, self._robot = recording, robot

    @classmethod
    def load(cls, path: str | Path) -> Run:
        """Returns a run that `save` wrote as NetCDF, or that `simulate` keeps in a store, complete or not.

        raises SimulationError: no such run
        """
        return cls(loaded_runs.read(path))

    @property
    def arrays(self) -> Arrays:
        """Returns all samples as named arrays, the contents of `data`."""
        return self._recording.arrays

    @cached_property
    def data(self) -> xr.Dataset:
        """Returns all samples as an xarray Dataset with the dimensions arm, time and joint, and with units."""
        return self.arrays.dataset()

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Returns where and why arms stopped before the end."""
        return self._recording.stops

    @property
    def time(self) -> NDArray[np.float64]:
        """Returns the samples' times [s], shape (time,)."""
        times: NDArray[np.float64] = self.arrays["time"]
        return times

    @property
    def q(self) -> NDArray[np.float64]:
        """Returns q [rad or m], (time, entries of q) for a single arm, (arm, time, entries of q) for a batch."""
        return self.arrays.plain("q")

    @property
    def qd(self) -> NDArray[np.float64]:
        """Returns the rates [rad/s or m/s], shaped as `q`, but with an entry for each velocity."""
        return self.arrays.plain("qd")

    @property
    def tau(self) -> NDArray[np.float64]:
        """Returns the torques of the motors [N·m or N], shaped as `qd`."""
        return self.arrays.plain("tau")

    @property
    def z(self) -> NDArray[np.float64]:
        """Returns the state that the torque law declares, (time, k) for a single arm, (arm, time, k) for a batch.

        raises SimulationError: the law declares no state
        """
        if "z" not in self.arrays:
            raise SimulationError("run-without-state")
        return self.arrays.plain("z")

    @property
    def lower(self) -> NDArray[np.float64]:
        """Returns the lower bounds of (q, q̇) in an enclosed run, a row for each time, rounded outward.

        raises SimulationError: the run has no bounds; `arm.enclose` returns one that has them
        """
        return self._bounds("lower")

    @property
    def upper(self) -> NDArray[np.float64]:
        """Returns the upper bounds of (q, q̇), as `lower`."""
        return self._bounds("upper")

    def _bounds(self, side: str) -> NDArray[np.float64]:
        if f"q_{side}" not in self.arrays:
            raise SimulationError("run-without-bounds")
        return np.concatenate([self.arrays.plain(f"q_{side}"), self.arrays.plain(f"qd_{side}")], axis=-1)

    @property
    def complete(self) -> bool:
        """Returns whether the run ended without an interrupt."""
        return bool(self.arrays.attrs["complete"])

    @property
    def notes(self) -> tuple[str, ...]:
        """Returns notes about this run: a law that was not compiled, steps that did not converge."""
        return tuple(map(str, self._notes))

    @property
    def _notes(self) -> tuple[Words, ...]:
        return self._recording.notes or tuple(filter(None, str(self.arrays.attrs["notes"]).split("\n")))

    @cached_property
    def energy(self) -> Ledger:
        """Returns the ledger of energy [J]: K, P, E = K + P, work, losses and their balance.

        P is that of gravity and springs, unlike `eq.P` and `potential_energy`, which are without springs.
        """
        return Ledger(self.arrays)

    def arm(self, k: int = 0) -> Any:
        """Returns the k-th arm as a Robot, with its own values of symbols.

        raises SimulationError: no such arm, or a run from a file, since files do not hold arms
        """
        model = self._recording.model(k)  # raises for a run from a file; only such a run has no function for robots
        return self._robot(model) if self._robot else model

    def trust(self, within: float = 0.01) -> Trust:
        """Returns a comparison with the same run by a method of another kind, which `str` names.

        A run by "taylor" is compared with "dop853", all others with "taylor" or "dop853", near rounding; if that method
        gives up, as explicit ones do in stiff motions, with "radau". If no method of another kind takes the run, it is
        repeated with half the step, or "dop853" and "radau" with a hundredth of the tolerance, and `str` says so.

        It gives the difference of the runs, and the time until which no coordinate differs by more than `within` [rad
        or m]. Constant energy does not prove a trajectory: a chaotic arm can leave its trajectory and keep its energy.
        raises SimulationError: a run from a file, which does not hold its arm
        """
        return trusted(self._recording, within)

    def compare(self, other: Run, within: float = 0.01) -> Difference:
        """Returns the difference of another run from this one, at this one's times; its bool is True if they agree.

        within: the largest difference of a coordinate [rad or m]
        raises SimulationError: other coordinates, or another number of arms
        """
        return joined_runs.difference(self.data, other.data, within)

    def followed_by(self, other: Run) -> Run:
        """Returns this run and another that begins where it ends, as one run with one clock and one ledger.

        raises SimulationError: another model, or a first state that is not this run's last one
        """
        data, stops = joined_runs.joined(self.data, other.data, self.stops, other.stops)
        return self._with(data, tuple(stops), other._recording, tuple(dict.fromkeys([*self._notes, *other._notes])))

    def resampled(self, times: ArrayLike) -> Run:
        """Returns the run at other times within it [s]: increasing times, or the step between them.

        q is the cubic through q and q̇ of the two nearest samples, and q̇ is its slope; torques are linear in between.
        raises SimulationError: times that do not increase, or that are outside the run, or joints with quaternions
        """
        self.arrays.refuse_quaternions(say("samples-at-other-times"))
        return self._with(joined_runs.resampled(self.data, times), self.stops, self._recording, self._recording.notes)

    def linearize(
        self,
        times: ArrayLike | None = None,
        arm: int = 0,
        *,
        driven: str | Sequence[str] | None = None,
        discrete: float | None = None,
    ) -> LinearModel:
        """Returns the motion beside the run to first order: deviations x = (δq, δq̇) from it obey ẋ ≈ A(t) x + B(t) u.

        u is the deviation of the motors' torques from `tau`. A has the shape (time, 2n, 2n), B (time, 2n, m), and c
        (time, 2n) is the rate of the run's own state, (q̇, q̈); `.data` has all of it by names and times. Samples after
        an arm has stopped have NaN.
        times: by default those of all samples; others, or the step between them, as in `resampled`
        arm: the index of an arm of a batch
        driven, discrete, and the states of closed chains: as in `Robot.linearize`. A and B of a time step are computed
        with those of its beginning. With quaternions q = q_run ⊞ δq, as by `integrate`, so that A has −ad_ν of the run.
        The damping of the run counts; what a torque law would do about the deviation does not.
        raises SimulationError: a run with external forces or payloads, one from a file, or joined or resampled ones,
            whose parts are linearized, or times outside the run
        """
        from qddot.motion.simulate.runs.linearized import linearized

        return linearized(self._recording, times, arm, driven, discrete)

    def _with(self, data: xr.Dataset, stops: tuple[Stop, ...], driven: Recording, notes: tuple[Words, ...]) -> Run:
        recording = Recording(Arrays.of(data), stops, self._recording.models, None, driven.torque, notes)
        return Run(recording, self._robot)

    def save(self, path: str | Path, overwrite: bool = False) -> Path:
        """Writes NetCDF (.nc), which `Run.load` reads, or CSV (.csv) with one row per sample; returns the path.

        overwrite: whether a file is replaced that is there already and not a saved run
        raises SimulationError: another suffix, or a file that cannot be written or may not be replaced; the run stays
            as it is
        """
        return saved_runs.save(self.data, path, overwrite)

    def table(self) -> Any:
        """Returns a pandas table with one row per sample: arm, time, then every quantity, by joint where it has one."""
        return saved_runs.table(self.data)

    def plot(self, arm: int = 0, lang: str = "") -> Figure:
        """Returns a Matplotlib figure of the coordinates, rates and torques over time.

        arm: the index of an arm of a batch; lang: "en" or "zh", by default the language in use
        raises QddotError: no such arm or language
        """
        from qddot.papers.draw import plot

        return plot.motion(self._recording, arm, lang)

    def plot_energy(self, arm: int = 0, lang: str = "") -> Figure:
        """Returns a Matplotlib figure of K, P and E [J] over time, with work and losses if there are any.

        arm, lang: as in `plot`
        raises QddotError: no such arm or language
        """
        from qddot.papers.draw import plot

        return plot.energy(self.energy, arm, lang)

    def plot_energies(self, labels: Sequence[str], lang: str = "") -> Figure:
        """Returns a Matplotlib figure of the total energy E [J] of all arms of a batch over time.

        labels: what each arm is called in the figure, such as "damping 0", "damping 1"
        lang: "en" or "zh", by default the language in use
        raises QddotError: not as many labels as arms, or no such language
        """
        from qddot.papers.draw import plot

        return plot.energies(self.energy, labels, lang)

    def plot_phase(
        self, joint: int = 0, arm: int = 0, lang: str = "", *, starts: int | Sequence[Any] | None = None
    ) -> Figure:
        """Returns a Matplotlib figure of the phase portrait of one joint: its rate q̇ over its coordinate q.

        Angles are shown in (−π, π], and the curve is broken where it passes π, unless a spring or a law counts turns.
        A system with one coordinate has a field there, (q̇, q̈) with all torques and forces of the run, which is drawn as
        lines; its equilibria are marked by kind, as the eigenvalues of the linearized field are: centres, foci, nodes,
        saddles. Dry friction has stretches of rest instead. Of a system with more coordinates this is a projection,
        and the figure says so; nor is there a field if what acts depends on the time or has a state.
        joint: an index in the order of q; arm, lang: as in `plot`
        starts: further states from which the same arm moves as long and by the same method: pairs (q, q̇) of rows, or of
        numbers for one coordinate; or how many are spread over the picture, where other coordinates start as in the run
        raises QddotError: no such joint, arm or language; SimulationError: impossible starts, or a run that cannot be
            repeated
        """
        from qddot.papers.draw import phase

        return phase.portrait(self._recording, joint, arm, starts, lang)

    def plot_path(self, arm: int = 0, lang: str = "", camera: Direction | None = None) -> Figure:
        """Returns a Matplotlib figure of the path of the arm's end point, with the arm in its last position.

        arm, lang: as in `plot`; camera: as in `Robot.plot`
        raises QddotError: no such arm or language, or a run from a file, which does not hold its arms
        """
        from qddot.papers.draw import picture

        return picture.path(self._recording, arm, lang, camera)

    def view(self, arm: int = 0, lang: str = "") -> ArmWidget:
        """Returns a widget for a notebook that plays the run in three dimensions, with a slider for its time.

        arm: the index of an arm of a batch; lang: "en" or "zh", by default the language in use
        raises QddotError: anywidget is not installed, or qddot's page is neither built (`make page`) nor installed, no
        such arm or language, or a run from a file, which does not hold its arms
        """
        from qddot.papers.draw import in_notebook

        self.arrays.refuse_quaternions(say("view-of-a-run"))
        return in_notebook.of_run(self._recording, arm, lang)

    def movie(self, path: str | Path, overwrite: bool = False, **options: Any) -> Path:
        """Writes the arm in motion to a file, .mp4 or .gif, and returns its path, which shows the movie in a notebook.

        overwrite: whether a file is replaced that is there already and not an earlier movie
        options: `fps`; `start` and `duration`, the seconds of the run to show; `speed`, how many times faster than real
        time; `arm`; `size` in pixels; `camera` as in `Robot.plot`; `trail`, seconds of the path that is drawn; `title`,
        in place of the model's name and the method; `theme`, "light" or "dark"; `lang`; `progress`, a function that is
        called with the completed fraction
        raises SimulationError: an unknown format or option, a path that cannot be written or may not be replaced, a
            number out of its range, or no ffmpeg for .mp4; QddotError: no such arm or language, or a camera that is
            not two or three numbers
        """
        from qddot.papers.draw import movie

        return movie.movie(self._recording, path, overwrite, **options)

    def pictures(self, folder: str | Path, overwrite: bool = False, **options: Any) -> list[Path]:
        """Writes the movie's pictures as PNG files into a folder, which is created if needed; returns their paths.

        Arguments and errors are those of `movie`.
        """
        from qddot.papers.draw import movie

        return movie.frames(self._recording, folder, overwrite, **options)

    def __getstate__(self) -> dict[str, Any]:
        return {"_recording": self._recording, "_robot": self._robot}  # everything else follows from the recording

    @in_english
    def __repr__(self) -> str:
        return f"<{self.summary}>"

    @property
    def summary(self) -> Message:
        """The sentence with the arms, the samples, the method and how the run ended."""
        (arms, samples), attrs = self.arrays.shape, self.arrays.attrs
        return say(
            "run-summary",
            model=attrs["model"],
            count=arms,
            samples=samples,
            end=f"{self.time[-1]:g}",
            method=attrs["method"],
            step=f"{attrs['step']:g}",
            ended="" if self.complete else say("and-interrupted"),
            stopped=say("and-stopped-early", count=len(self.stops)) if self.stops else "",
        )

    def _repr_html_(self) -> str:
        attrs, (arms, samples) = self.arrays.attrs, self.arrays.shape
        joints = zip(self.arrays.joints, self.arrays.units, strict=True)
        stopped = say("title-stopped")
        rows: list[tuple[Words, Words]] = [
            (say("title-method"), say("method-in-steps", method=attrs["method"], step=f"{attrs['step']:g}")),
            (say("title-samples"), say("samples-up-to", samples=samples, end=f"{self.time[-1]:g}", count=arms)),
            (say("title-coordinates"), Listed(f"{q} [{unit}]" for q, unit in joints)),
            (say("title-torque"), self._recording.torque or attrs["torque"]),
            (say("title-values"), attrs.get("values", "")),
            *((stopped, stop.message) for stop in self.stops[:MOST_STOPS]),
            (stopped, say("stops-in-all", count=len(self.stops)) if len(self.stops) > MOST_STOPS else ""),
        ]
        unfinished = [] if self.complete else [say("interrupted-run")]
        hint = "run.energy, run.trust(), run.plot(); run.q, run.qd, run.tau, run.data"
        head, table = say("run-of", model=attrs["model"]), html.table(("", ""), [row for row in rows if row[1]])
        return html.block(html.lines([head]), table, html.notes([*unfinished, *self.notes, hint]))
