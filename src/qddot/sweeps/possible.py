"""Finds runs with physically impossible parameters: negative masses, friction or armature, or inertias of no body.

The rules are those of `qddot.model.validity`, here in floats for many runs at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from qddot.expressions.expression import Expression, evaluator
from qddot.model.bodies import Body
from qddot.model.model import Model
from qddot.model.validity import FROM_THE_ORIGIN, ROUNDING
from qddot.numbers.nodes import GraphNumbers
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.spatial import Inertia, Vec3

ENTRIES = 13  # of a body: its mass, its joint's least coefficient, 10 of the pseudo-inertia, the largest of the tensor
UPPER = [(i, k) for i in range(4) for k in range(i, 4)]


@dataclass(frozen=True)
class Bodies:
    """These are the bodies with drawn numbers, and the program of what decides if they are possible."""

    names: tuple[str, ...]
    program: Program

    def problems(self, entries: Any) -> Any:
        """Returns the impossible body of each run, (N,): 0 for none, k + 1 for the k-th body.

        entries: the program's results, (N, bodies, ENTRIES)
        """
        bad = np.zeros(len(entries), np.int16)
        for k in reversed(range(len(self.names))):
            bad[~_is_possible(entries[:, k])] = k + 1
        return bad


def drawn_bodies(model: Model, values: Mapping[str, float], free: Sequence[str], parameters: int) -> Bodies | None:
    """Returns the bodies that depend on free symbols, the first of the parameters; None where none does."""
    drawn = [body for body in model.bodies if _symbols(body) & set(free)]
    if not drawn:
        return None
    graph = Graph()
    nodes = graph.input("parameters", (parameters,))
    number = evaluator(GraphNumbers(graph, {**values, **dict(zip(free, nodes, strict=False))}, {}))
    rows = [_entries(body, number) for body in drawn]
    return Bodies(tuple(body.name for body in drawn), graph.program("bodies", {"entries": rows}))


def _symbols(body: Body) -> set[str]:
    parts = (*body.inertia.I, *body.inertia.h, body.inertia.m, *(body.com or ()), *_coefficients(body))
    return set().union(*(part.symbols() for part in parts if isinstance(part, Expression)))


def _coefficients(body: Body) -> list[Expression]:
    """Returns the coefficients of friction and armature in a body's joint, which must not be negative."""
    return [getattr(effect, name) for effect in body.joint.effects for name in effect.not_negative]


def _entries(body: Body, number: Any) -> list[Any]:
    """Returns the mass, the joint's least coefficient, the upper entries of the pseudo-inertia, and the tensor's size.

    The size is that of the largest entry about the origin.
    With a known centre of mass the pseudo-inertia is about it. Of partial inertias only the mass is judged.
    """
    inertia: Any = body.inertia.map(number)
    least: Any = 0.0
    for coefficient in _coefficients(body):
        least = _smaller(least, number(coefficient))
    if body.partial_inertia:
        return [inertia.m, least, *[0.0] * (ENTRIES - 2)]
    about: Any = inertia
    if body.com is not None:
        about = Inertia(0, Vec3.zero(), inertia.central_tensor(body.com.map(number)))
    J = about.pseudo()
    size: Any = 0.0
    for entry in inertia.I:
        size = _larger(size, _larger(entry, -entry))
    return [inertia.m, least, *(J[i][k] for i, k in UPPER), size]


def _smaller(a: Any, b: Any) -> Any:
    return -_larger(-a, -b)


def _larger(a: Any, b: Any) -> Any:
    if hasattr(a, "extreme"):
        return a.extreme("maximum", b)
    return b.extreme("maximum", a) if hasattr(b, "extreme") else max(a, b)


def _is_possible(entries: Any) -> Any:
    """Returns in which runs a body and its joint are physically possible, (N,)."""
    J = np.zeros((len(entries), 4, 4))
    for place, (i, k) in enumerate(UPPER, 2):
        J[:, i, k] = J[:, k, i] = entries[:, place]
    mass = J[:, 3, 3, None, None]
    first = J[:, :3, 3]
    with np.errstate(all="ignore"):
        central = J[:, :3, :3] - np.where(mass != 0, first[:, :, None] * first[:, None, :] / mass, 0.0)
        scale = np.maximum(np.abs(central).max((1, 2)), float(FROM_THE_ORIGIN) * entries[:, -1])
        scaled = central / np.where(scale > 0, scale, 1.0)[:, None, None]
        minors = [
            np.linalg.det(scaled[:, keep][:, :, keep])
            for size in (1, 2, 3)
            for keep in map(list, combinations(range(3), size))
        ]
    return (entries[:, :2] >= 0).all(1) & (np.array(minors) >= -ROUNDING).all(0) & np.isfinite(entries).all(1)
