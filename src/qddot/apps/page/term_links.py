"""Finds the links that the terms of an equation come from, and the share of each link."""

from __future__ import annotations

from functools import cache
from typing import Any

from qddot.apps.page.equation_terms import formula
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_table import of_motion
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.shares.link_parts import equations_of, parts_of
from qddot.exact.forms.textbook.shares.monomial_places import ExpandedTerms

Terms = list[list[dict[str, Any]]]


def of_short(short: Textbook, name: str) -> dict[str, Terms]:
    """Returns by an equation's name the shares of its terms: the link's index, the source, and the share as MathML."""
    if name not in of_motion() or not short.eq.dynamics.has_bodies:
        return {}
    return {
        _text(entry.equation.left): [
            [{"link": share.body, "source": share.source, "math": formula(share.value)} for share in term]
            for term in entry.terms
        ]
        for entry in short.shares(name).values()
    }


def of_normal(eq: Quantities, name: str) -> dict[str, Terms]:
    """Returns the same for equations in normal form, from the monomials in the equations of each link alone."""
    if name not in of_motion() or not eq.dynamics.has_bodies:
        return {}
    array = eq.array(name)
    expanded_terms = cache(lambda ring: ExpandedTerms(ring, {}, array.ring))
    parts = {part: equations_of(eq.model, part, eq.ring).array(name).entries for part in parts_of(eq.model)}
    terms_by_name: dict[str, Terms] = {}
    for k, (place, entry) in enumerate(zip(array.places, array.entries, strict=True)):
        written = array.expression(entry)
        places = expanded_terms(array.readable(entry).ring).places(written)
        terms: Terms = [[] for _ in written.products]
        for part, entries in parts.items():
            stands = {term for monomial, _ in entries[k].terms() for term in places[monomial]}
            for term in sorted(stands):
                terms[term].append({"link": part.body, "source": part.source, "math": ""})
        terms_by_name[_text(array.named(place))] = terms
    return terms_by_name


def _text(left: Any) -> str:
    return str(left.text)
