"""Textbook has M, Γ, G and what follows from them in short form, proved equal to the normal form.

Each entry is rewritten by itself. Where consecutive joints are parallel, cos(q2 + q3) may replace products of
sines and cosines. Squares are written as cos² or as sin², whichever gives fewer terms. The factor of geometry and
inertias before one trigonometric term becomes a named constant; and common factors are taken out.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from qddot.dynamics import coriolis
from qddot.equations.array import ExactArray
from qddot.equations.quantities import SHOWN, Quantities
from qddot.equations.symbol_values import symbol_values
from qddot.errors import QddotError, flag, is_one_of, near, shortened
from qddot.expressions.expression import Expression
from qddot.forms import TEXTBOOK_FORMS as FORMS
from qddot.forms.textbook.angle_sums import AngleSums
from qddot.forms.textbook.arrays import WrittenArray
from qddot.forms.textbook.given import Writer, without_inertia
from qddot.forms.textbook.joining import Joining
from qddot.forms.textbook.lumps import Constants
from qddot.forms.textbook.squares import length, short_squares
from qddot.forms.textbook.states import Grouped
from qddot.model.bodies import Symbol, listed
from qddot.model.explicit import ExplicitEquations
from qddot.model.model import Model
from qddot.numbers.at_state import generator_values, value_of
from qddot.numbers.exact import Polynomial
from qddot.printing import latex as latex_of
from qddot.printing import text as text_of

REWRITTEN = ("M", "christoffel", "G")
QUANTITIES = ("M", "christoffel", "C", "B", "C2", "h", "G")


@dataclass(frozen=True)
class Counts:
    """These are the terms of the expanded sums, and the additions and multiplications, with sines and cosines given."""

    terms: int
    operations: int


class Textbook:
    """This has M, Γ, C, B, C2, h and G in short form over named constants.

    constants: the meaning of each name, a polynomial in the model's symbols
    """

    def __init__(self, eq: Quantities, form: str = "sums", lumped: bool = True) -> None:
        if not isinstance(form, str) or form not in FORMS:
            raise QddotError(f"a form {shortened(form)}", expected=" or ".join(FORMS), remedy=near(form, FORMS))
        self.eq = eq = eq.in_joint_angles
        self.form, lumped = form, flag(lumped, "lumped")
        self.sums = AngleSums(eq.model, eq.ring, form == "multiple-angle")
        groups = {name: self._short_entries(eq.array(name)) for name in REWRITTEN}
        # in the order in which they occur: so the constants are numbered
        coefficients = dict.fromkeys(c for entries in groups.values() for group in entries for c in group.values())
        names = Constants(self.sums.ring, _gravity_symbols(eq.model))
        for coefficient in coefficients if lumped else ():
            names.lump(coefficient)
        names.take_in()
        self.constants: Mapping[str, Polynomial] = names.definitions
        self.ring = self.sums.ring.extended(extra=tuple(names.definitions))
        written = {coefficient: names.written(coefficient, self.ring) for coefficient in coefficients}
        joined = Joining(self.sums.states, self.ring, written).joined
        self._entries = {name: [joined(group) for group in entries] for name, entries in groups.items()}

    @cached_property
    def M(self) -> WrittenArray:
        """Returns the mass matrix."""
        return self._array("M", self._entries["M"])

    @cached_property
    def christoffel(self) -> WrittenArray:
        """Returns Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)."""
        return self._array("christoffel", self._entries["christoffel"])

    @cached_property
    def G(self) -> WrittenArray:
        """Returns the gravity torques."""
        return self._array("G", self._entries["G"])

    @cached_property
    def C(self) -> WrittenArray:
        """Returns C_ij = Σ_k Γ_ijk q̇_k."""
        return self._array("C", _flat(coriolis.coriolis_matrix(self._gamma, self._rates)))

    @cached_property
    def B(self) -> WrittenArray:
        """Returns the factors of q̇_j q̇_k; the columns are (1,2), (1,3) … (n−1,n)."""
        return self._array("B", _flat(coriolis.coriolis_products(self._gamma)))

    @cached_property
    def C2(self) -> WrittenArray:
        """Returns the factors of q̇_j²."""
        return self._array("C2", _flat(coriolis.centrifugal_matrix(self._gamma)))

    @cached_property
    def h(self) -> WrittenArray:
        """Returns the velocity terms, C q̇."""
        return self._array("h", coriolis.velocity_torques(self._gamma, self._rates))

    @cached_property
    def _gamma(self) -> list[list[list[Any]]]:
        n, flat = self.eq.n, self._entries["christoffel"]
        return [[flat[(i * n + j) * n : (i * n + j + 1) * n] for j in range(n)] for i in range(n)]

    @cached_property
    def _rates(self) -> list[Polynomial]:
        return [self.ring.rate(name) for name in self.eq.model.coordinates]

    def _array(self, name: str, entries: Sequence[Any]) -> WrittenArray:
        return WrittenArray.of(self.eq.array(name), self.sums, self.ring, entries, self.constants)

    def array(self, name: str) -> WrittenArray:
        """Returns a quantity by its name."""
        if not is_one_of(name, QUANTITIES):
            raise QddotError(
                f"no quantity {shortened(name)} in textbook form",
                expected=", ".join(QUANTITIES),
                remedy=near(name, QUANTITIES),
            )
        return getattr(self, name)  # type: ignore[no-any-return]

    def normal_counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in its expanded normal form."""
        entries = [entry for _, _, entry in self.eq.array(name).labelled()]
        return Counts(sum(map(len, entries)), sum(map(_expanded_operations, entries)))

    def counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in textbook form."""
        array = self.array(name)
        return Counts(array.terms, array.operations)

    def proved(self) -> bool:
        """Returns whether M, Γ and G, expanded again, equal the normal form; the rest follows from them."""
        return all(self.array(name).expanded() == self.eq.array(name) for name in REWRITTEN)

    def values(self, /, **given: float) -> dict[str, float]:
        """Returns the constants' numbers; a constant that depends on a symbol without a value is left out.

        Symbols take their defaults, or keywords.
        raises EvaluationError: an unknown symbol, or one whose value is not a number
        """
        still = dict.fromkeys(self.eq.model.coordinates, 0.0)
        known = generator_values(self.sums.plain_ring, still, still, still, symbol_values(self.eq.model, given))
        return {
            name: value_of(self.sums.back(value), known)
            for name, value in self.constants.items()
            if set(value.variables()) <= set(known)
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

    def sympy(self) -> dict[str, Any]:
        """Returns every quantity in SymPy by name, and under "constants" the definitions of the constants."""
        found = {name: self.array(name).sympy() for name in QUANTITIES}
        definitions = {name: ExactArray(self.sums.ring, value).sympy() for name, value in self.constants.items()}
        return {**found, "constants": definitions}

    def text(self, only: Sequence[str] = SHOWN, width: int = 100, digits: int | None = None) -> str:
        """Returns the chosen quantities, then the table of constants, with the counts before and after.

        digits: significant digits of the numbers, for reading; by default all
        """
        lines = []
        for name in named(only):
            old, new = self.normal_counts(name), self.counts(name)
            terms = f"{new.terms} term{'s' * (new.terms != 1)}, {new.operations} operations"
            counts = f"{terms}; {old.terms} and {old.operations} in normal form"
            lines += [f"{name}: {counts}", self.array(name).rounded(digits).text(width), ""]
        if named(only) == list(SHOWN):
            for outside in (self.eq.springs, self.eq.friction):
                lines += [outside.rounded(digits).text(width), ""] if outside else []
        written = "\n".join([*lines, self.table(width, digits)]).rstrip()
        return "\n".join([*self._legend(written, width), written])

    def _legend(self, written: str, width: int) -> list[str]:
        """Returns a paragraph that explains the short names of cosines and sines in a text, or no lines."""
        meant = [
            f"{kind[0]}{name[1:]} = {kind}({self.sums.angle(name)})"
            for name in self.sums.combinations
            if re.fullmatch(r"q\d+", name)
            for kind in ("cos", "sin")
            if re.search(rf"\b{kind[0]}{name[1:]}\b", written)
        ]
        return [*textwrap.wrap(", ".join(meant), width), ""] if meant else []

    def table(self, width: int = 100, digits: int | None = None) -> str:
        """Returns the constants, one per line, with their values where the symbols have some."""
        if not self.constants:
            return ""
        numbers, lines = self.values(), [f"{len(self.constants)} constants"]
        for name, value in self.constants.items():
            number = f"  # {numbers[name]:.6g}" if name in numbers else ""
            body = text_of.polynomial(text_of.rounded(value, digits), digits is not None) + number
            lines.append(text_of.wrapped(f"{name} = ", body, width))
        return "\n".join(lines)

    def latex(self, only: Sequence[str] = SHOWN, width: int = latex_of.PAGE, digits: int | None = None) -> str:
        """Returns numbered equations, one `align` environment per quantity and one for the constants."""
        from qddot.printing.notation import symbol

        blocks = []
        for name in named(only):
            array = self.array(name).rounded(digits)
            entries = [
                (latex_of.name(label, place), array.entry_latex(entry))
                for label, place, entry in array.labelled()
                if entry or array.ndim < 2
            ]
            blocks.append(latex_of.numbered(entries or [(latex_of.name(array.name), "0")], width))
        for outside in (self.eq.springs, self.eq.friction) if named(only) == list(SHOWN) else ():
            if outside:
                rows = [(latex_of.name(n, k), outside.entry_latex(x)) for n, k, x in outside.rounded(digits).labelled()]
                blocks.append(latex_of.numbered(rows, width))
        if self.constants:
            shown = {name: text_of.rounded(value, digits) for name, value in self.constants.items()}
            definitions = [
                (symbol(name), latex_of.polynomial(value, digits is not None)) for name, value in shown.items()
            ]
            blocks.append(latex_of.numbered(definitions, width))
        return "\n".join([*self._latex_legend("\n".join(blocks)), *blocks])

    def _latex_legend(self, written: str) -> list[str]:
        """Returns a sentence of LaTeX that explains the short names, or no lines."""
        from qddot.printing.notation import symbol

        meant = []
        for name, one in self.sums.combinations.items():
            if not re.fullmatch(r"q\d+", name):
                continue
            angle = " + ".join(symbol(q) if n == 1 else f"{n} {symbol(q)}" for q, n in one).replace("+ -1 ", "- ")
            for kind in ("cos", "sin"):
                short = f"{kind[0]}_{{{name[1:]}}}"
                if short in written:
                    meant.append(f"${short} = \\{kind}({angle})$")
        return [f"Here {', '.join(meant)}.", ""] if meant else []

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.counts(name).operations} operations in {name}" for name in SHOWN)
        return f"<textbook form of {self.eq.model.name}: {counts}, {len(self.constants)} constants>"

    def _short_entries(self, array: ExactArray) -> list[Grouped]:
        """Each entry's short form, of entries that are equal, or the opposite, only once."""
        made: dict[tuple[int, tuple[int, ...]], list[tuple[Polynomial, Grouped]]] = {}
        found = []
        for entry in array.entries:
            alike = made.setdefault((len(entry), entry.poly.degrees()), [])
            group = next((short for known, short in alike if known == entry), None)
            if group is None:
                opposite = next((short for known, short in alike if known == -entry), None)
                group = self._shortest(entry) if opposite is None else _negative(opposite)
                alike.append((entry, group))
            found.append(group)
        return found

    def _shortest(self, entry: Polynomial) -> Grouped:
        """Returns the form with the fewest terms, then the fewest factors."""
        sums = self.sums
        forms = [sums.states.grouped(form) for form in (entry, *sums.forms(entry))]
        if sums.multiples:
            groups = [sums.contracted(sums.doubled(group)) for group in forms]
            groups += [sums.doubled(sums.contracted(group)) for group in forms]
        else:
            groups = [short_squares(group, sums.states) for group in forms]
            groups.append(sums.contracted(groups[0]))
        return min(groups, key=length)


def named(only: Any) -> list[str]:
    """Returns the names of quantities; a single name becomes a list of one."""
    return [only] if isinstance(only, str) else list(listed(only, "quantities"))


def _negative(group: Grouped) -> Grouped:
    return {state: value * -1 for state, value in group.items()}


def _flat(nested: Any) -> list[Any]:
    return [entry for row in nested for entry in row]


def _gravity_symbols(model: Model) -> set[str]:
    found: set[str] = set()
    for part in model.gravity:
        found |= part.symbols() if isinstance(part, Expression) else set()
    return found


def _expanded_operations(entry: Polynomial) -> int:
    products = sum(max(0, sum(powers.values()) - 1 + (abs(c) != 1)) for powers, c in entry.powers())
    return products + max(0, len(entry) - 1)
