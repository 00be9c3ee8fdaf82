"""Says which quantity each computed claim is about, checks its size, and puts its entries in their places."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product

from qddot.check.judging.asked import EQUATION as EVERY
from qddot.check.judging.asked import canonical
from qddot.check.reading.answer import Answer, Entry
from qddot.check.reading.claims import Claim
from qddot.check.reading.claims import size as _size
from qddot.check.reading.computed import Computed, Value, agree, is_coordinate
from qddot.check.reading.known_steps import KnownSteps
from qddot.check.reading.left_sides import Left
from qddot.check.reading.letters import (
    CALLED,
    Candidate,
    candidates,
    fits,
    is_of_turning,
    is_part_of_jacobian,
    place_of,
    shapes,
)
from qddot.check.reading.motion import determinant, drive_symbol, is_of_motion, torque_of
from qddot.check.reading.occurring import ALL, Occurring
from qddot.check.reading.steps import (
    Step,
    agrees_with,
    axis_of_tool,
    beside,
    by_length,
    is_about_quantity,
    is_position,
    point_at_speed,
    row_of_jacobian,
)
from qddot.equations.quantities import Quantities
from qddot.errors import ExpressionError
from qddot.numbers.polynomials.division import quotient
from qddot.numbers.polynomials.exact import Polynomial, Ring

MOST_JOINTS_OF_DETERMINANT = 3
POWERS = ("E", "W")  # letters of what has a rate that is the power of the torques
EQUATION = re.compile(r"(?i)(?:eqn?s?|eoms?|equations?|odes?|lagrange|el|lhs|euler_?lagrange|motion)\d*")


class Sorting:
    """This collects the entries of each quantity."""

    def __init__(
        self,
        eq: Quantities,
        ring: Ring,
        zero_based: bool,
        guesses: dict[str, None],
        claims: Sequence[Claim],
        asked: Collection[str] = (),
    ) -> None:
        self.asked = asked
        self.values: Mapping[str, Fraction] = {}  # that the answer gives for symbols
        self.eq, self.n, self.ring, self.zero_based = eq, eq.n, ring, zero_based
        self.shapes, self.guesses = shapes(eq), guesses
        self._occurring = Occurring(eq, ring)
        self.heads = {claim.left.head for claim in claims}
        self.entries: dict[str, list[Entry]] = {}
        self.zeros: list[tuple[str, tuple[int, ...], Computed]] = []
        self.steps: dict[str, Step] = {}

    # what a claim is about

    def is_about(self, each: Computed, used: bool) -> bool:
        """Returns whether a claim is about a quantity, rather than a name for a part of an expression."""
        possible = candidates(each.claim.left)
        if not possible or self._is_single_drive(each) or self._is_of_point(each) or self._is_beside(each):
            return False
        fitting = self._told_apart(self._fitting(each), [each])
        if used and possible[0].quantity == "h" and "r" not in self._occurs_or_all([each]):
            return False  # a height h_1
        if not fitting:
            return not used and (self._fitting(each) == [] or any(c.sure for c in possible)) and not self._is_own(each)
        is_symbol = each.claim.left.key in self.eq.ring.symbols and not any(c.sure for c in fitting)
        if is_symbol and not (each.claim.left.arguments or each.shape):
            return False
        is_asked = len(each.claim.left.indices) > 1 and any(candidate.quantity in self.asked for candidate in fitting)
        return not used or each.shape != () or is_asked or any(candidate.sure for candidate in fitting)

    def _is_of_point(self, each: Computed) -> bool:
        """Returns whether h_2 is the height of a point of the arm, or v_2 its velocity, rather than a torque."""
        head, has_rates = each.claim.left.head, "r" in self._occurs_or_all([each])
        is_height = head == "h" and each.shape == () and not has_rates
        return (is_height or (head == "v" and bool(each.shape))) and self.step_of(each) is not None

    def _is_beside(self, each: Computed) -> bool:
        """Returns whether g_2 is a name of the answer's own: beside G_2, or for a constant where G is not asked."""
        possible, left = candidates(each.claim.left), each.claim.left
        if any(one.sure or one.quantity != "G" for one in possible) or not left.indices:
            return False
        value = each.values[0]
        is_constant = not any(g.kind != "symbol" for part in value[:2] for g in part.generators())
        is_asked = not self.asked or {"G", "tau", "bias", EVERY} & {*self.asked}
        return "G" in self.heads or (is_constant and not is_asked and "g" not in self._occurs_or_all([each]))

    def _is_single_drive(self, each: Computed) -> bool:
        """Returns whether τ = … with accelerations is the torque of the only joint that is driven."""
        left = each.claim.left
        is_drive = not left.indices and not left.cell and any(c.quantity == "tau" for c in candidates(left))
        return is_drive and self.n > 1 and each.shape == () and "a" in (self._occurs([each]) or ())

    def _is_own(self, each: Computed) -> bool:
        """Returns whether a letter with another size than its quantity's stands for something of the answer's own."""
        return each.shape == () and not each.claim.left.indices and not any(c.sure for c in candidates(each.claim.left))

    def _told_apart(self, possible: Sequence[Candidate], group: Sequence[Computed]) -> list[Candidate]:
        """Returns the candidates whose entries may have what occurs in the values."""
        occurs = self._occurs(group)
        if occurs is None:
            return [each for each in possible if len(each.has) < 2]
        return [each for each in possible if set(each.has) <= occurs and not set(each.lacks) & occurs]

    def _occurs(self, group: Sequence[Computed]) -> set[str] | None:
        return self._occurring.of(value.numerator for each in group for value in each.values)

    def _occurs_or_all(self, group: Sequence[Computed]) -> Collection[str]:
        occurs = self._occurs(group)
        return ALL if occurs is None else occurs

    def _fitting(self, each: Computed) -> list[Candidate]:
        left = each.claim.left
        return [
            candidate
            for candidate in candidates(left)
            if each.shape is None
            or self._fits(left, candidate, each.shape)
            or is_part_of_jacobian(candidate.quantity, each.shape, self.n)
        ]

    def _fits(self, left: Left, candidate: Candidate, shape: tuple[int, ...]) -> bool:
        """Returns whether a shape is that of a candidate; J of the only link is more often that of the tool."""
        whole = self.shapes[candidate.quantity]
        place = place_of(left, candidate, self.n, self.zero_based)
        return fits(place, shape, whole) and (candidate.quantity != "J" or bool(place) or shape == whole)

    def _candidate(self, group: Sequence[Computed]) -> Candidate:
        """Returns what the letter of some claims means; raises ExpressionError if nothing fits, or more than one."""
        common = self._fitting(group[0])
        for each in group:
            fitting = self._fitting(each)
            if not fitting:
                raise self._wrong_size(each)
            common = [candidate for candidate in common if candidate in fitting]
        first = group[0].claim
        if any(each.claim.left.rates for each in group):  # C(q, q̇) is no matrix of the coordinates alone
            common = [candidate for candidate in common if candidate.quantity != "C2"] or common
        common = self._told_apart(common, group) or common
        if len(common) > 1 and self._occurs(group) is None and self.heads & {"K", "T", "L", "ℒ"}:
            common = [each for each in common if each.quantity == "P"] or common  # V = 0 beside T
        if any(each.quantity == "C2" for each in common) and first.left.head == "C" and len(common) > 1:
            is_squares = "B" in self.heads or (first.left.arguments and self._occurs(group) is not None)
            common = [each for each in common if (each.quantity == "C2") == is_squares]
        asked = [each for each in common if each.quantity in self.asked]
        common = asked if len(common) > 1 and len(asked) == 1 else self._of_two_parts(common, group)
        if len(common) == 1 or (common and common[0].sure and not common[0].has):
            self._check_not_centrifugal(first)
            return self._without_accelerations(common[0], group)
        told = " or ".join(CALLED[each.quantity] for each in common) or "different things"
        remedy = f"name it {' or '.join(each.quantity for each in common)}" if common else ""
        raise ExpressionError(f"{first.left.text} may be {told}", where=first.where, expected="one", remedy=remedy)

    def _of_two_parts(self, common: Sequence[Candidate], group: Sequence[Computed]) -> list[Candidate]:
        """Returns N_i as h + G, or as h where G stands beside it, and E as K + P, or as K without a symbol of P's."""
        quantities = {each.quantity for each in common}
        if quantities == {"h", "bias"}:
            return [each for each in common if (each.quantity == "h") == bool(self.heads & {"G", "g"})]
        if quantities == {"E", "K"}:
            is_whole = self._occurring.has_potential(value.numerator for each in group for value in each.values)
            return [each for each in common if (each.quantity == "E") == is_whole]
        return list(common)

    def _without_accelerations(self, candidate: Candidate, group: Sequence[Computed]) -> Candidate:
        """Returns the candidate h + G in the place of torques where q̈ = 0 is said and bears that out."""
        if candidate.quantity != "tau" or "bias" not in self.asked or "a" in (self._occurs(group) or ""):
            return candidate
        return candidate._replace(quantity="bias", sure=False)

    def _check_not_centrifugal(self, claim: Claim) -> None:
        """Raises ExpressionError for C221, which is an entry of Γ or one of C2."""
        left = claim.left
        if (
            left.head == "C"
            and left.text.startswith("C2")
            and len(left.indices) == 3
            and left.text == f"C{''.join(map(str, left.indices))}"
        ):
            found = f"{left.text} may be the Christoffel symbol Γ{left.text[1:]} or entry {left.text[2:]} of C2"
            remedy = f"write Gamma{left.text[1:]} or C2({left.text[2]},{left.text[3]})"
            raise ExpressionError(found, where=claim.where, expected="one", remedy=remedy)

    def _wrong_size(self, each: Computed) -> ExpressionError:
        left, expected = each.claim.left, []
        for candidate in candidates(left):
            place = place_of(left, candidate, self.n, self.zero_based)
            whole = self.shapes[candidate.quantity]
            if len(place) <= len(whole):
                expected.append(f"{_size(whole[len(place) :])} for {candidate.quantity}{'' if not place else ' there'}")
        found = f"{left.text} has {_size(each.shape or ())}"
        return ExpressionError(found, where=each.claim.where, expected=" or ".join(expected) or "another size")

    def _place(self, claim: Claim, candidate: Candidate) -> tuple[int, ...]:
        """Returns the indices of a claim; raises ExpressionError where the quantity has no such entry."""
        place = place_of(claim.left, candidate, self.n, self.zero_based)
        whole = self.shapes[candidate.quantity]
        if any(not 0 <= k < size for k, size in zip(place, whole, strict=False)):
            found = f"{claim.left.text} is no entry of {candidate.quantity}"
            raise ExpressionError(found, where=claim.where, expected=f"indices within {_size(whole)}")
        return place

    def is_input_matrix(self, each: Computed) -> bool:
        """Returns whether a claim is the matrix B of M q̈ + … = B u, which has one 1 in each column, and notes it."""
        if each.claim.left.head != "B" or each.claim.left.indices or not each.shape or each.shape[0] != self.n:
            return False
        numbers = [value.numerator for value in each.values]
        if any(value.denominator != 1 for value in each.values) or any(x and x - 1 for x in numbers):
            return False
        columns = len(numbers) // self.n
        if any(sum(map(bool, numbers[k::columns])) != 1 for k in range(columns)):
            return False
        self.guesses[f"{each.claim.left.text} is read as the matrix of the inputs, and is not judged"] = None
        return True

    # entries

    def add(self, group: Sequence[Computed]) -> None:
        """Adds the claims that have one letter and one number of indices: they mean one quantity."""
        candidate = self._candidate(group)
        left = group[0].claim.left
        if left.head == "taug" and self._are_gravity(group):
            raise ExpressionError(
                f"{left.text} may be G or −G", where=group[0].claim.where, expected="M q̈ + C q̇ = τ_g + … beside it"
            )
        if not candidate.sure:
            letter = left.head + "_ijk"[: 1 + len(left.indices)] * bool(left.indices)
            self.guesses[f"{letter} is read as {CALLED[candidate.quantity]}"] = None
        for each in group:
            place = self._place(each.claim, candidate)
            if each.shape is None:
                self.zeros.append((candidate.quantity, place, each))
            elif is_part_of_jacobian(candidate.quantity, each.shape, self.n):
                self._add_rows(each, candidate.quantity, place)
            else:
                if candidate.quantity == "christoffel" and left.head == "c":
                    place = self._turned(place, group)
                rest = product(*(range(size) for size in self.shapes[candidate.quantity][len(place) :]))
                self._add(candidate.quantity, each, [(*place, *inner) for inner in rest])

    def _are_gravity(self, group: Sequence[Computed]) -> bool:
        """Returns whether τ_g is G rather than −G, in a text that does not say on which side of its equation it is."""
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
        """Returns the place of c_ijk, whose last index is the equation's in some books and whose first is in others.

        Which is meant is that which more of the entries agree with.
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
        """Adds the rows of a Jacobian that has two or three of the six."""
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

        raises ExpressionError: a name of no point of the arm
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
        """Adds equations of motion as the torques of joints; raises ExpressionError for what says nothing of motion."""
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
            entry = Entry((torque.joint,), torque.numerator, torque.denominator, each.claim.text, each.claim.where)
            self.entries.setdefault("tau", []).append(entry._replace(balance=balance))
            self._note_undriven(balance, torque.joint)

    def _images(self, balance: Polynomial) -> dict[str, Polynomial]:
        """Returns the values of the arm's symbols, if an equation has numbers in their place and all have one."""
        symbols = self.eq.model.symbols
        if set(symbols) & {generator.name for generator in balance.generators()}:
            return {}
        defaults = ((name, symbol.value) for name, symbol in symbols.items())
        known = {name: value.rational for name, value in defaults if value is not None and value.rational is not None}
        known |= self.values
        return {name: self.ring.convert(value) for name, value in known.items() if name in self.ring.index}

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
        """Adds a name that is used nowhere: the force of a joint, a position or a velocity.

        raises ExpressionError: it is none of these, or does not agree
        """
        occurs = self._occurs([each]) or set()
        drive = self._drive_of(each)
        if drive is not None and "a" in occurs and each.shape == ():
            place = (self.eq.model.coordinates.index(drive),)
            self._add("tau", each, [place])
            self.guesses[f"{each.claim.left.text} is read as {CALLED['tau']} of {drive}"] = None
            return
        if EQUATION.fullmatch(each.claim.left.key) and "a" in occurs:
            self._add_equations(each)
            return
        if each.shape and all(is_coordinate(value) for value in each.values):
            return
        step = self.step_of(each) or beside(each.claim.left, self.steps)
        if step is None and (
            self.is_known_step(each) or self._is_asked(each) or self._is_constant(each) or self._is_of_determinant(each)
        ):
            return
        axis = axis_of_tool(each.claim.left)
        if step is None and axis is not None and each.shape == ():
            self.guesses[f"{each.claim.left.text} is read as a position of the tool"] = None
            self._add("T_tool", each, [(axis, 3)])
            return
        if step is None:
            raise ExpressionError(
                f"{each.claim.left.text} is not a quantity of the equations and is not used",
                where=each.claim.where,
                expected="M, C, h, G, tau, K, P, L, T, J or an entry such as M12",
                remedy="say what it is by rename",
            )
        self.guesses[step.sentence] = None
        self.steps[each.claim.left.key] = step
        if step.places:
            self._add(step.quantity, each, step.places)

    def _is_asked(self, each: Computed) -> bool:
        """Returns whether an array under a name of its own is the only asked quantity of its size, and adds it."""
        absent = [name for name in self.asked if name in self.shapes and name not in self.entries]
        fitting = [name for name in absent if self.shapes[name] == each.shape and each.shape]
        if len(fitting) != 1 or not each.shape:
            return False
        self.guesses[f"{each.claim.left.text} is read as {CALLED[fitting[0]]}, which is asked"] = None
        self._add(fitting[0], each, list(product(*map(range, self.shapes[fitting[0]]))))
        return True

    def _is_of_determinant(self, each: Computed) -> bool:
        """Returns whether a name stands for a factor of det M with all that moves in it, and notes it."""
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
        """Returns whether a name of the answer's own stands for a constant that nothing uses, and notes it."""
        left = each.claim.left
        is_named = (candidates(left) or is_about_quantity(left)) and not self._is_beside(each)
        if each.shape != () or is_named or left.arguments or is_position(left):
            return False
        value = each.values[0]
        if any(g.kind != "symbol" for part in (value.numerator, value.denominator) for g in part.generators()):
            return False
        self.guesses[f"{each.claim.left.text} ({each.claim.where}) is a constant that nothing uses"] = None
        return True

    def _add_equations(self, each: Computed) -> None:
        """Adds what a script calls eq1 or eom: torques, or with torques in it what is zero."""
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
        """Returns whether values are those of an array on the way of a derivation, and notes which."""
        if any(value.denominator != 1 for value in each.values):
            return False
        left, values = each.claim.left, [value.numerator for value in each.values]
        if what := self._known_steps.of(left, values):
            self.guesses[f"{left.text} ({each.claim.where}) is read as {what}"] = None
        return bool(what)

    def without_agreeing(self, steps: Sequence[Computed]) -> list[Computed]:
        """Returns the steps without arrays that stand there twice, such as S = Ṁ − 2C and S = […], and agree."""
        arrays: dict[str, list[Computed]] = {}
        for each in steps:
            if each.shape and len(each.shape) == 2:
                arrays.setdefault(each.claim.left.key, []).append(each)
        agreeing = [group for group in arrays.values() if len(group) > 1 and all(agree(group[0], x) for x in group[1:])]
        for first, *_ in agreeing:
            self.guesses[f"{first.claim.left.text} ({first.claim.where}) agrees with the other entries"] = None
        return [each for each in steps if not any(each in group for group in agreeing)]

    def step_of(self, each: Computed) -> Step | None:
        """Returns the position or the speed that a claim agrees with, or None."""
        values = [value[:2] for value in each.values]
        step = agrees_with(each.claim.left, values, self.eq, self.ring)
        return step or (by_length(each.claim.left, values, self.eq, self.ring) if each.claim.along_vectors else None)

    def _drive_of(self, each: Computed) -> str | None:
        from qddot.check.reading.arm_names import ArmNames

        meaning = ArmNames(self.ring).drive(each.claim.left.key) or ArmNames(self.ring).drive(each.claim.left.text)
        if meaning is None and self._is_single_drive(each):
            return self.eq.model.coordinates[torque_of(each.values[0].numerator, self.eq, self.ring).joint]
        return meaning.name if meaning else None

    def answer(self) -> Answer:
        """Returns the answer, with a zero for each entry of what was set to zeros(…) and is not assigned."""
        for quantity, part, each in self.zeros:
            entries = self.entries.setdefault(quantity, [])
            symmetric = self.eq.array(quantity).symmetric if quantity in ("M", "christoffel") else None
            known = {canonical(entry.place, symmetric) for entry in entries}
            one, zero = self.ring.convert(1), self.ring.zero
            places = product(*(range(size) for size in self.shapes[quantity]))
            inside = (
                place for place in places if place[: len(part)] == part and canonical(place, symmetric) not in known
            )
            entries += [Entry(place, zero, one, "0", each.claim.where) for place in inside]
        self._leave_out_passive()
        sorted_entries = {
            name: tuple(sorted(each, key=lambda entry: entry.place)) for name, each in self.entries.items()
        }
        shapes_of = {name: self.shapes[name] for name in sorted_entries}
        return Answer(sorted_entries, shapes_of, tuple(self.guesses), self.ring)

    def _leave_out_passive(self) -> None:
        """Leaves out τ2 = 0 beside an equation of motion of that joint, which then has no torque in it."""
        entries = self.entries.get("tau", [])
        moving = {entry.place for entry in entries if entry.balance is not None}
        passive = [entry for entry in entries if entry.place in moving and not entry.numerator]
        for entry in passive:
            if entry.balance is None:
                entries.remove(entry)
                self.guesses[f"{self.eq.model.coordinates[entry.place[0]]} is read as a joint with zero torque"] = None
