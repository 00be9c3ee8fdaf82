"""Forty derivations with one mistake each, and forty right ones in other words: the bench has three hundred of each."""

from __future__ import annotations

import pytest

from mutating import KINDS, Planted, drawn, is_first
from qddot.check.judging.judge import judge
from qddot.check.reading.read_answer import read_text
from rewriting import Rewritten
from rewriting import drawn as rewritten

SEED = 7
PLANTED = list(drawn(40, SEED))
REWRITTEN = list(rewritten(40, SEED))


@pytest.mark.parametrize(("kind", "planted"), PLANTED, ids=[f"{kind}: {each.place}" for kind, each in PLANTED])
def test_a_planted_mistake_is_found_and_named_first(kind: str, planted: Planted) -> None:
    found = judge(planted.eq, planted.answer)
    assert not found
    assert is_first(found, planted.truth)[1], str(found)


def test_every_kind_of_mistake_is_among_them() -> None:
    assert {kind for kind, _ in PLANTED} == set(KINDS)


@pytest.mark.parametrize("each", REWRITTEN, ids=[each.about for each in REWRITTEN])
def test_a_right_derivation_in_other_words_is_right(each: Rewritten) -> None:
    assert judge(each.eq, read_text(each.text, each.eq, each.rename))
