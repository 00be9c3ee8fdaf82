"""Recognizes generalized forces, F − b ẋ − k x and Kane's τ − G and −(M q̈ + h), and the energy of springs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress, product

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.words.message import Message, say
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.exact.motion import drive_symbol
from qddot.teach.check.reading.names.arm_names import ArmNames
from qddot.teach.check.reading.names.letters import candidates, is_sure
from qddot.teach.check.reading.statements.arrays import Computed

# which of the drive, the spring, the friction and the weight of a joint a generalized force has; the weight alone is G
CHOICES = [each for each in product((True, False), repeat=4) if any(each[1:]) and (each[0] or not each[3])]
STARRED = re.compile(r"(?:\*|\\ast|\\star)\s*\}?\s*$")  # the end of F_r^*, Kane's inertia force


class GivenForces:
    """These are the forces of an arm's springs and friction, with which the claims of an answer are compared."""

    def __init__(self, eq: Quantities, ring: Ring) -> None:
        self.eq, self.ring, self.coordinates, self.names = eq, ring, eq.velocities, ArmNames(ring, eq.velocities)
        exact = eq.in_joint_angles
        self.springs = [ring.convert(entry) for entry in exact.springs.entries]
        self.friction, self.gravity = (
            [ring.convert(x) for x in exact.array(name).entries] for name in ("friction", "G")
        )

    def said(self, each: Computed, others: Sequence[Computed]) -> Message | None:
        """Returns what a claim is about, if it is the energy of springs beside P or a generalized force, else None."""
        left, joint = each.claim.left, self._joint(each)
        if self._is_energy(each) and any(_may_be_gravity(other) and not self._is_energy(other) for other in others):
            return say("step-energy-of-springs")
        if joint is None or is_sure(left):
            return None
        if STARRED.search(left.text):
            is_inertia = self._is_force_of_inertia(each, joint)
            return say("step-generalized-inertia-force", joint=self.coordinates[joint]) if is_inertia else None
        return say("step-generalized-force", joint=self.coordinates[joint]) if self._is_force(each, joint) else None

    def _joint(self, each: Computed) -> int | None:
        """Returns the joint whose force a name is, if the claim is one expression without a denominator."""
        left = each.claim.left
        drive = self.names.drive(left.key) or self.names.drive(left.text) if _is_polynomial(each) else None
        return self.coordinates.index(drive.name) if drive else None

    def _is_energy(self, each: Computed) -> bool:
        """Returns whether a claim may be about an energy, and its derivatives are the torques of the springs."""
        if not any(self.springs) or not _is_polynomial(each) or not _may_be_energy(each):
            return False
        slopes = [self.ring.differentiate(each.entries[0].numerator, name) for name in self.coordinates]
        return not any(a - b for a, b in zip(slopes, self.springs, strict=True))

    def _is_force(self, each: Computed, joint: int) -> bool:
        """Returns whether a value is a joint's drive minus one or more of the torques of springs, friction and gravity.

        It may also be zero minus the torques of springs, friction or both.
        """
        value, ring, drive = each.entries[0].numerator, self.ring, drive_symbol(self.ring, self.coordinates[joint])
        driven = [ring.symbol(drive) if drive in ring.index else ring.zero]
        if any(self.names.drive(word) for word in each.claim.words):  # τ_1, which the answer may define further down
            driven.append(ring.convert(self.eq.in_joint_angles.tau.entries[joint]))
        others = -self.springs[joint], -self.friction[joint], -self.gravity[joint]
        sums = (sum(compress((first, *others), chosen), ring.zero) for first in driven for chosen in CHOICES)
        return bool(value) and any(not value - total for total in sums)

    def _is_force_of_inertia(self, each: Computed, joint: int) -> bool:
        """Returns whether a value is −(M q̈ + h) of a joint."""
        torque = self.ring.convert(self.eq.in_joint_angles.tau.entries[joint])
        others = self.gravity[joint] + self.springs[joint] + self.friction[joint]
        return not each.entries[0].numerator + torque - others


def _is_polynomial(each: Computed) -> bool:
    return each.shape == () and each.entries[0].denominator == 1


def _may_be_energy(each: Computed) -> bool:
    return any(candidate.quantity == "P" for candidate in candidates(each.claim.left))


def _may_be_gravity(each: Computed) -> bool:
    """Returns whether a claim may be about the potential energy: by its name, and since no rates occur in it."""
    kinds = each.entries[0].kinds if each.shape == () else set()
    return _may_be_energy(each) and bool(kinds - {"symbol"}) and not kinds & {"qd", "qdd"}
