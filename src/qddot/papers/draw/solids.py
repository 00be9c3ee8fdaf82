"""Solids are faces that belong to the links; a camera sees those that are turned to it, the nearest last."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import to_rgb

SIDES = 20
LIGHT = np.array([-0.35, 0.55, 0.8]) / np.linalg.norm([-0.35, 0.55, 0.8])  # from the camera's upper left


class Solids:
    """This has convex solids as faces with four corners, each in the axes of the frame that carries it."""

    def __init__(self) -> None:
        self._faces: list[Any] = []
        self._normals: list[Any] = []
        self._colours: list[Any] = []
        self._frames: list[Any] = []

    def add(self, frame: int, faces: Any, colour: str) -> None:
        """Adds a convex solid, (faces, 4, 3), to a frame."""
        middle = faces.reshape(-1, 3).mean(0)
        # an end's face may have two corners in one point: its diagonals still span it
        normals = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        outward = np.sign(((faces.mean(1) - middle) * normals).sum(1, keepdims=True))
        self._faces.append(faces)
        self._normals.append(normals * np.where(outward == 0, 1, outward))
        self._colours.append(np.broadcast_to(to_rgb(colour), (len(faces), 3)))
        self._frames.append(np.full(len(faces), frame))

    def joined(self) -> tuple[Any, Any, Any, Any]:
        """Returns all faces, their normals, colours and frames, as arrays."""
        parts = (self._faces, self._normals, self._colours, self._frames)
        faces, normals, colours, frames = (np.concatenate(part) for part in parts)
        return faces, normals, colours, frames


def cylinder(a: Any, b: Any, radius: float, longest: float, sides: int = SIDES, side: Any = None) -> Any:
    """Returns the faces of a cylinder from point a to b with its ends; a prism where the sides are few.

    longest: about the length of a piece, since pieces are sorted by depth. side: the direction of a corner
    """
    along = (b - a) / np.linalg.norm(b - a)
    first = np.eye(3)[np.argmin(np.abs(along))] if side is None else side
    first = first - along * (first @ along)
    first /= np.linalg.norm(first)
    turn = np.linspace(0, 2 * np.pi, sides + 1)[:, None] + np.pi / sides
    ring = radius * (np.cos(turn) * first + np.sin(turn) * np.cross(along, first))
    pieces = max(1, round(float(np.linalg.norm(b - a)) / longest))
    rings = a + (b - a) * np.linspace(0, 1, pieces + 1)[:, None, None] + ring
    mantle = np.stack([rings[:-1, :-1], rings[:-1, 1:], rings[1:, 1:], rings[1:, :-1]], axis=2).reshape(-1, 4, 3)
    ends = [
        np.stack([np.broadcast_to(middle, edge[1:].shape), edge[:-1], edge[1:], (edge[1:] + middle) / 2], axis=1)
        for middle, edge in ((a, rings[0]), (b, rings[-1]))
    ]
    return np.concatenate([mantle, *ends])


def ball(centre: Any, radius: float) -> Any:
    """Returns the faces of a sphere."""
    turn, rise = np.linspace(0, 2 * np.pi, 17), np.linspace(-np.pi / 2, np.pi / 2, 9)
    level = np.outer(np.sin(rise), np.ones(17))
    points = np.stack([np.outer(np.cos(rise), np.cos(turn)), np.outer(np.cos(rise), np.sin(turn)), level], -1)
    at = centre + radius * points
    return np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], axis=2).reshape(-1, 4, 3)


def painted(faces: Any, normals: Any, colours: Any, towards_eye: Any) -> tuple[Any, Any]:
    """Returns the colours (faces, 3) and the indices of the visible faces, the nearest last.

    faces, normals, towards_eye: along the camera's axes
    """
    visible_faces = np.flatnonzero((normals * towards_eye).sum(1) > 1e-6)
    order = visible_faces[np.argsort(faces[visible_faces, :, 2].mean(1), kind="stable")]
    bright = 0.64 + 0.42 * np.clip(normals[order] @ LIGHT, 0, None)
    return np.clip(bright[:, None] * colours[order], 0, 1), order
