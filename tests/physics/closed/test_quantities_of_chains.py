"""Closed chains have the quantities of trees, with the values of independent numbers on closed configurations."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from chains import GUESSES, chain
from refusals import refusal

from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import QddotError
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantity_table import QUANTITIES
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.closed_equations import ClosedEquations
from qddot.robot.symbol_values import all_values

LOOPS = ("four_bar", "five_bar", "slider_crank", "tilted", "delta", "scara_parallelogram")
WHEELS = ("unicycle", "rolling_disc")
STEP = 1e-5  # of central differences, which err by its square, and by 1e-16 divided by it
NEAR = {"rel": 1e-7, "abs": 1e-8}


class State(NamedTuple):
    """This is a closed chain in one state of motion."""

    of: ClosedChain
    eq: ClosedEquations
    q: Any
    u: Any
    ud: Any

    @property
    def qd(self) -> Any:
        return self.of.velocities(self.q, self.u)

    def number(self, array: ExactArray, q: Any = None) -> Any:
        """Returns an array's numbers, by default in this state; at another q without kinematic coefficients."""
        model = self.of.model.tree
        qdd = self.of.accelerations(self.q, self.qd, self.ud)
        positions = dict(zip(model.positions, self.q if q is None else q, strict=True))
        rates = [dict(zip(model.coordinates, part, strict=True)) for part in (self.qd, qdd)]
        values: dict[str, Any] = dict(all_values(self.of.model))
        for each in self.eq.coefficients if q is None else ():
            top, bottom = (part.evaluate(Floats(values, positions, *rates)) for part in each[1:])
            values[each.name] = top / bottom
        at = Floats(values, positions, *rates)
        return np.array([float(entry.evaluate(at)) for entry in array.entries]).reshape(array.shape)

    def slope(self, of: Callable[[Any], Any], along: Any) -> Any:
        """Returns the derivative of a function of q along velocities that the conditions allow."""
        return (of(self.q + STEP * along) - of(self.q - STEP * along)) / (2 * STEP)


@cache
def state(name: str) -> State:
    of, rng = chain(name), np.random.default_rng(11)
    q = of.assemble(GUESSES[name]).q if name in GUESSES else of.some_assembly().q
    return State(of, of.equations(), q, rng.normal(size=of.m), rng.normal(size=of.m))


@pytest.mark.parametrize("name", LOOPS)
def test_christoffel_symbols_are_those_of_the_mass_matrix_on_closed_configurations(name: str) -> None:
    at = state(name)
    R = at.number(at.eq.R)
    slopes = np.array([at.slope(at.of.mass_matrix, column) for column in R.T])  # by l, j, k
    expected = (np.einsum("ljk->jkl", slopes) + np.einsum("kjl->jkl", slopes) - slopes) / 2
    assert at.number(at.eq.christoffel) == pytest.approx(expected, **NEAR)


@pytest.mark.parametrize("name", LOOPS + WHEELS)
def test_coriolis_terms_follow_from_them(name: str) -> None:
    at, (j, k) = state(name), np.triu_indices(state(name).of.m, 1)
    christoffel, C, B, C2 = (at.number(at.eq.array(each)) for each in ("christoffel", "C", "B", "C2"))
    assert C == pytest.approx(christoffel @ at.u)
    assert C + C.T == pytest.approx(at.slope(at.of.mass_matrix, at.qd), **NEAR)
    without_u = at.of.accelerations(at.q, at.qd, np.zeros(at.of.m))
    velocity_torques = at.of.inverse_dynamics(at.q, at.qd, without_u) - at.number(at.eq.G) - at.number(at.eq.springs)
    assert C @ at.u == pytest.approx(velocity_torques, **NEAR)
    assert B @ (at.u[j] * at.u[k]) + C2 @ at.u**2 == pytest.approx(velocity_torques, **NEAR)


@pytest.mark.parametrize("name", LOOPS + WHEELS)
def test_energies_are_those_of_the_tree(name: str) -> None:
    at = state(name)
    K, P, L = (at.number(at.eq.array(each)) for each in "KPL")
    assert K == pytest.approx(at.u @ at.of.mass_matrix(at.q) @ at.u / 2)
    assert K == pytest.approx(at.of.tree.kinetic_energy(at.q, at.qd))
    assert P == pytest.approx(at.of.tree.potential_energy(at.q), abs=1e-12)
    assert L == pytest.approx(K - P)
    slopes = [at.slope(at.of.tree.potential_energy, column) for column in at.number(at.eq.R).T]
    assert at.number(at.eq.G) == pytest.approx(np.array(slopes), **NEAR)


@pytest.mark.parametrize("name", LOOPS + WHEELS)
def test_jacobians_give_the_velocities_of_poses(name: str) -> None:
    at = state(name)
    for jacobian, pose in (("J", at.eq.T), ("J_tool", at.eq.T_tool)):
        velocity = at.number(at.eq.array(jacobian)) @ at.u
        T, rate = at.number(pose), at.slope(partial(at.number, pose), at.qd)
        assert velocity[..., :3] == pytest.approx(rate[..., :3, 3], **NEAR)
        turned = rate[..., :3, :3] @ np.swapaxes(T[..., :3, :3], -1, -2)
        angular = np.stack([turned[..., 2, 1], turned[..., 0, 2], turned[..., 1, 0]], axis=-1)
        assert velocity[..., 3:] == pytest.approx(angular, **NEAR)
    centres = at.slope(lambda q: at.number(at.eq.p_c, q), at.qd)
    assert (at.number(at.eq.J_c) @ at.u)[:, :3] == pytest.approx(centres, **NEAR)


def test_a_chain_and_its_tree_have_the_same_names() -> None:
    eq = chain("four_bar").equations()
    quantities = set(eq.reduced.names) - set(eq.steps)
    assert quantities == {*QUANTITIES, "phi", "gamma", "R"}
    for name in quantities:
        assert eq.array(name) is getattr(eq, name)
        assert eq.array(name).name == name


@pytest.mark.parametrize("name", ["w", "composite_inertia", "U_ijk"])
def test_a_step_of_a_route_is_refused_by_a_sentence(name: str) -> None:
    with refusal(QddotError, "step-of-route", name):
        chain("four_bar").equations().array(name)


def test_an_unknown_name_is_refused() -> None:
    for name in ("N_tool", ["M"]):
        with refusal(QddotError, "none-of-these", "no-quantity"):
            chain("four_bar").equations().array(name)
