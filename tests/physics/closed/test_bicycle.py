"""The benchmark bicycle of Whipple's model has the linearised equations and the eigenvalues that are published for it.

Source: Meijaard, Papadopoulos, Ruina & Schwab, *Proc. R. Soc. A* 463, 2007: parameters in Table 1, eigenvalues in
Table 2, and the matrices of M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 for q = (lean, steer). The axes are theirs: x points
forwards and z down.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import qddot

M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C1 = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
AT_5 = [  # in m/s: castering, the weave and the capsize
    -14.07838969279822,
    -0.77534188219585 - 4.46486771378823j,
    -0.77534188219585 + 4.46486771378823j,
    -0.32286642900409,
]
CARRIERS = {  # the coordinates of the frame between the wheels' axles, and the axes
    "x": ("prismatic", [1, 0, 0]),
    "y": ("prismatic", [0, 1, 0]),
    "yaw": ("revolute", [0, 0, 1]),
    "lean": ("revolute", [1, 0, 0]),
}
BICYCLE = """
[[link]]
name = "rear_wheel"
parent = "lean"
joint = { type = "revolute", axis = [0, 1, 0], xyz = [0, 0, -0.3], coordinate = "rear" }
mass = 2
inertia = { about = "com", xx = 0.0603, yy = 0.12, zz = 0.0603 }
[[link]]
name = "rider"
parent = "lean"
joint = { type = "revolute", axis = [0, 1, 0], xyz = [0, 0, -0.3], coordinate = "pitch" }
mass = 85
com = [0.3, 0, -0.6]
inertia = { about = "com", xx = 9.2, xz = 2.4, yy = 11, zz = 2.8 }
[[link]]
name = "fork"
parent = "rider"
joint = { type = "revolute", xyz = [1.1, 0, 0.3], rpy = [0, "18deg", 0], coordinate = "steer" }
frame = { xyz = [0, 0, 0], rpy = [0, "-18deg", 0] }
mass = 4
com = [-0.2, 0, -0.7]
inertia = { about = "com", xx = 0.05892, xz = -0.00756, yy = 0.06, zz = 0.00708 }
[[link]]
name = "front_wheel"
parent = "fork"
joint = { type = "revolute", axis = [0, 1, 0], xyz = [-0.08, 0, -0.35], coordinate = "front" }
mass = 3
inertia = { about = "com", xx = 0.1405, yy = 0.28, zz = 0.1405 }
[[link]]
name = "spoke"
parent = "fork"
joint = { type = "revolute", axis = [0, 1, 0], xyz = [-0.08, 0, -0.35], coordinate = "a" }
[[link]]
name = "patch"
parent = "spoke"
joint = { type = "revolute", axis = [1, 0, 0], xyz = [0, 0, 0.35], coordinate = "b" }
[[loop]]
name = "ground"
type = "planar"
first = { link = "base" }
second = { link = "patch" }
[[rolling]]
wheel = "rear_wheel"
contact = { link = "yaw" }
[[rolling]]
wheel = "front_wheel"
contact = { link = "patch" }
"""


def test_the_linearised_equations_and_the_eigenvalues_are_those_of_the_literature(tmp_path: Path) -> None:
    """The coordinates are listed as one would, x, y and yaw first: the loop with the ground cannot determine these."""
    text, parent = 'name = "bicycle"\nconvention = "tree"\ngravity = [0, 0, 9.81]\n', "base"
    for name, (kind, axis) in CARRIERS.items():
        text += f'[[link]]\nname = "{name}"\nparent = "{parent}"\n'
        text += f'joint = {{ type = "{kind}", axis = {axis}, coordinate = "{name}" }}\n'
        parent = name
    file = tmp_path / "bicycle.toml"
    file.write_text(text + BICYCLE, encoding="utf-8")
    chain = qddot.load_closed_chain(file, ("rear", "lean", "steer"))
    free = [name for name in chain.tree.model.coordinates if name not in ("pitch", "a", "b")]
    lean, steer = free.index("lean"), free.index("steer")
    upright, still = np.zeros(chain.n), np.zeros(chain.n)
    for v in (0.0, 2.0, 5.0):
        by_q, by_u, _ = chain.forward_dynamics_derivatives(upright, chain.velocities(upright, [-v / 0.3, 0, 0]), still)
        stiffness, damping = by_q[1:, [lean, steer]], by_u[1:, 1:]
        assert stiffness == pytest.approx(np.linalg.solve(M, -9.81 * K0 - v**2 * K2), abs=1e-10)
        assert damping == pytest.approx(np.linalg.solve(M, -v * C1), abs=1e-10)
    eigenvalues = np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [stiffness, damping]]))
    assert np.sort_complex(eigenvalues) == pytest.approx(np.array(AT_5), abs=1e-11)
