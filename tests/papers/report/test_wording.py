"""What sentences and laws of a report depend on: the traits of an arm, and the blocks that a summary leaves out."""

from __future__ import annotations

import pytest

import qddot
from qddot.papers.report.document import EquationBlock, Paragraph, Table
from qddot.papers.report.sections import summary
from qddot.papers.report.wording import traits_of

SENTENCES = [Paragraph((text,)) for text in ("loops", "conditions", "coefficients")]
PHI, A, R = (EquationBlock(key, ()) for key in ("phi", "A", "R"))
TABLE = Table((), ())


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        ("two_link", {"shifted", "all_revolute", "located", "bodies", "fixed_base", "rates"}, {"centred", "quasi"}),
        ("planar_2r", {"centred", "all_revolute"}, {"shifted", "mixed", "prismatic"}),
        ("slider", {"centred", "all_prismatic", "prismatic"}, {"shifted", "revolute"}),
        ("rp", {"mixed", "revolute", "prismatic"}, {"all_revolute", "all_prismatic"}),
        ("quadrotor_arm", {"quasi", "mixed"}, {"fixed_base", "all_prismatic", "rates"}),
        ("pendubot", {"passive"}, set()),
    ],
)
def test_traits_are_those_of_the_robot(name: str, has: set[str], lacks: set[str]) -> None:
    traits = traits_of(qddot.load(name).model)
    assert has <= traits and not lacks & traits, sorted(traits)


def test_equations_without_bodies_have_no_centres() -> None:
    traits = traits_of(qddot.load("puma560_1986").model)
    assert not {"located", "bodies"} & traits, sorted(traits)


def test_a_body_with_its_centre_in_the_axis_is_located() -> None:
    link = {"mass": 1, "com": [0, 0, 0], "inertia": {"about": "com", "xx": 1, "yy": 1, "zz": 1}}
    wheel = qddot.from_dh([{"theta": "q1", "d": 0, "a": 0, "alpha": 0}], [link], gravity=[0, 0, -9.81])
    assert {"located", "bodies", "centres"} <= traits_of(wheel.model)


def test_a_sentence_goes_with_what_follows_it() -> None:
    loops, conditions, coefficients = SENTENCES
    blocks = [loops, PHI, conditions, A, coefficients, R]
    assert summary.conditions(blocks, rolling=True) == (*blocks,)
    assert summary.conditions(blocks, rolling=False) == (loops, PHI, coefficients, R)
    assert summary.without_tables([loops, TABLE, R]) == (loops, R)
