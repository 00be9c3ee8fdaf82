"""What drives an arm is real numbers: whatever else is given as samples, a law, a force or a start is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import forces, laws
from qddot.apps.cli import main
from qddot.base.errors import EvaluationError, QddotError, SimulationError

SHORT: dict[str, Any] = {"duration": 0.1, "step": 0.01}
FLAT = np.zeros((2, 2))
SAMPLES: dict[str, Any] = {
    "no samples": ([], np.zeros((0, 2))),
    "empty lists": ([], []),
    "one sample": ([0.0], [[1.0, 2.0]]),
    "no number as a time": ([0.0, np.nan], FLAT),
    "falling times": ([1.0, 0.0], FLAT),
    "one time twice": ([0.0, 0.0, 1.0], np.zeros((3, 2))),
    "times that end early": ([0.0, 0.05], FLAT),
    "times in rows": ([[0.0, 1.0]], FLAT),
    "complex times": (np.array([0, 1 + 1j]), FLAT),
    "complex values": ([0.0, 1.0], FLAT + 1j),
    "texts": (["0", "1"], [["1", "x"], ["1", "2"]]),
    "values that are not finite": ([0.0, 1.0], FLAT + np.inf),
}
NUMBERS: dict[str, Any] = {
    "nothing": [],
    "an array of nothing": np.array([]),
    "complex numbers": np.array([1j, 2]),
    "a list of complex numbers": [1j, 0],
    "a complex number among objects": np.array([np.complex64(1j), 2], dtype=object),
    "a text": "ab",
    "an array of texts": np.array(["1", "x"]),
    "bytes": b"ab",
    "objects": [object(), object()],
    "an object": object(),
    "truths": np.array([True, False]),
    "an array of no dimension": np.array(3.0j),
    "a generator": (x for x in "ab"),
    "a set": {1, 2},
    "dates": np.array(["2020", "2021"], dtype="M8[Y]"),
    "no numbers": [np.nan, 0.0],
    "None": [None, 1.0],
}
RETURNED: dict[str, Callable[..., Any]] = {
    "complex numbers": lambda t, q, qd: q * 1j,
    "real ones in a complex array": lambda t, q, qd: np.asarray(q) + 0j,
    "complex numbers of NumPy's": lambda t, q, qd: [np.complex128(1j), 1.0],
    "complex numbers of single precision": lambda t, q, qd: np.array([1, 2], dtype=np.complex64),
    "arrays of no dimension": lambda t, q, qd: [np.array(1j), 0.0],
    "a root of a negative number": lambda t, q, qd: [(-1.0) ** 0.5, 0.0],
    "texts": lambda t, q, qd: ["1", "2"],
    "a text": lambda t, q, qd: "ab",
    "an object": lambda t, q, qd: object(),
    "nothing": lambda t, q, qd: None,
    "no numbers": lambda t, q, qd: [],
    "a generator": lambda t, q, qd: (x for x in (1.0, 2.0)),
}


@pytest.fixture(scope="module")
def arm() -> qddot.Robot:
    return qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)


def swept(arm: qddot.Robot, reduce: Any = "final", **asked: Any) -> Any:
    motion = qddot.Motion(**{"q0": [qddot.uniform(-1, 1), 0.2], **SHORT, **asked})
    return qddot.sweep(arm, motion, draws=2, reduce=reduce)


@pytest.mark.parametrize("given", SAMPLES)
def test_samples_are_rising_times_and_real_numbers(given: str, arm: qddot.Robot) -> None:
    samples = SAMPLES[given]
    with pytest.raises(QddotError, match=r"torque.*; expected"):
        arm.simulate([0.3, 0.2], method="rk4", torque=samples, **SHORT)
    with pytest.raises(QddotError, match=r"torque.*; expected"):
        swept(arm, torque=samples)
    times, values = samples
    force = np.resize(values, (len(values), 3)) if len(values) else values
    with pytest.raises(QddotError, match=r"force.*; expected"):
        arm.simulate([0.3, 0.2], method="rk4", forces=forces.Wrench("tool", (times, force)), **SHORT)
    with pytest.raises(QddotError, match=r"force.*; expected"):
        swept(arm, forces=forces.Wrench("tool", (times, force)))


@pytest.mark.parametrize("given", NUMBERS)
def test_what_is_given_is_finite_real_numbers(given: str, arm: qddot.Robot) -> None:
    value = NUMBERS[given]
    start: dict[str, Any] = {"q0": [0.3, 0.2], "method": "rk4", **SHORT}
    ways: list[tuple[str, Callable[[], object]]] = [
        ("qd0", lambda: arm.simulate(qd0=value, **start)),
        ("damping", lambda: arm.simulate(damping=value, **start)),
        ("m2 is", lambda: arm.simulate(m2=value, **start)),
        ("force of a wrench", lambda: arm.simulate(forces=forces.Wrench("tool", value), **start)),
        ("stiffness of a spring", lambda: arm.simulate(forces=forces.SpringDamper("tool", (0, 0, 0), value), **start)),
        ("mass of a payload", lambda: arm.simulate(forces=forces.Payload(value), **start)),
        ("taken of a payload", lambda: arm.simulate(forces=forces.Payload(1.0, taken=value), **start)),
        ("target|torque law", lambda: arm.simulate(torque=laws.pd(value, 1.0, 1.0), **start)),
        ("torque", lambda: swept(arm, torque=value)),
        ("damping", lambda: swept(arm, damping=value)),
        ("force of a wrench", lambda: swept(arm, forces=forces.Wrench("tool", value))),
        ("q0", lambda: swept(arm, q0=value)),
    ]
    for says, way in ways:
        with pytest.raises(QddotError, match=f"^(the )?({says})"):
            way()


@pytest.mark.parametrize("given", [name for name in NUMBERS if name != "no numbers"])
def test_a_stepper_takes_real_numbers(given: str, arm: qddot.Robot) -> None:
    step, value = arm.stepper(0.01), NUMBERS[given]
    for arguments in ((value, [0, 0], [0, 0]), ([0, 0], value, [0, 0]), ([0, 0], [0, 0], value)):
        with pytest.raises(EvaluationError):
            step(*arguments)


class Own:
    """A law whose state, or whose state at the start, is what another law returns."""

    def __init__(self, returned: Callable[..., Any], discrete: bool = False, at_start: bool = False) -> None:
        self.discrete, self._returned = discrete, (lambda t, q, qd: [0.0, 0.0]) if at_start else returned
        self.z0: Any = (lambda q, qd: returned(0.0, q, qd)) if at_start else (0.0, 0.0)

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        return [0.0, 0.0], self._returned(t, q, qd)


def later(returned: Callable[..., Any]) -> Callable[..., Any]:
    """A law that returns something else in the middle of the run."""
    return lambda t, q, qd: returned(t, q, qd) if t > 0.05 else [0.0, 0.0]


@pytest.mark.parametrize("given", RETURNED)
def test_a_law_returns_real_numbers(given: str, arm: qddot.Robot) -> None:
    law = RETURNED[given]
    asked: list[dict[str, Any]] = [
        {},
        {"torque": laws.sampled(law, 0.02)},
        {"method": "dop853"},
        {"method": "taylor"},
        {"method": "midpoint"},
    ]
    for way in asked:
        with pytest.raises(SimulationError, match="law returned"):
            arm.simulate([0.3, 0.2], **{"torque": law, **SHORT, **way})
    for way in ({}, {"torque": laws.sampled(later(law), 0.02)}, {"method": "dop853"}):
        with pytest.raises(SimulationError, match="law returned"):
            arm.simulate([0.3, 0.2], **{"torque": later(law), **SHORT, **way})
    with pytest.raises(SimulationError, match="law returned"):
        arm.simulate([[0.3, 0.2], [0.1, 0.0]], method="rk4", torque=law, **SHORT)
    with pytest.raises(SimulationError, match="law returned"):
        arm.simulate([0.3, 0.2], method="rk4", torque=Own(law), **SHORT)
    with pytest.raises(SimulationError, match="law returned"):
        arm.simulate([0.3, 0.2], method="rk4", torque=laws.sampled(Own(law, discrete=True), 0.02), **SHORT)
    with pytest.raises(SimulationError, match="the law's z0"):
        arm.simulate([0.3, 0.2], method="rk4", torque=Own(law, at_start=True), **SHORT)
    with pytest.raises(QddotError, match="law"):
        swept(arm, torque=law)


@pytest.mark.parametrize("given", [name for name in RETURNED if name != "no numbers"])
def test_functions_of_forces_events_and_reductions_return_real_numbers(given: str, arm: qddot.Robot) -> None:
    law = RETURNED[given]

    def first(t: Any, q: Any, qd: Any) -> Any:
        answer = law(t, q, qd)
        return answer[0] if isinstance(answer, list | np.ndarray) else answer

    def three(t: Any, q: Any, qd: Any) -> Any:
        return [first(t, q, qd)] * 3

    with pytest.raises(SimulationError, match="function of a force"):
        arm.simulate([0.3, 0.2], method="rk4", forces=forces.Wrench("tool", three), **SHORT)
    with pytest.raises(SimulationError, match="event function"):
        arm.simulate([0.3, 0.2], method="rk4", event=first, **SHORT)
    with pytest.raises(SimulationError, match="function taken= of a payload"):
        arm.simulate([0.3, 0.2], method="rk4", forces=forces.Payload(1.0, taken=first), **SHORT)
    with refusal(QddotError, "function-not-traced", "'mine'"):
        swept(arm, reduce={"mine": qddot.reductions.mean(law)})


def test_a_reduction_without_a_number_is_refused(arm: qddot.Robot) -> None:
    with refusal(QddotError, "function-returned-no-number", "'mine'"):
        swept(arm, reduce={"mine": qddot.reductions.mean(lambda t, q, qd: [])})


@pytest.mark.parametrize(
    "options",
    [["--torque", ","], ["--torque", "1j,2"], ["--torque", "nan,1"], ["--wrench", "tool="], ["--payload", "1j"]],
)
def test_the_command_takes_real_numbers(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "two_link", "--at", "0,0", *options]) == 2
    assert "expected a number" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["torque = []", "torque = [[], []]", 'torque = ["1j", 2]', "torque = [1, nan]"])
def test_a_plan_has_real_numbers(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = json.dumps({"m1": 1, "m2": 1, "l": 1}).replace(":", " =")
    (tmp_path / "plan.toml").write_text(
        f'q0 = [{{ uniform = [-1, 1] }}, 0]\ndraws = 4\nstore = "s.zarr"\nvalues = {values}\n{line}\n'
    )
    assert main(["sweep", "two_link", str(tmp_path / "plan.toml")]) == 2
    assert "torque" in capsys.readouterr().err


def test_symbols_of_any_name_take_values() -> None:
    """Symbols that are called like arguments: the mass is `step`, the damping's name is the length's."""
    text = qddot.load("two_link").to_toml().replace("m1", "step").replace("m2", "damping")
    two = qddot.loads(text)
    values = {"step": 3.0, "damping": [2.0, 4.0], "l": 1.0}
    run = two.simulate([0.3, 0.2], method="rk4", values=values, **SHORT)
    right = qddot.load("two_link").simulate([0.3, 0.2], method="rk4", m1=3.0, m2=[2.0, 4.0], l=1.0, **SHORT)
    assert np.array_equal(run.q, right.q)
    next_q, _ = two.stepper(0.01, values={"step": 3.0, "damping": 4.0, "l": 1.0})([0.3, 0.2], [0, 0], [0, 0])
    assert np.allclose(next_q, run.q[1, 1], atol=1e-12)
    motion, of_sweep = qddot.Motion([0.3, 0.2], **SHORT), {"step": qddot.uniform(1, 2), "l": 1.0}
    drawn = qddot.sweep(two, motion, draws=2, values=of_sweep)
    assert drawn.sizes["run"] == 2
    with refusal(SimulationError, "two-values", "l"):
        two.simulate([0.3, 0.2], method="rk4", values=values, l=2.0, **SHORT)
    with refusal(SimulationError, "values-no-mapping", "3"):
        two.simulate([0.3, 0.2], method="rk4", values=3, **SHORT)
