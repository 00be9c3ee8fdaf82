"""Defines a subject of proofs in the absolute angles θ of long runs of parallel joints, and in the rates θ̇.

θ = A q with a constant A that has an inverse, so that an identity holds in θ and θ̇ if and only if it holds in q and q̇;
every route and every law is computed in θ, where it is short. By (A⁻¹)ᵀ M_q A⁻¹ = M_θ, and likewise for Γ and G, the
equations that are shown in q are compared with those that are proved. The laws are sums over the bodies and over the
effects in the joints (armature, springs, friction). The laws for the effects involve no runs of parallel joints: they
are proved in q, for joints that carry no bodies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from qddot.algebra.spatial import Number, Pose, Vec3
from qddot.base.nested_lists import flat
from qddot.base.words.message import Following, Words, say
from qddot.exact.equations.proofs.certificate import Certificate, Report
from qddot.exact.equations.proofs.subject import Decision, Differences, Identity, InNormalForm, Place
from qddot.exact.equations.proofs.verdicts import certified
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.routes import calculus
from qddot.exact.equations.shortest_angles import converted, of_absolute_angles
from qddot.physics.algorithms import newton_euler
from qddot.physics.derivation import Derivation
from qddot.physics.frames import absolute_rates as absolute
from qddot.physics.frames.parallel_joints import Before, in_absolute_angles
from qddot.robot.bodies import Body, Joint
from qddot.robot.effects.acting import with_inertias
from qddot.robot.model import Model


class InAbsoluteRates(InNormalForm):
    """These are the equations in absolute angles and their rates, together with those that are shown in q.

    angles: the names of the absolute angles, each a sum of coordinates such as q1 + q2
    """

    def __init__(self, in_q: Quantities, before: Before) -> None:
        mechanism, model = in_q.dynamics.mechanism, in_q.model
        ring = of_absolute_angles(in_q.ring, before)
        derivation = in_q.in_angles(before)
        own = Derivation(*converted((derivation.M, derivation.christoffel, derivation.G), ring.renamed))
        super().__init__(Quantities(in_absolute_angles(model, mechanism, before), ring=ring, derived=own))
        self._in_q, self._before = in_q, before
        self.joints = InNormalForm(Quantities(joints_alone(model))) if mechanism.effects else None
        self.angles = tuple(angle for angle in ring.turning if ring.turning[angle] != in_q.ring.turning[angle])

    def own_identities(self) -> Iterator[Identity]:
        """Yields the identity between the equations in q and in θ."""
        name = say("agrees-in-absolute-angles", route=self._in_q.route)
        yield name, say("law-in-absolute-angles"), self.transformation

    def transformation(self) -> Differences:
        """Yields M, Γ and G of the equations in q, transformed to θ, minus those that are proved in θ."""
        in_q, n = self._in_q, range(self._in_q.n)
        armature = with_inertias([[0] * len(n) for _ in n], in_q.dynamics.mechanism.effects)
        bodies = [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(in_q.M.nested, armature, strict=True)]
        christoffel = in_q.christoffel.nested
        turned = Derivation(bodies, christoffel, list(in_q.G.entries))
        turned = absolute.in_angles(in_q.dynamics.mechanism, self._before, turned)
        proved = self.eq
        of_all = (turned.G, proved.G), (turned.M, proved.M), (turned.christoffel, proved.christoffel)
        for ours, array in of_all:
            for place, a, b in zip(array.places, flat(ours, array.ndim), array.entries, strict=True):
                yield say("place-in-angles", entry=Place(array.name, place)), a - in_q.ring.renamed(b) if a or b else 0

    def unit_accelerations(self) -> list[list[Number]]:
        """Returns the torques of unit accelerations: derivatives of torques, which are linear in accelerations."""
        tau = newton_euler.torques(replace(self.plain, gravity=Vec3.zero(), qd=(0,) * len(self.n)))
        by_qdd = calculus(self.eq.ring).by_qdd
        assert by_qdd
        return [[by_qdd(torque, j) for j in self.n] for torque in tau]

    def decided(self, place: Words | Place, difference: Any) -> Decision:
        decision = super().decided(place, difference)
        if difference.ring is not self.ring:
            return decision
        return decision._replace(reason=Following((decision.reason, say("coordinates-for-angles"))))


def prove(eq: Quantities, before: Before, routes: Sequence[str] | None, progress: Report | None) -> Certificate:
    """Returns the certificate of all identities in absolute angles and their rates."""
    started, subject = perf_counter(), InAbsoluteRates(eq, before)
    certificate = certified([subject], routes, progress)
    return replace(certificate, model_hash=eq.model.hash, angles=subject.angles, seconds=perf_counter() - started)


def joints_alone(model: Model) -> Model:
    """Returns a model of separate joints with the effects of the original ones; they carry no masses."""
    joints = [(body.name, body.joint) for body in model.moving()]
    bodies = [Body(name, Joint(j.type, coordinate=j.coordinate, effects=j.effects)) for name, j in joints]
    return replace(model, bodies=tuple(bodies), gravity=Vec3.zero(), tool=Pose.identity(), tool_body="")
