"""Finds the poses of SDF's frames at q = 0; each frame has a pose relative to another and moves with a link.

The pose between two frames is computed by way of their nearest common ancestor, so that no factors are multiplied that
would cancel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from qddot.algebra.spatial import Pose
from qddot.base.errors import FormatError, QddotError, near, shortened
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.formats.shared.rotations import short

WORLD, ITSELF, INSIDE = "world", "", "::"
MOST_FRAMES, LONGEST_WAY = 2_000, 100  # frames on the way from one frame to another
NO_LINK = "no link"  # the anchor of a model's frame if the model has no link


@record(slots=True)
class Frame:
    """A frame has a pose relative to another frame, and a frame that it is attached to (`ITSELF` for a link).

    placement: for a model's frame, the frame inside the model that gets the pose instead, if any
    where: the element, for error messages
    """

    pose: Pose
    relative_to: str
    attached_to: str
    where: str
    placement: str = ""


@dataclass
class Frames:
    """Frames has all frames of a file by their full names, such as a::b for b in the model a.

    refused: the models of a world that cannot be read, by name, "" if that is not known, with the error of each
    """

    known: dict[str, Frame] = field(default_factory=lambda: {WORLD: Frame(Pose.identity(), "", ITSELF, "")})
    notes: list[str] = field(default_factory=list)
    refused: dict[str, QddotError] = field(default_factory=dict)
    _products: dict[tuple[str, str], Pose] = field(default_factory=dict)

    def add(self, name: str, frame: Frame, where: str) -> None:
        """Adds a frame; raises FormatError if the name is taken."""
        if name in self.known:
            raise FormatError("frame-name-taken", where=where, name=shortened(name))
        if len(self.known) > MOST_FRAMES:
            raise FormatError("too-many-frames", where=where, most=MOST_FRAMES)
        self.known[name] = frame

    def link(self, name: str, where: str) -> str:
        """Returns the link or the world to which a frame is attached, directly or through other frames."""
        passed = [name]
        while (following := self._frame(passed[-1], where).attached_to) != ITSELF:
            if following in passed:
                raise FormatError("frame-attached-to-itself", where=where, name=shortened(name))
            if following == NO_LINK:
                raise FormatError("frame-on-no-link", where=where, name=shortened(passed[-1]))
            passed.append(following)
            where = self.known[passed[-2]].where
        return passed[-1]

    def between(self, a: str, b: str, where: str) -> Pose:
        """Returns T_ab."""
        above_a, above_b = self._above(a, where), self._above(b, where)
        both = set(above_b)
        common = next(name for name in above_a if name in both)
        return self._short(self._below(common, above_a).inverse() @ self._below(common, above_b))

    def _frame(self, name: str, where: str) -> Frame:
        if name not in self.known:
            if error := self.refused.get(name.partition(INSIDE)[0]):
                raise error
            remedy = near(name, self.known) or say("links-of-other-models")
            raise FormatError("no-frame", where=where, name=shortened(name), remedy=remedy)
        return self.known[name]

    def _above(self, name: str, where: str) -> list[str]:
        """Returns the names of the frame, of the frame that its pose is relative to, and so on up to the world."""
        passed = {name: self._frame(name, where)}
        while name != WORLD:
            frame = passed[name]
            name, where = frame.relative_to, frame.where
            if name in passed:
                raise FormatError("pose-relative-to-itself", where=where, name=shortened(name))
            passed[name] = self._frame(name, where)
        return list(passed)

    def _below(self, top: str, names: Sequence[str]) -> Pose:
        """Returns the pose of names[0] in `top`, where the pose of each frame is relative to the next name."""
        steps, total = names[: names.index(top)], Pose.identity()
        if len(steps) > LONGEST_WAY:
            where = self.known[names[0]].where
            raise FormatError("frames-too-many-between", where=where, most=LONGEST_WAY)
        for name in reversed(steps):
            if (top, name) not in self._products:
                self._products[top, name] = self._short(total @ self._pose(name))
            total = self._products[top, name]
        return total

    def _pose(self, name: str) -> Pose:
        """Returns a frame's pose in the frame that it is relative to."""
        frame = self.known[name]
        if not frame.placement:
            return frame.pose
        inside = self._above(frame.placement, frame.where)
        if name not in inside:
            raise FormatError("placement-frame-unknown", where=frame.where, name=shortened(frame.placement))
        return frame.pose @ self._below(name, inside).inverse()

    def _short(self, pose: Pose) -> Pose:
        """Returns the pose with long fractions replaced by the nearest short ones."""
        pose, change = short(pose)
        self.notes += [change] if change else []
        return pose
