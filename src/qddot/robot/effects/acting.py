"""Defines effects that act on the coordinates of a mechanism, in its kind of number, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, TypeAlias

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.in_motion import InMotion
from qddot.algebra.spatial import Number
from qddot.robot.effects.effect import Effect, Motion
from qddot.robot.effects.kinds import KINDS

Matrix: TypeAlias = list[list[Number]]
DISSIPATION = "dissipation"  # the account of the power 2D of a dissipation function
# the cause of each loss, by the name of its account in a ledger
LOSSES = {kind.account: kind.heat for kind in KINDS.values() if kind.account} | {DISSIPATION: "dissipation function"}


class Rates(Protocol):
    """Rates has the rates and accelerations of a mechanism's coordinates."""

    @property
    def qd(self) -> Sequence[Number]: ...
    @property
    def qdd(self) -> Sequence[Number]: ...


class Jointed(Protocol):
    """This is a joint with effects, on each of its velocities."""

    @property
    def effects(self) -> Sequence[Effect]: ...
    @property
    def velocities(self) -> tuple[str, ...]: ...


class Acting(NamedTuple):
    """An effect acts on the coordinate at place `dof`, with its numbers in a mechanism's kind of number.

    q, sign, function: the coordinate, the sign of its rate and the effect's function of the rate, 0 where the effect
    does not use them
    """

    effect: Effect
    dof: int
    q: Number
    sign: Number
    function: Number

    def at(self, state: Rates) -> Motion:
        """Returns the motion of its coordinate."""
        return Motion(self.q, state.qd[self.dof], state.qdd[self.dof], self.sign, self.function)

    def torque(self, state: Rates) -> Number:
        """Returns the torque that it requires [N·m or N]."""
        return self.effect.torque(self.at(state))

    def kinetic_energy(self, state: Rates) -> Number:
        """Returns its kinetic energy [J]."""
        return self.effect.kinetic_energy(self.at(state))

    def potential_energy(self, state: Rates) -> Number:
        """Returns its potential energy [J]."""
        return self.effect.potential_energy(self.at(state))

    def loss(self, state: Rates) -> Number:
        """Returns the power that it turns into heat [W]."""
        return self.effect.loss(self.at(state))

    @property
    def coefficient(self) -> Number:
        """Returns the number to which its torque is proportional."""
        return getattr(self.effect, self.effect.linear)  # type: ignore[no-any-return]


def acting_on(joints: Iterable[Jointed], numbers: Any) -> tuple[Acting, ...]:
    """Returns the joints' effects, one for each velocity; `joints` are those with velocities of their own, in order."""
    joints = list(joints)
    firsts = accumulate((len(joint.velocities) for joint in joints), initial=0)
    return tuple(
        Acting(
            effect.over(numbers),
            first + k,
            numbers.coordinate(name) if effect.uses == "coordinate" else 0,
            numbers.sign(name) if effect.uses == "sign" else 0,
            _of_rate(effect, name, numbers),
        )
        for first, joint in zip(firsts, joints, strict=False)
        for effect in joint.effects
        for k, name in enumerate(joint.velocities)
    )


def _of_rate(effect: Effect, name: str, numbers: Any) -> Number:
    """Returns the effect's function of a coordinate's rate, 0 if it has none."""
    function = effect.of_rate(Expression.of(rate_name(name)))
    return 0 if function is None else function.evaluate(InMotion(numbers, (name,), ()))


def with_inertias(M: Sequence[Sequence[Number]], effects: Iterable[Acting]) -> Matrix:
    """Returns the bodies' M plus what the effects add to it."""
    total = [list(row) for row in M]
    for each in effects:
        total[each.dof][each.dof] = total[each.dof][each.dof] + each.effect.own_inertia()
    return total


def summed_torques(n: int, effects: Iterable[Acting], state: Rates) -> list[Number]:
    """Returns the n joint torques of some effects."""
    total: list[Number] = [0] * n
    for each in effects:
        total[each.dof] = total[each.dof] + each.torque(state)
    return total


def accounts_of(joints: Iterable[Jointed], dissipates: bool) -> list[str]:
    """Returns the accounts of the losses that occur in joints and in a dissipation function, in the order of LOSSES."""
    occurring = {effect.account for joint in joints for effect in joint.effects} | (
        {DISSIPATION} if dissipates else set()
    )
    return [account for account in LOSSES if account in occurring]


def parameters_of(arm: Any, armature: bool, friction: bool) -> list[tuple[str, int, Number]]:
    """Returns (kind, i, value): every joint's armature, then each one's coefficients of friction; 0 for none.

    kinds: the names of parameters, "Ia", "Fv" and "Fc", the coefficients of q̈_i, q̇_i and sgn q̇_i, and those of other
        effects that occur in the arm
    """
    own: dict[tuple[str, int], Number] = {}
    for each in arm.effects:
        if each.effect.parameter:
            place = each.effect.parameter, each.dof
            own[place] = own.get(place, 0) + each.coefficient
    occurring = {parameter for parameter, _ in own}
    wanted = {"armature": armature, "friction": friction}
    places = [
        (kind.parameter, i)
        for part, chosen in wanted.items()
        if chosen
        for i in range(arm.n)
        for kind in KINDS.values()
        if kind.part == part and (kind.usual or kind.parameter in occurring)
    ]
    return [(*place, own.get(place, 0)) for place in places]


def unit_torque(effects: Iterable[Acting], parameter: str, dof: int, at: Motion) -> Number:
    """Returns the torque for a unit of an effect's parameter in a joint, its column in the regressor."""
    kind = next(kind for kind in KINDS.values() if kind.parameter == parameter)
    functions = (each.function for each in effects if each.dof == dof and isinstance(each.effect, kind))
    unit = kind.with_numbers({**dict.fromkeys(kind.names(), 0), kind.linear: 1})
    return unit.torque(at._replace(function=next(functions, 0)))
