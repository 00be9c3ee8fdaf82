"""Conformance vectors of closed chains: closed configurations, and values that other computations confirm."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from chains import chain
from refusals import refusal
from test_base_of_chains import named

from qddot.apps.cli import main
from qddot.base.errors import QddotError

NAMES = ("four_bar", "delta", "unicycle", "bicycle", "bennett", "scara_parallelogram")


def states(name: str, number: int = 3) -> list[dict[str, Any]]:
    (robot,) = named(name).vectors(number).data()["robots"]
    return [parts[0] for parts in robot["states"]]


def floats(part: Any) -> Any:
    return np.array(part, dtype=object).astype(float)


@pytest.mark.parametrize("name", NAMES)
def test_the_functions_in_doubles_agree(name: str) -> None:
    one = named(name)
    for state in states(name):
        values = {key: floats(part) for key, part in state.items() if key not in ("conventions", "frames")}
        q, qd, qdd = values["q"], values["qd"], values["qdd"]
        assert one.velocities(q, values["u"]) == pytest.approx(qd, rel=1e-9, abs=1e-9)
        assert one.accelerations(q, qd, values["ud"]) == pytest.approx(qdd, rel=1e-8, abs=1e-8)
        assert one.mass_matrix(q) == pytest.approx(values["M"], rel=1e-9)
        assert one.inverse_dynamics(q, qd, qdd) == pytest.approx(values["tau"], rel=1e-8, abs=1e-8)
        tau = np.zeros(one.n)
        tau[[one.tree.model.coordinates.index(k) for k in one.independent]] = values["tau"]
        assert one.multipliers(q, qd, qdd, tau) == pytest.approx(values["lambda"], rel=1e-6, abs=1e-6)
        total = values["M"] @ values["ud"] + sum(values[key] for key in ("h", "G", "springs", "friction"))
        assert total == pytest.approx(values["tau"], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_loops_are_closed_and_motions_allowed(name: str) -> None:
    for state in states(name):
        assert set(state["phi"]) <= {"0E-60"}
        for row in state["A"]:
            slip = sum((Decimal(a) * Decimal(b) for a, b in zip(row, state["qd"], strict=True)), start=Decimal(0))
            assert abs(slip) < Decimal("1e-26")


def test_digits_of_a_four_bar_are_those_of_a_closed_form() -> None:
    """The loop's angles follow from the law of cosines, in forty digits by Decimal and mpmath."""
    import mpmath

    with mpmath.workdps(45):
        a, b, c, d = map(mpmath.mpf, ("0.2", "0.5", "0.4", "0.45"))
        for state in states("four_bar"):
            q1, q2, q3 = map(mpmath.mpf, state["q"])
            x, y = d - a * mpmath.cos(q1), -a * mpmath.sin(q1)  # from the crank's end to the rocker's joint
            apart = mpmath.sqrt(x * x + y * y)
            inner = mpmath.acos((b * b + apart * apart - c * c) / (2 * b * apart))
            first = min(
                (mpmath.atan2(y, x) + sign * inner for sign in (1, -1)), key=lambda t: abs(mpmath.sin(t - q1 - q2))
            )
            assert abs(mpmath.sin(first - q1 - q2)) < mpmath.mpf(10) ** -29
            slope = -a * mpmath.sin(q3 - q1) / (b * mpmath.sin(q3 - q1 - q2)) - 1
            assert abs(slope - mpmath.mpf(state["R"][1][0])) < mpmath.mpf(10) ** -28


def test_files_follow_the_schema_and_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "four_bar", "two_link", "unicycle", "--folder", str(tmp_path), "--set", "c=0.42"]) == 0
    data = json.loads((tmp_path / "vectors.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, json.loads((tmp_path / "vectors.schema.json").read_text(encoding="utf-8")))
    names = [robot["name"] for robot in data["robots"]]
    assert names == ["four_bar/closed", "two_link/fixed", "unicycle/closed"]
    assert data["robots"][0]["licence"] and data["robots"][0]["independent"] == ["q1"]
    theirs = {"four_bar/closed": [{"M": floats(parts[0]["M"]).tolist()} for parts in data["robots"][0]["states"]]}
    (tmp_path / "theirs.json").write_text(json.dumps(theirs), encoding="utf-8")
    command = [sys.executable, "compare.py", "vectors.json", "theirs.json"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    theirs["four_bar/closed"][1]["M"][0][0] *= 1.001
    (tmp_path / "theirs.json").write_text(json.dumps(theirs), encoding="utf-8")
    assert subprocess.run(command, cwd=tmp_path, check=False, capture_output=True).returncode == 1


def test_what_cannot_be_written_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with refusal(QddotError, "not-whole-number-within", "states"):
        chain("four_bar").vectors(0)
    assert main(["vectors", "four_bar", "--base", "both"]) == 2
    assert "closed chain four_bar" in capsys.readouterr().err
