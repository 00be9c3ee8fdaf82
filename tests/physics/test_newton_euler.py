"""The compiled recursion gives the torques of the one in the books, and their derivatives, term by term."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from robots import robots
from shipped import LINKS

import qddot
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.physics.algorithms import newton_euler
from qddot.physics.algorithms.sensitivities import inverse_dynamics_derivatives
from qddot.physics.frames.regrouped import at_joints, regrouped
from qddot.physics.mechanism import Mechanism

SHORT = [name for name in LINKS if qddot.load(name).n <= 4]  # arms whose derivatives are small polynomials


def agrees_with_the_book(arm: qddot.Robot) -> bool:
    mechanism = Mechanism.of(arm.model, Ring.of(arm.model))
    book = newton_euler.recursion_in_twists(mechanism)
    shorter = (mechanism, at_joints(mechanism), regrouped(mechanism, slid=True))
    return all(newton_euler.inverse_dynamics(each).tau == book for each in shorter)


@pytest.mark.parametrize("name", LINKS)
def test_the_compiled_recursion_is_the_book_s(name: str) -> None:
    assert agrees_with_the_book(qddot.load(name))


def test_frames_slide_to_shorter_placements_where_that_is_asked() -> None:
    rows = [{"theta": f"q{k}", "d": f"d{k}", "a": f"l{k}", "alpha": 0} for k in (1, 2, 3)]
    arm = qddot.from_dh(rows, [{"mass": 1}] * 3, symbols="d1 d2 d3 l1 l2 l3")
    mechanism = Mechanism.of(arm.model, Ring.of(arm.model))
    apart, still, slid = (
        sum(entry != 0 for link in each.links for entry in link.placement.p)
        for each in (at_joints(mechanism), regrouped(mechanism, slid=False), regrouped(mechanism, slid=True))
    )
    assert (apart, still, slid) == (4, 4, 2)  # l and d of two links; l alone, since all axes are parallel


@given(robots())
@settings(max_examples=20)
def test_the_compiled_recursion_is_the_book_s_on_random_trees(arm: qddot.Robot) -> None:
    assert agrees_with_the_book(arm)


@pytest.mark.parametrize("name", SHORT)
def test_the_derivatives_by_composite_bodies_are_those_of_the_book_s_torques(name: str) -> None:
    model = qddot.load(name).model
    ring = Ring.of(model)
    mechanism = Mechanism.of(model, ring)
    tau = [ring.convert(torque) for torque in newton_euler.recursion_in_twists(mechanism)]
    by_q, by_qd, M = inverse_dynamics_derivatives(at_joints(mechanism))
    for i, torque in enumerate(tau):
        for j, name in enumerate(model.coordinates):
            assert ring.differentiate(torque, name) == by_q[i][j]
            assert torque.derivative(f"qd({name})") == by_qd[i][j]
            assert torque.derivative(f"qdd({name})") == M[i][j]
