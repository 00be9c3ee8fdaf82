"""The self-test of exported code holds it against the robot, not against the program that was printed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported_code import RUN, self_tested
from physical import physical
from shipped import robot

import qddot
from qddot.algebra.program.program import Node, Program
from qddot.base.errors import QddotError
from qddot.machine.compilers.batch import compiled
from qddot.machine.compilers.exported import VECTORS
from qddot.machine.numeric import self_tests
from qddot.machine.numeric.calls import Calls
from qddot.machine.tracing.functions import FUNCTIONS

LONG = 10_000  # nodes of a program that takes long to compile
Fault = Callable[[Program], Program]


@cache
def arm_of(form: str) -> qddot.Robot:
    arm = robot("two_link")
    if form == "links":
        return arm
    eq = arm.equations()
    return qddot.Robot((eq.textbook() if form == "closed" else eq.abbreviate()).model)


def constants(program: Program) -> list[int]:
    return [place for place, node in enumerate(program.nodes) if node.op == "constant"]


def other_constant(which: int) -> Fault:
    def planted(program: Program) -> Program:
        nodes = list(program.nodes)
        place = constants(program)[which]
        nodes[place] = nodes[place]._replace(value=nodes[place].value * (1 + 1e-6))
        return replace(program, nodes=tuple(nodes))

    return planted


def forgets_a_symbol(program: Program) -> Program:
    """A closed form once had the default in its place."""
    last = len(program.inputs) - 1
    forgotten = [Node("constant", value=1.0) if n.op == "input" and n.element[0] == last else n for n in program.nodes]
    return replace(program, nodes=tuple(forgotten))


def another_sign(program: Program) -> Program:
    place = max(k for k, node in enumerate(program.nodes) if node.op in ("add", "sub"))
    nodes = list(program.nodes)
    nodes[place] = nodes[place]._replace(op={"add": "sub", "sub": "add"}[nodes[place].op])
    return replace(program, nodes=tuple(nodes))


def fails(monkeypatch: pytest.MonkeyPatch, fault: Fault, target: str, form: str, free: Any, folder: Path) -> bool:
    """Whether the self-test of a program with a fault fails, and that of the program itself passes."""
    arm, right = arm_of(form), Calls.program
    arm.export(target, ["inverse_dynamics"], folder, name="code", free=free)
    self_tested(target, folder, "code")
    with monkeypatch.context() as patched:
        patched.setattr(Calls, "program", lambda *a, **k: fault(right(*a, **k)))
        arm.export(target, ["inverse_dynamics"], folder, name="faulty", free=free)
    try:
        self_tested(target, folder, "faulty")
    except (SystemExit, subprocess.CalledProcessError):
        return True
    return False


FORMS = [("links", ()), ("links", ("m2",)), ("closed", ()), ("closed", ("m2", "l")), ("abbreviated", ())]


@pytest.mark.parametrize("target", RUN)
@pytest.mark.parametrize(("form", "free"), FORMS)
def test_another_number_or_sign_fails_in_every_language(
    target: str, form: str, free: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fails(monkeypatch, other_constant(0), target, form, free, tmp_path)
    assert fails(monkeypatch, another_sign, target, form, free, tmp_path)


@pytest.mark.parametrize(("form", "free"), FORMS)
def test_every_constant_is_felt(form: str, free: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for which in range(len(constants(arm_of(form).program("inverse_dynamics", free)))):
        assert fails(monkeypatch, other_constant(which), "python", form, free, tmp_path)


@pytest.mark.parametrize("target", RUN)
@pytest.mark.parametrize("form", ["links", "closed"])
def test_a_symbol_that_is_forgotten_fails(
    target: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fails(monkeypatch, forgets_a_symbol, target, form, ["m2"], tmp_path)


def test_the_self_test_of_python_also_fails_without_assertions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    assert fails(monkeypatch, another_sign, "python", "links", (), tmp_path)
    done = subprocess.run([sys.executable, "-O", str(tmp_path / "faulty.py")], capture_output=True, check=False)
    assert done.returncode == 1


@pytest.mark.parametrize("name", ["two_link", "puma560_1986", "panda", "satellite_arm", "furuta_pendulum"])
def test_every_function_is_tested_at_values_of_the_links(name: str) -> None:
    """What the compiled code computes, to the tolerance of the self-test, at other values of symbols, too."""
    arm = physical(robot(name))
    free = list(arm.model.symbols)[:2]
    for function in FUNCTIONS:
        try:
            program = arm.program(function, free)
        except QddotError:
            continue  # not of this arm
        if len(program.nodes) > LONG:
            continue
        states = self_tests.states(arm.model, program, free, {}, "double")
        assert len(states) == VECTORS, function
        for inputs, outputs in states:
            shaped = (np.reshape(x, port.shape) for x, port in zip(inputs, program.inputs, strict=True))
            result: Any = compiled(program)(*shaped)
            for value, right in zip(result if isinstance(result, tuple) else [result], outputs, strict=True):
                np.testing.assert_allclose(np.ravel(value), right, rtol=1e-12, atol=1e-12)


def test_a_name_of_a_closed_form_that_is_free_is_tested_by_the_entries(tmp_path: Path) -> None:
    arm_of("closed").export("python", ["inverse_dynamics"], tmp_path, name="code", free=["k1"])
    self_tested("python", tmp_path, "code")


def test_another_tool_of_a_closed_form_is_its_own(tmp_path: Path) -> None:
    arm_of("closed").with_tool([0.3, 0, 0.1]).export("python", ["jacobian"], tmp_path, name="code", body="tool")
    self_tested("python", tmp_path, "code")
