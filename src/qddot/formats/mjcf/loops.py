"""Reads closed chains of MJCF, whose equalities hold exactly here: connect and weld as loops, others as couplings.

Two connects of the same bodies are a revolute loop. Unless sites or relpose give the frame of a connect or a weld
in both bodies, it is given in one, and its pose in the other follows from the initial configuration. Source: MuJoCo's
XML reference, equality.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, located
from qddot.formats.mjcf.actuators import with_motors
from qddot.formats.mjcf.equalities import is_curved, is_of_joints, kind, label, relations
from qddot.formats.mjcf.mjcf_reader import Compiled, Reader, compiled, doubles
from qddot.formats.shared.closing import Chain, Closure, Held, along, closed
from qddot.formats.shared.joint_equalities import applied
from qddot.formats.shared.rotations import short
from qddot.formats.xml.elements import Element
from qddot.robot.axes import rationals, unit
from qddot.robot.closed_model import ClosedModel
from qddot.robot.left_out import LeftOut, left_out
from qddot.robot.notes import note, noted
from qddot.robot.placements import simplified

CLOSING = ("connect", "weld")  # kinds of equalities
CLOSE = 1e-9  # m, by which the distances of two points on two bodies may differ


def read(path: Path, root: Element) -> Chain:
    """Returns the closed chain of an MJCF file whose root element is `root`.

    raises NotInstalledError: MuJoCo is not installed
    raises QddotError: MuJoCo rejects the file, an equality cannot be read, or none closes a loop
    """
    with located(str(path)):
        return Chain(_Equalities(compiled(path, root, _prepared)).model())


def _prepared(spec: Any) -> tuple[list[str], list[LeftOut]]:
    """Leaves equalities out that are inactive, or not a connect, a weld or a linear one of joints or fixed tendons.

    returns notes, and the active ones that are left out
    """
    notes = []
    unread = left_out(
        "equalities", (label(each) for each in spec.equalities if each.active and not _is_read(each, spec))
    )
    for equality in list(spec.equalities):
        if not equality.active:
            notes.append(note("equality-not-active", equality=label(equality)))
            spec.delete(equality)
        elif not _is_read(equality, spec):
            spec.delete(equality)
    for site in spec.sites:
        site.material = ""
    if spec.equalities:
        notes.append(note("equalities-hold-exactly"))
    return notes, unread


def _is_read(equality: Any, spec: Any) -> bool:
    return kind(equality) in CLOSING or (is_of_joints(equality, spec) and not is_curved(equality))


class _Equalities:
    """This converts the equalities of a description that MuJoCo has compiled."""

    def __init__(self, made: Compiled) -> None:
        self.made = made
        self.reader = Reader(made.arrays, made.mujoco, made.notes, made.motors)
        self.name = made.spec.modelname

    def model(self) -> ClosedModel:
        """Returns the tree with loops. raises QddotError: an equality is invalid, or none closes a loop"""
        tree = self.reader.model(self.name)
        closures = list(self._closures())
        couplings = list(relations(self.made, self.reader))
        if not closures:
            raise FormatError("equalities-close-no-loop" if couplings else "file-without-equalities")
        bodies, notes, leaders = applied(tree.bodies, couplings)
        notes = [*tree.notes, *self.reader.notes, *notes]
        tree = replace(tree, bodies=tuple(bodies), coordinates=(), notes=tuple(notes), left_out=self.made.left_out)
        return closed(with_motors(tree, self.made.motors.driven, leaders), closures)

    def _closures(self) -> Iterator[Closure]:
        """Yields the loops; two connects of the same bodies are one."""
        connects: dict[frozenset[str], list[Closure]] = {}
        for equality in self.made.spec.equalities:
            if kind(equality) == "weld":
                yield Closure(_name(equality), "fixed", *self._welded(equality))
            elif kind(equality) == "connect":
                closure = Closure(_name(equality), "spherical", *self._connected(equality))
                connects.setdefault(frozenset((closure.first.link, closure.second.link)), []).append(closure)
        for group in connects.values():
            if len(group) == 2:
                yield self._hinge(*group)
            else:
                yield from group

    def _connected(self, equality: Any) -> tuple[Held, Held]:
        """Returns the two points of a connect: those of sites, or one and its initial place in the other body."""
        if equality.objtype == self.made.mujoco.mjtObj.mjOBJ_SITE:
            first, second = (Held(each.link, _at(each.pose.p)) for each in self._sites(equality))
            return first, second
        a, b = self._bodies(equality)
        anchor = _at(doubles(self.made.arrays.eq_data[equality.id][:3]))
        return self._held(a, anchor), self._held(b, _at((self._pose(b, a) @ anchor).p))

    def _welded(self, equality: Any) -> tuple[Held, Held]:
        """Returns the two frames of a weld.

        MuJoCo holds the anchor on the second body to a point of the first, and the attitude to that of relpose.
        """
        if equality.objtype == self.made.mujoco.mjtObj.mjOBJ_SITE:
            return self._sites(equality)
        a, b = self._bodies(equality)
        data = self.made.arrays.eq_data[equality.id]
        anchor = _at(doubles(data[:3]))
        if any(equality.data[6:10]):
            first = Pose(self.reader.rotation(data[6:10], label(equality)), doubles(data[3:6]))
        else:
            first = self._pose(a, b) @ anchor
        return self._held(a, first), self._held(b, anchor)

    def _hinge(self, one: Closure, other: Closure) -> Closure:
        """Returns the revolute loop of two connects of the same bodies, about the line through their points."""
        if other.first.link != one.first.link:
            other = other._replace(first=other.second, second=other.first)
        ends = [(a, b.pose.p - a.pose.p) for a, b in ((one.first, other.first), (one.second, other.second))]
        numbers = [rationals(line) for _, line in ends]
        lengths = [sum(float(part) ** 2 for part in line or ()) ** 0.5 for line in numbers]
        if not min(lengths):
            raise FormatError("connects-equal", one=repr(one.name), other=repr(other.name))
        if abs(lengths[0] - lengths[1]) > CLOSE:
            raise FormatError(
                "connects-contradict",
                one=repr(one.name),
                other=repr(other.name),
                apart=f"{lengths[0]:.6g}",
                other_apart=f"{lengths[1]:.6g}",
            )
        held = []
        for (start, _), line in zip(ends, numbers, strict=True):
            axis, _note = unit(line or [])
            R, change = along(axis)
            self.reader.notes += [noted(f"loop {one.name!r}", change)] if change else []
            held.append(Held(start.link, Pose(R, start.pose.p)))
        self.reader.notes.append(note("connects-are-hinge", one=repr(one.name), other=repr(other.name)))
        return Closure(one.name, "revolute", *held)

    def _bodies(self, equality: Any) -> tuple[int, int]:
        """Returns the numbers of the two bodies."""
        pair = self._pair(equality)
        self._check_still(equality, pair)
        return pair

    def _pair(self, equality: Any) -> tuple[int, int]:
        m = self.made.arrays
        return int(m.eq_obj1id[equality.id]), int(m.eq_obj2id[equality.id])

    def _sites(self, equality: Any) -> tuple[Held, Held]:
        m, pair = self.made.arrays, self._pair(equality)
        bodies = [int(m.site_bodyid[k]) for k in pair]
        self._check_still(equality, bodies)
        first, second = (
            self._held(body, Pose(self.reader.rotation(m.site_quat[k], label(equality)), doubles(m.site_pos[k])))
            for k, body in zip(pair, bodies, strict=True)
        )
        return first, second

    def _check_still(self, equality: Any, bodies: Iterable[int]) -> None:
        for body in bodies:
            if self.made.arrays.body_mocapid[body] >= 0:
                raise FormatError("body-is-mocap", where=label(equality), name=repr(self.reader.names[body]))

    def _held(self, body: int, pose: Pose) -> Held:
        return Held(self.reader.names[body], simplified(pose))

    def _pose(self, a: int, b: int) -> Pose:
        """Returns T_ab in the initial configuration, by way of the nearest common ancestor."""
        above = self._above(a)
        common = next(k for k in self._above(b) if k in above)
        pose, change = short(self._below(common, a).inverse() @ self._below(common, b))
        self.reader.notes += [change] if change else []
        return pose

    def _above(self, body: int) -> list[int]:
        """Returns the numbers of a body and of all bodies that carry it, up to the world."""
        numbers = [body]
        while numbers[-1]:
            numbers.append(int(self.made.arrays.body_parentid[numbers[-1]]))
        return numbers

    def _below(self, top: int, body: int) -> Pose:
        pose = Pose.identity()
        while body != top:
            pose, body = self.reader.home(body) @ pose, int(self.made.arrays.body_parentid[body])
        return pose


def _at(p: Vec3) -> Pose:
    return Pose(Rotation.identity(), p)


def _name(equality: Any) -> str:
    return equality.name or f"{kind(equality)}{equality.id + 1}"
