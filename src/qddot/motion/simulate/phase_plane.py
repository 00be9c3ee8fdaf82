"""The phase plane of one coordinate: its field (q̇, q̈), where the arm rests, and the kind of each equilibrium.

Sources: Strogatz, *Nonlinear Dynamics and Chaos*, 2nd ed., 2015, §5.2 (kinds by eigenvalues) and §6.6 (reversible
systems, whose linear centres are centres).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import pi
from typing import Any

import numpy as np

from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.machine.compilers.batch import compiled
from qddot.machine.tracing.choice import PLAIN
from qddot.motion.simulate.plant import Plant, PlantState
from qddot.motion.simulate.setup import Setup

CELLS = 4000  # in which a root is looked for by a change of sign
HALVINGS = 60
SLOW = 1e-9  # a rate that is as good as rest [rad/s or m/s]
SMALL = 1e-9  # relative to the largest acceleration at rest, or to its largest slope


@record()
class Equilibrium:
    """Here the arm stays at rest; kind: "centre", "saddle", "stable node", "unstable focus" …, "undecided", or "rest".

    It is undecided if an eigenvalue is zero, or if two are imaginary and the field is not the same backward in time.
    "rest" is that of a joint which dry friction holds.
    """

    q: float
    kind: str


class PhaseField:
    """This is the field of a system with one coordinate: d/dt (q, q̇) = (q̇, a(q, q̇)).

    setup: that of a run of which `reason_against` names no reason; arm: the place of the arm in it
    """

    def __init__(self, setup: Setup, arm: int = 0) -> None:
        self._program = compiled(_program(setup.plant))
        self._parameters = setup.parameters[arm]

    def __call__(self, q: Any, qd: Any) -> tuple[Any, Any, Any]:
        """Returns a, ∂a/∂q and ∂a/∂q̇ in states of any shape; a state in which M is singular has NaN."""
        state = np.stack(np.broadcast_arrays(np.asarray(q, dtype=float), qd), axis=-1)
        with np.errstate(all="ignore"):
            values = self._program(state, np.zeros(1), self._parameters)
        values = np.where(np.isfinite(values), values, np.nan)
        return values[..., 0], values[..., 1], values[..., 2]

    def acceleration(self, q: Any, qd: Any) -> Any:
        """Returns q̈ [rad/s² or m/s²]."""
        return self(q, qd)[0]

    def equilibria(self, low: float, high: float) -> list[Equilibrium]:
        """Returns where q̈ = 0 at rest between two coordinates, ends included, from changes of sign in `CELLS` cells.

        A place at which q̈ touches zero is also found. Where dry friction holds the arm, see `resting`.
        """
        beyond = (high - low) / CELLS / 2
        q = np.linspace(low - beyond, high + beyond, CELLS + 2)
        a, slope, _ = self(q, 0.0)
        largest = np.nanmax(np.abs(a), initial=0.0)
        if not largest:
            return []
        crossing = self._zeros(q, a, 0)
        touching = self._zeros(q, slope, 1)
        touching = touching[np.abs(self.acceleration(touching, 0.0)) <= SMALL * largest]
        steepest = np.nanmax(np.abs(slope))
        places = _apart(np.concatenate([crossing, touching]), (high - low) / CELLS)
        return [Equilibrium(float(place), self._kind(place, steepest)) for place in places]

    def resting(self, low: float, high: float) -> list[tuple[float, float]]:
        """Returns the stretches of coordinates at which the arm stays at rest, whichever way it is pushed slowly.

        Dry friction makes them, and an arm on which nothing acts rests everywhere.
        """
        q = np.linspace(low, high, CELLS + 1)
        held = (self.acceleration(q, SLOW) <= 0) & (self.acceleration(q, -SLOW) >= 0)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], held, [False]]).astype(int)))
        pairs = ((first, last - 1) for first, last in zip(edges[::2], edges[1::2], strict=True))
        return [(float(q[first]), float(q[last])) for first, last in pairs if last > first]

    def highest_rate(self, low: float, high: float) -> float:
        """Returns the rate with which the deepest point is left for the highest one, without friction: √(2 ΔU)."""
        q = np.linspace(low, high, CELLS + 1)
        a = np.nan_to_num(self.acceleration(q, 0.0))
        work = np.concatenate([[0.0], np.cumsum((a[1:] + a[:-1]) / 2 * np.diff(q))])
        return float(np.sqrt(2 * np.ptp(work)))

    def _zeros(self, q: Any, values: Any, of: int) -> Any:
        """Returns the zeros of one of the three functions at rest, between neighbours of unlike signs."""
        k = np.flatnonzero((values[1:] >= 0) != (values[:-1] >= 0))
        k = k[np.isfinite(values[k]) & np.isfinite(values[k + 1])]
        low, high, rises = q[k], q[k + 1], values[k + 1] >= 0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            above = (self(middle, 0.0)[of] >= 0) == rises
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        jumps = np.abs(self(high, 0.0)[of]) > np.maximum(np.abs(values[k]), np.abs(values[k + 1]))
        return high[~jumps]

    def _kind(self, q: float, steepest: float) -> str:
        """Returns the kind of an equilibrium by the eigenvalues λ of [[0, 1], [a_q, a_v]]: λ² − a_v λ − a_q = 0."""
        if self._is_held(q):
            return "rest"
        _, of_q, of_rate = map(float, self(q, 0.0))
        if not abs(of_q) > SMALL * steepest:
            return "undecided"
        if of_q > 0:
            return "saddle"
        if abs(of_rate) <= SMALL * np.sqrt(-of_q):
            return "centre" if self._is_reversible(q) else "undecided"
        shape = "focus" if of_rate**2 + 4 * of_q < 0 else "node"
        return f"{'stable' if of_rate < 0 else 'unstable'} {shape}"

    def _is_held(self, q: float) -> bool:
        """Returns whether dry friction acts here: q̈ jumps where the motion turns round."""
        jumps = [abs(float(np.subtract(*self.acceleration(q, np.array([rate, -rate]))))) for rate in (SLOW, 10 * SLOW)]
        return jumps[0] > 0.5 * jumps[1]

    def _is_reversible(self, q: float) -> bool:
        """Returns whether q̈ near here is the same for q̇ and −q̇, so that orbits close."""
        at, rates = q + np.linspace(-0.5, 0.5, 21)[:, None], np.linspace(0.1, 2.0, 20)
        forth, back = self.acceleration(at, rates), self.acceleration(at, -rates)
        return bool(np.nanmax(np.abs(forth - back)) <= SMALL * np.nanmax(np.abs(forth), initial=1.0))

    @cached_property
    def is_periodic(self) -> bool:
        """Returns whether q and q + 2π are the same: not where a spring or a law counts turns."""
        q, rates = np.linspace(-pi, pi, 41)[:, None], np.linspace(-2.0, 2.0, 9)
        here, there = self.acceleration(q, rates), self.acceleration(q + 2 * pi, rates)
        return bool(np.nanmax(np.abs(here - there)) <= SMALL * np.nanmax(np.abs(here), initial=1.0))


def reason_against(setup: Setup | None) -> Message | None:
    """Returns why the plane of one coordinate has no field, as a sentence, or None if it has one."""
    if setup is None:
        return say("no-field-of-a-file")
    plant = setup.plant
    if plant.closed:
        return say("no-field-of-a-chain")
    if plant.n != 1 or plant.model.freedoms:
        return say("projection-of-a-run")
    drive = plant.drive
    if drive.in_stages:
        return say("no-field-of-a-called-law")
    if drive.sampling or drive.states or plant.bent or plant.row_size or plant.discrete_size or _has_time(plant):
        return say("no-field-that-changes")
    return None


def _program(plant: Plant) -> Program:
    """Returns the program (q and q̇, t, parameters) → (a, ∂a/∂q, ∂a/∂q̇)."""
    graph = Graph()
    alone = replace(plant, accounted=False)
    state, row, parameters = alone.ports(graph, "state", "row", "parameters")
    (a,) = PlantState(alone, row[0], state, row[1:], parameters, PLAIN).accelerations()
    return graph.program("plane", {"plane": [a, *derivatives.jacobian([a], state)[0]]})


def _has_time(plant: Plant) -> bool:
    """Returns whether q̈ depends on the time."""
    program = _program(plant)
    row = next(k for k, port in enumerate(program.inputs) if port.name == "row")
    return any(node.op == "input" and node.element[0] == row for node in program.nodes)


def _apart(places: Any, distance: float) -> list[float]:
    """Returns increasing places without those that are nearly the same as the one before."""
    kept: list[float] = []
    for place in sorted(map(float, places)):
        if not kept or place - kept[-1] > distance / 2:
            kept.append(place)
    return kept


def spread(count: int, q: Sequence[float], rates: Sequence[float]) -> list[tuple[float, float]]:
    """Returns points that fill a rectangle evenly, however many there are: (k/φ mod 1, k/φ² mod 1), φ³ = φ + 1.

    This is the sequence R₂ of Martin Roberts, 2018. q, rates: the ends of the rectangle's sides
    """
    phi = 1.324717957244746

    def side(ends: Sequence[float], share: float) -> list[float]:
        return [ends[0] + (0.5 + k * share) % 1 * (ends[1] - ends[0]) for k in range(1, count + 1)]

    return list(zip(side(q, 1 / phi), side(rates, 1 / phi**2), strict=True))
