"""The printed law of a closed chain has the torques of its springs and its friction."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot
from qddot.apps.cli import main

EFFECTS = {"springs": "spring = { stiffness = 30, rest = 0 }", "friction": "damping = 0.7"}
# a wheel of radius 1/5 rolls along x: x = turn / 5
ROLLER = """
name = "roller"
convention = "tree"
coordinates = ["x", "turn"]
[[link]]
name = "axle"
joint = {{ type = "prismatic", axis = [1, 0, 0], xyz = [0, 0, 0.2], coordinate = "x"{springs} }}
mass = 1
[[link]]
name = "wheel"
parent = "axle"
joint = {{ type = "revolute", axis = [0, 1, 0], coordinate = "turn"{friction} }}
mass = 2
inertia = {{ about = "com", yy = 0.04 }}
[[rolling]]
wheel = "wheel"
contact = {{ link = "axle", xyz = [0, 0, -0.2] }}
"""
# by hand: the spring's force 30 x moves 1/5 for each turn, and the moment 0.7 u acts on the turn itself
BY_HAND = {"springs": "springs1 = 6*x", "friction": "friction1 = 7*turnd/10"}


@pytest.mark.parametrize("there", [(), ("springs",), ("friction",), ("springs", "friction")])
def test_a_law_has_the_terms_that_there_are(
    there: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "roller.toml"
    path.write_text(ROLLER.format(**{name: f", {text}" if name in there else "" for name, text in EFFECTS.items()}))
    eq = qddot.load_closed_chain(path, ["turn"]).equations()
    assert eq.law == f"{' + '.join(['M u̇ + h + G', *there])} = Rᵀ τ"
    assert [name for name in EFFECTS if f"{name}1 = " in eq.text()] == [*there]
    assert main(["closed", str(path), "--independent", "turn"]) == 0
    shown = capsys.readouterr().out
    assert f"{eq.law}, where q̇ = R u" in shown
    for name in there:
        assert BY_HAND[name] in shown
    only = eq.text(["M"])
    assert "M11 = 4/25" in only and "springs" not in only
