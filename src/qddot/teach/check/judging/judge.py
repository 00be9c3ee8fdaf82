"""Judges a user's derivation entry by entry, and names the likeliest mistakes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import QddotError, Where, visible
from qddot.base.words.message import Message, Told, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.printing.digits import NumberForm
from qddot.formats.confusions.of_arms import DEGREES, DIRECTIONS, REVERSED_AXIS
from qddot.robot.model import Model
from qddot.teach.check.asked import missing, required_entries
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.check.exact_arrays import entry_name, exact_array
from qddot.teach.check.judging.array_search import displaced
from qddot.teach.check.judging.cases import (
    DIFFERENT,
    EQUAL,
    UNDECIDED,
    VALID,
    VERIFIED,
    Case,
    Witness,
    check_shape,
    compared,
    verified,
)
from qddot.teach.check.judging.certainty import follow_in_doubt, uncertain
from qddot.teach.check.judging.entry_forms import EntryForms
from qddot.teach.check.judging.entry_search import EntrySearch
from qddot.teach.check.judging.judgement import Judged, Judgement
from qddot.teach.check.judging.lines import consequences
from qddot.teach.check.judging.mistakes import Mistake, Name
from qddot.teach.check.judging.modulo import independent_equations
from qddot.teach.check.judging.numbers import has_decimals, with_values
from qddot.teach.check.judging.other_choices import accept
from qddot.teach.check.judging.ranking import explanations, ranked
from qddot.teach.check.judging.unconverted import in_degrees, unconverted
from qddot.teach.check.judging.variants import variants
from qddot.teach.check.judging.whole_quantities import WholeQuantities, without_brackets
from qddot.teach.check.reading.answer import EQUATION, Answer, NumberInState, Unread
from qddot.teach.check.reading.numbers.numbers_in_states import is_near

MOST_SEARCHED = 24  # the most wrong entries whose terms are searched
MOST_NAMED = 3  # the most mistakes of an entry
TURNED = tuple(each.name for each in DIRECTIONS)
OF_JOINTS = ("M", "C", "christoffel", "h", "G", "tau", "bias")  # quantities whose places are joints
UNLIKELY = 2  # a mistake in fewer terms than this is likelier than another direction of gravity
FACTORS = {"sign": -1.0, "double": 2.0, "half": 0.5}


def judge(
    eq: Quantities,
    answer: Answer,
    asked: str | Sequence[str] | None = None,
    values: Mapping[str, Fraction] | None = None,
) -> Judgement:
    """Returns the judgement of an answer: whether each entry is equal, and otherwise how it differs and why.

    Equality is proved: the normal form of the difference is zero. A different entry has a witness, a state in which
    enclosures of both values are disjoint.
    asked: the required quantities and entries, such as "M,G"; values: the values of symbols that are numbers in the
    answer
    raises QddotError: an unknown quantity, or one whose shape is not that in the equations
    """
    entries_asked = required_entries(eq, asked)
    exact = {name: exact_array(eq, name) for name in answer.entries}
    for name, array in exact.items():
        check_shape(name, array, answer)
    symbolic = exact
    answer, exact, sentences = with_values(eq, answer, exact, values or {})
    ring, cases = compared(eq, answer, exact, _numbers(eq, answer, values or {}) if sentences else None)
    numbers = NumberForm.DECIMALS if has_decimals(answer) else NumberForm.FRACTIONS
    forms, wholes = EntryForms(eq.dynamics.mechanism, ring, numbers), WholeQuantities.of(eq, ring, exact, cases)
    notes = [*answer.guesses, *map(Told, (*sentences, *accept(wholes, cases), *verified(cases)))]
    contradicting = list(contradictions(cases))
    excluded = {id(case) for case, _ in contradicting}
    cases = [case for case in cases if id(case) not in excluded]
    wrong = [case for case in cases if case.verdict in (DIFFERENT, UNDECIDED)]
    carried = list(_carried(wholes, wrong))
    follows = {key for mistake in carried for key in mistake.explains}
    open_cases = [case for case in wrong if case.key not in follows]
    wrong_numbers = answer.wrong_numbers
    keys = [*(case.key for case in open_cases), *((each.quantity, each.place) for each in wrong_numbers)]
    in_other_units = unconverted(eq, ring, answer, symbolic, values or {}, cases) if open_cases else ()
    angles = in_degrees(ring, answer.opaque, open_cases)
    hamel = without_brackets(wholes, open_cases)
    hypotheses = (*in_other_units, *angles, *hamel, *mistakes_in_numbers(wrong_numbers))
    mistakes = ranked((*hypotheses, *_hypotheses(eq, ring, exact, cases, open_cases, forms)), keys)
    answered = [*(case.key for case in cases), *answer.numbers]
    if doubts := list(uncertain(eq, answer, cases, open_cases, mistakes)):
        doubted = {case.key for case, _ in doubts}
        certain = {case.quantity for case in open_cases if case.key not in doubted}
        doubts += follow_in_doubt(carried, wrong, certain)
        doubted |= {case.key for case, _ in doubts}
        cases, wrong = ([case for case in each if case.key not in doubted] for each in (cases, wrong))
        keys = [key for key in keys if key not in doubted]
        mistakes = ranked(mistakes, keys)
    judged = []
    for case in cases:
        own = [each for each in (*carried, *mistakes) if case.key in each.explains][:MOST_NAMED]
        judged.append(_judged(case, forms, own) if case in wrong else Judged.of(case))
    for number in wrong_numbers:
        own = [each for each in mistakes if (number.quantity, number.place) in each.explains][:MOST_NAMED]
        judged.append(judged_number(eq, number, tuple(own)))
    why = tuple(explanations(mistakes, keys))
    is_whole = any(quantity == EQUATION for quantity, _ in entries_asked)
    rank = independent_equations(eq, ring, cases) if is_whole else 0
    absent = missing(eq, entries_asked, answered, rank)
    different = {case.quantity for case in wrong}
    followed = tuple(each for each in consequences(wholes, forms) if each.of in different)
    unread = (
        *answer.unread,
        *(Unread(case.name, case.entry.where, Told(doubt)) for case, doubt in (*contradicting, *doubts)),
    )
    parts = (tuple(judged), why, followed, tuple(notes), unread, absent, tuple(entries_asked))
    return Judgement(eq.model.name, *parts, has_numbers=bool(answer.numbers))


def _numbers(eq: Quantities, answer: Answer, values: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Returns the values of symbols that an answer has numbers for: the given ones, else its own, else the model's."""
    return {**eq.model.exact_defaults(), **answer.values, **values}


def _judged(case: Case, forms: EntryForms, mistakes: Sequence[Mistake]) -> Judged:
    if case.yours is None:
        return Judged.of(case, forms.written(case.exact), None, tuple(mistakes))
    return Judged.of(case, forms.written(case.exact), forms.written(case.yours - case.exact), tuple(mistakes))


def _hypotheses(
    eq: Quantities,
    ring: Ring,
    exact: Mapping[str, ExactArray],
    cases: Sequence[Case],
    wrong: Sequence[Case],
    forms: EntryForms,
) -> Iterator[Mistake]:
    """Yields every mistake that explains wrong entries: in the model, in the places of entries, or in the terms."""
    if not wrong:
        return
    yield from displaced(eq, ring, exact, cases)
    yield from _planted(eq, ring, cases, wrong)
    search = EntrySearch(eq.model, forms)
    for case in sorted(wrong, key=lambda case: len(case.difference))[:MOST_SEARCHED]:
        yield from search.mistakes(case)


def _planted(eq: Quantities, ring: Ring, cases: Sequence[Case], wrong: Sequence[Case]) -> Iterator[Mistake]:
    """Yields the mistakes in the model that lead to some of the wrong entries."""
    wrong_ones, quantities = set(map(id, wrong)), {case.quantity for case in cases}
    several = len(wrong) > 1  # of a single entry, a reversed axis only changes the sign
    for variant in variants(eq.model, quantities, _links_in(eq, wrong), with_reversed=several):
        try:
            planted = _of_variant(eq, variant.model)
            arrays = {name: exact_array(planted, name) for name in quantities}
            entries = {name: dict(zip(array.places, array.entries, strict=True)) for name, array in arrays.items()}
        except QddotError:  # the equations of this variant need other variables
            continue
        explains, contradicts = [], 0
        for case in cases:
            entry = ring.convert(entries[case.quantity][case.place])
            if case.is_equal_to(entry):
                explains += [case.key] if id(case) in wrong_ones else []
            elif not case.difference:
                contradicts += 1
        if len(explains) > (variant.kind == REVERSED_AXIS.name):
            effort = UNLIKELY if variant.kind in TURNED else 0
            yield Mistake(variant.kind, variant.words, tuple(explains), contradicts=contradicts, effort=effort)


def _of_variant(eq: Quantities, model: Model) -> Quantities:
    """Returns the quantities of a model with a planted mistake, in the joints' own angles."""
    if isinstance(eq, ChainQuantities):
        return eq.with_tree(model)
    return Quantities(model, "composite", eq.in_joint_angles.ring)


def _links_in(eq: Quantities, cases: Sequence[Case]) -> frozenset[str]:
    """Returns the names of the links whose inertias occur in some of these entries."""
    mechanism = eq.dynamics.mechanism
    moved_by = {link.name: {place for place, _ in mechanism.moving_path(link.index)} for link in mechanism.links}
    return frozenset(name for name, joints in moved_by.items() if any(_has_inertia(case, joints) for case in cases))


def _has_inertia(case: Case, joints: Container[int]) -> bool:
    """Returns whether an entry may have the inertia of a link that these joints move."""
    is_row = case.quantity in OF_JOINTS and case.entry.exact is None
    return not is_row or all(joint in joints for joint in case.place)


def _carried(wholes: WholeQuantities, wrong: Sequence[Case]) -> Iterator[Mistake]:
    """Yields, for each quantity with a wrong answer, other wrong entries that follow from that answer correctly."""
    explained = set[Name]()
    for source, quantity, entries in wholes.followers():
        if all(case.key in explained for case in wrong if case.quantity == source):
            continue  # the source itself follows from another quantity
        keys = [
            case.key
            for case in wrong
            if case.quantity == quantity != source and case.key not in explained
            if case.is_equal_to(wholes.ring.convert(entries[case.place]))
        ]
        if keys:
            explained.update(keys)
            yield Mistake("carried", {"source": source}, tuple(keys))


def contradictions(cases: Sequence[Case]) -> Iterator[tuple[Case, Message]]:
    """Yields each case whose value differs from an earlier one for the same entry, with the reason why neither counts.

    An equation of motion may be given in several forms, so that these are left out.
    """
    given = dict[tuple[str, tuple[int, ...]], list[Case]]()
    for case in cases:
        if case.verdict in (EQUAL, VERIFIED, VALID) and case.quantity != EQUATION and case.entry.balance is None:
            given.setdefault(case.key, []).append(case)
    for same in given.values():
        first = same[0]
        if all(_are_equal(first, other) for other in same[1:]):
            continue
        for case in same:
            others = next(other for other in same if not _are_equal(case, other))
            yield case, say("another-value", place=Where(others.entry.where))


def _are_equal(a: Case, b: Case) -> bool:
    return not a.numerator * b.denominator - b.numerator * a.denominator


def mistakes_in_numbers(numbers: Sequence[NumberInState]) -> Iterator[Mistake]:
    """Yields the mistakes that explain wrong numbers: degrees taken as radians, or a factor of the whole."""
    for number in numbers:
        key = (number.quantity, number.place)
        if is_near(number.yours, number.in_degrees):
            yield Mistake(DEGREES.name, {}, (key,))
        for kind, factor in FACTORS.items():
            if is_near(number.yours, factor * number.exact):
                yield Mistake(kind, {}, (key,))


def judged_number(eq: Quantities, number: NumberInState, mistakes: tuple[Mistake, ...]) -> Judged:
    """Returns the judgement of a wrong number."""
    if number.quantity in eq.names:
        name = entry_name(exact_array(eq, number.quantity), number.place)
    else:  # a letter of a law
        name = number.text.partition("=")[0].strip()
    witness = Witness(dict(number.state), number.yours, number.exact)
    said = (visible(number.text), visible(number.where))
    return Judged(number.quantity, number.place, name, DIFFERENT, *said, witness=witness, mistakes=mistakes)
