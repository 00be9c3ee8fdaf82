"""Decides which differences may come from the reading rather than from the answer; they are not counted as mistakes.

An answer is called wrong only where it is certain what it says. Nearly every mistake of a person is one slip, so that a
difference without a known slip is more likely a name with another meaning, if names were guessed or parts are unread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from qddot.base.words.message import Message, say
from qddot.exact.equations.quantities import Quantities
from qddot.formats.confusions.of_arms import DIRECTIONS
from qddot.teach.check.judging.cases import DIFFERENT, UNDECIDED, Case
from qddot.teach.check.judging.mistakes import Mistake
from qddot.teach.check.reading.answer import Answer
from qddot.teach.check.reading.exact.motion import follows
from qddot.teach.check.reading.names.letters import CALLED

OF_GRAVITY = {each.name for each in DIRECTIONS}
ENERGIES = {"K", "P", "L", "E"}
OF_ACCELERATIONS = ("rate for acceleration", "units")  # mistakes that leave no acceleration in a torque
FEWEST_ACCELERATIONS = 2  # terms with accelerations, of which a person does not forget all


def uncertain(
    eq: Quantities, answer: Answer, cases: Sequence[Case], wrong: Sequence[Case], mistakes: Sequence[Mistake]
) -> Iterator[tuple[Case, Message]]:
    """Yields the wrong entries that are not certainly wrong, each with the reason."""
    elsewhere = _driven_elsewhere(eq, answer, cases) if wrong and answer.assumed_drive is not None else None
    nonzero = {case.quantity for case in cases if case.exact}
    guessed = answer.guessed - _confirmed(cases)
    clean = {key for each in mistakes if not (each.partly or each.contradicts) for key in each.explains}
    clean -= {case.key for case in wrong if case.quantity in guessed and _only(mistakes, case, OF_GRAVITY)}
    is_explained = any(case.key in clean for case in wrong)
    for case in wrong:
        if case.has_too_many_decimals:
            yield case, say("doubt-decimals")
        elif elsewhere is not None and case.entry.balance is not None:
            yield case, say("doubt-drive", joint=eq.velocities[elsewhere], torque=f"tau{elsewhere + 1}")
        elif _lacks_accelerations(case) and not _any(mistakes, case, OF_ACCELERATIONS):
            yield case, say("doubt-accelerations")
        elif case.quantity in guessed and not (is_explained and case.quantity in nonzero):
            yield case, say("doubt-name", quantity=CALLED.get(case.quantity, case.quantity))
        elif answer.has_state and case.yours and not case.yours.generators() and _moves(case):
            yield case, say("doubt-state")
        elif answer.unread and not is_explained:
            yield case, say("doubt-unread")


def follow_in_doubt(
    carried: Iterable[Mistake], wrong: Sequence[Case], certain: Collection[str]
) -> Iterator[tuple[Case, Message]]:
    """Yields the wrong entries that follow from a quantity of the answer that is not certainly wrong, with the reason.

    certain: the quantities with certainly wrong entries
    """
    for mistake in carried:
        if (source := mistake.words["source"]) not in certain:
            doubt = say("doubt-carried", source=source)
            yield from ((case, doubt) for case in wrong if case.key in mistake.explains)


def _driven_elsewhere(eq: Quantities, answer: Answer, cases: Sequence[Case]) -> int | None:
    """Returns the joint for which all equations with accelerations hold if the only torque acts there, or None."""
    balances = [(case.entry.balance, case.exact.ring) for case in cases if case.entry.balance is not None]

    def hold_at(joint: int) -> bool:
        acts_at = [joint if k == answer.assumed_drive else k for k in range(eq.n)]
        return all(follows(ring.convert(balance), eq, ring, (), acts_at) for balance, ring in balances)

    others = (joint for joint in range(eq.n) if joint != answer.assumed_drive)
    return next((joint for joint in others if balances and hold_at(joint)), None)


def _confirmed(cases: Sequence[Case]) -> set[str]:
    """Returns the quantities whose letters were certainly read correctly, since an entry is right.

    One right energy confirms the letters of all energies.
    """
    right = {case.quantity for case in cases if case.exact and case.verdict not in (DIFFERENT, UNDECIDED)}
    return right | (ENERGIES if right & ENERGIES else set())


def _lacks_accelerations(case: Case) -> bool:
    """Returns whether a torque has no accelerations where several terms should have some."""
    if (
        case.quantity != "tau"
        or case.entry.balance is not None
        or case.entry.exact is not None
        or "qdd" in _kinds(case)
    ):
        return False
    accelerations = [k for k, generator in enumerate(case.exact.ring.generators) if generator.kind == "qdd"]
    moving = sum(any(exponents[k] for k in accelerations) for exponents, _ in case.exact.terms())
    return moving >= FEWEST_ACCELERATIONS


def _kinds(case: Case) -> set[str]:
    return {generator.kind for part in (case.numerator, case.denominator) for generator in part.generators()}


def _moves(case: Case) -> bool:
    """Returns whether the right entry depends on the state."""
    return any(generator.kind in ("q", "qd", "qdd", "cos", "sin") for generator in case.exact.generators())


def _any(mistakes: Sequence[Mistake], case: Case, kinds: Collection[str]) -> bool:
    return any(each.kind in kinds for each in mistakes if case.key in each.explains)


def _only(mistakes: Sequence[Mistake], case: Case, kinds: Collection[str]) -> bool:
    return all(each.kind in kinds for each in mistakes if case.key in each.explains)
