"""Programs to code: `llvm/` for this machine, with `llvm/taylor` for series and `llvm/runge_kutta` for tried steps,
`blocks` with NumPy where LLVM is missing, `c/`, `cpp`, `javascript/`, `matlab` and `python` for export over one
`printer`, with the joints in a `joint_table`; `order` and `parts`: the nodes of long programs, `rolled`: their repeated
parts; `polynomials`: sine and cosine for all kinds of code; `batch` calls them with arrays, `function_store` finds them
again.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from qddot.machine.compilers.printer import Target

MATLAB = "matlab"
TARGETS = {
    "c": "qddot.machine.compilers.c",
    "cpp": "qddot.machine.compilers.cpp",
    MATLAB: "qddot.machine.compilers.matlab",
    "python": "qddot.machine.compilers.python",
    "js": "qddot.machine.compilers.javascript",
}


def target(name: str) -> Target:
    """Returns the module of a language."""
    return cast("Target", import_module(TARGETS[name]))
