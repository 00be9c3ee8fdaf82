"""Shows laws for one arm: both sides of each law are computed, and they are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import QddotError
from qddot.base.nested_lists import nested
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.rewriting.states import moves
from qddot.exact.printing.reading_order import RATES
from qddot.exact.printing.tree import Equation, Matrix, Symbol
from qddot.papers.report.document import Block, EquationBlock
from qddot.papers.report.sections.blocks_of import equations, measured, number
from qddot.papers.report.wording import Words
from qddot.teach.exam import positions
from qddot.teach.exam.states import DrawnState

Uses = Callable[..., Iterable[str]]  # the keys of quantities' names, for derived quantities
Exponents = tuple[int, ...]


class LawToShow(NamedTuple):
    """This is a law that an exam may ask a candidate to show.

    needs: the quantities that are derived first; parts: the keys of the words for each part that has marks
    checked: the quantities that are the first part, which `qddot check` marks
    sides: writes both sides of the law; its arguments are the equations in short form, the words, a function from names
        of quantities to the keys of their equations, and a state
    position: finds the position in which the law is to be shown, for a law of one position
    """

    needs: tuple[str, ...]
    parts: tuple[str, ...]
    checked: tuple[str, ...]
    sides: Callable[[Textbook, Words, Uses, DrawnState], Iterator[Block]]
    position: Callable[[Quantities, DrawnState], DrawnState] | None = None


def _skew(short: Textbook, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields Ṁ, then Ṁ − 2C, and the proof that it is skew-symmetric."""
    eq = short.eq
    rate = _rate(eq, eq.array("M"), "M_rate", (0, 1))
    yield words.paragraph("mass rate")
    yield from equations(short.written(rate), words, "M_rate", uses("M"))
    yield words.paragraph("skew matrix")
    yield _equation(short, words, Symbol("S", "S"), rate - eq.array("C") * 2, (*uses("C"), "M_rate"))
    yield words.paragraph("skew shown")


def _power(short: Textbook, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the rate of the energy and the power of the torques, which are the same expression."""
    eq = short.eq
    springs = ExactArray.of(eq.ring, eq.dynamics.spring_energy())
    energy = eq.array("K") + eq.array("P") + springs
    yield words.paragraph("energy rate")
    yield _equation(short, words, Symbol("Ed", "E", dots=1), _rate(eq, energy), uses("K", "P"))
    yield words.paragraph("power")
    power = _rates(eq) @ (eq.array("tau") - eq.array("friction"))
    yield _equation(short, words, Symbol("Wd", "W", dots=1), power, uses("tau"))
    yield words.paragraph("power shown")


def _velocity(short: Textbook, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields Ṁ q̇ and ∂K/∂q, whose difference is the velocity torques."""
    eq = short.eq
    yield words.paragraph("momentum rate")
    yield _equation(short, words, Symbol("u", "u"), _rate(eq, eq.array("M")) @ _rates(eq), uses("M"))
    yield words.paragraph("energy slopes")
    yield _equation(short, words, Symbol("w", "w"), positions.slopes(eq, eq.array("K")), uses("K"))
    yield words.paragraph("velocity shown")


def _christoffel(short: Textbook, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the sums Γ_ijk + Γ_jik, which are the derivatives of M."""
    eq, n = short.eq, range(short.eq.n)
    symbols = eq.array("christoffel")
    entries = [[[(symbols[i, j, k] + symbols[j, i, k]).entries[0] for k in n] for j in n] for i in n]
    sums = short.written(ExactArray.of(eq.ring, entries, "sigma", (0, 1)))
    yield words.paragraph("sums")
    yield from equations(sums, words, "sigma", uses("christoffel"))
    yield words.paragraph("christoffel shown")


def _potential(short: Textbook, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the derivatives of P, which are the gravity torques."""
    yield words.paragraph("potential slopes")
    yield _equation(short, words, Symbol("y", "y"), positions.slopes(short.eq, short.eq.array("P")), uses("P"))
    yield words.paragraph("potential shown")


def _linear(short: Textbook, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the constants in which the torques are linear, and their coefficients, which do not contain them."""
    Y, beta = regression(short)
    yield words.paragraph("constants of torques")
    yield _equation(short, words, Symbol("beta", "beta"), beta, ())
    yield words.paragraph("regressor")
    yield _equation(short, words, Symbol("Y", "Y"), Y, uses("tau"))
    yield words.paragraph("linear shown")


def _definite(short: Textbook, words: Words, _: Uses, state: DrawnState) -> Iterator[Block]:
    """Yields M in a position, and its leading principal minors."""
    rows = positions.rows(short.eq, short.eq.array("M"), state)
    yield words.paragraph("in state")
    yield EquationBlock.of("state.definite.M", [Equation(Symbol("M", "M"), measured(rows))])
    yield words.paragraph("minors", values=_listed(positions.minors(rows), words))
    yield words.paragraph("definite shown")


def _equilibrium(short: Textbook, words: Words, uses: Uses, state: DrawnState) -> Iterator[Block]:
    """Yields the torques, which vanish in a position, and the stiffness, which decides about stability."""
    stiffness = positions.stiffness(short.eq)
    rows = positions.rows(short.eq, stiffness, state)
    minors = positions.minors(rows)
    yield words.paragraph("at rest")
    yield words.paragraph("stiffness")
    yield _equation(short, words, Symbol("kappa", "kappa"), stiffness, uses("G"))
    yield words.paragraph("in state")
    yield EquationBlock.of("state.equilibrium.kappa", [Equation(Symbol("kappa", "kappa"), measured(rows))])
    yield words.paragraph("minors", values=_listed(minors, words))
    yield words.paragraph("stable" if all(minor > 0 for minor in minors) else "unstable")


LAWS: Mapping[str, LawToShow] = {
    "skew": LawToShow(("C",), ("matrix C", "rate of M", "difference"), ("C",), _skew),
    "power": LawToShow(("K", "P", "tau"), ("energies part", "rate of energy", "power of torques"), ("K", "P"), _power),
    "velocity": LawToShow(("h", "K"), ("torques h", "term of M", "slopes of K"), ("h",), _velocity),
    "christoffel": LawToShow(
        ("M", "christoffel"), ("symbols of M", "sums of symbols", "derivatives of M"), ("christoffel",), _christoffel
    ),
    "potential": LawToShow(("G", "P"), ("torques G", "energy P", "slopes of P"), ("G",), _potential),
    "linear": LawToShow(("tau",), ("torques tau", "parameters part", "matrix Y"), ("tau",), _linear),
    "definite": LawToShow(
        ("M",), ("matrix M", "matrix in numbers", "sign of minors"), ("M",), _definite, lambda _, state: state
    ),
    "equilibrium": LawToShow(
        ("G",), ("torques G", "vanishing torques", "stiffness part"), ("G",), _equilibrium, positions.equilibrium
    ),
}


def _listed(values: Iterable[float], words: Words) -> str:
    return words("listed").join(map(number, values))


def _rates(eq: Quantities) -> ExactArray:
    """Returns the column q̇."""
    return ExactArray.of(eq.ring, [eq.ring.rate(name) for name in eq.model.coordinates])


def _rate(eq: Quantities, array: ExactArray, name: str = "", symmetric: tuple[int, int] | None = None) -> ExactArray:
    """Returns the derivative of an array with respect to time. name, symmetric: those of the derivative"""
    rates: Any = [eq.ring.time_derivative(entry) for entry in array.entries]
    return ExactArray.of(eq.ring, nested(rates, array.shape), name, symmetric)


def _equation(short: Textbook, words: Words, left: Symbol, plain: ExactArray, uses: Iterable[str]) -> EquationBlock:
    """Returns the equation that gives a scalar, a column or a matrix its name, in short form."""
    array, named = short.written(plain), words.letters.instance(left)
    entries = [array.written(entry) for entry in array.entries]
    if not array.shape:
        return EquationBlock.of(left.text, [Equation(named, entries[0])], uses)
    rows = nested(entries, (*array.shape, 1)[:2])
    return EquationBlock.of(left.text, [Equation(named, Matrix(tuple(map(tuple, rows))))], uses)


def regression(short: Textbook) -> tuple[ExactArray, ExactArray]:
    """Returns Y, a row for each joint, and the column β of the constants that multiply it: τ = Y β.

    raises QddotError: torques with numbers in place of symbols
    """
    lumped = short if short.constants else Textbook(short.eq)
    torques = lumped.array("tau").entries
    rows = [dict(_by_constants(entry)) for entry in torques]
    constants = list(dict.fromkeys(each for row in rows for each in row))
    if not all(map(any, constants)):
        remedy = "use symbols for the masses, lengths and inertias of the arm, or leave this question out"
        raise QddotError(
            f"the question 'linear' needs symbols, but some constants of {short.eq.model.name} are numbers",
            remedy=remedy,
        )
    ring = torques[0].ring
    zero = Unreduced.of(ring, [])
    Y = [[lumped.sums.back(row.get(each, zero)) for each in constants] for row in rows]
    meanings = {name: lumped.sums.back(value) for name, value in lumped.constants.items()}
    beta = [lumped.sums.back(Unreduced.of(ring, [(each, Fraction(1))]), meanings) for each in constants]
    return ExactArray.of(short.eq.ring, Y), ExactArray.of(short.eq.ring, beta)


def _by_constants(entry: Terms) -> Iterator[tuple[Exponents, Unreduced]]:
    """Yields each product of constants in an entry, as exponents, and the sum of its coefficients."""
    moving = [moves(generator) or generator.kind in RATES for generator in entry.ring.generators]
    parts: dict[Exponents, list[tuple[Exponents, Fraction]]] = {}
    for exponents, factor in entry.terms():
        still = tuple(0 if k_moves else e for e, k_moves in zip(exponents, moving, strict=True))
        rest = tuple(e if k_moves else 0 for e, k_moves in zip(exponents, moving, strict=True))
        parts.setdefault(still, []).append((rest, factor))
    yield from ((still, Unreduced.of(entry.ring, terms)) for still, terms in parts.items())
