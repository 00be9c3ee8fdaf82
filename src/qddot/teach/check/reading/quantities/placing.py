"""Finds the places in quantities to which the entries of computed claims belong."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import product

from qddot.base.errors import ExpressionError
from qddot.base.words.message import Listed, Message, say
from qddot.teach.check.exact_arrays import canonical
from qddot.teach.check.reading.answer import Answer, Entry
from qddot.teach.check.reading.exact.motion import drive_symbol, torque_of
from qddot.teach.check.reading.names.arm_names import ArmNames
from qddot.teach.check.reading.names.letters import CALLED, QUANTITIES, Candidate, is_of_base, is_of_turning
from qddot.teach.check.reading.names.places import is_part_of_jacobian
from qddot.teach.check.reading.quantities.entries import Entries
from qddot.teach.check.reading.quantities.equations_of_motion import EquationsOfMotion
from qddot.teach.check.reading.quantities.meanings import Meanings
from qddot.teach.check.reading.quantities.points import PointMatch, axis_of, axis_of_tool, beside
from qddot.teach.check.reading.quantities.recognized import Recognized
from qddot.teach.check.reading.statements.arrays import Computed, is_coordinate

TORQUE = re.compile(r"[MFTQNCRPU]|tau")  # of M_A, F_A
OF_AXIS = "o"  # letter of a point on a joint's axis, which may be a point other than the origin of the link's frame
DRIVING = ("tau", "u", "Q", "Gamma")  # letters of torques of motors alone
NAME_OF_EQUATION = re.compile(
    r"(?i)(?:eqn?s?|eoms?|equations?|odes?|lagrange|el|lhs|euler_?lagrange|motion)\d*|(?:eqn?|eom|ode)\w+"
)


class Placing:
    """This places the entries of one answer in quantities.

    values: the answer's values of symbols; driven: the joint of the only torque, if words say so
    lacks: the kinds of variables, "qd" or "qdd", without which torques may be, as those that hold the arm still are
    """

    def __init__(
        self, meanings: Meanings, values: Mapping[str, Fraction], driven: int | None, lacks: Collection[str]
    ) -> None:
        self.meanings, self.n, self.ring = meanings, meanings.n, meanings.ring
        self.lacks = lacks
        self.driven = driven if driven is not None and driven < meanings.n else None
        self.entries = Entries(meanings.eq, meanings.ring, meanings.notes)
        self.equations = EquationsOfMotion(self.entries, values, meanings.known)
        self.recognized = Recognized(self.entries, meanings)
        self.zeros: list[tuple[str, tuple[int, ...], Computed]] = []
        self.points: dict[str, PointMatch] = {}

    def add(self, group: Sequence[Computed]) -> None:
        """Adds claims with the same letter and number of indices, which mean one quantity."""
        candidate = self.meanings.quantity_of(group)
        left = group[0].claim.left
        if candidate.quantity == "christoffel" and not candidate.sure and self._are_of_links(group):
            return
        if candidate.quantity == "tau" and left.indices == () and all(map(self._is_input, group)):
            self.entries.notes.add(say("reading-column-of-torques", name=left.text))
            return
        if left.head == "taug" and self._are_gravity(group):
            raise ExpressionError("g-of-unknown-sign", where=group[0].claim.where, name=left.text)
        if not candidate.sure:
            letter = left.head + "_ijk"[: 1 + len(left.indices)] * bool(left.indices)
            self.entries.guess(letter, candidate.quantity, CALLED[candidate.quantity])
        for each in group:
            place = self.meanings.place(each.claim, candidate)
            if candidate.quantity == "T_c" and self._is_in_link_before(each, place):
                continue
            if self._is_between_links(each, candidate, place):
                whole = product(range(4), repeat=2)
                self.entries.add("A", each, [(*place, *inner) for inner in whole])
                meaning = say("step-transform", before=place[0], after=place[0] + 1)
                self.entries.notes.add(say("reading-as", name=each.claim.left.text, meaning=meaning))
                continue
            if each.shape is None:
                self.zeros.append((candidate.quantity, place, each))
            elif is_part_of_jacobian(candidate.quantity, each.shape, self.n):
                self._add_rows(each, candidate.quantity, place)
            else:
                if candidate.quantity == "christoffel" and left.head == "c" and not candidate.order:
                    place = self._turned(place, [one for one in group if one.shape is not None])
                rest = product(*(range(size) for size in self.meanings.shapes[candidate.quantity][len(place) :]))
                places = [(*place, *inner) for inner in rest]
                self.entries.add(candidate.quantity, each, places)

    def _is_between_links(self, each: Computed, candidate: Candidate, place: tuple[int, ...]) -> bool:
        """Returns whether T_2 has the entries of A_2, the pose in the link before, and not those of T_2."""
        if candidate.quantity != "T" or len(place) != 1 or each.shape is None or "^" in each.claim.left.text:
            return False
        return self.entries.holds(each, "A", place) and not self.entries.holds(each, "T", place)

    def _is_in_link_before(self, each: Computed, place: tuple[int, ...]) -> bool:
        """Notes T_c2 in the link before, if it is not that in the base; returns whether it is."""
        return not self.entries.holds(each, "T_c", place) and self.recognized.note_known_step(each)

    def _are_of_links(self, group: Sequence[Computed]) -> bool:
        """Returns whether claims have the values of links' matrices, and not those of Christoffel symbols."""
        places = [tuple(index - 1 for index in each.claim.left.indices) for each in group]
        are_symbols = all(
            max(place) < self.n and self.entries.holds(each, "christoffel", place)
            for each, place in zip(group, places, strict=True)
        )
        return not are_symbols and self.recognized.note_entries_of_links(group)

    def _is_input(self, each: Computed) -> bool:
        """Returns whether a column has only torques of joints and zeros, as (u, 0) has."""
        drives = {drive_symbol(self.ring, name) for name in self.meanings.eq.velocities} & set(self.ring.index)
        values = [value.numerator for value in each.entries if value.numerator]
        return bool(each.shape and values) and all(
            len(value) == 1 and set(value.variables()) <= drives for value in values
        )

    def _are_gravity(self, group: Sequence[Computed]) -> bool:
        """Returns whether the values of τ_g are those of G, in an answer without the equation of motion."""
        places = [((each.claim.left.indices or (1,))[0] - 1,) if each.shape == () else () for each in group]
        holds = (self.entries.holds(each, "G", place) for each, place in zip(group, places, strict=True))
        return any(self.entries.exact_entries("G")) and all(holds)

    def _turned(self, place: tuple[int, ...], group: Sequence[Computed]) -> tuple[int, ...]:
        """Returns the place of c_ijk. In some books its last index is the equation's, in others its first.
        The order with which more entries agree is chosen.
        """
        i, j, k = zip(*(tuple(index - 1 for index in each.claim.left.indices[:3]) for each in group), strict=True)
        first, last = (
            sum(self.entries.holds(each, "christoffel", place) for each, place in zip(group, places, strict=True))
            for places in (zip(i, j, k, strict=True), zip(k, i, j, strict=True))
        )
        if last > first:
            self.entries.notes.add(say("reading-index-of-equation-last"))
            return (place[2], place[0], place[1])
        return place

    def _add_rows(self, each: Computed, quantity: str, place: tuple[int, ...]) -> None:
        """Adds the rows of a Jacobian with only two or three rows of the six."""
        assert each.shape is not None
        exact = self.entries.exact.array(quantity)
        linear = [i for i in range(3) if any(exact[(*place, i, j)].entries[0] for j in range(self.n))]
        angular = [i for i in range(3, 6) if any(exact[(*place, i, j)].entries[0] for j in range(self.n))]
        rows = linear if len(linear) == 2 else [0, 1]
        is_turning = is_of_turning(each.claim.left)
        last = [value.numerator for value in each.entries[-self.n :]]
        if each.shape[0] == 3:
            turns = not any(generator for value in last for generator in value.generators())
            is_planar = len(linear) <= 2 and any(last) and turns and len(angular) == 1
            rows = [3, 4, 5] if is_turning else [*rows, angular[0]] if is_planar else [0, 1, 2]
        self.entries.add(quantity, each, [(*place, i, j) for i in rows for j in range(self.n)])
        axes = Listed(say("row-angular" if i > 2 else "row-linear", axis="xyz"[i % 3]) for i in rows)
        self.entries.guessed.add(quantity)
        self.entries.notes.add(say("reading-rows", name=each.claim.left.text, rows=axes))

    def add_unnamed(self, each: Computed) -> None:
        """Adds a claim that names no quantity if its value is a torque, a position or a velocity.

        A claim that says nothing wrong, such as a known array or a constant, is left out.
        raises ExpressionError: any other claim
        """
        if each.claim.about:
            self.recognized.note_spoken_of(each)
            return
        left, moves = each.claim.left, "a" in (self.meanings.occurs([each]) or ())
        joint = self._driven_joint(each) if moves and each.shape == () else None
        joint = self.joint_of(each) if joint is None else joint
        if joint is not None:
            self._add_as(each, "tau", [(joint,)], say("step-torque", joint=self.meanings.eq.velocities[joint]))
        elif NAME_OF_EQUATION.fullmatch(left.key) and moves:
            self.equations.add_named(each)
        elif (each.shape and all(map(is_coordinate, each.entries))) or self._is_of_axis(each):
            return
        elif point := self._point_of(each) or beside(left, self.points):
            self.entries.notes.add(say("reading-as", name=left.text, meaning=say("step-position", point=point.what)))
            self.points[left.key] = point
            self.entries.guessed.add(point.quantity)
            self.entries.add(point.quantity, each, point.places)
        elif self.recognized.note_known_step(each):
            return
        elif quantity := self._required(each):
            places = list(product(*map(range, self.meanings.shapes[quantity])))
            self._add_as(each, quantity, places, say("quantity-required", quantity=CALLED[quantity]))
        elif self.recognized.note_harmless(each):
            return
        elif (axis := axis_of_tool(left)) is not None and each.shape == ():
            self._add_as(each, "T_tool", [(axis, 3)], say("step-position", point=say("point-tool")))
        else:
            raise ExpressionError("name-not-used", where=each.claim.where, name=left.text, expected=QUANTITIES)

    def _point_of(self, each: Computed) -> PointMatch | None:
        """Returns the point of a claim; raises ExpressionError if other coordinates are those of another point."""
        left, matches = each.claim.left, self.meanings.points_of(each)
        axis = axis_of(left)
        beside = [match for match in matches if match.axis == axis]  # h_1 may be the height of the first link
        allowed = self.equations.points.add("position", left, [match.what for match in beside], each.claim.where)
        point = next((match for match in beside if match.what in allowed), next(iter(matches), None))
        if point and left.key in self.points and self.points[left.key].places != point.places:
            raise ExpressionError("named-again", where=each.claim.where, name=left.text)
        return point

    def _add_as(self, each: Computed, quantity: str, places: Sequence[tuple[int, ...]], meaning: Message) -> None:
        self.entries.add(quantity, each, places)
        self.entries.guess(each.claim.left.text, quantity, meaning)

    def is_torque(self, each: Computed) -> bool:
        """Returns whether a name may be that of a torque: by its letter, and by the accelerations in its value."""
        is_named = TORQUE.match(each.claim.left.key) is not None or len(each.claim.left.key) == 1
        return is_named and each.shape == () and "a" in (self.meanings.occurs([each]) or ())

    def joint_of(self, each: Computed) -> int | None:
        """Returns the joint whose exact torque equals a value, or None: then the letter may be that of a reaction."""
        if not self.is_torque(each):
            return None
        return next((k for k in range(self.n) if self.entries.holds(each, "tau", (k,))), None)

    def _is_of_axis(self, each: Computed) -> bool:
        return each.claim.left.head == OF_AXIS and self.recognized.note_known_step(each)

    def _required(self, each: Computed) -> str:
        """Returns the only required quantity that is still missing and has the shape of a claim, or ""."""
        shapes, missing = self.meanings.shapes, set(self.meanings.asked) - set(self.entries.by_quantity)
        fitting = [name for name in missing & set(shapes) if each.shape and shapes[name] == each.shape]
        is_inverse = "-1" in each.claim.left.text
        return fitting[0] if len(fitting) == 1 and not is_of_base(each.claim.left) and not is_inverse else ""

    def _driven_joint(self, each: Computed) -> int | None:
        """Returns the joint whose torque a name is, by the name or as the only torque, or None."""
        left, eq = each.claim.left, self.meanings.eq
        names = ArmNames(self.ring, eq.velocities)
        # T and F beside other torques may be reactions
        is_only = "tau" not in self.entries.by_quantity or left.head in DRIVING
        is_single = self.meanings.is_single_drive(each) and is_only
        if is_single and self.driven is not None:
            return self.driven
        if meaning := names.drive(left.key) or names.drive(left.text):
            return eq.velocities.index(meaning.name)
        return torque_of(each.entries[0].numerator, eq, self.ring).joint if is_single else None

    def answer(self, partly_unread: Collection[str]) -> Answer:
        """Returns the answer, in which entries of zeros(…) that are never assigned are zero.

        partly_unread: the letters of arrays of which an entry could not be read
        """
        shapes = self.meanings.shapes
        for quantity, part, each in self.zeros:
            if each.claim.left.head in partly_unread:
                continue
            symmetric = self.meanings.eq.array(quantity).symmetric if quantity in ("M", "christoffel") else None
            assigned = {canonical(entry.place, symmetric) for entry in self.entries.by_quantity.get(quantity, [])}
            one, zero = self.ring.convert(1), self.ring.zero
            inside = [
                place
                for place in product(*(range(size) for size in shapes[quantity]))
                if place[: len(part)] == part and canonical(place, symmetric) not in assigned
            ]
            self.entries.add_entries(quantity, [Entry(place, zero, one, "0", each.claim.where) for place in inside])
        self.equations.leave_out_passive()
        self._compare_without_motion()
        entries = {
            name: tuple(sorted(each, key=lambda entry: entry.place)) for name, each in self.entries.by_quantity.items()
        }
        whole_shapes = {name: shapes[name] for name in entries}
        return Answer(entries, whole_shapes, (), self.ring, guessed=frozenset(self.entries.guessed))

    def _compare_without_motion(self) -> None:
        """Compares torques without rates, and perhaps accelerations, with the exact ones without these."""
        moving = [f"{kind}({name})" for kind in self.lacks for name in self.meanings.eq.velocities]
        torques = self.entries.by_quantity.get("tau", []) if moving else []
        for k, each in enumerate(torques):
            if each.exact is None and not any(set(moving) & set(part.variables()) for part in each.parts):
                exact = self.entries.exact_entries("tau")[each.place[0]].without(moving)
                torques[k] = each._replace(exact=exact)
                key = "reading-judged-at-rest" if "qdd" in self.lacks else "reading-judged-without-velocities"
                self.entries.notes.add(say(key, name=f"tau{each.place[0] + 1}"))
