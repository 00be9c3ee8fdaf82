"""Writes in names how single entries, and matrices of links, follow from others: U31 = Q1 T3, M12 = Tr(U22 J̄2 U21ᵀ).

The pose of link b in that of link a is written as the product of the poses A of the links between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from qddot.exact.equations.quantity import NamedArm, Place
from qddot.exact.printing.tree import Chain, Factor, Product, Sum, Symbol, alone
from qddot.robot.effects.acting import with_inertias

ONE, HALF = Fraction(1), Fraction(1, 2)


def derivative(of: NamedArm, place: Place) -> Sum | None:
    """Returns U_ij = ⁰T_p(j) Q_j T_p(j)^i, or U_ijk = ⁰T_p(j) Q_j T_p(j)^p(k) Q_k T_p(k)^i with j at or inboard of k.

    It is zero if one of these joints does not move link i, and None if joints share a coordinate.
    """
    link, *coordinates = place
    path = of.mechanism.moving_path(link)
    if any(joint.ratio is not None for _, joint in path):
        return None
    moving = [(k, joint.parent) for k, joint in path for _ in range(coordinates.count(k))]
    if len(moving) < len(coordinates):
        return Sum()
    factors, before = list[Symbol](), None
    for k, parent in moving:
        factors += [*_poses(of, before, parent), of.name("Q", (k,))]
        before = parent
    return alone(Chain((*factors, *_poses(of, before, link))))


def _poses(of: NamedArm, base: int | None, link: int | None) -> Iterable[Symbol]:
    """Returns the factors of a link's pose in that of a link which carries it (None: in the base)."""
    if base == link or link is None:
        return ()
    if base is None:
        return (of.name("T", (link,)),)
    path = of.mechanism.paths[link]
    return (of.name("A", (k,)) for k in path[path.index(base) + 1 :])


def velocity(of: NamedArm, place: Place) -> Sum:
    """Returns Ṫ_i = Σ_j U_ij q̇_j."""
    (i,) = place
    return _sum(_product(ONE, of.name("U", (i, j)), of.rates[j]) for j in _moving(of, i))


def velocity_of_centre(of: NamedArm, place: Place) -> Sum:
    """Returns ṗ_c,i = Ṫ_i r_i."""
    return alone(Chain((of.name("T_rate", place), of.name("r_c", place))))


def kinetic_energy(of: NamedArm, place: Place) -> Sum:
    """Returns K_i = ½ Σ_j Σ_k Tr(U_ij J̄_i U_ikᵀ) q̇_j q̇_k."""
    (i,) = place
    pairs = ((j, k) for j in _moving(of, i) for k in _moving(of, i))
    return _sum(_product(HALF, _trace(of, i, (j,), k), of.rates[j], of.rates[k]) for j, k in pairs)


def potential_energy(of: NamedArm, place: Place) -> Sum:
    """Returns P_i = −m_i g_0ᵀ ⁰T_i r_i."""
    return _sum([_weight(of, of.name("T", place), place[0])])


def inertia(of: NamedArm, place: Place) -> Sum:
    """Returns M_ij = Σ_n Tr(U_nj J̄_n U_niᵀ), and the armature's share."""
    i, j = place
    return _sum([*(_product(ONE, _trace(of, n, (j,), i)) for n in _moved(of, i, j)), *_armature(of, i, j)])


def velocity_coefficient(of: NamedArm, place: Place) -> Sum:
    """Returns h_ijk = Σ_n Tr(U_njk J̄_n U_niᵀ)."""
    i, j, k = place
    return _sum(_product(ONE, _trace(of, n, (j, k), i)) for n in _moved(of, i, j, k))


def gravity(of: NamedArm, place: Place) -> Sum:
    """Returns G_i = −Σ_n m_n g_0ᵀ U_ni r_n."""
    (i,) = place
    return _sum(_weight(of, of.name("U", (n, i)), n) for n in _moved(of, i))


def inertia_by_jacobians(of: NamedArm, place: Place) -> Sum:
    """Returns M_ij as the sum of the entries of M_v,n and M_ω,n of the links, and the armature's share."""
    shares = (of.name(each, (n,), inner=place) for n in _moved(of, *place) for each in ("M_v", "M_w"))
    return _sum([*(_product(ONE, share) for share in shares), *_armature(of, *place)])


def gravity_by_jacobians(of: NamedArm, place: Place) -> Sum:
    """Returns G_i as the sum of the entries of G_c,n of the links."""
    return _sum(_product(ONE, of.name("G_links", (n,), inner=place)) for n in _moved(of, *place))


def christoffel_by_slopes(of: NamedArm, place: Place) -> Sum | None:
    """Returns Γ_ijk = ½ (m_ijk + m_ikj − m_jki), if all velocities are rates."""
    if of.mechanism.brackets:
        return None
    i, j, k = place
    signed = (((i, j, k), HALF), ((i, k, j), HALF), ((j, k, i), -HALF))
    return _sum(_product(number, of.name("m_ijk", each)) for each, number in signed)


def _moving(of: NamedArm, link: int) -> list[int]:
    """Returns the coordinates that move a link, from the base to it; joints may share one."""
    return list(dict.fromkeys(k for k, _ in of.mechanism.moving_path(link)))


def _moved(of: NamedArm, *coordinates: int) -> Iterator[int]:
    """Yields the links that have inertia and are moved by all of these coordinates."""
    for link in of.mechanism.links:
        if {*coordinates} <= {*_moving(of, link.index)} and any(map(any, link.inertia.pseudo())):
            yield link.index


def _armature(of: NamedArm, i: int, j: int) -> list[Product]:
    n = of.mechanism.n
    inertias = with_inertias([[0] * n for _ in range(n)], of.mechanism.effects)
    return [_product(ONE, of.name("M_r", (i, j)))] if inertias[i][j] else []


def _trace(of: NamedArm, link: int, first: Place, second: int) -> Chain:
    """Returns Tr(U J̄ Uᵀ) of a link, where the first U is a derivative by one or by two coordinates."""
    U = of.name("U" if len(first) == 1 else "U_ijk", (link, *first))
    return Chain((U, of.name("pseudo_inertia", (link,)), _transposed(of.name("U", (link, second)))), traced=True)


def _weight(of: NamedArm, matrix: Symbol, link: int) -> Product:
    """Returns −m g_0ᵀ X r for a matrix X, or −g_0ᵀ X J̄ u if a link has no centre of mass."""
    row = _transposed(of.name("g_0"))
    if of.mechanism.links[link].com is None:
        return _product(-ONE, Chain((row, matrix, of.name("pseudo_inertia", (link,)), of.name("u"))))
    return _product(-ONE, Chain((of.name("m", (link,)), row, matrix, of.name("r_c", (link,)))))


def _transposed(name: Symbol) -> Symbol:
    return name._replace(text=f"{name.text}ᵀ", above="T")


def _product(number: Fraction, *factors: Factor) -> Product:
    return Product(number, tuple((factor, factors.count(factor)) for factor in dict.fromkeys(factors)))


def _sum(products: Iterable[Product]) -> Sum:
    return Sum(tuple(products))
