"""Each entry of a derivation is proved equal, or different with a witness and the likeliest mistake."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from answers import answer_of, answered, written
from refusals import refusal
from shipped import robot

import qddot
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import QddotError
from qddot.exact.equations import routes
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.exact_arrays import exact_array
from qddot.teach.check.judging.judge import judge
from qddot.teach.check.judging.judgement import Judgement
from qddot.teach.check.reading.answer import Answer, Entry

ARMS = ["one_link", "two_link", "planar_2r", "spatial_2r", "rp", "slider", "spherical_pendulum", "elbow_3r"]


def one(eq: Any, name: str, place: tuple[int, ...], wrong: str) -> Judgement:
    """The judgement of a quantity with one entry that was written so."""
    return judge(eq, answered(eq, {(name, place): written(eq.in_joint_angles.ring, wrong)}, name))


@pytest.mark.parametrize("name", ARMS)
def test_a_right_derivation_is_proved_equal(name: str) -> None:
    eq = robot(name).equations().quantities
    judgement = judge(
        eq, answered(eq, {}, "M", "christoffel", "C", "B", "C2", "h", "G", "tau", "K", "P", "L", "T", "J")
    )
    assert judgement
    assert {entry.verdict for entry in judgement.entries} == {"equal"}
    assert not judgement.explanations


def test_a_route_is_derived_once_for_all_steps_of_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    derive, derived = routes.derive, list[str]()

    def counted(name: str, *others: Any) -> Any:
        derived.append(name)
        return derive(name, *others)

    monkeypatch.setattr(routes, "derive", counted)
    quantities = Quantities(robot("one_link").model)
    steps = [exact_array(quantities, name) for name in ("Jv", "Jw", "B_body", "Jv")]
    assert all(steps)
    assert len(derived) == len(set(derived)) > 1


def test_relations_of_constant_angles_are_decided() -> None:
    row = {"theta": "q1", "d": 0, "a": "l", "alpha": 0}
    tilted = {"gravity": ["g*sin(20deg)", 0, "-g*cos(20deg)"], "symbols": {"m": 1, "l": 1, "g": 9.81}}
    arm = qddot.from_dh([row], [{"mass": "m", "com": ["-l/2", 0, 0]}], **tilted)
    assert arm.check("G1 = m*g*l/2*sin(pi/9)*(8*cos(pi/9)**3 - 6*cos(pi/9))*sin(q1)")
    (entry,) = arm.check("G1 = m*g*l/2*sin(pi/9)*(8*cos(pi/9)**3 - 5*cos(pi/9))*sin(q1)").entries
    assert entry.verdict == "different"


def test_the_steps_of_every_route_are_judged() -> None:
    eq = robot("two_link").equations().quantities
    step = robot("two_link").equations("dh4x4").quantities.steps["U_ijk"]
    assert judge(eq, answer_of({"U_ijk": step}))
    assert not judge(eq, answer_of({"U_ijk": step * 2}))


def test_a_witness_is_a_state_in_which_both_values_are_as_told() -> None:
    arm = robot("planar_2r")
    (wrong,) = one(arm.equations().quantities, "M", (1, 1), "m2*l2**2 + I2zz").wrong
    assert wrong.witness is not None
    values = {name: float(Fraction(value)) for name, value in wrong.witness.state.items()}
    q = [values.pop(name, 0.0) for name in ("q1", "q2")]
    right = arm.equations().at(q, **values)["M"][1, 1]
    assert wrong.witness.exact == pytest.approx(right, rel=1e-14)  # one rounding of each
    assert wrong.witness.yours != wrong.witness.exact


PLANAR = {
    "M22 with another factor of I": ("M", (1, 1), "m2*l2**2/4 + 2*I2zz", "I2zz is doubled"),
    "M22 without its parallel axis": ("M", (1, 1), "I2zz", "the parallel-axis term m2*l2**2/4 is missing"),
    "M12 with the other mass": (
        "M",
        (0, 1),
        "m2*l2**2/4 + I2zz + m1*l1*l2*cos(q2)/2",
        "m1 instead of m2 in m2*l1*l2*c2/2",
    ),
    "M12 without the square": ("M", (0, 1), "m2*l2/4 + I2zz + m2*l1*l2*cos(q2)/2", "l2 is not squared"),
    "M12 with the sine": ("M", (0, 1), "m2*l2**2/4 + I2zz + m2*l1*l2*sin(q2)/2", "sin(q2) instead of cos(q2)"),
    "M12 with the other length": (
        "M",
        (0, 1),
        "m2*l1**2/4 + I2zz + m2*l1*l2*cos(q2)/2",
        "l1 instead of l2 in m2*l2**2/4",
    ),
    "M12 of M22": ("M", (0, 1), "m2*l2**2/4 + I2zz", "m2*l1*l2*c2/2 is missing"),
    "G2 of q2 alone": ("G", (1,), "m2*g*l2*cos(q2)/2", "an angle is not summed: q2 instead of q1 + q2"),
    "h1 with its sign": ("h", (0,), "-m2*l1*l2*sin(q2)*qd1*qd2 + m2*l1*l2*sin(q2)*qd2**2/2", "the sign of"),
    "K of one rate": ("G", (0,), "m1*g*l1*cos(q1)/2 + m2*g*l1*cos(q1)", "m2*g*l2*c12/2 is missing"),
}


@pytest.mark.parametrize("case", PLANAR.values(), ids=PLANAR)
def test_the_likeliest_mistake_is_named(case: tuple[str, tuple[int, ...], str, str]) -> None:
    quantity, place, written, said = case
    judgement = one(robot("planar_2r").equations().quantities, quantity, place, written)
    assert [(entry.quantity, entry.place) for entry in judgement.wrong] == [(quantity, place)]
    assert said in str(judgement.wrong[0].mistakes[0])
    assert said in str(judgement.mistakes[0])
    assert judgement.mistakes[0].complete


LOST_AND_GAINED = {
    "a rate for an acceleration": ("rp", "tau", (1,), "m2*dd2 - m2*d2*qd1**2 + m2*g*sin(q1)", "rates instead of"),
    "g lost": ("two_link", "G", (1,), "m2*l*cos(q1 + q2)/2", "the factor g is missing"),
    "g lost in a term": (
        "elbow_3r",
        "G",
        (1,),
        "-(m2*r1 + m3*l1)*g*cos(q2) - m3*r2*cos(q2 + q3)",
        "the factor g is missing in -m3*g*r2*c23",
    ),
    "l too many": ("two_link", "G", (1,), "m2*g*l**2*cos(q1 + q2)/2", "an extra factor of l"),
}


@pytest.mark.parametrize("case", LOST_AND_GAINED.values(), ids=LOST_AND_GAINED)
def test_a_factor_that_changes_the_unit_is_named(case: tuple[str, str, tuple[int, ...], str, str]) -> None:
    arm, quantity, place, wrong, said = case
    judgement = qddot.load(arm).check(f"{quantity}{place[0] + 1} = {wrong}")
    assert said in str(judgement.mistakes[0])
    assert judgement.mistakes[0].complete


def test_inertias_that_are_multiplied_by_masses_explain_all_that_is_wrong() -> None:
    M = [["m1*(Ia + L^2/4) + m2/8*(6*Ia + 9*L^2 + 8*L^2*c2 + (2*Ia + L^2)*c22)", 0], [0, "m2*(Ia + L^2/4)"]]
    judgement = robot("spatial_2r").check(M=M, B112="-m2*L^2*sin(q2) - m2*(2*Ia + L^2)*sin(2*q2)/4")
    assert "the inertia of every link is multiplied by the mass" in str(judgement.mistakes[0])
    assert [entry.verdict for entry in judgement.entries] == ["different", "equal", "equal", "different", "different"]


def test_a_number_in_place_of_another_is_named() -> None:
    link = {"mass": 2, "com": [0, 0, 0]}
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": 3, "alpha": 0}], [link], gravity=[0, "-9.81", 0])
    assert arm.check("G1 = 58.86*cos(q1)")
    judgement = arm.check("G1 = 58.68*cos(q1)")
    assert str(judgement.mistakes[0]) == "the number 58.68 instead of 58.86"


def test_products_of_rates_follow_from_a_wrong_mass_matrix() -> None:
    arm = robot("two_link")
    judgement = arm.check(M=[["0", "0"], ["0", "m2*l**2/3 + m2*l**2*c1"]], B212="-m2*l**2*s1", B112="0")
    said = {entry.name: str(entry.mistakes[0]) for entry in judgement.wrong if entry.mistakes}
    assert said["B212"] == "it follows from your own M, which is wrong"


def test_a_numerator_over_a_denominator_is_the_quotient() -> None:
    eq = robot("planar_2r").equations().quantities
    entry, m1 = eq.M[1, 1].entries[0], eq.ring.generator("m1")
    for top, right in ((entry * m1, True), (entry, False)):
        answer = Answer({"M": (Entry((1, 1), top, m1, "", "line 1, column 7"),)}, {"M": (2, 2)}, (), eq.ring)
        judgement = judge(eq, answer)
        assert bool(judgement) is right
        assert right or "line 1, column 7" in str(judgement)


def test_a_matrix_of_another_size_is_an_error() -> None:
    eq = robot("planar_2r").equations().quantities
    with refusal(QddotError, "shape-other", "M", "3 × 3", "2 × 2"):
        judge(eq, answer_of({"M": robot("elbow_3r").equations().quantities.M}))
    with refusal(QddotError, "place-outside", "C2", "2 × 2"):
        judge(eq, Answer({"C2": (Entry((2, 0), eq.ring.zero, eq.ring.convert(1), "", ""),)}, {}, (), eq.ring))


def test_a_transposed_matrix_is_named() -> None:
    eq = robot("elbow_3r").equations().quantities
    judgement = judge(eq, answer_of({"C": ExactArray.of(eq.in_joint_angles.ring, _rows(eq.in_joint_angles.C.T))}))
    assert str(judgement.mistakes[0]) == "C is transposed"
    assert judgement.mistakes[0].complete


def test_another_choice_of_C_is_accepted() -> None:
    eq = robot("planar_2r").equations().quantities
    C = eq.in_joint_angles.C
    shift = [[C.ring.rate("q2"), -C.ring.rate("q1")], [0, 0]]  # a row times q̇ is zero
    judgement = judge(eq, answer_of({"C": C + ExactArray.of(C.ring, shift)}))
    assert judgement
    assert {entry.verdict for entry in judgement.entries} == {"equal", "valid"}
    assert "another valid choice" in str(judgement)
    assert "not skew" in str(judgement)


def test_a_C_that_keeps_the_skewness_is_said_to() -> None:
    eq = robot("elbow_3r").equations().quantities
    C = eq.in_joint_angles.C
    a, b, c = (C.ring.rate(q) for q in ("q1", "q2", "q3"))
    skew = [[0, c, -b], [-c, 0, a], [b, -a, 0]]  # S(q̇) q̇ = 0
    judgement = judge(eq, answer_of({"C": C + ExactArray.of(C.ring, skew)}))
    assert judgement
    assert "Ṁ − 2C is skew, too" in str(judgement)


def test_a_C_with_other_torques_is_wrong() -> None:
    eq = robot("planar_2r").equations().quantities
    judgement = judge(eq, answer_of({"C": eq.in_joint_angles.C * 2}))
    assert not judgement
    assert "extra factor of 2" in str(judgement.mistakes[0])


def test_the_potential_energy_may_be_zero_elsewhere() -> None:
    eq = robot("two_link").equations().quantities
    P = eq.in_joint_angles.P
    assert judge(eq, answer_of({"P": P + _scalar(P.ring, "m1*g*l")}))
    assert not judge(eq, answer_of({"P": P + _scalar(P.ring, "m1*g*l*cos(q1)")}))


def test_a_lagrangian_is_judged_by_its_equations() -> None:
    eq = robot("planar_2r").equations().quantities
    L = eq.in_joint_angles.L
    judgement = judge(eq, answer_of({"L": L + _scalar(L.ring, "I2zz*qd2**2")}))
    assert [(each.of, each.joints) for each in judgement.consequences] == [("L", ("q2",))]
    assert "2*I2zz*qdd2" in judgement.consequences[0].sentence()
    assert judge(eq, answer_of({"L": L + _scalar(L.ring, "m1*l1*cos(q1)*qd1")}))  # d/dt of m1 l1 sin q1


def test_what_follows_from_a_wrong_quantity_is_told_to_follow() -> None:
    eq = robot("planar_2r").equations().quantities
    j = eq.in_joint_angles
    wrong = j.M + ExactArray.of(j.ring, [[0, j.ring.generator("cos(q2)")], [j.ring.generator("cos(q2)"), 0]])
    h1 = j.h[0] - _scalar(j.ring, "sin(q2)*qd2**2")
    judgement = judge(eq, answer_of({"M": wrong, "h": j.h}, {("h", (0,)): h1}))
    assert str(judgement.entries[4].mistakes[0]) == "it follows from your own M, which is wrong"
    assert not [each for each in judgement.mistakes if ("h", (0,)) in each.explains]


def _rows(array: ExactArray) -> list[list[Any]]:
    width = array.shape[1]
    return [list(array.entries[k : k + width]) for k in range(0, len(array.entries), width)]


def _scalar(ring: Ring, text: str) -> ExactArray:
    return ExactArray.of(ring, written(ring, text))


def test_two_mistakes_in_one_entry_are_both_named_as_parts() -> None:
    eq = robot("planar_2r").equations().quantities
    judgement = one(eq, "G", (0,), "-m1*g*l1*cos(q1)/2 + m2*g*l1*cos(q1) + m2*g*l2*cos(q1 + q2)")
    said = {str(mistake) for mistake in judgement.mistakes}
    twice = "m2*g*l2*c12/2 is doubled: it has an extra factor of 2, or it is written twice"
    assert said == {"the sign of m1*g*l1*c1/2", twice}
    assert all(mistake.partly for mistake in judgement.mistakes)


def test_a_name_that_stands_twice_in_a_column_is_told() -> None:
    column = "[G1; G1] = [(m1/2 + m2)*g*l*cos(q1) + m2*g*l*cos(q1 + q2)/2; m2*g*l*cos(q1 + q2)/2]"
    judgement = qddot.load("two_link").check(column)
    assert str(judgement.mistakes[0]) == "G1 is written twice, and one of the two is G2"
