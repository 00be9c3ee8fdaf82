"""The methods of an arm, and their table in the documentation, are those of the records of its functions."""

from __future__ import annotations

import re
import subprocess
import sys
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import EvaluationError, QddotError
from qddot.machine.numeric.arm import NumericArm
from qddot.machine.numeric.calls import SETTINGS
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.machine.tracing.functions import FUNCTIONS, Function
from qddot.machine.tracing.options import OPTIONS
from qddot.machine.tracing.ports import INPUTS, PortRecord

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "numbers.md"
each = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


@each
def test_a_method_takes_what_its_record_says(function: Function) -> None:
    method = getattr(NumericChain, function.name)
    parameters = signature(method).parameters
    assert [*parameters] == ["self", *function.parameters, *SETTINGS, "values"]
    usual = {name: OPTIONS[name].usual if name in OPTIONS else None for name in function.parameters}
    for name, parameter in parameters.items():
        if name in function.parameters:
            assert parameter.default is (Parameter.empty if name in function.arrays else usual[name])
        assert (parameter.kind is Parameter.KEYWORD_ONLY) == (name in SETTINGS)
    assert method.__doc__.startswith(f"Returns {function.sentence}")
    assert hasattr(NumericArm, function.name) != function.of_loops


@each
def test_the_reference_has_every_function(function: Function) -> None:
    rows = dict(re.findall(r"`(\w+)\((.*?)\)`", REFERENCE.read_text(encoding="utf-8").partition("## How")[0]))
    assert [part.partition("=")[0] for part in rows[function.name].split(", ")] == [*function.parameters]


def test_options_may_be_named_or_not() -> None:
    arm, q = qddot.load("elbow_3r"), np.array([0.1, 0.2, 0.3])
    for body in (*range(-3, 3), "fore", "tool", *np.arange(3)):
        right = arm.jacobian(q, body, "body", check=True)
        for _ in range(2):
            for jacobian in (
                arm.jacobian(q, body, "body"),
                arm.jacobian(q, body=body, frame="body"),
                arm.jacobian(q, frame="body", body=body),
                arm.jacobian(frame="body", body=body, q=q),
                arm.jacobian(q, body, frame="body", out=np.empty((6, 3))),
                arm.jacobian([*q], body, frame="body", threads=True + 0),
            ):
                assert np.array_equal(jacobian, right)


def test_options_without_names_are_those_of_each_call() -> None:
    """Beside values of symbols and settings, and where values are equal and not the same."""
    arm, q = qddot.load("elbow_3r"), np.array([0.1, 0.2, 0.3])
    longer = qddot.load("elbow_3r").with_values(l1=2.5)
    for _ in range(3):
        for body in ("tool", "fore", 1, 0, -1):
            assert np.array_equal(arm.jacobian(q, body), arm.jacobian(q, body=body, check=True))
            assert np.array_equal(arm.jacobian(q, body, l1=2.5), longer.jacobian(q, body))
            assert arm.jacobian(q, body, dtype="float32").dtype == np.float32
            filled = np.empty((6, 3))
            assert arm.jacobian(q, body, out=filled) is filled
            assert np.array_equal(filled, arm.jacobian(q, body))
        assert np.array_equal(arm.jacobian(q, "".join(["to", "ol"])), arm.jacobian(q, "tool"))
        assert np.array_equal(arm.jacobian(np.stack([q, 2 * q]), "tool")[0], arm.jacobian(q, "tool"))
        with refusal(EvaluationError, "body-no-name", "1.0"):
            arm.jacobian(q, 1.0)
        with refusal(EvaluationError, "argument-misshapen", "q"):
            arm.jacobian(q[:2], "tool")


def test_a_value_is_not_taken_for_a_name() -> None:
    arm, q = qddot.load("elbow_3r"), np.array([0.1, 0.2, 0.3])
    right = arm.jacobian(q, "column", "body", check=True)
    for frame in ("world", "body"):
        last = arm.jacobian(q, frame=frame)
    for _ in range(2):
        assert np.array_equal(arm.jacobian(q, frame="body", body="column"), right)
        assert np.array_equal(arm.jacobian(q, frame="body"), last)
    assert not np.array_equal(right, last)


def test_wrenches_may_be_named_or_not() -> None:
    arm = qddot.load("elbow_3r")
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 5, 3))
    wrenches = np.random.default_rng(1).normal(size=(5, len(arm.model.bodies), 6))
    without, right = arm.inverse_dynamics(q, qd, qdd), arm.inverse_dynamics(q, qd, qdd, wrenches, check=True)
    assert not np.allclose(without, right)
    for _ in range(2):
        assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, wrenches), right)
        assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, wrenches=wrenches), right)
        assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, wrenches.tolist(), out=np.empty((5, 3))), right)
        assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, wrenches=None), without)
        assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, None), without)


def _lift(traced: Any, height: float = 0.0) -> list[Any]:
    """The torques of gravity, and the force of a hand that pushes the tool upwards."""
    force, up = traced.inputs["push"], traced.jacobian(*_of_the_tool(traced))
    along = [column.v.z if column else 0 for column in up]
    return [G - share * force[0] for G, share in zip(traced.dynamics.gravity_torques(), along, strict=True)]


def _of_the_tool(traced: Any) -> tuple[int, Any]:
    link, place = traced.tree.place("tool")
    return link, place.p


LIFT = Function(
    "lift",
    "the torques that hold an arm which a hand pushes upwards",
    (INPUTS["q"], PortRecord("push", (1,), "N", "the force of the hand")),
    (PortRecord("held", ("rates",), "N m or N", "the torques"),),
    _lift,
)


def test_a_function_with_new_ports_is_one_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(FUNCTIONS, "lift", LIFT)
    for system, m in ((qddot.load("elbow_3r"), 3), (qddot.load_closed_chain("four_bar"), 1)):
        of: Any = system
        q = of.some_assembly().q if m == 1 else np.array([0.1, 0.2, 0.3])
        right = of.gravity(q) - of.jacobian(q, "tool")[2] * 5.0
        for _ in range(2):
            assert of.call("lift", q, [5.0]) == pytest.approx(right)
        assert of.call("lift", np.stack([q, q]), np.array([[5.0], [0.0]]))[1] == pytest.approx(of.gravity(q))
        assert of.call("lift", q, [5.0], dtype="float32") == pytest.approx(right, rel=1e-4)
        with pytest.raises(TypeError, match="missing a required argument: 'push'"):
            of.call("lift", q)
        with refusal(EvaluationError, "argument-misshapen", "push"):
            of.call("lift", q, [1.0, 2.0])
        with refusal(QddotError, "none-of-these", "no-function", "'lit'"):
            of.call("lit", q)
        exported = of.export("python", ["lift"], tmp_path, overwrite=True)
        assert subprocess.run([sys.executable, str(exported[0])], check=True, capture_output=True, text=True).stdout
    assert (
        main(["export", "elbow_3r", "--functions", "lift", "--code", "python", "--folder", str(tmp_path / "more")]) == 0
    )
    assert "lift" in (tmp_path / "more" / "elbow_3r.py").read_text(encoding="utf-8")
    assert qddot.load("elbow_3r").rounding("gravity").bound.shape == (3,)


MISTAKES: list[tuple[Any, type[Exception], str]] = [
    (
        lambda arm, q: arm.jacobian(q, "tool", body="tool"),
        TypeError,
        "arm.jacobian() got multiple values for argument 'body'",
    ),
    (lambda arm, q: arm.jacobian(), TypeError, "arm.jacobian() missing 1 required positional argument: 'q'"),
    (lambda arm, q: arm.gravity(q, q), TypeError, "arm.gravity() takes 2 positional arguments but 3 were given"),
    (lambda arm, q: arm.bias(q, out=q), TypeError, "arm.bias() missing 1 required positional argument: 'qd'"),
    (lambda arm, q: arm.gravity(q, body="tool"), EvaluationError, "no symbol 'body'"),
    (lambda arm, q: arm.bias(q, q, wrenches=q), EvaluationError, "no symbol 'wrenches'"),
    (lambda arm, q: arm.inverse_dynamics(q, q, q, q), EvaluationError, "wrenches has the shape"),
    (lambda arm, q: arm.regressor(q, q, q, q), QddotError, "armature = "),
]


@pytest.mark.parametrize(("call", "kind", "says"), MISTAKES)
def test_what_does_not_fit_is_refused_at_the_first_call_and_later(call: Any, kind: Any, says: str) -> None:
    arm, q = qddot.load("elbow_3r"), np.array([0.1, 0.2, 0.3])
    arm.jacobian(q, body="tool"), arm.gravity(q), arm.bias(q, q, out=np.empty(3)), arm.inverse_dynamics(q, q, q)
    for _ in range(2):
        with pytest.raises(kind, match=re.escape(says)):
            call(arm, q)
