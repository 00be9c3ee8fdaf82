"""Every way of writing one entry is read as that entry, and one with something changed is not."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from judged_texts import equations
from notations import SUFFIXES, answer, changed, drawn, terms_of

from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.checking import check

ARMS = ("two_link", "planar_2r", "spatial_2r", "furuta_pendulum", "cart_pole", "spherical_pendulum", "elbow_3r")
FEW, MANY = 24, 64


def one(seed: int, folder: Path, wrong: bool) -> tuple[bool, str, str]:
    """Returns whether a drawn entry is accepted, its text, and what is said of it."""
    rng = Random(f"notation {seed}")
    eq: Quantities = equations(rng.choice(ARMS)).in_joint_angles
    quantity = rng.choice(("M", "h", "G"))
    array = eq.array(quantity)
    places = [place for place, entry in zip(array.places, array.entries, strict=True) if entry]
    place, how = rng.choice(places), drawn(rng)
    terms = terms_of(array[place].entries[0])
    text = answer(eq, quantity, place, changed(terms, rng) if wrong else terms, how, rng)
    file = folder / f"{seed}{SUFFIXES[how.language]}"
    file.write_text(text, encoding="utf-8")
    judgement = check(eq, file, None, {})
    return bool(judgement), f"{eq.model.name}, {how}: {text}", "\n".join(judgement.summary())


@pytest.mark.parametrize("seed", range(FEW))
def test_an_entry_in_any_notation_is_that_entry(seed: int, tmp_path: Path) -> None:
    accepted, text, told = one(seed, tmp_path, wrong=False)
    assert accepted, f"{text}\n{told}"


@pytest.mark.parametrize("seed", range(FEW))
def test_an_entry_with_one_thing_changed_is_not(seed: int, tmp_path: Path) -> None:
    accepted, text, told = one(seed, tmp_path, wrong=True)
    assert not accepted, f"{text}\n{told}"


@pytest.mark.slow
def test_many_entries(tmp_path: Path) -> None:
    for seed in range(FEW, MANY):
        for wrong in (False, True):
            accepted, text, told = one(seed, tmp_path, wrong=wrong)
            assert accepted is not wrong, f"{text}\n{told}"
