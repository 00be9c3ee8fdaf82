"""Defines the contract of an effect: a record whose numbers are expressions, and its laws over any kind of number.

All other rooms go through the effects by this contract: files, tables and reports, equations and proofs, the ledger of
energy, the regressor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, NamedTuple, Self

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message

Units = tuple[tuple[str, ...], tuple[str, ...]]


class Motion(NamedTuple):
    """This is a coordinate q with its rate and acceleration, the sign of the rate, and the effect's function of it.

    q, sign and function are 0 for effects that do not use them; of friction `of_load` the function is |L|. For an
    effect between two coordinates it is their difference.
    """

    q: Number
    qd: Number
    qdd: Number
    sign: Number
    function: Number = 0


@record(slots=True)
class Effect:
    """An effect adds torques, inertia or energy to one joint. Laws that an effect does not have are zero.

    An effect between two coordinates acts on the difference of them, on the second one with the opposite torque.

    key: its name in robot files, and that of its words in reports
    incomplete: of an effect of several numbers, the code of the error where the first is missing, or a positive one
    in_table: its word in tables; because: what it does, in sentences on a term; lost: the title of its loss
    part: the name under which equations print its torque: "armature", "springs" or "friction"
    units: of its numbers, for a joint that turns and for one that slides
    uses: "coordinate" if the torque depends on q itself, "sign" if it depends on the sign of q̇, else ""
    account, heat: the name of its loss in a ledger of energy, and the cause of that loss in words
    parameter, linear: its name in the regressor, and the number of its own to which the torque is proportional
    usual: whether the regressor has its column for every joint, not only where it occurs
    power: of friction, the power of |q̇| with which it grows, 0, 1 or 2; else None, and torques have no proven bounds
    sticks: whether its torque may hold the joint at rest; at the begin of motion it is then `linear` sgn q̇
    of_load: whether it grows with the magnitude of L, the torque of its joint without friction
    steep: whether its slope is infinite at rest, so that the motion has no series there
    second: the name of its entry that holds the second coordinate, "" for an effect in one joint alone
    reflected: the power of a gear's ratio with which that number grows on the other side of the gear; 0 if it does not
        grow with a whole power
    not_negative, positive, below_one: the numbers that must not be negative, not even zero, or not reach 1, each with
        its name in messages
    """

    key: ClassVar[str] = ""
    part: ClassVar[str] = ""
    units: ClassVar[Units] = ((), ())
    uses: ClassVar[str] = ""
    account: ClassVar[str] = ""
    heat: ClassVar[str] = ""
    parameter: ClassVar[str] = ""
    linear: ClassVar[str] = ""
    usual: ClassVar[bool] = False
    power: ClassVar[int | None] = None
    sticks: ClassVar[bool] = False
    of_load: ClassVar[bool] = False
    second: ClassVar[str] = ""
    steep: ClassVar[bool] = False
    reflected: ClassVar[int] = 0
    not_negative: ClassVar[Mapping[str, Message]] = {}
    positive: ClassVar[Mapping[str, Message]] = {}
    below_one: ClassVar[Mapping[str, Message]] = {}
    incomplete: ClassVar[str]
    in_table: ClassVar[Message]
    because: ClassVar[Message]
    lost: ClassVar[Message]

    def __post_init__(self) -> None:
        for name in self.names():
            object.__setattr__(self, name, expression(getattr(self, name)))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Returns the names of its numbers."""
        return tuple(entry.name for entry in fields(cls) if entry.name != cls.second)

    @property
    def numbers(self) -> dict[str, Expression]:
        """Returns its numbers by name."""
        return {name: getattr(self, name) for name in self.names()}

    def signs(self, coordinate: str) -> dict[str, int]:
        """Returns with which signs the coordinates make up what it acts on; coordinate: that of its joint."""
        return {coordinate: 1, getattr(self, self.second): -1} if self.second else {coordinate: 1}

    def of_rate(self, rate: Expression) -> Expression | None:
        """Returns the function of the rate in its laws that is no polynomial, such as exp(−q̇²), or None.

        It is a variable of exact rings, with its derivatives, as is any other `function`.
        """
        return None

    def function(self, coordinate: str) -> Expression | None:
        """Returns what its laws have of a coordinate's motion beside polynomials and the sign, or None."""
        return self.of_rate(Expression.of(rate_name(coordinate)))

    def over(self, numbers: Any) -> Self:
        """Returns the same effect in a kind of number, in which its laws are computed."""
        return self.with_numbers({name: value.evaluate(numbers) for name, value in self.numbers.items()})

    @classmethod
    def with_numbers(cls, values: Mapping[str, Any]) -> Self:
        """Returns an effect with numbers of any kind, which are no expressions."""
        made = object.__new__(cls)
        for name, value in values.items():
            object.__setattr__(made, name, value)
        return made

    def torque(self, at: Motion) -> Number:
        """Returns the torque that it requires [N·m or N]."""
        return 0

    def own_inertia(self) -> Number:
        """Returns what it adds to M_ii [kg·m² or kg]."""
        return 0

    def kinetic_energy(self, at: Motion) -> Number:
        """Returns its kinetic energy [J]."""
        return 0

    def potential_energy(self, at: Motion) -> Number:
        """Returns its potential energy [J]."""
        return 0

    def loss(self, at: Motion) -> Number:
        """Returns the power that it turns into heat [W]."""
        return 0
