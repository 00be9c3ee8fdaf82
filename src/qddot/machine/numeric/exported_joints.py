"""Takes from a system what exported code states of its joints, and finds a position from which a simulation starts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from math import inf

from qddot.base.errors import QddotError
from qddot.base.system.parts import installed
from qddot.machine.compilers.exported import comment
from qddot.machine.compilers.joint_table import Joints, Position, Velocity
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.physics.independent import of_loops
from qddot.robot import units
from qddot.robot.bodies import Body
from qddot.robot.model import Model
from qddot.robot.symbol_values import all_values


def joints_of(arm: NumericSystem, free: Collection[str]) -> Joints:
    """Returns the joints; free: symbols that have no value in the code"""
    tree = arm.system.tree
    known = {name: value for name, value in tree.defaults().items() if name not in free}
    independent = () if arm.system.rates == tree.rates else tuple(map(tree.coordinates.index, arm.system.rates))
    return Joints(tuple(_positions(tree, known)), tuple(_velocities(tree)), independent)


def start_of(arm: NumericSystem, joints: Joints) -> tuple[float, ...]:
    """Returns q from which a simulation may start: zeros, or the nearest limits; of a closed chain, with closed loops.

    It is empty where no configuration with closed loops is found, as where a symbol of the chain has no value.
    """
    if not isinstance(arm, NumericChain):
        ones = {place for _, place in arm.system.tree.quaternions}  # of a quaternion without rotation
        return tuple(min(max(float(k in ones), p.lower), p.upper) for k, p in enumerate(joints.positions))
    model, closed = arm.system.model, of_loops(arm.system.model, arm.system.choice)
    with suppress(QddotError), installed():
        from qddot.machine.numeric.assembly import found

        return tuple(found(model, closed, arm.closure, all_values(model)).q.tolist())
    return ()


def _positions(tree: Model, known: dict[str, float]) -> Iterator[Position]:
    for body in tree.moving():
        limits = body.joint.limits or ()
        for name, unit in zip(body.joint.positions, body.joint.kind.units, strict=True):
            plain = Position(comment(name), unit, _named(body))
            if not limits:
                yield plain
            elif any(limit.symbols() - {"pi", *known} for limit in limits):
                yield plain._replace(depends=comment(" to ".join(map(str, limits))))
            else:
                lower, upper = (limit.value(known) for limit in limits)
                yield plain._replace(lower=lower, upper=upper)


def _velocities(tree: Model) -> Iterator[Velocity]:
    rows = zip(units.of_coordinates(tree, 1), units.of_torques(tree), strict=True)
    by_place = [body for body in tree.moving() for _ in body.joint.velocities]
    for k, (name, body, (unit, torque_unit)) in enumerate(zip(tree.coordinates, by_place, rows, strict=True)):
        effort = inf if body.joint.effort is None else body.joint.effort
        yield Velocity(comment(name), unit, _named(body), torque_unit, effort, k in tree.drives)


def _named(body: Body) -> str:
    return comment(body.joint.name or body.name)
