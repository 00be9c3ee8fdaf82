"""Finds the meanings of an answer's names, splits runs of names, and notes guesses."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from qddot.base.errors import ExpressionError, near, shortened
from qddot.base.words.message import Either, Listed, Message, Words, say
from qddot.teach.check.reading.answer import Notes
from qddot.teach.check.reading.names.arm_names import RATES, ArmNames, plain
from qddot.teach.check.reading.signs.lexemes import Lexeme
from qddot.teach.check.reading.signs.spelling import Unit
from qddot.teach.check.reading.syntax import MOTIONS, Meaning, Name, Node
from qddot.teach.check.reading.texts.written import UNREAD, Written

OF_MOTION = {"rate": "step-rate", "acceleration": "step-acceleration-of-coordinate"}
MOST_SUGGESTED = 12
MOST_WORK = 200_000  # steps of splitting runs of names
OF_RATES = ("d", "p", "D")  # letters of names for rates, as x2d
EXACT, LIKELY = 2, 3  # costs of a name in a run, exact or with other letters; the cheapest split is read


# returns the matrix with which some lexemes begin, and their number, or None
TakeMatrix = Callable[[Sequence[Lexeme]], tuple[Node, int] | None]


class Piece(NamedTuple):
    """A piece is a part of a word with a meaning: from its first unit to the one after its last."""

    start: int
    end: int
    meaning: Meaning


class Vocabulary:
    """This knows the arm's names and the answer's own.

    own: names that the answer or a renaming defines, without underscores
    zero_based: whether indices in square brackets count from 0
    primes: whether a prime after a name is a time derivative
    in_columns: whether an equation has the column q̈, beside which τ is a column, too, and not the only torque
    squared: the names that the answer defines by their squares; arrays: those of its matrices and columns
    aliases: its other names for coordinates
    drives_apart: whether τ_1 is the torque of a joint even where the answer defines it, as in equations of motion
    moving: the names that the answer defines by coordinates, as φ = q1 + q2; a prime after one is a time derivative
    take_component: takes a name that nothing defines for a component of a link's vector, as f_4,1, if it is one
    matrices_in: returns what takes the links' matrices, as T_2^1, in an expression that is a product of them, or None
    """

    def __init__(
        self, names: ArmNames, own: Collection[str] = (), zero_based: bool = True, primes: bool = True
    ) -> None:
        self.names, self.own, self.zero_based, self.primes = names, own, zero_based, primes
        self.drives_apart = self.in_columns = False
        self.squared: set[str] = set()
        self.arrays: set[str] = set()
        self.moving: set[str] = set()
        self.lowered: set[str] = set()  # symbols whose index is set low somewhere, beside which mr is m r
        self.aliases: dict[str, Meaning] = {}
        self.notes = Notes()
        self.defining = ""  # the rate V̇_1 that the equation which is read defines
        self.take_component: Callable[[str], bool] = lambda text: False
        self.matrices_in: Callable[[Sequence[Lexeme], Written], TakeMatrix | None] = lambda signs, written: None
        self._runs = 0
        self.lacks_centres = not any(re.fullmatch(r"[a-z]_?c_?\d*", name) for name in names.symbols)  # lc1
        self._cache: dict[tuple[tuple[Unit, ...], bool, bool, bool, str], list[Piece]] = {}

    def pieces(self, word: Lexeme, written: Written, latex: bool) -> list[Name]:
        """Returns the names that a word consists of; raises ExpressionError for an unknown or an ambiguous one."""
        units: tuple[Unit, ...] = word.data
        key = units, latex, self.drives_apart, self.in_columns, self.defining
        if key not in self._cache:
            self._cache[key] = self._pieces(word, units, written, latex)
        span = (word.start, word.end)
        return [Name(span, _text(units[piece.start : piece.end]), piece.meaning) for piece in self._cache[key]]

    def _pieces(self, word: Lexeme, units: tuple[Unit, ...], written: Written, latex: bool) -> list[Piece]:
        readings = self._whole(units)
        if len(readings) == 1 and readings[0].kind in MOTIONS and not any(unit.dots for unit in units):
            self._note_place(_text(units), readings[0])
        if (
            not latex
            and len(readings) == 1
            and readings[0].kind == "symbol"
            and _typed_otherwise(units, readings[0].name)
        ):
            self.notes.add(say("reading-name", name=_text(units), other=readings[0].name))
        readings = readings or self._likely(units)
        if latex and self._is_product(units) and (parts := self._run(units, latex)):
            return parts
        pieces = [Piece(0, len(units), readings[0])] if readings else self._run(units, latex)
        if len(readings) > 1:
            raise _ambiguous(_text(units), readings, word, written)
        if not pieces and not self.drives_apart and self.take_component(_text(units)):
            return [Piece(0, len(units), Meaning("component", _text(units)))]
        if not pieces:
            start, end = self._unknown_part(units) if latex else (0, len(units))
            place = written.text.find(units[start].text, word.start + start, word.end) if start else word.start
            raise self.unknown(_text(units[start:end]), max(place, word.start), written)
        return pieces

    def _unknown_part(self, units: Sequence[Unit]) -> tuple[int, int]:
        """Returns where the first unknown factor of an unknown word begins and ends: in LaTeX m_1L_1 is m_1 L_1."""
        starts = [0, *(at for at in range(1, len(units)) if _ends_index(units, at))]
        for start, end in zip(starts, [*starts[1:], len(units)], strict=True):
            if self._whole(units[start:end]) or self._run(units[start:end], latex=True):
                continue
            while end - start > 2 and units[start + 2].text == "_" and self._whole(units[start : start + 1]):
                start += 1  # gL_1 is g L_1
            return start, end
        return 0, len(units)

    def is_angle(self, text: str) -> bool:
        """Returns whether a name is a coordinate, or is defined by coordinates as θ_12 = θ_1 + θ_2."""
        return self.names.coordinate(text) is not None or plain(text) in self.moving

    def _is_product(self, units: Sequence[Unit]) -> bool:
        """Returns whether letters without an index are factors, as mr is where the symbol is written m_r."""
        text = _text(units)
        return text in self.lowered and text.isalpha() and not any(unit.dots or unit.glued for unit in units)

    def _note_place(self, text: str, meaning: Meaning) -> None:
        names = self.names
        if not any(plain(text) in known for known in (names.by_place, names.stated, names.speeds)):
            return
        if meaning.kind in OF_MOTION:
            self.notes.add(say("reading-as", name=text, meaning=say(OF_MOTION[meaning.kind], coordinate=meaning.name)))
        else:
            self.notes.add(say("reading-name", name=text, other=meaning.name))

    def _whole(self, units: Sequence[Unit]) -> list[Meaning]:
        text, dots = _text(units), sum(unit.dots for unit in units)
        if dots:
            if (with_marks := text_with_dots(units)) in self.own and with_marks != self.defining:
                return [Meaning("own", with_marks)]
            kind = {1: "rate", 2: "acceleration"}.get(dots)
            if kind and plain(text) in self.own and plain(text) not in self.aliases:
                return [Meaning(f"own {kind}", plain(text))]
            alias = self.aliases.get(plain(text))
            if alias:  # of w = q̇ the dot of w is the acceleration
                place = MOTIONS.index(alias.kind) + dots if alias.kind in MOTIONS else len(MOTIONS)
                return [Meaning(MOTIONS[place], alias.name)] if place < len(MOTIONS) else []
            if dots == 1 and (quasi := self.names.quasi_velocity(text)):
                return [Meaning("acceleration", quasi)]
            name = self.names.coordinate(text)
            if not name and (vector := self.names.vector(text, dots)):
                return [vector]
            return [Meaning(kind, name)] if name and kind else []
        if plain(text) in self.aliases:
            return [self.aliases[plain(text)]]
        is_drive = self.drives_apart and self.names.drive(text) is not None
        if plain(text) in self.own and not is_drive:
            return [Meaning("own", plain(text))]
        readings = self.names.readings(text) or self._rate_of_own(plain(text))
        column, drive = self.names.vector(text, 0), self.names.drive(text)
        if not readings and (meaning := (column or drive) if self.in_columns else (drive or column)):
            return [meaning]
        return readings

    def _rate_of_own(self, text: str) -> list[Meaning]:
        """Returns the rate that x2d, x2p or dx2 means if the answer defines x2 by coordinates.

        There is none if d, p or D is itself a name of the answer or the arm, since x2d may be a product then.
        """
        if not self.moving or any(letter in self.own or self.names.readings(letter) for letter in OF_RATES):
            return []
        for own in self.moving:
            letters = own.rstrip("0123456789")
            digits = own[len(letters) :]  # without them, ad may be a product
            if digits and text in (form.format(letters, digits) for form in RATES):
                return [Meaning("own rate", own)]
        return []

    def _likely(self, units: Sequence[Unit], *, note: bool = True) -> list[Meaning]:
        """Returns the symbols that differ from a name only in case or order of the index, and notes a single one."""
        text = _text(units)
        likely = [] if any(unit.dots for unit in units) else self.names.likely(text)
        if len(likely) == 1 and note:
            self.notes.add(say("reading-similar-name", name=text, other=likely[0]))
        return [Meaning("symbol", name) for name in likely]

    def _run(self, units: Sequence[Unit], latex: bool) -> list[Piece]:
        """Returns the fewest names into which a run splits, or nothing: m_2gl_1 is m2, g and l1."""
        self._runs += len(units) ** 2
        if self._runs > MOST_WORK:
            return []
        best: list[tuple[int, list[Piece]] | None] = [None] * len(units) + [(0, [])]
        for start in reversed(range(len(units))):
            for end in range(start + 1, len(units) + 1):
                rest = best[end]
                if end - start == len(units) and self._is_product(units):
                    continue
                if rest is None or not _may_part(units, start) or not _may_part(units, end):
                    continue
                readings, cost = self._whole(units[start:end]), EXACT
                if not readings:
                    readings, cost = self._likely(units[start:end], note=False), LIKELY
                if len(readings) != 1 or _may_be_index(units, start, end, readings[0], latex or self.lacks_centres):
                    continue
                current = best[start]
                if current is None or rest[0] + cost < current[0]:
                    best[start] = rest[0] + cost, [Piece(start, end, readings[0]), *rest[1]]
        pieces = best[0][1] if best[0] else []
        for piece in pieces:
            if not self._whole(units[piece.start : piece.end]):
                self._likely(units[piece.start : piece.end])
        if pieces and not latex and pieces[0].meaning.kind not in ("function", "rate", "acceleration"):
            parts = " ".join(_text(units[piece.start : piece.end]) for piece in pieces)
            self.notes.add(say("reading-product", name=_text(units), product=parts))
        return pieces

    def unknown(self, text: str, at: int, written: Written) -> ExpressionError:
        """Returns the error for an unknown name, with similar names."""
        if text == UNREAD:
            return written.error(at, "value-untold")
        names = self.names.all()
        if len(names) > MOST_SUGGESTED:
            names = sorted(names, key=lambda name: -SequenceMatcher(None, plain(text), name).ratio())
        listed = names[:MOST_SUGGESTED]
        if len(names) > MOST_SUGGESTED:
            listed[-1] += " …"
        hint: Words = near(plain(text), [*names, *self.own])
        rename = say("give-by-rename", quoted=repr(text), name=text)
        if self._is_of_another_arm(text):
            hint = say("other-arm-size", count=len(self.names.coordinates))
        remedy = say("hint-or-rename", hint=hint, rename=rename) if hint else rename
        return written.error(
            at,
            "unknown-name",
            name=shortened(text),
            known=Listed(listed),
            remedy=remedy,
        )

    def _is_of_another_arm(self, text: str) -> bool:
        """Returns whether a name is that of a coordinate or a symbol of this arm but for an index that is too large."""
        stem, count = text.rstrip("0123456789"), len(self.names.coordinates)
        index = text[len(stem) :]
        return bool(index) and int(index) > count > 1 and bool(self.names.readings(f"{stem}{count}"))


def text_with_dots(units: Iterable[Unit]) -> str:
    """Returns a word with a full stop after a letter for each dot above it, without underscores."""
    return plain("".join(f"{unit.text}{'.' * unit.dots}" for unit in units))


def _text(units: Iterable[Unit]) -> str:
    return "".join(unit.text for unit in units)


def _typed_otherwise(units: Sequence[Unit], name: str) -> bool:
    """Returns whether a name differs from a symbol's, other than by a subscript."""
    return _text(units) != name and not any(unit.glued for unit in units)


def _may_part(units: Sequence[Unit], at: int) -> bool:
    """Returns whether one name may end and another begin before a unit, which must not be inside an index."""
    if at in (0, len(units)):
        return True
    return units[at].text[0].isalpha() and not units[at].glued and units[at - 1].text != "_"


def _ends_index(units: Sequence[Unit], at: int) -> bool:
    """Returns whether an index of digits ends before a letter, as before the L of m_1L_1."""
    digits = at
    while digits and units[digits - 1].text.isdecimal() and not units[digits - 1].glued:
        digits -= 1
    return units[digits - 1].text == "_" and 0 < digits < at and _may_part(units, at)


def _may_be_index(units: Sequence[Unit], start: int, end: int, meaning: Meaning, latex: bool) -> bool:
    """Returns whether a cosine after letters may rather be an index: lc1 is hardly l cos q1."""
    if meaning.kind != "cosines" or not start:
        return False
    has_line = latex and any(unit.text == "_" for unit in units[start:end])
    return not units[start - 1].text.isdigit() and not has_line


def _ambiguous(text: str, readings: Sequence[Meaning], word: Lexeme, written: Written) -> ExpressionError:
    meanings = Either(dict.fromkeys(map(_described, readings)))
    choices = Either(dict.fromkeys(f"rename={{{text!r}: {_chosen(reading)!r}}}" for reading in readings))
    return written.error(word.start, "name-ambiguous", name=text, meanings=meanings, choices=choices)


def _described(meaning: Meaning) -> Message | str:
    """Returns one of several meanings of a name, a symbol or a product of cosines, in words."""
    return _chosen(meaning) if meaning.kind == "cosines" else say("meaning-symbol", name=meaning.name)


def _chosen(meaning: Meaning) -> str:
    if meaning.kind != "cosines":
        return meaning.name
    return "*".join(f"{'cos' if letter == 'c' else 'sin'}({meaning.angle})" for letter in meaning.name)
