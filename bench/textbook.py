"""Measures the length of the equations, compared with SymPy's simplification and the forms in the literature.

    python bench/textbook.py [--cap SECONDS]     the time for SymPy for each arm (default 60 s)

Operations are additions and multiplications, a power as products; sines, cosines and constants are given.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from pathlib import Path
from queue import Empty
from typing import Any

import sympy
from rich.console import Console
from rich.table import Table
from timing import stopwatch

import qddot

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
from printed_forms import SOURCES, entry_of, printed_operations  # type: ignore[import-not-found]

LARGE = ("puma560_akb", "puma560", "panda")


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
    expressions = [entry_of(eq, label).sympy() for label in entries]
    elapsed = stopwatch()
    total = sum(sympy_operations(getattr(sympy, function)(expression)) for expression in expressions)
    answers.put((total, elapsed()))


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
    for name, printed in SOURCES.items():
        eq = qddot.load(name).equations()
        elapsed = stopwatch()
        short = eq.textbook()
        took = elapsed()
        plain = [eq.textbook(form, lumped=False) for form in ("sums", "multiple-angle")]
        table.add_row(
            name,
            str(sum(map(printed_operations, printed.values()))),
            str(sum(sympy_operations(entry_of(eq, label).sympy()) for label in printed)),
            f"{sum(entry_of(short, label).operations for label in printed)} in {1e3 * took:.0f} ms",
            str(sum(min(entry_of(form, label).operations for form in plain) for label in printed)),
            capped("trigsimp", name, list(printed), cap),
            capped("simplify", name, list(printed), cap),
        )
    Console(width=150).print(table)
    large = Table(title="the large arms: terms and operations, before and after")
    for column in ("arm", "M", "h", "G", "constants", "time", "SymPy simplify of M"):
        large.add_column(column)
    for name in LARGE:
        eq = qddot.load(name).equations()
        elapsed = stopwatch()
        short = eq.textbook()
        took = elapsed()
        cells = []
        for quantity in ("M", "h", "G"):
            old, new = short.normal_counts(quantity), short.counts(quantity)
            cells.append(f"{old.terms} → {new.terms}, {old.operations} → {new.operations}")
        entries = [f"M{i + 1}{j + 1}" for i in range(eq.n) for j in range(i, eq.n)]
        large.add_row(name, *cells, str(len(short.constants)), f"{took:.2f} s", capped("simplify", name, entries, cap))
    Console(width=150).print(large)


if __name__ == "__main__":
    main()
