"""Accepts answers that differ from the exact equations but are also right: another C, another zero of P, another L."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.check.judging.cases import VALID, Case
from qddot.check.judging.given_wholes import Wholes
from qddot.check.judging.lines import torques_too_much
from qddot.check.reading.motion import follows


def accept(wholes: Wholes, cases: Sequence[Case]) -> list[str]:
    """Marks the cases that are another valid choice, and returns sentences with the reasons."""
    sentences = []
    if "C" in wholes.wrong and _gives_bias(wholes):
        skew = "Ṁ − 2C is skew, too" if _is_skew(wholes) else "Ṁ − 2C is not skew"
        sentences.append(
            f"your C is another valid choice than that of Christoffel's symbols: C q̇ = h is proved; {skew}"
        )
        _mark("C", cases)
    for name in ("P", "L"):
        if name in wholes.wrong and _is_of_springs(torques_too_much(wholes, name), wholes):
            sentences.append(f"your {name} has the energy of the springs in it: it gives their torques as well")
            _mark(name, cases)
    if "P" in wholes.wrong and not any(torques_too_much(wholes, "P")):
        sentences.append("your P differs by a constant, which changes no torque")
        _mark("P", cases)
    levels = [case for case in cases if case.quantity == "P_links" and case.difference and _is_constant(case)]
    for case in levels:
        case.verdict = VALID
        sentences.append(f"{case.entry.text[:60]} differs by a constant, which changes no torque")
    if "L" in wholes.wrong and not any(torques_too_much(wholes, "L")):
        sentences.append("your L differs by a term that changes no torque, such as a constant")
        _mark("L", cases)
    for case in cases:
        balance = case.entry.balance
        if balance is not None and case.difference and follows(wholes.ring.convert(balance), wholes.eq, wholes.ring):
            case.verdict = VALID
            sentences.append(f"{case.entry.text[:60]} follows from the equations of motion")
    return sentences


def _is_of_springs(torques: Sequence[Any], wholes: Wholes) -> bool:
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


def _gives_bias(wholes: Wholes) -> bool:
    array = wholes.eq.h
    for row, entry in zip(wholes.matrix("C"), array.entries, strict=True):
        torque: Any = wholes.ring.zero
        for c, rate in zip(row, wholes.rates, strict=True):
            torque = torque + c * rate
        if torque - wholes.ring.convert(entry):
            return False
    return True


def _is_skew(wholes: Wholes) -> bool:
    """Returns whether Ṁ − 2C is skew, with the exact M."""
    n, C = wholes.eq.n, wholes.matrix("C")
    M = Wholes(wholes.eq, wholes.ring, {}, frozenset()).matrix("M")
    rate = wholes.ring.time_derivative
    return not any(rate(M[i][j]) - C[i][j] - C[j][i] for i in range(n) for j in range(i + 1))
