"""Shares say which links contribute to a term of a short form, and how much each contributes.

The equations are sums over the parts of an arm. Each part's entry is rewritten by the same linear map as the whole
entry; the results therefore add up to the written entry, coefficient by coefficient.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.numbers.polynomials.exact import Term, Terms
from qddot.algebra.numbers.polynomials.keys import PolynomialKey
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import shortened
from qddot.base.words.message import say
from qddot.exact.forms.textbook.shares.link_parts import LINK, ArmPart
from qddot.exact.forms.textbook.shares.monomial_places import ExpandedTerms
from qddot.exact.forms.textbook.writing.factoring import Brackets, factored_sum
from qddot.exact.forms.textbook.written_array import WrittenArray
from qddot.exact.printing import text as text_of
from qddot.exact.printing.digits import NumberForm, form_of, rounded
from qddot.exact.printing.tree import Equation, Sum, Symbol

EFFECTS = {"armature": "share-of-armature", "springs": "share-of-spring", "friction": "share-of-friction"}
TITLES = tuple(map(say, ("title-entry", "title-term", "title-from", "title-share-of-link")))
Place: TypeAlias = tuple[int, ...]


class LinkShare(NamedTuple):
    """This is the contribution of one part of an arm to a term.

    body: place of the link in the model's bodies, from 0
    source: "link" for its inertia and weight; "armature", "springs" or "friction" for an effect in its joint
    value: the share as it is written; None if the part contributes to the term by an unknown amount
    exact: the expanded share, in the model's symbols and in sums of angles
    """

    body: int
    source: str
    value: Sum | None
    exact: Unreduced | None


class SharedEntry(NamedTuple):
    """This is an entry with the shares of its terms.

    equation: the entry as it is written
    terms: for each product on the equation's right side, its shares, whose sum is the product
    cancelling: contributions of links that add up to zero, so that no term contains them
    """

    equation: Equation
    terms: tuple[tuple[LinkShare, ...], ...]
    cancelling: tuple[LinkShare, ...]

    def rows(self) -> Iterator[tuple[str, tuple[LinkShare, ...]]]:
        """Yields each term as text with its shares, and last "0" with the contributions that cancel."""
        assert isinstance(self.equation.right, Sum)
        for product, shares in zip(self.equation.right.products, self.terms, strict=True):
            yield _text(Sum((product,), self.equation.right.numbers)), shares
        if self.cancelling:
            yield "0", self.cancelling


class LinkShares(Mapping[Place, SharedEntry]):
    """These are the shares of a quantity's terms, by the place of each entry: shares[0, 1] has those of M12.

    Only one of a symmetric pair of entries is listed; both places return it. bodies: the names of the links
    """

    def __init__(
        self,
        array: WrittenArray,
        parts: Mapping[ArmPart, Sequence[Unreduced]],
        bodies: tuple[str, ...],
        digits: int | None = None,
    ) -> None:
        """parts: the contribution of each part of the arm to the entries; digits: significant digits, None for all"""
        self.bodies = bodies
        self._digits = digits
        self._array, self._parts = array, parts
        self._ring = array.sums.ring
        self._expanded_terms = ExpandedTerms(array.ring, array.constants, self._ring)
        self._index = {place: k for k, place in enumerate(self._array.places)}
        self._listed = {place: _first(place, self._array.symmetric) for place in self._index}
        self._entries: dict[Place, SharedEntry] = {}
        self._values: dict[PolynomialKey, Sum] = {}
        self._brackets: defaultdict[NumberForm, dict[Any, Brackets]] = defaultdict(dict)

    def __getitem__(self, place: Any) -> SharedEntry:
        listed = self._listed.get(place if isinstance(place, tuple) else (place,))
        if listed is None:
            raise KeyError(f"no entry {shortened(place)}")
        if listed not in self._entries:
            self._entries[listed] = self._shared(listed)
        return self._entries[listed]

    def __iter__(self) -> Iterator[Place]:
        return iter(dict.fromkeys(self._listed.values()))

    def __len__(self) -> int:
        return len(set(self._listed.values()))

    def _shared(self, place: Place) -> SharedEntry:
        k = self._index[place]
        entry = self._array.entries[k]
        written = self._array.written(entry)
        values = {part: entries[k] for part, entries in self._parts.items() if entries[k]}
        places = self._expanded_terms.places(self._array.expression(entry))
        whole = sum((value.poly for value in values.values()), start=self._ring.context.constant(0))
        decided = self._expanded_terms.in_symbols(entry.poly) == whole
        groups = [dict[ArmPart, list[Term]]() for _ in range(len(written.products) + 1)]
        for part, value in values.items():
            for monomial, c in value.terms():
                for term in places[monomial] or [len(written.products)]:
                    groups[term].setdefault(part, []).append((monomial, c))
        undecided = set(range(len(groups))) if not decided else places.shared
        wholes = [Sum((product,), written.numbers) for product in written.products]
        terms = [
            tuple(LinkShare(*part, None, None) for part in group) if k in undecided else self._of_term(group, whole)
            for k, (group, whole) in enumerate(zip(groups, [*wholes, Sum((), written.numbers)], strict=True))
        ]
        return SharedEntry(Equation(self._array.named(place), written), tuple(terms[:-1]), terms[-1])

    def _of_term(self, group: Mapping[ArmPart, list[Term]], whole: Sum) -> tuple[LinkShare, ...]:
        """Returns the shares of a term from their monomials; a single share is the term itself."""
        exact = {part: Unreduced.of(self._ring, terms) for part, terms in group.items()}
        symbols = {atom.text for atom in whole.atoms() if isinstance(atom, Symbol)}
        is_single = len(group) == 1 and not symbols & self._array.constants.keys()
        return tuple(
            LinkShare(*part, whole if is_single else self._written(value, whole.numbers), value)
            for part, value in exact.items()
        )

    def _written(self, value: Terms, numbers: NumberForm) -> Sum:
        key = PolynomialKey(value.poly)
        if key not in self._values:
            value_in_digits = rounded(value, self._digits)
            form = max(numbers, form_of([value_in_digits], readable=True), key=lambda form: form.value)
            written = factored_sum(value_in_digits, form, self._brackets[form])
            self._values[key] = self._array.in_notation(written)
        return self._values[key]

    def text(self, width: int = text_of.WIDTH) -> str:
        """Returns every entry as it is written, and below it each term with its shares, one per line."""
        lines = []
        for place in self:
            entry = self[place]
            if any(entry.rows()):
                lines.append(text_of.equations([entry.equation], width))
                for term, shares in entry.rows():
                    lines += [f"  {term}", *(self._line(share, width) for share in shares)]
        return "\n".join(lines)

    def _line(self, share: LinkShare, width: int) -> str:
        terms = [(False, "…")] if share.value is None else text_of.Text().terms(share.value)
        return text_of.broken(f"    {self._part(share)}: ", terms, width)

    def _part(self, share: LinkShare) -> str:
        body = self.bodies[share.body]
        return body if share.source == LINK else str(say(EFFECTS[share.source], body=body))

    def _repr_html_(self) -> str:
        from qddot.base import html

        rows = [
            (text_of.Text().write(entry.equation.left), term, self._part(share), _text(share.value))
            for entry in self.values()
            for term, shares in entry.rows()
            for share in shares
        ]
        return html.block(html.table(TITLES, rows))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<shares of {len(self.bodies)} links in {len(self)} entries of {self._array.name}>"


def _first(place: Place, symmetric: tuple[int, int] | None) -> Place:
    """Returns the place under which a symmetric pair is listed."""
    if symmetric is None:
        return place
    i, j = symmetric
    ordered = list(place)
    ordered[i], ordered[j] = sorted((place[i], place[j]))
    return tuple(ordered)


def _text(value: Sum | None) -> str:
    return "…" if value is None else text_of.Text().write(value)
