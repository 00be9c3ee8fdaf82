"""Reports, exams and judgements in the letters of a course, from Python and from the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import qddot
from qddot.apps.cli import main
from qddot.exact.equations.notations import NOTATIONS

ROUTES = {"uicker": "dh4x4", "khatib": "composite", "murray": "screw", "zju": "com_jacobian", "akb": "energy"}
ROUTES |= {"craig": "newton_euler", "siciliano": "com_jacobian", "spong": "composite"}
# laws that a report must have, as Markdown writes them, and symbols of ours that it must not have
LAWS = {
    "uicker": ([r"D_{kij} = ", r"\tau = D \ddot{q} + h + C", r"h_{ijk} = "], [r"M \ddot", r"\Gamma_"]),
    "khatib": ([r"\Gamma = M \ddot{q} + V + G", r"b_{ijk} = ", r"m_{ijk} = "], [r"\tau =", r"\Gamma_{ijk}"]),
    "murray": ([r"\tau = M \ddot{q} + C \dot{q} + N", r"\Gamma_{ijk} = "], [r"G = \partial P"]),
    "zju": ([r"d_{ijk} = \partial D_{ij}", r"b_{ijk} = ", r"C_{ij} = b_{ijj}"], [r"\Gamma", r"M_{ij}"]),
    "craig": ([r"\tau = M \ddot{q} + V + G", r"V = V_{m} \dot{q}"], [r"C \dot{q}", "h_{"]),
    "siciliano": ([r"\tau = B \ddot{q} + C \dot{q} + \bar{g}", r"c_{ijk} = "], [r"\Gamma", "G ="]),
    "spong": ([r"\tau = D \ddot{q} + C \dot{q} + \bar{g}", r"c_{jki} = "], [r"\Gamma", "G ="]),
    "akb": ([r"\tau = A \ddot{q} + h + G", r"\mathrm{CC}_{2}"], [r"M \ddot", r" s_{2}"]),
}


@pytest.fixture(scope="module", params=LAWS)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Returns a notation, and the text of a report in it."""
    arm = qddot.load("spatial_2r").with_notation(request.param)
    path = tmp_path_factory.mktemp(request.param) / "report.md"
    return request.param, arm.report(path, ROUTES[request.param]).read_text(encoding="utf-8")


def test_laws_and_equations_have_the_letters(report: tuple[str, str]) -> None:
    notation, text = report
    there, absent = LAWS[notation]
    # in the proofs both Γ of Christoffel and Γ of torques may be told by words
    derivation = text[: text.index('<a id="proof">')].replace(r"_ {", "_{").replace(r"^{}", "")
    assert [law for law in there if law not in derivation] == []
    assert [law for law in absent if law in derivation] == []
    assert NOTATIONS[notation].book.partition(",")[0].replace(".", r"\.", 1) in text


def test_the_equation_is_assembled(report: tuple[str, str]) -> None:
    _, text = report
    assert re.search(r"Assembled in matrices.*?\\begin\{bmatrix\}.*?\\ddot\{q\}_ ?\{1\}", text, re.DOTALL)


@pytest.mark.parametrize("notation", LAWS)
def test_judgements_read_and_name_the_letters(
    notation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = tmp_path / "answer.txt"
    assert main(["derive", "two_link", "--notation", notation, "--only", "M,christoffel,B,C2,h,G,C,tau,P"]) == 0
    answer.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["check", "two_link", str(answer), "--notation", notation]) == 0
    told = capsys.readouterr().out
    first = {"uicker": "D11", "khatib": "m11", "murray": "M11", "zju": "D11", "akb": "a11"}
    first |= {"craig": "M11", "siciliano": "b11", "spong": "d11"}
    assert f"proved equal: {first[notation]}," in told


def test_a_factor_of_two_in_the_notation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """b_112 is the whole coefficient of q̇1 q̇2 in the paper of 1986, and a Christoffel symbol in Khatib's course."""
    answer = tmp_path / "answer.txt"
    answer.write_text("b112 = -m2*l**2*s2\n", encoding="utf-8")
    assert main(["check", "two_link", str(answer), "--notation", "akb"]) == 0
    assert main(["check", "two_link", str(answer), "--notation", "khatib"]) == 1
    assert "b112" in capsys.readouterr().out


def test_only_has_the_letters_of_the_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "two_link", "--notation", "uicker", "--only", "D,C,h"]) == 0
    text = capsys.readouterr().out
    assert "D12 = " in text and "C1 = m1*g*l*c1/2" in text and "h1 = -m2*l**2*s2*qd1*qd2" in text


def test_exams_ask_in_the_letters(tmp_path: Path) -> None:
    arm = qddot.load("two_link").with_notation("uicker")
    exam = arm.exam(tmp_path / "exam.md", questions="M,G").read_text(encoding="utf-8")
    assert "mass matrix $D ( q )$" in exam and re.search(r"\$C\b", exam)
    solution = (tmp_path / "exam-solution.md").read_text(encoding="utf-8")
    assert "D_ {12}" in solution or "D_{12}" in solution


def test_a_single_gravity_torque_of_murray_is_no_reaction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("N2 = m2*g*l*cos(q1 + q2)/2\n", encoding="utf-8")
    assert main(["check", "two_link", str(answer), "--notation", "murray"]) == 0
    assert "N2" in capsys.readouterr().out
