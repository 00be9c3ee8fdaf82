"""Converts products of sines and cosines to those of sums and multiples of angles, such as cos(q2 + q3), and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from math import comb
from typing import NamedTuple, TypeAlias

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.circle import negative_angle, sum_of_angles
from qddot.algebra.expressions.turning import Combination, sum_name
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring, Terms
from qddot.exact.forms.textbook.rewriting.states import Coefficient, Grouped, State, States
from qddot.exact.printing.reading import moved
from qddot.physics.frames.parallel_joints import parallel_joints
from qddot.physics.mechanism import Mechanism

Contraction: TypeAlias = tuple[tuple[int, int], tuple[int, int], int, int]
MOST_FORMS = 100  # most forms tried for one entry
Image = dict[State, int | Fraction]  # numeric coefficients by state


class Contracted(NamedTuple):
    """This is one application of state + sign · other = total, such as c2 c3 − s2 s3 = c23."""

    state: State
    other: State
    sign: int
    total: State


class AngleSums:
    """This has a ring with sums of the angles of consecutive parallel joints, and the conversions to and from it.

    arm: in polynomials; multiples: whether the ring also has twice each angle
    """

    def __init__(self, mechanism: Mechanism, ring: Ring, multiples: bool = False) -> None:
        self.plain_ring = ring
        self.multiples = multiples
        self.chains = list(_chains(mechanism, ring))
        self._runs = [
            chain[i:k] for chain in self.chains for i in range(len(chain)) for k in range(i + 1, len(chain) + 1)
        ]
        sums = {_combination(run): run for run in self._runs if len(run) > 1}
        self._names: dict[Combination, str] = {of: name for name, of in ring.turning.items()}
        self._names |= {of: sum_name(of, ring.turning) for of in sums}
        self._sums = [(_combination(run[:-1]), _combination(run[-1:]), of) for of, run in sums.items()]
        self._add_overlapping()
        if multiples:
            for one in list(self._names):
                self._names.setdefault(tuple((q, 2 * n) for q, n in one), "")
        self._names = {of: name or sum_name(of) for of, name in self._names.items()}
        self.combinations = {name: c for c, name in self._names.items()}
        new = [name for name in self.combinations if name not in ring.turning]
        self.ring = ring.with_turning({**ring.turning, **{name: self.combinations[name] for name in new}})
        self.states = States(self.ring)
        self._substitutions: dict[tuple[tuple[str, ...], ...], StateSubstitution] = {}

    def _add_overlapping(self) -> None:
        """Adds q2 + (q2 + q3) and the like: sums of two runs of a chain."""
        for a in self._runs:
            for b in self._runs:
                one, other = _combination(a), _combination(b)
                if set(a) < set(b):
                    total = _added(one, other)
                    self._names.setdefault(total, "")
                    self._sums.append((one, other, total))

    def angle(self, name: str) -> Angle:
        """Returns the angle that a name of the ring stands for, in coordinates."""
        return Angle(symbols=tuple(sorted(self.combinations[name])))

    def substitutions(self, entry: Polynomial) -> Iterator[StateSubstitution]:
        """Yields substitutions that write an entry in the sums of angles of one or more chains.

        In one substitution all sums of a chain begin at the same joint. Each joint is tried; the last one leaves the
        chain as it is. A substitution is applied to the grouped entry.
        """
        used = {key[4:-1] for key in entry.variables() if key.startswith(("sin(", "cos("))}
        last = [max((k for k, name in enumerate(chain) if name in used), default=0) for chain in self.chains]
        for starts in islice(product(*(range(k + 1) for k in last)), MOST_FORMS):
            runs = tuple(tuple(chain[k : end + 1]) for chain, k, end in zip(self.chains, starts, last, strict=True))
            if any(len(run) > 1 for run in runs):
                yield self._substitution(runs)

    def _substitution(self, runs: tuple[tuple[str, ...], ...]) -> StateSubstitution:
        if runs not in self._substitutions:
            images = {key: image for run in runs for key, image in self._by_sums(run).items()}
            self._substitutions[runs] = StateSubstitution(self.states, images)
        return self._substitutions[runs]

    def contraction(self, group: Grouped) -> tuple[Grouped, list[Contracted]]:
        """Returns A c2 c3 − A s2 s3 as A c23, A s2 c3 + A c2 s3 as A s23, and the pairs of terms that were joined."""
        group, occurs, pairs = dict(group), [any(exponents) for exponents in zip(*group, strict=True)], []
        for a, b, sign, new in self._contractions if group else ():
            if not all(occurs[k] for k in (*a, *b)):
                continue
            first, last = a
            for state in [state for state in group if state[first] and state[last]]:
                other = moved(state, a, b)
                if state in group and other in group and group[other] is group[state] * sign:
                    value = group.pop(state)
                    del group[other]
                    total = moved(state, a, (new,))
                    add(group, total, value)
                    occurs[new] = True
                    pairs.append(Contracted(state, other, sign, total))
        return {state: value for state, value in group.items() if value}, pairs

    @cached_property
    def _contractions(self) -> list[Contraction]:
        """Returns the places of the two terms that a sum of angles joins, their relative sign, and the sum's place."""
        at, contractions = self.states.index, []
        for first, last, total in self._sums:
            c1, s1, c2, s2, c12, s12 = (
                at[f"{kind}({self._names[q]})"] for q in (first, last, total) for kind in ("cos", "sin")
            )
            contractions += [((c1, c2), (s1, s2), -1, c12), ((s1, c2), (c1, s2), 1, s12)]
        return contractions

    def doubled(self, group: Grouped) -> Grouped:
        """Returns cos² as ½ + ½ cos 2θ, sin² as ½ − ½ cos 2θ, sin cos as ½ sin 2θ."""
        at = self.states.index
        for one, name in self._names.items():
            twice = self._names.get(tuple((q, 2 * n) for q, n in one))
            if twice is None:
                continue
            c, s, c2, s2 = (at[f"{kind}({q})"] for q in (name, twice) for kind in ("cos", "sin"))
            while any(state[c] + state[s] > 1 for state in group):
                lower: Grouped = {}
                for state, value in group.items():
                    for new, factor in _halved(state, c, s, c2, s2):
                        add(lower, new, value if factor == 1 else value * factor)
                group = {state: value for state, value in lower.items() if value}
        return group

    def _by_sums(self, run: Sequence[str]) -> dict[str, Polynomial]:
        """Returns cos q3 = cos(q23 − q2), sin q3 = sin(q23 − q2), and so on."""
        images = {}
        for k in range(1, len(run)):
            pair = sum_of_angles(self._circular(run[: k + 1]), negative_angle(self._circular(run[:k])))
            images[f"cos({run[k]})"], images[f"sin({run[k]})"] = pair
        return images

    def _circular(self, run: Sequence[str]) -> tuple[Polynomial, Polynomial]:
        return self.ring.cos_sin(self._names[_combination(run)])

    def back(self, entry: Terms, constants: Mapping[str, Polynomial] | None = None) -> Polynomial:
        """Returns an entry in the plain angles, with constants replaced by their definitions."""
        return self.plain_ring.composed(entry, constants or {})


def add(group: Grouped, state: State, value: Coefficient) -> None:
    """Adds a term to a group, in place."""
    group[state] = group[state] + value if state in group else value


def _halved(state: State, c: int, s: int, c2: int, s2: int) -> list[tuple[State, Fraction]]:
    """Returns one square, or one product of sine and cosine, in terms of twice the angle."""
    half = Fraction(1, 2)
    if state[c] > 1:
        return [(moved(state, (c, c), ()), half), (moved(state, (c, c), (c2,)), half)]
    if state[s] > 1:
        return [(moved(state, (s, s), ()), half), (moved(state, (s, s), (c2,)), -half)]
    return [(moved(state, (c, s), (s2,)), half)] if state[c] and state[s] else [(state, Fraction(1))]


def _combination(run: Iterable[str]) -> Combination:
    return tuple((name, ONCE) for name in run)


def _added(a: Combination, b: Combination) -> Combination:
    total = dict(b)
    for q, n in a:
        total[q] = total.get(q, Fraction(0)) + n
    return tuple(total.items())


def _chains(mechanism: Mechanism, ring: Ring) -> Iterator[list[str]]:
    """Yields runs of turning joints, each about an axis parallel to the one before and with the same sense."""
    before, chains = parallel_joints(mechanism, beside_rotors=True), dict[int, list[str]]()
    for k, link in mechanism.moving:
        j, sense = before.get(k, (k, 0))
        if link.kind.is_angle and link.kind.leads:
            chains[k] = [*(chains.pop(j) if sense == 1 and j in chains else []), ring.coordinates[k]]
    for names in chains.values():
        # a chain with an angle other than q itself, such as q/2, has no sums
        if len(names) > 1 and set(names) <= set(ring.turning):
            yield names


class StateSubstitution:
    """This is a linear map from groups of terms to groups in normal form, where sin² is written as 1 − cos².

    An entry has thousands of terms, but only a few dozen states; the image of a state is computed once.
    """

    def __init__(self, states: States, images: Mapping[str, Polynomial]) -> None:
        """images: polynomials in the state with numeric coefficients, by the generators that they replace"""
        self._images = {states.index[key]: _numbers(states, image) for key, image in images.items()}
        names = states.ring.turning
        self._squares = [(states.index[f"sin({name})"], states.index[f"cos({name})"]) for name in names]
        self._cache: dict[State, Image] = {}

    def __call__(self, group: Grouped) -> Grouped:
        total: Grouped = {}
        for state, value in group.items():
            for new, times in self._image(state).items():
                part = value if times == 1 else value * times
                total[new] = total[new] + part if new in total else part
        return {state: total[state] for state in sorted(total, reverse=True) if total[state]}

    def _image(self, state: State) -> Image:
        if state not in self._cache:
            rest = tuple(0 if k in self._images else exponent for k, exponent in enumerate(state))
            image: Image = {rest: 1}
            for k, factor in self._images.items():
                for _ in range(state[k]):
                    image = self._normal(_product(image, factor))
            self._cache[state] = image
        return self._cache[state]

    def _normal(self, image: Image) -> Image:
        for s, c in self._squares:
            if any(state[s] > 1 for state in image):
                lower: Image = {}
                for state, times in image.items():
                    for new, factor in without_squares(state, s, c):
                        lower[new] = lower.get(new, 0) + times * factor
                image = lower
        return {state: times for state, times in image.items() if times}


def _numbers(states: States, image: Polynomial) -> Image:
    """Returns the coefficients of a polynomial with numeric coefficients by state; whole numbers are ints."""
    numbers: Image = {}
    for state, coefficient in states.grouped(image).items():
        ((_, number),) = coefficient.polynomial.terms()
        numbers[state] = number.numerator if number.denominator == 1 else number
    return numbers


def _product(one: Image, other: Image) -> Image:
    product: Image = {}
    for a, x in one.items():
        for b, y in other.items():
            state = tuple(map(int.__add__, a, b))
            product[state] = product.get(state, 0) + x * y
    return product


def without_squares(state: State, c: int, s: int) -> Iterator[tuple[State, int]]:
    """Yields the terms of cos^(2k + r) = (1 − sin²)^k cos^r; s and c: the places of sine and cosine, or the reverse."""
    k, rest = divmod(state[c], 2)
    for order in range(k + 1):
        term = list(state)
        term[c], term[s] = rest, state[s] + 2 * order
        yield tuple(term), (-1) ** order * comb(k, order)
