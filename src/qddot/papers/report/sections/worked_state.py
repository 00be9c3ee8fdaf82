"""Computes one state in numbers, so that a reader can follow the equations with a calculator."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.floats import Floats
from qddot.base.nested_lists import nested
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing import layout, legend
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Circular, Equation, Named, Symbol
from qddot.papers.report import units_of_constants
from qddot.papers.report.document import Block, EquationBlock, Inline, Paragraph, Section, Table
from qddot.papers.report.levels import WHOLE, Extent
from qddot.papers.report.sections import quasi_velocities
from qddot.papers.report.sections.blocks_of import is_shown, laid, measured, numbers, quantity
from qddot.papers.report.wording import Words
from qddot.physics.of_model import with_loads
from qddot.robot import units
from qddot.robot.model import Model

SIZES = (0.2, 0.1, 0.05)  # of q, q̇ and q̈ of the state
QUATERNION = (0.7, 0.1, -0.5, 0.5)  # its norm is 1
MATRICES = ("M", "C", "G")  # the matrices that are given in numbers


def worked_state(model: Model) -> tuple[dict[str, float], ...]:
    """Returns q, q̇ and q̈ of the state that is computed in numbers; joints that slide are extended, within limits."""
    sized = zip((model.positions, model.coordinates, model.coordinates), SIZES, strict=True)
    q, qd, qdd = ({name: round((-1) ** k * (k + 2) * size, 6) for k, name in enumerate(names)} for names, size in sized)
    for body in model.moving():
        name = str(body.joint.coordinate)
        if name in q:
            q[name] = _reached(
                q[name] if body.joint.kind.is_angle else abs(q[name]), body.joint.limits, model.defaults()
            )
    for freedoms in model.freedoms:
        q |= dict(zip(freedoms.quaternion, QUATERNION, strict=True))
    return q, qd, qdd


def _reached(value: float, limits: tuple[Expression, ...] | None, symbols: Mapping[str, float]) -> float:
    """Returns a coordinate of this size within its limits, or the middle between them."""
    if limits is None or any(not limit.symbols() <= symbols.keys() for limit in limits):
        return value
    lower, upper = (limit.value(symbols) for limit in limits)
    within = [each for each in (value, -value) if lower < each < upper]
    return within[0] if within else round((lower + upper) / 2, 2)


def section(short: Textbook, words: Words, extent: Extent = WHOLE) -> Section:
    """Returns the state, its sines and cosines, the constants, M, C, G and the torques, from the exact entries."""
    eq, title = short.eq, words("state")
    missing = [name for name in eq.ring.symbols if name not in eq.model.defaults() and name != "pi"]
    if missing:
        names = words.series(map(symbol, missing), "listed")
        return Section("state", title, (words.paragraph("no values", names=names),))
    q, qd, qdd = worked_state(eq.model)
    floats = with_loads(eq.model, Floats(eq.model.defaults(), q, qd, qdd))
    arrays = {name: eq.array(name) for name in MATRICES}
    numbers_of = {name: [entry.evaluate(floats) for entry in array.entries] for name, array in arrays.items()}
    values = {name: nested(numbers_of[name], (*array.shape, 1)[:2]) for name, array in arrays.items()}
    matrices = [block for name, rows in values.items() for block in _matrix(name, rows, words)]
    # the constants of a long arm would fill a page, and M, C and G do not need them
    first = [] if extent.excerpt else [*_functions(short, q, words), *_constants(short, words)]
    blocks = (words.paragraph("worked"), *_state(short, words), *first, *matrices)
    torques = (words.paragraph("worked torques"), _torques(short, floats, values, words))
    return Section("state", title, (*blocks, *torques))


def _matrix(name: str, rows: Sequence[Sequence[float]], words: Words) -> list[Block]:
    """Returns a matrix or a column of numbers with the units of its entries; nothing if it has no room on a page."""
    left, matrix = words.name(name), laid(measured(rows))
    if not layout.fits(matrix, layout.ON_PAPER):  # it only leads to the torques, which are given
        return []
    return [words.paragraph(f"worked {name}"), EquationBlock.of(f"state.{name}", [Equation(left, matrix)])]


def _state(short: Textbook, words: Words) -> list[Block]:
    """Returns a table of q, q̇ and q̈, or one of q and one of the velocities where joints have quasi-velocities."""
    model = short.eq.model
    q, qd, qdd = (
        [quantity(value, unit) for value, unit in zip(part.values(), units.of_coordinates(model, k), strict=True)]
        for k, part in enumerate(worked_state(model))
    )
    names = quasi_velocities.velocities(model)
    if not model.freedoms:
        return [_listed_by(names, {"q": q, "q̇": qd, "q̈": qdd}, words("joint"), words)]
    velocities = _listed_by(names, {"q̇": qd, "q̈": qdd}, words("velocity"), words)
    return [_listed_by(map(symbol, model.positions), {"q": q}, words("position"), words), velocities]


def _listed_by(names: Iterable[Symbol], columns: Mapping[str, Sequence[str]], title: str, words: Words) -> Table:
    rows = zip(names, *columns.values(), strict=True)
    return Table((title, *map(words.formula, columns)), tuple(rows), given=True)


def _functions(short: Textbook, q: dict[str, float], words: Words) -> list[Block]:
    """Returns a sentence with the sines and cosines that have short names."""
    arrays = filter(is_shown, map(short.array, ("M", "christoffel", "G")))
    functions = legend.shortened_functions(atom for array in arrays for atom in array.atoms())
    values = [(name, quantity(_value(function, q))) for name, function in functions]
    return [_listed("worked functions", values, words)] if values else []


def _value(function: Circular | Named, q: dict[str, float]) -> float:
    """Returns a sine or cosine of a sum of coordinates, or a product of such."""
    if isinstance(function, Named):
        pairs = ((base, exponent) for base, exponent in function.of.factors if isinstance(base, Circular))
        return math.prod(_value(base, q) ** exponent for base, exponent in pairs)
    angle = sum(float(times) * q[of] for of, times in function.angle.symbols)
    return float(getattr(math, function.kind)(angle))


def _constants(short: Textbook, words: Words) -> list[Block]:
    """Returns a sentence with the constants and their units."""
    values = short.values()
    unit_of = units_of_constants.of_constants(short) if values else {}
    listed = [(symbol(name), quantity(value, unit_of.get(name, ""))) for name, value in values.items()]
    return [_listed("worked constants", listed, words)] if listed else []


def _listed(sentence: str, values: Iterable[tuple[Inline, str]], words: Words) -> Paragraph:
    listed = (Paragraph((name, f"\u00a0=\u00a0{value}")) for name, value in values)
    return words.paragraph(sentence, values=words.series(listed, "listed"))._replace(result=True)


def _torques(short: Textbook, floats: Floats, values: dict[str, list[list[float]]], words: Words) -> Table:
    """Returns M q̈ + C q̇ + G + effects in the joints = τ, row by row."""
    eq = short.eq
    _, qd, qdd = (tuple(part.values()) for part in worked_state(eq.model))
    springs, friction, tau = (
        [entry.evaluate(floats) for entry in eq.array(name).entries] for name in ("springs", "friction", "tau")
    )
    others = [a + b for a, b in zip(springs, friction, strict=True)]
    gravity = [row[0] for row in values["G"]]
    columns = [_applied(values["M"], qdd), _applied(values["C"], qd), gravity]
    columns += [*([others] if any(others) else []), tau]
    names = quasi_velocities.velocities(eq.model)
    rows = zip(names, *map(numbers, columns), units.of_torques(eq.model), strict=True)
    head = words("velocity" if eq.model.freedoms else "joint")
    titles: list[Inline] = [head, *map(words.formula, ("M q̈", "C q̇", "G"))]
    titles += [*([words("other")] if any(others) else []), words.formula("τ"), words("unit")]
    return Table(tuple(titles), tuple(rows))


def _applied(rows: list[list[float]], vector: tuple[float, ...]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in rows]
