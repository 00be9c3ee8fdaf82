"""Writes the report of a closed chain: it gathers the equations, a closed configuration and a picture there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qddot.base.errors import EvaluationError
from qddot.base.system.parts import installed
from qddot.base.words.language import or_in_use
from qddot.base.words.message import say
from qddot.papers.report import report_file
from qddot.papers.report.closed_report import report
from qddot.papers.report.finished_parts import ClosedState
from qddot.papers.report.levels import Extent
from qddot.papers.report.slides import in_slides
from qddot.papers.report.wording import Words
from qddot.physics.of_model import check_links

CLOSED = "closed"  # the command that makes these files
NOISE = 1e-14  # of the largest number; sums of some hundred products round to about this


def write(
    chain: Any,
    path: str | Path,
    lang: str,
    near: Any,
    level: str,
    overwrite: bool,
    significance: float | None,
    form: str | None,
    lumped: bool,
    kind: str,
) -> Path:
    """Writes the report of a ClosedChain; arguments are those of `ClosedChain.report`; kind: its `format`"""
    check_links(chain.model.tree, say("report-with-pictures"))
    with installed():
        from qddot.faces import posed_picture

    lang = or_in_use(lang)
    Words(lang)  # raises for a wrong language or level before the work begins
    Extent.of(level, chain.n)
    place = report_file.checked(path, lang, CLOSED, overwrite, kind=kind)
    eq = chain.equations()
    state = _state(chain, near)
    pdf = place.suffix.lower() == ".tex"
    picture = posed_picture.pose(chain.tree, state.q, lang, pdf, chain.model) if state else None
    abbreviated = None if significance is None else (eq.abbreviate(significance), significance)
    short = None if form is None else eq.textbook(form, lumped)
    proof = chain.prove(state and state.q)
    document = report(eq.reduced, eq.tree.textbook(), proof, lang, picture, state, level, abbreviated, short)
    report_file.write({place: in_slides(document) if kind == report_file.SLIDES else document}, CLOSED, overwrite)
    return place


def _state(chain: Any, near: Any) -> ClosedState | None:
    """Returns the configuration near a guess; without one any, or None if a symbol has no value or none is found."""
    try:
        assembly = chain._assembled(near)
        still = [0.0] * chain.n
        M, holding = chain.mass_matrix(assembly.q), chain.inverse_dynamics(assembly.q, still, still)
    except EvaluationError:
        if near is not None:
            raise
        return None
    M, holding = _without_noise(M), _without_noise(holding)
    return ClosedState(tuple(assembly.q), assembly.radius, M.tolist(), tuple(holding))


def _without_noise(values: Any) -> Any:
    """Returns numbers with zeros for those that rounding alone makes differ from zero."""
    return values * (abs(values) > NOISE * abs(values).max())
