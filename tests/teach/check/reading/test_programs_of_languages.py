"""Programs mean what their languages say: whole numbers divide to whole numbers, indices count from 0 or 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import refusal

import qddot
from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.programs.reading import of_language
from qddot.teach.check.reading.texts.written import Written

# a program in each language that states M22 = m2 l²/3 of two rods
STATED = {
    "c": "double M22(double l) { return m2*l*l/3.0; }",
    "matlab": "M = zeros(2);\nM(2, 2) = m2*l^2/3;\nM22 = M(end, end);",
    "julia": "M = [0 0\n     0 m2*l^2/3]\nM22 = M[2, 2]",
    "maple": "M := <<0, 0> | <0, m2*l^2/3>>:\nM22 := M[2, 2];",
    "maxima": "M : matrix([0, 0], [0, m2*l^2/3])$\nM22 : M[2, 2];",
    "mathematica": "M = {{0, 0}, {0, m2 l^2/3}};\nM22 = M[[2, 2]];",
    "fortran": "subroutine mass(l, M22)\n  real, intent(out) :: M22\n  M22 = m2*l**2 &\n    & /3d0\nend",
}


@pytest.mark.parametrize("language", STATED)
def test_an_entry_is_right_in_each_language(language: str) -> None:
    stated = [line for line in of_language(language, Written(STATED[language])).text.splitlines() if "M22" in line]
    assert qddot.load("two_link").check("\n".join(stated).replace("M[1,1]", "m2*l**2/3").replace("3e0", "3"))


def test_whole_numbers_divide_to_whole_numbers_in_c_alone() -> None:
    assert "0*m" in of_language("c", Written("double M11(double m) { return 1/2*m; }")).text
    assert "1/2*m" in of_language("c", Written("const M11 = (m) => 1/2*m;")).text


def test_what_the_grammar_does_not_know_is_kept_and_the_rest_is_read() -> None:
    text = of_language("matlab", Written("M22 = m2*l^2/3;\nM12 = = 4;\nM11 = 2;\n")).text
    assert text.splitlines() == ["M22 = m2*l**2/3", "M12 = = 4", "M11 = 2"]


WHOLE_M = """double M11 = m1*l*l/3 + 4.0*m2*l*l/3 + m2*l*l*cos(q2);
double M12 = m2*l*l/3 + m2*l*l*cos(q2)/2;
double M22 = {};
"""


@pytest.mark.parametrize(("last", "is_right"), [("m2*l*l/3", True), ("m2*l^2/3", False), ("1/3*m2*l*l", False)])
def test_c_has_no_sign_for_powers_and_cuts_quotients_off(last: str, is_right: bool, tmp_path: Path) -> None:
    (tmp_path / "mass.c").write_text(WHOLE_M.format(last), encoding="utf-8")
    assert bool(qddot.load("two_link").check(tmp_path / "mass.c", only="M")) == is_right


def test_a_result_that_is_deleted_is_not_said(tmp_path: Path) -> None:
    (tmp_path / "mass.py").write_text("import numpy as np\nM22 = m2*l**2/3\ndel M22\n", encoding="utf-8")
    with refusal(ExpressionError, "value-untold", "mass.py:3:5"):
        qddot.load("two_link").check(tmp_path / "mass.py")


@pytest.mark.parametrize("array", ["np.array({})", "{}"])
@pytest.mark.parametrize(("last", "is_right"), [("m2*l**2/3", True), ("m2*l**2/2", False)])
def test_an_entry_that_is_changed_later_is_the_one_that_counts(
    array: str, last: str, is_right: bool, tmp_path: Path
) -> None:
    rows = "[[m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*cos(q2), m2*l**2/3 + m2*l**2*cos(q2)/2], [0, m2*l**2/4]]"
    text = f"import numpy as np\nM = {array.format(rows)}\nM[1][0] = M[0][1]\nM[1][1] = {last}\n"
    (tmp_path / "mass.py").write_text(text, encoding="utf-8")
    assert bool(qddot.load("two_link").check(tmp_path / "mass.py", only="M")) == is_right
