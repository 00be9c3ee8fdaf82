"""A sweep that is quick to run, and a store's bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

import qddot
from qddot.sweeps.plan import Plan

DRAWN = {"q0": [qddot.uniform(-1, 1), "90deg"], "m2": qddot.uniform(5, 15)}
VALUES = {"m1": 1.0, "l": 1.0}
SHORT: dict[str, Any] = {**DRAWN, **VALUES, "duration": 0.5, "step": 0.01, "draws": 200, "chunk": 16}


@pytest.fixture(scope="session")
def two_link() -> qddot.Robot:
    return qddot.load("two_link")


def short_plan(values: dict[str, Any] | None = None, **changed: Any) -> Plan:
    """The plan of the short sweep, with some of it changed."""
    own = {name: SHORT[name] for name in ("m1", "m2", "l")}
    settings = {key: value for key, value in SHORT.items() if key not in own}
    return Plan(**{**settings, **changed}, values={**own, **(values or {})})


def digest(store: Path) -> str:
    """A fingerprint of the names and the bytes of all files in a store."""
    found = hashlib.sha256()
    for path in sorted(path for path in store.rglob("*") if path.is_file()):
        found.update(str(path.relative_to(store)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
