"""A Reduction condenses a whole run into a few numbers while it runs, compiled with the arm.

Each takes a function of (t, q, qd) that returns one or several finite numbers, in ordinary arithmetic and functions
such as `qddot.sin`. The function is evaluated at the start and after every step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from qddot.algebra.program.graph import Graph
from qddot.base.errors import SweepError, shortened
from qddot.base.records import record
from qddot.motion.simulate.laws.law import traced
from qddot.motion.simulate.plant import PlantState
from qddot.motion.simulate.runs.samples import POSITION
from qddot.robot.model import Model
from qddot.robot.units import either

__all__ = ["Reduction", "final", "first_time", "largest", "mean", "smallest"]

Function: TypeAlias = Callable[[Any, Any, Any], Any]
Nodes: TypeAlias = list[Any]
NAMED = ("final", "end_point", "extremes", "energy", "whole", "quantiles")
NOT_YET = -1.0  # this stands for a time that has not come: numbers of a state have to be finite
TINY = 1e-300


class Kind(Protocol):
    """A kind of reduction accumulates in a few numbers, its slots; there are `slots` of them for each value.

    By default the one slot of a value keeps what it was at the start.
    """

    slots: int = 1

    def begin(self, value: Any) -> Nodes:
        """Returns the slots at the start, where the function has this value."""
        return [value]

    def step(self, old: Nodes, value: Any, t: Any, h: Any) -> Nodes:
        """Returns the slots after a step from t to t + h, at whose end the function has this value."""
        return old

    def end(self, last: Nodes, value: Any, t: Any, h: Any) -> Any:
        """Returns the result of a run that ended at t, where the function has this value."""
        return last[0]


class Start(Kind):
    """This is the value at the start."""


class Final(Kind):
    """This is the value at the end."""

    slots = 0

    def begin(self, value: Any) -> Nodes:
        return []

    def end(self, last: Nodes, value: Any, t: Any, h: Any) -> Any:
        return value


class Extreme(Kind):
    """This is the "minimum" or "maximum" of the values at the start and after each step."""

    def __init__(self, which: str) -> None:
        self._which = which

    def step(self, old: Nodes, value: Any, t: Any, h: Any) -> Nodes:
        return [old[0].apply(self._which, value)]


class Mean(Kind):
    """This is the average over time by the trapezoidal rule; the slot counts every value but the first in full."""

    def begin(self, value: Any) -> Nodes:
        return [value * 0.5]

    def step(self, old: Nodes, value: Any, t: Any, h: Any) -> Nodes:
        return [old[0] + value]

    def end(self, last: Nodes, value: Any, t: Any, h: Any) -> Any:
        return (last[0] - value * 0.5) * h / t


class FirstTime(Kind):
    """This is the time when the value first rises above 0, interpolated linearly within the step.

    slots: the time, the last value
    """

    slots = 2

    def begin(self, value: Any) -> Nodes:
        return [value.apply("sign").apply("maximum", 0.0) + NOT_YET, value]

    def step(self, old: Nodes, value: Any, t: Any, h: Any) -> Nodes:
        time, before = old
        above = value.apply("sign").apply("maximum", 0.0)
        waits = (-time).apply("sign").apply("maximum", 0.0)
        part = (-before / (value - before).apply("maximum", TINY)).apply("maximum", 0.0).apply("minimum", 1.0)
        return [time + above * waits * (t + h * part - time), value]


@record()
class Reduction:
    """This is a user's function and how its values are reduced; `kind` is a name in KINDS."""

    kind: str
    function: Function


KINDS: dict[str, Kind] = {
    "final": Final(),
    "start": Start(),
    "smallest": Extreme("minimum"),
    "largest": Extreme("maximum"),
    "mean": Mean(),
    "first_time": FirstTime(),
}


def final(function: Function) -> Reduction:
    """Returns the reduction to a function's value at the end of each run, or where it stopped."""
    return _reduction("final", function)


def smallest(function: Function) -> Reduction:
    """Returns the reduction to a function's smallest value, after any step or at the start."""
    return _reduction("smallest", function)


def largest(function: Function) -> Reduction:
    """Returns the reduction to a function's largest value, after any step or at the start."""
    return _reduction("largest", function)


def mean(function: Function) -> Reduction:
    """Returns the reduction to a function's average over the time of the run, by the trapezoidal rule."""
    return _reduction("mean", function)


def first_time(function: Function) -> Reduction:
    """Returns the reduction to the first time [s] at which a function is above 0; NaN where it never is.

    Within a step, the time follows from a linear interpolation of the function.
    """
    return _reduction("first_time", function)


def _reduction(kind: str, function: Any) -> Reduction:
    if not callable(function):
        raise SweepError("reduction-of-no-function", kind=kind, function=shortened(function))
    return Reduction(kind, function)


@record()
class Moment:
    """This is the plant at one time, in nodes of a graph, and the ledger's accounts up to then."""

    graph: Graph
    plant: PlantState
    accounts: Sequence[Any]


@record()
class Measure:
    """A measure is a variable of the answer: its value at a moment, and how values are reduced.

    per: the dimension besides the runs, "joint", "position", "axis" or its own; "" for one number
    """

    name: str
    kind: str
    of: Callable[[Moment], Nodes]
    per: str = ""
    units: str = ""
    about: str = ""


def along_q(model: Model) -> str:
    """Returns the dimension of q, which is its own where q has more numbers than q̇."""
    return POSITION if model.freedoms else "joint"


def measures(reduce: Sequence[str | tuple[str, Reduction]], accounts: Sequence[str], along: str) -> list[Measure]:
    """Returns the measures of named reductions and of a user's own by their names.

    accounts: the ledger's; along: the dimension of q
    """
    named = _named(accounts, along)
    return [measure for each in reduce for measure in (named.get(each, []) if isinstance(each, str) else [_own(*each)])]


def _named(accounts: Sequence[str], along: str) -> dict[str, list[Measure]]:
    """Returns the measures of each named reduction that has some."""
    motion: list[tuple[str, Callable[[Moment], Nodes], str, str, str]] = [
        ("q", lambda at: list(at.plant.q), along, either("q"), "coordinates"),
        ("qd", lambda at: list(at.plant.qd), "joint", either("qd"), "rates"),
    ]
    point = "the tool's point at the end, in the base frame"
    return {
        "final": [
            Measure(f"{what}_final", "final", of, per, units, f"{about} at the end")
            for what, of, per, units, about in motion
        ],
        "end_point": [Measure("end_point", "final", lambda at: list(at.plant.traced.tool_pose.p), "axis", "m", point)],
        "extremes": [
            Measure(f"{what}_{end}", kind, of, per, units, f"{kind} {about}")
            for what, of, per, units, about in motion
            for end, kind in (("min", "smallest"), ("max", "largest"))
        ],
        "energy": [
            Measure("E_start", "start", _energy, units="J", about="K + P at the start"),
            Measure("K", "final", lambda at: [at.plant.kinetic_energy()], units="J", about="kinetic energy at the end"),
            Measure(
                "P", "final", lambda at: [at.plant.potential_energy()], units="J", about="potential energy at the end"
            ),
            *(_account(k, account) for k, account in enumerate(accounts)),
        ],
    }


def _account(k: int, name: str) -> Measure:
    works = {"work": "work of the motors", "external": "work of the external forces"}
    about = works.get(name, f"loss by {name}")
    return Measure(name, "final", lambda at: [at.accounts[k]], units="J", about=about)


def _own(name: str, reduction: Reduction) -> Measure:
    def of(at: Moment) -> Nodes:
        return [*traced(reduction.function, at.graph, at.plant.t, at.plant.q, at.plant.qd)]

    units = "s" if reduction.kind == "first_time" else ""
    return Measure(name, reduction.kind, of, f"{name}_entry", units, f"{reduction.kind} of a function")


def _energy(at: Moment) -> Nodes:
    return [at.plant.kinetic_energy() + at.plant.potential_energy()]
