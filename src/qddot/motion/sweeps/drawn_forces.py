"""Draws numbers of external forces: each becomes a symbol of the model, which has its own value in every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np

from qddot.algebra.program.program import Program
from qddot.base.errors import QddotError, SweepError, did_you_mean, shortened
from qddot.motion.simulate.acting.forces import AXES, SINGLE, Acting, ForceNumber, Forces, SpringDamper, Wrench, entries
from qddot.motion.simulate.acting.open_numbers import Distribution, Parameter
from qddot.motion.simulate.acting.payloads import Payload
from qddot.motion.sweeps.distributions import Choice, read_value
from qddot.motion.sweeps.drawn import Drawn
from qddot.robot.bodies import Symbol
from qddot.robot.model import Model

UNITS = {"force": "N", "moment": "N m", "at": "m", "anchor": "m", "stiffness": "N/m", "damping": "N s/m", "rest": "m"}
KINDS: Mapping[str, type[Acting]] = {"wrench": Wrench, "spring": SpringDamper}


def bound(plan_forces: Any, model: Model, drawn: Drawn) -> tuple[list[Any], Model, dict[str, list[float]]]:
    """Returns the forces with parameters in place of drawn numbers, the model with these as symbols, and their medians.

    The second force of a list, if a spring, has the parameters spring2_stiffness, spring2_anchor_x and so on.
    raises SweepError: a payload, a name that is in use, a spring for which a number below 0 could be drawn
    """
    forces = [plan_forces] if isinstance(plan_forces, Wrench | SpringDamper | Payload) else plan_forces
    if not isinstance(forces, list | tuple):
        raise SweepError("not-forces-of-a-plan", forces=shortened(forces))
    symbols: dict[str, Symbol] = {}
    medians: dict[str, list[float]] = {}
    each: list[Any] = []
    for k, force in enumerate(forces, 1):
        if isinstance(force, Payload):
            raise SweepError("payload-in-a-sweep")
        numbers = entries(force) if isinstance(force, Wrench | SpringDamper) else {}
        own: dict[str, ForceNumber] = {}
        for name, entry in numbers.items():
            if isinstance(entry, Distribution):
                label = f"{kind_of(force)}{k}_{name}"
                _check(label, name, entry, model)
                medians[label] = [drawn.add(label, entry)]
                symbols[label] = Symbol(label, unit=UNITS[name.partition("_")[0]])
                own[name] = Parameter(label)
        each.append(_with(force, numbers, own) if own else force)
    return each, replace(model, symbols={**model.symbols, **symbols}) if symbols else model, medians


def kind_of(force: Acting) -> str:
    """Returns the name of a force in plans' files and in labels of drawn numbers, "wrench" or "spring"."""
    return next(name for name, kind in KINDS.items() if isinstance(force, kind))


def _check(label: str, name: str, entry: Distribution, model: Model) -> None:
    if label in model.symbols:
        raise SweepError("symbol-of-a-force", label=repr(label))
    least = min(entry.of) if isinstance(entry, Choice) else float(np.ravel(entry.values(np.array([0.0])))[0])
    if name in SINGLE and least < 0:
        raise SweepError("drawn-below-zero", label=label, least=f"{least:g}")


def _with(force: Acting, numbers: Mapping[str, ForceNumber], own: Mapping[str, ForceNumber]) -> Acting:
    """Returns the force with some of its numbers changed."""
    changed: dict[str, Any] = {name: entry for name, entry in own.items() if name in SINGLE}
    for name in {name.rpartition("_")[0] for name in own if name not in SINGLE}:
        changed[name] = tuple({**numbers, **own}[f"{name}_{axis}"] for axis in AXES)
    return replace(force, **changed)


def facts(forces: Forces) -> list[Any]:
    """Returns the data that distinguish forces from others, as plain JSON."""
    return [
        [
            kind_of(force),
            *(
                [each.name, _fact(forces.programs.get((k, each.name), getattr(force, each.name)))]
                for each in fields(force)
            ),
        ]
        for k, force in enumerate(forces.each)
    ]


def _fact(value: Any) -> Any:
    if isinstance(value, Program):
        return value.hash
    if isinstance(value, Parameter):
        return value.name
    if isinstance(value, tuple):
        return [_fact(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def from_file(tables: Any, where: str) -> list[Acting]:
    """Returns the forces of a plan's file: [[forces]] with wrench = "tool", force = [0, { uniform = [-5, 5] }, 0] …

    raises SweepError: something that is not a force
    """
    if not isinstance(tables, list) or not all(isinstance(each, Mapping) for each in tables):
        raise SweepError("forces-no-tables", where=where, tables=shortened(tables))
    return [_force(each, where) for each in tables]


def _force(table: Mapping[str, Any], where: str) -> Acting:
    kinds = [name for name in KINDS if name in table]
    if len(kinds) != 1:
        raise SweepError("table-of-no-force", where=where, table=shortened(dict(table)))
    kind = KINDS[kinds[0]]
    names = [each.name for each in fields(kind) if each.name != "body"]
    for name in table:
        if name not in (*names, *kinds):
            raise SweepError(
                "unknown-key-of-a-force", where=where, name=repr(name), kind=kinds[0], remedy=did_you_mean(name, names)
            )
    missing = [each.name for each in fields(kind) if each.default is MISSING and each.name not in ("body", *table)]
    if missing:
        raise SweepError("force-without", where=where, kind=kinds[0], missing=missing[0])
    try:
        return kind(table[kinds[0]], **{name: read_value(table[name], name) for name in table if name not in kinds})
    except QddotError as error:
        raise error.at(where) from error
