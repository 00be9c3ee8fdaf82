"""Textbook prints the equations as a person would write them, in text and in the languages of papers and programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from qddot.equations import displayed
from qddot.equations.array import ExactArray
from qddot.equations.quantities import JOINT_PARTS, SHOWN, named
from qddot.forms.textbook.factoring import factored_sum
from qddot.forms.textbook.short_quantities import ShortQuantities
from qddot.printing import latex as latex_of
from qddot.printing import legend
from qddot.printing import text as text_of
from qddot.printing.digits import Numbers, form_of, rounded
from qddot.printing.layout import PAGE
from qddot.printing.notation import symbol
from qddot.printing.tree import Atom, Equation


class Textbook(ShortQuantities):
    """This has every quantity and every step of the route in short form, by name: `short.M`, `short.array("T")`.

    constants: the meaning of each name, a polynomial in the model's symbols
    """

    def sympy(self, only: Sequence[str] = ("M", "christoffel", "C", "B", "C2", "h", "G")) -> dict[str, Any]:
        """Returns the chosen quantities in SymPy by name, and under "constants" the definitions of the constants."""
        found = {name: self.array(name).sympy() for name in named(only)}
        definitions = {name: ExactArray(self.sums.ring, value).sympy() for name, value in self.constants.items()}
        return {**found, "constants": definitions}

    def text(self, only: Sequence[str] = SHOWN, width: int = text_of.WIDTH, digits: int | None = None) -> str:
        """Returns the chosen quantities and steps, then the table of constants, with the counts before and after.

        digits: significant digits of the numbers, for reading; by default all
        """
        lines = []
        for name, array in self._shown(only, digits):
            if name in named(only):
                old, new = self.normal_counts(name), self.counts(name)
                terms = f"{new.terms} term{'s' * (new.terms != 1)}, {new.operations} operations"
                lines.append(f"{name}: {terms}; {old.terms} and {old.operations} in normal form")
            lines += [array.text(width), ""]
        meant = ", ".join(legend.text(self._atoms(only, digits)))
        # an equation is not broken
        head = [line.replace("\0", " ") for line in textwrap.wrap(meant.replace(" ", "\0").replace(",\0", ", "), width)]
        head += [""] if meant else []
        return "\n".join([*head, *lines, self.table(width, digits)]).rstrip()

    def table(self, width: int = text_of.WIDTH, digits: int | None = None) -> str:
        """Returns the constants, one per line, with their values where the symbols have some."""
        if not self.constants:
            return ""
        numbers, lines = self.values(), [f"{len(self.constants)} constants"]
        for name, equation in zip(self.constants, self._definitions(digits), strict=True):
            number = f"  # {numbers[name]:.6g}" if name in numbers else ""
            lines.append(text_of.equations([equation], width) + number)
        return "\n".join(lines)

    def latex(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns numbered equations, one `align` environment per quantity and one for the constants."""
        blocks = [latex_of.numbered(displayed.listed_equations(array), width) for _, array in self._shown(only, digits)]
        blocks += [latex_of.numbered(self._definitions(digits), width)] if self.constants else []
        meant = legend.latex(self._atoms(only, digits))
        return "\n".join([*([meant, ""] if meant else []), *blocks])

    def mathml(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one `math` element a quantity, one for the constants and one for the sums of angles."""
        from qddot.printing import mathml

        blocks = [displayed.listed_equations(array) for _, array in self._shown(only, digits)]
        blocks += [list(self._definitions(digits))] if self.constants else []
        written = [mathml.equations(block, width) for block in blocks]
        meant = legend.equations(self._atoms(only, digits))
        return "\n".join([*written, *([mathml.equations(meant, width)] if meant else [])])

    def typst(self, only: Sequence[str] = SHOWN, width: int = PAGE, digits: int | None = None) -> str:
        """Returns one block of Typst a quantity, one for the constants and one for the sums of angles."""
        from qddot.printing import typst

        blocks = [displayed.listed_equations(array) for _, array in self._shown(only, digits)]
        blocks += [list(self._definitions(digits))] if self.constants else []
        meant = legend.equations(self._atoms(only, digits))
        return "\n\n".join(typst.equations(block, width) for block in [*blocks, *([meant] if meant else [])])

    def python(self, only: Sequence[str] = SHOWN, digits: int | None = None) -> str:
        """Returns statements of Python: the constants, then the chosen quantities as nested lists."""
        from qddot.printing.source_text import IMPORTS, Python

        return "\n".join([IMPORTS, *self._statements(Python(), only, digits)])

    def matlab(self, only: Sequence[str] = SHOWN, digits: int | None = None) -> str:
        """Returns statements of MATLAB: the constants, then the chosen quantities."""
        from qddot.printing.source_text import Matlab

        return "\n".join(self._statements(Matlab(), only, digits))

    def _statements(self, language: Any, only: Sequence[str], digits: int | None) -> Iterator[str]:
        for equation in self._definitions(digits):
            yield language.statement(language.write(equation.left), (), [equation.right])
        for _, array in self._shown(only, digits):
            yield language.statement(array.identifier, array.shape, [array.written(entry) for entry in array.entries])

    def _shown(self, only: Sequence[str], digits: int | None) -> Iterator[tuple[str, ExactArray]]:
        """Yields the chosen quantities, and by default springs and friction if there are any."""
        names = named(only)
        for name in (*names, *(JOINT_PARTS if names == list(SHOWN) else ())):
            array = self.array(name)
            if name in names or array:
                yield name, array.rounded(digits)

    def _definitions(self, digits: int | None) -> Iterator[Equation]:
        shown = [rounded(value, digits) for value in self.constants.values()]
        form = form_of(shown, readable=True) if digits is None else Numbers.ROUNDED
        for name, value in zip(self.constants, shown, strict=True):
            yield Equation(symbol(name), factored_sum(value, form))

    def _atoms(self, only: Sequence[str], digits: int | None) -> list[Atom]:
        return [atom for _, array in self._shown(only, digits) for atom in displayed.atoms(array)]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.counts(name).operations} operations in {name}" for name in SHOWN)
        return f"<textbook form of {self.eq.model.name}: {counts}, {len(self.constants)} constants>"
