"""Runs exported packages of MATLAB in Python: straight-line functions, and their self-tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

NAMED = ("sin", "cos", "tanh", "exp", "sqrt", "sign", "mod", "abs", "expm1")
KNOWN: dict[str, Any] = {
    **{name: getattr(np, name) for name in NAMED},
    "round": lambda x: np.sign(x) * (np.floor(abs(x)) + (abs(x) % 1 >= 0.5)),  # of two nearest ones the larger
    "min": min,
    "max": max,
    "atan": np.arctan,
    "atan2": np.arctan2,
}
STATEMENT = re.compile(r"(\w+) = (.*?);(?=\n\w+ = |\Z)", re.DOTALL)
PERMUTED = re.compile(r"permute\(reshape\(\[(.*)\], \[(.*)\]\), \[(.*)\]\)")
CALL = re.compile(r"^\[(.*)\] = \w+\.(\w+)\((.*)\);\nwrong = wrong \+ count\(results, \{(.*)\}\);$", re.MULTILINE)


def function(folder: Path, name: str) -> Callable[..., list[np.ndarray]]:
    """The function of a file: arrays in, and all of its results, columns as n × 1."""
    lines = [
        line for line in (folder / f"{name}.m").read_text(encoding="utf-8").splitlines() if not line.startswith("%")
    ]
    head = re.fullmatch(r"function (.*) = (\w+)\((.*)\)", lines[0])
    assert head is not None
    assert (head[2], lines[-1]) == (name, "end")
    names, results = head[3].split(", "), re.findall(r"\w+", head[1])
    assert len({*names, *results}) == len(names) + len(results)
    body = STATEMENT.findall("\n".join(lines[1:-1]))

    def run(*given: np.ndarray) -> list[np.ndarray]:
        known = {**KNOWN, **dict(zip(names, map(np.asarray, given), strict=True))}
        for left, right in body:
            known[left] = array(right, known)
        return [np.asarray(known[each]) for each in results]

    return run


def array(text: str, known: dict[str, Any] = KNOWN) -> Any:
    """A number, a matrix [a, b; c, d], or one of more axes, whose entries are expressions."""
    if text.startswith("["):
        rows = [cells(row) for row in text[1:-1].split(";")]
        return np.array([[float(value(cell, known)) for cell in row] for row in rows])
    if (permuted := PERMUTED.fullmatch(text)) is not None:
        sizes, axes = ([int(x) for x in permuted[k].split(",")] for k in (2, 3))
        entries = np.array([float(value(cell, known)) for cell in cells(permuted[1])])
        return entries.reshape(sizes, order="F").transpose([axis - 1 for axis in axes])
    return value(text, known)


def cells(text: str) -> list[str]:
    """Texts between the commas that are in no parentheses or brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        parts = [*parts, ""] if letter == "," and not depth else [*parts[:-1], parts[-1] + letter]
    return [part.strip() for part in parts]


def value(text: str, known: dict[str, Any]) -> Any:
    """An expression; an array in parentheses is an entry, whose indices begin with 1."""

    def entry(match: re.Match[str]) -> str:
        if callable(known[match[1]]):
            return match[0]
        return f"{match[1]}[{', '.join(str(int(k) - 1) for k in match[2].split(','))}]"

    text = re.sub(r"\b(\w+)\((\d+(?:, \d+)*)\)", entry, text)
    own = {f"v_{name}": each for name, each in known.items()}  # some names are words of Python
    return eval(re.sub(r"(?<![\w.])(?=[A-Za-z])", "v_", text), {}, own)


def self_tested(folder: Path) -> int:
    """Calls what the self-test of a package calls, compares as it does, and returns how many values were compared.

    raises SystemExit: one is wrong
    """
    compared = 0
    for _, name, given, right in CALL.findall((folder / "self_test.m").read_text(encoding="utf-8")):
        arguments = [array(each) for each in cells(given)]
        found = function(folder, name)(*(x.ravel() if np.ndim(x) and x.shape[1] == 1 else x for x in arguments))
        for mine, due in zip(found, map(array, cells(right)), strict=True):
            if not (np.abs(mine - due) <= 1e-12 * (1 + np.abs(due))).all():
                raise SystemExit(f"{name} computes wrong values")
            compared += np.size(mine)
    return compared
