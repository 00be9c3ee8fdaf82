"""Exams of a class differ: lengths without units vary, too, and whoever sets the exam hears of what is alike."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from commands import run
from refusals import refusal

import qddot
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import FormatError, QddotError
from qddot.faces import exam_files
from qddot.formats.rows.dh_table import table_of
from qddot.formats.toml import robot_file
from qddot.teach.exam.chain_variants import ChainVariants
from qddot.teach.exam.exams import Asked
from qddot.teach.exam.variants import CHANGES, Variants, with_units_of_lengths

FOUR_BAR = Path(qddot.__file__).parent / "robot" / "zoo" / "closed" / "four_bar.toml"
ARM = """name = "my_arm"
convention = "dh"
gravity = [0, "-g", 0]
[symbols]
a1 = 0.4
m1 = 3
m2 = 2
g = 9.81
[[link]]
dh = { theta = "q1", d = 0, a = "a1", alpha = 0 }
mass = "m1"
com = ["-a1/2", 0, 0]
inertia = { about = "com", zz = "m1*a1^2/12" }
[[link]]
dh = { theta = "q2", d = 0, a = 0.3, alpha = 0 }
mass = "m2"
com = [0, 0, 0]
"""


def described(folder: Path, text: str = ARM) -> qddot.Robot:
    path = folder / "my_arm.toml"
    path.write_text(text, encoding="utf-8")
    return qddot.load(path)


def test_a_symbol_without_unit_that_stands_for_a_length_varies_with_the_inertia(tmp_path: Path) -> None:
    variants = Variants(described(tmp_path).model, ["lengths"])
    found = set()
    for seed in range(1, 10):
        first = variants.of(seed).bodies[0]
        parts = first.joint.offset.p.x, (first.com or Vec3(0, 0, 0)).x, first.inertia.I.zz
        a, com, inertia = (expression(part).value({"a1": 1, "m1": 1}) for part in parts)
        assert com == pytest.approx(-a / 2) and inertia == pytest.approx(a * a / 3)  # m a²/12 + m (a/2)²
        found.add(round(a, 9))
    assert sorted(found) == pytest.approx([1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 4 / 3, 3 / 2, 2, 3])


def test_neither_masses_nor_shares_of_lengths_are_lengths(tmp_path: Path) -> None:
    text = ARM.replace('com = ["-a1/2", 0, 0]', 'com = ["-k*a1", "m1*b", 0]').replace(
        "m1 = 3", "m1 = 3\nk = 0.5\nb = 1"
    )
    units = {name: each.unit for name, each in with_units_of_lengths(described(tmp_path, text).model).symbols.items()}
    assert units == {"a1": "m", "b": "m", "k": "", "m1": "", "m2": "", "g": ""}


def test_lengths_that_are_numbers_cannot_vary(tmp_path: Path) -> None:
    arm = described(tmp_path, ARM.replace("a1", "0.4").replace("0.4 = 0.4\n", ""))
    with refusal(QddotError, "no-lengths-to-vary", "my_arm"):
        arm.exam(tmp_path / "exam.md", 1, "M", vary=["lengths"])
    arm.exam(tmp_path / "exam.md", 1, "M")  # where nobody asks for lengths, the rest varies


def test_chains_vary_lengths_without_units_too(tmp_path: Path) -> None:
    path = tmp_path / "bare.toml"
    path.write_text(re.sub(r',?\s*unit = "m"', "", FOUR_BAR.read_text(encoding="utf-8")), encoding="utf-8")
    counts = [ChainVariants(qddot.load_closed_chain(each).quantities, ["lengths"]).count for each in ("four_bar", path)]
    assert counts[0] == counts[1] > 1


def test_too_few_exams_and_numbers_left_out_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    described(tmp_path, ARM.replace("m2 = 2\n", "m2 = {}\n"))
    words = [str(tmp_path / "my_arm.toml"), "--vary", "lengths", "--folder", str(tmp_path), "-o", "e.md"]
    code, _, err = run(capsys, "exam", *words, "--students", "10", "--questions", "G")
    assert (code, bool(re.search("10 students get [2-9] different sets of formulas", err))) == (0, True)
    code, _, err = run(capsys, "exam", *words)
    assert (code, "no numbers (tau@)" in err, "different sets" in err) == (0, True, False)


def test_a_name_that_is_there_twice_is_an_error_with_its_line(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ada\n\nLi Lei\nAda \n", encoding="utf-8")
    with refusal(FormatError, "student-twice", "names.txt:4"):
        qddot.load("one_link").exam(tmp_path / "exam.md", questions="M", students=names)


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "write your name and “Variant 7” on each"), ("zh", "每页写明姓名与“第 7 号卷”")]
)
def test_a_sheet_asks_for_its_number_on_each_page(lang: str, line: str, tmp_path: Path) -> None:
    path = qddot.load("one_link").exam(tmp_path / "exam.md", 7, "M", lang)
    assert line in path.read_text(encoding="utf-8")


def test_feedback_says_how_many_marks_are_given_by_hand(tmp_path: Path) -> None:
    qddot.load("two_link").exam(tmp_path / "exam.md", questions="M,skew,G@", students=1, folder=tmp_path)
    (tmp_path / "answers").mkdir()
    shutil.copy(tmp_path / "exam-001-answers.txt", tmp_path / "answers")
    sheet = (tmp_path / "exam-001.md").read_text(encoding="utf-8")
    total, parts = re.search(r"· (\d+) marks", sheet), re.findall(r"Question \d \((\d+) marks", sheet)
    assert total and sum(map(int, parts)) == int(total[1])
    (grade,) = qddot.check_exam(tmp_path / "exam-seeds.csv", tmp_path / "answers")
    by_hand = int(parts[1]) - -(-int(parts[1]) // 3)  # two of the three parts of the law
    assert grade and grade.marks and grade.marks.most + by_hand == int(total[1])
    assert f"{by_hand} more marks are given by hand." in grade.feedback("en")
    assert f"另有 {by_hand} 分由人工评阅。" in grade.feedback("zh")


def test_a_rubric_with_odd_marks_by_hand_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rubric.toml"
    for text in ("-1", "true", '"6"', "nan"):
        path.write_text(f"by_hand = {text}\n[points]\nM = 6\n", encoding="utf-8")
        with pytest.raises(QddotError, match=r"by_hand|nan"):
            qddot.load("two_link").check_all(tmp_path, rubric=path)


@pytest.mark.parametrize(("book", "rows"), [("spong", "dh"), ("siciliano", "dh"), ("craig", "mdh")])
@pytest.mark.parametrize("name", ["two_link", "rp"])
def test_in_the_letters_of_a_book_every_variant_has_rows_of_its_convention(name: str, book: str, rows: str) -> None:
    of = Variants(qddot.load(name).with_notation(book).model, CHANGES).of
    variants = [of(seed) for seed in range(8)]
    assert all(table_of(variant, rows) is not None and variant.notation == book for variant in variants)


def test_an_exam_says_so_where_an_arm_has_no_rows_of_the_book(tmp_path: Path) -> None:
    """Two arms on one trunk are no chain; a planar arm has rows of either kind."""
    links = [{"name": name, "parent": parent, "mass": 1} for name, parent in (("a", "base"), ("b", "a"), ("c", "a"))]
    joint = {"type": "revolute", "axis": [0, 1, 0], "xyz": [0, 0, "l"]}
    table = {"convention": "tree", "symbols": {"l": {"value": 1, "unit": "m"}}, "gravity": [0, 0, "-9.81"]}
    mapping = {**table, "link": [{**link, "com": [0, 0, "l/2"], "joint": joint} for link in links]}
    branched = qddot.Robot(robot_file.from_mapping(mapping, "branched")).with_notation("spong")
    for arm, said in ((branched, ["rows-unlike-book"]), (qddot.load("two_link").with_notation("spong"), [])):
        request = Asked("M11")
        made = exam_files.write(Variants(arm.model), tmp_path / "e.md", 1, request, "en", None, True)
        assert [note.key for note in made.notes] == said
