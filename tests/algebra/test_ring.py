"""Equal functions have equal normal forms in the ring."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from flint import fmpq_poly
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.constant_angles import cos_sin
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import angle
from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.membership import membership
from qddot.algebra.numbers.polynomials.relations import LONG
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.algebra.numbers.polynomials.witness import witness
from qddot.algebra.numbers.rationals import MOST_PAIRS, MOST_SORTED
from qddot.base.errors import ExactnessError

RING = Ring(Variables(("q1", "q2"), ["q1", "q2"], ["q2"], ["a", "b"], roots=True))

LONGEST_RING = RING.extended(extra=[f"k{i}" for i in range(MOST_PAIRS // len(RING.generators))])
LONG_RING = RING.extended(extra=[f"k{i}" for i in range(MOST_SORTED)])  # whose terms FLINT does not sort


@st.composite
def polynomials(draw: st.DrawFn) -> Polynomial:
    keys = draw(st.lists(st.sampled_from(list(RING.index)), min_size=1, max_size=6))
    total = RING.zero
    for key in keys:
        total = total * draw(st.integers(-3, 3)) + RING.generator(key) * RING.generator(draw(st.sampled_from(keys)))
    return total


def test_pythagoras_and_roots_reduce() -> None:
    c, s = RING.cos_sin("q1")
    assert c * c + s * s == 1
    assert RING.root(2) * RING.root(2) == 2
    assert (s**4 - (1 - c * c) ** 2) == 0
    assert RING.root(2) * RING.root(3) * RING.root(2) == RING.root(3) * 2


@given(polynomials(), polynomials(), polynomials())
def test_it_is_a_commutative_ring(x: Polynomial, y: Polynomial, z: Polynomial) -> None:
    assert x * (y + z) == x * y + x * z
    assert (x * y) * z == x * (y * z)
    assert x * y == y * x
    assert x - x == 0


@given(polynomials())
def test_a_long_ring_has_the_same_terms_under_the_same_names(x: Polynomial) -> None:
    long = LONGEST_RING.convert(x)
    padding = LONGEST_RING.index["b"] + 1, len(LONGEST_RING.generators) - len(RING.generators)
    terms = (((*powers[: padding[0]], *[0] * padding[1], *powers[padding[0] :]), c) for powers, c in x.terms())
    assert long == LONGEST_RING.from_terms(terms)
    assert long.variables() == x.variables()
    assert RING.convert(long) == x
    again = LONGEST_RING.wrap(long.poly)
    assert (again.poly, again.mask) == (long.poly, long.mask)


@given(polynomials())
def test_terms_make_their_polynomial_again_in_long_rings_too(x: Polynomial) -> None:
    for ring in (RING, LONG_RING):
        y = ring.convert(x)
        assert ring.from_terms(reversed(list(y.terms()))) == y
    assert LONG_RING.from_terms([]) == 0


@given(polynomials(), polynomials())
def test_the_normal_form_has_no_square_of_a_sine_or_root(x: Polynomial, y: Polynomial) -> None:
    for exponents, _ in (x * y).terms():
        assert all(e < 2 for e, g in zip(exponents, RING.generators, strict=True) if g.quadratic)


@pytest.mark.parametrize("many", [1, 3])
def test_long_products_are_reduced_as_short_ones_are(many: int) -> None:
    """Of several sines and roots, and where one square stands in the coefficient of another."""
    names = [f"q{k}" for k in range(1, many + 2)]
    ring = Ring(Variables(names, names, [], [f"a{k}" for k in range(8)], roots=True))
    symbols = [ring.symbol(name) for name in ring.symbols]
    pairs = [ring.cos_sin(name) for name in names]

    def long(start: int) -> Polynomial:
        turned = [c + s * (k + start) + ring.root(2) * c * s for k, (c, s) in enumerate(pairs)]
        return sum((a * b * (x + start) for a, b, x in product(turned, turned, symbols)), start=ring.zero)

    x, y = long(1), long(5)
    plain = x.poly * y.poly
    assert len(plain) > LONG
    assert (x * y).poly == ring.relations.reduced(plain, ring.quadratic) != plain


@given(polynomials(), polynomials())
def test_every_generator_that_occurs_has_its_bit(x: Polynomial, y: Polynomial) -> None:
    """Products are reduced, and derivatives taken, by the generators whose bits are set."""
    for value in (x + y, x - y, x * y, -x, x / 3, RING.differentiate(x, "q2"), RING.wrap(x.poly * x.poly), x * y - x):
        if not isinstance(value, Polynomial):
            continue
        for _ in range(2):
            assert all(value.mask >> RING.index[key] & 1 for key in value.variables())
            value.look()
        for key in RING.index:
            assert value.derivative(key) == RING.wrap(value.poly.derivative(RING.index[key]))


def test_sums_collapse_in_rings_that_ask_for_it() -> None:
    structural = RING.with_turning(RING.turning, collapses=True)
    for ring, kind in ((RING, Polynomial), (structural, int)):
        c, s = ring.cos_sin("q1")
        assert c * c + s * s == 1 and type(c * c + s * s) is kind
        assert c - c == 0 and type(c - c) is kind


def test_long_products_lose_the_bits_of_what_has_cancelled() -> None:
    names = [f"q{k}" for k in range(9)]
    ring = Ring(Variables(names, names))
    pairs = [ring.cos_sin(name) for name in names]
    every = sum((c + s for c, s in pairs), start=ring.zero)
    single = every - sum((c + s for c, s in pairs[1:]), start=ring.zero)
    assert single.variables() == ["sin(q0)", "cos(q0)"] and single.mask.bit_count() > 2
    assert single * single == pairs[0][0] * pairs[0][1] * 2 + 1
    assert every * every == sum((a * b for a in map(sum, pairs) for b in map(sum, pairs)), start=ring.zero)
    assert (single * every).variables() == every.variables() and single.mask.bit_count() == 2


@given(polynomials(), polynomials())
def test_derivatives_keep_leibniz_rule(x: Polynomial, y: Polynomial) -> None:
    d = lambda value: RING.differentiate(value, "q2")  # noqa: E731
    assert d(x * y) - (d(x) * y + x * d(y)) == 0


@given(polynomials(), st.fractions(-3, 3), st.fractions(-3, 3))
def test_a_derivative_is_a_difference_quotient(x: Polynomial, q1: Fraction, q2: Fraction) -> None:
    """The quotient's error is h²/6 of a third derivative, below 1e-36 of numbers that are at most some 1e9 here."""
    slope, h = RING.convert(RING.differentiate(x, "q2")), Fraction(1, 2**64)

    def at(q: Fraction) -> Balls:
        rates = {"q1": Fraction(3, 10), "q2": Fraction(2, 5)}
        return Balls({"a": Fraction(6, 5), "b": Fraction(-7, 10)}, {"q1": q1, "q2": q}, rates, {"q1": 1, "q2": 2})

    with precise():
        quotient = (x.evaluate(at(q2 + h)) - x.evaluate(at(q2 - h))) / ball(2 * h)
        assert abs(quotient - slope.evaluate(at(q2))) < 1e-20


@pytest.mark.parametrize("degrees", range(-360, 361, 15))
def test_multiples_of_fifteen_degrees_are_exact(degrees: int) -> None:
    c, s = (RING.convert(part.evaluate(RING)) for part in cos_sin(Angle.degrees(degrees)))
    assert c * c + s * s == 1
    values = [part.evaluate(Floats({}, {})) for part in (c, s)]
    assert values[0] == pytest.approx(math.cos(math.radians(degrees)), abs=1e-15)
    assert values[1] == pytest.approx(math.sin(math.radians(degrees)), abs=1e-15)


def test_related_constant_angles_share_one_pair() -> None:
    angles = [
        angle(text) for text in ("20deg", "-20deg", "40deg", "110deg", "0.3", "0.6", "phi", "2*phi", "phi - 20deg")
    ]
    ring = Ring(Variables(("q1",), ["q1"], symbols=["phi"], angles=angles))
    pairs = [g.key for g in ring.generators if g.kind == "cos" and g.angle is not None]
    assert sorted(pairs) == ["cos(0.3)", "cos(20deg)", "cos(phi)"]
    for one, two in product(angles, repeat=2):
        (c1, s1), (c2, s2) = ring.circular(one), ring.circular(two)
        if one + two in angles:
            assert ring.circular(one + two)[0] == c1 * c2 - s1 * s2
            assert ring.circular(one + two)[1] == s1 * c2 + c1 * s2


def test_the_sum_of_two_declared_angles_is_no_new_angle() -> None:
    ring = Ring(Variables(("q1",), ["q1"], angles=[angle("11deg"), angle("17deg"), angle("28deg")]))
    assert [g.key for g in ring.generators if g.kind == "cos" and g.angle] == ["cos(11deg)", "cos(17deg)"]


def test_a_witness_excludes_zero_and_a_zero_has_none() -> None:
    c, s = RING.cos_sin("q1")
    pair = witness(c * RING.symbol("a") - s)
    assert pair is not None
    state, value = pair
    q1, a = (float(state.values[name]) for name in ("q1", "a"))
    assert value == pytest.approx(a * math.cos(q1) - math.sin(q1), rel=1e-12)
    # cos 20° is a root of 8x³ − 6x − 1, which the ring does not know: no witness
    ring = Ring(Variables(("q1",), ["q1"], angles=[angle("20deg")]))
    x = ring.generator("cos(20deg)")
    assert x**3 * 8 - x * 6 - 1 != 0
    assert witness(x**3 * 8 - x * 6 - 1) is None


def test_relations_of_rational_angles_are_certified_and_others_are_not() -> None:
    angles = [angle("20deg"), angle("31deg"), angle("0.3")]
    ring = Ring(Variables(("q1",), ["q1"], symbols=["a"], angles=angles, roots=True))
    x, sine, a = ring.generator("cos(20deg)"), ring.generator("sin(20deg)"), ring.generator("a")
    c, _ = ring.cos_sin("q1")
    certificate = membership((x**3 * 8 - x * 6 - 1) * c * a)
    assert certificate is not None
    assert str(certificate) == "zero, since x = 2 cos(2π/36) satisfies x^6 − 6x^4 + 9x^2 − 3 = 0"
    # what it says, multiplied out: with ξ/2 in place of sin 80° = cos 10°, and cos 20° = ξ²/2 − 1
    (cofactor,) = certificate.cofactors.values()
    twice = fmpq_poly([-2, 0, 1])
    assert cofactor * fmpq_poly(certificate.minimal) == twice**3 - twice * 3 - 1
    assert membership(sine**3 * 8 - sine * 6 + ring.generator("sqrt(3)"))
    assert membership(ring.generator("cos(31deg)") * ring.generator("sqrt(2)") - x) is None
    assert membership((x**3 * 8 - x * 6 - 1) * c + a) is None
    assert membership((x**3 * 8 - x * 6 - 2) * c) is None
    assert membership(ring.generator("cos(0.3)")) is None


def test_floats_and_foreign_divisions_are_refused() -> None:
    c, _ = RING.cos_sin("q1")
    with refusal(ExactnessError, "not-an-exact-number"):
        c * 0.5
    with refusal(ExactnessError, "divided-by-polynomial"):
        c / c
    with refusal(ExactnessError, "key-not-in-equations"):
        RING.generator("qd(q3)")


def test_expressions_evaluate_to_the_same_polynomial_in_any_order() -> None:
    a, b = Expression.of("a"), Expression.of("b")
    assert ((a + b) ** 2).evaluate(RING) == (a * a + 2 * a * b + b * b).evaluate(RING)
