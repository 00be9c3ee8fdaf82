"""Decides whether an equation is a law that holds for all arms, such as τ = M q̈ + C q̇ + G.

The quantities of one joint stand for those of all arms: its kinetic energy is ½ M q̇² with Ṁ = 2 C, so that ∂K/∂q is C q̇
and the rate of the momentum M q̇ is M q̈ + 2 C q̇. Large primes are put in for these quantities, so that both
sides are very unlikely to be equal by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product, takewhile
from unicodedata import normalize

from qddot.algebra.expressions.parser import expression
from qddot.base.errors import QddotError
from qddot.teach.check.reading.grammar.operators import Operator, may_begin, operator
from qddot.teach.check.reading.names.arm_names import VECTORS, plain
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.signs.nesting import length_of
from qddot.teach.check.reading.statements.claims import Claim, Leaf
from qddot.teach.check.reading.syntax import MOTIONS
from qddot.teach.check.reading.texts.written import Written

M, C, G, RATE, ACCELERATION, POTENTIAL, CORIOLIS = map(Fraction, (10007, 10037, 10069, 10093, 10111, 10139, 10141))
BIAS, KINETIC, ZERO, ONE = C * RATE, M * RATE**2 / 2, Fraction(0), Fraction(1)
TORQUE = M * ACCELERATION + BIAS + G
# in B [q̇q̇] + C [q̇²], the form of configuration space (Craig, Introduction to Robotics, 3rd ed., 6.63)
OF_PRODUCTS, OF_SQUARES = CORIOLIS / RATE**2, (BIAS - CORIOLIS) / RATE**2
MEANINGS: dict[str, tuple[Fraction, ...]] = {
    **dict.fromkeys(("M", "A"), (M,)),
    "D": (M, ZERO),  # friction, which many arms lack
    "B": (M, OF_PRODUCTS, ONE, ZERO),  # in B u, the matrix B says which joints are driven
    **dict.fromkeys(("C", "S"), (BIAS, C, OF_SQUARES)),
    "c": (BIAS, C, OF_SQUARES, ZERO),  # of friction, too
    **dict.fromkeys(("h", "b", "N", "n"), (BIAS, BIAS + G, G)),
    **dict.fromkeys(("G", "g", "phi", "gamma"), (G,)),
    "taug": (G, -G),
    **dict.fromkeys(("tau", "u", "Q", "F", "Gamma", "Bu"), (TORQUE,)),
    **dict.fromkeys(("Fv", "tauf"), (ZERO,)),
    **dict.fromkeys(("K", "P", "U"), (POTENTIAL, KINETIC)),
    "V": (BIAS, BIAS + G, POTENTIAL),
    "T": (TORQUE, KINETIC),
    "H": (M, KINETIC + POTENTIAL),
    "E": (KINETIC + POTENTIAL,),
    **dict.fromkeys(("L", "ℒ"), (KINETIC - POTENTIAL,)),
    **dict.fromkeys(("∂L∂rate", "∂K∂rate", "∂T∂rate"), (M * RATE,)),
    **dict.fromkeys(("∂P∂rate", "∂U∂rate", "∂V∂rate"), (ZERO,)),
    "∂L∂coordinate": (BIAS - G,),
    **dict.fromkeys(("∂K∂coordinate", "∂T∂coordinate"), (BIAS,)),
    **dict.fromkeys(("∂P∂coordinate", "∂U∂coordinate", "∂V∂coordinate"), (G,)),
    **dict.fromkeys(("rate of momentum", "rate of p"), (M * ACCELERATION + 2 * BIAS,)),
    "coordinate": (),
    "rate": (RATE,),
    "acceleration": (ACCELERATION,),
    "products": (RATE**2,),
    **dict.fromkeys(("rate of M", "rate of D"), (2 * C,)),
    **dict.fromkeys(("rate of E", "rate of W"), (RATE * TORQUE,)),  # the energy's rate is the power of the torques
}
SIGNS = {"+": "+", "-": "-", "*": "*", "/": "/", "(": "(", ")": ")", "{": "(", "}": ")"}
TRANSPOSES, IDLE = ("transpose", "'"), ("newline", "wide", "&")
RATE_OF = "d/dt"
UNKNOWN = "?"
LONGEST_LAW = 2_000  # lexemes
# of rotations, Rᵀ R = 1 and det R = 1, and Kane's law, F_r + F_r^* = 0: active and inertia forces balance
PROPERTY = re.compile(
    r"(?:R\^T\*?R|R\*?R\^T|det\*?R)=[1IE]|"
    r"(?:([FQ])_(\w)\+\1_\2\^?(?:\*|ast|star)|([FQ])_(\w)\^?(?:\*|ast|star)\+\3_\4)=0"
)
SLOPE = re.compile(r"∂[^\W\d_]_(?P<row>[a-z])(?P<column>[a-z])∂[^\W\d_]+_(?P<by>[a-z])")
SYMBOL = re.compile(r"(?:Gamma|[Γγcbh])_([a-z])([a-z])([a-z])")
INDEX = re.compile(r"\d+$")
LAYOUT = re.compile(r"\\mathrm|\\thinspace|\\quad|\\[,;!]|[\\\s{}()]")  # signs without meaning in these
RATE_OF_ENERGY = re.compile(r"d/dt,\(,E,\)")
RATE_OF_MOMENTUM = re.compile(r"d/dt,(\(,)?∂[LKT]∂rate(?(1),\))")
MOST_NAMES, MOST_LEXEMES = 8, 200


def holds(left: Leaf, right: Leaf) -> bool:
    """Returns whether an equation is a law of all arms, with one of the meanings that books give to its letters."""
    if len(left.lexemes) + len(right.lexemes) > MOST_LEXEMES:
        return False
    texts = [",".join(_pieces(leaf.written, leaf.lexemes)) for leaf in (left, right)]
    if any("∂" in text for text in texts):
        if len({index for text in texts for piece in text.split(",") for index in INDEX.findall(piece)}) > 1:
            return False
        texts = [",".join(INDEX.sub("", piece) or piece for piece in text.split(",")) for text in texts]
    texts = [RATE_OF_ENERGY.sub("rate of E", text) for text in texts]
    sides = [RATE_OF_MOMENTUM.sub("rate of momentum", text).split(",") for text in texts]
    names = sorted({piece for side in sides for piece in side if piece in MEANINGS})
    meanings = product(*(MEANINGS[name] for name in names)) if 0 < len(names) <= MOST_NAMES else ()
    return any(_is_equal(sides, dict(zip(names, each, strict=True))) for each in meanings)


def is_notation(left: Leaf, right: Leaf) -> bool:
    """Returns whether an equation introduces a vector of products of rates, such as [q̇q̇] = (q̇1 q̇2, q̇1 q̇3)."""
    sides = [
        [each for each in leaf.lexemes if each.kind not in IDLE and word_of(each) != "T"] for leaf in (left, right)
    ]
    return bool(sides[0]) and sides[0][0].kind == "[" and all(map(_are_rates, sides))


def is_law_of_any_arm(left: Leaf, right: Leaf) -> bool:
    """Returns whether an equation is true for all arms: a property of rotations, the law of power, or Kane's law."""
    texts = [leaf.written.text[leaf.lexemes[0].start : leaf.lexemes[-1].end] for leaf in (left, right)]
    is_property = PROPERTY.fullmatch(LAYOUT.sub("", "=".join(texts))) is not None
    return is_property or (is_rate_of_energy(left) and holds(left, right))


def is_skewness(left: Leaf, right: Leaf) -> bool:
    """Returns whether an equation says that a matrix is skew, Sᵀ = −S."""
    sides = [[each for each in leaf.lexemes if each.kind not in (*IDLE, "{", "}")] for leaf in (left, right)]
    (name, *raised), negative = sides
    is_transposed = any(each.kind in TRANSPOSES or word_of(each) == "T" for each in raised) and len(raised) < len("S^T")
    is_minus = [each.kind for each in negative] == ["-", "word"]
    return is_transposed and is_minus and word_of(negative[-1]) == word_of(name) == "S"


def is_rate_of_energy(leaf: Leaf) -> bool:
    """Returns whether an expression is Ė or Ẇ."""
    pieces = ",".join(_pieces(leaf.written, leaf.lexemes))
    return RATE_OF_ENERGY.sub("rate of E", pieces) in ("rate of E", "rate of W")


def is_rate_of_momentum(leaf: Leaf) -> bool:
    """Returns whether an expression is Ṁ q̇, which a law may name u, although u usually is a torque."""
    return list(_pieces(leaf.written, leaf.lexemes)) in (["rate of M", "rate"], ["rate of M", "*", "rate"])


def is_holding_law(claim: Claim) -> bool:
    """Returns whether a claim is the law τ = G of an arm at rest."""
    is_torque = claim.left.head == "tau" and not claim.left.indices and len(claim.leaves) == 1
    return is_torque and list(_pieces(claim.leaves[0].written, claim.leaves[0].lexemes)) in (["G"], ["g"])


def is_combination(leaf: Leaf) -> bool:
    """Returns whether an expression has only whole quantities, as Ṁ − 2C or ∂K/∂q, so that an answer may name it."""
    pieces = [
        piece for piece in _pieces(leaf.written, leaf.lexemes) if not piece.isdigit() and piece not in SIGNS.values()
    ]
    return bool(pieces) and all(piece in MEANINGS for piece in pieces) and (len(pieces) > 1 or "∂" in pieces[0])


def contradicts_christoffel(left: Leaf, right: Leaf) -> bool:
    """Returns whether a formula for any Γ_ijk as a sum of derivatives ∂M_ij/∂q_k is wrong.

    Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i), where the index of the equation, here i, may be any of the three.
    Other letters may be those of ∂M_ij/∂q_k − ½ ∂M_jk/∂q_i, which leads to the same torques.
    """
    name = SYMBOL.fullmatch(word_of(left.lexemes[0])) if len(left.lexemes) == 1 else None
    if name is None:
        return False
    pieces = list(_pieces(right.written, right.lexemes))
    slopes = {piece: match for piece in pieces if (match := SLOPE.fullmatch(piece))}
    others = [piece for piece in pieces if piece not in slopes]
    if not slopes or any(piece[0].isalpha() or piece == UNKNOWN for piece in others):
        return False
    letters = sorted({letter for match in slopes.values() for letter in match.groups()})

    def value(row: str, column: str, by: str) -> Fraction:
        a, b = sorted((row, column))
        return M + Fraction(2 ** letters.index(a) * 3 ** letters.index(b) * 5 ** letters.index(by))

    total = _rational(pieces, {piece: value(*match.groups()) for piece, match in slopes.items()})
    if total is None or not set(letters) <= set(name.groups()):
        return False
    i, j, k = name.groups()
    orders = ((i, j, k), (j, i, k), (k, i, j))
    rights = [(value(e, a, b) + value(e, b, a) - value(a, b, e)) / 2 for e, a, b in orders]
    if not word_of(left.lexemes[0]).startswith(("Gamma", "Γ")):
        rights += [value(e, a, b) - value(a, b, e) / 2 for e, *both in orders for a, b in (both, both[::-1])]
    return total not in rights


def _is_equal(sides: Sequence[Sequence[str]], values: Mapping[str, Fraction]) -> bool:
    first, second = (_rational(side, values) for side in sides)
    return first is not None and first == second


def _rational(pieces: Sequence[str], values: Mapping[str, Fraction]) -> Fraction | None:
    """Returns a formula with values for its names, or None if it has other names."""
    try:
        return expression(_product_signs([f"({values[each]})" if each in values else each for each in pieces])).rational
    except QddotError:
        return None


def _product_signs(pieces: Sequence[str]) -> str:
    """Returns pieces as a formula, with * between adjacent factors."""
    pairs = zip(pieces, [*pieces[1:], "+"], strict=True)
    return "".join(f"{a}*" if a[-1:] not in "+-*/(" and b[:1] not in "+-*/)" else a for a, b in pairs)


def _pieces(written: Written, lexemes: Sequence[Lexeme]) -> Iterator[str]:
    """Yields names and signs, without arguments such as (q, q̇), transposition signs and gaps.

    What is too long for a law is one unknown piece.
    """
    if len(lexemes) > MOST_LEXEMES:
        yield UNKNOWN
        return
    signs = [each for each in lexemes if each.kind not in IDLE]
    if len(signs) > LONGEST_LAW:
        yield UNKNOWN
        return
    k = 0
    while k < len(signs):
        lexeme, length = signs[k], 1
        if may_begin(lexeme) and (derivative := operator(signs[k:])):
            yield from _derivative(written, derivative)
            k += derivative.length
            continue
        if inputs := _inputs(signs[k:]):
            yield "tau"
            length = inputs
        elif lexeme.kind == "word":
            primes = len(list(takewhile(lambda each: each.kind == "'", signs[k + 1 :])))
            name = _name(lexeme)
            is_derived = name == MOTIONS[0] and primes < len(MOTIONS)  # q'' in a text; a prime may also transpose
            yield MOTIONS[primes] if is_derived else name
            length = 1 + (primes if is_derived else 0)
            k += _argument(signs[k + length :])
        elif lexeme.kind == "^":
            length = 1 + length_of(signs[k + 1 :])  # the only exponent in a law is that of a transpose
        elif lexeme.kind == "function" and lexeme.data == "frac" and signs[k + 1 : k + 2]:
            top = length_of(signs[k + 1 :])
            bottom = length_of(signs[k + 1 + top :])
            yield from _fraction(written, signs[k + 1 : k + 1 + top], signs[k + 1 + top : k + 1 + top + bottom])
            length = 1 + top + bottom
        elif lexeme.kind in ("[", "(") and _are_products(signs[k : k + length_of(signs[k:])]):
            yield "products"
            length = length_of(signs[k:])
        elif lexeme.kind == "[" and [each.kind for each in signs[k + 1 : k + 3]] == ["word", "]"]:  # [D]{q̈}
            yield _name(signs[k + 1])
            length = 3
        elif lexeme.kind == "number":
            yield str(lexeme.data)
        elif lexeme.kind in SIGNS:
            yield SIGNS[lexeme.kind]
        elif lexeme.kind not in TRANSPOSES:
            yield UNKNOWN
        k += length


def _inputs(signs: Sequence[Lexeme]) -> int:
    """Returns the number of lexemes of a column such as (τ, 0)^T or [0; F], the torques of the driven joints, or 0."""
    if not signs or signs[0].kind not in ("(", "[", "begin"):
        return 0
    between = (",", ";", "row", "{", "}")
    inside = list(takewhile(lambda each: each.kind in between or _is_zero(each) or _is_drive(each), signs[1:]))
    length = len(inside) + 2
    is_column = sum(each.kind not in between for each in inside) > 1 and any(map(_is_drive, inside))
    return length if is_column and length_of(signs[:length]) == length <= len(signs) else 0


def _is_zero(lexeme: Lexeme) -> bool:
    return lexeme.kind == "number" and not lexeme.data


def _is_drive(lexeme: Lexeme) -> bool:
    return TORQUE in MEANINGS.get(INDEX.sub("", plain(word_of(lexeme))).rstrip("_"), ())


def _fraction(written: Written, top: Sequence[Lexeme], bottom: Sequence[Lexeme]) -> Iterator[str]:
    if top[0].kind == "number":  # \\frac12
        yield from ("(", "/".join(str(top[0].data)), ")", *_pieces(written, bottom))
        return
    yield from ("(", *_pieces(written, top), ")", "/", "(", *_pieces(written, bottom), ")")


def _derivative(written: Written, by: Operator) -> Iterator[str]:
    """Yields a derivative of an energy as ∂L∂rate1, and a time derivative as d/dt with its expression."""
    variable = by.variables[0]
    motion, name = _motion(variable), plain(word_of(variable))
    if len(by.variables) == 1 and name == "t":
        yield from (RATE_OF, "(", *_pieces(written, by.of), ")") if by.of else (RATE_OF,)
    elif len(by.variables) == 1 and motion is not None and len(by.of) == 1:
        yield f"∂{plain(normalize('NFKC', word_of(by.of[0])))}∂{motion}{''.join(INDEX.findall(name))}"
    elif len(by.variables) == len(by.of) == 1 and SLOPE.fullmatch(slope := _slope(by)):
        yield slope
    else:
        yield UNKNOWN


def _slope(by: Operator) -> str:
    """Returns the derivative of an entry with respect to any coordinate as ∂M_ij∂q_k."""
    return f"∂{word_of(by.of[0])}∂{word_of(by.variables[0])}"


def _name(lexeme: Lexeme) -> str:
    """Returns "coordinate", "rate" or "acceleration" for a whole vector, else the name or "rate of M".

    It returns "?" for an entry of a vector, and for a name with dots that has no meaning here.
    """
    name = plain(word_of(lexeme))
    motion = _motion(lexeme)
    if motion is None:
        dots = [unit.dots for unit in lexeme.data if unit.dots]
        rate = f"rate of {lexeme.data[0].text}"
        return name if not dots else rate if dots == [1] and rate in MEANINGS else UNKNOWN
    return UNKNOWN if INDEX.search(name) else motion


def _motion(lexeme: Lexeme) -> str | None:
    """Returns "coordinate", "rate" or "acceleration" for a word, by its letters or dots, or None."""
    if lexeme.kind != "word":
        return None
    dots, kind = dots_of(lexeme), VECTORS.get(INDEX.sub("", plain(word_of(lexeme))))
    if dots:
        return MOTIONS[dots] if kind == "coordinate" and dots < len(MOTIONS) else None
    return kind if kind in MOTIONS else None


def _are_rates(lexemes: Sequence[Lexeme]) -> bool:
    words = [each for each in lexemes if each.kind == "word"]
    return bool(words) and all(_motion(each) == "rate" or _has_single_dots(each) for each in words)


def _are_products(bracket: Sequence[Lexeme]) -> bool:
    """Returns whether a bracket has products of rates, [q̇q̇], {q̇²}, which a single {q̇} is not."""
    is_square = any(each.kind in ("power", "^") for each in bracket)
    count = sum(each.kind == "word" for each in bracket)
    return _are_rates(bracket) and (bracket[0].kind == "[" or is_square or count > 1)


def _has_single_dots(word: Lexeme) -> bool:
    """Returns whether a word begins with a dotted letter and has no letter with two dots, as Θ̇Θ̇ and ḋ_2."""
    return bool(word.data[0].dots) and all(unit.dots <= 1 for unit in word.data)


def _argument(signs: Sequence[Lexeme]) -> int:
    """Returns the number of lexemes of the bracket after a name, if it has only q, q̇, q̈ and numbers, else 0."""
    if not signs or signs[0].kind != "(":
        return 0
    length = length_of(signs)
    inside = signs[1 : length - 1]
    return length if all(each.kind in (",", "number", "'") or _motion(each) for each in inside) else 0
