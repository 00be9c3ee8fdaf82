"""Runs a setup and returns its recording, by a method with fixed steps or an adaptive one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from qddot.base.errors import QddotError, few
from qddot.base.words.message import Message, Words, say
from qddot.machine.numeric.manifold import normalise_quaternions
from qddot.motion.simulate.laws import compared
from qddot.motion.simulate.laws.compared import TracedFunction
from qddot.motion.simulate.motion import Motion
from qddot.motion.simulate.options import options_of_run
from qddot.motion.simulate.plant import Closed
from qddot.motion.simulate.runs import capacity, run_store
from qddot.motion.simulate.runs.described_samples import described
from qddot.motion.simulate.runs.loaded_runs import stored
from qddot.motion.simulate.runs.recording import Recording, model_of
from qddot.motion.simulate.runs.run_store import Writer
from qddot.motion.simulate.runs.samples import Arrays
from qddot.motion.simulate.runs.stops import GIVEN_UP, Stop
from qddot.motion.simulate.setup import RunRequest, Setup, beside, checked
from qddot.motion.simulate.stepping import enclosing, mixing, scipys
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.enclosing import EnclosingSolver
from qddot.motion.simulate.stepping.fixed_steps import FixedStepSolver
from qddot.motion.simulate.stepping.machine import machine
from qddot.motion.simulate.stepping.methods import METHODS
from qddot.motion.simulate.stepping.runge_kutta import RungeKuttaSolver
from qddot.motion.simulate.stepping.scipys import ScipySolver
from qddot.motion.simulate.stepping.solver import Progress, Solver
from qddot.motion.simulate.stepping.taylor import expansion
from qddot.motion.simulate.stepping.taylor.expansion import TaylorSolver
from qddot.robot.left_out import sentences
from qddot.robot.model import Model

PAUSE, FIRST = 2.0, 1000  # seconds of computing between writes to a store, and how many samples the first write has
CLOSE, NEAR = 1e-2, 2e-2  # of det A Aᵀ and of the distance from a singular configuration at the start, near one
PART = 2_000_000  # entries of A, of the samples in which loops are closed together
LONGEST, LEAST_PARTS = 1e-3, 2  # steps of fixed size in a repetition [s], and how many of them make one of the run
OPEN = 1e-6  # the largest |φ|, relative to the entries of A, of loops that are closed


def simulated(
    model: Model, motion: Motion, options: Any, values: Mapping[str, Any], closed: Closed | None = None
) -> Recording:
    """Returns the recording of a motion as a user requests it.

    values: of symbols, by name; closed: the conditions of a closed chain
    raises SimulationError: the run is impossible; this is checked before it begins
    """
    own = options_of_run(options)
    every = 1 if own.record_every is None else own.record_every
    setup = checked(model, RunRequest(motion, every, values=values), closed)
    return run(setup, own.threads, own.progress, run_store.place_for(setup, own.store, own.overwrite))


def run(
    setup: Setup, threads: int | None = None, progress: Progress | None = None, place: Path | None = None
) -> Recording:
    """Returns the recording of a setup; a keyboard interrupt ends the run with the samples computed so far.

    place: path of the store that samples are written to during the run; it was checked before
    """
    kind = _solver(setup)
    # the results hold the setup, and neither keep the user's functions nor send them to other processes
    functions, setup = setup.functions, replace(setup, functions=())
    if place is None:
        capacity.check(setup)
    solver = kind(setup, machine(setup.plant, setup.method), LawCalls(setup), threads, progress)
    if place is not None:
        return _recording(setup, threads, *_streamed(solver, place, functions))
    records = solver.until(setup.records - 1)
    times = setup.times[: records.shape[1]]
    samples = observed(solver, times, records)
    compared.check(functions, times, samples)
    notes = _notes(solver)
    arrays = partial(described, setup, times, samples, solver.stops, solver.complete, notes)
    return _recording(setup, threads, arrays, solver.stops, notes)


def _solver(setup: Setup) -> type[Solver]:
    """Returns the solver of a setup's method. raises SimulationError: the method cannot step this setup"""
    if setup.radii is not None:
        enclosing.check(setup)
        return EnclosingSolver
    if setup.method.scheme:
        return FixedStepSolver
    if setup.method.series:
        expansion.check(setup)
        return TaylorSolver
    return ScipySolver if scipys.takes(setup) else RungeKuttaSolver


def _recording(
    setup: Setup, threads: int | None, arrays: Arrays | Callable[[], Arrays], stops: list[Stop], notes: list[Words]
) -> Recording:
    plant = setup.plant
    values = {name: value for name, value in plant.values.items() if name in plant.described.symbols}
    own = partial(model_of, plant.described, values, plant.free, setup.parameters[:, : len(plant.free)])
    caller = plant.drive.caller
    is_alone = setup.radii or (caller and caller.remembers)
    again, other = (None if is_alone else partial(each, setup, threads) for each in (_again, _beside))
    return Recording(arrays, tuple(stops), own, again, plant.drive.told, tuple(notes), setup, other)


def _notes(solver: Solver) -> list[Words]:
    """Returns notes about what the model lacks, a run's law, its method, and torques in joints that have no motor."""
    pushed = [name for name in solver.plant.model.passive if name in solver.pushed]
    notes = [say("note-of-passive-joints", names=few(pushed))] if pushed else []
    return [
        *sentences(solver.plant.described.left_out),
        *solver.calls.notes(),
        *solver.notes(),
        *_of_loops(solver),
        *notes,
    ]


def _of_loops(solver: Solver) -> list[Message]:
    """Returns notes about loops that were nearly singular or open."""
    stopped = {stop.arm for stop in solver.stops if stop.kind == "loops"}
    passed = {arm: t for arm, t in solver.singular.items() if arm not in stopped}
    first, opened = (min(each, key=each.__getitem__, default=0) for each in (passed, solver.opened))
    notes = []
    if passed:
        notes.append(say("note-of-singular-loops", t=f"{passed[first]:.6g}", arm=first))
    if solver.opened:
        notes.append(say("note-of-open-loops", t=f"{solver.opened[opened]:.6g}", arm=opened))
    return notes


def _streamed(
    solver: Solver, place: Path, functions: Sequence[TracedFunction]
) -> tuple[Arrays, list[Stop], list[Words]]:
    """Runs to the end or to an interrupt while the samples go to a store; returns its arrays, stops and notes.

    The latest sample is written only after the next step, since a law with a memory is called once at each time, by the
    step that begins there.
    """
    setup, count, start = solver.setup, FIRST, perf_counter()
    with Writer(place, setup) as writer:
        try:
            while writer.written < setup.records and not solver.interrupted:
                first = solver.sample
                records = solver.until(min(first + count, writer.end_of_block(first), setup.records - 1))
                ended = solver.complete or solver.interrupted
                records = records if ended else records[:, :-1]
                times = setup.times_from(first, records.shape[1])
                samples = observed(solver, times, records, ended)
                compared.check(functions, times, samples)
                writer.fit(int(PAUSE * solver.pace), len(times))
                writer.write(described(setup, times, samples, solver.stops, False, []))
                count = max(1, min(8 * count, int(writer.written * PAUSE / (perf_counter() - start))))
        except KeyboardInterrupt:
            if not writer.written:
                raise
        notes = _notes(solver)
        writer.finish(writer.written == setup.records, notes)
    return stored(place, in_full=False), solver.stops, notes


def _again(setup: Setup, threads: int | None) -> Recording:
    """Computes the same run by a method of another kind, or with smaller errors if there is none that can."""
    for other in by_others(setup):
        with suppress(QddotError):  # the method cannot take this run
            recording = run(other, threads)
            if not any(stop.kind in GIVEN_UP for stop in recording.stops):
                return recording
    return run(finer(setup), threads)


def _beside(setup: Setup, threads: int | None, arm: int, q0: Any, qd0: Any) -> Recording:
    """Computes runs of one arm from other starts, in the same way."""
    return run(beside(setup, arm, q0, qd0), threads)


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


def _look(solver: Solver, times: Any, conditions: Any) -> None:
    """Notes the first sample of each arm at which its loops are nearly singular, or open.

    conditions: φ, A and det A Aᵀ at the samples; see `schemes.conditions`
    """
    setup, (phi, A, determinants) = solver.setup, conditions
    with np.errstate(invalid="ignore"):
        open_ = np.abs(phi).max(axis=-1, initial=0.0) > OPEN * np.abs(A).max(axis=(-2, -1), initial=0.0)
        close = determinants[..., 0] < CLOSE * setup.parameters[:, -1:]
    for arm, sample in np.argwhere(open_):
        solver.opened.setdefault(int(arm), float(times[sample]))
    at = setup.q0, setup.beginning[:, setup.plant.integrated_size :], setup.parameters
    begun = mixing.distance(setup.plant, solver.kernels.conditions(*at)[1]) if close.any() else ()
    for arm, sample in np.argwhere(close):
        if mixing.distance(setup.plant, A[arm, sample]) < NEAR * max(begun[arm], mixing.USUAL):
            solver.singular.setdefault(int(arm), float(times[sample]))


def _close(solver: Solver, times: Any, records: Any) -> None:
    """Closes the loops in some samples, and notes where they were nearly singular or open."""
    plant, kernels, parameters = solver.plant, solver.kernels, solver.setup.parameters[:, None]
    moving, discrete_state = records[:, :, : plant.at_rates.stop], records[:, :, plant.integrated_size :]
    at = kernels.conditions, records[:, :, plant.at_q], discrete_state
    parameters = mixing.mixed(plant, *at, parameters)
    _look(solver, times, at[0](*at[1:], parameters))
    moving[:] = kernels.closing(moving, discrete_state, parameters)


def observed(solver: Solver, times: Any, records: Any, at_end: bool = True) -> dict[str, Any]:
    """Returns q, qd, tau, K, P and the ledger's accounts at the samples; NaN after an arm has stopped.

    Numbers that are already in the records are returned as views of them. at_end: whether the last sample of the run is
    among them
    """
    setup, plant, kernels = solver.setup, solver.plant, solver.kernels
    if plant.closed and setup.radii is None:  # the middles of bounds stay where they are
        width = max(1, PART // (setup.arms * plant.closed.mixing[1] * plant.n))
        for first in range(0, len(times), width):
            _close(solver, times[first : first + width], records[:, first : first + width])
    rows = times.reshape(-1, 1)
    if plant.row_size:
        rows = np.concatenate([rows, plant.columns(times, times, setup.step)], axis=1)
    if setup.arms == 1:  # a call for one arm is faster without the axis of arms
        observations = tuple(values[None] for values in kernels.observe(records[0], rows, setup.parameters[0]))
    else:
        observations = kernels.observe(records, rows, setup.parameters[:, None])
    samples = {"q": records[:, :, plant.at_q], "qd": records[:, :, plant.at_rates]}
    normalise_quaternions(plant.model, samples["q"])
    samples |= zip(("qd", "tau", "K", "P") if kernels.in_momenta else ("tau", "K", "P"), observations, strict=True)
    own = records[:, :, plant.memory_places]
    if plant.drive.in_stages:
        samples["tau"] = solver.calls.at_samples(times, samples["q"], samples["qd"], own, at_end)
    for name in plant.model.passive:
        if (np.abs(samples["tau"][:, :, plant.model.coordinates.index(name)]) > 0).any():  # False for NaN
            solver.pushed.add(name)
    samples |= {"z": own} if plant.drive.states else {}
    samples |= {name: records[:, :, plant.moving_size + k] for k, name in enumerate(plant.ledger)}
    samples |= solver.bounds()
    for stop in solver.stops:
        for values in samples.values():
            values[stop.arm, times > stop.time] = np.nan
    return samples
