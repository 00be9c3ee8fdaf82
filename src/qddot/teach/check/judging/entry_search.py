"""Finds slips that explain one entry exactly: in the whole entry, in one term, or in several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.numbers.rationals import fraction
from qddot.exact.printing import notation
from qddot.robot.model import Model
from qddot.teach.check.judging.cases import Case
from qddot.teach.check.judging.entry_forms import EntryForms, Form, total
from qddot.teach.check.judging.mistakes import Mistake, Word
from qddot.teach.check.judging.modulo import States
from qddot.teach.check.judging.slips import Slip, slips, used_keys
from qddot.teach.check.judging.terms_chosen import chosen

LONGEST_SEARCHED = 3_000  # an entry with more terms is not searched
SHIFTS = (Fraction(-1), Fraction(-1, 4))  # errors in the coefficient of m l²: m l² is missing, or m (l/2)² of a rod
FACTORS = {Fraction(-1): "sign", Fraction(2): "double", Fraction(1, 2): "half", Fraction(0): "lost"}


class EntrySearch:
    """This searches for slips in the entries of one model's equations."""

    def __init__(self, model: Model, forms: EntryForms) -> None:
        self.model, self.forms, self.states = model, forms, States(forms.ring)
        self._masses = {str(body.inertia.m) for body in model.bodies if body.inertia.m}

    def mistakes(self, case: Case) -> Iterator[Mistake]:
        """Yields slips that turn the exact entry into the answered one; if none does, parts with a wrong factor."""
        if case.yours is None or max(len(case.numerator), len(case.exact)) > LONGEST_SEARCHED:
            return
        difference, forms = self._difference(case), self.forms.of(case.exact)
        whole = list(self._whole(case, difference, forms))
        yield from whole or self._parts(case, difference, forms[0])

    def _difference(self, case: Case) -> Polynomial:
        """Returns the difference, without the constant terms of an energy, whose zero is arbitrary."""
        assert case.yours is not None
        difference: Polynomial = case.yours - case.exact
        ring = self.forms.ring
        if case.quantity not in ("P", "L", "P_links"):
            return difference
        symbols = [generator.kind == "symbol" for generator in ring.generators]
        moving = [
            (exponents, c)
            for exponents, c in difference.terms()
            if any(e and not symbol for e, symbol in zip(exponents, symbols, strict=True))
        ]
        part: Polynomial = ring.from_terms(moving)
        return part

    def _whole(self, case: Case, difference: Polynomial, forms: Sequence[Form]) -> Iterator[Mistake]:
        """Yields slips that explain the whole difference."""
        yield from self._factors(case, difference, forms)
        used = {key for form in forms for key in used_keys(form.terms)}
        residues = self.states.residues_of(difference)
        for slip in slips(self.model, self.forms, self.states, used):
            if slip.same is None or self.states.vanishes(residues, slip.same):
                yield from self._slipped(case, slip, difference, forms)

    def _parts(self, case: Case, difference: Polynomial, form: Form) -> Iterator[Mistake]:
        """Yields factors of some terms that together explain the difference."""
        left, places = monomials(difference), dict[Fraction, list[int]]()
        if not left.keys() & monomials(case.exact).keys():
            yield Mistake("extra", {"term": self.forms.written(difference)}, (case.key,), effort=len(left))
        for k, value in enumerate(form.values):
            ((monomial, c),) = monomials(value).items()
            if monomial in left:
                ratio = left.pop(monomial) / c
                places.setdefault(1 + fraction(ratio), []).append(k)
        if left or not set(places) <= set(FACTORS):
            return
        for factor, chosen_ones in places.items():
            kind = FACTORS[factor] if factor else self._lost_kind(case, form, chosen_ones)
            mistake = self._mistake(case, kind, {}, form, chosen_ones, len(form.terms))
            yield replace(mistake, partly=True)

    def _factors(self, case: Case, difference: Polynomial, forms: Sequence[Form]) -> Iterator[Mistake]:
        """Yields factors of the whole or of terms: −1, 2, ½, 0, and any other number that the difference suggests."""
        ratio = _ratio(difference, case.exact)
        for factor in dict.fromkeys([*FACTORS, *([1 + ratio] if ratio is not None else [])]):
            tries = [(self._chosen(form, factor - 1, difference), form) for form in forms]
            choices = [(places, form) for places, form in tries if places]
            if choices:
                places, form = min(choices, key=lambda choice: len(choice[0]))
                if not factor and case.quantity in ("K", "L") and (rate := self._rate_lost(form, places)):
                    yield self._mistake(case, "rate not summed", {"right": rate}, form, places, len(form.terms))
                kind, words = self._scaled(case, form, places, factor)
                yield self._mistake(case, kind, words, form, places, len(form.terms))

    @staticmethod
    def _chosen(form: Form, factor: Fraction, difference: Polynomial) -> list[int]:
        return chosen([monomials(value * factor) for value in form.values], monomials(difference)) or []

    def _scaled(self, case: Case, form: Form, places: Sequence[int], factor: Fraction) -> tuple[str, dict[str, Word]]:
        """Returns the kind of mistake for a factor of some terms. In a term without symbols it is a wrong number."""
        if not factor:
            return self._lost_kind(case, form, places), {}
        number, powers = form.terms[places[0]]
        if len(places) == 1 and number * (factor - 1) in SHIFTS and case.quantity == "M" and self._is_shift(powers):
            return "parallel axis", {"term": self.forms.written(form.values[places[0]] * (1 - factor))}
        if factor in FACTORS:
            return FACTORS[factor], {}
        if len(places) > 1 or any(self._kind_of(key) == "symbol" for key in powers):
            return "factor", {"factor": str(factor)}
        return "number", {"right": _decimal(number), "wrong": _decimal(number * factor)}

    def _lost_kind(self, case: Case, form: Form, places: Sequence[int]) -> str:
        """Returns "parallel axis" if some terms of M, K or L are lost, all of a mass times two lengths, else "lost"."""
        inertial = case.quantity in ("M", "K", "L") and len(places) < len(form.terms)
        return "parallel axis" if inertial and all(self._is_shift(form.terms[k].powers) for k in places) else "lost"

    def _rate_lost(self, form: Form, places: Sequence[int]) -> str:
        """Returns the rate that is missing in all terms of the square of a sum of rates, if the others occur, or ""."""
        rates = {k: {key for key in term.powers if self._kind_of(key) == "qd"} for k, term in enumerate(form.terms)}
        bare = {
            k: {key: e for key, e in term.powers.items() if key not in rates[k]} for k, term in enumerate(form.terms)
        }
        kept = [k for k in rates if k not in places and rates[k] and bare[k] == bare[places[0]]]
        lost = set.union(*(rates[k] for k in places)) - set().union(*(rates[k] for k in kept))
        is_square = bool(kept) and len(lost) == 1 and all(lost <= rates[k] for k in places)
        is_square = is_square and all(bare[k] == bare[places[0]] for k in places)
        return notation.text(self.forms.ring.generators[self.forms.ring.index[lost.pop()]]) if is_square else ""

    def _is_shift(self, powers: Any) -> bool:
        masses, lengths = 0, 0
        for key, e in powers.items():
            kind = self._kind_of(key)
            if key in self._masses:
                masses += e
            elif kind == "symbol":
                lengths += e
            elif kind not in ("qd", "root"):
                return False
        return (masses, lengths) == (1, 2)

    def _kind_of(self, key: str) -> str:
        ring = self.forms.ring
        return ring.generators[ring.index[key]].kind if key in ring.index else "angle"

    def _slipped(self, case: Case, slip: Slip, difference: Polynomial, forms: Sequence[Form]) -> Iterator[Mistake]:
        for form in forms:
            changes, touched = list[dict[Any, Any]](), 0
            for term, value in zip(form.terms, form.values, strict=True):
                new = slip.change(term)
                touched += new is not None
                changes.append({} if new is None else monomials(self.forms.value(new) - value))
            places = chosen(changes, monomials(difference))
            if places and (len(places) == touched or not slip.throughout):
                yield self._mistake(case, slip.kind, dict(slip.words), form, places, touched)
                return

    def _mistake(
        self, case: Case, kind: str, words: dict[str, Word], form: Form, places: Sequence[int], touched: int
    ) -> Mistake:
        """Returns a slip in terms of a form; touched: the number of terms that it can change."""
        if len(places) < touched and "term" not in words:
            words["term"] = self.forms.written(total(self.forms.ring, (form.values[k] for k in places)))
        effort = 0 if len(places) == touched else len(places)
        return Mistake(kind, words, (case.key,), effort=effort)


def monomials(value: Polynomial) -> dict[Any, Any]:
    """Returns the coefficients by exponents."""
    return value.poly.to_dict()


def _decimal(number: Fraction) -> str:
    return f"{float(number):.6g}"


def _ratio(difference: Polynomial, exact: Polynomial) -> Fraction | None:
    """Returns the ratio of the difference to the exact entry's terms, if it is the same for all of them."""
    coefficients, ratios = dict(exact.terms()), set[Fraction]()
    for exponents, c in difference.terms():
        if exponents not in coefficients:
            return None
        ratios.add(c / coefficients[exponents])
    return ratios.pop() if len(ratios) == 1 else None
