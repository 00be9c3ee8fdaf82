"""A public function answers any odd argument with one error of ours."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools import uses

import qddot
from qddot.base.errors import QddotError

ODD: dict[str, Any] = {
    "nan": float("nan"),
    "inf": float("inf"),
    "huge": 10**5_000,
    "empty": [],
    "None": None,
    "text": "x",
    "nul": "a\0b",
    "surrogate": "\ud800",
    "array": np.array([1.0, 2.0, 3.0]),
    "empty array": np.empty(0),
    "object": object(),
    "mapping": {},
    "complex": 1j,
    "bytes": b"a",
    "ragged": [[1], [2, 3]],
}
GOOD: dict[str, Any] = {
    **{name: [0.1, 0.2] for name in ("q", "q0")},
    **{name: [0, 0] for name in ("qd", "qdd", "tau")},
    "function": "gravity",
    "name": "M",
    "target": "c",
    "duration": 0.1,
    "step": 0.05,
    "mass": 1,
    "task": "x",
    "body": "tool",
    "folder": "pictures",
    "path": "a.nc",
}
# what is no mistake, besides None where that is the default: a switch takes whatever is true or false
SWITCHES = {"check", "armature", "friction", "frames", "lumped", "wrenches", "overwrite", "limits", "readable"}
MEANT = {
    "dtype": {"None"},
    **{name: {"huge"} for name in ("threads", "width")},
    **{name: {"text"} for name in ("folder", "name", "path", "task", "store")},
    **{name: {"empty", "empty array"} for name in ("free", "only", "driven")},
    **{name: {"empty"} for name in ("forces", "routes")},
    "q0": {"mapping"},  # of a linearization, in which no coordinate is given
    "values": {"mapping"},
    "symbols": {"empty", "mapping", "text"},
    "com": {"None", "array"},
}
ARM = [
    "coriolis_matrix",
    "contact_jacobian",
    "base_parameters",
    "export",
    "forward_kinematics",
    "gravity",
    "inverse_dynamics",
    "jacobian",
    "linearize",
    "operational_space",
    "dynamic_parameters",
    "plot",
    "program",
    "regressor",
    "simulate",
    "as_screws",
    "to_toml",
    "with_payload",
    "with_values",
]
EQUATIONS = ["array", "latex", "linearize", "prove", "save", "text", "textbook"]


def nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def answered(function: Callable[..., Any]) -> None:
    """Holds that a call is answered, and that each odd argument is refused, unless it is meant."""
    parameters = inspect.signature(function).parameters
    named = [p for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    good = {
        p.name: GOOD[p.name]
        for p in named
        if p.default is p.empty or (p.name == "task" and "functions" not in parameters)
    }
    if getattr(function, "__name__", "") == "with_payload":
        good["mass"] = GOOD["mass"]  # only an inertia with a mass of its own may leave it out
    function(**good)
    taken = []
    for p in named:
        for odd, value in {**ODD, "nested": nested(5_000)}.items():
            try:
                function(**{**good, p.name: value})
            except QddotError as error:
                assert len(str(error)) < 1_500
            else:
                meant = p.name in SWITCHES or odd in MEANT.get(p.name, ()) or (value is None and p.default is None)
                taken += [] if meant else [f"{p.name} = {odd}"]
    assert not taken, taken


@pytest.fixture
def arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> qddot.Robot:
    monkeypatch.chdir(tmp_path)
    return qddot.load("two_link")


VIEW = pytest.param("view", marks=uses("built page"))


@pytest.mark.parametrize("name", [*ARM, VIEW])
def test_an_arms_functions_answer_odd_arguments(name: str, arm: qddot.Robot) -> None:
    answered(getattr(arm, name))


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_equations_functions_answer_odd_arguments(name: str, arm: qddot.Robot) -> None:
    answered(getattr(arm.equations(), name))


@pytest.mark.parametrize("name", ["save", "trust", "pictures", "plot_phase", "plot", VIEW])
def test_a_runs_functions_answer_odd_arguments(name: str, arm: qddot.Robot) -> None:
    answered(getattr(arm.simulate([1, 0], duration=0.1, step=0.05), name))


@pytest.mark.filterwarnings("ignore:Data type alias:DeprecationWarning")
@pytest.mark.parametrize("option", ["out", "dtype", "threads", "check", "m1"])
def test_the_options_of_every_call_may_be_odd(option: str, arm: qddot.Robot) -> None:
    for value in [*ODD.values(), nested(5_000)]:
        for function in (partial(arm.gravity, [0, 0]), arm.dynamic_parameters):
            try:
                function(**{option: value})
            except QddotError as error:
                assert len(str(error)) < 1_500
