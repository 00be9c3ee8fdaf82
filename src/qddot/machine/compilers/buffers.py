"""Prepares a caller's NumPy arrays: checks their types, chooses the arrays to fill, and arranges rows for a kernel."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.program.program import Port
from qddot.base.errors import EvaluationError, shortened
from qddot.base.words.message import Either
from qddot.machine.compilers import recycled

DTYPES = ("float64", "float32")


def dtype_name(dtype: Any, where: str) -> str:
    """Returns the name of a dtype. raises EvaluationError: it is not in DTYPES"""
    if isinstance(dtype, str) and dtype in DTYPES:
        return dtype
    try:
        with warnings.catch_warnings(action="ignore"):  # warnings about old names, which are refused below
            name = str(np.dtype(dtype).name)
    except (TypeError, ValueError, RecursionError):
        name = shortened(dtype)
    if name not in DTYPES:
        raise EvaluationError("no-such-dtype", where=where, name=name, expected=Either(DTYPES))
    return name


def check_apart(targets: Sequence[Any], ports: Sequence[Port], where: str) -> None:
    """Raises EvaluationError if two arrays to fill overlap."""
    for (a, one), (b, other) in combinations(zip(ports, targets, strict=False), 2):
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and _overlap(one, other):
            raise EvaluationError("out-overlap", where=where, name=a.name, other=b.name)


def targets_of(out: Any, ports: Sequence[Port], batch: tuple[int, ...], dtype: str, where: str) -> list[NDArray[Any]]:
    """Returns the caller's arrays to fill, or new ones. raises EvaluationError: a wrong number, shape or type"""
    if out is None:
        return recycled.empties([(*batch, *port.shape) for port in ports], dtype)
    targets = [out] if len(ports) == 1 and not isinstance(out, list | tuple) else out
    if not isinstance(targets, list | tuple) or len(targets) != len(ports):
        count = len(targets) if isinstance(targets, list | tuple) else 1
        raise EvaluationError("out-of-another-count", where=where, count=count, expected=str(len(ports)))
    for array, port in zip(targets, ports, strict=True):
        shape = (*batch, *port.shape)
        if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
            what = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise EvaluationError("out-unfit", where=where, name=port.name, what=what, dtype=dtype, shape=shape)
        if not array.flags.writeable:
            raise EvaluationError("out-read-only", where=where, name=port.name)
    return list(targets)


def _overlap(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Returns whether two arrays have an element in common; their bounds are compared first, which is quick."""
    return np.may_share_memory(one, other) and np.shares_memory(one, other)


def rows_of(array: NDArray[Any], port: Port) -> NDArray[Any]:
    """Returns a view with one row per state, or a copy where no such view exists."""
    lead = array.ndim - len(port.shape)
    if lead == 1 and len(port.shape) <= 1 and (not port.shape or array.strides[1] == array.itemsize):
        return array if port.shape else array.reshape(-1, 1) if array.flags.c_contiguous else array[:, None]
    if lead and all(stride == 0 for stride in array.strides[:lead]) and array.size:
        one = np.ascontiguousarray(array[(0,) * lead]).reshape(1, -1)
        return np.broadcast_to(one, (int(np.prod(array.shape[:lead])), port.size))
    rows = array.reshape(int(np.prod(array.shape[:lead])), port.size)
    return rows if port.size <= 1 or rows.strides[1] == array.itemsize else np.ascontiguousarray(rows)
