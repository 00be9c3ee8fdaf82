"""What the project prints is read back and is the original, exactly."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest
from shipped import robot

import qddot
from qddot.faces.equations_of_motion import EquationsOfMotion
from qddot.teach.check.reading.read_answer import read_text

QUANTITIES = ("M", "christoffel", "C", "B", "h", "G", "tau", "K", "P", "L")
OF_LINKS = ("T", "T_tool", "J", "J_tool", "J_c", "p_c")
LANGUAGES = ("text", "latex", "python", "matlab")
# one arm in every language, and each of the others in two
PRINTED = [
    *(("elbow_3r", language) for language in LANGUAGES),
    *(("two_link", "text"), ("two_link", "python"), ("spatial_2r", "latex"), ("spatial_2r", "matlab")),
    *(("rp", "text"), ("rp", "latex"), ("slider", "python"), ("slider", "matlab")),
]


@cache
def equations(arm: str) -> EquationsOfMotion:
    return robot(arm).equations()


def read_back(eq: EquationsOfMotion, name: str, text: str) -> None:
    """Every entry that is read is the arm's, nothing else is read, and nothing is guessed."""
    answer = read_text(text, eq.quantities)
    assert set(answer.entries) == {name}
    array = eq.array(name)
    for entry in answer.entries[name]:
        assert entry.denominator == 1
        assert entry.numerator == answer.ring.convert(array[entry.place].entries[0])
    places = {entry.place for entry in answer.entries[name]}
    whole = product(*(range(size) for size in array.shape))
    left_out = [place for place, entry in zip(whole, array.entries, strict=True) if entry and place not in places]
    mirrored = [place for place in left_out if name in ("M", "christoffel") and (*place[:-2], *place[:-3:-1]) in places]
    assert left_out == mirrored  # of a symmetric pair a text has one
    assert answer.guesses == ()


@pytest.mark.parametrize(("arm", "language"), PRINTED)
def test_what_is_printed_is_read_back(arm: str, language: str) -> None:
    eq = equations(arm)
    for name in (*QUANTITIES, *OF_LINKS, "C2"):
        if eq.array(name):
            read_back(eq, name, getattr(eq, language)([name]))


@pytest.mark.parametrize(("arm", "language"), [(arm, language) for arm, language in PRINTED if language != "text"])
def test_short_forms_are_read_back(arm: str, language: str) -> None:
    """The constants of a short form are definitions of the answer's own."""
    eq = equations(arm)
    short = eq.textbook()
    for name in (*QUANTITIES, *OF_LINKS):
        if eq.array(name):
            read_back(eq, name, getattr(short, language)([name]))


@pytest.mark.parametrize("arm", ["two_link", "elbow_3r"])
def test_a_whole_document_is_read_back(arm: str) -> None:
    eq = equations(arm)
    for text in (eq.text(), eq.latex(), eq.python(), eq.matlab(), eq.textbook().latex()):
        answer = read_text(text, eq.quantities)
        assert set(answer.entries) == {"M", "h", "G"}
        for name, entries in answer.entries.items():
            assert all(entry.numerator == eq.array(name)[entry.place].entries[0] for entry in entries)


def test_what_sympy_prints_is_read() -> None:
    eq = equations("planar_2r")
    answer = read_text(f"M = {eq.M.sympy()}\nh = {eq.h.sympy()}", eq.quantities)
    assert [entry.numerator for entry in answer.entries["M"]] == list(eq.M.entries)
    assert [entry.numerator for entry in answer.entries["h"]] == list(eq.h.entries)


@pytest.mark.parametrize("language", LANGUAGES)
def test_friction_is_read_back(language: str, tmp_path: Path) -> None:
    """The sign of a rate is a function in most languages; Python has none and compares."""
    rubbing = tmp_path / "rubbing.toml"
    joint = 'coordinate = "q1"'
    rubbing.write_text(robot("two_link").to_toml().replace(joint, f"{joint}, damping = 2, coulomb = 0.3"))
    eq = qddot.load(rubbing).equations()
    read_back(eq, "friction", getattr(eq, language)(["friction"]))
