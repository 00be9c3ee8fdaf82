"""A sweep that is quick to run, and a store's bytes."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import qddot
from qddot.motion.sweeps.plan import Plan

DRAWN = {"q0": [qddot.uniform(-1, 1), "90deg"], "m2": qddot.uniform(5, 15)}
VALUES = {"m1": 1.0, "l": 1.0}
SHORT: dict[str, Any] = {**DRAWN, **VALUES, "duration": 0.5, "step": 0.01, "draws": 200, "chunk": 16}


def side_by_side(settings: dict[str, Any]) -> tuple[qddot.Motion, qddot.Draws]:
    """Takes a motion and draws out of settings that have the fields of both side by side."""
    motion = {each.name: settings.pop(each.name) for each in fields(qddot.Motion) if each.name in settings}
    draws = {name: settings.pop(name) for name in ("design", "seed", "strict") if name in settings}
    return qddot.Motion(**motion), qddot.Draws(settings.pop("draws", None), **draws)


def sweep(arm: qddot.Robot, *start: Any, options: qddot.Options | None = None, **settings: Any) -> Any:
    """A sweep whose motion, draws and chunk stand side by side, so that a test changes any of them alone."""
    settings |= dict(zip(("q0", "qd0"), start, strict=False))
    own = replace(options or qddot.Options(), chunk=settings.pop("chunk", None))
    return qddot.sweep(arm, *side_by_side(settings), options=own, **settings)


def short_plan(values: dict[str, Any] | None = None, **changed: Any) -> Plan:
    """The plan of the short sweep, with some of it changed."""
    own = {name: SHORT[name] for name in ("m1", "m2", "l")}
    settings = {key: value for key, value in SHORT.items() if key not in own} | changed
    return Plan(*side_by_side(settings), **settings, values={**own, **(values or {})})


def digest(store: Path) -> str:
    """A fingerprint of the names and the bytes of all files in a store."""
    fingerprint = hashlib.sha256()
    for path in sorted(path for path in store.rglob("*") if path.is_file()):
        fingerprint.update(str(path.relative_to(store)).encode() + b"\0" + path.read_bytes() + b"\0")
    return fingerprint.hexdigest()
