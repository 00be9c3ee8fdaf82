"""Equations in the letters of courses: the names change, the values and the names in Python do not."""

from __future__ import annotations

import re
from math import cos, sin
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.exact.equations.notations import NOTATIONS, OURS, notation_of
from qddot.exact.equations.quantity_table import QUANTITIES, STEPS

Q, QD = [0.3, -0.7], [0.4, -1.1]
# how the documents call M, Γ, B, C2, h, G and the entries M12, Γ112, B112, C2_12, G1
DOCUMENTS = {
    "uicker": ("D", "h", "B", "E", "h", "C", "D12", "h112", "B112", "E12", "C1"),
    "khatib": ("M", "b", "B", "C", "V", "G", "m12", "b112", "B112", "C12", "G1"),
    "murray": ("M", "Γ", "B", "C2", "h", "N", "M12", "Γ112", "B112", "C2_12", "N1"),
    "zju": ("D", "b", "B", "C", "h", "G", "D12", "b112", "B112", "C12", "G1"),
    "craig": ("M", "Γ", "B", "C", "V", "G", "M12", "Γ112", "B112", "C12", "G1"),
    "siciliano": ("B", "c", "B_c", "C2", "h", "g", "b12", "c112", "B_c112", "C2_12", "g1"),
    "spong": ("D", "c", "B", "C2", "h", "g", "d12", "c121", "B112", "C2_12", "g1"),
    "akb": ("A", "Γ", "B", "C", "h", "G", "a12", "Γ112", "b112", "c12", "g1"),
}
NAMES = ("M", "christoffel", "B", "C2", "h", "G")


@pytest.mark.parametrize("name", NOTATIONS)
def test_letters_are_those_of_the_document(name: str) -> None:
    eq = qddot.load("two_link").with_notation(name).equations()
    entries = (eq.M[0, 1], eq.christoffel[0, 0, 1], eq.B[0, 0], eq.C2[0, 1], eq.G[0])
    written = [array.text().partition(" = ")[0] for array in entries]
    assert (*(eq.array(each).letter for each in NAMES), *written) == DOCUMENTS[name]


@pytest.mark.parametrize("name", NOTATIONS)
def test_no_two_quantities_have_the_same_letter(name: str) -> None:
    """A letter with other numbers of indices may be another quantity, as h_1 and h_112; scalars and steps may, too."""
    matrices = ("M", "C", "B", "C2", "A", "J", "T", "J_c")
    columns = ("h", "G", "tau", "springs", "friction", "p_c")
    for kind in (matrices, columns):
        styles = {NOTATIONS[name].style(each, of_entry) for each in kind for of_entry in (False, True)}
        assert len(styles) == len(kind) + sum(each in NOTATIONS[name].entries for each in kind)


@pytest.mark.parametrize("name", NOTATIONS)
def test_every_letter_is_that_of_a_quantity(name: str) -> None:
    assert {*NOTATIONS[name].letters, *NOTATIONS[name].entries} <= {*QUANTITIES, *STEPS}


@pytest.mark.parametrize("name", NOTATIONS)
def test_programs_assign_to_the_letters(name: str) -> None:
    arm = qddot.load("spatial_2r")
    eq, notation = arm.with_notation(name).equations(), NOTATIONS[name]
    program = eq.python(["M", "B", "C2", "G"])
    values = {**arm.model.defaults(), "q1": Q[0], "q2": Q[1]}
    exec(program, values)
    expected = arm.equations().at(Q)
    for each in ("M", "B", "C2", "G"):
        assert np.allclose(np.array(values[notation.program_name(each)], float), expected[each])


def test_a_step_follows_the_quantity_of_its_letter() -> None:
    eq = qddot.load("two_link").with_notation("zju").equations("com_jacobian")
    assert eq.steps["M_v"].text().lstrip().splitlines()[1].startswith("D_v1 = ") and "D_{v1}" in eq.steps["M_v"].latex()


def test_the_law_has_the_letters() -> None:
    arm = qddot.load("two_link")
    laws = {name: arm.with_notation(name).equations().law for name in NOTATIONS}
    assert laws["uicker"] == "D q̈ + h + C = τ" and laws["khatib"] == "M q̈ + V + G = Γ"
    assert arm.with_notation("").equations().law == "M q̈ + h + G = τ"
    chain = qddot.load_closed_chain("four_bar").with_notation("khatib").equations()
    assert chain.law == "M u̇ + V + G = Rᵀ Γ" and chain.M[0, 0].text().startswith("m11")


def test_a_notation_changes_nothing_else() -> None:
    arm = qddot.load("two_link")
    other = arm.with_notation("akb")
    assert other.model == arm.model and other.model.hash == arm.model.hash
    assert other.equations().M == arm.equations().M and other.to_toml() == arm.to_toml()
    assert str(other.with_notation("").equations().M) == str(arm.equations().M)


def test_results_keep_the_notation() -> None:
    arm = qddot.load("two_link").with_notation("uicker")
    assert arm.equations().textbook().G.letter == "C"
    assert arm.with_values(l=2).with_payload("mp", symbols="mp").equations().M.letter == "D"


def test_unknown_notation() -> None:
    with refusal(qddot.QddotError, "none-of-these", "no-notation", "'uiker'"):
        qddot.load("two_link").with_notation("uiker")
    assert notation_of("") is OURS


def test_angles_with_numbers_are_short() -> None:
    text = qddot.load("two_link").to_toml("dh").replace("q1", "theta1").replace("q2", "theta_2")
    eq = qddot.loads(text).equations()
    assert "c2" in str(eq.M) and "cos" not in str(eq.G)
    short = eq.textbook()
    assert "c12 = cos(theta1 + theta_2)" in short.text() and "c12" in str(short.G)
    assert eq.M == eq.M and "cos(theta_2)" in eq.python(["M"])


@pytest.mark.parametrize("names", [("theta", "phi"), ("theta1", "phi1"), ("shoulder1", "elbow2")])
def test_other_angles_are_written_out(names: tuple[str, str]) -> None:
    text = qddot.load("two_link").to_toml("dh").replace("q1", names[0]).replace("q2", names[1])
    assert f"cos({names[1]})" in str(qddot.loads(text).equations().M)


def test_sines_of_the_paper_of_1986() -> None:
    """Every entry of M of the PUMA 560, with its names put in, has the values of the mass matrix."""
    arm = qddot.load("puma560_1986")
    eq = arm.with_notation("akb").equations()
    q = np.array([0.3, -0.7, 1.1, 0.4, -0.2, 0.9])
    expected = eq.at(q)["M"]
    for form in ("sums", "multiple-angle"):
        text = eq.textbook(form, lumped=False).text(["M"], width=100_000)
        assert {"SS23", "SC23"} <= set(re.findall(r"\w+", text)) or form == "multiple-angle"
        names: dict[str, Any] = dict(arm.model.defaults())
        names |= {"cos": cos, "sin": sin, **{f"q{k + 1}": float(q[k]) for k in range(6)}}
        meanings = re.findall(r"([CS]{1,2}\d+) = ([^,\n]+)", text)
        names |= {name: eval(meaning, dict(names)) for name, meaning in meanings}
        entries = re.findall(r"^a(\d)(\d) = (\S.*)$", text, re.MULTILINE)
        assert len(entries) >= 18
        for i, j, written in entries:
            if "= 0" not in written:
                assert eval(written, dict(names)) == pytest.approx(expected[int(i) - 1, int(j) - 1])


def test_short_models_have_squares_of_sines() -> None:
    """Table A4 of the paper of 1986 has 1.38 CC2, 0.744 C2 S23 and −2.76 SC2, 0.60 SC23 in b112."""
    short = qddot.load("puma560_1986").with_notation("akb").equations().abbreviate()
    forms = {name: form for name, form, *_ in short.rows()}
    assert "0.744*C2*S23 + 1.38*CC2" in forms["a11"] and "cos" not in "".join(forms.values())
    assert "-2.76*SC2" in forms["b112"].replace(" - ", " -") or "- 2.76*SC2" in forms["b112"]


def test_notebooks_show_the_law_in_the_letters() -> None:
    latex = qddot.load("two_link").with_notation("khatib").equations()._repr_latex_()
    assert "M \\ddot{q} + V + G = \\Gamma" in latex


@pytest.mark.parametrize(
    ("notation", "asked", "quantity"),
    [
        ("uicker", "h_ikm", "christoffel"),
        ("uicker", "C_i", "G"),
        ("uicker", "U_ij", "U"),
        ("zju", "d_ijk", "m_ijk"),
        ("murray", "Γ_ijk", "christoffel"),
        ("murray", "Γ", "christoffel"),
        ("akb", "a_ij", "M"),
        ("khatib", "b_ijk", "christoffel"),
    ],
)
def test_letters_with_indices_name_quantities(notation: str, asked: str, quantity: str) -> None:
    route = "dh4x4" if notation == "uicker" else "com_jacobian"
    eq = qddot.load("two_link").with_notation(notation).equations(route)
    assert eq.array(asked).nested == eq.array(quantity).nested  # the route has its own Christoffel symbols


@pytest.mark.parametrize("notation", ["zju", "khatib", "craig"])
def test_what_is_printed_is_what_is_asked_for(notation: str) -> None:
    """C21 is an entry of the centrifugal matrix there, and V_m21 one of the Coriolis matrix."""
    eq = qddot.load("spatial_2r").with_notation(notation).equations()
    assert eq.array("C21").name == "C2" and eq.array("V_m21").name == "C"


def test_a_step_of_another_route_is_told() -> None:
    with refusal(qddot.QddotError, "quantity-of-another-route", "'U313'"):
        qddot.load("two_link").equations().text(["U313"])


def test_moments_of_khatib_are_about_the_centre_of_mass() -> None:
    recursion = qddot.load("rp").with_notation("khatib").equations("newton_euler")
    assert str(recursion.steps["N_c"][0]).lstrip().startswith("[ 0") and "N1 = " in recursion.text(["N_c"])
    assert "Izz1*qdd1" in recursion.text(["N_c"]) and "l1" not in recursion.text(["N_c"])
