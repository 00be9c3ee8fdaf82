"""Runs exported functions and their self-tests, in every target."""

from __future__ import annotations

import ctypes
import json
import runpy
import subprocess
from pathlib import Path

import numpy as np
import pytest
from compiling import compile_c
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


RUNNERS = {"c": run_c, "python": run_python, "js": run_js}
RUN = [pytest.param(target, marks=uses("node")) if target == "js" else target for target in TARGETS]


def self_tested(target: str, folder: Path, name: str) -> None:
    if target == "c":
        compile_c(folder / f"{name}.c", folder / "test", "-DQDDOT_SELFTEST")
        subprocess.run([str(folder / "test")], check=True, capture_output=True)
    elif target == "js":
        subprocess.run([node(), str(folder / f"{name}.mjs")], check=True, capture_output=True)
    else:
        runpy.run_path(str(folder / f"{name}.py"), run_name="__main__")
