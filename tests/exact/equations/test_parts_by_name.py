"""An entry, or a matrix of a link, is asked for by the name under which it is printed."""

from __future__ import annotations

import re

import pytest
from commands import run
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.routes import ROUTES
from qddot.exact.printing.tree import Matrix, Symbol


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("name", ["rp", "planar_2r"])
def test_every_printed_name_is_that_of_its_part(name: str, route: str) -> None:
    eq = qddot.load(name).equations(route)
    asked = 0
    for quantity in eq.quantities.names:
        for equation in eq.array(quantity).equations():
            if not isinstance(equation.left, Symbol) or not re.search(r"\d", equation.left.text) or quantity == "C2":
                continue
            part = eq.array(equation.left.text)
            assert part.name == quantity
            matrix = part.as_matrix()
            assert equation.right == (matrix if isinstance(equation.right, Matrix) else part.written_entries()[0])
            assert part.symbol == equation.left
            asked += 1
    assert asked > 50


def test_the_number_of_indices_decides_between_quantities_of_one_letter() -> None:
    eq = qddot.load("elbow_3r").equations("dh4x4")
    assert eq.array("U31") == eq.steps["U"][2, 0]
    assert eq.array("U313") == eq.steps["U_ijk"][2, 0, 2]
    assert eq.array("h2") == eq.h[1]
    assert eq.array("h112") == eq.steps["h_ikm"][0, 0, 1]
    assert eq.array("h3112") == eq.steps["h_links"][2, 0, 0, 1]
    assert eq.array("D3") == eq.steps["D_links"][2]
    assert eq.array("D3[1,2]") == eq.array("D3")[0, 1]
    assert eq.array("C2") == eq.C2
    assert eq.array("C2_12") == eq.C2[0, 1]
    assert eq.array("C21") == eq.C[1, 0]
    assert eq.array("B213") == eq.B[1, 1]
    assert eq.array("Γ112") == eq.array("Gamma112") == eq.array("christoffel112") == eq.christoffel[0, 0, 1]
    assert qddot.load("rp").equations("energy").array("dL_dq2").entries[0]


def test_indices_of_two_digits_are_apart() -> None:
    rows = [{"theta": 0, "d": f"q{k}", "a": 0, "alpha": 0} for k in range(1, 13)]
    eq = qddot.from_dh(rows, [{"mass": k, "com": [0, 0, 0]} for k in range(1, 13)], gravity=[0, 0, -1]).equations()
    assert eq.array("M_1_12") == eq.M[0, 11]
    assert eq.array("M12") == eq.M[0, 1]
    assert eq.array("G_12") == eq.array("G12") == eq.G[11]
    assert eq.array("G_12").text() == "G_12 = 12"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("M33", "no entry 'M33'; expected M11 to M22"),
        ("M00", "no entry 'M00'"),
        ("D12", "no entry 'D12'; expected D1 to D2"),
        ("h12", "no entry 'h12'; expected h1 to h2 or h111 to h222 or h1111 to h2222"),
        ("U9", "no entry 'U9'; expected U11 to U22 or U111 to U222"),
        ("T1[5,1]", "no entry 'T1[5,1]'; expected T1 to T2"),
        ("B111", "no entry 'B111'; expected B112 to B212"),
        ("Z11", "no quantity 'Z11'"),
        ("M1x", "no quantity 'M1x'"),
        (5, "no quantity 5"),
    ],
)
def test_a_wrong_name_is_told_the_right_ones(name: str, said: str) -> None:
    eq = qddot.load("planar_2r").equations("dh4x4")
    with pytest.raises(QddotError, match=re.escape(said)):
        eq.array(name)
    with pytest.raises(QddotError, match=re.escape(said)):
        eq.textbook().array(name)


def test_parts_are_written_in_every_language() -> None:
    eq = qddot.load("planar_2r").equations("dh4x4")
    only = ["M12", "U12", "T2[1,4]", "Gamma112"]
    assert "U12 = 0\n\nT2[1,4] = l1*c1" in eq.text(only)
    assert eq.text("M22") == "M22 = Tr(U22 Jbar2 U22ᵀ)\nM22 = m2*l2**2/4 + I2zz"
    assert qddot.load("planar_2r").equations().text("M22") == "M22 = m2*l2**2/4 + I2zz"
    assert "{}^{0}T_{2,14} = l_{1} c_{1}" in eq.latex(only)
    assert r"M_{12} &= \operatorname{Tr}(U_{22} \bar{J}_{2} U^{T}_{21}) \\" in eq.latex(only)
    assert '$ M_(12) &= "Tr"paren.l U_(22) macron(J)_(2) U_(21)^(T) paren.r \\' in eq.typst(only)
    assert "<mi>Tr</mi><mrow><mo" in eq.mathml(only)
    assert "T2_1_4 = l1*cos(q1)\nGamma112 = -m2*l1*l2*sin(q2)/2" in eq.python(only)
    assert set(eq.sympy(only)) == {"M12", "U12", "T2_1_4", "Gamma112"}
    short = eq.textbook()
    assert (
        "M12: 2 terms, 3 operations; 3 and 9 in normal form\nM12 = Tr(U22 Jbar2 U21ᵀ)\nM12 = k3 + k1*c2/2"
        in short.text(only)
    )
    assert short.proved(*only)


def test_a_closed_chain_has_them_too() -> None:
    eq = qddot.load_closed_chain("four_bar").equations()
    assert eq.array("M11") == eq.M[0, 0]
    assert eq.array("A[1,2]") == eq.array("A")[0, 1]


def test_the_command_line_takes_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert "U212 = [" in run(capsys, "derive", "planar_2r", "--route", "dh4x4", "--only", "U212,T2[1,4],M11")[1]
    assert '"M11": "m1*l1**2/4' in run(capsys, "derive", "planar_2r", "--only", "M11", "--json")[1]
    out = run(capsys, "derive", "puma560_1986", "--only", "M12", "--at", "0,1,0,0,0,0")[1]
    assert "M12" in out
    assert "M11" not in out


def test_entries_have_the_letters_of_a_notation() -> None:
    arm = qddot.load("planar_2r")
    ours = arm.equations("dh4x4")
    uicker = arm.with_notation("uicker").equations("dh4x4")
    letters = {"D12": "M12", "h112": "Gamma112", "C1": "G1", "J2": "Jbar2", "D2": "D2", "M12": "M12", "T1": "T1"}
    for name, own in letters.items():
        assert uicker.array(name) == ours.array(own), name
    assert uicker.text(["D12", "C2"]).startswith("D12 = Tr(U22 J2 U21ᵀ)\nD12 = ")
    with refusal(QddotError, "no-entry", "'D33'", "D1", "D2"):
        uicker.array("D33")
    assert [notation_of(name).quantity("C2") for name in ("uicker", "khatib", "murray")] == ["G2", "C2", "C2"]
    khatib = arm.with_notation("khatib").equations()
    assert khatib.text("m12").startswith("m12 = ")
    assert khatib.array("b112") == ours.array("Gamma112")
    assert arm.with_notation("akb").equations().text("g1").startswith("g1 = ")


@pytest.mark.parametrize(
    ("robot", "in_brackets", "name"),
    [
        ("two_link", "M[1,2]", "M12"),
        ("two_link", "G[2]", "G2"),
        ("two_link", "Gamma[1, 1, 2]", "Gamma112"),
        ("two_link", "T[1,1,4]", "T1[1,4]"),
        ("solo12", "M[1,12]", "M_1_12"),
    ],
)
def test_all_indices_may_stand_in_brackets(robot: str, in_brackets: str, name: str) -> None:
    eq = qddot.load(robot).equations()
    assert eq.text([in_brackets]) == eq.text([name])
    with pytest.raises(QddotError, match=r"no entry 'M\[1\]'; expected M"):
        eq.array("M[1]")
