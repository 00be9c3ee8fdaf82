"""Makes a variant of an arm for each seed: other lengths, numbers, gravity and frames, a joint of the other type.

The variants that differ in their formulas are numbered, and a seed chooses one by its number, so that consecutive
seeds never choose the same one before all have been taken. In the letters of a book, all have rows of its convention.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import floor, gcd, log10
from random import Random
from typing import Any

from qddot.algebra.expressions.expression import PI, Expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import ModelError, QddotError, check_one_of, shortened
from qddot.base.words.message import say
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantities import Quantities
from qddot.formats.conversions.substitute import replaced
from qddot.formats.rows.dh_table import table_of
from qddot.formats.writing import CONVERTED
from qddot.robot.bodies import BASE, Body
from qddot.robot.model import Model

LENGTHS, GRAVITY, JOINT, FRAMES, NUMBERS = CHANGES = ("lengths", "gravity", "joint", "frames", "numbers")
USUAL_CHANGES = (LENGTHS, GRAVITY, FRAMES, NUMBERS)  # with which the joints stay as they are
FACTORS = tuple(map(Fraction, ("1", "1/2", "2", "2/3", "3/2", "3/4", "4/3", "3", "1/3")))  # factors of a link's lengths
SHARES = tuple(Fraction(k, 10) for k in (6, 7, 8, 9, 11, 12, 13, 14, 15))  # factors of a symbol's value
MOST_JOINTS = 3  # the most joints of an arm in which one is swapped, since each swapped arm is derived
FREE = ("kg", "m")  # units of symbols that vary one by one
MEANINGS = {  # of symbols whose own meaning a variant may contradict, by their units
    "m": "length, as in the tables above",
    "kg m^2": "inertia, as in the tables above",
    "rad": "angle, as in the tables above",
}
STRIDE = 0.6180339887498949  # the step in the count, so that consecutive seeds differ in more than one change
LARGEST_SEED = 10**9


class Variants:
    """These are the variants of an arm. changes: what may differ, from CHANGES; kept: symbols that keep their values"""

    def __init__(
        self, model: Model, changes: Sequence[str] = USUAL_CHANGES, kept: Collection[str] = frozenset()
    ) -> None:
        """raises QddotError: no such change, equations that are given entry by entry, or changes with "lengths" without
        a symbol of a length
        """
        for name in changes:
            check_one_of(name, CHANGES, "a change", QddotError)
        if model.explicit is not None:
            raise QddotError("exam-arm-without-links", name=model.name)
        self.model, self.changes, self.kept = _in_rows_of_book(with_units_of_lengths(model)), tuple(changes), kept
        if self.changes != USUAL_CHANGES and LENGTHS in self.changes and not self._scalable:
            raise QddotError("no-lengths-to-vary", name=model.name)

    def of(self, seed: int, number: int | None = None) -> Model:
        """Returns the variant of a seed; 0 is the arm itself.

        number: of its formulas; the seed's own, or that of another variant, to which the seed gives other values
        raises QddotError: not a whole number, or a seed that makes an impossible arm
        """
        check_seed(seed)
        if seed == 0:
            return self.model
        try:
            return self._variant(seed, seed if number is None else number)
        except ModelError as error:
            others = self._possible(seed)
            remedy = say("another-seed-or-changes", names=",".join(others)) if others else say("another-seed")
            raise QddotError("seed-impossible", seed=seed, problem=error, remedy=remedy) from None

    def _possible(self, seed: int) -> Sequence[str]:
        """Returns the changes without one of them, if the seed then makes a possible arm, else none."""
        for name in self.changes:
            others = [each for each in self.changes if each != name]
            with suppress(QddotError):
                Variants(self.model, others, self.kept)._variant(seed, seed)
                return others
        return ()

    def _variant(self, seed: int, number: int) -> Model:
        model = with_source(self.formulas(number), seed)
        return model.with_values(other_values(model, chance(seed), self.kept)) if NUMBERS in self.changes else model

    def formulas(self, number: int) -> Model:
        """Returns the arm with the formulas of a number, and its own values; raises ModelError: an impossible arm"""
        k, factors = combination(number, len(self._arms), self._scalable)
        model = arm = self._arms[k]
        bodies = tuple(self._scaled_body(body, factors) for body in model.bodies)
        tool = self._scaled(model.tool, model.tool_body, factors)
        model = replace(model, bodies=bodies, tool=tool)
        if arm is not self.model or any(factor != 1 for factor in factors.values()):
            model = replace(with_meanings(model, "m", *(["rad"] if arm is not self.model else [])), notes=())
        if notation_of(model.notation).rows:
            return _in_rows_of_book(model)
        return _in_other_frames(model) if FRAMES in self.changes and chance(number).random() < 0.5 else model

    @cached_property
    def count(self) -> int:
        """Returns how many combinations of formulas there are, after which they repeat."""
        return len(self._arms) * combinations(self._scalable)

    @cached_property
    def _lengths(self) -> list[str]:
        """Returns the symbols that are lengths and occur in the equations."""
        return lengths_in(Quantities(self.model), ("M", "G"))

    @cached_property
    def _scalable(self) -> list[str]:
        """Returns what is scaled: each length's symbol, or each link that has lengths if all lengths share one symbol.

        Symbols are preferred, since lengths that are scaled link by link would no longer cancel where a link's frame is
        not at its joint.
        """
        if LENGTHS not in self.changes or len(self._lengths) > 1:
            return self._lengths if LENGTHS in self.changes else []
        owners = {
            owner
            for owner, vector in _positions(self.model)
            if any(isinstance(entry, Expression) and entry.symbols() & set(self._lengths) for entry in vector)
        }
        return [body.name for body in self.model.bodies if body.name in owners]

    def _scaled_body(self, body: Body, factors: Mapping[str, Fraction]) -> Body:
        """Returns a link with its lengths multiplied by factors; where its joint is belongs to the link before it."""
        scaled: Body = self._scaled(body, body.name, factors)
        placement = self._scaled(body.joint.placement, _carrier(body), factors)
        return replace(scaled, joint=replace(scaled.joint, placement=placement))

    def _scaled(self, part: Any, owner: str, factors: Mapping[str, Fraction]) -> Any:
        """Returns a part with its lengths multiplied by factors, which belong to symbols or to links."""
        scaled = {name: factors.get(name, factors.get(owner, Fraction(1))) for name in self._lengths}
        return replaced(part, {name: Expression.of(name) * k for name, k in scaled.items() if k != 1})

    @cached_property
    def _arms(self) -> list[Model]:
        """Returns the arms with a joint of the other type or a gravity that acts on no fewer joints than now."""
        felt = _gravity_torques(self.model)
        arms = []
        for model in self._joints:
            for axis in self._axes:
                turned = replace(model, gravity=axis)
                count = _gravity_torques(turned)
                if count > felt:  # the title may say where the arm stands, such as on a table
                    turned = replace(turned, title="")
                if count >= felt:
                    both = (axis, axis * -1) if len(self._axes) > 1 else (axis,)
                    arms += [replace(turned, gravity=gravity) for gravity in both]
        return [self.model, *(arm for arm in arms if (arm.gravity, arm.bodies) != self._own)]

    @property
    def _own(self) -> tuple[Vec3, tuple[Body, ...]]:
        return replace(self.model, gravity=self.model.gravity).gravity, self.model.bodies

    @cached_property
    def _axes(self) -> list[Vec3]:
        return along_axes(self.model.gravity) if GRAVITY in self.changes else [self.model.gravity]

    @cached_property
    def _joints(self) -> list[Model]:
        """Returns the arm itself, and those with a joint of the other type in which velocities still cause torques."""
        return [self.model, *(self._swapped() if JOINT in self.changes and self._may_swap else ())]

    @property
    def _may_swap(self) -> bool:
        plain = not self.model.has_followers and not any(body.partial_inertia for body in self.model.bodies)
        effects = any(body.joint.effects for body in self.model.bodies)
        return plain and not effects and 1 < self.model.n <= MOST_JOINTS

    def _swapped(self) -> Iterator[Model]:
        for body in self.model.moving():
            kinds = [("prismatic", body.joint.axis), ("prismatic", Vec3(1, 0, 0))]
            for kind, axis in kinds if body.joint.kind.is_revolute else [("revolute", body.joint.axis)]:
                joint = replace(body.joint, type=kind, axis=axis, limits=None)
                swapped = replace(body, joint=joint)
                bodies = tuple(swapped if each.name == body.name else each for each in self.model.bodies)
                model = replace(self.model, bodies=bodies, title="", notes=())
                if _acts(model, self.model):
                    yield model
                    break


def chance(seed: object) -> Random:
    """Returns the random numbers of a seed."""
    return Random(seed if isinstance(seed, int) else str(seed))  # noqa: S311 - no secret


def combinations(scaled: Sequence[str]) -> int:
    """Returns how many combinations of factors there are."""
    count: int = len(FACTORS) ** len(scaled)
    return count


def check_seed(seed: object) -> None:
    """Raises QddotError if a seed is not a whole number, or too large."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < LARGEST_SEED:
        raise QddotError("seed-not-whole", seed=shortened(seed), most=LARGEST_SEED - 1)


def combination(number: int, others: int, scaled: Sequence[str]) -> tuple[int, dict[str, Fraction]]:
    """Returns the choice of a number among some other changes, and the factor of each part that is scaled."""
    count = others * combinations(scaled)
    step = max(1, round(count * STRIDE))
    while gcd(step, count) > 1:
        step += 1
    place, k = divmod(number * step % count, others)
    factors = {}
    for name in scaled:
        place, which = divmod(place, len(FACTORS))
        factors[name] = FACTORS[which]
    return k, factors


def lengths_in(eq: Quantities, names: Sequence[str]) -> list[str]:
    """Returns the symbols that are lengths and occur in some quantities."""
    used = {variable for name in names for entry in eq.array(name).entries for variable in entry.variables()}
    return [name for name, each in eq.model.symbols.items() if each.unit.strip() == "m" and name in used]


def with_units_of_lengths(model: Model, others: Iterable[Any] = ()) -> Model:
    """Returns the arm in which symbols without a unit have the unit m if their places show that they are lengths.

    A length is a factor of a term of a coordinate of a frame, of the tool or of a centre of mass, or of others, in
    which nothing else can be one.
    """
    masses = {name for body in model.bodies for name in _symbols(body.inertia.m)}
    centres = [entry for body in model.bodies for entry in body.com or ()]
    frames = [body.joint.placement.p for body in model.bodies] + [body.joint.offset.p for body in model.bodies]
    places = [*centres, *(entry for p in (*frames, model.tool.p) for entry in p), *others]
    terms = [monomial for each in places if isinstance(each, Expression) for monomial in each.terms]
    lengths = set[str]()
    for term in terms:
        factors = [(atom, power) for atom, power in term if isinstance(atom, str) and atom not in (*masses, PI)]
        if len(factors) == 1 and factors[0][1] == 1:
            lengths.add(factors[0][0])
    symbols = {
        name: replace(each, unit="m") if name in lengths and not each.unit.strip() else each
        for name, each in model.symbols.items()
    }
    return model if symbols == dict(model.symbols) else replace(model, symbols=symbols)


def _symbols(entry: Any) -> set[str]:
    return entry.symbols() if isinstance(entry, Expression) else set()


def along_axes(gravity: Vec3) -> list[Vec3]:
    """Returns gravity along each axis of the base, or only the present one if it is along none of them."""
    along = [part for part in gravity if part != 0]
    if len(along) != 1:
        return [gravity]
    return [Vec3(*(along[0] if k == axis else 0 for k in range(3))) for axis in range(3)]


def other_values(model: Model, random: Random, kept: Collection[str]) -> dict[str, str]:
    """Returns other values of symbols, of two digits, but for g and kept ones; inertias keep their proportions."""
    together = random.choice(SHARES)
    return {
        name: _two_digits(each.value.rational * (random.choice(SHARES) if each.unit.strip() in FREE else together))
        for name, each in model.symbols.items()
        if name not in ("g", *kept) and each.value is not None and each.value.rational
    }


def _positions(model: Model) -> Iterator[tuple[str, Iterable[Any]]]:
    """Yields the vectors in the description of an arm, each with the name of the link whose lengths are in it."""
    for body in model.bodies:
        yield from ((body.name, vector) for vector in (body.joint.offset.p, body.inertia.h, body.com or ()))
        yield _carrier(body), body.joint.placement.p
    yield model.tool_body, model.tool.p


def _carrier(body: Body) -> str:
    """Returns the name of the link that carries a link's joint, or of the link itself on the base."""
    return body.name if body.joint.parent == BASE else body.joint.parent


def _two_digits(value: Fraction) -> str:
    """Returns a value with two significant digits."""
    digits = 1 - floor(log10(abs(value)))
    return f"{float(round(value, digits)):.{max(0, digits)}f}"


def _gravity_torques(model: Model) -> int:
    return sum(map(bool, Quantities(model).array("G").entries))


def _acts(model: Model, original: Model) -> bool:
    """Returns whether velocities give torques, and gravity acts on no fewer joints than before."""
    eq = Quantities(model)
    return any(eq.array("christoffel").entries) and _gravity_torques(model) >= _gravity_torques(original)


def with_source(model: Model, seed: int) -> Model:
    """Returns a variant whose source says that it is one; the arm's own may tell of another gravity or other values."""
    return replace(model, source=str(say("variant-of", seed=seed, name=model.name)))


def with_meanings(model: Model, *units: str) -> Model:
    """Returns the arm in which the meanings of symbols with these units refer to the tables.

    Their own meanings, such as the length of a link, may be wrong in a variant.
    """
    symbols = {
        name: replace(each, meaning=MEANINGS[each.unit.strip()]) if each.unit.strip() in units else each
        for name, each in model.symbols.items()
    }
    return replace(model, symbols=symbols)


def _in_other_frames(model: Model) -> Model:
    """Returns the arm in rows of the other convention, as `_in_rows` does."""
    return _in_rows(model, "dh" if table_of(model, "dh") is None else "mdh")


def _in_rows_of_book(model: Model) -> Model:
    """Returns the arm in rows of the book in whose letters it is written, as `_in_rows` does."""
    rows = notation_of(model.notation).rows
    return model if not rows or table_of(model, rows) is not None else _in_rows(model, rows)


def _in_rows(model: Model, rows: str) -> Model:
    """Returns the arm in rows of a convention if its symbols remain symbols there, else the arm itself."""
    try:
        changed = CONVERTED[rows](model)
    except QddotError:
        return model
    return with_meanings(changed, *MEANINGS) if changed.symbols.keys() == model.symbols.keys() else model
