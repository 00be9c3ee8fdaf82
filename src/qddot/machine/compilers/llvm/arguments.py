"""Reads the arguments of an entry, in LLVM's assembly: NumPy's arrays, lists and tuples of one state, numbers.

Arrays of the kernel's own type are read in place: `rows_of` returns their number of rows, 0 for one state, or −1 for an
argument that is not accepted. Other arguments are copied; lists and tuples are read by CPython's own functions.
`builtin.table` checks that NumPy's arrays have the layout that is assumed here.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.machine.compilers.llvm.builtin import ADDRESSES
from qddot.machine.compilers.llvm.registers import WIDTHS, Vectors
from qddot.machine.compilers.llvm.writer import Writer

# header, type, data, dimensions, their sizes, strides, base, dtype, flags
PYARRAY = "%array = type { i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }"
TYPE, DATA, AXES, SIZES, STRIDES, DTYPE, FLAGS = 1, 2, 3, 4, 5, 7, 8
ALIGNED, WRITEABLE = 256, 1024  # of the flags
NOT_TAKEN = -1  # instead of a number of rows
TABLE = "%table"


def field(w: Writer, array: str, place: int) -> str:
    """Returns a field of an array."""
    at = w.let(f"getelementptr %array, ptr {array}, i32 0, i32 {place}")
    return w.read("i32" if place in (AXES, FLAGS) else "ptr", at)


def address(w: Writer, name: str) -> str:
    """Returns one of the addresses in the table."""
    return w.read("ptr", TABLE, ADDRESSES.index(name))


def own_type(element: str) -> str:
    """Returns NumPy's name of the type of arrays that are read in place; element: LLVM's name of it"""
    return {"double": "float64", "float": "float32"}[element]


def placed(w: Writer, array: str, rows: str) -> tuple[str, str]:
    """Returns the address of an array's numbers, and the bytes from row to row."""
    data, before = field(w, array, DATA), w.block
    with w.when(w.compared("ne", rows, 0, "i64")):
        stride, inside = w.read("i64", field(w, array, STRIDES)), w.block
    return data, w.phi("i64", ("0", before), (stride, inside))


def agrees(w: Writer, rows: str, before: str) -> str:
    """Returns whether an argument has as many rows as those before; 0 rows agree with any number."""
    is_accepted = w.compared("ne", rows, NOT_TAKEN, "i64")
    free = w.either(w.compared("eq", rows, 0, "i64"), w.compared("eq", before, 0, "i64"), "i1")
    agreed = w.either(free, w.compared("eq", rows, before, "i64"), "i1")
    return w.both(is_accepted, agreed, "i1")


def functions(element: str) -> Iterator[str]:
    """Yields the layouts and the functions over them, for kernels of arrays of doubles or floats."""
    yield PYARRAY
    yield from _rows_of(WIDTHS[element])
    yield from _number(element)
    yield from _listed(element)
    yield from _copied(element)
    yield from _single(element)
    yield from _clear()


def _writer(head: str) -> Writer:
    return Writer(f"internal {head}", Vectors(1))


def _has_flag(w: Writer, array: str, flag: int) -> str:
    return w.compared("ne", w.let(f"and i32 {field(w, array, FLAGS)}, {flag}"), "0", "i32")


def _rows_of(width: int) -> list[str]:
    """Returns `rows_of`: the number of rows of an aligned array (rows, *shape), 0 for an array of `shape`, else −1."""
    w = _writer("i64 @rows_of(ptr %a, ptr %ndarray, ptr %dtype, i64 %rank, ptr %shape) alwaysinline")
    other = w.label()
    w.unless(w.compared("eq", field(w, "%a", TYPE), "%ndarray", "ptr"), other)
    is_ours = w.compared("eq", field(w, "%a", DTYPE), "%dtype", "ptr")
    usable = w.both(is_ours, _has_flag(w, "%a", ALIGNED), "i1")
    lead = w.whole("sub", w.let(f"zext i32 {field(w, '%a', AXES)} to i64"), "%rank")
    w.unless(w.both(usable, w.compared("ult", lead, "2", "i64"), "i1"), other)
    sizes, strides = field(w, "%a", SIZES), field(w, "%a", STRIDES)
    with w.loop(0, "%rank", [("i64", str(width))]) as turn:
        axis = w.whole("sub", w.whole("sub", "%rank", turn.index), 1)
        place = w.whole("add", lead, axis)
        size = w.read("i64", sizes, place)
        is_sized = w.compared("eq", size, w.read("i64", "%shape", axis), "i64")
        is_packed = w.compared("eq", w.read("i64", strides, place), turn.values[0], "i64")
        w.unless(w.both(is_sized, is_packed, "i1"), other)
        turn.following = [w.whole("mul", turn.values[0], size)]
    w.leave(w.compared("eq", lead, 0, "i64"), "i64 0")
    rows = w.read("i64", sizes)
    w.unless(w.compared("ne", rows, 0, "i64"), other)
    w.end(f"i64 {rows}", other)
    return w.done(f"i64 {NOT_TAKEN}")


def _number(element: str) -> list[str]:
    """Returns `number`, which copies a float or an integer, and returns whether the object is one."""
    w = _writer("i1 @number(ptr %a, ptr %table, ptr %to) noinline")
    kind, other = field(w, "%a", TYPE), w.label()
    is_float, is_numpys, is_whole = (
        w.compared("eq", kind, address(w, name), "ptr") for name in ("pyfloat", "scalar", "pyint")
    )
    with w.when(w.either(is_float, is_numpys, "i1")):
        x = w.let(f"call double {address(w, 'as_double')}(ptr %a)")
        w.write(element, w.let(f"fptrunc double {x} to float") if element == "float" else x, "%to")
        w.end("i1 true")
    w.unless(is_whole, other)
    overflow = w.let("alloca i32")
    whole = w.let(f"call i64 {address(w, 'as_integer')}(ptr %a, ptr {overflow})")
    fits = w.compared("eq", w.read("i32", overflow), 0, "i32")
    w.write(element, w.let(f"sitofp i64 {whole} to {element}"), "%to")
    w.end(f"i1 {fits}", other)
    return w.done("i1 false")


def _listed(element: str) -> list[str]:
    """Returns `listed`, which copies a state from a list or tuple of numbers, and returns whether it is one."""
    w = _writer("i1 @listed(ptr %a, ptr %table, i64 %wanted, ptr %to) noinline")
    kind, refused = field(w, "%a", TYPE), w.label()
    is_list, is_tuple = (w.compared("eq", kind, address(w, name), "ptr") for name in ("list", "tuple"))
    w.unless(w.either(is_list, is_tuple, "i1"), refused)
    size_of, item_of = (
        w.choice(is_list, address(w, f"list_{what}"), address(w, f"tuple_{what}"), "ptr") for what in ("size", "item")
    )
    size = w.let(f"call i64 {size_of}(ptr %a)")
    w.unless(w.compared("eq", size, "%wanted", "i64"), refused)
    with w.loop(0, "%wanted") as turn:
        item = w.let(f"call ptr {item_of}(ptr %a, i64 {turn.index})")
        to = w.at("%to", turn.index, element)
        w.unless(w.let(f"call i1 @number(ptr {item}, ptr %table, ptr {to})"), refused)
    w.end("i1 true", refused)
    return w.done("i1 false")


def _copied(element: str) -> list[str]:
    """Returns `copied`, which copies a state from a list or an array of another type, and returns whether it is one."""
    other, change = ("double", "fptrunc") if element == "float" else ("float", "fpext")
    w = _writer("i1 @copied(ptr %a, ptr %table, i64 %wanted, ptr %to) noinline")
    others, refused, reals, end = w.label(), w.label(), w.label(), w.label()
    w.unless(w.compared("eq", field(w, "%a", TYPE), address(w, "ndarray"), "ptr"), others)
    dtype = field(w, "%a", DTYPE)
    is_real, is_whole = (w.compared("eq", dtype, address(w, name), "ptr") for name in (own_type(other), "int64"))
    usable = w.both(w.either(is_real, is_whole, "i1"), _has_flag(w, "%a", ALIGNED), "i1")
    axes = field(w, "%a", AXES)
    w.unless(w.both(usable, w.compared("eq", axes, 1, "i32"), "i1"), refused)
    size, stride = (w.read("i64", field(w, "%a", place)) for place in (SIZES, STRIDES))
    data = field(w, "%a", DATA)
    w.unless(w.compared("eq", size, "%wanted", "i64"), refused)
    w.unless(is_whole, reals)
    _convert(w, data, stride, f"sitofp i64 {{}} to {element}")
    w.go(end)
    w.begin(reals, linked=False)
    _convert(w, data, stride, f"{change} {other} {{}} to {element}")
    w.begin(end)
    w.end("i1 true", others)
    w.end(f"i1 {w.let('call i1 @listed(ptr %a, ptr %table, i64 %wanted, ptr %to)')}", refused)
    return w.done("i1 false")


def _convert(w: Writer, data: str, stride: str, instruction: str) -> None:
    """Copies `wanted` numbers to `to`; instruction: the one that converts a number, with {} for the number"""
    _, source, _, _, element = instruction.split()
    with w.loop(0, "%wanted") as turn:
        x = w.read(source, w.at(data, w.whole("mul", turn.index, stride)))
        w.write(element, w.let(instruction.format(x)), "%to", turn.index)


def _single(element: str) -> list[str]:
    """Returns `single`, which reads one number per state, and returns how many, or 0 if all states share one."""
    w = _writer("i64 @single(ptr %a, ptr %table, ptr %to, ptr %data.to, ptr %step.to) noinline")
    ndarray, dtype = address(w, "ndarray"), address(w, own_type(element))
    rows = w.let(f"call i64 @rows_of(ptr %a, ptr {ndarray}, ptr {dtype}, i64 0, ptr null)")
    with w.when(w.compared("ne", rows, NOT_TAKEN, "i64")):
        data, step = placed(w, "%a", rows)
        w.write("ptr", data, "%data.to")
        w.write("i64", step, "%step.to")
        w.end(f"i64 {rows}")
    is_number = w.let("call i1 @number(ptr %a, ptr %table, ptr %to)")
    w.write("ptr", "%to", "%data.to")
    w.write("i64", "0", "%step.to")
    return w.done(f"i64 {w.choice(is_number, '0', NOT_TAKEN, 'i64')}")


def _reach(w: Writer, first: str, step: str, size: str) -> tuple[str, str]:
    """Returns the addresses of an array's first byte and of the byte after its last; %past: the last row's index"""
    data = w.let(f"ptrtoint ptr {first} to i64")
    last = w.whole("add", data, w.whole("mul", "%past", step))
    low, top = (w.let(f"call i64 @llvm.{name}.i64(i64 {data}, i64 {last})") for name in ("smin", "smax"))
    return low, w.whole("add", top, size)


def _clear() -> list[str]:
    """Returns `clear`, which returns whether an array may be written and overlaps none of `count` others."""
    one = "ptr %w, ptr %data, i64 %step, i64 %size"
    w = _writer(f"i1 @clear({one}, ptr %others, ptr %steps, ptr %sizes, i64 %count, i64 %past) alwaysinline")
    met = w.label()
    low, high = _reach(w, "%data", "%step", "%size")
    w.unless(_has_flag(w, "%w", WRITEABLE), met)
    with w.loop(0, "%count") as turn:
        k = turn.index
        other = _reach(w, w.read("ptr", "%others", k), w.read("i64", "%steps", k), w.read("i64", "%sizes", k))
        below, above = w.compared("sle", high, other[0], "i64"), w.compared("sle", other[1], low, "i64")
        w.unless(w.either(below, above, "i1"), met)
    w.end("i1 true", met)
    return w.done("i1 false")
