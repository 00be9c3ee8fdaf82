"""Coq and PARI/GP derive the equations of closed chains from links, loops and wheels, and refuse mistakes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from chains import TILTED
from commands import run
from provers import AXIOMS, axioms_in, by_coq, by_pari, text_of
from refusals import refusal
from test_base_of_chains import named
from tools import uses

from qddot.base.errors import FormatError, ModelError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables

# with all effects in joints, of which the dependent ones move the independent ones, and a slider as a loop
RUBBING = """
name = "rubbing"
convention = "tree"
gravity = [0, "-g", 0]
coordinates = ["q1", "q2", "q3"]
symbols = { g = 9.81, k = 2, c = 0.1, f = 0.2, J = 0.03 }

[[link]]
name = "crank"
joint = { type = "revolute", coordinate = "q1", armature = "J", damping = "c" }
mass = 1
com = [0.1, 0, 0]
inertia = { about = "com", zz = 0.01 }
partial_inertia = true

[[link]]
name = "rod"
parent = "crank"
joint = { type = "revolute", xyz = [0.2, 0, 0], coordinate = "q2", coulomb = "f", damping = "2*c" }
mass = 2
com = [0.2, 0.01, 0]
inertia = { about = "com", zz = 0.02 }
partial_inertia = true

[[link]]
name = "slide"
joint = { type = "prismatic", axis = [1, 0, 0], coordinate = "q3", coulomb = 1, spring = { stiffness = "k", rest = 1 } }
mass = 3
com = [0, 0, 0]
inertia = { about = "com", zz = 0.02 }
partial_inertia = true

[[loop]]
type = "revolute"
first = { link = "rod", xyz = [0.5, 0, 0] }
second = { link = "slide" }
"""
PROVED = ["four_bar", "five_bar", "delta", "unicycle", "rolling_disc", "robotiq_2f85", "spatial", "bennett"]
PROVED += ["rubbing", "carried"]


# a four-bar on a base that turns about a tilted axis
CARRIED = TILTED.replace('"q1", "q2", "q3"', '"q0", "q1", "q2", "q3"').replace(
    'type = "fixed"', 'type = "revolute", coordinate = "q0"'
)


@cache
def opened(name: str) -> ClosedChain:
    texts = {"rubbing": RUBBING, "carried": CARRIED}
    return ClosedChain(loop_tables.loads(texts[name], name)) if name in texts else named(name)


@pytest.mark.slow
@uses("coqc")
@pytest.mark.parametrize("name", PROVED)
def test_coq_proves_the_equations_of_a_chain(name: str, theory: Path) -> None:
    result = by_coq(text_of(opened(name).certificate()), theory, name)
    assert result.returncode == 0, result.stderr
    assert axioms_in(result) == AXIOMS


@pytest.mark.slow
@uses("coqc")
def test_coq_proves_the_bicycle_by_the_equations_that_define_its_coefficients(theory: Path) -> None:
    text = text_of(named("bicycle").certificate())
    assert text.count("determinant := None") == 7
    assert text.count("No_slip") == 4
    result = by_coq(text, theory, "bicycle")
    assert result.returncode == 0, result.stderr


@uses("gp")
@pytest.mark.parametrize("name", [*PROVED, "bicycle"])
def test_pari_derives_the_equations_of_a_chain(name: str, tmp_path: Path) -> None:
    result = by_pari(text_of(opened(name).certificate("pari")), tmp_path)
    lines = [f"these are the equations of this {what}" for what in ("description", "chain")]
    assert (result.returncode, result.stdout.splitlines()) == (0, lines), result.stderr


class Mistake(NamedTuple):
    """A mistake in the files of a chain: for both provers the right text and the wrong one."""

    chain: str
    coq: tuple[str, str]
    pari: tuple[str, str]


MISTAKES = {
    "frame of the loop": Mistake(
        "four_bar",
        ("[link1; link2; link4]", "[link1; link2]"),
        ("frame([1, 2, 4])", "frame([1, 2])"),
    ),
    "direction of phi": Mistake(
        "four_bar",
        ("Held [Num 1 1;", "Held [Num (-1) 1;"),
        ("held([1, 0, 0]", "held([-1, 0, 0]"),
    ),
    "sine in A": Mistake(
        "four_bar",
        ("t9' : list atom := [Sin 3]", "t9' : list atom := [Cos 3]"),
        ("(-1)*s3*p3]", "(-1)*c3*p3]"),
    ),
    "sign of r31": Mistake(
        "four_bar",
        ("name := 13; numerator := Over d1' (T k6'", "name := 13; numerator := Over d1' (T k3'"),
        ('"r31", (1)*s2*p1', '"r31", (-1)*s2*p1'),
    ),
    "slope of r21": Mistake(
        "four_bar",
        ("name := 14; numerator := Over d1' (T k10'", "name := 14; numerator := Over d1' (T k11'"),
        ('"r21_1", (1)*', '"r21_1", (2)*'),
    ),
    "slope in R": Mistake(
        "four_bar",
        ("[[Over d1' (T k19' t5' Empty)]]", "[[nil]]"),
        ("[[(1)*p14]]", "[[0]]"),
    ),
    "coefficient of M": Mistake(
        "four_bar",
        ("k29' : Z * list atom := ((4)", "k29' : Z * list atom := ((5)"),
        ("(1)*p8+", "(2)*p8+"),
    ),
    "sign in Gamma": Mistake(
        "four_bar",
        ("k36' : Z * list atom := ((2)", "k36' : Z * list atom := ((-2)"),
        ("[[[(-1/2)", "[[[(1/2)"),
    ),
    "missing term of G": Mistake(
        "four_bar",
        ("(T k49' t4' Empty)", "Empty"),
        ("+(1/2)*c3*p3*p7*p11*p13]", "]"),
    ),
    "independent rate": Mistake(
        "four_bar",
        ("independent := [1]", "independent := [2]"),
        ("independent = [1]", "independent = [2]"),
    ),
    "damping": Mistake(
        "rubbing",
        ("k43' : Z * list atom := ((2)", "k43' : Z * list atom := ((1)"),
        ("= [[(2)*p3*", "= [[(1)*p3*"),
    ),
    "dry friction": Mistake(
        "rubbing",
        ("[[nil; Over d3' (T k45'", "[[nil; Over d3' (T k44'"),
        ("(1)*p4*p6, ", "(1)*p4*p7, "),
    ),
    "spring": Mistake(
        "rubbing",
        ("k42' : Z * list atom := ((-1)", "k42' : Z * list atom := ((1)"),
        ("+(-1)*p2*p7]", "+(1)*p2*p7]"),
    ),
    "ground": Mistake(
        "unicycle",
        ("[link1; link2; link3] [];", "[link1; link2; link3] [link1];"),
        ("frame([]))", "frame([1]))"),
    ),
    "axis of contact": Mistake(
        "unicycle",
        ("No_slip 0", "No_slip 1"),
        ("no_slip(1,", "no_slip(2,"),
    ),
    "slope of a polynomial": Mistake(
        "unicycle",
        ("[[[nil; nil]; [Over d1' (T k2'", "[[[nil; nil]; [Over d1' (T k4'"),
        ("R_slopes = [[[0, 0], [(-1)*", "R_slopes = [[[0, 0], [(1)*"),
    ),
}


@pytest.mark.slow
@uses("coqc")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_coq_refuses_a_planted_mistake(mistake: str, theory: Path) -> None:
    name, (right, wrong), _ = MISTAKES[mistake]
    text = text_of(opened(name).certificate())
    assert right in text
    result = by_coq(text.replace(right, wrong), theory, "wrong_" + re.sub(r"\W", "_", mistake))
    assert result.returncode != 0
    assert "check_chain" in result.stderr, result.stderr


@uses("gp")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_pari_refuses_a_planted_mistake(mistake: str, tmp_path: Path) -> None:
    name, _, (right, wrong) = MISTAKES[mistake]
    text = text_of(opened(name).certificate("pari"))
    assert right in text
    result = by_pari(text.replace(right, wrong), tmp_path)
    assert result.returncode != 0
    assert "differs from the derived one" in result.stdout
    assert "NOT the equations of this chain" in result.stdout


def test_the_file_has_the_conditions_and_the_definitions_of_the_coefficients() -> None:
    text = text_of(opened("unicycle").certificate())
    assert "keeps := No_slip 0 [link1; link2; link3; link4] [link1; link2; link3] [];" in text
    text = text_of(opened("four_bar").certificate())
    assert "keeps := Held [Num 0 1; Num 1 1; Num 0 1] [link1; link2; link4] [link3; link5];" in text
    assert "(* Par 12: r21; Par 13: r31; Par 14: r21_1; Par 15: r31_1 *)" in text
    assert "name := 13; numerator := Over d1' (T k6' t16' Empty);" in text  # a sin(q2)
    assert "Definition k6' : Z * list atom := ((1)%Z, [Par 1])." in text
    assert "Definition t16' : list atom := [Sin 2]." in text


def test_the_command_writes_the_files_of_a_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "prove", "four_bar", "--to", "coq", "--folder", str(tmp_path))
    assert code == 0
    assert "make four_bar.vo" in out
    assert (tmp_path / "theory" / "ClosedStatement.v").exists()
    code, out, _ = run(capsys, "prove", "unicycle", "--to", "pari", "--folder", str(tmp_path))
    assert code == 0
    assert "gp -q unicycle.gp" in out


def test_what_the_theory_lacks_is_said_of_chains() -> None:
    ball = RUBBING.replace('type = "revolute", xyz', 'type = "spherical", xyz').replace('coulomb = "f", ', "")
    ball = re.sub(r"coordinates = .*", "", ball)
    hanging = ClosedChain(loop_tables.loads(ball, "hanging"))
    with refusal(ModelError, "joint-has-quasi-velocities", "'rod'", "the-coq-theory"):
        hanging.certificate()
    with refusal(FormatError, "none-of-these", "prover-named", "'lean'", "coq or pari"):
        opened("four_bar").certificate("lean")
