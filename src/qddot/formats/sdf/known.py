"""Lists the SDF elements that are read and those that are ignored because they do not affect the motion."""

from __future__ import annotations

from qddot.base.errors import FormatError, NotModelledError, near, shortened
from qddot.formats.xml.elements import Element
from qddot.formats.xml.unread import Known

READ = {
    "sdf": ("model", "world"),
    "world": ("model", "include", "frame", "joint", "gravity"),
    "model": ("static", "pose", "link", "joint", "frame", "model", "include", "enable_wind"),
    "include": ("uri", "name", "pose", "placement_frame", "static"),
    "link": ("pose", "inertial", "gravity", "kinematic", "velocity_decay", "enable_wind"),
    "inertial": ("pose", "mass", "inertia", "fluid_added_mass"),
    "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    "frame": ("pose",),
    "joint": ("parent", "child", "pose", "axis", "axis2", "thread_pitch", "screw_thread_pitch"),
    "axis": ("xyz", "dynamics", "limit", "mimic", "use_parent_model_frame"),
    "axis2": ("xyz", "dynamics", "limit", "mimic", "use_parent_model_frame"),
    "dynamics": ("damping", "friction", "spring_reference", "spring_stiffness"),
    "mimic": ("multiplier", "offset", "reference"),
}
ATTRIBUTES = {
    "sdf": ("version",),
    "world": ("name",),
    "model": ("name", "canonical_link", "placement_frame"),
    "include": ("merge", "placement_frame"),
    "link": ("name",),
    "joint": ("name", "type"),
    "frame": ("name", "attached_to"),
    "inertial": ("auto",),
    "pose": ("relative_to", "frame", "rotation_format", "degrees"),
    "xyz": ("expressed_in",),
    "mimic": ("joint", "axis", "follower_axis"),
}
PASSED = {
    "sdf": ("actor", "light"),
    "world": (
        *("actor", "atmosphere", "audio", "gui", "light", "magnetic_field", "physics", "plugin", "population"),
        *("road", "scene", "spherical_coordinates", "state", "wind"),
    ),
    "model": ("allow_auto_disable", "collision_filter_group", "gripper", "plugin", "self_collide"),
    "include": ("plugin",),
    "link": (
        *("audio_sink", "audio_source", "battery", "collision", "contact", "light", "must_be_base_link"),
        *("particle_emitter", "plugin", "projector", "self_collide", "sensor", "visual"),
    ),
    "inertial": ("density", "auto_inertia_params"),
    "joint": ("physics", "plugin", "sensor"),
    "axis": ("initial_position", "limit"),
    "axis2": ("initial_position", "limit"),
}
SEVERAL = ("model", "world", "include", "frame", "joint", "link")  # elements that may occur more than once
OF_LIMITS = ("lower", "upper", "effort")
OF_CONTACT = ("velocity", "stiffness", "dissipation")  # of limits
WAY_ROUND = {
    "gearbox_ratio": "let one joint <mimic> the other",
    "rotor_inertia": "write a robot file (.toml), where it is the armature",
    "gear_ratio": "write a robot file (.toml), where armature is the rotor's inertia times the ratio's square",
}
SCREW, BALL, TWO_AXES = "screw", "ball", ("universal", "revolute2")
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", SCREW, BALL, *TWO_AXES)
ONLY_IN = {"axis2": TWO_AXES, "thread_pitch": (SCREW,), "screw_thread_pitch": (SCREW,)}  # only in these joints
JOINTS_REFUSED = {
    "gearbox": "let one joint <mimic> the other",
}


def check(element: Element) -> None:
    """Raises FormatError for a child element that is neither read nor ignored."""
    read, passed = READ[element.tag], PASSED.get(element.tag, ())
    for child in element.children:
        if child.tag not in read and child.tag not in passed:
            raise FormatError(
                f"<{shortened(child.tag)[1:-1]}> in <{element.tag}> is not read",
                where=child.where,
                remedy=WAY_ROUND.get(child.tag) or near(child.tag, (*read, *passed)) or "remove it",
            )


def axes(joint: Element) -> tuple[str, ...]:
    """Returns the tags of the axes along which a joint has coordinates."""
    return ("axis", "axis2") if joint.attributes.get("type") in TWO_AXES else ("axis",)


def joint_type(joint: Element) -> str:
    """Returns a joint's type; raises FormatError for an unsupported one."""
    kind = joint.required("type")
    if kind not in JOINT_TYPES:
        raise (NotModelledError if kind in JOINTS_REFUSED else FormatError)(
            f"joint type {shortened(kind)}",
            where=joint.where,
            expected=", ".join(JOINT_TYPES),
            remedy=JOINTS_REFUSED.get(kind) or near(kind, JOINT_TYPES),
        )
    for tag, kinds in ONLY_IN.items():
        if kind not in kinds and (child := joint.child(tag)) is not None:
            raise FormatError(f"<{tag}> in a joint of type {kind}", where=child.where, expected=" or ".join(kinds))
    return kind


def formats() -> dict[str, Known]:
    """Returns the elements that are read, with their attributes, for notes of what is not read in them."""
    inner = {tag for tags in READ.values() for tag in tags} - {"fluid_added_mass"}
    leaves = {tag: Known(ATTRIBUTES.get(tag, ()), has_text=True) for tag in inner}
    nodes = {tag: Known(ATTRIBUTES.get(tag, ()), tags, PASSED.get(tag, ()), SEVERAL) for tag, tags in READ.items()}
    groups = {"limit": Known((), OF_LIMITS, OF_CONTACT), "velocity_decay": Known((), ("linear", "angular"))}
    numbers = {tag: Known(has_text=True) for group in groups.values() for tag in group.children}
    return {**leaves, **nodes, **numbers, **groups}
