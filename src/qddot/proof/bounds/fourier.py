"""Writes functions of angles as trigonometric sums with proven coefficients, and encloses these over boxes.

A function of degree D in each of d angles is fixed by its values at (2D + 1)^d evenly spread points. Forms of the exact
program at these points bound the coefficients' errors. Over a box, the sum is its tangent at the middle, the square
terms there, and a cubic remainder that the amplitudes bound. A term whose angle changes much in the box is bounded by
its amplitude alone.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.program.operations import CIRCULAR
from qddot.proof.bounds import forms
from qddot.proof.bounds.forms import MANY, TINY, UNIT, Array
from qddot.proof.bounds.walk import FORMS, ExactWalk

AT_ONCE = 2000
WIDE = 1.6  # rad; a term that turns by more from the middle of a box is bounded by its size alone


def degrees(walk: ExactWalk) -> list[int] | None:
    """Returns the largest degree of the results in each angle; None if one is not a polynomial in sines and cosines."""
    program, places = walk.program, {k: place for place, k in enumerate(walk.coordinates)}
    none = np.zeros(len(places), int)
    known: list[NDArray[np.int_] | None] = []
    for node in program.nodes:
        if node.op == "input":
            known.append(None if program.inputs[node.element[0]].name == "q" else none)
        elif node.op in CIRCULAR:
            angle = program.nodes[node.args[0]]
            is_angle = angle.op == "input" and program.inputs[angle.element[0]].name == "q"
            known.append(np.eye(len(places), dtype=int)[places[angle.element[1]]] if is_angle else None)
        else:
            parts = [known[place] for place in node.args]
            rows = np.array([none, *(part for part in parts if part is not None)])
            if any(part is None for part in parts) or (rows.any() and node.op not in FORMS):
                known.append(None)
            else:
                known.append(rows.sum(axis=0) if node.op == "mul" else rows.max(axis=0))
    results = [known[place] for place in program.results]
    if any(result is None for result in results):
        return None
    return [int(degree) for degree in np.array([none, *results]).max(axis=0)]


class TrigonometricSum:
    """Σ A cos ω·q + B sin ω·q, from which each result of a walk differs nowhere by more than `wrong`.

    frequencies: (terms, coordinates); A, B: (terms, results); wrong: (results,)
    """

    def __init__(self, frequencies: Array, A: Array, B: Array, wrong: Array | float) -> None:
        self.frequencies, self.A, self.B, self.wrong = frequencies, A, B, wrong
        self.amplitude = np.abs(A) + np.abs(B)
        self.size = np.hypot(A, B) * (1 + MANY)
        self._derivatives = self._table()

    @classmethod
    def of(cls, walk: ExactWalk, degree: list[int]) -> TrigonometricSum:
        """Returns a walk's results, whose degrees in the angles are known, as one trigonometric sum."""
        counts = [2 * each + 1 for each in degree]
        values, radius = _sampled(walk, counts)
        largest = np.abs(values).max(axis=0, initial=0.0)
        error = (radius + largest * (64 * (sum(counts) + 4) * UNIT) + TINY) * (1 + MANY)
        table = values.reshape(*counts, -1).astype(complex)
        for axis, count in enumerate(counts):
            table = np.moveaxis(np.tensordot(_transform(count), table, axes=(1, axis)), 0, axis)
        frequencies = np.array(
            list(product(*([*range(count // 2 + 1), *range(-(count // 2), 0)] for count in counts))), int
        )
        frequencies = frequencies.reshape(prod(counts), len(counts))
        coefficients = table.reshape(-1, values.shape[1])
        first = signs(frequencies) > 0
        alone = (frequencies == 0).all(axis=1)
        large = (np.abs(coefficients) > 8 * error).any(axis=1)
        dropped = (np.abs(coefficients) + error)[first & ~large].sum(axis=0)
        wrong = (len(coefficients) * error + 2 * dropped) * 2.0
        kept = first & large
        twice = np.where(alone[kept], 1.0, 2.0)[:, None]
        rows = frequencies[kept].astype(float).reshape(int(kept.sum()), len(counts))
        return cls(rows, twice * coefficients.real[kept], -twice * coefficients.imag[kept], wrong)

    def _table(self) -> Array:
        """Returns the matrix by which (cos ω·q, sin ω·q) become values, slopes and second derivatives."""
        w, A, B = self.frequencies, self.A, self.B
        pairs = combinations_with_replacement(range(w.shape[1]), 2)
        first = [np.concatenate([B * w[:, [k]], -A * w[:, [k]]]) for k in range(w.shape[1])]
        second = [-np.concatenate([A, B]) * np.tile(w[:, [k]] * w[:, [m]], (2, 1)) for k, m in pairs]
        return np.concatenate([np.concatenate([A, B]), *first, *second], axis=1)

    def enclosure(self, low: Array, high: Array) -> tuple[Array, Array, Array, Array]:
        """Returns centre and radius (results, boxes) and slopes (results, coordinates, boxes) over boxes.

        Also returns how much each coordinate may change the terms without slopes, (boxes, coordinates).
        """
        w, d = self.frequencies, low.shape[1]
        middle, half = forms.halves(low, high)
        turns = middle @ w.T
        reach = half @ np.abs(w).T  # of ω·q from the middle
        wide = reach > WIDE
        reach = np.where(wide, 0.0, reach)
        circular = np.concatenate([np.where(wide, 0.0, np.cos(turns)), np.where(wide, 0.0, np.sin(turns))], axis=1)
        table = circular @ self._derivatives
        table = table.reshape(len(low), -1, self.A.shape[1])
        centre = table[:, 0]
        slopes = half[:, :, None] * table[:, 1 : d + 1]
        second = np.zeros_like(centre)
        for place, (k, m) in enumerate(combinations_with_replacement(range(d), 2), start=d + 1):
            bend = (half[:, k] * half[:, m])[:, None] * table[:, place]
            if k == m:  # ½ ε² is ¼ ± ¼
                bend = bend / 4
                centre = centre + bend
            second = second + np.abs(bend)
        square = reach * reach
        third = (square * reach / 6) @ self.amplitude
        straight = (square / 2) @ self.amplitude
        spread = (np.abs(middle) @ np.abs(w).T).max(axis=1, initial=0.0)
        rounded = ((1 + reach + square) @ self.amplitude) * ((len(w) + 8 * d + 64 + 4 * spread) * 8 * UNIT)[:, None]
        radius = (np.minimum(second + third, 1.5 * straight) + wide @ self.size + rounded + self.wrong) * (1 + MANY)
        hidden = half * (wide @ (np.abs(w) * self.size.max(axis=1, initial=0.0)[:, None]))
        return centre.T, np.transpose(slopes, (2, 1, 0)), radius.T, hidden

    def at(self, points: Array) -> Array:
        """Returns the results in plain floats at points (points, coordinates), as (results, points)."""
        turns = points @ self.frequencies.T
        return (np.cos(turns) @ self.A + np.sin(turns) @ self.B).T


def signs(rows: Array) -> Array:
    """Returns the signs of the rows' first entries other than zero; 1 for rows of zeros."""
    first = (rows != 0).argmax(axis=1) if rows.shape[1] else np.zeros(len(rows), int)
    entries = rows[np.arange(len(rows)), first] if rows.shape[1] else np.zeros(len(rows))
    return np.where(entries < 0, -1.0, 1.0)


def _sampled(walk: ExactWalk, counts: list[int]) -> tuple[Array, Array]:
    """Returns the centres of the results at the points (points, results), and their largest radii."""
    angles = [2 * np.pi * np.arange(count) / count for count in counts]
    points = np.array(list(product(*angles)), float).reshape(prod(counts), len(counts))
    wide = 8 * UNIT * np.maximum(points, 1.0)
    parts = [slice(k, k + AT_ONCE) for k in range(0, len(points), AT_ONCE)]
    forms = [walk(points[part] - wide[part], points[part] + wide[part]) for part in parts]
    centre = np.concatenate([form.centre for form in forms], axis=1)
    reach = np.concatenate([form.radius + np.abs(form.slopes).sum(axis=1) for form in forms], axis=1)
    return centre.T, reach.max(axis=1) * (1 + MANY)


def _transform(count: int) -> Array:
    k = np.arange(count)
    turned: Array = np.exp(-2j * np.pi * ((k[:, None] * k) % count) / count) / count
    return turned
