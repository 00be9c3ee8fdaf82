"""Abbreviates M, B, C2 and G: puts in numbers, drops small terms, and bounds the errors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.polynomials.keys import PolynomialKey
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.checked import real, whole
from qddot.base.errors import EvaluationError, QddotError, did_you_mean, shortened
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.exact.equations.quantity_table import JOINT_PARTS
from qddot.exact.equations.state_values import Values
from qddot.exact.forms.abbreviate.abbreviated import Abbreviated
from qddot.exact.forms.abbreviate.definite import Definiteness, definiteness
from qddot.exact.forms.abbreviate.region import Region
from qddot.exact.forms.abbreviate.terms import NumericEntry, ShortEntry, term_of
from qddot.exact.forms.textbook.explicit_model import explicit_model
from qddot.exact.forms.textbook.rewriting.angle_sums import AngleSums
from qddot.exact.forms.textbook.written_array import WrittenArray, short_form
from qddot.formats.conversions.substitute import in_numbers
from qddot.physics.of_model import check_quadratic, check_timeless
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.exact.equations.quantities import Quantities

MATRICES = ("M", "B", "C2", "G")
STATES = 4_096
TRIES = 24  # most thresholds to try for a budget


class Short(Protocol):
    """This is a short model of an arm or a closed chain."""

    @property
    def definite(self) -> Definiteness: ...
    @property
    def operations(self) -> int: ...


S = TypeVar("S", bound=Short)
S_co = TypeVar("S_co", bound=Short, covariant=True)


class Work(Protocol[S_co]):
    """This has equations in numbers, and shortens them at any thresholds.

    name: that of the arm or the closed chain, for errors
    """

    name: str

    def abbreviated(self, levels: Mapping[str, float], against_joint: float) -> S_co: ...

    def is_indefinite(self, definite: Definiteness) -> bool:
        """Returns whether the exact mass matrix, too, is not positive definite where the short one is not."""


@record()
class Asked:
    """This is what a user asks of a short model; see `EquationsOfMotion.abbreviate`. levels: by matrix"""

    levels: Mapping[str, float]
    against_joint: float
    budget: int | None
    allow_indefinite: bool

    @classmethod
    def of(cls, significance: Any, against_joint: float, budget: int | None, allow_indefinite: bool) -> Asked:
        """Returns the request. raises EvaluationError: no such matrix, thresholds outside (0, 1), or a wrong budget"""
        levels = _levels(significance)
        real(against_joint, "against_joint", 0, 1, above=True, below=True, error=EvaluationError)
        if budget is not None:
            whole(budget, "budget", 1, error=EvaluationError)
        return cls(levels, against_joint, budget, allow_indefinite)

    def met(self, work: Work[S]) -> S:
        """Returns the short model. raises QddotError: it takes too many operations, or its M is not definite"""
        short = work.abbreviated(self.levels, self.against_joint)
        if self.budget is not None and short.operations > self.budget:
            short = self._within(self.budget, work)
        if short.definite.verdict == "refuted" and not self.allow_indefinite:
            exact_too = work.is_indefinite(short.definite)
            lower = "" if exact_too else say("lower-the-significance")
            raise QddotError(
                "short-mass-matrix-indefinite",
                where=work.name,
                definite=short.definite.message,
                exact=say("exact-indefinite-too") if exact_too else "",
                closer=lower if self.budget is None else say("raise-the-budget"),
            )
        return short

    def _within(self, budget: int, work: Work[S]) -> S:
        """Returns the short model with the smallest thresholds, in the ratio of `levels`, that keeps to a budget."""

        def at_factor(factor: float) -> S:
            levels = {name: level * factor for name, level in self.levels.items()}
            return work.abbreviated(levels, self.against_joint * factor)

        low, high = 1.0, 1 / (1.0001 * max(*self.levels.values(), self.against_joint))
        shortest = at_factor(high)
        if shortest.operations > budget:
            raise EvaluationError(
                "abbreviations-exceed-budget", where=work.name, budget=say("count-of-operations", count=budget)
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


def abbreviate(
    eq: Quantities, asked: Asked, region: Mapping[str, Any] | None = None, symbols: Mapping[str, float] | None = None
) -> Abbreviated:
    """Returns the short model; see `EquationsOfMotion.abbreviate`."""
    refuse_several(eq.model, say("an-abbreviated-model"))
    check_quadratic(eq.model, say("the-abbreviated-model"))
    check_timeless(eq.model, say("the-abbreviated-model"))
    values = values_of(eq, symbols or {})
    where = Region.of(eq.model.with_values(symbols or {}), region)
    return asked.met(ShortLinks(eq, where, values, where.states(STATES)))


def _levels(significance: Any) -> dict[str, float]:
    if not isinstance(significance, Mapping):
        significance = dict.fromkeys(MATRICES, significance)
    for name in significance:
        if name not in MATRICES:
            raise EvaluationError(
                "significance-of-unknown", name=shortened(name), remedy=did_you_mean(str(name), MATRICES)
            )
    levels = {name: significance.get(name, 0.01) for name in MATRICES}
    for name, level in levels.items():
        real(level, say("significance-of", name=name), 0, 1, above=True, below=True, error=EvaluationError)
    return levels


class ShortLinks:
    """This abbreviates the entries of one arm, or of a closed chain without its loops, at any thresholds."""

    def __init__(
        self, eq: Quantities, region: Region, values: Mapping[str, Fraction], at: Mapping[str, NDArray[np.float64]]
    ) -> None:
        """values: those of `values_of`; at: sample states in the region, by coordinate"""
        self.eq = eq = eq.in_joint_angles
        self.name, self.region, self.values = eq.model.name, region, values
        numeric = {name: eq.array(name).subs(self.values) for name in (*MATRICES, "P")}
        ring = numeric["M"].ring
        for array in numeric.values():
            ring = ring.joined(array.ring)
        self.sums = AngleSums(eq.dynamics.mechanism, ring, multiples=True)
        self.P = ring.convert(numeric["P"].entries[0])
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
            raise EvaluationError("arm-without-inertia", where=eq.model.name)

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
        return self.written(self.without(self._least(levels, against_joint)), levels, against_joint)

    def written(
        self, shorts: Mapping[str, Sequence[ShortEntry]], levels: Mapping[str, float], against_joint: float
    ) -> Abbreviated:
        """Returns the short model with these entries. levels, against_joint: the thresholds that led to them"""
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

    def without(self, least: Mapping[str, Sequence[float]]) -> dict[str, list[ShortEntry]]:
        """Returns the entries without terms below `least`, which has the smallest size that stays, by entry."""
        by_entry: dict[tuple[int, float], ShortEntry] = {}
        for name, entries in self.entries.items():
            for entry, size in zip(entries, least[name], strict=True):
                if (id(entry), size) not in by_entry:
                    by_entry[id(entry), size] = entry.short(size)
        return {
            name: [by_entry[id(entry), size] for entry, size in zip(entries, least[name], strict=True)]
            for name, entries in self.entries.items()
        }

    def _least(self, levels: Mapping[str, float], against_joint: float) -> dict[str, list[float]]:
        """Returns the smallest size of a term that stays, by matrix and entry."""
        least: dict[str, list[float]] = {name: [] for name in levels}
        for name, level in levels.items():
            for place, entry in zip(self.eq.array(name).places, self.entries[name], strict=True):
                scale = self.scale(name, place)
                # for a symmetric pair of M the joint nearer to the base decides, as in Armstrong et al. 1986
                joint = self.joints[name][min(place[:2]) if name == "M" else place[0]]
                least[name].append(max(level * entry.largest, against_joint * joint / scale if scale else np.inf))
        return least

    def _array(self, name: str, shorts: Sequence[ShortEntry]) -> WrittenArray:
        entries = [self._polynomial(short) for short in shorts]
        plain, short = self.eq.array(name).in_decimals(), short_form(self.eq.dynamics.mechanism)
        return WrittenArray.of(plain, self.sums, self.sums.ring, entries, short)

    def _polynomial(self, short: ShortEntry) -> Unreduced:
        """Returns a short entry as a sum, without rewriting."""
        ring, powers = self.sums.ring, self.sums.states.powers
        return Unreduced.sum(ring, ((ring.convert(c), powers(state)) for state, c in short.coefficients.items()))

    def _definite(self, shorts: Sequence[ShortEntry]) -> Definiteness:
        n = self.eq.n
        cells = [[term_of(self.sums, float(c), state) for state, c in short.coefficients.items()] for short in shorts]
        rows = [cells[i * n : (i + 1) * n] for i in range(n)]
        used = {q for row in rows for entry in row for term in entry for q in term.coordinates()}
        return definiteness(rows, {q: interval for q, interval in self.region.q.items() if q in used})

    def is_indefinite(self, definite: Definiteness) -> bool:
        state = {**dict.fromkeys(self.eq.model.coordinates, 0.0), **(definite.witness or {})}
        exact = Values.of(self.eq, (state, None, None), {k: float(v) for k, v in self.values.items()})["M"]
        return bool(np.min(np.linalg.eigvalsh(exact)) <= 1e-12 * np.max(np.abs(exact)))

    def _model(self, arrays: Mapping[str, WrittenArray]) -> Model:
        """Returns the model with its entries in numbers; numbers replace the same symbols in its geometry, too."""
        values = {name: Expression.constant(value) for name, value in self.values.items()}
        model = replace(in_numbers(self.eq.model, values), name=f"{self.eq.model.name}_abbreviated")
        return explicit_model(model, arrays.__getitem__, self.P, inserted=self.values)


def values_of(eq: Quantities, symbols: Mapping[str, float], also: Collection[str] = ()) -> dict[str, Fraction]:
    """Returns exact numbers for every symbol that occurs, and for others; raises EvaluationError if one is missing."""
    still = dict.fromkeys(eq.model.coordinates, 0.0)
    numbers = Values.of(eq, (still, None, None), symbols).symbols
    eq.model.check_values({name: numbers[name] for name in symbols})
    exact = eq.model.exact_defaults()
    names = (*MATRICES, "P", *JOINT_PARTS)
    used = set(also).union(*(eq.array(name).free_symbols for name in names)) & set(eq.model.symbols)
    return {
        name: value
        if name not in symbols and (value := exact.get(name)) is not None
        else Fraction(repr(float(numbers[name])))
        for name in sorted(used)
    }
