"""The numbers of DOP853 and Radau IIA meet the order conditions of rooted trees, and are those that SciPy has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
import pytest
from scipy.integrate._ivp import dop853_coefficients as tables
from scipy.integrate._ivp import radau as theirs

from qddot.machine.compilers.llvm.runge_kutta import dop853_numbers, dormand_prince, radau_iia
from qddot.machine.compilers.llvm.runge_kutta.dop853_numbers import STAGES, TERMS

Tree: TypeAlias = tuple[Any, ...]  # the trees that grow from a root
DECIMALS = Fraction(1, 10**22)  # what is left of thirty digits after sums of products with numbers of up to 400
TABLES = (dop853_numbers.SLOPES, dop853_numbers.FIFTH, dop853_numbers.THIRD, dop853_numbers.TERMS_BEYOND_THREE)
SLOPES, (FIFTH,), (THIRD,), DENSE = (dop853_numbers.rows(table, Fraction) for table in TABLES)
SLOPES.insert(0, {})


def trees(order: int) -> Iterator[Tree]:
    """Yields each rooted tree with so many vertices once."""
    for sizes in partitions(order - 1):
        groups = [combinations_with_replacement([*trees(size)], sizes.count(size)) for size in sorted(set(sizes))]
        yield from joined(groups)


def partitions(total: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    if not total:
        yield ()
    for first in range(min(total, most or total), 0, -1):
        yield from ((first, *rest) for rest in partitions(total - first, first))


def joined(groups: Sequence[Any]) -> Iterator[Tree]:
    if not groups:
        yield ()
        return
    rest = [*joined(groups[1:])]
    yield from ((*first, *others) for first in groups[0] for others in rest)


@cache
def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree))


@cache
def density(tree: Tree) -> int:
    return size(tree) * math.prod(map(density, tree))


@cache
def stage_weights(tree: Tree) -> list[Fraction]:
    """Returns a tree's elementary weight at each stage: the product of Σ a_sj Φ_j over what grows from its root."""
    products = [Fraction(1)] * len(SLOPES)
    for branch in tree:
        below = stage_weights(branch)
        products = [total * weighted(row, below) for total, row in zip(products, SLOPES, strict=True)]
    return products


def weighted(row: Mapping[int, Fraction], values: Sequence[Fraction]) -> Fraction:
    return sum((weight * values[k] for k, weight in row.items()), Fraction())


def test_there_are_as_many_trees_as_butcher_counts() -> None:
    assert [len(set(trees(order))) for order in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


@pytest.mark.parametrize("order", range(1, 9))
def test_the_step_has_order_eight(order: int) -> None:
    for tree in trees(order):
        assert abs(weighted(SLOPES[STAGES], stage_weights(tree)) - Fraction(1, density(tree))) < DECIMALS


def test_the_estimates_see_errors_of_orders_five_and_three() -> None:
    for estimate, right in ((FIFTH, 5), (error_of_third(), 3)):
        for order in range(1, 9):
            sums = [abs(weighted(estimate, stage_weights(tree))) for tree in trees(order)]
            assert (max(sums) < DECIMALS) == (order <= right)


def error_of_third() -> dict[int, Fraction]:
    return {k: weight - THIRD.get(k, 0) for k, weight in SLOPES[STAGES].items()}


@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(1, 2), Fraction(7, 8), Fraction(1)])
def test_the_dense_output_has_order_seven(share: Fraction) -> None:
    """Its terms as `DormandPrince.prepare` and `within` write them."""
    end = SLOPES[STAGES]
    for tree in (tree for order in range(1, TERMS + 1) for tree in trees(order)):
        slopes = stage_weights(tree)
        change = weighted(end, slopes)
        terms = [change, slopes[0] - change, 2 * change - slopes[0] - slopes[STAGES]]
        terms += [weighted(row, slopes) for row in DENSE]
        total = Fraction()
        for row in reversed(range(TERMS)):
            total = (total + terms[row]) * (1 - share if row % 2 else share)
        assert abs(total - share ** size(tree) / density(tree)) < DECIMALS


def test_each_stage_of_dop853_is_at_its_time() -> None:
    nodes = [Fraction(node) for node in dop853_numbers.NODES.split()]
    for row, node in zip(SLOPES, nodes, strict=True):
        assert abs(sum(row.values(), Fraction()) - node) < Fraction(1, 10**28)


def test_radau_is_the_collocation_at_its_nodes() -> None:
    """Σ a_sj c_jᵏ = c_sᵏ⁺¹/(k + 1) for k < 3, of order five, and T⁻¹ A⁻¹ T is of blocks."""
    c, T, inverse = (np.array(x) for x in (radau_iia.NODES, radau_iia.T, radau_iia.INVERSE_OF_T))
    a, b = radau_iia.ALPHA, -radau_iia.MINUS_BETA
    A = np.linalg.inv(T @ np.array([[radau_iia.GAMMA, 0, 0], [0, a, b], [0, -b, a]]) @ inverse)
    powers = np.arange(3)
    np.testing.assert_allclose(A @ c[:, None] ** powers, c[:, None] ** (powers + 1) / (powers + 1), atol=1e-14)
    np.testing.assert_allclose([A[-1] @ c**k for k in range(5)], 1 / np.arange(1, 6), atol=1e-14)
    np.testing.assert_allclose(T @ inverse, np.eye(3), atol=1e-14)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.7, 1.0])
def test_radaus_dense_output_goes_through_the_stages(share: float) -> None:
    """The values of any cubic that begins at zero give it back."""
    c = np.array(radau_iia.NODES)
    for power in (1, 2, 3):
        terms = np.array(radau_iia.DENSE) @ c**power
        assert abs(terms @ share ** np.arange(1, 4) - share**power) < 1e-14


def test_the_numbers_are_scipys() -> None:
    assert list(tables.C) == dormand_prince.NODES
    pairs = [
        *zip(dormand_prince.SLOPES, tables.A, strict=True),
        *zip(dormand_prince.DENSE, tables.D, strict=True),
        *zip(dormand_prince.ERRORS, (tables.E5, tables.E3), strict=True),
    ]
    for row, whole in pairs:
        assert row == {k: weight for k, weight in enumerate(whole) if weight}
    assert radau_iia.MINUS_BETA == theirs.MU_COMPLEX.imag
    arrays: list[tuple[Any, Any]] = [
        (radau_iia.NODES, theirs.C),
        (radau_iia.T, theirs.T),
        (radau_iia.INVERSE_OF_T, theirs.TI),
        (radau_iia.ERROR, theirs.E),
        (radau_iia.DENSE, theirs.P.T),
        ((radau_iia.GAMMA, radau_iia.ALPHA), (theirs.MU_REAL, theirs.MU_COMPLEX.real)),
    ]
    for own, other in arrays:
        assert (np.array(own) == other).all()
