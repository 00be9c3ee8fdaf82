"""These confusions concern the numbers of a link, of any kind: its mass, its centre of mass and its tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from typing import Any

from qddot.algebra.spatial import SymmetricMatrix3, Vec3, divided, point_tensor
from qddot.base.records import record
from qddot.formats.confusions.confusion import Confusion, itself

Places = tuple[int, int, int]
Signs = tuple[int, int, int]
ORDERS: tuple[Places, ...] = tuple((i, j, k) for i, j, k in permutations(range(3)))
NOTHING = SymmetricMatrix3.diagonal(0, 0, 0)
SIGNS: tuple[Signs, ...] = tuple((i, j, k) for i, j, k in product((1, -1), repeat=3))


@record()
class Mass:
    """A file may give these numbers for a link: its mass, its centre of mass, and the tensor about this centre."""

    m: Any
    c: Vec3
    I: SymmetricMatrix3

    @property
    def offset(self) -> SymmetricMatrix3:
        """Returns m (cᵀc 1 − c cᵀ), the difference between the tensors about the origin and the centre of mass."""
        return point_tensor(self.c).map(lambda entry: self.m * entry)


def other_products(I: SymmetricMatrix3) -> SymmetricMatrix3:
    return SymmetricMatrix3(I.xx, -I.xy, -I.xz, I.yy, -I.yz, I.zz)


def less_offset(body: Mass) -> Mass:
    return replace(body, I=body.I - body.offset)


def plus_offset(body: Mass) -> Mass:
    return replace(body, I=body.I + body.offset)


def over_mass(body: Mass) -> Mass:
    return replace(body, I=body.I.map(lambda entry: divided(entry, body.m))) if body.m else body


def _turned(order: Places, signs: Signs = (1, 1, 1)) -> Callable[[Vec3], Vec3]:
    """Returns the change in which entry i is the old entry order[i] times signs[i]."""
    return lambda c: Vec3(*(tuple(c)[i] * sign for i, sign in zip(order, signs, strict=True)))


def _exchanged(order: Places) -> Callable[[SymmetricMatrix3], SymmetricMatrix3]:
    """Returns the change in which axis i of a tensor is the old axis order[i]."""
    places = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))

    def change(I: SymmetricMatrix3) -> SymmetricMatrix3:
        rows = [tuple(row) for row in I.rows()]
        return SymmetricMatrix3(*(rows[order[i]][order[j]] for i, j in places))

    return change


def _back(order: Places) -> Places:
    return order.index(0), order.index(1), order.index(2)


def _permuted(order: Places) -> Confusion[SymmetricMatrix3]:
    words = {"wrong": ", ".join("xyz"[i] * 2 for i in order), "right": "xx, yy, zz"}
    return Confusion("permuted inertia axes", _exchanged(order), _exchanged(_back(order)), words)


def _other_axes(order: Places, signs: Signs) -> Confusion[Vec3]:
    axes = ", ".join(("-" if sign < 0 else "") + "xyz"[i] for i, sign in zip(order, signs, strict=True))
    back = _back(order)
    undo = _turned(back, (signs[back[0]], signs[back[1]], signs[back[2]]))
    words = {"wrong": axes, "right": "x, y, z"}
    return Confusion("axes of the centre of mass", _turned(order, signs), undo, words)


SIGN_OF_PRODUCTS = itself("sign of products", other_products)
NO_PRODUCTS = Confusion[SymmetricMatrix3]("products missing", lambda I: SymmetricMatrix3.diagonal(I.xx, I.yy, I.zz))
PERMUTED = tuple(_permuted(order) for order in ORDERS[1:])
ABOUT_ORIGIN = Confusion("inertia about the origin", less_offset, plus_offset)
ABOUT_CENTRE = Confusion("inertia about the centre of mass", plus_offset, less_offset)
NO_TENSOR = Confusion[Mass]("missing inertia", lambda body: replace(body, I=NOTHING))
NO_CENTRE = Confusion[Mass]("missing centre of mass", lambda body: replace(body, c=Vec3.zero()))
NO_MASS = Confusion[Mass]("missing mass", lambda _: Mass(0, Vec3.zero(), NOTHING))
TIMES_MASS = Confusion[Mass](
    "inertia times mass", lambda body: replace(body, I=body.I.map(lambda entry: body.m * entry)), over_mass
)
OTHER_AXES = tuple(_other_axes(order, signs) for order, signs in list(product(ORDERS, SIGNS))[1:])
# changes of a tensor, about the point for which the file gives it
TENSORS = (SIGN_OF_PRODUCTS, *PERMUTED, NO_PRODUCTS)
# changes of all the numbers of a link
BODIES = (ABOUT_ORIGIN, ABOUT_CENTRE, NO_TENSOR, NO_CENTRE, NO_MASS, TIMES_MASS)
