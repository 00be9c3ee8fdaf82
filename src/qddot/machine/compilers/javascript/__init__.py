"""Writes programs as an ES module with its TypeScript types; it has no dependencies and tests itself when it is loaded.

No identifier comes from the user: functions have the names of their programs; arguments have a name in OWN, or p
and their number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from qddot.algebra.program.program import Program, ProgramError
from qddot.algebra.program.recurrence import Recurrence
from qddot.machine.compilers.exported import TOLERANCE, Origin, entry, vectors
from qddot.machine.compilers.javascript.script import JavaScript
from qddot.machine.compilers.polynomials import COS, LARGEST_SPLIT, SHIFT, SIN, SPLIT_HALF_PI
from qddot.machine.compilers.printer import Tests

REALS = ("double",)
SELF_TEST = f"""
for (const [name, call, inputs, outputs] of [
%s
]) {{
  const result = call(...inputs);
  const results = [outputs.length > 1 ? result : [result]].flat();
  outputs.forEach((right, k) => right.forEach((due, i) => {{
    const value = typeof results[k] === "number" ? results[k] : results[k][i];
    if (!(Math.abs(value - due) <= {TOLERANCE["double"]!r} * (1 + Math.abs(due))))
      throw new Error(`${{name}} computes ${{value}} instead of ${{due}}: this file is damaged; export it again`);
  }}));
}}
"""
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


def _horner(coefficients: Sequence[float]) -> str:
    """Returns a polynomial in z; coefficients: from the highest power down"""
    text = repr(coefficients[0])
    for value in coefficients[1:]:
        text = f"({text}) * z + {value!r}"
    return text


def _reduced(parts: Sequence[float]) -> str:
    """Returns x − k π/2, where the largest part of π/2 is subtracted first."""
    text = "x"
    for part in parts:
        text = f"({text} - k * {part!r})"
    return text


# a third faster than Math.sin and Math.cos, to which large angles, ∞ and NaN are left; JavaScript rounds products, so
# that an angle is reduced by parts of π/2 whose products with small integers are exact
SINCOS = f"""
function sincos(count) {{
  for (let i = 0; i < count; i++) {{
    const x = angles[i];
    if (!(x <= {LARGEST_SPLIT!r} && x >= {-LARGEST_SPLIT!r})) {{
      sines[i] = Math.sin(x);
      cosines[i] = Math.cos(x);
      continue;
    }}
    const k = x * {2 / math.pi!r} + {SHIFT!r} - {SHIFT!r};
    const r = {_reduced(SPLIT_HALF_PI)};
    const z = r * r;
    const s = r + r * z * ({_horner(SIN)});
    const c = 1 - 0.5 * z + z * z * ({_horner(COS)});
    sines[i] = k & 2 ? -(k & 1 ? c : s) : k & 1 ? c : s;
    cosines[i] = (k + 1) & 2 ? -(k & 1 ? s : c) : k & 1 ? s : c;
  }}
}}
""".strip("\n")


def files(programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str = "double") -> dict[str, str]:
    """Returns one module with some functions, and its types, by file name; all numbers are double."""
    js = JavaScript(programs, origin, name, tests, real)
    tested = f"Self-test: node {name}.mjs fails if a value is wrong, as does each import of it."
    head = "\n".join([f"/* {origin}", *(f" * {line}" for line in (tested, *origin.joints.lines(entry))), " */"])
    return {
        f"{name}.mjs": "\n".join([head, *_code(js, has_comments=True)]) + "\n",
        f"{name}.d.mts": "\n".join([head, *_types(js)]) + "\n",
    }


def module(programs: Sequence[Program]) -> str:
    """Returns the module without comments, so that it contains no text from a robot's description."""
    tests = {program.name: vectors(program) for program in programs}
    return "\n".join(_code(JavaScript(programs, Origin("", "", ""), "", tests, "double"), has_comments=False)) + "\n"


def stepper(recurrence: Recurrence, stages: Sequence[Sequence[float]], *others: Program) -> str:
    """Returns a module with a recurrence's `step`, which `stepping` writes, and other functions."""
    return module([recurrence.inner, recurrence.outer, *others]) + stepping(recurrence, stages)


def _code(js: JavaScript, has_comments: bool) -> Iterator[str]:
    sizes = {"frame": js.frame, **dict.fromkeys(("angles", "sines", "cosines"), js.angles)}
    sizes["single"] = int(any(map(js.is_number, js.programs)))
    yield from (f"const {name} = new Float64Array({size});" for name, size in sizes.items() if size)
    if js.angles:
        yield SINCOS
    for program in js.programs:
        if has_comments:
            yield from js.comment(program)
        yield from js.functions(program)
    if trials := list(js.trials()):
        yield SELF_TEST.strip("\n") % "\n".join(trials)


def _types(js: JavaScript) -> Iterator[str]:
    for program in js.programs:
        yield from ("", *js.comment(program), js.declaration(program))


def stepping(recurrence: Recurrence, stages: Sequence[Sequence[float]]) -> str:
    """Returns the function `step(t, h, state, parameters)`, which advances a state by h seconds.

    stages: each stage's row of the recurrence at t = 0 and h = 1; in a step it is h times this, with t added to the
        first element
    raises ProgramError: the recurrence iterates until convergence, or has a sampled program
    """
    if recurrence.tolerance or recurrence.sampled or len(stages) != recurrence.repeats:
        raise ProgramError("recurrence-not-exported")
    guards = recurrence.outer.outputs[1].size
    sizes = (recurrence.row_size, recurrence.state_size, guards)
    return STEP % (list(recurrence.start), [list(row) for row in stages], *sizes)
