"""Derives Lagrange's equations with homogeneous 4×4 matrices: T, Q, U_ij, U_ijk and pseudo-inertias.

D_ik = Σ_j Tr(U_jk J_j U_jiᵀ), h_ikm = Σ_j Tr(U_jkm J_j U_jiᵀ), C_i = −Σ_j gᵀ U_ji J_j e4. They follow from the energies
K_i = ½ Σ_jk Tr(U_ij J_i U_ikᵀ) q̇_j q̇_k and P_i = −gᵀ T_i J_i e4 of the links.
Sources: Uicker 1965; Paul, *Robot Manipulators*, 1981, ch. 6; Fu, Gonzalez, Lee, *Robotics*, 1987,
§3.2. Here Q_i is the joint's axis as a 4×4 matrix in the parent's frame, so that trees and axes of
any direction need no other form. A trace does not change when both of its matrices are rotated alike; each is computed
in the frame of the first joint that occurs in it, where it is much shorter than in the base frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from qddot.algebra.spatial import Number, divided, skew, summed
from qddot.physics.derivation import Calculus, Derivation
from qddot.physics.mechanism import Link, Mechanism

Matrix: TypeAlias = list[list[Number]]
Pair: TypeAlias = tuple[int, int]  # two coordinates

ZERO: Matrix = [[0] * 4 for _ in range(4)]
COLUMN: Matrix = [[0]] * 4
ONE: Matrix = [[int(i == j) for j in range(4)] for i in range(4)]


def derive(mechanism: Mechanism, calculus: Calculus) -> Derivation:
    """Returns the method's D, h_ikm and C; h_ikm are the Christoffel symbols Γ_ikm."""
    X = [link.X.pose().matrix() for link in mechanism.links]
    T = base_transforms(mechanism, X)
    J = [link.inertia.pseudo() for link in mechanism.links]
    views = [
        View(mechanism, X, J, k, joint)
        for k, joint in mechanism.moving
        if k not in coordinates_inboard(mechanism, joint)
    ]
    h = velocity_coefficients(mechanism, views)
    P_links, centres = potential_energies(mechanism, T, J), [link.com for link in mechanism.links]
    return Derivation(
        M=inertia_coefficients(mechanism, views),
        christoffel=h,
        G=gravity(mechanism, views, T, J),
        steps={
            "T": T,
            "Q": [axis_matrix(joint) for joint in mechanism.joints],
            "U": lambda: first_derivatives(mechanism),
            "T_rate": lambda: velocities(mechanism),
            **({} if None in centres else {"dp_c": lambda: velocities_of_centres(mechanism)}),
            "U_ijk": lambda: second_derivatives(mechanism),
            "pseudo_inertia": J,
            "K_links": lambda: kinetic_energies(mechanism),
            "P_links": P_links,
            "K": lambda: kinetic_energy(mechanism),
            "P": summed(P_links),
            "L": lambda: kinetic_energy(mechanism) - summed(P_links),
            "D_links": lambda: inertia_of_links(mechanism),
            "h_ikm": h,
            "h_links": lambda: velocity_coefficients_of_links(mechanism),
            "G_links": lambda: gravity_of_links(mechanism),
        },
    )


def base_transforms(mechanism: Mechanism, X: Sequence[Matrix]) -> list[Matrix]:
    """Returns T_0^i of every link from those between neighbours."""
    T: list[Matrix] = []
    for link, step in zip(mechanism.links, X, strict=True):
        T.append(step if link.parent is None else multiply(T[link.parent], step))
    return T


def link_transforms(mechanism: Mechanism) -> dict[tuple[int | None, int | None], Matrix]:
    """Returns T from any link (None: the base) to itself or to a link that it carries."""
    T: dict[tuple[int | None, int | None], Matrix] = {(None, None): ONE}
    for link in mechanism.links:
        step = link.X.pose().matrix()
        T[link.index, link.index] = ONE
        for above in (None, *mechanism.paths[link.index][:-1]):
            T[above, link.index] = multiply(T[above, link.parent], step)
    return T


def axis_matrix(link: Link) -> Matrix:
    """Returns Q with ∂T/∂q = Q T, from the joint's axis times its ratio in the parent's frame."""
    w = link.placement.R.apply(link.axis)
    w = w if link.ratio is None else w * link.ratio
    (S,) = link.kind.columns(w)
    return [[*row, v] for row, v in zip(skew(S.w), S.v - S.w.cross(link.placement.p), strict=True)] + [[0, 0, 0, 0]]


def axis_matrices(mechanism: Mechanism) -> dict[int, Matrix]:
    """Returns Q of every joint, by its link."""
    return {link.index: axis_matrix(link) for _, link in mechanism.moving}


def own_axis_matrix(link: Link) -> Matrix:
    """Returns S with ∂T/∂q = T S, from the joint's twist along the link's own axes."""
    return [[*row, v] for row, v in zip(skew(link.S.w), link.S.v, strict=True)] + [[0, 0, 0, 0]]


def first_derivatives(mechanism: Mechanism) -> list[list[Matrix]]:
    """Returns U_ij = T_0^p(j) Q_j T_p(j)^i for every link i and coordinate j, summed over the joints of q_j."""
    T, Q = link_transforms(mechanism), axis_matrices(mechanism)
    U = [[ZERO] * mechanism.n for _ in mechanism.links]
    for link in mechanism.links:
        row = U[link.index]
        for j, joint in mechanism.moving_path(link.index):
            turned = multiply(T[None, joint.parent], multiply(Q[joint.index], T[joint.parent, link.index]))
            row[j] = added(row[j], turned)
    return U


def second_derivatives(mechanism: Mechanism) -> list[list[list[Matrix]]]:
    """Returns U_ijk = T_0^p(j) Q_j T_p(j)^p(k) Q_k T_p(k)^i, with the joint of q_j at or inboard of that of q_k."""
    T, Q = link_transforms(mechanism), axis_matrices(mechanism)
    U2 = [[[ZERO] * mechanism.n for _ in range(mechanism.n)] for _ in mechanism.links]
    for link in mechanism.links:
        path = mechanism.moving_path(link.index)
        for position, (a, outer) in enumerate(path):
            for b, inner in path[position:]:
                last = multiply(Q[inner.index], T[inner.parent, link.index])
                middle = multiply(Q[outer.index], multiply(T[outer.parent, inner.parent], last))
                twice, plane = multiply(T[None, outer.parent], middle), U2[link.index]
                # the derivative is the same in either order
                for j, k in [(a, b)] if outer is inner else [(a, b), (b, a)]:
                    plane[j][k] = added(plane[j][k], twice)
    return U2


def velocities(mechanism: Mechanism) -> list[Matrix]:
    """Returns Ṫ_i = Σ_j U_ij q̇_j of every link, so that Ṫ_i r is the velocity of its point r = (x, y, z, 1)."""
    rates: list[Matrix] = []
    for row in first_derivatives(mechanism):
        total = ZERO
        for U, rate in zip(row, mechanism.qd, strict=True):
            total = added(total, [[entry * rate if entry else 0 for entry in line] for line in U])
        rates.append(total)
    return rates


def velocities_of_centres(mechanism: Mechanism) -> list[list[Number]]:
    """Returns Ṫ_i r_i of the centre of mass r_i of every link, along the base's axes."""
    pairs = zip(velocities(mechanism), mechanism.links, strict=True)
    points = ((rate, [[x] for x in (*link.com, 1)]) for rate, link in pairs if link.com is not None)
    return [[row[0] for row in multiply(rate, point)[:3]] for rate, point in points]


def kinetic_energies(mechanism: Mechanism) -> list[Number]:
    """Returns K_i = ½ Σ_j Σ_k Tr(U_ij J_i U_ikᵀ) q̇_j q̇_k of every link."""
    qd = mechanism.qd
    return [
        divided(summed(D[j][k] * qd[j] * qd[k] for j in range(len(qd)) for k in range(len(qd)) if D[j][k]), 2)
        for D in inertia_of_links(mechanism)
    ]


def kinetic_energy(mechanism: Mechanism) -> Number:
    """Returns Σ K_i and the kinetic energy of the armature."""
    armature = (effect.kinetic_energy(mechanism) for effect in mechanism.effects)
    return summed((*kinetic_energies(mechanism), *armature))  # type: ignore[no-any-return]


def potential_energies(mechanism: Mechanism, T: Sequence[Matrix], J: Sequence[Matrix]) -> list[Number]:
    """Returns P_i = −gᵀ T_i J_i e4 of every link, with the row gᵀ = (g_x, g_y, g_z, 0): it is −m_i gᵀ T_i r_i."""
    energies = []
    for pose, inertia in zip(T, J, strict=True):
        moment = multiply(pose, [[row[3]] for row in inertia])
        energies.append(-summed(g * row[0] for g, row in zip(mechanism.gravity, moment, strict=False)))
    return energies


class View:
    """A view has the derivatives U_ik of T_t^i, in the frame of joint t, for the links i that t carries.

    It leaves out a coordinate k that also moves a joint inboard of t, since the view of that joint has it.
    first: the coordinate of t; J: the pseudo-inertias of these links, without zeros
    """

    def __init__(self, mechanism: Mechanism, X: Sequence[Matrix], J: Sequence[Matrix], first: int, top: Link) -> None:
        self.first, self.top, self._X = first, top, X
        self.carried = [link for link in mechanism.links if mechanism.carries(top.index, link.index)]
        self.J = {link.index: J[link.index] for link in self.carried if any(map(any, J[link.index]))}
        self._inboard = coordinates_inboard(mechanism, top)
        R = {top.index: ONE}  # rotations only: the translation of T does not enter T S
        self.U: dict[int, dict[int, Matrix]] = {top.index: {first: own_axis_matrix(top)}}
        for link in self.carried[1:]:
            i, above = link.index, _parent(link)
            R[i] = multiply(R[above], rotation(X[i]))
            self.U[i] = {k: carried(u, X[i]) for k, u in self.U[above].items()}
            if (k := self._coordinate(link)) is not None:
                _add(self.U[i], k, multiply(R[i], own_axis_matrix(link)))

    def _coordinate(self, link: Link) -> int | None:
        """Returns the coordinate of a link's joint if this view has it, else None."""
        return None if link.dof in self._inboard else link.dof

    def second_derivatives(self) -> Iterator[tuple[Link, dict[Pair, Matrix]]]:
        """Yields each link with its nonzero U_ikm, by (k, m), k ≤ m."""
        own = own_axis_matrix(self.top)
        derivatives = {self.top.index: {(self.first, self.first): multiply(own, own)}}
        yield self.top, derivatives[self.top.index]
        for link in self.carried[1:]:
            i, X, above = link.index, self._X[link.index], _parent(link)
            here = {pair: carried(u, X) for pair, u in derivatives[above].items()}
            if (k := self._coordinate(link)) is not None:
                S = own_axis_matrix(link)
                for m, u in self.U[i].items():
                    if has_rotation(u):
                        _add(here, (min(k, m), max(k, m)), multiply(u, S))
                if k in self.U[above]:
                    _add(here, (k, k), multiply(multiply(self.U[above][k], X), S))
            derivatives[i] = {pair: u for pair, u in here.items() if any(map(any, u))}
            yield link, derivatives[i]


def coordinates_inboard(mechanism: Mechanism, joint: Link) -> set[int]:
    """Returns the coordinates that move joints inboard of one."""
    return {k for k, _ in mechanism.moving_path(joint.index)[:-1]}


def inertia_coefficients(mechanism: Mechanism, views: Sequence[View]) -> Matrix:
    """Returns D_ik = Σ_j Tr(U_jk J_j U_jiᵀ), which is symmetric since J_j is."""
    D: Matrix = [[0] * mechanism.n for _ in range(mechanism.n)]
    for view in views:
        i = view.first
        for link, J in view.J.items():
            UJ = multiply(view.U[link][i], J)
            for k, u in view.U[link].items():
                D[i][k] = D[k][i] = D[i][k] + trace(u, UJ)
    return D


def velocity_coefficients(mechanism: Mechanism, views: Sequence[View]) -> list[Matrix]:
    """Returns h_ikm = Σ_j Tr(U_jkm J_j U_jiᵀ), computed once for both orders of k and m since U_jkm = U_jmk.

    Each trace is computed in the view of the first joint that occurs in it, which may be that of i, k or m.
    """
    h: list[Matrix] = [[[0] * mechanism.n for _ in range(mechanism.n)] for _ in range(mechanism.n)]
    for view in views:
        first = view.first
        for link, second in view.second_derivatives():
            if link.index not in view.J:
                continue
            U, J = view.U[link.index], view.J[link.index]
            UJ = multiply(U[first], J)
            for (k, m), turned in second.items():
                if first in (k, m):
                    weighted = multiply(turned, J)
                    traces = {i: trace(u, weighted) for i, u in U.items()}
                else:
                    traces = {first: trace(turned, UJ)}
                for i, value in traces.items():
                    h[i][k][m] = h[i][m][k] = h[i][k][m] + value
    return h


def gravity(mechanism: Mechanism, views: Sequence[View], T: Sequence[Matrix], J: Sequence[Matrix]) -> list[Number]:
    """Returns C_i = −Σ_j gᵀ U_ji J_j e4: the last column of the pseudo-inertia is the first moment m r̄ and the mass."""
    G: list[Number] = [0] * mechanism.n
    for view in views:
        i, total = view.first, COLUMN
        for link in view.carried:
            total = added(total, multiply(view.U[link.index][i], [[row[3]] for row in J[link.index]]))
        moment = multiply(T[view.top.index], total)
        G[i] = G[i] - sum(g * row[0] for g, row in zip(mechanism.gravity, moment, strict=False))
    return G


def inertia_of_links(mechanism: Mechanism) -> list[Matrix]:
    """Returns Tr(U_nj J_n U_niᵀ) for every link n, coordinate i and coordinate j, as the books print it."""
    D = []
    for link, U in zip(mechanism.links, first_derivatives(mechanism), strict=True):
        weighted = [multiply(u, link.inertia.pseudo()) for u in U]
        D.append([[trace(UJ, u) for UJ in weighted] for u in U])
    return D


def velocity_coefficients_of_links(mechanism: Mechanism) -> list[list[Matrix]]:
    """Returns Tr(U_njk J_n U_niᵀ) for every link n and coordinates i, j and k, as the books print it."""
    h = []
    for link, U, second in zip(
        mechanism.links, first_derivatives(mechanism), second_derivatives(mechanism), strict=True
    ):
        weighted = [multiply(u, link.inertia.pseudo()) for u in U]
        h.append([[[trace(u, UJ) for u in row] for row in second] for UJ in weighted])
    return h


def gravity_of_links(mechanism: Mechanism) -> list[list[Number]]:
    """Returns −g_0ᵀ U_ni J_n e4 for every link n and coordinate i."""
    G = []
    for link, U in zip(mechanism.links, first_derivatives(mechanism), strict=True):
        last = [[row[3]] for row in link.inertia.pseudo()]
        moved = (multiply(u, last) for u in U)
        G.append([-sum(g * row[0] for g, row in zip(mechanism.gravity, u, strict=False)) for u in moved])
    return G


def _add(table: dict[Any, Matrix], key: Any, more: Matrix) -> None:
    table[key] = added(table[key], more) if key in table else more


def multiply(A: Matrix, B: Matrix) -> Matrix:
    """Returns A B; zero entries, which are the majority, are skipped."""
    product = []
    for row in A:
        sums: list[Any] = [0] * len(B[0])
        for a, other in zip(row, B, strict=True):
            if a:
                for c, b in enumerate(other):
                    if b:
                        sums[c] = sums[c] + a * b if sums[c] else a * b
        product.append(sums)
    return product


def carried(U: Matrix, X: Matrix) -> Matrix:
    """Returns U X, which is U if U is only a translation."""
    return multiply(U, X) if has_rotation(U) else U


def trace(A: Matrix, B: Matrix) -> Number:
    """Returns Tr(A Bᵀ); since J is symmetric, trace(A, U J) and trace(U, A J) both are Tr(A J Uᵀ)."""
    total: Number = 0
    for row, other in zip(A, B, strict=True):
        for a, b in zip(row, other, strict=True):
            if a and b:
                total = total + a * b
    return total


def rotation(X: Matrix) -> Matrix:
    """Returns a transform's rotation, with zeros for the rest."""
    return [[*row[:3], 0] for row in X[:3]] + [[0, 0, 0, 0]]


def has_rotation(U: Matrix) -> bool:
    """Returns whether a derivative of a transform has entries outside its last column, the translation."""
    return any(U[0][:3]) or any(U[1][:3]) or any(U[2][:3])


def added(A: Matrix, B: Matrix) -> Matrix:
    return [[a + b for a, b in zip(row, other, strict=True)] for row, other in zip(A, B, strict=True)]


def _parent(link: Link) -> int:
    assert link.parent is not None
    return link.parent
