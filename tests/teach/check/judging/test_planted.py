"""Forty derivations with one mistake each, and forty right ones in other words: the bench has three hundred of each."""

from __future__ import annotations

from functools import cache

import pytest
from mutating import KINDS, Planted, drawn, is_first
from rewriting import Rewritten
from rewriting import drawn as rewritten

from qddot.teach.check.judging.judge import judge
from qddot.teach.check.reading.read_answer import read_text

SEED = 7
COUNT, REWRITTEN = 40, 25


@cache
def planted() -> list[tuple[str, Planted]]:
    return list(drawn(COUNT, SEED))


@cache
def in_other_words() -> list[Rewritten]:
    return list(rewritten(REWRITTEN, SEED))


@pytest.mark.parametrize("which", range(COUNT))
def test_a_planted_mistake_is_found_and_named_first(which: int) -> None:
    kind, mistake = planted()[which]
    judgement = judge(mistake.eq, mistake.answer)
    assert not judgement, kind
    assert is_first(judgement, mistake.truth)[1], f"{kind}: {judgement}"


def test_every_kind_of_mistake_is_among_them() -> None:
    assert {kind for kind, _ in planted()} == set(KINDS)


@pytest.mark.parametrize("which", range(REWRITTEN))
def test_a_right_derivation_in_other_words_is_right(which: int) -> None:
    each = in_other_words()[which]
    assert judge(each.eq, read_text(each.text, each.eq, each.rename)), each.about
