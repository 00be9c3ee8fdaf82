"""Mechanisms have as many independent coordinates as NumPy counts for closed configurations of the same file."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import qddot

BENCH = Path(__file__).parents[3] / "bench"
NAMES = (
    "slider_crank",
    "unicycle",
    "four-bar on a wrist",
    "robotiq_2f85 on a wrist",
    "palletizer, three parallelograms",
    "shaft with two universal joints and a spline",
    "RSSR",
    "ankle with two rods",
    "bicycle",
    "differential drive with a trailer",
    "skate that carries a four-bar",
    "differential drive and trailer, each on a plane",
    "plate on a table, pinned to two cranks",
    "Bennett's linkage on an axis that turns",
    "Goldberg's linkage of five hinges",
    "Bricard's linkage",
    "bar on 3 parallel cranks on a free body",
)


@pytest.fixture(scope="module")
def bench() -> Iterator[tuple[dict[str, Any], Any]]:
    """The mechanisms of the bench by name, and its count."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        mechanisms = {each.name: each for each in importlib.import_module("linkages").mechanisms()}
        yield mechanisms, importlib.import_module("twists").mobility
    for name in [name for name in sys.modules if name.partition(".")[0] in ("linkages", "twists")]:
        del sys.modules[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_mobility_is_that_of_closed_configurations(name: str, bench: Any, tmp_path: Path) -> None:
    mechanisms, mobility = bench
    file = tmp_path / "mechanism.toml"
    file.write_text(mechanisms[name].text, encoding="utf-8")
    counted = mobility(mechanisms[name].tables, mechanisms[name].guess, poses=2)
    chain = qddot.load_closed_chain(file)
    assert counted.gap > 1e6
    assert (chain.n, {chain.m}) == (counted.n, set(counted.m))


def test_a_bicycle_by_the_coordinates_of_its_literature_stands_upright(bench: Any, tmp_path: Path) -> None:
    """The loop alone leaves its heading free. Lying flat it would not, but there the wheels determine nothing."""
    file = tmp_path / "mechanism.toml"
    file.write_text(bench[0]["bicycle"].text, encoding="utf-8")
    chain = qddot.load_closed_chain(file, ("rear", "lean", "steer"))
    turned = {"path_2": 0.5, "steer": 0.1}  # one that Newton's method must close in frame, spoke and patch
    q = chain.assemble(turned).q
    assert abs(chain.closure(q)[0]).max() < 1e-12
    assert [q[chain.tree.model.coordinates.index(name)] for name in turned] == list(turned.values())
