"""Assigns the entries of computed claims to the places of quantities."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product

from qddot.check.asked import canonical
from qddot.check.reading.answer import Answer, Entry
from qddot.check.reading.claims import Claim
from qddot.check.reading.computed import Computed, Value, agree, is_coordinate
from qddot.check.reading.known_steps import KnownSteps
from qddot.check.reading.left_sides import Left
from qddot.check.reading.letters import (
    CALLED,
    candidates,
    is_of_base,
    is_of_turning,
    is_part_of_jacobian,
)
from qddot.check.reading.meanings import Meanings, is_inertia
from qddot.check.reading.motion import determinant, drive_symbol, follows, is_of_motion, solved, torque_of
from qddot.check.reading.steps import (
    Step,
    axis_of_tool,
    beside,
    is_about_quantity,
    is_position,
    point_at_speed,
    row_of_jacobian,
)
from qddot.errors import ExpressionError
from qddot.numbers.polynomials.division import quotient
from qddot.numbers.polynomials.exact import Polynomial

MOST_JOINTS_OF_DETERMINANT = 3
LIKELY = 0.5  # fraction of its terms in which an equation must resemble that of a joint
POWERS = ("E", "W")  # letters of energy and work, whose rate is the power of the torques
TORQUE = re.compile(r"[MFTQNCRPU]|tau")  # of M_A, F_A
DRIVING = ("tau", "u", "Q", "Gamma")  # letters of torques of motors alone
EQUATION = re.compile(r"(?i)(?:eqn?s?|eoms?|equations?|odes?|lagrange|el|lhs|euler_?lagrange|motion)\d*")


class Sorting:
    """This collects the entries of each quantity.

    values: the answer's values of symbols; driven: the joint of the only torque, if words say so
    """

    def __init__(self, meanings: Meanings, values: Mapping[str, Fraction], driven: int | None = None) -> None:
        self.meanings, self.values = meanings, values
        self.driven = driven if driven is not None and driven < meanings.n else None
        self.eq, self.n, self.ring, self.asked = meanings.eq, meanings.n, meanings.ring, meanings.asked
        self.shapes, self.guesses = meanings.shapes, meanings.guesses
        self.entries: dict[str, list[Entry]] = {}
        self.partly_unread: set[str] = set()  # letters of arrays of which an entry could not be read
        self.zeros: list[tuple[str, tuple[int, ...], Computed]] = []
        self.steps: dict[str, Step] = {}

    def add(self, group: Sequence[Computed]) -> None:
        """Adds claims with the same letter and number of indices, which mean one quantity."""
        candidate = self.meanings.quantity_of(group)
        left = group[0].claim.left
        if left.head == "taug" and self._are_gravity(group):
            raise ExpressionError(
                f"{left.text} may be G or −G", where=group[0].claim.where, expected="an equation M q̈ + C q̇ = τ_g + …"
            )
        if not candidate.sure:
            letter = left.head + "_ijk"[: 1 + len(left.indices)] * bool(left.indices)
            self.guesses[f"{letter} is read as {CALLED[candidate.quantity]}"] = None
        for each in group:
            place = self.meanings.place(each.claim, candidate)
            if each.shape is None:
                self.zeros.append((candidate.quantity, place, each))
            elif is_part_of_jacobian(candidate.quantity, each.shape, self.n):
                self._add_rows(each, candidate.quantity, place)
            else:
                if candidate.quantity == "christoffel" and left.head == "c":
                    place = self._turned(place, [one for one in group if one.shape is not None])
                rest = product(*(range(size) for size in self.shapes[candidate.quantity][len(place) :]))
                self._add(candidate.quantity, each, [(*place, *inner) for inner in rest])

    def _are_gravity(self, group: Sequence[Computed]) -> bool:
        """Returns whether the values of τ_g are those of G, in an answer without the equation of motion."""
        exact = [self.ring.convert(entry) for entry in self.eq.in_joint_angles.G.entries]
        values = [value for each in group for value in each.values]
        places = [
            place
            for each in group
            for place in ([each.claim.left.indices[0] - 1] if each.shape == () else range(self.n))
        ]
        return any(exact) and all(
            not value.numerator - value.denominator * exact[k] for k, value in zip(places, values, strict=True)
        )

    def _turned(self, place: tuple[int, ...], group: Sequence[Computed]) -> tuple[int, ...]:
        """Returns the place of c_ijk. In some books its last index is the equation's, in others its first.
        The order with which more entries agree is chosen.
        """
        exact = self.eq.in_joint_angles.christoffel
        agree = [0, 0]
        for each in group:
            i, j, k = (index - 1 for index in each.claim.left.indices[:3])
            for order, indices in enumerate(((i, j, k), (k, i, j))):
                entry = self.ring.convert(exact[indices].entries[0])
                agree[order] += not each.values[0].numerator - each.values[0].denominator * entry
        if agree[1] > agree[0]:
            self.guesses["c_ijk is read with the index of the equation last"] = None
            return (place[2], place[0], place[1])
        return place

    def _add(self, quantity: str, each: Computed, places: Sequence[tuple[int, ...]]) -> None:
        entries = self.entries.setdefault(quantity, [])
        entries += [Entry(place, *value) for place, value in zip(places, each.values, strict=True)]

    def _add_rows(self, each: Computed, quantity: str, place: tuple[int, ...]) -> None:
        """Adds the rows of a Jacobian with only two or three rows of the six."""
        assert each.shape is not None
        exact = self.eq.in_joint_angles.array(quantity)
        linear = [i for i in range(3) if any(exact[(*place, i, j)].entries[0] for j in range(self.n))]
        angular = [i for i in range(3, 6) if any(exact[(*place, i, j)].entries[0] for j in range(self.n))]
        rows = linear if len(linear) == 2 else [0, 1]
        is_turning = is_of_turning(each.claim.left)
        last = [value.numerator for value in each.values[-self.n :]]
        if each.shape[0] == 3:
            turns = not any(generator for value in last for generator in value.generators())
            is_planar = len(linear) <= 2 and any(last) and turns and len(angular) == 1
            rows = [3, 4, 5] if is_turning else [*rows, angular[0]] if is_planar else [0, 1, 2]
        self._add(quantity, each, [(*place, i, j) for i in rows for j in range(self.n)])
        self.guesses[f"the rows of {each.claim.left.text} are read as {', '.join('xyz'[i % 3] for i in rows)}"] = None

    def _add_speeds(self, each: Computed) -> None:
        """Adds ẋ = … as rows of the tool's Jacobian, unless they are the speeds of another point.

        raises ExpressionError: the name belongs to no point of the arm
        """
        names = each.claim.speeds
        rows, values = each.values[: -len(names)], each.values[-len(names) :]
        if rows and not any(row.numerator for row in rows):
            self.guesses[f"{each.claim.text[:60]} ({each.claim.where}) agrees with the equations before it"] = None
            return
        for name, value in zip(names, values, strict=True):
            self._add_speed(name, value, each.claim)

    def _add_speed(self, name: Left, value: Value, claim: Claim) -> None:
        row = row_of_jacobian(name)
        is_exact = value.denominator == 1
        point, is_tool = point_at_speed(name, value.numerator, self.eq, self.ring) if is_exact else ("", False)
        if name.key[:1] in POWERS and is_exact and self._known_steps.is_power(value.numerator):
            self.guesses[f"{name.text} ({claim.where}) is read as the power of the torques"] = None
            return
        if is_exact and self._known_steps.of(name._replace(head=f"{name.head}dot"), [value.numerator]):
            return
        if row is None and not point:
            raise ExpressionError(f"the rate of {name.text}", where=claim.where, expected="the rate of a position")
        self.guesses[f"the rate of {name.text} is read as {point or 'a velocity of the tool'}"] = None
        if row is None or (point and not is_tool):
            return
        for j, coordinate in enumerate(self.eq.model.coordinates):
            slope = self.ring.convert(value.numerator.derivative(f"qd({coordinate})"))
            entry = Entry((row, j), slope, value.denominator, value.text, value.where)
            self.entries.setdefault("J_tool", []).append(entry)

    def add_balance(self, each: Computed) -> None:
        """Adds equations of motion as torques of joints; raises ExpressionError for any other equation."""
        if each.claim.speeds:
            self._add_speeds(each)
            return
        if not any(value.numerator for value in each.values):
            self.guesses[f"{each.claim.text[:60]} ({each.claim.where}) agrees with the equations before it"] = None
            return
        for value in each.values:
            balance = value.numerator
            if not balance:
                continue
            if each.claim.of_energy and not self._has_drive(balance):
                raise ExpressionError(
                    "it does not follow from the energies", where=each.claim.where, expected="their derivatives"
                )
            if not is_of_motion(balance, self.ring):
                raise ExpressionError(
                    "neither accelerations nor torques", where=each.claim.where, expected="an equation of motion"
                )
            torque = torque_of(balance, self.eq, self.ring, self._images(balance))
            if torque.share < LIKELY and self._add_solved(each, balance):
                continue
            entry = Entry((torque.joint,), torque.numerator, torque.denominator, each.claim.text, each.claim.where)
            self.entries.setdefault("tau", []).append(entry._replace(balance=balance))
            self._note_undriven(balance, torque.joint)

    def _add_solved(self, each: Computed, balance: Polynomial) -> bool:
        """Adds a wrong equation a q̈ = b for one acceleration, and the exact one; returns whether it has this form."""
        form = None if follows(balance, self.eq, self.ring) else solved(balance, self.eq, self.ring)
        if form is None:
            return False
        name = self.eq.model.coordinates[form.joint]
        entry = Entry((form.joint,), form.yours, self.ring.convert(1), each.claim.text, each.claim.where)
        self.entries.setdefault("tau", []).append(entry._replace(balance=balance, exact=form.exact))
        self.guesses[
            f"{each.claim.text[:60]} ({each.claim.where}) is judged as solved for the acceleration of {name}"
        ] = None
        return True

    def _images(self, balance: Polynomial) -> dict[str, Polynomial]:
        """Returns the values of the arm's symbols if an equation has numbers instead of symbols, else nothing."""
        if set(self.eq.model.symbols) & {generator.name for generator in balance.generators()}:
            return {}
        values = {**self.eq.model.exact_defaults(), **self.values}
        return {name: self.ring.convert(value) for name, value in values.items() if name in self.ring.index}

    def _has_drive(self, balance: Polynomial) -> bool:
        drives = (drive_symbol(self.ring, name) for name in self.eq.model.coordinates)
        return any(drive in self.ring.index and drive in balance.variables() for drive in drives)

    def _note_undriven(self, balance: Polynomial, joint: int) -> None:
        names = self.eq.model.coordinates
        if not self._has_drive(balance):
            self.guesses[f"an equation without a torque is read as the equation of {names[joint]} with zero torque"] = (
                None
            )

    def add_step(self, each: Computed) -> None:
        """Adds a quantity that no other claim uses: the force of a joint, a position or a velocity.

        raises ExpressionError: it is none of these, or does not agree
        """
        occurs = self.meanings.occurs([each]) or set()
        drive = self._drive_of(each)
        if drive is not None and "a" in occurs and each.shape == ():
            place = (self.eq.model.coordinates.index(drive),)
            self._add("tau", each, [place])
            self.guesses[f"{each.claim.left.text} is read as {CALLED['tau']} of {drive}"] = None
            return
        if (joint := self.joint_of(each)) is not None:
            self._add("tau", each, [(joint,)])
            name = self.eq.model.coordinates[joint]
            self.guesses[f"{each.claim.left.text} is read as {CALLED['tau']} of {name}"] = None
            return
        if EQUATION.fullmatch(each.claim.left.key) and "a" in occurs:
            self._add_equations(each)
            return
        if each.shape and all(is_coordinate(value) for value in each.values):
            return
        step = self.meanings.step_of(each) or beside(each.claim.left, self.steps)
        if step is None and (
            self.is_known_step(each)
            or self._is_required(each)
            or self._is_repeated(each)
            or self._is_constant(each)
            or self.is_other_name(each)
            or self._is_of_determinant(each)
        ):
            return
        axis = axis_of_tool(each.claim.left)
        if step is None and axis is not None and each.shape == ():
            self.guesses[f"{each.claim.left.text} is read as a position of the tool"] = None
            self._add("T_tool", each, [(axis, 3)])
            return
        if step is None:
            raise ExpressionError(
                f"{each.claim.left.text} is neither a quantity of the equations nor used",
                where=each.claim.where,
                expected="M, C, h, G, tau, K, P, L, T, J or an entry such as M12",
                remedy="give its meaning by rename",
            )
        self.guesses[step.sentence] = None
        self.steps[each.claim.left.key] = step
        if step.places:
            self._add(step.quantity, each, step.places)

    def is_torque(self, each: Computed) -> bool:
        """Returns whether a name may be that of a torque: by its letter, and by the accelerations in its value."""
        is_named = TORQUE.match(each.claim.left.key) is not None or len(each.claim.left.key) == 1
        return is_named and each.shape == () and "a" in (self.meanings.occurs([each]) or ())

    def joint_of(self, each: Computed) -> int | None:
        """Returns the joint whose exact torque equals a value, or None: then the letter may be that of a reaction."""
        if not self.is_torque(each):
            return None
        exact = self.eq.in_joint_angles.tau.entries
        top, below = each.values[0][:2]
        return next((k for k, entry in enumerate(exact) if not top - below * self.ring.convert(entry)), None)

    def _is_required(self, each: Computed) -> bool:
        """Adds a value as the only required quantity of its shape; returns whether there is exactly one."""
        absent = [name for name in self.asked if name in self.shapes and name not in self.entries]
        fitting = [name for name in absent if self.shapes[name] == each.shape and each.shape]
        if len(fitting) != 1 or not each.shape or is_of_base(each.claim.left):
            return False
        self.guesses[f"{each.claim.left.text} is read as {CALLED[fitting[0]]}, which is required"] = None
        self._add(fitting[0], each, list(product(*map(range, self.shapes[fitting[0]]))))
        return True

    def _is_repeated(self, each: Computed) -> bool:
        """Returns whether an array has the values of a quantity whose entries the answer has, too, and notes it."""
        values = [value.numerator for value in each.values if value.denominator == 1]
        if not each.shape or len(values) < len(each.values):
            return False
        for name in ("M", "C", "h", "G"):
            exact = self.eq.in_joint_angles.array(name).entries
            if name in self.entries and len(exact) == len(values) and self._are_equal(values, exact):
                self.guesses[f"{each.claim.left.text} ({each.claim.where}) is read as {CALLED[name]}"] = None
                return True
        return False

    def _are_equal(self, values: Sequence[Polynomial], exact: Sequence[Polynomial]) -> bool:
        return not any(value - self.ring.convert(entry) for value, entry in zip(values, exact, strict=True))

    def is_other_name(self, each: Computed) -> bool:
        """Returns whether a claim only gives another name to a symbol of the arm, as M = mc does, and notes it."""
        if each.shape != () or each.claim.left.indices or each.claim.left.arguments:
            return False
        value = each.values[0]
        names = [generator.key for generator in value.numerator.generators() if generator.kind == "symbol"]
        is_symbol = len(names) == 1 and value.denominator == 1 and value.numerator == self.ring.generator(names[0])
        if is_symbol:
            self.guesses[f"{each.claim.left.text} ({each.claim.where}) is another name of {names[0]}"] = None
        return is_symbol

    def _is_of_determinant(self, each: Computed) -> bool:
        """Returns whether a value is det M up to a constant factor, and notes it."""
        if each.shape != () or each.values[0].denominator != 1 or not 1 < self.n <= MOST_JOINTS_OF_DETERMINANT:
            return False
        M = self.eq.in_joint_angles.M
        rows = [[self.ring.convert(M[i, j].entries[0]) for j in range(self.n)] for i in range(self.n)]
        value, whole = each.values[0].numerator, determinant(rows, self.ring)
        rest = quotient(whole, value) if value else None
        if rest is None or any(generator.kind != "symbol" for generator in rest.generators()):
            return False
        self.guesses[f"{each.claim.left.text} ({each.claim.where}) is a factor of the determinant of M"] = None
        return True

    def _is_constant(self, each: Computed) -> bool:
        """Returns whether a claim defines a constant, or a multiple of an angle, that no other claim uses; notes it."""
        left = each.claim.left
        is_named = (candidates(left) or is_about_quantity(left)) and not self.meanings.is_beside(each)
        is_named = is_named and not is_inertia(each)
        if each.shape != () or left.arguments or is_position(left):
            return False
        kinds = {g.kind for value in each.values for part in value[:2] for g in part.generators()}
        is_angle = kinds == {"q"} and all(value.denominator == 1 for value in each.values) and len(left.key) == 1
        if is_named or not (kinds <= {"symbol"} or is_angle):
            return False
        what = "an angle" if is_angle else "a constant"
        self.guesses[f"{left.text} ({each.claim.where}) is {what} that nothing uses"] = None
        return True

    def _add_equations(self, each: Computed) -> None:
        """Adds values that a script names eq1 or eom: torques, or expressions with torques that are zero."""
        if any(self._has_drive(value.numerator) for value in each.values):
            self.add_balance(each)
            return
        for value in each.values:
            joint = torque_of(value.numerator, self.eq, self.ring).joint
            self.entries.setdefault("tau", []).append(Entry((joint,), *value))
            name = self.eq.model.coordinates[joint]
            self.guesses[f"{each.claim.left.text} is read as {CALLED['tau']} of {name}"] = None

    @cached_property
    def _known_steps(self) -> KnownSteps:
        return KnownSteps(self.eq, self.ring)

    def is_known_step(self, each: Computed) -> bool:
        """Returns whether values are those of an intermediate array of a derivation, and notes which."""
        if any(value.denominator != 1 for value in each.values):
            return False
        left, values = each.claim.left, [value.numerator for value in each.values]
        if what := self._known_steps.of(left, values):
            self.guesses[f"{left.text} ({each.claim.where}) is read as {what}"] = None
        return bool(what)

    def without_agreeing(self, steps: Sequence[Computed]) -> list[Computed]:
        """Returns the steps without arrays that occur twice and agree, such as S = Ṁ − 2C and S = […]."""
        arrays: dict[str, list[Computed]] = {}
        for each in steps:
            if each.shape and len(each.shape) == 2:
                arrays.setdefault(each.claim.left.key, []).append(each)
        agreeing = [group for group in arrays.values() if len(group) > 1 and all(agree(group[0], x) for x in group[1:])]
        for first, *_ in agreeing:
            self.guesses[f"{first.claim.left.text} ({first.claim.where}) agrees with the other entries"] = None
        return [each for each in steps if not any(each in group for group in agreeing)]

    def _drive_of(self, each: Computed) -> str | None:
        from qddot.check.reading.arm_names import ArmNames

        meaning = ArmNames(self.ring).drive(each.claim.left.key) or ArmNames(self.ring).drive(each.claim.left.text)
        is_single = self.meanings.is_single_drive(each) and self._is_only_drive(each)
        if is_single and self.driven is not None:
            return self.eq.model.coordinates[self.driven]
        if meaning is None and is_single:
            return self.eq.model.coordinates[torque_of(each.values[0].numerator, self.eq, self.ring).joint]
        return meaning.name if meaning else None

    def _is_only_drive(self, each: Computed) -> bool:
        """Returns whether a letter stands for the only torque: T and F beside other torques may be reactions."""
        return "tau" not in self.entries or each.claim.left.head in DRIVING

    def answer(self) -> Answer:
        """Returns the answer, in which entries of zeros(…) that are never assigned are zero."""
        for quantity, part, each in self.zeros:
            if each.claim.left.head in self.partly_unread:
                continue
            entries = self.entries.setdefault(quantity, [])
            symmetric = self.eq.array(quantity).symmetric if quantity in ("M", "christoffel") else None
            assigned = {canonical(entry.place, symmetric) for entry in entries}
            one, zero = self.ring.convert(1), self.ring.zero
            places = product(*(range(size) for size in self.shapes[quantity]))
            inside = (
                place for place in places if place[: len(part)] == part and canonical(place, symmetric) not in assigned
            )
            entries += [Entry(place, zero, one, "0", each.claim.where) for place in inside]
        self._leave_out_passive()
        sorted_entries = {
            name: tuple(sorted(each, key=lambda entry: entry.place)) for name, each in self.entries.items()
        }
        shapes_of = {name: self.shapes[name] for name in sorted_entries}
        return Answer(sorted_entries, shapes_of, tuple(self.guesses), self.ring)

    def _leave_out_passive(self) -> None:
        """Removes τ2 = 0 if the answer has the equation of motion of that joint, which then contains no torque."""
        entries = self.entries.get("tau", [])
        moving = {entry.place for entry in entries if entry.balance is not None}
        passive = [entry for entry in entries if entry.place in moving and not entry.numerator]
        for entry in passive:
            if entry.balance is None:
                entries.remove(entry)
                self.guesses[f"{self.eq.model.coordinates[entry.place[0]]} is read as a joint with zero torque"] = None
