"""Takes from a description what its own flags switch off. Source: MuJoCo's XML reference, option/flag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qddot.formats.mjcf.unmodelled import OF_FLUIDS

OF_PASSIVE = {"mjDSBL_SPRING": "stiffness", "mjDSBL_DAMPER": "damping"}  # if both are off, so are all passive forces
WORDS = {"stiffness": "springs", "damping": "damping", "frictionloss": "dry friction"}


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
        changed += ["equalities"] * bool(active)
    return [f"the flags of the file switch off: {', '.join(changed)}"] if changed else []


def _zeroed(spec: Any, attribute: str) -> Iterator[bool]:
    """Sets an attribute of all joints and tendons to zero, and yields whether it had another value."""
    for element in (*spec.joints, *spec.tendons):
        value = getattr(element, attribute, 0.0)
        yield bool(value.any()) if hasattr(value, "any") else bool(value)
        setattr(element, attribute, 0 * value)
