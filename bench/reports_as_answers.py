"""Feeds whole reports to `check` as answers: each arm that ships, by each route, in each language, at each level.

`python bench/reports_as_answers.py` does all of them, `python bench/reports_as_answers.py panda baxter` some; it lists
the reports that are not accepted, with their wrong entries and the formulas that were not read. The formats take
turns; a report without equations, or longer than an answer may be, does not count. Each arm and route has its own
process, which is ended after a quarter of an hour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from arms_and_routes import run

import qddot
from qddot.base.errors import QddotError
from qddot.exact.equations.routes import ROUTES
from qddot.papers.report import report_file
from qddot.papers.report.arm_report import ReportContents, base_of, report
from qddot.papers.report.languages import LANGUAGES
from qddot.papers.report.levels import DERIVED_WHOLE, FULL, LEVELS

LONGEST = 900  # seconds for one arm by one route
TEXTS = (".md", ".tex", ".typ", ".html", ".ipynb")
# what check says of summaries of the longest arms, which have no equations, and of some whole derivations of six joints
NO_ANSWERS = re.compile(r"no quantity of the equations in the answer|the text is too long|\d+ bytes$")
SHORTEST = TEXTS[:3]  # others are longer than an answer may be, where six joints are shown whole


def refused(name: str, route: str, folder: Path) -> Iterator[str]:
    """Yields the reports of an arm by a route that are not accepted, and why."""
    arm = qddot.load(name)
    eq = arm.equations(route)
    derivation = ReportContents([eq.textbook()], eq.prove([]), base_of(arm.model))
    turn = list(qddot.zoo()).index(name) + list(ROUTES).index(route)
    for k, (lang, level) in enumerate(product(LANGUAGES, LEVELS), turn):
        formats = SHORTEST if level == FULL and arm.n > DERIVED_WHOLE else TEXTS
        suffix = formats[k % len(formats)]
        file = folder / f"{name}-{route}-{lang}-{level}{suffix}"
        report_file.write({file: report(derivation, lang, level=level)})
        try:
            judgement = arm.check(file)
        except QddotError as error:
            if not NO_ANSWERS.match(str(error.found)):
                yield f"{file.name}: {error}"
            continue
        if not judgement or judgement.unread:
            wrong = [f"{entry.where.removeprefix(str(folder))} {entry.name} is wrong" for entry in judgement.wrong]
            unread = [f"{each.where.removeprefix(str(folder))} {each.text} {each.reason}" for each in judgement.unread]
            yield "\n    ".join([file.name, *wrong[:9], *unread[:9]])


def reports_refused(name: str, route: str) -> Iterator[str]:
    """Yields the same, with a folder of its own."""
    with TemporaryDirectory() as folder:
        yield from refused(name, route, Path(folder))


if __name__ == "__main__":
    run(reports_refused, LONGEST, "refused")
