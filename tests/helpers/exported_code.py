"""Runs exported functions and their self-tests, in every target."""

from __future__ import annotations

import ctypes
import json
import runpy
import subprocess
from pathlib import Path

import matlab_packages
import numpy as np
import pytest
from compiling import compile_c, compile_cpp
from tools import node, uses

from qddot.algebra.program.program import Program
from qddot.machine.compilers import TARGETS


def run_c(folder: Path, name: str, program: Program, arrays: list[np.ndarray]) -> list[np.ndarray]:
    library = folder / f"{name}.so"
    if not library.exists():
        compile_c(folder / f"{name}.c", library, "-shared", "-fPIC")
    function = getattr(ctypes.CDLL(str(library)), f"{name}_{program.name}")
    outputs = [np.empty(port.shape) for port in program.outputs]
    function(*(ctypes.c_void_p(array.ctypes.data) for array in (*arrays, *outputs)))
    return outputs


def run_python(folder: Path, name: str, program: Program, arrays: list[np.ndarray]) -> list[np.ndarray]:
    result = runpy.run_path(str(folder / f"{name}.py"))[program.name](*arrays)
    return list(result) if isinstance(result, tuple) else [result]


CALL = """
import { readFileSync } from "node:fs";
const [file, name] = process.argv.slice(1);
const inputs = JSON.parse(readFileSync(0, "utf8"));
const found = (await import(file))[name](...inputs.map((x) => (typeof x === "number" ? x : Float64Array.from(x))));
const outputs = [found].flat().map((x) => (typeof x === "number" ? [x] : Array.from(x)));
console.log(JSON.stringify(outputs));
"""


def run_js(folder: Path, name: str, program: Program, arrays: list[np.ndarray]) -> list[np.ndarray]:
    given = json.dumps([array.ravel().tolist() if array.shape else array.item() for array in arrays])
    command = [node(), "--input-type=module", "-e", CALL, str(folder / f"{name}.mjs"), program.name]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pairs = zip(json.loads(done.stdout), program.outputs, strict=True)
    return [np.reshape(values, port.shape) for values, port in pairs]


def run_matlab(folder: Path, name: str, program: Program, arrays: list[np.ndarray]) -> list[np.ndarray]:
    found = matlab_packages.function(folder / f"+{name}", program.name)(*arrays)
    pairs = list(zip(found, program.outputs, strict=True))
    for values, port in pairs:
        assert values.shape == ((*port.shape, 1)[: max(2, len(port.shape))] if port.shape else ())
    return [np.reshape(values, port.shape) for values, port in pairs]


def run_cpp(folder: Path, name: str, program: Program, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The functions of C++, which a program calls with the numbers in its input."""
    inputs = [f"in{k}" for k in range(len(program.inputs))]
    lines = [f'#include "{name}.hpp"', "#include <cstdio>", "int main() {"]
    for own, port in zip(inputs, program.inputs, strict=True):
        lines.append(f"    double {own}[{port.size}];")
        lines.append(f'    for (double &x : {own}) if (std::scanf("%lf", &x) != 1) return 1;')
    given = [own if port.shape else f"{own}[0]" for own, port in zip(inputs, program.inputs, strict=True)]
    lines.append(f"    const auto results = qddot::{name}::{program.name}({', '.join(given)});")
    for port in program.outputs:
        result = f"results.{port.name}" if len(program.outputs) > 1 else "results"
        pointer = f"{result}.data()" if port.shape else f"&{result}"
        lines.append(f'    for (int k = 0; k < {port.size}; k++) std::printf("%.17g\\n", ({pointer})[k]);')
    (folder / "main.cpp").write_text("\n".join([*lines, "}", ""]))
    run_program = compile_cpp(folder / "main.cpp", folder / f"{name}.c", folder / "main")
    numbers = " ".join(repr(float(x)) for array in arrays for x in array.ravel())
    done = subprocess.run([str(run_program)], input=numbers, capture_output=True, text=True, check=True)
    printed = iter(map(float, done.stdout.split()))
    return [np.reshape([next(printed) for _ in range(port.size)], port.shape) for port in program.outputs]


RUNNERS = {"c": run_c, "cpp": run_cpp, "matlab": run_matlab, "python": run_python, "js": run_js}
PROGRAMS = {"cpp": "g++", "js": "node"}  # what a target needs beside a compiler of C
RUN = [pytest.param(target, marks=uses(PROGRAMS[target])) if target in PROGRAMS else target for target in TARGETS]


def self_tested(target: str, folder: Path, name: str) -> None:
    if target in ("c", "cpp"):
        compile_c(folder / f"{name}.c", folder / "test", "-DQDDOT_SELFTEST")
        subprocess.run([str(folder / "test")], check=True, capture_output=True)
    elif target == "js":
        subprocess.run([node(), str(folder / f"{name}.mjs")], check=True, capture_output=True)
    elif target == "matlab":
        assert matlab_packages.self_tested(folder / f"+{name}")
    else:
        runpy.run_path(str(folder / f"{name}.py"), run_name="__main__")
