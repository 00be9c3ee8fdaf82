"""Decides what becomes of the parts of an answer that are not read: they are noted as general, or listed as unread."""

from __future__ import annotations

import re
from collections.abc import Mapping

from qddot.base.errors import ExpressionError
from qddot.base.words.message import say
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.reading.names.arm_names import ArmNames
from qddot.teach.check.reading.names.left_sides import names_in_column
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.statements.any_link import is_of_any_link
from qddot.teach.check.reading.statements.arrays import Array, ParsedStatement
from qddot.teach.check.reading.statements.claims import Balance, Claim, Leaf
from qddot.teach.check.reading.statements.equations import Loose
from qddot.teach.check.reading.statements.general import is_general
from qddot.teach.check.reading.statements.laws import (
    contradicts_christoffel,
    holds,
    is_combination,
    is_law_of_any_arm,
    is_notation,
    is_rate_of_momentum,
    is_skewness,
)
from qddot.teach.check.reading.statements.other_names import names_in

OF_ORIGIN = "o"  # the superscript of an inertia about the origin of its link's frame, I^o
# parameters of a link, as m_x1 and I^o_xx1, or of a joint, as I_a,q1
INERTIAL = re.compile(r"(?:bar)?(?:(?:m_?[xyz]?|I_?[xyz]{2}|Ia|Fv|Fc)(?:hocho|o)?_?\d+|(?:Ia|Fv|Fc)\w+)")


class LeftOut:
    """These are the parts of one answer that are not read.

    defined: the claims that define the answer's own names
    unread: the parts that could not be read; names: the names that occur in them
    """

    def __init__(self, names: ArmNames, vocabulary: Vocabulary, defined: Mapping[str, Claim]) -> None:
        self.arm_names, self.vocabulary, self.defined = names, vocabulary, defined
        self.unread: list[Unread] = []
        self.names: set[str] = set()
        self._skew_claims: set[str] = set()  # the places of Sᵀ = −S

    def note_general(self, text: str, where: str) -> None:
        """Notes a formula that is true of any arm."""
        self.vocabulary.notes.add(say("reading-general", text=text[:60], where=where))

    def note_loose(self, formula: Loose) -> None:
        """Notes a formula without '='."""
        self.vocabulary.notes.add(say("reading-without-equals", text=formula.text[:60], where=formula.where))

    def add(self, text: str, where: str, error: ExpressionError) -> None:
        """Lists a part that could not be read."""
        self.unread.append(Unread.because(text, where, error))

    def is_law(self, balance: Balance) -> bool:
        """Returns whether an equation is true of any arm, so that it is not read even if it could be."""
        if is_skewness(*balance.sides):
            self._skew_claims.add(balance.where)
        has_slopes = any(each.kind == "partial" for side in balance.sides for each in side.lexemes)
        is_law = is_law_of_any_arm(*balance.sides) or is_notation(*balance.sides)
        return is_law or (has_slopes and holds(*balance.sides)) or _is_about_any_link(balance)

    def is_law_of_energies(self, claim: Claim) -> bool:
        """Returns whether a claim with derivatives of energies is true of any arm."""
        return claim.name is not None and (holds(claim.name, claim.leaves[0]) or self._is_own_combination(claim))

    def balance(self, balance: Balance, error: ExpressionError) -> None:
        """Notes or lists an equation that does not parse."""
        is_law = is_general(balance.sides) or holds(*balance.sides) or is_notation(*balance.sides)
        if is_law or is_skewness(*balance.sides):
            self.note_general(balance.text, balance.where)
        else:
            self.names |= {name for side in balance.sides for name in names_in(side)}
            self.add(balance.text, balance.where, error)

    def statement(self, parsed: ParsedStatement, error: ExpressionError) -> None:
        """Notes or lists a claim or an equation that cannot be computed."""
        if isinstance(parsed, Array):
            self.claim(parsed.claim, error)
        elif parsed.balance.where in self._skew_claims:
            self.note_general(parsed.balance.text, parsed.balance.where)
        else:
            self.add(parsed.balance.text, parsed.balance.where, error)

    def claim(self, claim: Claim, error: ExpressionError) -> None:
        """Notes or lists a claim that does not parse, or that cannot be computed."""
        name = claim.name
        if claim.is_step:
            left, where = claim.left.text, claim.where
            self.vocabulary.notes.add(say("reading-step-left-out", name=left, where=where, reason=error.message))
        elif name is not None and len(claim.leaves) == 1 and contradicts_christoffel(name, claim.leaves[0]):
            error = ExpressionError("not-christoffels-formula")
            self.add(claim.left.text, claim.where, error)
        elif self._is_without_name(claim) if name is None else self._is_of_any_arm(claim, name):
            self.note_general(claim.left.text, claim.where)
        elif self._is_base_parameter(claim):
            self.vocabulary.notes.add(say("reading-base-parameter", name=claim.left.text, where=claim.where))
        else:
            self.names |= {name for leaf in claim.leaves for name in names_in(leaf)}
            self.add(claim.left.text, claim.where, error)

    def _is_of_any_arm(self, claim: Claim, name: Leaf) -> bool:
        """Returns whether a claim is about all arms, or only introduces names for vectors."""
        return (
            self._is_law(claim, name)
            or (len(claim.leaves) == 1 and is_notation(claim.leaves[0], name))
            or is_of_any_link(claim, self.arm_names)
            or self._is_own_combination(claim)
            or _names_components(claim)
            or self._is_of_vectors(claim)
            or _is_projection(claim)
        )

    def _is_of_vectors(self, claim: Claim) -> bool:
        """Returns whether p = p_w + d_6 a is about vectors that nothing defines, and p_x, p_y … are given apart."""
        words = {name for leaf in claim.leaves for name in names_in(leaf)}
        unknown = {name for name in words if not self.arm_names.readings(name) and name not in self.defined}
        has_components = all(f"{claim.left.key}{axis}" in self.defined for axis in "xy")
        return has_components and not claim.left.indices and len(unknown) > 1

    def _is_without_name(self, claim: Claim) -> bool:
        """Returns whether an equation is about any link, as [ω_i] = R_iᵀ Ṙ_i, or is Sᵀ = −S without values of S."""
        return claim.where in self._skew_claims or (not claim.shape and bool(claim.leaves) and is_general(claim.leaves))

    def _is_law(self, claim: Claim, name: Leaf) -> bool:
        """Returns whether a claim is about all arms: it is general and names no entry, or it is a law that holds."""
        names_entry = bool(claim.shape or claim.left.indices or claim.left.cell)
        general = not names_entry and is_general((name, *claim.leaves))
        return general or (len(claim.leaves) == 1 and holds(name, claim.leaves[0]))

    def _is_own_combination(self, claim: Claim) -> bool:
        """Returns whether a claim gives a name of its own to a combination of whole quantities: S = Ṁ − 2C."""
        if len(claim.leaves) != 1:
            return False
        if candidates(claim.left):
            return claim.left.key == "u" and is_rate_of_momentum(claim.leaves[0])
        return is_combination(claim.leaves[0])

    def _is_base_parameter(self, claim: Claim) -> bool:
        """Returns whether β_k is a combination of first moments and inertias about the links' frames, as m_x1."""
        words = {name for leaf in claim.leaves for name in names_in(leaf)}
        unknown = {name for name in words if not self.arm_names.readings(name)}
        are_known = all(map(INERTIAL.fullmatch, unknown - {OF_ORIGIN}))
        return claim.left.head == "beta" and bool(unknown) and are_known


def _names_components(claim: Claim) -> bool:
    """Returns whether a column only names its own components, as in r = (r_x, r_y, r_z, 1)."""
    words = claim.words
    letter = claim.left.text.strip()
    return len(words) > 1 and all(re.fullmatch(rf"{re.escape(letter)}_?[xyz]", word) for word in words)


def _is_about_any_link(balance: Balance) -> bool:
    """Returns whether both sides are about a link i, as in [ω_i] = R_iᵀ Ṙ_i."""
    left, right = balance.sides
    names = list(names_in_column(left.lexemes, left.written))
    return len(names) == 1 and not names[0].indices and is_general((left,)) and is_general((right,))


def _is_projection(claim: Claim) -> bool:
    """Returns whether a torque is the projection of a moment, τ_1 = e_1ᵀ n_1 + J_1 q̈_1, with n or nᵉ."""
    words = claim.words
    letters = [word.rstrip("0123456789").rstrip("_") for word in words if word != "T"]
    return claim.left.head == "tau" and letters[:2] in (["e", "n"], ["e", "n_e"])
