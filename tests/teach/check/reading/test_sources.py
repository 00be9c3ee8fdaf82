"""Derivations are read in the forms in which sources print them, without a change."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from shipped import robot

from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_names import indices, letter_of
from qddot.teach.check.reading.answer import Answer, Entry
from qddot.teach.check.reading.read_answer import read_text

FILE = Path(__file__).parents[3] / "data" / "check" / "derivations.toml"
DERIVATIONS = tomllib.loads(FILE.read_text(encoding="utf-8"))["derivation"]


def is_right(answer: Answer, entry: Entry, quantity: str, eq: Quantities) -> bool:
    exact = answer.ring.convert(eq.array(quantity)[entry.place].entries[0])
    return bool(entry.numerator == answer.ring.convert(exact * entry.denominator))


def named(quantity: str, place: tuple[int, ...]) -> str:
    if quantity == "B":  # of columns (1,2), (1,3) …
        return f"B{place[0] + 1}12"
    return letter_of(quantity) + indices(place)


def test_there_are_at_least_thirty() -> None:
    assert len(DERIVATIONS) >= 30


@pytest.mark.parametrize("derivation", DERIVATIONS, ids=lambda derivation: str(derivation["title"]))
def test_a_printed_derivation_is_read(derivation: dict[str, Any]) -> None:
    """Every entry is that of the arm, but for the misprints that are known."""
    eq = robot(derivation["arm"]).equations().quantities
    answer = read_text(derivation["text"], eq, derivation.get("rename"))
    assert set(answer.entries) == set(derivation["quantities"])
    entries = [(name, entry) for name, listed in answer.entries.items() for entry in listed]
    wrong = {named(name, entry.place) for name, entry in entries if not is_right(answer, entry, name, eq)}
    assert wrong == set(derivation.get("different", ()))
    assert len(entries) > len(wrong) or derivation.get("different")
