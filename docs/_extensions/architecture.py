"""Draws the rooms from their imports, and the steps of inverse dynamics from a recorded call; counts operations."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, ClassVar
from unittest.mock import patch

from docutils import nodes
from docutils.parsers.rst.states import RSTState
from markup import picture, table
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

import qddot
from qddot.dynamics.dynamics import AT_JOINTS, OWN, SLID
from qddot.program.factors import factored
from qddot.tracing.choice import Way
from qddot.tracing.trace import torques

ROOT = Path(qddot.__file__).parent
IMPORT = re.compile(r"^\s*(?:from|import) qddot\b(?:\.(\w+))?(?:.* import (\w+))?", re.MULTILINE)
FACES = ("qddot", "aliases", "faces")  # which alone import each other
CELL, NAMES = 23, 108  # pixels of a room in the picture, and of its name
STEPS = {  # the steps of a first call, each in the lane of its room
    "numeric/calls.py": "Calls.results",
    "compilers/function_store.py": "FunctionStore.find",
    "tracing/trace.py": "trace",
    "tracing/functions.py": "_inverse_dynamics",
    "dynamics/of_model.py": "dynamics_of",
    "dynamics/algorithms/newton_euler.py": "outward",
    "program/factors.py": "factored",
    "compilers/batch.py": "compiled",
    "compilers/llvm/__init__.py": "compiled",
    "compilers/llvm/ir.py": "module",
    "compilers/order.py": "steps",
    "compilers/llvm/engine.py": "object_code",
}
LANES = ("numeric", "tracing", "dynamics", "program", "compilers")
COUNTED = ("puma560_akb", "ur5", "franka_panda")


def imported() -> dict[str, Counter[str]]:
    """Returns for each room how many imports it has from each other room; the faces are one room."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        here = _room(path.relative_to(ROOT).parts[0].removesuffix(".py"))
        taken = found.setdefault(here, Counter())
        for room, name in IMPORT.findall(path.read_text(encoding="utf-8")):
            taken[_room(room or (name if (ROOT / name).is_dir() or (ROOT / f"{name}.py").exists() else "qddot"))] += 1
    for room, taken in found.items():
        del taken[room]
    return found


def floors(taken: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Returns the rooms from the top floor to the bottom: each stands on all that it imports.

    raises ExtensionError: rooms import each other in a circle
    """
    heights: dict[str, int] = {}

    def height(room: str, above: tuple[str, ...] = ()) -> int:
        if room in above:
            raise ExtensionError(f"rooms import each other: {' → '.join((*above, room))}")
        if room not in heights:
            heights[room] = 1 + max((height(other, (*above, room)) for other in taken[room]), default=-1)
        return heights[room]

    return sorted(taken, key=lambda room: (-height(room), room))


def _room(name: str) -> str:
    return "faces" if name in (*FACES, "__init__") else name


def rooms() -> str:
    """Returns the picture: a row for each room, filled where it imports the room of the column."""
    taken = imported()
    order = floors(taken)
    size = NAMES + CELL * len(order)
    parts = []
    for row, room in enumerate(order):
        y = NAMES + CELL * row
        parts.append(f'<text class="end" x="{NAMES - 8}" y="{y + CELL / 2}">{room}</text>')
        turned = f"translate({NAMES + CELL * (row + 0.5)} {NAMES - 8}) rotate(-90)"
        parts.append(f'<text class="start" transform="{turned}">{room}</text>')
        parts.append(
            f'<rect class="self" x="{NAMES + CELL * row + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}"/>'
        )
        for column, other in enumerate(order):
            times = taken[room][other]
            if times:
                shade = min(1.0, 0.25 + times / 24)
                place = f'x="{NAMES + CELL * column + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}"'
                told = f"{room} imports from {other}, {times} {'time' if times == 1 else 'times'}"
                parts.append(f'<rect class="taken" fill-opacity="{shade:.2f}" {place}><title>{told}</title></rect>')
    return picture("The rooms of the library, and which imports from which", size, size, parts)


def steps_of_tau() -> str:
    """Returns the picture of the steps that a first call of `arm.inverse_dynamics` takes, as it took them just now.

    raises ExtensionError: a step is not taken any more
    """
    seen = _watched(lambda: qddot.load("one_link").inverse_dynamics([0.1], [0.2], [0.3]))
    missing = [f"{file}: {name}" for file, name in STEPS.items() if (file, name) not in seen]
    if missing:
        raise ExtensionError(f"the computation of τ has other steps now: {', '.join(missing)}")
    order = sorted(STEPS.items(), key=seen.index)
    width, lane, step = 190, 134, 46
    parts, before = [], None
    for place, (file, name) in enumerate(order):
        x, y = 4 + lane * LANES.index(file.split("/")[0]), 40 + step * place
        if before is not None:
            parts.append(_joined(before, (x, y), width))
        before = (x, y)
        parts.append(f'<rect class="step" x="{x}" y="{y}" width="{width}" height="34" rx="5"/>')
        parts.append(f'<text class="strong" x="{x + width / 2}" y="{y + 11}">{name.split(".")[-1]}</text>')
        parts.append(f'<text class="note" x="{x + width / 2}" y="{y + 25}">{file}</text>')
    for k, room in enumerate(LANES):
        parts.append(f'<text x="{4 + lane * k + width / 2}" y="14">{room}</text>')
    return picture("How τ is computed, room by room", 8 + lane * 4 + width, 50 + step * len(order), parts)


def _joined(above: tuple[float, float], below: tuple[float, float], width: float) -> str:
    """Returns a line from one step's lower edge to the next one's upper edge, which turns half way."""
    x, y, a, b = above[0] + width / 2, above[1] + 34, below[0] + width / 2, below[1]
    middle = (y + b) / 2
    return f'<polyline class="thin" points="{x},{y} {x},{middle} {a},{middle} {a},{b}"/>'


def _watched(call: Callable[[], Any]) -> list[tuple[str, str]]:
    """Returns the functions of the library that a call enters, as (file, name), in the order of their first times."""
    seen: dict[tuple[str, str], None] = {}

    def enter(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            seen.setdefault((Path(code.co_filename).relative_to(ROOT).as_posix(), code.co_qualname))

    # compiled code is looked for in an empty folder
    with TemporaryDirectory() as folder, patch.dict(os.environ, QDDOT_CACHE=folder):
        before = sys.getprofile()
        sys.setprofile(enter)
        try:
            call()
        finally:
            sys.setprofile(before)
    return list(seen)


def operations() -> str:
    """Returns a table of how many operations τ takes, as each step of shortening leaves them."""
    rows = []
    for name in COUNTED:
        model = qddot.load(name).model
        written = torques(model, {**dict.fromkeys(model.symbols, 0.0), **model.defaults()}, ())
        plain, regrouped, slid = (written(Way(frames)) for frames in (OWN, AT_JOINTS, SLID))
        counts = [each.total_operations for each in (plain, regrouped, slid, factored(slid))]
        rows.append([f"<code>{name}</code>", *map(str, counts)])
    return table(("arm", "links' own frames", "inertias regrouped", "frames slid", "common factors out"), rows)


class Drawn(SphinxDirective):
    """Shows one of the pictures or the table."""

    required_arguments = 1
    state: RSTState
    pictures: ClassVar[Mapping[str, Callable[[], str]]] = {
        "rooms": rooms,
        "tau": steps_of_tau,
        "operations": operations,
    }

    def run(self) -> list[nodes.Node]:
        for path in ROOT.rglob("*.py"):
            self.env.note_dependency(str(path))
        drawn = self.pictures[self.arguments[0]]()
        return [nodes.raw("", f'<div class="drawings" tabindex="0">{drawn}</div>', format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the directive `architecture`."""
    app.add_directive("architecture", Drawn)
    return {"parallel_read_safe": True}
