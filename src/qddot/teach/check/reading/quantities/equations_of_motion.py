"""Reads equations of motion as torques of joints, and equations for speeds as rows of the tool's Jacobian."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TypeAlias

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import ExpressionError
from qddot.base.words.message import say
from qddot.teach.check.reading.answer import Entry
from qddot.teach.check.reading.exact.comparing import agrees
from qddot.teach.check.reading.exact.motion import drive_symbol, follows, is_of_motion, solved, torque_of
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.quantities.entries import Entries
from qddot.teach.check.reading.quantities.known_steps import KnownSteps
from qddot.teach.check.reading.quantities.points import Points, points_at_speed, row_of_jacobian
from qddot.teach.check.reading.statements.arrays import Computed, Rows, Speeds
from qddot.teach.check.reading.statements.claims import Balance, Claim

LIKELY = 0.5  # fraction of its terms in which an equation must resemble that of a joint
ROUNDING = Fraction(1, 200)  # relative error of a calculation with three digits
Source: TypeAlias = Claim | Balance


class EquationsOfMotion:
    """This adds equations without a name. values: the answer's values of symbols"""

    def __init__(self, entries: Entries, values: Mapping[str, Fraction], known: KnownSteps) -> None:
        self.entries, self.values, self.known = entries, values, known
        self.eq, self.ring, self.names = entries.eq, entries.ring, entries.eq.velocities
        self.points = Points()

    def add(self, each: Rows[Entry] | Speeds[Entry]) -> None:
        """Adds equations of motion as torques of joints; raises ExpressionError for any other equation."""
        if isinstance(each, Speeds):
            self._add_speeds(each)
        else:
            self._add_rows(each.balance, each.entries, each.of_energy, each.rate)

    def _add_rows(self, claim: Source, rows: Sequence[Entry], of_energy: bool, rate: Computed | None = None) -> None:
        holds = [agrees(row, 0) if of_energy else not row.numerator for row in rows]
        if all(holds):
            self._note("reading-agrees", claim)
            return
        if rate is not None and (what := self.known.of_routes(rate.claim.left, rate.entries)):
            name = rate.claim.left.text
            self.entries.notes.add(say("reading-as-there", name=name, where=claim.where, meaning=what))
            return
        for row in (row for row, is_true in zip(rows, holds, strict=True) if not is_true):
            self._add_balance(claim, row.numerator, of_energy)

    def _add_balance(self, claim: Source, balance: Polynomial, of_energy: bool) -> None:
        if of_energy and not self.has_drive(balance):
            raise ExpressionError("not-from-energies", where=claim.where)
        if self._is_calculation(balance):
            self._add_calculation(claim, balance)
            return
        if not is_of_motion(balance, self.ring):
            raise ExpressionError("no-accelerations-or-torques", where=claim.where)
        torque = torque_of(balance, self.eq, self.ring, self._images(balance))
        is_solved = torque.share < LIKELY or self._lacks_couplings(balance, torque.joint)
        if is_solved and self._add_solved(claim, balance):
            return
        entry = Entry((torque.joint,), torque.numerator, torque.denominator, claim.text, claim.where)
        self.entries.add_entries("tau", [entry._replace(balance=balance)])
        if not self.has_drive(balance):
            self.entries.notes.add(say("reading-equation-without-torque", joint=self.names[torque.joint]))

    def _lacks_couplings(self, balance: Polynomial, joint: int) -> bool:
        """Returns whether an equation has one acceleration although the exact one of the joint has several."""
        exact = self.entries.exact.array("tau").entries[joint]
        return _accelerations(balance) == 1 < _accelerations(exact)

    def _is_calculation(self, balance: Polynomial) -> bool:
        """Returns whether an equation has only symbols with values, as m l = 0.21."""
        return all(each.kind == "symbol" and each.name in self.values for each in balance.generators())

    def _add_calculation(self, claim: Source, balance: Polynomial) -> None:
        """Notes a calculation with the answer's values; raises ExpressionError if it is wrong."""
        generators = self.ring.generators
        terms: list[Fraction] = [
            number * prod(self.values[generators[k].name] ** power for k, power in powers.items())
            for powers, number in balance.powers()
        ]
        if abs(sum(terms, Fraction(0))) > ROUNDING * max((abs(term) for term in terms), default=Fraction(0)):
            raise ExpressionError("false-for-values", where=claim.where)
        self._note("reading-holds-for-values", claim)

    def _add_solved(self, claim: Source, balance: Polynomial) -> bool:
        """Adds a wrong equation a q̈ = b for one acceleration, and the exact one; returns whether it has this form."""
        form = None if follows(balance, self.eq, self.ring) else solved(balance, self.eq, self.ring)
        if form is None:
            return False
        entry = Entry((form.joint,), form.yours, self.ring.convert(1), claim.text, claim.where)
        self.entries.add_entries("tau", [entry._replace(balance=balance, exact=form.exact)])
        self._note("reading-judged-as-solved", claim, joint=self.names[form.joint])
        return True

    def add_named(self, each: Computed) -> None:
        """Adds values that a script names eq1 or eom: torques, or expressions with torques that are zero."""
        if any(self.has_drive(value.numerator) for value in each.entries):
            self._add_rows(each.claim, each.entries, of_energy=False)
            return
        for value in each.entries:
            joint = torque_of(value.numerator, self.eq, self.ring).joint
            self.entries.add_entries("tau", [value._replace(place=(joint,))])
            self.entries.guess(each.claim.left.text, "tau", say("step-torque", joint=self.names[joint]))

    def _images(self, balance: Polynomial) -> dict[str, Polynomial]:
        """Returns the values of the arm's symbols if an equation has numbers instead of symbols, else nothing."""
        if set(self.eq.model.symbols) & {generator.name for generator in balance.generators()}:
            return {}
        values = {**self.eq.model.exact_defaults(), **self.values}
        return {name: self.ring.convert(value) for name, value in values.items() if name in self.ring.index}

    def has_drive(self, balance: Polynomial) -> bool:
        """Returns whether the torque of a joint occurs."""
        drives = {drive_symbol(self.ring, name) for name in self.names} & set(self.ring.index)
        return bool(drives & set(balance.variables()))

    def leave_out_passive(self) -> None:
        """Removes τ2 = 0 of a joint without a motor if the answer has this joint's equation of motion, too."""
        entries = self.entries.by_quantity.get("tau", [])
        moving = {entry.place for entry in entries if entry.balance is not None or _accelerations(entry.numerator)}
        for entry in [each for each in entries if each.place in moving and not each.numerator and each.balance is None]:
            entries.remove(entry)
            passive = self.names[entry.place[0]]
            self.entries.notes.add(say("reading-as", name=passive, meaning=say("step-joint-without-torque")))

    def _note(self, key: str, claim: Source, **slots: str) -> None:
        self.entries.notes.add(say(key, text=claim.text[:60], where=claim.where, **slots))

    # speeds

    def _add_speeds(self, each: Speeds[Entry]) -> None:
        """Adds ẋ = … as rows of the tool's Jacobian, unless they are the speeds of another point.

        raises ExpressionError: the name belongs to no point of the arm, or its rate does not follow from the answer
        """
        if each.rows and not any(row.numerator for row in each.rows):
            self._note("reading-agrees", each.balance)
            return
        for name, value in zip(each.names, each.values, strict=True):
            self._add_speed(name, value, each.balance)
        if each.rows:
            raise ExpressionError("not-from-positions", where=each.balance.where)

    def _add_speed(self, name: Left, value: Entry, claim: Source) -> None:
        row = row_of_jacobian(name)
        what = self.known.of(name._replace(head=f"{name.head}dot"), [value])
        if value.denominator == 1:
            self.points.add("rate", name, points_at_speed(name, value.numerator, self.eq, self.ring), claim.where)
        if row is None and not what:
            raise ExpressionError("rate-not-of-position", where=claim.where, name=name.text)
        meaning = what or say("step-velocity-of-tool")
        self.entries.notes.add(say("reading-rate-as", name=name.text, meaning=meaning))
        if row is None or (what and value.numerator - self._speed_of_tool(row)):
            return
        for j, coordinate in enumerate(self.names):
            slope = self.ring.convert(value.numerator.derivative(f"qd({coordinate})"))
            entry = Entry((row, j), slope, value.denominator, value.text, value.where)
            self.entries.add_entries("J_tool", [entry])
        self.entries.guessed.add("J_tool")

    def _speed_of_tool(self, row: int) -> Polynomial:
        position = self.ring.convert(self.entries.exact.T_tool[row, 3].entries[0])
        return self.ring.convert(self.ring.time_derivative(position))


def _accelerations(torque: Polynomial) -> int:
    """Returns the number of coordinates whose accelerations occur."""
    return sum(generator.kind == "qdd" for generator in torque.generators())
