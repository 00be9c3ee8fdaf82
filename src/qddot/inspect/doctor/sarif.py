"""Writes findings as SARIF 2.1.0, the format in which tools of code scanning read the findings of others.

Its specification: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from qddot.base.version import __version__
from qddot.base.words.language import in_english
from qddot.inspect.doctor.diagnosis import Finding, json_text
from qddot.inspect.doctor.examination import Examination
from qddot.inspect.doctor.examine import rules

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "hint": "note"}


@in_english
def sarif(examinations: Sequence[Examination], failure: str = "") -> str:
    """Returns a SARIF log with one run. failure: the reason why nothing could be examined, as a notification"""
    results = [_result(each.file, *located) for each in examinations for located in each.located()]
    invocation: dict[str, Any] = {"executionSuccessful": not failure}
    if failure:
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": failure}}]
    listed = [{"id": check, "shortDescription": {"text": text}} for check, text in rules().items()]
    driver = {"name": "qddot doctor", "version": __version__, "rules": listed}
    run = {"tool": {"driver": driver}, "invocations": [invocation], "columnKind": "unicodeCodePoints"}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{**run, "results": results}]}
    return json_text(log)


def _result(file: str, finding: Finding, line: int) -> dict[str, Any]:
    """Returns one result; a robot that ships has no file, so that its results have no place in one."""
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": finding.place}]}
    if file:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": quote(os.fsencode(Path(file).as_posix()))},
            "region": {"startLine": line},
        }
    return {
        "ruleId": finding.check,
        "ruleIndex": list(rules()).index(finding.check),
        "level": LEVELS[finding.severity],
        "message": {"text": f"{finding.found}; {finding.why}; {finding.remedy}"},
        "locations": [location],
    }
