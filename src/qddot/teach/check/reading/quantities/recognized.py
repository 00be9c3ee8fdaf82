"""Recognizes by their values what no other claim uses: known steps, repeated arrays, other names, constants, det M."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qddot.algebra.numbers.polynomials.division import quotient
from qddot.base.errors import ExpressionError
from qddot.base.words.message import Words, say
from qddot.physics.algorithms.cramer import determinant
from qddot.teach.check.reading.names.letters import CALLED, Candidate, candidates
from qddot.teach.check.reading.names.places import place_of
from qddot.teach.check.reading.quantities.entries import Entries
from qddot.teach.check.reading.quantities.given_forces import GivenForces
from qddot.teach.check.reading.quantities.meanings import Meanings, is_number_by_name
from qddot.teach.check.reading.quantities.points import is_about_quantity, is_position
from qddot.teach.check.reading.statements.arrays import Computed, are_same

MOST_JOINTS_OF_DETERMINANT = 3
OF_MOTOR = re.compile(r"(?:theta|phi|psi|alpha|beta|q)(?:m|M|mot|motor|r|R|rot|rotor|g|gear)\d*")  # angles of motors
SYMBOL = 3  # indices of a Christoffel symbol
DETERMINANT = "det"  # before the name of a matrix


class Recognized:
    """This recognizes claims of one answer, which then say nothing wrong.

    Each method that begins with "note" notes what a claim is, and returns whether it is such a claim.
    """

    def __init__(self, entries: Entries, meanings: Meanings) -> None:
        self.entries, self.meanings, self.known = entries, meanings, meanings.known

    def note_harmless(self, each: Computed) -> bool:
        """Notes a claim that is right, or is about nothing that is judged."""
        return (
            self._note_unit_vector(each)
            or self._note_repeated(each)
            or self._note_constant(each)
            or self.note_other_name(each)
            or self._note_determinant(each)
        )

    def without_given_forces(self, claims: Sequence[Computed]) -> list[Computed]:
        """Returns the claims without the springs' energy beside P, and without generalized forces that are right."""
        forces = GivenForces(self.meanings.eq.in_joint_angles, self.entries.ring)
        said = [forces.said(each, claims) for each in claims]
        for each, what in zip(claims, said, strict=True):
            if what:
                self._read_as(each, what)
        return [each for each, what in zip(claims, said, strict=True) if not what]

    def note_known_step(self, each: Computed) -> bool:
        """Notes a claim with the values of an intermediate array of a derivation."""
        return self._read_as(each, self.meanings.step_of(each))

    def note_spoken_of(self, each: Computed) -> None:
        """Notes a formula without a name that is, or has only terms of, a quantity of which the words before it speak.

        raises ExpressionError: any other one
        """
        what = self.known.part_of(each.claim.about, each.entries)
        if not what and not self.note_known_step(each):
            raise ExpressionError("formula-without-name", where=each.claim.where)
        if what:
            self.entries.notes.add(
                say("reading-part", text=each.claim.text[:60], where=each.claim.where, quantity=CALLED[what])
            )

    def note_line_of_route(self, each: Computed) -> bool:
        """Notes a line with the exact value of a step or of a quantity, which is a step and no answer to a question."""
        left = each.claim.left
        if each.shape is None:
            return False
        if what := self.known.of_routes(left, each.entries):
            return self._read_as(each, what)
        same = (
            one.quantity for one in candidates(left) if self.entries.holds(each, one.quantity, self._place(each, one))
        )
        name = next(same, "")
        return bool(name) and self._noted(each, "reading-step", quantity=CALLED[name])

    def _place(self, each: Computed, candidate: Candidate) -> tuple[int, ...]:
        return place_of(each.claim.left, candidate, self.entries.n, self.meanings.zero_based)

    def note_entries_of_links(self, group: Sequence[Computed]) -> bool:
        """Notes that D_311, which may be a Christoffel symbol, is D_3,11: an entry of a link's matrix of a route.

        All claims must have the values of such entries, and none may be zero, as a wrong Christoffel symbol may be.
        """
        are_entries = all(each.shape == () and len(each.claim.left.indices) == SYMBOL for each in group)
        are_zero = any(not value.numerator for each in group for value in each.entries)
        steps = [self.known.of_routes(each.claim.left, each.entries) for each in group]
        return are_entries and not are_zero and all(steps) and all(map(self._read_as, group, steps))

    def note_zero_step(self, each: Computed) -> bool:
        """Notes a zero, 𝒢_1 = 0, of an intermediate array, if no quantity with this letter is zero."""
        is_zero = not any(value.numerator for value in each.entries)
        possible = candidates(each.claim.left) if is_zero else ()
        parts = (self.entries.exact_entries(one.quantity, self._place(each, one)) for one in possible)
        return is_zero and all(map(any, parts)) and self.note_known_step(each)

    def note_other_name(self, each: Computed) -> bool:
        """Notes a claim that only gives another name to a symbol of the arm, as M = mc does."""
        if each.shape != () or each.claim.left.indices or each.claim.left.arguments:
            return False
        value, ring = each.entries[0], self.entries.ring
        names = [generator.key for generator in value.numerator.generators() if generator.kind == "symbol"]
        is_symbol = len(names) == 1 and value.denominator == 1 and value.numerator == ring.generator(names[0])
        return is_symbol and self._noted(each, "reading-another-name", symbol=names[0])

    def without_agreeing(self, steps: Sequence[Computed]) -> list[Computed]:
        """Returns the steps without arrays that occur twice and agree, such as S = Ṁ − 2C and S = […]."""
        arrays: dict[str, list[Computed]] = {}
        for each in steps:
            if each.shape and len(each.shape) == 2:
                arrays.setdefault(each.claim.left.key, []).append(each)
        agreeing = [
            group for group in arrays.values() if len(group) > 1 and all(are_same(group[0], x) for x in group[1:])
        ]
        for first, *_ in agreeing:
            self._noted(first, "reading-written-again")
        return [each for each in steps if not any(each in group for group in agreeing)]

    def _note_unit_vector(self, each: Computed) -> bool:
        """Notes v_2 = e_r, a partial velocity of Kane's method."""
        ones = sum(value.numerator == 1 for value in each.entries)
        are_numbers = all(value.numerator == 1 or not value.numerator for value in each.entries)
        is_unit = each.claim.along_vectors and are_numbers and ones == 1
        return is_unit and self._read_as(each, say("step-unit-vector"))

    def _note_repeated(self, each: Computed) -> bool:
        """Notes an array with the values of a quantity whose entries the answer has, too."""
        names = (name for name in ("M", "C", "h", "G") if name in self.entries.by_quantity)
        what = next((name for name in names if each.shape and self.entries.holds(each, name)), "")
        return self._read_as(each, CALLED.get(what))

    def _note_constant(self, each: Computed) -> bool:
        """Notes a constant, or a multiple of an angle, that no other claim uses."""
        left = each.claim.left
        is_named = (candidates(left) or is_about_quantity(left)) and not self.meanings.is_beside(each)
        is_named = is_named and not is_number_by_name(each)
        if each.shape != () or left.arguments or is_position(left) or left.key.startswith(DETERMINANT):
            return False
        kinds = each.entries[0].kinds
        is_angle = kinds == {"q"} and each.entries[0].denominator == 1 and len(left.key) == 1
        is_angle = is_angle or (kinds <= {"q", "symbol"} and self._is_of_gear(each))
        if is_named or not (kinds <= {"symbol"} or is_angle):
            return False
        return self._noted(each, "reading-unused-angle" if is_angle else "reading-unused-constant")

    def _is_of_gear(self, each: Computed) -> bool:
        """Returns whether θ_m = N θ is the angle of a motor: a multiple of one coordinate by symbols."""
        value = each.entries[0]
        angles = [generator for generator in value.numerator.generators() if generator.kind == "q"]
        is_multiple = len(value.numerator) == 1 and len(angles) == 1 and len(value.denominator) == 1
        return is_multiple and OF_MOTOR.fullmatch(each.claim.left.key) is not None

    def _note_determinant(self, each: Computed) -> bool:
        """Notes a determinant of M or the tool's linear Jacobian, up to a factor of symbols."""
        n = self.entries.n
        if each.shape != () or each.entries[0].denominator != 1 or not 1 < n <= MOST_JOINTS_OF_DETERMINANT:
            return False
        for name, key in (("M", "reading-determinant-of-m"), ("J_tool", "reading-determinant-of-jacobian")):
            entries = self.entries.exact_entries(name)
            rows = [row for i in range(0, n * min(n, 3), n) if any(row := entries[i : i + n])]
            value = each.entries[0].numerator
            exact = self.entries.ring.convert(determinant(rows)) if value and len(rows) == n else None
            rest = quotient(exact, value) if exact else None
            if rest is not None and all(generator.kind == "symbol" for generator in rest.generators()):
                return self._noted(each, key)
        return False

    def _read_as(self, each: Computed, what: Words | None) -> bool:
        """Notes what a claim is read as, if it is known; returns whether it is."""
        return what is not None and self._noted(each, "reading-as-there", meaning=what)

    def _noted(self, each: Computed, key: str, **slots: Words) -> bool:
        self.entries.notes.add(say(key, name=each.claim.left.text, where=each.claim.where, **slots))
        return True
