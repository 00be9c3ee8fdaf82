"""Writes a report's sections on a closed chain: its conditions, coefficients and equations, and a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.closed.coefficients import Quotient
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.equations.quantity_names import indices, subscript
from qddot.exact.forms.textbook.closed_textbook import ClosedTextbook
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Equation, Matrix, Product, Sum, Symbol
from qddot.papers.report.document import Block, Cell, EquationBlock, Inline, Paragraph, Section, Table
from qddot.papers.report.finished_parts import ClosedState
from qddot.papers.report.formula import Formula, arithmetic
from qddot.papers.report.levels import FULL, LECTURE, MOST_TERMS, SUMMARY
from qddot.papers.report.sections import proved, quasi_velocities
from qddot.papers.report.sections.blocks_of import (
    DIGITS,
    constants,
    equations,
    is_long,
    laid,
    legend_of,
    measured,
    number,
    quantity,
    symbols,
)
from qddot.papers.report.wording import Words
from qddot.robot import units
from qddot.robot.bodies import BASE

EFFECTS = ("springs", "friction")
PLACES = 4  # digits of the configuration and of the determinant of a proof
GREEK_SIGNS = {"kappa": "κ", "rho": "ρ"}  # of coefficients


def conditions(eq: ReducedEquations, words: Words, after: Iterable[Block]) -> Section:
    """Returns the loops and wheels, their independent conditions φ = 0, and A.

    after: the blocks that follow, whose sines and cosines are explained here
    """
    blocks = closing(eq, words)
    model = eq.model
    count = sum(loop.conditions.number for loop in model.loops) + sum(len(each.axes) for each in model.rolling)
    numbers = {"all": str(count), "number": str(len(eq.choice.conditions)), "m": str(len(eq.independent))}
    rest = "all" if count == len(eq.choice.conditions) else "near" if eq.choice.near else "some"
    told = words.with_traits(rest, "one" if len(eq.independent) == 1 else "several")
    blocks.append(told.paragraph("independent", names=symbols(independent(eq)), **numbers))
    phi, A = eq.array("phi"), eq.array("A")
    written = [words.paragraph("phi"), *equations(phi, words)] if model.loops else []
    written += [of_conditions(eq, words).paragraph("A"), *equations(A, words, uses=("phi",) if model.loops else ())]
    return Section("conditions", words("conditions"), (*blocks, *written, *legend_of([*written, *after], words)))


def of_conditions(eq: ReducedEquations, words: Words) -> Words:
    """Returns the words for conditions of loops, of wheels, or of both."""
    kind = "loops" if eq.model.loops else "wheels_alone"
    return words.with_traits(kind, *(["wheels"] if eq.model.loops and eq.model.rolling else []))


def closing(eq: ReducedEquations, words: Words) -> list[Block]:
    """Returns the tables of the loops and of the wheels."""
    return [*_loops(eq, words), *_wheels(eq, words)]


def _loops(eq: ReducedEquations, words: Words) -> list[Block]:
    rows: list[tuple[Cell, ...]] = []
    for loop in eq.model.loops:
        rod = loop.length is not None
        kind: Cell = words.paragraph("rod of", length=arithmetic(str(loop.length))) if rod else words(loop.type)
        rows.append((loop.name, kind, *(_link(name, words) for name in loop.links), str(loop.conditions.number)))
    titles = map(words, ("loop", "loop type", "first frame", "second frame", "number of conditions"))
    return [words.paragraph("loops said"), Table(tuple(titles), tuple(rows), given=True)] if rows else []


def _wheels(eq: ReducedEquations, words: Words) -> list[Block]:
    rows = [
        (each.name, _link(each.wheel, words), _link(each.ground, words), each.contact, ", ".join(each.directions))
        for each in eq.model.rolling
    ]
    titles = map(words, ("rolling", "link title", "rolls on", "contact", "directions"))
    return [words.paragraph("wheels said"), Table(tuple(titles), tuple(rows), given=True)] if rows else []


def _link(name: str, words: Words) -> str:
    return words("base link") if name == BASE else words.link(name)


def coefficients(eq: ReducedEquations, words: Words, level: str) -> Section:
    """Returns R, and what defines its entries and their derivatives: quotients, or equations where these are long.

    level: "full" writes all quotients; a summary has R alone
    """
    of = eq.coefficients
    blocks = [words.paragraph("R"), *whole(eq.array("R"), words), *_implied(eq, words, level)]
    lists = [of.first_named, of.second_named]
    definitions = _Definitions(words)
    for key, part in zip(("first", "second"), lists if level != SUMMARY else (), strict=False):
        terms = sum(len(side) for each in part for side in each[1:])
        if part and (level == FULL or terms <= MOST_TERMS[LECTURE]):
            blocks += [words.paragraph(key), definitions.block(key, part)]
        elif part:
            counts = {"number": str(len(part)), "terms": f"{terms:,}"}
            blocks.append(words.paragraph(f"{key} solved", **_laws(eq, words), **counts))
            blocks += [_right_sides(eq, words)] if key == "second" else []
    blocks += [] if any(lists) or of.implied_rows else [words.paragraph("constant")]
    return Section("coefficients", words("coefficients"), tuple(blocks))


def _implied(eq: ReducedEquations, words: Words, level: str) -> list[Block]:
    """Returns what defines coefficients without quotients: the linear equations that they solve."""
    if not (rows := eq.coefficients.implied_rows):
        return []
    blocks: list[Block] = [words.paragraph("first implied", number=str(len(rows)))]
    if level != SUMMARY:
        blocks.append(words.paragraph("second implied", **_laws(eq, words)))
    if level == FULL:
        blocks += [words.paragraph("right sides"), _right_sides(eq, words)]
    return blocks


def letter_of(eq: ReducedEquations) -> str:
    """Returns the letter of the kinematic coefficients."""
    return GREEK_SIGNS.get(eq.coefficients.letter, eq.coefficients.letter)


def _laws(eq: ReducedEquations, words: Words) -> dict[str, Formula]:
    """Returns a coefficient, its derivative, and the equation of the derivatives, with letters as indices."""
    letter = letter_of(eq)
    first, second = f"{letter}_nj", f"{letter}_{{nj,k}}"
    laws = {"first": first, "second": second, "law": f"Σ_n A_in {second} = b_{{ij,k}}"}
    return {name: words.formula(law) for name, law in laws.items()}


def _right_sides(eq: ReducedEquations, words: Words) -> EquationBlock:
    """Returns b_ij,k in A Ṙ + Ȧ R = 0: minus Ȧ R along the motion with the rate of one independent coordinate alone."""
    of, listed = eq.coefficients, list[Equation]()
    for j, l in of.pairs:
        numbers = [eq.choice.independent[k] for k in (j, l)]
        for i, right in enumerate(of.right_sides(j, l)):
            if right:
                place, last = (i, numbers[0]), numbers[1] + 1
                name = Symbol(f"b{indices(place)}_{last}", "b", f"{subscript(place)},{last}")
                listed.append(Equation(words.letters.instance(name), _written(-of.ring.convert(right))))
    return EquationBlock.of("second", listed)


def whole(array: Printed, words: Words) -> list[Block]:
    """Returns a matrix as one equation if it has room, else its entries."""
    listed = list(array.whole_equations())
    if len(listed) == 1 and isinstance(listed[0].right, Matrix):
        (matrix,) = listed
        return [EquationBlock.of(array.name, [matrix._replace(left=words.letters.instance(matrix.left))], ("A",))]
    return equations(array, words, uses=("A",))


class _Definitions:
    """These are definitions of coefficients, which share their denominators; each of these is written once."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._denominators: dict[str, Symbol] = {}

    def block(self, key: str, quotients: Sequence[Quotient]) -> Block:
        return EquationBlock.of(key, [line for each in quotients for line in self._lines(each)])

    def _lines(self, quotient: Quotient) -> Iterator[Equation]:
        """Yields the definition of a denominator that is new, and that of a coefficient: numerator · D⁻¹."""
        top, bottom = (_written(part) for part in quotient[1:])
        key = str(quotient.denominator)
        if key not in self._denominators:
            place = str(len(self._denominators) + 1)
            name = self.words.letters.instance(Symbol(f"D{place}", "D", place))
            self._denominators[key] = name
            yield Equation(name, bottom)
        inverse = (self._denominators[key], -1)
        if len(top.products) == 1:
            (only,) = top.products
            factors = (*only.factors, inverse)
            yield Equation(symbol(quotient.name), top._replace(products=(only._replace(factors=factors),)))
        else:
            yield Equation(symbol(quotient.name), Sum((Product(top.products[0].number ** 0, (inverse, (top, 1))),)))


def _written(part: object) -> Sum:
    array = ExactArray.of(part.ring, [part])  # type: ignore[attr-defined]
    return array.written(array.entries[0])


def motion(eq: ReducedEquations, words: Words, level: str, short: ClosedTextbook | None = None) -> Section:
    """Returns M, C, G and the effects in the joints, in independent coordinates, with six digits of long numbers.

    C of a chain whose coefficients have no quotients is long, and is in reports of level "full" alone
    short: the same equations in short form, if they are to be written so; it is proved first
    """
    brief = bool(eq.coefficients.implied_rows) and level != FULL
    names = [*(("M", "G") if brief or level == SUMMARY else ("M", "C", "G")), *filter(eq.array, EFFECTS)]
    if short:
        proved.check(short, names)
    arrays: list[Printed] = [(short or eq).array(name) for name in names]
    long = any(is_long(array.written(entry)) for array in arrays for entry in array.entries)
    law = (words.with_traits("rounded") if long else words).paragraph("closed law")
    blocks: list[Block] = []
    for array in arrays:
        shown = array.rounded(DIGITS) if long else array
        blocks += [words.paragraph(f"closed {array.name}"), *equations(shown, words)]
    blocks = [law, *(constants(short, words, blocks) if short else []), *blocks]
    blocks += [words.paragraph("long C", terms=f"{eq.array('C').terms:,}")] if brief and level != SUMMARY else []
    return Section("equations", words("equations"), tuple(blocks))


def proved_where(eq: ReducedEquations, certificate: Certificate, words: Words) -> Paragraph:
    """Returns the sentences on the closed configurations about which the identities are, or that there are none."""
    told = words.with_traits(*("loops",) * bool(eq.model.loops), *(each.verdict for each in certificate.identities))
    if not certificate.configuration:
        return told.paragraph("proved without" if certificate.note else "proved nowhere")
    names, values = zip(*certificate.configuration, strict=True)
    determinant = number(sum(certificate.determinant) / 2, PLACES)
    place = ", ".join(number(value, PLACES) for value in values)
    return told.paragraph("proved where", q=symbols(map(symbol, names)), place=place, determinant=determinant)


def configuration(eq: ReducedEquations, state: ClosedState, words: Words) -> Section:
    """Returns a closed configuration with its radius, the mass matrix there, and the torques that hold it still."""
    tree = eq.model.tree
    sentence = "proved closed" if eq.model.loops else "any configuration"
    rows = tuple(
        (symbol(name), quantity(value, unit))
        for name, value, unit in zip(tree.positions, state.q, units.of_coordinates(tree), strict=True)
    )
    place, rate = ("position", "velocity") if tree.freedoms else ("coordinate title",) * 2
    titles: Iterable[Inline] = (words(place), words("value"))
    blocks: list[Block] = [
        words.paragraph(sentence, radius=number(state.radius, 2)),
        Table(tuple(titles), rows),
        words.paragraph("M there"),
        EquationBlock.of("state.M", [Equation(words.name("M"), laid(measured(state.M)))]),
        words.paragraph("holding"),
        Table((words(rate), words.formula("Rᵀ τ")), tuple(_holding(eq, state))),
    ]
    return Section("state", words("closed"), tuple(blocks))


def _holding(eq: ReducedEquations, state: ClosedState) -> Iterator[tuple[Cell, ...]]:
    """Yields the torques along the independent coordinates, by their names."""
    every = units.of_torques(eq.model.tree)
    for name, place, torque in zip(independent(eq), eq.choice.independent, state.holding, strict=True):
        yield name, quantity(torque, every[place])


def independent(eq: ReducedEquations) -> list[Symbol]:
    """Returns the names of the independent coordinates, or of the independent velocities where some are no rates."""
    listed = quasi_velocities.velocities(eq.model.tree)
    return [listed[k] for k in eq.choice.independent]
