"""Reads a plan's file: TOML with the arguments of a sweep; a distribution is written {uniform = [5, 15]}."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from qddot.base.errors import FormatError, SweepError, did_you_mean, shortened
from qddot.base.records import record
from qddot.base.system import texts
from qddot.base.words.message import say
from qddot.formats.toml import toml_tables
from qddot.motion.simulate.motion import Motion
from qddot.motion.sweeps.distributions import read_value
from qddot.motion.sweeps.drawn_forces import from_file
from qddot.motion.sweeps.draws import Draws
from qddot.motion.sweeps.plan import Plan

LARGEST = 1 << 24  # bytes
PLAN = say("plan-in-toml")
OF_MOTION = [each.name for each in fields(Motion) if each.name != "event"]  # an event is code, which a file cannot have
OF_PLAN = [each.name for each in fields(Plan) if each.name != "motion"]
KNOWN = (*OF_MOTION, *OF_PLAN, "store")


@record()
class PlanFile:
    """This is a plan from a file; `store` is the folder that it names, beside it, or None."""

    plan: Plan
    store: Path | None


def read(path: str | Path) -> PlanFile:
    """Returns the plan in a file. raises SweepError: it cannot be read, or has unknown keys"""
    if not isinstance(path, str | Path):
        raise SweepError("plan-without-path", path=shortened(path))
    try:
        content = toml_tables.read(texts.content(Path(path), LARGEST, PLAN), str(path), float)
    except FormatError as error:
        raise error.to(SweepError, expected=error.expected or PLAN) from None
    unknown = [key for key in content if key not in KNOWN]
    if unknown:
        raise SweepError(
            "unknown-key-of-a-plan", where=str(path), name=repr(unknown[0]), remedy=did_you_mean(unknown[0], KNOWN)
        )
    if "q0" not in content:
        raise SweepError("plan-without-start", where=str(path))
    store = content.pop("store", None)
    if store is not None and not isinstance(store, str):
        raise SweepError("store-no-folder-name", where=str(path), store=shortened(store))
    if not isinstance(content.get("values", {}), dict):
        raise SweepError("values-no-table", where=str(path), values=shortened(content["values"]))
    draws = Draws.of(content.pop("draws", None))
    forces = {"forces": from_file(content.pop("forces"), str(path))} if "forces" in content else {}
    values = {key: read_value(value, key) for key, value in content.pop("values", {}).items()}
    settings = {key: read_value(value, key) for key, value in content.items()} | forces
    motion = Motion(**{key: value for key, value in settings.items() if key in OF_MOTION})
    own = {key: value for key, value in settings.items() if key in OF_PLAN}
    plan = Plan(motion, draws, values=values, **own)
    # the store is relative to its plan, wherever the command runs
    return PlanFile(plan, None if store is None else Path(path).parent / store)
