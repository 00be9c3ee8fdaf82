"""States the assignments of a program as equations, each name with one value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from qddot.base.errors import ExpressionError
from qddot.base.words.message import Message, say
from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.functions import ACCELERATIONS, MOTION, is_result
from qddot.teach.check.reading.programs.values import (
    ATOM,
    Array,
    Formula,
    Pending,
    Stating,
    UnknownError,
    array_of,
    atom,
    formulas,
    joined,
)
from qddot.teach.check.reading.texts.rewriting import LONGEST_REWRITTEN, Rewriting
from qddot.teach.check.reading.texts.written import UNREAD, Written

# a name with the numbers of its function and of its value
OWN = re.compile(r"([\w\u0307\u0308]+)\ue000(-?\d+)_(\d+)\ue001")
PLAIN = re.compile(r"[^\W\d][\w\u0307\u0308]*")
MASS = re.compile("[MDH]|[mM]ass|inertia")
MOST_EQUATIONS = 5_000


def own_name(value: Any) -> str:
    """Returns the name in the program of a value's name, or "" if a value is more than a name."""
    match = OWN.fullmatch(value.text) if isinstance(value, Formula) else None
    return match[1] if match else ""


class Equations:
    """These are the equations that a program states; a name of the program is written with the number of its value."""

    def __init__(self, written: Written) -> None:
        self.written = written
        self._stated: list[Formula] = []
        self._count = 0
        self._values: dict[tuple[str, int], int] = {}
        self._taken: set[tuple[str, int]] = set()
        self._renamed: dict[str, str] = {}
        self._pending: list[Array] = []
        self.notes: dict[Message, None] = {}

    def name(self, name: str, scope: int, at: int, shape: tuple[int, ...] | None = None) -> Formula:
        """Returns a variable's name for its next value."""
        self._count += 1
        number = self._values[name, scope] = self._count
        return atom(f"{name}\ue000{scope}_{number}\ue001", at, shape)

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
        bare = own_name(name) or name.text
        if is_result(bare) or bare == ACCELERATIONS:
            self._add(joined([name, f" = {UNREAD}"], name.origins[0]))

    def keep(self, span: form.Span) -> None:
        """Keeps a piece of the text as it is."""
        self._add(Formula(self.written.text[span[0] : span[1]], tuple(range(*span))))

    def _add(self, equation: Formula) -> None:
        self._stated.append(equation)
        if len(self._stated) > MOST_EQUATIONS:
            raise UnknownError(say("program-states-too-many"))

    def assign(self, name: str, scope: int, value: Any, at: int) -> Any:
        """States the equation of an assignment; returns the value by its name."""
        match value:
            case Stating(is_system=True):
                own = self.name(name, scope, at)
                self.state(joined([value.left, "*", own], at), value.right)
                return own
            case Stating():
                self.state(value.left, value.right)
            case Formula():
                return self._assign_formula(name, scope, value, at)
            case Array():
                return self._assign_array(name, scope, value, at)
            case list() | tuple() if value and all(isinstance(each, Formula) for each in formulas(value)):
                return self._assign_list(name, scope, value, at)
        return value

    def _assign_formula(self, name: str, scope: int, value: Formula, at: int) -> Formula:
        if name in (value.text, own_name(value)):
            return value
        if (name, scope) not in self._values and re.search(rf"(?<![\w.]){re.escape(name)}(?![\w(\ue000])", value.text):
            self.take(name, scope)
        own = self.name(name, scope, at, value.shape)._replace(whole=value.whole)
        self.state(own, value)
        return own

    def _assign_array(self, name: str, scope: int, array: Array, at: int) -> Array:
        if array.name is not None:
            if own_name(array.name) == name:
                return array
            own = self.name(name, scope, at, array.shape)
            self.state(own, array.name)
            return array.copy(name=own, stated=array.stated)
        entries = array.entries
        if not all(isinstance(each, Formula) for each in entries) or _lists(name, entries):
            return array
        if entries and (part := next((own for own in ("q", "qd") if _lists(own, entries)), None)):
            return array.copy(name=atom(part, at, array.shape), stated=entries)
        if array.filled_at is None and not _is_known(name) and all(map(_is_plain, entries)):
            return array
        array = array if array.pending is None else array.copy()
        self._await(array, name, scope, at)
        if any(each.text not in ("0", UNREAD) for each in entries):
            named(array)
        return array

    def _assign_list(self, name: str, scope: int, value: Any, at: int) -> Any:
        try:
            array = array_of(value)
        except UnknownError:
            return value
        if not _is_known(name) and (
            any(isinstance(each, Array) for each in value)
            or all(OWN.fullmatch(each.text) or PLAIN.fullmatch(each.text) for each in array.entries)
        ):
            return value
        self._await(array, name, scope, at)
        if isinstance(value, list) and is_result(name) and not MOTION.fullmatch(name):
            return array  # its entries may be changed before it is used
        named(array)
        return value if len(array.shape) > 1 else type(value)(entries_of(array))

    def _await(self, array: Array, name: str, scope: int, at: int) -> None:
        """Has an array stated under a name when it is used."""
        self._pending = [*(each for each in self._pending if each.pending), array]
        array.pending = Pending(self, name, scope, at)

    def drop(self, name: str, scope: int) -> None:
        """Leaves an array that is not stated yet unstated."""
        for array in self._pending:
            if array.pending and array.pending[1:3] == (name, scope):
                array.pending = None

    def change(self, array: Array, at: int) -> None:
        """Notes that an array is changed, so that it will be stated anew."""
        if array.name is not None:
            match = OWN.fullmatch(array.name.text)
            array.entries = entries_of(array)
            if match:
                self._await(array, match[1], int(match[2]), at)
            array.name = array.stated = None

    def flush(self, scope: int) -> None:
        """States the arrays of a function that are not stated yet."""
        for array in [*self._pending]:
            if array.pending and array.pending.scope == scope:
                named(array)

    def done(self) -> Written:
        """Returns the equations as a text."""
        parts = [(part, equation) for equation in self._used() for part in (equation.text, "\n")]
        text = "".join(part for part, _ in parts)
        if len(text) > LONGEST_REWRITTEN:
            raise ExpressionError(
                "program-whose-equations-more", where=self.written.where(0), longest_rewritten=LONGEST_REWRITTEN
            )
        origins = [k for equation in self._used() for k in (*equation.origins, *(equation.origins[-1:] or (0,)))]
        places = self.written.origins or range(len(self.written.text) + 1)
        where = (places[min(k, len(places) - 1)] for k in (*origins, len(places) - 1))
        file = self.written.file or self.written.text
        notes = (*self.written.notes, *self.notes)
        written = replace(self.written, text=text, file=file, origins=tuple(where), notes=notes)
        scopes: dict[str, int] = {match[1]: int(match[2]) for match in OWN.finditer(text)}
        return Rewriting(written).sub(OWN, lambda match: self._final(match, scopes)).done()

    def _used(self) -> Iterable[Formula]:
        """Returns the equations without those of earlier values of names that nothing uses."""
        names = Counter(match[0] for equation in self._stated for match in OWN.finditer(equation.text))
        for equation in self._stated:
            left = OWN.match(equation.text)
            is_old = left is not None and int(left[3]) < self._values.get((left[1], int(left[2])), 0)
            if left is None or not is_old or names[left[0]] > 1 or left[0] in self._renamed:
                yield equation

    def _final(self, match: re.Match[str], scopes: dict[str, int]) -> str:
        """Returns the last form of a name: its earlier values, and those in other functions, have others."""
        if match[0] in self._renamed:
            return self._renamed[match[0]]
        name, scope, number = match[1], int(match[2]), int(match[3])
        if number < self._values.get((name, scope), number):
            letters = "".join(each for each in name if each.isascii() and each.isalpha())
            return f"{letters}Before{number}In{scope + 1}"
        if (name, scope) in self._taken:
            return f"{name}Converted{scope}"
        return name if is_result(name) or scopes[name] == scope else f"{name}In{scope}"


def named(array: Array) -> Formula | None:
    """Returns the name under which an array is stated, or None if it has none."""
    if array.pending is not None:
        equations, name, scope, at = array.pending
        array.pending = None
        array.name = equations.name(name, scope, at, array.shape)
        if _mirror(array, name):
            equations.notes[say("reading-triangle-left-empty", name=name)] = None
        array.stated = list(array.entries)
        equations.state(array.name, literal(array, at))
    return array.name


def entry_of(array: Array, k: int) -> Any:
    """Returns an entry of an array: a name or a number itself, a longer formula by its place in a stated array."""
    entry = array.entries[k]
    if array.name is None or not isinstance(entry, Formula):
        return entry
    is_index = entry.is_number and entry.whole is not None and not MOTION.fullmatch(OWN.sub(r"\1", array.name.text))
    if is_index or PLAIN.fullmatch(entry.text) or OWN.fullmatch(entry.text):
        return entry
    index = ",".join(map(str, _indices_of(array.shape, k)))
    at = entry.origins[0] if entry.origins else 0
    return joined([array.name, f"[{index}]"], at, ATOM, ())._replace(whole=entry.whole)


def entries_of(array: Array) -> list[Any]:
    """Returns the entries of an array, those of a stated one by their places in it."""
    return [entry_of(array, k) for k in range(len(array.entries))]


def _is_known(name: str) -> bool:
    """Returns whether a name is that of a quantity or of the motion."""
    return is_result(name) or MOTION.fullmatch(name) is not None


def _is_plain(entry: Formula) -> bool:
    """Returns whether a formula is a symbol or a whole number."""
    return PLAIN.fullmatch(entry.text) is not None or (entry.is_number and entry.whole is not None)


def _lists(name: str, entries: Sequence[Formula]) -> bool:
    """Returns whether formulas are the entries of a name in their order."""
    return all(each.text == f"{name}[{k}]" for k, each in enumerate(entries))


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


def _indices_of(shape: Sequence[int], k: int) -> list[int]:
    """Returns the indices of the k-th entry; a column has one."""
    if len(shape) == 2 and shape[1] == 1:
        return [k]
    indices = list[int]()
    for size in reversed(shape):
        k, index = divmod(k, size)
        indices.insert(0, index)
    return indices


def literal(array: Array, at: int) -> Formula:
    """Returns an array as a list of its rows; a column is a list of its entries."""
    shape = array.shape[:1] if len(array.shape) == 2 and array.shape[1] == 1 else array.shape
    return joined(_listed(array.entries, shape), at, ATOM, array.shape)


def _listed(entries: Sequence[Formula], shape: Sequence[int]) -> list[str | Formula]:
    size = len(entries) // max(shape[0], 1)
    parts: list[str | Formula] = ["["]
    for k in range(shape[0]):
        own = entries[k * size : (k + 1) * size]
        parts += [", " if k else "", *(_listed(own, shape[1:]) if len(shape) > 1 else own)]
    return [*parts, "]"]
