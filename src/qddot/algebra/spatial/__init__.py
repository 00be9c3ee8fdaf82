"""This package defines vectors, rotations, poses, twists, wrenches and inertias over numbers of any kind.

A coordinate may be a float, an array of floats, an exact polynomial or a node of a graph: anything that adds and
multiplies. Plain integers 0 and 1 are structural zeros and ones; each kind of number drops them itself.

Motions and forces have different types: `Twist`, (ω, v), and `Force`, a wrench (n, f), both at the origin of the frame
and along its axes. Sources: Lynch & Park, *Modern Robotics*, 2017, chs. 3 and 8; Featherstone, *Rigid Body
Dynamics Algorithms*, 2008, ch. 2.
"""

from qddot.algebra.spatial.inertia import (
    Inertia,
    SymmetricMatrix3,
    parallel_axis,
    point_tensor,
    tensor_of,
    unit_inertia,
)
from qddot.algebra.spatial.motion import Force, Pose, Twist
from qddot.algebra.spatial.principal import principal
from qddot.algebra.spatial.transform import Transform
from qddot.algebra.spatial.vectors import Matrix3, Number, Rotation, Vec3, divided, inner, skew, summed

__all__ = [
    "Force",
    "Inertia",
    "Matrix3",
    "Number",
    "Pose",
    "Rotation",
    "SymmetricMatrix3",
    "Transform",
    "Twist",
    "Vec3",
    "divided",
    "inner",
    "parallel_axis",
    "point_tensor",
    "principal",
    "skew",
    "summed",
    "tensor_of",
    "unit_inertia",
]
