"""A scene is an arm as a camera sees it: the visible parts of its solids in each configuration, and their extent."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.papers.draw.camera import Camera, Direction
from qddot.papers.draw.posed import PosedArm
from qddot.papers.draw.shapes import Shapes
from qddot.papers.draw.solids import painted

LOOKS = 40  # configurations of a film in which the extent is that of the outlines
SMALLEST = 1e-6  # extent of an arm [m]


class Scene:
    """This has an arm's solids before a camera; `low` and `high` are the corners of its visible part [m]."""

    def __init__(self, arm: PosedArm, direction: Direction | None = None) -> None:
        self.arm = arm
        points = np.concatenate([arm.points, np.zeros((1, 3))])
        extent = float(np.ptp(points, axis=0).max())
        self.size = extent if extent > SMALLEST else 1.0  # all joints may be in one point
        self.camera = Camera(arm, direction, (points.max(0) + points.min(0)) / 2, self.size)
        self.shapes = Shapes(arm, self.size)
        self._faces, self._normals, self._colours, self._frames = self.shapes.solids.joined()
        places = self.camera.seen(points)
        thick = 2.4 * self.shapes.radius
        some = np.unique(np.linspace(0, len(arm.q) - 1, LOOKS).astype(int))
        corners = [places - thick, places + thick, *(self.outlines(k)[0].reshape(-1, 2) for k in some)]
        self.low, self.high = (bound(np.concatenate(corners), axis=0) for bound in (np.min, np.max))

    def outlines(self, k: int = 0) -> tuple[Any, Any, Any]:
        """Returns the visible faces in the arm's k-th configuration, the nearest last: outlines, colours, frames.

        A rod that closes a loop is on no link, and so counts as the base's.
        """
        R, p = self.arm.carriers
        turn = self.camera.axes @ R[k, self._frames]
        faces = np.einsum("fij,fvj->fvi", turn, self._faces) + self.camera.coordinates(p[k, self._frames])[:, None]
        normals = np.einsum("fij,fj->fi", turn, self._normals)
        colours, order = painted(faces, normals, self._colours, self.camera.towards_eye(faces.mean(1)))
        return (
            self.camera.projected(faces[order]),
            colours,
            np.where(self._frames < self.arm.p.shape[1], self._frames, 0)[order],
        )

    def include(self, points: Any) -> None:
        """Makes room for points that the camera has seen, (many, 2)."""
        if len(points):
            self.low, self.high = np.minimum(self.low, points.min(0)), np.maximum(self.high, points.max(0))
