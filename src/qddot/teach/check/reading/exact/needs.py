"""Finds variables of trees that an arm's ring lacks: roots, constant angles, π, and coordinates outside cosines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qddot.algebra.expressions.angles import QUARTER, Angle
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import ExactnessError
from qddot.teach.check.reading.exact.half_angles import half_turns, names_of_half
from qddot.teach.check.reading.exact.motion import drive_symbol
from qddot.teach.check.reading.exact.turned_angles import angle_of, is_small, opaque, turned
from qddot.teach.check.reading.syntax import Call, Derivative, Name, Node, Reference, children

MOST_ANGLES = 24  # most constant angles in an answer


class Needs:
    """This collects the variables that trees need.

    used: the names of definitions that occur as numbers
    raises ExactnessError: more constant angles than any arm has
    """

    def __init__(
        self,
        ring: Ring,
        trees: Mapping[str, Node],
        angles: Mapping[str, Angle | None],
    ) -> None:
        self.ring, self.trees, self.defined = ring, trees, angles
        self.drives: set[str] = set()
        self.plain: set[str] = set()
        self.opaque: set[str] = set()
        self.signs: set[str] = set()
        self.angles: set[Angle] = set()
        self.roots = self.pi = False
        self.used: set[str] = set()

    def add(self, nodes: Iterable[Node]) -> None:
        """Looks at trees and at all definitions that they use."""
        waiting = list(nodes)
        while waiting:
            before = set(self.used)
            self._look(waiting.pop())
            waiting += [self.trees[key] for key in self.used - before if key in self.trees]

    def _look(self, node: Node) -> None:
        """Looks at a tree, and at the argument of a cosine as a whole."""
        match node:
            case Name() | Reference():
                self._look_at_name(node)
            case Call():
                self._look_at_call(node)
            case Derivative():
                self._look(node.of)
            case _:
                for child in children(node):
                    self._look(child)

    def _look_at_name(self, node: Name | Reference) -> None:
        if isinstance(node, Reference):
            self.used.add(node.key)
            return
        meaning = node.meaning
        if meaning.kind.startswith("own"):
            self.used.add(meaning.name)
        elif meaning.kind == "coordinate":
            self.plain.add(meaning.name)
        elif meaning.kind == "drive":
            self.drives.add(drive_symbol(self.ring, meaning.name))
        elif meaning.kind in ("pi", "degree"):
            self.pi = True

    def _look_at_call(self, node: Call) -> None:
        if node.function == "sqrt":
            self.roots = True
        elif node.function == "sgn":
            rate = node.argument
            self.signs |= {rate.meaning.name} if isinstance(rate, Name) and rate.meaning.kind == "rate" else set()
        else:
            angle = angle_of(node.argument, self.defined)
            if angle and is_small(angle) and (names := opaque(angle, self.ring.turning.coordinates)):
                self.opaque.update(names)
                return
            parts = turned(angle or Angle(), self.ring.turning.coordinates)
            if angle and is_small(angle) and any(times.denominator == 2 for _, times in parts.coordinates):
                halves = half_turns(parts.coordinates, self.ring.turning)
                self.opaque.update(name for own, n in halves.items() if n % 2 for name in names_of_half(own))
            constant = parts.constant if angle and is_small(angle) else Angle()
            if constant and constant not in self.ring.angles:
                self._add_angle(constant)

    def _add_angle(self, angle: Angle) -> None:
        sliding = any(name in self.ring.coordinates for name, _ in angle.symbols)
        if not sliding and (angle.radians or angle.symbols or (angle.pi / QUARTER).denominator != 1):
            self.angles.add(angle)
        if len(self.angles) > MOST_ANGLES:
            raise ExactnessError("constant-angles-too-many", most=MOST_ANGLES)

    def widened(self) -> Ring:
        """Returns a ring with all variables that are needed: the same ring if it lacks none."""
        ring = self.ring
        plain = [name for name in ring.coordinates if name in {*ring.plain, *self.plain}]
        signs = [name for name in ring.coordinates if name in {*ring.signs, *self.signs}]
        extra = ["pi"] if self.pi and "pi" not in ring.index else []
        extra += sorted((self.drives | self.opaque) - set(ring.index))
        roots = ring.roots or self.roots or bool(self.angles)
        if not (self.angles or extra) and (len(plain), len(signs), roots) == (
            len(ring.plain),
            len(ring.signs),
            ring.roots,
        ):
            return ring
        angles = (*ring.angles, *self.angles)
        parts = {"plain": plain, "angles": angles, "roots": roots, "extra": (*ring.extra, *extra), "signs": signs}
        return Ring(ring.variables.with_(**parts))
