"""A compiled program as a function of NumPy arrays: shapes, strides, dtypes, threads and errors."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from itertools import combinations
from operator import index
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.errors import EvaluationError, flag, shortened
from qddot.program.program import Deferred, Port, Program

DTYPES = ("float64", "float32")
FEWEST_ROWS = 256  # for a thread to be worth its start
MOST_AXES = 30  # NumPy broadcasts 32, and results may have two more than what comes in
MAKING = RLock()  # held while code is made: what one thread has made, none replaces while another runs it


class BatchFunction:
    """Calls a program's kernel on arrays with any leading batch dimensions.

    Every input has the shape (…, *port.shape); the leading parts are broadcast. With several outputs the
    result is a tuple. Elements that are not finite stay in their own states.
    """

    def __init__(self, program: Program | Deferred) -> None:
        self.program = program
        self._kernels: dict[str, Any] = {}

    def __call__(self, *arrays: Any, out: Any = None, **options: Any) -> Any:
        """The outputs; options: out=, dtype="float64" | "float32", threads=, check=.

        raises EvaluationError: a wrong shape or dtype, a read-only `out`, with check=True a NaN or ∞
        """
        results = None
        given = () if out is None else out if isinstance(out, list | tuple) else (out,)
        check_apart(given, self.program.outputs, self.program.name)
        if not options and (given or out is None):
            results = self.direct(*arrays, *given)
        return self._batch(arrays, out, **options) if results is None else results

    def _batch(
        self,
        arrays: Sequence[Any],
        out: Any,
        dtype: Any = "float64",
        threads: Any = None,
        check: bool = False,
    ) -> Any:
        name = dtype if isinstance(dtype, str) and dtype in DTYPES else dtype_name(dtype, self.program.name)
        check = flag(check, "check")
        threads = self._threads(threads)
        inputs, batch = self._inputs(arrays, name)
        if check:
            self._check_finite(inputs, self.program.inputs)
        results = targets_of(out, self.program.outputs, batch, name, self.program.name)
        rows = [_rows(array, port) for array, port in zip(inputs, self.program.inputs, strict=True)]
        targets = [_rows(array, port) for array, port in zip(results, self.program.outputs, strict=True)]
        if out is not None:
            rows = [row.copy() if any(np.may_share_memory(row, t) for t in targets) else row for row in rows]
        self._run(name, rows, targets, threads)
        for array, target in zip(results, targets, strict=True):
            if target is not array and not np.may_share_memory(array, target):
                array[...] = target.reshape(array.shape)
        if check:
            self._check_finite(results, self.program.outputs)
        return results[0] if len(results) == 1 else tuple(results)

    @cached_property
    def direct(self) -> Callable[..., Any]:
        """The way for plain arrays in float64; None is its answer to others."""
        entry: Callable[..., Any] = self._kernel("float64").entry
        return entry

    def _kernel(self, dtype: str) -> Any:
        if dtype not in self._kernels:
            with MAKING:
                if dtype not in self._kernels:
                    self._kernels[dtype] = compiler()(self.program, dtype)
        return self._kernels[dtype]

    def _threads(self, given: Any) -> int:
        try:
            count = 1 if given is None else index(given)
        except TypeError:
            count = 0
        if count < 1 or isinstance(given, bool):
            raise EvaluationError(
                f"threads={shortened(given)}", where=self.program.name, expected="an integer from 1 on"
            )
        return count

    def _inputs(self, arrays: Sequence[Any], dtype: str) -> tuple[list[NDArray[Any]], tuple[int, ...]]:
        ports = self.program.inputs
        if len(arrays) != len(ports):
            names = ", ".join(port.name for port in ports)
            raise EvaluationError(f"{len(arrays)} arrays", where=self.program.name, expected=f"{len(ports)}: {names}")
        found = [self._input(array, port, dtype) for array, port in zip(arrays, ports, strict=True)]
        if max(array.ndim for array in found) > MOST_AXES:
            raise EvaluationError(
                f"an array of {max(a.ndim for a in found)} axes",
                where=self.program.name,
                expected=f"{MOST_AXES} at most",
            )
        leading = [array.shape[: array.ndim - len(port.shape)] for array, port in zip(found, ports, strict=True)]
        try:
            batch = np.broadcast_shapes(*leading)
        except ValueError:
            shown = ", ".join(f"{port.name} {array.shape}" for array, port in zip(found, ports, strict=True))
            raise EvaluationError(f"batch shapes that do not fit: {shown}", where=self.program.name) from None
        shapes = [(*batch, *port.shape) for port in ports]
        return [a if a.shape == s else np.broadcast_to(a, s) for a, s in zip(found, shapes, strict=True)], batch

    def _input(self, array: Any, port: Port, dtype: str) -> NDArray[Any]:
        try:
            found = np.asarray(array)
        except ValueError:
            found = np.asarray(None)
        if found.dtype.kind not in "iuf":
            what = f"is {shortened(array)}" if found.dtype == object else f"has the type {found.dtype}"
            raise EvaluationError(
                f"{port.name} {what}", where=self.program.name, expected="numbers in rows of one length"
            )
        if found.shape[found.ndim - len(port.shape) :] != port.shape or found.ndim < len(port.shape):
            expected = ", ".join(["…", *(str(size) for size in port.shape)])
            raise EvaluationError(
                f"{port.name} has the shape {found.shape}", where=self.program.name, expected=f"({expected})"
            )
        return found.astype(dtype, copy=False)

    def _check_finite(self, arrays: Sequence[NDArray[Any]], ports: Sequence[Port]) -> None:
        for array, port in zip(arrays, ports, strict=True):
            bad = np.argwhere(~np.isfinite(array))
            if len(bad):
                place = tuple(int(k) for k in bad[0])
                raise EvaluationError(
                    f"{port.name}{list(place)} is {array[place]}", where=self.program.name, expected="finite numbers"
                )

    def _run(self, dtype: str, rows: Sequence[Any], targets: Sequence[Any], threads: int) -> None:
        kernel, count = self._kernel(dtype), len(targets[0])
        workers = min(threads, max(1, count // FEWEST_ROWS))
        shared(lambda start, stop: kernel.run(rows, targets, start, stop), count, kernel.lanes, workers)


def dtype_name(dtype: Any, where: str) -> str:
    """The name of a type that is known here."""
    try:
        name = str(np.dtype(dtype).name)
    except (TypeError, ValueError, RecursionError):
        name = shortened(dtype)
    if name not in DTYPES:
        raise EvaluationError(f"dtype {name}", where=where, expected=" or ".join(DTYPES))
    return name


def check_apart(given: Sequence[Any], ports: Sequence[Port], where: str) -> None:
    """No two arrays to fill are in one place."""
    for (a, one), (b, other) in combinations(zip(ports, given, strict=False), 2):
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and _overlap(one, other):
            raise EvaluationError(f"out for {a.name} and for {b.name} overlap", where=where, expected="separate arrays")


def targets_of(out: Any, ports: Sequence[Port], batch: tuple[int, ...], dtype: str, where: str) -> list[NDArray[Any]]:
    """The arrays to fill: those that are given, or new ones."""
    if out is None:
        return [np.empty((*batch, *port.shape), dtype) for port in ports]
    given = [out] if len(ports) == 1 and not isinstance(out, list | tuple) else out
    if not isinstance(given, list | tuple) or len(given) != len(ports):
        raise EvaluationError("out does not fit", where=where, expected=f"{len(ports)} arrays")
    for array, port in zip(given, ports, strict=True):
        shape = (*batch, *port.shape)
        if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
            found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise EvaluationError(f"out for {port.name} is {found}", where=where, expected=f"{dtype} {shape}")
        if not array.flags.writeable:
            raise EvaluationError(f"out for {port.name} is read-only", where=where)
    return list(given)


def shared(work: Callable[[int, int], None], count: int, lanes: int, workers: int) -> None:
    """work(start, stop) over 0 … count in equal shares of whole blocks of lanes, one a worker."""
    share = -(-count // max(workers, 1) // lanes) * lanes
    if workers <= 1 or share >= count:
        work(0, count)
        return
    jobs = [_pool(workers).submit(work, start, min(start + share, count)) for start in range(share, count, share)]
    work(0, share)
    for job in jobs:
        job.result()


def _overlap(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether an element of one is in the other; the bounds are compared first, which is quick."""
    return np.may_share_memory(one, other) and np.shares_memory(one, other)


def compiler() -> Any:
    """The kernels' maker: LLVM where llvmlite is installed, else NumPy in blocks, with a warning once."""
    return _llvm() or _blocks()


@cache
def _llvm() -> Any:
    try:
        from qddot.compilers.llvm import Kernel
    except ModuleNotFoundError:
        warnings.warn("llvmlite is not installed: NumPy computes, far more slowly", stacklevel=6)
        return None
    return Kernel


def _blocks() -> Any:
    from qddot.compilers.blocks import Kernel

    return Kernel


def _after_fork() -> None:
    """A child has none of its parent's threads, nor their locks."""
    global MAKING
    MAKING = RLock()
    _pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, thread_name_prefix="qddot")


def _rows(array: NDArray[Any], port: Port) -> NDArray[Any]:
    """A view with one row a state, or a copy where there is no such view."""
    lead = array.ndim - len(port.shape)
    if lead == 1 and len(port.shape) <= 1 and (not port.shape or array.strides[1] == array.itemsize):
        return array if port.shape else array.reshape(-1, 1) if array.flags.c_contiguous else array[:, None]
    if lead and all(stride == 0 for stride in array.strides[:lead]) and array.size:
        one = np.ascontiguousarray(array[(0,) * lead]).reshape(1, -1)
        return np.broadcast_to(one, (int(np.prod(array.shape[:lead])), port.size))
    return np.ascontiguousarray(array).reshape(int(np.prod(array.shape[:lead])), port.size)
