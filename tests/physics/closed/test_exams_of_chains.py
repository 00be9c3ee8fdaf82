"""Exams on closed chains: answers earn all marks, numbers are those of the compiled chain, loops of variants close."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from chains import chain, whipple
from commands import run
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.exact.printing.tree import Symbol
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.papers.report.document import EquationBlock, Paragraph
from qddot.teach.exam.chain_variants import ChainVariants
from qddot.teach.exam.exams import Asked, Exam, exam
from qddot.teach.exam.languages import OF_CHAINS

THOROUGH = pytest.mark.thorough
NUMBERS = "A@,R@,M@,C@,G@,h@,tau@,lambda@"


@cache
def made(name: str, seed: int, questions: str, lang: str = "en") -> Exam:
    return exam(ChainVariants(chain(name).quantities).of(seed), seed, Asked(questions), lang)


def of_file(text: str) -> ClosedChain:
    return ClosedChain(loop_tables.loads(text, "chain"))


def test_a_chain_with_other_independent_coordinates_keeps_them_in_its_file(tmp_path: Path) -> None:
    of = chain("four_bar").with_independent("q3")
    whole = exam(of.quantities, 0, Asked("M"))
    (tmp_path / "chain.toml").write_text(whole.of.file(), encoding="utf-8")
    read = qddot.load_closed_chain(tmp_path / "chain.toml")
    assert read.independent == ("q3",)
    assert read.check(whole.answers(), only="M")


# numbers


@pytest.mark.parametrize(("name", "seed"), [("four_bar", 0), ("four_bar", 5), ("five_bar", 2), ("unicycle", 3)])
def test_numbers_are_those_of_the_compiled_chain_of_the_file(name: str, seed: int) -> None:
    whole = made(name, seed, "A@")
    of = of_file(whole.of.file())
    q, qd, qdd = (np.array(list(part.values())) for part in whole.state.numbers)
    phi, A = of.closure(q)
    assert abs(phi).max(initial=0) < 1e-12 and abs(A @ qd).max() < 1e-12
    u = qd[list(of._choice.independent)]
    R = np.stack([of.velocities(q, column) for column in np.eye(of.m)], axis=-1)
    tau = np.zeros(of.n)
    tau[list(of._choice.independent)] = of.inverse_dynamics(q, qd, qdd)
    expected = {
        "A": A[list(of._choice.conditions)],
        "R": R,
        "M": of.mass_matrix(q),
        "C": of.coriolis_matrix(q, qd),
        "G": of.gravity(q),
        "h": of.coriolis_matrix(q, qd) @ u,
        "tau": of.inverse_dynamics(q, qd, qdd),
        "lambda": of.multipliers(q, qd, qdd, tau),
    }
    for quantity, numbers in expected.items():
        values = list(whole.of.values(quantity, whole.state).values())
        assert values == pytest.approx(np.ravel(numbers), rel=1e-9, abs=1e-11), quantity


def test_a_state_is_written_by_its_position_and_the_independent_rates() -> None:
    whole = made("five_bar", 2, "A@")
    q, qd, qdd = whole.state.texts
    assert all(text.endswith(" rad") for text in q)
    names = chain("five_bar").model.tree.coordinates
    given = tuple(name for name, text in zip(names, qd, strict=True) if text)
    assert given == tuple(name for name, text in zip(names, qdd, strict=True) if text) == chain("five_bar").independent


# answers and marks


@pytest.mark.parametrize(("name", "seed", "questions", "lang"), [
    ("four_bar", 3, "phi,R,M,skew,tau@", "zh"),
    pytest.param("four_bar", 4, "mobility,C,Gamma,h,G,P,tau,lambda@", "en", marks=THOROUGH),
    ("five_bar", 1, "mobility,M12,potential,tau@", "en"),
    ("unicycle", 6, "mobility,R,M,G,power,tau@", "en"),
    ("slider_crank", 2, "M,G,definite,velocity", "zh"),
    pytest.param("delta", 2, "phi,A11,M11,lambda@", "en", marks=THOROUGH),
])  # fmt: skip
def test_the_answers_beside_an_exam_have_all_marks(
    name: str, seed: int, questions: str, lang: str, tmp_path: Path
) -> None:
    whole = made(name, seed, questions, lang)
    texts = {"chain.toml": whole.of.file(), "answers.txt": whole.answers(), "rubric.toml": whole.rubric()}
    for part, text in texts.items():
        (tmp_path / part).write_text(text, encoding="utf-8")
    words = [str(tmp_path / part) for part in ("chain.toml", "answers.txt")]
    assert main(["check", *words, "--rubric", str(tmp_path / "rubric.toml")]) == 0


@pytest.mark.thorough
def test_an_exam_on_the_bicycle_asks_what_can_be_written_down() -> None:
    eq = whipple().quantities
    whole = exam(eq, 0, Asked("phi1,A13,G1"))
    assert whole.marks and "phi1 = " in whole.answers()
    with refusal(QddotError, "no-question", "'R'"):
        exam(eq, 0, Asked("R"))


@pytest.mark.thorough
def test_a_wrong_answer_loses_its_marks(tmp_path: Path) -> None:
    path = chain("four_bar").exam(tmp_path / "exam.md", 3, "R,tau@")
    files = [str(tmp_path / f"exam-{part}") for part in ("arm.toml", "answers.txt", "rubric.toml")]
    assert path.exists() and main(["check", *files[:2], "--rubric", files[2]]) == 0
    text = (tmp_path / "exam-answers.txt").read_text(encoding="utf-8")
    (tmp_path / "exam-answers.txt").write_text(text.replace("R31 = ", "R31 = -"), encoding="utf-8")
    assert main(["check", *files[:2], "--rubric", files[2]]) == 1


def test_entries_of_R_that_are_known_have_no_marks() -> None:
    assert set(made("four_bar", 0, "R").points) == {"R21", "R31"}


@pytest.mark.parametrize(("name", "m", "rank"), [("four_bar", 1, 2), ("unicycle", 2, 2)])
def test_the_mobility_is_shown_by_a_determinant(name: str, m: int, rank: int) -> None:
    whole = made(name, 0, "mobility")
    (part,) = whole.parts
    said = " ".join("".join(map(str, each.parts)) for each in part.solution if isinstance(each, Paragraph))
    assert f"{chain(name).n} − {rank} = {m}" in said
    A_d = chain(name).closure(list(whole.state.numbers[0].values()))[1][:, list(chain(name)._choice.dependent)]
    determinant = np.linalg.det(A_d[list(chain(name)._choice.conditions)])
    assert f"{determinant:.6g}".replace("-", "−") in said


def test_definitions_of_coefficients_are_written_once() -> None:
    whole = made("four_bar", 0, "R,M,C,skew=60")
    lefts = [
        each.left.text
        for part in whole.parts
        for block in part.solution
        if isinstance(block, EquationBlock)
        for each in block.listed
        if isinstance(each.left, Symbol)
    ]
    assert [lefts.count(name) for name in ("r21", "r31", "r21_1", "r31_1")] == [1, 1, 1, 1]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_sheet_gives_no_answer_away(lang: str) -> None:
    sheet = made("four_bar", 0, f"phi,R,M,mobility,{NUMBERS}", lang).sheet()
    assert not any(isinstance(block, EquationBlock) for block in sheet.blocks())


def test_the_languages_have_the_same_sentences() -> None:
    assert OF_CHAINS["en"].keys() == OF_CHAINS["zh"].keys()


# variants


@pytest.mark.parametrize("name", ["four_bar", "delta", "unicycle", pytest.param("scara_parallelogram", marks=THOROUGH)])
def test_variants_differ_and_their_loops_close(name: str) -> None:
    variants, files = ChainVariants(chain(name).quantities), set[str]()
    for seed in range(1, 4):
        eq = variants.of(seed)
        of = of_file(loop_tables.dumps(eq.reduced.model))
        assert abs(of.closure(eq.near)[0]).max(initial=0) < 1e-12
        files.add(eq.reduced.array("G" if of.model.loops else "M").text())
    assert len(files) == 3


def test_a_multiple_of_a_length_has_the_value_of_the_length() -> None:
    variants = ChainVariants(chain("four_bar").quantities, ["lengths"])
    q = chain("four_bar").some_assembly().q
    for seed in (1, 2, 3):
        of = of_file(loop_tables.dumps(variants.of(seed).reduced.model))
        assert of.equations().phi != chain("four_bar").equations().phi
        assert of.mass_matrix(q) == pytest.approx(chain("four_bar").mass_matrix(q), rel=1e-12)


# files, command line, bad input


@pytest.mark.thorough
def test_the_command_line_has_the_same_exam_as_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "exam.md"
    words = ["exam", "four_bar", "--seed", "7", "--questions", "M=40,G@", "--lang", "zh", "-o", str(out)]
    assert run(capsys, *words)[0] == 0
    text = out.read_text(encoding="utf-8")
    chain("four_bar").exam(out, 7, "M=40,G@", "zh")
    assert text == out.read_text(encoding="utf-8")
    code, _, err = run(capsys, *words, "--route", "screw")
    assert code == 2 and "--route" in err


def test_a_class_has_a_variant_each_in_one_quiz(tmp_path: Path) -> None:
    text = chain("four_bar").exam(tmp_path / "quiz.xml", 1, "G,tau@", students=2).read_text(encoding="utf-8")
    assert text.count('type="cloze"') == 2 and text.count('type="essay"') == 1 and 'type="stack"' not in text
    chain("four_bar").exam("exam.md", 1, "G", students=1, folder=tmp_path)
    assert qddot.load_closed_chain(tmp_path / "exam-001-arm.toml").m == 1


@pytest.mark.parametrize(("name", "questions", "message"), [
    ("four_bar", "equilibrium", ("no-question", "'equilibrium'")),
    ("unicycle", "christoffel", ("no-question", "'christoffel'")),
    ("unicycle", "phi", ("question-without-entry", "'phi'", "phi")),
    ("four_bar", "lambda", ("no-question", "'lambda'")),
    ("delta", "tau", ("question-too-long", "delta")),
    ("delta", "R", ("no-question",)),
])  # fmt: skip
def test_questions_that_do_not_exist_are_refused(name: str, questions: str, message: tuple[str, ...]) -> None:
    with refusal(QddotError, *message):
        made(name, 0, questions)


def test_changes_of_arms_alone_are_refused(tmp_path: Path) -> None:
    with refusal(QddotError, "none-of-these", "a change", "'frames'"):
        chain("four_bar").exam(tmp_path / "exam.md", 1, vary=["frames"])
