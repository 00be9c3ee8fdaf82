"""Answers about closed chains are right if they are equal where the loops are closed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chains import chain

from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.teach.check.judging.cases import DIFFERENT, EQUAL, VALID, VERIFIED

RATIOS = """
alpha = -a*sin(q3 - q1)/(b*sin(q3 - q1 - q2))
beta = a*sin(q2)/(c*sin(q1 + q2 - q3))
"""
BARS = "m1*a^2/4 + I1 + m2*(a^2 + b^2/4*alpha^2 + a*b*cos(q2)*alpha) + I2*alpha^2 + (m3*c^2/4 + I3)*beta^2"
NUMBERS = RATIOS.replace("a*", "0.2*").replace("b*", "0.5*").replace("c*", "0.4*") + (
    "M11 = 0.014 + 2*(0.04 + 0.0625*alpha^2 + 0.1*cos(q2)*alpha) + 0.042*alpha^2 + 0.08*beta^2"
)
HEIGHTS = "P = g*(m1*a/2*sin(q1) + m2/2*(a*sin(q1) + c*sin(q3)) + m3*c/2*sin(q3))"
RATES = (
    "K = (I1 + m1*a^2/4)*qd1^2/2 + I2*(qd1 + qd2)^2/2 + (I3 + m3*c^2/4)*qd3^2/2"
    " + m2/2*(a^2*qd1^2 + b^2/4*(qd1 + qd2)^2 + a*b*cos(q2)*qd1*(qd1 + qd2))"
)


def verdicts(name: str, text: str) -> set[str]:
    return {entry.verdict for entry in chain(name).check(text).entries}


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "slider_crank", "delta", "unicycle", "rolling_disc"])
def test_the_own_equations_are_right(name: str) -> None:
    eq = chain(name).equations()
    for quantity in ("M", "h", "G", "tau"):
        assert verdicts(name, str(eq.array(quantity))) == {EQUAL}, quantity


@pytest.mark.parametrize("text", [f"{RATIOS}M11 = {BARS}", HEIGHTS, RATES])
def test_quotients_of_sines_and_rates_of_all_joints_are_read(text: str) -> None:
    assert verdicts("four_bar", text) <= {EQUAL, VERIFIED}


def test_what_holds_on_closed_loops_alone_is_right() -> None:
    assert verdicts("four_bar", HEIGHTS) == {EQUAL}  # (a s1 + c s3)/2 is the height of the coupler's centre
    other = "G1 = g*(m1*a/2*cos(q1) + m2/2*(a*cos(q1) + c*cos(q3)*r31) + m3*c/2*cos(q3)*r31)"
    assert verdicts("four_bar", other) <= {EQUAL, VERIFIED}
    assert not chain("four_bar").tree.check(HEIGHTS)


@pytest.mark.thorough
def test_a_length_that_is_wrong_but_has_the_same_default_is_found() -> None:
    bars = chain("four_bar").with_values(a=0.25, c=0.25, d=0.5, b=0.5)
    swapped = RATIOS.replace("beta = a", "beta = c")
    judged = bars.check(f"{swapped}M11 = {BARS}")
    assert [entry.verdict for entry in judged.entries] == [DIFFERENT]


@pytest.mark.parametrize(
    ("old", "new"),
    [("m1*a^2/4", "m1*a^2/3"), ("+ I2*alpha^2", "- I2*alpha^2"), ("beta^2", "beta"), ("cos(q2)", "sin(q2)")],
)
def test_a_wrong_answer_has_a_witness_with_closed_loops(old: str, new: str) -> None:
    (entry,) = chain("four_bar").check(f"{RATIOS}M11 = {BARS.replace(old, new)}").entries
    assert entry.verdict == DIFFERENT and entry.witness is not None
    state = entry.witness.state
    bars = chain("four_bar").with_values(**{name: float(state[name]) for name in "abcd" if name in state})
    phi, _ = bars.closure([float(state[name]) for name in ("q1", "q2", "q3")])
    assert abs(phi).max() < 2e-6  # digits of the witness
    assert abs(entry.witness.yours - entry.witness.exact) > 1e-12


def test_a_mistake_is_named() -> None:
    G = str(chain("delta").equations().G)
    judged = chain("delta").check(G.replace("ma", "2*ma", 1))
    assert "doubled" in str(judged) and [each.name for each in judged.wrong] == ["G1"]


def test_numbers_in_place_of_symbols_are_those_of_the_model() -> None:
    assert verdicts("four_bar", NUMBERS) <= {EQUAL, VERIFIED}
    assert verdicts("four_bar", NUMBERS.replace("0.042", "0.043")) == {DIFFERENT}
    heavy = NUMBERS.replace("0.08*beta", "0.12*beta")  # m3 = 2.5 kg
    judged = chain("four_bar").check(heavy, values={"m3": 2.5})
    assert judged, judged


def test_another_coriolis_matrix_is_valid() -> None:
    own = "C11 = 0\nC12 = m*c*r*thetad\nC21 = -m*c*r*thetad\nC22 = 0"
    other = "C11 = m*c*r*phid\nC12 = 0\nC21 = -m*c*r*thetad\nC22 = 0"
    assert verdicts("unicycle", own) == {EQUAL}
    judged = chain("unicycle").check(other)
    assert judged and VALID in {entry.verdict for entry in judged.entries} and "is not skew" in str(judged)
    assert verdicts("unicycle", other.replace("phid", "2*phid")) >= {DIFFERENT}


def test_a_potential_energy_may_have_another_zero() -> None:
    assert verdicts("four_bar", f"{HEIGHTS} + m1*g*d") == {VALID}
    assert verdicts("four_bar", f"{HEIGHTS} + m1*g*a*sin(q3)") == {DIFFERENT}


def test_an_equation_of_motion_may_be_in_another_form() -> None:
    eq = chain("four_bar").equations()
    M, h, G = (" ".join(str(eq.array(name)).split("=", 1)[1].split()) for name in ("M", "h", "G"))
    assert chain("four_bar").check(f"tau1 = ({M})*qdd1 + {h} + {G}")
    assert chain("four_bar").check(f"({M})*qdd1 + {h} + {G} = tau1", only="equations")
    assert not chain("four_bar").check(f"tau1 = ({M})*qdd1 + {h} - ({G})")


@pytest.mark.thorough
def test_torques_by_virtual_work_may_have_the_accelerations_of_all_joints() -> None:
    coupler = "m2*(b^2/4*alpha + a*b/2*cos(q2))*(qdd1 + qdd2) - m2*a*b/2*sin(q2)*(qd1 + qd2)^2"
    crank = "(I1 + m1*a^2/4)*qdd1 + m2*(a^2 + a*b/2*cos(q2)*alpha)*qdd1 + m2*a*b/2*sin(q2)*alpha*qd1^2"
    rest = "I2*alpha*(qdd1 + qdd2) + (I3 + m3*c^2/4)*beta*qdd3"
    weights = "g*(m1*a/2*cos(q1) + m2*(a*cos(q1) + b/2*cos(q1 + q2)*alpha) + m3*c/2*cos(q3)*beta)"
    torque = f"{crank} + {coupler} + {rest} + {weights}"
    judged = chain("four_bar").check(f"{RATIOS}tau1 = {torque}")
    assert judged and {entry.verdict for entry in judged.entries} <= {EQUAL, VERIFIED}
    assert "certified states with closed loops" in str(judged)
    wrong = torque.replace("sin(q2)*alpha", "sin(q2)*beta")
    assert verdicts("four_bar", f"{RATIOS}tau1 = {wrong}") == {DIFFERENT}


def test_the_matrix_of_rates_is_judged_by_entries_or_whole() -> None:
    slopes = "R21 = -a*sin(q3 - q1)/(b*sin(q3 - q1 - q2)) - 1\nR31 = a*sin(q2)/(c*sin(q1 + q2 - q3))"
    assert verdicts("four_bar", slopes) == {EQUAL}
    assert verdicts("four_bar", slopes.replace("- 1\n", "+ 1\n")) == {DIFFERENT, EQUAL}
    assert verdicts("unicycle", "R = [[0, r*cos(theta)], [0, r*sin(theta)], [1, 0], [0, 1]]") == {EQUAL}
    assert chain("four_bar").check(R=[[1], ["r21"], ["r31"]], only="R")
    assert verdicts("delta", "R11 = 1\nR41 = kappa41") == {EQUAL}  # although its radius is called R


def test_conditions_may_have_another_sign_or_be_combined() -> None:
    phi = "phi1 = a*cos(q1) + b*cos(q1 + q2) - d - c*cos(q3)\nphi2 = a*sin(q1) + b*sin(q1 + q2) - c*sin(q3)"
    assert verdicts("four_bar", phi) == {VALID}
    assert verdicts("four_bar", phi.replace("- c*sin", "+ c*sin")) == {VALID, DIFFERENT}
    assert verdicts("four_bar", phi.replace("a*cos(q1) + b*cos(q1 + q2) - d - c*cos(q3)", "0")) == {VALID, DIFFERENT}
    first = "[-a*sin(q1) - b*sin(q1 + q2), -b*sin(q1 + q2), c*sin(q3)]"
    second = "[a*cos(q1) + b*cos(q1 + q2), b*cos(q1 + q2), -c*cos(q3)]"
    assert verdicts("four_bar", f"A = [{first}, {second}]") == {VALID}
    assert DIFFERENT in verdicts("four_bar", f"A = [{first}, {first}]")
    assert DIFFERENT in verdicts("four_bar", f"A = [{first}, {second.replace('-c', 'c')}]")


@pytest.mark.parametrize("text", ["M22 = m1", "M = [[m1, 0], [0, 1]]", "M11 = r99*m1", "M11 = m1 +", "M11 = 1/0", ""])
def test_what_cannot_be_judged_is_refused_or_listed(text: str) -> None:
    try:
        judged = chain("four_bar").check(text)
    except QddotError:
        return
    assert not judged and judged.unread


def test_a_quotient_of_zeros_is_not_right() -> None:
    nothing = "(a*cos(q1) + b*cos(q1 + q2) - d - c*cos(q3))"
    assert not chain("four_bar").check(f"G1 = m1*{nothing}/({nothing}*(2 + sin(q1)))")


@pytest.mark.thorough
def test_a_folder_of_answers_and_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "right.txt").write_text(f"{RATIOS}M11 = {BARS}", encoding="utf-8")
    (tmp_path / "wrong.txt").write_text(f"{RATIOS}M11 = {BARS} + I1", encoding="utf-8")
    grades = chain("four_bar").check_all(tmp_path, rubric={"M": 4})
    assert [bool(grade) for grade in grades] == [True, False]
    assert main(["check", "four_bar", str(tmp_path / "right.txt")]) == 0
    assert main(["check", "four_bar", str(tmp_path / "wrong.txt"), "--json"]) == 1
    said = capsys.readouterr().out
    assert json.loads(said[said.index("{") :])["entries"][0]["verdict"] == DIFFERENT
