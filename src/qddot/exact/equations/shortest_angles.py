"""Chooses the angles in which a model's equations are shortest: the joints' own, or absolute ones in parallel runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from qddot.algebra.expressions.angles import ONCE
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.spatial import Number
from qddot.physics.algorithms import composite
from qddot.physics.dynamics import Dynamics
from qddot.physics.frames.parallel_joints import Before, absolute_angles, parallel_joints
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import dynamics_of
from qddot.robot.model import Model

LONG = 6  # joints of a run; from this length on, absolute angles are always shorter


class ChosenAngles(NamedTuple):
    """A choice of angles has a ring, the dynamics over it, and the bodies' M if it was computed for the choice."""

    ring: Ring
    dynamics: Dynamics
    M: list[list[Number]] | None = None


def in_joint_angles(model: Model) -> ChosenAngles:
    """Returns the choice of the joints' own angles."""
    ring = Ring.of(model)
    return ChosenAngles(ring, dynamics_of(model, ring))


def with_fewest_terms(model: Model, joints: ChosenAngles) -> ChosenAngles:
    """Returns the choice of angles in which M has the fewest terms; each short run of parallel joints is tried alone.

    joints: the choice of the joints' own angles
    """
    runs = list(absolute_angles(model, joints.dynamics.mechanism)) if joints.dynamics.has_bodies else []
    ring = joints.ring
    for run in runs:
        if len(run) >= LONG:
            ring = ring.with_turning(with_run(ring.turning, run))
    short = [run for run in runs if len(run) < LONG]
    best = joints if ring is joints.ring else ChosenAngles(ring, dynamics_of(model, ring))
    if short:
        best = best._replace(M=composite.mass_matrix(best.dynamics.mechanism))
    for run in short:
        other = best.ring.with_turning(with_run(best.ring.turning, run))
        over_it = dynamics_of(model, other)
        best = min(best, ChosenAngles(other, over_it, composite.mass_matrix(over_it.mechanism)), key=_terms)
    return best


def in_absolute_angles(model: Model) -> Ring:
    """Returns the ring in the absolute angles of all runs, in which conditions of planar loops are shortest."""
    ring, mechanism = (joints := in_joint_angles(model)).ring, joints.dynamics.mechanism
    for run in absolute_angles(model, mechanism):
        ring = ring.with_turning(with_run(ring.turning, run))
    return ring


def long_runs(mechanism: Mechanism, ring: Ring) -> Before:
    """Returns the joints of long runs that the ring describes by absolute angles, in the form of `parallel_joints`."""
    inside = joints_of_long_runs([ring.turning])
    return {k: above for k, above in parallel_joints(mechanism).items() if ring.coordinates[k] in inside}


def joints_of_long_runs(runs: Iterable[Mapping[str, Combination]]) -> set[str]:
    """Returns the coordinates in the absolute angles of runs with LONG or more joints."""
    angles = [of for run in runs for of in run.values()]
    firsts = {of[0] for of in angles if len(of) >= LONG}
    return {name for of in angles if of[0] in firsts for name, _ in of}


def of_absolute_angles(ring: Ring, before: Before) -> Ring:
    """Returns the ring in which the coordinates of long runs are the absolute angles.

    It has the same variables with other meanings; see `Ring.renamed`.
    """
    runs = {ring.coordinates[k] for k in {*before, *(j for j, _ in before.values())}}
    turning = {name: ((of[-1][0], ONCE),) if of[-1][0] in runs else of for name, of in ring.turning.items()}
    return ring.with_turning(turning, collapses=True)


def with_run(turning: Mapping[str, Combination], run: Mapping[str, Combination]) -> dict[str, Combination]:
    """Returns a ring's angles with the absolute angle θ_k in place of q_k for each joint of a run."""
    brought = {of[-1][0]: (name, of) for name, of in run.items()}
    return dict(brought.get(of[0][0], (name, of)) for name, of in turning.items())


def converted(nested: Any, convert: Callable[[Any], Any]) -> Any:
    """Returns nested lists with each polynomial converted to another ring; identical objects remain identical."""
    images: dict[int, Any] = {}

    def image(part: Any) -> Any:
        if isinstance(part, list | tuple):
            return type(part)(map(image, part))
        if id(part) not in images:
            images[id(part)] = convert(part) if isinstance(part, Polynomial) else part
        return images[id(part)]

    return image(nested)


def _terms(choice: ChosenAngles) -> int:
    return sum(len(entry) for row in choice.M or () for entry in row if isinstance(entry, Polynomial))
