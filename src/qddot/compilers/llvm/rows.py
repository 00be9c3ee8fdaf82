"""Loads rows of arrays as vectors over states and stores them back; it transposes W × W blocks in registers.

Rows of 64 bytes are stored in halves, which saves the last shuffles.
Where the arithmetic is double and the arrays are floats, rows are widened and rounded whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from qddot.compilers.llvm.registers import AVX_512, SUFFIXES, WIDTHS, Vectors

SCALAR_COLUMNS = 2  # with so few columns, transposing costs more than it saves
RUN = 16  # bytes within which registers move numbers quickly


def groups(size: int, lanes: int) -> Iterator[range]:
    """Yields the columns of a row in groups of at most `lanes`."""
    for start in range(0, size, lanes):
        yield range(start, min(start + lanes, size))


def load(name: str, side: str, columns: range, of: Vectors) -> Iterator[str]:
    """Yields the lines that load columns of each lane's row as vectors %{name}.c{column} over the lanes."""
    if len(columns) <= SCALAR_COLUMNS:
        yield from _load_scalars(name, side, columns, of)
        return
    v, mask, rows = of.elements, of.chosen(len(columns)), []
    for lane in range(of.lanes):
        row = f"%{name}.{columns.start}.r{lane}"
        stored = f"{row}.narrow" if of.is_widened else row
        yield f"  {row}.at = getelementptr {of.element}, ptr %{side}.{lane}, i64 {columns.start}"
        if len(columns) == of.lanes:
            yield f"  {stored} = load {v}, ptr {row}.at, align {of.width}"
        else:
            yield (
                f"  {stored} = call {v} @llvm.masked.load.v{of.lanes}{SUFFIXES[of.element]}.p0"
                f"(ptr {row}.at, i32 {of.width}, {of.mask} {mask}, {v} zeroinitializer)"
            )
        if of.is_widened:
            yield f"  {row} = fpext {v} {stored} to {of.reals}"
        rows.append(row)
    yield from _turned(f"{name}.{columns.start}", rows, of)
    for k, column in enumerate(columns):
        yield f"  %{name}.c{column} = bitcast {of.reals} {rows[k]} to {of.reals}"


def store(name: str, side: str, columns: range, values: list[str], of: Vectors) -> Iterator[str]:
    """Yields the lines that store vectors over the lanes into columns of each lane's row."""
    v = of.elements
    if len(columns) <= SCALAR_COLUMNS:
        yield from _store_scalars(name, side, columns, values, of)
        return
    if len(columns) == of.lanes and of.bytes == AVX_512 and not of.is_widened:
        yield from _store_halves(name, side, columns, values, of)
        return
    rows = [*values, *(["poison"] * (of.lanes - len(values)))]
    yield from _turned(f"{name}.{columns.start}", rows, of)
    for lane in range(of.lanes):
        at, row = f"%{name}.{columns.start}.r{lane}.at", rows[lane]
        yield f"  {at} = getelementptr {of.element}, ptr %{side}.{lane}, i64 {columns.start}"
        if of.is_widened:
            row = f"%{name}.{columns.start}.r{lane}.narrow"
            yield f"  {row} = fptrunc {of.reals} {rows[lane]} to {v}"
        if len(columns) == of.lanes:
            yield f"  store {v} {row}, ptr {at}, align {of.width}"
        elif of.bytes >= AVX_512:  # which stores a part of a register as quickly as the whole
            yield f"  {masked_store(row, at, of.chosen(len(columns)), of)}"
        else:
            yield from _store_pieces(row, at, len(columns), of)


def _store_halves(name: str, side: str, columns: range, values: list[str], of: Vectors) -> Iterator[str]:
    """Yields the stores of half rows, of which a vector has those of two lanes."""
    rows, run, half = [*values], RUN // of.width, of.lanes // 2
    yield from _turned_inside(f"{name}.{columns.start}", rows, run, of)
    for start, row, pair in product((0, half), range(run), (0, 1)):
        left, right = rows[start + row], rows[start + run + row]
        runs = [k * run for k in (2 * pair, 2 * pair + 1)]
        both, column = f"%{name}.{columns.start}.h{start}.{row}.{pair}", columns.start + start
        picks = [behind + first + k for first in runs for behind in (0, of.lanes) for k in range(run)]
        yield f"  {both} = shufflevector {of.reals} {left}, {of.reals} {right}, {_places(picks)}"
        for k, lane in enumerate(first + row for first in runs):
            own = _places(range(k * half, (k + 1) * half))
            yield f"  {both}.{k} = shufflevector {of.reals} {both}, {of.reals} poison, {own}"
            yield f"  {both}.{k}.at = getelementptr {of.element}, ptr %{side}.{lane}, i64 {column}"
            yield f"  store <{half} x {of.element}> {both}.{k}, ptr {both}.{k}.at, align {of.width}"


def _store_pieces(row: str, at: str, count: int, of: Vectors) -> Iterator[str]:
    """Yields the stores of the first numbers of a row, in pieces of powers of two."""
    start = 0
    for size in reversed([*_powers(of.lanes)]):
        if count & size:
            piece, places = f"{row}.{start}", _places(range(start, start + size))
            yield f"  {piece}.at = getelementptr {of.element}, ptr {at}, i64 {start}"
            yield f"  {piece} = shufflevector {of.elements} {row}, {of.elements} poison, {places}"
            yield f"  store <{size} x {of.element}> {piece}, ptr {piece}.at, align {of.width}"
            start += size


def masked_store(value: str, to: str, mask: str, of: Vectors) -> str:
    """Returns the call that stores the lanes of a vector that are set in a mask."""
    arguments = f"{of.elements} {value}, ptr {to}, i32 {of.width}, {of.mask} {mask}"
    return f"call void @llvm.masked.store.v{of.lanes}{SUFFIXES[of.element]}.p0({arguments})"


def declarations(of: Vectors) -> Iterator[str]:
    """Yields the declarations of the intrinsics that `load` and `store` call."""
    v, m, suffix = of.elements, of.mask, f"v{of.lanes}{SUFFIXES[of.element]}"
    yield f"declare {v} @llvm.masked.load.{suffix}.p0(ptr, i32, {m}, {v})"
    yield f"declare void @llvm.masked.store.{suffix}.p0({v}, ptr, i32, {m})"


def _turned(name: str, rows: list[str], of: Vectors) -> Iterator[str]:
    """Yields the lines that transpose a square of rows: numbers interleave, then runs are distributed to two rows.

    A run is what 128 bits hold, within which registers move numbers quickly. Interleaving transposes squares of runs.
    """
    run = min(RUN // WIDTHS[of.real], of.lanes)
    yield from _turned_inside(name, rows, run, of)
    for step in (step for step in _powers(of.lanes) if step >= run):
        yield from _shuffled(name, rows, step, [_dealt(half, run, of.lanes) for half in (0, 1)], of)


def _turned_inside(name: str, rows: list[str], run: int, of: Vectors) -> Iterator[str]:
    """Yields the lines that transpose the squares of runs: numbers interleave."""
    for step in reversed([step for step in _powers(of.lanes) if step < run]):
        yield from _shuffled(name, rows, step, [_interleaved(half, run, of.lanes) for half in (0, 1)], of)


def _shuffled(name: str, rows: list[str], step: int, picks: list[list[int]], of: Vectors) -> Iterator[str]:
    """Yields the lines that make two new rows of any two that are a step apart."""
    for i in (k for k in range(of.lanes) if not k & step):
        a, b = rows[i], rows[i + step]
        for row, order in zip((i, i + step), picks, strict=True):
            rows[row] = f"%{name}.t{step}.{row}"
            yield f"  {rows[row]} = shufflevector {of.reals} {a}, {of.reals} {b}, {_places(order)}"


def _places(picks: Sequence[int]) -> str:
    return f"<{len(picks)} x i32> <" + ", ".join(f"i32 {pick}" for pick in picks) + ">"


def _powers(below: int) -> list[int]:
    return [1 << k for k in range(below.bit_length()) if 1 << k < below]


def _interleaved(half: int, run: int, lanes: int) -> list[int]:
    """Returns the places, in two rows one behind the other, of the halves of all runs, turn by turn."""
    firsts = (start + half * run // 2 + k for start in range(0, lanes, run) for k in range(run // 2))
    return [place for first in firsts for place in (first, lanes + first)]


def _dealt(half: int, run: int, lanes: int) -> list[int]:
    """Returns the places, in two rows one behind the other, of every other run."""
    return [place for place in range(2 * lanes) if place // run % 2 == half]


def _load_scalars(name: str, side: str, columns: range, of: Vectors) -> Iterator[str]:
    for column in columns:
        before, whole = "poison", f"%{name}.c{column}"
        for lane in range(of.lanes):
            part = f"{whole}.{lane}"
            yield f"  {part}.at = getelementptr {of.element}, ptr %{side}.{lane}, i64 {column}"
            yield f"  {part}.x = load {of.element}, ptr {part}.at"
            target = part if lane < of.lanes - 1 or of.is_widened else whole
            yield f"  {target} = insertelement {of.elements} {before}, {of.element} {part}.x, i32 {lane}"
            before = part
        if of.is_widened:
            yield f"  {whole} = fpext {of.elements} {before} to {of.reals}"


def _store_scalars(name: str, side: str, columns: range, values: list[str], of: Vectors) -> Iterator[str]:
    for column, value in zip(columns, values, strict=True):
        whole = value
        if of.is_widened:
            whole = f"%{name}.s{column}"
            yield f"  {whole} = fptrunc {of.reals} {value} to {of.elements}"
        for lane in range(of.lanes):
            part = f"%{name}.s{column}.{lane}"
            yield f"  {part} = extractelement {of.elements} {whole}, i32 {lane}"
            yield f"  {part}.at = getelementptr {of.element}, ptr %{side}.{lane}, i64 {column}"
            yield f"  store {of.element} {part}, ptr {part}.at"
