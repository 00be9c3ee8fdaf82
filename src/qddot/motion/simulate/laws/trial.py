"""A law is tried before a run: it is called with numbers, twice in each state, and compared with its traced program.

A Caller says that a law is called from Python, and why it is not compiled.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError
from qddot.base.records import record
from qddot.base.words.message import Words, say
from qddot.motion.simulate.laws.compared import values
from qddot.motion.simulate.laws.law import KeptSignalError, Law, Made, called, program_of


@record(eq=False)
class Caller:
    """A caller has a law that is called from Python, and the reason why it is not compiled.

    remembers: whether the law gave two answers in the same state
    """

    law: Law | Made
    why: Words
    remembers: bool = False

    @property
    def in_order(self) -> bool:
        """Returns whether the law has to be called in order of time, once in each state."""
        return self.remembers or isinstance(self.law, Made)

    def of_arms(self, arms: int) -> list[Law]:
        """Returns the law of each arm of a new run."""
        return [self.law.factory() if isinstance(self.law, Made) else self.law for _ in range(arms)]


def tried(law: Law, n: int, states: Sequence[tuple[Any, ...]]) -> Program | Caller:
    """Returns a law's program, or its caller, which says why it is called, after a trial in states (t, q, q̇ or q̇, z).

    It is called in all states and then in reverse order, since a law that adds up its calls may start again from zero
    whenever it meets the first state.
    raises SimulationError: it fails in the first state, or keeps a signal
    """
    answers = [called(law, n, *states[0]), *(_if_any(law, n, state) for state in states[1:])]
    for before, state in reversed([*zip(answers, states, strict=True)]):
        again = _if_any(law, n, state)
        if not _are_equal(before, again):
            why = say("law-gave-two-answers", before=before, again=again)
            return Caller(law, why, remembers=True)
    try:
        program = program_of(law, n, len(answers[0]) - n, positions=len(states[0][1]))
        differs = _difference(program, states, answers)
    except KeptSignalError:
        raise
    except Exception as error:
        return Caller(law, say("law-not-compiled", problem=error))
    return Caller(law, say("law-not-compiled", problem=differs)) if differs else program


def _if_any(law: Law, n: int, state: tuple[Any, ...]) -> Any:
    """Returns the law's numbers in a state, or None if it fails: a law need not have an answer in every state."""
    with contextlib.suppress(SimulationError), np.errstate(all="ignore"):
        return called(law, n, *state)
    return None


def _are_equal(one: Any, other: Any) -> bool:
    """Returns whether two answers are the same numbers, or both None."""
    return one is other if one is None or other is None else np.array_equal(one, other, equal_nan=True)


def _difference(program: Program, states: Sequence[Any], answers: Sequence[Any]) -> Words:
    """Returns how a law's program differs from the calls, or "" if it does not."""
    torques = values(program, [np.array(part) for part in zip(*states, strict=True)])
    for torque, answer in zip(torques, answers, strict=True):
        if answer is None:
            continue
        if torque.shape != answer.shape or not np.allclose(torque, answer, rtol=1e-9, atol=1e-12, equal_nan=True):
            return say("traced-law-differs", answer=answer, torque=torque)
    return ""
