"""The textbook form equals the normal form, is shorter, and is what the literature prints."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from physical import short_stack
from printed_forms import SOURCES, entry_of, printed_operations
from refusals import refusal
from robots import orthogonal_robots
from shipped import LINKS, robot

import qddot
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.text import Text


@pytest.mark.slow
@pytest.mark.parametrize("zoo_arm", [name for name in LINKS if name not in ("panda", "puma560")], indirect=True)
def test_it_is_equal_and_never_longer(zoo_arm: qddot.Robot) -> None:
    short = zoo_arm.equations().textbook()
    assert short.proved()
    for name in ("M", "christoffel", "B", "C2", "h", "G"):
        assert short.counts(name).terms <= short.normal_counts(name).terms
        assert short.counts(name).operations <= short.normal_counts(name).operations
        assert short.array(name).exact == zoo_arm.equations().array(name)


@pytest.mark.parametrize("name", ["spatial_2r", "elbow_3r", "puma560_akb", "planar_2r"])
@pytest.mark.parametrize("lumped", [True, False])
def test_multiple_angles_are_equal(name: str, lumped: bool) -> None:
    eq = robot(name).equations()
    short = eq.textbook("multiple-angle", lumped)
    assert short.proved()
    assert bool(short.constants) is lumped
    assert all("**2" not in line for line in short.array("G").text().splitlines())


@given(orthogonal_robots())
@settings(max_examples=15)
def test_it_is_equal_on_random_arms(arm: qddot.Robot) -> None:
    assert arm.equations().textbook().proved()


def test_a_wrong_entry_is_not_proved() -> None:
    short = qddot.load("elbow_3r").equations().textbook()
    first, *others = short.M.entries
    wrong = replace(short.M, entries=(first + short.ring.generator("cos(q2)"), *others))
    short._arrays["M"] = wrong
    assert not short.proved()
    assert wrong.exact != qddot.load("elbow_3r").equations().M


def test_three_parallel_axes_have_two_sums() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": f"l{k}", "alpha": 0} for k in (1, 2, 3)]
    links = [{"mass": f"m{k}", "com": [0, 0, 0]} for k in (1, 2, 3)]
    arm = qddot.from_dh(rows, links, symbols="l1 l2 l3 m1 m2 m3", gravity=[0, "-g", 0])
    short = arm.equations().textbook()
    assert short.proved()
    assert short.G.text().splitlines() == ["G1 = k7*c1 + k8*c12 + k9*c123", "G2 = k8*c12 + k9*c123", "G3 = k9*c123"]
    assert "m3" in short.constants["k9"].variables()
    assert "c23" in short.M.text()


def test_a_product_of_sums_is_found_though_some_of_its_variables_are_nowhere_squared() -> None:
    rows, links = [{"theta": "q1", "d": 0, "a": "l1 + l2", "alpha": 0}], [{"mass": "m1 + m2", "com": [0, 0, 0]}]
    arm = qddot.from_dh(rows, links, symbols="l1 l2 m1 m2", gravity=[0, "-g", 0])
    assert arm.equations().textbook(lumped=False).M.text() == "M11 = (m1 + m2)*(l1 + l2)**2"


# Khatib's and Lynch & Park's forms, term by term: docs/evidence/validation.md
PRINTED = [
    ("elbow_3r", "M", 9, ("M22 = k5 + 2*k2*c3", "M11 = k4 + k1*c2**2 + 2*k2*c2*c23 + k3*c23**2")),
    ("elbow_3r", "G", 3, ("G2 = -k7*c2 - k8*c23", "G3 = -k8*c23")),
    ("elbow_3r", "C", 22, ("s23*(k2*c2 + k3*c23)",)),
    ("two_link", "M", 5, ("M22 = k",)),
    ("two_link", "G", 3, ("*c12",)),
    ("planar_2r", "G", 3, ("*c12",)),
    ("rp", "M", 3, ("M22 = m2", "m2*d2**2")),
    ("spatial_2r", "M", 4, ("M12 = 0",)),
]


@pytest.mark.parametrize(("name", "quantity", "terms", "lines"), PRINTED)
def test_the_literatures_forms(name: str, quantity: str, terms: int, lines: Any) -> None:
    short = robot(name).equations().textbook()
    assert short.counts(quantity).terms == terms
    text = short.array(quantity).text()
    for line in lines:
        assert line in text


def test_the_puma_in_few_terms() -> None:
    """A trial with modified rows had 642 terms and 54 constants in M; 1807 operations without products of sums."""
    short = robot("puma560").equations().textbook()
    assert short.counts("M").terms <= 700
    assert short.counts("M").operations <= 1650
    assert len(short.constants) <= 80
    assert short.proved()
    assert "c_{23}" in short.latex(["G"])


@pytest.mark.parametrize(
    ("length", "mass", "constants"),
    [("l", "k", ["kappa1", "kappa2"]), ("k1", "kappa", ["sigma1", "sigma2"]), ("k1", "kappa*sigma", ["k2", "k3"])],
)
def test_constants_have_the_letter_of_no_symbol(length: str, mass: str, constants: list[str]) -> None:
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": length, "alpha": 0}],
        [{"mass": mass, "com": [0, 0, 0]}],
        symbols=[length, *mass.split("*")],
        gravity=[0, "-g", 0],
    )
    short = arm.equations().textbook()
    assert list(short.constants) == constants
    assert short.proved()
    assert str(short).startswith("c1 = cos(q1)\n\nM: 1 term,")


def test_constants_have_values_where_symbols_have() -> None:
    short = robot("spatial_2r").equations().textbook()
    # G2 = ½ m2 g L c1 s2 of the literature
    assert short.values()["k5"] == pytest.approx(10 * 9.81 * 2.0 / 2)
    assert short.values(L=4.0)["k5"] == pytest.approx(10 * 9.81 * 4.0 / 2)
    assert set(short.values()) == set(short.constants)
    assert short.values(L=0.0)["k5"] == 0
    assert robot("puma560").equations().textbook().values() == {}


def test_it_comes_from_any_route() -> None:
    eq = robot("spatial_2r").equations("energy")
    assert isinstance(eq.textbook(), Textbook)
    assert eq.textbook().proved()


CASES = [(name, label) for name, printed in SOURCES.items() for label in printed]


@pytest.mark.parametrize(("name", "label"), CASES, ids=lambda value: value)
def test_each_entry_is_no_longer_than_its_source_prints_it(name: str, label: str) -> None:
    short = entry_of(robot(name).equations().textbook(), label)
    assert short.operations <= printed_operations(SOURCES[name][label])


@pytest.mark.parametrize(
    ("name", "form", "lines"),
    [
        ("planar_2r", "sums", ("h1 = -m2*l1*l2*s2*(qd1*qd2 + qd2**2/2)", "h2 = m2*l1*l2*s2*qd1**2/2")),
        ("spatial_2r", "multiple-angle", ("cos(2*q2)", "sin(2*q2)", "G2 = m2*g*L*c1*s2/2")),
        ("rp", "sums", ("h1 = 2*m2*d2*qd1*dd2", "h2 = -m2*d2*qd1**2", "G1 = g*c1*(", "G2 = m2*g*s1")),
    ],
)
def test_in_the_models_own_symbols(name: str, form: str, lines: Any) -> None:
    text = robot(name).equations().textbook(form, lumped=False).text()
    for line in lines:
        assert line in text


def test_it_goes_on_in_sympy() -> None:
    import sympy

    eq = robot("elbow_3r").equations()
    for form in ("sums", "multiple-angle"):
        formulas = eq.textbook(form).sympy()
        written = formulas["M"].subs({sympy.Symbol(k, real=True): v for k, v in formulas["constants"].items()})
        state = {sympy.Symbol(f"q{k}", real=True): 0.3 * k for k in (1, 2, 3)}
        difference = (written - eq.M.sympy()).subs(state)
        values = {s: sympy.Rational(k + 2, 7) for k, s in enumerate(sorted(difference.free_symbols, key=str))}
        assert max(abs(x) for x in difference.subs(values)) < 1e-14
        assert "cos(q2 + q3)" in str(formulas["M"]) or form != "sums"


def test_it_computes_and_exports(tmp_path: Any) -> None:
    arm = robot("puma560_akb")
    short = qddot.Robot(arm.equations().textbook().model)
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 6))
    # about a thousand operations
    np.testing.assert_allclose(short.inverse_dynamics(q, qd, qdd), arm.inverse_dynamics(q, qd, qdd), rtol=1e-12)
    assert short.inverse_dynamics(q, qd, qdd, k1=0.5) != pytest.approx(arm.inverse_dynamics(q, qd, qdd))
    written = short.export("python", ["mass_matrix"], tmp_path, free=["k1"])
    assert "k1" in written[0].read_text(encoding="utf-8")


def test_latex_has_friction_and_zeros_as_text_has() -> None:
    joint = {"damping": "b", "coulomb": 0.1}
    rows = [{"theta": f"q{k}", "d": 0, "a": 1, "alpha": 0} for k in (1, 2)]
    arm = qddot.from_dh(rows, [{"mass": 1, "joint": joint}, {"mass": 1}], symbols="b", gravity=[0, 0, -9.81])
    text = arm.equations().textbook().latex()
    assert "\\tau^{f}_{1} &= b" in text
    assert "G_{1} &= 0" in text


def test_long_lines_of_latex_are_broken_and_numbered_once() -> None:
    text = robot("elbow_3r").equations().textbook("multiple-angle").latex(["h"])
    assert text.startswith("Here $c_{2} = ")
    first = text[text.index(r"\begin{align}") :].splitlines()
    assert first[1].startswith(r"h_{1} &= -2 (")
    assert first[1].endswith(r"\notag \\")
    assert first[2].startswith(r"&\quad")
    assert r"\dot{q}_{1}" in text
    assert r"\sin(2 q_{2} + q_{3})" in text
    numbers = [line for line in first[1 : first.index(r"\end{align}")] if r"\notag" not in line]
    assert len(numbers) == 3


def test_what_is_no_form_is_refused() -> None:
    eq = robot("two_link").equations()
    with refusal(qddot.QddotError, "none-of-these", "sums or multiple-angle"):
        eq.textbook("short")
    with refusal(qddot.QddotError, "none-of-these", "no-quantity", "'Z'"):
        eq.textbook().array("Z")
    for width in (0, float("nan"), "x"):
        with refusal(qddot.QddotError, "not-whole-number-from", "width"):
            eq.textbook().text(width=width)
        with refusal(qddot.QddotError, "not-whole-number-from", "width"):
            eq.textbook().latex(width=width)
    with refusal(qddot.QddotError, "not-list", "quantities"):
        eq.textbook().text(3)
    with refusal(qddot.QddotError, "no-symbol", "'zzz'"):
        eq.textbook().values(zzz=1)
    with refusal(qddot.QddotError, "value-not-finite", "m1"):
        eq.textbook().values(m1="x")


def test_springs_and_friction_stay_in_the_text() -> None:
    joint = {"damping": "c", "spring": {"stiffness": "k", "rest": 0}}
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}],
        [{"mass": "m", "com": [0, 0, 0], "joint": joint}],
        symbols="c k l m",
    )
    text = arm.equations().textbook().text()
    assert "springs1 = k*q1" in text
    assert "friction1 = c*qd1" in text


def test_a_coefficient_that_nobody_reads_is_shown_to_twelve_digits() -> None:
    long = "1234567890123456789012345678901/98765432109876543210987654321"
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": long, "alpha": 0}], [{"mass": 1, "com": [0, 0, 0]}])
    short = arm.equations().textbook(lumped=False)
    top, bottom = map(int, long.split("/"))
    assert short.M.text() == f"M11 = {(top / bottom) ** 2:.12g}"
    assert short.proved()


def test_sums_as_long_as_they_like_have_their_factors_taken_out() -> None:
    from qddot.algebra.numbers.polynomials.exact import Ring
    from qddot.algebra.numbers.polynomials.variables import Variables
    from qddot.exact.forms.textbook.writing.factoring import factored_sum

    ring = Ring(Variables((), symbols=[f"{name}{k}" for k in range(150) for name in "abc"]))
    total = ring.zero
    for k in range(150):
        a, b, c = (ring.symbol(f"{name}{k}") for name in "abc")
        total = total + a * (b + c)
    with short_stack():
        formula = factored_sum(total)
    assert len(formula.products) == 150
    assert Text().write(formula).startswith("a0*(b0 + c0) + a1*(b1 + c1) + ")


def test_high_powers_of_cosines_are_written_as_squares_of_sines() -> None:
    from qddot.algebra.numbers.polynomials.exact import Ring
    from qddot.algebra.numbers.polynomials.variables import Variables
    from qddot.exact.forms.textbook.rewriting.short_forms import short_squares
    from qddot.exact.forms.textbook.rewriting.states import States

    ring = Ring(Variables(["q1"], turning=["q1"]))
    states = States(ring)
    cosine, sine = (states.grouped(math.prod([factor] * 60)) for factor in ring.cos_sin("q1"))
    assert len(short_squares(cosine, states)[0]) == 1
    assert len(sine) == 31
    assert len(short_squares(sine, states)[0]) == 1


def test_a_text_says_what_its_short_names_mean() -> None:
    short = robot("two_link").equations().textbook()
    assert str(short).startswith("c1 = cos(q1), c2 = cos(q2), s2 = sin(q2), c12 = cos(q1 + q2)\n\nM: ")
    assert "4 constants" in str(short)
    assert short.latex().startswith("Here $c_{1} = \\cos{q_{1}}$, ")
    assert "$c_{12} = \\cos(q_{1} + q_{2})$.\n" in short.latex()
    assert "c1" not in short.text("M").splitlines()[0]


def test_an_entry_is_the_sum_of_its_coefficients_times_states_in_the_order_of_its_terms() -> None:
    from qddot.algebra.numbers.polynomials.exact import Ring
    from qddot.algebra.numbers.polynomials.variables import Variables
    from qddot.exact.forms.textbook.rewriting.states import States

    ring = Ring(Variables(["q1", "q2"], turning=["q1"], plain=["q2"], symbols=["l", "m"], roots=True))
    cosine, sine = ring.cos_sin("q1")
    inertia = ring.symbol("m") * ring.symbol("l") ** 2 + ring.root(2)
    entry = sine * inertia * 3 - cosine * ring.coordinate("q2") ** 300 * inertia + cosine / 2
    states = States(ring)
    group = states.grouped(entry)
    powers = [states.powers(state) for state in group]
    assert powers == [{"sin(q1)": 1}, {"cos(q1)": 1, "q(q2)": 300}, {"cos(q1)": 1}]
    assert [value.polynomial for value in group.values()] == [inertia * 3, -inertia, ring.rational(Fraction(1, 2))]


@pytest.mark.parametrize("name", ["two_link", "rp", "spherical_pendulum"])
def test_degrees_of_terms_are_sums_of_exponents(name: str) -> None:
    from qddot.exact.forms.textbook.rewriting.states import degrees

    eq = robot(name).equations()
    for entry in (*eq.array("tau").entries, eq.quantities.ring.zero, eq.quantities.ring.rational(Fraction(2, 3))):
        sums = [(sum(powers.values()), c) for powers, c in entry.powers()]
        assert [(degree, Fraction(int(c.p), int(c.q))) for degree, c in degrees(entry)] == sums


def test_equal_coefficients_are_one_object() -> None:
    from qddot.algebra.numbers.polynomials.exact import Ring
    from qddot.algebra.numbers.polynomials.variables import Variables
    from qddot.exact.forms.textbook.rewriting.states import States

    ring = Ring(Variables(["q1", "q2"], turning=["q1", "q2"], symbols=["m"]))
    states = States(ring)
    (c1, s1), (c2, s2) = (ring.cos_sin(name) for name in ring.coordinates)
    (one,) = states.grouped(c1 * s2 * (ring.symbol("m") + 1)).values()
    (other,) = states.grouped(s1 * c2 * (ring.symbol("m") + 1) * -1).values()
    assert other is one * -1
    assert not one + other


@pytest.mark.parametrize("name", ["elbow_3r", "puma560_akb"])
def test_an_entry_in_sums_of_angles_is_the_same_entry_and_in_normal_form(name: str) -> None:
    from qddot.exact.forms.textbook.rewriting.angle_sums import AngleSums

    eq = robot(name).equations().in_joint_angles.quantities
    sums = AngleSums(eq.dynamics.mechanism, eq.ring)
    states = sums.states
    tried = 0
    for entry in filter(None, (*eq.M.entries, *eq.G.entries)):
        for way in sums.substitutions(entry):
            tried += 1
            group = way(states.grouped(entry))
            powers = [[sums.ring.generator(key) ** e for key, e in states.powers(state).items()] for state in group]
            terms = (math.prod([value.polynomial, *of]) for value, of in zip(group.values(), powers, strict=True))
            total = sum(terms, start=sums.ring.zero)
            assert sums.back(total) == entry
            assert states.grouped(total) == group
    assert tried > 3
