"""Recognizes results on the way of a derivation by their values, and steps of the routes by their names, too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import tee
from unicodedata import normalize

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import QddotError
from qddot.base.words.message import Words, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity import Style
from qddot.exact.equations.quantity_names import styles
from qddot.exact.equations.routes import ROUTES
from qddot.teach.check.exact_arrays import exact_array, part_of
from qddot.teach.check.reading.answer import Entry
from qddot.teach.check.reading.dialects.common_signs import OF_SCRIPT, RAISED_OF_STEPS
from qddot.teach.check.reading.exact.comparing import agree, agrees, are_equal
from qddot.teach.check.reading.exact.motion import drive_symbol
from qddot.teach.check.reading.names.arm_names import plain
from qddot.teach.check.reading.names.left_sides import Left, of_component
from qddot.teach.check.reading.quantities.steps import Step, steps

CERTAIN = 3  # fewest constants that are recognized by their values
DIMENSIONS = 3
MOST_JOINTS = 4  # of arms whose single entries are recognized by their values
AXIS = re.compile(r"[prva]?([xyz])")
OF_GRAVITY = "g"  # letter of a part of G


class KnownSteps:
    """These are the intermediate results of a derivation, with which the steps of an answer are compared."""

    def __init__(self, eq: Quantities, ring: Ring) -> None:
        self.eq, self.ring = eq.in_joint_angles, ring
        self._steps = iter(steps(self.eq, ring))
        self._routes: dict[str, Mapping[str, ExactArray]] = {}

    def of(self, left: Left, values: Sequence[Entry], along: bool = False) -> Words | None:
        """Returns what values are: a known result, or a step of a route under its name; None if unknown.

        along: whether they are components along unit vectors, which may turn
        """
        if any(value.denominator != 1 for value in values):
            return None
        if any(value.numerator for value in values):
            if what := self._same(left, values):
                return what
            if left.head == OF_GRAVITY and len(values) == 1 and self.part_of(["G"], values):
                return say("step-part-of-gravity-torques")
            square = sum((value.numerator * value.numerator for value in values), self.ring.zero)
            if (len(values) == 1 or along) and (
                what := self._same(left, [values[0]._replace(numerator=square, rounded=None)])
            ):
                return say("step-root", square=what)
        return self.of_routes(left, values)

    def _same(self, left: Left, values: Sequence[Entry]) -> Words | None:
        """Returns the first step that values agree with, or None: if none does, or if they are one or two constants."""
        is_constant = all(value.kinds <= {"symbol"} for value in values)
        if len(values) < CERTAIN and (is_constant or self.eq.n > MOST_JOINTS):
            return None
        self._steps, known = tee(self._steps)
        return next((step.what for step in known if _has(step, left, values)), None)

    def part_of(self, quantities: Sequence[str], values: Sequence[Entry]) -> str:
        """Returns the first quantity that has these values, or an entry with the terms of the only one; "" if none."""
        for name in quantities:
            exact = [self.ring.convert(entry) for entry in exact_array(self.eq, name).entries]
            if agree(values, exact):
                return name
            if len(values) != 1 or values[0].denominator != 1:
                continue
            value = values[0].numerator
            if any(set(value.terms()) <= set(entry.terms()) for entry in exact):
                return name
            if name == "springs" and are_equal([self.ring.differentiate(value, q) for q in self.eq.velocities], exact):
                return name
            if name == "tau" and set(value.variables()) <= {drive_symbol(self.ring, q) for q in self.eq.velocities}:
                return name
        return ""

    def of_routes(self, left: Left, values: Sequence[Entry]) -> Words | None:
        """Returns the step of a route that a name with its indices stands for, if it has these values, or None."""
        names = [name for name, style in styles() if normalize("NFKC", left.head) in letters_of(style)]
        places = {tuple(index - 1 for index in each) for each in (left.indices or left.cell, of_component(left.text))}
        for route in ROUTES if names else ():
            steps = self._steps_of(route)
            for name in names:
                if name in steps and any(_is_at(steps[name], place, values, self.ring) for place in places):
                    return say("step-by-route", route=route, name=name)
        return None

    def _steps_of(self, route: str) -> Mapping[str, ExactArray]:
        if route not in self._routes:
            try:
                self._routes[route] = self.eq.by_routes[route].steps
            except (QddotError, KeyError):  # a route that does not support this arm
                self._routes[route] = {}
        return self._routes[route]


def letters_of(style: Style) -> tuple[str, ...]:
    """Returns spellings of a quantity: Mv for M_v, vdotc and vcdot for v̇_c, Ic for Iᶜ, G or Gcal for 𝒢, barJ for J̄."""
    head, dot = normalize("NFKC", style.head), "dot" * (style.dots > 0)
    below = style.below + (style.above if style.above in RAISED_OF_STEPS else "")
    script = [plain(head + OF_SCRIPT + below)] if head != style.head else []
    return plain(head + dot + below), plain(head + below + dot), *(["bar" + head] if style.bar else []), *script


def _has(step: Step, left: Left, values: Sequence[Entry]) -> bool:
    """Returns whether a step may have a name, and has these values: all in order, or components of a vector.

    One may be alone, that along the axis of the name if it has one, as v_x, and zeros may be left out.
    """
    if not re.fullmatch(step.names, left.key):
        return False
    if len(values) == len(step.entries) or not step.is_vector or len(values) > DIMENSIONS:
        return agree(values, step.entries)
    if len(values) > 1:
        return agree([value for value in values if value.numerator], [entry for entry in step.entries if entry])
    axis = AXIS.match(left.key)
    own = step.entries["xyz".index(axis[1])] if axis else None
    return any(agrees(values[0], entry) for entry in ([own] if own else step.entries))


def _is_at(array: ExactArray, place: tuple[int, ...], values: Sequence[Entry], ring: Ring) -> bool:
    """Returns whether values are the part of an array at a place; a single 0 may stand for a part that is zero."""
    part = list(part_of(array, place).values())
    if len(values) <= 1 and not any(value.numerator for value in values):
        return bool(part) and not any(part)
    return agree(values, [ring.convert(entry) for entry in part])
