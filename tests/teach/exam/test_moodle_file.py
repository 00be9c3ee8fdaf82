"""A quiz is read as Moodle reads it: by the fields that its importers take, with values of another computation.

Sources: Moodle, question/format/xml/format.php (import_category, import_headers, import_text_with_files, import_essay,
import_multianswer) and question/type/multianswer/questiontype.php (the signs of embedded answers, whose weights alone
are the marks of such a question). STACK: doc/en/Authoring (inputs, potential response trees, numerical tests).
"""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

import pytest
from shipped import robot

import qddot
from qddot.teach.exam.exams import Asked, Exam
from qddot.teach.exam.levelled import Papers
from qddot.teach.exam.variants import Variants

NUMBER = r"-?(?:(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?)"
EMBEDDED = re.compile(r"\{([0-9]*):(?:NUMERICAL|NM):([^}]+)\}")
ALTERNATIVE = re.compile(rf"(=|%-?[0-9]+%)?({NUMBER}|\*)(?::({NUMBER}))?(?:#(.*))?")
RESPONSES = {"editor", "editorfilepicker", "plain", "monospaced", "noinline"}
CORE = {"category", "cloze", "essay"}  # of Moodle without plugins
STUDENTS, SEED = 2, 4


class Embedded(NamedTuple):
    """This is a numerical field within a text: its weight, its right value with a tolerance, and what it says."""

    weight: int
    value: float
    tolerance: float
    feedback: list[str]


def text_of(question: Element, name: str) -> str:
    """The text of a field as Moodle takes it, with the format html."""
    (field,) = question.findall(name)
    assert field.get("format") in (None, "html"), name
    return (field.findtext("text") or "").strip()


def embedded(text: str) -> list[Embedded]:
    fields = []
    for weight, alternatives in EMBEDDED.findall(text):
        right, other = (ALTERNATIVE.fullmatch(each) for each in alternatives.split("~"))
        assert right and right[1] == "=" and other and other[2] == "*" and not other[1]
        fields.append(Embedded(int(weight), float(right[2]), float(right[3]), [right[4], other[4]]))
    return fields


@cache
def quiz(questions: str, name: str = "two_link", lang: str = "en") -> list[Element]:
    with TemporaryDirectory() as folder:
        of = qddot.load_closed_chain(name) if name == "four_bar" else robot(name)
        path = of.exam(Path(folder) / "quiz.xml", SEED, questions, lang, students=STUDENTS)
        assert [each.name for each in Path(folder).iterdir()] == ["quiz.xml"]
        root = fromstring(path.read_text(encoding="utf-8"))
    assert root.tag == "quiz"
    return list(root)


def papers(questions: str) -> list[Exam]:
    of = Papers(Variants(robot("two_link").model), Asked(questions), "en")
    return [of.of(SEED + k) for k in range(STUDENTS)]


def kinds(questions: list[Element]) -> list[str]:
    return [str(each.get("type")) for each in questions]


@pytest.mark.parametrize(("questions", "expected"), [
    ("M,skew,tau@", ["category", *["stack"] * STUDENTS, "category", "essay"]),
    ("M@,tau@", ["category", *["cloze"] * STUDENTS]),
    ("skew,power", ["category", *["essay"] * STUDENTS]),
    ("definite,G@", ["category", *["cloze"] * STUDENTS, "category", "essay"]),
])  # fmt: skip
def test_a_random_question_of_one_category_is_a_variant(questions: str, expected: list[str]) -> None:
    made = quiz(questions)
    assert kinds(made) == expected
    for category in (each for each in made if each.get("type") == "category"):
        path = category.findtext("category/text") or ""
        assert re.fullmatch(r"\$course\$/top/[^/]+/[^/]+", path)
        info = category.find("info")
        assert info is not None and info.get("format") == "html" and info.findtext("text")
    drawn = [part.marks for part in papers(questions)[0].parts if part.question.text in by_machine(questions)]
    assert f"Each has {sum(drawn)} marks" in (made[0].findtext("info/text") or "")


def by_machine(questions: str) -> set[str]:
    """The questions with fields, or all where there are none."""
    names = set(questions.split(","))
    fields = {name for name in names if name.endswith("@") or name in ("M", "G", "tau")}
    return fields or names


@pytest.mark.parametrize(("questions", "name"), [("M,skew,tau@", "two_link"), ("G,tau@", "four_bar")])
def test_marks_add_up_and_identities_are_unique(questions: str, name: str) -> None:
    made = [each for each in quiz(questions, name) if each.get("type") != "category"]
    for question in made:
        assert text_of(question, "name") and text_of(question, "questiontext")
        assert (question.findtext("penalty"), question.findtext("hidden")) == ("0", "0")
    identities = [question.findtext("idnumber") for question in made]
    assert len(set(identities)) == len(identities) and all(identities)
    pool = [question for question in made if question.get("type") != "essay"]
    assert len({question.findtext("defaultgrade") for question in pool}) == 1
    for question in (each for each in pool if each.get("type") == "stack"):
        values = [float(tree.findtext("value") or "nan") for tree in question.findall("prt")]
        assert sum(values) == pytest.approx(float(question.findtext("defaultgrade") or "nan"))


@pytest.mark.parametrize(("questions", "name"), [("M,skew,tau@", "two_link"), ("G,tau@", "four_bar")])
def test_each_picture_in_a_text_is_a_file_beside_it(questions: str, name: str) -> None:
    for question in quiz(questions, name):
        for field in question:
            shown = re.findall(r'src="@@PLUGINFILE@@/([^"]+)"', field.findtext("text") or "")
            files = {file.get("name"): file for file in field.findall("file")}
            assert sorted(shown) == sorted(map(str, files))
            for file in files.values():
                assert (file.get("path"), file.get("encoding")) == ("/", "base64")
                assert fromstring(base64.b64decode(file.text or "", validate=True)).tag.endswith("svg")
        if question.get("type") in ("cloze", "stack"):
            assert "@@PLUGINFILE@@" in text_of(question, "questiontext")
            assert "<svg" not in text_of(question, "questiontext")


def test_numbers_are_those_of_the_compiled_arm_to_three_digits_and_weights_are_the_marks() -> None:
    for question, paper in zip(quiz("M@,tau@")[1:], papers("M@,tau@"), strict=True):
        fields = embedded(text_of(question, "questiontext"))
        arm, (q, qd, qdd) = qddot.loads(paper.arm()), (list(part.values()) for part in paper.state.numbers)
        M = arm.mass_matrix(q)
        expected = [M[0, 0], M[0, 1], M[1, 1], *arm.inverse_dynamics(q, qd, qdd)]
        assert len(fields) == len(expected)
        for field, value in zip(fields, expected, strict=True):
            assert abs(field.value - value) <= 1e-5 * abs(value)
            assert abs(float(f"{value:.3g}") - field.value) <= field.tolerance  # three digits are enough
            assert abs(1.02 * value - field.value) > field.tolerance  # and two are not
            assert len(set(field.feedback)) == 2 and not re.search("[~}#{]", "".join(field.feedback))
        assert sum(field.weight for field in fields) == paper.marks


def test_an_essay_takes_photographs_and_says_how_it_is_marked() -> None:
    for questions in ("M,skew,tau@", "skew,power"):
        for question in (each for each in quiz(questions) if each.get("type") == "essay"):
            assert question.findtext("responseformat") in RESPONSES
            assert question.findtext("responserequired") == "0"
            assert 1 <= int(question.findtext("attachments") or 0)
            assert question.findtext("attachmentsrequired") == "0"
            assert "Coriolis matrix" in text_of(question, "graderinfo") or "energ" in text_of(question, "graderinfo")
            assert text_of(question, "responsetemplate") == ""


def test_the_feedback_of_a_variant_is_its_solution_and_the_text_gives_none_away() -> None:
    for question in quiz("M,skew,tau@")[1 : STUDENTS + 1]:
        asked, solved = text_of(question, "questiontext"), text_of(question, "generalfeedback")
        assert "minors" not in asked and "skew-symmetric" in solved and "<math" in solved
        assert "Sᵀ" not in asked and "field of question 2" in asked


def test_stack_compares_each_formula_by_algebra_and_each_number_within_its_tolerance() -> None:
    for question, paper in zip(quiz("M,skew,tau@")[1 : STUDENTS + 1], papers("M,skew,tau@"), strict=True):
        text, variables = text_of(question, "questiontext"), text_of(question, "questionvariables")
        inputs = [(each.findtext("name"), each.findtext("type")) for each in question.findall("input")]
        assert inputs == [(f"ans{k}", "algebraic" if k <= 3 else "numerical") for k in range(1, 6)]
        assert all(f"[[input:ans{k}]]" in text and f"[[validation:ans{k}]]" in text for k in range(1, 6))
        trees = question.findall("prt")
        assert [tree.findtext("node/answertest") for tree in trees] == ["AlgEquiv"] * 3 + ["NumAbsolute"] * 2
        right = re.findall(r"ta\d+: (.*);", variables)
        arm = qddot.loads(paper.arm())
        named = zip(("M11", "M12", "M22"), right[:3], strict=True)
        assert arm.check("\n".join(f"{name} = {entry}" for name, entry in named), only="M")
        assert "**" not in variables
        q, qd, qdd = (list(part.values()) for part in paper.state.numbers)
        for value, exact, tree in zip(right[3:], arm.inverse_dynamics(q, qd, qdd), trees[3:], strict=True):
            assert float(value) == pytest.approx(exact, rel=1e-5)
            assert float(tree.findtext("node/testoptions") or 0) == pytest.approx(5e-3 * abs(exact), rel=0.05)
        assert all(f"[[feedback:prt{k}]]" in text_of(question, "specificfeedback") for k in range(1, 6))


@pytest.mark.parametrize(("lang", "said"), [("en", "with * for each product and ^ for powers"), ("zh", "每个乘号写 *")])
def test_a_formula_s_question_says_how_it_is_typed(lang: str, said: str) -> None:
    made = quiz("tau,tau@", "two_link", lang)[1]
    text, key = text_of(made, "questiontext"), text_of(made, "questionvariables")
    (line,) = (each for each in re.findall("<p>(.*?)</p>", text) if said in each)  # of the formulas alone
    names = set(re.findall(r"[a-z]+\d", " ".join(re.findall("<code>(.*?)</code>", line))))
    assert names == {"q1", "q2", "qd1", "qd2", "qdd1", "qdd2", "m1", "m2"} <= set(re.findall(r"[a-z]+\d", key))


def test_numbers_need_no_plugin_of_moodle() -> None:
    assert set(kinds(quiz("M@,tau@")) + kinds(quiz("skew,power")) + kinds(quiz("G,tau@", "four_bar"))) == CORE


def test_a_quiz_in_chinese_is_chinese() -> None:
    made = quiz("M@", "two_link", "zh")
    assert (made[0].findtext("category/text") or "").endswith("/各卷")
    assert embedded(text_of(made[1], "questiontext"))[0].feedback[0] == "正确。"
