"""Reads the names on the left of equations: M_{12}, D(1,2), C[0][1], Γ_{121}, {}^{0}T_{2}, b_{2,11}, h(q, q̇), τ₁."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qddot.teach.check.reading.names.arm_names import VECTORS, plain
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.texts.written import Written

NAME = re.compile(r"(?P<head>[^\W\d_]+(?:_[^\W\d_]+)*|C2(?=_))[_,]?(?P<index>\d[\d,]*)?")
PARTED = re.compile(r"(?P<head>[^\W\d_]+(?:_[^\W\d_]+)*)(?P<index>(?:_\d+){2,})")
OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")
LEFT = {"word", "number", "power", "^", "'", *OPENING, *CLOSING, ",", ";", "newline", "degree", "*"}
LONGEST_LEFT = 60  # lexemes of a name with its indices and arguments


class Left(NamedTuple):
    """This is a name on the left of an equation.

    key: the name without underscores, as the right sides use it; head: its letters; indices: its numbers, from 1
    cell: the numbers in brackets after it; square: whether these are square; doubled: whether there are two, M[0][1]
    arguments: whether it has arguments, as in g(q); rates: whether these include rates, as in C(q, q̇)
    squared: whether it is the square of a name, as in v_2^2; dots: the number of dots, 1 for ẋ
    """

    key: str
    text: str
    head: str
    indices: tuple[int, ...]
    cell: tuple[int, ...] = ()
    square: bool = False
    doubled: bool = False
    arguments: bool = False
    squared: bool = False
    rates: bool = False
    dots: int = 0


def is_left(side: Sequence[Lexeme]) -> bool:
    """Returns whether a side may be the name of a quantity: one word with indices, arguments and frames."""
    depth, words = 0, 0
    if _has_sum_in_brackets(side):
        return False
    for k, lexeme in enumerate(side):
        depth += (lexeme.kind in OPENING) - (lexeme.kind in CLOSING)
        # (ẋ, ẏ)^T has no name
        is_raised = k > 0 and side[k - 1].kind == "^" and any(each.kind == "," for each in side[:k])
        words += lexeme.kind == "word" and not depth and (words > 0 or not is_raised)
        if not depth and lexeme.kind not in LEFT:
            return False
        if not depth and lexeme.kind == "*" and k + 1 < len(side):  # I2*(…) is a product, M^* is a name
            return False
    return words == 1 and len(side) <= LONGEST_LEFT


def _has_sum_in_brackets(side: Sequence[Lexeme]) -> bool:
    """Returns whether a bracket contains an expression rather than arguments, as in (m1 + m2)*xdd and m(r̈ − r θ̇²)."""
    opened = [k for k, lexeme in enumerate(side) if lexeme.kind == "(" and (not k or side[k - 1].kind != "^")]
    inside = (lexeme for k in opened for lexeme in side[k : _group(side, k)[1]])
    return any(lexeme.kind in ("+", "-", "*", "/", "function") for lexeme in inside)


def left_of(side: Sequence[Lexeme], written: Written) -> Left:
    """Returns the parts of a left side; the head is "" for M^{-1}, T_2^1 and the like, which are not quantities."""
    if named := _of_rates(side):  # as a function, h(q, q̇), so that an arm may have a symbol h
        return Left(named, written.text[side[0].start : side[-1].end].strip(), named, (), arguments=True)
    text, cell, square, groups, others, k = "", list[int](), False, 0, 0, 0
    raised, is_frame = list[str](), False
    while k < len(side):
        lexeme = side[k]
        if lexeme.kind == "word" and not text:
            text = word_of(lexeme)
        elif lexeme.kind in ("power", "number"):
            raised.append(str(lexeme.data))
            is_frame = is_frame or not text
        elif lexeme.kind in OPENING:
            group, end = _group(side, k)
            if k and side[k - 1].kind == "^":
                raised.append(
                    "".join(word_of(each) or written.text[each.start : each.end] for each in side[k + 1 : end])
                )
            elif group and text:
                cell, square, groups = [*cell, *group], lexeme.kind == "[", groups + 1
            others += bool(text and not group and side[k - 1].kind != "^")
            k = end
        k += 1
    text, is_known = _raised(text, raised)
    head, indices = parted(text)
    numbers = tuple(k + square for k in cell) if groups > 1 else tuple(cell)
    side_text = written.text[side[0].start : side[-1].end].strip()
    key = plain(text) + "".join(map(str, numbers))
    head = head if is_known and others <= 1 else ""
    rates = others > 0 and any(map(_is_rate, side[1:]))
    return Left(
        key,
        side_text,
        head,
        indices,
        tuple(cell),
        square,
        groups > 1,
        others > 0,
        raised == ["2"] and not is_frame,
        rates,
    )


def is_velocity_torque(side: Sequence[Lexeme]) -> bool:
    """Returns whether a side is C(q, q̇) q̇, the velocity torques."""
    if side[0].kind != "word" or word_of(side[0]) not in ("C", "c"):
        return False
    k = 1
    while k < len(side) and side[k].kind in ("(", "*"):
        k = _group(side, k)[1] + 1 if side[k].kind == "(" else k + 1
    rest = [lexeme for lexeme in side[k:] if lexeme.kind not in ("newline", "wide", "{", "}")]
    is_whole = len(rest) == 1 and rest[0].kind == "word" and not word_of(rest[0])[-1:].isdigit()
    return is_whole and _is_rate(rest[0])


def _of_rates(side: Sequence[Lexeme]) -> str:
    """Returns "h" for C(q, q̇) q̇, and in the configuration-space form "products" for B(q)[q̇ q̇] and "squares" for
    C(q)[q̇²], else ""."""
    if is_velocity_torque(side):
        return "h"
    opening = max((k for k, lexeme in enumerate(side) if lexeme.kind in ("[", "(")), default=0)  # \left[ is "("
    if not opening or side[-1].kind not in ("]", ")") or side[0].kind != "word":
        return ""
    inside = [lexeme for lexeme in side[opening + 1 : -1] if lexeme.kind not in ("{", "}")]
    rates = [lexeme for lexeme in inside if lexeme.kind == "word" and _is_rate(lexeme)]
    others = [lexeme for lexeme in inside if lexeme not in rates]
    is_squared = [(each.kind, each.data) for each in others] in ([("power", 2)], [("^", None), ("number", 2)])
    if word_of(side[0]) == "B" and len(rates) == 2 and not others:
        return "products"
    return "squares" if word_of(side[0]) == "C" and len(rates) == 1 and is_squared else ""


def _is_rate(lexeme: Lexeme) -> bool:
    """Returns whether a lexeme is a column or an entry of rates: q̇, qd, dq1, or the prime of q'."""
    if lexeme.kind != "word":
        return lexeme.kind == "'"
    return (
        any(unit.dots == 1 for unit in lexeme.data)
        or VECTORS.get(plain(word_of(lexeme)).rstrip("0123456789")) == "rate"
    )


def _raised(text: str, raised: Sequence[str]) -> tuple[str, bool]:
    """Returns a name with its superscript, and whether the superscript is known: the base's 0, C^{(2)}, τ^s and τ^f."""
    if not raised or list(raised) == ["0"]:
        return text, True
    if list(raised) == ["(2)"] and text.startswith("C"):
        return re.sub(r"^C_?", "C2_", text), True
    effect = {"s": "springs", "f": "friction"}.get(raised[0])
    is_known = effect is not None and len(raised) == 1 and text.startswith("tau")
    return (text.replace("tau", str(effect)), True) if is_known else (text, False)


def parted(text: str) -> tuple[str, tuple[int, ...]]:
    """Returns the letters of a name and its indices: C and 1, 2, 1 for C_121."""
    if match := PARTED.fullmatch(text):
        return plain(match["head"]), tuple(int(k) for k in match["index"].split("_") if k)
    match = NAME.fullmatch(text)
    if match is None:
        return text, ()
    index = match["index"] or ""
    # b_2,11 has three indices, M_1,10 has two
    parts = [part for part in index.split(",") if part]
    return plain(match["head"]), tuple(int(k) for part in parts for k in (part if "0" not in part else [part]))


def of_component(text: str) -> tuple[int, ...]:
    """Returns 11 and 1 for f_11,1, the first component of link 11, or nothing for a name of another form."""
    match = re.search(r"_(\d+),(\d)$", text.replace("{", "").replace("}", ""))
    return tuple(map(int, match.groups())) if match else ()


def _group(side: Sequence[Lexeme], start: int) -> tuple[list[int], int]:
    """Returns the numbers of a bracket if it contains nothing else, and the place where it closes."""
    depth, numbers, others = 0, list[int](), False
    for k in range(start, len(side)):
        lexeme = side[k]
        depth += (lexeme.kind in OPENING) - (lexeme.kind in CLOSING)
        if lexeme.kind == "number" and lexeme.data.denominator == 1:
            numbers.append(int(lexeme.data))
        elif lexeme.kind not in (*OPENING, *CLOSING, ",", "newline"):
            others = True
        if not depth:
            return ([] if others else numbers), k
    return [], len(side)


def names_in_column(side: Sequence[Lexeme], written: Written) -> Iterator[Left]:
    """Yields the names of a side that is a column of names, such as [x; y], or one name with a dot."""
    signs = [lexeme for lexeme in side if lexeme.kind not in ("newline", "wide")]
    names: list[list[Lexeme]] = [[]]
    if signs and signs[0].kind in ("begin", "[", "(") and signs[-1].kind in ("end", "]", ")"):
        for lexeme in signs[1:-1]:
            if lexeme.kind in ("row", ";", ",", "&"):
                names.append([])
            else:
                names[-1].append(lexeme)
        names = [name for name in names if name]
    elif _dots(signs):
        names = [signs]
    dots = {_dots(name) for name in names}
    if len(dots) == 1 and all(map(is_left, names)):
        yield from (left_of(name, written)._replace(dots=_dots(name)) for name in names)


def _dots(side: Sequence[Lexeme]) -> int:
    return sum(map(dots_of, side))


def rate_of(left: Left) -> Left:
    """Returns ωdot_1 for ω̇_1, a name of the accelerations of a link."""
    head = f"{left.head}dot"
    return left._replace(head=head, key=left.key.replace(left.head, head, 1))
