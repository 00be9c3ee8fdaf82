"""Writes a kernel's entry from Python, so that a call costs only its checks and its arithmetic.

`entry(*inputs)` returns new arrays, `entry(*inputs, *outputs)` fills the outputs. It accepts plain arrays of the
kernel's type, each of one state or of one batch. A state may also be a list, a tuple, or an array of the other real
type or of integers; a symbol may be a number. For other arguments, and for results so large that their memory is
recycled, it returns None, and `compilers.batch` takes over. A guarded kernel's last output is no result: unless it is
positive in all states, the entry returns None as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.algebra.program.program import Port
from qddot.machine.compilers import recycled
from qddot.machine.compilers.llvm import arguments
from qddot.machine.compilers.llvm.arguments import DATA, NOT_TAKEN, TABLE, address, agrees, field, own_type, placed
from qddot.machine.compilers.llvm.registers import WIDTHS, Vectors
from qddot.machine.compilers.llvm.writer import Writer

NAME = "entry"
NPY_TYPES = {"double": 12, "float": 11}
KEEPS_LOCK = 64  # rows up to which the interpreter's lock is kept: they take a few µs, and its release 0.1 µs


def has_entry(inputs: Sequence[Port]) -> bool:
    """Returns whether there is an entry: arrays have to come first, then single numbers."""
    shaped = [bool(port.shape) for port in inputs]
    return shaped[0] and shaped == sorted(shaped, reverse=True)


def module(inputs: Sequence[Port], outputs: Sequence[Port], element: str, guarded: bool) -> str:
    """Returns the module of an entry, which serves all kernels whose ports have the same shapes."""
    lines = [*arguments.functions(element), *_constants(inputs, outputs, WIDTHS[element])]
    return "\n".join([*lines, *_Entry(inputs, outputs, element, guarded).lines()])


def _constants(inputs: Sequence[Port], outputs: Sequence[Port], width: int) -> Iterator[str]:
    """Yields the shapes of the ports, and the bytes of their rows."""
    for k, port in enumerate([*inputs, *outputs]):
        if port.shape:
            sizes = ", ".join(f"i64 {size}" for size in port.shape)
            yield f"@shape.{k} = private constant [{len(port.shape)} x i64] [{sizes}]"
    for side, ports in (("in", inputs), ("out", outputs)):
        sizes = ", ".join(f"i64 {width * port.size}" for port in ports)
        yield f"@bytes.{side} = private constant [{len(ports)} x i64] [{sizes}]"


class _Entry:
    """This writes one entry; element: the type of the arrays' elements, double or float; guarded: as the kernel is"""

    def __init__(self, inputs: Sequence[Port], outputs: Sequence[Port], element: str, guarded: bool) -> None:
        self.inputs, self.outputs, self.element, self.guarded = inputs, outputs, element, guarded
        self.given = outputs[:-1] if guarded else outputs  # the outputs that a caller may give arrays for
        self.arrays = [port for port in inputs if port.shape]
        self.width = WIDTHS[element]
        # outputs without axes cannot be distinguished from batches, so that such results are always new arrays
        self.fills = all(port.shape for port in outputs)

    def lines(self) -> list[str]:
        """Returns the function, which checks the arguments, makes arrays for the results, and calls the kernel."""
        w = self.w = Writer(f"ptr @{NAME}(ptr %self, ptr %arguments, i64 %count)", Vectors(1))
        # blocks for arguments that are not accepted, and for a lack of memory
        self.other, self.failed = w.label(), w.label()
        self._setup()
        count = len(self.inputs)
        bare = w.compared("eq", "%count", count, "i64")
        full = w.compared("eq", "%count", count + len(self.given) if self.fills else count, "i64")
        w.unless(w.either(bare, full, "i1"), self.other)
        batch = "0"
        for k, port in enumerate(self.arrays):
            batch = self._array(k, port, batch)
        if len(self.arrays) < count:
            batch = self._singles(batch)
        rows = w.most(batch, "1")
        results = self._results(bare, batch, rows)
        self._run(rows)
        if self.guarded:
            results = self._guarded(results, rows)
        w.end(f"ptr {self._returned(results)}", self.failed)
        w.end("ptr null", self.other)
        return w.done(f"ptr {self._called('new_ref', 'ptr', self.none)}")

    def _setup(self) -> None:
        """Writes the table's address, and allocates the kernel's arguments."""
        w = self.w
        w.put(f"{TABLE} = load ptr, ptr {w.let('getelementptr %array, ptr %self, i32 0, i32 2')}")
        self.ndarray, self.dtype, self.none = (address(w, name) for name in ("ndarray", own_type(self.element), "none"))
        # of each side: the addresses of the rows, and the bytes from row to row
        self.tables = {
            side: (w.let(f"alloca ptr, i64 {count}"), w.let(f"alloca i64, i64 {count}"))
            for side, count in (("in", len(self.inputs)), ("out", len(self.outputs)))
        }
        self.copies = w.let(f"alloca {self.element}, i64 {sum(port.size for port in self.inputs)}")
        self.sizes = w.let(f"alloca i64, i64 {1 + max(len(port.shape) for port in self.outputs)}")

    def _called(self, name: str, kind: str, *values: str) -> str:
        """Returns the result of a function in the table; values: its arguments, which are addresses"""
        listed = ", ".join(f"ptr {value}" for value in values)
        return self.w.let(f"call {kind} {address(self.w, name)}({listed})")

    def _hand(self, side: str, k: int, data: str, step: str) -> None:
        """Stores a port's address and step among the kernel's arguments."""
        for kind, value, table in zip(("ptr", "i64"), (data, step), self.tables[side], strict=True):
            self.w.write(kind, value, table, k)

    def _argument(self, k: int, port: Port) -> tuple[str, str]:
        """Returns the argument for a port, and its number of rows, as in `rows_of`."""
        array = self.w.read("ptr", "%arguments", k)
        shape = f"i64 {len(port.shape)}, ptr @shape.{k}"
        call = f"call i64 @rows_of(ptr {array}, ptr {self.ndarray}, ptr {self.dtype}, {shape})"
        return array, self.w.let(call)

    def _array(self, k: int, port: Port, before: str) -> str:
        """Passes an array or a copied state to the kernel, and returns the batch's rows; before: those so far"""
        w = self.w
        array, rows = self._argument(k, port)
        is_array, lies, end = w.compared("ne", rows, NOT_TAKEN, "i64"), w.label(), w.label()
        copies = len(port.shape) == 1
        copy = w.label() if copies else self.other
        w.branch(is_array, lies, copy)
        ways = []
        if copies:
            w.begin(copy, linked=False)
            to = w.at(self.copies, sum(other.size for other in self.arrays[:k]), self.element)
            w.unless(w.let(f"call i1 @copied(ptr {array}, ptr {TABLE}, i64 {port.size}, ptr {to})"), self.other)
            ways.append((to, "0", "0", w.block))
            w.go(end)
        w.begin(lies, linked=False)
        data, step = placed(w, array, rows)
        w.unless(agrees(w, rows, before), self.other)
        ways.append((data, step, rows, w.block))
        w.begin(end)
        data, step, rows = (
            w.phi(kind, *((way[place], way[3]) for way in ways)) for place, kind in enumerate(("ptr", "i64", "i64"))
        )
        self._hand("in", k, data, step)
        return w.most(before, rows)

    def _singles(self, before: str) -> str:
        """Passes the single numbers to the kernel, each a float or an array with one per row; returns the rows."""
        w, first, (data, step) = self.w, len(self.arrays), self.tables["in"]
        copied = sum(port.size for port in self.arrays)
        with w.loop(first, len(self.inputs), [("i64", before)]) as turn:
            k, batch = turn.index, turn.values[0]
            to = w.at(self.copies, w.whole("add", k, copied - first), self.element)
            places = ", ".join(f"ptr {x}" for x in (to, w.at(data, k, "ptr"), w.at(step, k, "i64")))
            rows = w.let(f"call i64 @single(ptr {w.read('ptr', '%arguments', k)}, ptr {TABLE}, {places})")
            w.unless(agrees(w, rows, batch), self.other)
            turn.following = [w.most(batch, rows)]
        return turn.values[0]

    def _results(self, bare: str, batch: str, rows: str) -> list[str]:
        """Returns the arrays for the results: the arguments to be filled, or new ones unless these would be large."""
        w = self.w
        fresh, run = w.label(), w.label()
        most = recycled.LEAST // (self.width * sum(port.size for port in self.outputs))
        small = w.compared("ult", rows, max(most, 1), "i64")
        ways = []
        if self.fills:
            fill = w.label()
            w.branch(bare, fresh, fill)
            w.begin(fill, linked=False)
            past = w.whole("sub", rows, 1)
            filled = [self._filled(k, port, batch, past) for k, port in enumerate(self.given)]
            rest = [self._new(k, port, batch) for k, port in enumerate(self.outputs) if k >= len(filled)]
            ways.append(([*(self._called("new_ref", "ptr", array) for array in filled), *rest], w.block))
            w.go(run)
        else:
            w.branch(bare, fresh, self.other)
        w.begin(fresh, linked=False)
        w.unless(small, self.other)
        ways.append(([self._new(k, port, batch) for k, port in enumerate(self.outputs)], w.block))
        w.begin(run)
        return [w.phi("ptr", *((arrays[k], block) for arrays, block in ways)) for k in range(len(self.outputs))]

    def _filled(self, k: int, port: Port, batch: str, past: str) -> str:
        """Returns an array to fill, after checks that it has the right shape, is writeable and overlaps no other."""
        w, n = self.w, len(self.inputs)
        array, rows = self._argument(n + k, port)
        w.unless(w.compared("eq", rows, batch, "i64"), self.other)
        data, step = placed(w, array, rows)
        self._hand("out", k, data, step)
        one = f"ptr {array}, ptr {data}, i64 {step}, i64 {self.width * port.size}"
        clear = []
        for side, count in (("in", n), ("out", k)):
            others = (
                f"ptr {self.tables[side][0]}, ptr {self.tables[side][1]}, ptr @bytes.{side}, i64 {count}, i64 {past}"
            )
            clear.append(w.let(f"call i1 @clear({one}, {others})"))
        w.unless(w.both(clear[0], clear[1], "i1"), self.other)
        return array

    def _new(self, k: int, port: Port, batch: str) -> str:
        """Returns a new array for one result, and passes it to the kernel."""
        w = self.w
        is_alone, axes = w.compared("eq", batch, 0, "i64"), len(port.shape)
        w.write("i64", batch, self.sizes)
        for axis, size in enumerate(port.shape, 1):
            w.write("i64", str(size), self.sizes, axis)
        shape = w.at(self.sizes, w.counted(is_alone), "i64")
        count = w.choice(is_alone, axes, axes + 1, "i32")
        default = f"i32 {NPY_TYPES[self.element]}, ptr null, ptr null, i32 0, i32 0, ptr null"
        make = address(w, "new_array")
        array = w.let(f"call ptr {make}(ptr {self.ndarray}, i32 {count}, ptr {shape}, {default})")
        w.unless(w.compared("ne", array, "null", "ptr"), self.failed)
        self._hand("out", k, field(w, array, DATA), str(self.width * port.size))
        return array

    def _run(self, rows: str) -> None:
        """Calls the kernel; while it computes many rows, the interpreter's lock is released."""
        w = self.w
        tables = ", ".join(f"ptr {table}" for side in ("in", "out") for table in self.tables[side])
        call = f"call void {address(w, 'kernel')}({tables}, i64 0, i64 {rows})"
        unlocked, finish = w.label(), w.label()
        w.unless(w.compared("ule", rows, KEEPS_LOCK, "i64"), unlocked)
        w.put(call)
        w.go(finish)
        w.begin(unlocked, linked=False)
        state = self._called("save", "ptr")
        w.put(call)
        w.put(f"call void {address(w, 'restore')}(ptr {state})")
        w.begin(finish)

    def _guarded(self, results: Sequence[str], rows: str) -> list[str]:
        """Returns the results without the last one; gives all back, and returns None, unless that is positive."""
        w, (*own, guard) = self.w, results
        refused, end = w.label(), w.label()
        data = field(w, guard, DATA)
        with w.loop(0, rows) as turn:
            fact = w.compared("ogt", w.read(self.element, data, turn.index), "0.0", self.element)
            w.unless(fact, refused)
        self._drop(guard)
        w.go(end)
        w.begin(refused, linked=False)
        for result in results:
            self._drop(result)
        w.go(self.other)
        w.begin(end, linked=False)
        return own

    def _drop(self, array: str) -> None:
        self.w.put(f"call void {address(self.w, 'drop')}(ptr {array})")

    def _returned(self, results: Sequence[str]) -> str:
        """Returns the one result, or a tuple of them."""
        if len(results) == 1:
            return results[0]
        w = self.w
        several = w.let(f"call ptr {address(w, 'new_tuple')}(i64 {len(results)})")
        put = address(w, "set_item")
        for k, result in enumerate(results):
            w.let(f"call i32 {put}(ptr {several}, i64 {k}, ptr {result})")
        return several
