"""Marks explain a picture: frames with x, y, z, joint axes with the sense of q, paths of sliding joints.

Everything here is in the picture's plane: x is to the right and y up, in metres.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qddot.base.records import record
from qddot.papers.draw.camera import Camera
from qddot.papers.draw.labels import symbol
from qddot.papers.draw.posed import PosedArm
from qddot.papers.draw.shapes import DRUM_HALF, SLEEVE, Shapes
from qddot.physics.mechanism import Link

AXES = ("#c8371d", "#1e8a4f", "#1b5fae")  # x, y, z
INK, AXIS_INK = "#111827", "#4b5563"
END_ON = 0.22  # an axis whose projection is shorter than this part of its length points at the eye
NESTED = (1.0, 0.7, 0.48)  # lengths of the axes of frames at one point
LONG, DIRECTION = 0.14, 0.08  # of the picture: the shortest path shown as such, and an arrow in place of a shorter one
MANY, ROOM = 10, 0.07  # with more frames, or closer ones (part of the picture), axes have no letters


@record()
class Line:
    """A line runs through points, (n, 2); heads: arrowheads at neither end, at the last or at both ("", ">", "<>")."""

    points: Any
    colour: str
    width: float
    heads: str = ""
    style: Any = "-"
    above: bool = True


@record()
class Label:
    """A label is placed near its anchor, if possible in a given direction."""

    text: str
    anchor: Any
    direction: Any
    colour: str
    points: float


@record()
class EndOn:
    """An axis that points at the eye is shown as a dot in a circle, one that points away as a cross in a circle."""

    at: Any
    towards: bool
    colour: str
    scale: float


@dataclass
class Marks:
    """These are all marks of a picture; more important labels come first."""

    lines: list[Line] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    ends: list[EndOn] = field(default_factory=list)


def of_arm(arm: PosedArm, shapes: Shapes, camera: Camera, frames: bool, solid: Any) -> Marks:
    """Returns the marks of an arm in its first configuration.

    frames: whether frames are shown; solid: points of the arm as the camera sees them, (many, 2)
    """
    marks = Marks()
    arrow_centres: list[Any] = []
    for link in arm.mechanism.links:
        if len(link.places) == 1:
            mark = _Joint(link, arm, shapes, camera, marks, solid)
            mark.turning(arrow_centres) if link.kind.is_angle else mark.sliding()
    if frames:
        _frames(arm, shapes, camera, marks)
    return marks


def frame_length(arm: PosedArm, shapes: Shapes) -> float:
    """Returns the length of a frame's axes: long enough to show beyond the joints, short enough not to meet."""
    places = np.unique(np.round(arm.p[0] / shapes.size, 3), axis=0)
    part = 0.15 if len(places) <= 4 else 0.12 if len(places) <= 8 else 0.085
    return float(max(part * shapes.size * 0.9, 4.2 * shapes.radius))


def _frames(arm: PosedArm, shapes: Shapes, camera: Camera, marks: Marks) -> None:
    """Adds every frame once; equal frames share a name, and frames at one point have axes of different lengths."""
    length, tool = frame_length(arm, shapes), arm.mechanism.tool_link + 1
    named = [(str(k), arm.p[0, k], arm.R[0, k]) for k in range(len(arm.p[0]))]
    T = np.array(arm.mechanism.tool.matrix(), dtype=float)
    if not np.allclose(T, np.eye(4)):
        named.append(("T", arm.end[0], arm.R[0, tool] @ T[:3, :3]))
    distinct: list[tuple[list[str], Any, Any]] = []
    for name, p, R in named:
        same = next((each for each in distinct if np.allclose(each[1], p) and np.allclose(each[2], R)), None)
        if same is None:
            distinct.append(([name], p, R))
        else:
            same[0].append(name)
    letters = (
        len(distinct) <= MANY
        or _spacing(camera.coordinates(np.array([p for _, p, _ in distinct]))) > ROOM * shapes.size
    )
    for k, (names, p, R) in enumerate(distinct):
        before = sum(np.linalg.norm(p - other) < 0.1 * length for _, other, _ in distinct[:k])
        scale = NESTED[min(int(before), len(NESTED) - 1)]
        tips = camera.seen(p + R.T * length * scale)
        _frame(names, camera.seen(p), tips, camera.coordinates(R.T)[:, 2], length * scale, scale, letters, marks)


def _spacing(points: Any) -> float:
    """Returns the median distance from a point to its nearest neighbour."""
    apart = np.linalg.norm(points[:, None, :2] - points[None, :, :2], axis=-1) + np.diag(np.full(len(points), np.inf))
    return float(np.median(apart.min(0)))


def _frame(
    names: list[str], at: Any, tips: Any, towards: Any, length: float, scale: float, letters: bool, marks: Marks
) -> None:
    """Adds a frame. tips: of its axes in the picture; towards: by how much each axis points to the eye"""
    index, points = ",".join(names), 10.0 if letters else 7.0
    away = (at - tips).sum(0) / length
    marks.labels.append(Label(" = ".join(f"{{{name}}}" for name in names), at, _unit(away), INK, points))
    # the axis that comes towards the eye is drawn last
    for k in np.argsort(towards):
        name, colour = "xyz"[k], AXES[k]
        if np.linalg.norm(tips[k] - at) < END_ON * length:
            marks.ends.append(EndOn(at, bool(towards[k] > 0), colour, scale))
            anchor, direction = at, _unit(away + np.array([0.3, -0.2]))
        else:
            marks.lines.append(Line(np.array([at, tips[k]]), colour, 1.9 * max(scale, 0.7), ">"))
            anchor, direction = tips[k], _unit(tips[k] - at)
        if letters:
            marks.labels.append(Label(f"${name}_{{{index}}}$", anchor, direction, colour, 10.0))


class _Joint:
    """These are the marks of one joint: its axis and the sense of its coordinate. solid: points of the arm in view"""

    def __init__(self, link: Link, arm: PosedArm, shapes: Shapes, camera: Camera, marks: Marks, solid: Any) -> None:
        self.solid = solid
        self.link, self.arm, self.shapes, self.camera, self.marks = link, arm, shapes, camera, marks
        self.r, k = shapes.radius, link.index
        self.point, self.axis = arm.joints[0, k], arm.axes[0, k]
        (place,) = arm.places[k]
        self.q = float(arm.q[0, place]) * (1 if link.ratio is None else float(link.ratio))
        name = symbol(arm.model.coordinates[link.dof or 0])
        self.name = name if link.ratio in (None, 1) else f"{float(link.ratio):g} {name}"

    def in_picture(self, points: Any) -> Any:
        return self.camera.seen(points)

    def turning(self, arrow_centres: list[Any]) -> None:
        """Adds the axis of a joint that turns, and an arrow about it in the positive sense."""
        if abs(self.camera.coordinates(self.axis)[2]) > 0.97:
            self._angle()
            return
        reach = max(0.085 * self.shapes.size, 5.2 * self.r)
        where = self._free(reach, arrow_centres)
        ends = (
            min(-DRUM_HALF * self.r * 1.7, where - 1.6 * self.r),
            max(DRUM_HALF * self.r * 1.7, where + 1.6 * self.r),
        )
        self._axis(ends)
        centre = self.point + self.axis * where
        front = self.camera.axes[2] - self.axis * (self.axis @ self.camera.axes[2])
        front /= np.linalg.norm(front)
        arrow_centres.append(self.in_picture(centre))
        # the part behind the axis is behind the arm, too
        for turns, heads, above in (((-215, -88), "", False), ((-92, 65), ">", True)):
            arc = self._arc(centre, front, 2.3 * self.r, np.radians(turns))
            self.marks.lines.append(Line(arc, INK, 1.2, heads, above=above))
        side = self.camera.coordinates(self.axis)[:2] * np.sign(where)
        self._name(self.in_picture(centre), side)

    def _free(self, reach: float, arrow_centres: list[Any]) -> float:
        """Returns the place along the axis at which an arrow about it is far from other joints and arrows."""
        others = [self.in_picture(point) for k, point in enumerate(self.arm.joints[0]) if k != self.link.index]
        solid = self.solid
        others += [self.in_picture(self.arm.end[0]), *(self.in_picture(p) for p in self.arm.p[0])]

        def crowd(where: float) -> float:
            at = self.in_picture(self.point + self.axis * where)
            near = [float(np.linalg.norm(at - other)) / self.r for other in arrow_centres]
            far = [float(np.linalg.norm(at - other)) / self.r for other in others]
            cost = sum(8 * max(0.0, 6 - d) for d in near) + sum(max(0.0, 5 - d) for d in far)
            hidden = float((np.linalg.norm(solid - at, axis=1) < 2.3 * self.r).sum()) / 12
            back = (1.5 if self.link.parent is None else 0.5) if where < 0 else 0.0
            return cost + min(hidden, 1.0) + abs(where) / reach + back

        return min((reach * s for s in (1, -1, 1.45, -1.45, 1.9, -1.9, 2.4, -2.4)), key=crowd)

    def _axis(self, ends: tuple[float, float]) -> None:
        line = self.in_picture(self.point + np.outer(ends, self.axis))
        self.marks.lines.append(Line(line, AXIS_INK, 0.9, style=(0, (7, 2, 1.5, 2))))

    def _arc(self, centre: Any, start: Any, radius: float, turns: Any) -> Any:
        """Returns the picture of an arc about the axis; turns: its first and last angle from the start direction."""
        angles = np.linspace(turns[0], turns[1], 41)[:, None]
        circle = np.cos(angles) * start + np.sin(angles) * np.cross(self.axis, start)
        return self.in_picture(centre + radius * circle)

    def _angle(self) -> None:
        """Adds the angle of a joint that is seen along its axis, from the link's direction at q = 0.

        The arrow has the positive sense of q: where q is negative, it leads from the link to its direction at q = 0.
        """
        link, length = self._direction()
        turn = float((self.q + np.pi) % (2 * np.pi) - np.pi)
        if abs(turn) < 0.2 or length < 4 * self.r:
            around = np.radians((50, 310))
            arc = self._arc(self.point, link, 3.1 * self.r, around)
        else:
            radius = float(np.clip(0.42 * length, 3.2 * self.r, max(0.13 * self.shapes.size, 3.2 * self.r)))
            home = np.cos(turn) * link - np.sin(turn) * np.cross(self.axis, link)
            line = self.in_picture(self.point + np.outer((0, 1.5 * radius), home))
            self.marks.lines.append(Line(line, AXIS_INK, 0.9, style=(0, (4, 3))))
            arc = self._arc(self.point, home, radius, sorted((0, turn)))
        self.marks.lines.append(Line(arc, INK, 1.2, ">"))
        middle = arc[len(arc) // 2]
        self._name(middle, _unit(middle - self.in_picture(self.point)))

    def _direction(self) -> tuple[Any, float]:
        """Returns the unit vector along which the link extends, perpendicular to the joint's axis, and how far."""
        R, p = self.arm.R[0, self.link.index + 1], self.arm.p[0, self.link.index + 1]
        ends = [p + R @ point for path in self.shapes.paths[self.link.index + 1] for point in path]
        across = [end - self.point - self.axis * (self.axis @ (end - self.point)) for end in ends]
        longest = max(across, key=lambda v: float(np.linalg.norm(v)), default=np.zeros(3))
        length = float(np.linalg.norm(longest))
        return (longest / length, length) if length > self.r else (self.camera.axes[0], 0.0)

    def sliding(self) -> None:
        """Adds the path of a sliding joint as a double arrow beside it: from q = 0 to the link's present position.

        If the path is too short for that, a shorter arrow points in the direction of growing q; "= 0" is written if q
        is 0.
        """
        start, size = self.point - self.axis * self.q, self.shapes.size
        is_long = abs(self.q) > LONG * size
        ends = (start, self.point) if is_long else (self.point, self.point + self.axis * DIRECTION * size)
        text = self.name if self.q else f"{self.name}$= 0$"
        along = self.camera.coordinates(self.axis)[:2]
        if np.linalg.norm(along) < 0.1:
            self._name(self.in_picture(self.point), np.array([1.0, -0.3]), text)
            return
        side = _unit(np.array([along[1], -along[0]]))
        shift = side * (SLEEVE + 2.0) * self.r
        a, b = (self.in_picture(end) for end in ends)
        for end in (a, b) if is_long else (a,):
            self.marks.lines.append(Line(np.array([end + 0.55 * shift, end + 1.2 * shift]), AXIS_INK, 0.7))
        self.marks.lines.append(Line(np.array([a + shift, b + shift]), INK, 1.2, "<>" if is_long else ">"))
        self._name((a + b) / 2 + shift, side, text)

    def _name(self, anchor: Any, direction: Any, text: str = "") -> None:
        self.marks.labels.insert(0, Label(text or self.name, anchor, _unit(direction), INK, 12.0))


def _unit(vector: Any) -> Any:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector) / length if length > 1e-12 else np.array([0.8, -0.6])
