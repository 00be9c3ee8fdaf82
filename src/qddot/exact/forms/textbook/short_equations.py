"""ShortEquations are quantities in short form, with names for their constants, in any language."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, TypeAlias

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import QddotError, check_one_of, flag, is_one_of
from qddot.base.records import record
from qddot.base.words.message import Either, Message, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.assembled import ASSEMBLED, Assembled, arrays_in
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantities import named, quantities_of
from qddot.exact.equations.quantity_names import part_named
from qddot.exact.equations.quantity_table import JOINT_PARTS, record_of
from qddot.exact.forms import TEXTBOOK_FORMS as FORMS
from qddot.exact.forms.textbook.rewriting.states import degrees
from qddot.exact.forms.textbook.writing.factoring import factored_sum
from qddot.exact.forms.textbook.writing.lumps import Constants
from qddot.exact.forms.textbook.writing.short_entries import Short, ShortEntries
from qddot.exact.forms.textbook.written_array import WrittenArray, in_symbols, short_form
from qddot.exact.printing import text as text_of
from qddot.exact.printing.digits import NumberForm, form_of, loses_digits, rounded, with_values
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.tree import Equation, Symbol
from qddot.exact.printing.writer import Definition, Definitions, Sheet
from qddot.exact.printing.writers import InLanguages
from qddot.physics.mechanism import Mechanism
from qddot.robot.left_out import sentences
from qddot.robot.model import Model
from qddot.robot.symbol_values import symbol_values

Chosen: TypeAlias = WrittenArray | Assembled[WrittenArray]


@record()
class Counts:
    """These are the numbers of terms and of additions and multiplications; sines and cosines cost nothing."""

    terms: int
    operations: int


class ShortEquations(InLanguages):
    """These are quantities in short form, by name.

    NAMED: the quantities whose coefficients get names, in this order
    links: the model of the links; constants: the definition of each name, a polynomial in the model's symbols
    """

    NAMED: ClassVar[Sequence[str]]

    def __init__(
        self, links: Model, mechanism: Mechanism, ring: Ring, form: str, lumped: bool, moving: Collection[str] = ()
    ) -> None:
        """mechanism: in polynomials; ring: that of the quantities, in the joints' angles; moving: as in ShortEntries"""
        check_one_of(form, FORMS, say("a-form"), QddotError, expected=Either(FORMS))
        self.links, self.form = links, form
        self._mechanism, self._moving = mechanism, moving
        self._short: dict[Ring, ShortEntries] = {}
        self._shortened = short_form(mechanism, form == "multiple-angle", moving)
        self.sums = self._entries_over(ring).sums
        self._arrays: dict[str, WrittenArray] = {}
        self._decided: dict[str, tuple[WrittenArray, bool]] = {}
        groups = {name: self._entries_over(ring).of(self.normal(name).entries) for name in self.NAMED}
        self._constants = Constants(_names_in_use(links, ring), notation_of(links.notation).constants)
        if flag(lumped, "lumped"):
            self._name_coefficients(groups)
        self.constants: Mapping[str, Polynomial] = self._constants.definitions
        self.ring = self._with_constants(self.sums.ring)
        for name, entries in groups.items():
            self._arrays[name] = self._joined(self.normal(name), self._entries_over(ring), entries, self.ring)

    @abstractmethod
    def normal(self, name: str) -> ExactArray:
        """Returns a quantity in normal form, in the joints' angles; raises QddotError for an unknown name."""

    @property
    @abstractmethod
    def shown(self) -> list[str]:
        """Returns the names of the quantities that are shown by default."""

    @property
    @abstractmethod
    def _velocities(self) -> Sequence[str]:
        """Returns the names of the velocities, one for each row of M."""

    def _with_constants(self, ring: Ring) -> Ring:
        """Returns a ring with the constants as variables."""
        return ring.extended(extra=tuple(self.constants))

    def _entries_over(self, ring: Ring) -> ShortEntries:
        if ring not in self._short:
            self._short[ring] = ShortEntries(self._mechanism, ring, self.form == "multiple-angle", self._moving)
        return self._short[ring]

    def _name_coefficients(self, groups: Mapping[str, Sequence[Short]]) -> None:
        """Names the coefficients in the order in which they occur, or in which a book names those of an entry."""
        in_order = sum if notation_of(self.links.notation).constants else lambda _: 0  # by the degree of their terms
        parts = (group for entries in groups.values() for entry in entries for group in entry.values())
        for coefficient in dict.fromkeys(group[state] for group in parts for state in sorted(group, key=in_order)):
            self._constants.lump(coefficient.polynomial)
        self._constants.absorb_numbers()

    def _joined(self, plain: ExactArray, short: ShortEntries, entries: Sequence[Short], ring: Ring) -> WrittenArray:
        joined = short.joined(entries, ring, self._constants.written)
        return WrittenArray.of(plain, short.sums, ring, joined, self._shortened, self.constants)

    def array(self, name: str) -> WrittenArray:
        """Returns a quantity, a step of the route, or a part of one, such as "M11", by its name.

        raises QddotError: no such quantity, or no such indices
        """
        if not is_one_of(name, self._arrays):
            plain = self.normal(name)
            self._arrays[name] = self._array(plain) if plain.whole else self._part(name, plain)
        return self._arrays[name]

    def _part(self, name: str, plain: ExactArray) -> WrittenArray:
        return part_named(name, [plain.name], self.array, plain.display.notation)

    def _array(self, plain: ExactArray) -> WrittenArray:
        return self.written(plain)

    def written(self, plain: ExactArray) -> WrittenArray:
        """Returns an array in short form; arrays without masses are written in the model's own symbols."""
        short = self._entries_over(plain.ring)
        if plain.name not in self.NAMED and not record_of(plain.name).in_constants:
            return in_symbols(plain, short, self._shortened)
        return self._joined(plain, short, short.of(plain.entries), self._with_constants(short.sums.ring))

    def normal_counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in its expanded normal form."""
        entries = [entry for _, _, entry in self.normal(name).labelled()]
        return Counts(sum(map(len, entries)), sum(map(_expanded_operations, entries)))

    def counts(self, name: str) -> Counts:
        """Returns the counts of a quantity in textbook form."""
        array = self.array(name)
        return Counts(array.terms, array.operations)

    def proved(self, *names: str) -> bool:
        """Returns whether quantities, expanded again, equal the normal form; by default those with named constants."""
        return all(map(self._is_proved, names or self.NAMED))

    def _is_proved(self, base: str) -> bool:
        """Returns whether a quantity equals the normal form; the decision is kept with its array."""
        array = self.array(base)
        if self._decided.get(base, (None, False))[0] is not array:
            self._decided[base] = array, array.exact == self.normal(base)
        return self._decided[base][1]

    def values(self, /, **symbols: float) -> dict[str, float]:
        """Returns the constants' numbers; a constant that depends on a symbol without a value is left out.

        Symbols take their defaults, or the values in keywords.
        raises EvaluationError: an unknown symbol, or one whose value is not a number
        """
        numbers = symbol_values(self.links, symbols)
        constants = {name: ExactArray.of(self.sums.plain_ring, self.sums.back(p)) for name, p in self.constants.items()}
        return {
            name: float(constant.entries[0].evaluate(Floats(numbers, {})))
            for name, constant in constants.items()
            if constant.free_symbols <= set(numbers)
        }

    # printed forms

    def sheet(self, only: Sequence[str] | None = None, digits: int | None = None) -> Sheet:
        """Returns the chosen quantities, by default with springs and friction if there are any, and their constants."""
        arrays = self._chosen(only, digits)
        constants = self._definitions(self._used(arrays), digits)
        return Sheet([*arrays, constants], explained=True, note=self._note, law=self._law_of)

    def _law_of(self, part: Printed) -> Equation | None:
        """Returns how a single entry, or the matrix of a link, follows from others, in names, if that is known."""
        return None

    def _note(self, name: str) -> Message | None:
        """Returns the counts of a quantity in this form and in normal form; of springs and friction they say little."""
        if name in (*JOINT_PARTS, ASSEMBLED):
            return None
        old, new = self.normal_counts(name), self.counts(name)
        return say(
            "counts-of-forms",
            name=self.array(name).letter,
            terms=say("count-of-terms", count=new.terms),
            operations=say("count-of-operations", count=new.operations),
            normal_terms=old.terms,
            normal_operations=old.operations,
        )

    def table(self, width: int = text_of.WIDTH, digits: int | None = None) -> str:
        """Returns all constants, one per line, with values if the symbols have values."""
        return text_of.definitions(self._definitions(self.constants, digits), width)

    def definitions(self, digits: int | None = None) -> list[Equation]:
        """Returns what each constant stands for, as equations."""
        return self._definitions(self.constants, digits).equations

    def latex(self, only: Sequence[str] | None = None, width: int = PAGE, digits: int | None = None) -> str:
        """Returns numbered equations: one `align` environment per quantity, and one for the constants that occur."""
        return self.printed("latex", only, width, digits)

    def mathml(self, only: Sequence[str] | None = None, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one `math` element per quantity, one for the constants and one for the sums of angles."""
        return self.printed("mathml", only, width, digits)

    def typst(self, only: Sequence[str] | None = None, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one block of Typst per quantity, one for the constants and one for the sums of angles."""
        return self.printed("typst", only, width, digits)

    def _chosen(self, only: Sequence[str] | None, digits: int | None = None) -> list[Chosen]:
        return [
            (self.assembled if name == ASSEMBLED else self.array(name)).rounded(digits)
            for name in (self.shown if only is None else named(only))
        ]

    @property
    def assembled(self) -> Assembled[WrittenArray]:
        """Returns the equation of motion in matrices, as `Equations.assembled` does, in short form."""
        whole = Assembled.of(self.array, quantities_of(self.links), self._velocities)
        return whole.in_decimals() if any(part.array.has_decimals for part in whole.parts) else whole

    def _used(self, arrays: Sequence[Chosen]) -> list[str]:
        """Returns the names of the constants in arrays."""
        texts = {atom.text for array in arrays for atom in array.atoms() if isinstance(atom, Symbol)}
        return [name for name in self.constants if name in texts]

    def is_rounded(self, only: Sequence[str] | None = None, digits: int | None = None) -> bool:
        """Returns whether `text` and the other printed forms have numbers with fewer digits than those that are proved.

        These are numbers with more digits than `digits`, and such with many digits, which are shown with twelve.
        """
        arrays = self._chosen(only, digits)
        if any(array.is_rounded for array in arrays_in(arrays)):
            return True
        definitions = [self.constants[name] for name in self._used(arrays)]
        form = form_of(definitions, readable=True) if digits is None else NumberForm.ROUNDED
        return any(loses_digits(value, digits, form) for value in definitions)

    def _definitions(self, names: Collection[str], digits: int | None) -> Definitions:
        definitions = {name: rounded(self.constants[name], digits) for name in names}
        form = form_of(definitions.values(), readable=True) if digits is None else NumberForm.ROUNDED
        if form is NumberForm.ROUNDED:
            definitions = {name: with_values(value, {}) for name, value in definitions.items()}
        parts = [Definition(name, factored_sum(value, form)) for name, value in definitions.items()]
        return Definitions(
            "constants", parts, say("count-of-constants", count=len(names)), lambda name: self._values.get(name)
        )

    @cached_property
    def _values(self) -> dict[str, float]:
        return self.values()

    def _repr_latex_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks

        return in_notebooks.of_law(
            [self.array(name) for name in self.shown], self._MOTION, self._definitions_in_notebook()
        )

    def _definitions_in_notebook(self) -> Iterator[str]:
        """Yields the definitions of the constants, as many as there is room for."""
        from qddot.exact.equations.arrays import notebook_latex as notebook

        if self.constants:
            head = notebook.head(self.definitions(), values=self.values())
            yield head.latex
            if head.cut:
                count = len(head.equations)
                yield notebook.sentence(say("few-of-constants", shown=count, count=len(self.constants)))

    def __str__(self) -> str:
        return "\n\n".join([*map(str, sentences(self.links.left_out)), self.text()])


def _names_in_use(links: Model, ring: Ring) -> set[str]:
    """Returns the names that constants must not have, since they are taken."""
    rates = {rate_name(name, dots) for name in links.coordinates for dots in (1, 2)}
    return {*ring.symbols, *ring.extra, *links.coordinates, *rates}


def _expanded_operations(entry: Polynomial) -> int:
    products = sum(max(0, degree - 1 + (abs(c) != 1)) for degree, c in degrees(entry))
    return products + max(0, len(entry) - 1)
