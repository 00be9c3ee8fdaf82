"""Equations of closed chains are the same after they were written to a file, which is refused if it was changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import chain, whipple
from refusals import refusal

import qddot
from qddot.base.errors import FormatError

BICYCLE = pytest.param("bicycle", marks=pytest.mark.thorough)


def written(name: str, folder: Path) -> tuple[qddot.ClosedEquations, Path]:
    of = whipple() if name == "bicycle" else chain(name)
    eq, path = of.equations(), folder / "eq.json"
    eq.save(path)
    return eq, path


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "delta", "unicycle", "rolling_disc", BICYCLE])
def test_equations_are_the_same_after_they_were_stored(name: str, tmp_path: Path) -> None:
    eq, path = written(name, tmp_path)
    again = qddot.ClosedEquations.load(path)
    assert again.reduced.choice == eq.reduced.choice
    for quantity in ("phi", "A", "R", "M", "christoffel", "C", "h", "G", "tau", "K", "P"):
        assert again.array(quantity) == eq.array(quantity)
        assert again.array(quantity).symmetric == eq.array(quantity).symmetric
    assert again.text() == eq.text()


@pytest.mark.parametrize("name", ["four_bar", "unicycle"])
def test_stored_equations_are_proved_and_give_the_same_numbers(name: str, tmp_path: Path) -> None:
    eq, path = written(name, tmp_path)
    again = qddot.ClosedEquations.load(path)
    assert again.prove()
    of = chain(name)
    state = of.some_assembly().q, np.linspace(0.2, 0.7, of.n)
    assert again.at(*state)["tau"] == pytest.approx(eq.at(*state)["tau"], rel=1e-12)


def test_long_coefficients_and_the_configuration_are_stored(tmp_path: Path) -> None:
    eq, path = written("delta_parallelograms", tmp_path)
    again = qddot.ClosedEquations.load(path)
    assert again.M == eq.M and again.reduced.choice == eq.reduced.choice
    near = {"q1": 1.0, "q2": -0.5, "q3": 1.5}
    qddot.load_closed_chain("four_bar", near=near).equations().save(path, overwrite=True)
    assert np.array_equal(qddot.ClosedEquations.load(path)._near, list(near.values()))


@pytest.mark.parametrize(
    "damage",
    [
        lambda c: c.update(format="other"),
        lambda c: c.update(version=99),
        lambda c: c["M"].pop(),
        lambda c: c["G"][0][0].__setitem__(0, "1/0"),
        lambda c: c["G"][0][0].__setitem__(1, 10**6),
        lambda c: c["generators"].reverse(),
        lambda c: c.update(model=c["model"].replace('"a"', '"b"')),
        lambda c: c.update(model=[]),
        lambda c: c["choice"].update(conditions=[1, 0]),
        lambda c: c["choice"].pop("held"),
        lambda c: c["choice"].update(independent=["q1"]),
        lambda c: c.update(configuration=[1.0, 2.0, 3.0]),
        lambda c: c.pop("configuration"),
        lambda c: c["M"][0][0][0].__setitem__(0, "999"),
    ],
)
def test_a_damaged_file_is_refused(damage: Any, tmp_path: Path) -> None:
    _, path = written("four_bar", tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    damage(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(qddot.QddotError, match=r"eq\.json"):
        qddot.ClosedEquations.load(path)


def test_a_file_of_the_other_kind_names_the_class_that_reads_it(tmp_path: Path) -> None:
    _, path = written("four_bar", tmp_path)
    with refusal(FormatError, "file-of-kind", "qddot.ClosedEquations.load"):
        qddot.EquationsOfMotion.load(path)
    qddot.load("two_link").equations().save(tmp_path / "arm.json")
    with refusal(FormatError, "file-of-kind", "qddot.EquationsOfMotion.load"):
        qddot.ClosedEquations.load(tmp_path / "arm.json")


def test_a_missing_file_and_another_file_are_refused(tmp_path: Path) -> None:
    with refusal(FormatError, "file-unreadable"):
        qddot.ClosedEquations.load(tmp_path / "none.json")
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with refusal(FormatError, "not-json"):
        qddot.ClosedEquations.load(tmp_path / "mine.txt")
    with refusal(FormatError, "file-of-another-maker"):
        chain("four_bar").equations().save(tmp_path / "mine.txt")
