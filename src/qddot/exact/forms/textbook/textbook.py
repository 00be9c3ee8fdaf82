"""Textbook has the equations as a person would write them, and proves that they equal the normal form.

Each entry is rewritten by itself. If consecutive joints are parallel, cos(q2 + q3) may replace products of sines and
cosines. Squares are written as cos² or as sin², whichever gives fewer terms. The coefficient of a trigonometric term,
which depends on geometry and inertias, becomes a named constant. Common factors are taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qddot.algebra.numbers.polynomials.exact import Ring, Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import QddotError, check_one_of
from qddot.base.nested_lists import flat, nested
from qddot.base.words.message import say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.quantities import Quantities, shown_of
from qddot.exact.equations.quantity_table import (
    JOINT_PARTS,
    SHOWN,
    Attributes,
    EntriesByName,
    bases,
    of_motion,
    record_of,
)
from qddot.exact.forms.textbook.explicit_model import explicit_model
from qddot.exact.forms.textbook.shares.link_parts import ArmPart, equations_of, parts_of
from qddot.exact.forms.textbook.short_equations import ShortEquations
from qddot.exact.forms.textbook.written_array import WrittenArray
from qddot.exact.printing.tree import Equation
from qddot.physics.of_model import check_quadratic
from qddot.robot.left_out import sentences
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.exact.forms.textbook.shares.link_shares import LinkShares


class Textbook(Attributes, ShortEquations):
    """A textbook has every quantity and every step of the route in short form, by name: `short.M`, `short.array("T")`.

    constants: the definition of each name, a polynomial in the model's symbols
    """

    NAMED = ("M", "christoffel", "G")
    _IN_SYMPY = ("M", "christoffel", "C", "B", "C2", "h", "G")

    def __init__(self, eq: Quantities, form: str = "sums", lumped: bool = True) -> None:
        check_quadratic(eq.model, say("the-textbook-form"))
        self.eq = eq = eq.in_joint_angles
        self._parts: dict[str, dict[ArmPart, list[Unreduced]]] = {}
        super().__init__(eq.model, eq.dynamics.mechanism, eq.ring, form, lumped)

    def normal(self, name: str) -> ExactArray:
        return self.eq.array(name)

    def _law_of(self, part: Printed) -> Equation | None:
        return self.eq.law_of(part)

    @property
    def shown(self) -> list[str]:
        return [*shown_of(self.eq.model), *(name for name in JOINT_PARTS if self.normal(name))]

    @property
    def _velocities(self) -> Sequence[str]:
        return self.eq.velocities

    def _array(self, plain: ExactArray) -> WrittenArray:
        return self._from_others(plain, plain.name) if record_of(plain.name).follows else self.written(plain)

    def _from_others(self, plain: ExactArray, name: str) -> WrittenArray:
        """Returns a quantity that is computed from others, from their short forms."""
        entries = self._combined(name, self.ring, lambda each: self.array(each).entries)
        return WrittenArray.of(plain, self.sums, self.ring, entries, self._shortened, self.constants)

    def _combined(self, name: str, ring: Ring, entries: Callable[[str], Sequence[Terms]]) -> list[Unreduced]:
        """Returns the entries of a quantity that is computed from others, over a ring."""

        def array_of(each: str) -> Any:
            return nested([Unreduced.over(ring, entry) for entry in entries(each)], self.eq.array(each).shape)

        names = ring.coordinates
        rates, accelerations = ([Unreduced.over(ring, of(q)) for q in names] for of in (ring.rate, ring.acceleration))
        shape = self.eq.array(name).shape
        return [
            Unreduced.over(ring, ring.convert(entry)) if isinstance(entry, int) else entry
            for entry in flat(EntriesByName(array_of, rates, accelerations)[name], len(shape))
        ]

    def parts(self, name: str) -> Mapping[ArmPart, Sequence[Unreduced]]:
        """Returns the contribution of each part of the arm to the entries of a quantity, written as its entry is.

        The contributions to an entry, with its constants replaced, add up to it, coefficient by coefficient.
        """
        if name not in self._parts:
            self._parts[name] = {part: self._of_part(name, part, of) for part, of in self._equations_of_parts.items()}
        return self._parts[name]

    def _of_part(self, name: str, part: ArmPart, of: Quantities) -> list[Unreduced]:
        if record_of(name).follows:
            return self._combined(name, self.sums.ring, lambda each: self.parts(each)[part])
        short = self._short[self.eq.ring]
        rewritten = short.parts(self.eq.array(name).entries, of.array(name).entries)
        return short.joined(rewritten, self.sums.ring)

    @cached_property
    def _equations_of_parts(self) -> dict[ArmPart, Quantities]:
        model = self.eq.model
        return {part: equations_of(model, part, self.eq.ring) for part in parts_of(model)}

    def proved(self, *names: str) -> bool:
        """Returns whether quantities, expanded again, equal the normal form.

        names: quantities, by default M, Γ and G; one that is computed from others is equal if these are
        """
        return super().proved(*dict.fromkeys(base for name in names or self.NAMED for base in bases(name)))

    @cached_property
    def model(self) -> Model:
        """Returns the same arm with equations given entry by entry: it computes and exports.

        The constants are names in it, with their definitions in the arm's symbols, which keep their defaults.
        """
        names = {name: self.sums.back(value) for name, value in self.constants.items()}
        model = explicit_model(self.eq.model, self.array, self.eq.P.entries[0], names)
        return replace(model, original=self.eq.model)

    def shares(self, name: str, digits: int | None = None) -> LinkShares:
        """Returns which links contribute to each term of a quantity, and how much each contributes, exactly.

        `print(short.shares("M"))` lists them; `short.shares("M")[0, 1].terms` has those of M12, term by term.
        The shares of a term add up to it. A link's shares of all terms, with those that cancel between links, add up to
        the quantity of an arm in which only that link has inertia. Armature, springs and friction have shares of their
        own.
        name: a quantity such as "M", "christoffel", "C", "h", "G" or "tau"; digits: significant digits of the numbers
        raises QddotError: another name, or equations that are given entry by entry
        """
        from qddot.exact.forms.textbook.shares.link_shares import LinkShares

        check_one_of(name, of_motion(), say("shares-of"), QddotError)
        if not self.eq.dynamics.has_bodies:
            raise QddotError("entries-without-shares", where=self.eq.model.name)
        links = tuple(body.name for body in self.eq.model.bodies)
        return LinkShares(self.array(name).rounded(digits), self.parts(name), links, digits)

    def __str__(self) -> str:
        return "\n\n".join([*map(str, sentences(self.eq.model.left_out)), self.text()])

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.counts(name).operations} operations in {name}" for name in SHOWN)
        return f"<textbook form of {self.eq.model.name}: {counts}, {len(self.constants)} constants>"
