"""Runs every check of the doctor on one model."""

from __future__ import annotations

from collections.abc import Iterable

from qddot.base.errors import NotInstalledError
from qddot.base.system.parts import installed
from qddot.base.words.message import Message, Told, say
from qddot.formats.shared.compound_joints import in_coordinates
from qddot.inspect.doctor import odd_files, odd_joints, odd_links, odd_symbols, odd_units
from qddot.inspect.doctor.diagnosis import Diagnosis, Finding
from qddot.inspect.doctor.examined import Check, Examined
from qddot.physics.of_model import has_bodies
from qddot.robot.model import Model

CHECKS = tuple(
    each
    for module in (odd_links, odd_units, odd_joints, odd_symbols, odd_files)
    for each in vars(module).values()
    if isinstance(each, Check)
)
# the findings of no check: about a file, about loops, and about one pose
OTHERS = {
    "refused": "The file describes no robot that can exist, or cannot be read.",
    "not_examined": "The program that reads this kind of file is not installed, or may not run.",
    "mobility": "The loops leave no motion, unless lengths are special.",
    "redundant_conditions": "Some conditions of the loops follow from others.",
    "closed_configuration": "No configuration was found in which the loops are closed.",
    "hardly_moving": "A coordinate moves the loops by a millionth of what others do, or less.",
    "singular_pose": "The mass matrix is singular in a pose within the joint limits.",
}
SINGULAR = odd_links.singular_mass_matrix.name


def rules() -> dict[str, str]:
    """Returns the sentence that explains the findings of each name."""
    return {**{check.name: check.rule for check in CHECKS}, **OTHERS}


def diagnose(model: Model, tolerated: Iterable[str] = (), *, bounded: bool = False) -> Diagnosis:
    """Returns the findings of every check; symbols take their defaults, and quantities without a value are not judged.

    tolerated: links whose impossible inertia was accepted only for the examination, besides those that a reader accepts
    bounded: whether bounds are proved over the joint limits, which may take two seconds
    """
    own = (body.name for body in model.bodies if body.tolerated)
    case = Examined(in_coordinates(model), frozenset([*tolerated, *own]))
    checks = [check for check in CHECKS if has_bodies(model) or not check.of_links]
    findings = [finding for check in checks for finding in check(case)]
    if not bounded or SINGULAR in {finding.check for finding in findings}:
        return Diagnosis(model.name, tuple(findings))
    proved, singular = _proved(model)
    return Diagnosis(model.name, (*findings, *singular), tuple(map(Told, proved)))


def _proved(model: Model) -> tuple[list[Message], list[Finding]]:
    try:
        with installed():
            from qddot.inspect.doctor.proved_bounds import statements
    except NotInstalledError as error:
        return [say("no-bounds-proved", why=error)], []
    return statements(model)
