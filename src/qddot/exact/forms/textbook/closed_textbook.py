"""ClosedTextbook has the equations of a closed chain as a person would write them, and proves them equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.assembled import ASSEMBLED
from qddot.exact.equations.closed.definitions import MOTION, after_conditions, definitions, with_denominators
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.forms.textbook.short_equations import ShortEquations
from qddot.exact.forms.textbook.written_array import WrittenArray
from qddot.exact.printing.writer import Definitions, Sheet


class ClosedTextbook(ShortEquations):
    """A closed chain's textbook has every quantity in short form, by name; so are the definitions of its coefficients.

    constants: the definition of each name, a polynomial in the model's symbols
    """

    NAMED = ("M", "h", "G", "C")
    _MOTION = MOTION
    _IN_SYMPY = ("phi", "A", "R", "M", "C", "h", "G")

    def __init__(self, eq: ReducedEquations, shown: Sequence[str], form: str = "sums", lumped: bool = True) -> None:
        """shown: the names of the quantities that are shown by default"""
        self.eq, self._shown = eq, list(shown)
        of = eq.coefficients
        coefficients = (*of.names.values(), *of.slopes.values())
        super().__init__(
            eq.model.tree, eq.tree.dynamics.mechanism, of.ring.of_joints, form, lumped, moving=coefficients
        )

    def normal(self, name: str) -> ExactArray:
        return _in_joint_angles(self.eq.array(name))

    def _with_constants(self, ring: Ring) -> Ring:
        """Returns a ring with the constants as variables, which are written before the coefficients."""
        return Ring(ring.variables.with_(extra=(*self.constants, *ring.extra)), ring.collapses)

    @property
    def shown(self) -> list[str]:
        return self._shown

    def proved(self, *names: str) -> bool:
        """Returns whether quantities and the definitions of their coefficients, expanded again, equal the normal form.

        names: quantities, by default M, h, G and C
        """
        pairs: list[tuple[WrittenArray, ExactArray]] = []

        def kept(plain: ExactArray) -> WrittenArray:
            pairs.append((self.written(plain), plain))
            return pairs[-1][0]

        self.coefficients(names or self.NAMED, kept)
        return super().proved(*names) and all(short.exact == plain for short, plain in pairs)

    def sheet(self, only: Sequence[str] | None = None, digits: int | None = None) -> Sheet:
        sheet = super().sheet(only, digits)
        names = ["tau" if array.name == ASSEMBLED else array.label for array in sheet.arrays]
        listed = self.coefficients(names, lambda plain: self.written(plain).rounded(digits))
        return sheet._replace(statements=after_conditions(sheet.statements, listed))

    def _definitions_in_notebook(self) -> Iterator[str]:
        from qddot.exact.equations.arrays import notebook_latex as notebook

        coefficients = self.coefficients(self.shown)
        if coefficients.parts:
            yield notebook.head(coefficients.equations).latex
        yield from super()._definitions_in_notebook()

    def coefficients(self, names: Sequence[str], written: Callable[[ExactArray], Printed] | None = None) -> Definitions:
        """Returns the definitions of the coefficients in quantities; written: returns an array in short form"""
        short = written or self.written
        used = set[str]().union(*(self.eq.array(name).free_symbols for name in names))
        listed = definitions(self.eq.coefficients, used, lambda plain: short(_in_joint_angles(plain)))
        return with_denominators(listed, {*self.ring.symbols, *self.ring.extra, *self.ring.coordinates})

    @property
    def _velocities(self) -> Sequence[str]:
        return self.eq.velocities

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.counts(name).operations} operations in {name}" for name in ("M", "h", "G"))
        return f"<textbook form of {self.eq.model.name}: {counts}, {len(self.constants)} constants>"


def _in_joint_angles(array: ExactArray) -> ExactArray:
    ring = array.ring.of_joints
    return replace(array, ring=ring, entries=tuple(map(ring.convert, array.entries)))
