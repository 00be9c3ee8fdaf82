"""Loads rows of arrays as vectors over states and stores them back; W × W blocks are transposed in registers.

Rows of 64 bytes are stored in halves, which saves the last shuffles.
If the arithmetic is in doubles and the arrays are floats, whole rows are converted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from qddot.machine.compilers.llvm.registers import AVX_512, SUFFIXES, WIDTHS
from qddot.machine.compilers.llvm.writer import Writer

SCALAR_COLUMNS = 2  # for so few columns, transposing costs more than it saves: a pendulum takes 8.7 ns, not 9.0
RUN = 16  # bytes within which registers move numbers quickly


def groups(size: int, lanes: int) -> Iterator[range]:
    """Yields the columns of a row in groups of at most `lanes`."""
    for start in range(0, size, lanes):
        yield range(start, min(start + lanes, size))


def load(w: Writer, rows: Sequence[str], columns: range) -> list[str]:
    """Returns columns as vectors over the lanes; rows: the address of each lane's row"""
    of = w.of
    if len(columns) <= SCALAR_COLUMNS:
        return [_load_scalars(w, rows, column) for column in columns]
    v, loaded = of.elements, list[str]()
    for row in rows:
        at = w.at(row, columns.start, of.element)
        if len(columns) == of.lanes:
            whole = w.let(f"load {v}, ptr {at}, align {of.width}")
        else:
            whole = w.let(
                f"call {v} @llvm.masked.load.v{of.lanes}{SUFFIXES[of.element]}.p0"
                f"(ptr {at}, i32 {of.width}, {of.mask} {of.chosen(len(columns))}, {v} zeroinitializer)"
            )
        loaded.append(widened(w, whole))
    return _transposed(w, loaded)[: len(columns)]


def store(w: Writer, rows: Sequence[str], columns: range, values: Sequence[str]) -> None:
    """Stores vectors over the lanes into columns; rows: the address of each lane's row"""
    of = w.of
    if len(columns) <= SCALAR_COLUMNS:
        for column, value in zip(columns, values, strict=True):
            _store_scalars(w, rows, column, value)
        return
    if len(columns) == of.lanes and of.bytes == AVX_512 and not of.is_widened:
        _store_halves(w, rows, columns, values)
        return
    transposed = _transposed(w, [*values, *(["poison"] * (of.lanes - len(values)))])
    for row, value in zip(rows, transposed, strict=True):
        at, narrow = w.at(row, columns.start, of.element), _narrowed(w, value)
        if len(columns) == of.lanes:
            w.put(f"store {of.elements} {narrow}, ptr {at}, align {of.width}")
        elif of.bytes >= AVX_512:  # AVX-512 stores a part of a register as quickly as the whole
            arguments = f"{of.elements} {narrow}, ptr {at}, i32 {of.width}, {of.mask} {of.chosen(len(columns))}"
            w.put(f"call void @llvm.masked.store.v{of.lanes}{SUFFIXES[of.element]}.p0({arguments})")
        else:
            _store_pieces(w, narrow, at, len(columns))


def _store_halves(w: Writer, rows: Sequence[str], columns: range, values: Sequence[str]) -> None:
    """Stores half rows; a vector holds those of two lanes."""
    of, run = w.of, RUN // w.of.width
    half, transposed = of.lanes // 2, _transposed_runs(w, values, run)
    for start, row, pair in product((0, half), range(run), (0, 1)):
        firsts = [k * run for k in (2 * pair, 2 * pair + 1)]
        picks = [behind + first + k for first in firsts for behind in (0, of.lanes) for k in range(run)]
        both = _shuffled(w, transposed[start + row], transposed[start + run + row], picks)
        for k, lane in enumerate(first + row for first in firsts):
            own = _shuffled(w, both, "poison", range(k * half, (k + 1) * half))
            at = w.at(rows[lane], columns.start + start, of.element)
            w.put(f"store <{half} x {of.element}> {own}, ptr {at}, align {of.width}")


def _store_pieces(w: Writer, row: str, at: str, count: int) -> None:
    """Stores the first numbers of a row, in pieces whose lengths are powers of two."""
    of, start = w.of, 0
    for size in reversed(_powers(of.lanes)):
        if count & size:
            to, places = w.at(at, start, of.element), _places(range(start, start + size))
            piece = w.let(f"shufflevector {of.elements} {row}, {of.elements} poison, {places}")
            w.put(f"store <{size} x {of.element}> {piece}, ptr {to}, align {of.width}")
            start += size


def widened(w: Writer, value: str) -> str:
    """Returns a loaded vector, converted to its type in registers."""
    return w.let(f"fpext {w.of.elements} {value} to {w.v}") if w.of.is_widened else value


def _narrowed(w: Writer, value: str) -> str:
    """Returns a vector, converted to its type in arrays."""
    return w.let(f"fptrunc {w.v} {value} to {w.of.elements}") if w.of.is_widened else value


def _transposed(w: Writer, rows: Sequence[str]) -> list[str]:
    """Transposes a square of rows: numbers are interleaved within runs, then runs are exchanged between rows.

    A run has 128 bits, within which registers move numbers quickly.
    """
    lanes = w.of.lanes
    run = min(RUN // WIDTHS[w.of.real], lanes)
    transposed = _transposed_runs(w, rows, run)
    for step in (step for step in _powers(lanes) if step >= run):
        transposed = _exchanged(w, transposed, step, [_dealt(half, run, lanes) for half in (0, 1)])
    return transposed


def _transposed_runs(w: Writer, rows: Sequence[str], run: int) -> list[str]:
    """Transposes the squares of numbers in runs, by interleaving."""
    transposed, lanes = [*rows], w.of.lanes
    for step in reversed([step for step in _powers(lanes) if step < run]):
        transposed = _exchanged(w, transposed, step, [_interleaved(half, run, lanes) for half in (0, 1)])
    return transposed


def _exchanged(w: Writer, rows: Sequence[str], step: int, picks: Sequence[Sequence[int]]) -> list[str]:
    """Exchanges numbers between rows that are a step apart; picks: the numbers that each of the two gets"""
    exchanged = [*rows]
    for i in (k for k in range(w.of.lanes) if not k & step):
        for row, order in zip((i, i + step), picks, strict=True):
            exchanged[row] = _shuffled(w, rows[i], rows[i + step], order)
    return exchanged


def _shuffled(w: Writer, a: str, b: str, picks: Sequence[int]) -> str:
    """Returns a vector of numbers from two others; picks: their places in the concatenation of both"""
    return w.let(f"shufflevector {w.v} {a}, {w.v} {b}, {_places(picks)}")


def _places(picks: Sequence[int]) -> str:
    return f"<{len(picks)} x i32> <" + ", ".join(f"i32 {pick}" for pick in picks) + ">"


def _powers(below: int) -> list[int]:
    return [1 << k for k in range(below.bit_length()) if 1 << k < below]


def _interleaved(half: int, run: int, lanes: int) -> list[int]:
    """Returns the places, in the concatenation of two rows, of one half of each run; the rows alternate."""
    firsts = (start + half * run // 2 + k for start in range(0, lanes, run) for k in range(run // 2))
    return [place for first in firsts for place in (first, lanes + first)]


def _dealt(half: int, run: int, lanes: int) -> list[int]:
    """Returns the places, in the concatenation of two rows, of every other run."""
    return [place for place in range(2 * lanes) if place // run % 2 == half]


def _load_scalars(w: Writer, rows: Sequence[str], column: int) -> str:
    """Returns a column of rows as a vector, number by number."""
    of, whole = w.of, "poison"
    for lane, row in enumerate(rows):
        x = w.read(of.element, row, column)
        whole = w.let(f"insertelement {of.elements} {whole}, {of.element} {x}, i32 {lane}")
    return widened(w, whole)


def _store_scalars(w: Writer, rows: Sequence[str], column: int, value: str) -> None:
    """Stores a vector into a column of rows, number by number."""
    of, whole = w.of, _narrowed(w, value)
    for lane, row in enumerate(rows):
        x = w.let(f"extractelement {of.elements} {whole}, i32 {lane}")
        w.write(of.element, x, row, column)
