"""Draws the phase portrait of one coordinate of a run: q̇ over q, with the field, equilibria and further starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import pi
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from qddot.base.checked import index, whole
from qddot.base.errors import QddotError, SimulationError, shortened
from qddot.base.words.message import Listed, say
from qddot.motion.simulate.phase_plane import PhaseField, reason_against, spread
from qddot.motion.simulate.runs.joined_runs import motion_between
from qddot.motion.simulate.runs.recording import Recording
from qddot.motion.simulate.runs.samples import Arrays
from qddot.papers.draw import plot
from qddot.papers.draw.labels import Words, plain
from qddot.robot.effects.spring import Spring

MOST_STARTS = 1000
FINE, MOST_POINTS = 8, 40_000  # parts in which a curve goes from one sample to the next, if it is not long
MESH = 60  # states of the field along each axis
MARGIN, ABOVE = 0.08, 1.15  # of the curves, and of the highest rate at which the arm swings
CIRCLE = {-pi: "−π", -pi / 2: "−π/2", 0.0: "0", pi / 2: "π/2", pi: "π"}
STREAMS, GREY = "#c3cad6", "#6b7280"
GREEN, RED = plot.COLOURS[2], plot.COLOURS[1]
# by the kind of an equilibrium: marker, colour, and whether it is filled
MARKS = {
    "centre": ("o", GREEN, False),
    "stable focus": ("o", GREEN, True),
    "stable node": ("D", GREEN, True),
    "unstable focus": ("o", RED, False),
    "unstable node": ("D", RED, False),
    "saddle": ("X", RED, True),
    "undecided": ("P", GREY, True),
    "rest": ("s", GREY, True),
}


class Plane(NamedTuple):
    """This is the plane of one coordinate of a run.

    joint, place: of its rate in q̇, and of the coordinate in q; turns: whether it is an angle of which only the
    direction matters; field: None if there is none, for the reason in `note`
    """

    joint: int
    place: int
    turns: bool
    field: PhaseField | None
    note: Any

    def curves(self, samples: Arrays) -> Iterator[tuple[Any, Any]]:
        """Yields (q, q̇) of every arm."""
        for q, rates in zip(samples["q"][:, :, self.place], samples["qd"][:, :, self.joint], strict=True):
            yield fine(samples["time"], q, rates)

    def sides(self, curves: Sequence[tuple[Any, Any]]) -> tuple[tuple[float, float], tuple[float, float]]:
        """Returns the ends of both axes: a whole turn of an angle, else those of the curves with a margin."""
        q, rates = (np.concatenate(each) for each in zip(*curves, strict=True))
        low, high = (float(each(q)) for each in (np.nanmin, np.nanmax))
        if self.turns and (self.field or low <= -pi or high > pi):
            low, high = -pi, pi
        else:
            margin = MARGIN * (high - low) or 1.0
            low, high = low - margin, high + margin
        natural = ABOVE * self.field.highest_rate(low, high) if self.field else 0.0
        top = max(float(np.nanmax(np.abs(rates))) * (1 + MARGIN), natural) or 1.0
        return (low, high), (-top, top)


def portrait(
    run: Recording, joint: int = 0, arm: int = 0, starts: int | Sequence[Any] | None = None, lang: str = ""
) -> Figure:
    """Returns a figure of one joint's rate over its coordinate. starts: as in `Run.plot_phase`"""
    words, one = Words(lang), plot.one_arm(run.arrays, arm)
    plane = _plane(run, one, joint, arm % len(run.arrays["arm"]))
    own = fine(one["time"], one["q"][:, plane.place], one["qd"][:, plane.joint])
    others = [] if starts is None else list(plane.curves(_beside(run, one, plane, arm, starts, plane.sides([own]))))
    across, up = plane.sides([own, *others])
    with rc_context({**plot.STYLE, **words.style(str(one.attrs["model"]))}):
        figure = plot.Picture(words.lang, figsize=(6.5, 6.0), layout="constrained")
        ax = figure.subplots()
        _draw_curve(ax, plane, own, plot.COLOURS[0], zorder=3)
        for curve in others:
            _draw_curve(ax, plane, curve, plot.COLOURS[3], linewidth=0.9)
        _draw_ends(ax, plane, own, others, words)
        if plane.field:
            _draw_field(ax, plane.field, across, up)
            _draw_rest(ax, plane, across, words)
        ax.set_xlim(*across)
        ax.set_ylim(*up)
        if across == (-pi, pi):
            ax.set_xticks(list(CIRCLE), list(CIRCLE.values()))
        unit = plain(one.units[plane.joint]) if "unit" in one.coords else "rad"
        q_name, rate = words.beside(one.joints[plane.joint])
        ax.set_xlabel(f"{words('coordinate')} {q_name} [{unit}]")
        ax.set_ylabel(f"{words('rate')} {rate} [{unit}/s]")
        ax.set_title(words("phase"))
        figure.legend(ncols=5, loc="outside lower center")
        heading = [plot.about(one, words), fill(plane.note.told(words.lang), 84) if plane.note else ""]
        figure.suptitle("\n".join(filter(None, heading)), x=0.01, ha="left", fontsize=9, color=GREY)
    return figure


def _plane(run: Recording, one: Arrays, joint: int, arm: int) -> Plane:
    """Returns the plane of a joint's coordinate. raises QddotError: no such joint, or not the rate of a coordinate"""
    names = one.joints
    joint = index(joint, "joint", len(names))
    name = names[joint]
    if name not in one.positions:
        rates = Listed(sorted(set(names) & set(one.positions)))
        raise QddotError(
            "not-rate-of-coordinate",
            name=name,
            expected=say("index-of", names=rates) if rates else say("arm-with-rates"),
        )
    note = reason_against(run.setup)
    field = None if note or run.setup is None else PhaseField(run.setup, arm)
    is_angle = "unit" not in one.coords or one.units[joint] == "rad"
    turns = is_angle and (field.is_periodic if field else not _has_spring(run, name))
    return Plane(joint, one.positions.index(name), turns, field, note)


def _has_spring(run: Recording, name: str) -> bool:
    """Returns whether a spring in its joint counts the turns of a coordinate; a run from a file does not say it."""
    bodies = run.setup.plant.model.bodies if run.setup else ()
    return any(isinstance(effect, Spring) for b in bodies if b.joint.coordinate == name for effect in b.joint.effects)


def _beside(run: Recording, one: Arrays, plane: Plane, arm: int, starts: Any, sides: Any) -> Arrays:
    """Returns runs of the arm from other starts. raises SimulationError: the run cannot be repeated, or other starts"""
    if run.beside is None:
        raise SimulationError("run-not-repeatable")
    states = (
        _spread(run, one, plane, starts, sides)
        if isinstance(starts, str) or not hasattr(starts, "__len__")
        else _given(starts)
    )
    return run.beside(arm % len(run.arrays["arm"]), *map(list, zip(*states, strict=True))).arrays


def _given(starts: Any) -> list[tuple[Any, Any]]:
    """Returns pairs of rows (q, q̇), each of which a user may give as a single number."""
    rows = list(starts)
    if not rows or any(isinstance(row, str) or not hasattr(row, "__len__") or len(row) != 2 for row in rows):
        raise SimulationError("starts-no-pairs", starts=shortened(starts))
    return [tuple([part] if np.ndim(part) == 0 else list(part) for part in row) for row in rows]  # type: ignore[misc]


def _spread(run: Recording, one: Arrays, plane: Plane, count: Any, sides: Any) -> list[tuple[Any, Any]]:
    """Returns starts that fill the plane and its joint's limits; the other coordinates begin as those of the run."""
    whole(count, "starts", 1, MOST_STARTS, error=SimulationError)
    assert run.setup is not None
    plant = run.setup.plant
    if plant.closed:
        raise SimulationError("starts-counted-of-a-chain")
    (low, high), up = sides
    values = plant.model.with_given(plant.values).defaults()
    for k in plant.limits:
        moving = plant.model.moving()[k].joint
        if moving.coordinate == one.joints[plane.joint]:
            ends = [limit.value(values) for limit in moving.limits or ()]
            low, high = max(low, ends[0]), min(high, ends[1])
    states = []
    for q, rate in spread(count, (low, high), up):
        state, rates = one["q"][0].copy(), one["qd"][0].copy()
        state[plane.place], rates[plane.joint] = q, rate
        states.append((state, rates))
    return states


def fine(time: Any, q: Any, rates: Any) -> tuple[Any, Any]:
    """Returns a curve until it stops, with points between its samples unless these are many."""
    there = int(np.isfinite(q).sum())
    time, q, rates = time[:there], q[:there], rates[:there]
    parts = min(FINE, MOST_POINTS // max(there, 1))
    if there < 2 or parts < 2:
        return q, rates
    between = np.interp(np.arange(parts * (there - 1) + 1) / parts, np.arange(there), time)
    curve = motion_between(time, q, rates, between)
    curve[0][::parts], curve[1][::parts] = q, rates
    return curve


def broken(q: Any, rates: Any) -> tuple[Any, Any]:
    """Returns a curve with its angle in (−π, π], which leaves at one side and, after a NaN, returns at the other."""
    turn = np.ceil((q - pi) / (2 * pi))
    k = np.flatnonzero(np.abs(np.diff(turn)) > 0)
    seam = 2 * pi * np.maximum(turn[k], turn[k + 1]) - pi
    share = (seam - q[k]) / (q[k + 1] - q[k])
    there = rates[k] + share * (rates[k + 1] - rates[k])
    side = np.where(turn[k + 1] > turn[k], pi, -pi)
    gap = np.full(len(k), np.nan)
    places = np.repeat(k + 1, 3)
    angles = np.insert(q - 2 * pi * turn, places, np.stack([side, gap, -side], axis=1).ravel())
    return angles, np.insert(rates, places, np.stack([there, gap, there], axis=1).ravel())


def _shown(plane: Plane, curve: tuple[Any, Any]) -> tuple[Any, Any]:
    return broken(*curve) if plane.turns else curve


def _draw_curve(ax: Any, plane: Plane, curve: tuple[Any, Any], colour: str, **look: Any) -> None:
    ax.plot(*_shown(plane, curve), color=colour, **{"linewidth": 1.6, **look})


def _draw_ends(ax: Any, plane: Plane, own: Any, others: Sequence[Any], words: Words) -> None:
    """Marks where the run starts and ends, and where the others start."""
    q, rates = own
    for at, marker, colour, label in ((slice(1), "o", GREEN, "start"), (slice(-1, None), "s", RED, "end")):
        ends = _shown(plane, (q[at], rates[at]))
        ax.plot(*ends, marker, color=colour, markersize=5, zorder=4, label=words(label))
    for k, (angles, rates) in enumerate(others):
        start = _shown(plane, (angles[:1], rates[:1]))
        ax.plot(*start, "o", color=plot.COLOURS[3], markersize=3.5, label=None if k else words("further starts"))


def _draw_field(ax: Any, field: PhaseField, across: tuple[float, float], up: tuple[float, float]) -> None:
    """Draws the lines along (q̇, q̈)."""
    q, rates = np.linspace(*across, MESH), np.linspace(*up, MESH)
    accelerations = np.ma.masked_invalid(field.acceleration(*np.meshgrid(q, rates)))
    flow = np.broadcast_to(rates[:, None], accelerations.shape)
    ax.streamplot(q, rates, flow, accelerations, color=STREAMS, linewidth=0.8, arrowsize=0.9, density=1.3, zorder=1)


def _draw_rest(ax: Any, plane: Plane, across: tuple[float, float], words: Words) -> None:
    """Marks where the arm stays at rest, by kind; an angle of π is marked at both ends."""
    assert plane.field
    stretches = plane.field.resting(*across)
    for k, ends in enumerate(stretches):
        label = None if k else words("stays at rest")
        ax.plot(ends, (0, 0), color=GREY, linewidth=5, alpha=0.6, solid_capstyle="butt", zorder=2, label=label)
    places: dict[str, list[float]] = {}
    for each in plane.field.equilibria(*across):
        if not any(low <= each.q <= high for low, high in stretches):
            places.setdefault(each.kind, []).append(each.q)
    for kind, (marker, colour, is_filled) in MARKS.items():
        if kind in places:
            ax.plot(
                places[kind],
                np.zeros(len(places[kind])),
                marker,
                color=colour,
                markerfacecolor=colour if is_filled else "white",
                markersize=8,
                zorder=5,
                clip_on=False,
                label=words(kind),
            )
