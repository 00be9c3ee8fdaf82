"""Draws an arm in one configuration for a document; unlike a motion, this needs no simulation."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from qddot.base.errors import EvaluationError
from qddot.machine.numeric.arm import NumericArm
from qddot.papers.draw import picture, saved
from qddot.papers.report.document import Picture
from qddot.robot.closed_model import ClosedModel


def pose(
    robot: NumericArm, q: Sequence[float], lang: str, pdf: bool = True, closed: ClosedModel | None = None
) -> Picture | None:
    """Returns the arm at q with its frames and axes; lengths without values count as 1.

    It is None where a length cannot be computed so, such as 1/(l1 - l2).

    pdf: whether the document also needs it as PDF; closed: the loops and wheels of a closed chain
    raises QddotError: no such language
    """
    try:
        return saved_picture(picture.pose(robot.model, q, lang=lang, on_page=True, closed=closed), "pose", pdf)
    except EvaluationError:
        return None


def saved_picture(figure: Figure, name: str, pdf: bool) -> Picture:
    """Returns a figure as a picture of a document. name: begins its ids; pdf: whether it is also saved as PDF"""
    return Picture(saved.svg(figure, name), saved.pdf(figure) if pdf else b"")
