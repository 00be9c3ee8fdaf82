"""Defines slips within terms: each has the change of a term, and states in which it changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations

from qddot.algebra.expressions.angles import QUARTER, Angle
from qddot.algebra.expressions.expression import PI
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.records import record
from qddot.exact.printing import notation
from qddot.formats.confusions.of_arms import DEGREES
from qddot.robot.model import Model
from qddot.teach.check.judging.entry_forms import EntryForms, Powers, Term
from qddot.teach.check.judging.modulo import HALFWAY, States, Values

EXCHANGED = {
    "mass": "masses exchanged",
    "symbol": "symbols exchanged",
    "rate": "rates exchanged",
    "acceleration": "accelerations exchanged",
}
CIRCULAR = ("cos", "sin")
MOST_SYMBOLS = 12  # an arm with more symbols is not searched for any symbol in place of any other
Change = Callable[[Term], Term | None]  # None for a term that does not change


@record()
class Slip:
    """A slip changes terms.

    same: a state in which it changes nothing, None if there is no such test
    throughout: whether it must change all terms at once
    """

    kind: str
    words: Mapping[str, str]
    change: Change
    same: Values | None
    throughout: bool = False


def slips(model: Model, forms: EntryForms, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields the slips that can change terms in which these generators occur."""
    yield from replaced_symbols(model, forms.ring, states, used)
    yield from replaced_angles(forms, states, used)
    yield from sines_and_cosines(forms, states, used)
    yield from lost_squares(forms, states, used)
    yield from factors_of_terms(forms.ring, states, used)
    yield from other_symbols(forms.ring, states, used)
    yield from lost_sines(forms, states, used)
    yield from rates_for_accelerations(forms.ring, states, used)
    yield from coordinates_for_rates(forms.ring, states, used)
    yield from other_derivatives(forms.ring, states, used)
    yield from degrees(states, used)


def replaced_symbols(model: Model, ring: Ring, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields one symbol, rate or acceleration in place of another of its kind: m1 for m2, and both exchanged."""
    masses = {str(body.inertia.m): k + 1 for k, body in enumerate(model.bodies)}
    for family in families(ring):
        for right, wrong in permutations(family, 2):
            if right not in used:
                continue
            same = {**states.values, wrong: states.values[right]}
            names = {"right": _shown(ring, right), "wrong": _shown(ring, wrong)}
            kind = _kind(ring, right)
            if kind == "symbol" and {right, wrong} <= set(masses):
                kind = "mass"
                names |= {"link": str(masses[right]), "other": str(masses[wrong])}
            yield Slip(kind, names, _replacing({right: wrong}), same)
            if right < wrong:
                yield Slip(EXCHANGED[kind], names, _replacing({right: wrong, wrong: right}), same, True)
            yield Slip(kind, names, _replacing_one(right, wrong), same)


def families(ring: Ring) -> list[list[str]]:
    """Returns the keys that may be mistaken for each other: symbols that differ in an index, rates, accelerations."""
    alike: dict[str, list[str]] = {}
    for generator in ring.generators:
        if generator.kind == "symbol" and generator.key != PI:
            alike.setdefault(re.sub(r"\d+", "#", generator.name), []).append(generator.key)
        elif generator.kind in ("qd", "qdd"):
            alike.setdefault(f"{generator.kind} of all", []).append(generator.key)
    return [family for family in alike.values() if len(family) > 1]


def replaced_angles(forms: EntryForms, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields one angle in place of another: q2 where the sum q1 + q2 is right, and the reverse."""
    angles = {name: of for name, of in forms.angles.items() if all(n == 1 for _, n in of)}
    for right, wrong in permutations(angles, 2):
        if not {f"cos({right})", f"sin({right})"} & used:
            continue
        same = states.turned(_minus(angles[right], angles[wrong]), Angle())
        names = {"right": _angle(angles[right]), "wrong": _angle(angles[wrong])}
        kind, keys = (
            _kind_of_angles(angles[right], angles[wrong]),
            [(f"{f}({right})", f"{f}({wrong})") for f in CIRCULAR],
        )
        yield Slip(kind, names, _replacing(dict(keys)), same)
        for one, other in keys:  # in one factor of a product
            yield Slip(kind, names, _replacing({one: other}), same)
            yield Slip(kind, names, _replacing_one(one, other), same)


def _kind_of_angles(right: Combination, wrong: Combination) -> str:
    if set(wrong) < set(right):
        return "angle not summed"
    return "angle summed" if set(right) < set(wrong) else "another angle"


def sines_and_cosines(forms: EntryForms, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields the sine of an angle for its cosine, the cosine for the sine, and both exchanged."""
    for name, of in forms.angles.items():
        c, s = f"cos({name})", f"sin({name})"
        if not {c, s} & used:
            continue
        same = states.turned(of, HALFWAY)
        names = {"angle": _angle(of)}
        for kind, right, wrong in (("sine for cosine", c, s), ("cosine for sine", s, c)):
            yield Slip(kind, names, _replacing({right: wrong}), same)
            yield Slip(kind, names, _replacing_one(right, wrong), same)
        if {c, s} <= used:
            yield Slip("sine and cosine exchanged", names, _replacing({c: s, s: c}), same, True)
    for kind, right, wrong in (("sine for cosine", "cos", "sin"), ("cosine for sine", "sin", "cos")):
        keys = {f"{right}({name})": f"{wrong}({name})" for name in forms.angles if f"{right}({name})" in used}
        if len(keys) > 1:  # in all angles at once
            yield Slip(kind, {"angle": "…"}, _replacing_single(keys), None, True)


def lost_squares(forms: EntryForms, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields a square that became a first power."""
    for key in sorted(used):
        match = re.fullmatch(r"(cos|sin)\((.+)\)", key)
        if match and match[2] in forms.angles:
            same = states.turned(forms.angles[match[2]], Angle() if match[1] == "cos" else Angle(QUARTER))
            power = f"{match[1]}({_angle(forms.angles[match[2]])})"
        elif match:
            continue
        else:
            same, power = {**states.values, key: 1}, _shown(forms.ring, key)
        yield Slip("square lost", {"right": power}, _raising(key, {key: -1}, 2), same)


def factors_of_terms(ring: Ring, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields lost factors, for symbols to the first or second power, and extra factors."""
    for generator in ring.generators:
        key = generator.key
        if generator.kind not in ("symbol", "q", "qd") or key == PI:
            continue
        same = {**states.values, key: 1}
        if key in used:
            yield Slip("factor lost", {"right": _shown(ring, key)}, _without(key), same)
            if generator.kind in ("symbol", "qd"):
                square = f"{_shown(ring, key)}**2"
                yield Slip("factor lost", {"right": square}, _without(key, 2), same)
        if generator.kind == "symbol":
            yield Slip("factor extra", {"wrong": _shown(ring, key)}, _multiplied(key), same)
            yield Slip("factor extra", {"wrong": f"{_shown(ring, key)}**2"}, _multiplied(key, 2), same)


def other_symbols(ring: Ring, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields a symbol in place of any other if there are few: l1 for a1, and the stiffness for the damping."""
    symbols = [g.key for g in ring.generators if g.kind == "symbol" and g.key != PI]
    if len(symbols) > MOST_SYMBOLS:
        return
    alike = [set(family) for family in families(ring)]
    for right, wrong in permutations(symbols, 2):
        if right in used and not any({right, wrong} <= family for family in alike):
            same = {**states.values, wrong: states.values[right]}
            names = {"right": _shown(ring, right), "wrong": _shown(ring, wrong)}
            yield Slip("symbol", names, _replacing({right: wrong}), same)
            if right < wrong and wrong in used:
                yield Slip("symbols exchanged", names, _replacing({right: wrong, wrong: right}), same, True)


def lost_sines(forms: EntryForms, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields a lost sine or cosine, and a lost square of one."""
    for name, of in forms.angles.items():
        for function in CIRCULAR:
            key = f"{function}({name})"
            if key in used:
                function_text = f"{function}({_angle(of)})"
                yield Slip("factor lost", {"right": function_text}, _without(key), None)
                yield Slip("factor lost", {"right": f"{function_text}**2"}, _without(key, 2), None)


def coordinates_for_rates(ring: Ring, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields a coordinate in place of its rate, where a dot or a prime is missing."""
    coordinates = {g.name: g.key for g in ring.generators if g.kind == "q"}
    for generator in ring.generators:
        if generator.kind == "qd" and generator.key in used and generator.name in coordinates:
            wrong = coordinates[generator.name]
            same = {**states.values, wrong: states.values[generator.key]}
            names = {"right": _shown(ring, generator.key), "wrong": generator.name}
            yield Slip("rate", names, _replacing({generator.key: wrong}), same)


def rates_for_accelerations(ring: Ring, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields rates in place of accelerations of the same coordinates: one dot instead of two."""
    rates = {generator.name: generator.key for generator in ring.generators if generator.kind == "qd"}
    accelerations = [g for g in ring.generators if g.kind == "qdd" and g.key in used and g.name in rates]
    if accelerations:
        wrong = {g.key: rates[g.name] for g in accelerations}
        same = {**states.values, **{right: states.values[rate] for right, rate in wrong.items()}}
        yield Slip("rate for acceleration", {}, _replacing(wrong), same)


def other_derivatives(ring: Ring, states: States, used: set[str]) -> Iterator[Slip]:
    """Yields an acceleration in place of a squared rate, and the rate in place of a coordinate: a dot too many."""
    keys = {(generator.kind, generator.name): generator.key for generator in ring.generators}
    for (kind, name), key in keys.items():
        wrong = keys.get(("qdd" if kind == "qd" else "qd", name))
        if key not in used or wrong is None or kind not in ("q", "qd"):
            continue
        power = 2 if kind == "qd" else 1
        same = {**states.values, wrong: states.values[key] ** power}
        words = {"right": _shown(ring, key) + "**2" * (power == 2), "wrong": _shown(ring, wrong)}
        yield Slip("acceleration" if power == 2 else "rate", words, _raising(key, {key: -power, wrong: 1}, power), same)
        if power == 2:  # in one factor of the square
            product = f"{_shown(ring, key)}*{_shown(ring, wrong)}"
            same_as_rate = {**states.values, wrong: states.values[key]}
            yield Slip("acceleration", {**words, "wrong": product}, _replacing_one(key, wrong), same_as_rate)


def degrees(states: States, used: set[str]) -> Iterator[Slip]:
    """Yields angles in degrees instead of radians: 180 for π, and a factor π/180."""
    if PI not in states.values:
        return
    same = {**states.values, PI: 180}
    if PI in used:
        yield Slip(DEGREES.name, {}, _valued(PI, 180), same)
    yield Slip(DEGREES.name, {}, lambda term: Term(term.number / 180, _raised(term.powers, {PI: 1})), same)


def _replacing(keys: Mapping[str, str]) -> Change:
    """Returns the change that replaces some generators by others, all at once."""

    def change(term: Term) -> Term | None:
        if not keys.keys() & term.powers.keys():
            return None
        powers: dict[str, int] = {}
        for key, e in term.powers.items():
            powers[keys.get(key, key)] = powers.get(keys.get(key, key), 0) + e
        return Term(term.number, powers)

    return change


def _replacing_single(keys: Mapping[str, str]) -> Change:
    """Returns the change of terms with a single sine or cosine; products of several may have been rewritten."""
    change_all = _replacing(keys)

    def change(term: Term) -> Term | None:
        powers = [e for key, e in term.powers.items() if key.startswith(CIRCULAR)]
        return change_all(term) if powers == [1] else None

    return change


def _replacing_one(right: str, wrong: str) -> Change:
    """Returns the change of one factor of a power."""
    return _raising(right, {right: -1, wrong: 1})


def _without(key: str, power: int = 1) -> Change:
    return _raising(key, {key: -power}, power)


def _raising(key: str, by: Mapping[str, int], power: int | None = None) -> Change:
    """Returns the change of exponents in terms with this power of a generator, by default any above the first."""

    def change(term: Term) -> Term | None:
        e = term.powers.get(key, 0)
        applies = e >= 2 if power is None else e == power
        return Term(term.number, _raised(term.powers, by)) if applies else None

    return change


def _multiplied(key: str, power: int = 1) -> Change:
    return lambda term: Term(term.number, _raised(term.powers, {key: power}))


def _valued(key: str, number: int) -> Change:
    def change(term: Term) -> Term | None:
        e = term.powers.get(key, 0)
        return Term(term.number * number**e, _raised(term.powers, {key: -e})) if e else None

    return change


def _raised(powers: Powers, by: Mapping[str, int]) -> dict[str, int]:
    raised = {**powers, **{key: powers.get(key, 0) + more for key, more in by.items()}}
    return {name: e for name, e in raised.items() if e}


def _minus(a: Combination, b: Combination) -> Combination:
    total = dict(a)
    for name, n in b:
        total[name] = total.get(name, Fraction(0)) - n
    return tuple((name, n) for name, n in total.items() if n)


def _kind(ring: Ring, key: str) -> str:
    return {"qd": "rate", "qdd": "acceleration"}.get(ring.generators[ring.index[key]].kind, "symbol")


def _shown(ring: Ring, key: str) -> str:
    return notation.text(ring.generators[ring.index[key]])


def _angle(of: Combination) -> str:
    return str(Angle(symbols=of))


def used_keys(terms: Iterable[Term]) -> set[str]:
    """Returns the keys of the generators that occur in terms."""
    return {key for term in terms for key in term.powers}
