"""A Page is what a textbook form prints together: quantities, their constants, and the meanings of short names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from qddot.base.errors import number_of
from qddot.exact.equations.quantity_names import identifier_of
from qddot.exact.forms.textbook.written_array import WrittenArray
from qddot.exact.printing import legend
from qddot.exact.printing import text as text_of
from qddot.exact.printing.tree import Atom, Equation

if TYPE_CHECKING:
    from qddot.exact.printing.source_text import SourceText


class Page(NamedTuple):
    """A page has quantities by name, the definitions of their constants, and all atoms in them."""

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
        """Returns the same, then the meanings of the short names of sines and cosines."""
        meanings = legend.equations(self.atoms)
        return [*self.blocks, *([meanings] if meanings else [])]

    def statements(self, kind: type[SourceText]) -> Iterator[str]:
        """Yields statements of Python or MATLAB that assign the constants, then the quantities."""
        names = dict.fromkeys(name for array in self.arrays.values() for name in array.names())
        language = kind(list(dict.fromkeys((*names, *self.constants))))
        yield from language.renamed()
        for name, equation in self.constants.items():
            yield language.statement(language.identifiers[name], (), [equation.right])  # type: ignore[list-item]
        for array in self.arrays.values():
            identifier = identifier_of(array.name, language.identifiers.values())
            yield language.statement(identifier, array.shape, [array.written(entry) for entry in array.entries])


def table(constants: Mapping[str, Equation], values: Mapping[str, float], width: int) -> str:
    """Returns definitions of constants, one per line, with values where they are known."""
    if not constants:
        return ""
    lines = [number_of(len(constants), "constant")]
    for name, equation in constants.items():
        number = f"  # {values[name]:.6g}" if name in values else ""
        lines.append(text_of.equations([equation], width) + number)
    return "\n".join(lines)
