"""What an arm computes in numbers, held against the judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from soaking import random_robots
from soaking.case import Case, bound_of_mass, condition, reach
from soaking.judge import ROUNDING, SLOPE, apart
from soaking.links import Link
from soaking.trial import Finding

SINGLE = 2e-4  # of float32
WELL_CONDITIONED = 1e6  # of the mass matrix, scaled to a diagonal of ones


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
    Y, pi = arm.regressor(q, qd, qdd, **options), arm.dynamic_parameters(**options)
    ordered = zip(case.judge.sums("stiffness"), q, strict=True)
    springs = [k * x for k, x in ordered] - rests(case)
    yield from apart("regressor · parameters", Y @ pi + springs, tau, bound + np.abs(Y) @ np.abs(pi), ROUNDING)


def rests(case: Case) -> Any:
    found = np.zeros(len(case.q))
    for link in case.judge.links:
        if link.coordinate is not None:
            found[case.judge.coordinates.index(link.coordinate)] += link.stiffness * link.rest
    return found


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
    size = sum(np.abs(np.asarray(x)).max() for x in (ledger.K, ledger.P, ledger.work, *ledger.losses.values()))
    yield from apart("energy of a run", ledger.check(0.0).worst, 0.0, size, 1e-6)  # of the quadrature of losses
