"""Finds other letters for a document's quantities if the arm's own symbols have their usual letters.

A document writes accelerations as a_1, a_2 …; where the lengths of an arm are called a2 and a3, it writes ā_1, ā_2 …
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, overload

from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.base.words.language import ENGLISH
from qddot.exact.equations.notations import OURS, Notation, notation_of, own_style
from qddot.exact.equations.quantity_names import name_of
from qddot.exact.equations.quantity_table import QUANTITIES, STEPS, STEPS_OF_CHAINS
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing import legend, reading_order
from qddot.exact.printing.notation import rate, symbol
from qddot.exact.printing.tree import Factor, Partial, Symbol
from qddot.papers.report.formula import formula
from qddot.papers.report.languages import LANGUAGES
from qddot.robot.bodies import Body

INDICES = re.compile(r"[ijkn]+")
NUMBERED = re.compile(r"q\d+")
FORMULA = re.compile(r"\$([^$]+)\$")
MARKS = re.compile(r"«\w+:|»")  # marks of text that holds only for some arms
THREE = ("ijk", "ikm")  # ends of the names of quantities with three indices
MOST_INDICES = 3
POWERS = ("T", "-1", "2", "3", "4")  # accents that do not make another letter
SHOWN = ("A", "T", "M", "christoffel", "G", "P")  # quantities that have all sines and cosines


class Family(NamedTuple):
    """These are quantities of one name: label is the fixed part of the index, such as v in J_v1 and J_v2."""

    head: str
    label: str
    dots: int
    above: str = ""
    frame: str = ""
    bar: bool = False


class Letters:
    """This knows the symbols of an arm, so that a document gives their names to nothing else."""

    def __init__(self, own: Iterable[Symbol] = (), notation: Notation = OURS) -> None:
        """own: the arm's symbols; notation: that of the document"""
        self.notation = notation
        self._families = _families(notation.name)
        self._own = {reading for each in own for reading in _readings(each)}
        self._taken = {
            family for family, counts in self._families.items() if any((family, count) in self._own for count in counts)
        }

    @classmethod
    def of(cls, short: Textbook) -> Letters:
        """Returns letters that differ from those of an arm, of its constants, and of its sines and cosines."""
        return cls(_own(short), notation_of(short.eq.model.notation))

    def __call__(self, name: Symbol) -> Symbol:
        """Returns a symbol of a sentence, whose indices are letters, in the notation, under a name that is free."""
        if INDICES.fullmatch(name.head) and not name.below:
            return name
        new = _in_notation(name, self.notation)
        return self._apart(new, *_general(new))

    @overload
    def instance(self, name: Symbol) -> Symbol: ...
    @overload
    def instance(self, name: Symbol | Partial) -> Symbol | Partial: ...
    def instance(self, name: Symbol | Partial) -> Symbol | Partial:
        """Returns the name of a quantity, whose indices are numbers."""
        if isinstance(name, Partial):
            return Partial(self(name.of), name.by)
        return self._apart(name, *_instance(name))

    def name(
        self,
        quantity: str,
        place: Sequence[int] = (),
        coordinates: Sequence[str] = (),
        inner: Sequence[int] = (),
        quasi: Collection[str] = (),
    ) -> Symbol | Partial:
        """Returns the name of a quantity or of its entry in the document; arguments as for `name_of`."""
        return self.instance(name_of(quantity, place, coordinates, inner, quasi, self.notation))

    def _apart(self, name: Symbol, family: Family, count: int) -> Symbol:
        is_taken = family in self._taken or family._replace(dots=0) in self._taken
        clashes = is_taken or (family not in self._families and (family, count) in self._own)
        return name._replace(bar=True) if clashes else name


def _in_notation(name: Symbol, notation: Notation) -> Symbol:
    """Returns a symbol of a sentence, such as Γ_ijk, in the letters of a notation."""
    family, count = _general(name)
    plain, known = family._replace(dots=0), _quantities()
    quantity = known.get((plain, count == MOST_INDICES), known.get((plain, False)))
    if quantity is None or notation is OURS:
        return name
    new, indices = notation.style(quantity, of_entry=count > 0), name.below.removeprefix(family.label).strip(",")
    indices = "".join(notation.ordered(quantity, indices))
    below = f"{new.below},{indices}".strip(",")
    power = name.above if name.above in POWERS else ""
    return name._replace(head=new.head, below=below, above=new.above + power, frame=new.frame, bar=new.bar)


@cache
def _quantities() -> dict[tuple[Family, bool], str]:
    """Returns the names of quantities and steps by how they are written, and by whether they have three indices."""
    names: dict[tuple[Family, bool], str] = {}
    for name in (*QUANTITIES, *STEPS, *STEPS_OF_CHAINS):
        style = own_style(name)
        if not style.dots:
            family = Family(style.head, style.below, 0, style.above, style.frame, style.bar)
            names.setdefault((family, name.endswith(THREE)), name)
    return names


@cache
def _families(notation: str) -> dict[Family, set[int]]:
    """Returns all names in the formulas of a report, each with the numbers of its indices, in a notation."""
    families: dict[Family, set[int]] = {}
    for text in _sentences():
        for law in FORMULA.findall(MARKS.sub("", text)):
            for part in formula(law).parts:
                if isinstance(part, Symbol) and not INDICES.fullmatch(part.head):
                    family, count = _general(_in_notation(part, notation_of(notation)))
                    families.setdefault(family, set()).add(count)
    return families


def _sentences() -> Iterator[str]:
    english = LANGUAGES[ENGLISH]
    for catalogue in (english.sentences, english.routes, english.steps, english.closing, english.identities):
        for text in catalogue.values():
            yield from (text,) if isinstance(text, str) else text


def _general(name: Symbol) -> tuple[Family, int]:
    """Returns the family of a symbol with letters as indices, and how many there are: J_{v,i} has the label v."""
    parts = [part for part in name.below.split(",") if part]
    label = "".join(part for part in parts if not INDICES.fullmatch(part))
    count = sum(len(part) for part in parts if INDICES.fullmatch(part))
    return _family(name, label), count


def _instance(name: Symbol) -> tuple[Family, int]:
    """Returns the family of a symbol with numbers as indices, and how many there are: J_v12 has the label v."""
    label = re.match(r"[^\d,]*", name.below)
    assert label is not None
    rest = name.below[label.end() :].strip(",")
    return _family(name, label[0]), len(rest.split(",")) if "," in rest else len(rest)


def _family(name: Symbol, label: str) -> Family:
    return Family(name.head, label, name.dots, "" if name.above in POWERS else name.above, name.frame, name.bar)


def _readings(own: Symbol) -> Iterator[tuple[Family, int]]:
    """Yields the meanings that an arm's symbol would have as a name of the document."""
    yield _general(own)
    if not own.below.endswith("0") or len(own.below) > 1:  # the first index is 1
        yield _instance(own)
    yield _family(own, own.below), 0


def _moments(k: int, body: Body) -> Iterator[tuple[str, Any]]:
    """Yields the mass and the first moments of a link with the names that the document has for them."""
    yield from zip((f"m{k}", f"mx{k}", f"my{k}", f"mz{k}"), (body.inertia.m, *body.inertia.h), strict=True)


def _own(short: Textbook) -> Iterator[Symbol]:
    """Yields the symbols of an arm except those with the same meaning in the document: q1, and m1 of link 1."""
    model = short.eq.model
    same = {name for k, body in enumerate(model.bodies, 1) for name, value in _moments(k, body) if str(value) == name}
    for name in (*model.symbols, *short.constants):
        if name not in same:
            yield symbol(name)
    for k, name in enumerate(model.coordinates, 1):
        # the coordinates of arms with quasi-velocities have no numbers
        if name != f"q{k}" and not (model.freedoms and NUMBERED.fullmatch(name)):
            yield from (symbol(name), rate(name), rate(name, 2))
    entries = [entry for name in SHOWN for entry in short.array(name).entries]
    for function, _ in legend.shortened_functions(_atoms(entries)):
        yield function


def _atoms(entries: Iterable[Terms]) -> Iterator[Factor]:
    """Yields the atoms of some entries, without writing the entries."""
    for entry in entries:
        yield from (reading_order.atoms(entry.ring)[entry.ring.index[each.key]] for each in entry.generators())
