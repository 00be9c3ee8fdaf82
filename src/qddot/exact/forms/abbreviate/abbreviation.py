"""Abbreviates M, B, C2 and G: puts in numbers, drops small terms, and bounds the errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.freedoms import refuse_several
from qddot.algebra.numbers.polynomials.keys import PolynomialKey
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base import html
from qddot.base.checked import real, whole
from qddot.base.errors import EvaluationError, QddotError, did_you_mean, number_of, shortened
from qddot.base.records import record
from qddot.exact.equations.dependent_quantities import JOINT_PARTS
from qddot.exact.equations.quantity_names import indices
from qddot.exact.equations.state_values import Values
from qddot.exact.forms.abbreviate.definite import Definiteness, definiteness
from qddot.exact.forms.abbreviate.region import Region
from qddot.exact.forms.abbreviate.terms import NumericEntry, ShortEntry, term_of
from qddot.exact.forms.textbook.explicit_model import explicit_model
from qddot.exact.forms.textbook.rewriting.angle_sums import AngleSums
from qddot.exact.forms.textbook.written_array import WrittenArray, short_form
from qddot.exact.printing import latex as latex_of
from qddot.exact.printing.layout import PAGE
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.text import WIDTH, Text, equations
from qddot.exact.printing.tree import Equation, Sum
from qddot.formats.conversions.substitute import in_numbers
from qddot.machine.numeric.arm import NumericArm
from qddot.robot.left_out import sentences
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.algebra.program.program import Program
    from qddot.exact.equations.quantities import Quantities

LONGER = "the exact recursion is shorter; a higher significance or a budget shortens the abbreviated model"
MATRICES = ("M", "B", "C2", "G")
TITLES = ("entry", "error ≤", "observed", "largest", "short form")
STATES = 4_096
TRIES = 24  # most thresholds to try for a budget


@record(eq=False)
class Abbreviated:
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
        return self.arrays["M"]

    @property
    def B(self) -> WrittenArray:
        """Returns the factors of q̇_j q̇_k; the columns are (1,2), (1,3) …"""
        return self.arrays["B"]

    @property
    def C2(self) -> WrittenArray:
        """Returns the factors of q̇_j²."""
        return self.arrays["C2"]

    @property
    def G(self) -> WrittenArray:
        """Returns the gravity torques."""
        return self.arrays["G"]

    @cached_property
    def numeric(self) -> NumericArm:
        """Returns the short model's functions in numbers; `qddot.Robot(short.model)` exports and simulates it, too."""
        return NumericArm(self.model)

    def program(self, function: str = "inverse_dynamics") -> Program:
        """Returns a function as straight-line code, as `Robot.program` does."""
        return self.numeric.program(function)

    @cached_property
    def operations(self) -> int:
        """Returns the number of operations of compiled inverse dynamics, without sines and cosines."""
        return self.program().total_operations

    @cached_property
    def exact_operations(self) -> int:
        """Returns the number of operations of the exact model's inverse dynamics."""
        exact = NumericArm(self.exact.model.with_values(self.values))
        return exact.program("inverse_dynamics").total_operations

    def rows(self) -> Iterator[tuple[str, str, float, float, float]]:
        """Yields (name, short form, guaranteed error, observed error, largest magnitude) of nonzero entries."""
        plain = Text()
        for name, entry, error, observed, largest in self.entries():
            yield name, plain.write(entry), error, observed, largest

    def entries(self) -> Iterator[tuple[str, Sum, float, float, float]]:
        """Yields the rows with the short form as a Sum in place of its text."""
        for name, array in self.arrays.items():
            index = {place: k for k, place in enumerate(array.places)}
            for _, place, entry in array.labelled():
                k = index[place]
                if largest := self.largest[name].flat[k]:
                    numbers = (self.errors[name].flat[k], self.observed[name].flat[k], largest)
                    error, observed, most = map(float, numbers)
                    yield name + indices(place), array.written(entry), error, observed, most

    @property
    def law(self) -> str:
        """Returns the law of which the matrices and the effects are the parts."""
        return " + ".join(["M q̈ + B [q̇_j q̇_k] + C2 [q̇_j²] + G", *self.effects]) + " = τ"

    def effect_equations(self) -> list[Equation]:
        """Returns the torques of springs and friction, except zeros."""
        return [
            Equation(symbol(name + indices(place)), array.written(entry))
            for name, array in self.effects.items()
            for _, place, entry in array.labelled()
            if entry
        ]

    def table(self) -> tuple[list[list[str]], str]:
        """Returns a row for each remaining entry, below the TITLES, and a line on entries dropped completely."""
        rows = [
            [name, f"{error:.2g}", f"{observed:.2g}", f"{largest:.4g}", entry]
            for name, entry, error, observed, largest in self.rows()
        ]
        gone = ", ".join(f"{name} ({error})" for name, error, *_, entry in rows if entry == "0")
        line = f"dropped completely, with the bound of each error: {gone}" if gone else ""
        return [row for row in rows if row[-1] != "0"], line

    def text(self, width: int = WIDTH) -> str:
        """Returns the summary of `head`, then every entry with its bound."""
        lines = [self.head(), ""]
        for name, entry, error, observed, largest in self.entries():
            lines.append(equations([Equation(symbol(name), entry)], width))
            lines.append(f"    error ≤ {error:.3g}, observed {observed:.3g}; the entry reaches {largest:.4g}")
        lines += [equations([each], width) for each in self.effect_equations()]
        return "\n".join(lines)

    def latex(self, width: int = PAGE) -> str:
        """Returns numbered equations, one `align` environment per matrix, then those of springs and of friction."""
        arrays = [array for array in (*self.arrays.values(), *self.effects.values()) if array]
        return "\n".join(latex_of.numbered(array.listed_equations(), width) for array in arrays)

    def head(self) -> str:
        """Returns the operations, the law, the thresholds, the region, and whether M is positive definite."""
        levels = set(self.significance.values())
        parts = (f"{100 * value:g} % ({name})" for name, value in self.significance.items())
        of = f"{100 * levels.pop():g} % of their entry" if len(levels) == 1 else f"{', '.join(parts)} of their entry"
        exact = self.exact.model.name
        operations = f"{number_of(self.operations, 'operation')} in inverse dynamics, {self.exact_operations} exact"
        lines = [f"{exact}, abbreviated: {operations}", *([LONGER] if self.operations > self.exact_operations else [])]
        lines += [
            self.law + (f"; {' and '.join(self.effects)} in full" if self.effects else ""),
            f"dropped: terms below {of}, or below {100 * self.against_joint:g} % of their joint's largest term",
            f"region: {self.region}",
            f"M positive definite: {self.definite}",
        ]
        return "\n".join([*lines, *sentences(self.exact.model.left_out)])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        operations = number_of(self.operations, "operation")
        return f"<abbreviated {self.exact.model.name}: {operations}; M positive definite: {self.definite.verdict}>"

    def _repr_html_(self) -> str:
        rows, gone = self.table()
        table = html.table(TITLES, rows, "print it, or short.M, short.B …")
        effects = equations(self.effect_equations(), WIDTH).splitlines() if self.effects else []
        notes = html.notes([*effects, *([gone] if gone else [])])
        return html.block(html.lines(self.head().splitlines()), table, notes)


def abbreviate(
    eq: Quantities,
    significance: float | Mapping[str, float] = 0.01,
    against_joint: float = 0.001,
    region: Mapping[str, Any] | None = None,
    budget: int | None = None,
    allow_indefinite: bool = False,
    symbols: Mapping[str, float] | None = None,
) -> Abbreviated:
    """Returns the short model; see `EquationsOfMotion.abbreviate`."""
    refuse_several(eq.model, "an abbreviated model")
    levels = _levels(significance)
    real(against_joint, "against_joint", 0, 1, above=True, below=True, error=EvaluationError)
    if budget is not None:
        whole(budget, "budget", 1, error=EvaluationError)
    work = _Work(eq, Region.of(eq.model, region), symbols or {})
    abbreviated = work.abbreviated(levels, against_joint)
    if budget is not None and abbreviated.operations > budget:
        abbreviated = work.within(budget, levels, against_joint)
    if abbreviated.definite.verdict == "refuted" and not allow_indefinite:
        lower = "" if work.is_indefinite(abbreviated.definite) else "lower the significance, "
        closer = lower if budget is None else "raise the budget, "
        raise QddotError(
            f"the abbreviated mass matrix is not positive definite: {abbreviated.definite}"
            + ("" if lower else "; the exact one is not positive definite there either"),
            where=eq.model.name,
            remedy=f"{closer}shrink the region, or set allow_indefinite=True",
        )
    return abbreviated


def _levels(significance: Any) -> dict[str, float]:
    if not isinstance(significance, Mapping):
        significance = dict.fromkeys(MATRICES, significance)
    for name in significance:
        if name not in MATRICES:
            raise EvaluationError(f"significance of {shortened(name)}", remedy=did_you_mean(str(name), MATRICES))
    levels = {name: significance.get(name, 0.01) for name in MATRICES}
    for name, level in levels.items():
        real(level, f"significance of {name}", 0, 1, above=True, below=True, error=EvaluationError)
    return levels


class _Work:
    """This abbreviates the entries of one arm, which it holds in numbers, at any thresholds."""

    def __init__(self, eq: Quantities, region: Region, symbols: Mapping[str, float]) -> None:
        self.eq = eq = eq.in_joint_angles
        self.region, self.values = region, _values(eq, symbols)
        numeric = {name: eq.array(name).subs(self.values) for name in (*MATRICES, "P")}
        ring = numeric["M"].ring
        for array in numeric.values():
            ring = ring.joined(array.ring)
        self.sums = AngleSums(eq.dynamics.mechanism, ring, multiples=True)
        self.P = ring.convert(numeric["P"].entries[0])
        at = region.states(STATES)
        entries: dict[PolynomialKey, NumericEntry] = {}
        self.entries: dict[str, list[NumericEntry]] = {}
        for name in MATRICES:
            self.entries[name] = []
            for entry in map(ring.convert, numeric[name].entries):
                key = PolynomialKey(entry.poly)
                if key not in entries:
                    entries[key] = NumericEntry(entry, self.sums, region, at)
                self.entries[name].append(entries[key])
        if not any(entry.largest for entry in self.entries["M"]):
            raise EvaluationError("the arm has no inertia", where=eq.model.name, expected="links with inertias")

    @cached_property
    def effects(self) -> dict[str, WrittenArray]:
        """Returns the torques of springs and friction in numbers, those that are not zero."""
        short, exact = short_form(self.eq.dynamics.mechanism), {name: self.eq.array(name) for name in JOINT_PARTS}
        numeric = {name: array.subs(self.values) for name, array in exact.items() if array}
        return {name: short(array.in_decimals()) for name, array in numeric.items() if array}

    def scale(self, name: str, place: tuple[int, ...]) -> float:
        """Returns the largest factor that multiplies an entry: products of the region's rates, or 1 for M and G."""
        speed = [self.region.fastest(q) for q in self.eq.model.coordinates]
        if name == "B":
            return speed[place[1]] * speed[place[2]]
        return speed[place[1]] ** 2 if name == "C2" else 1.0

    @cached_property
    def joints(self) -> dict[str, NDArray[np.float64]]:
        """Returns, by matrix, each joint's largest term of motion (for M, B and C2) or of gravity (for G)."""
        motion, weight = np.zeros(self.eq.n), np.zeros(self.eq.n)
        for name, entries in self.entries.items():
            most = weight if name == "G" else motion
            for place, entry in zip(self.eq.array(name).places, entries, strict=True):
                most[place[0]] = max(most[place[0]], entry.constant() * self.scale(name, place))
        return {"M": motion, "B": motion, "C2": motion, "G": weight}

    def abbreviated(self, levels: Mapping[str, float], against_joint: float) -> Abbreviated:
        shorts = {name: self._shorts(name, level, against_joint) for name, level in levels.items()}
        arrays = {name: self._array(name, entries) for name, entries in shorts.items()}
        tables = {
            key: {
                name: np.array([getattr(short, key) for short in of]).reshape(self.eq.array(name).shape)
                for name, of in shorts.items()
            }
            for key in ("error", "observed", "largest")
        }
        return Abbreviated(
            exact=self.eq,
            model=self._model(arrays),
            values=self.values,
            region=self.region,
            significance=dict(levels),
            against_joint=against_joint,
            definite=self._definite(shorts["M"]),
            arrays=arrays,
            effects=self.effects,
            errors=tables["error"],
            observed=tables["observed"],
            largest=tables["largest"],
        )

    def within(self, budget: int, levels: Mapping[str, float], against_joint: float) -> Abbreviated:
        """Returns the short model with the smallest thresholds, in the ratio of `levels`, that keeps to a budget."""

        def at_factor(factor: float) -> Abbreviated:
            return self.abbreviated({name: level * factor for name, level in levels.items()}, against_joint * factor)

        low, high = 1.0, 1 / (1.0001 * max(*levels.values(), against_joint))
        shortest = at_factor(high)
        if shortest.operations > budget:
            raise EvaluationError(
                f"every abbreviation takes more than {number_of(budget, 'operation')}",
                where=self.eq.model.name,
                expected="a larger budget",
            )
        for _ in range(TRIES):
            factor = (low * high) ** 0.5
            shorter = at_factor(factor)
            if shorter.operations <= budget:
                shortest, high = shorter, factor
            else:
                low = factor
            if high / low < 1.02:
                break
        return shortest

    def _shorts(self, name: str, level: float, against_joint: float) -> list[ShortEntry]:
        by_entry: dict[tuple[int, float], ShortEntry] = {}
        shorts = []
        for place, entry in zip(self.eq.array(name).places, self.entries[name], strict=True):
            scale = self.scale(name, place)
            # for a symmetric pair of M the joint nearer to the base decides, as in Armstrong et al. 1986
            joint = self.joints[name][min(place[:2]) if name == "M" else place[0]]
            least = max(level * entry.largest, against_joint * joint / scale if scale else np.inf)
            if (id(entry), least) not in by_entry:
                by_entry[id(entry), least] = entry.short(least)
            shorts.append(by_entry[id(entry), least])
        return shorts

    def _array(self, name: str, shorts: list[ShortEntry]) -> WrittenArray:
        entries = [self._polynomial(short) for short in shorts]
        plain, short = self.eq.array(name).in_decimals(), short_form(self.eq.dynamics.mechanism)
        return WrittenArray.of(plain, self.sums, self.sums.ring, entries, short)

    def _polynomial(self, short: ShortEntry) -> Unreduced:
        """Returns a short entry as a sum, without rewriting."""
        ring, powers = self.sums.ring, self.sums.states.powers
        return Unreduced.sum(ring, ((ring.convert(c), powers(state)) for state, c in short.coefficients.items()))

    def _definite(self, shorts: list[ShortEntry]) -> Definiteness:
        n = self.eq.n
        cells = [[term_of(self.sums, float(c), state) for state, c in short.coefficients.items()] for short in shorts]
        rows = [cells[i * n : (i + 1) * n] for i in range(n)]
        used = {q for row in rows for entry in row for term in entry for q in term.coordinates()}
        return definiteness(rows, {q: interval for q, interval in self.region.q.items() if q in used})

    def is_indefinite(self, definite: Definiteness) -> bool:
        """Returns whether the exact mass matrix, too, is not positive definite where the short one is not."""
        state = {**dict.fromkeys(self.eq.model.coordinates, 0.0), **(definite.witness or {})}
        exact = Values.of(self.eq, (state, None, None), {k: float(v) for k, v in self.values.items()})["M"]
        return bool(np.min(np.linalg.eigvalsh(exact)) <= 1e-12 * np.max(np.abs(exact)))

    def _model(self, arrays: Mapping[str, WrittenArray]) -> Model:
        """Returns the model with its entries in numbers; numbers replace the same symbols in its geometry, too."""
        values = {name: Expression.constant(value) for name, value in self.values.items()}
        model = replace(in_numbers(self.eq.model, values), name=f"{self.eq.model.name}_abbreviated")
        return explicit_model(model, arrays.__getitem__, self.P, inserted=self.values)


def _values(eq: Quantities, symbols: Mapping[str, float]) -> dict[str, Fraction]:
    """Returns exact numbers for every symbol that occurs; raises EvaluationError if one is missing."""
    still = dict.fromkeys(eq.model.coordinates, 0.0)
    numbers = Values.of(eq, (still, None, None), symbols).symbols
    eq.model.check_values({name: numbers[name] for name in symbols})
    exact = eq.model.exact_defaults()
    names = (*MATRICES, "P", *JOINT_PARTS)
    used = set().union(*(eq.array(name).free_symbols for name in names)) & set(eq.model.symbols)
    return {
        name: value
        if name not in symbols and (value := exact.get(name)) is not None
        else Fraction(repr(float(numbers[name])))
        for name in sorted(used)
    }
