"""The command drives an arm as `arm.simulate` does with the same controller and the same forces."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import qddot
from qddot import forces, laws
from qddot.apps.cli import main

CAPSYS = pytest.CaptureFixture[str]
ASKED = ["simulate", "two_link", "--at", "0.2,0.1", "--duration", "0.1", "--set", "m2=2"]


def asked(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main([*ASKED, *options, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_a_target_is_held_by_a_sampled_controller(capsys: pytest.CaptureFixture[str]) -> None:
    arm = qddot.load("two_link").with_values(m2=2.0)
    law = laws.pd_gravity(arm, [0.5, -0.5], 100, 20)
    run = arm.simulate([0.2, 0.1], duration=0.1, torque=qddot.laws.sampled(law, 0.002, 0.001, 1e-4, 0.01))
    measured = ["--sample-every", "0.002", "--delay", "0.001", "--encoder", "1e-4", "--quantum", "0.01"]
    told = asked(capsys, "--target", "0.5,-0.5", "--gains", "100,20", *measured)
    assert told["q"] == run.q[-1].tolist() and told["work"] == run.energy.work[-1] != 0


@pytest.mark.parametrize("sampled", [(), ("--sample-every", "0.02")])
@pytest.mark.parametrize(
    ("robot", "start", "target", "options"),
    [
        ("cart_pole", "0.1,170deg", "0,180deg", ("--lqr", "1,10,1,1,0.1")),
        ("acrobot", "91deg,0", "90deg,0", ("--lqr", "10,0.1")),
        ("two_link", "89deg,0", "90deg,0", ("--lqr", "10,0.1", "--driven", "q1")),
        ("five_bar", "2.05,-1.2,0.9,1.3", "2,-1.2,0.9,1.3", ("--lqr", "100,0.1")),
    ],
)
def test_a_regulator_brings_an_arm_to_rest_at_its_target(
    robot: str, start: str, target: str, options: tuple[str, ...], sampled: tuple[str, ...], capsys: CAPSYS
) -> None:
    """Only its own motors act: the acrobot's first joint, and the second one of two links, stay without a torque."""
    command = ["simulate", robot, "--at", start, "--target", target, "--duration", "9", *options, *sampled, "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert main(["closed", robot, "--at", target, "--assemble"] if robot == "five_bar" else ["list"]) == 0
    assembled = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()[:4] if " = " in line]
    goal = assembled or [math.radians(float(part.removesuffix("deg"))) for part in target.split(",")]
    assert told["q"] == pytest.approx(goal, abs=2e-3) and told["qd"] == pytest.approx([0] * len(goal), abs=2e-3)
    assert told["stops"] == [] and told["energy"]["K"][0] == 0 != told["work"]


def test_wrenches_and_payloads_act(capsys: pytest.CaptureFixture[str]) -> None:
    arm = qddot.load("two_link")
    acting = [
        forces.Wrench("tool", (0, -20, 0), (0, 0, 1)),
        forces.Wrench(0, (1, 0, 0)),
        forces.Payload(3, taken=0.05, left=0.08),
        forces.Payload(1),
    ]
    run = arm.simulate([0.2, 0.1], duration=0.1, forces=acting, m2=2.0)
    pushed = ["--wrench", "tool=0,-20,0,0,0,1", "--wrench", "0=1,0,0"]
    told = asked(capsys, *pushed, "--payload", "3,0.05,0.08", "--payload", "1")
    assert told["q"] == run.q[-1].tolist() and told["external"] == run.energy.external[-1] != 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("--gains 1,2", "--gains without --target"),
        ("--sample-every 0.001", "--sample-every without --target"),
        ("--target 1,2", "no --gains with --target; expected KP,KD, such as 100,20, or --lqr"),
        ("--target 1,2 --gains 3", "--gains '3' with --target"),
        ("--target 1 --gains 3,4", "expected 2 numbers, in the order q1, q2"),
        ("--target 1,2 --gains 3,4 --torque 1,2", "--torque with --target; expected only one of them"),
        ("--target 1,2 --gains 1,2 --sample-every 0.0003", "not a multiple of the step"),
        ("--target 1,2 --gains 1,2 --sample-every x", "--sample-every 'x'"),
        ("--lqr 1,1", "--lqr without --target"),
        ("--driven q1", "--driven without --lqr"),
        ("--target 1,2 --lqr 1,1 --gains 1,2", "--gains with --lqr; expected only one of them"),
        ("--target 1,2 --lqr 1,1,1", "expected 2 or 6 numbers: Q and R"),
        ("--target 1,2 --lqr 1,1 --driven q1", "qddot: --target: q2 has no motor"),
        ("--target 90deg,0 --lqr 1,-1", "qddot: --lqr: the least eigenvalue of the weight R is -1; expected"),
        ("--target 90deg,0 --lqr=-1,1", "qddot: --lqr: the least eigenvalue of the weight Q is -1; expected"),
        ("--target 90deg,0 --lqr 1,1 --driven ,", "--driven says which joints have motors"),
        ("--torque 1", "--torque '1'; expected 2 numbers, in the order q1, q2"),
        ("--target 1,2 --gains -1,2", "--gains is -1; expected nonnegative"),
        ("--target 1,2 --gains 1,2 --sample-every -1", "--sample-every = -1.0; expected a number of seconds above 0"),
        ("--target 1,2 --gains 1,2 --sample-every 0.001 --delay -1", "--delay = -1.0; expected"),
        ("--damping -1", "--damping: damping has the entry -1"),
        ("--step 0.03", "--step: step = 0.03 s does not divide"),
        ("--wrench tool", "expected BODY=FX,FY,FZ"),
        ("--wrench tool=1,2", "expected BODY=FX,FY,FZ"),
        ("--wrench nobody=1,2,3", "no body 'nobody'"),
        ("--payload 1,2,3,4", "expected M, M,T0 or M,T0,T1"),
        ("--payload -1", "mass -1 is negative"),
    ],
)
def test_mistakes_in_what_drives_an_arm_are_one_line(wrong: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, *wrong.split()]) == 2
    told = capsys.readouterr()
    assert says in told.err and told.err.count("\n") == 1 and not told.out
