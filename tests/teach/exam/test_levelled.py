"""All variants of an exam have the same marks and like difficulty, and keep the kinds of joints."""

from __future__ import annotations

import ast
from functools import cache

import pytest
from shipped import robot

import qddot
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Matrix
from qddot.papers.report.document import EquationBlock, Table
from qddot.teach.exam.chain_variants import ChainVariants
from qddot.teach.exam.difficulty import PACE
from qddot.teach.exam.exams import Asked, Exam
from qddot.teach.exam.levelled import Papers
from qddot.teach.exam.variants import CHANGES, Variants

THOROUGH = pytest.mark.thorough
ENTRIES = "G5,M33,M13,M46"  # of a long arm


@cache
def papers(name: str, questions: str = "M,G,skew,tau@") -> Papers:
    variants = (
        ChainVariants(qddot.load_closed_chain(name).quantities) if name == "four_bar" else Variants(robot(name).model)
    )
    return Papers(variants, Asked(questions), "en")


def kinds(paper: Exam) -> list[str]:
    return [body.joint.type for body in paper.of.eq.model.moving()]


@pytest.mark.parametrize(("name", "questions", "count"), [
    ("two_link", "M,G", 12),
    ("spatial_2r", "M,tau@", 6),
    pytest.param("two_link", "M,G,skew,tau@", 30, marks=THOROUGH),
    pytest.param("spatial_2r", "M,G,skew,tau@", 30, marks=THOROUGH),
    pytest.param("elbow_3r", "M,G,tau@", 12, marks=THOROUGH),
    pytest.param("four_bar", "mobility,R,M,G,tau@", 30, marks=THOROUGH),
    pytest.param("puma560_akb", ENTRIES, 30, marks=THOROUGH),
])  # fmt: skip
def test_variants_have_the_same_marks_and_measures_within_ten_percent(name: str, questions: str, count: int) -> None:
    own = papers(name, questions).of(0)
    for seed in range(1, count + 1):
        paper = papers(name, questions).of(seed)
        assert [part.marks for part in paper.parts] == [part.marks for part in own.parts], seed
        assert abs(paper.operations / sum(part.reference for part in paper.parts) - 1) <= 0.1, seed
        assert all(part.operations <= PACE * part.marks for part in paper.parts), seed
        assert kinds(paper) == kinds(own), seed


def test_a_seed_always_gives_the_same_paper() -> None:
    again = Papers(Variants(robot("two_link").model), Asked("M,G"), "en")
    assert again.of(9).arm() == papers("two_link", "M,G").of(9).arm()


def test_consecutive_seeds_have_different_formulas() -> None:
    formulas = {papers("two_link", "M,G").of(seed).answers() for seed in range(13)}
    assert len(formulas) == 13


def operations_of(text: str) -> int:
    """The signs ×, ÷, + and − between two numbers of a formula, a power counted as products; a cosine is none."""
    nodes = list(ast.walk(ast.parse(text, mode="eval")))
    total = 0
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            assert isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)
            total += node.right.value - 1
        elif isinstance(node, ast.BinOp):
            total += 1
    return total


def test_the_measure_of_formulas_is_the_count_of_their_signs_and_entries() -> None:
    (part,) = papers("two_link", "G").of(3).parts
    blocks = [block for block in part.solution if isinstance(block, EquationBlock)]
    rights = [each.right for block in blocks for each in block.listed]
    entries = [
        entry
        for right in rights
        for entry in ((x for row in right.rows for x in row) if isinstance(right, Matrix) else (right,))
    ]
    written = [text for text in (Text().write(entry) for entry in entries) if text not in ("0", "")]
    # a fraction as a factor, 3 m/4, is one operation
    assert part.operations == pytest.approx(sum(operations_of(text) + 1 for text in written), rel=0.1)


def test_the_solution_prints_the_measure_beside_that_of_the_reference() -> None:
    paper = papers("two_link", "M,G").of(2)
    (section,) = (each for each in paper.solution("exam").sections if each.key == "difficulty")
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert [row[1:] for row in table.rows] == [
        *((str(part.operations), str(part.marks), str(part.reference)) for part in paper.parts),
        (str(paper.operations), str(paper.marks), str(sum(part.reference for part in paper.parts))),
    ]
    assert "difficulty" not in {each.key for each in paper.sheet().sections}


def test_swapped_joints_have_marks_of_their_own() -> None:
    swapping = Papers(Variants(robot("two_link").model, CHANGES), Asked("M,G"), "en")
    made = [swapping.of(seed) for seed in range(1, 9)]
    assert len({paper.marks for paper in made}) > 1
    (section,) = (each for each in made[0].solution("exam").sections if each.key == "difficulty")
    assert [len(block.titles) for block in section.blocks if isinstance(block, Table)] == [3]  # and no reference


def test_given_marks_stay_and_the_solution_fits_them() -> None:
    for seed in (1, 2, 3):
        assert papers("two_link", "M=18,G").of(seed).parts[0].marks == 18


def test_variants_by_numbers_alone_are_the_arm_with_other_values() -> None:
    model = robot("two_link").model
    paper = Papers(Variants(model, ["numbers"]), Asked("M,G"), "en").of(4)
    assert paper.answers() == papers("two_link", "M,G").of(0).answers()
    assert paper.of.eq.model.defaults() != model.defaults()
