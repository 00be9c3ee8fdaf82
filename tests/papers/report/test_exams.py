"""An exam asks what can be answered in its time, and its own solution is right, for every variant."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from math import ceil, isclose
from pathlib import Path

import pytest
from false_laws import false_laws
from formula_values import laws
from refusals import refusal
from shipped import robot

import qddot
from qddot.algebra.spatial import Vec3
from qddot.base.errors import QddotError
from qddot.exact.equations.notations import NOTATIONS
from qddot.exact.equations.quantities import Quantities
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Matrix, Sum, Symbol
from qddot.papers.report.document import Blank, Document, EquationBlock, Numbered, Paragraph, Reference, Table
from qddot.papers.report.languages import LANGUAGES
from qddot.teach.check.grading import Exercise, graded
from qddot.teach.check.rubric import rubric_of
from qddot.teach.exam import positions
from qddot.teach.exam.exams import PACE, Asked, Exam, exam
from qddot.teach.exam.languages import SENTENCES
from qddot.teach.exam.laws import LAWS
from qddot.teach.exam.questions import COMPUTE, DERIVE, SHOW
from qddot.teach.exam.variants import CHANGES, Variants

ARMS = ("two_link", "spatial_2r", "rp", "planar_2r", "spherical_pendulum", "one_link", "slider")
EVERY = "M,C,Gamma,h,G,P,tau,skew,power,velocity,christoffel,potential,linear,definite,M@,C@,G@,h@,tau@"


@cache
def made(name: str, seed: int = 7, questions: str = "M,G,skew,tau@", lang: str = "en", constants: bool = False) -> Exam:
    model = Variants(robot(name).model).of(seed)
    return exam(model, seed, Asked(questions, constants=constants), lang)


def equations_of(document: Document) -> list[Numbered]:
    return [each for block in document.blocks() if isinstance(block, EquationBlock) for each in block.listed]


def written(right: Sum | Matrix | Blank) -> int:
    """The operations of a right side, and one for each entry, as somebody writes them down."""
    assert not isinstance(right, Blank)
    entries = [entry for row in right.rows for entry in row] if isinstance(right, Matrix) else [right]
    return sum(entry.operations + 1 for entry in entries if entry.products)


# its own solution


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_law_of_an_exam_holds_for_what_it_prints(name: str, lang: str) -> None:
    whole = made(name, 0, EVERY, lang)
    assert set(laws(whole.sheet())) <= set(laws(whole.solution("exam")))
    assert list(false_laws([whole.solution("exam")], [whole.short])) == []


@pytest.mark.parametrize(("key", "law", "false"), [
    ("velocity torques", "h = C q̇", "h = M q̇"),
    ("skew matrix", "Ṁ − 2C", "Ṁ + 2C"),
    ("skew shown", "Sᵀ = −S", "Sᵀ = S"),
    ("power shown", "Ė = Ẇ", "Ė = 2 Ẇ"),
    ("power", "q̇ᵀ", "2 q̇ᵀ"),
    ("momentum rate", "u = Ṁ q̇", "u = M q̇"),
    ("velocity shown", "u − w = h", "u + w = h"),
    ("sums", "σ_ijk = Γ_ijk + Γ_jik", "σ_ijk = Γ_ijk − Γ_jik"),
    ("christoffel shown", "σ_ijk = ∂M_ij/∂q_k", "σ_ijk = 2 ∂M_ij/∂q_k"),
    ("potential slopes", "y = ∂P/∂q", "y = −∂P/∂q"),
    ("potential shown", "y = G", "y = −G"),
    ("linear shown", "τ = Y β", "τ = 2 Y β"),
    ("stiffness", "κ = ∂G/∂q", "κ = −∂G/∂q"),
])  # fmt: skip
def test_a_false_law_in_an_exam_is_found(key: str, law: str, false: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = SENTENCES["en"][key]
    assert law in sentence
    monkeypatch.setitem(SENTENCES["en"], key, sentence.replace(law, false))
    whole = exam(robot("two_link").model, 0, Asked(f"{EVERY},equilibrium"))
    assert list(false_laws([whole.solution("exam")], [whole.short]))


@pytest.mark.parametrize("name", ["two_link", "spatial_2r"])
def test_numbers_in_the_solution_are_those_of_the_compiled_arm(name: str) -> None:
    whole = made(name, 7, EVERY)
    arm, state = qddot.loads(whole.arm()), [list(part.values()) for part in whole.state.numbers]
    (tau,) = (
        block.listed[0].right
        for block in whole.solution("exam").blocks()
        if isinstance(block, EquationBlock) and block.key == "state.tau.tau"
    )
    assert isinstance(tau, Matrix)
    shown = [float(Text().write(row[0])) for row in tau.rows]
    for number, exact in zip(shown, arm.inverse_dynamics(*state), strict=True):
        assert isclose(number, exact, rel_tol=1e-5, abs_tol=1e-12)  # six digits are printed


def statement(whole: Exam, key: str) -> list[str]:
    """The paragraphs of the solution that are one sentence."""
    begin = SENTENCES["en"][key].partition("{")[0]
    blocks = (block for block in whole.solution("exam").blocks() if isinstance(block, Paragraph))
    texts = ("".join(map(str, block.parts)) for block in blocks)
    return [text for text in texts if text.startswith(begin)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two_link", "spatial_2r", "one_link"])
def test_an_equilibrium_needs_no_torque_and_is_stable_where_it_comes_back(name: str) -> None:
    stable = set()
    for seed in range(8):
        whole = exam(robot(name).model, seed, Asked("equilibrium"))
        (law,) = (LAWS[part.question.quantity] for part in whole.parts)
        assert law.position is not None
        arm, q = robot(name), list(law.position(whole.of.eq, whole.state).numbers[0].values())
        assert arm.gravity(q) == pytest.approx(0, abs=1e-12)
        beside = [x + 1e-3 for x in q]
        run = arm.simulate(beside, duration=3)
        stiffness = positions.rows(
            whole.of.eq, positions.stiffness(whole.of.eq), law.position(whole.of.eq, whole.state)
        )
        assert all(not entry or abs(entry) > 1e-6 for row in stiffness for entry in row)
        comes_back = abs(run.q - q).max() < 0.02
        assert comes_back == bool(statement(whole, "stable"))
        stable.add(comes_back)
    assert stable == {True, False}


def test_arms_without_an_equilibrium_are_not_asked_for_one() -> None:
    for name in ("rp", "spherical_pendulum", "slider"):
        with refusal(QddotError, "no-equilibrium", name):
            exam(robot(name).model, 0, Asked("equilibrium"))


def test_leading_minors_are_those_of_the_mass_matrix() -> None:
    whole = exam(robot("two_link").model, 3, Asked("definite"))
    M = robot("two_link").mass_matrix(list(whole.state.numbers[0].values()))
    determinant = M[0, 0] * M[1, 1] - M[0, 1] ** 2
    assert positions.minors(M) == pytest.approx([M[0, 0], determinant])
    (said,) = statement(whole, "minors")
    shown = [float(text) for text in re.findall(r"[\d.]+\d", said)]
    assert shown == pytest.approx([M[0, 0], determinant], rel=1e-5)


def test_the_title_of_an_arm_that_ships_is_in_the_language_of_its_exam() -> None:
    for name in ("two_link", "spatial_2r"):
        assert not re.search("[A-Za-z]{3}", made(name, 0, "M", "zh").sheet().title)
        assert made(name, 0, "M").sheet().title == f"Exam: {robot(name).model.title}"


def test_the_languages_have_the_same_sentences_and_none_of_the_reports() -> None:
    assert SENTENCES["en"].keys() == SENTENCES["zh"].keys()
    assert not SENTENCES["en"].keys() & LANGUAGES["en"].sentences.keys()


# marks and time


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spatial_2r"])
def test_fifty_variants_differ_and_can_be_written_down_in_the_time_of_their_marks(name: str) -> None:
    variants, answers = Variants(robot(name).model), set[str]()
    for seed in range(1, 51):
        whole = exam(variants.of(seed), seed)
        solved = equations_of(whole.solution("exam"))
        assert sum(written(each.right) for each in solved) <= PACE * whole.marks
        values = [
            Text().write(entry)
            for each in solved[-1:]
            if isinstance(each.right, Matrix)
            for row in each.right.rows
            for entry in row
        ]
        answers.add(f"{whole.answers()} {values}")
    assert len(answers) == 50


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cart_pole"])
def test_the_solution_of_each_of_twenty_variants_earns_all_marks(name: str, tmp_path: Path) -> None:
    """Besides, no two have the same answers, and each can be written down in the time of its marks."""
    variants, answers = Variants(robot(name).model), set[str]()
    for seed in range(1, 21):
        model = variants.of(seed)
        whole, answer, rubric = exam(model, seed), tmp_path / "answers.txt", tmp_path / "rubric.toml"
        answer.write_text(whole.answers(), encoding="utf-8")
        rubric.write_text(whole.rubric(), encoding="utf-8")
        eq = Quantities(model)
        grade = graded(eq, answer, Exercise(rubric=rubric_of(eq, rubric)))
        assert grade.marks and grade.marks.points == grade.marks.most, (seed, grade)
        assert sum(written(each.right) for each in equations_of(whole.solution("exam"))) <= PACE * whole.marks
        answers.add(whole.answers())
    assert len(answers) == 20


@pytest.mark.slow
def test_the_usual_exam_fits_for_each_variant_of_an_arm_with_three_joints() -> None:
    variants = Variants(robot("elbow_3r").model)
    assert all(exam(variants.of(seed), seed).marks for seed in range(1, 13))


def test_a_length_with_a_symbol_is_scaled_wherever_it_occurs() -> None:
    """Scaled link by link, l1 would become 4 l1 − 3 r1 in elbow_3r, since its second frame is at r1."""
    variant = Variants(robot("elbow_3r").model, ["lengths"]).of(2)
    plain, scaled = (qddot.Robot(model).equations().M[1, 2].text() for model in (robot("elbow_3r").model, variant))
    assert scaled != plain
    assert scaled.count("+") + scaled.count("-") == plain.count("+") + plain.count("-")


@pytest.mark.slow
def test_formulas_alone_differ_between_a_hundred_variants() -> None:
    variants = Variants(robot("two_link").model, ["lengths", "gravity"])
    seen = {qddot.Robot(variants.of(seed)).equations().text(only=["M", "G"]) for seed in range(1, 101)}
    assert len(seen) == 100


def test_marks_are_minutes_that_the_solution_takes() -> None:
    for part in made("two_link").parts:
        assert part.marks == max(1, ceil(part.operations / PACE))


def test_given_marks_are_kept_where_they_fit() -> None:
    assert [part.marks for part in made("two_link", 0, "M=30,G=9").parts] == [30, 9]
    with refusal(QddotError, "marks-too-few", "1", "M"):
        made("two_link", 0, "M=1")


# the sheet


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_gives_no_answer_away(lang: str) -> None:
    whole = made("two_link", 7, EVERY, lang)
    assert equations_of(whole.sheet()) == []
    assert {section.key for section in whole.sheet().sections} == {
        "candidate", "robot", *(f"question-{k}" for k in range(1, 20))
    }  # fmt: skip


def test_constants_are_given_where_they_are_asked_for() -> None:
    whole = made("two_link", 0, "M,G", constants=True)
    lefts = {str(each.left) for each in equations_of(whole.sheet())}
    assert lefts == {str(each.left) for each in whole.short.definitions()}
    assert robot("two_link").check(whole.answers(), only="M,G")


@pytest.mark.slow
def test_an_entry_of_a_long_arm_is_solved_link_by_link() -> None:
    whole = made("ur5", 0, "G5,M46,Gamma456")
    G, M, christoffel = (equations_of(Document("", "", "en", (part,))) for part in whole.solution("exam").sections[1:4])
    assert [str(each.left) for each in G]
    assert len(M) > 1
    assert len(christoffel) > 1


def test_where_an_earlier_solution_has_a_result_it_is_referred_to() -> None:
    whole = made("two_link", 0, "tau,G")
    (block,) = whole.parts[1].solution
    assert isinstance(block, Paragraph)
    assert Reference("G") in block.parts


@pytest.mark.parametrize("name", ["two_link", "spatial_2r", "rp"])
def test_in_each_variant_as_many_joints_as_before_feel_their_weight(name: str) -> None:
    variants = Variants(robot(name).model)
    for seed in range(1, 13):
        assert all(qddot.Robot(variants.of(seed)).equations().G.entries), seed


def test_the_sheet_has_kinds_of_questions_in_both_languages() -> None:
    kinds = [part.question.kind for part in made("rp", 0, "M12,skew,G@").parts]
    assert kinds == [DERIVE, SHOW, COMPUTE]
    for lang, word in (("en", "Derive the entry"), ("zh", "推导运动方程中的元素")):
        first = made("rp", 0, "M12", lang).parts[0].stated[0]
        assert isinstance(first, Paragraph)
        assert word in str(first.parts[0])


# bad input


@pytest.mark.parametrize(("questions", "message"), [
    ("", ("no-question", "''")),
    ("N", ("no-question", "'N'")),
    ("M,M", ("question-twice", "M")),
    ("M33", ("question-without-entry", "'M33'", "two_link", "2×2")),
    ("P@", ("no-question", "'P@'")),
    ("skew12", ("no-question", "'skew12'")),
    ("M12@", ("numbers-of-one-entry",)),
    ("M=x", ("marks-not-whole", "'M=x'")),
    ("M=0", ("marks-not-whole", "'M=0'")),
    ("M=999", ("marks-not-whole", "'M=999'")),
    ("M=²", ("marks-not-whole", "'M=²'")),
])  # fmt: skip
def test_questions_that_do_not_exist_are_refused(questions: str, message: tuple[str, ...]) -> None:
    with refusal(QddotError, *message):
        exam(robot("two_link").model, 0, Asked(questions))


def test_too_long_a_law_is_told_which_laws_fit_and_its_marks() -> None:
    with refusal(QddotError, "question-too-long", "skew", "637") as caught:
        exam(robot("elbow_3r").model, 0, Asked("skew"))
    assert "questions that fit: christoffel, potential, definite, M, G" in str(caught.value)
    assert str(caught.value).endswith("skew=80")
    assert exam(robot("elbow_3r").model, 0, Asked("skew=80")).marks == 80


def test_each_entry_of_a_quantity_has_whole_or_half_marks() -> None:
    (part,) = made("elbow_3r", 3, "M").parts
    assert part.marks * 2 % 6 == 0


@pytest.mark.slow
def test_too_long_an_arm_is_told_what_fits() -> None:
    with refusal(QddotError, "question-too-long", "puma560_akb", "M") as caught:
        exam(robot("puma560_akb").model)
    fits = str(caught.value).rpartition("questions that fit: ")[2].rstrip(".").split(", ")
    assert exam(robot("puma560_akb").model, 0, Asked(fits[:2])).marks


def test_a_seed_that_makes_an_impossible_arm_is_refused() -> None:
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}],
        [{"mass": "m", "com": ["-l/2", 0, 0], "inertia": {"about": "origin", "xx": 0, "yy": 0.26, "zz": 0.26}}],
        symbols={"l": {"value": 1, "unit": "m"}, "m": {"value": 1, "unit": "kg"}},
    )
    variants = Variants(arm.model)
    with refusal(QddotError, "seed-impossible"):
        list(map(variants.of, range(1, 30)))


def test_other_mistakes_are_named() -> None:
    model = robot("two_link").model
    with refusal(QddotError, "none-of-these", "a-language", "'fr'"):
        exam(model, 0, None, "fr")
    with refusal(QddotError, "none-of-these", "a change", "'colour'"):
        Variants(model, ["colour"])
    for seed in (-1, True, 1.5):
        with refusal(QddotError, "seed-not-whole"):
            Variants(model).of(seed)
    with refusal(QddotError, "value-missing", "M@ of"):
        exam(
            qddot.from_dh(
                [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}], [{"mass": 1, "com": [0, 0, 0]}], symbols="l"
            ).model,
            0,
            Asked("tau@"),
        )


@pytest.mark.slow
def test_each_change_is_made_alone() -> None:
    model = robot("two_link").model
    for change in CHANGES:
        variants = [Variants(model, [change]).of(seed) for seed in range(1, 13)]
        assert len({variant.hash for variant in variants}) > 1
        if change == "joint":
            assert ("revolute", "prismatic") in {tuple(body.joint.type for body in each.bodies) for each in variants}
        if change == "gravity":
            assert len({str(each.gravity) for each in variants}) == 4


def test_gravity_along_no_axis_of_the_base_keeps_its_direction() -> None:
    model = robot("two_link").model
    (size,) = (part for part in model.gravity if part != 0)
    tilted = replace(model, gravity=Vec3(size, size, 0))
    variants = Variants(tilted, ["gravity"])
    assert {str(variants.of(seed).gravity) for seed in range(1, 20)} == {str(tilted.gravity)}


def test_paths_are_texts_or_paths(tmp_path: Path) -> None:
    assert robot("rp").exam(tmp_path / "a.md", 3) == robot("rp").exam(str(tmp_path / "a.md"), 3)


@pytest.mark.parametrize("questions", ["definite", "skew", "linear", "power", "velocity"])
def test_parts_of_a_law_have_whole_marks_that_add_up(questions: str) -> None:
    made = exam(robot("two_link").model, 7, Asked(questions))
    (part,) = made.parts
    (scheme,) = (
        block
        for section in made.solution("x").sections
        if section.key == "question-1"
        for block in section.blocks
        if isinstance(block, Table) and block.titles[1] == "marks"
    )
    marks = [int(str(row[1])) for row in scheme.rows]
    assert sum(marks) == part.marks and max(marks) - min(marks) <= 1 <= min(marks)
    assert sum(made.points.values()) == pytest.approx(marks[0], abs=0.02)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_each_matrix_has_its_letter_of_the_notation_in_all_of_a_solution(notation: str) -> None:
    model = replace(robot("two_link").model, notation=notation)
    whole = exam(model, 3, Asked("M,G,skew,definite"))
    lefts = {
        block.key: [each.left for each in block.listed]
        for block in whole.solution("exam").blocks()
        if isinstance(block, EquationBlock)
    }
    entry, rate = lefts["M"][0], lefts["M_rate"][0]
    assert isinstance(entry, Symbol)
    assert isinstance(rate, Symbol)
    assert rate._replace(text=entry.text) == entry._replace(dots=1)
    (matrix,) = lefts["state.definite.M"]
    assert isinstance(matrix, Symbol)
    assert matrix.text == NOTATIONS[notation].style("M").text
    tables = [block for part in whole.parts for block in whole.scheme(part) if isinstance(block, Table)]
    assert [row[0] for row in tables[0].rows] == lefts["M"]
    assert [row[0] for row in tables[1].rows] == lefts["G"]


def test_the_bar_of_a_letter_is_explained_where_a_sheet_and_its_solution_first_have_it() -> None:
    model = replace(robot("two_link").model, notation="spong")
    whole = exam(model, 3, Asked("M,tau,G"))
    for document, question in ((whole.sheet(), "question-3"), (whole.solution("exam"), "question-2")):
        explained = [
            section.key
            for section in document.sections
            for block in section.blocks
            if isinstance(block, Paragraph) and "The bar sets" in str(block.parts[0])
        ]
        assert explained == [question]


@pytest.mark.parametrize(("lang", "law"), [("en", " is skew-symmetric"), ("zh", " 反对称")])
def test_the_table_of_difficulty_names_questions_as_the_exam_does(lang: str, law: str) -> None:
    model = replace(robot("two_link").model, notation="spong")
    whole = exam(model, 3, Asked("M,G,skew,tau@"), lang)
    (table,) = [block for block in whole.solution("exam").sections[-1].blocks if isinstance(block, Table)]
    cells = [row[0].parts for row in table.rows[:-1] if isinstance(row[0], Paragraph)]
    assert [parts[0] for parts in cells] == ["1. ", "2. ", "3. ", "4. "]
    assert [parts[1].text for parts in cells[:2] if isinstance(parts[1], Symbol)] == ["D", "g"]
    assert cells[2][-1] == law
    assert not any("skew" in str(part) or "@" in str(part) for part in cells[3])
