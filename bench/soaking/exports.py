"""Exported source code in every language, with free symbols and odd names, run and held against the judge."""

from __future__ import annotations

import ctypes
import json
import random
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import qddot
from qddot.base.errors import QddotError
from qddot.formats.toml import robot_file
from soaking import random_robots
from soaking.case import Case, bound_of_mass, judge_of, tractable
from soaking.forms import EXPANDED
from soaking.judge import apart
from soaking.recursion import Arm
from soaking.symbols import drawn_values
from soaking.trial import Finding, Kind

ODD = ["t5", "𝑡5", "µ", "μ", "𝒒", "q", "ϕ", "φ", "int", "double", "var", "let", "function", "new", "t0", "x", "out",
       "np", "math", "array", "import_", "M", "ﬁ", "fi", "\u00c5", "\u212b", "s1", "c1", "sin_", "arguments", "eval",
       "of", "static", "register", "NaN", "Math", "result", "module", "exports", "nu", "I", "E", "N",
       "main"]  # fmt: skip
TEXTS = ("name", "coordinate", "coordinates", "type", "parent", "body", "convention", "about", "products")
FUNCTIONS = ("inverse_dynamics", "mass_matrix", "bias", "gravity")
CALL = """
const [file, name] = process.argv.slice(1);
let text = "";
for await (const piece of process.stdin) text += piece;
const inputs = JSON.parse(text).map((x) => (typeof x === "number" ? x : Float64Array.from(x)));
const found = (await import(file))[name](...inputs);
console.log(JSON.stringify([found].flat().map((x) => (typeof x === "number" ? [x] : Array.from(x)))));
"""


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(f"exports {seed}")
    mapping = random_robots.robot(seed, 4)
    rng = np.random.default_rng(seed)
    arm = qddot.Robot(robot_file.from_mapping(mapping, "random"))
    q, qd, qdd = rng.uniform(-3, 3, arm.n), *rng.uniform(-2, 2, (2, arm.n))
    case = Case(mapping, arm, judge_of(mapping), q, qd, qdd, r)
    values = drawn_values(case, r)
    judge = judge_of(mapping, {**random_robots.SYMBOLS, **values})
    names: dict[str, str] = {}
    if r.random() < 0.7:
        names = dict(zip(random_robots.SYMBOLS, r.sample(ODD, len(random_robots.SYMBOLS)), strict=True))
        names = {old: new for old, new in names.items() if old in values or r.random() < 0.3}
        try:
            arm = qddot.Robot(robot_file.from_mapping(renamed(mapping, names), "random"))
        except QddotError:  # names that clash with others are refused
            return
    free = [names.get(name, name) for name in values]
    source = arm
    if r.random() < 0.4 and tractable(case, 3, 1):
        source = qddot.Robot(arm.equations().textbook().model)
    for function in r.sample(FUNCTIONS, 2):
        for target, run in RUNNERS.items():
            if target == "js" and not shutil.which("node"):
                continue
            folder = Path(f"{function}_{target}")
            try:
                source.export(target, [function], folder, "arm", free=free)
            except QddotError:
                continue
            yield from self_test(target, folder)
            inputs = {"inverse_dynamics": (q, qd, qdd), "bias": (q, qd)}.get(function, (q,))
            found = run(folder, function, [*inputs, *(np.array(each) for each in values.values())])
            yield from apart(f"{target}: {function}", found, *right(judge, case, function), EXPANDED)


def renamed(mapping: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Returns the mapping with other names of symbols, in expressions alone."""
    word = re.compile(rf"(?<!\w)({'|'.join(names) or '$^'})(?!\w)")

    def written(part: Any, key: str = "") -> Any:
        if isinstance(part, dict):
            return {each: written(value, each) for each, value in part.items()}
        if isinstance(part, list):
            return [written(value, key) for value in part]
        return word.sub(lambda found: names[found[0]], part) if isinstance(part, str) and key not in TEXTS else part

    symbols = {names.get(name, name): value for name, value in mapping["symbols"].items()}
    return {**written(mapping), "symbols": symbols}


def right(judge: Arm, case: Case, function: str) -> tuple[Any, Any]:
    q, qd, qdd, still = case.q, case.qd, case.qdd, case.still
    if function == "mass_matrix":
        return judge.mass_matrix(q), bound_of_mass(replace(case, judge=judge))
    if function == "gravity":
        return judge.bounded(q, still, still, effects=False)
    return judge.bounded(q, qd, qdd if function == "inverse_dynamics" else still)


def run_c(folder: Path, function: str, arrays: list[Any]) -> Any:
    library = folder / "arm.so"
    compile_c(folder, library, "-shared", "-fPIC")
    n = arrays[0].size
    out = np.empty((n, n) if function == "mass_matrix" else n)
    pointers = [ctypes.c_void_p(np.ascontiguousarray(each).ctypes.data) for each in (*arrays, out)]
    getattr(ctypes.CDLL(str(library.resolve())), f"arm_{function}")(*pointers)
    return out


def compile_c(folder: Path, made: Path, *options: str) -> None:
    # no fused products: the judge has none
    command = ["cc", "-O1", "-std=c99", "-ffp-contract=off", *options, str(folder / "arm.c"), "-o", str(made), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[:300])


def run_python(folder: Path, function: str, arrays: list[Any]) -> Any:
    return runpy.run_path(str(folder / "arm.py"))[function](*arrays)


def run_js(folder: Path, function: str, arrays: list[Any]) -> Any:
    given = json.dumps([each.ravel().tolist() if each.shape else each.item() for each in arrays])
    command = ["node", "--input-type=module", "-e", CALL, str((folder / "arm.mjs").resolve()), function]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[:300])
    n = arrays[0].size
    return np.reshape(json.loads(done.stdout)[0], (n, n) if function == "mass_matrix" else (n,))


RUNNERS = {"c": run_c, "python": run_python, "js": run_js}


def self_test(target: str, folder: Path) -> Iterator[Finding]:
    if target == "c":
        compile_c(folder, folder / "test", "-DQDDOT_SELFTEST")
        command = [str((folder / "test").resolve())]
    else:
        command = [sys.executable, str(folder / "arm.py")] if target == "python" else ["node", str(folder / "arm.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield Finding(f"{target}: self-test fails", f"{target}: {(done.stdout + done.stderr)[-300:]}")


KIND = Kind("exports", trial, seconds=120, memory=64 << 30)  # Node reserves address space that it does not use
