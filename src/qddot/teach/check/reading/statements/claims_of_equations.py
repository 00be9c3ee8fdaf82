"""Turns equations into claims, for a name on one side, and into balances of two expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qddot.teach.check.reading.grammar.operators import DERIVATIVES
from qddot.teach.check.reading.names.left_sides import Left, is_left, is_velocity_torque, left_of
from qddot.teach.check.reading.names.letters import COLUMNS, candidates, is_sure
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.signs.nesting import length_of, nested
from qddot.teach.check.reading.signs.spelling import Unit
from qddot.teach.check.reading.statements.claims import Balance, Claim, Leaf
from qddot.teach.check.reading.statements.equations import Equation, Loose, Side
from qddot.teach.check.reading.texts.written import Written

NAME_OF_EQUATION = re.compile(r"(?i)(?:eqn?|eom|ode|equation)s?_?\w{0,6}")
MOST_OF_MULTIPLE = 4  # lexemes of a factor before a name


def claims_of_equation(equation: Equation) -> Iterator[Claim | Balance]:
    """Yields the claims of an equation with a name on one side, and balances of others."""
    written = equation.passage.written
    sides = _without_multiple(_without_divisor(list(equation.sides), written), written)
    if _is_transposed(sides[0]) and left_of(sides[0][:1], written).head in COLUMNS:  # G^T = [a, b]
        sides = [sides[0][:1], *sides[1:]]
    if not _is_name(sides[0]) and _is_name(sides[-1]):  # … = τ_1
        sides = [sides[-1], *sides[:-1]]
    sides = _without_multiple(_with_entry_first(sides, written), written)
    if len(sides) > 2 and NAME_OF_EQUATION.fullmatch(word_of(sides[0][0])):  # eq1 := a = b
        sides = sides[1:]
    if not _is_name(sides[0]):
        last = sides[-1]
        is_for_all = len(sides) > 2 and len(last) == 1 and last[0].kind == "number"  # q̇ = q̈ = 0
        for one, other in ((side, last) if is_for_all else (sides[0], side) for side in sides[not is_for_all :]):
            if one is not other:
                yield Balance((_leaf(equation, one), _leaf(equation, other)), equation.where, equation.text)
        return
    steps = range(1, len(sides) - 1)
    first = next((k for k in steps if not _is_other_name(sides[k], written)), len(sides) - 1)
    lefts, rights = sides[:first], sides[first:]
    opposite = [side for side in rights if _is_opposite(side)]
    kept = [side for side in rights if side not in opposite] or rights
    if len(kept) > 1 and _is_entry(kept[-1], written, lefts[0]):  # M_12 = expression = M_21
        lefts, kept = [*lefts, kept[-1]], kept[:-1]
    for left in lefts:
        for k, right in enumerate(kept):
            yield _claim(equation, left, right, k < len(kept) - 1)
    if len(kept) > 1 and _is_name(kept[-1]) and not left_of(kept[-1], written).indices:
        yield _claim(equation, kept[-1], kept[-2])._replace(weak=True)
    if opposite and len(opposite) < len(rights):  # … = expression = −Γ_211
        minus, value = opposite[0][0], kept[-1]
        negative = (minus, minus._replace(kind="("), *value, minus._replace(kind=")"))
        yield _claim(equation, opposite[0][1:], negative)


def claim_of_formula(formula: Loose) -> Claim:
    """Returns the claim of a formula without '=', under a name that no text can have."""
    leaf = Leaf((), formula.passage.written, formula.side, formula.passage.latex)
    name = Left(f"formula at {formula.where}", formula.text, "", ())
    return Claim(name, (leaf,), (), formula.where, text=formula.text, about=formula.about)


def _with_entry_first(sides: list[Side], written: Written) -> list[Side]:
    """Returns ∂V/∂q_1 = G_1 = a with the entry first, G_1 = ∂V/∂q_1 = a."""
    if len(sides) < len(("∂V/∂q1", "G1", "a")) or not any(lexeme.kind == "partial" for lexeme in sides[0]):
        return sides
    middle = sides[1]
    is_entry = _is_name(middle) and left_of(middle, written).indices and candidates(left_of(middle, written))
    return [middle, sides[0], *sides[2:]] if is_entry else sides


def _without_divisor(sides: list[Side], written: Written) -> list[Side]:
    """Returns M_11/l^2 = a as M_11 = (a) l^2."""
    first = sides[0]
    if first[0].kind == "function" and first[0].data == "frac" and len(first) > 1:
        middle = 1 + length_of(first[1:])
        name, below = first[2 : middle - 1], first[middle + 1 : -1]
        is_whole = middle + length_of(first[middle:]) == len(first)
    else:
        middle = next((k for k, lexeme in enumerate(first) if lexeme.kind == "/"), 0)
        name, below, is_whole = first[:middle], first[middle + 1 :], 0 < middle < len(first) - 1
    if not is_whole or not name or not below or not _is_name(name) or any(x.kind in ("+", "-", "=") for x in below):
        return sides
    left = left_of(name, written)
    if not (is_sure(left) and len(left.indices) > 1):
        return sides
    open_, times, close = (below[0]._replace(kind=kind, data=None) for kind in ("(", "*", ")"))
    return [name, *((open_, *side, close, times, open_, *below, close) for side in sides[1:])]


def _without_multiple(sides: list[Side], written: Written) -> list[Side]:
    """Returns 2 K = a as K = (a)/2, and − P = a as P = −(a)."""
    first = sides[0]
    times = first[: next((k for k, lexeme in enumerate(first) if lexeme.kind not in ("number", "-", "*")), 0)]
    name = first[len(times) :]
    if not times or len(times) > MOST_OF_MULTIPLE or not _is_name(name) or _is_frame(first):
        return sides
    left = left_of(name, written)
    is_energy = bool({each.quantity for each in candidates(left)} & {"K", "P", "L"}) or (
        is_sure(left) and len(left.indices) > 1
    )
    if (
        not is_energy
        or any(written.text[each.start : each.end].endswith(".") for each in times)
        or any(lexeme.kind == "number" and not lexeme.data for lexeme in times)
    ):
        return sides
    numbers = [lexeme for lexeme in times if lexeme.kind != "*"]
    open_, line, close = (times[0]._replace(kind=kind, data=None) for kind in ("(", "/", ")"))
    below = (line, open_, *numbers, close) if numbers[-1].kind == "number" else ()
    minus = () if below else (times[0],)
    return [name, *((*minus, open_, *side, close, *below) for side in sides[1:])]


def _is_frame(side: Side) -> bool:
    """Returns whether a number before a name is a frame's, as in 0T2."""
    return side[0].kind == "number" and len(side) > 1 and word_of(side[1]).startswith("T") and len(word_of(side[1])) > 1


def _is_name(side: Side) -> bool:
    """Returns whether a side is the name of a quantity, and not a rate, an acceleration or a multiple."""
    if side[0].kind == "number" and not _is_frame(side):
        return False
    if word_of(side[0]) in DERIVATIVES or _is_transposed(side):
        return False
    if is_velocity_torque(side):
        return True
    return is_left(side) and not any(unit.dots for unit in _units(side)) and not _has_prime(side)


def _is_transposed(side: Side) -> bool:
    """Returns whether a side is a transpose such as S^T, which is an expression."""
    raised = side[side[1].kind == "^" and 2 :][:1] if len(side) == 3 and side[1].kind == "^" else side[3:4]
    is_braced = len(side) == 5 and [each.kind for each in side[1:3]] == ["^", "{"] and side[4].kind == "}"
    sign = raised if len(side) == 3 or is_braced else ()
    return any(each.kind == "transpose" or word_of(each) == "T" for each in sign)


def _has_prime(side: Side) -> bool:
    """Returns whether a prime follows the name itself, rather than an argument as in C(q, q')."""
    return any(lexeme.kind == "'" and depth <= 0 for depth, lexeme in nested(side))


def _is_entry(side: Side, written: Written, other: Side) -> bool:
    """Returns whether a side is an entry, by a letter that is sure to be a quantity's, or by that of the other side."""
    if not _is_name(side):
        return False
    left, beside = left_of(side, written), left_of(other, written)
    is_beside = left.head == beside.head and len(left.indices) == len(beside.indices) and bool(candidates(left))
    return len(left.indices) > 1 and (is_sure(left) or is_beside)


def _is_other_name(side: Side, written: Written) -> bool:
    """Returns whether a side after the first is another name, rather than a step such as Tr(U I)."""
    return _is_name(side) and (bool(candidates(left_of(side, written))) or not left_of(side, written).arguments)


def _is_opposite(side: Side) -> bool:
    """Returns whether a step of a chain is minus a quantity: − c_{113} = … says something about c_{113}."""
    name = side[1:]
    return side[0].kind == "-" and is_left(name) and any(unit.text.isdigit() for unit in _units(name))


def _units(side: Sequence[Lexeme]) -> list[Unit]:
    return [unit for depth, lexeme in nested(side) if lexeme.kind == "word" and not depth for unit in lexeme.data]


def _leaf(equation: Equation, side: Side) -> Leaf:
    return Leaf((), equation.passage.written, side, equation.passage.latex)


def _claim(equation: Equation, left: Side, right: Side, is_step: bool = False) -> Claim:
    written = equation.passage.written
    name, where = left_of(left, written), written.where(left[0].start)
    return Claim(name, (_leaf(equation, right),), (), where, is_step, equation.text, _leaf(equation, left))
