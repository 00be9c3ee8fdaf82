"""Draws variants of an exam until they are as difficult as a reference, so that all have the same marks.

The reference is the median variant of the first few. Each seed draws formulas by numbers of its own, until an exam on
them is like that on the reference; after too many draws it takes the reference's formulas. Then it draws values and
states. A swapped joint changes the length of an exam too much for that, so that such variants have marks of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from qddot.base.errors import QddotError
from qddot.teach.exam.chain_variants import ChainVariants
from qddot.teach.exam.difficulty import are_alike
from qddot.teach.exam.exams import Asked, Exam, exam, examined
from qddot.teach.exam.states import DrawnState
from qddot.teach.exam.variants import JOINT, Variants, check_seed

SAMPLE = 5  # variants whose median is the reference
DRAWS = 12  # of formulas for each seed
SHARE = 4  # draws of a seed before it draws formulas that belong to other seeds, too


class Draft(NamedTuple):
    """An exam on the formulas of a number, with the measure and the marks of each question."""

    number: int
    measures: tuple[int, ...]
    marks: tuple[int, ...]


class Papers:
    """These are the exams of one request on the variants of an arm or a closed chain."""

    def __init__(self, variants: Variants | ChainVariants, request: Asked, lang: str) -> None:
        self.variants, self.request, self.lang = variants, request, lang
        self._drafts: dict[int, Draft | None] = {}

    def of(self, seed: int) -> Exam:
        """Returns the exam of a seed; raises QddotError: as in `exam` and `Variants.of`"""
        check_seed(seed)
        reference = None if JOINT in self.variants.changes else self._reference
        if reference is None:
            return exam(self.variants.of(seed), seed, self.request, self.lang)
        if seed == 0:
            return self._own.with_marks(self._marks(reference), reference.measures)
        for number in self._numbers(seed, reference):
            with suppress(QddotError):  # values with which the arm is impossible
                return self._exam(seed, number).with_marks(self._marks(reference), reference.measures)
        return self._exam(seed, reference.number).with_marks(self._marks(reference), reference.measures)

    def _exam(self, seed: int, number: int) -> Exam:
        return exam(self.variants.of(seed, number), seed, self.request, self.lang)

    @cached_property
    def _own(self) -> Exam:
        """Returns the exam on the arm as it is described."""
        return exam(self.variants.of(0), 0, self.request, self.lang)

    @cached_property
    def _reference(self) -> Draft | None:
        """Returns the median of the first drafts, or None if no exam can be written on any of them."""
        drafts = [self._draft(number) for number in range(1, min(SAMPLE, self.variants.count) + 1)]
        possible = sorted((each for each in drafts if each), key=lambda each: (sum(each.measures), each.number))
        return possible[len(possible) // 2] if possible else None

    def _marks(self, reference: Draft) -> tuple[int, ...]:
        """Returns the marks of each question, which are enough for the reference and for the arm as it is described."""
        marks = reference.marks
        with suppress(QddotError):
            marks = tuple(map(max, marks, (part.marks for part in self._own.parts)))
        return marks

    def _numbers(self, seed: int, reference: Draft) -> Iterator[int]:
        """Yields the numbers of formulas on which an exam is like that on the reference."""
        count = self.variants.count
        for k in range(min(DRAWS, count)):
            draft = self._draft(seed + k * max(1, count // SHARE))
            if draft and are_alike(draft.measures, reference.measures, self._marks(reference)):
                yield draft.number

    def _draft(self, number: int) -> Draft | None:
        """Returns the measures of the exam on the formulas of a number, or None if it cannot be written."""
        if number not in self._drafts:
            self._drafts[number] = None
            with suppress(QddotError):
                model, state = self.variants.formulas(number), self._state
                parts = exam(model, 0, self.request, self.lang, state).parts
                measures, marks = (tuple(getattr(part, key) for part in parts) for key in ("operations", "marks"))
                self._drafts[number] = Draft(number, measures, marks)
        return self._drafts[number]

    @cached_property
    def _state(self) -> DrawnState:
        """Returns a state in which drafts are written, whose numbers do not count."""
        return examined(self.variants.of(0), self.request).state(0)
