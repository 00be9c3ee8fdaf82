"""Encloses the results of a closed chain's program over boxes of its free coordinates, on one branch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from qddot.base.errors import EvaluationError
from qddot.base.words.message import Listed
from qddot.machine.numeric.assembly import Assembly
from qddot.physics.independent import of_loops
from qddot.physics.systems import ClosedSystem
from qddot.proof.bounds import forms
from qddot.proof.bounds.cover import Cover
from qddot.proof.bounds.exact_programs import EquationNodes, ExactProgram
from qddot.proof.bounds.forms import Array, Form
from qddot.proof.bounds.region import Region, region_of
from qddot.proof.bounds.tubes import OPERATIONS, Closure, forms_in_tubes
from qddot.proof.bounds.walk import Enclosure, FormProgram, Walks, check_few


class ChainWalk:
    """Walks a program of a closed chain; the coordinates that follow from loops are those of a branch.

    cover: the branch over the region, or None for a chain without loops; free: the places in q of the region's
    coordinates, to which `coordinates` refers
    """

    def __init__(self, exact: ExactProgram, cover: Cover | None, free: list[int]) -> None:
        self._program = FormProgram(exact, OPERATIONS)
        self._cover = cover if cover and set(cover.closure.dependent) & set(exact.coordinates) else None
        used = {*exact.coordinates, *(self._cover.closure.free if self._cover else ())}
        self._free = [k for k in free if k in used]
        self.coordinates = [free.index(k) for k in self._free]
        # the places of the coordinates on which the loops depend, in this walk's boxes
        self._moving = np.array([self._free.index(k) for k in self._cover.closure.free] if self._cover else [], int)
        self.is_zero, self.turning = self._program.is_zero, False
        check_few(exact.program.name, len(self._free))

    def __call__(self, low: Array, high: Array) -> Enclosure:
        """Returns enclosures over boxes; those of a box that is not within one cell of the branch have no bounds.

        Its `hidden` is then the coordinate along which the tree of cells divides it.
        """
        cover, hidden = self._cover, np.zeros(low.shape)
        if cover is None:
            within = np.ones(len(low), bool)
        else:
            axes = cover.axis[cover.nodes(low[:, self._moving], high[:, self._moving])]
            within = axes < 0
            hidden[~within, self._moving[axes[~within]]] = 1.0
        entries = Enclosure.without_bounds(len(self._program.program.results), hidden)
        if within.any():
            low, high = low[within], high[within]
            with np.errstate(all="ignore"):
                q = self._forms(low, high)
                own = self._program.over([q[k] for k in self._program.coordinates], *low.shape[::-1])
            entries.put(within, own)
        return entries

    def _forms(self, low: Array, high: Array) -> dict[int, Form]:
        """Returns forms of all coordinates over boxes within cells, by their places in q."""
        q = {k: forms.coordinate(place, low, high) for place, k in enumerate(self._free)}
        if self._cover is not None:
            x, slopes, radius = self._cover.tube(low[:, self._moving], high[:, self._moving])
            wide = np.zeros((*x.shape, low.shape[1]))
            wide[:, :, self._moving] = slopes
            q |= forms_in_tubes(self._cover.closure.dependent, x, wide, radius)
        return q

    def at(self, points: Array) -> Array:
        """Returns the results in plain floats at points (points, coordinates), as (results, points)."""
        q = dict(zip(self._free, points.T, strict=True))
        if self._cover is not None:
            q |= dict(zip(self._cover.closure.dependent, self._cover.at(points[:, self._moving]).T, strict=True))
        columns = [q[k] for k in self._program.coordinates]
        return self._program.at(np.stack(columns, axis=1) if columns else np.zeros((len(points), 0)))


def on_branch(
    equations: EquationNodes, near: Assembly, limits: Mapping[str, Any] | None, until: float
) -> tuple[Region, Walks, dict[str, float]]:
    """Returns the region of a closed chain's free coordinates, what encloses programs over it on one branch, and which.

    The branch is told by the coordinates that follow from the loops in the middle of the region.

    A coordinate on which neither the equations nor the loops depend has no range, unless it is given one. The branch
    leads from a configuration to the region along one coordinate after the other.
    near: the configuration; limits: as in `region_of`; until: the time of `process_time` at which to stop
    raises QddotError: an impossible region, or a branch that ends in it or on the way
    """
    system = equations.system
    assert isinstance(system, ClosedSystem)
    names, free = system.tree.coordinates, of_loops(system.model, system.choice).independent
    closure = Closure(equations, system) if system.model.positional else None
    used = set(equations.program({"M": equations.M, "static": equations.static}).coordinates)
    used |= {*(closure.free if closure else ())}
    some = [k for k in free if k in used or names[k] in (limits or {})]
    region = region_of(system.tree, limits, [names[k] for k in some], system.rates)
    cover, middle = None, dict[str, float]()
    if closure:
        low, high = (np.array([end[some.index(k)] for k in closure.free]) for end in (region.low, region.high))
        cover = _covered(closure, near, low, high, until, partial(_ended, system, closure))
        x, _ = cover.proved((low + high) / 2)
        middle = {names[k]: float(value) for k, value in zip(closure.dependent, x, strict=True)}
    return region, lambda exact, _: ChainWalk(exact, cover, some), middle


def _covered(
    closure: Closure,
    near: Assembly,
    low: Array,
    high: Array,
    until: float,
    ended: Callable[[Array], EvaluationError],
) -> Cover:
    """Returns the branch over a box, which a configuration need not be in."""
    z, x, radius = near.q[closure.free], near.q[closure.dependent], near.radius
    for k, side in enumerate(np.clip(z, low, high)):
        if side != z[k]:
            ends = z.copy(), z.copy()
            ends[1][k] = side
            way = Cover(closure, np.minimum(*ends), np.maximum(*ends), (z, x, radius), until, ended)
            z, (x, radius) = ends[1], way.proved(ends[1])
    return Cover(closure, low, high, (z, x, radius), until, ended)


def _ended(system: ClosedSystem, closure: Closure, z: Array) -> EvaluationError:
    at = Listed(f"{system.tree.coordinates[k]} = {value:.5g}" for k, value in zip(closure.free, z, strict=True))
    return EvaluationError("branch-not-proved", where=system.name, at=at)
