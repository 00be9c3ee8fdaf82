"""Random robots against an independent recursion: every function in numbers, exact forms, files and conversions."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import qddot
from qddot.compilers import batch
from qddot.errors import QddotError
from qddot.formats import robot_file
from soaking import random_robots
from soaking.arithmetic import value
from soaking.judge import apart
from soaking.links import Link, links_of, pose
from soaking.recursion import Arm
from soaking.trial import Finding, Kind

ROUNDING = 1e-13  # some hundred operations beside the bound of all that is added up
EXPANDED = 1e-10  # polynomials written out cancel more than a recursion
SLOPE = 1e-11  # of derivatives, which have more products than what they derive
SINGLE = 2e-4  # of float32
CONVERTED = 1e-9  # conversions round what has no exact form to twelve digits
WELL_CONDITIONED = 1e6  # of the mass matrix, scaled to a diagonal of ones


@dataclass
class Case:
    """A random robot, its judge and a state."""

    mapping: dict[str, Any]
    arm: Any
    judge: Arm
    q: Any
    qd: Any
    qdd: Any
    r: random.Random

    @property
    def odd(self) -> int:
        """How many different odd numbers its geometry holds, which make polynomials long."""
        text = str([{**link, "mass": 0, "inertia": 0} for link in self.mapping["link"]])
        return sum(angle in text for angle in random_robots.ODD_ANGLES) + ("deg)" in text)

    @property
    def still(self) -> Any:
        return np.zeros_like(self.q)

    def tau_and_bound(self) -> tuple[Any, Any]:
        return self.judge.bounded(self.q, self.qd, self.qdd)


def trial(seed: int) -> Iterator[Finding]:
    """The torque, and those checks that the seed draws; every other robot by NumPy, which starts sooner than LLVM."""
    case = drawn(seed)
    with patch.object(batch, "compiler", batch._blocks) if seed % 2 else nullcontext():
        for name, check, share in CHECKS:
            if case.r.random() < share:
                try:
                    yield from check(case)
                except Exception as error:
                    yield Finding.of(error, name)


def drawn(seed: int) -> Case:
    mapping = random_robots.robot(seed)
    r, rng = random.Random(f"checks {seed}"), np.random.default_rng(seed)
    arm = qddot.Robot(robot_file.from_mapping(mapping, "random"))
    Path("robot.toml").write_text(arm.to_toml(), encoding="utf-8")
    scale = r.choice([1.0, 1.0, 1e-3, 10.0])
    q, qd, qdd = rng.uniform(-3, 3, arm.n), *(scale * rng.uniform(-2, 2, (2, arm.n)))
    return Case(mapping, arm, judge_of(mapping), q, qd, qdd, r)


def judge_of(mapping: dict[str, Any]) -> Arm:
    known = random_robots.SYMBOLS
    names = [link["name"] for link in mapping["link"]]
    tool = pose(mapping["tool"], lambda text: value(text, known))
    gravity = np.array([value(x, known) for x in mapping["gravity"]])
    return Arm(links_of(mapping, known), mapping["coordinates"], gravity, tool, names.index(mapping["tool"]["body"]))


def torques(case: Case) -> Iterator[Finding]:
    tau, bound = case.tau_and_bound()
    yield from apart("inverse_dynamics", case.arm.inverse_dynamics(case.q, case.qd, case.qdd), tau, bound, ROUNDING)


def parts(case: Case) -> Iterator[Finding]:
    arm, judge, q, qd = case.arm, case.judge, case.q, case.qd
    yield from apart("bias", arm.bias(q, qd), *judge.bounded(q, qd, case.still), ROUNDING)
    resting = judge.bounded(q, case.still, case.still, effects=False)
    yield from apart("gravity", arm.gravity(q), *resting, ROUNDING)
    light = replace(judge, gravity=np.zeros(3))
    h, large = light.bounded(q, qd, case.still, effects=False)
    yield from apart("coriolis_matrix · qd", arm.coriolis_matrix(q, qd) @ qd, h, large, SLOPE)


def wrenches(case: Case) -> Iterator[Finding]:
    pushes = np.random.default_rng(case.r.randrange(1 << 30)).normal(size=(len(case.judge.links), 6))
    found = case.arm.inverse_dynamics(case.q, case.qd, case.qdd, pushes)
    expected = case.judge.bounded(case.q, case.qd, case.qdd, pushes)
    yield from apart("inverse_dynamics with wrenches", found, *expected, ROUNDING)


def masses(case: Case) -> Iterator[Finding]:
    M, bound = case.judge.mass_matrix(case.q), bound_of_mass(case)
    yield from apart("mass_matrix", case.arm.mass_matrix(case.q), M, bound, ROUNDING)
    large = bound @ np.abs(case.qd)
    yield from apart("momentum", case.arm.momentum(case.q, case.qd), M @ case.qd, large, ROUNDING)


def energies(case: Case) -> Iterator[Finding]:
    arm, judge, q, qd = case.arm, case.judge, case.q, case.qd
    kinetic, potential = judge.energies(q, qd)
    moving = np.abs(qd) @ bound_of_mass(case) @ np.abs(qd)
    yield from apart("kinetic_energy", arm.kinetic_energy(q, qd), kinetic, moving, ROUNDING)
    high = reach(case)
    weight = sum(abs(link.m) * high + float(np.abs(link.h).sum()) for link in judge.links)
    weight *= float(np.abs(judge.gravity).sum())
    yield from apart("potential_energy", arm.potential_energy(q), potential, weight, ROUNDING)


def bound_of_mass(case: Case) -> Any:
    light = replace(case.judge, gravity=np.zeros(3))
    n = len(case.q)
    columns = [light.bounded(case.q, case.still, np.eye(n)[i], effects=False)[1] for i in range(n)]
    return np.array(columns).T + np.diag(case.judge.sums("armature"))


def reach(case: Case) -> float:
    """How far from the base anything can be."""
    sizes = [np.abs(part).sum() for link in case.judge.links for part in (link.p, link.offset_p)]
    slides = sum(abs(link.ratio) for link in case.judge.links if not link.turns) * float(np.abs(case.q).sum())
    return float(sum(sizes) + slides + np.abs(case.judge.tool[1]).sum())


def kinematics(case: Case) -> Iterator[Finding]:
    far = 1 + reach(case)
    body = case.r.choice([None, *range(len(case.judge.links))])
    asked = "tool" if body is None else body
    expected = case.judge.pose(case.q, body), case.judge.jacobian(case.q, body)
    yield from apart("forward_kinematics", case.arm.forward_kinematics(case.q, asked), expected[0], far, ROUNDING)
    yield from apart("jacobian", case.arm.jacobian(case.q, asked), expected[1], 3 * far, ROUNDING)


def derivatives(case: Case) -> Iterator[Finding]:
    arm, judge, q, qd, qdd = case.arm, case.judge, case.q, case.qd, case.qdd
    bound = case.tau_and_bound()[1]
    by_q, by_qd = judge.derivatives(q, qd, qdd)
    found = arm.inverse_dynamics_derivatives(q, qd, qdd)
    rows = (bound + np.abs(by_q).max(axis=1))[:, None], (bound + np.abs(by_qd).max(axis=1))[:, None]
    yield from apart("∂τ/∂q", found[0], by_q, rows[0] * len(q), SLOPE)
    yield from apart("∂τ/∂q̇", found[1], by_qd, rows[1] * len(q), SLOPE)
    yield from apart("M of the derivatives", found[2], judge.mass_matrix(q), bound_of_mass(case), ROUNDING)


def condition(M: Any) -> float:
    """Of M scaled to a diagonal of ones; infinite where M is not positive definite."""
    size = np.sqrt(np.abs(np.diag(M)))
    if not (np.diag(M) > 0).all():
        return float("inf")
    eigenvalues = np.linalg.eigvalsh(M / np.outer(size, size))
    return float(eigenvalues[-1] / eigenvalues[0]) if eigenvalues[0] > 0 else float("inf")


def accelerations(case: Case) -> Iterator[Finding]:
    """By their residual, and only where M is far from singular: no digits could be asked of others."""
    arm, judge, q, qd = case.arm, case.judge, case.q, case.qd
    M, (tau, _) = judge.mass_matrix(q), case.tau_and_bound()
    bad = condition(M)
    if bad > WELL_CONDITIONED:
        return
    qdd = arm.forward_dynamics(q, qd, tau)
    back, bound = judge.bounded(q, qd, qdd)
    size = np.sqrt(np.diag(M))
    # elimination spreads the error of one joint over the others, weighed by the roots of their inertias
    spread = size * np.max(bound / size)
    yield from apart("forward_dynamics", back, tau, spread * bad, ROUNDING)
    by_q, by_qd = judge.derivatives(q, qd, qdd)
    found = arm.forward_dynamics_derivatives(q, qd, tau)
    for name, slope, own in (("∂q̈/∂q", found[0], by_q), ("∂q̈/∂q̇", found[1], by_qd)):
        rows = (spread + np.abs(own).max(axis=1) + np.abs(M) @ np.abs(slope).max(axis=1)).max() * bad
        weights = size / size.min()
        yield from apart(name, -M @ slope, own, (rows * weights)[:, None], SLOPE)


def calling(case: Case) -> Iterator[Finding]:
    """Batches, float32, symbols that are given, π of the regressor."""
    arm, q, qd, qdd = case.arm, case.q, case.qd, case.qdd
    tau, bound = case.tau_and_bound()
    count = case.r.choice([1, 2, 7, 8, 9, 33])
    many = arm.inverse_dynamics(*(np.tile(x, (count, 1)) for x in (q, qd, qdd)))
    yield from apart("a batch", many, np.tile(tau, (count, 1)), bound, ROUNDING)
    given = arm.inverse_dynamics(q, qd, qdd, a=random_robots.SYMBOLS["a"], m=random_robots.SYMBOLS["m"])
    yield from apart("symbols that are given", given, tau, bound, ROUNDING)
    if bound.max() < 1e30:
        single = arm.inverse_dynamics(q, qd, qdd, dtype="float32")
        yield from apart("float32", single, tau, bound + np.abs(tau) + 1e-25, SINGLE)
    options = {"armature": True, "friction": True}
    Y, pi = arm.regressor(q, qd, qdd, **options), arm.parameters(**options)
    ordered = zip(case.judge.sums("stiffness"), q, strict=True)
    springs = [k * x for k, x in ordered] - rests(case)
    yield from apart("regressor · parameters", Y @ pi + springs, tau, bound + np.abs(Y) @ np.abs(pi), ROUNDING)


def rests(case: Case) -> Any:
    found = np.zeros(len(case.q))
    for link in case.judge.links:
        if link.coordinate is not None:
            found[case.judge.coordinates.index(link.coordinate)] += link.stiffness * link.rest
    return found


def exact(case: Case) -> Iterator[Finding]:
    if not tractable(case, 4, 2):
        return
    at = case.arm.equations().at(case.q, case.qd, case.qdd)
    yield from apart("eq.at tau", at["tau"], *case.tau_and_bound(), EXPANDED)
    yield from apart("eq.at M", at["M"], case.judge.mass_matrix(case.q), bound_of_mass(case), EXPANDED)


def tractable(case: Case, easy: int, hard: int) -> bool:
    """Whether polynomials stay short: few joints, fewer with odd angles."""
    turning = sum(link.turns for link in case.judge.links)
    return turning <= (easy if case.odd < 2 else hard) and len(case.q) <= 6


def base(case: Case) -> Iterator[Finding]:
    if not tractable(case, 4, 2):
        return
    found = case.arm.base_parameters()
    Y, pi = case.arm.regressor(case.q, case.qd, case.qdd), case.arm.parameters()
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
    unsaid = any(link.armature or link.stiffness for link in case.judge.links)
    try:
        text = case.arm.to_urdf()
    except QddotError:
        if not unsaid and case.judge.links and not partial(case):
            raise
        return
    if unsaid:
        yield Finding("to_urdf: drops effects", "to_urdf says nothing of springs or rotors that it leaves out")
    other = loaded(text, ".urdf")
    order = matched(case, other)
    q, qd = case.q[order], case.qd[order]
    bound = bound_of_mass(case)
    M = other.mass_matrix(q)[np.ix_(np.argsort(order), np.argsort(order))]
    yield from apart("to_urdf: M", M, case.judge.mass_matrix(case.q), bound + bound.max() * 1e-3, 1e-10)
    h, large = replace(case.judge, gravity=np.zeros(3)).bounded(case.q, case.qd, case.still, effects=False)
    found = (other.coriolis_matrix(q, qd) @ qd)[np.argsort(order)]
    yield from apart("to_urdf: h", found, h, large.max(), 1e-10)


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
        ("to_dh", arm.to_dh, chain and not follows),
        ("to_mdh", arm.to_mdh, chain and not follows),
        ("to_screws", arm.to_screws, not follows),
        ("to_tree", arm.to_tree, True),
    ]
    for name, convert, can in ways:
        try:
            other = convert()
        except QddotError as error:
            if "mistake in qddot" in str(error) or (can and "nearly parallel" not in str(error)):
                key = re.sub(r"[\d.e+-]+|'[^']*'", "#", str(error.found))
                yield Finding(f"{name}: refused: {key}", f"{name}: {error}")
            continue
        found = other.inverse_dynamics(case.q, case.qd, case.qdd)
        yield from apart(name, found, tau_and_bound[0], tau_and_bound[1].max() * (1 + reach(case)), CONVERTED)


def payload(case: Case) -> Iterator[Finding]:
    mass, com, tensor = 0.7, (0.1, -0.2, 0.05), (0.02, 0.001, 0, 0.03, 0, 0.025)
    heavy = case.arm.with_payload(mass, com, tensor)
    R, p = case.judge.tool
    I = np.array([[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.025]])
    c = np.array(com)
    I = I + mass * (c @ c * np.eye(3) - np.outer(c, c))
    more = Link(case.judge.tool_body, R, p, np.array([0, 0, 1]), False, None, m=mass, h=mass * c, I=I)
    judge = replace(case.judge, links=[*case.judge.links, more])
    found = heavy.inverse_dynamics(case.q, case.qd, case.qdd)
    yield from apart("with_payload", found, *judge.bounded(case.q, case.qd, case.qdd), ROUNDING)


def motion(case: Case) -> Iterator[Finding]:
    """Energy holds where the run can be believed."""
    if condition(case.judge.mass_matrix(case.q)) > 1e3 or len(case.q) > 5:
        return
    run = case.arm.simulate(case.q, 0.1 * case.qd, duration=0.1, step=1e-3, limits=False)
    trust = run.trust(1e-9)
    if trust.horizon < 0.1 or run.stops:
        return
    ledger = run.energy
    size = sum(np.abs(np.asarray(x)).max() for x in (ledger.T, ledger.V, ledger.work, *ledger.losses.values()))
    yield from apart("energy of a run", ledger.check(0.0).worst, 0.0, size, 1e-6)  # of the quadrature of losses


CHECKS: tuple[tuple[str, Callable[[Case], Iterator[Finding]], float], ...] = (
    ("torques", torques, 1.0),
    ("parts", parts, 0.25),
    ("wrenches", wrenches, 0.15),
    ("masses", masses, 0.3),
    ("energies", energies, 0.2),
    ("kinematics", kinematics, 0.3),
    ("derivatives", derivatives, 0.2),
    ("accelerations", accelerations, 0.25),
    ("calling", calling, 0.15),
    ("exact", exact, 0.3),
    ("base", base, 0.2),
    ("textbook", textbook, 0.1),
    ("robot_files", robot_files, 0.25),
    ("conversions", conversions, 0.2),
    ("payload", payload, 0.1),
    ("motion", motion, 0.1),
)
KIND = Kind("robots", trial, seconds=90)
