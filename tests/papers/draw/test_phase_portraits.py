"""Phase portraits: the field of one coordinate, its equilibria by kind, angles that wrap, and further starts."""

from __future__ import annotations

import pickle
from math import asin, pi, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from refusals import refusal

import qddot
from qddot import laws
from qddot.base.errors import QddotError, SimulationError
from qddot.faces.run import Run
from qddot.formats.toml import robot_file
from qddot.motion.simulate.phase_plane import Equilibrium, PhaseField, reason_against, spread
from qddot.papers.draw.phase import FINE, broken, fine

G = 9.81


def pendulum(**joint: Any) -> qddot.Robot:
    """A point mass of 1 kg on a rod of 1 m; q = 0 hangs down, M = 1 and G = 9.81 sin q."""
    link = {"name": "bob", "mass": 1, "com": [0, 0, -1], "joint": {"type": "revolute", "axis": [1, 0, 0], **joint}}
    return qddot.Robot(
        robot_file.from_mapping({"convention": "tree", "gravity": [0, 0, -G], "link": [link]}, "pendulum")
    )


def slider(**joint: Any) -> qddot.Robot:
    """A mass of 2 kg slides on a level."""
    link = {"name": "cart", "mass": 2, "joint": {"type": "prismatic", "axis": [1, 0, 0], **joint}}
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "gravity": [0, 0, -G], "link": [link]}, "slider"))


def run_of(arm: qddot.Robot, q0: Any = (1.0,), qd0: Any = None, **options: Any) -> Run:
    return arm.simulate(q0, qd0, **{"duration": 0.2, "step": 0.01, **options})


def field(arm: qddot.Robot, **options: Any) -> PhaseField:
    setup = run_of(arm, **options)._recording.setup
    assert setup is not None
    assert reason_against(setup) is None
    return PhaseField(setup)


def kinds(arm: qddot.Robot, low: float = -pi, high: float = pi, **options: Any) -> dict[float, str]:
    return {round(each.q, 9): each.kind for each in field(arm, **options).equilibria(low, high)}


PI = round(pi, 9)


def test_the_field_of_a_pendulum() -> None:
    q, qd = np.meshgrid(np.linspace(-4, 4, 9), np.linspace(-3, 3, 7))
    a, of_q, of_rate = field(pendulum(damping=0.3))(q, qd)
    assert_allclose(a, -G * np.sin(q) - 0.3 * qd, atol=1e-14)
    assert_allclose(of_q, -G * np.cos(q), atol=1e-14)
    assert_allclose(of_rate, np.full_like(q, -0.3), atol=1e-14)


@pytest.mark.parametrize(
    ("damping", "below"),
    [(0, "centre"), (0.3, "stable focus"), (2 * sqrt(G) * 0.99, "stable focus"), (2 * sqrt(G) * 1.01, "stable node")],
)
def test_a_pendulum_hangs_or_stands(damping: float, below: str) -> None:
    """λ² + c λ + g = 0 has real roots from c = 2 √g on."""
    assert kinds(pendulum(), damping=damping) == {-PI: "saddle", 0.0: below, PI: "saddle"}


@pytest.mark.parametrize(("gain", "kind"), [(0.5, "unstable focus"), (2 * sqrt(G) * 1.1, "unstable node")])
def test_a_law_that_pushes_with_the_motion(gain: float, kind: str) -> None:
    assert kinds(pendulum(), torque=lambda t, q, qd: gain * qd)[0.0] == kind


def test_a_constant_torque_moves_the_equilibria_together() -> None:
    """sin q = τ/(m g l): two places, one at τ = m g l, where they meet, and none beyond."""
    q = round(asin(0.5), 9)
    assert kinds(pendulum(), torque=[G / 2]) == {q: "centre", round(pi - asin(0.5), 9): "saddle"}
    ((place, kind),) = kinds(pendulum(), torque=[G]).items()
    assert (abs(place - pi / 2) < 1e-6, kind) == (True, "undecided")
    assert kinds(pendulum(), torque=[1.01 * G]) == {}


def test_linear_centres_are_centres_only_if_the_field_is_reversible() -> None:
    """A drag c q̇ |q̇| has imaginary eigenvalues, but its motions spiral inward."""
    drag = lambda t, q, qd: -0.5 * qd * qddot.sqrt(qd * qd + 1e-30)  # noqa: E731
    assert kinds(pendulum(), torque=drag)[0.0] == "undecided"
    assert kinds(pendulum(), torque=lambda t, q, qd: 0.5 * qddot.sin(q))[0.0] == "centre"


@pytest.mark.parametrize(("friction", "ends"), [(1.5, asin(1.5 / G)), (G / 2, pi / 6)])
def test_dry_friction_holds_a_pendulum_in_stretches(friction: float, ends: float) -> None:
    """It rests where |g sin q| ≤ f, below and above."""
    plane = field(pendulum(coulomb=friction))
    below = plane.resting(-pi / 2, pi / 2)
    assert_allclose(below, [(-ends, ends)], atol=2 * pi / 4000)
    assert_allclose(plane.resting(pi / 2, 3 * pi / 2), [(pi - ends, pi + ends)], atol=2 * pi / 4000)
    assert {each.kind for each in plane.equilibria(-1, 1)} == {"rest"}
    assert field(pendulum(damping=1)).resting(-pi, pi) == []


def test_a_free_slider_rests_everywhere() -> None:
    plane = field(slider())
    assert plane.resting(-1, 1) == [(-1, 1)]
    assert plane.equilibria(-1, 1) == []


def test_springs_hold_a_slider() -> None:
    spring = {"stiffness": 8, "rest": 0.25}
    assert field(slider(spring=spring)).equilibria(-1, 1) == [Equilibrium(pytest.approx(0.25), "centre")]
    assert kinds(slider(), torque=laws.pd([0.5], 8.0, 1.0), low=-1, high=1) == {0.5: "stable focus"}


def test_the_separatrix_of_a_pendulum_is_in_the_picture() -> None:
    assert field(pendulum()).highest_rate(-pi, pi) == pytest.approx(2 * sqrt(G), rel=1e-5)


def test_what_counts_turns_is_not_wrapped() -> None:
    assert field(pendulum()).is_periodic
    for arm, options in (
        (pendulum(spring={"stiffness": 1, "rest": 0}), {}),
        (pendulum(), {"torque": laws.pd([0], 1, 1)}),
    ):
        assert not field(arm, **options).is_periodic
        figure = run_of(arm, [5.0], **options).plot_phase()
        assert curves(figure)[0][0, 0] == 5.0


def test_each_arm_of_a_batch_has_its_own_field() -> None:
    run = run_of(pendulum(), [[0.1], [0.2]], damping=[[0.0], [2.0]])
    for arm, kind in ((0, "centre"), (1, "stable focus"), (-1, "stable focus")):
        assert kind in legend(run.plot_phase(arm=arm))


def test_angles_leave_at_one_side_and_return_at_the_other() -> None:
    q, rates = broken(np.array([3.0, 3.4, 2.0, -3.4]), np.array([0.0, 4.0, 5.0, 6.0]))
    assert_allclose(q[:4], [3.0, pi, np.nan, -pi])
    assert_allclose(q[4], 3.4 - 2 * pi)
    assert_allclose(rates[1], 4 * (pi - 3) / 0.4)
    assert np.nanmax(np.abs(q)) <= pi
    assert np.isnan(q).sum() == np.isnan(rates).sum() == 3


def curves(figure: Any) -> Any:
    """The points of every line of a portrait, (q, q̇) in rows: the run, the other motions, then marks."""
    return [line.get_xydata() for line in figure.axes[0].get_lines()]


def legend(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_portrait_names_kinds_and_shows_whole_turns() -> None:
    figure = run_of(pendulum(), [0.5], [8.0], duration=3.0).plot_phase(starts=3)
    ax = figure.axes[0]
    assert legend(figure) == ["start", "end", "further starts", "centre", "saddle"]
    assert ax.get_xlim() == (-pi, pi)
    assert ax.get_xlabel() == "coordinate $q_{1}$ [rad]"
    assert ax.get_ylabel() == r"rate $\dot{q}_{1}$ [rad/s]"
    assert any(np.isnan(np.asarray(line.get_xdata(), dtype=float)).any() for line in ax.get_lines())
    assert ax.collections, "the lines of the field"
    chinese = run_of(pendulum()).plot_phase(lang="zh")
    assert legend(chinese) == ["起点", "终点", "中心", "鞍点"]


def test_a_slider_has_its_unit_and_its_range() -> None:
    ax = run_of(slider(spring={"stiffness": 8, "rest": 0}), [0.2], duration=3.0).plot_phase().axes[0]
    assert ax.get_xlabel().endswith("[m]")
    assert ax.get_xlim() == pytest.approx((-0.232, 0.232), rel=1e-3)


def test_starts_are_simulated_as_the_run_was() -> None:
    arm = pendulum(damping=0.1)
    run = run_of(arm, method="rk4", torque=[1.0])
    figure = run.plot_phase(starts=[("90deg", 0), (0.5, -1)])
    for curve, (q, rate) in zip(curves(figure)[1:3], ((pi / 2, 0.0), (0.5, -1.0)), strict=True):
        same = run_of(arm, [q], [rate], method="rk4", torque=[1.0])
        assert_allclose(curve[::FINE], np.stack([same.q[:, 0], same.qd[:, 0]], axis=1), rtol=1e-15)


def test_curves_go_smoothly_between_samples() -> None:
    arm, start = pendulum(), ([3.0], [4.0], 2.0)
    coarse, exact = arm.simulate(*start, step=0.08), arm.simulate(*start, step=0.01)
    curve = np.column_stack(fine(coarse.time, coarse.q[:, 0], coarse.qd[:, 0]))
    assert_allclose(curve, np.stack([exact.q[:, 0], exact.qd[:, 0]], axis=1), atol=5e-3)


def test_starts_of_two_links_are_rows() -> None:
    run = qddot.load("two_link").simulate([0.1, 0.2], duration=0.1, step=0.01)
    figure = run.plot_phase(1, starts=[([0.3, 0.4], [0, 1])])
    assert_allclose(curves(figure)[1][0], [0.4, 1])
    counted = run.plot_phase(1, starts=4)
    assert len(curves(counted)) == 1 + 4 + 2 + 4
    assert "projection" in figure.get_suptitle()
    assert "投影" in run.plot_phase(lang="zh").get_suptitle()


def test_counted_starts_keep_within_limits() -> None:
    run = run_of(pendulum(limits=[-0.5, 0.6]), [0.1])
    starts = [curve[0, 0] for curve in curves(run.plot_phase(starts=20))[1:21]]
    assert -0.5 <= min(starts) < -0.4
    assert 0.35 < max(starts) <= 0.6


def test_spread_points_fill_the_rectangle() -> None:
    points = np.array(spread(64, (-1.0, 1.0), (0.0, 4.0)))
    cells = ((points - np.array([-1, 0])) // [0.5, 1]).astype(int) @ [4, 1]
    counts = np.bincount(cells, minlength=16)
    assert counts.min() >= 2
    assert spread(3, (-1, 1), (0, 4)) == spread(5, (-1, 1), (0, 4))[:3]


class Integral:
    """A law with a state."""

    z0 = (0.0,)

    def __call__(self, t: float, q: Any, qd: Any, z: Any) -> Any:
        return -z, q


@pytest.mark.parametrize(
    ("torque", "said"),
    [
        (lambda t, q, qd: qddot.sin(t) + 0 * q, "depends on more than"),
        (([0.0, 1.0], [[0.0], [1.0]]), "depends on more than"),
        (Integral(), "depends on more than"),
        (laws.sampled(lambda t, q, qd: -q, every=0.01), "depends on more than"),
        (lambda t, q, qd: np.array([-sin(float(q[0]))]), "called from Python"),
    ],
)
def test_no_field_without_a_plane_of_its_own(torque: Any, said: str) -> None:
    figure = run_of(pendulum(), torque=torque).plot_phase()
    assert said in " ".join(figure.get_suptitle().split())
    assert not figure.axes[0].collections


def test_runs_from_files_and_of_chains(tmp_path: Path) -> None:
    path = run_of(pendulum()).save(tmp_path / "run.nc")
    loaded = Run.load(path)
    assert "from a file" in loaded.plot_phase().get_suptitle()
    assert "from a file" in run_of(pendulum()).resampled(0.05).plot_phase().get_suptitle()
    with refusal(SimulationError, "run-not-repeatable"):
        loaded.plot_phase(starts=2)
    chain = qddot.load_closed_chain("four_bar")
    q = chain.assemble([0.5, 0.5, 0.5]).q
    run = chain.simulate(q, chain.velocities(q, [1.0]), duration=0.02, step=0.01)
    assert "closed chain" in run.plot_phase().get_suptitle()
    with refusal(SimulationError, "starts-counted-of-a-chain"):
        run.plot_phase(starts=2)
    assert len(curves(run.plot_phase(starts=[(q, 2 * run.qd[0])]))) == 5


def test_a_pickled_run_keeps_its_field() -> None:
    assert "centre" in legend(pickle.loads(pickle.dumps(run_of(pendulum()))).plot_phase(starts=1))


def test_wrong_starts_are_refused() -> None:
    run = run_of(pendulum())
    for starts in ([], [0.1], ["ab"], [(1, 2, 3)], [()]):
        with refusal(SimulationError, "starts-no-pairs"):
            run.plot_phase(starts=starts)
    for count in (0, -1, 2.5, 10**6, True, "three"):
        with pytest.raises(QddotError):
            run.plot_phase(starts=count)
    with refusal(SimulationError, "state-misshapen"):
        run.plot_phase(starts=[([1, 2], [3, 4])])
    with refusal(SimulationError, "entry-not-finite"):
        run.plot_phase(starts=[(float("nan"), 0)])
    with refusal(SimulationError, "arm-begins-beyond-a-limit"):
        run_of(pendulum(limits=[-0.5, 0.6]), [0.1]).plot_phase(starts=[(1, 0)])
    with refusal(SimulationError, "starts-of-a-law-with-state"):
        run_of(pendulum(), torque=Integral()).plot_phase(starts=[(1, 0)])
