"""Writes a document as a notebook: after most sections, cells of code derive their results again."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from qddot.formats.toml import robot_file
from qddot.papers.report.document import IN_SUMS, Document, TextbookForm
from qddot.papers.report.formats.markdown_file import Markdown
from qddot.papers.report.sections.worked_state import worked_state
from qddot.robot.model import Model

KINDS = {".svg": "image/svg+xml", ".webp": "image/webp"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
TAG = "qddot"  # tells these cells from a student's own, for `qddot check`
DURATION = 2  # seconds of the motion that a reader may simulate


class Origin(NamedTuple):
    """This is the source of a document.

    text: the robot file; model: the model that it describes; written: the arguments of `textbook`
    """

    text: str
    model: Model
    routes: tuple[str, ...]
    written: TextbookForm


def files(document: Document, place: Path) -> dict[Path, str]:
    """Returns the content of the file. Its cells have no outputs until a reader runs them."""
    cells = [{**cell, "id": f"cell-{k}"} for k, cell in enumerate(_cells(document), 1)]
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return {place: json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"}


def _cells(document: Document) -> Iterator[dict[str, Any]]:
    markdown = Markdown(document, lambda name: f"attachment:{name}")
    texts = [markdown.head()]
    if document.robot:
        texts.append(markdown.line([markdown.words("notebook")]))
    yield _text("\n\n".join(texts), {})
    origin = _origin(document)
    for section in document.sections:
        before = set(markdown.pictures)
        written = markdown.section(section)
        yield _text(written, {name: markdown.pictures[name] for name in markdown.pictures if name not in before})
        if origin and section.key in CODE:
            yield from map(_code, CODE[section.key](origin))


def _origin(document: Document) -> Origin | None:
    if not document.robot:
        return None
    model = robot_file.loads(document.robot, "the document's robot")
    return Origin(document.robot, model, document.routes or ("composite",), document.written)


def _text(content: str, pictures: Mapping[str, bytes | str]) -> dict[str, Any]:
    cell = {"cell_type": "markdown", "metadata": {}, "source": content.splitlines(keepends=True)}
    return (
        {**cell, "attachments": {name: _picture(name, data) for name, data in pictures.items()}} if pictures else cell
    )


def _picture(name: str, data: bytes | str) -> dict[str, str]:
    content = data.encode() if isinstance(data, str) else data
    return {KINDS[Path(name).suffix]: b64encode(content).decode()}


def _code(source: str) -> dict[str, Any]:
    lines = source.splitlines(keepends=True)
    metadata = {"tags": [TAG]}
    return {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": lines}


def _robot(origin: Origin) -> list[str]:
    return [f"import qddot\n\narm = qddot.loads({quoted(origin.text)})\narm"]


def quoted(text: str) -> str:
    """Returns a text as Python source, over several lines; invisible characters are written as codes."""
    # no quotation mark ends the text
    marked = re.sub(r'"(?=""|\Z)', r'\\"', text.replace("\\", "\\\\"))
    return f'"""\\\n{"".join(map(_visible, marked))}"""'


def _visible(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\n" else letter.encode("unicode_escape").decode()


def _transforms(origin: Origin) -> list[str]:
    form, lumped = origin.written
    arguments = [f'"{form}"'] * (form != IN_SUMS[0]) + ["lumped=False"] * (not lumped)
    short = f"short = eq.textbook({', '.join(arguments)})"
    return [f'eq = arm.equations("{origin.routes[0]}")\n{short}\nshort.array("T_tool")']


def _steps(origin: Origin) -> list[str]:
    return ["eq.steps", *(f'arm.equations("{route}").steps' for route in origin.routes[1:])]


def _inertias(_: Origin) -> list[str]:
    return ["arm.equations().I_o"]


def _equations(_: Origin) -> list[str]:
    return ["short"]


def _proof(_: Origin) -> list[str]:
    return ["eq.prove()"]


def _state(origin: Origin) -> list[str]:
    """Returns a cell with one state in numbers: the compiled functions, and the exact equations in the same state."""
    if not _has_values(origin.model):
        return []
    names = ("q", "qd", "qdd")
    state = zip(names, worked_state(origin.model), strict=True)
    rows = [f"{name} = {list(values.values())}" for name, values in state]
    computed = 'tau = arm.inverse_dynamics(q, qd, qdd)\nassert np.allclose(tau, eq.at(q, qd, qdd)["tau"])'
    results = '{"M": arm.mass_matrix(q), "G": arm.gravity(q), "tau": tau}'
    return ["\n".join(["import numpy as np\n", *rows, computed, results])]


def _base(_: Origin) -> list[str]:
    return ["arm.base_parameters()"]


def _simulation(origin: Origin) -> list[str]:
    if not _has_values(origin.model):
        return []
    q = list(worked_state(origin.model)[0].values())
    return [f"run = arm.simulate({q}, duration={DURATION})\nrun.energy", "run.plot()"]


def _has_values(model: Model) -> bool:
    return set(model.symbols) <= set(model.defaults())


# the cells of a section, by its key
CODE: dict[str, Callable[[Origin], list[str]]] = {
    "robot": _robot,
    "integrals": _inertias,
    "transforms": _transforms,
    "steps": _steps,
    "equations": _equations,
    "proof": _proof,
    "state": _state,
    "parameters": _base,
    "motion": _simulation,
}
