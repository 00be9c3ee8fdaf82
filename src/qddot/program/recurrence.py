"""Recurrence: two programs that together step a state, for as long as it is asked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from qddot.program.program import Program, ProgramError

PORTS = ("state", "inner", "row", "parameters")
RUNNING, BLOWN_UP, GUARDED = 0, 1, 2  # how it is with a lane; guard k of those that stop one is GUARDED + k
STATUS, STEPS, UNSETTLED = 0, 1, 2  # columns of the log: how it is, steps done, the first step that did not settle


@dataclass(frozen=True)
class Recurrence:
    """In every step the inner program runs some times, then the outer one gives the next state.

    Both take the ports `state` (m,), `inner` (k,), `row` (r,) and `parameters` (p,). `inner` gives what takes
    the inner's place; `outer` gives the state and `guards`, and a guard above zero, or a state that is not
    finite, stops the lane before the step. start: the element of the state with which each of the inner's
    begins. repeats: how often the inner program runs, each time with its own row; with a tolerance, at most,
    with one row a step, until no element changes by more than tolerance · (1 + its size).
    """

    inner: Program
    outer: Program
    start: tuple[int, ...]
    repeats: int
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        names = [tuple(port.name for port in program.inputs) for program in (self.inner, self.outer)]
        if names != [PORTS, PORTS] or self.inner.inputs != self.outer.inputs:
            raise ProgramError(f"a recurrence with the ports {names}", expected=", ".join(PORTS))
        sizes = [port.size for port in (*self.inner.outputs, self.outer.outputs[0])]
        if sizes != [self.inner_size, self.state_size] or len(self.start) != self.inner_size:
            raise ProgramError("a recurrence whose outputs do not fit its inputs", expected="the same sizes")

    @property
    def state_size(self) -> int:
        return self.inner.inputs[0].size

    @property
    def inner_size(self) -> int:
        return self.inner.inputs[1].size

    @property
    def row_size(self) -> int:
        return self.inner.inputs[2].size

    @property
    def parameter_size(self) -> int:
        return self.inner.inputs[3].size

    @property
    def stages(self) -> int:
        """Rows a step."""
        return 1 if self.tolerance else self.repeats

    @property
    def hash(self) -> str:
        """Of all that the code depends on."""
        parts = (self.inner.hash, self.outer.hash, str(self.start), str(self.repeats), repr(self.tolerance))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()
