"""Reads which questions an exam asks: `M=8,G,skew,tau@` derives M for 8 marks, derives G, shows a law, computes τ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from qddot.base.errors import QddotError, near, shortened
from qddot.base.words.message import Listed, Message, say
from qddot.exact.equations.notations import notation_of
from qddot.teach.exam.examined import Examined
from qddot.teach.exam.laws import laws_of

DERIVE, SHOW, COMPUTE = "derive", "show", "compute"
USUAL = "M,G,skew,tau@"
USUAL_OF_CHAINS = "mobility,R,M,G,tau@"
USUAL_WITHOUT_VALUES = "M,G,skew"
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


def questions_of(of: Examined, listed: str | Sequence[str] | None) -> list[Question]:
    """Returns the questions in the user's list, or the usual ones.

    raises QddotError: none, too many, the same one twice, one that does not exist, or marks that are not a whole number
    """
    listed = _usual(of) if listed is None else listed
    texts = [text.strip() for text in (listed.split(",") if isinstance(listed, str) else listed)]
    if not 0 < len(texts) <= MOST_QUESTIONS:
        raise QddotError("questions-count", count=len(texts), most=MOST_QUESTIONS)
    questions = [_question(of, text) for text in texts]
    names = [question.text for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise QddotError("question-twice", name=name)
    return questions


def _usual(of: Examined) -> str:
    """Returns the usual questions; there are no numbers where a symbol has no value."""
    if of.is_closed:
        return USUAL_OF_CHAINS
    return USUAL if {*of.eq.ring.symbols} <= {*of.eq.model.defaults(), "pi"} else USUAL_WITHOUT_VALUES


def expected(of: Examined) -> Message:
    """Returns the sentence on what can be asked."""
    numbers = Listed(f"{each}@" for each in of.numeric)
    return say("what-exams-ask", names=Listed(of.quantities), laws=Listed(laws_of(of)), numbers=numbers)


def _question(of: Examined, text: str) -> Question:
    match, laws = ASKED.fullmatch(text) if isinstance(text, str) else None, laws_of(of)
    name = notation_of(of.eq.model.notation).quantity(match["name"]) if match else ""
    formulas = name in (*of.quantities, *laws)
    if match is None or not (name in of.numeric if match["at"] else formulas):
        remedy = near(name, [*of.quantities, *laws])
        raise QddotError("no-question", question=shortened(text), expected=expected(of), remedy=remedy)
    marks = None if match["marks"] is None else _marks(match["marks"], text)
    if name in laws:
        if match["place"]:
            raise QddotError("no-question", question=shortened(text), expected=expected(of), remedy="")
        return Question(SHOW, name, name, (), marks)
    if match["at"]:
        if match["place"]:
            raise QddotError("numbers-of-one-entry", question=shortened(text), name=name)
        return Question(COMPUTE, name, of.quantities.get(name, name), (), marks)
    place = tuple(int(digit) - 1 for digit in match["place"])
    question = Question(DERIVE, name + match["place"], of.quantities[name], place, marks)
    shape = of.eq.array(question.quantity).shape
    if (
        0 in shape
        or (place and len(place) != len(shape))
        or any(k >= size for k, size in zip(place, shape, strict=False))
    ):
        sizes = "×".join(map(str, shape)) or say("question-one-entry")
        raise QddotError("question-without-entry", question=shortened(text), model=of.name, size=sizes, name=name)
    of.entries(question.name)
    return question


def _marks(text: str, where: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST_MARKS:
        raise QddotError("marks-not-whole", question=shortened(where), most=MOST_MARKS)
    return int(text)
