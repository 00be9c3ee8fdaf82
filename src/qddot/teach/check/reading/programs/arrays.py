"""Finds and changes entries and parts of the lists, dictionaries and arrays of programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product as all_pairs
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.stating import entry_of as entry
from qddot.teach.check.reading.programs.stating import literal
from qddot.teach.check.reading.programs.values import (
    Array,
    Formula,
    Frame,
    Interprets,
    Object,
    Stating,
    UnknownError,
    array_of,
    atom,
    formulas,
    is_listed,
    part_of,
    whole,
)


def formula_of(interpreter: Interprets, value: Any, at: int) -> Formula:
    """Returns a value as a formula: an array by its name, or by its entries if it has none."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, Array):
        return interpreter.equations.named(value) or literal(value, at)
    if is_listed(value):
        return formula_of(interpreter, array_of(value), at)
    raise UnknownError("this is no formula")


def column(entries: Sequence[Formula], at: int) -> Formula:
    return literal(Array((len(entries),), list(entries)), at)


def key_of(value: Any) -> Any:
    """Returns the key of a dictionary's entry."""
    if isinstance(value, Formula):
        return value.whole if value.whole is not None else value.text
    if is_listed(value):
        return tuple(map(key_of, value))
    if isinstance(value, (str, bool)):
        return value
    raise UnknownError("the key of a dictionary is not known")


def number_of(value: Any) -> int:
    if isinstance(value, Formula) and value.whole is not None:
        return value.whole
    raise UnknownError("a whole number is not known")


def values_of(interpreter: Interprets, value: Any, at: int) -> Iterator[Any]:
    """Yields the values over which a loop goes."""
    if isinstance(value, Array):
        interpreter.equations.named(value)
        if len(value.shape) == 1 or value.is_matrix:
            yield from (entry(value, k) for k in range(len(value.entries)))
        else:
            width = len(value.entries) // max(value.shape[0], 1)
            for i in range(value.shape[0]):
                yield Array(value.shape[1:], [entry(value, i * width + j) for j in range(width)])
    elif isinstance(value, dict):
        yield from (whole(key, at) if isinstance(key, int) else key for key in value)
    elif is_listed(value) or isinstance(value, str):
        yield from value
    elif isinstance(value, Formula) and value.shape:
        yield from (part_of(value, (k,), at) for k in range(value.shape[0]))
    else:
        raise UnknownError("the values of a loop are not known")


def listed_part(interpreter: Interprets, value: Any, at: int) -> Any:
    if isinstance(value, Formula) and value.shape == ():
        return [value]
    if isinstance(value, Stating) or (isinstance(value, Formula) and value.shape is None):
        return [value]
    return list(formulas(value)) if not isinstance(value, Formula) else list(values_of(interpreter, value, at))


def item(interpreter: Interprets, value: Any, indices: tuple[form.Expression, ...], frame: Frame, at: int) -> Any:
    """Returns the value at indices, or the part of an array at slices."""
    if isinstance(value, dict):
        key = key_of(interpreter.value(indices[0], frame) if len(indices) == 1 else _keys(interpreter, indices, frame))
        if key not in value:
            raise UnknownError(f"the dictionary has no {key!r}")
        found = value[key]
        is_symbol = isinstance(found, Formula) and found.is_number and isinstance(key, str)
        return atom(key, at) if is_symbol else found
    if isinstance(value, Object):
        return atom(str(key_of(interpreter.value(indices[0], frame))), at)
    if isinstance(value, Formula) and len(indices) == 1 and isinstance(indices[0], form.String):
        return atom(indices[0].text, at)
    if is_listed(value):
        first = indices[0]
        if isinstance(first, form.Slice):
            return value[_slice(interpreter, first, frame)]
        found = _at(value, interpreter.number(first, frame))
        return item(interpreter, found, indices[1:], frame, at) if indices[1:] else found
    if isinstance(value, Array):
        return _part(interpreter, value, indices, frame)
    if isinstance(value, Formula) and value.shape and len(value.shape) == 2 and any(map(_is_slice, indices)):
        by_row = value.shape[1] == 1
        cells: list[tuple[int, ...]] = [(i,) if by_row else (i, j) for i, j in all_pairs(*map(range, value.shape))]
        entries = Array(value.shape, [part_of(value, cell, at) for cell in cells], True)
        return _part(interpreter, entries, indices, frame)
    if isinstance(value, Formula):
        if len(indices) == 1 and isinstance(indices[0], form.Slice):
            if not value.shape and indices[0].last is None:
                raise UnknownError("the length of a slice is not known")
            own = _slice(interpreter, indices[0], frame)
            places = range(*own.indices(value.shape[0] if value.shape else own.stop))
            return Array((len(places),), [part_of(value, (k,), at) for k in places])
        return part_of(value, tuple(interpreter.number(each, frame) for each in indices), at)
    raise UnknownError("this has no entries")


def set_entry(interpreter: Interprets, value: Any, target: form.Index, new: Any, frame: Frame) -> None:
    """Changes an entry of a list, a dictionary or an array."""
    indices = target.indices
    if isinstance(value, dict):
        value[
            key_of(interpreter.value(indices[0], frame) if len(indices) == 1 else _keys(interpreter, indices, frame))
        ] = new
    elif isinstance(value, list) and len(indices) == 1 and not isinstance(indices[0], form.Slice):
        k = interpreter.number(indices[0], frame)
        _at(value, k)
        value[k] = new
    elif isinstance(value, Array):
        places = _places(interpreter, value, indices, frame)
        interpreter.equations.change(value, target.span[0])
        offsets = _offsets(value, [each if isinstance(each, range) else (each,) for each in places])
        if any(isinstance(each, range) for each in places) and not (isinstance(new, Formula) and new.shape == ()):
            news = list(formulas(new if not isinstance(new, Formula) else list(values_of(interpreter, new, 0))))
        else:
            news = [formula_of(interpreter, new, target.span[0])] * len(offsets)
        if len(news) != len(offsets):
            raise UnknownError("the shapes do not fit")
        for k, each in zip(offsets, news, strict=True):
            value.entries[k] = each
    elif isinstance(value, Formula) and value.shape is None and frame.is_stated:
        left = part_of(value, tuple(interpreter.number(each, frame) for each in indices), target.span[0])
        interpreter.equations.state(left, formula_of(interpreter, new, target.span[0]))
    else:
        raise UnknownError("this has no entries")


def _is_slice(index: form.Expression) -> bool:
    return isinstance(index, form.Slice)


def _keys(interpreter: Interprets, indices: Sequence[form.Expression], frame: Frame) -> tuple[Any, ...]:
    return tuple(interpreter.value(each, frame) for each in indices)


def _at(values: Sequence[Any], k: int) -> Any:
    if not -len(values) <= k < len(values):
        raise UnknownError(f"there is no entry {k}")
    return values[k]


def _slice(interpreter: Interprets, part: form.Slice, frame: Frame) -> slice:
    return slice(
        *(None if each is None else interpreter.number(each, frame) for each in (part.first, part.last, part.step))
    )


def _places(interpreter: Interprets, array: Array, indices: Sequence[form.Expression], frame: Frame) -> list[Any]:
    """Returns for each axis the index, or the range of indices of a slice."""
    sizes = array.shape if len(indices) > 1 or not array.is_matrix else (len(array.entries),)
    if len(indices) > len(sizes):
        raise UnknownError("an array has fewer indices")
    places: list[Any] = []
    for each, size in zip(indices, sizes, strict=False):
        if isinstance(each, form.Slice):
            places.append(range(size)[_slice(interpreter, each, frame)])
        else:
            places.append(_at(range(size), interpreter.number(each, frame)))
    return [*places, *(range(size) for size in sizes[len(indices) :])]


def _offsets(array: Array, spans: Sequence[Sequence[int]]) -> list[int]:
    """Returns the places among an array's entries of those in ranges of indices."""
    steps = [1] * len(spans)
    for axis in reversed(range(len(spans) - 1)):
        steps[axis] = steps[axis + 1] * array.shape[axis + 1]
    return [sum(k * step for k, step in zip(each, steps, strict=True)) for each in all_pairs(*spans)]


def _part(interpreter: Interprets, array: Array, indices: Sequence[form.Expression], frame: Frame) -> Any:
    places = _places(interpreter, array, indices, frame)
    spans = [each if isinstance(each, range) else (each,) for each in places]
    offsets = _offsets(array, spans)
    entries = [entry(array, k) for k in offsets]
    if not any(isinstance(each, range) for each in places):
        return entries[0]
    shape = tuple(len(each) for each in spans)
    if not array.is_matrix:
        shape = tuple(len(each) for each in places if isinstance(each, range))
    elif len(shape) == 1:
        shape = (*shape, 1)
    return Array(shape, entries, array.is_matrix)
