"""Chooses the independent conditions of a mechanism that can move only because its lengths are special.

The conditions of an over-constrained mechanism, such as Bennett's linkage or a bar on three parallel cranks, depend on
one another where its loops are closed, and not elsewhere. So A has a smaller rank there, which is found in doubles: it
must stay the same along the motion, else the configuration is singular. The conditions that are left out hold as long
as this rank stays the same. Source: Müller, "Generic mobility of rigid body mechanisms", Mechanism and Machine Theory
44, 2009.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qddot.base.errors import EvaluationError, ModelError, QddotError
from qddot.base.words.message import Either, Listed, Message, say
from qddot.machine.numeric.assembly import closed_near
from qddot.machine.numeric.closed_poses import (
    DEPENDENT,
    STEP,
    ClosedPose,
    Functions,
    closed_from,
    examined,
    mobilities_beside,
    open_at,
)
from qddot.machine.numeric.spanning import first_columns, spanning_columns
from qddot.physics.independent import Independents, driven_places, places_of
from qddot.robot.closed_model import ClosedModel, names_of_conditions

Array = NDArray[np.float64]
NEARLY = 1e-2  # the smallest singular value of A, relative to the largest, that looks like rounding in a file


def chosen_near(model: ClosedModel, independent: object, functions: Functions, guess: Array) -> Independents:
    """Returns independent coordinates and conditions as at the closed configuration nearest to a guess.

    independent: names, or None for the motors' coordinates if they determine the others, else the first ones that do,
        or the last if wheels roll
    raises ModelError: nothing can move there, or the coordinates do not determine the others
    raises EvaluationError: the loops cannot be closed near the guess, or are singular there
    """
    pose = examined(model, functions, closed_from(model, functions, guess)[0])
    if pose.kind == "open":
        every = Independents((), tuple(range(model.tree.n)), ())
        pose = examined(model, functions, closed_near(model, every, functions, guess))
    if pose.kind != "mobile":
        raise immovable(model, functions, pose, say("near-the-guess"))
    return choice_at(model, independent, functions(pose.q)[1])


def choice_at(model: ClosedModel, independent: object, A: Array) -> Independents:
    """Returns the independent coordinates and conditions. A: all rows in a closed configuration"""
    n, loops = model.tree.n, model.positional
    conditions = first_columns(A.T, range(len(A)), DEPENDENT)
    kept = A[conditions]
    if independent is None:
        order, motors = range(n)[::-1] if model.integrable else range(n), driven_places(model, n - len(conditions))
        driven = spanning_columns(kept, [k for k in order if k not in motors])
        dependent = tuple(sorted(driven or spanning_columns(kept, order) or ()))
    else:
        places = places_of(model, independent)
        dependent = tuple(k for k in range(n) if k not in places)
        if len(dependent) != len(conditions) or spanning_columns(kept, dependent) is None:
            names = Listed(model.tree.coordinates[k] for k in places)
            raise ModelError(
                "not-independent-coordinates",
                where=model.name,
                names=names or say("none-in-brackets"),
                free=say("count-of-coordinates", count=n - len(conditions)),
                example=Listed(model.tree.coordinates[k] for k in choice_at(model, None, A).independent),
            )
    held = None
    if not model.integrable:
        held = tuple(sorted(spanning_columns(A[[k for k in conditions if k < loops]], dependent) or ()))
    free = tuple(k for k in range(n) if k not in dependent)
    return Independents(free, dependent, tuple(conditions), near=True, held=held)


def singular(model: ClosedModel, functions: Functions, pose: ClosedPose) -> Message:
    """Returns the sentence on what is free in a singular configuration, and on the branches that meet there."""
    free = say("count-of-coordinates", count=model.tree.n - pose.rank)
    beside = Either(mobilities_beside(model, functions, pose.q))
    more = say("branches-meet", mobilities=beside) if beside else say("no-motion-leads-on")
    return say("of-singular-loops", free=free, more=more)


def immovable(model: ClosedModel, functions: Functions, pose: ClosedPose, found: Message) -> QddotError:
    """Returns the error for a configuration that is not mobile. found: where it was found"""
    at = ", ".join(f"{name} = {value:.6g}" for name, value in zip(model.tree.positions, pose.q, strict=True))
    if pose.kind == "isolated":
        if pose.least < NEARLY:
            least = f"{pose.least:.0e}"
            return ModelError("nearly-movable-configuration", where=model.name, found=found, at=at, least=least)
        return ModelError("isolated-configuration", where=model.name, found=found, at=at)
    if pose.kind == "singular":
        return EvaluationError(
            "singular-configuration", where=model.name, found=found, what=singular(model, functions, pose), at=at
        )
    worst = f"{pose.residual:.1e} ({names_of_conditions(model)[pose.condition]})"
    if pose.kind == "inexact":
        free = say("count-of-coordinates", count=model.tree.n - pose.rank)
        return ModelError(
            "lengths-nearly-special", where=model.name, found=found, at=at, step=STEP, free=free, worst=worst
        )
    return EvaluationError("conditions-leave-no-coordinate", where=model.name, nearest=open_at(model, pose, found))
