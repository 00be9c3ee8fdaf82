"""Works one state in numbers, so that a reader can follow the equations with a calculator."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.equations.arrays.exact_array import ExactArray
from qddot.forms.textbook import Textbook
from qddot.numbers.floats import Floats
from qddot.printing import legend
from qddot.printing.notation import symbol
from qddot.report.document import Block, Inline, Section, Table
from qddot.report.levels import WHOLE, Extent
from qddot.report.sections.blocks_of import is_shown, matrix, number, numbers
from qddot.report.wording import Words

SIZES = (0.2, 0.1, 0.05)  # of q, q̇ and q̈ of the state
COLUMNS = 6  # of a table of functions or constants


def worked_state(coordinates: Sequence[str]) -> tuple[dict[str, float], ...]:
    """Returns q, q̇ and q̈ of the state that is worked in numbers."""
    return tuple({name: round((-1) ** k * (k + 2) * size, 6) for k, name in enumerate(coordinates)} for size in SIZES)


def section(short: Textbook, words: Words, extent: Extent = WHOLE) -> Section:
    """Returns the state, its sines and cosines, the constants, M, C and the torques, from the exact entries."""
    eq, title = short.eq, words("state")
    missing = [name for name in eq.ring.symbols if name not in eq.model.defaults() and name != "pi"]
    if missing:
        return Section("state", title, (words.paragraph("no values", names=", ".join(missing)),))
    q, qd, qdd = worked_state(eq.model.coordinates)
    known = Floats(eq.model.defaults(), q, qd, qdd)
    M, C = (_rows(eq.array(name), known) for name in ("M", "C"))
    return Section(
        "state",
        title,
        (
            words.paragraph("worked"),
            _state(short, words),
            # of a long arm they are a page of numbers, which M and C do not need
            *([] if extent.excerpt else [*_functions(short, q, words), *_constants(short, words)]),
            words.paragraph("worked mass"),
            matrix(words.formula("M"), M),
            words.paragraph("worked coriolis"),
            matrix(words.formula("C"), C),
            words.paragraph("worked torques"),
            _torques(short, known, M, C, words),
        ),
    )


def _rows(array: ExactArray, known: Floats) -> list[list[float]]:
    values, width = [entry.evaluate(known) for entry in array.entries], array.shape[-1]
    return [values[k : k + width] for k in range(0, len(values), width)]


def _state(short: Textbook, words: Words) -> Table:
    parts = worked_state(short.eq.model.coordinates)
    rows: list[tuple[Inline, ...]] = [(symbol(name), *numbers(part[name] for part in parts)) for name in parts[0]]
    return Table((words("joint"), *map(words.formula, ("q", "q̇", "q̈"))), tuple(rows), given=True)


def _functions(short: Textbook, q: dict[str, float], words: Words) -> list[Block]:
    """Returns a table of the sines and cosines that have short names."""
    import math

    arrays = filter(is_shown, map(short.array, ("M", "christoffel", "G")))
    cells: list[Inline] = []
    for name, function in legend.shortened_functions(atom for array in arrays for atom in array.atoms()):
        angle = sum(float(times) * q[of] for of, times in function.angle.symbols)
        cells += [name, number(getattr(math, function.kind)(angle))]
    return [words.paragraph("worked functions"), _table(cells)] if cells else []


def _constants(short: Textbook, words: Words) -> list[Block]:
    cells: list[Inline] = [cell for name, value in short.values().items() for cell in (symbol(name), number(value))]
    return [words.paragraph("worked constants"), _table(cells)] if cells else []


def _table(cells: list[Inline]) -> Table:
    """Returns a table of names and values with some pairs a row."""
    width = 2 * COLUMNS
    filled = [*cells, *[""] * (-len(cells) % min(width, len(cells)))]
    width = min(width, len(filled))
    return Table(("",) * width, tuple(tuple(filled[k : k + width]) for k in range(0, len(filled), width)))


def _torques(short: Textbook, known: Floats, M: list[list[float]], C: list[list[float]], words: Words) -> Table:
    """Returns M q̈ + C q̇ + G + what acts in the joints = τ, row by row."""
    eq = short.eq
    _, qd, qdd = (tuple(part.values()) for part in worked_state(eq.model.coordinates))
    found = {
        name: [entry.evaluate(known) for entry in eq.array(name).entries]
        for name in ("G", "springs", "friction", "tau")
    }
    others = [a + b for a, b in zip(found["springs"], found["friction"], strict=True)]
    columns = [_applied(M, qdd), _applied(C, qd), found["G"], *([others] if any(others) else []), found["tau"]]
    rows = zip(map(symbol, eq.model.coordinates), *map(numbers, columns), strict=True)
    titles: list[Inline] = [words("joint"), *map(words.formula, ("M q̈", "C q̇", "G"))]
    titles += [*([words("other")] if any(others) else []), words.formula("τ")]
    return Table(tuple(titles), tuple(rows))


def _applied(rows: list[list[float]], vector: tuple[float, ...]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in rows]
