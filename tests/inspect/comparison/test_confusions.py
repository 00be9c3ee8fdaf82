"""The catalogue of confusions: what is undone is as it was, and what is changed is another arm."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from planting import given

import qddot
from qddot.algebra.spatial import SymmetricMatrix3, Vec3
from qddot.algebra.spatial.inertia import Inertia
from qddot.formats.confusions.confusion import UNITS, Confusion
from qddot.formats.confusions.of_arms import GRAVITIES, OTHER_ROWS, REVERSED_AXIS, SIGN_OF_GRAVITY, other_rows, rows_of
from qddot.formats.confusions.of_bodies import BODIES, OTHER_AXES, TENSORS, TIMES_MASS, Mass
from qddot.robot.bodies import Joint
from qddot.teach.check.judging.mistakes import KINDS
from qddot.teach.check.judging.variants import variants

C = Vec3(*map(Fraction, ("1/3", "-2/5", "7/11")))
I = SymmetricMatrix3(*map(Fraction, ("5", "1/7", "-2/9", "6", "3/8", "7")))
BODY = Mass(Fraction(13, 4), C, I)
ALL: list[tuple[Confusion[Any], Any]] = [
    *((each, I) for each in TENSORS),
    *((each, C) for each in OTHER_AXES),
    *((each, BODY) for each in BODIES),
    (SIGN_OF_GRAVITY, C),
    (REVERSED_AXIS, Joint("revolute", coordinate="q1", axis=Vec3(0, 0, 1), limits=("-1", "2"))),
]


@pytest.mark.parametrize(("confusion", "right"), ALL, ids=[f"{k} {each[0].name}" for k, each in enumerate(ALL)])
def test_a_confusion_changes_something_and_its_way_back_leads_there(confusion: Confusion[Any], right: Any) -> None:
    wrong = confusion.change(right)
    assert wrong != right
    if confusion.undo is not None:
        assert confusion.undo(wrong) == right


def test_what_the_checker_plants_has_a_sentence() -> None:
    model = qddot.load("puma560_akb").model
    planted = list(variants(model, {"tau", "G"}))
    assert {"permuted inertia axes", "inertia times mass", "axis reversed", "missing centre of mass"} <= {
        each.kind for each in planted
    }
    assert {each.kind for each in planted} <= set(KINDS)


def test_an_inertia_times_its_mass_is_named_by_the_comparison() -> None:
    right = given("ur5")
    bodies = []
    for body in right.bodies:
        centre = body.com or Vec3.zero()
        wrong = TIMES_MASS.change(Mass(body.inertia.m, centre, body.inertia.central_tensor(centre)))
        bodies.append(replace(body, inertia=Inertia.about_com(wrong.m, centre, wrong.I), partial_inertia=True))
    comparison = qddot.diff(qddot.Robot(right), qddot.Robot(replace(right, bodies=tuple(bodies))))
    assert {finding.cause for finding in comparison.findings} == {TIMES_MASS.name}


@pytest.mark.parametrize("values", [{"m2": 3}, {"m2": 0.5}, {"m1": 3}, {"m1": 3, "m2": 3}, {"m1": 2, "m2": 3}])
@pytest.mark.parametrize("before", [{}, {"m1": 1000, "m2": 1000}])
def test_a_body_that_is_only_heavier_has_no_confused_inertia(values: Any, before: Any) -> None:
    """The rods' tensors are in proportion to their masses, which are 1: I_B = I_A m_B by coincidence."""
    arm = qddot.load("two_link").with_values(**before)
    comparison = qddot.diff(
        arm, arm.with_values(**{name: value * before.get(name, 1) for name, value in values.items()})
    )
    assert not comparison and TIMES_MASS.name not in {finding.cause for finding in comparison.findings}


def test_an_inertia_times_its_mass_is_named_where_the_masses_agree() -> None:
    right = qddot.load("two_link").with_values(m2=3)
    upper, fore = right.model.bodies
    centre = fore.com or Vec3.zero()
    body = TIMES_MASS.change(Mass(fore.inertia.m, centre, fore.inertia.central_tensor(centre)))
    wrong = replace(fore, inertia=Inertia.about_com(body.m, centre, body.I), partial_inertia=True)
    comparison = qddot.diff(right, qddot.Robot(replace(right.model, bodies=(upper, wrong))))
    assert [finding.cause for finding in comparison.findings] == [TIMES_MASS.name]


@pytest.mark.parametrize("name", ["puma560", "planar_2r", "panda"])
def test_rows_of_the_other_kind_are_another_arm_and_are_told(name: str) -> None:
    model = given(name)
    wrong = other_rows(model)
    assert {str(rows_of(model)), str(rows_of(wrong))} == {"standard", "modified"}
    comparison = qddot.diff(qddot.Robot(model), qddot.Robot(wrong))
    assert OTHER_ROWS.name in {finding.cause for finding in comparison.findings}


def test_gravity_along_two_axes_has_no_other_axis() -> None:
    tilted = Vec3(0, Fraction(3), Fraction(-9))
    assert [each.name for each in GRAVITIES if each.change(tilted) != tilted] == ["gravity sign", "missing gravity"]
    assert len({tuple(each.change(Vec3(0, 0, -9))) for each in GRAVITIES}) == 6 + 1
    assert np.linalg.norm([float(x) for x in GRAVITIES[2].change(Vec3(0, 0, -9))]) == 9


PER_UNIT = {"g": 1e-3, "kg": 1.0, "lb": 0.45359237, "mm": 1e-3, "cm": 1e-2, "in": 0.0254, "m": 1.0}


def size_of(unit: str) -> float:
    """A unit such as g·cm² in kilograms and metres."""
    return float(np.prod([PER_UNIT[part.rstrip("²")] ** (2 if part.endswith("²") else 1) for part in unit.split("·")]))


def test_a_factor_on_wrong_numbers_is_that_of_the_units_in_its_sentence() -> None:
    told = [(factor, *text.split(" for ")) for factors in UNITS.values() for factor, text in factors.items() if text]
    assert len(told) > 15
    for factor, written, meant in told:
        assert factor == pytest.approx(size_of(meant) / size_of(written), rel=1e-12), (written, meant)


@pytest.mark.parametrize(("factor", "told"), [(10, "10"), (Fraction(1, 10), "0.1"), (1000, "g·m² for kg·m²")])
def test_a_tensor_with_a_decimal_point_out_of_place_is_told(factor: Any, told: str) -> None:
    right = qddot.load("two_link").with_values(m2=3)
    upper, fore = right.model.bodies
    centre = fore.com or Vec3.zero()
    tensor = fore.inertia.central_tensor(centre).map(lambda entry: factor * entry)
    wrong = replace(fore, inertia=Inertia.about_com(fore.inertia.m, centre, tensor), partial_inertia=True)
    comparison = qddot.diff(right, qddot.Robot(replace(right.model, bodies=(upper, wrong))))
    assert [told in str(finding) for finding in comparison.findings] == [True]
