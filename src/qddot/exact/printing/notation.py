"""Says how the variables of the equations are written: their letters, indices and accents."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import INVERSE, Applied, Expression, Trigonometric
from qddot.algebra.expressions.expression import Atom as ExpressionAtom
from qddot.algebra.expressions.identifiers import GREEK, spelled
from qddot.algebra.expressions.names import TIME, rate_name
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.polynomials.generators import QUASI, Generator
from qddot.exact.printing.tree import Circular, Factor, Product, Quotient, Root, Sign, Sum, Symbol

LETTERS = frozenset({*GREEK, "ell"})  # words that stand for one letter
SCRIPT = {
    "ℬ": "B",
    "ℰ": "E",
    "ℐ": "I",
    "ℒ": "L",
    "𝒢": "G",
    "𝒮": "S",
    "𝒱": "V",
}  # script letters, and their plain letters
PI, DEGREE = Symbol("pi", "pi"), Symbol("deg", "°")
SPLIT = re.compile(r"(?P<letters>[^\W\d_]+)(?P<rest>\w*)")
BETWEEN_NUMBERS = re.compile(r"(?<=\d)_(?=\d)")  # r21_3 has the index 21,3
LONGEST_INDEX = 2  # the longest run of letters that is not a word: fv1 and Jm have indices, mass is a word


def index_parts(index: str) -> list[tuple[str, bool]]:
    """Splits an index into digits, runs of letters such as xx, and words; returns each part, and whether it is a word.

    The name of a letter, such as omega, counts as a word here, since each language writes it differently.
    """
    parts = re.findall(r"[^\W\d_]+|\d+|.", index)
    return [(part, part in LETTERS or not (part.isascii() and _is_letters(part))) for part in parts]


def _is_letters(part: str) -> bool:
    letters = set(part)
    counts = letters <= set("ijkm") or ("j" in part and letters <= set("ijkn"))  # but kin and min are words
    return len(part) <= LONGEST_INDEX or letters <= set("0123456789xyz") or counts


def key_of(name: str, coordinates: tuple[str, ...], quasi: Collection[str] = ()) -> str:
    """Returns the generator's key for a name that a user may write: "qd1" → "qd(q1)".

    quasi: the coordinates that name quasi-velocities, which are not rates: "omega_x" → "qd(omega_x)"
    """
    for coordinate in coordinates:
        if coordinate in quasi:
            if name in (coordinate, rate_name(coordinate)):
                return f"qd({name})" if name == coordinate else f"qdd({coordinate})"
        elif name == rate_name(coordinate):
            return f"qd({coordinate})"
        if name == rate_name(coordinate, 2):
            return f"qdd({coordinate})"
    return name


def atom(generator: Generator, names: Collection[str], numbers: Mapping[str, str]) -> Factor:
    """Returns a generator's written form: c1 for cos(q1) and cos(theta1), cos(theta), qd1, m1.

    names: those of symbols and coordinates; where one is called c1, the cosine is written as cos(q1)
    numbers: those of coordinates
    """
    kind, name = generator.kind, generator.name
    if generator.applied is not None:
        return function(generator.applied, generator.coordinates)
    if kind in ("sin", "cos"):
        angle = generator.angle if generator.angle is not None else Angle(symbols=generator.of)
        return Circular(kind, angle, _argument(angle), _short(generator, names, numbers))
    if kind in ("qd", "qdd"):
        return rate(name, dots(generator))
    if kind == "sgn":
        return Sign(rate(name))
    if kind == "root":
        return Root(int(name))
    return PI if kind == "symbol" and name == "pi" else symbol(name)


def function(applied: Applied, coordinates: Collection[str] = ()) -> Factor:
    """Returns the written form of a function of coordinates and their rates: a root, a quotient, or a function with its
    argument.
    """
    argument = of_expression(applied.argument, coordinates)
    if applied.function == INVERSE:
        return Quotient(Sum((Product(Fraction(1)),)), argument)
    return Root(argument) if applied.function == "sqrt" else Circular(applied.function, Angle(), argument)


def of_expression(value: Expression, coordinates: Collection[str] = ()) -> Sum:
    """Returns the written sum of an expression, whose products end with the time.

    coordinates: those whose rates may occur
    """
    terms = sorted(value.terms.items(), key=lambda term: (-sum(e for _, e in term[0]), str(term)))
    ordered = ((sorted(monomial, key=lambda factor: factor[0] == TIME), c) for monomial, c in terms)
    return Sum(tuple(product(c, [(_factor(atom, coordinates), e) for atom, e in factors]) for factors, c in ordered))


def product(number: Fraction, factors: Iterable[tuple[Factor, int]]) -> Product:
    """Returns a product in which all inverses stand below one line."""
    above, below = list[tuple[Factor, int]](), list[tuple[Factor, int]]()
    for base, exponent in factors:
        if not isinstance(base, Quotient):
            above.append((base, exponent))
        elif len(base.bottom.products) == 1 and base.bottom.products[0].number == 1:
            below += ((each, e * exponent) for each, e in base.bottom.products[0].factors)
        else:
            below.append((base.bottom, exponent))
    if not below:
        return Product(number, tuple(above))
    top, bottom = (Sum((Product(Fraction(1), tuple(part)),)) for part in (above, below))
    return Product(number, ((Quotient(top, bottom), 1),))


def _factor(atom: ExpressionAtom, coordinates: Collection[str]) -> Factor:
    if isinstance(atom, Applied):
        return function(atom, coordinates)
    if isinstance(atom, Trigonometric):
        return Circular(atom.function, atom.angle, _argument(atom.angle))
    if isinstance(atom, str):
        moving = next((name for name in coordinates if rate_name(name) == atom), None)
        return rate(moving) if moving else PI if atom == "pi" else symbol(atom)
    return Root(atom.of)


def text(generator: Generator) -> str:
    """Returns the name of a symbol, coordinate, rate or acceleration."""
    kind, name = generator.kind, generator.name
    return rate(name, dots(generator)).text if kind in ("qd", "qdd") else name


def symbol(name: str) -> Symbol:
    """Returns a name as mathematics: I with index xx1 for Ixx1, θ with index 2 for theta_2, the word mass."""
    return Symbol(name, *_parted(name))


def rate(coordinate: str, dots: int = 1) -> Symbol:
    """Returns the symbol of a rate or an acceleration; that of a quasi-velocity has no dot, that of its rate one."""
    return Symbol(rate_name(coordinate, dots) if dots else coordinate, *_parted(coordinate), dots=dots)


def velocity(coordinate: str, quasi: Collection[str]) -> Symbol:
    """Returns the symbol of a coordinate's rate, or of a velocity if it is a quasi-velocity."""
    return rate(coordinate, 1 - (coordinate in quasi))


def dots(generator: Generator) -> int:
    """Returns the number of dots over a rate or an acceleration: one fewer over quasi-velocities and their rates."""
    return len(generator.kind) - 1 - (generator.role == QUASI)


def _parted(name: str) -> tuple[str, str]:
    """Returns the letter or word of a name, and its index."""
    match = SPLIT.fullmatch(spelled(name))
    if match is None:
        return name, ""
    index = BETWEEN_NUMBERS.sub(",", match["rest"].strip("_"))
    letters, rest = match["letters"], index.replace("_", "")
    if "_" in index and len(rest) > LONGEST_INDEX + 1:
        return name, ""  # words, such as shoulder_pan_joint
    if letters in LETTERS or len(letters) == 1:
        return letters, rest
    if len(letters) - 1 < LONGEST_INDEX or set(letters[1:]) <= set("xyz"):
        return letters[0], letters[1:] + rest
    return letters, rest


def numbers_of(coordinates: Collection[str]) -> dict[str, str]:
    """Returns the numbers of coordinates that are called by a letter and a number that no other has, as q1, theta_2."""
    parts = {name: _parted(name) for name in coordinates}
    numbers = {name: index for name, (head, index) in parts.items() if _is_letter(head) and index.isdecimal()}
    return {name: index for name, index in numbers.items() if list(numbers.values()).count(index) == 1}


def number_of_sum(of: Combination, numbers: Mapping[str, str]) -> str:
    """Returns 12 for the sum of q1 and q2, or nothing where that is no sum of single digits, or the number of q12."""
    digits = [numbers.get(name, "") if n == 1 else "" for name, n in of]
    together = "".join(digits)
    if len(of) == 1:
        return together
    return together if all(len(d) == 1 for d in digits) and together not in numbers.values() else ""


def _is_letter(head: str) -> bool:
    return len(head) == 1 or head in LETTERS


def _short(generator: Generator, names: Collection[str], numbers: Mapping[str, str]) -> Symbol | None:
    """Returns c1 for the cosine of q1, c12 for that of q1 + q2, or None where it has no short name."""
    number = number_of_sum(generator.of, numbers) if generator.angle is None else ""
    short = generator.kind[0] + number
    return Symbol(short, generator.kind[0], number) if number and short not in names else None


def _argument(angle: Angle) -> Sum:
    """Returns an angle as a sum, its degrees first."""
    parts = [Product(angle.pi * 180, ((DEGREE, 1),))] if angle.pi else []
    parts += [Product(angle.radians)] if angle.radians else []
    parts += [Product(Fraction(n), ((symbol(name), 1),)) for name, n in angle.symbols]
    return Sum(tuple(parts))
