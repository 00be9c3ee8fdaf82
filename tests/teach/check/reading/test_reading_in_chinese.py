"""What the reader says of an answer, its notes and why a part is not read, is data that each language tells."""

from __future__ import annotations

import json
import re

import pytest
from messages import files
from shipped import robot

from qddot.base.errors import FormatError
from qddot.base.words.language import catalogue, speaking
from qddot.base.words.message import say
from qddot.teach.check.judging.judge import judge
from qddot.teach.check.reading.answer import Notes
from qddot.teach.check.reading.names.letters import CALLED
from qddot.teach.check.reading.read_answer import read_text

OF_READING = ("answer-at-", "place-text", "point-", "quantity-", "reading-", "row-angular", "row-linear", "step-")
WORD = re.compile(r"(?<![\w{])[A-Za-z]{3,}(?![\w}])")
NAMES = {"tau"}
EQUATIONS = robot("two_link").equations().quantities
ANSWER = """q1 = 0.3
m1 = 2
D_12 = m2*l**2/3 + m2*l**2*cos(q2)/2
k = m2*l
G1 = (5 : 2)
w = M2
"""


@pytest.mark.parametrize("key", [key for key in files("zh")["teach"] if key.startswith(OF_READING)])
def test_each_sentence_of_the_reader_is_chinese_but_for_names(key: str) -> None:
    sentence = json.dumps(catalogue("zh")[key], ensure_ascii=False)
    assert re.search("[\u4e00-\u9fff]", sentence) or key == "reading-name"
    assert {*WORD.findall(re.sub(r"\w+_\w+", "", sentence))} <= NAMES


@pytest.mark.parametrize("quantity", CALLED)
def test_a_letter_is_read_as_a_quantity_in_chinese(quantity: str) -> None:
    text = say("reading-as", name="X", meaning=CALLED[quantity]).told("zh")
    assert text.startswith("X 读作")
    assert not WORD.findall(re.sub(r"\w+_\w+", "", text))


def test_notes_and_unread_parts_are_told_in_the_language_in_use() -> None:
    answer = read_text(ANSWER, EQUATIONS)
    english = [str(note) for note in answer.guesses]
    with speaking("zh"):
        chinese = [*map(str, answer.guesses), *(each.sentence() for each in answer.unread)]
        assert [*answer.guesses] == english  # a note is its English text, also where it is shown otherwise
        assert json.loads(judge(EQUATIONS, answer).to_json())["notes"][: len(english)] == english
    assert len(answer.guesses) > 3
    assert answer.unread
    assert not [each for each in chinese if re.search(r"\b(?:the|is|of|line|column|expected)\b", each)]


def test_a_note_is_kept_once_and_without_control_characters() -> None:
    notes = Notes()
    for _ in range(2):
        notes.add(say("reading-name", name="a\x1bb", other="c"))
    assert notes.all() == (r"a\x1bb is read as c",)


def test_a_place_of_a_text_is_told() -> None:
    with pytest.raises(FormatError) as empty, speaking("zh"):
        read_text(" ", EQUATIONS)
    assert str(empty.value) == "the text: it is empty; expected equations such as M12 = …"
    assert empty.value.told("zh").startswith("答案：内容为空")
    notes = Notes()
    notes.add(say("reading-general", text="a = b", where="line 1, column 2"))
    assert notes.all()[0].told("zh").startswith("a = b（第 1 行第 2 列）")
