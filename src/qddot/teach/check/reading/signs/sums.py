"""Reads the bounds of a sum, as in Σ_{i=1}^{n}, and writes names with a number in place of its index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize

from qddot.teach.check.reading.signs.characters import Characters
from qddot.teach.check.reading.signs.spelling import Unit

LAYOUT = re.compile(r"\s*\\(?:no)?limits(?![A-Za-z])")
BOUND = re.compile(
    r"\s*(?:(?P<sign>[_^])\s*(?:\{(?P<braced>[^{}]*)\}|\((?P<bracketed>[^()]*)\)|(?P<single>\w))|"
    r"(?P<low>[ᵢⱼₖₗₙ₀-₉₌]+)|(?P<high>[ⁿᴺ⁰¹²³⁴-⁹]+))"
)
INDICES = re.compile(r"(?P<letters>[A-Za-z](?:\s*,\s*[A-Za-z])*)(?:\s*=\s*(?P<first>\w{1,2}))?")
LAST = re.compile(r"\w{1,2}")
MOST_SIGNS = 3  # of indices without a comma between them, as ijk and i-1
LETTERS = ("i", "j", "k", "l", "m", "n")  # of indices


class Bounds(NamedTuple):
    """These are the bounds of a sum as written.

    letters: its indices; first, last: numbers or letters; each is empty if it is not written
    """

    letters: tuple[str, ...] = ()
    first: str = ""
    last: str = ""

    def with_number(self, letter: str, number: int) -> Bounds:
        """Returns the bounds with a number in place of the index of an outer sum."""
        first, last = (str(number) if each == letter else each for each in (self.first, self.last))
        return Bounds(self.letters, first, last)


def bounds(text: Characters) -> Bounds | None:
    """Reads the bounds after the sign of a sum; returns None, and reads nothing, if there is another condition."""
    start, written = text.at, {"_": "", "^": ""}
    while bound := text.match(LAYOUT) or text.match(BOUND):
        if bound.re is BOUND:
            sign = bound["sign"] or ("_" if bound["low"] else "^")
            content = next(each for each in bound.groups()[1:] if each is not None)
            if written[sign]:
                break
            written[sign] = normalize("NFKC", content).strip()
        text.at = bound.end()
    below, above = INDICES.fullmatch(written["_"]), LAST.fullmatch(written["^"])
    if (written["_"] and below is None) or (written["^"] and (above is None or below is None)):
        text.at = start
        return None
    letters = tuple(re.findall("[A-Za-z]", below["letters"])) if below else ()
    return Bounds(letters, (below["first"] or "") if below else "", written["^"])


def letters_of_indices(units: Sequence[Unit]) -> set[str]:
    """Returns the letters that are indices in a name: i and j in M_ij and p_{c,i-1}."""
    return {unit.text for piece in _pieces(units) for unit in _indices(piece, "") if unit.text in LETTERS}


def of_first(units: Sequence[Unit]) -> str:
    """Returns a name with 1 in place of each of its indices: K_1 for K_i."""
    for letter in letters_of_indices(units):
        units = with_number(units, letter, 1)
    return "".join(unit.text for unit in units)


def with_number(units: Sequence[Unit], letter: str, number: int) -> tuple[Unit, ...]:
    """Returns a name with a number in place of an index: M_21 for M_2i, and z_0 for z_{i-1}."""
    pieces = list(_pieces(units))
    is_alone = any([unit.text for unit in piece] == [letter] for piece in pieces[1:])
    texts = list[Unit]()
    for k, piece in enumerate(pieces):
        is_meant = k > 0 and (len(piece) == 1 or not is_alone) and letter in {x.text for x in _indices(piece, letter)}
        texts += _numbered(piece, letter, number) if is_meant else piece
    return tuple(texts)


def _pieces(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Yields the letter of a name, the parts of its index (as i-1), and the commas and underscores between them."""
    piece = list[Unit]()
    for unit in units:
        if unit.text in ("_", ","):
            yield piece
            yield [unit]
            piece = []
        else:
            piece.append(unit)
    yield piece


def _indices(piece: Sequence[Unit], letter: str) -> Sequence[Unit]:
    """Returns the letters and numbers of indices in a part of an index, without a letter before them, as c in ci.

    letter: one that is an index
    """
    allowed = (*LETTERS, letter)
    rest = piece if piece and piece[0].text in allowed else piece[1:]
    is_index = all(unit.text in (*allowed, "+", "-") or unit.text.isdigit() for unit in rest)
    return rest if is_index and len(rest) <= MOST_SIGNS else ()  # link is a word


def _numbered(piece: Sequence[Unit], letter: str, number: int) -> Iterator[Unit]:
    """Yields a part of an index with a number in place of a letter, to which a shift is added, as in i-1."""
    k = 0
    while k < len(piece):
        here, shift = piece[k], "".join(unit.text for unit in piece[k + 1 : k + 3])
        is_shifted = here.text == letter and re.fullmatch(r"[-+]\d", shift) is not None
        if here.text == letter:
            shifted = number + (int(shift) if is_shifted else 0)
            yield from (here._replace(text=digit) for digit in str(shifted))
        else:
            yield here
        k += 3 if is_shifted else 1
