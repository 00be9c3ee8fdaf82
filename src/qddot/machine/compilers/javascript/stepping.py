"""Writes a recurrence in JavaScript: the function `step`, which calls those of the recurrence's two programs."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.program.program import ProgramError
from qddot.algebra.program.recurrence import Recurrence

STEP = """
const start = %s;
const stages = %s;
const row = new Float64Array(%d);
const stage = [new Float64Array(start.length), new Float64Array(start.length)];
const next = new Float64Array(%d), guards = new Float64Array(%d);
export function step(t, h, state, parameters) {
  let [from, to] = stage;
  for (let i = 0; i < start.length; i++) from[i] = state[start[i]];
  for (const times of stages) {
    for (let i = 0; i < row.length; i++) row[i] = h * times[i];
    row[0] += t;
    inner(state, from, row, parameters, to);
    [from, to] = [to, from];
  }
  outer(state, from, row, parameters, next, guards);
  state.set(next);
}
""".lstrip("\n")


def stepping(recurrence: Recurrence, stages: Sequence[Sequence[float]]) -> str:
    """Returns the function `step(t, h, state, parameters)`, which advances a state by h seconds.

    stages: each stage's row of the recurrence at t = 0 and h = 1; in a step it is h times this, with t added to the
        first element
    raises ProgramError: the recurrence iterates until convergence, or has a sampled program
    """
    if recurrence.tolerance or recurrence.sampled or len(stages) != recurrence.repeats:
        raise ProgramError("a recurrence that cannot be exported", expected="fixed stages and no sampled program")
    guards = recurrence.outer.outputs[1].size
    sizes = (recurrence.row_size, recurrence.state_size, guards)
    return STEP % (list(recurrence.start), [list(row) for row in stages], *sizes)
