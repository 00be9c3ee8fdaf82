"""Lists the laws of mechanics that the equations of an arm obey; each law yields differences that must vanish."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.algebra.numbers.state_numbers import Differentiable
from qddot.algebra.spatial import Pose, Rotation, Twist, Vec3, inner, summed
from qddot.base.nested_lists import flat, shape_of
from qddot.base.words.message import Words, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.proofs.subject import Differences, Identity, Place, Subject
from qddot.exact.equations.quantity_table import QUANTITIES, EntriesByName
from qddot.exact.equations.routes import Route, calculus
from qddot.physics.algorithms import energies, kinematics
from qddot.physics.algorithms.newton_euler import inverse_dynamics, inward, joint_torques
from qddot.physics.derivation import LagrangeTerms
from qddot.physics.dynamics import Dynamics
from qddot.physics.mechanism import Link, Mechanism
from qddot.robot.effects.acting import with_inertias

# the kinds of models for which a law may hold
LINKS, ENTRIES = "links with inertias", "entries that are given"
ENERGIES, GENERAL = "a Lagrangian that is given", "a Lagrangian that is not quadratic in the rates"
IN_TIME = "a Lagrangian that depends on the time"
COORDINATES, QUASI = "rates of coordinates", "quasi-velocities"  # the kinds of velocities for which a law may hold


class Law(NamedTuple):
    """A law is an identity that the equations of every arm satisfy.

    sentence: the statement; differences: the expressions that must vanish
    needs: the kinds of models for which the law holds, by default all
    of: COORDINATES if it holds for rates of coordinates only, QUASI if it is about quasi-velocities only
    in_rates: whether the differences contain rates
    formula_of: the quantity whose formula in others it proves, if any
    """

    name: Words
    sentence: Words
    differences: Callable[[Subject], Differences]
    needs: Sequence[str] = (LINKS, ENTRIES, ENERGIES)
    of: str = ""
    in_rates: bool = False
    formula_of: str = ""


def identities(subject: Subject, routes: Sequence[Route]) -> Iterator[Identity]:
    """Yields the identities that apply: the subject's own, those with other routes, and the laws."""
    yield from subject.own_identities()
    for route in routes:
        if route.name != subject.route and subject.has(route):
            name = f"{route.name} ≡ {subject.route}"
            yield name, subject.in_routes, partial(subject.compared, route)
    there = _kind_of(subject)
    velocities = QUASI if subject.mechanism.brackets else COORDINATES
    for law in LAWS:
        if there in law.needs and law.of in ("", velocities) and (subject.has_rates or not law.in_rates):
            yield law.name, law.sentence, partial(_of_all, law.differences, subject)
    proved = {law.formula_of for law in LAWS}
    for name, quantity in QUANTITIES.items() if subject.has_rates else ():
        if quantity.entries and quantity.follows and name not in proved:
            yield say("by-its-formula", name=name), quantity.sentence, partial(_of_all, partial(formula, name), subject)


def _kind_of(subject: Subject) -> str:
    if subject.dynamics.has_bodies:
        return LINKS
    of = subject.model.lagrangian
    if of is None:
        return ENTRIES
    return GENERAL if not of.is_quadratic else IN_TIME if of.time else ENERGIES


def _of_all(differences: Callable[[Subject], Differences], subject: Subject) -> Differences:
    yield from differences(subject)
    if subject.joints:
        yield from differences(subject.joints)


def formula(name: str, subject: Subject) -> Differences:
    """Yields the entries of a quantity minus those that follow from other quantities."""
    others = EntriesByName(subject.__getitem__, subject.mechanism.qd, subject.mechanism.qdd)
    shape = shape_of(subject[name])
    entries = flat(subject[name], len(shape)), flat(others[name], len(shape))
    for place, ours, theirs in zip(product(*map(range, shape)), *entries, strict=True):
        yield Place(name, place), ours - theirs


def newton_euler(subject: Subject) -> Differences:
    parts = subject.body_torques, subject.dynamics.torques_of("armature"), subject.dynamics.outside()
    for i, (bodies, armature, outside) in enumerate(zip(*parts, strict=True)):
        yield f"tau{i + 1}", subject["tau"][i] - (bodies + armature + outside)


def symmetry(subject: Subject) -> Differences:
    """Yields M minus its transpose, and M minus the torques of unit accelerations at rest."""
    M, unit = subject["M"], subject.unit_accelerations()
    for i in subject.n:
        for j in subject.n:
            yield f"M{i + 1}{j + 1} − M{j + 1}{i + 1}", M[i][j] - M[j][i]
            yield say("place-by-unit-accelerations", entry=f"M{i + 1}{j + 1}"), M[i][j] - unit[i][j]


def skew(subject: Subject) -> Differences:
    M, C = subject["M"], subject["C"]
    rate = {(i, j): subject.ring.time_derivative(M[i][j]) for i in subject.n for j in range(i + 1)}
    for i in subject.n:
        for j in range(i + 1):
            yield f"Ṁ{i + 1}{j + 1}", rate[i, j] - (C[i][j] + C[j][i])


def skew_at_fixed_time(subject: Subject) -> Differences:
    """Yields Σ_k q̇_k ∂M/∂q_k − C − Cᵀ."""
    M, C = subject["M"], subject["C"]
    for i in subject.n:
        for j in range(i + 1):
            slopes = (subject.by_q(M[i][j], k) for k in subject.n)
            yield f"Ṁ{i + 1}{j + 1}", inner(slopes, subject.mechanism.qd) - (C[i][j] + C[j][i])


def skew_in_entries(subject: Subject) -> Differences:
    """Yields X_k M_ij − Γ_ijk − Γ_jik: Ṁ − C − Cᵀ vanishes for all ν if and only if these do."""
    M, christoffel = subject["M"], subject["christoffel"]
    for i in subject.n:
        for j in range(i + 1):
            for k in subject.n:
                slope = subject.by_q(M[i][j], k)
                yield f"X{k + 1} M{i + 1}{j + 1}", slope - (christoffel[i][j][k] + christoffel[j][i][k])


def power(subject: Subject) -> Differences:
    E = subject["K"] + subject["P"] + subject.dynamics.spring_energy()
    parts = []
    for i, name in enumerate(subject.model.coordinates):
        # each rate is multiplied once, by a difference in which much cancels
        torque = subject["tau"][i] - subject["friction"][i] - subject["forces"][i]
        parts.append((subject.by_q(E, i) - torque) * subject.mechanism.qd[i])
        parts.append(subject.ring.by_rate(E, name) * subject.mechanism.qdd[i])
    yield "dE/dt", summed(parts)


def power_in_general(subject: Subject) -> Differences:
    """Yields dE/dt − q̇ᵀ(τ − ∂D/∂q̇ + Q) + ∂L/∂t of E = q̇·∂L/∂q̇ − L."""
    parts = zip(subject.mechanism.qd, subject["tau"], subject["friction"], strict=True)
    supplied = summed((torque - lost) * rate for rate, torque, lost in parts) + subject.dynamics.supplied()
    yield "dE/dt", subject.ring.time_derivative(subject["K"] + subject["P"]) - supplied


def power_in_entries(subject: Subject) -> Differences:
    """Yields ∂K/∂ν − M ν, and X_i E at rest minus the torque there.

    dE/dt − νᵀ(τ − friction) is ν̇ᵀ times the first plus νᵀ times the second, plus ½ νᵀ(Ṁ − 2C)ν, which vanishes since
    Ṁ − 2C is skew.
    """
    at_rest = subject["P"] + subject.dynamics.spring_energy()
    for i, p in enumerate(energies.momentum(subject["M"], subject.mechanism.qd)):
        yield f"∂K/∂ν{i + 1}", subject.ring.by_rate(subject["K"], subject.model.coordinates[i]) - p
        yield (
            say("place-at-rest", entry=f"X{i + 1} E"),
            subject.by_q(at_rest, i) - (subject["G"][i] + subject["springs"][i]),
        )


def christoffel(subject: Subject) -> Differences:
    """Yields Γ_ijk − Γ_ikj, and the Γ_iji that are zero since no joint of q_i carries a joint of q_j."""
    christoffel = subject["christoffel"]
    for i in subject.n:
        if not _carries_itself(subject, i):
            yield Place("christoffel", (i, i, i)), christoffel[i][i][i]
        for j in subject.n:
            if i != j and not _carries(subject, i, j):
                # in a chain with i > j, M_ii is the inertia outboard of joint i, which q_j does not change
                yield Place("christoffel", (i, j, i)), christoffel[i][j][i]
            for k in range(j):
                yield Place("christoffel", (i, j, k)), christoffel[i][j][k] - christoffel[i][k][j]


def koszul(subject: Subject) -> Differences:
    """Yields Γ_ijk − Γ_ikj − Σ_l c^l_kj M_li."""
    M, christoffel = subject["M"], subject["christoffel"]
    armature = with_inertias([[0] * subject.model.n for _ in subject.n], subject.mechanism.effects)
    for i in subject.n:
        for j in subject.n:
            for k in range(j):
                terms = subject.mechanism.brackets.get((k, j), ())
                turned = summed((M[place][i] - armature[place][i]) * c for place, c in terms)
                yield Place("christoffel", (i, j, k)), christoffel[i][j][k] - christoffel[i][k][j] - turned


def brackets(subject: Subject) -> Differences:
    """Yields X_a X_b f − X_b X_a f − Σ_l c^l_ab X_l f for each entry f of the positions, in a ring of positions."""
    names, freedoms = subject.model.coordinates, subject.model.freedoms
    ring = Ring(Variables(names, freedoms=freedoms))
    quasi = sorted({place for pair in subject.mechanism.brackets for place in pair})
    for f in map(ring.coordinate, subject.model.quasi_positions):
        slopes = {a: ring.differentiate(f, names[a]) for a in quasi}
        for a in quasi:
            for b in quasi:
                bracket = summed(slopes[place] * c for place, c in subject.mechanism.brackets.get((a, b), ()))
                both = ring.differentiate(slopes[b], names[a]) - ring.differentiate(slopes[a], names[b])
                yield say("place-of-bracket", first=names[a], second=names[b]), both - bracket


def slopes(subject: Subject) -> Differences:
    """Yields 2Γ minus the derivatives of M that define it."""
    M, christoffel = subject["M"], subject["christoffel"]
    for i in subject.n:
        for j in subject.n:
            for k in range(j + 1):
                slopes = subject.by_q(M[i][j], k) + subject.by_q(M[i][k], j) - subject.by_q(M[j][k], i)
                yield Place("christoffel", (i, j, k)), christoffel[i][j][k] * 2 - slopes


def _carries(subject: Subject, i: int, j: int) -> bool:
    """Returns whether joint i moves joint j."""
    moving = subject.mechanism.moving
    return any(subject.mechanism.carries(a.index, b.index) for k, a in moving if k == i for m, b in moving if m == j)


def _carries_itself(subject: Subject, i: int) -> bool:
    """Returns whether a joint of q_i carries another joint of q_i, so that M_ii depends on q_i."""
    moved = [link.index for k, link in subject.mechanism.moving if k == i]
    return any(subject.mechanism.carries(a, b) for a in moved for b in moved if a != b)


def jacobians(subject: Subject) -> Differences:
    """Yields Jacobians of origins and centres of mass, and those of the routes, minus derivatives of positions.

    A free base carries each link as one rigid body: once its own columns are derivatives, those of the links are
    compared along its axes.
    """
    at_home, bases = _with_free_bases_at_home(subject.mechanism), _free_bases(subject.mechanism)
    yield from _columns(subject, subject.mechanism, bases, ())
    yield from _columns(subject, at_home, at_home.links, bases)
    bodies = kinematics.body_jacobians(subject.mechanism)
    yield from _same_twists(at_home, bodies)
    if "Jv" in subject.steps:
        yield from _centre_jacobians(subject, subject.steps["p_c"], subject.steps["Jv"])
    if "J_body" in subject.steps:
        yield from _body_jacobians(subject, subject.steps["J_body"], bodies)


def _columns(subject: Subject, mechanism: Mechanism, links: Sequence[Link], rigid: Sequence[Link]) -> Differences:
    """Yields the Jacobians of links minus derivatives; rigid: the bases whose motion carries them as rigid bodies"""
    T = kinematics.poses(mechanism)
    for link in links:
        i, R = link.index, T[link.index].R
        columns = [(T[i].p, kinematics.jacobian(mechanism, i, None, T))]
        if link.com:
            columns.append((T[i].apply(link.com), kinematics.jacobian(mechanism, i, link.com, T)))
        for p, jacobian in columns:
            for j, column in enumerate(jacobian):
                base = next((b for b in rigid if j in b.places and mechanism.carries(b.index, i)), None)
                field = T[base.index].adjoint(base.column(j)) if base else None
                slopes = _carried(field, p, R) if field else _slopes(subject, p, R, j)
                own = (column or Twist.zero()) + -_spin(subject, mechanism, link, j, T)
                yield from _column(link.name, j, R, slopes, own)


def _spin(subject: Subject, mechanism: Mechanism, link: Link, j: int, T: Sequence[Pose]) -> Twist:
    """Returns the twist of a rotor for a unit of rate j that its frame does not follow; zero for other links."""
    path = (mechanism.links[k] for k in mechanism.paths[link.index] if subject.model.bodies[k].joint.kind.is_rotor)
    turns = (T[each.index].R.apply(each.column(j).w) for each in path if j in each.places)
    return Twist(sum(turns, start=Vec3.zero()), Vec3.zero())


def _slopes(subject: Subject, p: Vec3, R: Rotation, j: int) -> list[Vec3]:
    """Returns the derivatives of a point and of a frame's axes."""
    return [x.map(lambda entry: subject.by_q(entry, j)) for x in (p, *R.T)]


def _carried(field: Twist, p: Vec3, R: Rotation) -> list[Vec3]:
    """Returns the velocities of a point and of a frame's axes that a twist at the origin carries."""
    return [field.v + field.w.cross(p), *(field.w.cross(axis) for axis in R.T)]


def _column(link: str, j: int, R: Rotation, slopes: Sequence[Vec3], twist: Twist) -> Differences:
    linear, angular = (say("place-of-link", what=what, link=link, column=j + 1) for what in ("Jv", "Jω"))
    for name, slope, entry in zip("xyz", slopes[0], twist.v, strict=True):
        yield say("place-on-axis", place=linear, axis=name), slope - entry
    for axis, turned in zip(R.T, slopes[1:], strict=True):
        for slope, entry in zip(turned, twist.w.cross(axis), strict=True):
            yield angular, slope - entry


def _same_twists(mechanism: Mechanism, bodies: list[list[Twist | None]]) -> Differences:
    """Yields body Jacobians, along the world's axes, minus those of origins."""
    T = kinematics.poses(mechanism)
    for link in mechanism.links:
        world, R = kinematics.jacobian(mechanism, link.index, None, T), T[link.index].R
        for j, (body, column) in enumerate(zip(bodies[link.index], world, strict=True)):
            here, there = body or Twist.zero(), column or Twist.zero()
            for a, b in zip((*R.apply(here.w), *R.apply(here.v)), there, strict=True):
                yield say("place-of-link", what="J_body", link=link.name, column=j + 1), a - b


def _centre_jacobians(subject: Subject, p_c: ExactArray, Jv: ExactArray) -> Differences:
    for j, name in enumerate(subject.model.coordinates):
        for p, entry in zip(p_c.entries, Jv[:, :, j].entries, strict=True):
            yield say("place-of-centres", column=j + 1), p_c.ring.differentiate(p, name) - entry


def _body_jacobians(subject: Subject, J: ExactArray, bodies: list[list[Twist | None]]) -> Differences:
    n = len(subject.n)
    for link in subject.mechanism.links:
        own = J.entries[6 * n * link.index : 6 * n * (link.index + 1)]
        for j, column in enumerate(bodies[link.index]):
            for a, b in zip(own[j::n], column or Twist.zero(), strict=True):
                yield say("place-by-exponentials", link=link.name, column=j + 1), a - b


def kinetic_energy(subject: Subject) -> Differences:
    in_base = energies.kinetic_energy_in_base(_with_free_bases_at_home(subject.mechanism))
    yield say("place-of-axes"), energies.kinetic_energy(subject.mechanism) - in_base
    qd = subject.mechanism.qd
    twice = inner(qd, energies.momentum(subject["M"], qd))
    yield "K − ½ q̇ᵀ M q̇", subject["K"] * 2 - twice


def _with_free_bases_at_home(mechanism: Mechanism) -> Mechanism:
    """Returns the arm with the world's axes along those of a free base, where Jacobians and energy have fewer terms."""
    homes = [base.index for base in _free_bases(mechanism)]
    links = (link.moved(link.kind.home) if link.index in homes else link for link in mechanism.links)
    return replace(mechanism, links=tuple(links)) if homes else mechanism


def _free_bases(mechanism: Mechanism) -> list[Link]:
    return [link for link in mechanism.links if link.kind.is_free and link.parent is None]


def twists(subject: Subject) -> Differences:
    """Yields the power of the bodies' wrenches along their twists minus τᵀq̇, without armature, springs and friction.

    With quasi-velocities it yields a difference for each joint: torques of these wrenches minus Newton's and Euler's.
    """
    mechanism, links = subject.mechanism, subject.mechanism.links
    if "V" in subject.steps:
        twists = (entry for twist in mechanism.twists for entry in twist)
        place = say("place-by-jacobian")
        yield from ((place, a - b) for a, b in zip(subject.steps["V"].entries, twists, strict=True))
    V, A = mechanism.twists, kinematics.twist_rates(mechanism)
    if mechanism.brackets:
        # a wrench has the same power with the twist of the link that it is carried to. What is carried to the joints
        # is each wrench minus that of Newton and Euler, since carrying is linear
        F = [energies.wrench_by_products(link.inertia, V[link.index], A[link.index]) for link in links]
        others = inverse_dynamics(mechanism).inertial
        differences = [here + -other for here, other in zip(F, others, strict=True)]
        torques = joint_torques(mechanism, zip(links, inward(mechanism, differences), strict=True))
        yield from ((say("place-by-twists", entry=f"tau{j + 1}"), torque) for j, torque in enumerate(torques))
        return
    F = [link.inertia.wrench(V[link.index], A[link.index]) for link in links]
    supplied = summed(rate * torque for rate, torque in zip(mechanism.qd, subject.body_torques, strict=True))
    yield "Σ V·F − τᵀq̇", energies.power(mechanism, V, F) - supplied


def gravity(subject: Subject) -> Differences:
    for k in subject.n:
        yield f"G{k + 1}", subject["G"][k] - subject.by_q(subject["P"], k)


def lagrange(subject: Subject) -> Differences:
    """Yields d/dt ∂L/∂q̇ − ∂L/∂q + ∂D/∂q̇ − Q of the Lagrangian as it is given, minus the torques that are printed."""
    for i, torque in enumerate(lagrange_torques(subject.dynamics, subject.ring)):
        yield f"tau{i + 1}", torque - subject["tau"][i]


def lagrange_torques(dynamics: Dynamics, numbers: Differentiable) -> list[Any]:
    """Returns d/dt ∂L/∂q̇ − ∂L/∂q + ∂D/∂q̇ − Q of a Lagrangian that is given."""
    assert dynamics.lagrangian, "a model with a Lagrangian"
    L, D, Q = dynamics.lagrangian
    tau = LagrangeTerms.of(L, dynamics.mechanism.n, calculus(numbers)).tau
    lost = (numbers.by_rate(D, name) for name in numbers.coordinates)
    return [summed(parts) for parts in zip(tau, lost, (-force for force in Q), strict=True)]


LAWS = (
    Law(
        "d/dt ∂L/∂q̇ − ∂L/∂q = τ",
        say("law-given-energies"),
        lagrange,
        (ENERGIES, GENERAL, IN_TIME),
        in_rates=True,
        formula_of="L",
    ),
    Law(say("law-newton-lagrange"), "τ = M q̈ + C q̇ + G", newton_euler, (LINKS,), in_rates=True),
    Law(say("law-symmetry"), say("law-unit-accelerations"), symmetry, (LINKS,)),
    Law(say("matrix-is-skew", matrix="Ṁ − 2C"), "Ṁ = C + Cᵀ", skew, of=COORDINATES, in_rates=True),
    Law(
        say("matrix-is-skew", matrix="Ṁ − ∂M/∂t − 2C"),
        "Σ q̇_k ∂M/∂q_k = C + Cᵀ",
        skew_at_fixed_time,
        (IN_TIME,),
        in_rates=True,
    ),
    Law(say("matrix-is-skew", matrix="Ṁ − 2C"), "X_k M_ij = Γ_ijk + Γ_jik", skew_in_entries, of=QUASI),
    Law(say("law-power"), "dE/dt = q̇ᵀ(τ − friction)", power, of=COORDINATES, in_rates=True),
    Law(say("law-power"), "Ė = q̇ᵀ(τ − ∂D/∂q̇ + Q) − ∂L/∂t", power_in_general, (GENERAL, IN_TIME), in_rates=True),
    Law(say("law-power"), "dE/dt = νᵀ(τ − friction)", power_in_entries, of=QUASI, in_rates=True),
    Law(say("law-christoffel"), say("law-christoffel-zeros"), christoffel, (LINKS,), COORDINATES),
    Law(say("law-brackets"), "X_a X_b − X_b X_a = Σ c^l_ab X_l", brackets, (LINKS,), QUASI),
    Law(say("law-quasi-christoffel"), "Γ_ijk − Γ_ikj = Σ c^l_kj M_li", koszul, (LINKS,), QUASI),
    Law(
        say("law-christoffel-of-mass-matrix"), "2Γ_ijk = M_ij,k + M_ik,j − M_jk,i", slopes, (ENTRIES, ENERGIES, IN_TIME)
    ),
    Law("Jv = ∂p/∂q, [Jω] = ∂R/∂q Rᵀ", say("law-jacobians"), jacobians, (LINKS, ENTRIES)),
    Law(
        say("law-kinetic-energy"), say("law-kinetic-energies"), kinetic_energy, (LINKS,), in_rates=True, formula_of="K"
    ),
    Law(say("law-twists"), "Σ V·(𝒢V̇ − ad_Vᵀ𝒢V) = τᵀq̇", twists, (LINKS,), in_rates=True),
    Law("G = ∂P/∂q", say("law-gravity"), gravity, (LINKS, ENTRIES, ENERGIES, GENERAL, IN_TIME)),
)
