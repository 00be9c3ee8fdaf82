"""Makes the kernel a built-in function of Python, so that a call costs only its checks and its arithmetic.

`entry(*inputs)` returns new arrays, `entry(*inputs, *outputs)` fills those. It takes plain float64 arrays, each
of one state or all of one batch; for anything else it returns None, and `compilers.batch` computes. The
layouts are those of the C interfaces of CPython (METH_FASTCALL) and NumPy (PyArrayObject); `table` checks
that they hold in this process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from qddot.program.program import Port

NAME = "entry"
METH_FASTCALL = 0x80
PYARRAY_NEW = 93  # its place in NumPy's table of C functions
ADDRESSES = ("ndarray", "float64", "none", "new_ref", "new_array", "save", "restore", "new_tuple", "set_item")

# header, type, data, dimensions, their sizes, strides, base, dtype, flags
PYARRAY = "%array = type { i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }"
BATCH_OF = """
; rows of an aligned float64 array of shape (rows, *shape), 0 for one of this shape itself, −1 for any other
define internal i64 @batch_of(ptr %a, ptr %ndarray, ptr %float64, i64 %rank, ptr %shape) alwaysinline {
  %type.at = getelementptr %array, ptr %a, i32 0, i32 1
  %type = load ptr, ptr %type.at
  %is_array = icmp eq ptr %type, %ndarray
  br i1 %is_array, label %array, label %other
array:
  %kind.at = getelementptr %array, ptr %a, i32 0, i32 7
  %kind = load ptr, ptr %kind.at
  %is_float64 = icmp eq ptr %kind, %float64
  %flags.at = getelementptr %array, ptr %a, i32 0, i32 8
  %flags = load i32, ptr %flags.at
  %aligned = and i32 %flags, 256
  %is_aligned = icmp ne i32 %aligned, 0
  %nd.at = getelementptr %array, ptr %a, i32 0, i32 3
  %nd = load i32, ptr %nd.at
  %dimensions = zext i32 %nd to i64
  %lead = sub i64 %dimensions, %rank
  %is_one_or_batch = icmp ult i64 %lead, 2
  %sizes.at = getelementptr %array, ptr %a, i32 0, i32 4
  %sizes = load ptr, ptr %sizes.at
  %strides.at = getelementptr %array, ptr %a, i32 0, i32 5
  %strides = load ptr, ptr %strides.at
  %usable = and i1 %is_float64, %is_aligned
  %fits = and i1 %usable, %is_one_or_batch
  br i1 %fits, label %next, label %other
next:
  %left = phi i64 [ %rank, %array ], [ %axis, %check ]
  %packed = phi i64 [ 8, %array ], [ %wider, %check ]
  %all = icmp eq i64 %left, 0
  br i1 %all, label %done, label %check
check:
  %axis = sub i64 %left, 1
  %place = add i64 %lead, %axis
  %size.at = getelementptr i64, ptr %sizes, i64 %place
  %size = load i64, ptr %size.at
  %stride.at = getelementptr i64, ptr %strides, i64 %place
  %stride = load i64, ptr %stride.at
  %wanted.at = getelementptr i64, ptr %shape, i64 %axis
  %wanted = load i64, ptr %wanted.at
  %is_sized = icmp eq i64 %size, %wanted
  %is_packed = icmp eq i64 %stride, %packed
  %right = and i1 %is_sized, %is_packed
  %wider = mul i64 %packed, %size
  br i1 %right, label %next, label %other
done:
  %is_one = icmp eq i64 %lead, 0
  br i1 %is_one, label %one, label %batch
one:
  ret i64 0
batch:
  %rows = load i64, ptr %sizes
  %none = icmp eq i64 %rows, 0
  %found = select i1 %none, i64 -1, i64 %rows
  ret i64 %found
other:
  ret i64 -1
}"""
APART = """
; whether an array that is written keeps clear of one that is read, for so many rows of these sizes in bytes
define internal i1 @apart(ptr %written, i64 %size_w, ptr %read, i64 %size_r, i64 %past) alwaysinline {
  %flags.at = getelementptr %array, ptr %written, i32 0, i32 8
  %flags = load i32, ptr %flags.at
  %writeable = and i32 %flags, 1024
  %may = icmp ne i32 %writeable, 0
  %reach_w = call { i64, i64 } @reach(ptr %written, i64 %size_w, i64 %past)
  %reach_r = call { i64, i64 } @reach(ptr %read, i64 %size_r, i64 %past)
  %low_w = extractvalue { i64, i64 } %reach_w, 0
  %high_w = extractvalue { i64, i64 } %reach_w, 1
  %low_r = extractvalue { i64, i64 } %reach_r, 0
  %high_r = extractvalue { i64, i64 } %reach_r, 1
  %below = icmp sle i64 %high_w, %low_r
  %above = icmp sle i64 %high_r, %low_w
  %clear = or i1 %below, %above
  %good = and i1 %may, %clear
  ret i1 %good
}
; the addresses from the first byte to past the last
define internal { i64, i64 } @reach(ptr %a, i64 %size, i64 %past) alwaysinline {
  %data.at = getelementptr %array, ptr %a, i32 0, i32 2
  %data = load i64, ptr %data.at
  %strides.at = getelementptr %array, ptr %a, i32 0, i32 5
  %strides = load ptr, ptr %strides.at
  %step = load i64, ptr %strides
  %span = mul i64 %past, %step
  %last = add i64 %data, %span
  %low = call i64 @llvm.smin.i64(i64 %data, i64 %last)
  %top = call i64 @llvm.smax.i64(i64 %data, i64 %last)
  %high = add i64 %top, %size
  %begun = insertvalue { i64, i64 } poison, i64 %low, 0
  %both = insertvalue { i64, i64 } %begun, i64 %high, 1
  ret { i64, i64 } %both
}"""
KEEPS_LOCK = 64  # the interpreter's lock is kept up to this number of rows
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
    names = ("PyEval_SaveThread", "PyEval_RestoreThread", "PyTuple_New", "PyTuple_SetItem")
    new_ref, *others = (ctypes.cast(getattr(python, name), ctypes.c_void_p).value for name in ("Py_NewRef", *names))
    addresses = [id(np.ndarray), id(probe.dtype), id(None), new_ref, functions[PYARRAY_NEW], *others]
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


def lines(inputs: Sequence[Port], outputs: Sequence[Port]) -> Iterator[str]:
    """Yields the entry's assembly; it calls @kernel of the same module."""
    n, ports = len(inputs), [*inputs, *outputs]
    yield from (PYARRAY, BATCH_OF, APART)
    for k, port in enumerate(ports):
        sizes = ", ".join(f"i64 {size}" for size in port.shape)
        yield f"@shape.{k} = private constant [{len(port.shape)} x i64] [{sizes}]"
    yield f"define ptr @{NAME}(ptr %self, ptr %arguments, i64 %count) {{"
    yield "  %table.at = getelementptr %array, ptr %self, i32 0, i32 2"
    yield "  %table = load ptr, ptr %table.at"
    for k, name in enumerate(ADDRESSES):
        yield f"  %{name}.at = getelementptr ptr, ptr %table, i64 {k}"
        yield f"  %{name} = load ptr, ptr %{name}.at"
    for name, size in (("in", n), ("out", len(outputs))):
        yield f"  %{name} = alloca ptr, i64 {size}"
        yield f"  %{name}_step = alloca i64, i64 {size}"
    yield f"  %sizes = alloca i64, i64 {1 + max(len(port.shape) for port in outputs)}"
    # an output without axes could be one state's or a batch's, so that these are always new
    counts = {n, len(ports)} if all(port.shape for port in outputs) else {n}
    yield f"  %bare = icmp eq i64 %count, {n}"
    yield f"  %full = icmp eq i64 %count, {max(counts)}"
    yield "  %counted = or i1 %bare, %full"
    yield "  br i1 %counted, label %argument0, label %other"
    for k, port in enumerate(inputs):
        yield from _argument(k, port, "in", k)
        yield f"  br label %{f'argument{k + 1}' if k + 1 < n else 'chosen'}"
    yield "chosen:"
    yield "  %rows = call i64 @llvm.smax.i64(i64 %batch, i64 1)"
    yield "  %past = sub i64 %rows, 1"
    yield f"  br i1 %bare, label %new0, label %{f'argument{n}' if len(counts) > 1 else 'other'}"
    if len(counts) > 1:
        yield from _given(inputs, outputs)
    for k, port in enumerate(outputs):
        yield from _new(k, port, f"new{k + 1}" if k + 1 < len(outputs) else "made")
    yield from ("made:", "  br label %run", "run:")
    for k in range(len(outputs)):
        kept = f", [ %kept.{k}, %keep ]" if len(counts) > 1 else ""
        yield f"  %result.{k} = phi ptr [ %new.{k}, %made ]{kept}"
    yield RUN.format(keeps_lock=KEEPS_LOCK)
    if len(outputs) == 1:
        yield from ("  ret ptr %result.0", "}")
        return
    yield f"  %tuple = call ptr %new_tuple(i64 {len(outputs)})"
    for k in range(len(outputs)):
        yield f"  %set.{k} = call i32 %set_item(ptr %tuple, i64 {k}, ptr %result.{k})"
    yield from ("  ret ptr %tuple", "}")


def _argument(k: int, port: Port, side: str, place: int) -> Iterator[str]:
    """Yields the lines that check one argument and pass its data and its stride to the kernel."""
    yield f"argument{k}:"
    yield f"  %arg.{k}.at = getelementptr ptr, ptr %arguments, i64 {k}"
    yield f"  %arg.{k} = load ptr, ptr %arg.{k}.at"
    rows = "%batch" if k == 0 else f"%rows.{k}"
    arguments = f"ptr %arg.{k}, ptr %ndarray, ptr %float64, i64 {len(port.shape)}, ptr @shape.{k}"
    yield f"  {rows} = call i64 @batch_of({arguments})"
    yield f"  %fits.{k} = icmp {'ne i64 %batch, -1' if k == 0 else f'eq i64 {rows}, %batch'}"
    yield f"  br i1 %fits.{k}, label %take{k}, label %other"
    yield f"take{k}:"
    yield f"  %data.{k}.at = getelementptr %array, ptr %arg.{k}, i32 0, i32 2"
    yield f"  %data.{k} = load ptr, ptr %data.{k}.at"
    yield f"  %strides.{k}.at = getelementptr %array, ptr %arg.{k}, i32 0, i32 5"
    yield f"  %strides.{k} = load ptr, ptr %strides.{k}.at"
    yield f"  %step.{k} = load i64, ptr %strides.{k}"
    yield from _handed(f"{side}.{place}", side, place, f"%data.{k}", f"%step.{k}")


def _given(inputs: Sequence[Port], outputs: Sequence[Port]) -> Iterator[str]:
    """Yields the lines for given outputs: they must fit, be writeable, and not overlap with inputs."""
    n = len(inputs)
    for k, port in enumerate(outputs):
        yield from _argument(n + k, port, "out", k)
        clear = "true"
        for i, read in enumerate(inputs):
            arguments = f"ptr %arg.{n + k}, i64 {8 * port.size}, ptr %arg.{i}, i64 {8 * read.size}, i64 %past"
            yield f"  %apart.{k}.{i} = call i1 @apart({arguments})"
            yield f"  %clear.{k}.{i} = and i1 {clear}, %apart.{k}.{i}"
            clear = f"%clear.{k}.{i}"
        following = f"argument{n + k + 1}" if k + 1 < len(outputs) else "keep"
        yield f"  br i1 {clear}, label %{following}, label %other"
    yield "keep:"
    for k in range(len(outputs)):
        yield f"  %kept.{k} = call ptr %new_ref(ptr %arg.{n + k})"
    yield "  br label %run"


def _new(k: int, port: Port, following: str) -> Iterator[str]:
    """Yields the lines that make a new array for one result and pass it to the kernel."""
    yield f"new{k}:"
    yield f"  %alone.{k} = icmp eq i64 %batch, 0"
    yield f"  %skipped.{k} = zext i1 %alone.{k} to i64"
    yield "  store i64 %batch, ptr %sizes"
    for axis, size in enumerate(port.shape, 1):
        yield f"  %size.{k}.{axis} = getelementptr i64, ptr %sizes, i64 {axis}"
        yield f"  store i64 {size}, ptr %size.{k}.{axis}"
    yield f"  %shape.{k} = getelementptr i64, ptr %sizes, i64 %skipped.{k}"
    yield f"  %nd.{k} = select i1 %alone.{k}, i32 {len(port.shape)}, i32 {len(port.shape) + 1}"
    npy_double = 12
    default = f"i32 {npy_double}, ptr null, ptr null, i32 0, i32 0, ptr null"
    yield f"  %new.{k} = call ptr %new_array(ptr %ndarray, i32 %nd.{k}, ptr %shape.{k}, {default})"
    yield f"  %no_memory.{k} = icmp eq ptr %new.{k}, null"
    yield f"  br i1 %no_memory.{k}, label %failed, label %give{k}"
    yield f"give{k}:"
    yield f"  %fresh.{k}.at = getelementptr %array, ptr %new.{k}, i32 0, i32 2"
    yield f"  %fresh.{k} = load ptr, ptr %fresh.{k}.at"
    yield from _handed(f"new.{k}", "out", k, f"%fresh.{k}", str(8 * port.size))
    yield f"  br label %{following}"


def _handed(name: str, side: str, place: int, data: str, step: str) -> Iterator[str]:
    """Yields the lines that put a port's address and step into the arrays that the kernel takes."""
    yield f"  %{name}.slot = getelementptr ptr, ptr %{side}, i64 {place}"
    yield f"  store ptr {data}, ptr %{name}.slot"
    yield f"  %{name}.step_slot = getelementptr i64, ptr %{side}_step, i64 {place}"
    yield f"  store i64 {step}, ptr %{name}.step_slot"
