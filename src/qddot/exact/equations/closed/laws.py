"""Proves the laws that the equations of a closed chain obey, where its loops are closed and det A_d is not zero.

The laws are identities of polynomials, which need no φ = 0. They say something about the chain because a closed
configuration at which det A_d ≠ 0 is proved: without one, the proof could be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from qddot.algebra.spatial import Pose, Vec3, inner, summed
from qddot.base.errors import few
from qddot.base.words.message import Message, Told, Words, say
from qddot.exact.equations.closed.coefficients import Coefficients, Quotient
from qddot.exact.equations.closed.left_out_conditions import LeftOut, implied
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.proofs.certificate import PROVED, VERIFIED, Certificate, Identity, shown
from qddot.exact.equations.proofs.laws import lagrange_torques
from qddot.exact.equations.proofs.subject import Differences, Judge
from qddot.exact.equations.proofs.verdicts import verdict
from qddot.physics.algorithms import closure, kinematics
from qddot.robot.bodies import BASE
from qddot.robot.closed_model import names_of_conditions
from qddot.robot.left_out import sentences

if TYPE_CHECKING:
    from qddot.machine.numeric.closed_evidence import Evidence
REGULAR, IMPLIED, HELD = Told(say("law-regular")), Told(say("law-implied")), Told(say("law-held"))
FOLLOWS, INDEPENDENT = 1e-9, 1e-6  # parts of rows of A that the kept ones do not span: of a row that follows, or not


def certified(eq: ReducedEquations, rest: LeftOut, evidence: Evidence) -> Certificate:
    """Returns the certificate of a closed chain's equations, without laws that only define the coefficients.

    rest: the conditions left out; evidence: what closed configurations tell of the choice of coordinates and conditions
    """
    started = perf_counter()
    identities = on_closed_loops(eq, rest, evidence)
    by_definition = len(eq.coefficients.implied_rows) == len(eq.choice.conditions)
    for name, law, differences in _laws(eq):
        if by_definition and differences in (coefficients, slopes):
            continue
        if differences is newton_euler and not eq.tree.dynamics.has_bodies:
            continue
        judge = Judge(eq.tree.ring if differences is constraint_jacobian else eq.coefficients.ring)
        identities.append(verdict(name, law, PROVED, ((judge, each) for each in differences(eq))))
    tree, seconds = eq.model.tree, perf_counter() - started + evidence.seconds
    certificate = Certificate(eq.model.name, tree.hash, (eq.tree.route,), tuple(identities), seconds)
    certificate = replace(certificate, left_out=tuple(sentences(tree.left_out)), note=_note(evidence))
    if evidence.configuration is None:
        return certificate
    place = tuple(evidence.configuration.items())
    return replace(certificate, configuration=place, radius=evidence.radius, determinant=evidence.determinant)


def _note(evidence: Evidence) -> str:
    """Returns the sentence on symbols without values."""
    if not evidence.lacking:
        return ""
    return Told(say("no-configuration", count=len(evidence.lacking), names=few(evidence.lacking)))


def constraint_jacobian(eq: ReducedEquations) -> Differences:
    """Yields A, computed from the links' Jacobians, minus derivatives: of φ, and of the poses of rolling wheels.

    The rows that depend on others are included.
    """
    ring, arm = eq.tree.ring, eq.tree.dynamics.mechanism
    derivatives = [[ring.differentiate(entry, name) for name in ring.coordinates] for entry in eq.phi]
    derivatives += _slips(eq)
    speeds = closure.given(arm, eq.model, [each.value for each in eq.model.on_velocities])
    derivatives += [[ring.by_rate(speed, name) for name in ring.coordinates] for speed in speeds]
    for i, (row, slopes) in enumerate(zip(closure.jacobian(arm, eq.model), derivatives, strict=True)):
        for k, (entry, slope) in enumerate(zip(row, slopes, strict=True)):
            yield f"A{i + 1}{k + 1}", entry - slope


def _slips(eq: ReducedEquations) -> list[list[Any]]:
    """Returns the velocities with which wheels slip, by joint, from derivatives of the poses of wheel and ground."""
    ring, arm = eq.tree.ring, eq.tree.dynamics.mechanism
    T = kinematics.poses(arm)
    pose = {BASE: Pose.identity(), **{link.name: T[link.index] for link in arm.links}}
    rows = []
    for each in eq.model.rolling:
        contact = pose[each.contact]
        slips = [
            _moved(pose[each.wheel], contact.p, partial(ring.differentiate, name=name))
            - _moved(pose[each.ground], contact.p, partial(ring.differentiate, name=name))
            for name in ring.coordinates
        ]
        rows += [[list(contact.R.T)[k].dot(slip) for slip in slips] for k in each.axes]
    return rows


def _moved(pose: Pose, point: Vec3, differentiate: Callable[[Any], Any]) -> Vec3:
    """Returns the derivative of a point that a link carries along."""
    carried = pose.R.T.apply(point - pose.p)
    return pose.R.map(differentiate).apply(carried) + Vec3(*map(differentiate, pose.p))


def coefficients(eq: ReducedEquations) -> Differences:
    """Yields A R of the definitions of r_kj, times the determinants of their blocks."""
    of = eq.coefficients
    names = {j: {k: of.names[k, j] for k in of.dependent} for j in range(of.m)}
    A = _conditions(eq)
    for j, own in enumerate(of.independent):
        yield from _solves(
            of, A, names[j], of.first, [row[own] for row in A], say("place-in-column", what="A R", column=j + 1)
        )


def slopes(eq: ReducedEquations) -> Differences:
    """Yields A Ṙ + Ȧ R of the definitions of r_kj,l, times the determinants of their blocks.

    Since A R = 0 holds for all q, its derivative A Ṙ + Ȧ R = 0 holds along every motion. It determines Ṙ uniquely where
    A R = 0 determines R uniquely. The slope of a coefficient that is a polynomial is thus the polynomial's derivative.
    """
    of, A = eq.coefficients, _conditions(eq)
    for j, l in of.pairs:
        names = {k: of.slopes[k, j, l] for k in of.dependent}
        place = say("place-slope-in-column", slope=f"d/dq{l + 1}", column=j + 1)
        yield from _solves(of, A, names, of.second, of.right_sides(j, l), place)


def _conditions(eq: ReducedEquations) -> list[list[Any]]:
    """Returns A over the ring of the definitions."""
    return [list(map(eq.coefficients.slope_ring.convert, row)) for row in eq.A]


def _solves(
    of: Coefficients,
    A: Sequence[Sequence[Any]],
    names: Mapping[int, str],
    quotients: Iterable[Quotient],
    right: Sequence[Any],
    what: Words,
) -> Differences:
    """Yields Σ A_ik x_k + right_i for quotients x_k by dependent coordinate, times their determinant.

    It also yields the difference of each quotient and what stands for it, times the determinants. Rows that define
    their coefficients are left out.
    """
    own_names, convert = set(names.values()), of.slope_ring.convert
    by_name = {each.name: Quotient(each.name, *map(convert, each[1:])) for each in quotients if each.name in own_names}
    for i, row in enumerate(A):
        if i in of.implied_rows:
            continue
        # all coordinates in one condition belong to one block, and have its determinant
        parts = [(row[k], by_name[names[k]]) for k in of.dependent if row[k]]
        yield (
            say("place-in-row", what=what, row=i + 1),
            summed(a * x.numerator for a, x in parts) + convert(right[i]) * parts[0][1].denominator,
        )
    for name, own in by_name.items():
        short = own.reduced if own.value is None else Quotient(name, own.value, 1)
        if short != own:
            yield name, own.numerator * short.denominator - short.numerator * own.denominator


def symmetry(eq: ReducedEquations) -> Differences:
    M, C, of = eq.array("M").nested, eq.array("C").nested, eq.coefficients
    for i in range(of.m):
        for j in range(i + 1):
            yield f"Ṁ{i + 1}{j + 1}", of.rate(M[i][j]) - C[i][j] - C[j][i]


def power(eq: ReducedEquations) -> Differences:
    """Yields dE/dt − uᵀ(Rᵀτ − friction), minus the power of a Lagrangian's forces and of the time."""
    of = eq.coefficients
    K, P = (eq.array(name).entries[0] for name in "KP")
    E = K + P + of.ring.convert(eq.tree.dynamics.spring_energy())
    torques = zip(of.u, *(eq.array(name).entries for name in ("tau", "friction")), strict=True)
    work = summed(rate * (torque - lost) for rate, torque, lost in torques)
    yield "dE/dt", of.rate(E) + of.ring.by_time(E) - work - of.moving(eq.tree.dynamics.supplied())


def newton_euler(eq: ReducedEquations) -> Differences:
    """Yields h − C u, and the torques of the tree's links, which R multiplies, minus those of the reduced equations."""
    of = eq.coefficients
    for j, (h, row) in enumerate(zip(eq.array("h").entries, eq.array("C").nested, strict=True)):
        yield f"h{j + 1}", h - inner(row, of.u)
    yield from _reduced(eq, eq.tree.dynamics.inverse_dynamics())


def lagrange(eq: ReducedEquations) -> Differences:
    """Yields Lagrange's equations of the energies as they are given, which R multiplies, minus the reduced ones."""
    yield from _reduced(eq, lagrange_torques(eq.tree.dynamics, eq.tree.ring))


def _reduced(eq: ReducedEquations, torques: Sequence[Any]) -> Differences:
    """Yields torques of all coordinates, which R multiplies, minus those of the reduced equations."""
    of = eq.coefficients
    torques = [of.moving(torque) for torque in torques]
    for j, torque in enumerate(eq.array("tau").entries):
        yield f"tau{j + 1}", inner((row[j] for row in of.R), torques) - torque


LAWS: Sequence[tuple[Words, Words, Any]] = (
    ("A q̇ = 0", say("law-from-jacobians"), constraint_jacobian),
    ("A R = 0", say("law-coefficients"), coefficients),
    ("A Ṙ + Ȧ R = 0", say("law-slopes"), slopes),
    (say("matrix-is-skew", matrix="dM̄/dt − 2C̄"), "uᵀ C̄ u = ½ uᵀ (dM̄/dt) u", symmetry),
    (say("law-power"), "dE/dt = uᵀ (Rᵀτ − friction)", power),
    (say("law-reduced-newton"), "Rᵀ τ(q, R u, R u̇ + Ṙ u)", newton_euler),
)

POWER_OF_ENERGIES = (say("law-power"), "Ė = uᵀ(Rᵀ(τ + Q) − friction) − ∂L/∂t", power)
OF_ENERGIES = (say("law-reduced-lagrange"), say("law-reduced-energies"), lagrange)


def _laws(eq: ReducedEquations) -> Sequence[tuple[Words, Words, Any]]:
    """Returns the laws; if there are no links, with Lagrange's own equations and all that has a power."""
    if eq.model.tree.lagrangian is None:
        return LAWS
    laws = (POWER_OF_ENERGIES if law[2] is power else law for law in LAWS)
    return [*laws, OF_ENERGIES]


def on_closed_loops(eq: ReducedEquations, rest: LeftOut, evidence: Evidence) -> list[Identity]:
    """Returns what is known of the rank of A and of the conditions left out.

    That A_d, the kept rows of A in the columns of the dependent coordinates, is regular is proved at one closed
    configuration, and thus holds near it as well: the rank of A is at least that of the kept rows. It is no larger if
    the other rows are combinations of these, which is proved where it holds for all q, and else verified.
    """
    identities = list[Identity]()
    if not evidence.lacking:
        identities.append(_regular(eq, evidence, rest))
    if rest.everywhere:
        told = say("count-of-rows", count=len(rest.everywhere)) if rest.there else _rank(eq)
        judge, law = Judge(eq.coefficients.ring), say("for-all-q", what=told)
        identities.append(verdict(IMPLIED, law, PROVED, ((judge, each) for each in implied(eq, rest))))
    if rest.there or (rest.moving and evidence.configuration is not None):
        identities.append(_held(eq, evidence, rest))
    return identities


def _rank(eq: ReducedEquations) -> Message:
    """Returns the rank of A and the mobility that follows."""
    n, rank = eq.model.tree.n, len(eq.choice.conditions)
    return say("rank-of-conditions", rank=rank, m=f"{n} − {rank} = {n - rank}")


def _regular(eq: ReducedEquations, evidence: Evidence, rest: LeftOut) -> Identity:
    """Returns the line on det A_d at the closed configuration."""
    if evidence.configuration is None:
        lacks = Told(say("law-regular-on-loops"))
        return Identity(REGULAR, lacks, "undecided", evidence.seconds, 1, Told(evidence.refused))
    lower, upper = evidence.determinant
    whole = not (rest.everywhere or rest.there)
    rank = _rank(eq) if whole else say("rank-at-least", rank=len(eq.choice.conditions))
    radius = f" ± {(upper - lower) / 2:.0e}" if upper > lower else ""
    law = say("rank-and-determinant", rank=rank, determinant=f"{shown((lower + upper) / 2)}{radius}")
    return Identity(REGULAR, Told(law), PROVED, evidence.seconds, 1)


def _held(eq: ReducedEquations, evidence: Evidence, rest: LeftOut) -> Identity:
    """Returns the line on conditions that are not proved to follow from the others."""
    names, follows = names_of_conditions(eq.model), Told(say("law-follows"))
    examined = few([names[i] for i in rest.there or rest.moving])
    if evidence.configuration is None:
        detail = say("conditions-not-examined", names=examined)
        return Identity(HELD, follows, "undecided", 0.0, 0, Told(detail))
    part = max((each.part for each in evidence.left), default=0.0)
    if part > FOLLOWS:
        worst = max(evidence.left, key=lambda each: each.part)
        detail = say("condition-does-not-follow", name=worst.name, part=f"{worst.part:.2g}")
        decision = "false" if part > INDEPENDENT else "undecided"
        return Identity(HELD, follows, decision, 0.0, evidence.examined, Told(detail))
    key = "conditions-combined-in-doubles" if rest.there else "conditions-in-doubles"
    residual, spread, most = (f"{size:.0e}" for size in (evidence.residual, part, FOLLOWS))
    detail = say(key, names=examined, residual=residual, part=spread, most=most)
    law = say("at-closed-configurations", what=_rank(eq) if rest.there else "φ = 0", count=evidence.examined)
    return Identity(HELD, Told(law), VERIFIED, 0.0, evidence.examined, Told(detail))
