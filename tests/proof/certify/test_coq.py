"""Coq proves the printed equations from the description, and proves none if there is a mistake in either."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run
from provers import AXIOMS, axioms_in, by_coq, text_of
from refusals import refusal
from screw_arm import SCREW
from shipped import robot
from tools import uses

import qddot
from qddot.base.errors import FormatError, ModelError
from qddot.proof.certify.coq.arm_file import refuse_long
from qddot.proof.certify.printed import printed


@pytest.mark.slow
@uses("coqc")
@pytest.mark.parametrize("name", ["two_link", "elbow_3r", "puma560_akb"])
def test_coq_proves_the_equations_of_an_arm(name: str, theory: Path) -> None:
    result = by_coq(text_of(robot(name).certificate()), theory, name)
    assert result.returncode == 0, result.stderr
    assert axioms_in(result) <= AXIOMS


@pytest.mark.slow
@uses("coqc")
def test_coq_proves_screws_springs_friction_trees_and_constant_angles(theory: Path, tmp_path: Path) -> None:
    (tmp_path / "screw.toml").write_text(SCREW, encoding="utf-8")
    result = by_coq(text_of(qddot.load(tmp_path / "screw.toml").certificate()), theory, "screw")
    assert result.returncode == 0, result.stderr


MISTAKES = {  # in the file of two_link: what is wrong, the right text, the wrong one
    "coefficient of M": ("k3 : Z * list atom := ((8)%Z", "k3 : Z * list atom := ((6)%Z"),
    "sign of Gamma": ("k6 : Z * list atom := ((-1)%Z", "k6 : Z * list atom := ((1)%Z"),
    "missing term of G": ("(T k10 t6 (T k11 t6 Empty))", "(T k11 t6 Empty)"),
    "sine for cosine": ("t1 : list atom := [Cos 2]", "t1 : list atom := [Sin 2]"),
    "swapped links": ("Link link1 (Link link2", "Link link2 (Link link1"),
    "length in the description": ("Num (-1) 2 * Atom (Par 4)", "Num (-1) 3 * Atom (Par 4)"),
    "sign of gravity": ("Num (-1) 1 * Atom (Par 3)", "Num 1 1 * Atom (Par 3)"),
    "axis that is no unit vector": ("Turn [Num 0 1; Num 0 1; Num 1 1] 2 1", "Turn [Num 0 1; Num 0 1; Num 2 1] 2 1"),
    "friction that is not printed": (
        "[no_joint;",
        "[{| armature := zero; stiffness := zero; rest := zero; viscous := one; dry := zero |};",
    ),
}


@pytest.mark.slow
@uses("coqc")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_coq_refuses_a_planted_mistake(mistake: str, theory: Path) -> None:
    text, (right, wrong) = text_of(robot("two_link").certificate()), MISTAKES[mistake]
    assert right in text
    text = text.replace(right, wrong).replace("one;", "(Num 1 1);")
    result = by_coq(text, theory, "wrong_" + re.sub(r"\W", "_", mistake))
    assert result.returncode != 0
    assert "true" in result.stderr, result.stderr


def test_the_file_has_the_description_and_the_printed_terms() -> None:
    text = text_of(robot("two_link").certificate())
    assert "links := (Link link1 (Link link2 Nothing Nothing) Nothing);" in text
    assert "Par 4: l *)" in text
    # M11 = (2 m1 + 8 m2 + 6 m2 c2) l²/6
    assert "[[Over d1 (T k1 t1 (T k2 t2 (T k3 t2 Empty)))];" in text
    assert "Definition k1 : Z * list atom := ((6)%Z, [Par 2; Par 4; Par 4])." in text
    assert "Definition t1 : list atom := [Cos 2]." in text


def test_names_do_not_end_comments(tmp_path: Path) -> None:
    (tmp_path / "screw.toml").write_text(SCREW, encoding="utf-8")
    text = text_of(qddot.load(tmp_path / "screw.toml").certificate())
    assert text.count("(*") == text.count("*)")
    assert '"' not in text


def test_an_unchanged_theory_keeps_its_time(tmp_path: Path) -> None:
    robot("two_link").certificate().export(tmp_path)
    before = (tmp_path / "theory" / "Correctness.v").stat().st_mtime_ns
    robot("rp").certificate().export(tmp_path)
    assert (tmp_path / "theory" / "Correctness.v").stat().st_mtime_ns == before
    assert {path.name for path in tmp_path.glob("*.v")} == {"two_link.v", "rp.v"}


def test_what_the_theory_lacks_is_said() -> None:
    with refusal(ModelError, "joint-has-quasi-velocities", "'bus'", "the-coq-theory"):
        robot("satellite_arm").certificate()
    with refusal(ModelError, "entries-without-links"):
        robot("puma560_1986").certificate()
    with refusal(FormatError, "none-of-these", "prover-named", "'lean'", "coq or pari"):
        robot("two_link").certificate("lean")


def test_an_arm_that_is_too_long_is_refused_with_an_estimate() -> None:
    row = {"theta": "", "d": 0, "a": 1, "alpha": "90deg"}
    chain = qddot.from_dh([row | {"theta": f"q{k}"} for k in range(1, 11)], [{"mass": 1}] * 10)
    with refusal(ModelError, "too-many-revolute-joints", "10", "9"):
        chain.certificate()
    rows = printed(robot("franka_panda").equations().in_joint_angles.quantities)
    terms = sum(len(entry) for matrix in (rows.M, *rows.christoffel) for row in matrix for entry in row)
    refuse_long("panda", terms)
    with refusal(ModelError, "too-long-for-coq"):
        refuse_long("panda", 20 * terms)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with refusal(FormatError, "place-unwritable", "already-exists"):
        robot("two_link").certificate().export(tmp_path / "taken")


def test_the_command_writes_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "prove", "two_link", "--to", "coq", "--folder", str(tmp_path / "proof"))
    assert code == 0
    assert (tmp_path / "proof" / "two_link.v").exists()
    assert "make two_link.vo" in out
    code, _, err = run(capsys, "prove", "two_link", "--folder", str(tmp_path))
    assert code == 2
    assert "--folder without --to; add --to" in err
