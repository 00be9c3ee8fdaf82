"""Finds where the entries that a name means are in a quantity, and whether a written shape fits there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.letters import COLUMNS, Candidate, indices_of, is_centrifugal, is_in_column

PLANAR = (2, 3)  # rows of a Jacobian that lacks some of the six


def shapes(eq: Quantities) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of all quantities that an answer may have."""
    n, b = eq.n, len(eq.model.bodies)
    vector, matrix, pose = (n,), (n, n), (4, 4)
    return {
        **dict.fromkeys(("M", "C", "C2"), matrix),
        **dict.fromkeys(("h", "G", "bias", "minus_G", "products", "squares", "tau", "springs", "friction"), vector),
        **dict.fromkeys(("K", "P", "L", "E"), ()),
        **dict.fromkeys(("K_links", "P_links"), (b,)),
        "christoffel": (n, n, n),
        "B": (n, n * (n - 1) // 2),
        **dict.fromkeys(("A", "T", "T_c", "pseudo_inertia"), (b, *pose)),
        "T_tool": pose,
        "J": (b, 6, n),
        "J_tool": (6, n),
        "J_c": (b, 6, n),
        "p_c": (b, 3),
        "U": (b, n, *pose),
        "U_ijk": (b, n, n, *pose),
        **(eq.shapes_of_loops if isinstance(eq, ChainQuantities) else {}),
    }


def place_of(left: Left, candidate: Candidate, n: int, zero_based: bool) -> tuple[int, ...]:
    """Returns the indices of an entry, or of a part of a quantity, from 0."""
    indices = indices_of(left)
    if candidate.quantity == "C2" and is_centrifugal(left):
        indices = left.cell
        left = left._replace(indices=())
    offset = 0 if left.square and zero_based and not left.indices else 1
    place = tuple(k - offset for k in indices)
    if candidate.order and len(place) == len(candidate.order):
        place = tuple(place[candidate.order.index(k)] for k in range(len(place)))
    if left.indices and left.cell:  # T1[1,4]
        place += tuple(k - (0 if left.square and zero_based else 1) for k in left.cell)
    if candidate.quantity == "B" and len(place) >= 3:
        pairs = list(combinations(range(n), 2))
        pair = (place[1], place[2])
        place = (place[0], pairs.index(pair) if pair in pairs else -1)
    elif candidate.quantity == "B" and len(place) == 1:
        place = (place[0], 0)
    return place[:1] if left.head in COLUMNS and is_in_column(left) else place


def fits(place: Sequence[int], written: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Returns whether a written shape is that of the part of a quantity at a place; a row may be a column."""
    rest = shape[len(place) :]
    if len(place) > len(shape):
        return False
    flat, flat_rest = (tuple(size for size in each if size != 1) for each in (written, rest))
    return written == rest or (flat == flat_rest and len(flat) <= 1)


def is_part_of_jacobian(quantity: str, written: tuple[int, ...], n: int) -> bool:
    """Returns whether an array may be the rows of a Jacobian for a plane, or for the linear velocity."""
    return quantity in ("J_tool", "J_c") and len(written) == 2 and written[0] in PLANAR and written[1] == n
