"""Textbook prints the equations as a person would write them, in text and in the languages of papers and programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from qddot.equations.arrays.exact_array import ExactArray
from qddot.equations.put_together import JOINT_PARTS
from qddot.equations.quantities import SHOWN, named
from qddot.forms.textbook.short_quantities import ShortQuantities
from qddot.forms.textbook.writing.factoring import factored_sum
from qddot.forms.textbook.written_array import WrittenArray
from qddot.printing import latex as latex_of
from qddot.printing import legend
from qddot.printing import text as text_of
from qddot.printing.digits import Numbers, form_of, rounded
from qddot.printing.layout import PAGE
from qddot.printing.notation import symbol
from qddot.printing.tree import Atom, Equation, Symbol

if TYPE_CHECKING:
    from qddot.forms.textbook.shares.link_shares import Shares


class Textbook(ShortQuantities):
    """This has every quantity and every step of the route in short form, by name: `short.M`, `short.array("T")`.

    constants: the meaning of each name, a polynomial in the model's symbols
    """

    def sympy(self, only: Sequence[str] = ("M", "christoffel", "C", "B", "C2", "h", "G")) -> dict[str, Any]:
        """Returns the chosen quantities in SymPy by name, and under "constants" the definitions of the constants."""
        found = {name: self.array(name).sympy() for name in named(only)}
        definitions = {name: ExactArray.of(self.sums.ring, value).sympy() for name, value in self.constants.items()}
        return {**found, "constants": definitions}

    def shares(self, name: str, digits: int | None = None) -> Shares:
        """Returns which links each term of a quantity comes from, and what each of them gives to it, exactly.

        `print(short.shares("M"))` lists them; `short.shares("M")[0, 1].terms` has those of M12, term by term.
        The shares of a term add up to it; over all terms, with what cancels between links, a link's shares add up to
        the quantity of an arm in which that link alone has inertia. Rotors, springs and friction are told apart.
        name: a quantity such as "M", "christoffel", "C", "h", "G" or "tau"; digits: significant digits of the numbers
        raises QddotError: another name, or equations that are given entry by entry
        """
        from qddot.forms.textbook.shares.link_shares import Shares

        return Shares(self, name, digits)

    def text(self, only: Sequence[str] = SHOWN, width: int = text_of.WIDTH, digits: int | None = None) -> str:
        """Returns the chosen quantities and steps with the counts before and after, then the constants in them.

        digits: significant digits of the numbers, for reading; by default all
        """
        page, lines = self._page(only, digits), []
        for name, array in page.arrays.items():
            if name in named(only):
                old, new = self.normal_counts(name), self.counts(name)
                terms = f"{new.terms} term{'s' * (new.terms != 1)}, {new.operations} operations"
                lines.append(f"{name}: {terms}; {old.terms} and {old.operations} in normal form")
            lines += [array.text(width), ""]
        meant = ", ".join(legend.text(page.atoms))
        # an equation is not broken
        head = [line.replace("\0", " ") for line in textwrap.wrap(meant.replace(" ", "\0").replace(",\0", ", "), width)]
        head += [""] if meant else []
        return "\n".join([*head, *lines, self._table(page.constants, width)]).rstrip()

    def table(self, width: int = text_of.WIDTH, digits: int | None = None) -> str:
        """Returns all constants, one per line, with their values where the symbols have some."""
        return self._table(self._definitions(self.constants, digits), width)

    def definitions(self, digits: int | None = None) -> list[Equation]:
        """Returns what each constant stands for, as equations."""
        return list(self._definitions(self.constants, digits).values())

    def _table(self, constants: Mapping[str, Equation], width: int) -> str:
        if not constants:
            return ""
        numbers, lines = self.values(), [f"{len(constants)} constant{'s' * (len(constants) != 1)}"]
        for name, equation in constants.items():
            number = f"  # {numbers[name]:.6g}" if name in numbers else ""
            lines.append(text_of.equations([equation], width) + number)
        return "\n".join(lines)

    def latex(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns numbered equations: one `align` environment a quantity, and one for the constants that occur."""
        page = self._page(only, digits)
        meant = legend.latex(page.atoms)
        return "\n".join([*([meant, ""] if meant else []), *(latex_of.numbered(block, width) for block in page.blocks)])

    def mathml(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one `math` element a quantity, one for the constants and one for the sums of angles."""
        from qddot.printing import mathml

        return "\n".join(mathml.equations(block, width) for block in self._page(only, digits).blocks_with_legend)

    def typst(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one block of Typst a quantity, one for the constants and one for the sums of angles."""
        from qddot.printing import typst

        return "\n\n".join(typst.equations(block, width) for block in self._page(only, digits).blocks_with_legend)

    def python(self, only: Sequence[str] = SHOWN, digits: int | None = None) -> str:
        """Returns statements of Python: the constants that occur, then the chosen quantities as nested lists."""
        from qddot.printing.source_text import IMPORTS, Python

        return "\n".join([IMPORTS, *_statements(Python(), self._page(only, digits))])

    def matlab(self, only: Sequence[str] = SHOWN, digits: int | None = None) -> str:
        """Returns statements of MATLAB: the constants that occur, then the chosen quantities."""
        from qddot.printing.source_text import Matlab

        return "\n".join(_statements(Matlab(), self._page(only, digits)))

    def _page(self, only: Sequence[str], digits: int | None) -> Page:
        """Returns the chosen quantities, by default with springs and friction if there are any, and their constants."""
        names = named(only)
        found = {name: self.array(name) for name in (*names, *(JOINT_PARTS if names == list(SHOWN) else ()))}
        arrays = {name: array.rounded(digits) for name, array in found.items() if name in names or array}
        atoms = [atom for array in arrays.values() for atom in array.atoms()]
        texts = {atom.text for atom in atoms if isinstance(atom, Symbol)}
        used = [name for name in self.constants if name in texts]
        return Page(arrays, self._definitions(used, digits), atoms)

    def _definitions(self, names: Iterable[str], digits: int | None) -> dict[str, Equation]:
        shown = {name: rounded(self.constants[name], digits) for name in names}
        form = form_of(shown.values(), readable=True) if digits is None else Numbers.ROUNDED
        return {name: Equation(symbol(name), factored_sum(value, form)) for name, value in shown.items()}

    def _repr_latex_(self) -> str:
        from qddot.equations.arrays import in_notebooks as heads
        from qddot.printing import notebook_heads as notebook

        parts = list(self._page(SHOWN, None).arrays.values())
        written, atoms = heads.blocks(parts)
        first = [notebook.law(array.name for array in parts), notebook.legend(atoms)]
        return notebook.shown([*first, *written, *self._meant()])

    def _meant(self) -> Iterator[str]:
        """Yields what the constants stand for, so far as there is room."""
        from qddot.printing import notebook_heads as notebook

        if self.constants:
            head = notebook.head(self.definitions(), values=self.values())
            yield head.latex
            if head.cut:
                shown = len(head.equations)
                yield notebook.sentence(f"These are {shown} of {len(self.constants)} constants: .table() has all.")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.counts(name).operations} operations in {name}" for name in SHOWN)
        return f"<textbook form of {self.eq.model.name}: {counts}, {len(self.constants)} constants>"


class Page(NamedTuple):
    """This is what is printed together: quantities, the constants in them, and all that they are written with."""

    arrays: dict[str, WrittenArray]
    constants: dict[str, Equation]
    atoms: list[Atom]

    @property
    def blocks(self) -> list[list[Equation]]:
        """Returns the equations of each quantity, then those of the constants."""
        quantities = [list(array.listed_equations()) for array in self.arrays.values()]
        return [*quantities, *([list(self.constants.values())] if self.constants else [])]

    @property
    def blocks_with_legend(self) -> list[list[Equation]]:
        """Returns the same, then what the short names of sines and cosines mean."""
        meant = legend.equations(self.atoms)
        return [*self.blocks, *([meant] if meant else [])]


def _statements(language: Any, page: Page) -> Iterator[str]:
    for equation in page.constants.values():
        yield language.statement(language.write(equation.left), (), [equation.right])
    for array in page.arrays.values():
        yield language.statement(array.identifier, array.shape, [array.written(entry) for entry in array.entries])
