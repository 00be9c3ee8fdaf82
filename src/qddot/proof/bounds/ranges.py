"""Proves the range of each entry of M and G over a region."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import process_time
from typing import Any, NamedTuple

from qddot.base.words.message import say
from qddot.proof.bounds import quantities
from qddot.proof.bounds.constants import MOST_SHARES, Bounded, row
from qddot.proof.bounds.exact_programs import EquationNodes
from qddot.proof.bounds.fourier_walk import walked
from qddot.proof.bounds.region import region_of
from qddot.proof.bounds.walk import Walk
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model


class Range(NamedTuple):
    """In the whole region an entry is between `low` and `high`; it is about `least` and `most` at some poses."""

    place: tuple[int, ...]
    low: float
    high: float
    least: float
    most: float


def ranges(model: Model, limits: Mapping[str, Any] | None, gap: float, seconds: float) -> dict[str, list[Range]]:
    """Returns the ranges of the entries of M on and below the diagonal, and of G, by "M" and "G".

    Arguments and errors are those of `bounds`.
    """
    refuse_several(model, say("a-proof-of-bounds"))
    region, until = region_of(model, limits), process_time() + seconds
    equations, n = EquationNodes(model), range(model.n)
    nodes: list[tuple[str, tuple[int, ...], Any]] = [
        *(("M", (i, j), equations.M[i][j]) for i in n for j in range(i + 1)),
        *(("G", (i,), equations.gravity[i]) for i in n),
    ]
    entries: dict[str, list[Range]] = {"M": [], "G": []}
    for k, (letter, place, node) in enumerate(nodes):
        share = (until - process_time()) / min(MOST_SHARES, len(nodes) - k) / 2
        walk = partial(_walk, equations, node)
        low, high = (
            row(Bounded(letter, letter, walk, quantities.SingleEntry(sign), sign), region, gap, process_time() + share)
            for sign in (-1.0, 1.0)
        )
        entries[letter].append(Range(place, low.proven, high.proven, low.found, high.found))
    return entries


def _walk(equations: EquationNodes, node: Any) -> Walk:
    return walked(equations.program({"entry": [node]}))
