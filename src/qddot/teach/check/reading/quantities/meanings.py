"""Decides which quantity a computed claim is about, by its letter, its size and the variables in its values."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import ExpressionError
from qddot.base.words.message import Either, Message, Words, say
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.answer import EQUATION, Notes
from qddot.teach.check.reading.grammar.words import FILLED
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.letters import CALLED, Candidate, candidates, is_of_base
from qddot.teach.check.reading.names.places import fits, is_part_of_jacobian, place_of, shapes
from qddot.teach.check.reading.quantities.known_steps import KnownSteps
from qddot.teach.check.reading.quantities.occurring import ALL, Occurring
from qddot.teach.check.reading.quantities.points import PointMatch, agreeing
from qddot.teach.check.reading.statements.arrays import Computed, is_constant
from qddot.teach.check.reading.statements.claims import Claim
from qddot.teach.check.reading.statements.claims_of_parts import size
from qddot.teach.check.reading.statements.other_names import names_in, uses_symbol
from qddot.teach.check.reading.statements.trees import is_array


def is_number_by_name(each: Computed) -> bool:
    """Returns whether A_1 or J stands for a number: an area, an inertia."""
    left = each.claim.left
    return is_inertia(each) or (left.head == "A" and each.shape == () and len(left.indices) == 1 and not left.cell)


def is_inertia(each: Computed) -> bool:
    """Returns whether J or J_O stands for a constant, as an inertia does, rather than for a Jacobian."""
    is_letter = each.claim.left.head[:1] == "J" and each.shape == () and not each.claim.left.cell
    return is_letter and is_constant(each)


class Meanings:
    """This decides the meanings of letters in one answer.

    asked: the required quantities
    """

    def __init__(
        self,
        eq: Quantities,
        ring: Ring,
        zero_based: bool,
        notes: Notes,
        claims: Sequence[Claim],
        asked: Collection[str],
    ) -> None:
        self.eq, self.n, self.ring, self.zero_based = eq, eq.n, ring, zero_based
        self._claims, self._notation = claims, notation_of(eq.model.notation)
        self.notes, self.asked, self.shapes = notes, asked, shapes(eq)
        self._occurring, self.known = Occurring(eq, ring), KnownSteps(eq, ring)
        self.heads = {claim.left.head for claim in claims}
        self._columns = {claim.left.head: set[int]() for claim in claims}
        for claim in claims:
            self._columns[claim.left.head] |= set(claim.left.indices) if len(claim.left.indices) == 1 else set()

    def is_about(self, each: Computed, used: bool) -> bool:
        """Returns whether a claim is about a quantity, rather than a name for a part of an expression."""
        possible = self._possible(each.claim.left)
        if not possible or self.is_single_drive(each) or self._is_of_point(each) or self.is_beside(each):
            return False
        if is_number_by_name(each) or self._is_reaction(each) or is_of_base(each.claim.left):
            return False
        fitting = self._distinguished(self._fitting(each), [each])
        if used and self._is_term(each, fitting):
            return False
        is_number = used and each.shape == ()
        if is_number and possible[0].quantity in ("h", "K") and "r" not in self._occurs_or_all([each]):
            return False  # a height h_1, or a constant K
        if not fitting:
            return not used and (self._fitting(each) == [] or any(c.sure for c in possible)) and not self._is_own(each)
        is_symbol = each.claim.left.key in self.eq.ring.symbols and not any(c.sure for c in fitting)
        if is_symbol and not (each.claim.left.arguments or each.shape or uses_symbol(each.claim, self.eq.ring.symbols)):
            return False
        left = each.claim.left
        is_entry = len(left.indices) > 1 or (left.indices and self._columns.get(left.head) == {*range(1, self.n + 1)})
        is_asked = is_entry and any(candidate.quantity in self.asked for candidate in fitting)
        is_certain = is_asked or self._is_in_filled(left) or any(candidate.sure for candidate in fitting)
        return not used or each.shape != () or is_certain

    def _is_in_filled(self, left: Left) -> bool:
        """Returns whether D(1,1) is an entry of an array that the answer fills with zeros, D = zeros(2, 2)."""
        filled = (one.left for one in self._claims if one.words[:1] and one.words[0] in FILLED)
        return bool(left.cell) and any(one.head == left.head and not one.cell for one in filled)

    def _is_term(self, each: Computed, fitting: Sequence[Candidate]) -> bool:
        """Returns whether Q_1 is no torque itself, since Γ_1, which may be the torque, contains it as a term."""
        left, quantities = each.claim.left, {one.quantity for one in fitting}
        users = (
            claim.left
            for claim in self._claims
            if any(left.key in name for leaf in claim.leaves for name in names_in(leaf))
        )
        return not any(one.sure for one in fitting) and any(
            user.head != left.head
            and (len(user.indices) == len(left.indices) or (not user.indices and is_constant(each)))
            and quantities & {one.quantity for one in self._possible(user)}
            for user in users
        )

    def _is_of_point(self, each: Computed) -> bool:
        """Returns whether h_2 is the height of a point of the arm, or v or v_2 a velocity, rather than a torque."""
        head, has_rates = each.claim.left.head, "r" in self._occurs_or_all([each])
        is_height = head == "h" and each.shape == () and not has_rates and self.point_of(each) is not None
        return is_height or (head == "v" and bool(self.step_of(each)))

    def _is_reaction(self, each: Computed) -> bool:
        """Returns whether a name is a reaction force: P with accelerations, or N_1 if not every joint has an N_i."""
        left = each.claim.left
        if left.head == "P":
            return "a" in (self.occurs([each]) or ())
        if left.head != "N" or self._notation.quantity("N") != "N":
            return False
        return bool(left.indices) and self._columns[left.head] != {*range(1, self.n + 1)}

    def is_beside(self, each: Computed) -> bool:
        """Returns whether g_2 is the answer's own name: if G occurs, too, or if g_2 is a constant and not required."""
        possible, left = self._possible(each.claim.left), each.claim.left
        if any(one.sure or one.quantity != "G" for one in possible) or not left.indices:
            return False
        is_asked = not self.asked or {"G", "tau", "bias", EQUATION} & {*self.asked}
        return "G" in self.heads or (is_constant(each) and not is_asked and "g" not in self._occurs_or_all([each]))

    def is_single_drive(self, each: Computed) -> bool:
        """Returns whether τ = … with accelerations is the torque of the only driven joint."""
        left = each.claim.left
        is_drive = not left.indices and not left.cell and any(c.quantity == "tau" for c in self._possible(left))
        return is_drive and self.n > 1 and each.shape == () and "a" in (self.occurs([each]) or ())

    def _is_own(self, each: Computed) -> bool:
        """Returns whether a claim that fits no quantity of its letter defines the answer's own name.

        It does if it has a single value and no index, and if the letter is not the project's own for a quantity.
        """
        return (
            each.shape == ()
            and not each.claim.left.indices
            and not any(c.sure for c in self._possible(each.claim.left))
        )

    def point_of(self, each: Computed) -> PointMatch | None:
        """Returns the position that a claim agrees with, or None."""
        return next(iter(self.points_of(each)), None)

    def points_of(self, each: Computed) -> list[PointMatch]:
        """Returns the positions of all points that a claim agrees with."""
        return agreeing(each.claim.left, [value.parts for value in each.entries], self.eq, self.ring)

    def step_of(self, each: Computed) -> Words | None:
        """Returns the known step of a derivation that a claim agrees with, or None."""
        return self.known.of(each.claim.left, each.entries, each.claim.along_vectors)

    def note_input_matrix(self, each: Computed) -> bool:
        """Notes the matrix B of M q̈ + … = B u, with a single 1 in each column; returns whether a claim is one."""
        if each.claim.left.head != "B" or each.claim.left.indices or not each.shape:
            return False
        if self.n not in (each.shape[0], len(each.entries)):  # a column may be printed as a row, [0, 1]
            return False
        numbers = [value.numerator for value in each.entries]
        if any(value.denominator != 1 for value in each.entries) or any(x and x - 1 for x in numbers):
            return False
        columns = len(numbers) // self.n
        if any(sum(map(bool, numbers[k::columns])) != 1 for k in range(columns)):
            return False
        self.notes.add(say("reading-matrix-of-inputs", name=each.claim.left.text))
        return True

    def quantity_of(self, group: Sequence[Computed]) -> Candidate:
        """Returns the meaning of the letter of some claims.

        raises ExpressionError: none fits, or several do and the first is not the project's own
        """
        listed = [each for each in group if each.shape is not None] or group  # beside "all others are zero"
        common = self._fitting(listed[0])
        for each in listed:
            fitting = self._fitting(each)
            if not fitting:
                raise self._wrong_size(each)
            common = [candidate for candidate in common if candidate in fitting]
        first = group[0].claim
        common = [each for each in common if all(self._is_within(one.claim, each) for one in group)] or common
        if any(each.claim.left.rates for each in group):  # C(q, q̇) is not C2, which depends on the coordinates alone
            common = [candidate for candidate in common if candidate.quantity != "C2"] or common
        common = self._distinguished(common, group) or common
        common = [each for each in common if each.sure or not self._has_own_letter(each, first)]
        if len(common) > 1 and self.occurs(group) is None and self.heads & {"K", "T", "L", "ℒ"}:
            common = [each for each in common if each.quantity == "P"] or common  # V = 0 is P
        if any(each.quantity == "C2" for each in common) and first.left.head in ("C", "c") and len(common) > 1:
            is_squares = "B" in self.heads or (first.left.arguments and self.occurs(group) is not None)
            common = [each for each in common if (each.quantity == "C2") == is_squares]
        required = [each for each in common if each.quantity in self.asked]
        common = required if len(common) > 1 and len(required) == 1 else self._of_two_parts(common, group)
        if len(common) == 1 or (common and common[0].sure and not common[0].has):
            self._check_not_centrifugal(first)
            return self._without_accelerations(common[0], group)
        meanings = Either(CALLED[each.quantity] for each in common) or say("different-things")
        remedy = say("name-it", names=Either(each.quantity for each in common)) if common else ""
        raise ExpressionError(
            "letter-ambiguous", where=first.where, name=first.left.text, meanings=meanings, remedy=remedy
        )

    def _has_own_letter(self, candidate: Candidate, claim: Claim) -> bool:
        """Returns whether a letter such as B could mean the mass matrix, but does not, since the answer has M, too."""
        return candidate.quantity == "M" and any(
            other.left.head == "M" != claim.left.head and (len(other.left.indices) > 1 or is_array(other))
            for other in self._claims
        )

    def _of_two_parts(self, common: Sequence[Candidate], group: Sequence[Computed]) -> list[Candidate]:
        """Returns N_i as h + G, or as h if the answer has G, and E as K + P, or as K if E has no symbol of P."""
        quantities = {each.quantity for each in common}
        if quantities == {"h", "bias"}:
            return [each for each in common if (each.quantity == "h") == bool(self.heads & {"G", "g"})]
        if quantities == {"E", "K"}:
            is_whole = self._occurring.has_potential(value.numerator for each in group for value in each.entries)
            return [each for each in common if (each.quantity == "E") == is_whole]
        return list(common)

    def _without_accelerations(self, candidate: Candidate, group: Sequence[Computed]) -> Candidate:
        """Returns h + G in place of the torques if the answer says q̈ = 0 and the values have no accelerations."""
        if candidate.quantity != "tau" or "bias" not in self.asked or "a" in (self.occurs(group) or ""):
            return candidate
        return candidate._replace(quantity="bias", sure=False)

    def _distinguished(self, possible: Sequence[Candidate], group: Sequence[Computed]) -> list[Candidate]:
        """Returns the candidates that the variables in the values allow."""
        occurs = self.occurs(group)
        if occurs is None:
            return [each for each in possible if len(each.has) < 2]
        return [each for each in possible if set(each.has) <= occurs and not set(each.lacks) & occurs]

    def occurs(self, group: Sequence[Computed]) -> set[str] | None:
        return self._occurring.of(value.numerator for each in group for value in each.entries)

    def _occurs_or_all(self, group: Sequence[Computed]) -> Collection[str]:
        occurs = self.occurs(group)
        return ALL if occurs is None else occurs

    def _fitting(self, each: Computed) -> list[Candidate]:
        left = each.claim.left
        return [
            candidate
            for candidate in self._possible(left)
            if each.shape is None
            or self._fits(left, candidate, each.shape)
            or is_part_of_jacobian(candidate.quantity, each.shape, self.n)
        ]

    def _possible(self, left: Left) -> list[Candidate]:
        """Returns the possible meanings of a left side: the one of its letter in the notation, if it has one there."""
        name = self._notation.quantity(left.head)
        own = [each for each in candidates(left._replace(head=name)) if each.quantity == name != left.head]
        return [each._replace(order=self._notation.orders.get(name, ())) for each in own] or candidates(left)

    def _fits(self, left: Left, candidate: Candidate, shape: tuple[int, ...]) -> bool:
        """Returns whether a shape is a candidate's; J without an index is the tool's rather than the only link's."""
        whole = self.shapes[candidate.quantity]
        place = place_of(left, candidate, self.n, self.zero_based)
        return fits(place, shape, whole) and (candidate.quantity != "J" or bool(place) or shape == whole)

    def _check_not_centrifugal(self, claim: Claim) -> None:
        """Raises ExpressionError for C221, which may be an entry of Γ or of C2."""
        left = claim.left
        if (
            left.head == "C"
            and left.text.startswith("C2")
            and len(left.indices) == 3
            and left.text == f"C{''.join(map(str, left.indices))}"
        ):
            raise ExpressionError(
                "c-with-three-indices",
                where=claim.where,
                name=left.text,
                indices=left.text[1:],
                entry=left.text[2:],
                row=left.text[2],
                column=left.text[3],
            )

    def _wrong_size(self, each: Computed) -> ExpressionError:
        left, expected = each.claim.left, list[Message]()
        for candidate in self._possible(left):
            place = place_of(left, candidate, self.n, self.zero_based)
            whole = self.shapes[candidate.quantity]
            if len(place) <= len(whole):
                key = "size-for-there" if place else "size-for"
                expected.append(say(key, size=size(whole[len(place) :]), quantity=candidate.quantity))
        return ExpressionError(
            "size-other",
            where=each.claim.where,
            name=left.text,
            size=size(each.shape or ()),
            expected=Either(expected) or say("another-size"),
        )

    def place(self, claim: Claim, candidate: Candidate) -> tuple[int, ...]:
        """Returns the indices of a claim; raises ExpressionError if the quantity has no such entry."""
        if not self._is_within(claim, candidate):
            expected = say("indices-within", size=size(self.shapes[candidate.quantity]))
            raise ExpressionError(
                "index-outside", where=claim.where, name=claim.left.text, quantity=candidate.quantity, expected=expected
            )
        return place_of(claim.left, candidate, self.n, self.zero_based)

    def _is_within(self, claim: Claim, candidate: Candidate) -> bool:
        place = place_of(claim.left, candidate, self.n, self.zero_based)
        return all(0 <= k < size for k, size in zip(place, self.shapes[candidate.quantity], strict=False))
