"""Every dependency has an oldest version, with which `make dist` tries the wheel."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import floors
import pytest


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(".")[:3] if part.isdigit()]


def test_what_is_installed_is_no_older_than_the_floors() -> None:
    minima = dict(each.split("==") for each in floors.floors(["full", "report", "sweep", "sympy"]))
    assert {"numpy", "xarray", "zarr", "google-crc32c", "typst", "sympy"} <= set(minima)
    assert [name for name, floor in minima.items() if numbers(version(name)) < numbers(floor)] == []


def test_a_dependency_without_a_floor_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["numpy>=1.26", "scipy<2"]\n')
    monkeypatch.setattr(floors, "__file__", str(tmp_path / "tests" / "distributions" / "floors.py"))
    with pytest.raises(SystemExit, match="'scipy<2' has no floor"):
        floors.floors([])
