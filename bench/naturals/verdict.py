"""What a run may differ from its reference, and whether a stop is right."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import qddot
from naturals import dry, grid
from naturals.grid import SAMPLE, Scenario
from naturals.reference import SINGULAR, ExhaustedError, Reference, referred, running, weights
from naturals.system import System
from qddot.base.errors import QddotError

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))
from motion_of_many_digits import Motion, TooStiffError  # type: ignore[import-not-found]

STEPS = 1000.0  # a motion's steps, each of which may be off by the tolerance
TOLERANCES = {"default": 1e-14, "taylor": 1e-14, "dop853": 1e-10, "radau": 1e-10}
FLOOR = 1e-10  # of doubles, for many thousand roundings of a state
HANDS = 1e-12  # between the references, of which one has thirty digits
TRUSTED = 1e-3  # what errors may have grown to: beyond it motions are not compared
FIXED = 1e-9  # what steps of a fixed size are not asked to be better than
SMALL = 1e-3  # [s] the largest of three fixed steps, each half of the one before
SLOWEST = 0.75  # what an error becomes at the least where the step is a quarter
COARSE = 0.3  # a fixed step times the largest rate: beyond it the step is too long for the motion
EDGES = (0.0, 1e-9, -1e-9)  # changes of dry friction, between which the outcome may be any
CLEAR = 1e-7  # of the least singular value of a scaled matrix, compared with the largest
IN_FLOATS = SimpleNamespace(tanh=np.tanh, exp=np.exp, sin=np.sin)
IN_LAWS = SimpleNamespace(tanh=qddot.tanh, exp=qddot.exp, sin=qddot.sin)


@dataclass
class Verdict:
    """What a run was: right, wrong, refused, unresolved (its step is too long), or without a reference.

    ratio: the largest quotient of error and allowance; until: to which time it was compared
    """

    outcome: str
    ratio: float = 0.0
    error: float = 0.0
    until: float = 0.0
    about: str = ""


def torque(scenario: Scenario) -> Any:
    """Returns τ(t, q, v) in floats."""
    law, numbers = grid.law(scenario), grid.constant(scenario)
    if law is None:
        return lambda t, q, v: numbers
    return lambda t, q, v: np.array(law(t, q, v, IN_FLOATS))


def times_of(scenario: Scenario) -> Any:
    return np.linspace(0, scenario.seconds, round(scenario.seconds / SAMPLE) + 1)


def references(scenario: Scenario) -> Iterator[Reference]:
    """Yields the motion, or those between which it may be where a torque is just as large as the friction."""
    for edge in EDGES if grid.dry(scenario) is not None else EDGES[:1]:
        found = reference(scenario, edge)
        if found is not None:
            yield found


@cache
def reference(scenario: Scenario, edge: float) -> Reference | None:
    begun = grid.start(scenario.arm, scenario.pose, scenario.moving)
    system = System(grid.robot(scenario.arm).model, torque(scenario))
    assert begun is not None
    x0 = np.concatenate(begun)
    own, added = system.tree.coulomb, grid.dry(scenario)
    if added is None and not own.any():
        return referred(system, x0, times_of(scenario))
    if system.closed is not None:
        return None
    return with_friction(system, (own if added is None else added) * (1 + edge), x0, times_of(scenario))


def hands(scenario: Scenario) -> Verdict:
    """Compares SciPy's motion with one of thirty digits, of short arms and short motions."""
    model, right = grid.robot(scenario.arm).model, next(references(scenario))
    effects = any(body.joint.effects for body in grid.tree_of(model).bodies)
    smooth = scenario.law not in ("tanh", "limit", "peak")
    if scenario.arm in grid.CLOSED or model.n > 3 or effects or scenario.seconds > 1 or not smooth:
        return Verdict("not asked")
    law, numbers = grid.law(scenario), np.asarray(grid.constant(scenario))
    drive = law or (lambda t, q, qd, f: [float(each) for each in numbers])
    q0, qd0 = grid.start(scenario.arm, scenario.pose, scenario.moving) or (None, None)
    half = len(right.times) // 2
    places = [0, half, len(right.times) - 1]
    try:
        found = np.array(Motion(model, drive).sampled(q0, qd0, right.times[places]))
    except TooStiffError:
        return Verdict("no reference")
    x = np.concatenate([right.q, right.v], axis=1)[places]
    error = np.abs((found - x) * weights(x, model.n)).max(axis=1)
    allowed = HANDS * right.growth[places] + right.error[places]
    ratio = float((error / allowed).max())
    return Verdict("wrong" if ratio > 1 else "right", ratio, float(error.max()), scenario.seconds, right.how)


def with_friction(system: System, friction: Any, x0: Any, times: Any) -> Reference | None:
    away = np.where(np.concatenate([np.ones(system.tree.positions), system.halves(x0)[1]]) != 0, 1e-8, 0.0)
    nudged = system.settled(x0 + away)
    try:
        runs = [
            dry.sampled(system, friction, x, times, tolerance)
            for x, tolerance in ((x0, 1e-12), (x0, 1e-10), (nudged, 1e-12))
        ]
    except ExhaustedError:
        return None
    count = min(map(len, runs))
    x, other, near = (run[:count] for run in runs)
    weight = weights(x, system.tree.positions)
    growth = running(np.abs((near - x) * weight).max(axis=1) / 1e-8)
    error = running(np.abs((other - x) * weight).max(axis=1)) + 1e-10  # of located times
    q, v = x[:, : system.tree.positions], x[:, system.tree.positions :]
    return Reference(times[:count], q, v, error, np.maximum(growth, 1), "pieces by SciPy DOP853")


def simulated(scenario: Scenario, method: str, step: float) -> Any:
    q0, qd0 = grid.start(scenario.arm, scenario.pose, scenario.moving) or (None, None)
    arm = grid.robot(scenario.arm)
    if grid.dry(scenario) is not None:
        arm = grid.rubbing(scenario.arm, scenario.pose)
    law = grid.law(scenario)
    drive: Any = None
    if law is not None:

        def drive(t: Any, q: Any, qd: Any) -> Any:
            return law(t, q, qd, IN_LAWS)

    elif scenario.law != "none":
        drive = grid.constant(scenario)
    options = qddot.Options(record_every=round(SAMPLE / step))
    chosen = None if method == "default" else method
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return arm.simulate(
            q0, qd0, scenario.seconds, step, chosen, torque=drive, limits=False, options=options
        )  # fmt: skip


def judged(scenario: Scenario, method: str) -> Verdict:
    """Returns the verdict on one method's run."""
    try:
        if begins_singular(scenario):
            return Verdict("not asked") if method == "hands" else of_singular(scenario, method)
        if reference(scenario, 0.0) is None:
            return Verdict("no reference")
        if method == "hands":
            return hands(scenario)
        if method in TOLERANCES:
            run = simulated(scenario, method, SAMPLE)
            used = str(run.arrays.attrs["method"])
            return best(scenario, run, TOLERANCES.get(used), used)
        return best_of_steps(scenario, method)
    except QddotError as error:
        return Verdict("refused", about=" ".join(str(error).split())[:160])


def best(scenario: Scenario, run: Any, tolerance: float | None, used: str) -> Verdict:
    return first_right(compared(scenario, run, each, tolerance or 1e-6, used) for each in references(scenario))


def begins_singular(scenario: Scenario) -> bool:
    """Says whether some joint moves nothing that has inertia, so that no motion is determined."""
    q, v = grid.start(scenario.arm, scenario.pose, scenario.moving) or (None, None)
    system = System(grid.robot(scenario.arm).model, grid.still)
    return system.closed is None and np.linalg.cond(system.tree.evaluated(q, v)[0]) > 1 / SINGULAR


def of_singular(scenario: Scenario, method: str) -> Verdict:
    """Returns the verdict on a run from a singular state: it stops there, rests where it is at rest, or keeps energy.

    A joint that moves nothing may stay, while others move past the singular state.
    """
    run = simulated(scenario, method, SAMPLE if method in TOLERANCES else SMALL)
    if run.stops and run.stops[0].time < SAMPLE:
        return Verdict("right", about=str(run.stops[0]))
    if not run.stops and np.abs(run.q - run.q[0]).max() < FLOOR:
        return Verdict("right", about="rests")
    if not run.stops and run.energy.check():
        return Verdict("right", about="moves, and its energy is in balance")
    stops = [str(each) for each in run.stops]
    return Verdict(
        "wrong", math.inf, float(np.nanmax(np.abs(run.q - run.q[0]))), about=f"moves from a singular state; {stops}"
    )


def first_right(verdicts: Iterator[Verdict]) -> Verdict:
    """Returns the first verdict that is right, or the one that is least wrong."""
    found = []
    for verdict in verdicts:
        if verdict.outcome != "wrong":
            return verdict
        found.append(verdict)
    return min(found, key=lambda each: each.ratio)


def errors(run: Any, reference: Reference) -> tuple[Any, Any]:
    """Returns the errors at the samples that both have, and which of the run's samples exist."""
    count = min(len(reference.times), len(run.q))
    x = np.concatenate([run.q[:count], run.qd[:count]], axis=1)
    right = np.concatenate([reference.q, reference.v], axis=1)[:count]
    there = np.isfinite(x).all(axis=1)
    error = np.abs(np.where(there[:, None], x - right, 0.0) * weights(right, reference.q.shape[1])).max(axis=1)
    return error, there


def compared(scenario: Scenario, run: Any, reference: Reference, tolerance: float, used: str) -> Verdict:
    error, there = errors(run, reference)
    count = len(error)
    scale = max(1.0, np.abs(reference.q[:count]).max())
    allowed = np.maximum(STEPS * tolerance, FLOOR) * scale * reference.growth[:count] + 10 * reference.error[:count]
    clear = allowed < TRUSTED
    known = clear & there
    k = int(np.argmax(np.where(known, error / allowed, 0.0)))
    ratio, until = float(error[k] / allowed[k]), float(reference.times[:count][known][-1]) if known.any() else 0.0
    about = (
        f"{used}; {reference.how}; error {error[k]:.2e} at {reference.times[k]:.2f} s, growth {reference.growth[k]:.1e}"
    )
    if ratio > 1:
        return Verdict("wrong", ratio, float(error[k]), until, about)
    if run.stops and not there[clear].all():
        stop = run.stops[0]
        problem = unfounded(scenario, stop, reference)
        if problem:
            return Verdict("wrong", math.inf, 0.0, until, f"{used}: {problem}")
    return Verdict("right", ratio, float(error[k]), until, about)


def unfounded(scenario: Scenario, stop: Any, reference: Reference) -> str:
    """Says why a stop is wrong, or returns ''."""
    ended = float(reference.times[-1])
    if stop.time > ended - 2 * SAMPLE and ended < scenario.seconds:
        return ""  # the reference ends there, too
    arm = grid.robot(scenario.arm)
    system = System(arm.model, torque(scenario))
    q = np.asarray(stop.q, float)
    M, _ = system.tree.evaluated(q, np.zeros(system.tree.n))
    if stop.kind == "singular" and condition(M) < CLEAR:
        return ""
    if stop.kind == "turning" and system.closed is not None:
        A = system.closed.rows(q, np.zeros(system.tree.n))[1]
        dependent = [list(arm.model.tree.coordinates).index(name) for name in arm.dependent]
        if condition(A[:, dependent]) < 1e-3:
            return ""
    return f"stops at {stop.time:.6g} s: {stop.reason}"


def condition(matrix: Any) -> float:
    values = np.linalg.svd(matrix, compute_uv=False)
    some = values[: min(matrix.shape)]
    return float(some[-1] / some[0]) if some[0] > 0 else 0.0


def best_of_steps(scenario: Scenario, method: str) -> Verdict:
    return first_right(of_steps(scenario, method, each) for each in references(scenario))


def of_steps(scenario: Scenario, method: str, reference: Reference) -> Verdict:
    """Returns the verdict on fixed steps: errors become smaller with the step."""
    if reference.stiffness * SMALL / 4 > COARSE:
        return Verdict("unresolved", about=f"{reference.stiffness:.1e}/s at {SMALL / 4:g} s")
    runs = [simulated(scenario, method, SMALL / by) for by in (1, 2, 4)]
    used = str(runs[0].arrays.attrs["method"])
    if any("did not converge" in note for note in runs[2].notes):  # the run says so
        return Verdict("unresolved", about=f"{used}: {runs[2].notes[0]}")
    found = [errors(run, reference) for run in runs]
    count = len(found[0][0])
    # a joint comes to rest, or begins to slide, within some step
    least = FIXED if grid.dry(scenario) is None else SMALL / 4
    allowed = least * reference.growth[:count] + 10 * reference.error[:count]
    clear = (reference.growth[:count] < TRUSTED * 1e-3 / FIXED) & found[0][1] & found[1][1] & found[2][1]
    largest = [float(np.where(clear, each, 0.0).max()) for each, _ in found]
    bound = max(float(np.where(clear, allowed, 0.0).max()), SLOWEST * largest[0], 1e-300)
    ratio = largest[2] / bound
    until = float(reference.times[:count][clear][-1]) if clear.any() else 0.0
    about = f"{used}; {reference.how}; errors {', '.join(f'{each:.1e}' for each in largest)} as the step is halved"
    if runs[2].stops and not found[2][1][reference.growth[:count] < TRUSTED * 1e-3 / FIXED].all():
        problem = unfounded(scenario, runs[2].stops[0], reference)
        if problem:
            return Verdict("wrong", math.inf, largest[2], until, f"{used}: {problem}")
    return Verdict("wrong" if ratio > 1 else "right", ratio, largest[2], until, about)
