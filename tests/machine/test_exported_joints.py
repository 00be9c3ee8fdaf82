"""Every exported file with functions says in which order the joints are, with units, limits and motors."""

from __future__ import annotations

from math import inf, pi
from pathlib import Path
from typing import Any

import pytest

import qddot
from qddot.machine.compilers import TARGETS
from qddot.machine.compilers.exported import entry
from qddot.machine.numeric.exported_joints import joints_of, start_of

HEADS = {"c": ["{}.h"], "cpp": ["{}.h", "{}.hpp"], "matlab": ["+{}/gravity.m"], "python": ["{}.py"]}
HEADS["js"] = ["{}.mjs", "{}.d.mts"]
FIRST = {"matlab": 1}


def lines(arm: Any, *free: str) -> list[str]:
    return [" ".join(line.split()) for line in joints_of(arm, free).lines(entry)]


def slider_crank() -> qddot.Robot:
    """A joint that turns with all that a joint may have, and one that slides as far as a symbol says."""
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": "90deg"}, {"theta": 0, "d": "s", "a": 0, "alpha": 0}]
    turning = {"limits": ["-90deg", "0.5"], "effort": 12.5, "name": "hinge"}
    links = [{"mass": 1, "joint": turning}, {"mass": 1, "joint": {"limits": ["L/2", "L"]}}]
    return qddot.from_dh(rows, links, symbols={"L": 0.4}, name="crank").with_driven("q1")


@pytest.mark.parametrize("target", TARGETS)
def test_every_head_states_the_joints(target: str, tmp_path: Path) -> None:
    slider_crank().export(target, ["gravity"], tmp_path)
    assert {*HEADS} == {*TARGETS}
    for name in HEADS[target]:
        text = " ".join((tmp_path / name.format("crank")).read_text(encoding="utf-8").split())
        first = FIRST.get(target, 0)
        places = [f"q({k + first})" if first else f"q[{k}]" for k in range(2)]
        assert f"{places[0]} q1 rad -1.57079633 to 0.5 tau in N m, at most 12.5 hinge" in text
        assert f"{places[1]} s m 0.2 to 0.4 no motor" in text


def test_limits_with_symbols_that_are_free() -> None:
    arm = slider_crank()
    assert lines(arm)[2].startswith("q[1] s m 0.2 to 0.4 no motor")
    assert lines(arm, "L")[2].startswith("q[1] s m L/2 to L no motor")
    first, second = joints_of(arm, ["L"]).positions
    assert (first.lower, first.upper, second.lower, second.upper) == (-pi / 2, 0.5, -inf, inf)


def test_a_motion_starts_within_limits() -> None:
    arm = slider_crank()
    assert start_of(arm, joints_of(arm, ())) == (0.0, 0.2)
    free = qddot.load("quadrotor_arm")
    assert start_of(free, joints_of(free, ())) == tuple(free.neutral())


def test_joints_with_quaternions_have_more_positions_than_velocities() -> None:
    head, *said = lines(qddot.load("quadrotor_arm"))
    assert head == "Joints, in the order of q, then of qd, qdd and tau:"
    assert [said[k] for k in (0, 3, 9, 11, 12)] == [
        "q[0] p_x m no limits quadrotor",
        "q[3] e_w no limits quadrotor",
        "qd[0] v_x m/s no motor quadrotor",
        "qd[2] v_z m/s tau in N quadrotor",
        "qd[3] omega_x rad/s tau in N m quadrotor",
    ]


def test_a_closed_chain_names_its_independent_coordinates() -> None:
    chain = qddot.load_closed_chain("five_bar").with_independent("q3", "q1")
    assert lines(chain)[-1] == f"Independent, in the order of the rates: {', '.join(chain.independent)}"
    assert "q[1] q2 rad no limits no motor left_rod" in lines(chain)


def test_a_system_of_energies_has_joints(tmp_path: Path) -> None:
    system = qddot.lagrange(["th"], K="m*thd**2/2", P="m*cos(th)", symbols={"m": 2}, name="one")
    assert isinstance(system, qddot.Robot)
    assert lines(system)[1].startswith("q[0] th")
    for target in TARGETS:
        system.export(target, ["state_derivative"], tmp_path / target)
