"""Encloses the nodes of a program that depend on the positions alone, over one box, more tightly than intervals do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qddot.algebra.program.program import Program
from qddot.proof.bounds import forms
from qddot.proof.bounds.forms import Array, Form
from qddot.proof.bounds.functions import Interval
from qddot.proof.bounds.walk import FORMS

PARTS = 64  # most parts of a box


def position_ranges(
    program: Program, box: Sequence[Sequence[Interval]], coordinates: Sequence[int]
) -> Mapping[int, Interval]:
    """Returns the intervals of nodes that depend on the first input alone, by linear forms over parts of the box.

    coordinates: the elements of the first input along which the box is divided; if there are none, or too many for
        forms, no interval is returned
    """
    if not 0 < len(coordinates) <= forms.MOST_COORDINATES:
        return {}
    low, high = _parts([box[0][k] for k in coordinates])
    ranges: dict[int, Form] = {}
    for place, node in enumerate(program.nodes):
        if node.op == "input" and node.element[0] == 0:
            k = node.element[1]
            own = coordinates.index(k) if k in coordinates else None
            ranges[place] = _constant(*box[0][k], low) if own is None else forms.coordinate(own, low, high)
        elif node.op == "constant":
            ranges[place] = _constant(node.value, node.value, low)
        elif node.op in FORMS and ranges.keys() >= set(node.args):
            ranges[place] = FORMS[node.op](*(ranges[k] for k in node.args))
    return {place: (float(form.low.min()), float(form.high.max())) for place, form in ranges.items()}


def _constant(low: float, high: float, boxes: Array) -> Form:
    count, coordinates = boxes.shape
    return forms.constant(low, high, coordinates, count)


def _parts(sides: Sequence[Interval]) -> tuple[Array, Array]:
    """Returns the corners of the parts of a box, (parts, coordinates), whose sides are divided equally."""
    each = max(1, int(PARTS ** (1 / len(sides)) + 1e-9))
    edges = [np.linspace(low, high, each + 1) for low, high in sides]
    lows, highs = np.meshgrid(*(edge[:-1] for edge in edges)), np.meshgrid(*(edge[1:] for edge in edges))
    return np.stack([x.ravel() for x in lows], axis=1), np.stack([x.ravel() for x in highs], axis=1)
