"""Writes the report of an arm's derivation: it gathers the equations, and finished parts such as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from qddot.base.errors import QddotError, check_one_of, is_one_of
from qddot.base.system.collector import without_collector
from qddot.base.system.parts import installed
from qddot.base.words.language import or_in_use
from qddot.base.words.message import Listed, say
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.routes import RATES, ROUTES
from qddot.papers.report import report_file
from qddot.papers.report.arm_report import ReportContents, base_of, report
from qddot.papers.report.document import TextbookForm
from qddot.papers.report.levels import Extent
from qddot.papers.report.report_file import REPORT, SLIDES
from qddot.papers.report.slides import in_slides
from qddot.papers.report.wording import Words
from qddot.physics.of_model import check_links
from qddot.robot.model import Model

ALL = "all"
NOTEBOOK = ".ipynb"  # which derives the equations of its robot again
MOST_TERMS = 1_000_000  # of Γ; to shorten a humanoid's 5.6 million takes hours
PAPER = (".pdf", ".tex", ".typ")  # formats that show the path instead of a film


def write(
    robot: Any,
    path: str | Path,
    route: str | Sequence[str],
    lang: str,
    significance: float | None,
    code: str | None,
    level: str,
    bounds: bool,
    overwrite: bool,
    written: TextbookForm,
    kind: str,
) -> Path:
    """Writes the report of a Robot; arguments are those of `Robot.report`.

    written: the form and `lumped`; kind: of the document, `format`
    """
    check_links(robot.model, say("report-with-pictures"))
    Extent.of(level, robot.model.n)  # raises for a wrong level before the work begins
    lang = or_in_use(lang)
    Words(lang)  # and for a wrong language
    routes, place = _routes(route, robot.model), report_file.checked(path, lang, REPORT, overwrite, kind=kind)
    suffix = place.suffix.lower()
    with installed():
        from qddot.faces import illustrations

    with without_collector():  # what is derived stays until it is written
        equations = [robot.equations(name) for name in routes]
        eq = equations[0]
        _check_length(eq.quantities)
        abbreviated = None if significance is None else (eq.abbreviate(significance), significance)
        derivation = ReportContents(
            [each.textbook(*written) for each in equations], eq.prove(), base_of(robot.model), abbreviated
        )
        pdf, film = suffix == ".tex", suffix not in PAPER
        finished_parts = illustrations.finished_parts(robot, lang, code, pdf, film, bounds, level)
        document = report(derivation, lang, finished_parts, level)
        if suffix == NOTEBOOK:
            from qddot.formats import writing

            robot_file = writing.in_its_frames(robot.model)
            document = document._replace(robot=robot_file, routes=tuple(routes), written=written)
        report_file.write({place: in_slides(document) if kind == SLIDES else document}, REPORT, overwrite)
    return place


def _check_length(eq: Quantities) -> None:
    """Raises QddotError if the equations are too long for a report of any level."""
    terms, name = sum(map(len, eq.in_joint_angles.array("christoffel").entries)), eq.model.name
    if terms > MOST_TERMS:
        one, proof = f"qddot derive {name} --only G", f"qddot prove {name}"
        raise QddotError("report-too-long", name=name, terms=f"{terms:,}", most=f"{MOST_TERMS:,}", one=one, proof=proof)


def _routes(route: str | Sequence[str], model: Model) -> list[str]:
    """Returns the names of the routes to write: those named, or all of the arm. raises QddotError: no such route"""
    if is_one_of(route, (ALL,)):
        return [name for name, each in ROUTES.items() if not (model.freedoms and RATES in each.needs)]
    names = list(dict.fromkeys([route] if isinstance(route, str) else route))
    for name in names or [""]:
        check_one_of(
            name, ROUTES, say("no-route"), QddotError, expected=say("routes-or-all", names=Listed(ROUTES), all=ALL)
        )
    return names
