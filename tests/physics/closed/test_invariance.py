"""What does not depend on u is the same for any order and choice of coordinates, and wherever a chain was opened.

A four-bar stands on an axis that swings. Accelerations for given torques, the products of M with motions, the power of
the torques of a motion and the forces of the loop are compared with those of the chain as it opens by default.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from chains import HEAD, STAND, TILTED
from four_bars import mjcf

import qddot
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables

NAMES = ("s", "q1", "q2", "q3")
SWING = (
    STAND.replace('"fixed"', '"revolute", coordinate = "s", axis = ["2/7", "6/7", "-3/7"]')
    + "mass = 2\ncom = [0.1, 0.2, 0.3]\n"
)
CLOSED = {"q1": 1.0, "q2": -0.5, "q3": 1.5}
OTHER = {"s": 2.1, "q1": 2.0, "q2": -1.1, "q3": 2.3}
SWINGS = (0.0, np.pi / 2, 0.734)
CHOICES = (  # the order of the coordinates, and the independent ones
    ("q3 q2 q1 s", None),
    ("q1 s q3 q2", ("s", "q1")),
    ("q2 q3 s q1", ("q3", "s")),
    ("s q3 q1 q2", ("s", "q3")),
    ("q1 q2 q3 s", ("q2", "s")),
)


class Facts(NamedTuple):
    """By names of coordinates, for two motions v and w that the loop allows, and torques."""

    accelerations: Any
    products: Any  # vᵀ M v, vᵀ M w and wᵀ M w
    power: Any  # of the torques that q̈ requires, along v and w
    forces: Any  # Aᵀ λ


@cache
def opened(order: str = " ".join(NAMES), near: tuple[tuple[str, float], ...] = ()) -> ClosedChain:
    coordinates = ", ".join(f'"{name}"' for name in order.split())
    text = HEAD.format("swinging", coordinates) + SWING + TILTED.partition(STAND)[2]
    return ClosedChain(loop_tables.loads(text, "swinging"), near=dict(near) or None)


@cache
def state(swing: float) -> tuple[Any, ...]:
    """q, two motions and torques, along NAMES."""
    chain, random = opened(), np.random.default_rng(3)
    q = chain.assemble({"s": swing, **CLOSED}).q
    return q, *chain.velocities(q, random.normal(size=(2, chain.m))), random.normal(size=chain.n)


def facts(chain: ClosedChain, swing: float) -> Facts:
    places = [NAMES.index(name) for name in chain.tree.model.coordinates]
    there, v, w, tau = (each[places] for each in state(swing))
    q = chain.assemble(there).q
    assert q == pytest.approx(there, abs=1e-14)
    u = np.stack([v, w])[:, [chain.tree.model.coordinates.index(name) for name in chain.independent]]
    assert chain.velocities(q, u) == pytest.approx(np.stack([v, w]), abs=1e-13)
    qdd = chain.forward_dynamics(q, v, tau)
    M, force = chain.mass_matrix(q), chain.inverse_dynamics(q, v, qdd)
    kept = [name not in chain.redundant for name in chain.conditions]
    forces = chain.closure(q)[1][kept].T @ chain.multipliers(q, v, qdd, tau)
    back = np.argsort(places)
    return Facts(qdd[back], (u @ M @ u.T)[np.triu_indices(2)], u @ force, forces[back])


@cache
def by_default(swing: float) -> Facts:
    return facts(opened(), swing)


def check(chain: ClosedChain) -> None:
    assert chain.m == 2
    for swing in SWINGS:
        for mine, right in zip(facts(chain, swing), by_default(swing), strict=True):
            assert mine == pytest.approx(right, abs=1e-12 * np.abs(right).max())


@pytest.mark.parametrize(("order", "independent"), CHOICES)
def test_facts_do_not_depend_on_the_coordinates(order: str, independent: tuple[str, ...] | None) -> None:
    chain = opened(order)
    check(chain.with_independent(*independent) if independent else chain)


@pytest.mark.parametrize("near", [{"s": 0.0, **CLOSED}, {"s": np.pi / 2, **CLOSED}, OTHER])
def test_facts_do_not_depend_on_where_the_chain_was_opened(near: dict[str, float]) -> None:
    check(opened(near=tuple(near.items())))


def test_a_file_with_loops_closed_in_its_neutral_pose_may_be_opened_elsewhere(tmp_path: Path) -> None:
    swing = '<body><joint axis="1 2 -2"/><inertial pos="0.1 0.2 0.3" mass="2" diaginertia="0.1 0.2 0.2"/>'
    text = mjcf().replace("<worldbody>", f"<worldbody>{swing}").replace("</worldbody>", "</body></worldbody>")
    file = tmp_path / "swinging.xml"
    file.write_text(text)
    chain = qddot.load_closed_chain(file)
    elsewhere = chain.assemble({"q1": 1.4, "q2": 0.9, "q3": -0.9, "q4": 0.3}).q
    others = [qddot.load_closed_chain(file, near=near) for near in (np.zeros(4), elsewhere)]
    random = np.random.default_rng(6)
    for q in (np.zeros(4), elsewhere):
        qd, tau = chain.velocities(q, random.normal(size=2)), random.normal(size=4)
        right = chain.forward_dynamics(q, qd, tau)
        for other in others:
            assert other.forward_dynamics(q, qd, tau) == pytest.approx(right, abs=1e-11 * np.abs(right).max())


def test_power_and_torques_balance() -> None:
    """The power of the torques of a motion is that of the torques given."""
    for swing in SWINGS:
        _, v, w, tau = state(swing)
        assert by_default(swing).power == pytest.approx(np.stack([v, w]) @ tau, abs=1e-12)
