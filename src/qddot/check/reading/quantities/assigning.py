"""Assigns the computed claims of one answer: to quantities, to steps of a derivation, or to the answer's own names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from qddot.check.reading.answer import Answer
from qddot.check.reading.names.arm_names import ArmNames
from qddot.check.reading.names.vocabulary import Vocabulary
from qddot.check.reading.quantities.claimed_quantities import Sorting
from qddot.check.reading.quantities.harmless import is_harmless, is_short_form
from qddot.check.reading.statements.arrays import Array, Computed, ComputedStatement, grouped
from qddot.check.reading.statements.left_out import LeftOut
from qddot.errors import ExpressionError

ENTRY = re.compile(r"(?P<letter>[^\W\d]+)\s*[\[(]")  # such as C[i, j]


class Usage(NamedTuple):
    """These are the answer's own names that its expressions use, and those that occur only in derivatives."""

    used: set[str]
    derived: set[str]


class Assigning:
    """This assigns computed claims to quantities.

    steps: the claims that are no quantities by their names
    """

    def __init__(
        self, sorting: Sorting, names: ArmNames, vocabulary: Vocabulary, left_out: LeftOut, usage: Usage
    ) -> None:
        self.sorting, self.names, self.vocabulary = sorting, names, vocabulary
        self.left_out, self.usage = left_out, usage
        self.steps: list[Computed] = []

    def add(self, computed: Sequence[ComputedStatement]) -> None:
        """Adds all claims: first the equations, then those that name quantities, then the steps."""
        sorting = self.sorting
        for each in computed:
            if not isinstance(each, Array):
                self._try(partial(sorting.equations.add, each), each.balance.text, each.balance.where)
        claims = sorting.recognized.without_given_forces([each for each in computed if isinstance(each, Array)])
        for group in grouped(claims):
            self._add(group)
        steps = sorting.recognized.without_agreeing(self.steps)
        for step in sorted(steps, key=self._is_unknown):
            self._try(partial(sorting.add_step, step), step.claim.left.text, step.claim.where)

    def _is_unknown(self, each: Computed) -> tuple[bool, bool]:
        """Returns whether a claim is no step of a derivation, and whether it is no torque of a joint."""
        return self.sorting.meanings.step_of(each) is None, self.sorting.joint_of(each) is None

    def answer(self) -> Answer:
        """Returns the entries by quantity."""
        entries_unread = (ENTRY.match(each.text) for each in self.left_out.unread)
        self.sorting.partly_unread = {entry["letter"] for entry in entries_unread if entry}
        return self.sorting.answer()

    def _try(self, add: partial[None], text: str, where: str) -> None:
        try:
            add()
        except ExpressionError as error:
            self.left_out.add(text, where, error)

    def _add(self, group: Sequence[Computed]) -> None:
        """Adds claims with one letter to the answer, or lists them, unless they are definitions that are used."""
        sorting, used = self.sorting, self.usage.used - self.usage.derived
        group = [each for each in group if not each.claim.weak and not sorting.meanings.is_input_matrix(each)]
        group = [each for each in group if not is_short_form(each, self.names, sorting.ring)]
        about = [each for each in group if sorting.meanings.is_about(each, each.claim.left.key in used)]
        self.steps += [each for each in group if each not in about and not self._is_definition(each)]
        if not about:
            return
        try:
            sorting.add(about)
        except ExpressionError as error:
            others = [each for each in about if not (each.shape and sorting.recognized.is_known_step(each))]
            if len(others) < len(about):  # 𝒢_2, a spatial inertia, beside G_2, perhaps with 𝒢_1 = 0
                others = [each for each in others if not sorting.recognized.is_zero_step(each)]
                self._add(others)
                return
            for each in about:
                if sorting.is_torque(each):  # … = C, with a torque that is called C
                    self.steps.append(each)
                elif sorting.recognized.is_other_name(each):
                    continue
                elif each.claim.left.key not in self.usage.used and not sorting.recognized.is_known_step(each):
                    self.left_out.add(each.claim.left.text, each.claim.where, error)

    def _is_definition(self, each: Computed) -> bool:
        key, sorting = each.claim.left.key, self.sorting
        if key in self.usage.used:
            if each.shape == () and (step := sorting.meanings.step_of(each)) and step.places:
                sorting.add_step(each)
            if key in self.names.symbols:
                self.vocabulary.note(f"{each.claim.left.text} ({each.claim.where}) replaces the arm's own {key}")
            return True
        return is_harmless(each, self.names, sorting.ring, self.vocabulary.aliases)
