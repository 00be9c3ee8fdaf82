"""Linearizes the motion beside a run: how deviations from it grow, and what further torques of the motors do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from qddot.base.errors import SimulationError
from qddot.base.words.message import say
from qddot.machine.numeric import composed
from qddot.machine.numeric.calls import Calls
from qddot.machine.numeric.linear_model import LinearModel
from qddot.motion.simulate.runs import joined_runs
from qddot.motion.simulate.runs.recording import Recording
from qddot.motion.simulate.setup import Setup
from qddot.physics.systems import ClosedSystem, System


def linearized(
    recording: Recording, times: Any, arm: int, driven: str | Sequence[str] | None, discrete: float | None
) -> LinearModel:
    """Returns the linear model beside a run; arguments and errors are those of `Run.linearize`."""
    model, setup = recording.model(arm), recording.setup
    if setup is None:
        raise SimulationError("linearized-run-in-parts", where=model.name)
    plant = setup.plant
    if plant.forces or plant.carried:
        raise SimulationError("linearized-run-with-forces", where=model.name)
    system: System = model
    if plant.closed:
        system = ClosedSystem(replace(plant.closed.model, tree=model), plant.closed.choice)
    time, q, qd, tau = _samples(recording, times, arm)
    known = np.isfinite(np.concatenate([q, qd, tau], axis=1)).all(axis=1)
    settings = dict.fromkeys(plant.time, time[known])
    state, own = (q[known], qd[known], tau[known]), _damping(setup, arm)
    linear = composed.linearize(Calls(system), state, driven, discrete, settings, share=1.0, damping=own)
    A, B, c = (_with_gaps(part, known) for part in (linear.A, linear.B, linear.c))
    return replace(linear, A=A, B=B, c=c, q=q, qd=qd, tau=tau, times=time)


def _samples(recording: Recording, times: Any, arm: int) -> tuple[Any, Any, Any, Any]:
    """Returns times, q, q̇ and τ of an arm at its samples, or at other times."""
    if times is None:
        samples = recording.arrays
        return samples["time"], samples["q"][arm], samples["qd"][arm], samples["tau"][arm]
    recording.arrays.refuse_quaternions(say("samples-at-other-times"))
    data = joined_runs.resampled(recording.arrays.dataset(), times)
    return data.time.values, data.q.values[arm], data.qd.values[arm], data.tau.values[arm]


def _damping(setup: Setup, arm: int) -> Any:
    """Returns D of one arm, (n,), or None."""
    first = len(setup.plant.free)
    return setup.parameters[arm, first : first + setup.plant.n] if setup.plant.damped else None


def _with_gaps(part: Any, known: Any) -> Any:
    """Returns an array with NaN at the samples after an arm has stopped."""
    whole = np.full((len(known), *part.shape[1:]), np.nan)
    whole[known] = part
    return whole
