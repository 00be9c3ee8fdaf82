"""Solves equations of motion for torques of joints, and decides whether they follow from the exact equations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.algebra.numbers.polynomials.division import quotient
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.quantities import Quantities
from qddot.physics.algorithms.cramer import determinant

LONGEST = 400  # most terms of an equation in which a common factor is searched
MOST_SOLVED = 3  # most joints of an arm whose accelerations are written explicitly


class Torque(NamedTuple):
    """This is the torque of a joint, numerator over denominator, according to an equation.

    share: the fraction of the equation's terms that resemble those of the exact one
    """

    joint: int
    numerator: Polynomial
    denominator: Polynomial
    share: float = 0


class Solved(NamedTuple):
    """This is an equation solved for a joint's acceleration: its wrong numerator or denominator, and the exact one."""

    joint: int
    yours: Polynomial
    exact: Polynomial


def drive_symbol(ring: Ring, name: str) -> str:
    """Returns the name of the symbol that stands for the torque or force of a joint."""
    symbol = f"tau{ring.coordinates.index(name) + 1}"
    return symbol if symbol not in ring.symbols else f"tau_{symbol}"


def is_of_motion(balance: Polynomial, ring: Ring) -> bool:
    """Returns whether accelerations or torques occur in a polynomial."""
    drives = {drive_symbol(ring, name) for name in ring.coordinates}
    return any(g.kind == "qdd" or (g.kind == "symbol" and g.name in drives) for g in balance.generators())


def torque_of(
    balance: Polynomial, eq: Quantities, ring: Ring, images: Mapping[str, Polynomial] | None = None
) -> Torque:
    """Returns an equation of motion as the torque of the joint whose equation it resembles most.

    images: numbers that replace symbols in it
    The equation may have a factor of symbols: m l² θ̈ + m g l sin θ = 0 and θ̈ + g/l sin θ = 0 are equivalent.
    """
    names = eq.velocities
    own = {name: drive_symbol(ring, name) for name in names}
    drives = [k for k, name in enumerate(names) if own[name] in ring.index and own[name] in balance.variables()]
    joints = drives if len(drives) == 1 else range(len(names))
    exact = [ring.convert(entry) for entry in eq.in_joint_angles.tau.entries]
    exact = [ring.convert(ring.composed(entry, images)) for entry in exact] if images else exact
    candidates = []
    for k in joints:
        drive = ring.symbol(own[names[k]]) if own[names[k]] in ring.index else ring.zero
        factor, votes = _common_factor(balance, exact[k] - drive, ring)
        if factor is not None:
            candidates.append((votes, -k, factor, drive))
    if not candidates:
        k = drives[0] if drives else 0
        return Torque(k, ring.zero, ring.convert(1))
    share, minus_k, (top, below), drive = max(candidates, key=lambda each: (each[0], each[1]))
    # balance = top/below · (exact − drive), so that the equation says that the torque is drive + below/top · balance
    return Torque(-minus_k, ring.convert(drive * top + balance * below), ring.convert(top), share)


def _common_factor(
    balance: Polynomial, residual: Polynomial, ring: Ring
) -> tuple[tuple[Polynomial, Polynomial] | None, float]:
    """Returns the quotient of symbols that is a factor of most terms of an equation, and the fraction of these."""
    drives = {drive_symbol(ring, name) for name in ring.coordinates}
    moving = [g.kind != "symbol" or g.name in drives for g in ring.generators]
    by_motion: dict[tuple[int, ...], list[tuple[tuple[int, ...], Any]]] = {}
    mine, theirs = list(balance.terms()), list(residual.terms())
    if len(mine) > LONGEST or len(theirs) > LONGEST:
        return None, 0
    for exponents, c in theirs:
        key = tuple(e if moves else 0 for e, moves in zip(exponents, moving, strict=True))
        by_motion.setdefault(key, []).append((exponents, c))
    votes: Counter[tuple[tuple[int, ...], Fraction]] = Counter()
    for exponents, c in mine:
        key = tuple(e if moves else 0 for e, moves in zip(exponents, moving, strict=True))
        for other, d in by_motion.get(key, ()):
            shift = tuple(a - b for a, b in zip(exponents, other, strict=True))
            votes[shift, Fraction(c) / Fraction(d)] += 1
    if not votes:
        return None, 0
    (shift, number), count = max(votes.items(), key=lambda each: (each[1], -sum(map(abs, each[0][0])), each[0][1] > 0))
    top = ring.from_terms([(tuple(max(e, 0) for e in shift), number)])
    below = ring.from_terms([(tuple(max(-e, 0) for e in shift), Fraction(1))])
    return (top, below), count / max(len(mine), len(theirs))


def follows(
    balance: Polynomial, eq: Quantities, ring: Ring, driven: Collection[int] = (), acts_at: Sequence[int] | None = None
) -> bool:
    """Returns whether an equation follows from the exact ones: whether q̈ = M⁻¹(τ − bias) makes it zero.

    driven: joints whose torques may have any value, even without a symbol in the ring; others without one are zero
    acts_at: for each joint, the joint at which the torque with its name acts in fact; by default the same
    """
    slopes = _slopes(balance, eq, ring)
    if slopes is None:
        return False
    rest, M, bias = balance, *_inertia_and_bias(eq, ring, acts_at or range(eq.n))
    for name, slope in zip(eq.velocities, slopes, strict=True):
        rest = rest - slope * ring.acceleration(name)
    total = rest * determinant(M)
    for j, slope in enumerate(slopes):
        if slope:
            total = total + slope * _numerator(M, bias, j, ring)
    absent = [k for k in driven if drive_symbol(ring, eq.velocities[k]) not in ring.index]
    return not ring.convert(total) and not any(_feels(slopes, k, M, ring) for k in absent)


def _feels(slopes: Sequence[Polynomial], k: int, M: Sequence[Sequence[Polynomial]], ring: Ring) -> bool:
    """Returns whether a torque of joint k changes the sum of accelerations with these factors, slopes · M⁻¹ e_k."""
    unit = [ring.convert(-int(i == k)) for i in range(len(M))]
    return bool(sum((slope * _numerator(M, unit, j, ring) for j, slope in enumerate(slopes) if slope), ring.zero))


def solved(balance: Polynomial, eq: Quantities, ring: Ring) -> Solved | None:
    """Returns the wrong part, a or b, of an equation a q̈ = b whose other part is exact, up to a common factor.

    The result is None if both parts are wrong, or if the equation has another form.
    """
    slopes = _slopes(balance, eq, ring) if 1 < eq.n <= MOST_SOLVED else None
    moving = [k for k, slope in enumerate(slopes or ()) if slope]
    if slopes is None or len(moving) != 1:
        return None
    (k,), M, bias = moving, *_inertia_and_bias(eq, ring, range(eq.n))
    below, top = slopes[k], ring.convert(slopes[k] * ring.acceleration(eq.velocities[k]) - balance)
    exact_below, exact_top = ring.convert(determinant(M)), ring.convert(_numerator(M, bias, k, ring))
    for same, exact, other, exact_other in ((below, exact_below, top, exact_top), (top, exact_top, below, exact_below)):
        if not same or not exact:
            continue
        if (factor := quotient(exact, same)) is not None and (whole := quotient(exact_other, factor)) is not None:
            return Solved(k, other, whole)
        if (factor := quotient(same, exact)) is not None:
            return Solved(k, other, ring.convert(exact_other * factor))
    return None


def _slopes(balance: Polynomial, eq: Quantities, ring: Ring) -> list[Polynomial] | None:
    """Returns the factors of the accelerations in an equation, or None if it has none or is not linear in them."""
    accelerations = [f"qdd({name})" for name in eq.velocities]
    slopes: list[Polynomial] = [ring.convert(balance.derivative(key)) for key in accelerations]
    is_linear = not any(slope.derivative(key) for slope in slopes for key in accelerations)
    return slopes if any(slopes) and is_linear else None


def _inertia_and_bias(
    eq: Quantities, ring: Ring, acts_at: Sequence[int]
) -> tuple[list[list[Polynomial]], list[Polynomial]]:
    """Returns M and the bias minus the torques, of M q̈ + bias = 0; torques that the ring lacks are zero.

    acts_at: for each joint, the joint at which the torque with its name acts
    """
    names, exact = eq.velocities, eq.in_joint_angles
    M = [[ring.convert(exact.M[i, j].entries[0]) for j in range(eq.n)] for i in range(eq.n)]
    bias = []
    for k, name in enumerate(names):
        torque = ring.convert(exact.tau.entries[k]).without([f"qdd({name})" for name in names])
        drives = [drive_symbol(ring, names[j]) for j, joint in enumerate(acts_at) if joint == k]
        bias.append(torque - sum((ring.symbol(drive) for drive in drives if drive in ring.index), ring.zero))
    return M, bias


def _numerator(M: Sequence[Sequence[Polynomial]], bias: Sequence[Polynomial], j: int, ring: Ring) -> Polynomial:
    """Returns det M times q̈_j by Cramer's rule: the determinant of M with −bias in column j."""
    rows = [[-bias[i] if c == j else entry for c, entry in enumerate(row)] for i, row in enumerate(M)]
    whole: Polynomial = determinant(rows)
    return whole
