"""The reduced equations of closed chains are proved, agree with numbers of an independent method, and with formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import GUESSES, assembled, chain, driven

from qddot.algebra.numbers.floats import Floats
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.faces.closed_equations import ClosedEquations
from qddot.robot.symbol_values import all_values

EXACT = ("four_bar", "five_bar", "slider_crank", "tilted", "robotiq_2f85")


def kkt(name: str, u: Any, tau: Any) -> tuple[Any, Any, Any, Any]:
    """q, q̇, q̈ and Aᵀ λ by the tree's M and bias, A, and Ȧ by differences; all conditions, redundant or not."""
    of, q = chain(name), assembled(name).q
    qd, step = of.velocities(q, u), 1e-6
    A = of.closure(q)[1]
    slope = (of.closure(q + step * qd)[1] - of.closure(q - step * qd)[1]) / (2 * step)
    left = np.block([[of.tree.mass_matrix(q), -A.T], [A, np.zeros((len(A), len(A)))]])
    right = np.concatenate([tau - of.tree.bias(q, qd), -slope @ qd])
    both = np.linalg.lstsq(left, right, rcond=1e-12)[0]
    return q, qd, both[: of.n], A.T @ both[of.n :]


@pytest.mark.parametrize("name", EXACT)
def test_all_laws_are_proved(name: str) -> None:
    certificate = chain(name).prove()
    assert certificate
    assert {identity.verdict for identity in certificate.identities} == {"proved"}
    assert all(identity.entries for identity in certificate.identities)


def test_other_independent_coordinates_are_proved_too() -> None:
    of = driven("five_bar", "q1", "q3")
    assert of.dependent == ("q2", "q4")
    assert of.prove()
    assert chain("slider_crank").with_independent("x").prove()
    assert driven("delta", "x", "y", "z").prove()


def test_the_deltas_platform_has_the_geometry_of_three_spheres() -> None:
    """The platform is where three spheres about the elbows, moved inward by its radius, meet below the motors."""
    of = driven("delta", "x", "y", "z")
    R, r, a, l = (of.model.tree.defaults()[name] for name in ("R", "r", "a", "l"))
    x, y, z = place = np.array([0.05, -0.03, -0.6])
    q = of.assemble({"q1": 0.3, "q2": 0.3, "q3": 0.3, "x": x, "y": y, "z": z}).q
    for motor, turn in zip(q[:3], np.radians([0, 120, 240]), strict=True):
        outward = np.array([np.cos(turn), np.sin(turn), 0])
        elbow = outward * (R - r + a * np.cos(motor)) - np.array([0, 0, a * np.sin(motor)])
        assert np.linalg.norm(elbow - place) == pytest.approx(l, abs=1e-14)


@pytest.mark.parametrize(("quantity", "law"), [("M", "dM̄/dt"), ("C", "dM̄/dt"), ("G", "energy"), ("h", "energy")])
def test_a_wrong_entry_is_found(quantity: str, law: str) -> None:
    eq = ReducedEquations(chain("four_bar").model)
    array = eq.array(quantity)
    eq._arrays[quantity] = array._like([array.entries[0] * 2])
    certificate = ClosedEquations(eq).prove()
    failed = [identity for identity in certificate.identities if identity.verdict == "false"]
    assert any(identity.name.startswith(law) for identity in failed)
    assert not certificate


def test_a_wrong_coefficient_is_found() -> None:
    eq = ReducedEquations(chain("four_bar").model)
    first = eq.coefficients.first
    first[0] = first[0]._replace(numerator=first[0].numerator * 2)
    second = eq.coefficients.second
    second[1] = second[1]._replace(numerator=-second[1].numerator)
    verdicts = {identity.name: identity.verdict for identity in ClosedEquations(eq).prove().identities}
    assert verdicts["A R = 0"] == verdicts["A Ṙ + Ȧ R = 0"] == "false"


@pytest.mark.parametrize("name", GUESSES)
def test_accelerations_and_forces_of_loops_agree_with_lagrange_multipliers(name: str) -> None:
    of, rng = chain(name), np.random.default_rng(7)
    for _ in range(5):
        u, tau = rng.normal(size=of.m), rng.normal(size=of.n)
        q, qd, qdd, forces = kkt(name, u, tau)
        accelerations = of.forward_dynamics(q, qd, tau)
        assert np.abs(accelerations - qdd).max() < 1e-7 * max(1.0, np.abs(qdd).max())  # Ȧ is by differences
        held = of.multipliers(q, qd, accelerations, tau)
        rows = of.closure(q)[1][list(of._choice.conditions)]
        assert np.abs(rows.T @ held - forces).max() < 1e-7 * max(1.0, np.abs(forces).max())


@pytest.mark.parametrize("name", EXACT)
def test_exact_equations_have_the_values_of_the_compiled_ones(name: str) -> None:
    of, rng = chain(name), np.random.default_rng(3)
    eq, q = of.equations(), assembled(name).q
    u, tau = rng.normal(size=of.m), rng.normal(size=of.n)
    qd = of.velocities(q, u)
    qdd = of.forward_dynamics(q, qd, tau)
    names = of.model.tree.coordinates
    state = [dict(zip(names, part, strict=True)) for part in (q, qd, qdd)]
    values: dict[str, Any] = dict(all_values(of.model))
    for each in eq.coefficients:
        top, bottom = (part.evaluate(Floats(values, *state)) for part in each[1:])
        values[each.name] = top / bottom
    at = Floats(values, *state)
    R = np.array([entry.evaluate(at) for entry in eq.R.entries]).reshape(of.n, of.m)
    assert R @ u == pytest.approx(qd, abs=1e-12)
    assert np.array([entry.evaluate(at) for entry in eq.M.entries]).reshape(of.m, of.m) == pytest.approx(
        of.mass_matrix(q)
    )
    torques = np.array([entry.evaluate(at) for entry in eq.tau.entries])
    assert torques == pytest.approx(R.T @ tau, abs=1e-10)
    assert torques == pytest.approx(of.inverse_dynamics(q, qd, qdd), abs=1e-10)


def test_the_slider_crank_has_its_closed_formula() -> None:
    of, r, l = chain("slider_crank"), 0.05, 0.2
    for angle in np.linspace(0, 6, 13):
        q = of.assemble({"q1": angle, "q2": -angle, "x": 0.2}).q
        assert q[2] == pytest.approx(r * np.cos(angle) + np.sqrt(l**2 - (r * np.sin(angle)) ** 2), abs=1e-14)
        slope = -r * np.sin(angle) - r**2 * np.sin(angle) * np.cos(angle) / np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
        assert of.velocities(q, [1.0])[2] == pytest.approx(slope, abs=1e-14)


def test_the_four_bar_obeys_freudensteins_equation() -> None:
    """Source: Freudenstein, "An analytical approach to the design of four-link mechanisms", Trans. ASME 76, 1954."""
    of = chain("four_bar")
    a, b, c, d = (of.model.tree.defaults()[name] for name in "abcd")
    k1, k2, k3 = d / a, d / c, (a * a - b * b + c * c + d * d) / (2 * a * c)
    for angle in np.linspace(0.2, 6, 9):
        q = of.assemble({"q1": angle, "q2": 0.5 - angle, "q3": 1.5}).q
        assert k1 * np.cos(q[2]) - k2 * np.cos(angle) + k3 == pytest.approx(np.cos(angle - q[2]), abs=1e-13)


def test_a_planar_loop_in_space_keeps_two_of_five_conditions() -> None:
    of = chain("tilted")
    assert len(of.closure(assembled("tilted").q)[0]) == 5
    assert len(of.equations().phi) == 2
    assert of.m == 1


def test_the_spatial_linkage_has_one_freedom() -> None:
    assert (chain("spatial").n, chain("spatial").m) == (4, 1)
    q = assembled("spatial").q
    assert np.abs(chain("spatial").closure(q)[0]).max() < 1e-14


@pytest.mark.parametrize("name", ["five_bar", "spatial", "delta"])
def test_derivatives_and_the_tools_jacobian_agree_with_differences(name: str) -> None:
    of, rng, step = chain(name), np.random.default_rng(5), 1e-6
    q, u, tau = assembled(name).q, rng.normal(size=of.m), rng.normal(size=of.n)
    own = [of.model.tree.coordinates.index(each) for each in of.independent]

    def u_rates(at: Any, u: Any, tau: Any) -> Any:
        return of.forward_dynamics(at, of.velocities(at, u), tau)[own]

    def tool(at: Any) -> Any:
        return of.tree.forward_kinematics(at, body="tool")[:3, 3]

    by_q, by_u, by_tau = of.forward_dynamics_derivatives(q, of.velocities(q, u), tau)
    J = of.jacobian(q, "tool")
    for l in range(of.m):
        ahead, behind = (of.assemble(q + way * step * of.velocities(q, np.eye(of.m)[l])).q for way in (1, -1))
        size = max(1.0, np.abs(by_q).max(), np.abs(by_u).max())
        slope = (u_rates(ahead, u, tau) - u_rates(behind, u, tau)) / (2 * step)
        assert np.abs(slope - by_q[:, l]).max() < 1e-6 * size
        moved = step * np.eye(of.m)[l]
        slope = (u_rates(q, u + moved, tau) - u_rates(q, u - moved, tau)) / (2 * step)
        assert np.abs(slope - by_u[:, l]).max() < 1e-6 * size
        assert np.abs((tool(ahead) - tool(behind)) / (2 * step) - J[:3, l]).max() < 1e-8
    assert by_tau @ tau == pytest.approx(u_rates(q, u, tau) - u_rates(q, u, 0 * tau), abs=1e-9)


@pytest.mark.parametrize("name", ["five_bar", "slider_crank", "spatial", "robotiq_2f85"])
def test_derivatives_of_torques_agree_with_differences(name: str) -> None:
    of, rng, step = chain(name), np.random.default_rng(6), 1e-6
    q, u, ud = assembled(name).q, rng.normal(size=of.m), rng.normal(size=of.m)

    def torques(at: Any, u: Any, ud: Any) -> Any:
        qd = of.velocities(at, u)
        return of.inverse_dynamics(at, qd, of.accelerations(at, qd, ud))

    qd = of.velocities(q, u)
    by_q, by_u, M = of.inverse_dynamics_derivatives(q, qd, of.accelerations(q, qd, ud))
    size = max(1.0, np.abs(by_q).max(), np.abs(by_u).max())
    for l in range(of.m):
        moved = step * np.eye(of.m)[l]
        ahead, behind = (of.assemble(q + way * of.velocities(q, moved)).q for way in (1, -1))
        slope = (torques(ahead, u, ud) - torques(behind, u, ud)) / (2 * step)
        assert np.abs(slope - by_q[:, l]).max() < 1e-6 * size
        slope = (torques(q, u + moved, ud) - torques(q, u - moved, ud)) / (2 * step)
        assert np.abs(slope - by_u[:, l]).max() < 1e-6 * size
    assert pytest.approx(of.mass_matrix(q), abs=1e-14) == M


@pytest.mark.parametrize("angles", [(0.3, 1.4), (-0.6, 0.9), (1.2, 2.0)])
def test_the_scara_with_a_parallelogram_has_the_mass_matrix_of_textbooks(angles: tuple[float, float]) -> None:
    """Source: Spong, Hutchinson, Vidyasagar, *Robot Modeling and Control*, 2006, §7.4, with the quill at a3."""
    of, (q1, q2) = chain("scara_parallelogram"), angles
    q = of.assemble({"q1": q1, "q2": q2, "q3": q1 - q2, "q4": q2 - q1, "d5": 0.1}).q
    assert q[2:4] == pytest.approx([q1 - q2, q2 - q1], abs=1e-14)
    v = of.model.tree.defaults()
    shoulder = v["m1"] * v["c1"] ** 2 + v["m3"] * v["c3"] ** 2 + (v["m4"] + v["m5"]) * v["a1"] ** 2 + v["I1"] + v["I3"]
    crank = v["m2"] * v["c2"] ** 2 + v["m3"] * v["a2"] ** 2 + v["m4"] * v["c4"] ** 2 + v["m5"] * v["a3"] ** 2
    both = v["m3"] * v["a2"] * v["c3"] - v["a1"] * (v["m4"] * v["c4"] + v["m5"] * v["a3"])
    crank, both = crank + v["I2"] + v["I4"], both * np.cos(q2 - q1)
    expected = [[shoulder, both, 0], [both, crank, 0], [0, 0, v["m5"]]]
    assert of.mass_matrix(q) == pytest.approx(np.array(expected), abs=1e-14)
