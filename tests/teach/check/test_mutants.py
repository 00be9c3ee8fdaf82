"""A right answer with one small mistake is never called right; bench/answers/mutants.py plants the mistakes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ANSWERS = Path(__file__).parents[3] / "bench" / "answers"
if not ANSWERS.is_dir():
    pytest.skip("the corpus is not shipped", allow_module_level=True)
sys.path += [str(ANSWERS.parent), str(ANSWERS)]

import mutants  # noqa: E402
from formulas import formulas, value_of  # noqa: E402

COUNT, SAMPLE, SEED = 1200, 90, 1


def accepted(count: int, seed: int) -> list[str]:
    return [str(mutant) for mutant, said, _ in mutants.verdicts(mutants.drawn(count, seed)) if said == "accepted"]


def test_no_wrong_mutant_of_a_sample_is_accepted() -> None:
    assert accepted(SAMPLE, SEED + 1) == []


@pytest.mark.thorough
def test_no_wrong_mutant_is_accepted() -> None:
    assert accepted(COUNT, SEED) == []


def test_mutants_are_of_all_kinds_of_files_and_mistakes() -> None:
    drawn = mutants.drawn(SAMPLE, SEED + 1)
    assert {mutant.kind for mutant in drawn} == {*mutants.KINDS}
    assert {mutants.kind_of(mutant.answer) for mutant in drawn} == {*mutants.FILES.values(), mutants.PROGRAM}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\frac12 m_1 l^2", "m_1*l**2/2"),
        (r"\tfrac{1}{3}\sin^2\theta\cos(2 a)", r"\sin(\theta)**2*cos(2*a)/3"),
        ("a - (b - c)", "a - b + c"),
        ("2 sin a b", "2 sin(a b)"),
        ("m<sub>2</sub> l<sup>2</sup> &minus; 1", "-1 + m<sub>2</sub> l^2"),
        ("(a - b)^3/2^(-1)", "2*(a-b)*(a-b)**2"),
    ],
)
def test_the_evaluator_knows_the_notations(one: str, other: str) -> None:
    values = [value_of(one), value_of(other)]
    assert values[0] == pytest.approx(values[1])


def test_formulas_are_found_between_the_marks_of_a_text() -> None:
    text = r"% a + b" + "\n" + r"M_{12} = \begin{bmatrix} a + b & c \\ (d - e) f^2 \end{bmatrix}"
    found = [text[each.start : each.end] for each in formulas(text, ".tex")]
    assert "a + b" in found
    assert "(d - e) f^2" in found
    assert found.count("a + b") == 1
