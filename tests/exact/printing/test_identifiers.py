"""Printed statements of Python and MATLAB keep names apart that the language takes for one."""

from __future__ import annotations

import re
from math import pi
from typing import Any

import numpy as np
import pytest

import qddot

NAMES = ("𝑡5", "t5", "µ", "μ", "mu", "𝒒", "q", "𝐩𝐢", "𝐝𝐞𝐟", "θ1", "theta1", "𝑀", "质", "u8D28", "zeros")


def arm() -> qddot.Robot:
    mass = " + ".join(f"{k}*{name}" for k, name in enumerate(NAMES, 1))
    row = [{"theta": "angle", "d": 0, "a": 1, "alpha": 0}]
    inertia = {"mass": mass, "com": [0, 0, 0]}
    return qddot.from_dh(row, [inertia], symbols=NAMES, gravity=[0, -1, 0])


@pytest.mark.parametrize("form", ["plain", "textbook"])
def test_python_computes_the_mass_matrix_of_all_names(form: str) -> None:
    eq = arm().equations()
    text = (eq if form == "plain" else eq.textbook(lumped=False)).python(["M"])
    renamed = dict(re.findall("# (.*) is (.*)", text))
    old = {name: value for value, name in enumerate(NAMES, 2)}
    values: dict[str, Any] = {}
    for name in NAMES:
        new = next((new for new, of in renamed.items() if of == name), name)
        exec(f"{new} = {old[name]}", values)  # as a user types it
    exec(text, values)
    (matrix,) = re.findall(r"^(M_+) = \[", text, re.MULTILINE)  # M is 𝑀
    assert np.ravel(values[matrix]) == pytest.approx([sum(k * old[name] for k, name in enumerate(NAMES, 1))])
    assert values["pi"] == pi


@pytest.mark.parametrize("form", ["plain", "textbook"])
def test_matlab_has_as_many_names(form: str) -> None:
    eq = arm().equations()
    text = (eq if form == "plain" else eq.textbook(lumped=False)).matlab(["M"])
    names = set(re.findall(r"[A-Za-z_]\w*", text.rpartition(" = ")[2]))
    assert len(names) == len(NAMES)
    assert not names & {"pi", "zeros"}


def test_sympy_has_a_variable_for_each_name() -> None:
    import sympy

    from qddot.apps.page.copies import copied

    values: dict[str, object] = {}
    exec(copied(arm(), arm().equations(), "M", "sympy"), values)
    mass = sympy.Matrix(values["M_"])[0]
    assert {str(symbol) for symbol in mass.free_symbols} == set(NAMES)
    assert sorted(mass.coeff(symbol) for symbol in mass.free_symbols) == list(range(1, len(NAMES) + 1))
