"""Checks for limits and armature that look forgotten or misread."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.freedoms import SEVERAL
from qddot.base.words.message import Listed, say
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, check
from qddot.inspect.doctor.site import Site
from qddot.physics.of_model import dynamics_of, has_bodies
from qddot.robot.bodies import Joint
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.bristles import Bristles
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.elastic import Elastic
from qddot.robot.effects.stribeck import Stribeck
from qddot.robot.effects.viscous import Viscous

POSES, OVERLOADED = 16, 10  # poses in which gravity is compared with effort limits, and how far it exceeds them
TURNS = 4 * math.pi  # rad; limits are hardly ever beyond two turns
MACHINE_JOINTS, MACHINE_MASS = 4, 5.0  # an arm with limits on this many joints and this mass of links [kg] is a machine


@check("A limit is so large that it is probably in degrees.")
def limits_in_degrees(case: Examined) -> Iterator[Finding]:
    """Yields findings on limits of a turning joint beyond two turns."""
    for body, _ in case.moving():
        for limit in body.joint.limits or ():
            if body.joint.kind.is_angle and abs(case.number(limit)) > TURNS * (1 + 1e-9):
                degrees = case.number(limit)
                radians = f"{math.radians(degrees):.5g}"
                told = say("finding-limit-in-degrees", limit=f"{degrees:g}", radians=radians)
                yield Finding("warning", Site.joint(body.joint), told)
                break


@check("Gravity loads a joint with many times the effort limit of its motor.", of_links=True)
def weak_motor(case: Examined) -> Iterator[Finding]:
    """Yields findings on joints that gravity loads with many times the effort limit in some pose within the limits."""
    limited = [body for body in case.model.moving() if body.joint.effort is not None]
    if not limited or not has_bodies(case.model):
        return
    loads = [max(map(abs, torques)) for torques in zip(*map(case.gravity_torques, range(POSES)), strict=True)]
    load_of = dict(zip(case.model.coordinates, loads, strict=True))
    for body in limited:
        effort, load = body.joint.effort, load_of.get(str(body.joint.coordinate), 0.0)
        if effort is not None and load > OVERLOADED * effort:
            unit = body.joint.kind.unit_of_torque
            yield Finding(
                "warning",
                Site.joint(body.joint),
                say("finding-weak-motor", load=f"{load:.3g} {unit}", effort=f"{effort:.3g} {unit}"),
            )


@check("Both limits of a joint are the same.")
def empty_travel(case: Examined) -> Iterator[Finding]:
    """Yields findings on joints whose limits are equal; reversed limits are rejected when the model is made."""
    for body, _ in case.moving():
        if body.joint.limits and len({case.number(limit) for limit in body.joint.limits}) == 1:
            yield Finding(
                "warning",
                Site.joint(body.joint),
                say("finding-empty-travel", limit=f"{case.number(body.joint.limits[0]):g}"),
            )


@check("Some or all joints have no armature, the inertia of rotors and gears.", of_links=True)
def missing_armature(case: Examined) -> Iterator[Finding]:
    """Yields a finding if only some joints have armature, or if no joint of an arm like a machine with gears has any.

    Such a machine has at least four joints, limits on all of them, and links of 5 kg or more together.
    """
    joints = _with_one_coordinate(case)
    without = [str(joint.coordinate) for joint in joints if not joint.has(Armature)]
    if not without:
        return
    if len(without) < len(joints):
        told = say("finding-some-without-armature", names=Listed(without))
    elif _looks_like_a_machine(case):
        told = say("finding-no-armature")
    else:
        return
    yield Finding("hint", Site(say("site-joints"), "joints"), told)


def _with_one_coordinate(case: Examined) -> list[Joint]:
    """Returns the joints that may have a motor: parts of free and spherical joints have none, nor elastic ones."""
    joints = (body.joint for body in case.model.moving() if body.joint.part_of not in SEVERAL)
    return [joint for joint in joints if not joint.has(Elastic)]


def _looks_like_a_machine(case: Examined) -> bool:
    joints = _with_one_coordinate(case)
    mass = math.fsum(float(link.inertia.m) for _, link in case.moving())  # type: ignore[arg-type]
    return len(joints) >= MACHINE_JOINTS and all(joint.limits for joint in joints) and mass >= MACHINE_MASS


@check("A joint moves no inertia except that of its own rotor.", of_links=True)
def joints_without_load(case: Examined) -> Iterator[Finding]:
    """Yields findings on joints that no inertia resists but that of their own rotors."""
    model = case.model
    if not any(body.joint.has(Armature) for body in model.moving()):
        return
    M = dynamics_of(model, case.residues).body_mass_matrix()
    for body, row in zip(model.moving(), M, strict=True):
        if body.joint.has(Armature) and not body.joint.kind.is_rotor and not any(map(case.residues.integer, row)):
            yield Finding("hint", Site.joint(body.joint), say("finding-joint-without-load"))


@check("Bristles of dry friction give energy in fast motion.")
def bristles_give_energy(case: Examined) -> Iterator[Finding]:
    """Yields findings on bristles with b s > c f, whose torque k z + b ż is not passive at high rates.

    Source: Barabanov & Ortega, "Necessary and sufficient conditions for passivity of the LuGre friction model", IEEE
    TAC 45 (2000).
    """
    for body, _ in case.moving():
        effects = body.joint.effects
        damping = _sum(case, [effect.damping for effect in effects if isinstance(effect, Bristles)])
        dry = _sum(case, [effect.coefficient for effect in effects if isinstance(effect, Coulomb)])
        excess = _sum(case, [effect.excess for effect in effects if isinstance(effect, Stribeck)])
        viscous = _sum(case, [effect.coefficient for effect in effects if isinstance(effect, Viscous)])
        if damping * excess > viscous * dry:
            least, most = damping * excess / dry if dry else math.inf, viscous * dry / excess
            told = say("finding-bristles-give-energy", damping=f"{damping:g}", least=f"{least:g}", most=f"{most:g}")
            yield Finding("hint", Site.joint(body.joint), told)


def _sum(case: Examined, numbers: Sequence[Expression]) -> float:
    return sum(case.number(number) for number in numbers)
