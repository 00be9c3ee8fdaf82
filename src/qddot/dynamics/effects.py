"""Effects act in the joints besides the bodies: rotors, springs, friction.

The description has each effect as data on a joint (`model/bodies.py`); here it is the same data in the kind of number
of a mechanism, with its physics. A new effect is a class here and a line in ACTING.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeAlias

from qddot.model import bodies
from qddot.spatial import Number, divided

Matrix: TypeAlias = list[list[Number]]


class Rates(Protocol):
    """The rates and accelerations of a mechanism's coordinates."""

    @property
    def qd(self) -> Sequence[Number]: ...
    @property
    def qdd(self) -> Sequence[Number]: ...


@dataclass(frozen=True)
class Effect:
    """One effect in one joint; what it does not have is zero.

    dof: the place of the joint's coordinate in q; part: the name under which equations print its torque; account:
    the name of its loss in a ledger of energy, and heat: what takes it, in words; parameter: what the regressor calls
    its coefficient
    """

    dof: int
    part: ClassVar[str] = ""
    account: ClassVar[str] = ""
    heat: ClassVar[str] = ""
    parameter: ClassVar[str] = ""

    @classmethod
    def of(cls, effect: Any, dof: int, name: str, numbers: Any) -> Effect:
        """Returns the effect of a description on the coordinate `name`, in numbers."""
        raise NotImplementedError

    def inertias(self) -> Iterator[tuple[int, int, Number]]:
        """Yields (i, j, value) for every entry of M that it adds to."""
        yield from ()

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        """Yields (i, value) for every joint torque that it adds to [N·m or N]."""
        yield from ()

    def kinetic_energy(self, state: Rates) -> Number:
        """Returns the kinetic energy [J]."""
        return 0

    def potential_energy(self) -> Number:
        """Returns the potential energy [J]."""
        return 0

    def loss(self, state: Rates) -> Number:
        """Returns the power that it turns into heat [W]."""
        return 0


@dataclass(frozen=True)
class Rotor(Effect):
    """A rotor of inertia J seen at the joint, without gyroscopic coupling: K = ½ J q̇²."""

    coefficient: Number
    part: ClassVar[str] = "rotors"
    parameter: ClassVar[str] = "Ia"

    @classmethod
    def of(cls, effect: bodies.Armature, dof: int, name: str, numbers: Any) -> Rotor:
        return cls(dof, effect.inertia.evaluate(numbers))

    def inertias(self) -> Iterator[tuple[int, int, Number]]:
        yield self.dof, self.dof, self.coefficient

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        yield self.dof, self.coefficient * state.qdd[self.dof]

    def kinetic_energy(self, state: Rates) -> Number:
        rate = state.qd[self.dof]
        return divided(self.coefficient * rate * rate, 2)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Spring(Effect):
    """A spring of stiffness k at rest at q0: P = ½ k (q − q0)²."""

    stiffness: Number
    rest: Number
    q: Number
    part: ClassVar[str] = "springs"

    @classmethod
    def of(cls, effect: bodies.Spring, dof: int, name: str, numbers: Any) -> Spring:
        stiffness, rest = (part.evaluate(numbers) for part in (effect.stiffness, effect.rest))
        return cls(dof, stiffness, rest, numbers.coordinate(name))

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        yield self.dof, self.stiffness * (self.q - self.rest)

    def potential_energy(self) -> Number:
        stretch = self.q - self.rest
        return divided(self.stiffness * stretch * stretch, 2)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Friction(Effect):
    """A torque against the motion: a coefficient times a function of the rate that has its sign."""

    coefficient: Number
    part: ClassVar[str] = "friction"

    def of_rate(self, state: Rates) -> Number:
        """Returns what the coefficient multiplies."""
        raise NotImplementedError

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        yield self.dof, self.coefficient * self.of_rate(state)

    def loss(self, state: Rates) -> Number:
        return self.coefficient * (state.qd[self.dof] * self.of_rate(state))


@dataclass(frozen=True)
class ViscousFriction(Friction):
    """A torque c q̇ against the motion."""

    account: ClassVar[str] = "viscous"
    heat: ClassVar[str] = "viscous friction"
    parameter: ClassVar[str] = "Fv"

    @classmethod
    def of(cls, effect: bodies.Viscous, dof: int, name: str, numbers: Any) -> ViscousFriction:
        return cls(dof, effect.coefficient.evaluate(numbers))

    def of_rate(self, state: Rates) -> Number:
        return state.qd[self.dof]


@dataclass(frozen=True)
class CoulombFriction(Friction):
    """A torque f sgn q̇ against the motion."""

    sign: Number
    account: ClassVar[str] = "coulomb"
    heat: ClassVar[str] = "Coulomb friction"
    parameter: ClassVar[str] = "Fc"

    @classmethod
    def of(cls, effect: bodies.Coulomb, dof: int, name: str, numbers: Any) -> CoulombFriction:
        return cls(dof, effect.coefficient.evaluate(numbers), numbers.sign(name))

    def of_rate(self, state: Rates) -> Number:
        return self.sign


# of the description: in numbers
ACTING: Mapping[type[bodies.Effect], type[Effect]] = {
    bodies.Armature: Rotor,
    bodies.Spring: Spring,
    bodies.Viscous: ViscousFriction,
    bodies.Coulomb: CoulombFriction,
}
# what takes energy, by the names of the accounts in a ledger
LOSSES = {kind.account: kind.heat for kind in ACTING.values() if kind.account}


def accounts_of(joints: Iterable[bodies.Joint]) -> list[str]:
    """The accounts of the losses that there are in these joints, in the order of ACTING."""
    there = {ACTING[type(effect)].account for joint in joints for effect in joint.effects}
    return [account for account in LOSSES if account in there]


def effects_of(joints: Iterable[bodies.Joint], numbers: Any) -> tuple[Effect, ...]:
    """Returns the effects in the joints that have a coordinate of their own, in the order of q."""
    return tuple(
        ACTING[type(effect)].of(effect, dof, str(joint.coordinate), numbers)
        for dof, joint in enumerate(joints)
        for effect in joint.effects
    )


def with_inertias(M: Sequence[Sequence[Number]], effects: Iterable[Effect]) -> Matrix:
    """Returns M of the bodies with what the effects add to it."""
    total = [list(row) for row in M]
    for effect in effects:
        for i, j, value in effect.inertias():
            total[i][j] = total[i][j] + value
    return total


def summed_torques(n: int, effects: Iterable[Effect], state: Rates) -> list[Number]:
    """Returns the torques of some effects in every joint."""
    total: list[Number] = [0] * n
    for effect in effects:
        for i, value in effect.torques(state):
            total[i] = total[i] + value
    return total


def parameters_of(arm: Any, armature: bool, friction: bool) -> list[tuple[str, int, Number]]:
    """Returns (kind, i, value): every rotor's J, then each joint's viscous and Coulomb coefficients; 0 for none.

    kinds: "Ia", "Fv", "Fc", which q̈_i, q̇_i and sgn q̇_i multiply
    """
    own: dict[tuple[str, int], Number] = {}
    for effect in arm.effects:
        if effect.parameter:
            place = effect.parameter, effect.dof
            own[place] = own.get(place, 0) + effect.coefficient
    places = [("Ia", i) for i in range(arm.n)] if armature else []
    places += [(kind, i) for i in range(arm.n) for kind in ("Fv", "Fc")] if friction else []
    return [(*place, own.get(place, 0)) for place in places]
