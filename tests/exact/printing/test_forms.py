"""Names are set as mathematicians do, lines break at top-level signs, and factors are found whole."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from refusals import refusal
from shipped import robot

import qddot
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.exact.equations.quantity_names import name_of, styles
from qddot.exact.equations.quantity_table import QUANTITIES
from qddot.exact.printing.digits import NumberForm, loses_digits
from qddot.exact.printing.latex import Latex, lines
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.mathml import MathML
from qddot.exact.printing.notation import PI, rate, symbol
from qddot.exact.printing.tree import Sum
from qddot.exact.printing.typst import Typst

EVERYTHING = tuple(QUANTITIES)


@pytest.mark.parametrize(
    ("name", "latex", "typst"),
    [
        ("m1", "m_{1}", "m_(1)"),
        ("Ixx1", "I_{xx1}", "I_(x x 1)"),
        ("I1zz", "I_{1zz}", "I_(1 z z)"),
        ("Ia", "I_{a}", "I_(a)"),
        ("fv2", "f_{v2}", "f_(v 2)"),
        ("theta_2", "\\theta_{2}", "theta_(2)"),
        ("θ2", "\\theta_{2}", "theta_(2)"),
        ("lambda", "\\lambda", "lambda"),
        ("ell", "\\ell", "ell"),
        ("mass", "\\mathrm{mass}", '"mass"'),
        ("mass1", "\\mathrm{mass}_{1}", '"mass"_(1)'),
        ("rod", "\\mathrm{rod}", '"rod"'),
        ("k_mu", "k_{\\mu }", "k_(mu)"),
        ("l_rod", "l_{\\mathrm{rod}}", 'l_("rod")'),
        ("shoulder_pan_joint", "\\mathrm{shoulder\\_pan\\_joint}", '"shoulder_pan_joint"'),
        ("长", "\\mathrm{U957F}", '"长"'),
        ("Ω", "\\Omega", "Omega"),
    ],
)
def test_names_are_set_as_mathematics(name: str, latex: str, typst: str) -> None:
    assert Latex().symbol(symbol(name)) == latex
    assert Typst().symbol(symbol(name)) == typst


def test_quantities_are_named_as_in_books() -> None:
    names = {
        ("T", (1,)): "{}^{0}T_{2}",
        ("U", (0, 0)): "U_{11}",
        ("pseudo_inertia", (0,)): "\\bar{J}_{1}",
        ("h_ikm", (0, 0, 1)): "h_{112}",
        ("christoffel", (0, 0, 1)): "\\Gamma_{112}",
        ("dw", (2,)): "\\dot{\\omega}_{3}",
        ("Jw", (0,)): "J_{\\omega 1}",
        ("M", (0, 9)): "M_{1,10}",
        ("C2", (1, 0)): "C^{(2)}_{21}",
    }
    for (name, place), latex in names.items():
        assert Latex().write(name_of(name, place)) == latex
    assert Latex().write(name_of("dL_dqd", (0,), ("q1",))) == "\\frac{\\partial \\mathcal{L}}{\\partial \\dot{q}_{1}}"
    assert Latex().symbol(rate("d3")) == "\\dot{d}_{3}"
    assert Latex().symbol(rate("theta", 2)) == "\\ddot{\\theta}"
    assert Latex().symbol(PI) == "\\pi"


def test_pi_is_pi() -> None:
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": "pi/4", "alpha": 0}], [{"mass": 1, "com": [0, 0, 0]}])
    M = arm.equations().M
    assert M.latex() == r"\begin{bmatrix} \tfrac{1}{16} \pi^{2} \end{bmatrix}"
    assert "<mi>π</mi>" in M.mathml()
    assert M.python() == "M = [[pi**2/16]]"
    assert M.typst().startswith("$ M &= mat(")


def balanced(line: str) -> bool:
    return line.count("(") == line.count(")") and line.count("[") == line.count("]")


@pytest.mark.parametrize("name", ["elbow_3r", "puma560_akb"])
def test_lines_of_text_break_at_top_level_signs(name: str) -> None:
    eq = robot(name).equations()
    for short in (eq, eq.textbook(lumped=False), eq.textbook("multiple-angle", lumped=False)):
        for quantity in ("h", "tau", "K"):
            lines = short.array(quantity).text(60).splitlines()
            assert len(lines) > 3
            assert all(map(balanced, lines))
            assert all(re.match(r"\S+ = |\s+[+-] ", line) for line in lines)


@pytest.mark.parametrize("name", ["elbow_3r", "puma560_akb"])
def test_a_bracket_is_broken_only_where_it_is_wider_than_a_line(name: str) -> None:
    tau = robot(name).equations().textbook(lumped=False).tau
    for equation in tau.listed_equations():
        rows, latex = lines(equation), Latex()
        assert balanced(" ".join(rows))
        assert max(map(len, rows)) < 5 * PAGE
        assert isinstance(equation.right, Sum)
        whole = [latex.term(term, equation.right.numbers) for term in equation.right.products]
        narrow = [term for term in whole if len(term) < PAGE]
        assert all(any(term in row for row in rows) for term in narrow)
        assert len(rows) > 1


def test_the_elbows_torques_fit_on_twelve_lines() -> None:
    text = robot("elbow_3r").equations().textbook().tau.text(100)
    assert len(text.splitlines()) <= 12
    assert max(map(len, text.splitlines())) <= 100


def arm_with_far_centres() -> qddot.Robot:
    rows = [{"theta": f"q{k}", "d": 0, "a": f"a{k}", "alpha": 0} for k in (1, 2)]
    links = [{"mass": f"m{k}", "com": [f"-r{k}", 0, 0], "inertia": {"about": "com", "zz": f"I{k}"}} for k in (1, 2)]
    return qddot.from_dh(rows, links, symbols="a1 a2 r1 r2 m1 m2 I1 I2 g", gravity=[0, "-g", 0])


def test_factors_are_found_whole() -> None:
    """The distance a2 − r2 of a centre of mass from its joint stands as one, squared or not, whatever its sign."""
    short = arm_with_far_centres().equations().textbook(lumped=False)
    assert short.M[1, 1].text() == "M22 = m2*(a2 - r2)**2 + I2"
    assert short.G[1].text() == "G2 = m2*g*c12*(a2 - r2)"
    assert short.array("p_c")[1, 0].text() == "p_c2[1] = a1*c1 + c12*(a2 - r2)"
    assert short.proved("M", "G", "p_c")
    assert "(a2 - r2)**2" in arm_with_far_centres().equations().textbook().table()


def test_numbers_are_in_one_form() -> None:
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "1/2", "alpha": 0}, {"theta": "q2", "d": 0, "a": "0.4318", "alpha": 0}],
        [{"mass": 1, "com": [0, 0, 0]}, {"mass": 2, "com": [0, 0, 0]}],
        gravity=[0, "-g", 0],
        symbols="g",
    )
    assert arm.equations().G.text().splitlines()[0] == "G1 = 1.5*g*c1 - 0.8636*g*s1*s2 + 0.8636*g*c1*c2"
    assert "/" not in arm.equations().textbook().array("G").text()
    plain = robot("two_link").equations().M.text()
    assert "m1*l**2/3" in plain
    assert "0." not in plain


def test_constants_are_named_like_nothing_that_is_printed() -> None:
    joints = [{"theta": "q1", "d": 0, "a": 0, "alpha": 90}, {"theta": 0, "d": "d2", "a": 0, "alpha": 0}]
    links = [{"mass": "m1", "com": [0, "b", 0]}, {"mass": "m2 + m3", "com": ["e", 0, "h"]}]
    arm = qddot.from_dh(joints, links, symbols="b e h m1 m2 m3 g", gravity=[0, "-g", 0], coordinates=["q1", "d2"])
    short = arm.equations().textbook()
    assert list(short.constants) == [f"k{number}" for number in range(1, len(short.constants) + 1)]
    assert short.proved(*EVERYTHING)


@pytest.mark.parametrize("name", ["puma560", "elbow_3r", "rp", "planar_2r"])
def test_no_constant_has_the_name_of_a_quantity(name: str) -> None:
    eq = robot(name).equations()
    heads = {*(part for name, style in styles() for part in (name, style.text, style.head)), *EVERYTHING, *"csqm"}
    constants = eq.textbook().constants
    assert len(constants) > 2
    for constant in constants:
        assert re.sub(r"\d+$", "", constant) not in heads
        assert constant not in eq.quantities.ring.index


def test_every_quantity_and_step_is_proved_in_short_form() -> None:
    for route in ("newton_euler", "dh4x4", "com_jacobian", "screw", "energy"):
        eq = robot("elbow_3r").equations(route)
        short = eq.textbook()
        assert short.proved(*EVERYTHING, *eq.steps)
        for name in (*EVERYTHING, *eq.steps):
            assert short.counts(name).operations <= short.normal_counts(name).operations


def test_first_moments_have_centres_as_symbols() -> None:
    eq = robot("panda").equations()
    assert "cx1" in eq.array("p_c")[0, 0].text()
    assert eq.textbook().proved("p_c", "J_c")


def test_names_of_users_are_escaped_in_every_language() -> None:
    """Symbols are letters, digits and _, of any script; other characters are refused before."""
    with refusal(qddot.QddotError, "not-arithmetic", "'$'"):
        qddot.from_dh([{"theta": "q1", "d": 0, "a": "x$y", "alpha": 0}], [{"mass": 1}], symbols=["x$y"])
    name = symbol("a_长_é")
    assert Latex().symbol(name) == "a_{\\mathrm{U957FU00E9}}"
    assert Typst().symbol(name) == 'a_("长é")'
    assert "".join(MathML().symbol(name).itertext()) == "a长é"


def test_each_term_of_mathml_has_its_sign() -> None:
    def written(*negative: bool) -> str:
        terms = [(sign, MathML().symbol(symbol(name))) for sign, name in zip(negative, "abc", strict=False)]
        return "".join(MathML().total(terms).itertext())

    assert (written(True, False, True), written(False, True), written()) == ("−a+b−c", "a−b", "0")


@pytest.mark.parametrize(
    ("number", "digits", "form", "loses"),
    [
        (Fraction(1, 4), None, NumberForm.DECIMALS, False),
        (Fraction(1, 3), None, NumberForm.FRACTIONS, False),  # all digits are written
        (Fraction(1234, 1000), 4, NumberForm.DECIMALS, False),
        (Fraction(1234, 1000), 3, NumberForm.DECIMALS, True),
        (Fraction(123456789123, 10**11), None, NumberForm.ROUNDED, False),  # twelve digits
        (Fraction(1234567891234, 10**12), None, NumberForm.ROUNDED, True),
        (Fraction(1234567891234, 10**12), 13, NumberForm.ROUNDED, True),  # no more than twelve
        (Fraction(1234, 1000), 3, NumberForm.ROUNDED, True),
    ],
)
def test_digits_are_lost_where_fewer_are_written(
    number: Fraction, digits: int | None, form: NumberForm, loses: bool
) -> None:
    ring = Ring(Variables((), (), (), ["k"]))
    assert loses_digits(ring.generator("k") * number, digits, form) == loses
