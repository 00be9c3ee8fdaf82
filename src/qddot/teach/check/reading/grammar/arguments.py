"""Reads brackets after a name that contain only coordinates, rates or indices: M(q, q̇), c(θ_1 + θ_2), D(1,2), q[0]."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.teach.check.reading.grammar.cursor import Cursor
from qddot.teach.check.reading.names.arm_names import ArmNames
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.syntax import MOTIONS


def end_of_arguments(signs: Sequence[Lexeme], start: int, names: ArmNames) -> int:
    """Returns where the brackets at a place end, if they contain only coordinates and rates, else 0."""
    depth, k = 0, start
    while k < len(signs) and (depth or k == start):
        lexeme = signs[k]
        depth += (lexeme.kind in ("(", "{")) - (lexeme.kind in (")", "}"))
        is_between = lexeme.kind in ("(", ")", "{", "}", ",", "'")
        if not (is_between or (lexeme.kind == "word" and depth and _is_motion(lexeme, names))):
            return 0
        k += 1
    return k if k > start + 1 and not depth and signs[start].kind == "(" else 0


def skip_arguments(cursor: Cursor, names: ArmNames) -> None:
    """Moves past the (q, q̇) of M(q, q̇), brackets that contain only coordinates and rates."""
    cursor.next = end_of_arguments(cursor.lexemes, cursor.next, names) or cursor.next


def indices_after(signs: Sequence[Lexeme], start: int, first: int) -> tuple[list[int], int]:
    """Returns the indices in the brackets at a place, counted from 1, and the place after the brackets.

    first: the number that stands for the first index, 0 or 1
    There are no indices if the brackets contain anything else; in M[0][1] they are in two pairs of brackets.
    """
    numbers, k, is_closed = list[int](), start, False
    while signs[k].kind in ("(", "[", ","):
        k, is_closed = k + 1, False
        number = signs[k] if k < len(signs) else None
        if number is None or number.kind != "number" or number.data.denominator != 1 or k + 1 >= len(signs):
            return [], start
        numbers.append(int(number.data) + 1 - first)
        k += 1
        if signs[k].kind in (")", "]"):
            k, is_closed = k + 1, True
            if k >= len(signs) or signs[k].kind != "[":
                break
    return (numbers, k) if is_closed else ([], start)


def is_angle(signs: Sequence[Lexeme], names: ArmNames) -> bool:
    """Returns whether the first brackets contain only coordinates, as in c(θ_1 + θ_2)."""
    depth = 0
    for lexeme in signs:
        depth += (lexeme.kind == "(") - (lexeme.kind == ")")
        if not depth:
            return True
        text = word_of(lexeme)
        if lexeme.kind not in ("(", ")", "+", "-", "number") and not (text and names.coordinate(text)):
            return False
    return False


def _is_motion(lexeme: Lexeme, names: ArmNames) -> bool:
    text, dots = word_of(lexeme), dots_of(lexeme)
    return (
        text == "t"
        or names.vector(text, dots) is not None
        or names.coordinate(text) is not None
        or any(each.kind in MOTIONS for each in names.readings(text))
    )
