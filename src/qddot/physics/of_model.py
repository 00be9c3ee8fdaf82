"""Chooses the dynamics of a model, from links or from explicit entries, and imports only these."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from qddot.algebra.expressions.names import load_name
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.base.errors import EvaluationError
from qddot.base.words.message import Words, say
from qddot.physics.dynamics import OWN, Dynamics
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.physics.algorithms.external_wrenches import ExternalWrenches
    from qddot.physics.of_links import LinkDynamics

State = TypeVar("State", bound=Any)  # a kind of number with a state, as `InState`


def has_bodies(model: Model) -> bool:
    """Returns whether the links of a model have inertias; if not, its equations are given entry by entry."""
    return model.explicit is None


def check_links(model: Model, what: Words, remedy: Words | None = None) -> None:
    """Raises EvaluationError if a model has a Lagrangian in place of links, so that there is no `what`."""
    if model.lagrangian is not None:
        raise EvaluationError("needs-links", where=model.name, what=what, remedy=remedy or say("describe-links"))


def check_form(model: Model, form: Words) -> None:
    """Raises EvaluationError if a model has a Lagrangian in place of links, so that it has no such `form`."""
    check_links(model, form, say("energies-in-robot-file"))


def check_quadratic(model: Model, what: Words) -> None:
    """Raises EvaluationError if a model's K is not quadratic in the rates, so that there is no `what`."""
    if model.lagrangian is not None and not model.lagrangian.is_quadratic:
        raise EvaluationError("needs-quadratic-energy", where=model.name, what=what)


def check_timeless(model: Model, what: Words) -> None:
    """Raises EvaluationError if the energies of a model depend on the time, so that there is no `what`."""
    if model.time:
        raise EvaluationError("energies-depend-on-time", where=model.name, time=model.time, what=what)


def with_links(dynamics: Dynamics, what: Words, where: str) -> LinkDynamics:
    """Returns the dynamics as those of links with inertias.

    raises EvaluationError: the equations are given entry by entry, so that there is no `what`
    """
    if not dynamics.has_bodies:
        raise EvaluationError("needs-link-inertias", where=where, what=what)
    return cast("LinkDynamics", dynamics)


def dynamics_of(
    model: Model,
    numbers: StateNumbers,
    mechanism: Callable[[], Mechanism] | None = None,
    frames: str = OWN,
    wrenches: ExternalWrenches | None = None,
) -> Dynamics:
    """Returns the dynamics of a model in the state and the kind of number that `numbers` holds.

    mechanism: returns the model's mechanism in these numbers, by default a new one; frames: OWN, AT_JOINTS or SLID
    """
    mechanism = mechanism or partial(Mechanism.of, model, numbers)
    if model.explicit is not None:
        from qddot.physics.of_entries import EntryDynamics

        return EntryDynamics(model, model.explicit, numbers, mechanism, wrenches)
    from qddot.physics.of_links import LinkDynamics

    return LinkDynamics(mechanism, frames, wrenches)


def with_loads(model: Model, numbers: State) -> State:
    """Returns the state with values of the names under which equations write the joints' torques without friction.

    Only those names occur whose joints have friction that grows with these torques.
    """
    if not model.loaded:
        return numbers
    dynamics = dynamics_of(model, numbers)
    L = dynamics.loads(dynamics.body_torques(), dynamics.torques_of("armature"))
    moved = copy(numbers)
    of_joints = {load_name(name): value for name, value in zip(model.coordinates, L, strict=True)}
    moved.symbols = {**numbers.symbols, **of_joints}
    return moved
