"""Defines effects that act on the coordinates of a mechanism, in its kind of number, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from operator import add, neg
from typing import Any, NamedTuple, Protocol, TypeAlias

from qddot.algebra.expressions.expression import Applied
from qddot.algebra.numbers.in_motion import InMotion, applied_to
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
    """An effect acts on a coordinate, or on the difference of two, with its numbers in a mechanism's kind of number.

    along: (place in q̇, ±1) of its coordinates, the joint's own first
    q, sign, function: the coordinate or difference, the sign of its rate and the effect's function of the rate, 0
        where the effect does not use them
    magnitude: of friction that grows with L, the function from one that computes L to |L|
    """

    effect: Effect
    along: tuple[tuple[int, int], ...]
    q: Number
    sign: Number
    function: Number
    magnitude: Callable[[Callable[[], Number]], Number] | None = None

    def under(self, loads: Callable[[], Sequence[Number]]) -> Acting:
        """Returns the same with |L| in friction that grows with it; loads: returns L of each joint, if it is needed"""
        if self.magnitude is None:
            return self
        return self._replace(function=self.magnitude(lambda: loads()[self.dof]))

    @property
    def dof(self) -> int:
        """Returns the place in q̇ of its joint's own coordinate."""
        return self.along[0][0]

    def at(self, state: Rates) -> Motion:
        """Returns the motion of its coordinate, or of the difference."""
        qd, qdd = ([signed(s, rates[k]) for k, s in self.along] for rates in (state.qd, state.qdd))
        return Motion(self.q, reduce(add, qd), reduce(add, qdd), self.sign, self.function)

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
    places = {name: k for k, name in enumerate(name for joint in joints for name in joint.velocities)}

    def acting(effect: Effect, name: str) -> Acting:
        signs = effect.signs(name)
        uses_q, along = effect.uses == "coordinate", tuple((places[each], sign) for each, sign in signs.items())
        q = reduce(add, (signed(sign, numbers.coordinate(each)) for each, sign in signs.items())) if uses_q else 0
        sign = numbers.sign(name) if effect.uses == "sign" else 0
        function = effect.function(name)
        if function is not None and effect.of_load:
            atom = next(atom for atom in function.atoms() if isinstance(atom, Applied))
            return Acting(effect.over(numbers), along, q, sign, 0, partial(applied_to, numbers, atom))
        value = 0 if function is None else function.evaluate(InMotion(numbers, (name,), ()))
        return Acting(effect.over(numbers), along, q, sign, value)

    return tuple(acting(effect, name) for joint in joints for effect in joint.effects for name in joint.velocities)


def signed(sign: int, x: Number) -> Number:
    """Returns x or −x."""
    return x if sign > 0 else neg(x)


def with_inertias(M: Sequence[Sequence[Number]], effects: Iterable[Acting]) -> Matrix:
    """Returns the bodies' M plus what the effects add to it."""
    total = [list(row) for row in M]
    for each in effects:
        for i, a in each.along:
            for j, b in each.along:
                total[i][j] = total[i][j] + signed(a * b, each.effect.own_inertia())
    return total


def summed_torques(n: int, effects: Iterable[Acting], state: Rates) -> list[Number]:
    """Returns the n joint torques of some effects."""
    total: list[Number] = [0] * n
    for each in effects:
        torque = each.torque(state)
        for place, sign in each.along:
            total[place] = total[place] + signed(sign, torque)
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
        effects that occur in the arm; of those between two coordinates only in the joints that have them
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
        if kind.part == part
        and (kind.usual or ((kind.parameter, i) in own if kind.second else kind.parameter in occurring))
    ]
    return [(*place, own.get(place, 0)) for place in places]


def unit_column(
    effects: Iterable[Acting],
    parameter: str,
    dof: int,
    qd: Sequence[Number],
    qdd: Sequence[Number],
    sign: Number,
) -> list[Number]:
    """Returns the torques for a unit of an effect's parameter in a joint, its column in the regressor.

    effects: those in the joints, with |L|; qd, qdd: the rates and accelerations of all joints; sign: that of the
        joint's rate
    """
    kind = next(kind for kind in KINDS.values() if kind.parameter == parameter)
    own = (each for each in effects if each.dof == dof and isinstance(each.effect, kind))
    unit = kind.with_numbers({**dict.fromkeys(kind.names(), 0), kind.linear: 1})
    one = next(own, Acting(unit, ((dof, 1),), 0, 0, 0))._replace(effect=unit, q=0, sign=sign)
    return summed_torques(len(qd), [one], _Rates(qd, qdd))


class _Rates(NamedTuple):
    qd: Sequence[Number]
    qdd: Sequence[Number]
