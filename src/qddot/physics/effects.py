"""Effects act in the joints in addition to the bodies: armature, springs, friction.

The description has each effect as data on a joint (`robot/effects.py`); here it has the same data in a mechanism's
kind of number, with its physics. A new effect is a class here and a line in ACTING.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, ClassVar, Protocol, TypeAlias

from qddot.algebra.spatial import Number, divided
from qddot.robot import effects as described
from qddot.robot.bodies import Joint
from qddot.robot.model import Model

Matrix: TypeAlias = list[list[Number]]


class Rates(Protocol):
    """Rates has the rates and accelerations of a mechanism's coordinates."""

    @property
    def qd(self) -> Sequence[Number]: ...
    @property
    def qdd(self) -> Sequence[Number]: ...


class Effect:
    """An effect acts in one joint; a quantity that it does not have is zero.

    dof: the place of the joint's coordinate in q; coefficient: the number that its torque is proportional to
    part: the name under which equations print its torque
    account: the name of its loss in a ledger of energy
    heat: the cause of that loss, in words
    parameter: the regressor's name for its coefficient
    """

    part: ClassVar[str] = ""
    account: ClassVar[str] = ""
    heat: ClassVar[str] = ""
    parameter: ClassVar[str] = ""

    def __init__(self, dof: int, coefficient: Number) -> None:
        self.dof, self.coefficient = dof, coefficient

    @classmethod
    def of(cls, effect: Any, dof: int, name: str, numbers: Any) -> Effect:
        """Returns a description's effect on the coordinate `name`, in a kind of number."""
        return cls(dof, effect.coefficient.evaluate(numbers))

    def inertias(self) -> Iterator[tuple[int, int, Number]]:
        """Yields (i, j, value) for every entry of M to which it adds a value."""
        yield from ()

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        """Yields (i, value) for every joint torque to which it adds a value [N·m or N]."""
        yield from ()

    def kinetic_energy(self, state: Rates) -> Number:
        """Returns its kinetic energy [J]."""
        return 0

    def potential_energy(self) -> Number:
        """Returns its potential energy [J]."""
        return 0

    def loss(self, state: Rates) -> Number:
        """Returns the power that it turns into heat [W]."""
        return 0


class Armature(Effect):
    """The armature is the inertia J of rotor and gears at the joint, without gyroscopic coupling: K = ½ J q̇²."""

    part: ClassVar[str] = "armature"
    parameter: ClassVar[str] = "Ia"

    @classmethod
    def of(cls, effect: described.Armature, dof: int, name: str, numbers: Any) -> Armature:
        return cls(dof, effect.inertia.evaluate(numbers))

    def inertias(self) -> Iterator[tuple[int, int, Number]]:
        yield self.dof, self.dof, self.coefficient

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        yield self.dof, self.coefficient * state.qdd[self.dof]

    def kinetic_energy(self, state: Rates) -> Number:
        rate = state.qd[self.dof]
        return divided(self.coefficient * rate * rate, 2)  # type: ignore[no-any-return]


class Spring(Effect):
    """A spring has stiffness k and rests at q0: P = ½ k (q − q0)²."""

    part: ClassVar[str] = "springs"

    def __init__(self, dof: int, stiffness: Number, rest: Number, q: Number) -> None:
        super().__init__(dof, stiffness)
        self.rest, self.q = rest, q

    @classmethod
    def of(cls, effect: described.Spring, dof: int, name: str, numbers: Any) -> Spring:
        stiffness, rest = (part.evaluate(numbers) for part in (effect.stiffness, effect.rest))
        return cls(dof, stiffness, rest, numbers.coordinate(name))

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        yield self.dof, self.coefficient * (self.q - self.rest)

    def potential_energy(self) -> Number:
        stretch = self.q - self.rest
        return divided(self.coefficient * stretch * stretch, 2)  # type: ignore[no-any-return]


class Friction(Effect):
    """Friction is a torque against the motion: a coefficient times a function of the rate that has the rate's sign."""

    part: ClassVar[str] = "friction"

    def of_rate(self, state: Rates) -> Number:
        """Returns the function of the rate that the coefficient multiplies."""
        raise NotImplementedError

    def torques(self, state: Rates) -> Iterator[tuple[int, Number]]:
        yield self.dof, self.coefficient * self.of_rate(state)

    def loss(self, state: Rates) -> Number:
        return self.coefficient * (state.qd[self.dof] * self.of_rate(state))


class ViscousFriction(Friction):
    """Viscous friction is a torque c q̇ against the motion."""

    account: ClassVar[str] = "viscous"
    heat: ClassVar[str] = "viscous friction"
    parameter: ClassVar[str] = "Fv"

    def of_rate(self, state: Rates) -> Number:
        return state.qd[self.dof]


class CoulombFriction(Friction):
    """Coulomb friction is a torque f sgn q̇ against the motion."""

    account: ClassVar[str] = "coulomb"
    heat: ClassVar[str] = "Coulomb friction"
    parameter: ClassVar[str] = "Fc"

    def __init__(self, dof: int, coefficient: Number, sign: Number) -> None:
        super().__init__(dof, coefficient)
        self.sign = sign

    @classmethod
    def of(cls, effect: described.Coulomb, dof: int, name: str, numbers: Any) -> CoulombFriction:
        return cls(dof, effect.coefficient.evaluate(numbers), numbers.sign(name))

    def of_rate(self, state: Rates) -> Number:
        return self.sign


# by the description's class, the class that has its physics
ACTING: Mapping[type[described.Effect], type[Effect]] = {
    described.Armature: Armature,
    described.Spring: Spring,
    described.Viscous: ViscousFriction,
    described.Coulomb: CoulombFriction,
}
DISSIPATION = "dissipation"  # the account of the power 2D of a dissipation function
# the cause of each loss, by the name of its account in a ledger
LOSSES = {kind.account: kind.heat for kind in ACTING.values() if kind.account} | {DISSIPATION: "dissipation function"}


def accounts_of(model: Model) -> list[str]:
    """Returns the accounts of the losses that occur in a model, in the order of LOSSES."""
    occurring = {ACTING[type(effect)].account for body in model.moving() for effect in body.joint.effects}
    occurring |= {DISSIPATION} if model.lagrangian and model.lagrangian.D else set()
    return [account for account in LOSSES if account in occurring]


def effects_of(joints: Iterable[Joint], numbers: Any) -> tuple[Effect, ...]:
    """Returns the joints' effects, one for each velocity; `joints` are those with velocities of their own, in order."""
    joints = list(joints)
    firsts = accumulate((len(joint.velocities) for joint in joints), initial=0)
    return tuple(
        ACTING[type(effect)].of(effect, first + k, name, numbers)
        for first, joint in zip(firsts, joints, strict=False)
        for effect in joint.effects
        for k, name in enumerate(joint.velocities)
    )


def with_inertias(M: Sequence[Sequence[Number]], effects: Iterable[Effect]) -> Matrix:
    """Returns the bodies' M plus what the effects add to it."""
    total = [list(row) for row in M]
    for effect in effects:
        for i, j, value in effect.inertias():
            total[i][j] = total[i][j] + value
    return total


def summed_torques(n: int, effects: Iterable[Effect], state: Rates) -> list[Number]:
    """Returns the n joint torques of some effects."""
    total: list[Number] = [0] * n
    for effect in effects:
        for i, value in effect.torques(state):
            total[i] = total[i] + value
    return total


def parameters_of(arm: Any, armature: bool, friction: bool) -> list[tuple[str, int, Number]]:
    """Returns (kind, i, value): every joint's armature, then each one's viscous and Coulomb coefficients; 0 for none.

    kinds: "Ia", "Fv" and "Fc", the coefficients of q̈_i, q̇_i and sgn q̇_i
    """
    own: dict[tuple[str, int], Number] = {}
    for effect in arm.effects:
        if effect.parameter:
            place = effect.parameter, effect.dof
            own[place] = own.get(place, 0) + effect.coefficient
    places = [("Ia", i) for i in range(arm.n)] if armature else []
    places += [(kind, i) for i in range(arm.n) for kind in ("Fv", "Fc")] if friction else []
    return [(*place, own.get(place, 0)) for place in places]
