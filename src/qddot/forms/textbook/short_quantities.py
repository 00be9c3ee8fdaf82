"""ShortQuantities has every quantity of the equations in short form, proved equal to the normal form.

Each entry is rewritten by itself. Where consecutive joints are parallel, cos(q2 + q3) may replace products of
sines and cosines. Squares are written as cos² or as sin², whichever gives fewer terms. The factor of geometry and
inertias before one trigonometric term becomes a named constant; and common factors are taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from qddot.equations.arrays.exact_array import ExactArray, flat, nested
from qddot.equations.put_together import FOLLOWING, Parts
from qddot.equations.quantities import Quantities
from qddot.equations.symbol_values import symbol_values
from qddot.errors import QddotError, flag, is_one_of, near, shortened
from qddot.expressions.expression import Expression
from qddot.expressions.names import rate_name
from qddot.forms import TEXTBOOK_FORMS as FORMS
from qddot.forms.textbook.explicit_model import Writer, without_inertia
from qddot.forms.textbook.rewriting.states import Coefficient, degrees
from qddot.forms.textbook.shares.link_parts import Part, equations_of, parts_of
from qddot.forms.textbook.writing.lumps import INERTIA, OF_LENGTHS, WEIGHT, Constants
from qddot.forms.textbook.writing.short_entries import Short, ShortEntries
from qddot.forms.textbook.written_array import WrittenArray, in_symbols, short_form
from qddot.model.bodies import Symbol
from qddot.model.explicit import ExplicitEquations
from qddot.model.model import Model
from qddot.numbers.floats import Floats
from qddot.numbers.polynomials.exact import Polynomial, Ring, Terms, Unreduced

NAMED = ("M", "christoffel", "G")  # whose coefficients get names
IN_CONSTANTS = ("M", "christoffel", "G", "P", "h_ikm", "m_ijk", "b_ijk", "dL_dqd", "dL_dq", "tau")


@dataclass(frozen=True)
class Counts:
    """These are the terms of the expanded sums, and the additions and multiplications, with sines and cosines given."""

    terms: int
    operations: int


class ShortQuantities:
    """This has every quantity and every step of the route in short form, by name: `short.M`, `short.array("T")`.

    constants: the meaning of each name, a polynomial in the model's symbols
    """

    def __init__(self, eq: Quantities, form: str = "sums", lumped: bool = True) -> None:
        if not isinstance(form, str) or form not in FORMS:
            raise QddotError(f"a form {shortened(form)}", expected=" or ".join(FORMS), remedy=near(form, FORMS))
        self.eq = eq = eq.in_joint_angles
        self.form = form
        self._short = {eq.ring: ShortEntries(eq.model, eq.ring, form == "multiple-angle")}
        self.sums = self._short[eq.ring].sums
        self._arrays: dict[str, WrittenArray] = {}
        self._parts: dict[str, dict[Part, list[Unreduced]]] = {}
        self._again = short_form(eq.model, form == "multiple-angle")
        groups = {name: self._short[eq.ring].of(eq.array(name).entries) for name in NAMED}
        self._constants = Constants(_taken(eq))
        if flag(lumped, "lumped"):
            self._name_coefficients(groups)
        self.constants: Mapping[str, Polynomial] = self._constants.definitions
        self.ring = self.sums.ring.extended(extra=tuple(self.constants))
        for name, entries in groups.items():
            self._arrays[name] = self._joined(eq.array(name), self._short[eq.ring], entries, self.ring)

    def _name_coefficients(self, groups: Mapping[str, Sequence[Short]]) -> None:
        """Names the coefficients in the order in which they occur."""
        sliders = {body.joint.coordinate for body in self.eq.model.moving() if not body.joint.turns}
        turns = [int(name not in sliders) for name in self.eq.model.coordinates]
        kinds: dict[Coefficient, str] = {}
        sliding = [k for k, g in enumerate(self.sums.states.generators) if g.kind == "q"]
        for name, entries in groups.items():
            for place, entry in zip(self.eq.array(name).places, entries, strict=True):
                lengths = sum(turns[k] for k in place) - (name == "christoffel")
                for group in entry.values():
                    for state, coefficient in group.items():
                        power = lengths - sum(state[k] for k in sliding)
                        kind = WEIGHT if name == "G" else OF_LENGTHS.get(power, INERTIA)
                        kinds.setdefault(coefficient, kind)
        for coefficient, kind in kinds.items():
            self._constants.lump(coefficient.polynomial, kind)
        self._constants.take_in()

    def _joined(self, plain: ExactArray, short: ShortEntries, entries: Sequence[Short], ring: Ring) -> WrittenArray:
        joined = short.joined(entries, ring, self._constants.written)
        return WrittenArray.of(plain, short.sums, ring, joined, self._again, self.constants)

    @property
    def M(self) -> WrittenArray:
        """Returns the mass matrix."""
        return self.array("M")

    @property
    def christoffel(self) -> WrittenArray:
        """Returns Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)."""
        return self.array("christoffel")

    @property
    def G(self) -> WrittenArray:
        """Returns the gravity torques."""
        return self.array("G")

    @property
    def C(self) -> WrittenArray:
        """Returns C_ij = Σ_k Γ_ijk q̇_k."""
        return self.array("C")

    @property
    def B(self) -> WrittenArray:
        """Returns the factors of q̇_j q̇_k; the columns are (1,2), (1,3) … (n−1,n)."""
        return self.array("B")

    @property
    def C2(self) -> WrittenArray:
        """Returns the factors of q̇_j²."""
        return self.array("C2")

    @property
    def h(self) -> WrittenArray:
        """Returns the velocity terms, C q̇."""
        return self.array("h")

    @property
    def tau(self) -> WrittenArray:
        """Returns M q̈ + h + G + springs + friction, one equation for each joint."""
        return self.array("tau")

    def array(self, name: str) -> WrittenArray:
        """Returns a quantity or a step of the route by its name; raises QddotError for an unknown one."""
        if not is_one_of(name, self._arrays):
            plain = self.eq.array(name)
            self._arrays[name] = self._put_together(plain, name) if name in FOLLOWING else self._rewritten(plain)
        return self._arrays[name]

    def _rewritten(self, plain: ExactArray) -> WrittenArray:
        """Returns an array in short form; what says nothing of masses is written in the model's own symbols."""
        if plain.ring not in self._short:
            self._short[plain.ring] = ShortEntries(self.eq.model, plain.ring, self.form == "multiple-angle")
        short = self._short[plain.ring]
        if plain.name in IN_CONSTANTS:
            ring = short.sums.ring.extended(extra=tuple(self.constants))
            return self._joined(plain, short, short.of(plain.entries), ring)
        return in_symbols(plain, short, self._again)

    def _put_together(self, plain: ExactArray, name: str) -> WrittenArray:
        """Returns what follows from other quantities, in their short forms."""
        entries = self._together(name, self.ring, lambda each: self.array(each).entries)
        return WrittenArray.of(plain, self.sums, self.ring, entries, self._again, self.constants)

    def _together(self, name: str, ring: Ring, entries: Callable[[str], Sequence[Terms]]) -> list[Unreduced]:
        """Returns the entries of a quantity that follows from others, over a ring."""

        def given(each: str) -> Any:
            return nested([ring.written(entry) for entry in entries(each)], self.eq.array(each).shape)

        names = ring.coordinates
        rates, accelerations = ([ring.written(of(q)) for q in names] for of in (ring.rate, ring.acceleration))
        shape = self.eq.array(name).shape
        return [
            ring.written(ring.convert(entry)) if isinstance(entry, int) else entry
            for entry in flat(Parts(given, rates, accelerations)[name], len(shape))
        ]

    def parts(self, name: str) -> Mapping[Part, Sequence[Unreduced]]:
        """Returns what each part of the arm adds to the entries of a quantity, each written as its entry is.

        The parts of an entry add up to it where its constants are replaced, coefficient by coefficient.
        """
        if name not in self._parts:
            self._parts[name] = {part: self._of_part(name, part, of) for part, of in self._equations_of_parts.items()}
        return self._parts[name]

    def _of_part(self, name: str, part: Part, of: Quantities) -> list[Unreduced]:
        if name in FOLLOWING:
            return self._together(name, self.sums.ring, lambda each: self.parts(each)[part])
        short = self._short[self.eq.ring]
        rewritten = short.parts(self.eq.array(name).entries, of.array(name).entries)
        return short.joined(rewritten, self.sums.ring, lambda value, ring: ring.convert(value))

    @cached_property
    def _equations_of_parts(self) -> dict[Part, Quantities]:
        model = self.eq.model
        return {part: equations_of(model, part, self.eq.ring) for part in parts_of(model)}

    def normal_counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in its expanded normal form."""
        entries = [entry for _, _, entry in self.eq.array(name).labelled()]
        return Counts(sum(map(len, entries)), sum(map(_expanded_operations, entries)))

    def counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in textbook form."""
        array = self.array(name)
        return Counts(array.terms, array.operations)

    def proved(self, *names: str) -> bool:
        """Returns whether quantities, expanded again, equal the normal form; by default M, Γ and G.

        names: those to be proved; what is put together from others is equal if these are
        """
        bases = dict.fromkeys(
            base for name in names or NAMED for base in (FOLLOWING[name].of if name in FOLLOWING else (name,))
        )
        return all(self.array(base).exact == self.eq.array(base) for base in bases)

    def values(self, /, **given: float) -> dict[str, float]:
        """Returns the constants' numbers; a constant that depends on a symbol without a value is left out.

        Symbols take their defaults, or keywords.
        raises EvaluationError: an unknown symbol, or one whose value is not a number
        """
        known = symbol_values(self.eq.model, given)
        constants = {name: ExactArray.of(self.sums.plain_ring, self.sums.back(p)) for name, p in self.constants.items()}
        return {
            name: float(constant.entries[0].evaluate(Floats(known, {})))
            for name, constant in constants.items()
            if constant.free_symbols <= set(known)
        }

    @cached_property
    def model(self) -> Model:
        """Returns the same arm with equations given entry by entry and constants as symbols: it computes and exports.

        A constant has a value where the symbols in it have values.
        """
        eq, write = self.eq, Writer(self.sums)
        values = self.values()
        constants = {name: Symbol(name) for name in self.constants}
        constants |= {name: Symbol(name, Expression.constant(Fraction(value))) for name, value in values.items()}
        explicit = ExplicitEquations(
            M=write.matrix(self.M),
            B=write.matrix(self.B),
            C2=write.matrix(self.C2),
            G=tuple(write(entry) for entry in self.G.entries),
            P=write(eq.P.entries[0]),
        )
        bodies = tuple(without_inertia(body) for body in eq.model.bodies)
        return replace(eq.model, bodies=bodies, symbols={**eq.model.symbols, **constants}, explicit=explicit, notes=())


def _taken(eq: Quantities) -> set[str]:
    """Returns the names that constants may not have."""
    coordinates = eq.model.coordinates
    rates = {rate_name(name, dots) for name in coordinates for dots in (1, 2)}
    return {*eq.ring.symbols, *eq.ring.extra, *coordinates, *rates}


def _expanded_operations(entry: Polynomial) -> int:
    products = sum(max(0, degree - 1 + (abs(c) != 1)) for degree, c in degrees(entry))
    return products + max(0, len(entry) - 1)
