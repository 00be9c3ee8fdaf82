"""States the assignments of a program as equations, each name with one value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.functions import ACCELERATIONS, MOTION, is_result
from qddot.teach.check.reading.programs.values import (
    ATOM,
    Array,
    Formula,
    Stating,
    UnknownError,
    array_of,
    atom,
    formulas,
    is_listed,
    joined,
)
from qddot.teach.check.reading.texts.rewriting import LONGEST_REWRITTEN, Rewriting
from qddot.teach.check.reading.texts.written import UNREAD, Written

# a name with the numbers of its function and of its value
OWN = re.compile(r"([\w\u0307\u0308]+)\ue000(-?\d+)_(\d+)\ue001")
PLAIN = re.compile(r"[^\W\d][\w\u0307\u0308]*")
MASS = re.compile("[MDH]|[mM]ass|inertia")
MOST_EQUATIONS = 5_000
MIRRORED = "{name}: the zeros of the triangle that the program leaves empty are read as the entries across the diagonal"


class Equations:
    """These are the equations that a program states; a name of the program is written with the number of its value."""

    def __init__(self, written: Written) -> None:
        self.written = written
        self._stated: list[Formula] = []
        self._count = 0
        self._values: dict[tuple[str, int], int] = {}
        self._taken: set[tuple[str, int]] = set()
        self._renamed: dict[str, str] = {}
        self._pending: list[tuple[Array, str, int, int]] = []
        self._notes: dict[str, None] = {}

    def name(self, name: str, scope: int, at: int, shape: tuple[int, ...] | None = None) -> Formula:
        """Returns a variable's name for its next value."""
        self._count += 1
        number = self._values[name, scope] = self._count
        return atom(f"{name}\ue000{scope}_{number}\ue001", at, shape)

    def own_name(self, text: str) -> str:
        """Returns the name in the program of a value's name, or "" if a text is more than a name."""
        match = OWN.fullmatch(text)
        return match[1] if match else ""

    def take(self, name: str, scope: int) -> None:
        """Keeps a name for a parameter."""
        self._taken.add((name, scope))

    def rename(self, text: str, result: str) -> None:
        """Gives all values of a variable another name."""
        self._renamed[text] = result

    def state(self, left: Formula, right: Formula) -> None:
        """States an equation."""
        if left.text != right.text:
            self._add(joined([left, " = ", right], left.origins[0] if left.origins else 0))

    def miss(self, name: Formula) -> None:
        """States that the value of a quantity is not known."""
        bare = self.own_name(name.text) or name.text
        if is_result(bare) or bare == ACCELERATIONS:
            self._add(joined([name, f" = {UNREAD}"], name.origins[0]))

    def drop(self, name: str, scope: int) -> None:
        """Leaves an array that is not stated yet unstated."""
        self._pending = [each for each in self._pending if each[1:3] != (name, scope)]

    def keep(self, span: form.Span) -> None:
        """Keeps a piece of the text as it is."""
        self._add(Formula(self.written.text[span[0] : span[1]], tuple(range(*span))))

    def _add(self, equation: Formula) -> None:
        self._stated.append(equation)
        if len(self._stated) > MOST_EQUATIONS:
            raise UnknownError("the program states too many equations")

    def assign(self, name: str, scope: int, value: Any, at: int) -> Any:
        """States the equation of an assignment; returns the value by its name."""
        if isinstance(value, Stating):
            if not value.is_system:
                self.state(value.left, value.right)
                return value
            own = self.name(name, scope, at)
            self.state(joined([value.left, "*", own], at), value.right)
            return own
        if isinstance(value, Formula):
            return self._assign_formula(name, scope, value, at)
        if isinstance(value, Array):
            return self._assign_array(name, scope, value, at)
        if is_listed(value) and value and all(isinstance(each, Formula) for each in formulas(value)):
            return self._assign_list(name, scope, value, at)
        return value

    def _assign_formula(self, name: str, scope: int, value: Formula, at: int) -> Formula:
        if name in (value.text, self.own_name(value.text)):
            return value
        if (name, scope) not in self._values and re.search(rf"(?<![\w.]){re.escape(name)}(?![\w(\ue000])", value.text):
            self.take(name, scope)
        own = self.name(name, scope, at, value.shape)._replace(whole=value.whole)
        self.state(own, value)
        return own

    def _assign_array(self, name: str, scope: int, array: Array, at: int) -> Array:
        if array.name is not None:
            if self.own_name(array.name.text) == name:
                return array
            own = self.name(name, scope, at, array.shape)
            self.state(own, array.name)
            return array.copy(name=own, stated=array.stated)
        if not all(isinstance(each, Formula) for each in array.entries):
            return array
        if all(each.text == f"{name}[{k}]" for k, each in enumerate(array.entries)):
            return array
        if (part := _part_of_state(array)) is not None:
            return array.copy(name=atom(part, at, array.shape), stated=array.entries)
        if array.filled_at is None and not _is_known(name) and all(map(_is_plain, array.entries)):
            return array
        if any(each is array for each, *_ in self._pending):
            array = array.copy()
        self._pending.append((array, name, scope, at))
        if any(each.text not in ("0", "unread") for each in array.entries):
            self.named(array)
        return array

    def _assign_list(self, name: str, scope: int, value: Any, at: int) -> Any:
        try:
            array = array_of(value)
        except UnknownError:
            return value
        is_known = is_result(name) and MOTION.fullmatch(name) is None
        has_arrays = any(isinstance(each, Array) for each in value)
        if not _is_known(name) and (
            has_arrays or all(OWN.fullmatch(e.text) or PLAIN.fullmatch(e.text) for e in array.entries)
        ):
            return value
        self._pending.append((array, name, scope, at))
        if isinstance(value, list) and is_known:  # its entries may be changed before it is used
            return array
        self.named(array)
        if len(array.shape) > 1:
            return value
        entries = [entry_of(array, k) for k in range(len(array.entries))]
        return tuple(entries) if isinstance(value, tuple) else entries

    def named(self, array: Array) -> Formula | None:
        """Returns the name under which an array is stated, or None if it has none."""
        for k, (each, name, scope, at) in enumerate(self._pending):
            if each is array:
                del self._pending[k]
                array.name = self.name(name, scope, at, array.shape)
                if _mirror(array, name):
                    self._notes[MIRRORED.format(name=name)] = None
                array.stated = list(array.entries)
                self.state(array.name, literal(array, at))
                break
        return array.name

    def change(self, array: Array, at: int) -> None:
        """Notes that an array is changed, so that it will be stated anew."""
        if array.name is not None:
            match = OWN.fullmatch(array.name.text)
            array.entries = [entry_of(array, k) for k in range(len(array.entries))]
            if match:
                self._pending.append((array, match[1], int(match[2]), at))
            array.name = array.stated = None

    def flush(self, scope: int) -> None:
        """States the arrays of a function that are not stated yet."""
        for array, *_ in [each for each in self._pending if each[2] == scope]:
            self.named(array)

    def done(self) -> Written:
        """Returns the equations as a text."""
        end = joined(["\n"], 0)
        parts = [part for equation in self._used() for part in (equation, end)]
        if sum(len(part.text) for part in parts) > LONGEST_REWRITTEN:
            found = f"a program whose equations have more than {LONGEST_REWRITTEN} characters"
            raise ExpressionError(found, where=self.written.where(0), expected="a shorter program")
        places, before = self.written.origins, 0
        origins = list[int]()
        for part in parts:
            own = part.origins if part is not end else (before,)
            before = own[-1] if own else before
            origins += own
        last = places[-1] if places else len(self.written.text)
        where = tuple(places[min(k, len(places) - 1)] if places else k for k in origins)
        file = self.written.file or self.written.text
        text = "".join(part.text for part in parts)
        notes = (*self.written.notes, *self._notes)
        written = replace(self.written, text=text, file=file, origins=(*where, last), notes=notes)
        scopes: dict[str, int] = {match[1]: int(match[2]) for match in OWN.finditer(text)}
        return Rewriting(written).sub(OWN, lambda match: self._final(match, scopes)).done()

    def _used(self) -> list[Formula]:
        """Returns the equations without those of earlier values of names that nothing uses."""
        names = Counter(match[0] for equation in self._stated for match in OWN.finditer(equation.text))
        kept = list[Formula]()
        for equation in self._stated:
            left = OWN.match(equation.text)
            is_old = left is not None and int(left[3]) < self._values.get((left[1], int(left[2])), 0)
            if left is None or not is_old or names[left[0]] > 1 or left[0] in self._renamed:
                kept.append(equation)
        return kept

    def _final(self, match: re.Match[str], scopes: dict[str, int]) -> str:
        """Returns the last form of a name: its earlier values, and those in other functions, have others."""
        if match[0] in self._renamed:
            return self._renamed[match[0]]
        name, scope, number = match[1], int(match[2]), int(match[3])
        letters = re.sub(r"[^A-Za-z]", "", name)
        if number < self._values.get((name, scope), number):
            return f"{letters}Before{number}In{scope + 1}"
        if (name, scope) in self._taken:
            return f"{name}Converted{scope}"
        return name if is_result(name) or scopes[name] == scope else f"{name}In{scope}"


def entry_of(array: Array, k: int) -> Any:
    """Returns an entry of an array: a name or a number itself, a longer formula by its place in a stated array."""
    entry = array.entries[k]
    if array.name is None or not isinstance(entry, Formula):
        return entry
    is_index = entry.is_number and entry.whole is not None and not MOTION.fullmatch(OWN.sub(r"\1", array.name.text))
    if is_index or PLAIN.fullmatch(entry.text) or OWN.fullmatch(entry.text):
        return entry
    index = ",".join(map(str, indices_of(array.shape, k)))
    at = entry.origins[0] if entry.origins else 0
    return joined([array.name, f"[{index}]"], at, ATOM, ())._replace(whole=entry.whole)


def _is_known(name: str) -> bool:
    """Returns whether a name is that of a quantity or of the motion."""
    return is_result(name) or MOTION.fullmatch(name) is not None


def _is_plain(entry: Formula) -> bool:
    """Returns whether a formula is a symbol or a whole number."""
    return PLAIN.fullmatch(entry.text) is not None or (entry.is_number and entry.whole is not None)


def _part_of_state(array: Array) -> str | None:
    """Returns q or qd if an array has the entries of that in their order."""
    for name in ("q", "qd"):
        if array.entries and all(each.text == f"{name}[{k}]" for k, each in enumerate(array.entries)):
            return name
    return None


def _mirror(array: Array, name: str) -> bool:
    """Fills the triangle of a mass matrix that a program leaves out; returns whether there is one."""
    size = array.shape[0]
    if array.filled_at is None or array.shape != (size, size) or not MASS.fullmatch(name):
        return False
    upper = [(i * size + j, j * size + i) for i in range(size) for j in range(i + 1, size)]
    for pairs in (upper, [pair[::-1] for pair in upper]):
        if all(array.entries[empty].origins == (array.filled_at,) for _, empty in pairs):
            for full, empty in pairs:
                array.entries[empty] = array.entries[full]
            return any(array.entries[full].text != "0" for full, _ in pairs)
    return False


def indices_of(shape: tuple[int, ...], k: int) -> list[int]:
    """Returns the indices of the k-th entry; a column has one."""
    indices = list[int]()
    for size in reversed(shape):
        k, index = divmod(k, size)
        indices.insert(0, index)
    return indices[:1] if len(shape) == 2 and shape[1] == 1 else indices


def literal(array: Array, at: int) -> Formula:
    """Returns an array as a list of its rows; a column is a list of its entries."""
    shape = array.shape[:1] if len(array.shape) == 2 and array.shape[1] == 1 else array.shape
    return joined(_listed(array.entries, shape), at, ATOM, array.shape)


def _listed(entries: Sequence[Formula], shape: Sequence[int]) -> list[str | Formula]:
    size = len(entries) // max(shape[0], 1)
    parts: list[str | Formula] = ["["]
    for k in range(shape[0]):
        parts.append(", " if k else "")
        own = entries[k * size : (k + 1) * size]
        parts += _listed(own, shape[1:]) if len(shape) > 1 else own
    return [*parts, "]"]
