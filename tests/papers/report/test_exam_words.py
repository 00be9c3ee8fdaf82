"""What a sheet says of its symbols holds for its variant, and a solution has a line for each part with marks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from shipped import robot

import qddot
from qddot.papers.draw.posed import PosedArm
from qddot.papers.report.document import EquationBlock, Table
from qddot.teach.exam.exams import Asked, Exam, exam
from qddot.teach.exam.variants import MEANINGS, Variants

pytestmark = pytest.mark.usefixtures("derived_once")
OF_ITS_OWN = "length of each rod"


@cache
def skew(name: str, lang: str = "en") -> Exam:
    return exam(robot(name).model, 0, Asked("skew=90"), lang)


def test_a_length_that_a_variant_scales_is_not_the_length_of_each_rod() -> None:
    original = robot("two_link").model
    for seed in range(1, 30):
        variant = Variants(original, ["lengths"]).of(seed)
        own = [
            body.joint.offset.p == before.joint.offset.p
            for body, before in zip(variant.bodies, original.bodies, strict=True)
        ]
        expected = OF_ITS_OWN if all(own) else MEANINGS["m"]
        assert variant.symbols["l"].meaning == expected, seed


@pytest.mark.parametrize("change", ["gravity", "joint"])
def test_a_height_is_none_where_gravity_is_turned_or_a_joint_is_swapped(change: str) -> None:
    original = robot("elbow_3r").model
    variants = [Variants(original, [change]).of(seed) for seed in range(1, 8)]
    same = [each for each in variants if (each.gravity, each.bodies) == (original.gravity, original.bodies)]
    assert {each.symbols["l0"].meaning for each in variants if each not in same} == {MEANINGS["m"]}
    assert {each.symbols["m1"].meaning for each in variants} == {"mass of link 1"}


def test_inertias_about_axes_of_other_frames_are_those_of_the_tables() -> None:
    original = robot("elbow_3r").model
    variants = [Variants(original, ["frames"]).of(seed) for seed in range(1, 12)]
    meanings = {each.symbols["Iy2"].meaning for each in variants}
    assert meanings == {original.symbols["Iy2"].meaning, MEANINGS["kg m^2"]}


def test_other_numbers_leave_all_meanings() -> None:
    original = robot("elbow_3r").model
    variant = Variants(original, ["numbers"]).of(3)
    assert variant.hash != original.hash
    assert [each.meaning for each in variant.symbols.values()] == [each.meaning for each in original.symbols.values()]


@pytest.mark.parametrize("name", ["two_link", "rp", "cart_pole"])
def test_the_rate_of_the_mass_matrix_has_marks_and_a_line(name: str) -> None:
    whole = skew(name)
    blocks = [block for block in whole.parts[0].solution if isinstance(block, EquationBlock)]
    (rate,) = (block for block in blocks if block.key == "M_rate")
    eq = whole.of.eq
    entries = [eq.ring.time_derivative(entry) for entry in eq.array("M").entries]
    nonzero = {
        place
        for place, entry in zip(eq.array("M").places, entries, strict=True)
        if entry and list(place) == sorted(place)
    }
    assert len(rate.listed) == max(1, len(nonzero))
    assert "S" in {block.key for block in blocks if "M_rate" in block.uses}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_proof_of_skewness_does_not_begin_with_it(lang: str) -> None:
    blocks = skew("two_link", lang).parts[0].solution
    said = ["".join(map(str, getattr(block, "parts", ()))) for block in blocks]
    first = next(k for k, block in enumerate(blocks) if isinstance(block, EquationBlock) and block.key == "S")
    assert not any("skew" in text or "反对称" in text for text in said[:first])
    assert any("skew" in text or "反对称" in text for text in said[first:])


def reaches(arm: qddot.Robot, q: list[float], step: float = 1e-5) -> list[float]:
    """The distances from each joint's axis to the tip, by how far the tip moves when the joint turns a little."""
    moved = []
    for k in range(arm.n):
        places = [[x + sign * step * (j == k) for j, x in enumerate(q)] for sign in (1, -1)]
        ahead, behind = PosedArm(arm.model, np.array(places)).end
        moved.append(float(np.linalg.norm(ahead - behind)) / (2 * np.sin(step)))
    return moved


def test_a_mass_stays_at_the_tip_and_rods_stay_uniform() -> None:
    """I = m L² of a mass at the tip, ⅓ m L² of a rod about its end, with L from how far the tip moves."""
    for seed in range(1, 15):
        one, two = (
            qddot.Robot(Variants(robot(name).model, ["lengths", "gravity", "frames"]).of(seed))
            for name in ("one_link", "two_link")
        )
        (tip,) = reaches(one, [0.3])
        assert one.mass_matrix([0.3])[0, 0] == pytest.approx(one.model.defaults()["m"] * tip**2)
        whole, fore = reaches(two, [0.3, 0.0])
        m1, m2 = (two.model.defaults()[name] for name in ("m1", "m2"))
        upper = whole - fore
        expected = m1 * upper**2 / 3 + m2 * (upper**2 + fore**2 / 3 + upper * fore)
        assert two.mass_matrix([0.3, 0.0])[[0, 1], [0, 1]] == pytest.approx([expected, m2 * fore**2 / 3])


def test_the_texts_of_a_variant_are_not_those_of_the_arm_where_they_may_be_false() -> None:
    for name in ("one_link", "two_link", "spatial_2r"):
        original = replace(robot(name).model, notes=("gravity along −y0",))
        for seed in range(1, 12):
            variant = Variants(original).of(seed)
            assert variant.source == f"variant {seed} of {name}, made by qddot exam"
            changed = (variant.gravity, variant.bodies) != (original.gravity, original.bodies)
            assert (original.notes[0] in variant.notes) != changed
    assert Variants(original).of(0).source == original.source


def test_a_block_that_falls_is_not_on_a_table() -> None:
    original = robot("slider").model
    titles = {str(each.gravity): each.title for each in map(Variants(original, ["gravity"]).of, range(1, 8))}
    assert titles.pop(str(original.gravity), original.title) == original.title
    assert "" in titles.values()


@pytest.mark.parametrize("given", ["", "value", "unit"])
def test_the_table_of_symbols_has_no_empty_columns(given: str) -> None:
    declared = {"": "l m", "value": {"l": 1, "m": 2}, "unit": {"l": {"unit": "m"}, "m": {"unit": "kg"}}}[given]
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}],
        [{"mass": "m", "com": [0, 0, 0]}],
        symbols=declared,
        gravity=[0, 0, 0],
    )
    document = exam(arm.model, 0, Asked("M")).sheet()
    tables = [block for block in document.blocks() if isinstance(block, Table) and block.titles[0] == "symbol"]
    assert [table.titles[1:] for table in tables] == [(given,) if given else ()]
