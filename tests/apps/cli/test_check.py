"""`qddot check` judges a derivation in a file, with the right exit codes, and so does `arm.check`."""

from __future__ import annotations

import json
from pathlib import Path

import commands
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError

RIGHT = r"""
M_{11} = \frac{1}{4} m_1 l_1^2 + m_2 (l_1^2 + \frac{1}{4} l_2^2 + l_1 l_2 \cos q_2) + I_{1zz} + I_{2zz}
M_{12} = m_2 (\frac{1}{4} l_2^2 + \frac{1}{2} l_1 l_2 \cos q_2) + I_{2zz}
"""


def run(capsys: pytest.CaptureFixture[str], folder: Path, text: str, *options: str) -> tuple[int, str, str]:
    path = folder / "mine.txt"
    path.write_text(text, encoding="utf-8")
    return commands.run(capsys, "check", "planar_2r", str(path), *options)


def test_a_right_derivation_exits_with_zero(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, tmp_path, RIGHT)
    assert code == 0
    assert "all 2 entries are right (proved equal)" in out
    assert "proved equal: M11, M12" in out


def test_a_wrong_term_is_named_with_its_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = "h1 = -m2*l1*l2*sin(q2)*qd1*qd2 + m2*l1*l2*sin(q2)*qd2**2/2\nh2 = m2*l1*l2*sin(q2)*qd1**2/2"
    code, out, _ = run(capsys, tmp_path, text)
    assert code == 1
    assert "1 of 2 entries differs from the exact one" in out
    assert "the sign of -m2*l1*l2*s2*qd2**2/2 — explains h1 (all wrong entries)" in out
    assert "mine.txt:1:" in out
    assert "yours" in out.splitlines()[-2]
    assert "exact" in out.splitlines()[-2]


@pytest.mark.parametrize(
    ("text", "asked", "code", "pile"),
    [
        (RIGHT, "M12", 0, "right"),
        (RIGHT + "\nM22 = 0", "M12", 1, "wrong"),
        (RIGHT, "G", 1, "wrong"),
        (RIGHT + "\nG2 = a*m2", "G", 3, "by hand"),
    ],
)
def test_the_exit_code_tells_the_piles_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, asked: str, code: int, pile: str
) -> None:
    assert run(capsys, tmp_path, text, "--only", asked)[0] == code
    assert json.loads(run(capsys, tmp_path, text, "--only", asked, "--json")[1])["pile"] == pile


def test_the_judgement_is_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, tmp_path, "G2 = m2*g*l2*cos(q2)/2", "--json")
    judgement = json.loads(out)
    assert code == 1
    assert judgement["equal"] is False
    assert judgement["explanations"][0]["kind"] == "angle not summed"
    assert judgement["explanations"][0]["words"] == {"right": "q1 + q2", "wrong": "q2"}
    assert judgement["entries"][0]["witness"]["yours"] != judgement["entries"][0]["witness"]["exact"]


def test_a_template_is_written_and_what_is_filled_in_is_previewed_and_judged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mine.md"
    code, out, _ = commands.run(capsys, "check", "two_link", "--only", "M22,G2", "--template", str(path))
    assert code == 0
    assert "wrote" in out
    path.write_text(path.read_text(encoding="utf-8").replace("M22 = ?", "M22 = ⅓ m2 l²"), encoding="utf-8")
    code, out, _ = commands.run(capsys, "check", "two_link", str(path), "--preview")
    assert code == 3
    assert "m2*l**2/3" in out
    assert "missing: G2" in out
    code, out, _ = commands.run(capsys, "check", "two_link", str(path), "--preview", "--json", "--only", "M22")
    assert code == 0
    assert json.loads(out)["entries"][0]["formula"] == "m2*l**2/3"
    code, out, _ = commands.run(capsys, "check", "two_link", str(path))
    assert code == 1
    assert "the entry is right" in out or "1 entry is right" in out


def test_a_template_replaces_no_file_unless_it_is_told_to(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("M22 = 1", encoding="utf-8")
    code, _, err = commands.run(capsys, "check", "two_link", "--template", str(path))
    assert code == 2
    assert "is there already" in err
    assert path.read_text(encoding="utf-8") == "M22 = 1"
    assert commands.run(capsys, "check", "two_link", "--template", str(path), "--overwrite")[0] == 0
    assert "M22 = ..." in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["a.docx", "a", "/dev/null/a.md"])
def test_a_template_that_cannot_be_written_is_refused_with_the_forms(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, _, err = commands.run(capsys, "check", "two_link", "--template", name)
    assert code == 2
    assert "expected .tex, .md, .py, .m, .ipynb" in err or "cannot be written" in err


def test_a_letter_of_the_answer_gets_its_meaning_by_a_renaming(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answer = "M22 = I2zz + m2*L_2**2/4"
    code, _, err = run(capsys, tmp_path, answer, "--set", "L_2=0.3")
    assert (code, err.count("--rename L_2=…")) == (2, 1)
    assert run(capsys, tmp_path, answer, "--rename", "L_2=l2")[0] == 0


def test_own_names_are_renamed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, _ = run(capsys, tmp_path, "G2 = mass*g*b*cos(q1+q2)/2", "--rename", "mass=m2", "--rename", "b = l2")
    assert code == 0
    code, _, err = run(capsys, tmp_path, "G2 = 0", "--rename", "mass")
    assert code == 2
    assert "expected your name = the arm's" in err
    code, _, err = run(capsys, tmp_path, "G2 = 0", "--rename", "a=m2", "--rename", "a=m1")
    assert code == 2
    assert "--rename of 'a' to 'm2' and 'm1'" in err
    code, out, _ = run(capsys, tmp_path, "G2 = m2*g*l2*cos(q1+q2)/2", "--rename", "mass=m2")
    assert code == 0
    assert "mass is renamed but does not occur in the answer" in out


def test_what_cannot_be_read_is_a_mistake(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, tmp_path, "M11 = m1*(")
    assert code == 2
    assert "mine.txt:1:" in err or "line 1" in err
    code, _, err = commands.run(capsys, "check", "planar_2r", str(tmp_path / "absent.txt"))
    assert code == 2
    assert "absent.txt: the file does not exist; expected equations" in err
    for path in ("", str(tmp_path / ("x" * 300)), "\0"):
        code, _, err = commands.run(capsys, "check", "planar_2r", path)
        assert code == 2
        assert err.startswith("qddot: ")


def test_a_large_file_is_refused_unread(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    code, _, err = commands.run(capsys, "check", "planar_2r", str(path))
    assert code == 2
    assert "100000000 bytes; expected at most" in err


def test_the_nearest_names_are_suggested_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, tmp_path, "G2 = m2*g*len2*cos(q1+q2)/2")
    assert code == 2
    assert "no 'len2' in this arm; expected one of l2, " in err
    assert "--rename len2=…" in err


def test_a_face_takes_texts_paths_and_quantities(tmp_path: Path) -> None:
    arm = qddot.load("planar_2r")
    path = tmp_path / "mine.tex"
    path.write_text(RIGHT, encoding="utf-8")
    assert arm.check(RIGHT)
    assert arm.check(path)
    assert arm.check(str(path))
    assert arm.check(G=["m1*g*l1*c1/2 + m2*g*(l1*c1 + l2*c12/2)", "m2*g*l2*c12/2"])
    assert not arm.check(M=[["m1", 0], [0, "m2"]])
    shown = arm.check(M=[["m1", 0], [0, "m2"]])
    assert "✗" in shown._repr_html_()
    assert repr(shown) == "<judgement of planar_2r: 4 of 4 entries differ from the exact ones>"


def test_a_line_of_latex_goes_on_within_brackets() -> None:
    broken = r"G_1 &= g ( \tfrac12 m_1 l_1 c_1 + m_2 l_1 c_1 \\ &\quad + \tfrac12 m_2 l_2 c_{12} )"
    assert qddot.load("planar_2r").check(broken)


@pytest.mark.parametrize(
    ("answer", "says"), [(None, ("nothing-to-check",)), (3, ("answer-not-text", "3")), ("", ("answer-not-text",))]
)
def test_nothing_to_check_is_an_error(answer: object, says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        qddot.load("planar_2r").check(answer)


def test_a_text_beside_quantities_is_an_error() -> None:
    with refusal(QddotError, "text-and-quantities"):
        qddot.load("planar_2r").check("M11 = 0", M=[[0, 0], [0, 0]])
    with refusal(QddotError, "rename-not-mapping"):
        qddot.load("planar_2r").check("M11 = 0", rename="m=m1")


def test_an_unknown_required_quantity_is_a_bad_option_also_of_a_class(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The mistake is in the command line, and no answer is unreadable because of it."""
    (tmp_path / "a.txt").write_text("M22 = 0", encoding="utf-8")
    for answer in (tmp_path, tmp_path / "a.txt"):
        code, out, err = commands.run(capsys, "check", "two_link", str(answer), "--only", "nope")
        assert (code, out) == (2, "")
        assert "asked = 'nope'; expected quantities or entries" in err
