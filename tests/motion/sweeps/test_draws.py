"""What is drawn: distributions have their quantiles, and a run's point depends on the seed and its index alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import qddot
from qddot.motion.sweeps import distributions
from qddot.motion.sweeps.designs import DRAWN, Design, Grid, Random

PARTS = np.array([0.001, 0.25, 0.5, 0.75, 0.999])


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (qddot.uniform(5, 15), stats.uniform(5, 10)),
        (qddot.uniform("-90deg", "pi/2"), stats.uniform(-math.pi / 2, math.pi)),
        (qddot.log_uniform(0.1, 10), stats.loguniform(0.1, 10)),
        (qddot.normal(3, 2), stats.norm(3, 2)),
        (qddot.normal(3, 2, 2, 7), stats.truncnorm(-0.5, 2, 3, 2)),
        (qddot.normal(3, 2, low=33), stats.truncnorm(15, np.inf, 3, 2)),
        (qddot.normal(3, 2, high=-27), stats.truncnorm(-np.inf, -15, 3, 2)),
    ],
)
def test_a_distribution_has_the_quantiles_that_scipy_says(mine: Any, theirs: Any) -> None:
    assert np.allclose(mine.values(PARTS), theirs.ppf(PARTS), rtol=1e-12)  # a few roundings


def test_a_choice_takes_each_value_equally_often() -> None:
    values = qddot.choice([1, 2, 5]).values((np.arange(300) + 0.5) / 300)
    assert np.array_equal(np.unique(values, return_counts=True)[1], [100, 100, 100])
    assert set(qddot.choice([2.5]).values((np.arange(3) + 0.5) / 3)) == {2.5}


@pytest.mark.parametrize("given", [qddot.uniform(1, 2), qddot.normal(0, 1, -1, 1), qddot.grid(0, 1, 3)])
def test_the_facts_of_a_distribution_read_as_the_same(given: Any) -> None:
    facts = {name: [numbers] if name == "grid" else numbers for name, numbers in given.facts.items()}
    assert distributions.from_mapping(facts, "x") == given


@pytest.mark.parametrize("name", DRAWN)
def test_any_part_of_a_design_has_the_points_of_the_whole(name: str) -> None:
    design: Design = DRAWN[name](64, 3, 7)
    whole = design.points(0, design.runs)
    assert whole.shape == (design.runs, 3)
    assert ((whole > 0) & (whole < 1)).all()
    for start, stop in ((0, 1), (5, 23), (design.runs - 3, design.runs)):
        assert np.array_equal(design.points(start, stop), whole[start:stop])
    assert not np.array_equal(DRAWN[name](64, 3, 8).points(0, 64), whole[:64])


def test_a_random_draw_depends_on_the_seed_and_the_index_alone() -> None:
    assert np.array_equal(Random(10, 2, 3).points(4, 9), Random(10**12, 2, 3).points(4, 9))


def test_random_points_are_uniform_and_independent() -> None:
    points = Random(20_000, 5, 1).points(0, 20_000)
    assert stats.kstest(points.ravel(), "uniform").pvalue > 1e-3
    assert np.abs(np.corrcoef(points.T) - np.eye(5)).max() < 0.04  # five standard errors are 0.035


def test_a_latin_hypercube_has_one_point_in_each_part() -> None:
    points = DRAWN["latin"](50, 4, 0).points(0, 50)
    assert all(sorted((column * 50).astype(int)) == list(range(50)) for column in points.T)


def test_a_saltelli_group_is_a_row_of_a_of_b_and_of_a_with_one_of_b() -> None:
    A, B, *mixed = DRAWN["saltelli"](8, 3, 0).points(5, 10)
    for j, row in enumerate(mixed):
        assert np.array_equal(row, np.where(np.arange(3) == j, B, A))


def test_a_grid_has_every_combination_once_the_last_changing_fastest() -> None:
    places = Grid((2, 3)).points(0, 6) * [2, 3]
    assert np.allclose(places, [[i + 0.5, j + 0.5] for i in range(2) for j in range(3)])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: qddot.uniform(2, 1), "a low end below"),
        (lambda: qddot.uniform(1, "banana"), "a finite number"),
        (lambda: qddot.uniform(float("nan"), 1), "a finite number"),
        (lambda: qddot.normal(1, 0), "above 0"),
        (lambda: qddot.normal(1, 1, 3, 2), "low end below"),
        (lambda: qddot.normal(1, 1, low=60), "ends between which there are values"),
        (lambda: qddot.log_uniform(0, 1), "above 0"),
        (lambda: qddot.choice([]), "values"),
        (lambda: qddot.grid(0, 1), "count"),
        (lambda: qddot.grid(0, 1, 1), "count"),
        (lambda: distributions.from_mapping({"unifrom": [1, 2]}, "m2"), "did you mean 'uniform'"),
        (lambda: distributions.from_mapping({"uniform": [1]}, "m2"), "list of its numbers"),
        (lambda: distributions.from_mapping({"uniform": 3}, "m2"), "list of its numbers"),
    ],
)
def test_what_is_no_distribution_is_refused(make: Any, says: str) -> None:
    with pytest.raises(qddot.QddotError, match=says):
        make()
