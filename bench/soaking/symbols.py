"""Models that are made of an arm's equations, with other values of its symbols, against the arm's own links."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import qddot
from qddot.base.errors import QddotError
from soaking import case as cases
from soaking import random_robots
from soaking.case import Case, judge_of, tractable
from soaking.forms import EXPANDED
from soaking.judge import ROUNDING, apart
from soaking.trial import Finding, Kind

OTHERS = {"phi": 0.3, "psi": 0.2, "mu": 0.9, "A": 0.75, "D": 0.012}  # values with which bodies stay possible


def trial(seed: int) -> Iterator[Finding]:
    case = cases.drawn(seed)
    if not tractable(case, 3, 1):
        return
    values = drawn_values(case, random.Random(f"symbols {seed}"))
    judge = judge_of(case.mapping, {**random_robots.SYMBOLS, **values})
    torques = judge.bounded(case.q, case.qd, case.qdd)
    own = case.arm.inverse_dynamics(case.q, case.qd, case.qdd, **values)
    yield from apart("the arm itself", own, *torques, ROUNDING)
    eq = case.arm.equations()
    for name, short in (("textbook", eq.textbook()), ("textbook, not lumped", eq.textbook(lumped=False))):
        yield from followed(name, case, qddot.Robot(short.model), values, torques, EXPANDED)
    yield from abbreviated(case, values)


def drawn_values(case: Case, r: random.Random) -> dict[str, float]:
    """Returns other values of one to three symbols that occur."""
    used = sorted(case.arm.model.used_symbols & set(random_robots.SYMBOLS))
    chosen = r.sample(used, min(len(used), r.randint(1, 3)))
    return {name: OTHERS.get(name, round(random_robots.SYMBOLS[name] * r.uniform(1.02, 1.4), 3)) for name in chosen}


def followed(
    name: str, case: Case, other: Any, values: dict[str, float], torques: Any, tolerance: float
) -> Iterator[Finding]:
    """The values are heeded where they are accepted, in calls and as new defaults; a refusal is no wrong number."""
    for how in ("call", "with_values"):
        try:
            if how == "call":
                found = other.inverse_dynamics(case.q, case.qd, case.qdd, **values)
            else:
                found = other.with_values(**values).inverse_dynamics(case.q, case.qd, case.qdd)
        except QddotError:
            continue
        yield from apart(f"{name}, symbols by {how}", found, torques[0], torques[1], tolerance)


def abbreviated(case: Case, values: dict[str, float]) -> Iterator[Finding]:
    """An abbreviated model is one of numbers: it keeps to the values that it was made with, and refuses others."""
    if not all(link.turns or link.coordinate is None for link in case.judge.links):
        return
    try:
        short = case.arm.equations().abbreviate(1e-9, 1e-9, allow_indefinite=True, **values)
    except QddotError:
        return
    other = qddot.Robot(short.model)
    judge = judge_of(case.mapping, {**random_robots.SYMBOLS, **values})
    torques = judge.bounded(case.q, case.qd, case.qdd)
    found = other.inverse_dynamics(case.q, case.qd, case.qdd)
    # a term may be left out that is small beside the largest of its joint
    yield from apart("abbreviate", found, torques[0], torques[1] + np.abs(torques[1]).max(), 1e-6)
    usual = {name: random_robots.SYMBOLS[name] for name in values}
    before = judge_of(case.mapping).bounded(case.q, case.qd, case.qdd)
    yield from followed("abbreviate", case, other, usual, (before[0], before[1] + np.abs(before[1]).max()), 1e-6)


KIND = Kind("symbols", trial, seconds=120)
