"""Opens closed chains: chooses what is independent, by exact ranks and, where these differ, in closed configurations.

Exact ranks are those in random states. They are larger than where the loops are closed for mechanisms that move only
because their lengths are special. Then a closed configuration is looked for, from the neutral one and from random ones,
and its rank counts if it stays the same along the motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.base.words.message import Message, say
from qddot.machine.numeric.closed_poses import TOLERANCE, ClosedPose, Functions, closed_from, examined
from qddot.machine.numeric.conditions import conditions_of
from qddot.machine.numeric.confirmed_choice import confirmed
from qddot.machine.numeric.manifold import integrate, neutral
from qddot.machine.numeric.over_constrained import choice_at, chosen_near, immovable, singular
from qddot.physics.independent import Independents, NothingFreeError, chosen
from qddot.robot.closed_model import ClosedModel

Array = NDArray[np.float64]
MOST_STARTS, FEWEST_STARTS = 40, 8  # of the search; after the fewest it ends with a configuration that moves
SPREADS = (1.0, 2.0, 3.0)  # of random starts around the neutral one, in turn [rad or m]
SHOWN = 8  # coordinates in a note
KINDS = ("inexact", "isolated", "singular", "open")  # that the error names, the first that is found


class Opening(NamedTuple):
    """near: the closed configuration in which the choice was made, if exact ranks do not hold there"""

    choice: Independents
    near: Array | None = None
    notes: tuple[Message, ...] = ()


def opened(model: ClosedModel, independent: object = None) -> Opening:
    """Returns the independent coordinates, those that are named or the default, and where they were chosen.

    raises ModelError: nothing moves, or the coordinates do not determine the others
    raises EvaluationError: the loops of a mechanism whose lengths must be special cannot be closed, or are singular
    """
    try:
        usual = chosen(model)
    except NothingFreeError:
        if model.used_symbols - set(model.tree.defaults()):
            raise
        return _somewhere(model, independent, model.tree.n)
    sound = confirmed(model, usual)
    if sound.choice is None:
        return _somewhere(model, independent, len(usual.conditions))
    if independent is None:
        return Opening(sound.choice, None, sound.notes)
    choice = chosen(model, independent)
    again = choice if model.integrable else confirmed(model, choice).choice
    return Opening(replace(choice, held=again.held) if again else choice, None, sound.notes)


def opened_near(model: ClosedModel, independent: object, guess: Array) -> Independents:
    """Returns the independent coordinates in the closed configuration nearest to a guess; raises as `chosen_near`."""
    return chosen_near(model, independent, conditions_of(model), guess)


def _somewhere(model: ClosedModel, independent: object, elsewhere: int) -> Opening:
    """Returns the choice in some closed configuration: near the neutral one, or of the mobility that is found most.

    elsewhere: the number of conditions that are independent where loops are open
    """
    functions = conditions_of(model)
    poses = list(_poses(model, functions))
    mobile = [pose for pose in poses if pose.kind == "mobile"]
    if not mobile:
        least = min(poses, key=lambda pose: (KINDS.index(pose.kind), pose.residual))
        raise immovable(model, functions, least, say("found-from-starts", count=len(poses)))
    ranks = [pose.rank for pose in mobile]
    usual = max(ranks, key=ranks.count)
    pose = poses[0] if poses[0].kind == "mobile" else next(each for each in mobile if each.rank == usual)
    choice = choice_at(model, independent, functions(pose.q)[1])
    if pose.rank == elsewhere:  # other configurations that are found first may be singular
        return Opening(replace(choice, near=False))
    return Opening(choice, _unwound(model, functions, pose.q), tuple(_notes(model, functions, elsewhere, poses, pose)))


def _unwound(model: ClosedModel, functions: Functions, q: Array) -> Array:
    """Returns q with joints turned back by whole turns, if the loops stay closed."""
    names = model.tree.positions
    turning = [name for name, turns in zip(model.tree.coordinates, model.tree.turning, strict=True) if turns]
    places, near = [names.index(name) for name in turning if name in names], q.copy()
    near[places] -= 2 * np.pi * np.rint(near[places] / (2 * np.pi))
    return near if np.abs(functions(near)[0]).max(initial=0.0) <= TOLERANCE else q


def _poses(model: ClosedModel, functions: Functions) -> Iterator[ClosedPose]:
    random, n, moves = np.random.default_rng(1), model.tree.n, False
    for k in range(MOST_STARTS):
        if k >= FEWEST_STARTS and moves:
            break
        step = random.uniform(-1, 1, n) * SPREADS[k % len(SPREADS)] if k else np.zeros(n)
        q, _ = closed_from(model, functions, integrate(model.tree, neutral(model.tree), step))
        pose = examined(model, functions, q)
        moves = moves or pose.kind == "mobile"
        yield pose


def _notes(
    model: ClosedModel, functions: Functions, elsewhere: int, poses: Sequence[ClosedPose], pose: ClosedPose
) -> Iterator[Message]:
    """Yields what is left out and where that was found, and which other mobilities there are."""
    free, free_if_open = say("count-of-coordinates", count=model.tree.n - pose.rank), model.tree.n - elsewhere
    yield say("note-of-opened-chain", at=_at(model, pose), free=free, open=free_if_open or say("none-at-all"))
    if poses[0].kind == "singular":
        yield say("note-of-singular-neutral", what=singular(model, functions, poses[0]))
    others = [each for each in poses if each.kind == "mobile" and each.rank != pose.rank]
    for rank, other in {each.rank: each for each in others}.items():
        free = say("count-of-coordinates", count=model.tree.n - rank)
        yield say("note-of-other-branch", free=free, at=_at(model, other, len(other.q)))


def _at(model: ClosedModel, pose: ClosedPose, most: int = SHOWN) -> str:
    listed = [f"{name} = {value:.4g}" for name, value in zip(model.tree.positions, pose.q.round(12) + 0, strict=True)]
    return ", ".join([*listed[:most], *(["…"] if len(listed) > most else [])])
