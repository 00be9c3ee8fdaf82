"""Equations is what the equations of trees and of closed chains have in common: quantities by name, in any language."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.assembled import ASSEMBLED, Assembled
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantities import Equations as Data
from qddot.exact.equations.quantities import named, quantities_of, shown_of
from qddot.exact.equations.quantity_table import JOINT_PARTS
from qddot.exact.printing.tree import Equation
from qddot.exact.printing.writer import Sheet
from qddot.exact.printing.writers import InLanguages
from qddot.robot.left_out import sentences
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.exact.forms.textbook.short_equations import ShortEquations


class Equations(InLanguages):
    """These are exact equations of motion."""

    @property
    @abstractmethod
    def _links(self) -> Model:
        """Returns the model of the links, without loops."""

    @property
    @abstractmethod
    def _data(self) -> Data:
        """Returns the quantities by name."""

    @property
    @abstractmethod
    def law(self) -> str:
        """Returns the equations in names, with springs and friction if there are any."""

    def _letter(self, name: str) -> str:
        """Returns the letter of a quantity in the law, in the notation of the equations."""
        return notation_of(self._links.notation).style(name).text.replace("tau", "τ")

    @abstractmethod
    def array(self, name: str) -> ExactArray:
        """Returns a quantity or a step by its name; raises QddotError for an unknown name."""

    @abstractmethod
    def textbook(self, form: str = "sums", lumped: bool = True) -> ShortEquations:
        """Returns the equations as a person would write them: sums of angles, sin² or cos², named constants."""

    @property
    def shown(self) -> list[str]:
        """Returns the names of the quantities that are shown by default."""
        return [*shown_of(self._links), *self._effects]

    def _law(self, velocity: str, acceleration: str, right: str) -> str:
        """Returns the equations of motion in names; right: what multiplies the torques"""
        columns = {"M": f" {acceleration}", "C": f" {velocity}"}
        names = [*shown_of(self._links), *self._effects]
        terms = (self._letter(name) + columns.get(name, "") for name in names)
        return f"{' + '.join(terms)} = {right}{self._letter('tau')}"

    @property
    def _effects(self) -> list[str]:
        """Returns the names of the torques of springs and of friction that are not zero."""
        return [name for name in JOINT_PARTS if self.array(name)]

    def sheet(self, only: Sequence[str] | None = None, digits: int | None = None) -> Sheet:
        return Sheet([array.rounded(digits) for array in self._chosen(only)], law=self._law_of)

    def _law_of(self, part: Printed) -> Equation | None:
        """Returns how a single entry, or the matrix of a link, follows from others, in names, if that is known."""
        return None

    def _chosen(self, only: Sequence[str] | None = None) -> list[ExactArray | Assembled[ExactArray]]:
        return [
            self.assembled if name == ASSEMBLED else self.array(name)
            for name in (self.shown if only is None else named(only))
        ]

    @property
    def assembled(self) -> Assembled[ExactArray]:
        """Returns τ = M q̈ + B [q̇_j q̇_k] + C2 [q̇_j²] + G … in matrices; `text` and others call it "equation".

        The columns have q̇_1 q̇_2, q̇_1 q̇_3 … q̇_(n−1) q̇_n, and q̇_1² … q̇_n². Parts that are zero are left out, and entries
        of matrices that are too wide are written by their names. For a closed chain q̇ stands for u, and τ for Rᵀ τ.
        """
        return Assembled.of(self.array, quantities_of(self._links), self._data.velocities)

    def latex(self, only: Sequence[str] | None = None, digits: int | None = None) -> str:
        """Returns the chosen quantities and steps as LaTeX, one equation per line; arguments as in `text`."""
        return self.printed("latex", only, digits=digits)

    def mathml(self, only: Sequence[str] | None = None, digits: int | None = None) -> str:
        """Returns one `math` element per quantity or step, and one for the sums of angles; arguments as in `text`."""
        return self.printed("mathml", only, digits=digits)

    def typst(self, only: Sequence[str] | None = None, digits: int | None = None) -> str:
        """Returns one block of Typst per quantity or step, and one for the sums of angles; arguments as in `text`."""
        return self.printed("typst", only, digits=digits)

    def __str__(self) -> str:
        return "\n\n".join([*map(str, sentences(self._links.left_out)), self.text()])

    def _repr_latex_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks
        from qddot.exact.equations.arrays import notebook_latex as notebook

        sheet = self.sheet()
        definitions = (notebook.head(each.equations).latex for each in sheet.definitions if each.parts)
        return in_notebooks.of_law([self.array(name) for name in self.shown], self._MOTION, definitions)
