"""Reports of arms that ship, at each level."""

from __future__ import annotations

from functools import cache

from shipped import robot

from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import Document


@cache
def told_at(level: str, name: str = "ur5", route: str = "com_jacobian") -> Document:
    short = robot(name).equations(route).textbook()
    return report(ReportContents([short], robot(name).prove([])), level=level)
