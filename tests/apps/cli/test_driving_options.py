"""The command drives an arm as `arm.simulate` does with the same controller and the same forces."""

from __future__ import annotations

import json
from typing import Any

import pytest

import qddot
from qddot import forces, laws
from qddot.apps.cli import main

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
        ("--target 1,2", "no --gains with --target"),
        ("--target 1,2 --gains 3", "--gains '3' with --target"),
        ("--target 1 --gains 3,4", "expected 2 numbers, in the order q1, q2"),
        ("--target 1,2 --gains 3,4 --torque 1,2", "--torque with --target; expected only one of them"),
        ("--target 1,2 --gains 1,2 --sample-every 0.0003", "not a multiple of the step"),
        ("--target 1,2 --gains 1,2 --sample-every x", "--sample-every 'x'"),
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
