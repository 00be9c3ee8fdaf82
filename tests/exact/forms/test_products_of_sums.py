"""Products of two sums among the terms of a long sum stay products, as m3 (l1 c2 + r2 c23)² of a three-joint arm."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import robot

from qddot.exact.forms.textbook.writing.sums_times_sums import products_of_sums
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.text import Text

Sum = dict[tuple[int, ...], Fraction]  # coefficients by the exponents of three variables

NUMBERS = st.fractions(-3, 3, max_denominator=3).filter(bool)
SUMS = st.dictionaries(st.tuples(*[st.integers(0, 2)] * 3), NUMBERS, min_size=2, max_size=3)
OTHERS = st.dictionaries(st.tuples(*[st.integers(5, 6)] * 3), NUMBERS, max_size=2)


def multiplied(one: Sum, other: Sum) -> Sum:
    total: Sum = {}
    for (a, x), (b, y) in product(one.items(), other.items()):
        key = tuple(map(sum, zip(a, b, strict=True)))
        total[key] = total.get(key, Fraction(0)) + x * y
    return total


def places_of(terms: Sum) -> list[set[int]]:
    return products_of_sums([(c, {k: e for k, e in enumerate(each) if e}) for each, c in terms.items()])


@settings(max_examples=30)
@given(SUMS, SUMS, OTHERS, st.booleans())
def test_a_product_of_two_sums_is_found_among_other_terms(one: Sum, other: Sum, rest: Sum, squared: bool) -> None:
    other = one if squared else other
    whole = multiplied(one, other)
    distinct = len(one) * (len(one) + 1) // 2 if squared else len(one) * len(other)
    if len(whole) == distinct:  # no terms but equal ones of a square are put together
        assert set(range(len(whole))) in places_of({**whole, **rest})


def test_terms_with_other_coefficients_are_no_product() -> None:
    assert places_of({(2, 0, 0): Fraction(1), (1, 1, 0): Fraction(1), (0, 2, 0): Fraction(1)}) == []
    assert (
        places_of({(1, 0, 1): Fraction(1), (1, 1, 0): Fraction(2), (0, 0, 1): Fraction(1), (0, 1, 0): Fraction(3)})
        == []
    )


def test_the_three_joint_arm_reads_as_its_lecture_prints_it() -> None:
    """Source 003: m3 (l1 c2 + r2 c23)² in M11, and its product with l1 s2 + r2 s23 in Γ."""
    text = robot("elbow_3r").equations().textbook(lumped=False).text(["M", "christoffel"])
    assert "c2**2*(m2*r1**2 - Iy2 + Iz2) + m3*(l1*c2 + r2*c23)**2 + c23**2*(-Iy3 + Iz3)" in text
    gamma = "c2*s2*(-m2*r1**2 + Iy2 - Iz2) - m3*(l1*c2 + r2*c23)*(l1*s2 + r2*s23) + c23*s23*(Iy3 - Iz3)"
    assert f"\nΓ112 = {gamma}\n" in text


@pytest.mark.parametrize(("name", "lumped"), [("elbow_3r", False), ("puma560_akb", True), ("puma560_akb", False)])
def test_a_formula_with_products_is_the_sum_of_its_terms(name: str, lumped: bool) -> None:
    short, draw, plain = robot(name).equations().textbook(lumped=lumped), random.Random(0), Text()
    for quantity in ("M", "christoffel"):
        array = short.array(quantity)
        for entry in {id(entry): entry for entry in array.entries}.values():
            texts = [
                re.sub(r"(?<![\w.])(\d+)", r"Fraction(\1)", plain.write(of))
                for of in (array.written(entry), expanded(entry))
            ]
            texts = [re.sub(r"\*\*Fraction\((\d+)\)", r"**\1", text) for text in texts]
            names = set(re.findall(r"[A-Za-z_]\w*", " ".join(texts))) - {"Fraction"}
            values = {each: Fraction(draw.randint(1, 99), draw.randint(1, 99)) for each in names}
            one, other = (eval(text, {"Fraction": Fraction}, values) for text in texts)
            assert one == other


def test_the_puma_has_fewer_operations_than_without_products_of_sums() -> None:
    """Without them M has 880 operations, Γ 2964."""
    short = robot("puma560_akb").equations().textbook(lumped=False)
    assert short.counts("M").operations < 700
    assert short.counts("christoffel").operations < 2350
