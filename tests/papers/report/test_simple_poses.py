"""A report has the tool at right angles of its joints, one by one and combined, as a student checks poses by hand."""

from __future__ import annotations

import pytest
from shipped import robot

from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Sum
from qddot.papers.report.document import Paragraph, Table
from qddot.papers.report.formula import Formula
from qddot.papers.report.sections import transforms
from qddot.papers.report.wording import Words


def rows(name: str) -> dict[str, str]:
    """The place of the tool by the names of the joints at right angles."""
    short = robot(name).equations().textbook()
    blocks = transforms.section([short], Words.of("en", short)).blocks
    (table,) = (block for block in blocks if isinstance(block, Table))
    places = {}
    for turned, place, *_ in table.rows:
        assert isinstance(turned, Formula)
        assert isinstance(place, Paragraph)
        places[turned.text] = "".join(
            Text().write(part) if isinstance(part, Sum) else str(part) for part in place.parts
        )
    return places


def test_the_four_poses_of_the_homework() -> None:
    assert rows("spatial_2r") == {
        "q = 0": "(2*L, 0, 0)",
        "q1 = 90deg": "(0, 2*L, 0)",
        "q2 = 90deg": "(L, 0, L)",
        "q1 = q2 = 90deg": "(0, L, L)",
    }


def test_an_elbow_folds_by_all_combinations() -> None:
    """With the axes −x of shoulder and elbow, a right angle of the shoulder points the arm down."""
    places = rows("elbow_3r")
    assert len(places) == 2**3
    assert places["q1 = q2 = q3 = 90deg"] == "(r2, 0, l0 - l1)"
    assert places["q2 = 90deg"] == "(0, 0, l0 - l1 - r2)"


@pytest.mark.parametrize(("name", "count"), [("rp", 2), ("ur5", 1 + 6 + 5)])
def test_many_joints_turn_by_neighbours(name: str, count: int) -> None:
    places = rows(name)
    assert len(places) == count
    assert max(turned.count("q") for turned in places) <= 2
