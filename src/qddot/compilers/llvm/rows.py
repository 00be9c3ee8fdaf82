"""Loads rows of arrays as vectors over states and stores them back; it transposes W × W blocks in registers.

Numbers in registers are doubles. Rows of floats are widened and rounded as whole rows, so that what is transposed are
always doubles, of which processors move a pair as quickly as a single float.
"""

from __future__ import annotations

from collections.abc import Iterator

SCALAR_COLUMNS = 2  # with so few columns, transposing costs more than it saves
WIDTHS = {"double": 8, "float": 4}  # bytes


def groups(size: int, lanes: int) -> Iterator[range]:
    """Yields the columns of a row in groups of at most `lanes`."""
    for start in range(0, size, lanes):
        yield range(start, min(start + lanes, size))


def load(name: str, side: str, columns: range, lanes: int, element: str) -> Iterator[str]:
    """Yields the lines that load columns of each lane's row as vectors %{name}.c{column} over the lanes."""
    if len(columns) <= SCALAR_COLUMNS:
        yield from _load_scalars(name, side, columns, lanes, element)
        return
    v, mask = f"<{lanes} x {element}>", _mask(len(columns), lanes)
    wide, rows = f"<{lanes} x double>", []
    for lane in range(lanes):
        row = f"%{name}.{columns.start}.r{lane}"
        stored = row if element == "double" else f"{row}.narrow"
        yield f"  {row}.at = getelementptr {element}, ptr %{side}.{lane}, i64 {columns.start}"
        if len(columns) == lanes:
            yield f"  {stored} = load {v}, ptr {row}.at, align {WIDTHS[element]}"
        else:
            yield (
                f"  {stored} = call {v} @llvm.masked.load.v{lanes}{_suffix(element)}.p0"
                f"(ptr {row}.at, i32 {WIDTHS[element]}, <{lanes} x i1> {mask}, {v} zeroinitializer)"
            )
        if element == "float":
            yield f"  {row} = fpext {v} {stored} to {wide}"
        rows.append(row)
    yield from _turned(f"{name}.{columns.start}", rows, wide, lanes)
    for k, column in enumerate(columns):
        yield f"  %{name}.c{column} = bitcast {wide} {rows[k]} to {wide}"


def store(name: str, side: str, columns: range, values: list[str], lanes: int, element: str) -> Iterator[str]:
    """Yields the lines that store vectors of doubles over the lanes into columns of each lane's row."""
    v, wide = f"<{lanes} x {element}>", f"<{lanes} x double>"
    if len(columns) <= SCALAR_COLUMNS:
        yield from _store_scalars(name, side, columns, values, lanes, element)
        return
    rows = [*values, *(["poison"] * (lanes - len(values)))]
    yield from _turned(f"{name}.{columns.start}", rows, wide, lanes)
    for lane in range(lanes):
        at, row = f"%{name}.{columns.start}.r{lane}.at", rows[lane]
        yield f"  {at} = getelementptr {element}, ptr %{side}.{lane}, i64 {columns.start}"
        if element == "float":
            row = f"%{name}.{columns.start}.r{lane}.narrow"
            yield f"  {row} = fptrunc {wide} {rows[lane]} to {v}"
        if len(columns) == lanes:
            yield f"  store {v} {row}, ptr {at}, align {WIDTHS[element]}"
        else:
            yield f"  {masked_store(row, at, _mask(len(columns), lanes), lanes, element)}"


def masked_store(value: str, to: str, mask: str, lanes: int, element: str) -> str:
    """Returns the call that stores the lanes of a vector that are set in a mask."""
    arguments = f"<{lanes} x {element}> {value}, ptr {to}, i32 {WIDTHS[element]}, <{lanes} x i1> {mask}"
    return f"call void @llvm.masked.store.v{lanes}{_suffix(element)}.p0({arguments})"


def declarations(lanes: int, element: str) -> Iterator[str]:
    """Yields the declarations of the intrinsics that `load` and `store` call."""
    v, m, suffix = f"<{lanes} x {element}>", f"<{lanes} x i1>", _suffix(element)
    yield f"declare {v} @llvm.masked.load.v{lanes}{suffix}.p0(ptr, i32, {m}, {v})"
    yield f"declare void @llvm.masked.store.v{lanes}{suffix}.p0({v}, ptr, i32, {m})"


def _turned(name: str, rows: list[str], v: str, lanes: int) -> Iterator[str]:
    """Yields the lines that transpose a square of rows: neighbours interleave, then pairs are distributed to two rows.

    No number leaves its half of 128 bits after the first stage, which registers do quickly.
    """
    interleaved = [lane if lane % 2 == 0 else lanes + lane - 1 for lane in range(lanes)]
    dealt = [place for place in range(2 * lanes) if place // 2 % 2 == 0]
    step = 1
    while step < lanes:
        picks, other = (interleaved, 1) if step == 1 else (dealt, 2)
        for i in (k for k in range(lanes) if not k & step):
            a, b = rows[i], rows[i + step]
            for row, shift in ((i, 0), (i + step, other)):
                rows[row] = f"%{name}.t{step}.{row}"
                order = "<" + ", ".join(f"i32 {pick + shift}" for pick in picks) + ">"
                yield f"  {rows[row]} = shufflevector {v} {a}, {v} {b}, <{lanes} x i32> {order}"
        step *= 2


def _load_scalars(name: str, side: str, columns: range, lanes: int, element: str) -> Iterator[str]:
    for column in columns:
        before, whole = "poison", f"%{name}.c{column}"
        for lane in range(lanes):
            part = f"{whole}.{lane}"
            yield f"  {part}.at = getelementptr {element}, ptr %{side}.{lane}, i64 {column}"
            yield f"  {part}.x = load {element}, ptr {part}.at"
            target = part if lane < lanes - 1 or element == "float" else whole
            yield f"  {target} = insertelement <{lanes} x {element}> {before}, {element} {part}.x, i32 {lane}"
            before = part
        if element == "float":
            yield f"  {whole} = fpext <{lanes} x float> {before} to <{lanes} x double>"


def _store_scalars(name: str, side: str, columns: range, values: list[str], lanes: int, element: str) -> Iterator[str]:
    for column, value in zip(columns, values, strict=True):
        whole = value
        if element == "float":
            whole = f"%{name}.s{column}"
            yield f"  {whole} = fptrunc <{lanes} x double> {value} to <{lanes} x float>"
        for lane in range(lanes):
            part = f"%{name}.s{column}.{lane}"
            yield f"  {part} = extractelement <{lanes} x {element}> {whole}, i32 {lane}"
            yield f"  {part}.at = getelementptr {element}, ptr %{side}.{lane}, i64 {column}"
            yield f"  store {element} {part}, ptr {part}.at"


def _mask(count: int, lanes: int) -> str:
    return "<" + ", ".join(f"i1 {int(k < count)}" for k in range(lanes)) + ">"


def _suffix(element: str) -> str:
    return "f64" if element == "double" else "f32"
