"""Defines the finished parts that a report gets: pictures, a motion and code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qddot.papers.report.document import Code, Picture


class Halt(NamedTuple):
    """A run ended before its time, where a coordinate reached its limit. upper: whether it was the upper one"""

    time: float
    coordinate: str
    upper: bool


class Account(NamedTuple):
    """These are the energies of a run at one time [J]; E = K + P.

    work: of the motors, loss: to friction, both since the start; residual: ΔE − work + loss, zero for the right motion
    """

    time: float
    K: float
    P: float
    E: float
    work: float
    loss: float
    residual: float


class ReportedMotion(NamedTuple):
    """This is one run of the arm without torques, with an account of its energy.

    start, rates: q and q̇ at the start; duration: of the run [s]; step: of its method [s]
    ledger: at evenly spaced times, the first and the last one included
    trust: the time [s] up to which another run differs in no coordinate by more than 0.01; None: up to the end
    apart: the most by which it differs in a coordinate until then, rounded up to one digit [rad or m]
    other: the method of that run; if it is that of this one, it took half the step
    damped: whether friction of the joints takes energy; halt: what ended it early, or None
    coordinates, energy: plots over time; path: of the end point; film: a moving image, whose still image is the path
    """

    start: tuple[float, ...]
    rates: tuple[float, ...]
    duration: float
    step: float
    method: str
    ledger: tuple[Account, ...]
    trust: float | None
    apart: float
    other: str
    damped: bool
    halt: Halt | None
    coordinates: Picture
    energy: Picture
    path: Picture
    film: Picture | None = None


class ControlConstant(NamedTuple):
    """This is a proven bound of one quantity, and its value at a pose [rad or m] that nearly attains it.

    name: as in `bounds`; proven: the bound with its sign, ≤ or ≥
    """

    name: str
    proven: str
    found: float
    pose: tuple[float, ...]


class ControlConstants(NamedTuple):
    """These are proven bounds over a region, which has (coordinate, least, largest) [rad or m] for each coordinate.

    definite: whether M is proved positive definite in the region
    ranges: the picture of the ranges of M and G, which a summary does not have
    """

    region: tuple[tuple[str, float, float], ...]
    definite: bool
    listed: tuple[ControlConstant, ...]
    ranges: Picture | None = None


class ClosedState(NamedTuple):
    """These are the doubles q next to a configuration with closed loops.

    radius: within it no other closed configuration has the same independent coordinates

    M: the mass matrix there; holding: the torques along the independent coordinates that hold the chain still
    """

    q: tuple[float, ...]
    radius: float
    M: Sequence[Sequence[float]]
    holding: tuple[float, ...]


class FinishedParts(NamedTuple):
    """This is all that a report shows but does not derive; missing parts are left out.

    pose: the arm in the state that is computed in numbers; operations: of the compiled functions, by their names
    code: files of generated source code; constants: proven bounds for control
    """

    pose: Picture | None = None
    motion: ReportedMotion | None = None
    operations: tuple[tuple[str, int], ...] = ()
    code: tuple[Code, ...] = ()
    constants: ControlConstants | None = None
