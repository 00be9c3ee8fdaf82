"""The errors of methods that reference/simulation-methods states are theirs, against SciPy and many digits."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from physical import physical
from scipy.integrate import solve_ivp

import qddot
from qddot import laws

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "simulation.md").read_text(encoding="utf-8")
SECONDS, KP, KD = 2.0, 30.0, 10.0
INSTANTS = np.linspace(0, SECONDS, 21)
SAMPLES = np.stack([np.sin(3 * INSTANTS), np.cos(3 * INSTANTS)], axis=1)
STARTS = {"`two_link`, 3 s": [1.0, 0.5, 0, 0], "7R arm, 2 s": [0.3, -0.5, 0.2, -1.5, 0.1, 1.2, 0.4, *[0] * 7]}
# q at the end, by series of Newton and Euler's equations with 20 digits (`motion_of_many_digits`)
ENDS = {
    "`two_link`, 3 s": [-0.9472290905882377, 1.8499340787931917],
    "7R arm, 2 s": [
        -4.831156161469799,
        -3.472709108824335,
        -5.948999944086643,
        -2.601463680036175,
        5.560824905650386,
        2.181690637717745,
        -6.868832406559789,
    ],
}
LOOSE = ["< 1e-0", "0.16 ms, 4e-6 rad"]  # of both methods at 1e-6, for the long arm


def rows_after(sentence: str) -> list[list[str]]:
    """The cells of the first table after a sentence, without its ruler."""
    rest = PAGE[PAGE.index(sentence) :].splitlines()
    first = next(k for k, line in enumerate(rest) if line.startswith("|"))
    table = [line.strip("|").split("|") for line in rest[first : rest.index("", first)]]
    return [[cell.strip() for cell in row] for row in table if "---" not in row[0]]


def numbers(cell: str) -> list[float]:
    return [float(text) for text in re.findall(r"\d+e-\d+", cell)]


def holds(stated: str, error: float) -> bool:
    """Whether an error is the stated one within a factor of 2, or below the one that "<" stands before."""
    (number,) = numbers(stated)
    return error < number if "<" in stated else number / 2 < error < 2 * number


@cache
def arm(name: str) -> qddot.Robot:
    return physical(qddot.load(name))


def called(t: float, q: Any, qd: Any) -> Any:
    return -20 * q - 5 * qd if t >= 0 else 0 * q


def torque(name: str, kind: str) -> tuple[Any, Any]:
    """A torque as `simulate` takes it, and as a function of t, q and q̇."""
    robot, target = arm(name), np.zeros(arm(name).n)
    return {
        "none": (None, lambda t, q, qd: 0 * q),
        "`pd_gravity`": (
            laws.pd_gravity(robot, target, KP, KD),
            lambda t, q, qd: robot.inverse_dynamics(q, 0 * q, 0 * q) - KP * q - KD * qd,
        ),
        "`computed_torque`": (
            laws.computed_torque(robot, target, KP, KD),
            lambda t, q, qd: robot.inverse_dynamics(q, qd, -KP * q - KD * qd),
        ),
        "21 samples over time": (
            (INSTANTS, SAMPLES),
            lambda t, q, qd: [np.interp(t, INSTANTS, column) for column in SAMPLES.T],
        ),
        "called from Python": (called, called),
    }[kind]


def by_scipy(robot: qddot.Robot, tau: Any, x: Any, ends: Any) -> Iterator[Any]:
    """(q, q̇) at eleven instants in each piece of time, over which the torque is smooth."""
    n = robot.n

    def rate(t: float, x: Any) -> Any:
        return np.concatenate([x[n:], robot.forward_dynamics(x[:n], x[n:], tau(t, x[:n], x[n:]))])

    for begin, end in pairwise(ends):
        solution = solve_ivp(rate, (begin, end), x, "DOP853", np.linspace(begin, end, 11), rtol=2.3e-14, atol=1e-15)
        x = solution.y[:, -1]
        yield from solution.y.T[:-1]
    yield x


def by_length(row: list[str]) -> Any:
    """A row of the table as a parameter; compiling an arm of three or more links takes seconds."""
    return pytest.param(row, id=" ".join(row[:2]), marks=[pytest.mark.slow] * ("two_link" not in row[0]))


@pytest.mark.parametrize("row", [by_length(row) for row in rows_after("These figures are the reason")[1:]])
def test_a_run_of_two_seconds_has_the_errors_of_the_table(row: list[str]) -> None:
    assert "q = 0.3 and q̇ = −0.2" in PAGE and f"kp = {KP:g} and kd = {KD:g}" in PAGE
    name, (given, tau) = row[0].strip("`"), torque(row[0].strip("`"), row[1])
    start = [0.3] * arm(name).n, [-0.2] * arm(name).n
    right = np.array(list(by_scipy(arm(name), tau, np.concatenate(start), INSTANTS)))[:, : arm(name).n]
    for method, cell in zip(("rk4", "taylor"), row[2:], strict=True):
        if cell != "not possible":
            run = arm(name).simulate(*start, duration=SECONDS, step=1e-3, method=method, torque=given, limits=False)
            errors = np.abs(run.q[::10] - right).max(), run.energy.check().worst
            assert all(map(holds, cell.split(", ")[:2], errors)), (method, errors)


@pytest.mark.parametrize("column", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_run_to_a_tolerance_has_the_error_of_the_table(column: int) -> None:
    titles, *rows = rows_after("Time for the steps of one run")
    robot = (arm("two_link"), runpy.run_path(str(ROOT / "bench" / "panda.py"))["panda"]())[column - 1]
    x0, end, duration = STARTS[titles[column]], ENDS[titles[column]], float(titles[column].split()[-2])
    *_, last = by_scipy(robot, lambda t, q, qd: 0 * q, x0, (0, duration))
    assert "0.16 ms against 0.32 ms at 1e-6, where both are 4e-6 rad off at the end" in PAGE
    assert last[: robot.n] == pytest.approx(end, abs=1e-10)
    for row in [*rows, ["`taylor`, 1e-6", *LOOSE], ["`dop853`, 1e-6", *LOOSE]]:
        method, told = row[0].replace("`", "").split()[0].strip(","), row[0].split()[1]
        asked: Any = ("rk4", 1e-3) if method == "rk4" else ((method, float(told)), duration)
        run = robot.simulate(x0[: robot.n], x0[robot.n :], duration, asked[1], method=asked[0], limits=False)
        error = np.abs(run.q[-1] - end).max()
        assert holds(row[column].rpartition(", ")[2], error), (row[0], error)
