"""Reads a description in other ways: constant angles in degrees, Denavit–Hartenberg rows of the other convention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import cos, radians, sin
from typing import Any

from qddot.dynamics.mechanism import Link
from qddot.expressions.angles import Angle
from qddot.inspect.comparison.findings import Finding
from qddot.inspect.comparison.snapshot import Snapshot
from qddot.numbers.floats import Floats, constant_pair
from qddot.spatial import Pose, Rotation, Vec3

STRAIGHT = 1e-9  # how far a pose may be from a Denavit–Hartenberg row's


@dataclass(frozen=True)
class Reading:
    """A reading is another way to understand a description.

    name: short and stable; text: what happened, with {it} for the arm that is read in this way
    read: returns the arm read in this way, or None where nothing changes
    """

    name: str
    text: str
    read: Callable[[Snapshot], Snapshot | None]


class Degrees(Floats):
    """This kind of number takes constant angles that were written as plain numbers, or symbols, as degrees."""

    def circular(self, angle: Angle) -> tuple[float, float]:
        written = Angle(Fraction(0), angle.radians, angle.symbols).value(self.symbols)
        (c, s), (u, v) = constant_pair(Angle(angle.pi), {}), (cos(radians(written)), sin(radians(written)))
        return c * u - s * v, c * v + s * u


def in_degrees(arm: Snapshot) -> Snapshot | None:
    if not any(angle.radians or angle.symbols for angle in arm.model.constant_angles()):
        return None
    return Snapshot.of(arm.model, arm.values, Degrees)


def other_rows(arm: Snapshot) -> Snapshot | None:
    """Returns the same Denavit–Hartenberg rows in the other convention, or None where the links have no such rows."""
    read = _as_modified if any(link.offset != Pose.identity() for link in arm.home.links) else _as_standard
    links = [read(link) for link in arm.home.links]
    chain = all(link.parent == (link.index - 1 if link.index else None) for link in arm.home.links)
    return arm.with_links([link for link in links if link is not None]) if chain and None not in links else None


def _as_modified(link: Link) -> Link | None:
    """Returns placement Rz(θ) Tz(d'), offset Tz(d) Tx(a) Rx(α) of a standard row as Rx(α) Tx(a) Rz(θ) Tz(d' + d)."""
    z, x = link.placement, link.offset
    if not _zero(z.R.z.x, z.R.z.y, z.R.x.z, z.R.y.z, z.p.x, z.p.y, x.R.x.y, x.R.x.z, x.p.y, link.axis.x, link.axis.y):
        return None
    along_z = Pose(z.R, Vec3(0, 0, z.p.z + x.p.z))
    return replace(link, placement=Pose(x.R, Vec3(x.p.x, 0, 0)) @ along_z, offset=Pose.identity())


def _as_standard(link: Link) -> Link | None:
    """Returns placement Rx(α) Tx(a) Rz(θ) Tz(d) of a modified row as Rz(θ) and Tz(d) Tx(a) Rx(α)."""
    R, p = link.placement.R, link.placement.p
    c, s = R.z.z, -R.y.z
    if not _zero(R.x.z, c * p.y + s * p.z, link.axis.x, link.axis.y):
        return None
    about_x = Rotation(Vec3(1, 0, 0), Vec3(0, c, -s), Vec3(0, s, c))
    d = c * p.z - s * p.y
    placement = Pose(about_x.T @ R, Vec3.zero())
    return replace(link, placement=placement, offset=Pose(about_x, Vec3(p.x, 0, d)))


def _zero(*entries: Any) -> bool:
    return all(abs(entry) < STRAIGHT for entry in entries)


READINGS = (
    Reading("angles in degrees", "{it} takes constant angles in degrees as radians", in_degrees),
    Reading(
        "standard or modified DH",
        "{it} takes Denavit–Hartenberg rows of the one convention (standard, modified) for rows of the other",
        other_rows,
    ),
)


def readings(a: Snapshot, b: Snapshot) -> Iterator[tuple[tuple[Finding, ...], Snapshot, Snapshot]]:
    """Yields both unchanged, then one of them in one or all of the other readings, B first."""
    yield (), a, b
    for it, arm in (("B", b), ("A", a)):
        for chosen in (*((reading,) for reading in READINGS), READINGS):
            read_arm: Snapshot | None = arm
            for reading in chosen:
                read_arm = None if read_arm is None else reading.read(read_arm)
            if read_arm is not None:
                named = tuple(Finding(reading.name, reading.text.format(it=it)) for reading in chosen)
                yield named, (read_arm if it == "A" else a), (read_arm if it == "B" else b)
