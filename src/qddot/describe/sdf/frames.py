"""Finds the poses of SDF's frames at q = 0: each frame has its pose in another one and moves with a link.

A pose between two frames is found through the nearest frame above both, so that what they have in common
cancels before it is multiplied out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from qddot.describe.rotations import from_quaternion, quaternion
from qddot.errors import FormatError, near, shortened
from qddot.expressions.expression import Expression, folded
from qddot.model.axes import nearest_rational
from qddot.model.bodies import simplified
from qddot.spatial import Pose

WORLD, ITSELF = "world", ""
MOST_FRAMES, LONGEST_WAY = 2_000, 100  # frames on the way from one frame to another
NO_LINK = "no link"  # the anchor of a model's frame if the model has no link
LONGEST_DENOMINATOR = 256  # bits, beyond which a product is read as the nearest of short fractions
FINEST = Fraction(1, 10**18)  # m, to which positions are kept then


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame has its pose in another one, and the frame that it is attached to, `ITSELF` for a link.

    placement: a frame below this one that has the pose in its place, if any
    where: the element, for errors
    """

    pose: Pose
    relative_to: str
    attached_to: str
    where: str
    placement: str = ""


@dataclass
class Frames:
    """These are all frames of a file by their full names, a::b for b in the model a."""

    known: dict[str, Frame] = field(default_factory=lambda: {WORLD: Frame(Pose.identity(), "", ITSELF, "")})
    notes: list[str] = field(default_factory=list)
    _products: dict[tuple[str, str], Pose] = field(default_factory=dict)

    def add(self, name: str, frame: Frame, where: str) -> None:
        """Adds a frame; raises FormatError where the name is taken."""
        if name in self.known:
            raise FormatError(f"a second frame {shortened(name)}", where=where, remedy="rename one")
        if len(self.known) > MOST_FRAMES:
            raise FormatError(f"more than {MOST_FRAMES} frames", where=where, expected="fewer")
        self.known[name] = frame

    def link(self, name: str, where: str) -> str:
        """Returns the link that a frame moves with, or the world."""
        passed = [name]
        while (following := self._frame(passed[-1], where).attached_to) != ITSELF:
            if following in passed:
                raise FormatError(f"frame {shortened(name)} is attached to itself", where=where, expected="a link")
            if following == NO_LINK:
                raise FormatError(f"{shortened(passed[-1])} has no link", where=where, expected="a model with links")
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
            remedy = near(name, self.known) or "names of links in other models are MODEL::LINK"
            raise FormatError(f"no frame {shortened(name)}", where=where, remedy=remedy)
        return self.known[name]

    def _above(self, name: str, where: str) -> list[str]:
        """Returns the frame, the one that its pose is relative to, and so on up to the world."""
        passed = {name: self._frame(name, where)}
        while name != WORLD:
            frame = passed[name]
            name, where = frame.relative_to, frame.where
            if name in passed:
                raise FormatError(f"the pose of {shortened(name)} is relative to itself", where=where)
            passed[name] = self._frame(name, where)
        return list(passed)

    def _below(self, top: str, names: Sequence[str]) -> Pose:
        """Returns the pose in `top` of the first of the names; the pose of each is relative to the next."""
        steps, total = names[: names.index(top)], Pose.identity()
        if len(steps) > LONGEST_WAY:
            where = self.known[names[0]].where
            raise FormatError(f"more than {LONGEST_WAY} frames, each in the next", where=where, expected="fewer")
        for name in reversed(steps):
            if (top, name) not in self._products:
                self._products[top, name] = self._short(total @ self._pose(name))
            total = self._products[top, name]
        return total

    def _pose(self, name: str) -> Pose:
        """Returns a frame's pose in the one that it is relative to."""
        frame = self.known[name]
        if not frame.placement:
            return frame.pose
        inside = self._above(frame.placement, frame.where)
        if name not in inside:
            raise FormatError(
                f"placement_frame {shortened(frame.placement)}", where=frame.where, expected="a frame of the model"
            )
        return frame.pose @ self._below(name, inside).inverse()

    def _short(self, pose: Pose) -> Pose:
        """Returns the pose with the nearest short fractions in place of long ones."""
        pose = simplified(pose)
        R, p = pose.R, pose.p
        if any(_long(entry) for row in R for entry in row):
            R = from_quaternion(*nearest_rational(quaternion([[_value(entry) for entry in row] for row in R])))
            self.notes.append("rotations one after another are read as the nearest one of short fractions, to 1e-12")
        if any(_long(entry) for entry in p):
            p = p.map(_rounded)
        return Pose(R, p)


def _long(entry: Any) -> bool:
    terms = entry.terms.values() if isinstance(entry, Expression) else ()
    return any(c.denominator.bit_length() > LONGEST_DENOMINATOR for c in terms)


def _rounded(entry: Any) -> Any:
    if not isinstance(entry, Expression):
        return entry
    return folded(Expression({monomial: Fraction(round(c / FINEST)) * FINEST for monomial, c in entry.terms.items()}))


def _value(entry: Any) -> float:
    return entry.value({}) if isinstance(entry, Expression) else float(entry)
