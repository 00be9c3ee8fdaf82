"""Lists the elements and attributes of URDF and URDF+ that are read, and those that change nothing.

Source: the XML specification of URDF, wiki.ros.org/urdf/XML, and extensions of Gazebo, ros_control, Drake and Bullet.
"""

from __future__ import annotations

from collections.abc import Mapping

from qddot.formats.xml.unread import Known

LIMITS = ("lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk")
FORMATS: Mapping[str, Known] = {
    "robot": Known(
        ("name", "version"),
        ("link", "joint", "loop", "coupling"),
        (
            *(
                "material",
                "transmission",
                "gazebo",
                "ros2_control",
                "sensor",
                "mujoco",
                "plugin",
                "group",
                "model_state",
            ),
            *("linear_bushing_rpy", "linear_spring_damper", "collision_filter_group", "disable_collisions", "capsule"),
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
