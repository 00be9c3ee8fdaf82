"""A claim is a statement about one quantity, entry or name; a balance is an equation between expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.texts.written import Written

MOST_CLAIMS = 20_000


class Leaf(NamedTuple):
    """A leaf is one expression, or a matrix in one text, at a place of nested lists."""

    place: tuple[int, ...]
    written: Written
    lexemes: Sequence[Lexeme]
    latex: bool

    @property
    def signs(self) -> list[Lexeme]:
        """Returns the lexemes without line ends and gaps."""
        return [lexeme for lexeme in self.lexemes if lexeme.kind not in ("newline", "wide")]

    @property
    def words(self) -> list[str]:
        """Returns the letters of each word."""
        return [word_of(lexeme) for lexeme in self.lexemes if lexeme.kind == "word"]


class Claim(NamedTuple):
    """A claim has the name on its left and the expressions on its right.

    shape: that of nested lists
    is_step: whether other expressions follow in a chain of equalities, so that this one may be left out
    name: the left side as an expression
    weak: whether it counts only if no other equation defines its name, as h at the end of c = … = h, or as the claims
        about single links to which a formula for any link is expanded
    along_vectors: whether its entries are the components along unit vectors
    about: the quantities of which the words before a formula without a name speak
    """

    left: Left
    leaves: tuple[Leaf, ...]
    shape: tuple[int, ...]
    where: str
    is_step: bool = False
    text: str = ""
    name: Leaf | None = None
    weak: bool = False
    along_vectors: bool = False
    about: tuple[str, ...] = ()

    @property
    def signs(self) -> list[Lexeme]:
        """Returns the lexemes on its right without line ends and gaps."""
        return [lexeme for leaf in self.leaves for lexeme in leaf.signs]

    @property
    def words(self) -> list[str]:
        """Returns the letters of each word on its right."""
        return [word for leaf in self.leaves for word in leaf.words]


class Balance(NamedTuple):
    """A balance says that two expressions are equal, as an equation of motion does."""

    sides: tuple[Leaf, Leaf]
    where: str
    text: str


Item: TypeAlias = Claim | Balance | Unread


def balance_of(claim: Claim) -> Balance:
    """Returns a claim as an equation with the name on its left."""
    assert claim.name is not None
    return Balance((claim.name, claim.leaves[0]), claim.where, claim.text)
