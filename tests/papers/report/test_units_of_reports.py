"""Every value of a report has the unit that makes the equations right in any system of units."""

from __future__ import annotations

import pytest

import qddot
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import Document, Paragraph, Table
from qddot.papers.report.units_of_constants import of_constants
from qddot.robot.units import Unit, unit_of

KILOGRAM, METRE, SECOND = 1.7, 0.6, 1.3  # of other units, in the usual ones


def in_other_units(unit: Unit) -> float:
    return KILOGRAM**unit.kg * METRE**unit.m * SECOND**unit.s


@pytest.mark.parametrize("name", ["rp", "spatial_2r", "elbow_3r", "two_link", "spherical_pendulum"])
def test_constants_change_with_the_units_of_symbols_as_their_own_units_say(name: str) -> None:
    """A kilogram, metre and second of other size change each constant by the product of the powers in its unit."""
    short = qddot.load(name).equations().textbook()
    symbols = short.eq.model.symbols
    changed = {
        key: each.value.value({}) / in_other_units(unit_of(each.unit) or Unit())
        for key, each in symbols.items()
        if each.value is not None
    }
    before, after, written = short.values(), short.values(**changed), of_constants(short)
    assert set(written) == set(short.constants)
    for constant, unit in written.items():
        assert after[constant] == pytest.approx(before[constant] / in_other_units(unit_of(unit) or Unit()))


def told(name: str) -> Document:
    eq = qddot.load(name).equations()
    return report(ReportContents([eq.textbook()], eq.prove([])))


def test_a_sliding_joint_has_metres_and_newtons() -> None:
    state = next(section for section in told("rp").sections if section.key == "state")
    first, last = (block for block in state.blocks if isinstance(block, Table))
    assert [row[1] for row in first.rows] == ["0.4\u00a0rad", "0.6\u00a0m"]
    assert [row[3] for row in first.rows] == ["0.1\u00a0rad/s²", "−0.15\u00a0m/s²"]
    assert [row[-1] for row in last.rows] == ["N m", "N"]
    said = "".join(part for block in state.blocks if isinstance(block, Paragraph) for part in map(str, block.parts))
    assert "in kg m² where both joints turn, kg m where one of them slides" in said


@pytest.mark.parametrize("name", ["rp", "spatial_2r"])
def test_no_value_stands_without_its_unit(name: str) -> None:
    """Titles of columns with numbers, or the numbers themselves, have units; angles of rows are in degrees."""
    robot = told(name).sections[0]
    titles, said = "", ""
    for block in robot.blocks:
        if isinstance(block, Table):
            titles += "".join("".join(map(str, getattr(title, "parts", (title,)))) for title in block.titles)
        elif isinstance(block, Paragraph):
            said += "".join(part for part in block.parts if isinstance(part, str))
    assert titles.count("[m]") == 2
    assert all(unit in said for unit in ("in kg,", "in m,", "in kg m²"))
