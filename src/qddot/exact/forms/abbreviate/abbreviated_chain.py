"""Defines AbbreviatedChain: a short model of a closed chain with the errors of what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qddot.base import html
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Both, Listed, Told, say
from qddot.exact.equations.quantity_names import indices
from qddot.exact.equations.quantity_table import QUANTITIES
from qddot.exact.forms.abbreviate.abbreviated import PARTS, Abbreviated, counted
from qddot.exact.forms.abbreviate.definite import Definiteness
from qddot.exact.forms.abbreviate.short_model import ShortModel
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.text import WIDTH, equations
from qddot.exact.printing.tree import Equation
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.physics.independent import Independents
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel
from qddot.robot.left_out import sentences

TITLES = tuple(map(say, ("title-entry", "title-error", "title-share", "title-largest")))
NOISE = 1e-12  # relative size of what is zero but for rounding
BAR = "\u0304"  # after a letter
MATRICES = Both((Listed((f"M{BAR}", f"B{BAR}", f"C{BAR}2")), f"G{BAR}"))


@record(eq=False)
class AbbreviatedChain(ShortModel):
    """This is a short model of a closed chain: short equations of its links, and its exact loops.

    links: the short equations of the links, with guaranteed bounds of their errors over the region
    model: the closed chain with these equations, which computes, exports and simulates; exact: with all terms
    choice: of the independent coordinates
    definite: whether M̄ = Rᵀ M R is positive definite in closed configurations of the region
    errors, largest: of the entries of M̄, B̄, C̄2 and Ḡ, by M, B, C2 and G: the largest errors and magnitudes in a sample
        of closed configurations; states: how many these are
    shares: the largest errors relative to the largest magnitudes, in units in which each M̄_kk is 1 everywhere
    """

    links: Abbreviated
    exact: ClosedModel
    model: ClosedModel
    choice: Independents
    definite: Definiteness
    states: int
    errors: Mapping[str, NDArray[np.float64]]
    largest: Mapping[str, NDArray[np.float64]]
    shares: Mapping[str, NDArray[np.float64]]

    @cached_property
    def numeric(self) -> NumericChain:
        """Returns its functions in numbers; `qddot.ClosedChain(short.model, short.independent)` also simulates it."""
        return NumericChain(ClosedSystem(self.model, self.choice))

    @property
    def independent(self) -> tuple[str, ...]:
        """Returns the names of the independent coordinates."""
        return self.numeric.system.rates

    @property
    def _in_numbers(self) -> NumericChain:
        return self.numeric

    @property
    def _exact_in_numbers(self) -> NumericChain:
        return NumericChain(ClosedSystem(self.exact, self.choice))

    @property
    def law(self) -> str:
        """Returns the law of which the links' matrices and effects are the parts."""
        return Told(say("law-of-short-chain", law=f"Rᵀ ({self.links.law.removesuffix(' = τ')}) = Rᵀ τ"))

    def entries(self) -> Iterator[tuple[str, Sequence[int], float, float, float]]:
        """Yields (matrix, place, largest error, its share, largest magnitude) of the chain's nonzero entries."""
        for name, largest in self.largest.items():
            places = QUANTITIES[name].places
            each = places(len(largest)) if places else np.ndindex(largest.shape[: 1 + (name != "G")])
            tables = (self.errors[name], self.shares[name], largest)
            for place, *numbers in zip(each, *(table.flat for table in tables), strict=True):
                error, share, most = map(float, numbers)
                error, most = (x if x > NOISE * largest.max() else 0.0 for x in (error, most))
                if (error or most) and (name != "M" or place[0] <= place[1]):
                    yield name, place, error, share if error else 0.0, most

    def rows(self) -> Iterator[tuple[str, float, float, float]]:
        """Yields (name, largest error, its share, largest magnitude) of the chain's entries that are not zero."""
        for name, place, *numbers in self.entries():
            error, share, largest = numbers
            yield name[0] + BAR + name[1:] + indices(place), error, share, largest

    def table(self) -> list[list[str]]:
        """Returns a row for each entry of the chain that has an error, below the TITLES."""
        return [
            [name, f"{error:.2g}", f"{100 * share:.2g} %", f"{largest:.4g}"]
            for name, error, share, largest in self.rows()
            if error
        ]

    def equations(self) -> list[Equation]:
        """Returns the links' entries that are not zero, and their springs and friction."""
        entries = [Equation(symbol(name), entry) for name, entry, *_ in self.links.entries() if entry.products]
        return [*entries, *self.links.effect_equations()]

    def text(self, width: int = WIDTH) -> str:
        """Returns the summary of `head`, the links' entries, then the errors of the chain's."""
        lines = [
            say("error-of-chain-entry", entry=name, error=error, share=share, largest=largest)
            for name, error, share, largest in self.table()
        ] or [say("no-errors-there", matrices=MATRICES)]
        return "\n".join([self.head(), "", equations(self.equations(), width), "", *map(str, lines)])

    def latex(self, width: int = PAGE) -> str:
        """Returns numbered equations of the links, as `Abbreviated.latex` does."""
        return self.links.latex(width)

    def head(self) -> str:
        """Returns the operations, the law, the thresholds, the region, and whether M̄ is positive definite."""
        links, parts = self.links, Listed(("R", *(PARTS[name] for name in self.links.effects)))
        undecided = self.definite.verdict == "undecided"
        verdict = say("definite-in-states", count=self.states) if undecided else self.definite.message
        lines = [
            *counted(self.exact.name, self.operations, self.exact_operations),
            say("short-chain", law=self.law, names=Listed(self.independent), parts=parts),
            say(
                "terms-of-chain-dropped",
                share=links.percentages,
                matrices=MATRICES,
                of_row=f"{100 * links.against_joint:g}",
            ),
            say("units-of-shares", entry=f"M{BAR}_kk"),
            say("region-line", region=links.region),
            say("errors-of-states", states=say("count-of-configurations", count=self.states)),
            say("matrix-definite", matrix=f"M{BAR}", verdict=verdict),
        ]
        return "\n".join(map(str, [*lines, *sentences(self.exact.tree.left_out)]))

    def __str__(self) -> str:
        return self.text()

    @in_english
    def __repr__(self) -> str:
        operations = say("count-of-operations", count=self.operations)
        return f"<abbreviated {self.exact.name}: {operations}; M{BAR} positive definite: {self.definite.verdict}>"

    def _repr_html_(self) -> str:
        table = html.table(TITLES, self.table(), say("print-it-or", others="short.errors"))
        notes = html.notes(equations(self.equations(), WIDTH).splitlines())
        return html.block(html.lines(self.head().splitlines()), table, notes)
