"""Finds what an MJCF file has that changes the equations of motion and is not modelled here; takes away what its flags
switch off.

Tendons without springs, damping, friction and armature only transmit or limit; those of one joint act as its own.
Contacts act only where links touch.
Source: MuJoCo's XML reference, option/flag for the flags.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qddot.base.words.message import Listed, say
from qddot.formats.mjcf.actuators import acts_on_one as acts_on_one_joint
from qddot.formats.mjcf.tendons import acts_on_one
from qddot.robot.left_out import LeftOut, left_out
from qddot.robot.notes import note

OF_TENDONS = ("stiffness", "damping", "armature", "frictionloss")
OF_ACTUATORS = ("armature", "damping")
OF_FLUIDS = ("density", "viscosity")
OF_PASSIVE = {"mjDSBL_SPRING": "stiffness", "mjDSBL_DAMPER": "damping"}  # if both are off, so are all passive forces
WORDS = {"stiffness": say("flag-springs"), "damping": say("flag-damping"), "frictionloss": say("flag-dry-friction")}
POLYNOMIALS = ("dof_dampingpoly", "jnt_stiffnesspoly", "tendon_dampingpoly", "tendon_stiffnesspoly")


def unmodelled(spec: Any) -> list[LeftOut]:
    """Returns the content of a description, before it is compiled, that would change the equations."""
    tendons = [each for each in spec.tendons if not acts_on_one(each)]
    actuators = [each for each in spec.actuators if not acts_on_one_joint(each, spec)]
    fluids = [f"{name} {getattr(spec.option, name):g}" for name in OF_FLUIDS if getattr(spec.option, name) > 0]
    return [
        *left_out("tendons", _acting("tendon", tendons, OF_TENDONS)),
        *left_out("actuators", _acting("actuator", actuators, OF_ACTUATORS)),
        *left_out("gravcomp", (f"body {body.name!r}" for body in spec.bodies if body.gravcomp)),
        *left_out("fluid", fluids),
        *left_out("flexes", (f"flex {flex.name!r}" for flex in spec.flexes)),
        *left_out("plugins", (f"body {body.name!r}" for body in spec.bodies if body.plugin.active)),
    ]


def of_joints(arrays: Any, mujoco: Any) -> list[LeftOut]:
    """Returns what joints of a compiled model have: springs of free and ball joints, forces that are polynomials."""
    given = (name for name in POLYNOMIALS if getattr(arrays, name, None) is not None and getattr(arrays, name).any())
    several = (int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL))
    held = [j for j in range(arrays.njnt) if arrays.jnt_type[j] in several and arrays.jnt_stiffness[j]]
    springs = (note("stiff-free-or-ball", name=repr(arrays.joint(j).name)) for j in held)
    return [*left_out("polynomials", given), *left_out("springs", springs)]


def _acting(what: str, elements: Any, attributes: tuple[str, ...]) -> Iterator[str]:
    """Yields names of elements that have one of these attributes, which may be polynomials."""
    for element in elements:
        given = [name for name in attributes if _is_given(getattr(element, name, 0.0))]
        if given:
            element_of = f"{what}{f' {element.name!r}' if element.name else ''}"
            yield note("element-with", element=element_of, attributes=Listed(given))


def _is_given(value: Any) -> bool:
    return bool(value.any()) if hasattr(value, "any") else bool(value)


def without_what_is_off(spec: Any, mujoco: Any) -> list[str]:
    """Switches springs, damping, dry friction, passive forces and equalities off if flags say so; returns a note."""
    bits, flags = mujoco.mjtDisableBit, int(spec.option.disableflags)

    def is_off(*names: str) -> bool:
        return any(flags & int(getattr(bits, name)) for name in names)

    attributes = [attribute for name, attribute in OF_PASSIVE.items() if is_off(name)]
    if len(attributes) == len(OF_PASSIVE):
        for body in spec.bodies:
            body.gravcomp = 0
        for name in OF_FLUIDS:
            setattr(spec.option, name, 0)
    attributes += ["frictionloss"] if is_off("mjDSBL_FRICTIONLOSS", "mjDSBL_CONSTRAINT") else []
    changed = [WORDS[attribute] for attribute in attributes if any(list(_zeroed(spec, attribute)))]
    if is_off("mjDSBL_EQUALITY", "mjDSBL_CONSTRAINT"):
        active = [equality for equality in spec.equalities if equality.active]
        for equality in active:
            equality.active = False
        changed += [say("flag-equalities")] * bool(active)
    return [note("flags-switch-off", names=Listed(changed))] if changed else []


def _zeroed(spec: Any, attribute: str) -> Iterator[bool]:
    """Sets an attribute of all joints and tendons to zero, and yields whether it had another value."""
    for element in (*spec.joints, *spec.tendons):
        value = getattr(element, attribute, 0.0)
        yield _is_given(value)
        setattr(element, attribute, 0 * value)
