"""Every term of a short form falls apart into the links it comes from, exactly, and each link's shares are its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from refusals import refusal
from robots import orthogonal_robots, robots
from shipped import robot

import qddot
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import QddotError
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.rewriting.short_forms import shortest_form
from qddot.exact.forms.textbook.rewriting.states import Grouped
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.language import Language
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Circular, Matrix, Partial, Root, Sign, Sum, Symbol
from qddot.formats.toml import robot_file
from qddot.robot.bodies import Body
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.model import Model

EFFECTS = {
    "armature": Armature,
    "springs": Spring,
    "friction": (Viscous, Coulomb),
    "link": (),
}


class InTheRing(Language[Polynomial]):
    """This writes an expression as a polynomial in normal form, in the model's own symbols."""

    short_names = False

    def __init__(self, short: Textbook) -> None:
        super().__init__()
        self.ring = ring = short.eq.ring
        self.names = {name: short.sums.back(value) for name, value in short.constants.items()}
        for name in ring.coordinates:
            self.names |= {rate_name(name, 1): ring.rate(name), rate_name(name, 2): ring.acceleration(name)}
        self.names |= {name: ring.coordinate(name) for name in ring.plain}

    def symbol(self, symbol: Symbol) -> Polynomial:
        return self.names[symbol.text] if symbol.text in self.names else self.ring.symbol(symbol.text)

    def circular(self, function: Circular, exponent: int) -> Polynomial:
        angle = function.angle
        pair = self.ring.circular(replace(angle, symbols=())) if angle.pi or angle.radians else (1, 0)
        for name, times in angle.symbols:
            (c, s), (d, t) = pair, self.turned(name, times)
            pair = c * d - s * t, s * d + c * t
        return self.ring.convert(pair[function.kind == "sin"] ** exponent)

    def turned(self, name: str, times: Fraction) -> tuple[Any, Any]:
        if name in self.ring.coordinates:
            return self.ring.cos_sin(name, times)
        return self.ring.circular(Angle(symbols=((name, times),)))

    def sign(self, sign: Sign) -> Polynomial:
        return self.ring.sign(next(q for q in self.ring.coordinates if rate_name(q) == sign.of.text))

    def root(self, root: Root) -> Polynomial:
        return self.ring.root(root.of)

    def brackets(self, inner: Polynomial) -> Polynomial:
        return inner

    def raised(self, base: Polynomial, exponent: int) -> Polynomial:
        return self.ring.convert(base**exponent)

    def product(self, number: Fraction, factors: Sequence[Polynomial], numbers: NumberForm) -> Polynomial:
        total = self.ring.convert(number)
        for factor in factors:
            total = total * factor
        return total

    def total(self, terms: Sequence[tuple[bool, Polynomial]]) -> Polynomial:
        return sum((-term if negative else term for negative, term in terms), self.ring.zero)

    def quotient(self, top: Polynomial, bottom: Polynomial) -> Polynomial:
        raise NotImplementedError

    def partial(self, partial: Partial) -> Polynomial:
        raise NotImplementedError

    def chain(self, factors: Sequence[Polynomial], traced: bool) -> Polynomial:
        raise NotImplementedError

    def matrix(self, matrix: Matrix) -> Polynomial:
        raise NotImplementedError

    def transposed(self, matrix: Polynomial) -> Polynomial:
        raise NotImplementedError


def alone(model: Model, body: int, of: str) -> Model:
    """The same arm, of which one link alone has inertia, or one joint alone something that acts in it."""

    def kept(k: int, each: Body) -> Body:
        effects = tuple(e for e in each.joint.effects if k == body and isinstance(e, EFFECTS[of]))
        joint = replace(each.joint, effects=effects)
        return replace(each, joint=joint) if (k, of) == (body, "link") else Body(each.name, joint)

    return replace(model, bodies=tuple(kept(k, each) for k, each in enumerate(model.bodies)))


def assert_they_add_up(short: Textbook, name: str, route: str = "newton_euler") -> None:
    """The shares of a term add up to it, and those of a link to what an arm has in which it alone has inertia."""
    ring, exact = short.eq.ring, InTheRing(short)
    totals: dict[tuple[int, str], dict[tuple[int, ...], Polynomial]] = {}
    for place, entry in short.shares(name).items():
        whole = entry.equation.right
        assert isinstance(whole, Sum)
        written = [exact.write(Sum((product,), whole.numbers)) for product in whole.products]
        for term, shares in zip([*written, ring.zero], [*entry.terms, entry.cancelling], strict=True):
            given = [(share.body, share.source, exact.write(share.value)) for share in shares]
            assert term == sum((value for _, _, value in given), ring.zero), (name, place)
            for body, of, value in given:
                assert value, "a share of nothing"
                entries = totals.setdefault((body, of), {})
                entries[place] = entries.get(place, ring.zero) + value
    model = short.eq.model
    for body in range(len(model.bodies)):
        for of in EFFECTS:
            own = Quantities(alone(model, body, of), route, ring).array(name)
            entries = totals.get((body, of), {})
            for _, place, value in own.labelled():
                assert value == entries.get(place, ring.zero), (name, body, of, place)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spatial_2r", "elbow_3r", "rp", "planar_2r", "spherical_pendulum"])
@pytest.mark.parametrize("quantity", ["M", "christoffel", "C", "B", "C2", "h", "G", "springs", "tau", "K", "P", "L"])
def test_shares_add_up_to_terms_and_to_links(name: str, quantity: str) -> None:
    assert_they_add_up(robot(name).equations().textbook(), quantity)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["puma560_akb"])
def test_shares_of_long_arms_add_up(name: str) -> None:
    short = robot(name).equations().textbook()
    for quantity in ("M", "christoffel", "G"):
        assert_they_add_up(short, quantity)


@pytest.mark.parametrize("name", ["elbow_3r", "two_link"])
@pytest.mark.parametrize(("form", "lumped"), [("sums", False), ("multiple-angle", True), ("multiple-angle", False)])
def test_shares_of_every_form_add_up(name: str, form: str, lumped: bool) -> None:
    short = robot(name).equations().textbook(form, lumped)
    for quantity in ("M", "christoffel", "h", "G", "P"):
        assert_they_add_up(short, quantity)


@pytest.mark.slow
@given(robots())
@settings(max_examples=8)
def test_shares_add_up_on_random_trees(arm: qddot.Robot) -> None:
    """Joints turn and slide about any axis, with armature, springs and friction; masses are numbers and symbols."""
    short = arm.equations().textbook()
    for quantity in ("M", "G", "tau"):
        assert_they_add_up(short, quantity)


@given(orthogonal_robots())
@settings(max_examples=5)
def test_shares_add_up_on_random_arms(arm: qddot.Robot) -> None:
    short = arm.equations().textbook()
    for quantity in ("M", "christoffel"):
        assert_they_add_up(short, quantity, "composite")


def test_a_user_asks_which_link_gives_a_term() -> None:
    short = robot("elbow_3r").equations().textbook()
    assert str(short.shares("M")).splitlines()[-14:] == [
        "M22 = k5 + 2*k2*c3",
        "  k5",
        "    upper: m2*r1**2 + Ix2",
        "    fore: m3*(l1**2 + r2**2) + Ix3",
        "  2*k2*c3",
        "    fore: 2*m3*l1*r2*c3",
        "M23 = k6 + k2*c3",
        "  k6",
        "    fore: m3*r2**2 + Ix3",
        "  k2*c3",
        "    fore: m3*l1*r2*c3",
        "M33 = k6",
        "  k6",
        "    fore: m3*r2**2 + Ix3",
    ]


def test_a_symbol_of_two_links_is_told_apart() -> None:
    """Both links of the arm have the same Ia: of k3 = L²(m1/4 + m2) + 3 Ia/2 one gives Ia, the other Ia/2."""
    first, *others = robot("spatial_2r").equations().textbook().shares("M")[0, 0].terms
    assert [(share.body, Text().write(share.value)) for share in first] == [
        (0, "m1*L**2/4 + Ia"),
        (1, "m2*L**2 + Ia/2"),
    ]
    assert [[share.body for share in term] for term in others] == [[1], [1]]


def test_numbers_are_told_apart() -> None:
    """UR5 has no symbol but g: c2² in M11 is the sum of what the links beyond the shoulder give."""
    shares = robot("ur5").equations().textbook().shares("M")
    entry = shares[0, 0]
    (term,) = (of for text, of in entry.rows() if text.endswith("*c2**2"))
    assert [shares.bodies[share.body] for share in term] == list(shares.bodies[1:])
    lengths = [Fraction("0.425") ** 2 * mass for mass in map(Fraction, ("2.275", "1.219", "1.219", "0.1879"))]
    assert [value for share in term for _, value in share.exact.terms()][1:] == lengths  # type: ignore[union-attr]


def test_symmetric_entries_are_one() -> None:
    shares = robot("puma560_akb").equations().textbook().shares("christoffel")
    assert shares[0, 1, 2] is shares[0, 2, 1]
    assert (0, 1, 2) in list(shares)
    assert (0, 2, 1) not in list(shares)
    assert len(robot("two_link").equations().textbook().shares("G")) == 2


@pytest.mark.parametrize("form", ["sums", "multiple-angle"])
def test_parts_are_rewritten_as_the_whole_is(form: str) -> None:
    """Only the sum of both parts has c2 c3 − s2 s3, which is c23: the parts have c23 and what cancels between them."""
    sums = robot("elbow_3r").equations().textbook(form).sums
    (c2, s2), (c3, s3) = map(sums.plain_ring.cos_sin, ("q2", "q3"))
    parts = [c2 * c3 * 2 + c3 + c2**2, -c2 * c3 - s2 * s3]
    group, way = shortest_form(sums, parts[0] + parts[1])
    assert len(group) == (3 if form == "sums" else 4)

    def joined(group: Grouped) -> Unreduced:
        terms = ((value.polynomial, sums.states.powers(state)) for state, value in group.items())
        return Unreduced.sum(sums.ring, terms)

    written = [joined(way(part)) for part in parts]
    assert [sums.back(part) for part in written] == parts
    assert written[0].poly + written[1].poly == joined(group).poly
    assert all("cos(q23)" in part.variables() for part in written)


def balanced() -> qddot.Robot:
    """The first link's counterweight holds the second link: of G1 nothing is left."""
    return qddot.from_dh(
        [{"theta": f"q{k}", "d": 0, "a": 2, "alpha": 0} for k in (1, 2)],
        [{"mass": 2, "com": [-3, 0, 0]}, {"mass": 1, "com": [-2, 0, 0]}],
        gravity=[0, "-g", 0],
    )


def test_what_cancels_between_links_is_shown() -> None:
    short = balanced().equations().textbook()
    entry = short.shares("G")[0]
    assert entry.terms == ()
    assert [(share.body, Text().write(share.value)) for share in entry.cancelling] == [(0, "-2*g*c1"), (1, "2*g*c1")]
    assert "  0\n    link1: -2*g*c1\n    link2: 2*g*c1" in str(short.shares("G"))
    assert_they_add_up(short, "G")


def slider(**joint: Any) -> Textbook:
    """A mass m slides up."""
    link = {"name": "cart", "mass": "m", "joint": {"type": "prismatic", "axis": [0, 0, 1], **joint}}
    data = {"convention": "tree", "symbols": {"m": 2, "k": 3, "l": 1, "J": 0.1, "c": 0.2, "f": 0.3}, "link": [link]}
    return qddot.Robot(robot_file.from_mapping(data, "slider")).equations().textbook()


def test_rotors_springs_and_friction_are_told_apart_from_links() -> None:
    short = slider(armature="J", damping="c", coulomb="f", spring={"stiffness": "k", "rest": "l"})
    assert_they_add_up(short, "tau")
    shares = short.shares("tau")
    assert {(share.body, share.source) for term in shares[0].terms for share in term} == {(0, of) for of in EFFECTS}
    assert "armature of cart: J*qdd1" in str(shares)
    assert "spring of cart: k*(-l + q1)" in str(shares)


def test_a_share_that_nothing_decides_has_no_value() -> None:
    """The spring's constant torque equals the weight: nobody can say which of them stands in which term."""
    short = slider(spring={"stiffness": "m*g", "rest": "1"})
    shares = short.shares("tau")
    terms = {text: [(share.source, share.value is None) for share in term] for text, term in shares[0].rows()}
    unknown = [("link", True), ("springs", True)]
    assert terms == {"m*qdd1": [("link", False)], "m*g*(-1 + q1)": unknown, "kappa1": unknown}
    assert "    spring of cart: …" in str(shares)


def test_shares_that_do_not_add_up_have_no_value() -> None:
    short = qddot.load("elbow_3r").equations().textbook()
    parts: Any = short.parts("M")
    for entries in parts.values():
        entries[0] = entries[0] * 2
    shares = short.shares("M")
    assert all(share.value is None for term in shares[0, 0].terms for share in term)
    assert all(share.value is not None for term in shares[1, 1].terms for share in term)


def test_digits_are_for_reading() -> None:
    short = robot("ur5").equations().textbook()
    rounded, whole = short.shares("M", digits=3)[0, 0], short.shares("M")[0, 0]
    assert next(text for text, _ in rounded.rows()) == "0.671"
    of_both = zip(rounded.terms, whole.terms, strict=True)
    assert all(str(a.exact) == str(b.exact) for both in of_both for a, b in zip(*both, strict=True))
    assert "    forearm_link: 0.411*c2**2" in str(short.shares("M", digits=3))


def test_bad_names_are_refused() -> None:
    short = robot("two_link").equations().textbook()
    with refusal(QddotError, "none-of-these", "shares-of", "'T'"):
        short.shares("T")
    with refusal(QddotError, "none-of-these", "shares-of"):
        short.shares(["M"])
    with refusal(QddotError, "entries-without-shares"):
        robot("puma560_1986").equations().textbook().shares("M")
    for place in ((0, 2), (0,), 0, "M12", (0, "1"), None):
        with pytest.raises(KeyError, match="no entry"):
            short.shares("M")[place]


def test_a_name_is_no_tag() -> None:
    model = robot("two_link").model
    first, second = model.bodies
    second = replace(second, joint=replace(second.joint, parent="<b>"))
    evil = replace(model, bodies=(replace(first, name="<b>"), second), tool_body="<b>")
    page = qddot.Robot(evil).equations().textbook().shares("M")._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_one_line_says_what_it_is() -> None:
    shares = robot("elbow_3r").equations().textbook().shares("h")
    assert repr(shares) == "<shares of 3 links in 3 entries of h>"
