"""The first print of a closed chain is a page that leads with q̇ = R u, M, h and G; long numbers are short in it."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import numpy as np
import pytest
import sympy
from commands import run

import qddot
from qddot.formats.finding import closed_zoo

# a four-bar whose numbers have as many digits as a float, and whose frames are turned by quaternions
LONG = """<mujoco model="long"><compiler angle="radian"/><worldbody>
<body name="a" quat="0.9238795325112867 0 0.3826834323650898 0"><joint axis="0 1 0"/>
 <inertial pos="0.1 0 0.012345678901234567" mass="1.1234567890123456" diaginertia="0.01 0.02 0.021"/>
 <body name="b" pos="0.3 0 0" quat="0.8 0 0.6 0"><joint axis="0 1 0"/>
  <inertial pos="0.2 0 0" mass="0.87654321" quat="0.7 0.3 0.1 0.2" diaginertia="0.01 0.02 0.021"/></body></body>
<body name="c" pos="0.5123456789012346 0 0"><joint axis="0 1 0"/>
 <inertial pos="0.15 0 0" mass="0.5" diaginertia="0.01 0.02 0.021"/></body>
</worldbody><equality><connect body1="b" body2="c" anchor="0.4 0 0"/></equality></mujoco>"""
ROUNDED = "numbers are rounded to 6 digits"
LONGEST_PAGE = 62  # lines of equations, with a gap or two
COUNTS = re.compile(r"([\d,]+) in (\w+)")


@pytest.fixture(name="long", scope="module")
def _long(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("chains") / "long.xml"
    path.write_text(LONG)
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code, out, _ = run(capsys, *words)
    assert code == 0
    return out


def test_rates_and_equations_come_before_conditions_and_coefficients(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "closed", "four_bar")
    places = [out.index(f"\n{name} = ") for name in ("qd2", "M11", "h1", "G1", "phi1", "r21", "r21_1")]
    assert places == sorted(places)
    assert "\nqd2 = r21*qd1\nqd3 = r31*qd1\n" in out
    assert printed(capsys, "closed", "four_bar", "--all") == printed(capsys, "derive", "four_bar") == out


def test_rates_that_are_multiples_of_others_need_no_coefficients(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "closed", "unicycle")
    assert "\nxd = r*cos(theta)*phid\nyd = r*sin(theta)*phid\n" in out
    assert "…" not in out


@pytest.mark.parametrize("name", closed_zoo())
def test_the_first_print_of_each_chain_fits_on_a_page_or_is_complete(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, eq = printed(capsys, "closed", name), qddot.load_closed_chain(name).equations()
    of_sums = re.split(r"\n\nphi|\n\n… |\n\nleft out", out.partition("\n\n")[2])[0]
    assert len(of_sums.splitlines()) <= LONGEST_PAGE
    assert ("--all" in out) == ("left out: the conditions phi" in out) == ("\nphi1 = " not in out and "A = " not in out)
    for terms, quantity in COUNTS.findall(out):
        assert int(terms.replace(",", "")) == eq.array(quantity).terms


def test_all_of_a_long_chain_has_each_line_of_the_whole_text(capsys: pytest.CaptureFixture[str]) -> None:
    lines = qddot.load_closed_chain("delta").equations().text().splitlines()
    page, out = printed(capsys, "closed", "delta"), printed(capsys, "closed", "delta", "--all")
    assert {*lines} <= {*out.splitlines()}
    assert len(page.splitlines()) < 75 < len(lines)
    assert (" + …" in page, "…" in out) == (True, False)


@pytest.mark.parametrize("words", ["whipple_bicycle --only M", "delta_parallelograms --only h,G", "delta --only h"])
def test_long_quantities_that_are_asked_for_begin_with_a_page(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, _, only = words.split()
    out, eq = printed(capsys, "closed", *words.split()), qddot.load_closed_chain(name).equations()
    assert len(out.splitlines()) <= LONGEST_PAGE + 6
    assert "left out: the definitions of the coefficients" in out and "--all" in out
    for quantity, terms in re.findall(r"^(\w+) has ([\d,]+) terms in", out, re.MULTILINE):
        assert int(terms.replace(",", "")) == eq.array(quantity).terms
    single = re.search(r"--only (\w+) prints", out)
    assert single and single[1][:1] == only[0]
    assert len(printed(capsys, "closed", name, "--only", single[1], "--digits", "6")) > len(eq.array(single[1]).text())
    assert "…" not in printed(capsys, "closed", name, "--only", only.split(",")[0], "--all")


def test_short_quantities_that_are_asked_for_are_complete(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "closed", "five_bar", "--only", "M")
    assert out == printed(capsys, "closed", "five_bar", "--only", "M", "--all") and "r21 = " in out


def test_terms_of_a_cut_entry_are_those_with_the_largest_numbers() -> None:
    h = qddot.load_closed_chain("robotiq_2f85").equations().h
    sizes = sorted((abs(c) for _, c in h[0].entries[0].terms()), reverse=True)
    assert [abs(c) for _, c in h[0].entries[0].largest_terms(5)] == sizes[:5]
    text = h[0].brief(5).rounded(6).text()
    assert text.endswith(" + …")
    assert text.count("qd") < h[0].text().count("qd")


@pytest.mark.parametrize(("language", "says"), [("en", "left out: the conditions phi"), ("zh", "未打印：条件 phi")])
def test_a_page_says_what_it_lacks(language: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert says in printed(capsys, "closed", "delta", "--lang", language)


def test_conditions_alone_need_no_coefficients(capsys: pytest.CaptureFixture[str]) -> None:
    eq = qddot.load_closed_chain("delta_parallelograms").equations()
    assert [each for each in eq.sheet(["phi", "A"]).filled if not hasattr(each, "entries")] == []
    assert eq.law.startswith("M u̇")
    assert "ring" not in vars(eq.reduced.coefficients)  # which has the names of all coefficients
    out = printed(capsys, "closed", "delta_parallelograms", "--only", "A")
    assert "kappa" not in out.partition("\n\n")[2]


def test_coefficients_of_rates_need_no_slopes() -> None:
    names = {*qddot.load_closed_chain("five_bar").equations().sheet(["R"]).definitions[0].names}
    assert names == {"r21", "r41", "r23", "r43"}


def test_numbers_with_more_digits_than_a_float_are_short_in_a_text(
    long: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, complete = printed(capsys, "closed", long), printed(capsys, "closed", long, "--digits", "all")
    assert (ROUNDED in out, ROUNDED in complete) == (True, False)
    assert max(map(len, re.findall(r"\d+", out))) <= 10 < 20 < max(map(len, re.findall(r"\d+", complete)))
    assert ROUNDED not in printed(capsys, "closed", long, "--digits", "4")


def test_short_numbers_on_the_page_give_the_mass_matrix(long: str, capsys: pytest.CaptureFixture[str]) -> None:
    chain = qddot.load_closed_chain(long)
    q = chain.some_assembly().q
    R = chain.equations().at(q)["R"][:, 0]
    entry = re.search(r"\nM11 = (.*?)\n\n", printed(capsys, "closed", long), re.DOTALL)
    assert entry
    values = {"r21": R[1], "r31": R[2], "s2": np.sin(q[1]), "c2": np.cos(q[1])}
    value = sympy.sympify(entry[1].replace("\n", " ")).subs(values)
    # ten terms, each rounded to six digits
    assert float(value) == pytest.approx(chain.mass_matrix(q).item(), rel=1e-5)


def test_json_keeps_all_digits(long: str, capsys: pytest.CaptureFixture[str]) -> None:
    (entry,) = json.loads(printed(capsys, "closed", long, "--only", "G", "--json"))["quantities"]["G"]
    assert any(len(str(Fraction(each).numerator)) > 15 for each in re.findall(r"\d+\.?\d*(?:/\d+)?", entry))


def test_an_arm_with_long_numbers_is_short_in_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "derive", "franka_panda", "--only", "M22")
    assert ROUNDED in out
    assert "M22 = 1.171 - 0.349357*s4" in out
    whole = printed(capsys, "derive", "franka_panda", "--only", "M22", "--digits", "all")
    assert "5855002996909670339997/5000000000000000000000" in whole
    assert "5855002996909670339997/5000000000000000000000" in qddot.load("franka_panda").equations().text(["M22"])
    assert ROUNDED not in printed(capsys, "derive", "ur5", "--only", "G")


@pytest.mark.parametrize("digits", ["some", "1.5", ""])
def test_digits_are_a_whole_number_or_all(digits: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "derive", "ur5", "--digits", digits)
    assert "expected a whole number, or all" in capsys.readouterr().err
