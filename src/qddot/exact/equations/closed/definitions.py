"""Writes the definitions of the kinematic coefficients that occur in quantities of a closed chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import count
from typing import Any

from qddot.algebra.numbers.polynomials.keys import PolynomialKey
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.closed.coefficients import Coefficients, Quotient
from qddot.exact.printing.notation import symbol, velocity
from qddot.exact.printing.tree import Equation, Sum, alone
from qddot.exact.printing.tree import Quotient as Written
from qddot.exact.printing.writer import Definition, Definitions, LinearEquations, Statement

MOTION = ("\\dot{u}", "R^{T} \\tau")  # LaTeX of the accelerations and the right side of the law of motion
MOST_TERMS = 100  # of a numerator or a denominator whose common factors are looked for
CONDITIONS = ("phi", "A")  # quantities that are conditions


def definitions(of: Coefficients, names: set[str], written: Callable[[ExactArray], Printed]) -> Definitions:
    """Returns the definitions of the coefficients among names, and of those in their definitions.

    Coefficients without quotients are defined by the linear equations that they solve.
    written: returns an array as it is written
    """

    def entry(polynomial: Any) -> Sum:
        return written(ExactArray.of(of.ring, polynomial)).written_entries()[0]

    def parts(quotients: Iterable[Quotient], slopes: bool) -> Iterator[Definition | LinearEquations]:
        for name, *fraction in _shortened(list(quotients)):
            top, bottom = map(entry, fraction)
            yield Definition(name, alone(Written(top, bottom)))
        if of.implied_rows and names & occurring[slopes]:
            unknowns, matrix, right = of.systems(slopes)
            left, right = ([list(map(entry, row)) for row in part] for part in (matrix, right))
            yield LinearEquations(unknowns, left, right, [entry(each) for each in of.implied(slopes)])

    of_slopes = set(of.slopes.values())
    occurring = ({*of.names.values()} | of_slopes, of_slopes)
    first, second = used(of, names)
    return Definitions("coefficients", [*parts(first, False), *parts(second, True)])


def _shortened(quotients: list[Quotient]) -> list[Quotient]:
    """Returns quotients in lowest terms, unless all are longer then since they share denominators."""
    if any(len(part) > MOST_TERMS for _, *parts in quotients for part in parts):
        return quotients
    lowest = [each.in_lowest_terms for each in quotients]
    return lowest if _length(lowest) < _length(quotients) else quotients


def _length(quotients: Iterable[Quotient]) -> tuple[int, int]:
    """Returns how many terms quotients have, and how many of these have numbers; equal denominators count once."""
    below = {PolynomialKey(each.denominator.poly): each.denominator for each in quotients}
    numbers = [c for part in (*(each.numerator for each in quotients), *below.values()) for _, c in part.terms()]
    return len(numbers), sum(abs(c) != 1 for c in numbers)


def used(of: Coefficients, names: set[str]) -> tuple[list[Quotient], list[Quotient]]:
    """Returns the definitions of r_kj and of r_kj,l that are among names, or occur in definitions of these."""
    second = [each for each in of.second_named if each.name in names] if names & {*of.slopes.values()} else []
    inner = names.union(*(each.numerator.variables() for each in second))
    return [each for each in of.first_named if each.name in inner] if inner & {*of.names.values()} else [], second


def dependent_rates(of: Coefficients, written: Callable[[ExactArray], Printed]) -> Iterator[Equation]:
    """Yields the rows of q̇ = R u of the dependent coordinates.

    written: returns an array as it is written
    """
    for k in of.dependent:
        row = written(ExactArray.of(of.ring, of.rates[k]))
        yield Equation(velocity(of.ring.coordinates[k], of.ring.quasi), row.written_entries()[0])


def after_conditions(statements: Iterable[Statement], listed: Definitions) -> list[Statement]:
    """Returns statements with definitions of coefficients after the conditions of loops and of wheels.

    A coefficient that is asked for has its definition alone, without a statement of its own.
    """
    defined = {*listed.names}
    statements = [each for each in statements if isinstance(each, Definitions) or each.name not in defined]
    conditions = (k + 1 for k, each in enumerate(statements) if isinstance(each, Printed) and each.name in CONDITIONS)
    place = max(conditions, default=0)
    return [*statements[:place], listed, *statements[place:]]


def with_denominators(listed: Definitions, taken: Collection[str]) -> Definitions:
    """Returns definitions in which a long denominator of several quotients has a name, such as D1.

    taken: names that are in use
    """
    quotients = filter(None, map(_quotient, listed.parts))
    several = [bottom for bottom, times in Counter(each.bottom for each in quotients).items() if times > 1]
    free = (name for name in map("D{}".format, count(1)) if name not in taken)
    names = {bottom: next(free) for bottom in several if bottom.operations > 1}
    parts = list[Definition | LinearEquations]()
    for part in listed.parts:
        quotient = _quotient(part)
        if isinstance(part, Definition) and quotient and quotient.bottom in names:
            shared = Definition(names[quotient.bottom], quotient.bottom)
            parts += [] if shared in parts else [shared]
            part = Definition(part.name, alone(quotient._replace(bottom=alone(symbol(shared.name)))))
        parts.append(part)
    return listed._replace(parts=parts)


def _quotient(part: Definition | LinearEquations) -> Written | None:
    return part.right.quotient if isinstance(part, Definition) else None
