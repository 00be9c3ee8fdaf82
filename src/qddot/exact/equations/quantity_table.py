"""Lists the quantities of the equations of motion, and the intermediate results of the routes to them.

A new quantity is a record in Attributes: the library, the command line, textbook forms, reports and proofs
then have it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

from qddot.algebra.spatial import divided, summed
from qddot.exact.equations import entry_laws as laws
from qddot.exact.equations.quantity import Derived, Entries, Law, Others, Place, Quantity, Style, quantities_in
from qddot.physics.algorithms import coriolis, kinematics
from qddot.physics.algorithms.kinematics import jacobian_rows
from qddot.robot.effects.acting import with_inertias

SHOWN = ("M", "h", "G")  # the quantities that are shown by default
JOINT_PARTS = ("springs", "friction", "forces")  # torques in addition to those of the bodies
BY_SLOPES = ("composite", "com_jacobian", "screw")  # the routes that derive Γ from the slopes of M


def _torques(of: Others) -> list[Any]:
    inertial = (summed(a * b for a, b in zip(row, of.qdd, strict=True)) for row in of["M"])
    others = zip(*(of[name] for name in ("h", "G", *JOINT_PARTS)), strict=True)
    return [summed((first, *rest)) for first, rest in zip(inertial, others, strict=True)]


def _lagrangian(eq: Derived) -> Any:
    given = eq.dynamics.lagrangian
    return given[0] if given else eq.dynamics.kinetic_energy() - eq.dynamics.potential_energy()


def _kinetic_energy(of: Others) -> Any:
    """Returns ½ q̇ᵀ M q̇, computed from one entry of each symmetric pair."""
    rows, rates = of["M"], of.qd
    squares = summed(divided(rows[i][i] * rate * rate, 2) for i, rate in enumerate(rates))
    return squares + summed(rows[i][j] * rates[i] * rates[j] for i in range(len(rates)) for j in range(i))


def _jacobians(eq: Derived) -> Any:
    mechanism = eq.dynamics.mechanism
    T = kinematics.poses(mechanism)
    return [jacobian_rows(kinematics.jacobian(mechanism, link.index, T=T)) for link in mechanism.links]


def _jacobians_of_centres(eq: Derived) -> Any:
    mechanism = eq.centred
    T = kinematics.poses(mechanism)
    return [jacobian_rows(kinematics.jacobian(mechanism, link.index, link.com, T)) for link in mechanism.links]


def _central_tensors(eq: Derived) -> Any:
    tensors = (link.inertia.central_tensor(kinematics.centre_of_mass(link)) for link in eq.centred.links)
    return [list(map(list, tensor.rows())) for tensor in tensors]


def _places_of_products(n: int) -> tuple[Place, ...]:
    return tuple((i, j, k) for i in range(n) for j, k in combinations(range(n), 2))


class Attributes:
    """This has the quantities as attributes of an object that returns them by name."""

    M = Quantity(
        sentence="The mass matrix, armature included.",
        entries=lambda eq: with_inertias(eq.derivation.M, eq.dynamics.mechanism.effects),
        covariant=2,
        symmetric=(0, 1),
        in_constants=True,
        told="mass",
        laws={"dh4x4": laws.inertia, "com_jacobian": laws.inertia_by_jacobians},
    )
    christoffel = Quantity(
        sentence="Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i).",
        entries=lambda eq: eq.derivation.christoffel,
        symmetric=(1, 2),
        in_constants=True,
        told="christoffel",
        uses=("M",),
        style=Style("Γ", "Gamma"),
        laws={"dh4x4": laws.velocity_coefficient, **dict.fromkeys(BY_SLOPES, laws.christoffel_by_slopes)},
    )
    C = Quantity(
        sentence="C_ij = Σ_k Γ_ijk q̇_k.",
        follows=lambda of: coriolis.coriolis_matrix(of["christoffel"], of.qd),
        told="coriolis matrix",
        uses=("christoffel",),
    )
    B = Quantity(
        sentence="The coefficients of q̇_j q̇_k, columns (1,2), (1,3) … (n−1,n).",
        follows=lambda of: coriolis.coriolis_products(of["christoffel"]),
        places=_places_of_products,
        told="coriolis",
        uses=("christoffel",),
    )
    C2 = Quantity(
        sentence="The coefficients of q̇_j².",
        follows=lambda of: coriolis.centrifugal_matrix(of["christoffel"]),
        told="centrifugal",
        uses=("christoffel",),
        style=Style("C2", "C", above="(2)"),
    )
    h = Quantity(
        sentence="The velocity torques C q̇.",
        follows=lambda of: coriolis.velocity_torques(of["christoffel"], of.qd),
        told="velocity torques",
        uses=("C",),
    )
    G = Quantity(
        sentence="The gravity torques ∂P/∂q, without springs.",
        entries=lambda eq: eq.derivation.G,
        covariant=1,
        in_constants=True,
        told="weights",
        uses=("P",),
        laws={"dh4x4": laws.gravity, "com_jacobian": laws.gravity_by_jacobians},
    )
    springs = Quantity(
        sentence="The spring torque k (q − q0) of each joint.",
        entries=lambda eq: eq.dynamics.torques_of("springs"),
        covariant=1,
        style=Style("springs", "tau", above="s"),
    )
    friction = Quantity(
        sentence="The friction torque c q̇ + f sgn q̇ of each joint.",
        entries=lambda eq: eq.dynamics.torques_of("friction"),
        covariant=1,
        style=Style("friction", "tau", above="f"),
    )
    forces = Quantity(
        sentence="The torques of a Lagrangian that are neither inertial nor of P and D: those of terms of K that are "
        "linear in the rates, and ∂²K/∂q̇∂t, minus generalized forces Q. They are zero for links.",
        entries=lambda eq: eq.dynamics.torques_of("forces"),
        covariant=1,
        style=Style("forces", "tau", above="Q"),
    )
    tau = Quantity(
        sentence="M q̈ + h + G + springs + friction + forces, the torques that the motion requires.",
        follows=_torques,
        in_constants=True,
        told="scalar",
        uses=("M", "h", "G", *JOINT_PARTS),
    )
    K = Quantity(
        sentence="The kinetic energy of the bodies and the armature.",
        entries=lambda eq: eq.dynamics.kinetic_energy(),
        follows=_kinetic_energy,
        told="kinetic energy",
        uses=("M",),
    )
    P = Quantity(
        sentence="The potential energy −Σ m gᵀ p_c, without springs.",
        entries=lambda eq: eq.dynamics.potential_energy(),
        in_constants=True,
        told="energies",
        uses=("p_c",),
    )
    L = Quantity(
        sentence="The Lagrangian K − P, or the one that is given in place of links; springs and friction are not in it "
        "but added as torques.",
        entries=_lagrangian,
        follows=lambda of: of["K"] - of["P"],
        uses=("K", "P"),
        style=Style("L", "ℒ"),
    )

    I_c = Quantity(
        sentence="The inertia tensor −∫p̂ p̂ dm of every body about its centre of mass, along its own axes; it may have "
        "the symbols of p_c.",
        entries=_central_tensors,
        of_centres=True,
        symmetric=(1, 2),
        axes=2,
        style=Style("I_c", "ℐ"),
    )
    I_o = Quantity(
        sentence="The inertia tensor of every body about its frame's origin, I_c − m ĉ ĉ by the parallel-axis theorem.",
        entries=lambda eq: [list(map(list, link.inertia.I.rows())) for link in eq.dynamics.mechanism.links],
        symmetric=(1, 2),
        axes=2,
        style=Style("I_o", "I", above="o"),
    )
    pseudo_inertia = Quantity(
        sentence="The pseudo-inertia ∫p pᵀ dm of every body, of points p = (x, y, z, 1) in its own frame.",
        entries=lambda eq: [link.inertia.pseudo() for link in eq.dynamics.mechanism.links],
        symmetric=(1, 2),
        axes=2,
        style=Style("Jbar", "J", bar=True),
    )

    A = Quantity(
        sentence="The pose of every body's frame in that of its parent, so that T_i = T_parent A_i.",
        entries=lambda eq: [link.X.pose().matrix() for link in eq.dynamics.mechanism.links],
        kinematic=True,
        told="local",
        axes=2,
    )
    T = Quantity(
        sentence="The pose of every body's frame in the base frame.",
        entries=lambda eq: [pose.matrix() for pose in kinematics.poses(eq.dynamics.mechanism)],
        kinematic=True,
        told="poses",
        uses=("A",),
        axes=2,
        style=Style("T", "T", frame="0"),
    )
    T_tool = Quantity(
        sentence="The pose of the tool's frame in the base frame.",
        entries=lambda eq: kinematics.tool_pose(eq.dynamics.mechanism).matrix(),
        kinematic=True,
        told="tool",
        uses=("T",),
        axes=2,
        style=Style("T_tool", "T", below="tool", frame="0"),
    )
    p_c = Quantity(
        sentence="The centre of mass of every body in the base frame; the centre of a body that is described by its "
        "first moment has symbols cx1, cy1, cz1 in its own frame.",
        entries=lambda eq: [list(p) for p in kinematics.centres_of_mass(eq.centred)],
        kinematic=True,
        of_centres=True,
        told="centres",
        uses=("T",),
        axes=1,
        style=Style("p_c", "p", below="c"),
    )
    J = Quantity(
        sentence="The Jacobian of every body's origin in base axes, linear rows first.",
        entries=_jacobians,
        covariant=1,
        kinematic=True,
        axes=2,
    )
    J_c = Quantity(
        sentence="The Jacobian of every body's centre of mass in base axes, linear rows first; it may contain the "
        "symbols of p_c.",
        entries=_jacobians_of_centres,
        covariant=1,
        kinematic=True,
        of_centres=True,
        axes=2,
        style=Style("J_c", "J", below="c"),
    )
    J_tool = Quantity(
        sentence="The Jacobian of the tool's origin in base axes, linear rows first.",
        entries=lambda eq: jacobian_rows(kinematics.tool_jacobian(eq.dynamics.mechanism)),
        covariant=1,
        kinematic=True,
        axes=2,
        style=Style("J_tool", "J", below="tool"),
    )


QUANTITIES = quantities_in(Attributes, Quantity)


class EntriesByName:
    """These are the entries of quantities by name: those that are given, and those that follow from them.

    entries_of: returns the entries of a quantity that does not follow from others, or is in `own`
    """

    def __init__(
        self, entries_of: Callable[[str], Entries], qd: Sequence[Any], qdd: Sequence[Any], own: Collection[str] = ()
    ) -> None:
        self.qd, self.qdd = qd, qdd
        self._given, self._own = entries_of, own
        self._known: dict[str, Entries] = {}

    def __getitem__(self, name: str) -> Entries:
        if name not in self._known:
            follows = None if name in self._own else QUANTITIES[name].follows
            self._known[name] = follows(self) if follows else self._given(name)
        return self._known[name]


def entries_of(eq: Derived) -> EntriesByName:
    """Returns the entries of all quantities of an arm as nested lists."""
    mechanism = eq.dynamics.mechanism
    own = {name: each.entries for name, each in QUANTITIES.items() if each.entries}
    return EntriesByName(lambda name: own[name](eq), mechanism.qd, mechanism.qdd, own)


def _step(
    text: str,
    head: str,
    axes: int = 0,
    symmetric: tuple[int, int] | None = None,
    in_constants: bool = False,
    by_4x4: Law | None = None,
    **style: Any,
) -> Quantity:
    """by_4x4: the law of its entries by the route dh4x4"""
    of_route = {"dh4x4": by_4x4} if by_4x4 else None
    named = Style(text, head, **style)
    return Quantity(axes=axes, symmetric=symmetric, in_constants=in_constants, style=named, laws=of_route)


# intermediate results, which a route or a report computes
STEPS: Mapping[str, Quantity] = {
    "M_r": _step("M_r", "M", above="r"),
    "M_rate": _step("Md", "M", 0, (0, 1), in_constants=True, dots=1),
    "M_q": _step("M_q", "M", 2, (1, 2), in_constants=True, below="q"),
    "P_s": _step("P_s", "P", above="s"),
    "tau_bodies": _step("tau_bodies", "tau", above="b"),
    "Q": _step("Q", "Q", 2),
    "U": _step("U", "U", 2, by_4x4=laws.derivative),
    "T_rate": _step("Td", "T", 2, by_4x4=laws.velocity, frame="0", dots=1),
    "dp_c": _step("dp_c", "p", 1, by_4x4=laws.velocity_of_centre, below="c", dots=1),
    "U_ijk": _step("U", "U", 2, (1, 2), by_4x4=laws.derivative),
    "h_ikm": _step("h", "h", 0, (1, 2), in_constants=True, by_4x4=laws.velocity_coefficient),
    "D_links": _step("D", "D", 2, (1, 2)),
    "h_links": _step("h", "h", 0, (2, 3)),
    "G_links": _step("G_c", "G", 1, below="c"),
    "T_c": _step("T_c", "T", 2, below="c", frame="0"),
    "z": _step("z", "z", 1),
    "o": _step("o", "o", 1),
    "Jv": _step("Jv", "J", 2, below="v"),
    "Jw": _step("Jw", "J", 2, below="omega"),
    "w_base": _step("w_base", "omega", 1, frame="0"),
    "I_base": _step("I_base", "ℐ", 2, (1, 2), frame="0"),
    "M_v": _step("M_v", "M", 2, (1, 2), below="v"),
    "M_w": _step("M_w", "M", 2, (1, 2), below="omega"),
    "m_ijk": _step("m", "m", 0, (0, 1), in_constants=True),
    "b_ijk": _step("b", "b", 0, (1, 2), in_constants=True),
    "Phi": _step("Phi", "Phi", 1),
    "S": _step("S", "𝒮", 1),
    "M_home": _step("M_home", "H", 2),
    "exponential": _step("E", "ℰ", 2),
    "B_body": _step("B_body", "ℬ", 1),
    "J_body": _step("J_body", "J", 2, below="b"),
    "V": _step("V", "V", 1),
    "ad_V": _step("ad_V", "ad", 2, below="V"),
    "dV": _step("dV", "V", 1, dots=1),
    "F_b": _step("F_b", "F", 1, below="b"),
    "M_b": _step("M_b", "M", 2, (1, 2), below="b"),
    "spatial_inertia": _step("spatial_inertia", "𝒢", 2, (1, 2)),
    "composite_inertia": _step("composite_inertia", "I", 2, (1, 2), above="c"),
    "F_c": _step("F_c", "F", 1, above="c"),
    "g_links": _step("gamma", "gamma", 1),
    "W": _step("W", "W", 1),
    "K_links": _step("K", "K", by_4x4=laws.kinetic_energy),
    "P_links": _step("P", "P", by_4x4=laws.potential_energy),
    "dL_dqd": Quantity(in_constants=True),
    "dp": _step("dp", "p", in_constants=True, dots=1),
    "dL_dq": Quantity(in_constants=True),
    "v": _step("v", "v", 1),
    "v_c": _step("v_c", "v", 1, below="c"),
    "a_c": _step("a_c", "v", 1, below="c", dots=1),
    "N_c": _step("N_c", "N", 1, below="c"),
    "w": _step("w", "omega", 1),
    "dw": _step("dw", "omega", 1, dots=1),
    "a": _step("a", "v", 1, dots=1),
    "F": _step("F", "F", 1),
    "N": _step("N", "N", 1),
    "f": _step("f", "f", 1),
    "n": _step("n", "n", 1),
    "axis": _step("axis", "e", 1),
    "to_axis": _step("to_axis", "rho", 1),
    "n_axis": _step("n_axis", "n", 1, above="e"),
    "eta": _step("eta", "eta"),
}
# those of closed chains; M_t, C_t and G_t are the tree's
STEPS_OF_CHAINS: Mapping[str, Quantity] = {
    "A_d": _step("A_d", "A", 2, below="d"),
    "A_i": _step("A_i", "A", 2, below="i"),
    "adj": _step("adj", "adj", 2),
    "det": _step("det", "det"),
    "R_rate": _step("Rd", "R", 2, dots=1),
    "M_t": _step("M_t", "M", symmetric=(0, 1), above="t"),
    "C_t": _step("C_t", "C", above="t"),
    "G_t": _step("G_t", "G", above="t"),
    "M_R": _step("M_R", "M", above="R"),
    "C_R": _step("C_R", "C", above="R"),
}
UNKNOWN = Quantity()


def bases(name: str) -> list[str]:
    """Returns the quantities that determine one: itself if it does not follow from others."""
    if not record_of(name).follows:
        return [name]
    return [base for each in QUANTITIES[name].uses for base in bases(each)]


def told(kinematic: bool) -> list[str]:
    """Returns the names of the quantities that reports give, each after those to which they refer with it."""
    names: dict[str, None] = {}

    def visit(name: str) -> None:
        if QUANTITIES[name].kinematic == kinematic:
            for each in QUANTITIES[name].uses:
                visit(each)
            names[name] = None

    for name in QUANTITIES:
        visit(name)
    return [name for name in names if QUANTITIES[name].told]


def of_motion() -> list[str]:
    """Returns the names of the quantities that are no poses or Jacobians."""
    return [name for name, each in QUANTITIES.items() if not each.kinematic]


def record_of(name: str) -> Quantity:
    """Returns the record of a quantity or a step; that of any other name says nothing."""
    return QUANTITIES.get(name) or STEPS.get(name) or STEPS_OF_CHAINS.get(name) or UNKNOWN
