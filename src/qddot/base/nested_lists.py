"""Arrays as nested lists: their shapes, and their entries in row-major order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import prod
from typing import Any


def shape_of(nested: Any) -> tuple[int, ...]:
    """Returns the shape of nested lists or tuples; anything else is a scalar."""
    if not isinstance(nested, list | tuple):
        return ()
    return (len(nested), *(shape_of(nested[0]) if nested else ()))


def has_shape(nested: Any, shape: Sequence[int]) -> bool:
    """Returns whether all of the nested lists have the lengths of a shape."""
    is_list = isinstance(nested, list | tuple)
    if not shape or not is_list:
        return not shape and not is_list
    return len(nested) == shape[0] and all(has_shape(part, shape[1:]) for part in nested)


def flat(nested: Any, ndim: int) -> Iterable[Any]:
    """Returns the entries of nested lists of so many levels."""
    parts: Iterable[Any] = (nested,)
    for _ in range(ndim):
        parts = chain.from_iterable(parts)
    return parts


def nested(entries: Sequence[Any], shape: Sequence[int]) -> Any:
    """Returns entries in row-major order as nested lists of a shape, or the single entry of a scalar."""
    if not shape:
        return entries[0]
    step = prod(shape[1:])
    return [nested(entries[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])]
