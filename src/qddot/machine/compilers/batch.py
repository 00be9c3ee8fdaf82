"""Calls a compiled program as a function of NumPy arrays: shapes, strides, threads and errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qddot.algebra.checked_arrays import read
from qddot.algebra.program.program import Interface, Port, Program
from qddot.base.checked import whole
from qddot.base.errors import EvaluationError, flag, has_masked, refuse_masked, shortened
from qddot.base.words.message import Listed, say
from qddot.machine.compilers import kernels, recycled
from qddot.machine.compilers.buffers import DTYPES, check_apart, rows_of, targets_of
from qddot.machine.compilers.kernels import Kernel
from qddot.machine.compilers.threads import FEWEST_ROWS, FIRST_ROWS, shared

KINDS = "iuf"  # kinds of NumPy's types that are numbers
TYPES = {name: np.dtype(name) for name in DTYPES}
MOST_AXES = 30  # NumPy broadcasts 32, and results may have two more than the inputs


def compiled(program: Program, dtype: str = "float64") -> BatchFunction:
    """Compiles a program to a function of arrays."""
    with kernels.making():
        return BatchFunction(program.interface, kernels.compiler().compiled(program, dtype), dtype)


class BatchFunction:
    """This calls a program's kernel on arrays with any leading batch dimensions.

    Every input has the shape (…, *port.shape); the leading parts are broadcast. With several outputs the
    result is a tuple. Elements that are not finite affect only their own states.
    """

    def __init__(self, interface: Interface, kernel: Kernel, dtype: str) -> None:
        """dtype: the type of the kernel's arrays and of the results; inputs of other types are converted"""
        self.interface = interface
        self.dtype = dtype
        self.entry = kernel.entry  # for fast calls, which come here if it returns None
        self._kernel = kernel
        self._bytes = sum(port.size for port in interface.outputs) * TYPES[dtype].itemsize  # of a row of results

    def __call__(self, *arrays: ArrayLike, out: Any = None, threads: Any = None, check: Any = False) -> Any:
        """Returns the outputs, as `results` does."""
        return self.results(arrays, out, threads, check)

    def results(self, arrays: Sequence[ArrayLike], out: Any = None, threads: Any = None, check: Any = False) -> Any:
        """Returns the outputs, those of a guarded program without the guard, or None unless that is positive.

        out: arrays to fill; threads: how many threads share a batch; check: whether NaN and ∞ raise an error
        raises EvaluationError: a wrong shape or dtype, masked entries, a read-only `out`, or with check=True a NaN or ∞
        """
        if any(map(has_masked, arrays)):
            for array, port in zip(arrays, self.interface.inputs, strict=False):
                refuse_masked(
                    array, say("argument-of-function", name=port.name, function=self.interface.name), EvaluationError
                )
        targets = () if out is None else out if isinstance(out, list | tuple) else (out,)
        workers = 1 if threads is None else whole(threads, "threads", 1, error=EvaluationError)
        if check is False and (targets or out is None) and (workers == 1 or _are_few(arrays)):
            plain = self._plain(arrays)
            results = self.entry(*plain, *targets)
            if results is None and not targets:
                results = self.entry(*plain, *self._for_large(plain))
            if results is not None:
                return results
        if self.interface.is_guarded:
            return None
        check_apart(targets, self.interface.outputs, self.interface.name)
        return self._in_rows(arrays, out, workers, flag(check, "check"))

    def with_guard(self, arrays: Sequence[ArrayLike], threads: Any = None, check: Any = False) -> Any:
        """Returns all outputs of a guarded program, with that which tells where the others have a meaning."""
        workers = 1 if threads is None else whole(threads, "threads", 1, error=EvaluationError)
        return self._in_rows(arrays, None, workers, flag(check, "check"))

    def _for_large(self, arrays: Sequence[Any]) -> list[NDArray[Any]]:
        """Returns new arrays for results that are too large for the entry to make, otherwise an empty list."""
        ports = zip(arrays, self.interface.inputs, strict=False)
        rows = max((len(a) for a, port in ports if isinstance(a, np.ndarray) and a.ndim > len(port.shape)), default=0)
        if rows * self._bytes < recycled.LEAST:
            return []
        return recycled.empties([(rows, *port.shape) for port in self.interface.results], self.dtype)

    def _plain(self, arrays: Sequence[ArrayLike]) -> Sequence[ArrayLike]:
        """Returns the arrays converted to the kernel's type, or all of them unchanged if one has to be refused."""
        own = TYPES[self.dtype]
        try:
            plain = list(map(np.asarray, arrays))
        except ValueError:
            return arrays
        for k, numbers in enumerate(plain):
            if numbers.dtype is not own:
                if numbers.dtype.kind not in KINDS:
                    return arrays
                plain[k] = numbers.astype(own)
        return plain

    def _in_rows(self, arrays: Sequence[ArrayLike], out: Any, threads: int, check: bool) -> Any:
        """Returns the outputs for arrays of any layout, which are first arranged in rows."""
        of = self.interface
        inputs, batch = self._inputs(arrays)
        if check:
            self._check_finite(inputs, of.inputs)
        results = targets_of(out, of.outputs, batch, self.dtype, of.name)
        rows = [rows_of(array, port) for array, port in zip(inputs, of.inputs, strict=True)]
        targets = [rows_of(array, port) for array, port in zip(results, of.outputs, strict=True)]
        if out is not None:
            rows = [row.copy() if any(np.may_share_memory(row, t) for t in targets) else row for row in rows]
        self._run(rows, targets, threads)
        for array, target in zip(results, targets, strict=True):
            if target is not array and not np.may_share_memory(array, target):
                array[...] = target.reshape(array.shape)
        if check:
            self._check_finite(results, of.outputs)
        return results[0] if len(results) == 1 else tuple(results)

    def _run(self, rows: Sequence[Any], targets: Sequence[Any], threads: int) -> None:
        kernel, count = self._kernel, len(targets[0])
        workers = min(threads, max(1, count // FEWEST_ROWS))
        shared(lambda start, stop: kernel.run(rows, targets, start, stop), count, kernel.lanes, workers, FIRST_ROWS)

    def _inputs(self, arrays: Sequence[ArrayLike]) -> tuple[list[NDArray[Any]], tuple[int, ...]]:
        ports = self.interface.inputs
        if len(arrays) != len(ports):
            names = Listed(port.name for port in ports)
            raise EvaluationError(
                "other-count-of-arguments",
                where=self.interface.name,
                count=len(arrays),
                needed=len(ports),
                names=names,
            )
        inputs = [self._input(array, port) for array, port in zip(arrays, ports, strict=True)]
        if max(array.ndim for array in inputs) > MOST_AXES:
            raise EvaluationError(
                "array-of-many-axes", where=self.interface.name, axes=max(a.ndim for a in inputs), most=MOST_AXES
            )
        leading = [array.shape[: array.ndim - len(port.shape)] for array, port in zip(inputs, ports, strict=True)]
        try:
            batch = np.broadcast_shapes(*leading)
        except ValueError:
            listed = Listed(f"{port.name} {array.shape}" for array, port in zip(inputs, ports, strict=True))
            raise EvaluationError("batch-shapes-not-fit", where=self.interface.name, listed=listed) from None
        shapes = [(*batch, *port.shape) for port in ports]
        return [a if a.shape == s else np.broadcast_to(a, s) for a, s in zip(inputs, shapes, strict=True)], batch

    def _input(self, array: ArrayLike, port: Port) -> NDArray[Any]:
        try:
            numbers = np.asarray(read(array))
        except ValueError:
            numbers = np.asarray(None)
        if numbers.dtype.kind not in KINDS:
            is_listed = numbers.dtype == object or numbers.dtype.kind == "U"
            is_type = say("it-has-type", type=numbers.dtype)
            what = say("it-is-value", value=shortened(array)) if is_listed else is_type
            raise EvaluationError("argument-no-numbers", where=self.interface.name, name=port.name, what=what)
        if numbers.shape[numbers.ndim - len(port.shape) :] != port.shape or numbers.ndim < len(port.shape):
            expected = ", ".join(["…", *(str(size) for size in port.shape)])
            raise EvaluationError(
                "argument-misshapen", where=self.interface.name, name=port.name, shape=numbers.shape, expected=expected
            )
        return numbers.astype(self.dtype, copy=False)

    def _check_finite(self, arrays: Sequence[NDArray[Any]], ports: Sequence[Port]) -> None:
        for array, port in zip(arrays, ports, strict=True):
            bad = np.argwhere(~np.isfinite(array))
            if len(bad):
                place = tuple(int(k) for k in bad[0])
                raise EvaluationError(
                    "entry-not-finite", where=self.interface.name, name=port.name, place=list(place), value=array[place]
                )


def _are_few(arrays: Sequence[Any]) -> bool:
    """Returns whether arrays have too few rows to be worth starting threads."""
    return all(type(array) is np.ndarray and max(array.shape, default=0) < 2 * FEWEST_ROWS for array in arrays)
