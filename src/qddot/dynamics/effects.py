"""What acts in the joints besides the bodies' own dynamics: rotors, friction, springs.

The one place where the physics adds them. Every term comes from data on the joint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from qddot.model.bodies import Armature, Coulomb, Effect, Spring, Viscous
from qddot.model.expressions import Expression
from qddot.model.model import Model
from qddot.spatial import Number, divided

Evaluate = Callable[[Expression], Any]
Kind = TypeVar("Kind", bound=Effect)


def effects_of(model: Model, kind: type[Kind]) -> Iterator[tuple[int, Kind]]:
    """(index of the coordinate, effect) for every effect of one kind."""
    for i, body in enumerate(model.moving()):
        for effect in body.joint.effects:
            if isinstance(effect, kind):
                yield i, effect


def joint_parameters(model: Model, armature: bool, friction: bool, evaluate: Evaluate) -> list[tuple[str, str, Any]]:
    """(kind, coordinate, value): every rotor's J, then each joint's viscous and Coulomb coefficients; 0 for none.

    kinds: "Ia", "Fv", "Fc", which q̈, q̇ and sgn q̇ multiply
    """
    own: dict[tuple[str, str], Any] = {}
    for kind, effect, attribute in (
        ("Ia", Armature, "inertia"),
        ("Fv", Viscous, "coefficient"),
        ("Fc", Coulomb, "coefficient"),
    ):
        for i, found in effects_of(model, effect):
            place = kind, model.coordinates[i]
            own[place] = own.get(place, 0) + evaluate(getattr(found, attribute))
    places = [("Ia", q) for q in model.coordinates] if armature else []
    places += [(kind, q) for q in model.coordinates for kind in ("Fv", "Fc")] if friction else []
    return [(*place, own.get(place, 0)) for place in places]


def add_armature(M: list[list[Number]], model: Model, evaluate: Evaluate) -> list[list[Number]]:
    """M with each rotor's J on its diagonal."""
    with_rotors = [list(row) for row in M]
    for i, rotor in effects_of(model, Armature):
        with_rotors[i][i] = with_rotors[i][i] + evaluate(rotor.inertia)
    return with_rotors


def armature_torques(model: Model, qdd: tuple[Number, ...], evaluate: Evaluate) -> list[Number]:
    """J q̈ of each rotor."""
    torques: list[Number] = [0] * len(qdd)
    for i, rotor in effects_of(model, Armature):
        torques[i] = torques[i] + evaluate(rotor.inertia) * qdd[i]
    return torques


def armature_energy(model: Model, qd: tuple[Number, ...], evaluate: Evaluate) -> Number:
    """½ J q̇² of the rotors."""
    total: Number = 0
    for i, rotor in effects_of(model, Armature):
        total = total + divided(evaluate(rotor.inertia) * qd[i] * qd[i], 2)
    return total


def friction_torques(
    model: Model, qd: tuple[Number, ...], sign: Callable[[int], Number], evaluate: Evaluate
) -> list[Number]:
    """c q̇ + f sgn q̇; `sign(i)` is sgn q̇_i in the kind of number at hand."""
    torques: list[Number] = [0] * len(qd)
    for i, viscous in effects_of(model, Viscous):
        torques[i] = torques[i] + evaluate(viscous.coefficient) * qd[i]
    for i, coulomb in effects_of(model, Coulomb):
        torques[i] = torques[i] + evaluate(coulomb.coefficient) * sign(i)
    return torques


def spring_torques(model: Model, q: Callable[[int], Number], evaluate: Evaluate) -> list[Number]:
    """k (q − q0); `q(i)` is the coordinate itself, beside its sine and cosine."""
    torques: list[Number] = [0] * model.n
    for i, spring in effects_of(model, Spring):
        torques[i] = torques[i] + evaluate(spring.stiffness) * (q(i) - evaluate(spring.rest))
    return torques


def spring_energy(model: Model, q: Callable[[int], Number], evaluate: Evaluate) -> Number:
    """½ k (q − q0)² of the springs."""
    total: Number = 0
    for i, spring in effects_of(model, Spring):
        stretch = q(i) - evaluate(spring.rest)
        total = total + divided(evaluate(spring.stiffness) * stretch * stretch, 2)
    return total
