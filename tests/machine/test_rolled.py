"""What repeats in a long program is computed by loops, and is what the program computes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from physical import close, physical
from robots_by_size import chain_in_numbers

import qddot
from qddot.algebra.program.program import Program
from qddot.machine.compilers import blocks, rolled
from qddot.machine.compilers.batch import BatchFunction
from qddot.machine.compilers.llvm import Kernel, engine, ir, loops, vectors
from qddot.machine.compilers.rolled import VALUE

STATES = 37


@pytest.fixture
def short_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops in programs of any length, parts of 40 steps, bands of sixteen columns."""
    monkeypatch.setattr(rolled, "FEWEST", 3)
    monkeypatch.setattr(rolled, "LEAST", 0)
    monkeypatch.setattr(loops, "BAND", 16)
    for name, value in (("LONGEST", 0), ("LONGEST_IN_FEW_REGISTERS", 0), ("SIZE", 40)):
        monkeypatch.setattr(ir, name, value)


def arrays(program: Program) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.uniform(-3, 3, (STATES, port.size)) for port in program.inputs]


@cache
def program_of(name: str) -> Program:
    """M of a long chain, of which each entry above the diagonal is two results; the other functions of a short one."""
    return (chain_in_numbers(13) if name == "mass_matrix" else physical(qddot.load("puma560"))).program(name)


def right(program: Program) -> list[np.ndarray]:
    outputs = [np.empty((STATES, port.size)) for port in program.outputs]
    blocks.BlockKernel(program).run(arrays(program), outputs, 0, STATES)
    return outputs


FUNCTIONS = (
    "mass_matrix",
    "coriolis_matrix",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "jacobian",
)


@pytest.mark.usefixtures("short_loops")
@pytest.mark.parametrize(
    ("name", "dtype"), [*((name, "float64") for name in FUNCTIONS), ("mass_matrix", "float32"), ("jacobian", "float32")]
)
def test_loops_compute_what_the_program_computes(name: str, dtype: str) -> None:
    program = program_of(name)
    text, _ = ir.module(program, vectors(program, dtype))
    assert "@loop.0(" in text
    code = engine.Loaded(engine.object_code(text, 1))
    function = BatchFunction(program.interface, Kernel(program.interface, dtype, code), dtype)
    given, expected = [x.astype(dtype) for x in arrays(program)], right(program)
    for count in (1, 3, 8, STATES):
        result = function(*(x[:count] for x in given))
        for one, whole in zip(result if isinstance(result, tuple) else [result], expected, strict=True):
            close(one.reshape(count, -1), whole[:count], 1e-11 if dtype == "float64" else 1e-5)


@pytest.mark.usefixtures("short_loops")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_head_and_loops_are_the_program(name: str) -> None:
    """In whole arrays, one after the other: each loop reads only what the head and the loops before it computed."""
    program = program_of(name)
    rolled_program = rolled.rolled(program)
    assert rolled_program and rolled_program.loops
    values = [np.empty((STATES, rolled_program.head.outputs[0].size))]
    blocks.BlockKernel(rolled_program.head).run(arrays(program), values, 0, STATES)
    known = dict(zip(rolled_program.heads, values[0].T, strict=True))
    for loop in rolled_program.loops:
        turns = [turn(loop.shape, [known[place] for place in taken]) for taken in loop.operands]
        assert not known.keys() & set(loop.computed)
        known |= dict(zip(loop.computed, turns, strict=True))
    for (_, places), expected in zip(program.result_slices(), right(program), strict=True):
        close(np.array([known[place] for place in places]).T, expected)


def turn(shape: rolled.Shape, taken: list[np.ndarray]) -> np.ndarray:
    """The value of one turn, in whose expressions operators stand after their arguments."""
    waiting, values = list[np.ndarray](), iter(taken)
    for op in shape:
        if op == VALUE:
            waiting.append(next(values))
        elif op == "neg":
            waiting.append(-waiting.pop())
        else:
            b, a = waiting.pop(), waiting.pop()
            waiting.append({"add": np.add, "sub": np.subtract, "mul": np.multiply}[op](a, b))
    return waiting.pop()


def test_programs_of_few_operations_have_no_loops() -> None:
    """Straight lines run faster, and short ones compile quickly."""
    program = physical(qddot.load("puma560")).program("coriolis_matrix")
    assert "@loop.0(" not in ir.module(program, vectors(program, "float64"))[0]
