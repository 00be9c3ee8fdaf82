"""Planar linkages at random, on bases that move, have the motions, M, bias, q̈ and forces of MuJoCo's numbers.

MuJoCo reads the same file. Its M, bias and rows of A enter the equations with multipliers, which NumPy solves.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

BENCH = Path(__file__).parents[3] / "bench"
MODULES = ("planar_linkages", "multipliers", "linkages", "timing")
LINKAGES = {  # what is compared, apart from the motions and the mobility
    ("four-bar", "a swing axis"): ("M", "bias", "q̈", "Aᵀλ", "τ"),
    ("slider-crank", "a slide"): ("M", "q̈"),
    ("five-bar", "two turning joints"): ("M",),
    ("Watt's six-bar", "a swing axis"): ("q̈",),
    ("Stephenson's six-bar", "a free body"): ("M",),
    ("six-bar with a slide", "a free body"): ("M",),
}


@pytest.fixture(scope="module")
def bench() -> Iterator[SimpleNamespace]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        module = importlib.import_module("planar_linkages")
        yield SimpleNamespace(**vars(module), drawn=importlib.import_module("linkages.random_planar").drawn)
    for name in [name for name in sys.modules if name.partition(".")[0] in MODULES]:
        del sys.modules[name]


@pytest.mark.parametrize(("kind", "base"), LINKAGES)
def test_a_linkage_moves_as_by_multipliers(kind: str, base: str, bench: SimpleNamespace, tmp_path: Path) -> None:
    linkage = bench.drawn(kind, base, 5)
    chain = bench.opened(linkage, tmp_path)
    assert chain.m == linkage.mobility
    (state,) = bench.states(chain, np.random.default_rng(5), 1)
    errors = bench.errors(chain, bench.Peer(linkage.mjcf()), state, ("q̇", *LINKAGES[kind, base]))
    assert errors.pop("closed") < 1e-13
    assert all(error < 1e-9 for error in errors.values()), errors  # that of MuJoCo's inertias is 1e-12
