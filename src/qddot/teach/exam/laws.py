"""Shows laws for one arm or closed chain: both sides of each law are computed, and they are equal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import QddotError
from qddot.base.nested_lists import nested
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook.rewriting.states import moves
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.reading_order import RATES
from qddot.exact.printing.tree import Equation, Matrix, Symbol
from qddot.papers.report.document import Block, EquationBlock
from qddot.papers.report.sections.blocks_of import equations, measured, number, symbols
from qddot.papers.report.wording import Words
from qddot.teach.exam import positions
from qddot.teach.exam.examined import Examined
from qddot.teach.exam.states import DrawnState

Uses = Callable[..., Iterable[str]]  # the keys of quantities' names, for derived quantities
Exponents = tuple[int, ...]


class LawToShow(NamedTuple):
    """This is a law that an exam may ask a candidate to show.

    needs: the quantities that are derived first; parts: the keys of the words for each part that has marks
    checked: the quantities that are the first part, which `qddot check` marks
    sides: writes both sides of the law; its arguments are what is examined, the words, a function from names of
        quantities to the keys of their equations, and a state
    position: finds the position in which the law is to be shown, for a law of one position
    by_slopes: whether it holds only if torques follow from the energies by derivatives, as they do without wheels
    """

    needs: tuple[str, ...]
    parts: tuple[str, ...]
    checked: tuple[str, ...]
    sides: Callable[[Examined, Words, Uses, DrawnState], Iterator[Block]]
    position: Callable[[Quantities, DrawnState], DrawnState] | None = None
    by_slopes: bool = False


def _skew(of: Examined, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields Ṁ, then Ṁ − 2C, and the proof that it is skew-symmetric."""
    eq = of.eq
    rate = _rate(eq, eq.array("M"), "M_rate", (0, 1))
    yield words.paragraph("mass rate")
    yield from equations(of.short.written(rate), words, "M_rate", uses("M"))
    yield words.paragraph("skew matrix")
    yield _equation(of, words, Symbol("S", "S"), rate - eq.array("C") * 2, (*uses("C"), "M_rate"))
    yield words.paragraph("skew shown")


def _power(of: Examined, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the rate of the energy and the power of the torques, which are the same expression."""
    eq = of.eq
    springs = ExactArray.of(eq.ring, eq.dynamics.spring_energy())
    energy = eq.array("K") + eq.array("P") + springs
    yield words.paragraph("energy rate")
    yield _equation(of, words, Symbol("Ed", "E", dots=1), _rate(eq, energy), uses("K", "P"))
    yield words.paragraph("power")
    power = _rates(eq) @ (eq.array("tau") - eq.array("friction"))
    yield _equation(of, words, Symbol("Wd", "W", dots=1), power, uses("tau"))
    yield words.paragraph("power shown")


def _velocity(of: Examined, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields Ṁ q̇ and ∂K/∂q, whose difference is the velocity torques."""
    eq = of.eq
    yield words.paragraph("momentum rate")
    letter = "v" if of.is_closed else "u"  # u are the rates of a chain
    yield _equation(of, words, Symbol(letter, letter), _rate(eq, eq.array("M")) @ _rates(eq), uses("M"))
    yield words.paragraph("energy slopes")
    yield _equation(of, words, Symbol("w", "w"), positions.slopes(eq, eq.array("K")), uses("K"))
    yield words.paragraph("velocity shown")


def _christoffel(of: Examined, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the sums Γ_ijk + Γ_jik, which are the derivatives of M."""
    eq, n = of.eq, range(of.eq.n)
    symbols = eq.array("christoffel")
    entries = [[[(symbols[i, j, k] + symbols[j, i, k]).entries[0] for k in n] for j in n] for i in n]
    sums = of.short.written(ExactArray.of(eq.ring, entries, "sigma", (0, 1)))
    yield words.paragraph("sums")
    yield from equations(sums, words, "sigma", uses("christoffel"))
    yield words.paragraph("christoffel shown")


def _potential(of: Examined, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the derivatives of P, which are the gravity torques."""
    yield words.paragraph("potential slopes")
    yield _equation(of, words, Symbol("y", "y"), positions.slopes(of.eq, of.eq.array("P")), uses("P"))
    yield words.paragraph("potential shown")


def _linear(of: Examined, words: Words, uses: Uses, _: DrawnState) -> Iterator[Block]:
    """Yields the constants in which the torques are linear, and their coefficients, which do not contain them."""
    Y, beta = regression(of)
    yield words.paragraph("constants of torques")
    yield _equation(of, words, Symbol("beta", "beta"), beta, ())
    yield words.paragraph("regressor")
    yield _equation(of, words, Symbol("Y", "Y"), Y, uses("tau"))
    yield words.paragraph("linear shown")


def _definite(of: Examined, words: Words, _: Uses, state: DrawnState) -> Iterator[Block]:
    """Yields M in a position, and its leading principal minors."""
    rows = positions.rows(of.eq, of.eq.array("M"), state)
    yield words.paragraph("in state")
    yield EquationBlock.of("state.definite.M", [Equation(words.letters.name("M"), measured(rows))])
    yield words.paragraph("minors", values=_listed(positions.minors(rows), words))
    yield words.paragraph("definite shown")


def _equilibrium(of: Examined, words: Words, uses: Uses, state: DrawnState) -> Iterator[Block]:
    """Yields the torques, which vanish in a position, and the stiffness, which decides about stability."""
    stiffness = positions.stiffness(of.eq)
    rows = positions.rows(of.eq, stiffness, state)
    minors = positions.minors(rows)
    yield words.paragraph("at rest")
    yield words.paragraph("stiffness")
    yield _equation(of, words, Symbol("kappa", "kappa"), stiffness, uses("G"))
    yield words.paragraph("in state")
    yield EquationBlock.of("state.equilibrium.kappa", [Equation(Symbol("kappa", "kappa"), measured(rows))])
    yield words.paragraph("minors", values=_listed(minors, words))
    yield words.paragraph("stable" if all(minor > 0 for minor in minors) else "unstable")


def _mobility(of: Examined, words: Words, uses: Uses, state: DrawnState) -> Iterator[Block]:
    """Yields A in a position, and the determinant of its dependent columns, which gives its rank."""
    A, A_d = (positions.rows(of.eq, of.eq.array(name), state) for name in ("A", "A_d"))
    yield words.paragraph("in state")
    yield EquationBlock.of("state.mobility.A", [Equation(Symbol("A", "A"), measured(A))], uses("A"))
    dependent = symbols(symbol(name) for name in of.dependent)
    determinant = number(positions.minors(A_d)[-1]) if A_d else "1"
    yield words.paragraph("determinant", dependent=dependent, determinant=determinant)
    counts = {"n": of.eq.model.n, "rank": len(A_d), "m": of.eq.n}
    yield words.paragraph("mobility shown", **{name: str(count) for name, count in counts.items()})


LAWS: Mapping[str, LawToShow] = {
    "skew": LawToShow(("C",), ("matrix C", "rate of M", "difference"), ("C",), _skew),
    "power": LawToShow(("K", "P", "tau"), ("energies part", "rate of energy", "power of torques"), ("K", "P"), _power),
    "velocity": LawToShow(("h", "K"), ("torques h", "term of M", "slopes of K"), ("h",), _velocity, by_slopes=True),
    "christoffel": LawToShow(
        ("M", "christoffel"),
        ("symbols of M", "sums of symbols", "derivatives of M"),
        ("christoffel",),
        _christoffel,
        by_slopes=True,
    ),
    "potential": LawToShow(("G", "P"), ("torques G", "energy P", "slopes of P"), ("G",), _potential),
    "linear": LawToShow(("tau",), ("torques tau", "parameters part", "matrix Y"), ("tau",), _linear),
    "definite": LawToShow(
        ("M",), ("matrix M", "matrix in numbers", "sign of minors"), ("M",), _definite, lambda _, state: state
    ),
    "equilibrium": LawToShow(
        ("G",), ("torques G", "vanishing torques", "stiffness part"), ("G",), _equilibrium, positions.equilibrium
    ),
    "mobility": LawToShow(
        ("A",), ("matrix A", "determinant part", "count of velocities"), ("A",), _mobility, lambda _, state: state
    ),
}
OF_ARMS = tuple(name for name in LAWS if name != "mobility")
OF_CHAINS = tuple(name for name in LAWS if name != "equilibrium")


def laws_of(of: Examined) -> tuple[str, ...]:
    """Returns the names of the laws that hold for what is examined, and that an exam may ask."""
    names = OF_CHAINS if of.is_closed else OF_ARMS
    return tuple(name for name in names if of.eq.has_lagrangian or not LAWS[name].by_slopes)


def _listed(values: Iterable[float], words: Words) -> str:
    return words("listed").join(map(number, values))


def _rates(eq: Quantities) -> ExactArray:
    """Returns the column of the velocities."""
    return ExactArray.of(eq.ring, [eq.ring.rate(name) for name in eq.velocities])


def _rate(eq: Quantities, array: ExactArray, name: str = "", symmetric: tuple[int, int] | None = None) -> ExactArray:
    """Returns the derivative of an array with respect to time. name, symmetric: those of the derivative"""
    rates: Any = list(map(eq.rate, array.entries))
    return ExactArray.of(eq.ring, nested(rates, array.shape), name, symmetric, array.display)


def _equation(of: Examined, words: Words, left: Symbol, plain: ExactArray, uses: Iterable[str]) -> EquationBlock:
    """Returns the equation that gives a scalar, a column or a matrix its name, in short form."""
    array, named = of.short.written(plain), words.letters.instance(left)
    entries = [array.written(entry) for entry in array.entries]
    if not array.shape:
        return EquationBlock.of(left.text, [Equation(named, entries[0])], uses)
    rows = nested(entries, (*array.shape, 1)[:2])
    return EquationBlock.of(left.text, [Equation(named, Matrix(tuple(map(tuple, rows))))], uses)


def regression(of: Examined) -> tuple[ExactArray, ExactArray]:
    """Returns Y, a row for each joint, and the column β of the constants that multiply it: τ = Y β.

    raises QddotError: torques with numbers in place of symbols
    """
    lumped = of.lumped
    torques = lumped.array("tau").entries
    rows = [dict(_by_constants(entry, of.coefficients)) for entry in torques]
    constants = list(dict.fromkeys(each for row in rows for each in row))
    if not all(map(any, constants)):
        raise QddotError("linear-needs-symbols", name=of.eq.model.name)
    ring = torques[0].ring
    zero = Unreduced.of(ring, [])
    Y = [[lumped.sums.back(row.get(each, zero)) for each in constants] for row in rows]
    meanings = {name: lumped.sums.back(value) for name, value in lumped.constants.items()}
    beta = [lumped.sums.back(Unreduced.of(ring, [(each, Fraction(1))]), meanings) for each in constants]
    return ExactArray.of(of.eq.ring, Y), ExactArray.of(of.eq.ring, beta)


def _by_constants(entry: Terms, changing: Collection[str]) -> Iterator[tuple[Exponents, Unreduced]]:
    """Yields each product of constants in an entry, as exponents, and the sum of its coefficients.

    changing: the names of what changes besides the state: kinematic coefficients
    """
    moving = [moves(g) or g.kind in RATES or g.name in changing for g in entry.ring.generators]
    parts: dict[Exponents, list[tuple[Exponents, Fraction]]] = {}
    for exponents, factor in entry.terms():
        still = tuple(0 if k_moves else e for e, k_moves in zip(exponents, moving, strict=True))
        rest = tuple(e if k_moves else 0 for e, k_moves in zip(exponents, moving, strict=True))
        parts.setdefault(still, []).append((rest, factor))
    yield from ((still, Unreduced.of(entry.ring, terms)) for still, terms in parts.items())
