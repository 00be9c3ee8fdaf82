"""Compares what loops and rolling wheels of two closed chains hold, and says how B's frames lie relative to A's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from qddot.base.words.message import Both
from qddot.formats.confusions.confusion import known_unit
from qddot.inspect.comparison.findings import Finding, displaced, rounded_digits, times, units
from qddot.inspect.comparison.held_frames import Held, HeldFrame, paired
from qddot.inspect.comparison.places import Array, Place
from qddot.inspect.comparison.remaining import CLOSE, Rest, Value
from qddot.inspect.comparison.zero_pose import ZeroPose
from qddot.robot.bodies import BASE
from qddot.robot.loops import EVERYWHERE
from qddot.robot.notes import note

NAMES = "xyz"


class Row(NamedTuple):
    """This is one quantity of a loop or a wheel that differs; frame: the number of the one whose place or axis it is"""

    what: str
    a: Value
    b: Value
    frame: int | None = None


def loop_rows(a: ZeroPose, b: ZeroPose) -> Iterator[tuple[str, Row]]:
    """Yields the differences of loops and wheels, each with the loop's name."""
    for one, other in paired(a.held, b.held):
        yield from ((_title(one, other), row) for row in _rows(a, one, other))


def loops_explained(a: ZeroPose, b: ZeroPose) -> tuple[list[Finding], list[Rest]]:
    """Returns the findings about loops and wheels, and the remaining differences; b: with its links at A's places"""
    findings, rest = list[Finding](), list[Rest]()
    for one, other in paired(a.held, b.held):
        place, rows = _title(one, other), list(_rows(a, one, other))
        if one is None or other is None:
            findings.append(_missing(a, one, other))
            continue
        moved = {row.frame for row in rows if row.frame is not None}
        findings += [_moved(place, one.frames[k], other.frames[k], rows, k) for k in sorted(moved)]
        for row in rows:
            if row.what == "length" and one.length and other.length and known_unit(other.length / one.length, "length"):
                ratio = other.length / one.length
                text = note("length-scaled", times=times(ratio, "length"), units=units(ratio, "length"))
                findings.append(Finding("scaled length", text, (place,)))
            elif row.frame is None:
                rest.append(Rest(place, row.what, row.a, row.b, None))
    return findings, rest


def _title(one: Held | None, other: Held | None) -> str:
    """Returns what the rows of a loop are called."""
    named = [each for each in (one, other) if each is not None]
    names = dict.fromkeys(each.name for each in named)
    return replace(named[0], name=" | ".join(names)).title


def _rows(arm: ZeroPose, one: Held | None, other: Held | None) -> Iterator[Row]:
    if one is None or other is None:
        kinds = [note("none-there") if each is None else each.kind for each in (one, other)]
        yield Row("type", kinds[0], kinds[1])
        return
    if one.kind != other.kind:
        yield Row("type", one.kind, other.kind)
    for k, (x, y) in enumerate(zip(one.frames, other.frames, strict=True)):
        if x.node != y.node:
            yield Row(note("link-of-frame", frame=x.called), _carrier(arm, x), _carrier(arm, y))
        if x.along == y.along and np.abs(x.point - y.point).max(initial=0.0) > CLOSE * arm.length:
            yield Row(note("point-of-frame", frame=x.called), tuple(x.point.tolist()), tuple(y.point.tolist()), k)
        for i in sorted({*x.axes} & {*y.axes}):
            if np.abs(x.axis(i) - _facing(x, y, i)).max() > CLOSE:
                what = note("axis-of-frame", frame=x.called, axis=NAMES[i])
                yield Row(what, tuple(x.axis(i).tolist()), tuple(_facing(x, y, i).tolist()), k)
    if one.length is not None and other.length is not None and abs(one.length - other.length) > CLOSE * one.length:
        yield Row("length", (one.length,), (other.length,))


def _facing(x: HeldFrame, y: HeldFrame, i: int) -> Array:
    """Returns y's axis, or its opposite where only its line matters and this is nearer to x's."""
    along = y.axis(i)
    return -along if len(x.axes) < len(EVERYWHERE) and x.axis(i) @ along < 0 else along


def _carrier(arm: ZeroPose, frame: HeldFrame) -> str:
    return BASE if frame.node is None else arm.nodes[frame.node].link


def _missing(arm: ZeroPose, one: Held | None, other: Held | None) -> Finding:
    """Returns the finding about a loop or wheel that only one of the chains has."""
    lone, who, lacking = (one, "A", "B") if one is not None else (other, "B", "A")
    assert lone is not None
    links = Both(dict.fromkeys(_carrier(arm, frame) for frame in lone.frames))
    text = note("loop-missing", who=who, title=lone.title, kind=lone.kind, links=links, other=lacking)
    return Finding("missing loop", text)


def _moved(place: str, x: HeldFrame, y: HeldFrame, rows: list[Row], k: int) -> Finding:
    """Returns the finding about a frame that is elsewhere in B, by what of it matters, or that is rounded there."""
    own = [row for row in rows if row.frame == k]
    digits = [rounded_digits(row.a, row.b) for row in own if not (isinstance(row.a, str) or isinstance(row.b, str))]
    agreeing = [number for number in digits if number is not None]
    if len(agreeing) == len(own):
        return Finding("rounding", note("frame-rounded", frame=x.called, digits=min(agreeing)), (place,))
    moved, turned = (any(row.what.endswith(end) for row in own) for end in ("point", "axis"))
    there = y.frame.R
    if len(x.axes) < len(EVERYWHERE):  # the least turn, as if the others were A's
        there = x.frame.R
        for i in x.axes:
            there = Place.between(x.axis(i), _facing(x, y, i), np.zeros(3)).R @ there
    apart = Place(x.frame.R.T @ there, x.frame.R.T @ (y.point - x.point))
    words = displaced(apart, 0.0 if moved else np.inf, 0.0 if turned else np.inf)
    text = note("frame-moved", frame=x.called, how=Both(words.values()))
    return Finding("loop moved", text, (place,))
