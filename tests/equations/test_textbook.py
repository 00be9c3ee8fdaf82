"""The textbook form: equal to the normal form, shorter, and what the literature prints."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import qddot
from qddot.equations.textbook import Textbook
from robots import orthogonal_robots


def test_it_is_equal_and_never_longer(zoo_arm: qddot.Robot) -> None:
    short = zoo_arm.equations().textbook()
    assert short.proved()
    for name in ("M", "h", "G"):
        assert short.after(name).terms <= short.before(name).terms
        assert short.after(name).operations <= short.before(name).operations


@given(orthogonal_robots())
@settings(max_examples=15)
def test_it_is_equal_on_random_arms(arm: qddot.Robot) -> None:
    assert arm.equations().textbook().proved()


def test_a_wrong_entry_is_not_proved() -> None:
    short = qddot.load("elbow_3r").equations().textbook()
    short._entries["M"][0] = short._entries["M"][0] + short.ring.generator("cos(q2)")
    assert not short.proved()


def test_three_parallel_axes_have_two_sums() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": f"l{k}", "alpha": 0} for k in (1, 2, 3)]
    links = [{"mass": f"m{k}", "com": [0, 0, 0]} for k in (1, 2, 3)]
    arm = qddot.from_dh(rows, links, symbols="l1 l2 l3 m1 m2 m3", gravity=[0, "-g", 0])
    short = arm.equations().textbook()
    assert short.proved()
    assert short.G.text().splitlines() == ["G1 = g1*c1 + g2*c12 + g3*c123", "G2 = g2*c12 + g3*c123", "G3 = g3*c123"]
    assert "m3" in short.constants["g3"].variables()
    assert "c23" in short.M.text()


# Khatib's and Lynch & Park's forms, term by term: docs/literature.md
PRINTED = [
    ("elbow_3r", "M", 9, ("M22 = I5 + 2*I2*c3", "M11 = I4 + I1*c2**2 + 2*I2*c2*c23 + I3*c23**2")),
    ("elbow_3r", "G", 3, ("G2 = -g1*c2 - g2*c23", "G3 = -g2*c23")),
    ("two_link", "M", 5, ("M22 = I",)),
    ("two_link", "G", 3, ("*c12",)),
    ("planar_2r", "G", 3, ("*c12",)),
    ("rp", "M", 3, ("M22 = m2", "m2*d2**2")),
    ("spatial_2r", "M", 4, ("M12 = 0",)),
]


@pytest.mark.parametrize(("name", "quantity", "terms", "lines"), PRINTED)
def test_the_literatures_forms(name: str, quantity: str, terms: int, lines: Any) -> None:
    short = qddot.load(name).equations().textbook()
    assert short.after(quantity).terms == terms
    text = short.array(quantity).text()
    for line in lines:
        assert line in text


def test_the_puma_in_few_terms() -> None:
    """A sketch on modified rows has 642 terms over 54 constants in M."""
    short = qddot.load("puma560").equations().textbook()
    assert short.after("M").terms <= 700
    assert len(short.constants) <= 80
    assert short.proved()
    assert "c_{23}" in short.latex(["G"])


def test_constants_are_named_apart_from_symbols() -> None:
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "I1", "alpha": 0}],
        [{"mass": "g1", "com": [0, 0, 0]}],
        symbols="I1 g1",
        gravity=[0, "-g", 0],
    )
    short = arm.equations().textbook()
    assert list(short.constants) == ["I2", "g2"]
    assert short.proved()
    assert str(short).startswith("M: 1 terms")


def test_constants_have_values_where_symbols_have() -> None:
    short = qddot.load("spatial_2r").equations().textbook()
    # G2 = ½ m2 g L c1 s2 of the literature
    assert short.values()["g1"] == pytest.approx(10 * 9.81 * 2.0 / 2)
    assert short.values(L=4.0)["g1"] == pytest.approx(10 * 9.81 * 4.0 / 2)
    assert set(short.values()) == set(short.constants)
    assert short.values(L=0.0)["g1"] == 0
    assert qddot.load("puma560").equations().textbook().values() == {}


def test_it_comes_from_any_route() -> None:
    eq = qddot.load("spatial_2r").equations("energy")
    assert isinstance(eq.textbook(), Textbook)
    assert eq.textbook().proved()
