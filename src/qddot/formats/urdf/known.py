"""Lists the elements and attributes of URDF and URDF+ that are read, and those that change nothing; finds what
extensions say that changes the equations of motion and is not modelled here.

What a <gazebo> has of SDF's links, joints and models counts as in SDF. Source: the XML specification of URDF,
wiki.ros.org/urdf/XML, and extensions of Gazebo (classic.gazebosim.org, URDF in Gazebo), ros_control, Drake (multibody
parsing) and Bullet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from qddot.formats.urdf.transmissions import INERTIAS, TRANSMISSION, inertias, is_not_zero, is_simple, value
from qddot.formats.xml.elements import Element
from qddot.formats.xml.unread import Known
from qddot.robot.left_out import LeftOut, left_out
from qddot.robot.notes import note

LIMITS = ("lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk")
EXTENSIONS = (TRANSMISSION, "gazebo", "linear_bushing_rpy", "linear_spring_damper")
ADDED = ("link", "joint")  # children of <gazebo> that Gazebo puts into the model
FORMATS: Mapping[str, Known] = {
    "robot": Known(
        ("name", "version"),
        ("link", "joint", "loop", "coupling"),
        (
            *("material", "transmission", "gazebo", "ros2_control", "sensor", "mujoco", "plugin", "group", "capsule"),
            *("linear_bushing_rpy", "linear_spring_damper", "collision_filter_group", "disable_collisions"),
            "model_state",
        ),
        ("link", "joint", "loop", "coupling"),
    ),
    "link": Known(
        ("name", "type"),
        ("inertial",),
        ("visual", "collision", "contact", "sensor", "material", "self_collision_checking", "verbose"),
    ),
    "inertial": Known(("name",), ("origin", "mass", "inertia")),
    "origin": Known(("xyz", "rpy")),
    "mass": Known(("value",)),
    "inertia": Known(("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    "joint": Known(
        ("name", "type", "independent"),
        ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic"),
        ("calibration", "safety_controller", "hardwareInterface", "actuator", "property"),
    ),
    "parent": Known(("link",)),
    "child": Known(("link",)),
    "axis": Known(("xyz",)),
    "limit": Known(LIMITS),
    "dynamics": Known(("damping", "friction")),
    "mimic": Known(("joint", "multiplier", "offset")),
    "loop": Known(("name", "type"), ("predecessor", "successor", "axis"), ("limit", "dynamics")),
    "coupling": Known(("name", "type", "value"), ("predecessor", "successor", "ratio")),
    "predecessor": Known(("link",), ("origin",)),
    "successor": Known(("link",), ("origin",)),
    "ratio": Known(("value",)),
}


def _is_true(value: str) -> bool:
    return value.lower() in ("1", "true")


def _is_false(value: str) -> bool:
    return value.lower() in ("0", "false")


def _always(_: str) -> bool:
    return True


ACTING: dict[str, tuple[str, Callable[[str], bool]]] = {  # by tag: the kind of content, and for which values it acts
    **dict.fromkeys(INERTIAS, ("rotors", is_not_zero)),
    "springStiffness": ("springs", is_not_zero),
    "linear_bushing_rpy": ("springs", _always),
    "linear_spring_damper": ("springs", _always),
    "turnGravityOff": ("gravcomp", _is_true),
    "gravity": ("gravcomp", _is_false),
    "dampingFactor": ("decay", is_not_zero),
    "fluid_added_mass": ("fluid", _always),
    "enable_wind": ("wind", _is_true),
    "kinematic": ("extensions", _is_true),
    "static": ("extensions", _is_true),
}


def unmodelled(root: Element) -> list[LeftOut]:
    """Returns the content of a robot's extensions that would change the equations."""
    places: dict[str, list[str]] = {}
    for kind, place in _acting(root):
        places.setdefault(kind, []).append(place)
    return [part for kind, listed in places.items() for part in left_out(kind, listed)]


def _acting(root: Element) -> Iterator[tuple[str, str]]:
    """Yields the kind and the place of each element that acts."""
    followers = {joint.attributes.get("name") for joint in root.all("joint") if joint.child("mimic") is not None}
    read = {id(each) for one in root.all(TRANSMISSION) if is_simple(one) for each in inertias(one)}
    for extension in root.children:
        for element in extension.descendants() if extension.tag in EXTENSIONS else ():
            kind, acts = ACTING.get(element.tag, ("", _is_false))
            if kind and id(element) not in read and acts(value(element)):
                yield kind, note("line-of-element", line=element.line, label=f"<{element.tag}>")
            elif element.tag == "velocity_decay" and any(is_not_zero(part.text.strip()) for part in element.children):
                yield "decay", note("line-of-element", line=element.line, label="<velocity_decay>")
            elif element.tag == "plugin" and _text(element, "mimicJoint") and _text(element, "joint") not in followers:
                yield "extensions", note("line-of-element", line=element.line, label=element.label)
        for element in extension.children if extension.tag == "gazebo" else ():
            if element.tag in ADDED and not _holds_the_base(element):
                yield "extensions", note("line-of-element", line=element.line, label=element.label)


def _holds_the_base(joint: Element) -> bool:
    return joint.attributes.get("type") == "fixed" and _text(joint, "parent") == "world"


def _text(element: Element, tag: str) -> str:
    child = element.child(tag)
    return "" if child is None else child.text.strip()
