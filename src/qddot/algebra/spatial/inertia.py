"""Defines symmetric tensors and the mass distributions of bodies.

Sources: Lynch & Park, *Modern Robotics*, 2017, ch. 8; Featherstone, *Rigid Body Dynamics Algorithms*, 2008, ch. 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qddot.algebra.spatial.motion import Force, Pose, Twist
from qddot.algebra.spatial.vectors import Matrix3, Number, Rotation, Vec3, divided, skew
from qddot.base.records import record


@record(slots=True)
class SymmetricMatrix3:
    """A symmetric 3×3 matrix has six entries; products of inertia have the tensor's signs (Ixy = −∫xy dm)."""

    xx: Number
    xy: Number
    xz: Number
    yy: Number
    yz: Number
    zz: Number

    @classmethod
    def diagonal(cls, xx: Number, yy: Number, zz: Number) -> SymmetricMatrix3:
        return cls(xx, 0, 0, yy, 0, zz)

    def rows(self) -> Matrix3:
        return Matrix3(
            Vec3(self.xx, self.xy, self.xz),
            Vec3(self.xy, self.yy, self.yz),
            Vec3(self.xz, self.yz, self.zz),
        )

    def apply(self, v: Vec3) -> Vec3:
        return self.rows() @ v

    def __iter__(self) -> Any:
        return iter((self.xx, self.xy, self.xz, self.yy, self.yz, self.zz))

    def __add__(self, other: SymmetricMatrix3) -> SymmetricMatrix3:
        return SymmetricMatrix3(*(a + b for a, b in zip(self, other, strict=True)))

    def __sub__(self, other: SymmetricMatrix3) -> SymmetricMatrix3:
        return SymmetricMatrix3(*(a - b for a, b in zip(self, other, strict=True)))

    def has_one_entry(self) -> bool:
        """Returns whether all entries except one are structural zeros."""
        return sum(isinstance(entry, int) and entry == 0 for entry in self) == 5

    def rotated(self, R: Rotation) -> SymmetricMatrix3:
        """Returns R I Rᵀ."""
        for k, axis in enumerate(R.T):
            if (m := axis.unit_place()) is not None:
                return self._turned(R, k, m)
        x, y, z = (self.apply(row) for row in R)
        a, b, c = R.x, R.y, R.z
        return SymmetricMatrix3(a.dot(x), a.dot(y), a.dot(z), b.dot(y), b.dot(z), c.dot(z))

    def _turned(self, R: Rotation, k: int, m: int) -> SymmetricMatrix3:
        """Returns R I Rᵀ for an R that maps axis k to ±(axis m), so that R is [[u, v], [∓v, ±u]] in the other two axes.

        The entries in these two axes take ten operations, since all of them use t = v (Iii − Ijj) − 2 u Iij.
        """
        I, rows = [tuple(row) for row in self.rows()], [tuple(row) for row in R]
        i, j, a, b = (k + 1) % 3, (k + 2) % 3, (m + 1) % 3, (m + 2) % 3
        u, v, sign = rows[a][i], rows[a][j], rows[m][k]
        t = v * (I[i][i] - I[j][j]) - u * (I[i][j] * 2)
        along = Vec3(*(I[k][n] * int(n != k) for n in range(3)))
        new: list[list[Any]] = [[0, 0, 0] for _ in range(3)]
        new[a][a], new[b][b], new[m][m] = I[i][i] - v * t, I[j][j] + v * t, I[k][k]
        new[a][b] = new[b][a] = -(u * t + I[i][j]) * sign
        for n in (a, b):
            new[n][m] = new[m][n] = Vec3(*rows[n]).dot(along) * sign
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = new
        return SymmetricMatrix3(xx, xy, xz, yy, yz, zz)

    def map(self, change: Callable[[Any], Any]) -> SymmetricMatrix3:
        return SymmetricMatrix3(*(change(entry) for entry in self))


def parallel_axis(a: Vec3, b: Vec3) -> SymmetricMatrix3:
    """Returns 2 (a·b) 1 − (a bᵀ + b aᵀ): what a translation by b adds to the tensor of a body with first moment a.

    The mass adds m (bᵀb 1 − b bᵀ) besides.
    """
    xx, yy, zz = a.x * b.x, a.y * b.y, a.z * b.z
    xy, xz, yz = a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y
    return SymmetricMatrix3((yy + zz) * 2, -xy, -xz, (xx + zz) * 2, -yz, (xx + yy) * 2)


def point_tensor(c: Vec3) -> SymmetricMatrix3:
    """Returns the inertia tensor of a unit point mass at c: cᵀc 1 − c cᵀ."""
    return tensor_of(SymmetricMatrix3(c.x * c.x, c.x * c.y, c.x * c.z, c.y * c.y, c.y * c.z, c.z * c.z))


def tensor_of(moments: SymmetricMatrix3) -> SymmetricMatrix3:
    """Returns the inertia tensor of second moments Σ = ∫r rᵀ dm: I = tr(Σ) 1 − Σ."""
    xx, yy, zz = moments.xx, moments.yy, moments.zz
    return SymmetricMatrix3(yy + zz, -moments.xy, -moments.xz, xx + zz, -moments.yz, xx + yy)


@record(slots=True)
class Inertia:
    """An inertia is a body's mass m [kg], first moment h = m c [kg·m] and tensor I about the frame's origin [kg·m²].

    All are expressed in the body frame's axes; products have the tensor's sign (Ixy = −∫xy dm).
    """

    m: Number
    h: Vec3
    I: SymmetricMatrix3

    @classmethod
    def zero(cls) -> Inertia:
        return cls(0, Vec3.zero(), SymmetricMatrix3.diagonal(0, 0, 0))

    @classmethod
    def about_com(cls, m: Number, com: Vec3, I_c: SymmetricMatrix3) -> Inertia:
        """Returns the inertia from the tensor about the centre of mass: I = I_c + m (cᵀc 1 − c cᵀ)."""
        offset = point_tensor(com).map(lambda entry: m * entry)
        return cls(m, com * m, I_c + offset)

    def central_tensor(self, com: Vec3) -> SymmetricMatrix3:
        """Returns the tensor about the centre of mass c: I_c = I − m (cᵀc 1 − c cᵀ)."""
        return self.I - point_tensor(com).map(lambda entry: self.m * entry)

    @classmethod
    def point(cls, m: Number, at: Vec3) -> Inertia:
        """Returns the inertia of a point mass m [kg] at a point [m]."""
        return cls.about_com(m, at, SymmetricMatrix3.diagonal(0, 0, 0))

    @classmethod
    def rod(cls, m: Number, a: Vec3, b: Vec3) -> Inertia:
        """Returns the inertia of a thin uniform rod from a to b; about its centre ∫ x xᵀ dm is m/12 (b − a)(b − a)ᵀ."""
        middle = (a + b).map(lambda entry: divided(entry, 2))
        tensor = point_tensor(b - a).map(lambda entry: divided(m * entry, 12))
        return cls.about_com(m, middle, tensor)

    @classmethod
    def box(cls, m: Number, size: Vec3, at: Vec3 | None = None) -> Inertia:
        """Returns the inertia of a uniform box with edges `size` [m] along the axes, centred at `at`."""
        x, y, z = (edge * edge for edge in size)
        tensor = SymmetricMatrix3.diagonal(y + z, x + z, x + y).map(lambda entry: divided(m * entry, 12))
        return cls.about_com(m, at or Vec3.zero(), tensor)

    @classmethod
    def cylinder(cls, m: Any, radius: Any, length: Any, axis: str = "z", at: Vec3 | None = None) -> Inertia:
        """Returns the inertia of a uniform cylinder with its centre at `at` and its axis along x, y or z."""
        along = divided(m * radius * radius, 2)
        across = divided(m * (3 * radius * radius + length * length), 12)
        tensor = SymmetricMatrix3.diagonal(*(along if name == axis else across for name in "xyz"))
        return cls.about_com(m, at or Vec3.zero(), tensor)

    @classmethod
    def sphere(cls, m: Any, radius: Any, at: Vec3 | None = None) -> Inertia:
        """Returns the inertia of a uniform solid sphere centred at `at` (by default the origin)."""
        each = divided(2 * m * radius * radius, 5)
        return cls.about_com(m, at or Vec3.zero(), SymmetricMatrix3.diagonal(each, each, each))

    @classmethod
    def from_pseudo(cls, J: list[list[Any]]) -> Inertia:
        """Returns the inertia that has the 4×4 pseudo-inertia [[Σ, m c], [m cᵀ, m]] with Σ = ∫r rᵀ dm."""
        second_moments = SymmetricMatrix3(J[0][0], J[0][1], J[0][2], J[1][1], J[1][2], J[2][2])
        return cls(J[3][3], Vec3(J[0][3], J[1][3], J[2][3]), tensor_of(second_moments))

    def pseudo(self) -> list[list[Any]]:
        """Returns the 4×4 pseudo-inertia ∫ r̃ r̃ᵀ dm of homogeneous points r̃ = (x, y, z, 1)."""
        I, h = self.I, self.h
        xx, yy, zz = self.second_moments()
        return [
            [xx, -I.xy, -I.xz, h.x],
            [-I.xy, yy, -I.yz, h.y],
            [-I.xz, -I.yz, zz, h.z],
            [h.x, h.y, h.z, self.m],
        ]

    def second_moments(self) -> tuple[Any, Any, Any]:
        """Returns ∫x² dm, ∫y² dm, ∫z² dm: Σxx = (Iyy + Izz − Ixx) / 2."""
        I = self.I
        return (
            divided(I.yy + I.zz - I.xx, 2),
            divided(I.xx + I.zz - I.yy, 2),
            divided(I.xx + I.yy - I.zz, 2),
        )

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.m + other.m, self.h + other.h, self.I + other.I)

    def shifted(self, r: Vec3) -> Inertia:
        """Returns the inertia of the body after a translation by r (parallel axes)."""
        tensor = parallel_axis(self.h, r) + point_tensor(r).map(lambda entry: self.m * entry)
        return Inertia(self.m, self.h + r * self.m, self.I + tensor)

    def rotated(self, R: Rotation) -> Inertia:
        return Inertia(self.m, R.apply(self.h), self.I.rotated(R))

    def placed(self, T: Pose) -> Inertia:
        """Returns the inertia in frame a from that in frame b; T = T_ab."""
        return self.rotated(T.R).shifted(T.p)

    def momentum(self, twist: Twist) -> Force:
        """Returns 𝒢 V: angular momentum I ω + h × v about the origin, and linear momentum m v − h × ω."""
        w, v, h = twist.w, twist.v, self.h
        return Force(self.I.apply(w) + h.cross(v), v * self.m - h.cross(w))

    def wrench(self, twist: Twist, acceleration: Twist) -> Force:
        """Returns F = 𝒢 V̇ − ad_Vᵀ 𝒢 V, the wrench that the motion requires (Lynch & Park 2017, eq. 8.40)."""
        return self.momentum(acceleration) + twist.cross_force(self.momentum(twist))

    def twice_kinetic_energy(self, twist: Twist) -> Number:
        """Returns Vᵀ 𝒢 V = m v² + 2 h · (v × ω) + ωᵀ I ω, not halved, so that a sum of them needs one division.

        It is written in products of two velocities, which take fewer terms than 𝒢 V if the inertias are symbols.
        """
        w, v, I = twist.w, twist.v, self.I
        mixed = w.x * w.y * I.xy + w.x * w.z * I.xz + w.y * w.z * I.yz + v.cross(w).dot(self.h)
        return v.dot(v) * self.m + w.x * w.x * I.xx + w.y * w.y * I.yy + w.z * w.z * I.zz + mixed * 2

    def spatial_matrix(self) -> list[list[Number]]:
        """Returns 𝒢 as a 6×6 matrix in the order (ω, v): [[I, [h]], [−[h], m 1]]."""
        moment = skew(self.h)
        upper: list[list[Number]] = [[*row, *shift] for row, shift in zip(self.I.rows(), moment, strict=True)]
        unit = [[self.m if i == j else 0 for j in range(3)] for i in range(3)]
        lower: list[list[Number]] = [[*(-x for x in row), *mass] for row, mass in zip(moment, unit, strict=True)]
        return upper + lower

    def map(self, change: Callable[[Any], Any]) -> Inertia:
        return Inertia(change(self.m), self.h.map(change), self.I.map(change))


def unit_inertia(k: int) -> Inertia:
    """Returns the inertia whose parameter k, of m, h and I in this order, is 1 and whose others are 0."""
    p = [int(j == k) for j in range(10)]
    return Inertia(p[0], Vec3(*p[1:4]), SymmetricMatrix3(*p[4:]))
