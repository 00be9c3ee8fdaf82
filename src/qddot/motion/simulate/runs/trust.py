"""Trust says up to which time a trajectory is reliable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.base import html
from qddot.base.checked import real
from qddot.base.errors import SimulationError
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Message, Words, say
from qddot.motion.simulate.runs.joined_runs import horizon
from qddot.motion.simulate.runs.recording import Recording
from qddot.motion.simulate.runs.samples import Arrays
from qddot.motion.simulate.stepping.methods import METHODS

LARGEST_DISTANCE = 1e300
NEXT = 1.5  # samples; two runs that stop at the same moment may end at neighbouring ones


@record()
class Compared:
    """This is the run with which a run is compared.

    method: how it was computed; run: what it is, as "a run by dop853 to a tolerance of 1e-13"
    caveat: what the comparison cannot show, "" if the method is of another kind
    """

    method: str
    run: Message
    caveat: Words = ""

    @property
    def about(self) -> str:
        """What it is, in the language in use."""
        return str(self.run)

    @classmethod
    def of(cls, own: Mapping[str, Any], other: Mapping[str, Any]) -> Compared:
        """Returns what another run of the same motion is; own, other: the attributes of both."""
        name = other["method"]
        if name == own["method"]:
            return cls(name, say(METHODS[name].finer, method=name), say("no-method-of-another-kind"))
        if precise := METHODS[name].precise:
            return cls(name, say("run-to-a-tolerance", method=name, tolerance=f"{precise.relative:g}"))
        return cls(name, say("run-in-steps", method=name, step=f"{other['step']:g}"))


@record()
class Trust:
    """This compares a run with the same run by a method of another kind; `compared` says with which one.

    time: (time,) [s]; distance: the largest difference of a coordinate, (arm, time) or (time,) [rad or m];
    horizon: for each arm the time [s] up to which it stays below `within`
    ends: for each arm the times [s] of the last samples of this run, and of the other one, (arm, 2)
    """

    time: NDArray[np.float64]
    distance: NDArray[np.float64]
    within: float
    horizon: NDArray[np.float64] | float
    compared: Compared
    ends: NDArray[np.float64]

    def __str__(self) -> str:
        distance, horizon = np.atleast_2d(self.distance), np.atleast_1d(self.horizon)
        if (horizon >= self.time[-1]).all():
            return str(self._verdict(int(distance[range(len(distance)), _last(distance)].argmax())))
        arm = int(horizon.argmin())
        verdict = self._verdict(arm)
        return str(say("of-one-arm", arm=arm, verdict=verdict) if len(horizon) > 1 else verdict)

    @property
    def verdicts(self) -> list[str]:
        """The sentences about each arm: up to which time [s] its trajectory is reliable, and by what comparison."""
        return [str(self._verdict(arm)) for arm in range(len(np.atleast_1d(self.horizon)))]

    def _verdict(self, arm: int) -> Message:
        reliable, caveat = self._reliable(arm), self.compared.caveat
        return say("with-a-caveat", verdict=reliable, caveat=caveat) if caveat else reliable

    def _reliable(self, arm: int) -> Message:
        distance, horizon, other = np.atleast_2d(self.distance)[arm], self._horizon(arm), self.compared.run
        last = _last(distance[None])[0]
        within, apart, until = f"{self.within:g}", f"{distance[last]:.2g}", f"{horizon:g}"
        if horizon >= self.time[-1]:
            return say("reliable-to-the-end", other=other, within=within, distance=apart)
        if horizon >= self.time[last]:
            return say("reliable-until-an-end", horizon=until, ended=self._ended(arm))
        return say("reliable-up-to", horizon=until, other=other, within=within, distance=apart)

    def _horizon(self, arm: int) -> float:
        return float(np.atleast_1d(self.horizon)[arm])

    def _ended(self, arm: int) -> Message:
        """Returns which of two runs ended first."""
        own, other = self.ends[arm]
        apart = NEXT * (self.time[1] - self.time[0]) if len(self.time) > 1 else 0.0
        if own + apart < other:
            return say("this-run-ends", other=self.compared.run, until=f"{other:g}")
        if other + apart < own:
            return say("other-run-ends", other=self.compared.run, until=f"{own:g}")
        return say("both-runs-end", other=self.compared.run)

    @in_english
    def __repr__(self) -> str:
        return f"<trust: {self}>"

    def _repr_html_(self) -> str:
        distance, horizon = np.atleast_2d(self.distance), np.atleast_1d(self.horizon)
        rows = [
            [str(arm), f"{horizon[arm]:g} s", f"{self.time[last]:g} s", f"{distance[arm, last]:.2g}"]
            for arm, last in enumerate(_last(distance))
        ]
        within = say("title-within-up-to", within=f"{self.within:g}")
        titles = (say("an-arm-of-many"), within, say("title-compared-up-to"), say("title-distance"))
        return html.block(
            html.lines([say("compared-with", other=self.compared.run), str(self)]),
            html.table(titles, rows, "trust.horizon"),
        )


def _last(distance: Any) -> Any:
    """Returns, for each arm, the last sample whose distance is known, or the first if none is."""
    finite = np.isfinite(distance)
    return np.where(finite.any(1), finite.shape[1] - 1 - finite[:, ::-1].argmax(1), 0)


def trusted(run: Recording, within: float) -> Trust:
    """Returns a comparison of a run with the same run by a method of another kind, at their common times.

    If no such method takes the run, it is compared with the same method at smaller errors.
    within: the largest difference of a coordinate [rad or m]
    raises SimulationError: an enclosed run, which needs no comparison, or a run that cannot be repeated
    """
    real(within, "within", 0, LARGEST_DISTANCE, above=True, of=say("in-rad-or-m"), error=SimulationError)
    own = run.arrays
    if "q_lower" in own:
        raise SimulationError("enclosed-run-needs-no-comparison")
    if run.again is None:
        raise SimulationError("run-not-repeatable")
    other = run.again().arrays
    return compared(own, other, within, Compared.of(own.attrs, other.attrs))


def compared(own: Arrays, other: Arrays, within: float, by: Compared) -> Trust:
    """Returns the distance of two runs at their common times."""
    count = min(len(own["time"]), len(other["time"]))
    times = own["time"][:count]
    apart = np.abs(own["q"][:, :count] - other["q"][:, :count]).max(axis=2)
    reached = horizon(times, apart, within)
    ends = np.stack([run["time"][_last(run["q"].max(axis=2))] for run in (own, other)], axis=1)
    single = own.attrs["single"]
    distance, until = (apart[0], float(reached[0])) if single else (apart, reached)
    return Trust(own["time"], distance, within, until, by, ends)
