"""BaseParameters is the result that a user gets: formulas, columns of the regressor, and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb

from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base import html
from qddot.base.checked import real
from qddot.base.errors import EvaluationError, shortened
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Listed, Message, Told, Words, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.printing.digits import number_of as constant
from qddot.exact.printing.digits import rational
from qddot.exact.printing.text import polynomial as text_of
from qddot.physics.algorithms.regressor import parameters as inertial
from qddot.physics.algorithms.regressor import regressor
from qddot.physics.mechanism import Mechanism
from qddot.robot.effects.acting import parameters_of, unit_column
from qddot.robot.left_out import sentences
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing, refuse_unknown

LONGEST_NUMBER = 12  # characters of a number in a formula
LONGEST_COEFFICIENT = 24  # characters of a number before symbols
SHOWN_DIGITS = 6  # digits of a longer number
TITLES: tuple[Words, ...] = ("", say("title-base-parameter"), say("title-combination"))


@record()
class ParameterShare:
    """A share is numerator / denominator · parameter; both are polynomials in the geometry."""

    parameter: int
    numerator: Polynomial
    denominator: Polynomial

    def factor(self) -> tuple[str, str]:
        """Returns sign and size of the factor as texts; the size 1 is ""."""
        top, bottom = _written(self.numerator), _written(self.denominator)
        sign, top = ("-", top[1:]) if top.startswith("-") and len(self.numerator) == 1 else ("+", top)
        top = f"({top})" if len(self.numerator) > 1 else top
        if bottom != "1":
            return sign, f"{top}/{bottom if bottom.isidentifier() else f'({bottom})'}"
        return sign, "" if top == "1" else top


def _written(value: Polynomial) -> str:
    """Returns the text of a polynomial, with six digits of long numbers."""
    number, text = constant(value), text_of(value)
    if number is not None:
        return text if len(text) <= LONGEST_NUMBER else f"{float(number):.{SHOWN_DIGITS}g}"
    if all(len(rational(c)) <= LONGEST_COEFFICIENT for _, c in value.terms()):
        return text
    terms = ((e, Fraction(f"{float(c):.{SHOWN_DIGITS}g}")) for e, c in value.terms())
    return text_of(Unreduced.of(value.ring, terms))


@record()
class BaseParameter:
    """This is one parameter that stays, with the shares of the parameters that are combined with it."""

    parameter: int
    shares: tuple[ParameterShare, ...]

    def formula(self, names: Sequence[str]) -> str:
        """Returns the combination as a text: "mx2 + a2*(m2 + m3)"."""
        alike: dict[tuple[str, str], list[str]] = {}
        for share in self.shares:
            alike.setdefault(share.factor(), []).append(names[share.parameter])
        text = names[self.parameter]
        for (sign, size), group in alike.items():
            if not size:
                text += "".join(f" {sign} {name}" for name in group)
            else:
                text += f" {sign} {size}*" + (group[0] if len(group) == 1 else f"({' + '.join(group)})")
        return text


class BaseParameters:
    """This is a minimal set of inertial parameters, τ = Y_b π_b, for almost all values of symbols.

    parameters: those that stay, in the order of bodies
    names: all parameters: ten per body about the frame's origin, and those of joints if included
    unidentifiable: the parameters that affect no torque
    error_bound: 0 if the combinations are exact. Otherwise constant angles were rounded, and this is a proved bound of
    each coefficient's relative error, at the symbols' defaults or, if there are none, at random values.
    special: symbols that have their defaults in the combinations, since other values give more base parameters
    """

    def __init__(
        self,
        model: Model,
        ring: Ring,
        mechanism: Mechanism,
        parameters: Sequence[BaseParameter],
        names: Sequence[str],
        unidentifiable: Sequence[int],
        error_bound: float = 0.0,
        special: Sequence[str] = (),
    ) -> None:
        self.model = model
        self.ring = ring
        self.mechanism = mechanism
        self.parameters = tuple(parameters)
        self.names = tuple(names)
        self._unidentifiable = tuple(unidentifiable)
        self.error_bound = error_bound
        self.special = tuple(special)

    @cached_property
    def regressor(self) -> ExactArray:
        """Returns the exact Y_b, n × len(self): the columns of the regressor that stay.

        In numbers it is arm.regressor(...)[..., columns] with the same armature= and friction=.
        """
        return ExactArray.of(self.ring, self._rows(self.mechanism, self.ring), "Y_b")

    def _rows(self, mechanism: Mechanism, ring: Ring) -> list[list[Any]]:
        """Returns the columns of a mechanism's regressor that stay, as rows over a ring."""
        rows = [list(row) for row in regressor(mechanism)]
        effects = [each.under(tuple) for each in mechanism.effects]  # |L| is a variable
        for name in self.names[len(rows[0]) :]:
            kind, _, coordinate = name.partition("_")
            i, sign = self.model.coordinates.index(coordinate), ring.sign(coordinate) if coordinate in ring.signs else 0
            for row, own in zip(rows, unit_column(effects, kind, i, mechanism.qd, mechanism.qdd, sign), strict=True):
                row.append(own)
        return [[row[k] for k in self.columns] for row in rows]

    def __len__(self) -> int:
        return len(self.parameters)

    def __iter__(self) -> Iterator[BaseParameter]:
        return iter(self.parameters)

    @property
    def columns(self) -> list[int]:
        """Returns the regressor's columns that stay."""
        return [each.parameter for each in self.parameters]

    @property
    def exact(self) -> bool:
        """Returns whether the combinations hold exactly; the choice of columns is exact in any case."""
        return self.error_bound == 0

    @property
    def rounding(self) -> str:
        """Returns a sentence about rounding, or "" if nothing was rounded."""
        if self.exact:
            return ""
        return Told(say("rounding-of-angles", most=f"{self.error_bound:.0e}"))

    @property
    def unidentifiable(self) -> list[str]:
        """Returns the parameters that affect no torque."""
        return [self.names[k] for k in self._unidentifiable]

    @property
    def identifiable(self) -> list[str]:
        """Returns the parameters that can be identified by themselves."""
        return [self.names[each.parameter] for each in self.parameters if not each.shares]

    @property
    def combined(self) -> list[str]:
        """Returns the parameters that can be identified only in combination with others."""
        inside = {share.parameter for each in self.parameters for share in each.shares}
        inside |= {each.parameter for each in self.parameters if each.shares}
        return [self.names[k] for k in sorted(inside)]

    @property
    def formulas(self) -> dict[str, str]:
        """Returns each base parameter's combination, by the name of the parameter that stays."""
        return {self.names[each.parameter]: each.formula(self.names) for each in self.parameters}

    @in_english
    def __repr__(self) -> str:
        return f"<{self.model.name}: {self._count}>"

    @property
    def heading(self) -> str:
        """Returns how many base parameters there are, and of what."""
        return str(say("base-convention", counted=self._count))

    def _repr_html_(self) -> str:
        return html.block(
            html.lines([self.heading]),
            html.table(TITLES, self.rows(), "base.formulas"),
            html.notes(self.remarks),
        )

    def __str__(self) -> str:
        formulas = (f"  {formula}" for formula in self.formulas.values())
        return "\n".join([str(self._count), *formulas, *map(str, self.remarks)])

    @property
    def _count(self) -> Message:
        return say("count-of-base-parameters", count=len(self), all=len(self.names))

    @property
    def remarks(self) -> list[str]:
        """Returns sentences about what the model lacks, special values, parameters without effect, and rounding."""
        values = Listed(f"{name} = {self.model.symbols[name].value}" for name in self.special)
        remarks = sentences(self.model.left_out)
        remarks += [Told(say("base-at-values", values=values))] if values else []
        remarks += [Told(say("no-torque-depends", names=Listed(self.unidentifiable)))] if self.unidentifiable else []
        return [*remarks, *([self.rounding] if self.rounding else [])]

    def rows(self) -> list[list[str]]:
        """Returns a row for each base parameter, below the TITLES."""
        return [[str(k), name, formula] for k, (name, formula) in enumerate(self.formulas.items(), 1)]

    def values(self, **numbers: float) -> Any:
        """Returns the base parameters' numbers for the model's inertias, shape (len(self),), correctly rounded.

        Symbols take their defaults, or the values in keywords.
        raises EvaluationError: an unknown symbol or one without a value, another value of a special symbol, or values
            for which the combinations divide by zero
        raises ModelError: no robot has these values, such as a negative mass
        """
        import numpy as np

        refuse_unknown(self.model, numbers, self.values)
        symbols = self._symbols(numbers)
        with precise():
            all_parameters = self._all_parameters(symbols)
            parts = []
            for each in self.parameters:
                total = all_parameters[each.parameter]
                for share in each.shares:
                    total += self.factor(share, symbols) * all_parameters[share.parameter]
                parts.append(float(total.mid()))
        return np.array(parts)

    def _symbols(self, chosen: Mapping[str, float]) -> dict[str, Fraction]:
        """Returns the symbols' values as exact fractions of floats."""
        defaults = self.model.defaults()
        symbols = {**defaults, **chosen}
        for name in self.special:
            if symbols[name] != defaults[name]:
                raise EvaluationError(
                    "base-parameters-of-defaults",
                    where=self.model.name,
                    name=name,
                    value=shortened(symbols[name]),
                    default=f"{defaults[name]:g}",
                )
        refuse_missing(self.model.used_symbols - set(symbols), self.model.name)
        exact = {name: Fraction(real(value, name, error=EvaluationError)) for name, value in symbols.items()}
        self.model.check_values({name: float(value) for name, value in exact.items()})
        return exact

    def factor(self, share: ParameterShare, symbols: Mapping[str, Fraction]) -> arb:
        """Returns the factor of a share as a ball; raises EvaluationError if it divides by zero."""
        numbers = Balls(symbols)
        top, bottom = share.numerator.evaluate(numbers), share.denominator.evaluate(numbers)
        if bottom.contains(0):
            raise EvaluationError(
                "share-divided-by-zero",
                where=self.model.name,
                parameter=self.names[share.parameter],
                denominator=text_of(share.denominator),
            )
        return arb(top / bottom)

    def _all_parameters(self, symbols: Mapping[str, Fraction]) -> list[arb]:
        """Returns the numbers of all parameters, in the order of `names`."""
        state = dict.fromkeys((*self.model.coordinates, *self.model.positions), Fraction(0))
        numbers = Balls(symbols, *[state] * 3)
        mechanism = Mechanism.of(self.model, numbers)
        plain = inertial(mechanism)
        kinds = {name.partition("_")[0] for name in self.names[len(plain) :]}
        joints = parameters_of(mechanism, "Ia" in kinds, "Fv" in kinds)
        return [ball(x) for x in (*plain, *(value for *_, value in joints))]
