"""Runs every check of the doctor on one model, even on one that the readers reject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from qddot.describe import robot_file, toml_tables
from qddot.describe.compound_joints import in_coordinates
from qddot.describe.finding import LARGEST_FILE, load, zoo
from qddot.describe.texts import content
from qddot.dynamics.of_model import has_bodies
from qddot.errors import (
    ClosedChainError,
    FormatError,
    ModelError,
    NotInstalledError,
    NotModelledError,
    QddotError,
)
from qddot.inspect.doctor import odd_files, odd_joints, odd_links, odd_units, torques
from qddot.inspect.doctor.diagnosis import Check, Diagnosis, Finding
from qddot.inspect.doctor.examined import Examined
from qddot.model.model import Model
from qddot.system.parts import installed

SINGULAR = "singular_mass_matrix"
CHECKS: tuple[Check, ...] = (
    torques.singular_mass_matrix,
    odd_links.impossible_inertia,
    odd_links.missing_inertia,
    odd_links.massless,
    odd_links.far_centre,
    odd_links.copied_inertia,
    odd_units.millimetres,
    odd_units.angles_in_degrees,
    odd_units.unusual_gravity,
    odd_joints.limits_in_degrees,
    odd_joints.empty_travel,
    odd_joints.missing_armature,
    torques.joints_without_load,
    torques.symbols_without_effect,
    odd_files.mended_xml,
)
# checks that need links with inertias; equations that are given entry by entry have none
OF_LINKS = (
    odd_links.impossible_inertia,
    odd_links.missing_inertia,
    odd_links.massless,
    odd_links.far_centre,
    odd_links.copied_inertia,
    odd_units.unusual_gravity,
    odd_joints.missing_armature,
    torques.joints_without_load,
)


def diagnose(model: Model, tolerated: Iterable[str] = (), *, bounded: bool = False) -> Diagnosis:
    """Returns the findings of every check; symbols take their defaults, and quantities without a value are not judged.

    tolerated: links whose impossible inertia was accepted only for the examination
    bounded: whether bounds are proved over the joint limits, which may take two seconds
    """
    case = Examined(in_coordinates(model), frozenset(tolerated))
    checks = [check for check in CHECKS if has_bodies(model) or check not in OF_LINKS]
    findings = [finding for check in checks for finding in check(case)]
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


def diagnose_file(
    name_or_path: str,
    arguments: Mapping[str, Any] | None = None,
    changed: Callable[[Model], Model] | None = None,
    *,
    bounded: bool = False,
) -> Diagnosis:
    """Returns the findings about a zoo robot or a file, also about a file that describes no possible robot.

    arguments: of a xacro file; changed: a function to the examined model, such as one with other values of symbols
    bounded: as in `diagnose`
    raises ClosedChainError: it has loops or rolling wheels
    raises QddotError: no such name or file, or a file that cannot be read as a description
    """
    try:
        read = load(name_or_path, arguments)
        read = changed(read) if changed else read
        # only a robot file can declare that some entries are unknown
        says = name_or_path in zoo() or Path(name_or_path).suffix == ".toml"
        accepted = () if says else tuple(body.name for body in read.bodies if body.partial_inertia)
        return diagnose(read, accepted, bounded=bounded)
    except ClosedChainError:
        raise
    except NotModelledError as error:
        return Diagnosis(name_or_path, (unmodelled(error),))
    except FormatError as refused:
        if not re.match(re.escape(name_or_path) + r":\d+ ", refused.where):
            raise
        return Diagnosis(name_or_path, (refusal(refused),))
    except ModelError as refused:
        model, tolerated = read_anyway(Path(name_or_path))
        if model is not None:
            return diagnose(changed(model) if changed else model, tolerated)
        return Diagnosis(name_or_path, (refusal(refused),))


def unmodelled(error: NotModelledError) -> Finding:
    """Returns the finding that a file describes something that qddot does not model."""
    why = "qddot cannot derive this robot, so that the rest of the file was not examined"
    return Finding("warning", error.where, error.found, why, error.remedy, "not_modelled")


def read_anyway(path: Path) -> tuple[Model | None, frozenset[str]]:
    """Returns the model of a robot file with impossible inertias accepted, and the links that do not declare it.

    The model is None where the file cannot be read.
    """
    try:
        data = toml_tables.read(content(path, LARGEST_FILE), str(path))
        links = [link for link in data["link"] if isinstance(link, dict)]
        own = [link.get("partial_inertia", False) for link in links]
        for link in links:
            link["partial_inertia"] = True
        model = robot_file.from_mapping(data, str(path))
    except QddotError:
        return None, frozenset()
    names = [link.get("name") or f"link{k}" for k, link in enumerate(links, 1)]
    return model, frozenset(name for name, partial in zip(names, own, strict=True) if not partial)


def refusal(error: QddotError) -> Finding:
    """Returns the finding that a file is rejected with this error."""
    remedy = error.remedy or (f"expected {error.expected}" if error.expected else "correct the description")
    return Finding("error", error.where, error.found, "the robot cannot be loaded", remedy, "refused")
