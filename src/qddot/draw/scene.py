"""Draws the arm in space with Matplotlib from its own geometry: base, links as bodies, joints along their axes.

The direction opposite to gravity is up in the picture.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colors, rc_context
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection
from numpy.typing import ArrayLike

from qddot.draw.labels import Words
from qddot.draw.plot import COLOURS, STYLE, Picture, finite, one_arm
from qddot.errors import QddotError, flag, shortened
from qddot.numeric.arm import NumericArm
from qddot.simulate.recording import Recording

STEEL, JOINT, BASE, TOOL = "#9aa7b8", "#334155", "#64748b", "#111827"
EDGE = 0.5  # width of the faces' edges
SIDES = 20
LIGHT = np.array([0.45, -0.6, 0.9]) / np.linalg.norm([0.45, -0.6, 0.9])
AXES = ("#d1492e", "#2a9d62", "#1f6fb4")


class Scene:
    """A scene is a set of axes in space with an arm in it that can be moved.

    size: the largest extent of the points to show [m]
    """

    def __init__(self, figure: Any, arm: Any, points: Any, camera: tuple[float, float] | None = None) -> None:
        if camera is not None:
            _check_camera(camera)
        self.arm = arm
        self.up = upright(arm)
        seen = points @ self.up.T
        low, high = seen.min(0), seen.max(0)
        low[2] = min(low[2], 0.0)
        self.size = max(float((high - low).max()), 1e-3)
        self.middle = (low + high) / 2
        self.axes = figure.add_axes((0, 0, 1, 1), projection="3d", computed_zorder=False)
        self._prepare(camera or (18.0, -55.0))
        self._arm = Poly3DCollection([], zorder=5)
        self.axes.add_collection3d(self._arm)

    def seen(self, points: Any) -> Any:
        """Returns points as the camera sees them, (…, 3): x and y in the picture, then the depth."""
        flat = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ self.axes.get_proj().T
        return flat[..., :3] / flat[..., 3:]

    def _prepare(self, camera: tuple[float, float]) -> None:
        ax, half = self.axes, self.size * 0.56
        ax.set_proj_type("persp", focal_length=0.55)
        for name, centre in zip("xyz", self.middle, strict=True):
            getattr(ax, f"set_{name}lim")(centre - half, centre + half)
        ax.set_box_aspect((1, 1, 1), zoom=1.06)
        ax.set_axis_off()
        ax.view_init(*camera)
        floor = self.middle[2] - half
        steps = np.linspace(-half, half, 11).tolist()
        lines = [*([(x, -half, 0), (x, half, 0)] for x in steps), *([(-half, y, 0), (half, y, 0)] for y in steps)]
        grid = np.array(lines) + np.array([self.middle[0], self.middle[1], floor])
        ax.add_collection3d(Line3DCollection(grid, colors="#d8dee6", linewidths=0.7, zorder=0))

    def show(self, q: Any) -> None:
        """Moves the arm to a pose."""
        faces, paints = self.solid(*self.arm.skeleton(q))
        self._arm.set_verts(faces)
        # edges in the faces' colours close the seams between them
        self._arm.set_facecolor(paints)
        self._arm.set_edgecolor(paints)
        self._arm.set_linewidth(EDGE)

    def solid(self, bodies: Any, tool: Any) -> tuple[Any, Any]:
        """Returns the faces of the arm with this skeleton, (faces, 4, 3), and their colours under the light."""
        end = self.up @ tool
        starts, ends, radii, paints = zip(*self._parts(bodies @ self.up.T, end), strict=True)
        rods, knob = cylinders(np.array(starts), np.array(ends), np.array(radii)), ball(end, self.size * 0.022 * 1.3)
        colour = np.array([colors.to_rgb(paint) for paint in (*paints, TOOL)])
        of = np.repeat(np.arange(len(colour)), [*[len(rods) // len(paints)] * len(paints), len(knob)])
        faces = np.concatenate([rods, knob])
        return faces, shaded(faces, colour[of])

    def _parts(self, bodies: Any, tool: Any) -> Any:
        """Yields the base, every joint and every link as (start, end, radius, colour) of a cylinder."""
        r = self.size * 0.022
        up = np.array([0.0, 0.0, 1.0])
        first = bodies[0, 0]
        foot = np.array([0.0, 0.0, 0.0])
        yield foot - up * r, foot, r * 4.5, BASE
        if np.linalg.norm(first - foot) > r:
            yield foot, first, r * 1.5, BASE
        links = self.arm.model.bodies
        names = [body.name for body in links]
        for k, body in enumerate(links):
            joint, moved, axis, origin = bodies[k]
            if body.joint.moves:
                axis = axis / np.linalg.norm(axis)
                yield joint - axis * r * 2.2, joint + axis * r * 2.2, r * 1.75, JOINT
            if np.linalg.norm(moved - joint) > 1e-9 * self.size:
                yield joint, moved, r * 0.8, STEEL
            ends = [bodies[c, 0] for c, child in enumerate(links) if child.joint.parent == body.name]
            ends += [tool] if self.arm.model.tool_body == names[k] else []
            ends = [*(end for end in ends if np.linalg.norm(end - moved) > 0.3 * r)] or [origin]
            for end in ends:
                if np.linalg.norm(end - moved) > 1e-9 * self.size:
                    yield moved, end, r * 1.05, COLOURS[k % len(COLOURS)]

    def line(self, points: Any, **look: Any) -> Any:
        """Draws a line through points of the base frame and returns it."""
        seen = np.asarray(points) @ self.up.T
        (drawn,) = self.axes.plot(*seen.T, **look)
        return drawn

    def frame(self, T: Any, length: float) -> None:
        """Draws the three axes of a frame: x red, y green, z blue."""
        for k, colour in enumerate(AXES):
            self.line([T[:3, 3], T[:3, 3] + T[:3, k] * length], color=colour, linewidth=2, zorder=9)


def _check_camera(camera: Any) -> None:
    two = isinstance(camera, tuple | list) and len(camera) == 2
    if not two or not all(isinstance(x, int | float | np.number) and np.isfinite(x) for x in camera):
        raise QddotError(f"camera = {shortened(camera)}", expected="(elevation, azimuth) in degrees")


def upright(arm: Any) -> Any:
    """Returns the rotation that takes minus gravity to z."""
    values = arm.model.defaults()
    g = np.array([x.value(values) if hasattr(x, "value") else x for x in arm.model.gravity], dtype=float)
    if not np.linalg.norm(g):
        return np.eye(3)
    z = -g / np.linalg.norm(g)
    least = np.eye(3)[int(np.argmin(np.abs(z)))] if abs(z[2]) < 0.999 else np.array([1.0, 0, 0])
    x = least - z * (least @ z)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def cylinders(a: Any, b: Any, radius: Any) -> Any:
    """Returns the faces of cylinders from points a to points b, (k, 3), with their ends; shape (faces, 4, 3)."""
    along = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
    side = np.cross(along, np.eye(3)[np.argmin(np.abs(along), axis=1)])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    turn = np.linspace(0, 2 * np.pi, SIDES + 1)[:, None]
    ring = np.cos(turn) * side[:, None] + np.sin(turn) * np.cross(along, side)[:, None]
    first, last = (end[:, None] + radius[:, None, None] * ring for end in (a, b))
    below, above = (np.broadcast_to(end[:, None], first[:, 1:].shape) for end in (a, b))
    parts = (
        (first[:, :-1], first[:, 1:], last[:, 1:], last[:, :-1]),
        (below, below, first[:, 1:], first[:, :-1]),
        (last[:, :-1], last[:, 1:], above, above),
    )
    return np.concatenate([np.stack(part, axis=2) for part in parts], axis=1).reshape(-1, 4, 3)


def ball(centre: Any, radius: float) -> Any:
    """Returns the faces of a sphere."""
    turn, rise = np.linspace(0, 2 * np.pi, 13), np.linspace(-np.pi / 2, np.pi / 2, 7)
    points = np.stack(
        [
            np.outer(np.cos(rise), np.cos(turn)),
            np.outer(np.cos(rise), np.sin(turn)),
            np.outer(np.sin(rise), np.ones(13)),
        ],
        -1,
    )
    at = centre + radius * points
    return np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], axis=2).reshape(-1, 4, 3)


def shaded(faces: Any, colour: Any) -> Any:
    """Returns the colours of faces, (faces, 4), under a light from the upper left."""
    normal = np.cross(faces[:, 1] - faces[:, 0], faces[:, 3] - faces[:, 0])
    flat = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normal = np.where(np.linalg.norm(normal, axis=1, keepdims=True) > 1e-15, normal, flat)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-15)
    bright = 0.62 + 0.38 * (normal @ LIGHT)
    return np.concatenate([np.clip(bright[:, None] * colour, 0, 1), np.ones((len(faces), 1))], axis=1)


def swept(arm: Any, q: Any) -> Any:
    """Returns points that a picture of these poses must contain."""
    bodies, tool = arm.skeleton(q[:: max(1, len(q) // 400)])
    return np.concatenate([bodies[:, :, [0, 1, 3]].reshape(-1, 3), tool, np.zeros((1, 3))])


def pose(arm: NumericArm, q: ArrayLike, frames: bool = True, camera: tuple[float, float] | None = None) -> Figure:
    """Returns a figure of the arm in one pose; frames: whether to draw every body's frame (x red, y green, z blue)."""
    try:
        at = np.array(q, dtype=float)
    except (TypeError, ValueError, OverflowError):
        at = np.array(None, dtype=float)
    if at.shape != (arm.n,) or not np.isfinite(at).all():
        raise QddotError(f"q = {shortened(q)}", expected=f"{arm.n} finite numbers")
    frames = flag(frames, "frames")
    with rc_context(STYLE):
        figure = Picture(figsize=(7, 6.5))
        scene = Scene(figure, arm, swept(arm, at[None]), camera)
        scene.show(at)
        for k in range(len(arm.model.bodies) if frames else 0):
            scene.frame(arm.forward_kinematics(at, body=k), scene.size * 0.11)
        shown = ", ".join(f"{name} = {value:.4g}" for name, value in zip(arm.model.coordinates, at, strict=True))
        title = arm.model.title or arm.name
        figure.text(0.03, 0.95, title, fontsize=13, fontweight="bold", color="#1f2937", parse_math=False)
        figure.text(0.03, 0.915, shown, fontsize=9, color="#6b7280")
    return figure


def path(run: Recording, arm: int = 0, lang: str = "en", camera: tuple[float, float] | None = None) -> Figure:
    """Returns a figure of the end point's path in space, with the arm at its end."""
    words, q = Words(lang), finite(one_arm(run.data, arm).q.values)
    robot = run.arm(arm)
    with rc_context({**STYLE, **words.style()}):
        figure = Picture(figsize=(7, 6.5))
        scene = Scene(figure, robot, swept(robot, q), camera)
        scene.show(q[-1])
        _, tool = robot.skeleton(q)
        scene.line(tool, color=COLOURS[1], linewidth=1.1, alpha=0.85, zorder=8)
        scene.line(tool[:1], color=COLOURS[2], marker="o", linestyle="", label=words("start"), zorder=9)
        scene.axes.legend(loc="upper right")
        figure.text(0.03, 0.95, words("path of the end point"), fontsize=13, fontweight="bold", color="#1f2937")
        figure.text(0.03, 0.915, run.data.attrs["model"], fontsize=9, color="#6b7280", parse_math=False)
    return figure
