"""Compares every law and every entry of reports with the exact arrays, for all arms that ship, routes and languages.

`python bench/printed_laws.py` does all of them, `python bench/printed_laws.py panda baxter` some; it lists false
lines. Each arm and route has its own process, which is ended after half an hour.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "papers" / "report"))

from arms_and_routes import run
from false_laws import false_laws  # type: ignore[import-not-found]

import qddot
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.languages import LANGUAGES

LONGEST = 1800  # seconds for one arm by one route


def false_lines(name: str, route: str) -> Iterator[str]:
    """Yields what reports of an arm by a route say falsely."""
    eq = qddot.load(name).equations(route)
    short = eq.textbook()
    derivation = ReportContents([short], eq.prove([]))
    yield from false_laws([report(derivation, lang) for lang in LANGUAGES], [short])


if __name__ == "__main__":
    run(false_lines, LONGEST, "false")
