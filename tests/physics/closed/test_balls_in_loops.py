"""Spherical and free joints in loops: equations, numbers and runs of chains whose velocities are not all rates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import mujoco
import numpy as np
import pytest
from chains import ABOUT_X, HANGING, link, loop

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import QddotError
from qddot.exact.equations.closed.coefficients import Coefficients
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.closed_equations import ClosedEquations
from qddot.formats.toml import loop_tables
from qddot.machine.numeric.manifold import integrate

RODS, SPIN, SLIDES, TURNS = slice(1, 5), slice(8, 12), slice(4, 7), slice(7, 10)  # the plate has v, then ω, in q̇
STEP = 1e-4


@cache
def hanging() -> ClosedChain:
    file = Path(mkdtemp()) / "hanging.xml"
    file.write_text(HANGING)
    return qddot.load_closed_chain(file)


@cache
def state() -> tuple[Any, Any, Any]:
    """A closed configuration, velocities that keep it closed, and torques."""
    of, rng = hanging(), np.random.default_rng(1)
    guess = {"q1": 0.3, "e_w": 1.0, "e_y": 0.1, "e_z": -0.2, "p_2_x": 0.6, "p_2_y": 0.1, "p_2_z": 0.2, "e_2_y": -0.2}
    q = of.assemble(guess).q
    return q, of.velocities(q, rng.normal(size=of.m)), rng.normal(size=of.n)


def rotation(quaternion: Any) -> Any:
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, quaternion)
    return R.reshape(3, 3)


def test_accelerations_are_those_of_lagrange_multipliers_over_mujocos_numbers() -> None:
    """MuJoCo's rows and bias are along the world's axes for the plate's velocity, v' = R v, v̇' = R (v̇ + ω × v)."""
    of, (q, qd, tau) = hanging(), state()
    model = mujoco.MjModel.from_xml_string(HANGING)
    data, R, n = mujoco.MjData(model), rotation(q[SPIN]), of.n
    moved, torques = qd.copy(), tau.copy()
    moved[SLIDES], torques[SLIDES] = R @ qd[SLIDES], R @ tau[SLIDES]

    def rows(time: float) -> Any:
        data.qpos[:], data.qvel[:] = q, moved
        mujoco.mj_integratePos(model, data.qpos, moved, time)
        mujoco.mj_forward(model, data)
        return data.efc_J.reshape(-1, n).copy()

    slopes = [(rows(h) - rows(-h)) / (2 * h) for h in (STEP, STEP / 2)]
    drift = (4 * slopes[1] - slopes[0]) / 3
    A, M = rows(0.0), np.zeros((n, n))
    mujoco.mj_fullM(model, data, M)
    left = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
    theirs = np.linalg.solve(left, np.concatenate([torques - data.qfrc_bias, -drift @ moved]))[:n]
    ours = of.forward_dynamics(q, qd, tau)
    again = of.multipliers(q, qd, ours, tau)
    ours[SLIDES] = R @ (ours[SLIDES] + np.cross(qd[TURNS], qd[SLIDES]))
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert len(again) == 6


def test_multipliers_and_torques_balance_the_links() -> None:
    of, (q, qd, tau) = hanging(), state()
    qdd = of.forward_dynamics(q, qd, tau)
    missing = of.tree.inverse_dynamics(q, qd, qdd) - tau - of.multipliers(q, qd, qdd, tau) @ of.closure(q)[1]
    assert missing == pytest.approx(0, abs=1e-12)
    free = of.velocities(q, np.eye(of.m))
    assert of.inverse_dynamics(q, qd, qdd) == pytest.approx(free @ tau, abs=1e-12)


def test_derivatives_are_those_along_the_motions_that_the_loops_allow() -> None:
    of, (q, qd, tau) = hanging(), state()
    own = [of.model.tree.coordinates.index(name) for name in of.independent]
    by_q, by_u, _ = of.forward_dynamics_derivatives(q, qd, tau)

    def u_rates(step: Any, speeds: Any) -> Any:
        there = of.assemble(integrate(of.model.tree, q, of.velocities(q, step))).q
        return of.forward_dynamics(there, of.velocities(there, qd[own] + speeds), tau)[own]

    for k, unit in enumerate(STEP / 10 * np.eye(of.m)):
        assert (u_rates(unit, 0) - u_rates(-unit, 0)) / (STEP / 5) == pytest.approx(by_q[:, k], rel=1e-5, abs=1e-5)
        assert (u_rates(0 * unit, unit) - u_rates(0 * unit, -unit)) / (STEP / 5) == pytest.approx(by_u[:, k], abs=1e-5)


def test_methods_move_it_with_closed_loops_and_constant_energy() -> None:
    of, (q, qd, _) = hanging(), state()
    runs = [of.simulate(q, qd, 0.2, 0.001, method) for method in ("dop853", "rk4")]
    for run in runs:
        phi, A = of.closure(run.q)
        assert np.abs(phi).max() < 1e-12
        assert np.abs(np.einsum("...ij,...j->...i", A, run.qd)).max() < 1e-11
        assert np.ptp(np.asarray(run.arrays["K"]) + np.asarray(run.arrays["P"])) < 1e-7
        assert np.abs(run.q - runs[0].q).max() < 1e-7


def stewart() -> ClosedChain:
    """Six legs, each on a universal joint, slide to lengths, and hold a free platform by balls."""
    text = 'name = "stewart"\nconvention = "tree"\n[[link]]\nname = "platform"\njoint = { type = "free" }\nmass = 3\n'
    text += 'inertia = { about = "com", xx = 0.1, yy = 0.1, zz = 0.2 }\n'
    feet, ends = ([10, 110, 130, 230, 250, 350], 0.5), ([50, 70, 170, 190, 290, 310], 0.3)
    points = [[(size * np.cos(x), size * np.sin(x)) for x in np.radians(angles)] for angles, size in (feet, ends)]
    for k, (foot, end) in enumerate(np.round(np.transpose(points, (1, 0, 2)), 4), 1):
        text += f"""
[[link]]
name = "tube{k}"
joint = {{ type = "universal", axes = [[1, 0, 0], [0, 1, 0]], xyz = [{foot[0]}, {foot[1]}, 0] }}
mass = 0.4
com = [0, 0, 0.1]
inertia = {{ about = "com", xx = 0.01, yy = 0.01, zz = 0.001 }}
[[link]]
name = "piston{k}"
parent = "tube{k}"
joint = {{ type = "prismatic", coordinate = "d{k}" }}
mass = 0.2
com = [0, 0, -0.1]
[[loop]]
name = "ball{k}"
type = "spherical"
first = {{ link = "piston{k}" }}
second = {{ link = "platform", xyz = [{end[0]}, {end[1]}, 0] }}
"""
    return ClosedChain(loop_tables.loads(text, "stewart"), tuple(f"d{k}" for k in range(1, 7)))


def test_a_stewart_platform_carries_its_weight_by_its_legs() -> None:
    of = stewart()
    assert (of.n, of.m) == (24, 6)
    lengths = {f"d{k}": 0.7 for k in range(1, 7)}
    assembly = of.assemble({**lengths, "p_z": 0.6, "e_w": 1.0})
    assert assembly.radius < 1e-15
    q = assembly.q
    forces = of.inverse_dynamics(q, np.zeros(24), np.zeros(24))
    u = np.random.default_rng(0).normal(size=6)
    qd = of.velocities(q, u)
    weight = of.tree.inverse_dynamics(q, np.zeros(24), np.zeros(24)) @ qd
    assert forces @ u == pytest.approx(weight, abs=1e-12)


def test_exact_torques_are_the_compiled_ones() -> None:
    """They differ if r_kj,l = r_kl,j is planted, which holds for rates of coordinates alone."""
    of, (q, qd, tau) = hanging(), state()
    qdd = of.forward_dynamics(q, qd, tau)
    names = of.model.tree.coordinates
    parts = [dict(zip(of.model.tree.positions, q, strict=True)), *(dict(zip(names, x, strict=True)) for x in (qd, qdd))]
    right, wrong = (ReducedEquations(of.model, of._choice) for _ in range(2))
    wrong.coefficients = Coefficients(wrong.tree.ring, wrong.A, wrong.choice, True, "wrong")
    torques = []
    for eq in (right, wrong):
        values: dict[str, float] = {}
        for each in (*eq.coefficients.first_named, *eq.coefficients.second_named):
            top, bottom = (part.evaluate(Floats(values, *parts)) for part in each[1:])
            values[each.name] = top / bottom
        torques.append([entry.evaluate(Floats(values, *parts)) for entry in eq.array("tau").entries])
    assert torques[0] == pytest.approx(of.inverse_dynamics(q, qd, qdd), abs=1e-9)
    assert torques[1] != pytest.approx(torques[0], abs=1e-2)


def rod_between_balls() -> ClosedChain:
    """A crank and a rocker about skew axes hold a rod by a ball at each end; the rod may spin about itself."""
    text = 'name = "rssr"\nconvention = "tree"\n'
    text += link("crank", "base", 'type = "revolute", coordinate = "q1"', 1.0, [0.1, 0, 0])
    text += link("rod", "crank", 'type = "spherical", xyz = [0.2, 0, 0]', 0.5, [0.3, 0, 0])
    text += link("rocker", "base", f'{ABOUT_X}, xyz = [0.6, 0, 0], coordinate = "q2"', 1.0, [0, 0.2, 0])
    text += loop("spherical", "rod", [0.6, 0, 0], "rocker", [0, 0.4, 0])
    return ClosedChain(loop_tables.loads(text, "rssr"), ("q1", "omega_x"))


def test_laws_are_proved_and_a_wrong_entry_is_found() -> None:
    of = rod_between_balls()
    assert of.prove()
    eq = of.equations().reduced
    assert not any(eq.coefficients.at(k, 1) for k in eq.coefficients.dependent)  # the spin moves nothing else
    C = eq.array("C")
    eq._arrays["C"] = C._like([C.entries[0] * 2, *C.entries[1:]])
    verdicts = {identity.name: identity.verdict for identity in ClosedEquations(eq).prove().identities}
    assert verdicts["dM̄/dt − 2C̄ is skew"] == "false"


def test_a_report_names_velocities_and_positions(tmp_path: Path) -> None:
    of = rod_between_balls()
    report = of.report(tmp_path / "rssr.md").read_text("utf-8")
    assert "With the independent velocities $u$, all velocities are $\\nu = R u$" in report
    assert "| velocity | $R^{T} \\tau$ |" in report and "| $e_{w}$ |" in report
    assert "All 7 identities hold" in report


def test_what_is_missing_for_such_chains_is_said() -> None:
    of = hanging()
    with pytest.raises(QddotError, match="a search for all assembly modes does not support yet"):
        of.assembly_modes([0, 0, 0, 0])
    with pytest.raises(QddotError, match=r"in the configuration has the norm"):
        of.assemble({"e_w": 0.0})
