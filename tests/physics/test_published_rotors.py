"""Arms with rotors have the M, C q̇ + G, τ and the number of base parameters that spatial_v2_extended computes.

Source: Wensing et al., spatial_v2_extended, ROAM Lab, commit 881988b948f1f1b19262afebbcf56abed300558f: `HandC.m`
and `ID.m` in v3/dynamics, `autoTree_rotor.m` in v3/models, `RPNA_rotor.m` in v3/identifiability. The numbers were
printed by that code itself, in Octave 7.3.

There the rotor of joint i sits on the link before it and turns by a ratio times q_i in a frame of its own; it is a body
with a mass, a centre of mass on its axis, and two moments. Here it is a motor, fixed to that link, with the mass and
the moments across the axis, and a rotor in it with the moment about the axis.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

import qddot

Triple = tuple[float, float, float]
ZERO = (0.0, 0.0, 0.0)


class Driven(NamedTuple):
    """A link with its joint, and the motor on the link before it, placed at `at` and turned by `turned`."""

    parent: int
    joint: str
    xyz: Triple
    rpy: Triple
    mass: float
    com: Triple
    moments: Triple  # about the centre of mass
    axis: str
    ratio: float
    at: Triple
    turned: Triple
    rotor: tuple[float, float, float, float]  # mass, place of its centre along the axis, moments across and about it


def unit(letter: str) -> list[int]:
    return [int(letter == each) for each in "xyz"]


def moments(xx: float, yy: float, zz: float) -> str:
    return f'{{ about = "com", xx = {xx}, yy = {yy}, zz = {zz} }}'


def driven(links: list[Driven], gravity: Triple) -> qddot.Robot:
    """The arm of these links, with the masses of its motors fixed to the links before, and a rotor in each motor."""
    text = f'convention = "tree"\ngravity = {list(gravity)}\n'
    for i, link in enumerate(links, 1):
        parent = f"link{link.parent}" if link.parent else "base"
        kind = {"R": "revolute", "P": "prismatic"}[link.joint[0]]
        mass, place, across, _ = link.rotor
        axis = unit(link.axis)
        text += f"""
[[link]]
name = "link{i}"
parent = "{parent}"
joint = {{ type = "{kind}", axis = {unit(link.joint[1])}, xyz = {list(link.xyz)}, rpy = {list(link.rpy)} }}
mass = {link.mass}
com = {list(link.com)}
inertia = {moments(*link.moments)}
[[link]]
name = "motor{i}"
parent = "{parent}"
joint = {{ type = "fixed", xyz = {list(link.at)}, rpy = {list(link.turned)} }}
mass = {mass}
com = {[place * a for a in axis]}
inertia = {moments(*(across * (1 - a) for a in axis))}
"""
    arm = qddot.loads(text)
    for i, link in enumerate(links, 1):
        arm = arm.with_rotor(f"motor{i}", {f"q{i}": link.ratio}, link.rotor[3], unit(link.axis))
    return arm


def tubes(parents: tuple[int, ...], skew: float, taper: float) -> list[Driven]:
    """The tree of `autoTree_rotor`: tubes along x, with rotors about an x axis that turn by i q_i."""
    links = []
    for i, parent in enumerate(parents, 1):
        length, before = taper ** (i - 1), taper ** (parent - 1) if parent else 0.0
        twist, mass = skew if parent else 0.0, length**3
        along, across = 0.0025 * mass * length**2, 1.015 / 12 * mass * length**2
        rotor = (mass / 3, 0.0, across / 3, along / 3)
        placed = ((before, 0.0, 0.0), (twist, 0.0, 0.0), mass, (length / 2, 0.0, 0.0), (along, across, across))
        links.append(Driven(parent, "Rz", *placed, "x", i, (0.0, before / 2, 0.0), (twist / 2, 0.0, 0.0), rotor))
    return links


MIXED = [
    Driven(
        *(0, "Rz", (0, 0, 0.3), (0.2, -0.1, 0.4), 3.0, (0.1, 0, -0.2), (0.5, 0.4, 0.3)),
        *("y", -40, (0.1, 0, 0.2), (0.5, 0, 1.2), (0.6, 0, 0.004, 0.002)),
    ),
    Driven(
        *(1, "Px", (0.1, -0.2, 0), (0, 1.3, 0.7), 2.0, (0, 0.1, 0.2), (0.2, 0.3, 0.25)),
        *("z", 150, (0, 0.1, 0), (-0.3, 0.8, 0), (0.4, 0.05, 0.003, 0.001)),
    ),
    Driven(
        *(2, "Ry", (0.3, 0.1, 0.2), (-0.6, 0.5, 0), 1.0, (0.2, -0.1, 0), (0.1, 0.12, 0.08)),
        *("x", 25, (0.2, 0, 0.1), (0, 0.9, -0.4), (0.2, -0.03, 0.001, 0.0005)),
    ),
]
EARTH = (0.0, 0.0, -9.81)
ARMS = {
    "autoTree_rotor(3, 1, pi/3, 0.9)": (tubes((0, 1, 2), math.pi / 3, 0.9), EARTH),
    "autoTree_rotor(3, 2, 1, 1)": (tubes((0, 1, 1), 1, 1), EARTH),
    "a slider between joints that turn": (MIXED, (1.5, -2.0, -9.5)),
}
STATES = [(ZERO, ZERO, (1, -1, 1)), ((0.3, -1.1, 0.7), (1.5, -0.8, 0.4), (-0.6, 2, 1.2))]
# of each arm, in each state: three rows of M, then the column C q̇ + G, then the column τ
PUBLISHED = [
    [
        [
            [5.04448088220017, 1.09970068682925, -0.262802922125062, 0, 3.68197727324585],
            [1.09970068682925, 1.1797891686585, 0.155186119625063, 8.67905090623458, 8.75414854403039],
            [-0.262802922125062, 0.155186119625063, 0.119277083050875, 1.82856212054221, 1.52985016184296],
        ],
        [
            [3.63995941467172, 0.925337325962216, -0.0675696402563279, -2.23656756874132, -2.65095213392751],
            [0.925337325962216, 1.05264305670929, 0.132409880926459, 2.5814836593809, 4.2904592343339],
            [-0.0675696402563279, 0.132409880926459, 0.119277083050875, 2.17671019449149, 2.62520424015925],
        ],
    ],
    [
        [
            [5.22763888888889, 0.450927299439118, 0.450927299439118, 0, 5.22763888888889],
            [0.450927299439118, 0.337916666666667, 0, 4.12741518048273, 4.24042581325519],
            [0.450927299439118, 0, 0.342083333333333, 4.12741518048273, 4.92042581325518],
        ],
        [
            [4.16173090678841, 0.303315661674591, 0.387399145212569, -1.69690041964877, -3.12242866611756],
            [0.303315661674591, 0.337916666666667, 0, 0.655698225397809, 1.14954216172639],
            [0.387399145212569, 0, 0.342083333333333, 4.14224894705302, 4.32030945992548],
        ],
    ],
    [
        [
            [4.01316451128576, 0.22736307055952, -0.0522488217875533, 4.38366786299582, 8.1172204819345],
            [0.22736307055952, 25.7, -0.0791373943414607, -24.6787095032778, -50.2304838270597],
            [-0.0522488217875533, -0.0791373943414607, 0.4725, -0.496511053242935, 0.00287751931097224],
        ],
        [
            [4.01972626835796, 0.246823753096813, -0.00610534565666047, 2.60295519687486, 0.677440527265721],
            [0.246823753096813, 25.7, -0.173598459460347, -23.7094773740097, 27.3341102227798],
            [-0.00610534565666047, -0.173598459460347, 0.4725, 0.826067765481661, 1.04953405395496],
        ],
    ],
]


@pytest.mark.parametrize(("name", "published"), list(zip(ARMS, PUBLISHED, strict=True)))
def test_torques_are_those_of_bodies_that_turn(name: str, published: list[list[list[float]]]) -> None:
    arm = driven(*ARMS[name])
    for (q, qd, qdd), values in zip(STATES, np.array(published), strict=True):
        tolerance = 1e-13 * np.abs(values).max()  # 15 digits are printed
        assert arm.mass_matrix(q) == pytest.approx(values[:, :3], abs=tolerance)
        assert arm.inverse_dynamics(q, qd, ZERO) == pytest.approx(values[:, 3], abs=tolerance)
        assert arm.coriolis_matrix(q, qd) @ qd + arm.gravity(q) == pytest.approx(values[:, 3], abs=tolerance)
        assert arm.inverse_dynamics(q, qd, qdd) == pytest.approx(values[:, 4], abs=tolerance)


class Counted(NamedTuple):
    """An arm of modified DH rows, with the dimensions that RPNA_rotor states with rotors and without."""

    gravity: Triple
    with_rotors: int
    without: int
    rows: str  # joint, α [deg], a, d, axis of its rotor in the link before, ratio


COUNTED = [
    # the models of v3/models: Puma560, Scara, Panda, CheetahLeg and TX40, the last two with the fields' new names
    Counted(
        EARTH, 40, 36, "R 0 0 0 z 5; R -90 0 0 y 5; R 0 .2 .4 z 5; R -90 .153 .839 y 5; R 90 0 0 -y 5; R -90 0 0 y 5"
    ),
    Counted(EARTH, 11, 8, "R 0 0 0 z 5; R 0 .1 0 z 5; P 0 .2 0 z 5; R 0 0 0 z 5"),
    Counted(
        EARTH,
        48,
        43,
        "R 0 0 .333 z 5; R -90 0 0 y 5; R 90 0 .316 -y 5; R 90 .0825 0 -y 5; "
        "R -90 -.0825 .384 y 5; R 90 0 0 -y 5; R 90 .088 0 -y 5",
    ),
    Counted((9.81, 0, 0), 18, 17, "R 0 0 0 z 10; R 90 0 .044 -y 10; R 0 .342 0 z 10"),
    Counted(
        ZERO,
        38,
        34,
        "R 0 0 0 z 32; R -90 0 0 y 32; R 0 .225 .035 z 45; R 90 0 .225 -y 48; R -90 0 0 y 45; R 90 0 0 -y 32",
    ),
    # random arms
    Counted((0, 0, 0), 10, 8, "P 0 0.3 0 z 2; R 30 0 0 y 2; R 0 0 0 x -7; P 0 0.2 0.1 x -3"),
    Counted((0, -9.81, 0), 12, 11, "P 0 0.3 0.1 z -7; R -90 0.2 0 z 2; R 30 0.2 0.1 y -3"),
    Counted((0, 0, -9.81), 11, 10, "R 90 0.3 0 z -3; R -90 0.3 0.1 z -3"),
    Counted((0, 0, 0), 28, 24, "R 30 0 0 z -3; R 30 0 0 y -3; P 0 0 0 x -3; R -90 0.2 0 z 5; R 0 0 0 z 2"),
    Counted((0, -9.81, 0), 15, 13, "R 30 0 0.1 x -3; P 30 0 0.1 z -3; R 30 0.3 0.1 y -7"),
    Counted((9.81, 0, 0), 19, 17, "R -90 0 0 z -7; R 30 0.3 0 y 5; R 90 0.2 0 x -7"),
    Counted((0, -9.81, 0), 19, 15, "R 30 0.2 0 z -7; R 0 0.2 0 z 5; R 0 0.3 0 z -7; P -90 0.3 0 z -3; P 0 0 0 z -3"),
    Counted(
        (0, 0, -9.81), 25, 21, "R 90 0.2 0 y 2; P -90 0 0 y -7; R 30 0.2 0 z 2; P -90 0.3 0 y -3; P -90 0 0.1 z -7"
    ),
    Counted((0, 0, 0), 17, 14, "R 90 0 0 z 5; P -90 0 0 z 5; R -90 0.2 0 z 2; R 30 0.3 0.1 y -3"),
    Counted((0, -9.81, 0), 13, 11, "R -90 0 0.1 x 2; R 0 0.3 0 z -7; R 90 0.2 0 z -3"),
]


@pytest.mark.parametrize("counted", COUNTED)
def test_base_parameters_are_as_many_as_an_algorithm_without_equations_states(counted: Counted) -> None:
    """RPNA_rotor counts by velocities that links attain: its Σ rank N_i is the dimension that can be identified.

    It has ten parameters for each rotor, which a constraint keeps on those of a body that is symmetric about its axis:
    m, m z, two equal moments across, and J about it. However far the rotor has turned, all but J are those of a body
    fixed to the carrier, so that they lie in the span of the carrier's ten parameters, or, on the base, in the null
    space. Hence J alone, the one parameter that a rotor has here, leaves the dimension as it is. The algorithm states
    the same: with a constraint to J in place of its own it printed the same numbers; "without" is a constraint to 0.
    Ratios stay small, since the code drops singular values below 2e-12 only, and counts rounding beside ratios of 100.

    Source: Wensing, Niemeyer & Slotine, "A geometric characterization of observability in inertial parameter
    identification", 2017.
    """
    rows, rotors = [], []
    for k, text in enumerate(counted.rows.split("; "), 1):
        kind, alpha, a, d, axis, ratio = text.split()
        moving = {"theta": f"q{k}", "d": d} if kind == "R" else {"theta": 0, "d": f"q{k}"}
        rows.append({"alpha": f"{alpha}deg", "a": a, **moving})
        sign = -1 if axis.startswith("-") else 1
        rotors.append((f"link{k - 1}" if k > 1 else "base", {f"q{k}": sign * int(ratio)}, 0.001, unit(axis[-1])))
    body = {"about": "com", "xx": 2, "yy": 2.5, "zz": 3, "xy": 0.1, "xz": 0.2, "yz": 0.3}
    links = [{"name": f"link{k}", "mass": 1, "com": [0.1, 0.2, 0.3], "inertia": body} for k in range(1, len(rows) + 1)]
    arm = qddot.from_mdh(rows, links, gravity=counted.gravity)
    assert len(arm.base_parameters()) == counted.without
    for rotor in rotors:
        arm = arm.with_rotor(*rotor)
    assert len(arm.base_parameters()) == counted.with_rotors
