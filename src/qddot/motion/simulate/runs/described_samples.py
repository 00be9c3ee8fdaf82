"""Describes a run's samples: their units, what they are, and how the run was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Words, told
from qddot.motion.simulate.runs.samples import ENERGY_TOLERANCE, POSITION, Arrays, Variable
from qddot.motion.simulate.runs.stops import Cause, Stop
from qddot.motion.simulate.setup import Setup
from qddot.robot import units
from qddot.robot.effects import acting
from qddot.robot.model import Model

OF_POSITIONS = ("q", "q_lower", "q_upper")
ENERGIES = {"K": "kinetic energy, armature included", "P": "potential energy, gravity and springs"}
ACCOUNTS = {
    "work": "work of the motors since the start",
    "external": "work of the external forces since the start",
    **{name: f"loss of the joints' {heat} since the start" for name, heat in acting.LOSSES.items()},
    "damping": "loss of the simulation's damping since the start",
}


def described(
    setup: Setup, times: Any, samples: dict[str, Any], stops: Sequence[Stop], complete: bool, notes: Sequence[Words]
) -> Arrays:
    """Returns the samples with their units and a description of the run."""
    model = setup.plant.described
    turning, on_spheres = model.turning, bool(model.freedoms)
    unit_of = {name: units.either(name, turning) for name in ("q", "qd", "tau")}
    named = {"q": "coordinates", "qd": "rates of the coordinates", "tau": "torques or forces of the motors"}
    for side in ("lower", "upper"):  # of an enclosed run
        unit_of |= {f"{name}_{side}": unit_of[name] for name in ("q", "qd")}
        named |= {f"{name}_{side}": f"{side} bounds of the {named[name]}" for name in ("q", "qd")}
    variables: dict[str, Variable] = {}
    for name, values in samples.items():
        if name == "z":
            declared = {"long_name": "state that the torque law declares"}
            variables[name] = Variable(("arm", "time", "law_state"), values, declared)
        elif name in unit_of:
            about = {"units": unit_of[name], "long_name": named[name]}
            along = POSITION if name in OF_POSITIONS and on_spheres else "joint"
            variables[name] = Variable(("arm", "time", along), values, about)
        else:
            about = {"units": "J", "long_name": {**ENERGIES, **ACCOUNTS}[name]}
            variables[name] = Variable(("arm", "time"), values, about)
    variables |= _stop_variables(stops, setup.arms, model)
    variables |= _own_variables(setup)
    coords = {
        "arm": Variable(("arm",), np.arange(setup.arms)),
        "time": Variable(("time",), times, {"units": "s"}),
        "joint": Variable(("joint",), np.array(model.coordinates)),
        "unit": Variable(("joint",), np.array([units.either("q", [turns]) for turns in turning])),
    }
    if on_spheres:
        coords[POSITION] = Variable((POSITION,), np.array(model.positions))
    values = sorted((name, value) for name, value in setup.plant.values.items() if name in model.symbols)
    attrs = {
        "model": model.name,
        "title": model.title,
        "model_hash": model.hash,
        "method": setup.method.name,
        "step": setup.step,
        "duration": setup.step * setup.steps,
        "record_every": setup.record_every,
        ENERGY_TOLERANCE: setup.method.energy_tolerance(setup.tolerance),
        "torque": told(setup.plant.drive.told, ENGLISH),
        "values": ", ".join(f"{name}={value!r}" for name, value in values),
        "complete": int(complete),
        "single": int(setup.single),
        "notes": in_english(notes),
    }
    return Arrays(variables, coords, attrs)


def in_english(notes: Sequence[Words]) -> str:
    """Returns notes as files have them, each a line."""
    return "\n".join(told(note, ENGLISH) for note in notes)


def _own_variables(setup: Setup) -> dict[str, Variable]:
    """Returns the values that differ from arm to arm: symbols, and the damping."""
    plant, parameters = setup.plant, setup.parameters
    units = {name: {"units": plant.model.symbols[name].unit} for name in plant.free}
    own = {f"value_{name}": Variable(("arm",), parameters[:, k], units[name]) for k, name in enumerate(plant.free)}
    if plant.damped:
        start = len(plant.free)
        about = {"long_name": "damping added to the model's own", "units": "N m s/rad or N s/m"}
        own["damping_coefficient"] = Variable(("arm", "joint"), parameters[:, start : start + plant.n], about)
    return own


def _stop_variables(stops: Sequence[Stop], arms: int, model: Model) -> dict[str, Variable]:
    time, q, qd = (np.full((arms, *size), np.nan) for size in ((), (len(model.positions),), (model.n,)))
    causes = {name: np.full(arms, "", dtype=object) for name in Cause._fields}
    for stop in stops:
        time[stop.arm], q[stop.arm], qd[stop.arm] = stop.time, stop.q, stop.qd
        for name, text in stop.cause._asdict().items():
            causes[name][stop.arm] = text
    return {
        "stop_time": Variable(("arm",), time, {"units": "s", "long_name": "when an arm stopped before the end"}),
        **{f"stop_{name}": Variable(("arm",), texts) for name, texts in causes.items()},
        "stop_q": Variable(("arm", POSITION if model.freedoms else "joint"), q),
        "stop_qd": Variable(("arm", "joint"), qd),
    }
