"""Parallelograms swing through the positions in which they could fold, and keep their branch.

The chain of N four-bars is problem A02 of González, Dopico, Luaces & Cuadrado, "A benchmarking system for MBS
simulation software" (2006), where N = 40: where its bars are horizontal, it has N + 1 freedoms instead of one. Its
cranks stay parallel, so that it moves as a pendulum. For N = 2, Exudyn's test `fourBarMechanismIftomm` states the place
and velocity of the first crank's tip after 10 s for four steps; those below are their limit for steps towards zero.
"""

from __future__ import annotations

import numpy as np
import pytest

from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.machine.numeric.closed_poses import rank_of

PLACE, VELOCITY = (0.3284581, 0.9445185), (1.423051, -0.494869)


def bar(name: str, parent: str, x: float) -> str:
    """A slender bar of 1 kg and 1 m."""
    joint = f'type = "revolute", xyz = [{x}, 0, 0], coordinate = "{name}"'
    inertia = 'about = "com", xx = 0, yy = "1/12", zz = "1/12"'
    return (
        f'[[link]]\nname = "{name}"\nparent = "{parent}"\njoint = {{ {joint} }}\n'
        f"mass = 1\ncom = [0.5, 0, 0]\ninertia = {{ {inertia} }}\n"
    )


def four_bars(count: int) -> ClosedChain:
    """Cranks that stand side by side, and rods between their tips."""
    text = 'name = "four_bars"\nconvention = "tree"\ngravity = [0, -9.81, 0]\n'
    text += "".join(bar(f"crank{k}", "base", k) for k in range(count + 1))
    for k in range(count):
        text += bar(f"rod{k}", f"crank{k}", 1)
        text += f'[[loop]]\nfirst = {{ link = "rod{k}", xyz = [1, 0, 0] }}\n'
        text += f'second = {{ link = "crank{k + 1}", xyz = [1, 0, 0] }}\n'
    return ClosedChain(loop_tables.loads(text, "four_bars"))


@pytest.mark.parametrize("method", [None, "dop853", "radau", "rk4"])
def test_two_four_bars_move_as_a_pendulum_through_their_change_points(method: str | None) -> None:
    chain = four_bars(2)
    q = chain.assemble({name: np.pi / 2 * (1 if name[0] == "c" else -1) for name in chain.tree.model.coordinates}).q
    run = chain.simulate(q, chain.velocities(q, [-1.0]), 10.0, 0.002, method)
    assert run.stops == ()
    names = chain.tree.model.coordinates
    cranks, rods = ([k for k, name in enumerate(names) if name[0] == kind] for kind in "cr")
    angle, rate = run.q[:, cranks[0]], run.qd[:, cranks[0]]
    assert run.q[:, cranks] == pytest.approx(np.repeat(angle[:, None], 3, axis=1), abs=1e-7)
    assert run.q[:, rods] == pytest.approx(np.repeat(-angle[:, None], 2, axis=1), abs=1e-7)
    energy = 1.5 * rate**2 + 3.5 * 9.81 * np.sin(angle)
    assert energy == pytest.approx(np.full(len(energy), energy[0]), abs=1e-5)  # 3e-7 of it
    tip, speed = np.array([np.cos(angle[-1]), np.sin(angle[-1])]), rate[-1]
    assert tip == pytest.approx(np.array(PLACE), abs=1e-6)
    assert speed * np.array([-tip[1], tip[0]]) == pytest.approx(np.array(VELOCITY), abs=2e-6)


@pytest.mark.parametrize("unit", [1e-5, 1.0, 1e5])
def test_the_rank_of_conditions_does_not_depend_on_the_unit_of_length(unit: float) -> None:
    chain = four_bars(2)
    turned = np.array([1 if name[0] == "c" else -1 for name in chain.tree.model.coordinates])
    folded, upright = (chain.closure(angle * turned)[1] for angle in (0, np.pi / 2))
    assert (rank_of(unit * folded), rank_of(unit * upright)) == (2, 4)
