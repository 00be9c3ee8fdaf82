"""What is made of an arm, exact forms, files and other conventions, held against the judge."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import qddot
from qddot.base.errors import ExactnessError, QddotError
from soaking.case import Case, bound_of_mass, reach, tractable
from soaking.judge import ROUNDING, apart
from soaking.trial import Finding

EXPANDED = 1e-10  # polynomials written out cancel more than a recursion
CONVERTED = 1e-9  # conversions round what has no exact form to twelve digits


def exact(case: Case) -> Iterator[Finding]:
    if not tractable(case, 4, 2):
        return
    at = case.arm.equations().at(case.q, case.qd, case.qdd)
    yield from apart("eq.at tau", at["tau"], *case.tau_and_bound(), EXPANDED)
    yield from apart("eq.at M", at["M"], case.judge.mass_matrix(case.q), bound_of_mass(case), EXPANDED)


def base(case: Case) -> Iterator[Finding]:
    if not tractable(case, 4, 2):
        return
    try:
        found = case.arm.base_parameters()
    except ExactnessError as error:
        if "more than 3000 terms" not in str(error):  # the limit that is said, with the way round
            raise
        return
    Y, pi = case.arm.regressor(case.q, case.qd, case.qdd), case.arm.dynamic_parameters()
    whole, bound = Y @ pi, np.abs(Y) @ np.abs(pi)
    yield from apart("base parameters", Y[:, found.columns] @ found.values(), whole, bound + 1e-12, EXPANDED)
    rank = rank_of(case)
    if rank > len(found):
        yield Finding("base parameters: too few", f"{len(found)} base parameters where the regressor's rank is {rank}")


def rank_of(case: Case) -> int:
    states = np.random.default_rng(1).uniform(-2, 2, (3, 60, len(case.q)))
    Y = np.vstack(case.arm.regressor(*states))
    values = np.linalg.svd(Y / (np.abs(Y).max() or 1), compute_uv=False)
    return int((values > 1e-7).sum())


def textbook(case: Case) -> Iterator[Finding]:
    if not tractable(case, 3, 1):
        return
    short = case.arm.equations().textbook()
    if not short.proved():
        yield Finding("textbook: not proved", "the short form is not equal to the normal form")
    found = qddot.Robot(short.model).inverse_dynamics(case.q, case.qd, case.qdd)
    yield from apart("textbook", found, *case.tau_and_bound(), EXPANDED)


def robot_files(case: Case) -> Iterator[Finding]:
    """to_toml keeps the torque; to_urdf keeps M and C, or says why it cannot."""
    back = loaded(case.arm.to_toml(), ".toml")
    tau, bound = case.tau_and_bound()
    yield from apart("to_toml", back.inverse_dynamics(case.q, case.qd, case.qdd), tau, bound, ROUNDING)
    try:
        text = case.arm.to_urdf()
    except QddotError:
        if case.judge.links and not partial(case):
            raise
        return
    other = loaded(text, ".urdf")
    order = matched(case, other)
    q, qd = case.q[order], case.qd[order]
    # the file has the tensor about the centre of mass, however far that is
    far = max((float(link.h @ link.h) / link.m for link in case.judge.links if link.m > 0), default=0.0)
    bound = bound_of_mass(case) + 1e-5 * far
    M = other.mass_matrix(q)[np.ix_(np.argsort(order), np.argsort(order))]
    yield from apart("to_urdf: M", M, case.judge.mass_matrix(case.q), bound + bound.max() * 1e-3, 1e-10)
    h, large = replace(case.judge, gravity=np.zeros(3)).bounded(case.q, case.qd, case.still, effects=False)
    found = (other.coriolis_matrix(q, qd) @ qd)[np.argsort(order)]
    fast = 1 + float(np.abs(case.qd).max()) ** 2
    yield from apart("to_urdf: h", found, h, large.max() + 1e-4 * far * fast, 1e-10)


def matched(case: Case, other: Any) -> list[int]:
    """Where each coordinate of a URDF file stands here: leading joints are written in the order of the links."""
    moving = [body.name for body in case.arm.model.bodies if body.joint.leads]
    there = {body.name: body.joint.coordinate for body in other.model.bodies}
    here = {body.name: body.joint.coordinate for body in case.arm.model.bodies}
    pairs = {there[name]: list(case.arm.model.coordinates).index(here[name]) for name in moving}
    return [pairs[name] for name in other.model.coordinates]


def partial(case: Case) -> bool:
    return any(link.get("partial_inertia") for link in case.mapping["link"])


def loaded(text: str, suffix: str) -> Any:
    with tempfile.NamedTemporaryFile("w", suffix=suffix, encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return qddot.load(file.name)


def conversions(case: Case) -> Iterator[Finding]:
    arm, tau_and_bound = case.arm, case.tau_and_bound()
    follows = any("ratio" in link.get("joint", {}) for link in case.mapping["link"])
    parents = [link.parent for link in case.judge.links]
    chain = parents == list(range(-1, len(parents) - 1))
    ways: list[tuple[str, Callable[[], Any], bool]] = [
        ("as_dh", arm.as_dh, chain and not follows),
        ("as_mdh", arm.as_mdh, chain and not follows),
        ("as_screws", arm.as_screws, not follows),
        ("as_tree", arm.as_tree, True),
    ]
    for name, convert, can in ways:
        try:
            other = convert()
        except QddotError as error:
            if "mistake in qddot" in str(error) or (can and "nearly parallel" not in str(error)):
                key = re.sub(r"-?\d[\d.e+-]*|'[^']*'", "#", str(error.found))
                yield Finding(f"{name}: refused: {key}", f"{name}: {error}")
            continue
        found = other.inverse_dynamics(case.q, case.qd, case.qdd)
        yield from apart(name, found, tau_and_bound[0], tau_and_bound[1].max() * (1 + reach(case)), CONVERTED)
