"""What is written of single entries in names, such as U313 = Q1 T2 Q3 A3, holds in numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.algebra.expressions.names import rate_name
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.equations.quantity_table import record_of
from qddot.exact.printing.tree import Chain, Product, Sum
from qddot.faces.equations_of_motion import EquationsOfMotion

ARMATURE = 0.2  # times the number of the joint
GRAVITY = [0.7, -1.3, -9.6]
TENSOR = {"about": "com", "xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.02, "xz": -0.03, "yz": 0.01}
LINKS = [
    {"mass": 3 - 0.4 * k, "com": [0.1 * k, -0.2, 0.05], "inertia": TENSOR, "joint": {"armature": ARMATURE * (k + 1)}}
    for k in range(3)
]
MOMENTS = [
    {"mass": "m1", "first_moment": [0.1, "h", 0], "inertia": {"about": "origin", "xx": 0.3, "yy": 0.4, "zz": 0.5}},
    {"mass": "m2", "first_moment": [0.2, 0, "h"], "inertia": {"about": "origin", "xx": 0.3, "yy": 0.4, "zz": 0.5}},
]
ARMS: dict[str, Callable[[], qddot.Robot]] = {
    "PUMA of three links": lambda: qddot.from_dh(
        [
            {"theta": "q1", "d": 0, "a": 0, "alpha": "-90deg"},
            {"theta": "q2", "d": -0.14909, "a": 0.4318, "alpha": 0},
            {"theta": "q3", "d": 0, "a": -0.02032, "alpha": "90deg"},
        ],
        LINKS,
        gravity=GRAVITY,
    ),
    "sliding": lambda: qddot.from_mdh(
        [
            {"alpha": 0, "a": 0.1, "d": 0.2, "theta": "q1"},
            {"alpha": "90deg", "a": 0.3, "d": "q2", "theta": 0},
            {"alpha": "-90deg", "a": 0, "d": "q3", "theta": 0},
        ],
        LINKS,
        gravity=GRAVITY,
    ),
    "first moments": lambda: qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": 0.5, "alpha": "90deg"}, {"theta": "q2", "d": 0.1, "a": 0.4, "alpha": 0}],
        MOMENTS,
        gravity=GRAVITY,
        symbols={"m1": 2, "m2": 1, "h": 0.15},
    ),
}


class InNumbers:
    """The values of names at one state of an arm, by the names under which the library prints them."""

    def __init__(self, eq: EquationsOfMotion) -> None:
        self.eq, draw = eq, np.random.default_rng(3).uniform
        self.rates = dict(zip(map(rate_name, eq.model.coordinates), draw(-1, 1, eq.n), strict=True))
        self.at = eq.at(draw(-1, 1, eq.n), list(self.rates.values()), draw(-1, 1, eq.n))

    def sum(self, total: Sum) -> Any:
        return sum(self._product(term) for term in total.products)

    def _product(self, term: Product) -> Any:
        value: Any = float(term.number)
        for base, exponent in term.factors:
            value = value * (self._chain(base) if isinstance(base, Chain) else self.named(base)) ** exponent
        return value

    def _chain(self, chain: Chain) -> Any:
        value = reduce(np.dot, map(self.named, chain.factors))
        return np.trace(value) if chain.traced else value

    def named(self, name: Any) -> Any:
        text = name.text.removesuffix("ᵀ")
        value = self.rates.get(text, {"g_0": [*GRAVITY, 0], "u": [0, 0, 0, 1]}.get(text))
        if value is None and (read := re.fullmatch(r"(m|r_c)(\d)", text)):
            last = self.at["pseudo_inertia"][int(read[2]) - 1][:, 3]
            value = last[3] if read[1] == "m" else last / last[3]
        if value is None and text.startswith("M_r"):
            value = ARMATURE * int(text[-1])
        if value is None:
            part = self.eq.array(text)
            value = self.at[part.name][part.place]
        return np.transpose(value) if name.above == "T" else value


def parts(eq: EquationsOfMotion, name: str) -> Iterator[ExactArray]:
    """Yields all matrices of links, and all entries, of a quantity."""
    array = eq.array(name)
    for outer in dict.fromkeys(place[: len(place) - matrix_axes(name)] for place in array.places):
        yield array.part(outer)  # type: ignore[misc]
    if matrix_axes(name):
        yield from (array.part(place) for place in array.places)  # type: ignore[misc]


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("route", ["dh4x4", "com_jacobian", "composite", "screw"])
def test_laws_of_entries_hold(name: str, route: str) -> None:
    eq = ARMS[name]().equations(route)
    numbers, told = InNumbers(eq), 0
    for quantity in eq.quantities.names:
        if route not in (record_of(quantity).laws or {}):
            continue
        for part in parts(eq, quantity):
            law, value = eq.quantities.law_of(part), numbers.at[quantity][part.place]
            if law is None:
                assert part.ndim != matrix_axes(quantity) or not np.any(value), part
                continue
            assert law.left == part.symbol
            written = np.reshape(numbers.sum(law.right), -1)[: np.size(value)].reshape(np.shape(value))
            assert np.allclose(written, value, rtol=1e-10, atol=1e-10), law
            told += 1
    assert told


def test_laws_are_written_as_in_books() -> None:
    eq = qddot.load("elbow_3r").equations("dh4x4")
    laws = {
        "U31": "Q1 T3",
        "U22": "T1 Q2 A2",
        "U32": "T1 Q2 A2 A3",
        "U313": "Q1 T2 Q3 A3",
        "U331": "Q1 T2 Q3 A3",
        "U333": "T2 Q3 Q3 A3",
        "M12": "Tr(U22 Jbar2 U21ᵀ) + Tr(U32 Jbar3 U31ᵀ)",
        "M33": "Tr(U33 Jbar3 U33ᵀ)",
        "h112": "Tr(U212 Jbar2 U21ᵀ) + Tr(U312 Jbar3 U31ᵀ)",
        "G2": "-m2 g_0ᵀ U22 r_c2 - m3 g_0ᵀ U32 r_c3",
        "P3": "-m3 g_0ᵀ T3 r_c3",
        "Td2": "U21*qd1 + U22*qd2",
        "dp_c2": "Td2 r_c2",
    }
    for name, law in laws.items():
        assert eq.text(name).startswith(f"{name} = {law}\n"), name
    assert eq.text("U12") == "U12 = 0"
    assert "Tr(" not in eq.text(["M", "U", "G"])


def test_joints_that_share_a_coordinate_have_no_products_of_q() -> None:
    text = """
name = "coupled"
convention = "tree"
[[link]]
name = "a"
parent = "base"
mass = 1
com = [1, 0, 0]
joint = { type = "revolute", axis = [0, 0, 1], coordinate = "q1" }
[[link]]
name = "b"
parent = "a"
mass = 1
com = [1, 0, 0]
joint = { type = "revolute", axis = [0, 0, 1], xyz = [1, 0, 0], coordinate = "q1", ratio = 2 }
"""
    eq = qddot.loads(text).equations("dh4x4")
    assert "Q" not in eq.text("U21")
    assert eq.text("M11").startswith("M11 = Tr(U11 Jbar1 U11ᵀ) + Tr(U21 Jbar2 U21ᵀ)\n")
    numbers = InNumbers(eq)
    for name in ("M11", "Td2", "K2"):
        part = eq.array(name)
        law = eq.quantities.law_of(part)
        assert law is not None
        assert np.allclose(numbers.sum(law.right), numbers.at[part.name][part.place])
