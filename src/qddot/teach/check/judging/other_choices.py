"""Accepts answers that differ from the exact equations but are also right: another C, another zero of P, another L."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any

from qddot.algebra.spatial import inner
from qddot.base.errors import visible
from qddot.base.words.message import Message, say
from qddot.physics.algorithms.cramer import determinant
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.check.judging.cases import OPEN, VALID, Case
from qddot.teach.check.judging.closed_loops import loops_of
from qddot.teach.check.judging.lines import excess_torques
from qddot.teach.check.judging.whole_quantities import WholeQuantities
from qddot.teach.check.reading.exact.motion import follows


def accept(wholes: WholeQuantities, cases: Sequence[Case]) -> list[Message]:
    """Marks the cases that are another valid choice, and returns sentences with the reasons."""
    sentences = list[Message]()
    if "C" in wholes.wrong and _gives_bias(wholes):
        sentences.append(say("choice-of-c", skew=say("is-skew" if _is_skew(wholes) else "is-not-skew")))
        _mark("C", cases)
    for name in ("P", "L") if wholes.eq.has_lagrangian else ():
        if name in wholes.wrong and _is_of_springs(excess_torques(wholes, name), wholes):
            sentences.append(say("choice-with-springs", quantity=name))
            _mark(name, cases)
    if "P" in wholes.wrong and wholes.eq.has_lagrangian and not any(excess_torques(wholes, "P")):
        sentences.append(say("choice-of-p"))
        _mark("P", cases)
    frames = _links_with_other_frames(wholes, cases)
    sentences += [say("choice-of-frame", name=f"T_{k + 1}") for k in frames]
    for case in cases:
        if case.quantity == "T" and case.place[0] in frames and case.difference:
            case.verdict = VALID
    levels = [case for case in cases if case.quantity == "P_links" and case.difference and _is_constant(case)]
    for case in levels:
        case.verdict = VALID
        sentences.append(say("choice-of-level", text=visible(case.entry.text[:60])))
    if "L" in wholes.wrong and wholes.eq.has_lagrangian and not any(excess_torques(wholes, "L")):
        sentences.append(say("choice-of-l"))
        _mark("L", cases)
    sentences += list(_of_loops(wholes, cases))
    driven = [case.place[0] for case in cases if case.quantity == "tau" and case.entry.balance is None]
    for case in cases:
        balance = case.entry.balance
        if balance is None or not case.difference:
            continue
        if follows(wholes.ring.convert(balance), wholes.eq, wholes.ring, driven):
            case.verdict = VALID
            sentences.append(say("choice-of-equation", text=visible(case.entry.text[:60])))
    return sentences


def _of_loops(wholes: WholeQuantities, cases: Sequence[Case]) -> Iterator[Message]:
    """Marks other conditions that are zero where the loops of a chain are closed, and yields sentences about them."""
    loops = loops_of(wholes.eq)
    if loops is None:
        return
    for case in cases:
        if case.quantity == OPEN and case.difference and case.numerator and loops.vanishes(case.numerator):
            case.verdict = VALID
            yield say("choice-of-condition", name=case.name)
    if "A" in wholes.wrong and isinstance(wholes.eq, ChainQuantities):
        places, shape = wholes.places("A"), wholes.eq.array("A").shape
        rows = [[places[i, k] for k in range(shape[1])] for i in range(shape[0])]
        R = [[wholes.ring.convert(entry) for entry in row] for row in wholes.eq.array("R").nested]
        products = (inner(row, column) for row in rows for column in zip(*R, strict=True))
        dependent = [[row[k] for k in wholes.eq.reduced.choice.dependent] for row in rows]
        if all(map(wholes.vanishes, products)) and not wholes.vanishes(determinant(dependent)):
            _mark("A", cases)
            yield say("choice-of-a")


def _links_with_other_frames(wholes: WholeQuantities, cases: Sequence[Case]) -> list[int]:
    """Returns the links whose answered poses are those of other frames, as Denavit and Hartenberg place them.

    Such a frame is fixed in the link, with its axes along those of the link's frame; its origin is that of the link's
    frame, of the next frame or of the tool. The axes of the base may be in another order, the same for all links.
    """
    answered = {case.place: case.yours for case in cases if case.quantity == "T" and case.yours is not None}
    wrong = sorted({case.place[0] for case in cases if case.quantity == "T" and case.difference})
    if not wrong or any((k, i, j) not in answered for k in wrong for i in range(3) for j in range(4)):
        return []
    eq, convert = wholes.eq, wholes.ring.convert
    T, poses = eq.array("T"), list[list[list[Any]]]()
    for k in range(len(eq.model.bodies)):
        poses.append([[convert(T[k, i, j].entries[0]) for i in range(3)] for j in range(4)])
    poses.append([[convert(eq.T_tool[i, j].entries[0]) for i in range(3)] for j in range(4)])
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):

        def in_base(column: Sequence[Any], order: Sequence[int] = order, signs: Sequence[int] = signs) -> list[Any]:
            return [sign * column[i] for sign, i in zip(signs, order, strict=True)]

        if _is_proper(order, signs) and all(_is_of_link(answered, k, poses, in_base) for k in wrong):
            return wrong
    return []


def _is_proper(order: Sequence[int], signs: Sequence[int]) -> bool:
    """Returns whether axes in another order and direction are right-handed."""
    turns = sum(a > b for a, b in combinations(order, 2)) + signs.count(-1)
    return turns % 2 == 0


def _is_of_link(
    answered: Mapping[tuple[int, ...], Any], k: int, poses: Sequence[Sequence[Any]], in_base: Callable[[Any], list[Any]]
) -> bool:
    columns = [[answered[k, i, j] for i in range(3)] for j in range(4)]
    axes = [in_base(axis) for axis in poses[k][:3]]
    origins = [in_base(poses[k][3]), in_base(poses[k + 1][3])]
    turned = all(any(_is_along(column, axis) for axis in axes) for column in columns[:3])
    return turned and any(not any(a - b for a, b in zip(columns[3], place, strict=True)) for place in origins)


def _is_along(column: Sequence[Any], axis: Sequence[Any]) -> bool:
    pairs = list(zip(column, axis, strict=True))
    return not any(a - b for a, b in pairs) or not any(a + b for a, b in pairs)


def _is_of_springs(torques: Sequence[Any], wholes: WholeQuantities) -> bool:
    """Returns whether torques are those of the arm's springs."""
    springs = [wholes.ring.convert(entry) for entry in wholes.eq.array("springs").entries]
    return any(springs) and not any(a - b for a, b in zip(torques, springs, strict=True))


def _is_constant(case: Case) -> bool:
    """Returns whether an answered energy differs from the exact one by a constant."""
    return all(generator.kind == "symbol" for generator in case.difference.generators())


def _mark(name: str, cases: Sequence[Case]) -> None:
    for case in cases:
        if case.quantity == name and case.difference:
            case.verdict = VALID


def _gives_bias(wholes: WholeQuantities) -> bool:
    array = wholes.eq.h
    for row, entry in zip(wholes.matrix("C"), array.entries, strict=True):
        torque: Any = wholes.ring.zero
        for c, rate in zip(row, wholes.rates, strict=True):
            torque = torque + c * rate
        if not wholes.vanishes(torque - wholes.ring.convert(entry)):
            return False
    return True


def _is_skew(wholes: WholeQuantities) -> bool:
    """Returns whether Ṁ − 2C is skew, with the exact M."""
    n, C = wholes.eq.n, wholes.matrix("C")
    M = WholeQuantities(wholes.eq, wholes.ring, {}, frozenset()).matrix("M")
    return all(wholes.vanishes(wholes.eq.rate(M[i][j]) - C[i][j] - C[j][i]) for i in range(n) for j in range(i + 1))
