"""The checks of the doctor, each with its name, which its findings carry, and the sentence that explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from qddot.inspect.doctor import odd_files, odd_joints, odd_links, odd_units, torques
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined


@dataclass(frozen=True)
class Check:
    """A check is a function that yields findings about an examined model; each finding has the function's name.

    rule: the sentence that explains them
    of_links: whether it needs links with inertias; equations that are given entry by entry have none
    """

    findings: Callable[[Examined], Iterator[Finding]]
    rule: str
    of_links: bool = False


CHECKS = (
    Check(
        torques.singular_mass_matrix,
        "The mass matrix is singular: there is a motion of the joints that no inertia resists.",
    ),
    Check(odd_links.impossible_inertia, "No rigid body can have this inertia.", of_links=True),
    Check(odd_links.missing_inertia, "A moving link has neither a mass nor an inertia.", of_links=True),
    Check(odd_links.massless, "A link has an inertia and no mass.", of_links=True),
    Check(odd_links.far_centre, "The centre of mass is far away from the link's joints.", of_links=True),
    Check(odd_links.too_dense, "A link would have to be denser than any material.", of_links=True),
    Check(odd_links.too_wide, "The mass of a link is spread far beyond its joints.", of_links=True),
    Check(
        odd_links.copied_inertia,
        "All moving links have the same mass and inertia, although their lengths differ.",
        of_links=True,
    ),
    Check(odd_units.millimetres, "A length is so large that it is probably in millimetres."),
    Check(odd_units.angles_in_degrees, "A constant angle is so large that it is probably in degrees."),
    Check(odd_units.unusual_gravity, "Gravity has an unusual size or direction.", of_links=True),
    Check(odd_joints.limits_in_degrees, "A limit is so large that it is probably in degrees."),
    Check(
        odd_joints.weak_motor,
        "Gravity loads a joint with many times the effort limit of its motor.",
        of_links=True,
    ),
    Check(odd_joints.empty_travel, "Both limits of a joint are the same."),
    Check(
        odd_joints.missing_armature,
        "Some or all joints have no armature, the inertia of rotors and gears.",
        of_links=True,
    ),
    Check(torques.joints_without_load, "A joint moves no inertia except that of its own rotor.", of_links=True),
    Check(torques.symbols_without_effect, "A symbol is used nowhere, or no torque contains it."),
    Check(odd_files.mended_xml, "The file is not valid XML."),
    Check(odd_files.unread_content, "The file has an attribute, an element or a text that its format does not know."),
    Check(odd_files.unplaced_centre, "A link has a mass, and no centre of mass is given.", of_links=True),
    Check(odd_files.not_modelled, "The file contains something that is not modelled, such as a tendon or a gearbox."),
)
# the findings of no function above: about a file, about loops, and about one pose
OTHERS = {
    "refused": "The file describes no robot that can exist, or cannot be read.",
    "not_examined": "The program that reads this kind of file is not installed, or may not run.",
    "mobility": "The loops leave no motion, unless lengths are special.",
    "redundant_conditions": "Some conditions of the loops follow from others.",
    "closed_configuration": "No configuration was found in which the loops are closed.",
    "hardly_moving": "A coordinate moves the loops by a millionth of what others do, or less.",
    "singular_pose": "The mass matrix is singular in a pose within the joint limits.",
}
RULES = {**{check.findings.__name__: check.rule for check in CHECKS}, **OTHERS}
