"""Runs with quaternions are drawn at their poses, kept whole, compared and joined; names say what each number is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from refusals import refusal

import qddot
from qddot.base.errors import QddotError, SimulationError
from qddot.papers.draw.labels import symbol
from qddot.papers.draw.posed import PosedArm

SATELLITE = qddot.load("two_link").free(mass=5, inertia=(0.8, 0, 0, 0.7, 0, 0.9)).with_values(g=0)
START = SATELLITE.integrate(SATELLITE.neutral(), [0.3, -0.2, 0.1, 0.4, 0.5, -0.6, 0.7, -0.8])
RATES = [0, 0, 0, 0.2, -0.1, 0.3, 1, -1]
POSITIONS = ["p_x", "p_y", "p_z", "e_w", "e_x", "e_y", "e_z", "q1", "q2"]
VELOCITIES = ["v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z", "q1", "q2"]


@pytest.fixture(scope="module")
def run() -> qddot.Run:
    return SATELLITE.simulate(START, RATES, duration=0.5, step=0.1, method="rk4")


def test_links_are_drawn_where_kinematics_have_them(run: qddot.Run) -> None:
    posed = PosedArm(SATELLITE.model, run.q)
    for k in range(len(SATELLITE.model.bodies)):
        T = SATELLITE.forward_kinematics(run.q, body=k)
        np.testing.assert_allclose(posed.p[:, k + 1], T[:, :3, 3], atol=1e-14)
        np.testing.assert_allclose(posed.R[:, k + 1], T[:, :3, :3], atol=1e-14)
    middle = PosedArm(SATELLITE.model, (run.q[:1] + run.q[-1:]) / 2)  # between samples no quaternion has the norm 1
    np.testing.assert_allclose(middle.R[0, 1] @ middle.R[0, 1].T, np.eye(3), atol=1e-14)


def test_nothing_holds_a_free_base() -> None:
    """No plate and no rod is fixed to the world, whose frame is drawn alone; a ball stands on its plate."""
    from qddot.papers.draw.scene import Scene

    def on_the_world(arm: qddot.Robot) -> int:
        return int((Scene(PosedArm(arm.model, arm.neutral()[None]))._frames == 0).sum())

    ball = {"name": "top", "mass": 1, "com": [0, 0, 1], "joint": {"type": "spherical"}}
    top = qddot.Robot(qddot.formats.toml.robot_file.from_mapping({"convention": "tree", "link": [ball]}, "top"))
    assert on_the_world(SATELLITE) == 0
    assert on_the_world(top) > 0


def test_a_picture_writes_the_position_with_its_units() -> None:
    values = [text.get_text() for text in SATELLITE.plot(START).texts]
    assert any("$p_{x}$" in text and text.count(" m") >= 3 for text in values)
    assert any("$e_{w}$ = 0." in text for text in values)
    with refusal(QddotError, "of-another-shape", "q", "(8,)", "9"):
        SATELLITE.plot(np.zeros(8))
    with refusal(QddotError, "not-a-unit-quaternion"):
        SATELLITE.plot(2 * START)


@pytest.mark.parametrize(
    ("name", "of", "shown"),
    [
        ("omega_x", "quasi qd", r"$\omega_{x}$"),
        ("omega_x", "quasi tau", r"$\tau_{\omega_{x}}$"),
        ("e_2_w", "q", "$e_{2w}$"),
        ("p_x", "q", "$p_{x}$"),
        ("q_wrist", "q", r"$\mathrm{q\_wrist}$"),
    ],
)
def test_velocities_without_coordinates_have_no_dots(name: str, of: str, shown: str) -> None:
    assert symbol(name, of) == shown


def test_curves_are_of_positions_and_of_velocities(run: qddot.Run) -> None:
    legends: Any = [ax.get_legend() for ax in run.plot().axes]
    told = [[text.get_text() for text in legend.get_texts()] for legend in legends]
    assert [*told[0], *told[1], *told[2]] == [symbol(name) for name in POSITIONS]
    assert told[-1][2:4] == [r"$\omega_{z}$", r"$\dot{q}_{1}$"]
    phase: Any = run.plot_phase(6).axes[0].get_lines()[0]
    drawn, sampled = phase.get_xydata(), np.stack([run.q[:, 7], run.qd[:, 6]], axis=1)
    assert len(drawn) > len(sampled)
    np.testing.assert_allclose(drawn[:: (len(drawn) - 1) // (len(sampled) - 1)], sampled, rtol=1e-12)
    with refusal(QddotError, "not-rate-of-coordinate", "omega_x", "q1, q2"):
        run.plot_phase(3)


def test_a_film_shows_the_base_turn(run: qddot.Run, tmp_path: Path) -> None:
    frames = run.pictures(tmp_path / "frames", fps=2, size=(420, 320))
    first, last = (np.asarray(Image.open(frame).convert("L")).astype(int) for frame in (frames[0], frames[-1]))
    assert np.abs(first - last)[60:, :260].max() > 100


def test_files_have_a_column_for_each_number(run: qddot.Run, tmp_path: Path) -> None:
    columns = [f"q_{name}" for name in POSITIONS] + [f"qd_{name}" for name in VELOCITIES]
    assert list(run.table().columns)[2:19] == columns
    lines = run.save(tmp_path / "run.csv").read_text().splitlines()
    assert lines[0].split(",")[2:19] == columns and len(lines) == 7
    with_store = qddot.Options(store=tmp_path / "store")
    SATELLITE.simulate(START, RATES, duration=0.5, step=0.1, method="rk4", options=with_store)
    for path in (run.save(tmp_path / "run.nc"), tmp_path / "store"):
        again = qddot.Run.load(path)
        np.testing.assert_array_equal(again.q, run.q)
        assert again.arrays.positions == POSITIONS and again.arrays.joints == VELOCITIES


def test_runs_are_compared_repeated_and_joined(run: qddot.Run) -> None:
    assert run.trust().horizon == run.time[-1]
    rest = SATELLITE.simulate(run.q[-1], run.qd[-1], duration=0.5, step=0.1, method="rk4")
    whole = SATELLITE.simulate(START, RATES, duration=1, step=0.1, method="rk4")
    assert run.followed_by(rest).compare(whole).worst < 1e-14
    finer = SATELLITE.simulate(START, RATES, duration=0.5, step=0.05, method="rk4")
    with refusal(SimulationError, "quaternions-at-different-times"):
        run.compare(finer)
