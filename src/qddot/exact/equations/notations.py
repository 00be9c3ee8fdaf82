"""Lists the notations of books, courses and papers: their letters for quantities, where these are not ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TypeVar

from qddot.base.errors import QddotError, check_one_of
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.exact.equations.quantity import Place, Style
from qddot.exact.equations.quantity_table import QUANTITIES, SHOWN, record_of
from qddot.exact.printing.notation import symbol

T = TypeVar("T")
ACCELERATION = "g"
CORIOLIS_MATRIX = Style("V_m", "V", below="m")  # where C has another meaning; so in Lewis, Dawson, Abdallah

CORIOLIS_PRODUCTS = Style("B_c", "B", below="c")  # where B is the mass matrix

BODY_TWIST = {"V": Style("V_b", "V", above="b"), "dV": Style("dV_b", "V", above="b", dots=1)}


@record(kw_only=True)
class Notation:
    """A notation gives letters to quantities; those that it does not name keep ours.

    Where a quantity that is written as a letter alone gets another letter, quantities that are written as that letter
    with a mark, such as M_v beside M, follow it.
    sentence: its main letters, and where it is used
    letters: how names of quantities are written; entries: how those of their entries are, if not in the same letter
    paired: whether sines and cosines are S23 and C23, and their products SC23, SS23 and CC23
    book: the edition and the places of the equations of a book, whose printed result for two links is the same
    shown: the quantities of its equations of motion, M q̈ + h + G or M q̈ + C q̇ + G
    orders: for a quantity whose indices have another order, which of ours are its first, second and third
    constants: names of constants, before k1, k2 …; the book names those of an entry in the order of their terms
    rows: the Denavit–Hartenberg convention of the book, "dh" or "mdh"; "" if it has none
    """

    name: str = ""
    sentence: Message | str = ""
    letters: Mapping[str, Style] = field(default_factory=dict)
    entries: Mapping[str, Style] = field(default_factory=dict)
    paired: bool = False
    book: str = ""
    shown: Sequence[str] = SHOWN
    orders: Mapping[str, Place] = field(default_factory=dict)
    constants: Sequence[str] = ()
    rows: str = ""

    @property
    def has_sums_in_full(self) -> bool:
        """Whether c123 is not cos(q1 + q2 + q3), since entries of another quantity are called c_ijk."""
        return any(style.text == "c" for style in self.letters.values())

    def style(self, name: str, of_entry: bool = False) -> Style:
        """Returns how the name of a quantity, or that of an entry, is written."""
        if of_entry and name in self.entries:
            return self.entries[name]
        if name in self.letters:
            return self.letters[name]
        own = own_style(name)
        is_rate = own == Style(own.text, own.head, dots=own.dots)  # of an entry: its letter with a dot
        new = (self._heads | self._entry_heads if of_entry and own.dots and is_rate else self._heads).get(own.head)
        return own._replace(text=own.text.replace(own.head, new, 1), head=new) if new else own

    @cached_property
    def _heads(self) -> dict[str, str]:
        """Returns the new letters of quantities that are written as a letter alone, by ours."""
        return _heads_of(self.letters)

    @cached_property
    def _entry_heads(self) -> dict[str, str]:
        """Returns the new letters of entries of such quantities, by the quantities' letters with us."""
        return _heads_of(self.entries)

    def quantity(self, text: str) -> str:
        """Returns the name of the quantity with a letter; any other text stands for itself.

        One of our names that is an entry here stands for that: C2 for G2 where gravity torques are C.
        """
        letter = text.rstrip("0123456789")
        other = self._names.get(letter, text)
        if text not in self._names and text in QUANTITIES and other != text:
            return other + text[len(letter) :]
        return self._names.get(text, text)

    def ordered(self, name: str, place: Sequence[T]) -> Sequence[T]:
        """Returns the indices of an entry, or the letters for them, in the order in which they are written."""
        order = self.orders.get(name, ())
        return tuple(place[k] for k in order) if len(place) == len(order) else place

    def place(self, name: str, written: Sequence[int]) -> Sequence[int]:
        """Returns the place of an entry from its indices as they are written."""
        order = self.orders.get(name, ())
        return tuple(written[order.index(k)] for k in range(len(order))) if len(written) == len(order) else written

    def program_name(self, name: str) -> str:
        """Returns the name of a quantity in programs: its letter here if that is a Latin one, else ours.

        The letter g is left to the acceleration of gravity.
        """
        text = self.letters[name].text if name in self.letters else name
        return text if text.isascii() and text != ACCELERATION else name

    @cached_property
    def _names(self) -> dict[str, str]:
        kept = {own_style(name).text for name in QUANTITIES if self.style(name) == own_style(name)}
        pairs = [(style.text, name) for of in (self.letters, self.entries) for name, style in of.items()]
        return {text: name for text, name in reversed(pairs) if text not in kept}


def own_style(name: str) -> Style:
    """Returns our style of a quantity or a step, or, for any other name, that of a symbol."""
    if known := record_of(name).style:
        return known
    head = symbol(name)
    return Style(name, head.head, below=head.below)


def _heads_of(styles: Mapping[str, Style]) -> dict[str, str]:
    """Returns the new letters of quantities that are written as a letter alone, by ours."""
    renamed = ((own_style(name), style) for name, style in styles.items() if name in QUANTITIES)
    return {own.head: new.head for own, new in renamed if _is_letter(own) and _is_letter(new)}


def _is_letter(style: Style) -> bool:
    return style == Style(style.text, style.head)


def _letters(**texts: str) -> dict[str, Style]:
    """Returns styles of letters, which may have an index after an underscore."""
    return {name: Style(text, (head := symbol(text)).head, below=head.below) for name, text in texts.items()}


OURS = Notation()
NOTATIONS: Mapping[str, Notation] = {
    notation.name: notation
    for notation in (
        Notation(
            name="craig",
            sentence=say("notation-craig"),
            letters={**_letters(C2="C", h="V"), "C": CORIOLIS_MATRIX, **BODY_TWIST},
            book="J. J. Craig, Introduction to Robotics: Mechanics and Control, 3rd ed., Pearson, 2005, §6.7 and §6.8, "
            "(6.59) and (6.63)",
            rows="mdh",
        ),
        Notation(
            name="murray",
            sentence=say("notation-murray"),
            letters=_letters(G="N", N="N_o") | BODY_TWIST,
            book="R. M. Murray, Z. Li, S. S. Sastry, A Mathematical Introduction to Robotic Manipulation, CRC Press, "
            "1994, §4.2.3 and §4.3.2, (4.24)",
            shown=("M", "C", "G"),
            constants=("alpha", "beta", "delta", "epsilon", "kappa", "lambda", "mu", "nu", "xi", "chi"),
        ),
        Notation(
            name="siciliano",
            sentence=say("notation-siciliano"),
            letters={**_letters(M="B", christoffel="c", h_ikm="c", G="g", P="U"), "B": CORIOLIS_PRODUCTS},
            entries=_letters(M="b"),
            book="B. Siciliano, L. Sciavicco, L. Villani, G. Oriolo, Robotics: Modelling, Planning and Control, "
            "Springer, 2009, §7.1 and §7.3.2, (7.42) and (7.45)",
            shown=("M", "C", "G"),
            rows="dh",
        ),
        Notation(
            name="spong",
            sentence=say("notation-spong"),
            letters=_letters(M="D", m_ijk="d", christoffel="c", h_ikm="c", G="g"),
            entries=_letters(M="d"),
            book="M. W. Spong, S. Hutchinson, M. Vidyasagar, Robot Modeling and Control, Wiley, 2006, §7.3 and §7.4",
            shown=("M", "C", "G"),
            orders=dict.fromkeys(("christoffel", "h_ikm"), (1, 2, 0)),
            rows="dh",
        ),
        Notation(
            name="uicker",
            sentence=say("notation-uicker"),
            letters=_letters(M="D", christoffel="h", G="C", C="H", C2="E", pseudo_inertia="J", J="J_o") | BODY_TWIST,
        ),
        Notation(
            name="khatib",
            sentence=say("notation-khatib"),
            letters={
                **_letters(christoffel="b", h_ikm="b", C2="C", h="V", P="U", N_c="N", N="N_o"),
                "C": CORIOLIS_MATRIX,
                "tau": Style("Γ", "Gamma"),
                **BODY_TWIST,
            },
            entries=_letters(M="m"),
        ),
        Notation(
            name="zju",
            sentence=say("notation-zju"),
            letters={**_letters(M="D", m_ijk="d", christoffel="b", h_ikm="b", C2="C"), "C": CORIOLIS_MATRIX},
        ),
        Notation(
            name="akb",
            sentence=say("notation-akb"),
            letters={**_letters(M="A", A="T_p", C2="C"), "C": CORIOLIS_MATRIX},
            entries=_letters(M="a", B="b", C2="c", G="g"),
            paired=True,
        ),
    )
}


BOOKS = tuple(name for name, notation in NOTATIONS.items() if notation.book)


def notation_of(name: str) -> Notation:
    """Returns the notation with a name; without a name, ours. raises QddotError: there is no such notation"""
    if not name:
        return OURS
    check_one_of(name, NOTATIONS, say("no-notation"), QddotError)
    return NOTATIONS[name]
