"""The assembled equation τ = M q̈ + B [q̇q̇] + C2 [q̇²] + G in matrices, whole and in every language."""

from __future__ import annotations

import re

import numpy as np
import pytest

import qddot
from qddot.algebra.expressions.names import rate_name
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Matrix, Sum

CASES = ["two_link", "spatial_2r", "rp", "elbow_3r", "one_link", "slider", "cart_pole"]


class Plain(Text):
    """This writes cos(q1) for c1."""

    short_names = False


def numbers(matrix: Matrix, values: dict[str, float]) -> np.ndarray:
    scope = {"cos": np.cos, "sin": np.sin, "sqrt": np.sqrt, "sgn": np.sign, **values}
    return np.array([[eval(Plain().write(entry), dict(scope)) for entry in row] for row in matrix.rows])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("short", [False, True])
def test_its_products_add_up_to_the_torques(name: str, short: bool) -> None:
    arm = qddot.load(name)
    arm = arm.with_values(**{s: 0.7 + 0.1 * k for k, s in enumerate(arm.model.symbols)})
    n, random = arm.model.n, np.random.default_rng(5)
    q, qd, qdd = random.normal(size=(3, n))
    eq = arm.equations()
    (equation,) = (eq.textbook(lumped=False) if short else eq).assembled.equations(lambda _: True)
    values = dict(arm.model.defaults())
    for coordinate, x, v, a in zip(arm.model.coordinates, q, qd, qdd, strict=True):
        values |= {coordinate: x, rate_name(coordinate): v, rate_name(coordinate, 2): a}
    assert isinstance(equation.right, Sum)
    total = np.zeros((n, 1))
    for product in equation.right.products:
        factors = [numbers(base, values) for base, _ in product.factors if isinstance(base, Matrix)]
        assert len(factors) == len(product.factors) and product.number == 1
        total += factors[0] @ factors[1] if len(factors) == 2 else factors[0]
    assert np.allclose(total[:, 0], arm.inverse_dynamics(q, qd, qdd))


def test_text_shows_matrices_beside_their_columns() -> None:
    text = qddot.load("rp").equations().text(["equation"])
    assert text.splitlines()[0].rstrip().endswith("[ qdd1 ]") and "[ qd1*dd2 ]" in text
    assert text.startswith(" ") and "\ntau = [" in text and "\n    + [" in text


def test_wide_matrices_have_the_names_of_their_entries() -> None:
    text = qddot.load("puma560").equations().text(["equation"])
    assert "M13" in text and "C2_21" in text and "M31" not in text and len(text) < 6_000
    assert re.search(r"B112\s+B113", text)


@pytest.mark.parametrize("language", ["latex", "mathml", "typst"])
def test_languages(language: str) -> None:
    printed = qddot.load("rp").with_notation("khatib").equations().printed(language, ["equation"])
    assert {"latex": "\\Gamma &=", "mathml": '<mi mathvariant="normal">Γ</mi>', "typst": "Gamma &= mat("}[
        language
    ] in printed


def test_programs_assign_the_torques() -> None:
    eq = qddot.load("rp").equations()
    assert eq.python(["equation"]) == eq.python(["tau"])
    assert eq.sympy(["equation"]) == eq.sympy(["tau"])


def test_closed_chains_have_it_along_the_independent_rates() -> None:
    chain = qddot.load_closed_chain("four_bar")
    text = chain.equations().textbook().text(["equation"])
    assert "[ qdd1 ]" in text and "r21 =" in text
