"""The arrow of each joint that turns has the positive sense of its coordinate, whatever the sign of its value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from shipped import robot

from qddot.papers.draw import marks
from qddot.papers.draw.posed import PosedArm
from qddot.papers.draw.scene import Scene

STEP = 1e-4  # rad


def arrows(name: str, q: list[float]) -> list[Any]:
    """The points of the arrows of the joints that turn, in the plane of the picture, in the order of the joints."""
    scene = Scene(PosedArm(robot(name).model, np.array([q])))
    drawn = marks.of_arm(scene.arm, scene.shapes, scene.camera, False, scene.outlines()[0].mean(1))
    return [line.points for line in drawn.lines if line.heads == ">" and len(line.points) > 2]


def turned(points: Any, centre: Any) -> float:
    """The angle through which an arc leads about a point, counterclockwise [rad]."""
    x, y = (points - centre).T
    return float(np.ptp(np.unwrap(np.arctan2(y, x))) * np.sign(np.diff(np.unwrap(np.arctan2(y, x))).sum()))


@pytest.mark.parametrize("name", ["two_link", "planar_2r", "acrobot", "one_link"])
@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, 1), (-1, -1), (0, 0)])
def test_an_arrow_in_the_plane_turns_as_its_link_does(name: str, signs: tuple[int, int]) -> None:
    model = robot(name).model
    q = [sign * size for sign, size in zip(signs, (0.7, 2.1), strict=True)][: len(model.coordinates)]
    for k, arc in enumerate(arrows(name, q)):
        ahead = [value + STEP * (j == k) for j, value in enumerate(q)]
        now, later = (PosedArm(model, np.array([each])) for each in (q, ahead))
        scene = Scene(now)
        centre = scene.camera.seen(now.joints[0, k])
        link, moved = (scene.camera.seen(each.end[0]) - centre for each in (now, later))
        sense = np.sign(link[0] * moved[1] - link[1] * moved[0])
        assert np.sign(turned(arc, centre)) == sense != 0, (k, signs)


@pytest.mark.parametrize("size", [0.4, 1.2, 2.8])
def test_an_arrow_spans_the_angle_between_the_link_and_its_direction_at_zero(size: float) -> None:
    for q in (size, -size):
        (arc,) = arrows("one_link", [q])
        assert turned(arc, np.zeros(2)) == pytest.approx(size, abs=1e-6)
