"""Gives an arm its shapes: a base, drums where joints turn, rails and sleeves where they slide, rods along the links.

Where frames follow Denavit and Hartenberg, rods run along d and then a in standard frames, and along a and then d
in modified ones; elsewhere rods are straight.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from qddot.papers.draw.camera import PARALLEL, plane_of_motion, upright
from qddot.papers.draw.plot import COLOURS
from qddot.papers.draw.posed import NEARLY, PosedArm, constant, own_axis, own_joint
from qddot.papers.draw.solids import SIDES, Solids, ball, cylinder
from qddot.physics.mechanism import Link

JOINT, BASE, RAIL, TOOL, ROD = "#3d4a5c", "#7b8798", "#aab4c1", "#111827", "#596779"
WHEEL, WHEEL_HALF = "#c98a12", 1.3  # half the width of a wheel, in radii of a rod
THICK, THIN = 0.022, 0.006  # radius of a rod, as a part of the picture
FEW = 8  # joints of an arm that is drawn with thick rods
DRUM, DRUM_HALF = 1.75, 2.2  # radius and half the length of a turning joint, in radii of a rod
WITHIN = 1.4  # how far from a joint's axis the whole end of a rod is within its drum, in radii of a rod
SLEEVE, SLEEVE_HALF = 2.1, 2.6
SHORTEST, LONGEST = 0.2, 0.8  # of a rail, as parts of the picture
PLATE, PLATE_TOP = 4.5, 2.4
KNOB = 1.6  # radius of the end point, in radii of a rod
SOCKET, BODY = 2.2, 3.2  # radius of a spherical joint, and half the height of a body that moves freely


class Shapes:
    """This has the solids of an arm, and the lines along which its links run.

    size: the extent of the picture [m]; paths: for each frame the lines along which its rods run, in its own axes
    """

    def __init__(self, arm: PosedArm, size: float) -> None:
        self.arm, self.size, self.links = arm, size, arm.mechanism.links
        self.paths = [self._paths(frame) for frame in range(len(self.links) + 1)]
        self.radius = self._radius()
        self.solids = Solids()
        self._base()
        for link in self.links:
            self._joint(link)
        for frame, paths in enumerate(self.paths):
            for path in paths if self._carries_rods(frame) else ():
                self._rods(frame, path)
        self._closures()
        frame = arm.mechanism.tool_link + 1
        self.solids.add(frame, ball(constant(arm.mechanism.tool.p), self.radius * KNOB), TOOL)

    def _carries_rods(self, frame: int) -> bool:
        if frame == 0:
            return not self._on_table()
        return frame - 1 not in self.arm.helpers or bool(self.arm.model.bodies[frame - 1].inertia.m)

    def _closures(self) -> None:
        """Adds the rods that close loops, and the wheels that roll, which reach from their axles to the ground."""
        p, r = self.arm.p[0], self.radius
        for k, (a, b) in enumerate(self.arm.rods, len(p)):
            end = np.array([0, 0, np.linalg.norm(p[b] - p[a])])
            self.solids.add(k, cylinder(0 * end, end, 0.5 * r, 2 * r), ROD)
        for wheel in self.arm.closed.rolling if self.arm.closed else ():
            frame = self.arm.frame(wheel.wheel)
            if frame and self.links[frame - 1].kind.is_revolute:
                self._wheel(frame, p[self.arm.frame(wheel.contact)])

    def _wheel(self, frame: int, contact: Any) -> None:
        """Adds a disc about the axle of a link. contact: where it touches the ground, in the base frame"""
        link = self.links[frame - 1]
        centre, axle = own_joint(link), own_axis(link)
        radius = float(np.linalg.norm(np.cross(contact - self.arm.joints[0, frame - 1], self.arm.axes[0, frame - 1])))
        half = axle * self.radius * WHEEL_HALF
        if radius > NEARLY * self.size:
            self.solids.add(frame, cylinder(centre - half, centre + half, radius, radius, 2 * SIDES), WHEEL)

    def children(self, frame: int) -> list[Link]:
        """Returns the links that hang on a frame."""
        return [link for link in self.links if (-1 if link.parent is None else link.parent) + 1 == frame]

    def _radius(self) -> float:
        """Returns the radius of rods: thinner where links are short and many."""
        lengths = [float(np.linalg.norm(b - a)) for paths in self.paths for path in paths for a, b in pairwise(path)]
        long = [length for length in lengths if length > 0.02 * self.size] or [self.size]
        thick = THICK * min(1.0, FEW / len(self.links))
        return self.size * float(np.clip(0.16 * np.median(long) / self.size, THIN, thick))

    def _paths(self, frame: int) -> list[Any]:
        """Returns the lines from a link's own joint to its frame, the joints that it carries and the tool."""
        own = [np.zeros(3)] if frame == 0 else self._to_origin(self.links[frame - 1])
        children = [child for child in self.children(frame) if not child.kind.is_free]  # no rod leads to a free body
        ends = [self._to_joint(child) for child in children]
        if self.arm.mechanism.tool_link + 1 == frame:
            ends.append([np.zeros(3), constant(self.arm.mechanism.tool.p)])
        elif frame and not children and len(own) == 1 and not self._holds_loops(frame):
            ends.append([np.zeros(3), self.arm.centre(self.links[frame - 1])])  # as a leg, whose foot has no frame
        ends = [end for end in ends if np.linalg.norm(end[-1]) > NEARLY * self.size]
        # a frame away from the line of its link, as at a centre of mass, is not a corner of the line
        beside = len(own) == 2 and ends
        paths = [[own[0], *end[1:]] for end in ends] if beside else [own, *ends]
        distinct = [self._distinct(path) for path in paths]
        return [path for path in distinct if len(path) > 1]

    def _holds_loops(self, frame: int) -> bool:
        """Returns whether a loop or a wheel ends at a link, whose end is drawn with it."""
        closed = self.arm.closed
        if closed is None:
            return False
        ends = [name for loop in closed.loops for name in loop.links] + [each.wheel for each in closed.rolling]
        return frame in map(self.arm.frame, ends)

    def _distinct(self, path: list[Any]) -> list[Any]:
        return path[:1] + [b for a, b in pairwise(path) if np.linalg.norm(b - a) > NEARLY * self.size]

    def _to_origin(self, link: Link) -> list[Any]:
        """Returns the line from a link's joint to its frame: along d and then a where the frame is a standard one."""
        start = own_joint(link)
        if np.linalg.norm(start) <= NEARLY * self.size:
            return [np.zeros(3)]
        axis = own_axis(link)
        d = -start @ axis
        corner = start + axis * d  # where the common normal leaves the axis
        standard = np.linalg.norm(corner[1:]) <= NEARLY * self.size
        return [start, corner, np.zeros(3)] if standard else [start, np.zeros(3)]

    def _to_joint(self, child: Link) -> list[Any]:
        """Returns the line from a frame to a joint on its link: along a and then d where the row is a modified one."""
        point, axis = constant(child.placement.p), constant(child.placement.R.apply(child.axis))
        corner = np.array([point[0], 0.0, 0.0])
        rest = point - corner
        modified = len(child.places) == 1 and np.linalg.norm(np.cross(rest, axis)) <= NEARLY * self.size
        return [np.zeros(3), corner, point] if modified else [np.zeros(3), point]

    def _rods(self, frame: int, path: list[Any]) -> None:
        """Adds rods along a path; those at its ends begin where the drums of joints end."""
        colour = BASE if frame == 0 else COLOURS[(frame - 1) % len(COLOURS)]
        r = self.radius * (1.5 if frame == 0 else 1)
        ends = list(path)
        ends[0] = self._outside_drums(frame, path[0], path[1])
        ends[-1] = self._outside_drums(frame, path[-1], path[-2])
        for a, b, whole in zip(ends, ends[1:], np.diff(path, axis=0), strict=False):
            if (b - a) @ whole > 0:
                self.solids.add(frame, cylinder(a, b, r, 3 * r), colour)
        for corner in path[1:-1]:
            self.solids.add(frame, ball(corner, r), colour)

    def _outside_drums(self, frame: int, end: Any, other: Any) -> Any:
        """Returns where a rod from `other` to `end` meets the drum of a joint at this end, or the end itself."""
        axes = [
            (constant(child.placement.p), constant(child.placement.R.apply(child.axis)))
            for child in self.children(frame)
            if child.kind.is_revolute
        ]
        own = self.links[frame - 1] if frame else None
        if own is not None and own.kind.is_revolute:
            axes.append((own_joint(own), own_axis(own)))
        way = (other - end) / np.linalg.norm(other - end)
        inside = [0.0]
        for point, axis in axes:
            if np.linalg.norm(point - end) <= NEARLY * self.size:
                along, across = abs(way @ axis), float(np.linalg.norm(np.cross(way, axis)))
                inside.append(min(DRUM_HALF / max(along, PARALLEL), WITHIN / max(across, PARALLEL)))
        return end + way * max(inside) * self.radius

    def _base(self) -> None:
        """Adds what carries the base: a table, or a plate below the arm, above it if it hangs, or on a wall."""
        children = self.children(0)
        if any(child.kind.is_free for child in children) or self.arm.helpers.issuperset(k.index for k in children):
            return
        if self._on_table():
            self._table()
            return
        r, away = self.radius, self._away()
        top = -away * PLATE_TOP * r
        self.solids.add(0, cylinder(top - away * r, top, r * PLATE, r * 2), BASE)
        self.solids.add(0, cylinder(top, top * 0, r * 1.5, r * 3), BASE)

    def _on_table(self) -> bool:
        """Returns whether the base carries one joint alone, which slides horizontally, straight above the base."""
        up, children = upright(self.arm.gravity)[2], self.children(0)
        if len(children) != 1 or not children[0].kind.is_prismatic:
            return False
        point, axis = constant(children[0].placement.p), constant(children[0].placement.R.apply(children[0].axis))
        height = float(point @ up)
        beside = np.linalg.norm(point - height * up)
        return height > 0.2 * self.size and bool(max(beside / self.size, abs(axis @ up)) < NEARLY)

    def _table(self) -> None:
        """Adds two legs, from the ends of the rail to the floor."""
        r, up, (link,) = self.radius, upright(self.arm.gravity)[2], self.children(0)
        point, axis = constant(link.placement.p), constant(link.placement.R.apply(link.axis))
        for end in self._rail(link):
            top = point + axis * (end - np.sign(end) * r)
            floor = top - up * (point @ up)
            self.solids.add(0, cylinder(top, floor, 0.6 * r, 4 * r), BASE)
            self.solids.add(0, cylinder(floor, floor - up * 0.4 * r, 1.6 * r, r), BASE)

    def _away(self) -> Any:
        """Returns the direction from the plate to the arm.

        It is the axis of the first joint if that turns at the base and the arm is not planar, else the vertical.
        """
        first, away = self.links[0], upright(self.arm.gravity)[2]
        at_base = np.linalg.norm(self.arm.joints[0, 0]) < PLATE_TOP * self.radius
        if first.kind.is_revolute and at_base and plane_of_motion(self.arm) is None:
            axis = self.arm.axes[0, 0]
            away = axis if axis @ away > -PARALLEL else -axis
        heights = self.arm.points @ away
        return -away if heights.mean() < -0.02 * self.size else away

    def _joint(self, link: Link) -> None:
        if link.dof is None or link.index in self.arm.helpers:
            return
        r, axis, point = self.radius, own_axis(link), own_joint(link)
        if link.kind.is_free:
            ends = np.array([[0, 0, -BODY * r], [0, 0, BODY * r]])
            self.solids.add(link.index + 1, cylinder(ends[0], ends[1], BODY * r * np.sqrt(2), BODY * r, 4), JOINT)
        elif len(link.places) > 1:
            self.solids.add(link.index + 1, ball(point, r * SOCKET), JOINT)
        elif link.kind.is_angle:
            drum = cylinder(point - axis * r * DRUM_HALF, point + axis * r * DRUM_HALF, r * DRUM, r * DRUM_HALF)
            self.solids.add(link.index + 1, drum, JOINT)
        else:
            self._slide(link)

    def _slide(self, link: Link) -> None:
        """Adds a rail with a sleeve: a rod through the parent's sleeve, or a sleeve on the parent's rail.

        If the next joint is on its line, as in SCARA and Stanford arms, the rod carries it; else the sleeve carries
        what follows. Both are as long as all configurations need.
        """
        r = self.radius
        above = 0 if link.parent is None else link.parent + 1
        theirs = constant(link.placement.p), constant(link.placement.R.apply(link.axis))
        mine = own_joint(link), own_axis(link)
        rod = self._goes_on(link)
        on_parent, on_link = (above, *theirs), (link.index + 1, *mine)
        near, far = self._rail(link)
        frame, point, axis = on_link if rod else on_parent
        self.solids.add(frame, cylinder(point + axis * near, point + axis * far, r * 1.1, r, 4), RAIL)
        frame, point, axis = on_parent if rod else on_link
        a, b = point - axis * r * SLEEVE_HALF, point + axis * r * SLEEVE_HALF
        self.solids.add(frame, cylinder(a, b, r * SLEEVE, r, 4), JOINT)

    def _rail(self, link: Link) -> tuple[float, float]:
        """Returns where a joint's rail begins and ends [m], along its axis, relative to the link that carries it."""
        low, high = self.travel(link)
        if self._goes_on(link):
            return -high - 2 * SLEEVE_HALF * self.radius, -low
        return low - self.radius, high + 2 * SLEEVE_HALF * self.radius

    def travel(self, link: Link) -> tuple[float, float]:
        """Returns a joint's least and largest displacement on its rail [m], over all configurations and its limits.

        Without limits a rail has some length, so that it shows its direction even at q = 0.
        """
        moved = [0.0, *self.arm.displacements[:, link.index]]
        limits = self.arm.limits(link)
        if limits is not None and limits[1] - limits[0] < LONGEST * self.size:
            return min(*moved, *limits), max(*moved, *limits)
        return min(moved), max(*moved, min(moved) + SHORTEST * self.size)

    def _goes_on(self, link: Link) -> bool:
        """Returns whether a next joint turns about the line along which this one slides."""
        return any(child.kind.is_revolute and self._in_line(link, child) for child in self.children(link.index + 1))

    def _in_line(self, link: Link, child: Link) -> bool:
        point, axis = constant(child.placement.p), constant(child.placement.R.apply(child.axis))
        beside, askew = (np.cross(way, own_axis(link)) for way in (point - own_joint(link), axis))
        return bool(np.linalg.norm(beside) <= NEARLY * self.size and np.linalg.norm(askew) <= NEARLY)
