"""Linkages on something that moves have the freedoms, the equations and the motion of what they are: of both together.

An excavator's bucket linkage, a palletizer's parallelogram and a gripper on a wrist are planar four-bars on a base that
turns. Accelerations are compared with those of Lagrange multipliers, for the tree's M and bias and for a gap of the pin
that is differentiated numerically in the world's axes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import qddot
from qddot.faces.closed_chain import ClosedChain

INERTIA = 'inertia = { about = "com", xx = 0.2, yy = 0.3, zz = 0.25 }'
BASES = {  # the joints that carry the linkage
    "a swing axis": ['type = "revolute", axis = [0, 0, 1]'],
    "an inclined axis": ['type = "revolute", axis = ["2/3", "-1/3", "2/3"], rpy = [0.3, -0.4, 0.5]'],
    "a slide and a turn": ['type = "prismatic", axis = [1, 0, 0]', 'type = "revolute", axis = [1, 0, 0]'],
    "a wrist": [
        f'type = "revolute", axis = {axis}, xyz = [0.1, 0.2, 0.1]' for axis in ("[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]")
    ],
    "a free body": ['type = "free"'],
}
LOOPS = ("revolute", "spherical", "cylindrical")
LINKAGE = """
[[link]]
name = "crank"
parent = "{base}"
joint = {{ type = "revolute", axis = [0, 1, 0], rpy = [0.2, 0.1, -0.3], coordinate = "a" }}
mass = 1
com = [0.15, 0, 0.05]
{inertia}
[[link]]
name = "coupler"
parent = "crank"
joint = {{ type = "revolute", axis = [0, 1, 0], xyz = [0.3, 0, 0], coordinate = "b" }}
mass = 1
com = [0.3, 0.1, 0]
{inertia}
[[link]]
name = "mount"
parent = "{base}"
joint = {{ type = "fixed", rpy = [0.2, 0.1, -0.3] }}
[[link]]
name = "rocker"
parent = "mount"
joint = {{ type = "revolute", axis = [0, 1, 0], xyz = [0.7, 0, 0], coordinate = "c", damping = 0.1 }}
mass = 1
com = [0.25, 0, 0]
{inertia}
[[loop]]
name = "pin"
type = "{loop}"
first = {{ link = "coupler", xyz = [0.6, 0, 0], rpy = ["-90deg", 0, 0] }}
second = {{ link = "rocker", xyz = [0.5, 0, 0], rpy = ["-90deg", 0, 0] }}
"""


def carried(base: str, loop: str, folder: Path) -> ClosedChain:
    text, parent = 'name = "carried"\nconvention = "tree"\n', "base"
    for k, joint in enumerate(BASES[base]):
        text += f'[[link]]\nname = "b{k}"\nparent = "{parent}"\njoint = {{ {joint} }}\nmass = 5\n{INERTIA}\n'
        parent = f"b{k}"
    path = folder / "carried.toml"
    path.write_text(text + LINKAGE.format(base=parent, inertia=INERTIA, loop=loop), encoding="utf-8")
    return qddot.load_closed_chain(path)


def gap(chain: ClosedChain, q: np.ndarray) -> np.ndarray:
    """How far the pin's two points are apart, and how far the two axes are from parallel, along the world's axes."""
    T, S = (chain.tree.forward_kinematics(q, body=name) for name in ("coupler", "rocker"))
    return np.concatenate([(T @ [0.6, 0, 0, 1] - S @ [0.5, 0, 0, 1])[:3], np.cross(T[:3, 1], S[:3, 1])])


def of_multipliers(chain: ClosedChain, q: np.ndarray, qd: np.ndarray, tau: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """The accelerations of the tree with multipliers for the gap."""
    tree, n = chain.tree, chain.n

    def at(step: np.ndarray) -> np.ndarray:
        return gap(chain, tree.integrate(q, step))

    A = np.stack([(at(h * e) - at(-h * e)) / (2 * h) for e in np.eye(n)], axis=1)
    curved = (at(10 * h * qd) - 2 * at(0 * qd) + at(-10 * h * qd)) / (10 * h) ** 2
    U, sizes, rows = np.linalg.svd(A, full_matrices=False)
    kept = sizes > 1e-6
    A, curved = rows[kept], (U.T @ curved)[kept] / sizes[kept]
    M, b = tree.mass_matrix(q), tree.bias(q, qd)
    zero = np.zeros((len(A), len(A)))
    return np.linalg.solve(np.block([[M, A.T], [A, zero]]), np.concatenate([tau - b, -curved]))[:n]


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("base", BASES)
def test_the_freedoms_are_those_of_the_base_and_one(base: str, loop: str, tmp_path: Path) -> None:
    chain = carried(base, loop, tmp_path)
    rng = np.random.default_rng(7)
    assert chain.m == chain.n - 2
    assert chain.prove()
    for start in (0.0, np.pi / 2, 1.234):
        guess = chain.tree.neutral() if base == "a free body" else np.full(chain.n, start)
        guess[-3:] = [-1.2, 0.9, -1.4]
        q = chain.assemble(guess).q
        assert np.abs(gap(chain, q)).max() < 1e-14
        qd, tau = chain.velocities(q, rng.normal(size=chain.m)), rng.normal(size=chain.n)
        mine, right = chain.forward_dynamics(q, qd, tau), of_multipliers(chain, q, qd, tau)
        assert np.abs(mine - right).max() < 2e-5 * np.abs(right).max()


def test_the_conditions_do_not_depend_on_what_carries_them(tmp_path: Path) -> None:
    alone = qddot.load_closed_chain("four_bar")
    q = alone.some_assembly().q
    for base in ("a swing axis", "a wrist"):
        chain = carried(base, "revolute", tmp_path)
        A = chain.closure(np.random.default_rng(1).normal(size=chain.n))[1]
        assert not A[:, :-3].any()
    assert np.linalg.matrix_rank(alone.closure(q)[1]) == 2


def test_a_full_turn_of_the_swing_keeps_the_loop_closed_and_the_energy(tmp_path: Path) -> None:
    chain = carried("a swing axis", "revolute", tmp_path)
    q = chain.assemble([0.0, -1.2, 0.9, -1.4]).q
    qd = chain.velocities(q, [2 * np.pi, 0.3])
    run = chain.simulate(q, qd, duration=1.2, step=0.01)
    assert run.stops == ()
    assert run.q[-1, 0] > 2 * np.pi
    assert max(np.abs(gap(chain, each)).max() for each in run.q) < 1e-9
    assert run.energy.check()
