"""Runs every check of the doctor on one model."""

from __future__ import annotations

from collections.abc import Iterable

from qddot.base.errors import NotInstalledError
from qddot.base.system.parts import installed
from qddot.formats.shared.compound_joints import in_coordinates
from qddot.inspect.doctor.checks import CHECKS
from qddot.inspect.doctor.diagnosis import Diagnosis, Finding
from qddot.inspect.doctor.examined import Examined
from qddot.physics.of_model import has_bodies
from qddot.robot.model import Model

SINGULAR = "singular_mass_matrix"


def diagnose(model: Model, tolerated: Iterable[str] = (), *, bounded: bool = False) -> Diagnosis:
    """Returns the findings of every check; symbols take their defaults, and quantities without a value are not judged.

    tolerated: links whose impossible inertia was accepted only for the examination, besides those that a reader accepts
    bounded: whether bounds are proved over the joint limits, which may take two seconds
    """
    own = (body.name for body in model.bodies if body.tolerated)
    case = Examined(in_coordinates(model), frozenset([*tolerated, *own]))
    checks = [check for check in CHECKS if has_bodies(model) or not check.of_links]
    findings = [finding for check in checks for finding in check.findings(case)]
    if not bounded or SINGULAR in {finding.check for finding in findings}:
        return Diagnosis(model.name, tuple(findings))
    proved, singular = _proved(model)
    return Diagnosis(model.name, (*findings, *singular), tuple(proved))


def _proved(model: Model) -> tuple[list[str], list[Finding]]:
    try:
        with installed():
            from qddot.inspect.doctor.proved_bounds import statements
    except NotInstalledError as error:
        return [f"no bounds are proved: {error}"], []
    return statements(model)
