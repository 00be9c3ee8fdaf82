"""Finds the shortest form of an entry. Rewriting is linear, so that the forms of parts add up to the whole's form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.exact.forms.textbook.rewriting.angle_sums import AngleSums, Contracted, add, without_squares
from qddot.exact.forms.textbook.rewriting.states import Grouped, State, States

Step: TypeAlias = Callable[[Grouped], Grouped]


class Rewriting(NamedTuple):
    """This is the rewriting of an entry, which can be applied to any other polynomial of its ring.

    steps: functions of the grouped polynomial, applied in turn
    """

    sums: AngleSums
    steps: tuple[Step, ...] = ()

    def __call__(self, entry: Polynomial) -> Grouped:
        group = self.sums.states.grouped(entry)
        for step in self.steps:
            group = step(group)
        return group

    def followed_by(self, *steps: Step) -> Rewriting:
        return self._replace(steps=(*self.steps, *steps))


Form: TypeAlias = tuple[Grouped, Rewriting]  # an entry and its rewriting


def shortest_form(sums: AngleSums, entry: Polynomial) -> Form:
    """Returns the shortest form and its rewriting."""
    forms = with_squares(sums, entry)
    return min(in_multiples(forms) if sums.multiples else in_sums(forms), key=lambda form: length(form[0]))


def with_squares(sums: AngleSums, entry: Polynomial) -> list[Form]:
    """Returns an entry unchanged, and in sums of angles, with squares of cosines."""
    group, unchanged = sums.states.grouped(entry), Rewriting(sums)
    substitutions = sums.substitutions(entry)
    return [(group, unchanged), *((put_in(group), unchanged.followed_by(put_in)) for put_in in substitutions)]


def in_sums(forms: Sequence[Form]) -> list[Form]:
    """Returns the forms whose squares are sin² or cos², then the first of them with its sums of angles contracted."""
    short = [_in_short_squares(*form) for form in forms]
    return [*short, _contracted(*short[0])]


def in_multiples(forms: Sequence[Form]) -> list[Form]:
    """Returns the forms with multiples of angles in place of squares, before or after sums are contracted."""
    return [*(_contracted(*_doubled(*form)) for form in forms), *(_doubled(*_contracted(*form)) for form in forms)]


def _in_short_squares(group: Grouped, rewriting: Rewriting) -> Form:
    states = rewriting.sums.states
    short, names = short_squares(group, states)
    return short, rewriting.followed_by(*(partial(in_sines, states=states, name=name) for name in names))


def _contracted(group: Grouped, rewriting: Rewriting) -> Form:
    short, pairs = rewriting.sums.contraction(group)
    return short, rewriting.followed_by(partial(_with_totals, pairs=pairs)) if pairs else rewriting


def _doubled(group: Grouped, rewriting: Rewriting) -> Form:
    return rewriting.sums.doubled(group), rewriting.followed_by(rewriting.sums.doubled)


def _with_totals(group: Grouped, pairs: Sequence[Contracted]) -> Grouped:
    """Returns the group with the total in place of the state of each pair: x state = x total − sign · x other."""
    group = dict(group)
    for pair in pairs:
        if pair.state in group:
            value = group.pop(pair.state)
            add(group, pair.total, value)
            add(group, pair.other, value * -pair.sign)
    return {state: value for state, value in group.items() if value}


def short_squares(group: Grouped, states: States) -> tuple[Grouped, list[str]]:
    """Returns the group with cos² as 1 − sin² for the angles for which this is shorter, and these angles."""
    names = []
    for name in states.ring.turning:
        if any(state[states.index[f"cos({name})"]] > 1 for state in group):
            other = in_sines(group, states, name)
            if length(other) < length(group):
                group = other
                names.append(name)
    return group, names


def in_sines(group: Grouped, states: States, name: str) -> Grouped:
    """Returns the group with one angle's cos² written as 1 − sin²."""
    c, s = states.index[f"cos({name})"], states.index[f"sin({name})"]
    other: Grouped = {}
    summed: set[State] = set()
    for state, value in group.items():
        for new, times in without_squares(state, c, s) if state[c] > 1 else ((state, 1),):
            part = value if times == 1 else value * times
            if new in other:
                other[new] = other[new] + part
                summed.add(new)
            else:
                other[new] = part
    for state in summed:
        if not other[state]:
            del other[state]
    return other


def length(group: Grouped) -> tuple[int, int, int]:
    """Returns the numbers of terms, of factors, and of terms in the coefficients, to compare forms."""
    return len(group), sum(map(sum, group)), sum(len(value.polynomial) for value in group.values())
