"""This table has the terms that stand alone in cells, with their Chinese; it takes those of reports."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.papers.report.languages import LANGUAGES

REPORT: Mapping[str, str] = LANGUAGES["zh"].sentences
JOINTS = (*("revolute", "prismatic", "fixed", "spherical", "free"), *("cylindrical", "planar", "universal"))
TERMS = {
    **{joint: REPORT[joint] for joint in JOINTS},
    "kinetic energy K": "动能 K",
    "potential energy P": "势能 P",
    "viscous": REPORT["viscous"],
    "coulomb": REPORT["coulomb"],
    "armature": "转子惯量",
    "spring": "弹簧",
    "hint": "提示",
    "warning": "警告",
    "error": "错误",
    "loops": "环",
}
