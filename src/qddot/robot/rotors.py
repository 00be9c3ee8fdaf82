"""Describes rotors of motors, which spin with gears on a link: K = ½ J (Σ n_j q̇_j + a · ω_c)².

ω_c is the angular velocity of the link that carries the rotor, its carrier, a the rotor's axis in the carrier's frame,
and Σ n_j q_j the angle by which it turns in the carrier. A rotor becomes massless bodies that follow these coordinates,
with the inertia J about the axis alone; mass and other moments of a motor belong to its carrier. The tensor J a aᵀ is
the same however far the rotor has turned, so that these bodies' frames stay with the carrier, and n may be a symbol.
Sources: Siciliano et al., *Robotics*, 2009, §7.2; Murphy, Wen & Saridis, "Recursive calculation of geared robot
manipulator dynamics", ICRA 1990.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import fresh
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Pose
from qddot.base.errors import ModelError, located, shortened
from qddot.robot.axes import nearly_unit
from qddot.robot.bodies import Body, Joint, check_unit
from qddot.robot.joints.kinds import ROTOR
from qddot.robot.joints.rotor import about_axis
from qddot.robot.notes import noted
from qddot.robot.placements import folded_entry, pose, vector


def rotor(
    name: str, carrier: str, ratios: Mapping[str, Any], inertia: Any, axis: Any, xyz: Any, names_in_use: Collection[str]
) -> tuple[list[Body], list[str]]:
    """Returns the bodies of a rotor, one for each coordinate that turns it, and notes of changes.

    carrier: a link's name; ratios: n_j by coordinate, of any sign, may contain symbols; inertia: J about the axis
    [kg·m²]; axis: a unit vector in the carrier's frame; xyz: the place there [m], which no equation contains
    names_in_use: those of other bodies
    raises ModelError: no ratio, a ratio of zero, or an axis that is no unit vector
    """
    with located(f"rotor {name!r}"):
        direction, change = nearly_unit(vector(axis, "axis"))
        check_unit(direction)
        if not isinstance(ratios, Mapping):
            raise ModelError("ratios-not-mapping", value=shortened(ratios))
        if not ratios:
            raise ModelError("rotor-without-ratio")
        taken, bodies, parent, place = {*names_in_use, name}, list[Body](), carrier, pose(xyz)
        for coordinate, given in ratios.items():
            n = expression(given)
            if n.rational == 0:
                raise ModelError("rotor-ratio-zero", coordinate=repr(coordinate))
            joint = Joint("revolute", parent, direction, place, coordinate=coordinate, ratio=n, part_of=ROTOR)
            label = name if len(bodies) == len(ratios) - 1 else fresh(f"{name}_{coordinate}", taken)
            bodies.append(Body(label, joint, partial_inertia=True))
            parent, place = label, Pose.identity()
        last = bodies[-1]
        spun = Body(
            last.name, last.joint, about_axis(expression(inertia), direction).map(folded_entry), partial_inertia=True
        )
        return [*bodies[:-1], spun], [noted(f"rotor {name!r}", change)] if change else []


def rotors_of(bodies: Iterable[Body]) -> Iterator[tuple[Body, Joint, dict[str, Any]]]:
    """Yields the last body of each rotor, with the joint on its carrier and the ratios by coordinate."""
    spinning = {body.name: body for body in bodies if body.joint.kind.is_rotor}
    within = {body.joint.parent for body in spinning.values()}
    for body in spinning.values():
        if body.name in within or body.joint.leads:
            continue
        path = [body.joint]
        while path[-1].parent in spinning:
            path.append(spinning[path[-1].parent].joint)
        yield body, path[-1], {str(joint.coordinate): joint.ratio for joint in reversed(path)}


def axial_moment(body: Body) -> Expression:
    """Returns J of the tensor J a aᵀ of a rotor, which is its trace."""
    I = body.inertia.I
    return Expression.constant(0) + I.xx + I.yy + I.zz
