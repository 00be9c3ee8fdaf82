"""Defines Abbreviated: a short model of an arm with the bounds of what it leaves out, as it is printed and computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qddot.base import html
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Both, Listed, Message, say
from qddot.exact.equations.notations import notation_of
from qddot.exact.forms.abbreviate.definite import Definiteness
from qddot.exact.forms.abbreviate.region import Region
from qddot.exact.forms.abbreviate.short_model import ShortModel
from qddot.exact.forms.textbook.written_array import WrittenArray
from qddot.exact.printing import latex as latex_of
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.text import WIDTH, Text, equations
from qddot.exact.printing.tree import Equation, Sum
from qddot.machine.numeric.arm import NumericArm
from qddot.robot.left_out import sentences
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.exact.equations.quantities import Quantities

TITLES = tuple(map(say, ("title-entry", "title-error-bound", "title-observed", "title-largest", "title-short-form")))
PARTS = {"springs": say("to-springs"), "friction": say("to-friction")}


@record(eq=False)
class Abbreviated(ShortModel):
    """This is a short model of an arm.

    model: the equations as an arm that computes, exports and simulates
    values: the values of the symbols that numbers have replaced
    effects: the torques of springs and friction, by these names, if there are any; they are exact
    errors: by matrix, a guaranteed bound of each entry's absolute error over the region
    observed: the largest error in sample states; largest: the largest magnitude of the whole entry that a search finds
    definite: whether the short M is positive definite over the region
    """

    exact: Quantities
    model: Model
    values: Mapping[str, Fraction]
    region: Region
    significance: Mapping[str, float]
    against_joint: float
    definite: Definiteness
    arrays: Mapping[str, WrittenArray]
    effects: Mapping[str, WrittenArray]
    errors: Mapping[str, NDArray[np.float64]]
    observed: Mapping[str, NDArray[np.float64]]
    largest: Mapping[str, NDArray[np.float64]]

    @property
    def M(self) -> WrittenArray:
        """Returns the mass matrix."""
        return self._shown["M"]

    @property
    def B(self) -> WrittenArray:
        """Returns the factors of q̇_j q̇_k; the columns are (1,2), (1,3) …"""
        return self._shown["B"]

    @property
    def C2(self) -> WrittenArray:
        """Returns the factors of q̇_j²."""
        return self._shown["C2"]

    @property
    def G(self) -> WrittenArray:
        """Returns the gravity torques."""
        return self._shown["G"]

    @cached_property
    def numeric(self) -> NumericArm:
        """Returns the short model's functions in numbers; `qddot.Robot(short.model)` exports and simulates it, too."""
        return NumericArm(self.model)

    @property
    def _in_numbers(self) -> NumericArm:
        return self.numeric

    @property
    def _exact_in_numbers(self) -> NumericArm:
        return NumericArm(self.exact.model.with_values(self.values))

    def rows(self) -> Iterator[tuple[str, str, float, float, float]]:
        """Yields (name, short form, guaranteed error, observed error, largest magnitude) of nonzero entries."""
        plain = Text()
        for name, entry, error, observed, largest in self.entries():
            yield name, plain.write(entry), error, observed, largest

    def entries(self) -> Iterator[tuple[str, Sum, float, float, float]]:
        """Yields the rows with the short form as a Sum in place of its text."""
        for name, array in self._shown.items():
            index = {place: k for k, place in enumerate(array.places)}
            for _, place, entry in array.labelled():
                k = index[place]
                if largest := self.largest[name].flat[k]:
                    numbers = (self.errors[name].flat[k], self.observed[name].flat[k], largest)
                    error, observed, most = map(float, numbers)
                    yield Text().write(array.named(place)), array.written(entry), error, observed, most

    @cached_property
    def _shown(self) -> dict[str, WrittenArray]:
        """Returns the matrices as they are shown: with squares of sines, rather than cos 2q, where these have names."""
        return {
            name: array.shortened(array.exact) if array.display.notation.paired else array
            for name, array in self.arrays.items()
        }

    @property
    def law(self) -> str:
        """Returns the law of which the matrices and the effects are the parts."""
        style = notation_of(self.exact.model.notation).style
        M, B, C2, G = (style(name).text for name in ("M", "B", "C2", "G"))
        return " + ".join([f"{M} q̈ + {B} [q̇_j q̇_k] + {C2} [q̇_j²] + {G}", *self.effects]) + " = τ"

    def effect_equations(self) -> list[Equation]:
        """Returns the torques of springs and friction, except zeros."""
        return [
            Equation(array.named(place), array.written(entry))
            for array in self.effects.values()
            for _, place, entry in array.labelled()
            if entry
        ]

    def table(self) -> tuple[list[list[str]], str]:
        """Returns a row for each remaining entry, below the TITLES, and a line on entries dropped completely."""
        rows = [
            [name, f"{error:.2g}", f"{observed:.2g}", f"{largest:.4g}", entry]
            for name, entry, error, observed, largest in self.rows()
        ]
        gone = Listed(
            say("entry-with-error", entry=name, error=error) for name, error, *_, entry in rows if entry == "0"
        )
        line = str(say("entries-dropped", entries=gone)) if gone else ""
        return [row for row in rows if row[-1] != "0"], line

    def text(self, width: int = WIDTH) -> str:
        """Returns the summary of `head`, then every entry with its bound."""
        lines = [self.head(), ""]
        for name, entry, error, observed, largest in self.entries():
            lines.append(equations([Equation(symbol(name), entry)], width))
            bound, seen, most = f"{error:.3g}", f"{observed:.3g}", f"{largest:.4g}"
            lines.append(f"    {say('error-of-entry', error=bound, observed=seen, largest=most)}")
        lines += [equations([each], width) for each in self.effect_equations()]
        return "\n".join(lines)

    def latex(self, width: int = PAGE) -> str:
        """Returns numbered equations, one `align` environment per matrix, then those of springs and of friction."""
        arrays = [array for array in (*self._shown.values(), *self.effects.values()) if array]
        return "\n".join(latex_of.numbered(array.listed_equations(), width) for array in arrays)

    @property
    def percentages(self) -> Listed:
        """Returns the thresholds of terms relative to their entries."""
        shares = {name: f"{100 * value:g} %" for name, value in self.significance.items()}
        levels = set(shares.values())
        parts = (say("entry-with-error", entry=share, error=name) for name, share in shares.items())
        return Listed(levels if len(levels) == 1 else parts)

    def head(self) -> str:
        """Returns the operations, the law, the thresholds, the region, and whether M is positive definite."""
        in_full = Both(PARTS[name] for name in self.effects)
        lines = [
            *counted(self.exact.model.name, self.operations, self.exact_operations),
            say("law-with-parts-in-full", law=self.law, parts=in_full) if self.effects else self.law,
            say("terms-dropped", share=self.percentages, of_joint=f"{100 * self.against_joint:g}"),
            say("region-line", region=self.region),
            say("matrix-definite", matrix="M", verdict=self.definite.message),
        ]
        return "\n".join(map(str, [*lines, *sentences(self.exact.model.left_out)]))

    def __str__(self) -> str:
        return self.text()

    @in_english
    def __repr__(self) -> str:
        operations = say("count-of-operations", count=self.operations)
        return f"<abbreviated {self.exact.model.name}: {operations}; M positive definite: {self.definite.verdict}>"

    def _repr_html_(self) -> str:
        rows, gone = self.table()
        table = html.table(TITLES, rows, say("print-it-or", others="short.M, short.B …"))
        effects = equations(self.effect_equations(), WIDTH).splitlines() if self.effects else []
        notes = html.notes([*effects, *([gone] if gone else [])])
        return html.block(html.lines(self.head().splitlines()), table, notes)


def counted(name: str, operations: int, exact: int) -> list[Message]:
    """Returns sentences about the operations of a short model and of the exact one."""
    counts = say(
        "abbreviated-operations", name=name, operations=say("count-of-operations", count=operations), exact=exact
    )
    return [counts, *([say("exact-recursion-shorter")] if operations > exact else [])]
