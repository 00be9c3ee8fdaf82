"""The equations as a person would write them: sums of angles, short squares, lumped constants; proved equal.

Each entry is rewritten by itself. Where consecutive joints are parallel, cos(q2 + q3) may stand for products of
sines and cosines; cos² or sin² stays, whichever gives fewer terms; and what the geometry and the inertias put before
one trigonometric term becomes a constant with a name: I1, I2 … where only inertia is in it, g1, g2 … with gravity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.equations.array import ExactArray
from qddot.equations.text import polynomial as text_of
from qddot.model.mechanism import Mechanism
from qddot.model.model import Model
from qddot.numbers.exact import Polynomial, Ring

if TYPE_CHECKING:
    from qddot.equations.equations import EquationsOfMotion

State: TypeAlias = tuple[int, ...]
Grouped: TypeAlias = dict[State, Polynomial]
Terms: TypeAlias = dict[State, tuple[Fraction, str | Polynomial]]
QUANTITIES = ("M", "h", "G")
MOST_FORMS = 100  # of one entry that are tried


@dataclass(frozen=True)
class Counts:
    """Terms, and the additions and multiplications that they take as they stand, sines and cosines given."""

    terms: int
    operations: int


class Textbook:
    """M, h and G in short form over named constants.

    constants: what each name stands for, a polynomial in the model's symbols; before, after: counts of a quantity
    """

    def __init__(self, eq: EquationsOfMotion) -> None:
        self.eq = eq
        self._sums = AngleSums(eq.model, eq.ring)
        lumps = _Lumps(self._sums.ring, _gravity_symbols(eq.model))
        made = {name: [lumps.lumped(self._shortest(entry)) for entry in eq.array(name).entries] for name in QUANTITIES}
        lumps.take_in(entry for entries in made.values() for entry in entries)
        self.constants: Mapping[str, Polynomial] = lumps.definitions
        self.ring = self._sums.ring.extended(extra=tuple(lumps.definitions))
        self._entries = {name: [self._joined(entry) for entry in entries] for name, entries in made.items()}

    @cached_property
    def M(self) -> ExactArray:
        """The mass matrix."""
        return self.array("M")

    @cached_property
    def h(self) -> ExactArray:
        """The velocity terms, C q̇."""
        return self.array("h")

    @cached_property
    def G(self) -> ExactArray:
        """The gravity torques."""
        return self.array("G")

    def array(self, name: str) -> ExactArray:
        """A quantity by its name, M, h or G."""
        plain = self.eq.array(name)
        found = ExactArray(self.ring, [], name, plain.symmetric)
        found.entries, found.shape, found.places = tuple(self._entries[name]), plain.shape, plain.places
        return found

    def before(self, name: str) -> Counts:
        """Of a quantity in its normal form."""
        return _counted(self._unique(name, self.eq.array(name).entries))

    def after(self, name: str) -> Counts:
        """Of a quantity in textbook form."""
        return _counted(self._unique(name, self._entries[name]))

    def _unique(self, name: str, entries: Sequence[Polynomial]) -> list[Polynomial]:
        """The entries that are written: of a symmetric matrix one half."""
        places = self.eq.array(name).places
        both = self.eq.array(name).symmetric is not None
        return [entry for place, entry in zip(places, entries, strict=True) if not both or place[0] <= place[-1]]

    def proved(self) -> bool:
        """Whether every entry, written out again, is the normal form's."""
        images = {name: self._sums.back(value) for name, value in self.constants.items()}
        for name in QUANTITIES:
            for entry, normal in zip(self._entries[name], self.eq.array(name).entries, strict=True):
                if self._sums.back(entry, images) != normal:
                    return False
        return True

    def values(self, **given: float) -> dict[str, float]:
        """The constants' numbers; symbols take their defaults, or keywords. A constant that lacks one is left out."""
        from qddot.numbers.values import TermTable, generator_values

        still = dict.fromkeys(self.eq.model.coordinates, 0.0)
        known = generator_values(self._sums.plain_ring, still, still, still, {**self.eq.model.defaults(), **given})
        whole = {
            name: self._sums.back(value)
            for name, value in self.constants.items()
            if set(value.variables()) <= set(known)
        }
        numbers = TermTable(self._sums.plain_ring, list(whole.values()))(known)
        return dict(zip(whole, (float(number) for number in numbers), strict=True))

    def text(self, width: int = 100) -> str:
        """Matrices, then the table of constants, with the counts before and after."""
        lines = []
        for name in QUANTITIES:
            old, new = self.before(name), self.after(name)
            counts = f"{new.terms} terms, {new.operations} operations; {old.terms} and {old.operations} in normal form"
            lines += [f"{name}: {counts}", self.array(name).text(width), ""]
        if self.constants:
            numbers = self.values()
            lines.append(f"{len(self.constants)} constants")
            for name, value in self.constants.items():
                number = f"  # {numbers[name]:.6g}" if name in numbers else ""
                lines.append(f"{name} = {text_of(value)}{number}")
        return "\n".join(lines).rstrip()

    def latex(self, names: Sequence[str] = QUANTITIES) -> str:
        """The matrices as LaTeX."""
        return "\n".join(self.array(name).latex() for name in names)

    def __str__(self) -> str:
        return self.text()

    def _shortest(self, entry: Polynomial) -> Grouped:
        """The form with the fewest terms, then the fewest factors."""
        plain = self._sums.ring.convert(entry)
        groups = [_with_short_squares(_grouped(form), self._sums.ring) for form in (plain, *self._sums.forms(entry))]
        groups.append(self._sums.contracted(groups[0]))
        return min(groups, key=lambda group: (len(group), sum(sum(state) for state in group)))

    def _joined(self, terms: Terms) -> Polynomial:
        """One polynomial of the terms, its squares left as they are."""
        total, gens, mask = self.ring.context.constant(0), self.ring._gens, 0
        for state, (factor, constant) in terms.items():
            known = self.ring.generator(constant) if isinstance(constant, str) else self.ring.convert(constant)
            product = (known * factor).poly
            for key, exponent in zip(self._sums.ring.index, state, strict=True):
                if exponent:
                    product = product * gens[self.ring.index[key]] ** exponent
                    mask |= 1 << self.ring.index[key]
            total = total + product
        return Polynomial(self.ring, total, mask & sum(1 << k for k in self.ring._relations))


class AngleSums:
    """A ring with the sums of consecutive parallel joints' angles, and the ways there and back."""

    def __init__(self, model: Model, ring: Ring) -> None:
        self.plain_ring = ring
        self.chains = list(_chains(model, ring))
        runs = (chain[i:k] for chain in self.chains for i in range(len(chain)) for k in range(i + 2, len(chain) + 1))
        self._names = {tuple(run): _sum_name(run, ring.turning) for run in runs}
        self.ring = Ring(
            ring.coordinates,
            (*ring.turning, *self._names.values()),
            ring.plain,
            ring.symbols,
            ring.angles,
            ring.roots,
            ring.extra,
            ring.signs,
        )

    def forms(self, entry: Polynomial) -> Iterator[Polynomial]:
        """In every chain the joints as they are, or from one of them on by sums."""
        used = {key[4:-1] for key in entry.variables() if key.startswith(("sin(", "cos("))}
        chains = [chain for chain in self.chains if used & set(chain[1:])]
        for starts in islice(product(*(range(len(chain)) for chain in chains)), MOST_FORMS):
            images: dict[str, Polynomial] = {}
            for chain, start in zip(chains, starts, strict=True):
                images |= self._by_sums(chain[start:])
            yield entry.composed(images, self.ring)

    def contracted(self, group: Grouped) -> Grouped:
        """A c2 c3 − A s2 s3 as A c23, A s2 c3 + A c2 s3 as A s23, wherever both terms are there."""
        group, at = dict(group), self.ring.index
        for run, name in self._names.items():
            first, last = self._names.get(run[:-1], run[0]), run[-1]
            c1, s1, c2, s2 = (at[f"{kind}({q})"] for q in (first, last) for kind in ("cos", "sin"))
            for a, b, sign, new in (((c1, c2), (s1, s2), -1, "cos"), ((s1, c2), (c1, s2), 1, "sin")):
                for state in [state for state in group if all(state[k] for k in a)]:
                    other = _moved(state, a, b)
                    if state in group and other in group and group[other] == group[state] * sign:
                        value = group.pop(state)
                        del group[other]
                        target = _moved(state, a, (at[f"{new}({name})"],))
                        group[target] = group[target] + value if target in group else value
        return {state: value for state, value in group.items() if value}

    def _by_sums(self, run: Sequence[str]) -> dict[str, Polynomial]:
        """cos q3 = cos(q23 − q2), sin q3 = sin(q23 − q2), and on."""
        images = {}
        for k in range(1, len(run)):
            c, s = self._circular(run[: k + 1])
            c0, s0 = self._circular(run[:k])
            images[f"cos({run[k]})"], images[f"sin({run[k]})"] = c * c0 + s * s0, s * c0 - c * s0
        return images

    def _circular(self, run: Sequence[str]) -> tuple[Polynomial, Polynomial]:
        return self.ring.cos_sin(self._names.get(tuple(run), run[0]))

    def back(self, entry: Polynomial, constants: Mapping[str, Polynomial] | None = None) -> Polynomial:
        """In the plain angles again, the names of constants replaced by what they stand for."""
        images: dict[str, Polynomial] = dict(constants or {})
        for run, name in self._names.items():
            pair: tuple[Any, Any] = self.plain_ring.cos_sin(run[0])
            for q in run[1:]:
                pair = _plus(pair, self.plain_ring.cos_sin(q))
            images[f"cos({name})"], images[f"sin({name})"] = pair
        return entry.composed(images, self.plain_ring)


def _moved(state: State, away: Sequence[int], to: Sequence[int]) -> State:
    """One power less of some generators, one more of others."""
    new = list(state)
    for k in away:
        new[k] -= 1
    for k in to:
        new[k] += 1
    return tuple(new)


def _plus(a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def _chains(model: Model, ring: Ring) -> Iterator[list[str]]:
    """Runs of turning joints, each about an axis parallel to the last's and of the same sense."""
    links = Mechanism.of(model, ring).links
    chain: dict[int, list[str]] = {}
    for link in links:
        if link.dof is None or not link.turns or link.ratio is not None:
            continue
        above = None if link.parent is None else links[link.parent]
        name = ring.coordinates[link.dof]
        parallel = above is not None and above.index in chain and _same(above.S.w, link.placement.R.apply(link.axis))
        if parallel and above is not None:
            chain[link.index] = [*chain.pop(above.index), name]
        else:
            chain[link.index] = [name]
    yield from (names for names in chain.values() if len(names) > 1)


def _same(a: Any, b: Any) -> bool:
    return all(x == y for x, y in zip(a, b, strict=True))


def _sum_name(names: Sequence[str], taken: Sequence[str]) -> str:
    """q23 for q2 and q3; else the names with a plus."""
    digits = [match[1] for match in (re.fullmatch(r"q(\d)", name) for name in names) if match]
    short = "q" + "".join(digits)
    return short if len(digits) == len(names) and short not in taken else "+".join(names)


def _grouped(entry: Polynomial) -> Grouped:
    """The coefficient, in symbols, of each monomial in the state."""
    ring = entry.ring
    parts: dict[State, list[Any]] = {}
    fixed = [g.kind in ("symbol", "root") or g.angle is not None for g in ring.generators]
    for exponents, c in entry.terms():
        state = tuple(0 if still else e for e, still in zip(exponents, fixed, strict=True))
        rest = tuple(e if still else 0 for e, still in zip(exponents, fixed, strict=True))
        parts.setdefault(state, []).append((rest, c))
    return {state: ring.from_terms(terms) for state, terms in parts.items()}


def _with_short_squares(group: Grouped, ring: Ring) -> Grouped:
    """cos² written as 1 − sin², angle by angle, where that leaves fewer terms."""
    for name in ring.turning:
        c, s = ring.index[f"cos({name})"], ring.index[f"sin({name})"]
        if any(state[c] > 1 for state in group):
            other: Grouped = {}
            for state, value in group.items():
                for new, sign in _without_squares(state, c, s):
                    total = other[new] + value * sign if new in other else value * sign
                    other[new] = total
            other = {state: value for state, value in other.items() if value}
            group = min(group, other, key=lambda g: (len(g), sum(map(sum, g))))
    return group


def _without_squares(state: State, c: int, s: int) -> list[tuple[State, int]]:
    """cos^(2k + r) = (1 − sin²)^k cos^r as terms."""
    terms = [(state, 1)]
    while any(term[c] > 1 for term, _ in terms):
        grown = []
        for term, sign in terms:
            if term[c] < 2:
                grown.append((term, sign))
                continue
            lower = list(term)
            lower[c] -= 2
            grown.append((tuple(lower), sign))
            lower[s] += 2
            grown.append((tuple(lower), -sign))
        terms = grown
    return terms


class _Lumps:
    """Names for the coefficients, the same name wherever one is a multiple of the other by a number."""

    def __init__(self, ring: Ring, gravity: set[str]) -> None:
        self._taken = set(ring.symbols) | set(ring.extra)
        self._gravity = gravity
        self._names: dict[str, str] = {}
        self.definitions: dict[str, Polynomial] = {}

    def lumped(self, group: Grouped) -> Terms:
        """Each coefficient as a number times a constant's name; a single symbol keeps its own."""
        found: Terms = {}
        for state, value in group.items():
            leading = next(value.terms())[1]
            if len(value) == 1 and sum(next(value.terms())[0]) <= 1:
                found[state] = (Fraction(1), value)
            else:
                found[state] = (leading, self._name(value / leading))
        return found

    def take_in(self, entries: Iterable[Terms]) -> None:
        """A number that stands before a constant wherever it occurs goes into the constant."""
        uses: dict[str, list[tuple[Terms, State]]] = {}
        for entry in entries:
            for state, (_, constant) in entry.items():
                if isinstance(constant, str):
                    uses.setdefault(constant, []).append((entry, state))
        for name, places in uses.items():
            sizes = {abs(entry[state][0]) for entry, state in places}
            if len(sizes) == 1 and (size := sizes.pop()) != 1:
                self.definitions[name] = self.definitions[name] * size
                for entry, state in places:
                    entry[state] = (entry[state][0] / size, name)

    def _name(self, value: Polynomial) -> str:
        key = str(value.poly)
        if key not in self._names:
            letter = "g" if self._gravity & set(value.variables()) else "I"
            count = 1
            while f"{letter}{count}" in self.definitions or f"{letter}{count}" in self._taken:
                count += 1
            self._names[key] = f"{letter}{count}"
            self.definitions[f"{letter}{count}"] = value
        return self._names[key]


def _gravity_symbols(model: Model) -> set[str]:
    found: set[str] = set()
    for part in model.gravity:
        found |= part.symbols() if hasattr(part, "symbols") else set()
    return found


def _counted(entries: Sequence[Polynomial]) -> Counts:
    terms = [(exponents, c) for entry in entries for exponents, c in entry.terms()]
    written = sum(1 for entry in entries if entry)
    products = sum(max(0, sum(exponents) - 1 + (abs(c) != 1)) for exponents, c in terms)
    return Counts(len(terms), products + len(terms) - written)
