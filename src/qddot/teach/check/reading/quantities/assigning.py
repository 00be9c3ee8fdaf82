"""Assigns the computed claims of one answer: to quantities, to steps of a derivation, or to the answer's own names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from qddot.base.errors import ExpressionError, Where
from qddot.base.words.message import Listed, say
from qddot.teach.check.reading.answer import Answer
from qddot.teach.check.reading.names.arm_names import ArmNames, plain
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.quantities.harmless import is_harmless, is_short_form
from qddot.teach.check.reading.quantities.placing import Placing
from qddot.teach.check.reading.signs.lexemes import word_of
from qddot.teach.check.reading.statements.arrays import Array, Computed, ComputedStatement, are_same, grouped
from qddot.teach.check.reading.statements.left_out import LeftOut
from qddot.teach.check.reading.statements.written_numbers import is_value

ENTRY = re.compile(r"(?P<letter>[^\W\d]+)\s*[\[(]")  # such as C[i, j]


class Usage(NamedTuple):
    """This says what the expressions of an answer use.

    used: its own names; derived: those that occur only in derivatives
    by_components: the statements with components of links' vectors that it does not define, each with these
    """

    used: set[str]
    derived: set[str]
    by_components: Sequence[tuple[ComputedStatement, list[str]]] = ()


class Assigning:
    """This assigns computed claims to quantities, to steps of a derivation, or to the answer's own names.

    unnamed: the claims that are no quantities by their names
    """

    def __init__(
        self, placing: Placing, names: ArmNames, vocabulary: Vocabulary, left_out: LeftOut, usage: Usage
    ) -> None:
        self.placing, self.names, self.vocabulary = placing, names, vocabulary
        self.meanings, self.recognized, self.equations = placing.meanings, placing.recognized, placing.equations
        self.left_out, self.usage = left_out, usage
        self.unnamed: list[Computed] = []

    def add(self, computed: Sequence[ComputedStatement]) -> None:
        """Adds all claims: first the equations, then those that name quantities, then the others."""
        for each in computed:
            if not isinstance(each, Array):
                self._try(partial(self.equations.add, each), each.balance.text, each.balance.where)
        claims = self.recognized.without_given_forces([each for each in computed if isinstance(each, Array)])
        for group in grouped(claims):
            self._add(group)
        unnamed = self.recognized.without_agreeing(self.unnamed)
        for claim in sorted(unnamed, key=self._is_unknown):
            self._try(partial(self.placing.add_unnamed, claim), claim.claim.left.text, claim.claim.where)

        for each, components in self.usage.by_components:
            self._add_by_components(each, components)

    def _add_by_components(self, each: ComputedStatement, components: Sequence[str]) -> None:
        """Notes a line that holds for the exact components, f_4,1, or lists it as not read; it answers no question."""
        if isinstance(each, Array) and self.recognized.note_line_of_route(each):
            return
        text, where = (
            (each.claim.left.text, each.claim.where)
            if isinstance(each, Array)
            else (each.balance.text, each.balance.where)
        )
        error = ExpressionError("line-not-exact", components=Listed(components))
        self.left_out.add(text, where, error)

    def _is_unknown(self, each: Computed) -> tuple[bool, bool]:
        """Returns two truth values: a claim is about no point of the arm; it is no torque of a joint."""
        return self.meanings.point_of(each) is None, self.placing.joint_of(each) is None

    def answer(self) -> Answer:
        """Returns the entries by quantity."""
        entries_unread = (ENTRY.match(each.text) for each in self.left_out.unread)
        return self.placing.answer({entry["letter"] for entry in entries_unread if entry})

    def _try(self, add: partial[None], text: str, where: str) -> None:
        try:
            add()
        except ExpressionError as error:
            self.left_out.add(text, where, error)

    def _add(self, group: Sequence[Computed]) -> None:
        """Adds claims with one letter to the answer, or lists them as not read; used definitions are left alone."""
        used = self.usage.used - self.usage.derived
        group = [each for each in group if not each.claim.weak and not self.meanings.note_input_matrix(each)]
        group = [each for each in group if not is_short_form(each, self.names, self.placing.ring)]
        about = [each for each in group if self.meanings.is_about(each, each.claim.left.key in used)]
        self._list_contradicting([each for each in group if each not in about])
        self.unnamed += [each for each in group if each not in about and not self._add_definition(each)]
        if not about:
            return
        try:
            self.placing.add(about)
        except ExpressionError as error:
            others = [each for each in about if not (each.shape and self.recognized.note_known_step(each))]
            if len(others) < len(about):  # 𝒢_2, a spatial inertia, beside G_2, perhaps with 𝒢_1 = 0
                self._add([each for each in others if not self.recognized.note_zero_step(each)])
                return
            for each in about:
                self._leave_out(each, error)

    def _list_contradicting(self, definitions: Sequence[Computed]) -> None:
        """Lists each used definition whose value differs from an earlier one of the same name; numbers are rounded."""
        first = dict[str, Computed]()
        for each in definitions:
            key, is_rounded = each.claim.left.key, any(value.rounded for value in each.entries)
            if key not in self.usage.used or is_rounded or is_value(each.claim):
                continue
            other = first.setdefault(key, each)
            if not are_same(other, each):
                error = ExpressionError("other-value-before", place=Where(other.claim.where))
                self.left_out.add(each.claim.left.text, each.claim.where, error)

    def _leave_out(self, each: Computed, error: ExpressionError) -> None:
        """Keeps what may be a torque for later, notes a known step, and lists what is not used as not read."""
        if self.placing.is_torque(each):  # … = C, with a torque that is called C
            self.unnamed.append(each)
        elif self.recognized.note_other_name(each) or each.claim.left.key in self.usage.used:
            return
        elif not self.recognized.note_known_step(each):
            self.left_out.add(each.claim.left.text, each.claim.where, error)

    def _add_definition(self, each: Computed) -> bool:
        """Adds a used definition if it is a point's coordinate; returns whether a claim is used or harmless."""
        key = each.claim.left.key
        if key not in self.usage.used:
            return self._is_own_name(each) or is_harmless(each, self.names, self.placing.ring, self.vocabulary.aliases)
        if each.shape == () and self.meanings.point_of(each):
            self._try(partial(self.placing.add_unnamed, each), each.claim.left.text, each.claim.where)
        if key in self.names.symbols:
            name, where = each.claim.left.text, each.claim.where
            self.vocabulary.notes.add(say("reading-replaces-symbol", name=name, where=where, symbol=key))
        return True

    def _is_own_name(self, each: Computed) -> bool:
        """Returns whether a claim only gives another name to what the answer defines, as oc1 = pc1."""
        signs = each.claim.signs
        return len(signs) == 1 and plain(word_of(signs[0])) in self.vocabulary.own and not each.claim.shape
