"""Writes the section on constants for control, with their proven bounds."""

from __future__ import annotations

from qddot.exact.printing.notation import symbol
from qddot.papers.report.document import Figure, Paragraph, Section, Table
from qddot.papers.report.finished_parts import ControlConstants
from qddot.papers.report.sections.blocks_of import number, vector
from qddot.papers.report.wording import Words
from qddot.robot import units
from qddot.robot.model import Model

DIGITS = 4


def section(constants: ControlConstants, model: Model, words: Words) -> Section:
    """Returns the bounds over the region, and the picture of the ranges of M and G if there is one."""
    unit_of = units.of_coordinates(model)
    ranges = (
        Paragraph((symbol(name), f" ∈ [{number(low, DIGITS)}, {number(high, DIGITS)}]{unit and f' {unit}'}"))
        for (name, low, high), unit in zip(constants.region, unit_of, strict=True)
    )
    parts = [each for part in ranges for each in (words("and"), *part.parts)][1:]
    rows = tuple(
        (
            words.paragraph(f"constant {each.name}"),
            each.proven,
            number(each.found, DIGITS),
            vector(_rounded(each.pose), unit_of),
        )
        for each in constants.listed
    )
    titles = (words("quantity"), words("proven bound"), words("value found"), words("pose found"))
    definite = words.paragraph("definite" if constants.definite else "not definite")
    picture = [Figure(constants.ranges, words("ranges picture"))] if constants.ranges else []
    return Section(
        "constants",
        words("control constants"),
        (
            words.paragraph("control constants law", region=Paragraph(tuple(parts))),
            definite._replace(result=True),
            Table(titles, rows),
            *([words.paragraph("ranges law"), *picture] if picture else []),
        ),
    )


def _rounded(pose: tuple[float, ...]) -> list[float]:
    return [round(x, DIGITS) + 0.0 for x in pose]  # no −0
