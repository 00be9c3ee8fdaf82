"""Units of values are read, multiplied and written; each entry of the equations has its own."""

from __future__ import annotations

import pytest

import qddot
from qddot.robot import units
from qddot.robot.units import Unit, unit_of


@pytest.mark.parametrize(
    ("text", "unit", "written"),
    [
        ("kg m^2", Unit(1, 2, 0), "kg m²"),
        ("m/s^2", Unit(0, 1, -2), "m/s²"),
        ("N m s/rad", Unit(1, 2, -1), "kg m²/s"),
        ("N/m", Unit(1, 0, -2), "N/m"),
        ("rad", Unit(), ""),
        ("kg·m²", Unit(1, 2, 0), "kg m²"),
    ],
)
def test_units_are_read_and_written(text: str, unit: Unit, written: str) -> None:
    assert unit_of(text) == unit
    assert unit.written() == written


@pytest.mark.parametrize("text", ["", "furlong", "kg m^x", "mm"])
def test_a_unit_that_is_not_known_is_none(text: str) -> None:
    assert unit_of(text) is None


def test_each_entry_has_the_unit_that_makes_torques_of_the_motion() -> None:
    """The first joint turns, the second slides: τ1 has N m and τ2 has N in each term of M q̈ + Γ q̇ q̇ + G."""
    model = qddot.load("rp").model
    written = {place: units.written_unit(model, "M", place) for place in ((0, 0), (0, 1), (1, 1))}
    assert written == {(0, 0): "kg m²", (0, 1): "kg m", (1, 1): "kg"}
    assert [units.written_unit(model, "christoffel", place) for place in ((0, 0, 1), (1, 0, 0))] == ["kg m", "kg m"]
    assert [units.written_unit(model, "C", place) for place in ((0, 0), (1, 0))] == ["kg m²/s", "kg m/s"]
    assert [units.written_unit(model, "C2", place) for place in ((0, 1), (1, 0))] == ["kg", "kg m"]
    assert [units.written_unit(model, "G", (k,)) for k in range(2)] == ["N m", "N"] == units.of_torques(model)
    assert units.written_unit(model, "K", ()) == "J"


def test_values_of_joints_have_the_units_of_their_kinds() -> None:
    model = qddot.load("rp").model
    of_motion = [units.of_coordinates(model, rates) for rates in range(3)]
    assert of_motion == [["rad", "m"], ["rad/s", "m/s"], ["rad/s²", "m/s²"]]
    assert units.either("qdd") == "rad/s^2 or m/s^2"
    assert units.either("tau", [False, False]) == "N"
