"""Helpers plant one mistake in a right derivation, as a person makes it: in the written formulas, or in the robot file.

A mistake in a formula changes one place of the expanded or of the factored form; one in the robot file changes what a
person reads there. Nothing here asks the judge how it looks for mistakes. A mistake counts as named if the first
explanation, or one that gives the same expressions, has its kind and its words, and explains all that is wrong.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from answers import answer_of
from drawn_arms import ARMS, right, table
from formula_trees import products, value, with_factor, with_product

import qddot
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Circular, Product, Root, Sum, Symbol
from qddot.formats.toml import robot_file
from qddot.teach.check.judging.judgement import Judgement
from qddot.teach.check.reading.answer import Answer

MOST_DRAWS = 500
QUANTITIES = ("M", "h", "G", "tau", "K", "P", "L", "C", "B", "C2", "christoffel")


@dataclass(frozen=True)
class Truth:
    """What was planted: its kind, or kinds where two words name one mistake, and words of its sentence."""

    kinds: tuple[str, ...]
    words: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Planted:
    """A derivation with one mistake, the equations of the right arm, and what was planted."""

    eq: Quantities
    answer: Answer
    truth: Truth
    place: str


@cache
def trees(arm: str, quantity: str, factored: bool) -> dict[tuple[int, ...], Sum]:
    """The formulas of a quantity, expanded or with common factors taken out."""
    eq = right(arm)
    array = Textbook(eq, lumped=False).array(quantity) if factored else eq.in_joint_angles.array(quantity)
    return {place: array.written(entry) for place, entry in zip(array.places, array.entries, strict=True)}


# mistakes in formulas

Change = Callable[[Product, Random], "tuple[list[Product], dict[str, str]] | None"]


def scaled(by: Fraction | int) -> Change:
    return lambda product, rng: ([product._replace(number=product.number * by)], {})


def lost(product: Product, rng: Random) -> tuple[list[Product], dict[str, str]]:
    return [], {}


def twice(product: Product, rng: Random) -> tuple[list[Product], dict[str, str]]:
    return [product, product], {}


def factor_change(change: Callable[[Any, int, Random], tuple[list[tuple[Any, int]], dict[str, str]] | None]) -> Change:
    """A change of one factor of a product, drawn among those that it can change."""

    def change_product(product: Product, rng: Random) -> tuple[list[Product], dict[str, str]] | None:
        places = list(range(len(product.factors)))
        rng.shuffle(places)
        for m in places:
            replacement = change(*product.factors[m], rng)
            if replacement is not None:
                return [with_factor(product, m, *replacement[0])], replacement[1]
        return None

    return change_product


def other_circular(base: Any, exponent: int, rng: Random) -> tuple[list[tuple[Any, int]], dict[str, str]] | None:
    if not isinstance(base, Circular):
        return None
    kind = "sin" if base.kind == "cos" else "cos"
    return [(Circular(kind, base.angle, base.argument), exponent)], {"angle": str(base.angle), "was": base.kind}


def without_square(base: Any, exponent: int, rng: Random) -> tuple[list[tuple[Any, int]], dict[str, str]] | None:
    if exponent != 2 or isinstance(base, Sum | Root):
        return None
    return [(base, 1)], {}


def part_of_angle(base: Any, exponent: int, rng: Random) -> tuple[list[tuple[Any, int]], dict[str, str]] | None:
    if not isinstance(base, Circular) or len(base.angle.symbols) < 2:
        return None
    left = rng.choice(base.angle.symbols)
    angle = Angle(symbols=(left,))
    words = {"right": str(base.angle), "wrong": str(angle)}
    return [(Circular(base.kind, angle, base.argument), exponent)], words


def renamed(numbers: dict[str, list[str]]) -> Callable[[Any, int, Random], Any]:
    """A change of a symbol into another one of its family; numbers: for each name, the others of its family."""

    def change(base: Any, exponent: int, rng: Random) -> Any:
        if not isinstance(base, Symbol) or base.dots or base.text not in numbers:
            return None
        other = rng.choice(numbers[base.text])
        return [(symbol(other), exponent)], {"right": base.text, "wrong": other}

    return change


def family(eq: Quantities, masses: bool) -> dict[str, list[str]]:
    """For each symbol with a number in its name, those that differ in it alone; of masses, or of all else."""
    relatives: dict[str, list[str]] = {}
    own = {str(body.inertia.m) for body in eq.model.bodies}
    for name in eq.model.symbols:
        stem = re.sub(r"\d+", "#", name)
        alike = [x for x in eq.model.symbols if x != name and re.sub(r"\d+", "#", x) == stem]
        if alike and (name in own) == masses:
            relatives[name] = alike
    return relatives


def summed(eq: Quantities) -> Callable[[Any, int, Random], Any]:
    """A change of a single angle into its sum with the next parallel joint's angle."""
    longer = [g for g in Textbook(eq).sums.ring.generators if g.kind == "cos" and len(g.of) == 2 and _plain(g.of)]

    def change(base: Any, exponent: int, rng: Random) -> Any:
        if not isinstance(base, Circular) or len(base.angle.symbols) != 1:
            return None
        choice = [g.of for g in longer if base.angle.symbols[0] in g.of]
        if not choice:
            return None
        angle = Angle(symbols=tuple(sorted(rng.choice(choice))))
        words = {"right": str(base.angle), "wrong": str(angle)}
        return [(Circular(base.kind, angle, base.argument), exponent)], words

    return change


def _plain(of: Any) -> bool:
    return all(n == 1 for _, n in of)


def in_degrees(product: Product, rng: Random) -> tuple[list[Product], dict[str, str]] | None:
    """A rate that is converted from degrees to radians although it is in radians already."""
    if not any(isinstance(base, Symbol) and base.dots == 1 for base, _ in product.factors):
        return None
    return [product._replace(number=product.number / 180, factors=(*product.factors, (symbol("pi"), 1)))], {}


FORMULA: dict[str, tuple[tuple[str, ...], Callable[[Quantities], Change]]] = {
    "sign": (("sign",), lambda eq: scaled(-1)),
    "half": (("half",), lambda eq: scaled(Fraction(1, 2))),
    "double": (("double",), lambda eq: scaled(2)),
    "twice": (("double",), lambda eq: twice),
    "lost": (("lost", "parallel axis"), lambda eq: lost),
    "mass": (("mass",), lambda eq: factor_change(renamed(family(eq, True)))),
    "symbol": (("symbol",), lambda eq: factor_change(renamed(family(eq, False)))),
    "sine": (("sine for cosine", "cosine for sine"), lambda eq: factor_change(other_circular)),
    "square": (("square lost",), lambda eq: factor_change(without_square)),
    "angle": (("angle not summed",), lambda eq: factor_change(part_of_angle)),
    "summed": (("angle summed",), lambda eq: factor_change(summed(eq))),
    "degrees": (("angles in degrees",), lambda eq: in_degrees),
}


def in_formula(kind: str, arm: str, rng: Random) -> Planted | None:
    """A mistake in one place of one formula; that of M's other triangle is copied from it, or not."""
    eq = right(arm)
    kinds, change_of = FORMULA[kind]
    quantity = rng.choice(QUANTITIES)
    shown = trees(arm, quantity, rng.random() < 0.5)
    places = [place for place, tree in shown.items() if tree.products]
    if not places:
        return None
    place = rng.choice(places)
    path, k, product = rng.choice(list(products(shown[place])))
    replacement = change_of(eq)(product, rng)
    if replacement is None:
        return None
    ring, (new, words) = eq.in_joint_angles.ring, replacement
    ring = ring.extended(["pi"]) if kind == "degrees" and "pi" not in ring.index else ring
    wrong = value(ring, with_product(shown[place], path, k, new))
    array = eq.in_joint_angles.array(quantity)
    changes: dict[tuple[str, tuple[int, ...]], Polynomial] = {(quantity, place): wrong}
    if array.symmetric is not None and rng.random() < 0.7:
        turned, (a, b) = list(place), array.symmetric
        turned[a], turned[b] = turned[b], turned[a]
        changes[quantity, tuple(turned)] = wrong
    if _changes_nothing(quantity, wrong - ring.convert(dict(zip(array.places, array.entries, strict=True))[place])):
        return None
    if kind == "sine":
        kinds = ("sine for cosine",) if words.pop("was") == "cos" else ("cosine for sine",)
    return Planted(eq, answer_of({quantity: array}, changes), Truth(kinds, words), f"{arm} {quantity}{place}")


def _changes_nothing(quantity: str, difference: Polynomial) -> bool:
    """Whether an entry is still right: an energy has its zero where one likes."""
    moving = [g for g in difference.generators() if g.kind != "symbol"]
    return not difference or (quantity in ("P", "L") and not moving)


# mistakes in reading the robot file


def links(change: Callable[[dict[str, Any], Random], None], one: bool) -> Callable[[dict[str, Any], Random], str]:
    """A change of all links, or of one; returns the number of the one."""

    def make(data: dict[str, Any], rng: Random) -> str:
        chosen = [rng.randrange(len(data["link"]))] if one else range(len(data["link"]))
        for k in chosen:
            data["link"][k]["partial_inertia"] = True
            change(data["link"][k], rng)
        return f"link {chosen[0] + 1}" if one else ""

    return make


def about(old: str, new: str) -> Callable[[dict[str, Any], Random], None]:
    def change(link: dict[str, Any], rng: Random) -> None:
        if link.get("inertia", {}).get("about") == old:
            link["inertia"]["about"] = new

    return change


def products_turned(link: dict[str, Any], rng: Random) -> None:
    for key in ("xy", "xz", "yz"):
        if key in link.get("inertia", {}):
            link["inertia"][key] = f"-({link['inertia'][key]})"


def without(*keys: str) -> Callable[[dict[str, Any], Random], None]:
    def change(link: dict[str, Any], rng: Random) -> None:
        for key in keys:
            link.get("joint", {}).pop(key, None)

    return change


def point(link: dict[str, Any], rng: Random) -> None:
    if link.get("inertia", {}).get("about") == "com":
        del link["inertia"]


def nothing(link: dict[str, Any], rng: Random) -> None:
    for key in ("inertia", "mass"):
        link.pop(key, None)


def gravity_turned(data: dict[str, Any], rng: Random) -> str:
    data["gravity"] = [f"-({x})" if x else 0 for x in data["gravity"]]
    return ""


def gravity_elsewhere(data: dict[str, Any], rng: Random) -> str:
    data["gravity"] = data["gravity"][1:] + data["gravity"][:1]
    return ""


def other_rows(data: dict[str, Any], rng: Random) -> str:
    old = data["convention"]
    new = {"dh": "mdh", "mdh": "dh"}.get(old)
    if new is not None:
        data["convention"] = new
        for link in data["link"]:
            link[new] = link.pop(old)
    return ""


READING: dict[str, tuple[str, Callable[[dict[str, Any], Random], str], str]] = {
    "about origin": ("inertia about the origin", links(about("com", "origin"), False), "M tau K L h"),
    "one about origin": ("inertia about the origin", links(about("com", "origin"), True), "M tau K L h"),
    "about centre": ("inertia about the centre of mass", links(about("origin", "com"), False), "M tau K L h"),
    "point masses": ("missing inertia", links(point, False), "M tau K L"),
    "one point mass": ("missing inertia", links(point, True), "M tau K L"),
    "massless": ("missing mass", links(nothing, True), "M tau K L G"),
    "products": ("sign of products", links(products_turned, False), "M tau K L h"),
    "one link's products": ("sign of products", links(products_turned, True), "M tau K L h"),
    "armature": ("missing armature", links(without("armature"), False), "M tau K L"),
    "one armature": ("missing armature", links(without("armature"), True), "M tau K L"),
    "springs": ("missing springs", links(without("spring"), False), "tau"),
    "friction": ("missing damping and friction", links(without("damping", "coulomb"), False), "tau"),
    "springs and friction": (
        "missing springs and friction",
        links(without("damping", "coulomb", "spring"), False),
        "tau",
    ),
    "gravity": ("gravity sign", gravity_turned, "G P L tau"),
    "gravity axis": ("direction of gravity", gravity_elsewhere, "G P L tau"),
    "rows": ("standard or modified DH", other_rows, "M G tau T J K P L"),
}


def in_reading(kind: str, arm: str, rng: Random) -> Planted | None:
    """A mistake in reading the robot file: some quantities of the arm that it gives."""
    eq, data = right(arm), copy.deepcopy(table(arm))
    name, make, fitting = READING[kind]
    link = make(data, rng)
    wrong = qddot.Robot(robot_file.from_mapping(data, arm)).equations().quantities.in_joint_angles
    quantities = rng.sample(fitting.split(), min(len(fitting.split()), rng.choice((1, 1, 2))))
    ring = eq.in_joint_angles.ring
    arrays = {each: wrong.array(each)._in(ring.joined(wrong.ring)) for each in quantities}
    differences = ((each, arrays[each] - eq.in_joint_angles.array(each)) for each in quantities)
    if all(_changes_nothing(each, entry) for each, array in differences for entry in array.entries):
        return None
    truth = Truth((name,), {"link": link} if link else {})
    return Planted(eq, answer_of(arrays), truth, f"{arm} {kind} {link} in {', '.join(quantities)}")


# mistakes with places


def transposed(arm: str, rng: Random) -> Planted | None:
    eq = right(arm)
    quantity = rng.choice(("C", "T", "C2"))
    array = eq.in_joint_angles.array(quantity)
    if array.shape[-1] != array.shape[-2]:
        return None
    entries = dict(zip(array.places, array.entries, strict=True))
    turned = {(quantity, p): entries[*p[:-2], p[-1], p[-2]] for p in array.places}
    if all(turned[quantity, p] == entries[p] for p in array.places):
        return None
    return Planted(eq, answer_of({quantity: array}, turned), Truth(("transposed",)), f"{arm} {quantity} transposed")


def swapped(arm: str, rng: Random) -> Planted | None:
    eq = right(arm)
    quantity = rng.choice(("M", "C", "h", "G", "B"))
    array = eq.in_joint_angles.array(quantity)
    if len(array.entries) < 2:
        return None
    entries = dict(zip(array.places, array.entries, strict=True))
    a, b = rng.sample(array.places, 2)
    if not entries[a] or not entries[b] or entries[a] == entries[b]:
        return None
    changes = {(quantity, a): entries[b], (quantity, b): entries[a]}
    return Planted(eq, answer_of({quantity: array}, changes), Truth(("swapped",)), f"{arm} {quantity} {a} {b}")


PLACES = {"transposed": transposed, "swapped": swapped}
KINDS = (*FORMULA, *READING, *PLACES)


def planted(kind: str, arm: str, rng: Random) -> Planted | None:
    """A derivation with a mistake of this kind, or None where it changes nothing in what was drawn."""
    if kind in PLACES:
        return PLACES[kind](arm, rng)
    return in_formula(kind, arm, rng) if kind in FORMULA else in_reading(kind, arm, rng)


def drawn(count: int, seed: int) -> Iterator[tuple[str, Planted]]:
    """So many derivations, the kinds of mistakes in turn, each in an arm that is drawn until it can have one."""
    for k in range(count):
        kind, rng = KINDS[k % len(KINDS)], Random(f"{seed} {k}")
        tried = (planted(kind, rng.choice(ARMS), rng) for _ in range(MOST_DRAWS))
        yield kind, next(each for each in tried if each is not None)


def is_first(judgement: Judgement, truth: Truth) -> tuple[bool, bool]:
    """Whether the mistake is the first explanation itself, and whether it is among those of the same expressions."""
    if not judgement.explanations or not judgement.explanations[0].likeliest.complete:
        return False, False
    each = [_is_it(mistake, truth) for mistake in judgement.explanations[0].all]
    return each[0], any(each)


def _is_it(mistake: Any, truth: Truth) -> bool:
    words = {key: str(word) for key, word in mistake.words.items()}
    fits = all(re.split(r" \(", words.get(key, ""))[0] == word for key, word in truth.words.items())
    return mistake.kind in truth.kinds and fits
