"""Writes findings as SARIF 2.1.0, the format in which tools of code scanning read the findings of others.

Its specification: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examination import Examination
from qddot.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "hint": "note"}
RULES = {
    "singular_mass_matrix": "The mass matrix is singular: there is a motion of the joints that no inertia resists.",
    "impossible_inertia": "No rigid body can have this inertia.",
    "refused": "The file describes no robot that can exist, or cannot be read.",
    "not_examined": "The program that reads this kind of file is not installed.",
    "not_modelled": "The file contains something that is not modelled, such as a gearbox.",
    "far_centre": "The centre of mass is far away from the link's joints.",
    "copied_inertia": "All moving links have the same mass and inertia, although their lengths differ.",
    "millimetres": "A length is so large that it is probably in millimetres.",
    "limits_in_degrees": "A limit is so large that it is probably in degrees.",
    "angles_in_degrees": "A constant angle is so large that it is probably in degrees.",
    "empty_travel": "Both limits of a joint are the same.",
    "mended_xml": "The file is not valid XML.",
    "unusual_gravity": "Gravity has an unusual size or direction.",
    "missing_inertia": "A moving link has neither a mass nor an inertia.",
    "massless": "A link has an inertia and no mass.",
    "missing_armature": "Some or all joints have no armature, the inertia of rotors and gears.",
    "joints_without_load": "A joint moves nothing that has mass except its own rotor.",
    "symbols_without_effect": "A symbol is used nowhere, or no torque contains it.",
}


def sarif(examinations: Sequence[Examination], failure: str = "") -> str:
    """Returns a SARIF log with one run. failure: the reason why nothing could be examined, as a notification"""
    results = [_result(each.file, *located) for each in examinations for located in each.located()]
    invocation: dict[str, Any] = {"executionSuccessful": not failure}
    if failure:
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": failure}}]
    rules = [{"id": check, "shortDescription": {"text": text}} for check, text in RULES.items()]
    driver = {"name": "qddot doctor", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "invocations": [invocation], "columnKind": "unicodeCodePoints"}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{**run, "results": results}]}
    return json.dumps(log, indent=2, ensure_ascii=False)


def _result(file: str, finding: Finding, line: int) -> dict[str, Any]:
    """Returns one result; a robot that ships has no file, so that its results have no location."""
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": finding.place}]}
    if file:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": quote(Path(file).as_posix())},
            "region": {"startLine": line},
        }
    return {
        "ruleId": finding.check,
        "ruleIndex": list(RULES).index(finding.check),
        "level": LEVELS[finding.severity],
        "message": {"text": f"{finding.found}; {finding.why}; {finding.remedy}"},
        "locations": [location],
    }
