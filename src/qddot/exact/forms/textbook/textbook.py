"""Textbook has the equations as a person would write them, and proves that they equal the normal form.

Each entry is rewritten by itself. If consecutive joints are parallel, cos(q2 + q3) may replace products of sines and
cosines. Squares are written as cos² or as sin², whichever gives fewer terms. The coefficient of a trigonometric term,
which depends on geometry and inertias, becomes a named constant. Common factors are taken out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring, Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import QddotError, check_one_of, flag, is_one_of, number_of
from qddot.base.nested_lists import flat, nested
from qddot.base.records import record
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities, named
from qddot.exact.equations.quantity_table import (
    JOINT_PARTS,
    SHOWN,
    Attributes,
    EntriesByName,
    bases,
    of_motion,
    record_of,
)
from qddot.exact.forms import TEXTBOOK_FORMS as FORMS
from qddot.exact.forms.textbook.explicit_model import explicit_model
from qddot.exact.forms.textbook.page import Page, table
from qddot.exact.forms.textbook.rewriting.states import Coefficient, degrees
from qddot.exact.forms.textbook.shares.link_parts import ArmPart, equations_of, parts_of
from qddot.exact.forms.textbook.writing.factoring import factored_sum
from qddot.exact.forms.textbook.writing.lumps import INERTIA, OF_LENGTHS, WEIGHT, Constants
from qddot.exact.forms.textbook.writing.short_entries import Short, ShortEntries
from qddot.exact.forms.textbook.written_array import WrittenArray, in_symbols, short_form
from qddot.exact.printing import latex as latex_of
from qddot.exact.printing import legend
from qddot.exact.printing import text as text_of
from qddot.exact.printing.digits import NumberForm, form_of, loses_digits, rounded, with_values
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Equation, Symbol
from qddot.robot.left_out import sentences
from qddot.robot.model import Model
from qddot.robot.symbol_values import symbol_values

if TYPE_CHECKING:
    from qddot.exact.forms.textbook.shares.link_shares import LinkShares

NAMED = ("M", "christoffel", "G")  # quantities whose coefficients get names


@record()
class Counts:
    """These are the numbers of terms and of additions and multiplications; sines and cosines cost nothing."""

    terms: int
    operations: int


class Textbook(Attributes):
    """A textbook has every quantity and every step of the route in short form, by name: `short.M`, `short.array("T")`.

    constants: the definition of each name, a polynomial in the model's symbols
    """

    def __init__(self, eq: Quantities, form: str = "sums", lumped: bool = True) -> None:
        check_one_of(form, FORMS, "a form", QddotError, expected=" or ".join(FORMS))
        self.eq = eq = eq.in_joint_angles
        self.form = form
        arm, multiples = eq.dynamics.mechanism, form == "multiple-angle"
        self._short = {eq.ring: ShortEntries(arm, eq.ring, multiples)}
        self.sums = self._short[eq.ring].sums
        self._arrays: dict[str, WrittenArray] = {}
        self._decided: dict[str, tuple[WrittenArray, bool]] = {}
        self._parts: dict[str, dict[ArmPart, list[Unreduced]]] = {}
        self._shortened = short_form(arm, multiples)
        groups = {name: self._short[eq.ring].of(eq.array(name).entries) for name in NAMED}
        self._constants = Constants(_names_in_use(eq))
        if flag(lumped, "lumped"):
            self._name_coefficients(groups)
        self.constants: Mapping[str, Polynomial] = self._constants.definitions
        self.ring = self.sums.ring.extended(extra=tuple(self.constants))
        for name, entries in groups.items():
            self._arrays[name] = self._joined(eq.array(name), self._short[eq.ring], entries, self.ring)

    def _name_coefficients(self, groups: Mapping[str, Sequence[Short]]) -> None:
        """Names the coefficients in the order in which they occur."""
        moving = [body.joint for body in self.eq.model.moving() if body.joint.freedoms is None]
        sliders = {str(joint.coordinate) for joint in moving if not joint.turns}
        slides = sliders.union(*(freedoms.slides for freedoms in self.eq.model.freedoms))
        turns = [int(name not in slides) for name in self.eq.model.coordinates]
        kinds: dict[Coefficient, str] = {}
        # the coordinate of a screw joint also occurs outside sines, and is not a length
        sliding = [k for k, g in enumerate(self.sums.states.generators) if g.kind == "q" and g.name in sliders]
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
        self._constants.absorb_numbers()

    def _joined(self, plain: ExactArray, short: ShortEntries, entries: Sequence[Short], ring: Ring) -> WrittenArray:
        joined = short.joined(entries, ring, self._constants.written)
        return WrittenArray.of(plain, short.sums, ring, joined, self._shortened, self.constants)

    def array(self, name: str) -> WrittenArray:
        """Returns a quantity or a step of the route by its name; raises QddotError for an unknown one."""
        if not is_one_of(name, self._arrays):
            plain = self.eq.array(name)
            self._arrays[name] = self._from_others(plain, name) if record_of(name).follows else self.written(plain)
        return self._arrays[name]

    def written(self, plain: ExactArray) -> WrittenArray:
        """Returns an array in short form; arrays without masses are written in the model's own symbols."""
        if plain.ring not in self._short:
            arm, multiples = self.eq.dynamics.mechanism, self.form == "multiple-angle"
            self._short[plain.ring] = ShortEntries(arm, plain.ring, multiples)
        short = self._short[plain.ring]
        if record_of(plain.name).in_constants:
            ring = short.sums.ring.extended(extra=tuple(self.constants))
            return self._joined(plain, short, short.of(plain.entries), ring)
        return in_symbols(plain, short, self._shortened)

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

    def normal_counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in its expanded normal form."""
        entries = [entry for _, _, entry in self.eq.array(name).labelled()]
        return Counts(sum(map(len, entries)), sum(map(_expanded_operations, entries)))

    def counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in textbook form."""
        array = self.array(name)
        return Counts(array.terms, array.operations)

    def proved(self, *names: str) -> bool:
        """Returns whether quantities, expanded again, equal the normal form.

        names: quantities, by default M, Γ and G; one that is computed from others is equal if these are
        """
        return all(map(self._is_proved, dict.fromkeys(base for name in names or NAMED for base in bases(name))))

    def _is_proved(self, base: str) -> bool:
        """Returns whether a quantity equals the normal form; the decision is kept with its array."""
        array = self.array(base)
        if self._decided.get(base, (None, False))[0] is not array:
            self._decided[base] = array, array.exact == self.eq.array(base)
        return self._decided[base][1]

    def values(self, /, **symbols: float) -> dict[str, float]:
        """Returns the constants' numbers; a constant that depends on a symbol without a value is left out.

        Symbols take their defaults, or the values in keywords.
        raises EvaluationError: an unknown symbol, or one whose value is not a number
        """
        numbers = symbol_values(self.eq.model, symbols)
        constants = {name: ExactArray.of(self.sums.plain_ring, self.sums.back(p)) for name, p in self.constants.items()}
        return {
            name: float(constant.entries[0].evaluate(Floats(numbers, {})))
            for name, constant in constants.items()
            if constant.free_symbols <= set(numbers)
        }

    @cached_property
    def model(self) -> Model:
        """Returns the same arm with equations given entry by entry: it computes and exports.

        The constants are names in it, with their definitions in the arm's symbols, which keep their defaults.
        """
        names = {name: self.sums.back(value) for name, value in self.constants.items()}
        model = explicit_model(self.eq.model, self.array, self.eq.P.entries[0], names)
        return replace(model, original=self.eq.model)

    # printed forms

    def sympy(self, only: Sequence[str] = ("M", "christoffel", "C", "B", "C2", "h", "G")) -> dict[str, Any]:
        """Returns the chosen quantities in SymPy by name, and the definitions of the constants under "constants"."""
        quantities = {name: self.array(name).sympy() for name in named(only)}
        definitions = {name: ExactArray.of(self.sums.ring, value).sympy() for name, value in self.constants.items()}
        return {**quantities, "constants": definitions}

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

        check_one_of(name, of_motion(), "shares of", QddotError)
        if not self.eq.dynamics.has_bodies:
            message = "equations that are given entry by entry"
            raise QddotError(message, where=self.eq.model.name, expected="links with masses and inertias")
        links = tuple(body.name for body in self.eq.model.bodies)
        return LinkShares(self.array(name).rounded(digits), self.parts(name), links, digits)

    def text(self, only: Sequence[str] = SHOWN, width: int = text_of.WIDTH, digits: int | None = None) -> str:
        """Returns the chosen quantities and steps with the counts before and after, then their constants.

        digits: significant digits of the numbers, for reading; by default all
        """
        page, lines = self._page(only, digits), []
        for name, array in page.arrays.items():
            if name in named(only):
                old, new = self.normal_counts(name), self.counts(name)
                terms = f"{number_of(new.terms, 'term')}, {number_of(new.operations, 'operation')}"
                lines.append(f"{name}: {terms}; {old.terms} and {old.operations} in normal form")
            lines += [array.text(width), ""]
        legend_text = ", ".join(legend.text(page.atoms))
        # no line is broken within an equation
        wrapped = textwrap.wrap(legend_text.replace(" ", "\0").replace(",\0", ", "), width)
        head = [*(line.replace("\0", " ") for line in wrapped), *([""] if legend_text else [])]
        return "\n".join([*head, *lines, table(page.constants, self.values(), width)]).rstrip()

    def table(self, width: int = text_of.WIDTH, digits: int | None = None) -> str:
        """Returns all constants, one per line, with values if the symbols have values."""
        return table(self._definitions(self.constants, digits), self.values(), width)

    def definitions(self, digits: int | None = None) -> list[Equation]:
        """Returns what each constant stands for, as equations."""
        return list(self._definitions(self.constants, digits).values())

    def latex(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns numbered equations: one `align` environment per quantity, and one for the constants that occur."""
        page = self._page(only, digits)
        legend_text = legend.latex(page.atoms)
        return "\n".join(
            [*([legend_text, ""] if legend_text else []), *(latex_of.numbered(block, width) for block in page.blocks)]
        )

    def mathml(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one `math` element per quantity, one for the constants and one for the sums of angles."""
        from qddot.exact.printing import mathml

        return "\n".join(mathml.equations(block, width) for block in self._page(only, digits).blocks_with_legend)

    def typst(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one block of Typst per quantity, one for the constants and one for the sums of angles."""
        from qddot.exact.printing import typst

        return "\n\n".join(typst.equations(block, width) for block in self._page(only, digits).blocks_with_legend)

    def python(self, only: Sequence[str] = SHOWN, digits: int | None = None) -> str:
        """Returns statements of Python: the constants that occur, then the chosen quantities as nested lists."""
        from qddot.exact.printing.source_text import IMPORTS, Python

        return "\n".join([IMPORTS, *self._page(only, digits).statements(Python)])

    def matlab(self, only: Sequence[str] = SHOWN, digits: int | None = None) -> str:
        """Returns statements of MATLAB: the constants that occur, then the chosen quantities."""
        from qddot.exact.printing.source_text import Matlab

        return "\n".join(self._page(only, digits).statements(Matlab))

    def _page(self, only: Sequence[str], digits: int | None) -> Page:
        """Returns the chosen quantities, by default with springs and friction if there are any, and their constants."""
        names = named(only)
        chosen = {name: self.array(name) for name in (*names, *(JOINT_PARTS if names == list(SHOWN) else ()))}
        arrays = {name: array.rounded(digits) for name, array in chosen.items() if name in names or array}
        atoms = [atom for array in arrays.values() for atom in array.atoms()]
        texts = {atom.text for atom in atoms if isinstance(atom, Symbol)}
        used = [name for name in self.constants if name in texts]
        return Page(arrays, self._definitions(used, digits), atoms)

    def is_rounded(self, only: Sequence[str] = SHOWN, digits: int | None = None) -> bool:
        """Returns whether `text` and the other printed forms have numbers with fewer digits than those that are proved.

        These are numbers with more digits than `digits`, and such with many digits, which are shown with twelve.
        """
        page = self._page(only, digits)
        if any(array.is_rounded for array in page.arrays.values()):
            return True
        definitions = [self.constants[name] for name in page.constants]
        form = form_of(definitions, readable=True) if digits is None else NumberForm.ROUNDED
        return any(loses_digits(value, digits, form) for value in definitions)

    def _definitions(self, names: Iterable[str], digits: int | None) -> dict[str, Equation]:
        definitions = {name: rounded(self.constants[name], digits) for name in names}
        form = form_of(definitions.values(), readable=True) if digits is None else NumberForm.ROUNDED
        if form is NumberForm.ROUNDED:
            definitions = {name: with_values(value, {}) for name, value in definitions.items()}
        return {name: Equation(symbol(name), factored_sum(value, form)) for name, value in definitions.items()}

    def _repr_latex_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks

        return in_notebooks.of_law(list(self._page(SHOWN, None).arrays.values()), self._constant_definitions())

    def _constant_definitions(self) -> Iterator[str]:
        """Yields the definitions of the constants, as many as there is room for."""
        from qddot.exact.equations.arrays import notebook_latex as notebook

        if self.constants:
            head = notebook.head(self.definitions(), values=self.values())
            yield head.latex
            if head.cut:
                count = len(head.equations)
                yield notebook.sentence(f"These are {count} of {len(self.constants)} constants: .table() has all.")

    def __str__(self) -> str:
        return "\n\n".join([*sentences(self.eq.model.left_out), self.text()])

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.counts(name).operations} operations in {name}" for name in SHOWN)
        return f"<textbook form of {self.eq.model.name}: {counts}, {len(self.constants)} constants>"


def _names_in_use(eq: Quantities) -> set[str]:
    """Returns the names that constants must not have, since they are taken."""
    coordinates = eq.model.coordinates
    rates = {rate_name(name, dots) for name in coordinates for dots in (1, 2)}
    return {*eq.ring.symbols, *eq.ring.extra, *coordinates, *rates}


def _expanded_operations(entry: Polynomial) -> int:
    products = sum(max(0, degree - 1 + (abs(c) != 1)) for degree, c in degrees(entry))
    return products + max(0, len(entry) - 1)
