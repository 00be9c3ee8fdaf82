"""Makes the kernel a built-in function of Python, so that a call costs only its checks and its arithmetic.

`entry(*inputs)` gives new arrays, `entry(*inputs, *outputs)` fills those. It takes plain arrays of the kernel's type,
each of one state or of one batch; for a state also arrays of the other type; for symbols numbers. For everything else,
and for results so large that their memory is recycled, it gives None, and `compilers.batch` sees to it. The layouts are
those of the C interfaces of CPython (METH_FASTCALL) and NumPy; `table` looks whether they hold in this process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from qddot.compilers import recycled
from qddot.compilers.llvm import arguments
from qddot.compilers.llvm.registers import WIDTHS
from qddot.program.program import Port

NAME = "entry"
METH_FASTCALL = 0x80
PYARRAY_NEW = 93  # its place in NumPy's table of C functions
PYTHONS = (
    *("Py_NewRef", "PyEval_SaveThread", "PyEval_RestoreThread"),
    *("PyTuple_New", "PyTuple_SetItem", "PyLong_AsLongLongAndOverflow", "PyFloat_AsDouble"),
)
NPY_TYPES = {"double": 12, "float": 11}
KEEPS_LOCK = 64  # up to so many rows the interpreter's lock is kept
RUN = """  %short = icmp ule i64 %rows, {keeps_lock}
  br i1 %short, label %at_once, label %unlocked
at_once:
  call void @kernel(ptr %in, ptr %in_step, ptr %out, ptr %out_step, i64 0, i64 %rows)
  br label %finish
unlocked:
  %state = call ptr %save()
  call void @kernel(ptr %in, ptr %in_step, ptr %out, ptr %out_step, i64 0, i64 %rows)
  call void %restore(ptr %state)
  br label %finish
other:
  %nothing = call ptr %new_ref(ptr %none)
  ret ptr %nothing
failed:
  ret ptr null
finish:"""


class _Method(ctypes.Structure):
    """This is CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("call", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


class _Array(ctypes.Structure):
    """This is NumPy's PyArrayObject after the object's header and type."""

    _fields_ = (
        ("data", ctypes.c_int64),
        ("nd", ctypes.c_int32),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("base", ctypes.c_int64),
        ("dtype", ctypes.c_int64),
        ("flags", ctypes.c_int32),
    )


@cache
def table() -> Any:
    """Returns the addresses in this process that the entry needs, or None where the layouts differ."""
    probe = np.zeros((2, 3))
    if object.__basicsize__ != 16 or not _is_laid_out(probe):
        return None
    try:
        numpy_functions = import_module("numpy._core._multiarray_umath")._ARRAY_API
    except ImportError:
        return None
    python = ctypes.pythonapi
    pointer = python.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    functions = ctypes.cast(pointer(numpy_functions, None), ctypes.POINTER(ctypes.c_int64))
    new_ref, *others = (ctypes.cast(getattr(python, name), ctypes.c_void_p).value for name in PYTHONS)
    types = (np.ndarray, np.dtype(np.float64), np.dtype(np.float32), float, int, np.float64)
    addresses = [*map(id, types), id(None), new_ref, functions[PYARRAY_NEW], *others]
    return np.array(addresses, dtype=np.int64)


def _is_laid_out(probe: Any) -> bool:
    """Returns whether an array's fields are where they are expected."""
    found = _Array.from_address(id(probe) + object.__basicsize__)
    facts = (found.data, found.nd, found.dtype, found.flags)
    if facts != (probe.ctypes.data, probe.ndim, id(probe.dtype), probe.flags.num):
        return False
    return (*found.sizes[: probe.ndim], *found.strides[: probe.ndim]) == (*probe.shape, *probe.strides)


class _Table(np.ndarray[Any, Any]):
    """This is the table of one function; it keeps alive what the function needs."""


def function(address: int, code: Any) -> Callable[..., Any]:
    """Returns the entry at this address as a callable; `code` is the object that keeps the machine code in memory."""
    method, own = _Method(NAME.encode(), address, METH_FASTCALL, None), table().view(_Table)
    own.kept = (method, code)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Callable[..., Any] = make(ctypes.addressof(method), own, None)
    return made


def has_entry(inputs: Sequence[Port]) -> bool:
    """Returns whether there is an entry: arrays come first, then single numbers."""
    shaped = [bool(port.shape) for port in inputs]
    return shaped[0] and shaped == sorted(shaped, reverse=True)


def lines(inputs: Sequence[Port], outputs: Sequence[Port], element: str) -> Iterator[str]:
    """Yields the entry's assembly; it calls @kernel of the same module."""
    yield from _Entry(inputs, outputs, element).lines()


class _Entry:
    """The text of one entry, block by block; element: of the arrays, double or float."""

    def __init__(self, inputs: Sequence[Port], outputs: Sequence[Port], element: str) -> None:
        self.inputs, self.outputs, self.element = inputs, outputs, element
        self.arrays = [port for port in inputs if port.shape]
        self.width = WIDTHS[element]
        # numbers without axes cannot be told from a batch that fits, so that they are made anew
        self.fills = all(port.shape for port in outputs)

    def lines(self) -> Iterator[str]:
        n = len(self.inputs)
        yield from arguments.declarations(self.element)
        yield from self._constants()
        yield f"define ptr @{NAME}(ptr %self, ptr %arguments, i64 %count) {{"
        yield from self._setup()
        yield f"  %bare = icmp eq i64 %count, {n}"
        yield f"  %full = icmp eq i64 %count, {n + len(self.outputs) if self.fills else n}"
        yield "  %counted = or i1 %bare, %full"
        yield "  br i1 %counted, label %argument0, label %other"
        for k, port in enumerate(self.arrays):
            yield from self._array(k, port)
        if len(self.arrays) < n:
            yield from self._singles()
        yield from self._chosen()
        for k, port in enumerate(self.outputs):
            yield from self._new(k, port)
        yield from ("made:", "  br label %run", "run:")
        for k in range(len(self.outputs)):
            kept = f", [ %arg.{n + k}, %keep ]" if self.fills else ""
            yield f"  %result.{k} = phi ptr [ %new.{k}, %made ]{kept}"
        yield RUN.format(keeps_lock=KEEPS_LOCK)
        yield from self._results()

    def _constants(self) -> Iterator[str]:
        for k, port in enumerate([*self.inputs, *self.outputs]):
            if port.shape:
                sizes = ", ".join(f"i64 {size}" for size in port.shape)
                yield f"@shape.{k} = private constant [{len(port.shape)} x i64] [{sizes}]"
        for name, ports in (("in", self.inputs), ("out", self.outputs)):
            sizes = ", ".join(f"i64 {self.width * port.size}" for port in ports)
            yield f"@bytes.{name} = private constant [{len(ports)} x i64] [{sizes}]"

    def _setup(self) -> Iterator[str]:
        """Yields the addresses of the table, and room for what the kernel takes."""
        yield "  %table.at = getelementptr %array, ptr %self, i32 0, i32 2"
        yield "  %table = load ptr, ptr %table.at"
        yield from arguments.looked_up()
        for name, size in (("in", len(self.inputs)), ("out", len(self.outputs))):
            yield f"  %{name} = alloca ptr, i64 {size}"
            yield f"  %{name}_step = alloca i64, i64 {size}"
        yield f"  %copies = alloca {self.element}, i64 {sum(port.size for port in self.inputs)}"
        yield f"  %sizes = alloca i64, i64 {1 + max(len(port.shape) for port in self.outputs)}"

    def _rows_of(self, k: int, port: Port) -> Iterator[str]:
        """Yields how many rows the array of an argument has."""
        kind, _ = arguments.types(self.element)
        yield f"  %arg.{k}.at = getelementptr ptr, ptr %arguments, i64 {k}"
        yield f"  %arg.{k} = load ptr, ptr %arg.{k}.at"
        given = f"ptr %arg.{k}, ptr %ndarray, ptr {kind}, i64 {len(port.shape)}, ptr @shape.{k}"
        yield f"  %rows.{k} = call i64 @rows_of({given})"

    def _place_of(self, k: int) -> Iterator[str]:
        """Yields where the rows of that array are."""
        yield f"  %place.{k} = call {{ ptr, i64 }} @placed(ptr %arg.{k}, i64 %rows.{k})"
        yield f"  %data.{k} = extractvalue {{ ptr, i64 }} %place.{k}, 0"
        yield f"  %step.{k} = extractvalue {{ ptr, i64 }} %place.{k}, 1"

    def _array(self, k: int, port: Port) -> Iterator[str]:
        """Yields how an array of inputs is taken, or a state that is copied; it has as many rows as those before."""
        before, following = f"%batch.{k - 1}" if k else "0", f"argument{k + 1}"
        if k + 1 == len(self.arrays):
            following = "singles" if k + 1 < len(self.inputs) else "chosen"
        copies = len(port.shape) == 1
        yield f"argument{k}:"
        yield from self._rows_of(k, port)
        yield f"  %is_array.{k} = icmp ne i64 %rows.{k}, -1"
        yield f"  br i1 %is_array.{k}, label %array{k}, label %{f'copy{k}' if copies else 'other'}"
        if copies:
            yield f"copy{k}:"
            copy = sum(other.size for other in self.arrays[:k])
            yield f"  %copy.to.{k} = getelementptr {self.element}, ptr %copies, i64 {copy}"
            given = f"ptr %arg.{k}, ptr %table, i64 {port.size}, ptr %copy.to.{k}"
            yield f"  %copied.{k} = call i1 @copied({given})"
            yield f"  br i1 %copied.{k}, label %take{k}, label %other"
        yield f"array{k}:"
        yield from self._place_of(k)
        yield f"  %agrees.{k} = call i1 @agrees(i64 %rows.{k}, i64 {before})"
        yield f"  br i1 %agrees.{k}, label %take{k}, label %other"
        yield f"take{k}:"
        for name, kind, other in (("data", "ptr", f"%copy.to.{k}"), ("step", "i64", "0"), ("rows", "i64", "0")):
            copied = f", [ {other}, %copy{k} ]" if copies else ""
            yield f"  %taken.{name}.{k} = phi {kind} [ %{name}.{k}, %array{k} ]{copied}"
        yield from _handed(f"in.{k}", "in", k, f"%taken.data.{k}", f"%taken.step.{k}")
        yield f"  %batch.{k} = call i64 @llvm.smax.i64(i64 {before}, i64 %taken.rows.{k})"
        yield f"  br label %{following}"

    def _singles(self) -> Iterator[str]:
        """Yields the loop over the single numbers, each a float or an array of as many as there are rows."""
        first = len(self.arrays)
        yield "singles:"
        yield f"  %s = phi i64 [ {first}, %take{first - 1} ], [ %s.following, %single ]"
        yield f"  %batch.s = phi i64 [ %batch.{first - 1}, %take{first - 1} ], [ %batch.singles, %single ]"
        yield "  %arg.s.at = getelementptr ptr, ptr %arguments, i64 %s"
        yield "  %arg.s = load ptr, ptr %arg.s.at"
        yield f"  %copy.off = add i64 %s, {sum(port.size for port in self.arrays) - first}"
        yield f"  %copy.s = getelementptr {self.element}, ptr %copies, i64 %copy.off"
        yield "  %in.s = getelementptr ptr, ptr %in, i64 %s"
        yield "  %in_step.s = getelementptr i64, ptr %in_step, i64 %s"
        yield "  %rows.s = call i64 @single(ptr %arg.s, ptr %table, ptr %copy.s, ptr %in.s, ptr %in_step.s)"
        yield "  %agrees.s = call i1 @agrees(i64 %rows.s, i64 %batch.s)"
        yield "  br i1 %agrees.s, label %single, label %other"
        yield "single:"
        yield "  %batch.singles = call i64 @llvm.smax.i64(i64 %batch.s, i64 %rows.s)"
        yield "  %s.following = add i64 %s, 1"
        yield f"  %s.more = icmp ult i64 %s.following, {len(self.inputs)}"
        yield "  br i1 %s.more, label %singles, label %chosen"

    def _chosen(self) -> Iterator[str]:
        """Yields whether the results go to arrays that are given or to new ones, which are not large here."""
        last = "singles" if len(self.arrays) < len(self.inputs) else len(self.arrays) - 1
        yield "chosen:"
        yield f"  %rows = call i64 @llvm.smax.i64(i64 %batch.{last}, i64 1)"
        yield f"  %batch = add i64 %batch.{last}, 0"
        yield "  %past = sub i64 %rows, 1"
        most = recycled.LEAST // (self.width * sum(port.size for port in self.outputs))
        yield f"  %is_large = icmp uge i64 %rows, {max(most, 1)}"
        yield f"  br i1 %bare, label %fresh, label %{f'argument{len(self.inputs)}' if self.fills else 'other'}"
        yield from ("fresh:", "  br i1 %is_large, label %other, label %new0")
        if self.fills:
            yield from self._given()

    def _given(self) -> Iterator[str]:
        """Yields how the arrays to fill are taken: of the right shape, writeable, clear of all others."""
        n = len(self.inputs)
        for k, port in enumerate(self.outputs):
            yield f"argument{n + k}:"
            yield from self._rows_of(n + k, port)
            yield f"  %fits.{k} = icmp eq i64 %rows.{n + k}, %batch"
            yield f"  br i1 %fits.{k}, label %fit{k}, label %other"
            yield f"fit{k}:"
            yield from self._place_of(n + k)
            yield from _handed(f"out.{k}", "out", k, f"%data.{n + k}", f"%step.{n + k}")
            one = f"ptr %arg.{n + k}, ptr %data.{n + k}, i64 %step.{n + k}, i64 {self.width * port.size}"
            for side, count in (("in", n), ("out", k)):
                others = f"ptr %{side}, ptr %{side}_step, ptr @bytes.{side}, i64 {count}, i64 %past"
                yield f"  %clear.{side}.{k} = call i1 @clear({one}, {others})"
            yield f"  %clear.{k} = and i1 %clear.in.{k}, %clear.out.{k}"
            following = f"argument{n + k + 1}" if k + 1 < len(self.outputs) else "keep"
            yield f"  br i1 %clear.{k}, label %{following}, label %other"
        yield "keep:"
        for k in range(len(self.outputs)):
            yield f"  %kept.{k} = call ptr %new_ref(ptr %arg.{n + k})"
        yield "  br label %run"

    def _new(self, k: int, port: Port) -> Iterator[str]:
        """Yields a new array for one result, handed to the kernel."""
        following = f"new{k + 1}" if k + 1 < len(self.outputs) else "made"
        yield f"new{k}:"
        yield f"  %alone.{k} = icmp eq i64 %batch, 0"
        yield f"  %skipped.{k} = zext i1 %alone.{k} to i64"
        yield "  store i64 %batch, ptr %sizes"
        for axis, size in enumerate(port.shape, 1):
            yield f"  %size.{k}.{axis} = getelementptr i64, ptr %sizes, i64 {axis}"
            yield f"  store i64 {size}, ptr %size.{k}.{axis}"
        yield f"  %shape.{k} = getelementptr i64, ptr %sizes, i64 %skipped.{k}"
        yield f"  %nd.{k} = select i1 %alone.{k}, i32 {len(port.shape)}, i32 {len(port.shape) + 1}"
        default = f"i32 {NPY_TYPES[self.element]}, ptr null, ptr null, i32 0, i32 0, ptr null"
        yield f"  %new.{k} = call ptr %new_array(ptr %ndarray, i32 %nd.{k}, ptr %shape.{k}, {default})"
        yield f"  %no_memory.{k} = icmp eq ptr %new.{k}, null"
        yield f"  br i1 %no_memory.{k}, label %failed, label %give{k}"
        yield f"give{k}:"
        yield f"  %fresh.{k}.at = getelementptr %array, ptr %new.{k}, i32 0, i32 2"
        yield f"  %fresh.{k} = load ptr, ptr %fresh.{k}.at"
        yield from _handed(f"new.{k}", "out", k, f"%fresh.{k}", str(self.width * port.size))
        yield f"  br label %{following}"

    def _results(self) -> Iterator[str]:
        if len(self.outputs) == 1:
            yield from ("  ret ptr %result.0", "}")
            return
        yield f"  %tuple = call ptr %new_tuple(i64 {len(self.outputs)})"
        for k in range(len(self.outputs)):
            yield f"  %set.{k} = call i32 %set_item(ptr %tuple, i64 {k}, ptr %result.{k})"
        yield from ("  ret ptr %tuple", "}")


def _handed(name: str, side: str, place: int, data: str, step: str) -> Iterator[str]:
    """Yields the lines that put a port's address and step into the arrays that the kernel takes."""
    yield f"  %{name}.slot = getelementptr ptr, ptr %{side}, i64 {place}"
    yield f"  store ptr {data}, ptr %{name}.slot"
    yield f"  %{name}.step_slot = getelementptr i64, ptr %{side}_step, i64 {place}"
    yield f"  store i64 {step}, ptr %{name}.step_slot"
