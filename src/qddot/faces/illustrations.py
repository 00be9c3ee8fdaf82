"""Makes what a report cannot make by itself: pictures, a run, counts, code."""

from __future__ import annotations

from io import StringIO
from typing import Any

from qddot.report.document import Picture
from qddot.report.handed_in import HandedIn
from qddot.report.sections.worked_state import worked_state


def handed_in(robot: Any, lang: str, code: str | None) -> HandedIn:
    """Returns all that can be made of an arm."""
    if set(robot.model.symbols) - set(robot.model.defaults()):
        return HandedIn()
    q = list(worked_state(robot.model.coordinates)[0].values())
    figure, drawn = robot.plot(q, lang=lang), StringIO()
    figure.savefig(drawn, format="svg")
    return HandedIn(Picture(drawn.getvalue()))
