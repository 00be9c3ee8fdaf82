"""Knows the 4×4 matrices of links in a product such as Q_1 T_1^0 Q_2 T_2^1 or Tr(U_22 J_2 U_21ᵀ)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

from qddot.base.errors import ExpressionError
from qddot.base.words.message import Listed, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.exact_arrays import exact_array, part_of
from qddot.teach.check.reading.grammar.words import TRACES
from qddot.teach.check.reading.names.arm_names import plain
from qddot.teach.check.reading.names.left_sides import parted
from qddot.teach.check.reading.names.vocabulary import TakeMatrix, Vocabulary
from qddot.teach.check.reading.quantities.steps import WORLD, relative
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.statements.claims import Claim
from qddot.teach.check.reading.syntax import Meaning, Name, Node, Number, Table
from qddot.teach.check.reading.texts.written import Written

ROUTE = "dh4x4"
QUANTITIES = {
    ("Q", 1): "Q",
    ("A", 1): "A",
    ("T", 1): "T",
    ("T", 2): "T",
    ("Tc", 1): "T_c",
    ("U", 2): "U",
    ("U", 3): "U_ijk",
    **dict.fromkeys((("J", 1), ("I", 1), ("barJ", 1)), "pseudo_inertia"),
}
POSES = ("T", "Tc")  # of links' frames, and of frames at their centres of mass
INERTIAS = ("J", "I", "barJ")
AROUND = ("{", "}", "(", ")", "[", "]", "+", "-", "*", "/", "number", "newline", "wide")
SIZE = 4


class Factor(NamedTuple):
    """This is the name of a matrix. frame: that of the superscript of T_i^j, or None; length: its number of lexemes"""

    letter: str
    indices: tuple[int, ...]
    frame: int | None
    word: Lexeme
    length: int


class LinkMatrices:
    """These are the matrices of the links, whose letters mean other things in formulas that are no such products."""

    def __init__(self, eq: Quantities, vocabulary: Vocabulary) -> None:
        self.eq, self.vocabulary = eq, vocabulary
        self.values: dict[str, Any] = {}  # exact entries by their names in trees

    def taker(self, signs: Sequence[Lexeme], written: Written) -> TakeMatrix | None:
        """Returns what takes the matrices in an expression, or None if it is no product of them.

        raises ExpressionError: T_2 T_3, in which T_i may be the pose of link i in the base or in the link before it
        """
        factors = self._factors(signs)
        names = [parted(word_of(each)) for each in signs if each.kind == "word"]
        letters = {letter for letter, indices in names if (letter, len(indices)) in QUANTITIES}
        is_sum = any(each.kind in ("+", "-") for each in signs)
        is_traced = _is_traced(signs)
        is_certain = is_traced or "U" in letters or any(each.frame is not None for each in factors)
        if not factors or not (is_certain or (len(names) > 1 and letters & {*POSES, "A"} and not is_sum)):
            return None
        bare = [each for each in factors if each.letter in POSES and each.frame is None and len(each.indices) == 1]
        of_links = len(bare) > 1 and "A" not in letters and not is_sum
        if of_links and [each.indices for each in bare] != [(k,) for k in range(1, len(bare) + 1)]:
            name, where = word_of(bare[-1].word), written.where(bare[-1].word.start)
            raise ExpressionError("pose-ambiguous", where=where, name=name, indices=bare[-1].indices[0])
        for each in bare if of_links else ():
            (k,) = each.indices
            meaning = say("step-transform", before=k - 1, after=k)
            self.vocabulary.notes.add(say("reading-as", name=word_of(each.word), meaning=meaning))
        return partial(self._take, of_links)

    def note_joints(self, claim: Claim) -> None:
        """Notes the joints of a product of matrices U_ijk that are not those of its name, as Q_2 in U_333.

        The matrices Q of several joints may be equal, so that its entries may still be right.
        """
        left = claim.left
        if (left.head, len(left.indices)) not in (("U", 2), ("U", 3)):
            return
        words = [parted(word) for leaf in claim.leaves if self._factors(leaf.signs) for word in leaf.words]
        joints = {index for letter, indices in words if letter == "Q" for index in indices}
        if others := Listed(f"Q_{k}" for k in sorted(joints - set(left.indices[1:]))):
            self.vocabulary.notes.add(say("reading-other-joints", name=left.text, where=claim.where, others=others))

    def _factors(self, signs: Sequence[Lexeme]) -> list[Factor]:
        """Returns the matrices that an expression consists of, or nothing if there is anything else in it."""
        k, factors = 0, list[Factor]()
        is_traced = _is_traced(signs)
        while k < len(signs):
            sign, factor = signs[k], self._factor(signs[k:], is_traced)
            is_own = sign.kind == "word" and (word_of(sign) in TRACES or plain(word_of(sign)) in self.vocabulary.own)
            is_half = sign.kind == "function" and sign.data == "frac"
            if factor is None and not (is_own or is_half or sign.kind in AROUND):
                return []
            factors += [factor] if factor else []
            k += factor.length if factor else 1
            if factor or is_own or sign.kind in (")", "'"):  # an exponent belongs to what is before it
                k += _raised(signs[k:])[1]
        return factors

    def _factor(self, signs: Sequence[Lexeme], is_traced: bool) -> Factor | None:
        is_before = [each.kind for each in signs[:2]] == ["{", "}"]  # {}^1T_2
        frame, start = _raised(signs[2:]) if is_before else (None, 0)
        start += 2 * is_before
        if start >= len(signs) or signs[start].kind != "word" or dots_of(signs[start]) or (start and frame is None):
            return None
        word, vocabulary = signs[start], self.vocabulary
        letter, indices = parted(word_of(word))
        behind = _raised(signs[start + 1 :]) if letter in (*POSES, "A") and not start else (None, 0)
        frame = behind[0] if frame is None else frame
        length = start + 1 + (behind[1] if behind[0] is not None else 0)
        is_inertia = letter in INERTIAS
        is_other = plain(word_of(word)) in (vocabulary.own if is_inertia else vocabulary.names.plain_symbols)
        is_own = frame is None and plain(word_of(word)) in vocabulary.own
        if is_other or is_own or (is_inertia and not is_traced) or (letter, len(indices)) not in QUANTITIES:
            return None
        if letter == "T" and len(indices) > 1:  # T_02 or T_23, the pose of the second frame in the first one
            frame, indices = indices[0], indices[1:]
        is_known = 0 < min(indices) and max(indices) <= len(self.eq.model.bodies)
        is_known = is_known and (frame is None or frame <= indices[0])  # in T_0^2 the order of the frames is unclear
        return Factor(letter, indices, frame, word, length) if is_known else None

    def _take(self, of_links: bool, signs: Sequence[Lexeme]) -> tuple[Node, int] | None:
        """Returns the matrix at the beginning of some lexemes, and its number of lexemes."""
        factor = self._factor(signs, is_traced=True)
        if factor is None:
            return None
        letter, (first, *others), frame = factor.letter, factor.indices, factor.frame
        if letter in POSES and frame is None:
            frame = first - 1 if of_links else 0
        name = "".join((letter, *map(str, factor.indices), "" if frame is None else f"^{frame}"))
        entries = self._pose(frame, letter, first) if frame is not None else self._entries(letter, (first, *others))
        span = (factor.word.start, factor.word.end)
        nodes = [self._node(f"{name}[{k}]", entry, span) for k, entry in enumerate(entries)]
        rows = (Table(span, tuple(nodes[k : k + SIZE])) for k in range(0, SIZE * SIZE, SIZE))
        return Table(span, tuple(rows)), factor.length

    def _node(self, name: str, entry: Any, span: tuple[int, int]) -> Node:
        for number in (0, 1, -1):
            if entry == number:
                return Number(span, Fraction(number))
        self.values[name] = entry
        return Name(span, name, Meaning("matrix", name))

    def _entries(self, letter: str, indices: Sequence[int]) -> list[Any]:
        quantity = QUANTITIES[letter, len(indices)]
        exact = self.eq.in_joint_angles
        array = exact.array(quantity) if quantity in ("A", "pseudo_inertia") else self._steps[quantity]
        return list(part_of(array, tuple(k - 1 for k in indices)).values())

    def _pose(self, frame: int, letter: str, link: int) -> list[Any]:
        """Returns the pose of a link's frame, or of its centre's, in that of a link from 1 on, or in the base, 0."""
        before = self._of_link("T", frame) if frame else WORLD
        return relative(before, self._of_link("T_c" if letter == "Tc" else "T", link))

    def _of_link(self, quantity: str, link: int) -> list[Any]:
        return list(part_of(exact_array(self.eq, quantity), (link - 1,)).values())

    @cached_property
    def _steps(self) -> Mapping[str, ExactArray]:
        return self.eq.in_joint_angles.by_routes[ROUTE].steps


def _is_traced(signs: Sequence[Lexeme]) -> bool:
    """Returns whether an expression has traces Tr(U J Uᵀ), in which I and J are inertias."""
    is_transposed = any(each.kind in ("transpose", "'") or word_of(each) == "T" for each in signs)
    return is_transposed and any(word_of(each) in TRACES for each in signs)


def _raised(signs: Sequence[Lexeme]) -> tuple[int | None, int]:
    """Returns the number that is raised at the beginning of some lexemes, as in ^{2}, or None, and its length."""
    kinds = [each.kind for each in signs[:4]]
    if kinds[:1] == ["power"]:
        return int(signs[0].data), 1
    is_braced = kinds[:1] == ["^"] and kinds[1:2] == ["{"] and kinds[3:] == ["}"]
    length = 4 if is_braced else 2 if kinds[:1] == ["^"] else 0
    inner = signs[1 + is_braced] if 1 + is_braced < len(signs) else None
    if not length or inner is None or inner.kind not in ("number", "transpose", "word"):
        return None, 0
    return int(inner.data) if inner.kind == "number" else None, length
