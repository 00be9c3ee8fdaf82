"""Finds which entries of an array in row-major order an index picks, by NumPy's rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from numbers import Integral
from operator import index as whole
from typing import Any


def picked(shape: Sequence[int], index: Any) -> tuple[list[int], tuple[int, ...]]:
    """Returns the positions of the chosen entries, and their shape.

    index: an integer, a slice, Ellipsis, None, or a tuple of these; lists, booleans and arrays are left to NumPy
    raises IndexError: an index is out of range or of a wrong type, or there are more indices than axes
    """
    parts = index if isinstance(index, tuple) else (index,)
    if any(_is_numpys(part) for part in parts):
        return _by_numpy(shape, index)
    positions, left, sizes = [0], list(shape), []
    for part in _one_an_axis(parts, len(shape)):
        if part is None:
            sizes.append(1)
            continue
        size = left.pop(0)
        if isinstance(part, slice):
            places: Sequence[int] = range(size)[part]
            sizes.append(len(places))
        else:
            places = [_place(part, size, len(shape) - len(left) - 1)]
        positions = [position * size + place for position in positions for place in places]
    return positions, tuple(sizes)


def transposed(shape: Sequence[int]) -> tuple[list[int], tuple[int, ...]]:
    """Returns the positions of all entries with the axes in reverse order, and their shape."""
    places = list(product(*map(range, shape)))
    return sorted(range(len(places)), key=lambda k: places[k][::-1]), tuple(reversed(shape))


def _is_numpys(part: Any) -> bool:
    """Returns whether an index needs NumPy's advanced indexing."""
    if isinstance(part, bool) or (isinstance(part, Sequence) and not isinstance(part, str)):
        return True
    return hasattr(part, "__array__") and not isinstance(part, Integral)


def _by_numpy(shape: Sequence[int], index: Any) -> tuple[list[int], tuple[int, ...]]:
    import numpy as np

    chosen = np.arange(prod(shape)).reshape(shape)[index]
    return np.ravel(chosen).tolist(), np.shape(chosen)


def _one_an_axis(parts: Sequence[Any], axes: int) -> list[Any]:
    """Returns one index per axis; full slices replace an Ellipsis or follow at the end."""
    count = sum(part is not None and part is not Ellipsis for part in parts)
    if count > axes:
        raise IndexError(f"too many indices: the array has {axes} axes, {count} were indexed")
    dots = [k for k, part in enumerate(parts) if part is Ellipsis] or [len(parts)]
    if len(dots) > 1:
        raise IndexError("an index can have a single ellipsis")
    return [*parts[: dots[0]], *[slice(None)] * (axes - count), *parts[dots[0] + 1 :]]


def _place(part: Any, size: int, axis: int) -> int:
    try:
        place = whole(part)
    except TypeError:
        raise IndexError(f"{part!r} is not an index; use integers, slices, an ellipsis (...) or None") from None
    if not -size <= place < size:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    return place % size
