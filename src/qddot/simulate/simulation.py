"""Runs a setup and returns its recording: by compiled schemes in pieces, or by SciPy's solvers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from qddot.program.recurrence import GUARDED, RUNNING, STATUS, STEPS, UNSETTLED
from qddot.simulate import adaptive, certified, events
from qddot.simulate.calling import Calls
from qddot.simulate.described_samples import described
from qddot.simulate.events import Stop
from qddot.simulate.machine import Machine, machine
from qddot.simulate.plant import Plant
from qddot.simulate.radii import Radii
from qddot.simulate.recording import Models, Recording
from qddot.simulate.schemes import SCHEMES, Scheme
from qddot.simulate.setup import Setup
from qddot.simulate.taylor import integration

PIECE = 0.1  # seconds of computing between checks of the keyboard and reports of progress
Progress = Callable[[float], None]


def run(setup: Setup, threads: int | None = None, progress: Progress | None = None) -> Recording:
    """Returns the recording of a setup; a keyboard interrupt ends the run with what has been computed."""
    if setup.certified is not None:
        return _certified(setup, setup.certified, progress)
    if setup.method == "taylor":
        integration.check(setup)
    kernels, calls = machine(setup.plant, setup.method), Calls(setup)
    if setup.method in SCHEMES:
        records, stops, complete, notes = _integrated(setup, kernels, calls, threads, progress)
    elif setup.method == "taylor":
        records, stops, complete, notes = integration.integrated(setup, kernels, threads, progress)
    else:
        records, stops, complete, notes = adaptive.integrated(setup, kernels, calls, progress)
    times = setup.times[: records.shape[1]]
    samples = observed(setup, times, records, stops, calls)
    calls.finish()
    arrays = described(setup, times, samples, stops, complete, [*calls.notes(), *notes])
    plant = setup.plant
    values = {name: value for name, value in plant.values.items() if name in plant.described.symbols}
    own = Models(plant.described, values, plant.free, setup.parameters[:, : len(plant.free)])
    return Recording(arrays, stops, own, _Again(setup, threads))


@dataclass(frozen=True)
class _Again:
    """The same run, closer to the truth: with half the step, or with a hundredth of the tolerance."""

    setup: Setup
    threads: int | None

    def __call__(self) -> Recording:
        setup = self.setup
        if setup.method in SCHEMES:
            finer = replace(setup, step=setup.step / 2, steps=2 * setup.steps, record_every=2 * setup.record_every)
        elif setup.method == "taylor":  # a tolerance near rounding has no hundredth
            finer = replace(setup, shortened=setup.shortened / 2)
        else:
            finer = replace(setup, tolerance=setup.tolerance and setup.tolerance.finer(setup.method))
        with setup.plant.torque.rewound():
            return run(finer, self.threads)


def _certified(setup: Setup, sizes: Radii, progress: Progress | None) -> Recording:
    """Returns the recording of a run that is enclosed: its samples are the middles of the bounds."""
    certified.check(setup)
    lower, upper, stops, complete = certified.enclosed(setup, sizes, progress)
    times, n, calls = setup.times[: lower.shape[1]], setup.plant.n, Calls(setup)
    samples = observed(setup, times, (lower + upper) / 2, stops, calls)
    for name, part in (("q", slice(0, n)), ("qd", slice(n, 2 * n))):
        samples |= {f"{name}_lower": lower[:, :, part], f"{name}_upper": upper[:, :, part]}
    arrays = described(setup, times, samples, stops, complete, [])
    plant = setup.plant
    return Recording(arrays, stops, Models(plant.model, plant.values, (), setup.parameters[:, :0]))


def _integrated(
    setup: Setup, kernels: Machine, calls: Calls, threads: int | None, progress: Progress | None
) -> tuple[Any, list[Stop], bool, list[str]]:
    """Returns the states at the samples, (N, R, m), why arms stopped, whether the run is complete, and notes."""
    plant, every = setup.plant, setup.record_every
    before = calls.hook(kernels)
    state, log = _beginning(setup, kernels, calls), np.zeros((setup.arms, 3))
    period = _called_every(setup)
    records = np.empty((setup.arms, setup.records, plant.state_size))
    records[:, 0] = state
    at, count = 0, 1
    try:
        while at < setup.steps:
            # whole intervals between samples, or the rest of one
            left = every - at % every
            count = min(count, period - at % period) if period else count
            count = min(count, left) if count < every or left < every else min(count // every * every, setup.steps - at)
            rows = kernels.scheme.rows(plant, (at + np.arange(count)) * setup.step, setup.step)
            begun, kept = perf_counter(), records[:, at // every + 1 :]
            kernels.stepper.advance(state, setup.parameters, rows, kept, log, min(every, count), threads, before)
            at += count
            if period and at % period == 0:
                calls.sample(kernels, at * setup.step, state, log[:, STATUS] == RUNNING)
            if at % every == 0:
                records[:, at // every] = state
            count = max(1, int(count * min(8.0, PIECE / max(perf_counter() - begun, 1e-9))))
            if progress:
                progress(at / setup.steps)
    except KeyboardInterrupt:
        pass
    kept = records[:, : at // every + 1]
    return kept, _stops(setup, kernels, calls, state, log), at == setup.steps, _notes(setup, log)


def _called_every(setup: Setup) -> int:
    """Returns how many steps there are between calls of a law that is sampled and called, 0 for any other torque."""
    torque = setup.plant.torque
    return round(torque.sampling.period / setup.step) if torque.sampling and torque.kind == "callback" else 0


def _beginning(setup: Setup, kernels: Machine, calls: Calls) -> Any:
    """Returns the state of each arm at t = 0, where a sampled law computes its first torque."""
    state, n = setup.beginning, setup.plant.n
    if kernels.in_momenta:
        state[:, n : 2 * n] = kernels.momenta(setup.q0, setup.qd0, setup.parameters)
    if setup.plant.torque.sampling:
        if setup.plant.torque.kind == "callback":
            calls.sample(kernels, 0.0, state, np.ones(setup.arms, bool))
        else:
            row = kernels.scheme.rows(setup.plant, np.array([-setup.step]), setup.step)[0, 0]
            return kernels.sampled(state, np.zeros((setup.arms, kernels.inner_size)), row, setup.parameters)
    return state


def _stops(setup: Setup, kernels: Machine, calls: Calls, state: Any, log: Any) -> list[Stop]:
    """Returns where arms stopped: at the zero of a guard, or at the last finite state."""
    plant, n, h, stops = setup.plant, setup.plant.n, setup.step, []
    for arm in np.flatnonzero(log[:, STATUS] != RUNNING):
        t, last, guard = log[arm, STEPS] * h, state[arm], int(log[arm, STATUS]) - GUARDED
        late = log[arm, UNSETTLED] == log[arm, STEPS] + 1
        reason = "the implicit step did not converge" if late else "its state grew without bound"
        if guard >= 0:
            rows = partial(_one_step, kernels.scheme, plant, t)
            # a law with a memory is not called again: its last torque is kept
            before = None if plant.torque.once else calls.hook(kernels)
            trial = partial(_trial, kernels, setup.parameters[arm : arm + 1], before)
            within, last = events.located(trial, rows, last, h, guard)
            t, reason = t + within, f"it reached {events.names(plant)[guard]}"
        q, second = last[:n], last[n : 2 * n]
        if kernels.in_momenta:
            second = kernels.velocities(q, second, setup.parameters[arm])
        stops.append(Stop(int(arm), float(t), reason, q.copy(), second.copy()))
    return stops


def _trial(kernels: Machine, parameters: Any, before: Any, state: Any, rows: Any) -> tuple[Any, Any]:
    """Returns one arm's state after a step, and its guards."""
    return kernels.stepper.trial(state, parameters, rows, before)


def _one_step(scheme: Scheme, plant: Plant, t: float, h: float) -> Any:
    """Returns the rows of a single step."""
    return scheme.rows(plant, np.array([t]), h)[0]


def _notes(setup: Setup, log: Any) -> list[str]:
    """Returns notes that a user should read about the run."""
    notes = []
    late = np.flatnonzero(log[:, UNSETTLED])
    if len(late):
        arm = int(late[0])
        first = log[arm, UNSETTLED] * setup.step
        notes.append(
            f"{len(late)} arms did not converge in a step, arm {arm} first at t = {first:.6g} s: take a smaller step"
        )
    return notes


def observed(setup: Setup, times: Any, records: Any, stops: list[Stop], calls: Calls) -> dict[str, Any]:
    """Returns q, qd, tau, K, P and the ledger's accounts at the samples; NaN after an arm has stopped.

    What the records hold already is a part of them, so that no number is kept twice.
    """
    plant, n = setup.plant, setup.plant.n
    kernels, rows = machine(plant, setup.method), times[:, None]
    rows = np.concatenate([rows, plant.columns(times, times, setup.step)], axis=1)
    if setup.arms == 1:  # the quick way in
        found = tuple(values[None] for values in kernels.observe(records[0], rows, setup.parameters[0]))
    else:
        found = kernels.observe(records, rows, setup.parameters[:, None])
    samples = {"q": records[:, :, :n], "qd": records[:, :, n : 2 * n]}
    samples |= zip(("qd", "tau", "K", "P") if kernels.in_momenta else ("tau", "K", "P"), found, strict=True)
    own = records[:, :, plant.memory_places]
    if plant.torque.kind == "callback" and not plant.torque.sampling:
        samples["tau"] = calls.at_samples(times, samples["q"], samples["qd"], own)
    samples |= {"z": own} if plant.torque.states else {}
    samples |= {name: records[:, :, plant.moving_size + k] for k, name in enumerate(plant.ledger)}
    for stop in stops:
        for values in samples.values():
            values[stop.arm, times > stop.time] = np.nan
    return samples
