"""The equations of closed chains in each language: programs compute them, and what is set is set by its program."""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import typst
from refusals import refusal
from test_languages import run_matlab, run_python
from tools import pdflatex, uses

import qddot
from qddot.algebra.expressions.names import rate_name
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain

CHAINS = ("four_bar", "slider_crank", "five_bar", "delta", "scara_parallelogram", "rolling_disc", "unicycle")
LONG = "delta_parallelograms"  # its coefficients have no quotients
QUANTITIES = ["phi", "A", "R", "M", "C", "h", "G", "springs", "friction", "tau"]


@cache
def chain_of(name: str) -> ClosedChain:
    return qddot.load_closed_chain(name)


@cache
def state_of(name: str) -> tuple[Any, Any, Any]:
    """A state in which the loops are closed: q, q̇ and q̈."""
    chain, random = chain_of(name), np.random.default_rng(7)
    q = chain.some_assembly().q
    qd = chain.velocities(q, random.normal(size=chain.m))
    return q, qd, chain.accelerations(q, qd, random.normal(size=chain.m))


def names_of(name: str) -> dict[str, float]:
    """The numbers of all names in a program."""
    tree, (q, qd, qdd) = chain_of(name).model.tree, state_of(name)
    quasi = {each for freedoms in tree.freedoms for each in freedoms.velocities}
    numbers = tree.defaults() | dict(zip(tree.positions, q.tolist(), strict=True))
    for each, rate, acceleration in zip(tree.coordinates, qd.tolist(), qdd.tolist(), strict=True):
        dots = int(each not in quasi)
        numbers |= {rate_name(each, dots) if dots else each: rate, rate_name(each, dots + 1): acceleration}
    return numbers


@pytest.mark.parametrize("name", [*CHAINS, pytest.param(LONG, marks=pytest.mark.thorough)])
def test_values_in_a_closed_state_are_those_of_compiled_functions(name: str) -> None:
    chain, (q, qd, qdd) = chain_of(name), state_of(name)
    values = chain.equations().at(q, qd, qdd)
    np.testing.assert_allclose(values["M"], chain.mass_matrix(q), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(values["tau"], chain.inverse_dynamics(q, qd, qdd), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(values["A"] @ qdd, -values["gamma"], atol=1e-11)
    np.testing.assert_allclose(values["R"] @ [values.qd[each] for each in chain.independent], qd, atol=1e-11)


def test_what_is_no_closed_state_is_refused() -> None:
    eq = chain_of("four_bar").equations()
    with refusal(qddot.QddotError, "configuration-not-closed", "0.766"):
        eq.at([1, 1, 1])
    with refusal(qddot.QddotError, "unknown-name-in-state", "q", "'q9'"):
        eq.at({"q9": 1})
    with pytest.raises(KeyError, match="Z"):
        eq.at(state_of("four_bar")[0])["Z"]


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("language", ["python", "matlab"])
@pytest.mark.parametrize("form", ["normal", "sums", "multiple-angle"])
def test_programs_compute_the_equations(name: str, language: str, form: str) -> None:
    eq, numbers = chain_of(name).equations(), names_of(name)
    source = (eq if form == "normal" else eq.textbook(form)).printed(language, QUANTITIES)
    done = (run_python if language == "python" else run_matlab)(source, numbers)
    values = eq.at(*state_of(name))
    for quantity in QUANTITIES:
        expected = values[quantity]
        array = np.reshape(np.asarray(done[eq.array(quantity).identifier], dtype=float), expected.shape)
        # a few hundred operations, and a determinant in the denominators
        np.testing.assert_allclose(array, expected, rtol=1e-9, atol=1e-11, err_msg=quantity)


@pytest.mark.thorough
def test_a_program_solves_for_coefficients_without_quotients() -> None:
    eq, numbers = chain_of(LONG).equations(), names_of(LONG)
    source = eq.python(["R", "M", "G"])
    assert source.count("numpy.linalg.solve(") == 1  # M and G have no derivatives of R
    done, values = run_python(source, numbers), eq.at(*state_of(LONG))
    for quantity in ("R", "M", "G"):
        array = np.array(done[eq.array(quantity).identifier])
        np.testing.assert_allclose(array, values[quantity], rtol=1e-9, atol=1e-11)
    lines = eq.matlab(["R"]).splitlines()
    assert sum(line.startswith("solution = [") for line in lines) == 1
    assert sum(" = solution(" in line for line in lines) == 18 * 3  # the coefficients of 18 dependent coordinates
    assert len(eq.sympy(["R"])["zeros"]) == 18 * 3


@pytest.mark.parametrize("name", CHAINS)
def test_short_forms_are_proved_and_shorter(name: str) -> None:
    short = chain_of(name).equations().textbook()
    assert short.proved(*short.shown, "C", "R")
    for quantity in ("M", "h", "G"):
        assert short.counts(quantity).operations <= short.normal_counts(quantity).operations


def test_a_false_short_form_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    eq = chain_of("four_bar").equations()
    assert eq.textbook().proved("M")
    short = eq.textbook()
    short._arrays["M"] = short.written(short.normal("M").subs(m2="2*m2"))
    assert not short.proved("M")
    # the definitions of coefficients are held against the normal form, too
    short = eq.textbook()
    written = short.written
    monkeypatch.setattr(short, "written", lambda plain: written(plain if plain.name else plain.subs(a="2*a")))
    assert not short.proved("M")


def test_the_short_form_of_a_four_bar_is_that_of_books() -> None:
    text = chain_of("four_bar").equations().textbook().text()
    for line in (
        "D2 = c*(-c12*s3 + c3*s12)",
        "r31 = a*s2/D2",
        "M11 = k2*r21*(r21 + 2)/4 + k3 + k4*r31**2 + k1*c2*(r21 + 1)",
        "k4 = c**2*m3/4 + I3  # 0.08",
    ):
        assert f"\n{line}\n" in text


def test_sympy_defines_the_coefficients() -> None:
    import sympy

    eq, numbers = chain_of("four_bar").equations(), names_of("four_bar")
    made = eq.textbook().sympy(["M"])
    symbols = {sympy.Symbol(name, real=True): value for name, value in numbers.items()}
    for kind in ("constants", "coefficients"):
        for name, right in made[kind].items():
            symbols[sympy.Symbol(name, real=True)] = float(right.subs(symbols))
    assert float(made["M"][0].subs(symbols)) == pytest.approx(float(eq.at(*state_of("four_bar"))["M"][0, 0]), rel=1e-12)


def documents(language: str) -> list[str]:
    equations = [chain_of(name).equations() for name in CHAINS]
    return [form.printed(language) for eq in equations for form in (eq, eq.textbook())]


def test_mathml_is_xml() -> None:
    for text in documents("mathml"):
        for block in text.splitlines():
            ElementTree.fromstring(block)


@pytest.mark.thorough
def test_typst_compiles(tmp_path: Any) -> None:
    (tmp_path / "all.typ").write_text("\n\n".join(documents("typst")), encoding="utf-8")
    assert typst.compile(str(tmp_path / "all.typ"), format="pdf").startswith(b"%PDF")


@uses("pdflatex")
def test_latex_compiles(tmp_path: Any) -> None:
    import subprocess

    head = r"\documentclass{article}\usepackage{amsmath}\allowdisplaybreaks\begin{document}"
    equations = [chain_of(name).equations() for name in CHAINS]
    bare = [
        f"\\begin{{gather*}}\n{line}\n\\end{{gather*}}"
        for eq in equations
        for line in [eq.latex(["R"]), eq.latex(["A"])]
    ]
    text = [head, *bare, *(eq.textbook().latex() for eq in equations), r"\end{document}"]
    (tmp_path / "all.tex").write_text("\n".join(text), encoding="utf-8")
    command = [pdflatex(), "-halt-on-error", "-interaction=nonstopmode", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_equations_of_chains_say_what_they_are() -> None:
    eq = chain_of("four_bar").equations()
    assert repr(eq) == "<equations of motion of four_bar: independent q1, 15 terms in M, 5 in G>"


def test_a_notebook_shows_the_law_and_the_definitions() -> None:
    eq = chain_of("four_bar").equations()
    for shown in (eq._repr_latex_(), eq.textbook()._repr_latex_()):
        assert shown.startswith("$\\displaystyle \\begin{array}{l} M \\dot{u} + h + G = R^{T} \\tau ")
        assert "r_{31} &= \\frac{a s_{2}}{" in shown


def test_the_command_writes_chains_as_it_writes_arms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["closed", "four_bar", "--only", "M", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["independent"] == ["q1"]
    assert content["coefficients"]["r31"] == "a*s2/(c*c3*s12 - c*c12*s3)"
    assert main(["closed", "four_bar", "--form", "textbook", "--only", "G"]) == 0
    out = capsys.readouterr().out
    assert "textbook form, proved equal to the normal form" in out
    assert "G1 = k5*c12*(r21 + 1) + k6*c1 + k7*r31*c3\n" in out
    assert main(["closed", "four_bar", "--form", "textbook", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert {"D1", "D2"} < content["coefficients"].keys()
    assert content["constants"]["k1"] == "a*b*m2"
    assert main(["closed", "four_bar", "--digits", "3", "--json"]) == 2
    assert main(["closed", "four_bar", "--no-constants"]) == 2
    assert "--no-constants with the normal form" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["five_bar", "delta", "unicycle", "whipple_bicycle"])
def test_each_name_that_is_printed_may_be_asked_for(name: str) -> None:
    eq = qddot.load_closed_chain(name).equations()
    of = eq.reduced.coefficients
    for own in (*of.names.values(), *list(of.slopes.values())[:6]):
        if own in of.variables:
            text = eq.text([own])
            assert text.splitlines()[-1].startswith((own, " ")) and f"{own} = {own}\n" not in f"{text}\n"
    for k in of.dependent:
        coordinate = eq.model.tree.coordinates[k]
        rate = rate_name(coordinate)
        assert eq.text([rate]).splitlines()[-1].startswith(f"{rate} = ")
        assert eq.array(rate).entries[0] == sum(of.at(k, j) * u for j, u in enumerate(of.u) if of.at(k, j))  # q̇ = R u


def test_a_coefficient_is_the_derivative_along_the_motion() -> None:
    """r21 = ∂q2/∂q1, by finite differences of configurations; the Python that is printed gives its number."""
    chain = qddot.load_closed_chain("five_bar")
    q, step = chain.assemble({"q1": 2.0, "q2": -1.2, "q3": 1.0, "q4": 1.2}).q, 1e-6
    one, other = (chain.assemble(q + sign * step * np.array([1, 0, 0, 0])).q for sign in (1, -1))
    values = {**chain.model.tree.defaults(), **dict(zip(chain.model.tree.coordinates, q, strict=True))}
    exec(chain.equations().printed("python", ["r21"]), values)
    assert values["r21"] == pytest.approx((one[1] - other[1]) / (2 * step), rel=1e-8)


def test_a_dependent_rate_is_typeset_as_one() -> None:
    eq = qddot.load_closed_chain("five_bar").equations()
    assert "\\dot{q}_{2} = r_{21} \\dot{q}_{1} + r_{23} \\dot{q}_{3}" in eq.latex(["qd2"])
    with refusal(QddotError, "none-of-these", "'r99'"):
        eq.array("r99")
