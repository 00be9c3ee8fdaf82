"""Lists the SDF elements that are read and those that are ignored because they do not affect the motion."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.base.errors import FormatError, near, shortened
from qddot.base.words.message import Either, Listed, say
from qddot.formats.xml.elements import Element
from qddot.formats.xml.unread import Known

AXIS = Known(
    children=("xyz", "dynamics", "limit", "mimic", "use_parent_model_frame"), ignored=("initial_position", "limit")
)
NODES: Mapping[str, Known] = {
    "sdf": Known(("version",), ("model", "world"), ("actor", "light")),
    "world": Known(
        ("name",),
        ("model", "include", "frame", "joint", "gravity"),
        (
            *("actor", "atmosphere", "audio", "gui", "light", "magnetic_field", "physics", "plugin", "population"),
            *("road", "scene", "spherical_coordinates", "state", "wind"),
        ),
    ),
    "model": Known(
        ("name", "canonical_link", "placement_frame"),
        ("static", "pose", "link", "joint", "frame", "model", "include", "enable_wind"),
        ("allow_auto_disable", "collision_filter_group", "gripper", "plugin", "self_collide"),
    ),
    "include": Known(("merge", "placement_frame"), ("uri", "name", "pose", "placement_frame", "static"), ("plugin",)),
    "link": Known(
        ("name",),
        ("pose", "inertial", "gravity", "kinematic", "velocity_decay", "enable_wind"),
        (
            *("audio_sink", "audio_source", "battery", "collision", "contact", "light", "must_be_base_link"),
            *("particle_emitter", "plugin", "projector", "self_collide", "sensor", "visual"),
        ),
    ),
    "inertial": Known(("auto",), ("pose", "mass", "inertia", "fluid_added_mass"), ("density", "auto_inertia_params")),
    "inertia": Known((), ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    "frame": Known(("name", "attached_to"), ("pose",)),
    "joint": Known(
        ("name", "type"),
        (
            *("parent", "child", "pose", "axis", "axis2", "thread_pitch", "screw_thread_pitch"),
            *("gearbox_ratio", "gearbox_reference_body"),
        ),
        ("physics", "plugin", "sensor"),
    ),
    "axis": AXIS,
    "axis2": AXIS,
    "dynamics": Known((), ("damping", "friction", "spring_reference", "spring_stiffness")),
    "mimic": Known(("joint", "axis", "follower_axis"), ("multiplier", "offset", "reference")),
    "limit": Known((), ("lower", "upper", "effort", "velocity"), ("stiffness", "dissipation")),
    "velocity_decay": Known((), ("linear", "angular")),
}
OF_LEAVES = {"pose": ("relative_to", "frame", "rotation_format", "degrees"), "xyz": ("expressed_in",)}  # attributes
SEVERAL = ("model", "world", "include", "frame", "joint", "link")  # elements that may occur more than once
WAY_ROUND = {
    "rotor_inertia": say("write-armature"),
    "gear_ratio": say("write-armature-of-rotor"),
}
SCREW, BALL, TWO_AXES, GEARBOX = "screw", "ball", ("universal", "revolute2"), "gearbox"
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", SCREW, BALL, *TWO_AXES, GEARBOX)
ONLY_IN = {  # only in these joints
    "axis2": (*TWO_AXES, GEARBOX),
    **dict.fromkeys(("thread_pitch", "screw_thread_pitch"), (SCREW,)),
    **dict.fromkeys(("gearbox_ratio", "gearbox_reference_body"), (GEARBOX,)),
}


def check(element: Element) -> None:
    """Raises FormatError for a child element that is neither read nor ignored."""
    names = (*NODES[element.tag].children, *NODES[element.tag].ignored)
    for child in element.children:
        if child.tag not in names:
            raise FormatError(
                "element-not-read",
                where=child.where,
                tag=shortened(child.tag)[1:-1],
                parent=element.tag,
                remedy=WAY_ROUND.get(child.tag) or near(child.tag, names) or say("remove-it"),
            )


def axes(joint: Element) -> tuple[str, ...]:
    """Returns the tags of the axes along which a joint has coordinates."""
    return ("axis", "axis2") if joint.attributes.get("type") in TWO_AXES else ("axis",)


def joint_type(joint: Element) -> str:
    """Returns a joint's type; raises FormatError for an unsupported one."""
    kind = joint.required("type")
    if kind not in JOINT_TYPES:
        raise FormatError(
            "joint-type-unknown",
            where=joint.where,
            type=shortened(kind),
            types=Listed(JOINT_TYPES),
            remedy=near(kind, JOINT_TYPES),
        )
    for tag, kinds in ONLY_IN.items():
        if kind not in kinds and (child := joint.child(tag)) is not None:
            raise FormatError("element-not-for-joint-type", where=child.where, tag=tag, kind=kind, types=Either(kinds))
    return kind


def formats() -> dict[str, Known]:
    """Returns the elements that are read, with their attributes, for notes of what is not read in them."""
    inner = {tag for node in NODES.values() for tag in node.children} - {"fluid_added_mass"}
    leaves = {tag: Known(OF_LEAVES.get(tag, ()), has_text=True) for tag in inner}
    return {**leaves, **{tag: node._replace(several=SEVERAL) for tag, node in NODES.items()}}
