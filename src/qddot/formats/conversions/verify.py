"""Converts exactly if possible, else in decimals, else with numbers for some symbols, and checks every conversion: both
models must be the same arm.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.algebra.spatial import Pose
from qddot.algebra.spatial.quaternion import unit_quaternion
from qddot.base.errors import QddotError
from qddot.base.words.message import Message, say
from qddot.formats.conversions.geometry import DIGITS, InexactError, NeedsValuesError
from qddot.formats.conversions.substitute import with_values
from qddot.physics.algorithms.kinematics import poses, tool_pose
from qddot.physics.algorithms.newton_euler import inverse_dynamics
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model
from qddot.robot.notes import note

STATES = 3
# relative to the largest entry; tables are rounded to 20 digits, and nearly parallel axes magnify the error
TOLERANCE = 1e-11


def checked(old: Model, new: Model) -> Model:
    """Returns the new model if its torques, tool, first moments and inertias agree with those of the old model.

    raises QddotError: they do not agree
    """
    _compare(old, new, {say("the-bodies"): _masses, say("the-tool"): _tool, say("the-torques"): _torques})
    return new


def checked_torques(old: Model, new: Model) -> Model:
    """Returns the new model if its torques agree with the old model's; the bodies may differ."""
    _compare(old, new, {say("the-torques"): _torques})
    return new


def checked_frame(old: Model, name: str, new: Model, renamed: str) -> None:
    """Raises QddotError unless a link of the old model and one of the new model have the same frame."""
    arms = (replace(old, tool_body=name, tool=Pose.identity()), replace(new, tool_body=renamed, tool=Pose.identity()))
    _compare(*arms, {say("frames-of-loops"): _tool})


def _compare(old: Model, new: Model, kinds: Mapping[Message, Callable[[Mechanism], Iterator[Any]]]) -> None:
    dice = random.Random(1)  # noqa: S311
    for _ in range(STATES):
        symbols = {name: dice.uniform(0.3, 2) for name in old.symbols} | old.defaults()
        values = {name: Fraction(value) for name, value in symbols.items()}
        rates = [{name: Fraction(dice.uniform(-2, 2)) for name in old.coordinates} for _ in range(2)]
        q = _position(old, dice)
        with precise():
            arms = [_arm(model, Balls(values, q, *rates)) for model in (old, new)]
            for what, numbers_of in kinds.items():
                before, after = (list(numbers_of(arm)) for arm in arms)
                worst = max(abs(float(a - b)) for a, b in zip(before, after, strict=True))
                if not worst <= TOLERANCE * max(1.0, *(abs(float(a)) for a in before)):
                    raise QddotError("conversion-wrong", where=old.name, what=what, worst=f"{worst:.1e}")


def _position(model: Model, dice: random.Random) -> dict[str, Fraction]:
    """Returns a random position, in which quaternions have the norm 1."""
    q = {name: Fraction(dice.uniform(-2, 2)) for name in model.positions}
    for freedoms in model.freedoms:
        names = freedoms.quaternion
        q |= zip(names, unit_quaternion([q[name] for name in names]), strict=True)
    return q


def _arm(model: Model, numbers: Balls) -> Mechanism:
    mechanism = Mechanism.of(model, numbers)
    return replace(mechanism, links=tuple(replace(link, inertia=link.inertia.map(ball)) for link in mechanism.links))


def _torques(mechanism: Mechanism) -> Iterator[Any]:
    return iter(inverse_dynamics(mechanism).tau)


def _masses(mechanism: Mechanism) -> Iterator[Any]:
    """Yields first moment and inertia of every body, about the base's origin and along its axes."""
    for link, T in zip(mechanism.links, poses(mechanism), strict=True):
        body = link.inertia.placed(T)
        yield from (*body.h, *body.I)


def _tool(mechanism: Mechanism) -> Iterator[Any]:
    T = tool_pose(mechanism)
    return (entry for row in (*T.R, T.p) for entry in row)


def converted(
    model: Model, convert: Callable[[Model, bool], Model], check: Callable[[Model, Model], Model] = checked
) -> Model:
    """Returns the result of `convert(model, exact)` that `check(model, result)` accepts; notes say what was changed.

    raises QddotError: the result is another arm, or a symbol needs a value and has none
    """
    try:
        return check(model, _rounded_at_need(model, convert))
    except NeedsValuesError as error:
        return converted(with_values(model, error.symbols), convert, check)


def _rounded_at_need(model: Model, convert: Callable[[Model, bool], Model]) -> Model:
    try:
        return convert(model, True)
    except InexactError:
        near = convert(model, False)
        return replace(near, notes=(*near.notes, note("frames-rounded", digits=DIGITS)))
