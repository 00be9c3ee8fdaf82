"""Reads which questions an exam asks: `M=8,G,skew,tau@` derives M for 8 marks, derives G, shows a law, computes τ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from qddot.base.errors import QddotError, near, shortened
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.asked import required_entries
from qddot.teach.exam.laws import LAWS

DERIVE, SHOW, COMPUTE = "derive", "show", "compute"
QUANTITIES = {"M": "M", "C": "C", "Gamma": "christoffel", "h": "h", "G": "G", "P": "P", "tau": "tau"}
NUMERIC = ("M", "C", "G", "h", "tau")  # quantities that can be asked in numbers
USUAL = "M,G,skew,tau@"
EXPECTED = (
    f"{', '.join(QUANTITIES)}, an entry such as M12, a law ({', '.join(LAWS)}), or "
    f"{', '.join(f'{each}@' for each in NUMERIC)}"
)
ASKED = re.compile(r"(?P<name>[A-Za-z]+)(?P<place>[1-9]*)(?P<at>@?)(?:=(?P<marks>[^=]*))?")
MOST_QUESTIONS, MOST_MARKS = 20, 200


class Question(NamedTuple):
    """A question asks to derive a quantity or an entry of it, to show a law, or to compute a quantity in numbers.

    name: as the user wrote it, M12; quantity: its name in the equations; place: of the entry, from 0; marks: if given
    """

    kind: str
    name: str
    quantity: str
    place: tuple[int, ...] = ()
    marks: int | None = None

    @property
    def text(self) -> str:
        """Returns the question as the user writes it."""
        return f"{self.name}@" if self.kind == COMPUTE else self.name


def questions_of(eq: Quantities, listed: str | Sequence[str]) -> list[Question]:
    """Returns the questions in the user's list.

    raises QddotError: none, too many, the same one twice, one that does not exist, or marks that are not a whole number
    """
    texts = [text.strip() for text in (listed.split(",") if isinstance(listed, str) else listed)]
    if not 0 < len(texts) <= MOST_QUESTIONS:
        raise QddotError(f"{len(texts)} questions", expected=f"1 to {MOST_QUESTIONS}")
    questions = [_question(eq, text) for text in texts]
    names = [question.text for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise QddotError(f"the question {name} twice", remedy="leave one out")
    return questions


def _question(eq: Quantities, text: str) -> Question:
    match = ASKED.fullmatch(text) if isinstance(text, str) else None
    name = match["name"] if match else ""
    if match is None or name not in (*QUANTITIES, *LAWS) or (match["at"] and name not in NUMERIC):
        raise QddotError(f"no question {shortened(text)}", expected=EXPECTED, remedy=near(name, [*QUANTITIES, *LAWS]))
    marks = None if match["marks"] is None else _marks(match["marks"], text)
    if name in LAWS:
        if match["place"] or match["at"]:
            raise QddotError(f"no question {shortened(text)}", expected=EXPECTED)
        return Question(SHOW, name, name, (), marks)
    if match["at"]:
        if match["place"]:
            raise QddotError(f"an entry in numbers, {shortened(text)}", expected=f"all of it: {name}@")
        return Question(COMPUTE, name, QUANTITIES[name], (), marks)
    place = tuple(int(digit) - 1 for digit in match["place"])
    question = Question(DERIVE, name + match["place"], QUANTITIES[name], place, marks)
    shape = eq.array(question.quantity).shape
    if (place and len(place) != len(shape)) or any(k >= size for k, size in zip(place, shape, strict=False)):
        sizes = "×".join(map(str, shape)) or "one"
        raise QddotError(f"no entry {shortened(text)} in {eq.model.name}", expected=f"one of {sizes} entries of {name}")
    required_entries(eq, (question.name,))
    return question


def _marks(text: str, where: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST_MARKS:
        raise QddotError(f"marks in {shortened(where)}", expected=f"a whole number from 1 to {MOST_MARKS}, as in M=8")
    return int(text)
