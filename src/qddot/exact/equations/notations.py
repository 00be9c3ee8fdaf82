"""Lists the notations of courses and papers: their letters for quantities, where these are not ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from qddot.base.errors import QddotError, check_one_of
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.exact.equations.quantity import Style
from qddot.exact.equations.quantity_table import QUANTITIES, record_of
from qddot.exact.printing.notation import symbol

CORIOLIS_MATRIX = Style("V_m", "V", below="m")  # where C has another meaning; so in Lewis, Dawson, Abdallah

BODY_TWIST = {"V": Style("V_b", "V", above="b"), "dV": Style("dV_b", "V", above="b", dots=1)}


@record(kw_only=True)
class Notation:
    """A notation gives letters to quantities; those that it does not name keep ours.

    Where a quantity that is written as a letter alone gets another letter, quantities that are written as that letter
    with a mark, such as M_v beside M, follow it.
    sentence: its main letters, and where it is used
    letters: how names of quantities are written; entries: how those of their entries are, if not in the same letter
    paired: whether sines and cosines are S23 and C23, and their products SC23, SS23 and CC23
    """

    name: str = ""
    sentence: Message | str = ""
    letters: Mapping[str, Style] = field(default_factory=dict)
    entries: Mapping[str, Style] = field(default_factory=dict)
    paired: bool = False

    def style(self, name: str, of_entry: bool = False) -> Style:
        """Returns how the name of a quantity, or that of an entry, is written."""
        if of_entry and name in self.entries:
            return self.entries[name]
        if name in self.letters:
            return self.letters[name]
        own = own_style(name)
        new = self._heads.get(own.head)
        return own._replace(text=own.text.replace(own.head, new, 1), head=new) if new else own

    @cached_property
    def _heads(self) -> dict[str, str]:
        """Returns the new letters of quantities that are written as a letter alone, by ours."""
        renamed = ((own_style(name), style) for name, style in self.letters.items() if name in QUANTITIES)
        return {own.head: new.head for own, new in renamed if _is_letter(own) and _is_letter(new)}

    def quantity(self, text: str) -> str:
        """Returns the name of the quantity with a letter; any other text stands for itself.

        One of our names that is an entry here stands for that: C2 for G2 where gravity torques are C.
        """
        letter = text.rstrip("0123456789")
        other = self._names.get(letter, text)
        if text not in self._names and text in QUANTITIES and other != text:
            return other + text[len(letter) :]
        return self._names.get(text, text)

    def program_name(self, name: str) -> str:
        """Returns the name of a quantity in programs: its letter here if that is a Latin one, else ours."""
        text = self.letters[name].text if name in self.letters else name
        return text if text.isascii() else name

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
            name="murray",
            sentence=say("notation-murray"),
            letters=_letters(G="N", N="N_o") | BODY_TWIST,
        ),
        Notation(
            name="spong",
            sentence=say("notation-spong"),
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


def notation_of(name: str) -> Notation:
    """Returns the notation with a name; without a name, ours. raises QddotError: there is no such notation"""
    if not name:
        return OURS
    check_one_of(name, NOTATIONS, say("no-notation"), QddotError)
    return NOTATIONS[name]
