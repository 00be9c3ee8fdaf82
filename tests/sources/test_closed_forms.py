"""Closed forms printed in the literature, as corrected, are proved equal symbol by symbol.

Signs and errata: docs/evidence/validation.md. c12 stands for cos(q1 + q2), written out here by the addition
theorem; each expected form is text that the project's own parser reads.
"""

from __future__ import annotations

from itertools import product

import pytest

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities

C12, S12 = "(c1*c2 - s1*s2)", "(s1*c2 + c1*s2)"
C23, S23 = "(c2*c3 - s2*s3)", "(s2*c3 + c2*s3)"


def printed(eq: Quantities, text: str) -> Polynomial:
    """A printed formula with c1, s1, qd1 … as a polynomial of the equations' ring."""
    ring, value = eq.ring, expression(text)
    names: dict[str, Polynomial] = {}
    for coordinate in ring.coordinates:
        k = coordinate[-1]
        if coordinate in ring.turning.coordinates:
            names[f"c{k}"], names[f"s{k}"] = ring.cos_sin(coordinate)
            if coordinate == "theta":
                names["c"], names["s"] = ring.cos_sin(coordinate)
        else:
            names[coordinate] = ring.coordinate(coordinate)
        stem, index = (coordinate[:-1], k) if k.isdigit() else (coordinate, "")
        names[f"{stem}d{index}"] = ring.rate(coordinate)
        names[f"{stem}dd{index}"] = ring.acceleration(coordinate)
    for symbol in ring.symbols:
        names[symbol] = ring.symbol(symbol)

    class Printed:
        rational = staticmethod(ring.rational)
        symbol = staticmethod(names.__getitem__)

    return ring.convert(Expression(value.terms).evaluate(Printed()))


def proved(eq: Quantities, array: ExactArray, expected: dict[tuple[int, ...], str], rest: str = "0") -> None:
    """Entries from 1 as printed; all that is not listed is `rest`."""
    for place in product(*(range(size) for size in array.shape)):
        text = expected.get(tuple(k + 1 for k in place), rest)
        assert array[place].entries[0] == printed(eq, text), f"{array.name}{place}: {array[place]} is not {text}"


def equations(name: str) -> Quantities:
    return qddot.load(name).equations().quantities


def test_one_link() -> None:
    """τ = m l² θ̈ + m g l c1; the slides print −9.8 m l c1."""
    eq = equations("one_link")
    proved(eq, eq.tau, {(1,): "m*l**2*qdd1 + m*g*l*c1"})


def test_two_link_exercise() -> None:
    eq = equations("two_link")
    proved(
        eq,
        eq.M,
        {
            (1, 1): "m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*c2",
            (1, 2): "m2*l**2/3 + m2*l**2*c2/2",
            (2, 1): "m2*l**2/3 + m2*l**2*c2/2",
            (2, 2): "m2*l**2/3",
        },
    )
    proved(eq, eq.h, {(1,): "-m2*l**2*s2*(qd1*qd2 + qd2**2/2)", (2,): "m2*l**2*s2*qd1**2/2"})
    proved(
        eq,
        eq.G,
        {(1,): f"m1*g*l*c1/2 + m2*g*l*{C12}/2 + m2*g*l*c1", (2,): f"m2*g*l*{C12}/2"},
    )


def test_slider() -> None:
    eq = equations("slider")
    assert str(eq.tau) == "tau1 = m*xdd"
    assert str(eq.P) == "P = m*g*h"


def test_planar_2r() -> None:
    eq = equations("planar_2r")
    m12 = "I2zz + m2*(l2**2/4 + l1*l2*c2/2)"
    proved(
        eq,
        eq.M,
        {
            (1, 1): "I1zz + I2zz + m1*l1**2/4 + m2*(l1**2 + l2**2/4 + l1*l2*c2)",
            (1, 2): m12,
            (2, 1): m12,
            (2, 2): "I2zz + m2*l2**2/4",
        },
    )
    proved(eq, eq.h, {(1,): "-m2*l1*l2*s2*(qd1*qd2 + qd2**2/2)", (2,): "m2*l1*l2*s2*qd1**2/2"})
    proved(eq, eq.G, {(1,): f"g*((m1/2 + m2)*l1*c1 + m2*l2*{C12}/2)", (2,): f"m2*g*l2*{C12}/2"})


def test_spatial_2r() -> None:
    """With cos 2θ and sin 2θ written out; the rest of D, B and C is zero."""
    eq = equations("spatial_2r")
    b1 = "(-m2*L**2*s2 - (2*Ia + m2*L**2)*2*s2*c2/4)"
    proved(
        eq,
        eq.M,
        {
            (1, 1): "Ia + m1*L**2/4 + (6*Ia + 9*m2*L**2 + 8*m2*L**2*c2 + (2*Ia + m2*L**2)*(2*c2**2 - 1))/8",
            (2, 2): "Ia + m2*L**2/4",
        },
    )
    proved(eq, eq.B, {(1, 1): b1})
    proved(eq, eq.C2, {(2, 1): f"-{b1}/2"})
    proved(eq, eq.G, {(1,): "L*g*s1*(m1/2 + m2 + m2*c2/2)", (2,): "L*g*m2*c1*s2/2"})


def test_spatial_2r_as_printed_is_m_times_Ia() -> None:
    eq = equations("spatial_2r")
    with_equal_masses = eq.M.subs(m1="m2", Ia="m2*Ia")
    expected = printed(eq, "m2*(Ia + L**2/4) + m2*(6*Ia + 9*L**2 + 8*L**2*c2 + (2*Ia + L**2)*(2*c2**2 - 1))/8")
    assert with_equal_masses[0, 0].entries[0] == expected


def test_spherical_pendulum() -> None:
    eq = equations("spherical_pendulum")
    proved(
        eq,
        eq.tau,
        {
            (1,): "m*l**2*thetadd - m*l**2*s*c*phid**2 + m*g*l*s",
            (2,): "m*l**2*s**2*phidd + 2*m*l**2*s*c*thetad*phid",
        },
    )


def test_cart_pole() -> None:
    eq = equations("cart_pole")
    proved(
        eq,
        eq.tau,
        {
            (1,): "(mc + mp)*xdd + mp*l*thetadd*c - mp*l*thetad**2*s",
            (2,): "mp*l*xdd*c + mp*l**2*thetadd + mp*g*l*s",
        },
    )


def test_furuta_pendulum() -> None:
    eq = equations("furuta_pendulum")
    arm, pendulum = "(J1 + m1*l1**2 + m2*L1**2)", "(J2 + m2*l2**2)"
    proved(
        eq,
        eq.tau,
        {
            (1,): f"({arm} + {pendulum}*s2**2)*thetadd1 + m2*L1*l2*c2*thetadd2 - m2*L1*l2*s2*thetad2**2"
            f" + 2*{pendulum}*s2*c2*thetad1*thetad2",
            (2,): f"m2*L1*l2*c2*thetadd1 + {pendulum}*thetadd2 - {pendulum}*s2*c2*thetad1**2 + g*m2*l2*s2",
        },
    )


@pytest.mark.parametrize("name", ["acrobot", "pendubot"])
def test_acrobot_and_pendubot(name: str) -> None:
    """Spong, The swing up control problem for the acrobot, 1995: d11 … d22, h1, h2, phi1 and phi2."""
    eq = equations(name)
    coupled, own, outer = "m2*l1*lc2", "(m1*lc1**2 + m2*l1**2 + I1)", "(m2*lc2**2 + I2)"
    proved(
        eq,
        eq.tau,
        {
            (1,): f"({own} + {outer} + 2*{coupled}*c2)*qdd1 + ({outer} + {coupled}*c2)*qdd2"
            f" - {coupled}*s2*(2*qd1*qd2 + qd2**2) + g*((m1*lc1 + m2*l1)*c1 + m2*lc2*(c1*c2 - s1*s2))",
            (2,): f"({outer} + {coupled}*c2)*qdd1 + {outer}*qdd2 + {coupled}*s2*qd1**2 + g*m2*lc2*(c1*c2 - s1*s2)",
        },
    )


def test_elbow_3r() -> None:
    eq = equations("elbow_3r")
    A, Q = f"(l1*c2 + r2*{C23})", f"(l1*s2 + r2*{S23})"
    m23 = "Ix3 + m3*r2**2 + m3*l1*r2*c3"
    proved(
        eq,
        eq.M,
        {
            (1, 1): f"Iy2*s2**2 + Iy3*{S23}**2 + Iz1 + Iz2*c2**2 + Iz3*{C23}**2 + m2*r1**2*c2**2 + m3*{A}**2",
            (2, 2): "Ix2 + Ix3 + m3*l1**2 + m2*r1**2 + m3*r2**2 + 2*m3*l1*r2*c3",
            (2, 3): m23,
            (3, 2): m23,
            (3, 3): "Ix3 + m3*r2**2",
        },
    )
    g112 = f"((Iy2 - Iz2 - m2*r1**2)*c2*s2 + (Iy3 - Iz3)*{C23}*{S23} - m3*{A}*{Q})"
    g113 = f"((Iy3 - Iz3)*{C23}*{S23} - m3*r2*{S23}*{A})"
    g223 = "(-l1*m3*r2*s3)"
    proved(
        eq,
        eq.christoffel,
        {
            (1, 1, 2): g112,
            (1, 2, 1): g112,
            (2, 1, 1): f"-{g112}",
            (1, 1, 3): g113,
            (1, 3, 1): g113,
            (3, 1, 1): f"-{g113}",
            (2, 2, 3): g223,
            (2, 3, 2): g223,
            (2, 3, 3): g223,
            (3, 2, 2): f"-{g223}",
        },
    )
    proved(
        eq,
        eq.G,
        {(2,): f"-(m2*r1 + m3*l1)*g*c2 - m3*g*r2*{C23}", (3,): f"-m3*g*r2*{C23}"},
    )


def test_rp() -> None:
    eq = equations("rp")
    proved(eq, eq.M, {(1, 1): "m1*l1**2 + Izz1 + m2*d2**2 + Izz2", (2, 2): "m2"})
    proved(eq, eq.B, {(1, 1): "2*m2*d2"})
    proved(eq, eq.C2, {(2, 1): "-m2*d2"})
    proved(eq, eq.G, {(1,): "(m1*l1 + m2*d2)*g*c1", (2,): "m2*g*s1"})


@pytest.mark.parametrize("route", ["dh4x4"])
def test_second_derivative_has_the_square_of_q(route: str) -> None:
    """U_333 = T_2 Q3² T_3; the slides print T_2 Q3 T_3 with Q3 once too few."""
    eq = qddot.load("elbow_3r").equations(route).quantities
    for i, j in product(range(3), repeat=2):
        second = eq.steps["U_ijk"][2, 2, 2][i, j]
        assert second == eq.steps["U"][2, 2][i, j].diff("q3")


def test_the_1986_constants_from_the_link_table() -> None:
    """Constants of the published model that appear alone in an entry of M or G come out as printed there."""
    eq = equations("puma560_akb")
    assert eq.M[5, 5].entries[0] == printed_akb(eq, "Jm6 + Izz6")
    assert eq.M[4, 4].entries[0] == printed_akb(eq, "Jm5 + Izz5 + Ixx6 + m6*rz6**2")
    ring = eq.ring
    c5, s4, s5 = ring.cos_sin("q5")[0], ring.cos_sin("q4")[1], ring.cos_sin("q5")[1]
    assert eq.M[3, 5].entries[0] == ring.symbol("Izz6") * c5
    assert eq.M[2, 5].entries[0] == ring.symbol("Izz6") * s4 * s5


def printed_akb(eq: Quantities, text: str) -> Polynomial:
    return printed(eq, text)
