"""How short the equations come out, beside SymPy's simplification and the forms that the literature prints.

    python bench/textbook.py [--cap SECONDS]     SymPy gets so long for each arm, 60 s if absent

Operations are additions and multiplications, a power as products; sines, cosines and constants are given.
"""

from __future__ import annotations

import argparse
import ast
import json
import multiprocessing
from pathlib import Path
from queue import Empty
from time import perf_counter
from typing import Any

import sympy
from rich.console import Console
from rich.table import Table

import qddot

PRINTED = Path(__file__).parent.parent / "tests" / "data" / "printed_forms.json"
QUANTITIES = ("christoffel", "C2", "M", "B", "h", "G")
LARGE = ("puma560_akb", "puma560", "panda")


def entry(eq: Any, name: str) -> Any:
    """M12, B112, christoffel223 … of equations in normal or textbook form."""
    quantity = next(q for q in QUANTITIES if name.startswith(q))
    place = tuple(int(digit) - 1 for digit in name.removeprefix(quantity))
    array = eq.array(quantity)
    return array[place if quantity != "B" else (place[0], 0)]


def printed_operations(text: str) -> int:
    """Of a formula as it is printed."""
    total = 0
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.BinOp):
            exponent = node.right.value if isinstance(node.right, ast.Constant) else None
            is_power = isinstance(node.op, ast.Pow) and isinstance(exponent, int)
            total += exponent - 1 if is_power and isinstance(exponent, int) else 1
    return total


def sympy_operations(expression: Any) -> int:
    """Of a SymPy expression, counted in the same way."""
    if expression.is_Add or expression.is_Mul:
        arguments = [a for a in expression.args if a != -1]
        return len(arguments) - 1 + sum(map(sympy_operations, arguments))
    if expression.is_Pow and expression.exp.is_Integer:
        return abs(int(expression.exp)) - 1 + sympy_operations(expression.base)
    return 0


def simplified(function: str, name: str, entries: list[str], answers: Any) -> None:
    """Operations and seconds of SymPy for the entries of an arm, in a process of its own."""
    eq = qddot.load(name).equations()
    expressions = [entry(eq, label).sympy() for label in entries]
    started = perf_counter()
    total = sum(sympy_operations(getattr(sympy, function)(expression)) for expression in expressions)
    answers.put((total, perf_counter() - started))


def capped(function: str, name: str, entries: list[str], cap: float) -> str:
    answers: Any = multiprocessing.Queue()
    process = multiprocessing.Process(target=simplified, args=(function, name, entries, answers))
    process.start()
    try:
        total, seconds = answers.get(timeout=cap)
        return f"{total} in {seconds:.1f} s"
    except Empty:
        return f"not in {cap:g} s"
    finally:
        process.kill()
        process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cap", type=float, default=60.0, metavar="SECONDS")
    cap = parser.parse_args().cap
    table = Table(title="operations of the entries that the literature prints")
    for column in ("arm", "printed", "expanded", "textbook", "without constants", "SymPy trigsimp", "SymPy simplify"):
        table.add_column(column)
    for name, printed in json.loads(PRINTED.read_text(encoding="utf-8")).items():
        eq = qddot.load(name).equations()
        started = perf_counter()
        short = eq.textbook()
        took = perf_counter() - started
        plain = [eq.textbook(form, lumped=False) for form in ("sums", "multiple-angle")]
        table.add_row(
            name,
            str(sum(map(printed_operations, printed.values()))),
            str(sum(sympy_operations(entry(eq, label).sympy()) for label in printed)),
            f"{sum(entry(short, label).operations for label in printed)} in {1e3 * took:.0f} ms",
            str(sum(min(entry(form, label).operations for form in plain) for label in printed)),
            capped("trigsimp", name, list(printed), cap),
            capped("simplify", name, list(printed), cap),
        )
    Console(width=150).print(table)
    large = Table(title="the large arms: terms and operations, before and after")
    for column in ("arm", "M", "h", "G", "constants", "time", "SymPy simplify of M"):
        large.add_column(column)
    for name in LARGE:
        eq = qddot.load(name).equations()
        started = perf_counter()
        short = eq.textbook()
        took = perf_counter() - started
        cells = []
        for quantity in ("M", "h", "G"):
            old, new = short.normal_counts(quantity), short.counts(quantity)
            cells.append(f"{old.terms} → {new.terms}, {old.operations} → {new.operations}")
        entries = [f"M{i + 1}{j + 1}" for i in range(eq.n) for j in range(i, eq.n)]
        large.add_row(name, *cells, str(len(short.constants)), f"{took:.2f} s", capped("simplify", name, entries, cap))
    Console(width=150).print(large)


if __name__ == "__main__":
    main()
