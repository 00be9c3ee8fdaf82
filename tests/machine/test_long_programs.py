"""Long programs are compiled in parts, and compute what short ones compute."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from physical import close, physical, states
from robots_by_size import chain_in_numbers

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.interpreter import evaluated
from qddot.algebra.program.program import Node, Program
from qddot.machine.compilers import blocks, order
from qddot.machine.compilers.batch import BatchFunction
from qddot.machine.compilers.llvm import Kernel, engine, ir, vectors
from qddot.machine.compilers.order import IN_MEMORY, steps
from qddot.machine.compilers.parts import parts
from qddot.physics.of_model import dynamics_of


def in_parts(program: Program, dtype: str, effort: int, monkeypatch: pytest.MonkeyPatch) -> BatchFunction:
    """The program in parts of 40 steps, whatever its length; the cache, which knows whole ones, is passed over."""
    monkeypatch.setattr(ir, "LONGEST", 0)
    monkeypatch.setattr(ir, "SIZE", 40)
    monkeypatch.setattr(ir, "BLOCK", 15)
    monkeypatch.setattr(ir, "LONGEST_IN_FEW_REGISTERS", 0)
    text, _ = ir.module(program, vectors(program, dtype))
    assert "@part.2(" in text
    code = engine.Loaded(engine.object_code(text, effort))
    return BatchFunction(program.interface, Kernel(program.interface, dtype, code), dtype)


@pytest.mark.parametrize(
    ("name", "dtype", "effort"),
    [
        ("inverse_dynamics", "float64", 2),
        ("forward_dynamics_derivatives", "float64", 2),
        ("state_derivative", "float32", 1),
        ("mass_matrix", "float32", 1),
    ],
)
def test_parts_compute_what_the_whole_computes(
    name: str, dtype: str, effort: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = physical(qddot.load("puma560")).program(name)
    arrays = np.random.default_rng(0).normal(size=(len(program.inputs), 29, 6)).astype(dtype)
    arrays[0, 4, 2] = 1e12  # beyond the vector reduction: the library's sine
    arrays[0, 7, 1] = np.nan
    right = [np.empty((29, port.size)) for port in program.outputs]
    blocks.BlockKernel(program).run(list(arrays), right, 0, 29)
    function = in_parts(program, dtype, effort, monkeypatch)
    for count in (1, 3, 8, 29):
        result = function(*arrays[:, :count])
        for one, whole in zip(result if isinstance(result, tuple) else [result], right, strict=True):
            assert one.dtype == dtype
            assert np.isnan(one[7:8]).any() == (count > 7)
            close(
                np.nan_to_num(one.reshape(count, -1)),
                np.nan_to_num(whole[:count]),
                1e-11 if dtype == "float64" else 1e-6,
            )


def test_a_chain_of_24_joints_is_as_the_physics_in_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = chain_in_numbers(24)
    q, qd, qdd = states(arm, 5)
    function = in_parts(arm.program("inverse_dynamics"), "float64", 1, monkeypatch)
    torques = function(q, qd, qdd)
    for k in range(5):
        named = [dict(zip(arm.model.coordinates, x[k], strict=True)) for x in (q, qd, qdd)]
        close(torques[k], dynamics_of(arm.model, Floats(arm.model.defaults(), *named)).inverse_dynamics(), 1e-11)


def test_every_slot_of_the_frame_holds_one_value_at_a_time() -> None:
    program = physical(qddot.load("ur5")).program("forward_dynamics")
    cut, size = parts(program.nodes, steps(program), {}, 30)
    holds: dict[int, int] = {}
    for part in cut:
        assert all(holds[slot] == place for place, slot in part.loads.items())
        holds |= {slot: place for place, slot in part.stores.items()}
        assert all(holds[slot] == place for place, slot in part.loads.items())
    assert max(holds) == size - 1


def test_results_are_stored_when_all_of_their_group_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """An input beside a late result is there from the start, though nothing before asks for it."""
    graph = Graph()
    x = graph.input("x", (9,), "")
    value = x[0]
    for k in range(200):
        value = value * x[k % 7 + 1] + x[k % 5] * 0.5
    group = [value, *(value * (k + 2.0) for k in range(6)), x[8]]
    program = graph.program("group", {"y": [*group, *group]})
    rows = np.random.default_rng(0).uniform(-0.5, 0.5, (70, 9))
    close(in_parts(program, "float64", 1, monkeypatch)(rows), [evaluated(program, [row])[0] for row in rows])


def moved(nodes: Sequence[Node], places: Sequence[int], registers: int) -> int:
    """Loads and stores if a full set of registers gives up the value that is used last, one step after the other."""
    turns = [place for place in places if nodes[place].op not in IN_MEMORY]
    kept, stored, moves = set[int](), {place for place in places if nodes[place].op in IN_MEMORY}, 0
    for turn, place in enumerate(turns):
        uses = {
            k: next((t for t in range(turn + 1, len(turns)) if k in nodes[turns[t]].args), len(turns)) for k in places
        }
        read = {k for k in nodes[place].args if nodes[k].op != "constant"}
        moves += len(read - kept)
        kept = {k for k in {*kept, *read, place} if uses[k] < len(turns)}
        while len(kept) > registers:
            last = max(kept, key=lambda k: (uses[k], -k))
            kept.remove(last)
            moves += last not in stored
            stored.add(last)
    return moves


def test_the_order_of_a_long_program_is_the_one_that_moves_fewer_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "LONG", 0)
    monkeypatch.setattr(order, "REGISTERS", 6)
    program = physical(qddot.load("spatial_2r")).program("forward_dynamics")
    chosen = [place for place in steps(program, overlapped=False) if isinstance(place, int)]
    assert all(chosen.index(k) < turn for turn, place in enumerate(chosen) for k in program.nodes[place].args)
    monkeypatch.setattr(order, "LONG", 10_000)
    plain = [place for place in steps(program, overlapped=False) if isinstance(place, int)]
    assert sorted(chosen) == sorted(plain)
    assert order._moves(program.nodes, plain) == moved(program.nodes, plain, 6)
    assert order._moves(program.nodes, chosen) == moved(program.nodes, chosen, 6) < moved(program.nodes, plain, 6)


def test_rows_of_wide_matrices_are_computed_together_the_last_first(monkeypatch: pytest.MonkeyPatch) -> None:
    program = physical(qddot.load("spatial_2r")).program("forward_dynamics_derivatives")
    plain = [place for place in steps(program, overlapped=False) if isinstance(place, int)]
    monkeypatch.setattr(order, "WIDE", 0)
    chosen = [place for place in steps(program, overlapped=False) if isinstance(place, int)]
    assert sorted(chosen) == sorted(plain)
    assert all(chosen.index(k) < turn for turn, place in enumerate(chosen) for k in program.nodes[place].args)
    matrices = [places for _, places in program.result_slices()]
    first, last = ([chosen.index(k) for places in matrices for k in places[row]] for row in (slice(2), slice(2, 4)))
    assert max(last) < max(first)
    assert max(last) < min(set(first) - set(last))
