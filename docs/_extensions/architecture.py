"""Draws the groups from their imports, and the steps of recorded calls; counts operations."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, ClassVar, NamedTuple
from unittest.mock import patch

from docutils import nodes
from docutils.parsers.rst.states import RSTState
from markup import picture, table
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

import qddot
from qddot.algebra.program.factors import factored
from qddot.machine.tracing.choice import Way
from qddot.machine.tracing.trace import torques
from qddot.physics.dynamics import AT_JOINTS, OWN, SLID

ROOT = Path(qddot.__file__).parent
sys.path.append(str(ROOT.parents[1] / "tests"))
from rooms import FLOORS  # noqa: E402 - after the path is set

IMPORT = re.compile(r"^\s*(?:from|import) qddot\b(?:\.| import )(\w+)", re.MULTILINE)
GROUPS = [names.split()[-1] for names in FLOORS if names != "__main__"]
CELL, NAMES = 34, 90  # pixels of a room in the picture, and of its name
COUNTED = ("puma560_akb", "ur5", "franka_panda")


def imported() -> dict[str, Counter[str]]:
    """Returns for each group how many imports it has from each group; the package's own file is a face."""
    found = {group: Counter[str]() for group in GROUPS}
    for path in (path for path in ROOT.rglob("*.py") if path.stem != "__main__"):
        for module in IMPORT.findall(path.read_text(encoding="utf-8")):
            found[_group(path.relative_to(ROOT).parts[0].removesuffix(".py"))][_group(module)] += 1
    return found


def _group(name: str) -> str:
    return name if name in GROUPS else "faces"


def rooms() -> str:
    """Returns the picture: a row for each group, filled where it imports the group of the column."""
    taken = imported()
    size = NAMES + CELL * len(GROUPS)
    parts = []
    for row, room in enumerate(GROUPS):
        y = NAMES + CELL * row
        parts.append(f'<text class="end" x="{NAMES - 8}" y="{y + CELL / 2}">{room}</text>')
        turned = f"translate({NAMES + CELL * (row + 0.5)} {NAMES - 8}) rotate(-90)"
        parts.append(f'<text class="start" transform="{turned}">{room}</text>')
        parts.append(
            f'<rect class="self" x="{NAMES + CELL * row + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}"/>'
        )
        for column, other in enumerate(GROUPS):
            times = taken[room][other]
            if times and other != room:
                shade = min(1.0, 0.2 + times / 100)
                place = f'x="{NAMES + CELL * column + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}"'
                told = f"{room} imports from {other}, {times} {'time' if times == 1 else 'times'}"
                parts.append(f'<rect class="taken" fill-opacity="{shade:.2f}" {place}><title>{told}</title></rect>')
    return picture("The groups of the library, and which imports from which", size, size, parts)


class Walk(NamedTuple):
    """This is a call of the library with its steps: a function for each file, which stands in the lane of its room."""

    title: str
    call: Callable[[], Any]
    lanes: tuple[str, ...]
    steps: Sequence[tuple[str, str]]


TORQUES = Walk(
    "How τ is computed, room by room",
    lambda: qddot.load("one_link").inverse_dynamics([0.1], [0.2], [0.3]),
    ("machine/numeric", "machine/tracing", "physics", "algebra/program", "machine/compilers"),
    (
        ("machine/numeric/calls.py", "Calls.results"),
        ("machine/compilers/function_store.py", "FunctionStore.find"),
        ("machine/tracing/trace.py", "trace"),
        ("machine/tracing/traced.py", "TracedArm.dynamics"),
        ("physics/of_model.py", "dynamics_of"),
        ("physics/dynamics.py", "Dynamics.inverse_dynamics"),
        ("physics/algorithms/newton_euler.py", "outward"),
        ("algebra/program/factors.py", "factored"),
        ("machine/compilers/batch.py", "compiled"),
        ("machine/compilers/llvm/__init__.py", "compiled"),
        ("machine/compilers/llvm/ir.py", "module"),
        ("machine/compilers/order.py", "steps"),
        ("machine/compilers/llvm/engine.py", "object_code"),
    ),
)
EQUATIONS = Walk(
    "How M is derived and printed, room by room",
    lambda: str(qddot.load("two_link").equations().M),
    ("faces", "exact/equations", "physics", "exact/printing"),
    (
        ("faces/robot.py", "Robot.equations"),
        ("exact/equations/quantities.py", "Quantities.array"),
        ("exact/equations/shortest_angles.py", "in_joint_angles"),
        ("physics/of_model.py", "dynamics_of"),
        ("physics/mechanism.py", "Mechanism.of"),
        ("exact/equations/routes.py", "derive"),
        ("physics/algorithms/composite.py", "mass_matrix"),
        ("physics/algorithms/coriolis.py", "christoffel"),
        ("exact/equations/arrays/exact_array.py", "ExactArray.of"),
        ("exact/printing/reading.py", "readable"),
        ("exact/printing/reading_order.py", "expanded"),
        ("exact/printing/text.py", "equations"),
    ),
)
PROOF = Walk(
    "How the routes are proved to agree, room by room",
    lambda: qddot.load("two_link").prove(),
    ("faces", "exact/equations/proofs", "exact/equations", "physics"),
    (
        ("faces/robot.py", "Robot.prove"),
        ("exact/equations/proofs/modulo_primes.py", "is_too_long"),
        ("exact/equations/proofs/prove.py", "prove"),
        ("exact/equations/proofs/laws.py", "identities"),
        ("exact/equations/proofs/verdicts.py", "verdict"),
        ("exact/equations/routes.py", "derive"),
        ("physics/lagrange/dh4x4.py", "derive"),
        ("physics/lagrange/com_jacobian.py", "derive"),
        ("physics/lagrange/energy.py", "derive"),
        ("physics/lagrange/screw.py", "derive"),
    ),
)


def steps_of(walk: Walk) -> str:
    """Returns the picture of a call's steps, as it took them just now.

    raises ExtensionError: a step is not taken any more
    """
    seen = _watched(walk.call)
    missing = [f"{file}: {name}" for file, name in walk.steps if (file, name) not in seen]
    if missing:
        raise ExtensionError(f"{walk.title}: not these steps any more: {', '.join(missing)}")
    width, lane, step = 232, 134, 46
    parts, before = [], None
    for place, (file, name) in enumerate(sorted(walk.steps, key=seen.index)):
        home = max((room for room in walk.lanes if file.startswith(room)), key=len)
        x, y = 4 + lane * walk.lanes.index(home), 40 + step * place
        if before is not None:
            parts.append(_joined(before, (x, y), width))
        before = (x, y)
        parts.append(f'<rect class="step" x="{x}" y="{y}" width="{width}" height="34" rx="5"/>')
        parts.append(f'<text class="strong" x="{x + width / 2}" y="{y + 11}">{name.split(".")[-1]}</text>')
        parts.append(f'<text class="note" x="{x + width / 2}" y="{y + 25}">{file}</text>')
    for k, room in enumerate(walk.lanes):
        parts.append(f'<text x="{4 + lane * k + width / 2}" y="14">{room}</text>')
    return picture(walk.title, 8 + lane * (len(walk.lanes) - 1) + width, 50 + step * len(walk.steps), parts)


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
        "tau": partial(steps_of, TORQUES),
        "equations": partial(steps_of, EQUATIONS),
        "proof": partial(steps_of, PROOF),
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
