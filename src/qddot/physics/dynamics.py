"""Defines the interface to an arm's dynamics, which does not depend on how the model is described.

τ = M q̈ + h + G + springs + friction over one kind of number, in the state that the mechanism holds. Two
implementations compute the bodies' part: `of_links` from links with inertias, `of_entries` from equations that are
given entry by entry. The effects in the joints are added here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, ClassVar, Protocol, Self, TypeAlias

from qddot.algebra.numbers.paired import paired
from qddot.algebra.spatial import Force, Number, divided
from qddot.physics.algorithms import energies
from qddot.physics.derivation import Derivation
from qddot.physics.mechanism import Mechanism
from qddot.robot.effects.acting import Acting, summed_torques, with_inertias

if TYPE_CHECKING:
    from qddot.physics.algorithms.external_wrenches import ExternalWrenches

Matrix: TypeAlias = list[list[Number]]
Torques: TypeAlias = list[Number]
# frames to compute in: the links' own; at the joints, with inertias regrouped for the fewest constants; or also slid
# along the joints' axes
OWN, AT_JOINTS, SLID = "own", "at joints", "slid"
Loads: TypeAlias = Callable[[], Torques]
OUTSIDE = ("friction", "springs", "forces")  # the names of torques that are added to those of the bodies


class Slopes(Protocol):
    """Slopes computes derivatives at the current state in one kind of number."""

    def by_q(self, values: Sequence[Number]) -> Matrix:
        """Returns ∂/∂q of each value, one row per value."""
        ...

    def by_rates(self, values: Sequence[Number]) -> Matrix:
        """Returns ∂/∂q̇ of each value, one row per value."""
        ...

    def along_the_motion(self, values: Sequence[Number]) -> list[Number]:
        """Returns d/dt of each value with constant rates."""
        ...

    def with_accelerations_held(self, torques: Callable[[Sequence[Number]], Torques]) -> tuple[Matrix, Matrix]:
        """Returns (∂τ/∂q, ∂τ/∂q̇) of torques that are a function of q̈; q̈ is held constant."""
        ...


class Dynamics(ABC):
    """These are the equations of motion of one arm.

    arm: its links in the frames of the description, its state and the effects in its joints
    has_bodies: whether the links have inertias, so that there are reactions, a regressor and other derivations
    """

    has_bodies: ClassVar[bool]

    def __init__(self, mechanism: Callable[[], Mechanism], wrenches: ExternalWrenches | None = None) -> None:
        """mechanism: a function that returns the arm; it is called when the arm is first needed"""
        self._mechanism = mechanism
        self.wrenches = wrenches

    @cached_property
    def mechanism(self) -> Mechanism:
        return self._mechanism()

    @property
    def moving(self) -> Mechanism:
        """Returns the arm in the frames in which external wrenches act on it."""
        return self.mechanism

    @cached_property
    def external(self) -> Sequence[Force]:
        """Returns the external wrench on each link of `moving`; empty if there is none."""
        return self.wrenches.on(self.moving) if self.wrenches else ()

    # the bodies' part

    @abstractmethod
    def body_mass_matrix(self) -> Matrix:
        """Returns M (n × n) without the effects in joints."""

    @abstractmethod
    def body_torques(self) -> Torques:
        """Returns M q̈ + h + G of the bodies, minus what external wrenches supply."""

    @abstractmethod
    def gravity_torques(self) -> Torques:
        """Returns G = ∂P/∂q."""

    @abstractmethod
    def velocity_torques(self) -> Torques:
        """Returns h = C q̇, which is exactly zero at rest."""

    @abstractmethod
    def without_weight(self) -> Torques:
        """Returns M q̈ + h of the bodies."""

    @abstractmethod
    def kinetic_energy(self, at_links: bool = True) -> Number:
        """Returns K, armature included [J].

        at_links: whether to compute it in the links' own frames, not in those with the fewest constants
        """

    @abstractmethod
    def potential_energy(self, at_links: bool = True) -> Number:
        """Returns P of gravity [J]."""

    @abstractmethod
    def coriolis_matrix(self, slopes: Slopes | None = None) -> Matrix:
        """Returns C_ij = Σ_k Γ_ijk q̇_k; slopes may save operations."""

    @abstractmethod
    def body_derivatives(self, slopes: Slopes) -> tuple[Matrix, Matrix, Matrix]:
        """Returns (∂τ/∂q, ∂τ/∂q̇, M) of the bodies at constant accelerations."""

    @abstractmethod
    def bias_beside_derivatives(self, slopes: Slopes) -> Torques:
        """Returns `bias` with the fewest operations if the bodies' derivatives are computed as well."""

    @abstractmethod
    def explicit_derivation(self) -> Derivation | None:
        """Returns M, Γ and G if the model itself contains them, else None."""

    @property
    def lagrangian(self) -> tuple[Number, Number, Torques] | None:
        """Returns L = K − P, D and Q that the model contains in place of links, else None."""
        return None

    @property
    def has_short_mass_matrix_along_base(self) -> bool:
        """Returns whether M takes fewer operations along the base's axes."""
        return False

    @property
    def has_short_coriolis_matrix_along_base(self) -> bool:
        """Returns whether C takes fewer operations along the base's axes."""
        return False

    # with the effects in the joints

    def mass_matrix(self) -> Matrix:
        """Returns M, armature included."""
        return with_inertias(self.body_mass_matrix(), self.mechanism.effects)

    def effects(self, part: str, loads: Loads | None = None) -> list[Acting]:
        """Returns the effects that equations print under one name: "armature", "springs" or "friction".

        loads: returns L, on whose magnitude friction may depend, if it is not that of the mechanism's motion
        """
        loads = cache(loads or (lambda: self.loads(self.body_torques(), self.torques_of("armature"))))
        return [each.under(loads) for each in self.mechanism.effects if each.effect.part == part]

    def loads(self, bodies: Torques, armature: Torques) -> Torques:
        """Returns L, the torques without friction, from those of the bodies and of armature."""
        parts = bodies, armature, self.torques_of("springs"), self.torques_of("forces")
        return [a + b + c + d for a, b, c, d in zip(*parts, strict=True)]

    def torques_of(self, part: str, loads: Loads | None = None) -> Torques:
        """Returns the joint torques of the effects with one name; loads: as in `effects`"""
        return summed_torques(self.mechanism.n, self.effects(part, loads), self.mechanism)

    def outside(self, loads: Loads | None = None) -> Torques:
        """Returns the torques of friction and springs, and of a Lagrangian's forces; loads: as in `effects`"""
        parts = [self.torques_of(part, loads) for part in OUTSIDE]
        return [a + b + c for a, b, c in zip(*parts, strict=True)]

    def inverse_dynamics(self) -> Torques:
        """Returns τ, all effects included."""
        bodies, armature = self.body_torques(), self.torques_of("armature")
        parts = bodies, armature, self.outside(lambda: self.loads(bodies, armature))
        return [a + b + c for a, b, c in zip(*parts, strict=True)]

    def bias(self) -> Torques:
        """Returns τ at q̈ = 0."""
        return self.with_accelerations([0] * self.mechanism.n).inverse_dynamics()

    def following(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> Self:
        """Returns the same arm with q̈_r and with rates that are paired with those of a reference motion.

        The torques of its bodies are M q̈_r + C q̇_r + G, and its regressor is that of these torques.
        """
        c: Torques = [0] * self.mechanism.n
        for (k, j), terms in self.mechanism.brackets.items():
            for place, factor in terms:
                c[place] = c[place] + self.mechanism.qd[k] * qd_r[j] * factor
        moved = self.with_accelerations([a + divided(own, 2) for a, own in zip(qdd_r, c, strict=True)])
        return moved._with_rates(paired(self.mechanism.qd, qd_r))

    def coriolis_torques(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> Torques:
        """Returns M q̈_r + C q̇_r, armature included, with C as `coriolis_matrix` returns it."""
        armature = self.with_accelerations(qdd_r).torques_of("armature")
        return [a + b for a, b in zip(self.following(qd_r, qdd_r).without_weight(), armature, strict=True)]

    def slotine_torques(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> Torques:
        """Returns M q̈_r + C q̇_r + G, and the springs and the friction of q̇, whose load is that of these torques."""
        bodies, armature = self._slotine_parts(qd_r, qdd_r)
        parts = bodies, armature, self.outside(lambda: self.loads(bodies, armature))
        return [a + b + c for a, b, c in zip(*parts, strict=True)]

    def slotine_loads(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> Torques:
        """Returns `slotine_torques` without friction."""
        return self.loads(*self._slotine_parts(qd_r, qdd_r))

    def _slotine_parts(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> tuple[Torques, Torques]:
        armature = self.with_accelerations(qdd_r).torques_of("armature")
        return self.following(qd_r, qdd_r).body_torques(), armature

    def torque_derivatives(self, slopes: Slopes) -> tuple[Matrix, Matrix, Matrix]:
        """Returns (∂τ/∂q, ∂τ/∂q̇, M), all effects included, at constant accelerations."""
        by_q, by_qd, M = self.body_derivatives(slopes)
        outside = self.outside()
        beside = slopes.by_q(outside), slopes.by_rates(outside)
        full = [
            [[a + b for a, b in zip(row, more, strict=True)] for row, more in zip(rows, extra, strict=True)]
            for rows, extra in zip((by_q, by_qd), beside, strict=True)
        ]
        return full[0], full[1], with_inertias(M, self.mechanism.effects)

    def spring_energy(self) -> Number:
        """Returns Σ ½ k (q − q0)² of the springs [J]."""
        return sum((each.potential_energy(self.mechanism) for each in self.mechanism.effects), start=0)

    def loss(self, account: str, loads: Loads | None = None) -> Number:
        """Returns the power lost to one kind of friction: "viscous" or "coulomb" [W]; loads: as in `effects`"""
        acting = (each for each in self.effects("friction", loads) if each.effect.account == account)
        return sum((each.loss(self.mechanism) for each in acting), start=0)

    def supplied(self) -> Number:
        """Returns the power that a Lagrangian's generalized forces and prescribed motions supply [W]."""
        return 0

    def momentum(self) -> list[Number]:
        """Returns p = M q̇."""
        return energies.momentum(self.mass_matrix(), self.mechanism.qd)

    def with_accelerations(self, qdd: Sequence[Number]) -> Self:
        """Returns the same arm with other accelerations."""
        moved = copy(self)
        moved.mechanism = replace(self.mechanism, qdd=tuple(qdd))
        return moved

    def _with_rates(self, qd: Sequence[Number]) -> Self:
        """Returns the same arm with other rates."""
        moved = copy(self)
        moved.mechanism = replace(self.mechanism, qd=tuple(qd))
        return moved
