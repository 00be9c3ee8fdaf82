"""Finds and changes entries and parts of the lists, dictionaries and arrays of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product as all_pairs
from typing import Any

from qddot.base.words.message import say
from qddot.teach.check.reading.programs.stating import Equations, entries_of, entry_of, literal, named
from qddot.teach.check.reading.programs.values import (
    Array,
    Formula,
    Object,
    Stating,
    UnknownError,
    array_of,
    atom,
    formulas,
    is_listed,
    part_of,
    unlisted,
    whole,
)


def formula_of(value: Any, at: int) -> Formula:
    """Returns a value as a formula: an array by its name, or by its entries if it has none."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, Array):
        return named(value) or literal(value, at)
    if is_listed(value):
        return literal(array_of(value), at)
    raise UnknownError(say("this-is-no-formula"))


def of_each(function: Callable[[Any], Any], value: Any, at: int) -> Any:
    """Returns the value of a function of a formula, or the array of its values for each entry of an array."""
    value = unlisted(value)
    if isinstance(value, Array):
        return Array(value.shape, list(map(function, entries_of(value))), value.is_matrix)
    return function(formula_of(value, at))


def key_of(value: Any) -> Any:
    """Returns the key of a dictionary's entry."""
    if isinstance(value, Formula):
        return value.whole if value.whole is not None else value.text
    if is_listed(value):
        return tuple(map(key_of, value))
    if isinstance(value, (str, bool)):
        return value
    raise UnknownError(say("key-dictionary-not-known"))


def number_of(value: Any) -> int:
    """Returns a whole number."""
    if isinstance(value, Formula) and value.whole is not None:
        return value.whole
    raise UnknownError(say("whole-number-not-known"))


def values_of(value: Any, at: int) -> Iterator[Any]:
    """Yields the values over which a loop goes."""
    if isinstance(value, Array):
        named(value)
        entries = entries_of(value)
        if len(value.shape) == 1 or value.is_matrix:
            yield from entries
        else:
            width = len(entries) // max(value.shape[0], 1)
            yield from (Array(value.shape[1:], entries[i * width :][:width]) for i in range(value.shape[0]))
    elif isinstance(value, dict):
        yield from (whole(key, at) if isinstance(key, int) else key for key in value)
    elif is_listed(value) or isinstance(value, str):
        yield from value
    elif isinstance(value, Formula) and value.shape:
        yield from (part_of(value, (k,), at) for k in range(value.shape[0]))
    else:
        raise UnknownError(say("values-loop-not-known"))


def listed(value: Any, at: int) -> list[Any]:
    """Returns the entries of a part of an array, or the part itself where these are not known."""
    if isinstance(value, Stating) or (isinstance(value, Formula) and not value.shape):
        return [value]
    return list(values_of(value, at) if isinstance(value, Formula) else formulas(value))


def item(value: Any, indices: Sequence[Any], at: int) -> Any:
    """Returns the value at indices, or the part of an array at slices."""
    first, *others = indices
    if isinstance(value, dict):
        key = key_of(indices if others else first)
        if key not in value:
            raise UnknownError(say("dictionary-no-key"))
        is_symbol = isinstance(value[key], Formula) and value[key].is_number and isinstance(key, str)
        return atom(key, at) if is_symbol else value[key]
    if isinstance(value, Object):
        return atom(str(key_of(first)), at)
    if is_listed(value):
        found = value[first] if isinstance(first, slice) else value[_at(len(value), first)]
        return item(found, others, at) if others else found
    if isinstance(value, Array):
        return _part(value, indices)
    if not isinstance(value, Formula):
        raise UnknownError(say("value-without-entries"))
    if isinstance(first, str):
        return atom(first, at)
    sizes = value.shape or ()
    if len(sizes) == 2 and any(isinstance(each, slice) for each in indices):
        cells = all_pairs(*map(range, sizes[:1] if sizes[1] == 1 else sizes))
        return _part(Array(sizes, [part_of(value, cell, at) for cell in cells], True), indices)
    if isinstance(first, slice) and not others:
        if not sizes and first.stop is None:
            raise UnknownError(say("length-slice-not-known"))
        places = range(*first.indices(sizes[0] if sizes else first.stop))
        return Array((len(places),), [part_of(value, (k,), at) for k in places])
    return part_of(value, tuple(map(number_of, indices)), at)


def set_entry(equations: Equations, value: Any, indices: Sequence[Any], new: Any, at: int) -> None:
    """Changes an entry of a list, a dictionary or an array."""
    first, *others = indices
    if isinstance(value, dict):
        value[key_of(tuple(indices) if others else first)] = new
    elif isinstance(value, list) and not others and not isinstance(first, slice):
        value[_at(len(value), first)] = new
    elif isinstance(value, Array):
        shape, offsets = _places(value, indices)
        equations.change(value, at)
        is_one = not shape or (isinstance(new, Formula) and new.shape == ())
        news = [formula_of(new, at)] * len(offsets) if is_one else listed(new, at)
        if len(news) != len(offsets):
            raise UnknownError(say("shapes-not-fit"))
        for k, each in zip(offsets, news, strict=True):
            value.entries[k] = each
    elif isinstance(value, Formula) and value.shape is None:
        equations.state(part_of(value, tuple(map(number_of, indices)), at), formula_of(new, at))
    else:
        raise UnknownError(say("value-without-entries"))


def _at(size: int, index: Any) -> int:
    """Returns an index that may count from behind. raises UnknownError: there is no such entry"""
    k = number_of(index)
    if not -size <= k < size:
        raise UnknownError(say("no-such-entry"))
    return k % size


def _places(array: Array, indices: Sequence[Any]) -> tuple[tuple[int, ...], list[int]]:
    """Returns the shape of a part of an array, () of one entry, and the places of its entries among all."""
    sizes = array.shape if len(indices) > 1 or not array.is_matrix else (len(array.entries),)
    if len(indices) > len(sizes):
        raise UnknownError(say("array-fewer-indices"))
    padded = [*indices, *[slice(None)] * (len(sizes) - len(indices))]
    spans = [
        range(size)[index] if isinstance(index, slice) else (_at(size, index),)
        for index, size in zip(padded, sizes, strict=True)
    ]
    offsets = [0]
    for span, size in zip(spans, sizes, strict=True):
        offsets = [offset * size + k for offset in offsets for k in span]
    lengths = [len(span) for span in spans]
    if not any(isinstance(span, range) for span in spans):
        return (), offsets
    if array.is_matrix:
        return (*lengths, 1)[: max(len(lengths), 2)], offsets
    return tuple(len(span) for span in spans if isinstance(span, range)), offsets


def _part(array: Array, indices: Sequence[Any]) -> Any:
    shape, offsets = _places(array, indices)
    entries = [entry_of(array, k) for k in offsets]
    return Array(shape, entries, array.is_matrix) if shape else entries[0]
