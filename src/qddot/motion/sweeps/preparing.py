"""Prepares a plan: the user's arguments become a Job of programs and numbers, which any process can run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from qddot.base.errors import SweepError, did_you_mean
from qddot.base.version import __version__
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import say
from qddot.machine.tracing.possible import margins_in_row
from qddot.motion.simulate import setup
from qddot.motion.simulate.acting.drive import Drive
from qddot.motion.simulate.acting.open_numbers import Distribution
from qddot.motion.simulate.laws import compared
from qddot.motion.simulate.laws.law import program_of
from qddot.motion.simulate.motion import Motion
from qddot.motion.simulate.plant import Closed, Plant
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping import events
from qddot.motion.sweeps import drawn_forces
from qddot.motion.sweeps.accumulating import Reducing
from qddot.motion.sweeps.distributions import number
from qddot.motion.sweeps.drawn import Drawn
from qddot.motion.sweeps.job import Bodies, Job, Variable, chunk_of
from qddot.motion.sweeps.measures import along_q, measures
from qddot.motion.sweeps.plan import Plan
from qddot.motion.sweeps.tuned import TunedLaw, bound, gains_of
from qddot.robot.model import Model


def prepared(model: Model, plan: Plan, closed: Closed | None = None) -> Job:
    """Returns the job of a plan for an arm, whose loops are `closed`. raises QddotError: anything that cannot be run"""
    plan.check()
    reductions, drawn = plan.reductions, Drawn()
    symbols, gains = _split(model, plan)
    one_run, drive = _request(model, plan, drawn, symbols, gains, closed)
    plant = replace(one_run.plant, drive=drive, accounted="energy" in reductions)
    numbers = len(model.positions) + model.n
    drawn.fill(numbers + plant.parameter_size)
    design, record_every = plan.draws.design_of(drawn), plan.interval(one_run.steps)
    reducing = Reducing(plant, plan.method, tuple(measures(reductions, plant.ledger, along_q(model))))
    variables = tuple(
        Variable(each.name, each.kind, each.per, size, each.units, each.about)
        for each, size in zip(reducing.measures, reducing.sizes, strict=True)
    )
    margins = margins_in_row(model, plant.values, plant.free, plant.parameter_size)
    return Job(
        facts=_facts(model, plan, plant, drawn, one_run),
        drawn=drawn,
        design=design,
        plant=plant,
        method=plan.method,
        step=one_run.step,
        steps=one_run.steps,
        record_every=record_every,
        recurrence=reducing.recurrence(),
        beginning=reducing.beginning(),
        ending=reducing.ending(),
        velocities=reducing.velocities(),
        bodies=Bodies(*margins) if margins else None,
        variables=variables,
        guards=(
            *(guard.place.told(ENGLISH) for guard in events.guards(plant)),
            *(["singular loops"] if closed else []),
        ),
        whole="whole" in reductions,
        tubes="quantiles" in reductions,
        chunk=chunk_of(design.runs, plan.chunk, numbers * (one_run.steps // record_every + 1 if record_every else 1)),
    )


def _split(model: Model, plan: Plan) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the values of symbols, and those of a law's gains. raises SweepError: a name of neither"""
    torque = plan.motion.torque
    gains = gains_of(torque) if callable(torque) else ()
    for name in plan.values:
        if name not in model.symbols and name not in gains:
            is_elsewhere = name in {each.name for each in fields(Motion)}
            remedy = say("give-in-motion", name=name) if is_elsewhere else ""
            raise SweepError(
                "neither-symbol-nor-gain",
                where=model.name,
                name=repr(name),
                remedy=remedy or did_you_mean(name, [*model.symbols, *gains]),
            )
    symbols = {name: value for name, value in plan.values.items() if name in model.symbols and name not in gains}
    return symbols, {name: value for name, value in plan.values.items() if name in gains}


def _request(
    model: Model,
    plan: Plan,
    drawn: Drawn,
    symbols: Mapping[str, Any],
    gains: Mapping[str, Any],
    closed: Closed | None,
) -> tuple[Setup, Drive]:
    """Returns the setup of one run with the medians of all drawn numbers, and the torque of every run.

    Entries are added to `drawn` in the order of a plant's state and parameters.
    """
    names, motion = model.coordinates, plan.motion
    q = _start(model, motion.q0, drawn)
    qd = drawn.add_all("qd0", [0.0] * model.n if motion.qd0 is None else motion.qd0, names)
    values = {
        name: [drawn.add(name, value)] if isinstance(value, Distribution) else number(value, name)
        for name, value in symbols.items()
    }
    forces = motion.forces
    if forces is not None:
        forces, model, medians = drawn_forces.bound(forces, model, drawn)
        values |= medians
    damping = None if motion.damping is None else _damping(motion.damping, drawn, model)
    torque, swept = motion.torque, [name for name, value in gains.items() if isinstance(value, Distribution)]
    fixed = {name: value for name, value in gains.items() if name not in swept}
    if callable(torque):
        law = bound(torque, fixed)
        torque = bound(law, {name: drawn.add(name, gains[name]) for name in swept})
    elif isinstance(torque, list) or (isinstance(torque, tuple) and any(isinstance(x, Distribution) for x in torque)):
        torque = drawn.add_all("torque", torque, names)
    course = replace(motion, q0=q, qd0=qd, method=plan.method, torque=torque, damping=damping, forces=forces)
    one_run = setup.planned(model, setup.RunRequest(course, values=values), closed)
    drive = one_run.plant.drive
    if drive.caller or drive.states or drive.sampling:
        raise (
            SweepError("law-not-swept", why=drive.caller.why) if drive.caller else SweepError("law-sampled-in-a-sweep")
        )
    # the runs of a sweep are computed without the user's functions
    compared.check_beforehand(one_run.functions, one_run.step * one_run.steps, one_run.q0, one_run.qd0)
    if drive.parameter_size and torque is motion.torque:
        drawn.row += [float(x) for x in drive.parameters(1)[0]]
    if swept:
        drive = TunedLaw(model.n, program_of(law, model.n, gains=tuple(swept)), drive.identity, len(swept))
    return one_run, drive


def _start(model: Model, q0: Any, drawn: Drawn) -> list[float]:
    """Returns q0 with medians, where quaternions with drawn numbers have the norm 1."""
    q = drawn.add_all("q0", q0, model.positions)
    for _, first in model.quaternions:
        if any(first <= place < first + 4 for place in drawn.places):
            norm = math.hypot(*q[first : first + 4])
            q[first : first + 4] = [part / norm for part in q[first : first + 4]] if norm else [1.0, 0.0, 0.0, 0.0]
    return q


def _damping(damping: Any, drawn: Drawn, model: Model) -> list[float]:
    """Returns the damping of each joint; one entry is shared by all of them."""
    if isinstance(damping, list | tuple):
        return drawn.add_all("damping", damping, model.coordinates)
    if isinstance(damping, Distribution):
        raise SweepError("damping-one-distribution", n=model.n)
    return drawn.add_all("damping", [damping] * model.n, model.coordinates)


def _facts(model: Model, plan: Plan, plant: Plant, drawn: Drawn, one_run: Setup) -> dict[str, Any]:
    """Returns the facts, besides the programs, that distinguish one sweep from another."""
    return {
        "qddot": __version__,
        "model": model.name,
        "model_hash": model.hash,
        "values": {name: float(value) for name, value in sorted(plant.values.items())},
        "drawn": {label: each.facts for label, each in zip(drawn.labels, drawn.distributions, strict=True)},
        "start": list(drawn.row),
        "seed": plan.draws.seed,
        "method": plan.method,
        "step": one_run.step,
        "duration": one_run.step * one_run.steps,
        "torque": plant.drive.identity,
        "damped": plant.damped,
        "limits": list(plant.limits),
        **({"loops": repr(plant.closed.facts)} if plant.closed else {}),
        "event": plant.event.hash if plant.event else "",
        **({"forces": drawn_forces.facts(plant.forces)} if plant.forces else {}),
        "reduce": [each if isinstance(each, str) else f"{each[0]}: {each[1].kind}" for each in plan.reductions],
    }
