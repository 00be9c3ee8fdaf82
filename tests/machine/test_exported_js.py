"""Exported JavaScript: all functions of arms, long ones in parts, its self-test, its types, and no word of a robot."""

from __future__ import annotations

import json
import math
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from physical import close, physical, states
from refusals import refusal
from tools import BROWSER, uses
from tools import node as found_node

import qddot
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.interpreter import evaluated
from qddot.algebra.program.program import Program
from qddot.base.errors import QddotError
from qddot.machine.compilers import javascript
from qddot.machine.compilers.batch import compiled
from qddot.machine.compilers.javascript import script
from qddot.machine.tracing.functions import FUNCTIONS

ARMS = ("rp", "spatial_2r")
MANY = 4
SHORT = 200  # nodes
CALLS = """
import { readFileSync } from "node:fs";
const module = await import(process.argv[1]);
const found = {};
for (const [name, rows] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  found[name] = rows.map((row) => {
    const result = module[name](...row.map((x) => (typeof x === "number" ? x : Float64Array.from(x))));
    return [result].flat().flatMap((x) => (typeof x === "number" ? [x] : Array.from(x)));
  });
}
console.log(JSON.stringify(found, (_, x) => (Number.isNaN(x) ? "NaN" : x)));
"""


def node(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([found_node(), *arguments], input=given, capture_output=True, text=True, check=False)


def called(file: Path, rows: dict[str, list[list[Any]]]) -> dict[str, list[list[float]]]:
    """Returns what each function of a module returns for each row of arguments, all elements of a result in a row."""
    done = node("--input-type=module", "-e", CALLS, str(file), given=json.dumps(rows))
    assert done.returncode == 0, done.stderr
    results: dict[str, list[list[float]]] = json.loads(done.stdout)
    return {name: [[float(x) for x in row] for row in rows] for name, rows in results.items()}


def arguments(program: Program) -> list[list[Any]]:
    drawn = np.random.default_rng(7).uniform(-3, 3, (MANY, sum(port.size for port in program.inputs)))
    ends = np.cumsum([port.size for port in program.inputs])[:-1]
    return [[part.tolist() for part in np.split(row, ends)] for row in drawn]


def right_values(program: Program, rows: list[list[Any]]) -> np.ndarray:
    """What machine code computes, or the interpreter where code of all functions would take a minute to make."""
    if len(program.nodes) > SHORT:
        inputs = [[[x] if isinstance(x, float) else x for x in row] for row in rows]
        return np.array([np.concatenate(evaluated(program, row)) for row in inputs])
    arrays = [np.reshape(column, (MANY, *port.shape)) for column, port in zip(zip(*rows), program.inputs, strict=True)]  # noqa: B905
    result: Any = compiled(program)(*arrays)
    return np.hstack([np.reshape(part, (MANY, -1)) for part in (result if isinstance(result, tuple) else [result])])


def compared(file: Path, programs: list[Program]) -> None:
    rows = {program.name: arguments(program) for program in programs}
    results = called(file, rows)
    for program in programs:
        for one, row in zip(results[program.name], right_values(program, rows[program.name]), strict=True):
            close(one, row)


@uses("node")
@pytest.mark.parametrize("name", ARMS)
def test_every_function_is_as_compiled(name: str, tmp_path: Path) -> None:
    arm = physical(qddot.load(name))
    functions = [name for name, each in FUNCTIONS.items() if name != "operational_space" and not each.of_loops]
    file, _ = arm.export("js", functions, tmp_path)
    compared(file, [arm.program(function) for function in functions])


@uses("node")
def test_functions_of_six_joints_are_as_compiled(tmp_path: Path) -> None:
    """A task of six coordinates needs as many joints."""
    arm, functions = physical(qddot.load("puma560")), ["operational_space", "inverse_dynamics", "mass_matrix"]
    file, _ = arm.export("js", functions, tmp_path)
    compared(file, [arm.program(function) for function in functions])


@uses("node")
def test_long_functions_in_parts_compute_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "LONGEST", 40)
    arm, names = physical(qddot.load("rp")), ["forward_dynamics_derivatives", "state_derivative", "kinetic_energy"]
    names += ["inverse_dynamics_derivatives", "potential_energy"]
    file, _ = arm.export("js", names, tmp_path)
    assert "function forward_dynamics_derivatives_2(" in file.read_text()
    compared(file, [arm.program(name) for name in names])


@uses("node")
def test_sines_and_cosines_are_right_for_every_angle(tmp_path: Path) -> None:
    """Small, large, infinite and no number; beside Python's, which are within an ulp."""
    graph = Graph()
    (x,) = graph.input("q", (1,))
    (tmp_path / "circle.mjs").write_text(
        javascript.module([graph.program("circle", {"out": [x.apply("sin"), x.apply("cos")]})])
    )
    rng = np.random.default_rng(0)
    angles = [*rng.uniform(-8, 8, 2000), *rng.uniform(-1e6, 1e6, 2000), *rng.uniform(-1e12, 1e12, 100)]
    angles += [k * math.pi / 4 * sign for k in range(40) for sign in (1, -1)] + [0.0, -0.0, 1e-300, 1e6, 1e308]
    values = called(tmp_path / "circle.mjs", {"circle": [[[float(angle)]] for angle in angles]})["circle"]
    right = [[math.sin(angle), math.cos(angle)] for angle in angles]
    # below π/2 the parts of it round to 1e-17; an ulp of a number next to 1 is 1.1e-16
    assert np.abs(np.array(values) - right).max() < 2.3e-16
    nothing = called(tmp_path / "circle.mjs", {"circle": [[["NaN"]], [["Infinity"]]]})["circle"]
    assert np.isnan(nothing).all()


@uses("node")
def test_a_wrong_value_is_caught_where_the_module_is_loaded(tmp_path: Path) -> None:
    file, _ = qddot.load("spatial_2r").export("js", ["inverse_dynamics", "kinetic_energy"], tmp_path)
    text = file.read_text()
    assert node(str(file)).returncode == 0
    for planted in (text.replace(" + ", " - ", 1), re.sub(r"\[\[(-?\d+\.\d+)", r"[[1.5 + \1", text, count=1)):
        assert planted != text
        file.write_text(planted)
        done = node(str(file))
        assert done.returncode == 1
        assert re.search(r"inverse_dynamics computes \S+ instead of \S+: this file is damaged", done.stderr)


@uses("node")
def test_results_may_be_given_arrays_and_lie_over_arguments(tmp_path: Path) -> None:
    file, _ = qddot.load("two_link").export("js", ["forward_dynamics", "kinetic_energy"], tmp_path)
    code = f"""
        import {{ forward_dynamics, kinetic_energy }} from "{file.as_posix()}";
        const q = Float64Array.of(0.3, 1), qd = Float64Array.of(0.5, -1), tau = Float64Array.of(1, 2);
        const right = forward_dynamics(q, qd, tau);
        const same = forward_dynamics(q, qd, tau, tau);
        if (same !== tau || right[0] !== tau[0] || right[1] !== tau[1]) throw new Error("not the same");
        if (typeof kinetic_energy(q, qd) !== "number") throw new Error("no number");
    """
    done = node("--input-type=module", "-e", code)
    assert done.returncode == 0, done.stderr


def test_types_say_what_functions_take_and_give(tmp_path: Path) -> None:
    _, types = qddot.load("two_link").export(
        "js", ["gravity", "kinetic_energy", "inverse_dynamics_derivatives"], tmp_path, free=["m2"]
    )
    text = types.read_text()
    assert "gravity(q: ArrayLike<number>, p1: number, out?: Float64Array): Float64Array;" in text
    assert "in  p1 [kg], the symbol m2" in text
    assert "kinetic_energy(q: ArrayLike<number>, qd: ArrayLike<number>, p2: number): number;" in text
    assert "out2?: Float64Array): [Float64Array, Float64Array, Float64Array];" in text


@uses("node", "pyodide")
def test_a_strict_compiler_takes_the_types(tmp_path: Path) -> None:
    command = [found_node(), str(BROWSER / "node_modules" / "typescript" / "bin" / "tsc")]
    command += ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "", "use.mts"]
    qddot.load("two_link").export("js", ["forward_dynamics", "inverse_dynamics_derivatives"], tmp_path, free=["m2"])
    right = """
        import { forward_dynamics, inverse_dynamics_derivatives } from "./two_link.mjs";
        const qdd: Float64Array = forward_dynamics([0, 1], new Float64Array(2), [0, 0], 3);
        const [by_q, by_qd, M]: Float64Array[] = inverse_dynamics_derivatives(qdd, qdd, qdd, 3);
    """
    for text, is_right in ((right, True), (right.replace(", 3)", ")"), False), (right.replace("[0, 1]", '"q"'), False)):
        (tmp_path / "use.mts").write_text(text)
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == is_right, done.stdout


WILD = "alert"


def test_a_module_for_a_page_has_no_word_of_the_robot() -> None:
    """Neither names nor comments: every word of it is of the language, of our own list, or a number's place."""
    rows = [{"theta": "q1", "d": 0, "a": f"{WILD}_length", "alpha": 0}]
    links = [{"mass": f"{WILD}_mass", "name": f"{WILD}_link"}]
    symbols = {f"{WILD}_length": 1, f"{WILD}_mass": 2}
    arm = qddot.from_dh(rows, links, symbols=symbols, name=f"{WILD}_arm")
    program = arm.program("inverse_dynamics", list(symbols))
    text = javascript.module([program, arm.program("kinetic_energy")])
    assert WILD not in text
    assert "/*" not in text
    assert "//" not in text
    assert "p3" in text


def test_a_program_called_by_a_stranger_is_refused() -> None:
    graph = Graph()
    (x,) = graph.input("x; alert(1)", (1,))
    (y,) = graph.input("tau")
    wild = graph.program("f(){} alert(1); function g", {"x, alert(2)": [x + y]})
    with refusal(QddotError, "program-badly-named"):
        javascript.module([wild])
    harmless = Program("f", wild.inputs, wild.outputs, wild.nodes, wild.results)
    assert "alert" not in javascript.module([harmless])


@uses("node")
def test_it_computes_states_of_a_long_motion(tmp_path: Path) -> None:
    """Angles far from 0, as a spinning joint has them."""
    arm = qddot.load("two_link")
    file, _ = arm.export("js", ["mass_matrix"], tmp_path)
    q = 1e5 * states(arm, 20)[0]
    matrices = called(file, {"mass_matrix": [[row.tolist()] for row in q]})["mass_matrix"]
    close(np.reshape(matrices, (20, 2, 2)), arm.mass_matrix(q))
