"""Linkages of benchmark libraries move as published, or as laws say that leave no choice.

Andrews' squeezer is that of Schiehlen's handbook (1990) and of Hairer & Wanner, *Solving Ordinary Differential
Equations II*, ch. VII.7; its final state is from the test set for solvers of initial value problems of the University
of Bari. Bricard's mechanism and the stiff governor are problems A04 and A05 of the library of González, Dopico, Luaces
& Cuadrado, "A benchmarking system for MBS simulation software" (2006), which is that of IFToMM's committee.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables

HEAD = 'name = "{}"\nconvention = "tree"\ngravity = {}\n'


def body(name: str, parent: str, joint: str, mass: float = 0, com: Any = (0, 0, 0), moments: Any = (0, 0, 0)) -> str:
    text = f'[[link]]\nname = "{name}"\nparent = "{parent}"\njoint = {{ {joint} }}\nmass = {mass}\n'
    if not mass:
        return text
    inertia = ", ".join(f'{key} = "{value}"' for key, value in zip(("xx", "yy", "zz"), moments, strict=True))
    return f'{text}com = [{", ".join(map(str, com))}]\ninertia = {{ about = "com", {inertia} }}\n'


def pin(name: str, first: str, second: str, more: str = "") -> str:
    return f'[[loop]]\nname = "{name}"\nfirst = {{ {first}{more} }}\nsecond = {{ {second}{more} }}\n'


# name, parent, the joint in the parent, mass, centre of mass, moment of inertia: Greek letters are their angles
SQUEEZER = (
    ("beta", "base", (0, 0), 0.04325, (0.00092, 0), 2.194e-6),
    ("theta", "beta", (0.007, 0), 0.00365, (-0.0115, 0), 4.41e-7),
    ("gamma", "base", (-0.03635, 0.03273), 0.02373, (0.01043, -0.01874), 5.255e-6),
    ("delta", "base", (-0.06934, -0.00227), 0.0705, (0.02308, 0.00916), 1.169e-5),
    ("phi", "delta", (0.04, 0), 0.00706, (0, -0.00579), 5.667e-7),
    ("epsilon", "base", (-0.06934, -0.00227), 0.05498, (0.00449, -0.01228), 1.912e-5),
    ("omega", "epsilon", (0, -0.04), 0.00706, (0.00579, 0), 5.667e-7),
)
MEETING = {"gamma": (0, -0.035), "phi": (0, -0.02), "omega": (0.02, 0)}  # where links end at the tip of theta's
ORDER = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
START = (
    -0.0617138900142764496,
    0,
    0.455279819163070380,
    0.222668390165885884,
    0.487364979543842550,
    -0.222668390165885884,
    1.230547444549821192,
)
START_ACCELERATIONS = (14222.44391995411387, -10666.83293996558540, 0, 0, 0, 0, 0)
START_FORCES = (98.56687039624108960, 6.12268834425566265, 0, 0, 0, 0)
END = (  # after 0.03 s
    0.1581077119629904e2,
    -0.1575637105984298e2,
    0.4082224013073101e-1,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    0.1048080741042263e1,
)
END_RATES = (
    0.1139920302151208e4,
    -0.1424379294994111e4,
    0.1103291221937134e2,
    0.1929337464421385e2,
    0.5735699284790808,
    -0.1929337464421385e2,
    0.3231791658026955,
)
END_ACCELERATIONS = (
    -0.2463176316945196e5,
    0.5185037701610329e5,
    0.3241025686413781e6,
    0.5667493645176213e6,
    0.1674362929479361e5,
    -0.5667493645176222e6,
    0.9826520791458422e4,
)


@cache
def squeezer() -> ClosedChain:
    text = HEAD.format("squeezer", [0, 0, 0]) + f"coordinates = {list(ORDER)}\n"
    for name, parent, at, mass, com, moment in SQUEEZER:
        joint = f'type = "revolute", xyz = {[*at, 0]}, coordinate = "{name}"'
        text += body(name, parent, joint, mass, (*com, 0), (0, moment, moment))
    for name, at in MEETING.items():
        text += pin(name, 'link = "theta", xyz = [-0.028, 0, 0]', f'link = "{name}", xyz = {[*at, 0]}')
    return ClosedChain(loop_tables.loads(text, "squeezer"))


def motor_and_spring(_: Any, q: Any, __: Any) -> list[Any]:
    """0.033 N·m on the crank, and a spring of 4530 N/m from (14, 72) mm to a point of gamma's link."""
    c, s = qddot.cos(q[2]), qddot.sin(q[2])
    x, y = 0.02 * c + 0.018 * s, 0.02 * s - 0.018 * c
    dx, dy = x - 0.03635 - 0.014, y + 0.03273 - 0.072
    length = qddot.sqrt(dx * dx + dy * dy)
    force = -4530 * (length - 0.07785) / length
    return [0.033, 0, force * (x * dy - y * dx), 0, 0, 0, 0]


def torque(q: Any) -> Any:
    return np.array([float(each) for each in motor_and_spring(0, q, 0)])


def test_andrews_squeezer_is_after_30_ms_where_the_test_set_says() -> None:
    run = squeezer().simulate(START, np.zeros(7), 0.03, 1e-3, "dop853", torque=motor_and_spring)
    assert run.q[-1] == pytest.approx(np.array(END), abs=1e-8)
    assert run.qd[-1] == pytest.approx(np.array(END_RATES), abs=2e-6)
    assert run.energy.check(1e-8)


def test_andrews_squeezer_accelerates_as_published() -> None:
    """At the end within 2e-6: the published accelerations there obey the loops' second derivatives no better."""
    chain, still = squeezer(), np.zeros(7)
    states = ((START, still, START_ACCELERATIONS, 1e-12), (END, END_RATES, END_ACCELERATIONS, 2e-6))
    for q, qd, right, error in states:
        mine = chain.forward_dynamics(q, qd, torque(q))
        assert mine == pytest.approx(np.array(right), rel=error, abs=error * 1e4)
    forces = chain.multipliers(START, still, START_ACCELERATIONS, torque(START))
    assert np.abs(forces) == pytest.approx(np.array(START_FORCES), abs=1e-11)


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
HINGES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
ALONG, ACROSS = 0.02 / 12, 1.01 / 12  # moments of a bar of 1 kg, 1 m long and 0.1 m wide


def bricard() -> ClosedChain:
    """Five bars along the edges of a cube, with a hinge at each corner; the last one is the loop's."""
    text, parent = HEAD.format("bricard", [0, -9.81, 0]), "base"
    for k, bar in enumerate(np.diff(CORNERS, axis=0)):
        at = CORNERS[k] - CORNERS[max(k - 1, 0)]
        moments = ["0.02/12" if part else "1.01/12" for part in bar]
        joint = f'type = "revolute", axis = {HINGES[k].tolist()}, xyz = {at.tolist()}, coordinate = "q{k}"'
        text += body(f"bar{k}", parent, joint, 1, bar / 2, moments)
        parent = f"bar{k}"
    end = f'link = "{parent}", xyz = {(CORNERS[5] - CORNERS[4]).tolist()}'
    text += pin("last", end, f'link = "base", xyz = {CORNERS[5].tolist()}', ', rpy = [0, "90deg", 0]')
    return ClosedChain(loop_tables.loads(text, "bricard"), near=np.zeros(5))


def turned(axis: Any, angle: Any) -> Any:
    K = np.cross(np.eye(3), axis)  # K v = axis × v
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def energy(q: Any, qd: Any) -> float:
    """The energy of the bars, by their places and velocities in space."""
    R, spin, p, v, total = np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), 0.0
    for k, bar in enumerate(np.diff(CORNERS, axis=0)):
        spin = spin + R @ HINGES[k] * qd[k]
        R = R @ turned(HINGES[k], q[k])
        arm, own = R @ bar, R.T @ spin
        middle, velocity = p + arm / 2, v + np.cross(spin, arm) / 2
        total += 9.81 * middle[1] + velocity @ velocity / 2 + own**2 @ np.where(bar, ALONG, ACROSS) / 2
        p, v = p + arm, v + np.cross(spin, arm)
    return float(total)


def test_bricards_mechanism_moves_for_10_s_as_its_energy_and_its_geometry_say() -> None:
    """With one freedom, these two laws and q̇ = dq/dt determine the motion."""
    chain = bricard()
    assert (chain.m, len(chain.redundant)) == (1, 1)
    run = chain.simulate(np.zeros(5), np.zeros(5), 10.0, 0.01, "dop853")
    assert run.stops == ()
    q, qd = run.q, run.qd
    assert q[:, [2, 4]] == pytest.approx(q[:, [0, 0]], abs=1e-8)
    assert q[:, 3] == pytest.approx(q[:, 1], abs=1e-8)
    s, t = np.sin(q[:, :2].T)
    assert s + t + s * t == pytest.approx(np.zeros(len(q)), abs=1e-8)
    energies = [energy(*state) for state in zip(q[::10], qd[::10], strict=True)]
    assert energies == pytest.approx(np.full(len(energies), energy(np.zeros(5), np.zeros(5))), abs=1e-7)
    moved = 0.01 / 3 * (qd[:-2] + 4 * qd[1:-1] + qd[2:])  # Simpson's rule, whose error is 1e-9 here
    assert q[2:] - q[:-2] == pytest.approx(moved, abs=1e-8)
    assert q[:, 0].max() == pytest.approx(np.pi, abs=0.01)
    assert q[-1] == pytest.approx(np.zeros(5), abs=1e-3)  # after two periods of 4.98 s or so


def governor() -> ClosedChain:
    """Two rods with balls at their ends hang on a shaft; springs with dampers hold a slider to their middles."""
    middle = 5.15 / 5.3
    slim = f"0.3*1.0001/12 + 0.3*({middle!r} - 1/2)^2 + 5*({middle!r} - 1)^2"
    text = HEAD.format("governor", [0, 0, -9.81])
    text += body(
        "shaft", "base", 'type = "revolute", coordinate = "turn"', 0.3, (0, 0, 0.5), (0.0250025, 0.0250025, 5e-6)
    )
    text += body("slider", "shaft", 'type = "prismatic", coordinate = "s"', 3, moments=(0.005, 0.005, 0.005))
    for k, (x, side) in enumerate(((0.05, 0), (-0.05, '"180deg"'))):
        hinge = f'type = "revolute", axis = [0, 1, 0], xyz = [{x}, 0, 1], rpy = [0, 0, {side}], coordinate = "beta{k}"'
        text += body(f"rod{k}", "shaft", hinge, 5.3, (middle, 0, 0), ("5e-6", slim, slim))
        text += body(
            f"tube{k}", f"rod{k}", f'type = "revolute", axis = [0, 1, 0], xyz = [0.5, 0, 0], coordinate = "t{k}"'
        )
        slide = f'type = "prismatic", axis = [1, 0, 0], coordinate = "d{k}", damping = 4e4'
        text += body(f"piston{k}", f"tube{k}", f"{slide}, spring = {{ stiffness = 8e5, rest = 0.5 }}")
        text += pin(f"pin{k}", f'link = "piston{k}"', f'link = "slider", xyz = [{x}, 0, 0]', ', rpy = ["-90deg", 0, 0]')
    return ClosedChain(loop_tables.loads(text, "governor"), ("turn", "s", "beta0", "beta1"))


def moment(beta: Any) -> Any:
    """The governor's moment of inertia about its shaft."""
    c, s = np.cos(beta), np.sin(beta)
    rod = 0.05**2 + 0.05 * c + c * c / 3 + 1e-4 / 12 * (1 + s * s)
    return 5e-6 + 0.005 + 2 * (5 * (0.05 + c) ** 2 + 0.3 * rod)


def of_governor(s: Any, beta: Any, ds: Any, dbeta: Any, turn: Any) -> tuple[Any, Any]:
    """The accelerations of the slider and of the rods, by Lagrange's equations for the symmetric motion."""
    across, up = 0.5 * np.cos(beta), 1 - 0.5 * np.sin(beta) - s  # from the slider's pin to the rod's middle
    length = np.hypot(across, up)
    by_s, by_beta = -up / length, -0.5 * (across * np.sin(beta) + up * np.cos(beta)) / length
    force = 8e5 * (length - 0.5) + 4e4 * (by_s * ds + by_beta * dbeta)
    h = 1e-5
    centrifugal = turn**2 / 2 * (moment(beta + h) - moment(beta - h)) / (2 * h)
    weight = 2 * 9.81 * (5 + 0.15) * np.cos(beta)
    return -9.81 - 2 * force * by_s / 3, (centrifugal + weight - 2 * force * by_beta) / (2 * (5 + 0.1 * 1.000025))


def test_the_stiff_governor_obeys_lagranges_equations_and_keeps_its_angular_momentum() -> None:
    chain, beta = governor(), np.pi / 6
    assert chain.m == 4
    angles = {"beta0": beta, "beta1": beta, "t0": np.pi - 2 * beta, "t1": np.pi - 2 * beta}
    q = chain.assemble({"s": 0.5, "d0": 0.5, "d1": 0.5, **angles}).q
    run = chain.simulate(q, chain.velocities(q, [2 * np.pi, 0, 0, 0]), 0.3, 0.01, "radau")
    names = chain.tree.model.coordinates
    s, one, other, turn = (names.index(name) for name in ("s", "beta0", "beta1", "turn"))
    assert run.q[:, one] == pytest.approx(run.q[:, other], abs=1e-8)
    spun = moment(run.q[:, one]) * run.qd[:, turn]
    assert spun == pytest.approx(np.full(len(spun), moment(beta) * 2 * np.pi), abs=1e-7)
    assert run.energy.check(1e-7)
    mine = chain.forward_dynamics(run.q, run.qd, np.zeros(run.q.shape))
    right = of_governor(run.q[:, s], run.q[:, one], run.qd[:, s], run.qd[:, one], run.qd[:, turn])
    assert mine[:, s] == pytest.approx(right[0], abs=1e-6)  # forces of 4e3 N by springs of 8e5 N/m
    assert mine[:, one] == pytest.approx(right[1], abs=1e-6)
