"""Says why each term of an entry is there: which mass is moved, or body turned, and by which lever arms and axes.

M = Σ m J_vᵀ J_v + J_ωᵀ I_c J_ω, and h, G, K and P are sums over the links in the same way. Source: Siciliano,
Sciavicco, Villani, Oriolo, *Robotics*, 2009, §7.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from textwrap import fill
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.spatial import Twist, Vec3
from qddot.base import html
from qddot.base.errors import QddotError, check_one_of
from qddot.base.words.message import Listed, Message, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_names import text_of
from qddot.exact.forms.textbook.shares.causes import MASS, MOMENT, TENSOR, Cause, causes_of, equations_of
from qddot.exact.forms.textbook.written_array import short_form
from qddot.exact.printing import text as text_of_sums
from qddot.exact.printing.tree import Sum
from qddot.physics.algorithms import kinematics
from qddot.robot.effects.armature import Armature

EXPLAINED = ("M", "christoffel", "C", "B", "C2", "h", "G", "springs", "friction", "tau", "K", "P")
SLOPES = ("christoffel", "C", "B", "C2")  # which follow from the slopes of M
INERTIAL = "Mqdd"  # M q̈, a part of τ
INDENT = " " * 4
OF_TORQUES = (INERTIAL, "h", "G", "springs", "friction")

ORIGINS = {
    MASS: "why-from-mass",
    MOMENT: "why-from-moment",
    TENSOR: "why-from-tensor",
    "armature": "why-from-armature",
    "springs": "why-from-springs",
    "friction": "why-from-friction",
}
# by the kind of a cause, the sentence for each quantity to which it may give something
OF_LINKS = {
    MASS: {
        "M": "why-mass-moved",
        INERTIAL: "why-mass-accelerated",
        "h": "why-mass-at-rates",
        "G": "why-weight",
        "P": "why-height",
        "K": "why-mass-energy",
    },
    TENSOR: {
        "M": "why-turned",
        INERTIAL: "why-turned-faster",
        "h": "why-turned-at-rates",
        "K": "why-turning-energy",
    },
}
OF_ARMATURE = {"M": "why-armature", INERTIAL: "why-armature-torque", "K": "why-armature-energy"}

Place: TypeAlias = tuple[int, ...]


class Reason(NamedTuple):
    """This is a part of an entry, with what it comes from.

    term: the part as it is written; exact: the same in normal form
    origin: what it comes from; why: how this makes it
    """

    term: Sum
    exact: Polynomial
    origin: Message
    why: Message

    @property
    def text(self) -> str:
        """Returns the part as text."""
        return text_of_sums.Text().write(self.term)


class Explanation(NamedTuple):
    """This is an entry with its reasons. name: such as M12; proved: whether the reasons add up to it, in normal form"""

    name: str
    term: Sum
    reasons: tuple[Reason, ...]
    proved: bool

    def equation(self, width: int = text_of_sums.WIDTH) -> str:
        """Returns the entry as text, on lines of at most so many characters."""
        return text_of_sums.broken(f"{self.name} = ", text_of_sums.Text().terms(self.term), width)

    @property
    def verdict(self) -> Message:
        """The sentence on whether the reasons add up to the entry."""
        if not self.reasons:
            return say("why-nothing", name=self.name)
        return say("why-proved" if self.proved else "why-unproved", name=self.name)


class Why(tuple[Explanation, ...]):
    """These are the explanations of one or several entries, one after the other."""

    def __str__(self) -> str:
        return "\n\n".join("\n".join(_lines(each)) for each in self)

    def __repr__(self) -> str:
        return f"<why {', '.join(each.name for each in self)}>"

    def _repr_html_(self) -> str:
        parts = []
        for each in self:
            rows = [(reason.text, str(reason.origin), str(reason.why)) for reason in each.reasons]
            titles = tuple(str(say(key)) for key in ("why-term", "why-from", "why-why"))
            parts += [
                html.lines(each.equation().split("\n")),
                html.table(titles, rows),
                html.notes([str(each.verdict)]),
            ]
        return html.block(*parts)


def _lines(each: Explanation) -> Iterator[str]:
    """Yields the lines of an explanation: the entry, below it each part and its reason, and the verdict."""
    yield each.equation()
    for reason in each.reasons:
        yield text_of_sums.broken("  ", text_of_sums.Text().terms(reason.term), text_of_sums.WIDTH)
        line = str(say("why-line", origin=reason.origin, why=reason.why))
        yield fill(line, text_of_sums.WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_long_words=False)
    yield str(each.verdict)


def why(eq: Quantities, name: str) -> Why:
    """Returns the reasons of the terms of a quantity or one of its entries. name: "M12", or "M" for all of M

    raises QddotError: no such entry, or a quantity that is no sum over the links, such as T; or equations that are
        given in place of links
    """
    if not eq.dynamics.has_bodies:
        raise QddotError("entries-without-reasons", where=eq.model.name)
    part = eq.array(name)
    check_one_of(part.name, EXPLAINED, say("why-of"), QddotError)
    explained = Explained(eq)
    return Why(explained.entry(part.name, place) for _, place, _ in part.labelled())


class Explained:
    """This explains the entries of one arm's equations."""

    def __init__(self, eq: Quantities) -> None:
        self.eq = eq.in_joint_angles
        self._mechanism = self.eq.dynamics.mechanism
        self._short = short_form(self._mechanism)
        self._parts: dict[int, Quantities] = {}

    @cached_property
    def _causes(self) -> list[Cause]:
        return list(causes_of(self.eq))

    def entry(self, name: str, place: Place) -> Explanation:
        """Returns an entry with its reasons."""
        whole = self._value(self.eq, name, place)
        reasons = tuple(reason for k in range(len(self._causes)) for reason in self._reasons(k, name, place))
        total = sum((reason.exact for reason in reasons), start=self.eq.ring.zero)
        called = text_of(name, place, (), self.eq.display.notation)
        return Explanation(called, self._written(whole), reasons, total == whole)

    def _reasons(self, k: int, name: str, place: Place) -> Iterator[Reason]:
        """Yields what one cause gives to an entry; τ is divided into M q̈, h, G and the torques of effects."""
        cause = self._causes[k]
        if k not in self._parts:
            self._parts[k] = equations_of(self.eq, cause)
        for of in OF_TORQUES if name == "tau" else (name,):
            value = self._value(self._parts[k], of, place)
            if value:
                yield Reason(self._written(value), value, self._origin(cause), self._why(cause, of, place))

    def _value(self, eq: Quantities, name: str, place: Place) -> Polynomial:
        """Returns an entry; that of M q̈ is the sum along a row of M."""
        if name == INERTIAL:
            (i,), ring = place, self.eq.ring
            row = zip(eq.array("M").nested[i], self._mechanism.qdd, strict=True)
            return ring.convert(sum((entry * rate for entry, rate in row), start=ring.zero))
        array = eq.array(name)
        return self.eq.ring.convert(array.entries[array.places.index(place)])

    def _written(self, value: Polynomial) -> Sum:
        """Returns a polynomial as a person writes it, in the model's own symbols."""
        array = self._short(replace(ExactArray.of(self.eq.ring, [value]), display=self.eq.display))
        return array.written(array.entries[0])

    def _text(self, value: Any) -> str:
        return text_of_sums.Text().write(self._written(self.eq.ring.convert(value)))

    def _vector(self, entries: Vec3) -> str:
        """Returns a vector's entries in brackets."""
        return f"({', '.join(map(self._text, entries))})"

    def _origin(self, cause: Cause) -> Message:
        body = self.eq.model.bodies[cause.body]
        joint = body.joint.velocities[0] if cause.is_effect else ""
        return say(ORIGINS[cause.kind], link=body.name, joint=joint)

    def _why(self, cause: Cause, name: str, place: Place) -> Message:
        """Returns the sentence that says how a cause makes its part of an entry."""
        if cause.is_effect:
            return self._of_effect(cause, name)
        if name in SLOPES:
            return say("why-slopes")
        if cause.kind == MOMENT:
            return say("why-moment", h=self._vector(self._mechanism.links[cause.body].inertia.h))
        how: Callable[..., Message] = partial(
            say,
            OF_LINKS[cause.kind][name],
            m=self._mass(cause),
            point=say("its-centre" if cause.about_centre else "its-origin"),
        )
        return self._of_pair(cause, place, how) if name == "M" else how(**self._slots(cause, name, place))

    def _of_effect(self, cause: Cause, name: str) -> Message:
        """Returns the sentence on an effect; friction has a sentence for each of its kinds."""
        if cause.kind == Armature.part:
            return say(OF_ARMATURE[name])
        effects = self.eq.model.bodies[cause.body].joint.effects
        kinds = {effect.key: effect.because for effect in effects if effect.part == cause.kind}
        if sorted(kinds) == ["coulomb", "damping"]:
            return say("why-coulomb-and-damping")
        reasons = [kinds[key] for key in sorted(kinds)]
        return reasons[0] if len(reasons) == 1 else say("why-several", reasons=Listed(reasons))

    def _of_pair(self, cause: Cause, place: Place, how: Callable[..., Message]) -> Message:
        """Returns the sentence on an entry of M, whose two lever arms or axes are one on the diagonal."""
        i, j = place
        frame, (a, b) = self._in_short_axes(cause, *(self._along(cause, k) for k in place))
        slots = {"a": a, "x": self._rate(i), "frame": frame}
        return how(**slots) if i == j else how(**slots, b=b, y=self._rate(j))

    def _slots(self, cause: Cause, name: str, place: Place) -> dict[str, Any]:
        """Returns what fills the sentence on an entry: the lever arm or axis of its coordinate, and how the link moves.

        What has to do with gravity is in the axes of the base, the rest in those in which it is shortest.
        """
        if name == "K":
            frame, (v,) = self._in_short_axes(cause, self._velocity(cause))
            return {"v": v, "frame": frame}
        if name in ("G", "P"):
            own = self._along(cause, place[0]) if place else cause.point
            turned = self._poses[cause.body]
            seen = turned.R.apply(own) if place else turned.apply(own)
            x = self._rate(place[0]) if place else ""
            return {"a": self._vector(seen), "x": x, "g": self._vector(self._mechanism.gravity)}
        vectors = [self._along(cause, place[0])]
        vectors += [self._acceleration(cause, name)] if cause.kind == MASS else []
        frame, (a, *w) = self._in_short_axes(cause, *vectors)
        return {"a": a, "x": self._rate(place[0]), "frame": frame, "w": w[0] if w else ""}

    def _in_short_axes(self, cause: Cause, *vectors: Vec3) -> tuple[Message, list[str]]:
        """Returns vectors along the link's axes as texts in the axes in which they are shortest, and which these are.

        They are those of a link from here to the base, or of the base; of equal ones the nearest.
        """
        frames: list[tuple[Message, list[str]]] = []
        k: int | None = cause.body
        while k is not None:
            link = self._mechanism.links[k]
            frames.append((say("axes-of-link", link=link.name), [self._vector(vector) for vector in vectors]))
            turn = link.X.pose().R
            vectors, k = tuple(turn.apply(vector) for vector in vectors), link.parent
        frames.append((say("axes-of-base"), [self._vector(vector) for vector in vectors]))
        return min(frames, key=lambda frame: sum(map(len, frame[1])))

    def _rate(self, k: int) -> str:
        """Returns the name of a velocity: that of a rate, or its own."""
        name = self.eq.model.coordinates[k]
        return rate_name(name) if name in self.eq.model.positions else name

    def _mass(self, cause: Cause) -> str:
        text = self._text(self._mechanism.links[cause.body].inertia.m)
        return f"({text})" if " " in text else text

    @cached_property
    def _poses(self) -> Sequence[Any]:
        return kinematics.poses(self._mechanism)

    def _along(self, cause: Cause, k: int) -> Vec3:
        """Returns the velocity of the cause's point, or for a tensor that of turning, per unit of the k-th velocity."""
        column = kinematics.body_jacobian(self._mechanism, cause.body)[k] or Twist.zero()
        return column.w if cause.kind == TENSOR else column.v + column.w.cross(cause.point)

    def _velocity(self, cause: Cause) -> Vec3:
        """Returns the velocity of the cause's point, or for a tensor that of turning, along the link's axes."""
        twist = self._mechanism.twists[cause.body]
        return twist.w if cause.kind == TENSOR else twist.v + twist.w.cross(cause.point)

    def _acceleration(self, cause: Cause, name: str) -> Vec3:
        """Returns the acceleration of the cause's point along the link's axes: by q̈ alone, or without q̈."""
        if name == INERTIAL:
            columns = (self._along(cause, k) * rate for k, rate in enumerate(self._mechanism.qdd))
            return sum(columns, start=Vec3.zero())
        still = replace(self._mechanism, qdd=(0,) * self._mechanism.n, gravity=Vec3.zero())
        rate, w, point = kinematics.twist_rates(still)[cause.body], still.twists[cause.body].w, cause.point
        return rate.v + rate.w.cross(point) + w.cross(still.twists[cause.body].v + w.cross(point))
