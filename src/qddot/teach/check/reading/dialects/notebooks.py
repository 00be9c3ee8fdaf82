"""Converts Jupyter notebooks to text: the sources of their cells, and what these display."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from qddot.base.errors import FormatError
from qddot.teach.check.reading.programs.python import of_python
from qddot.teach.check.reading.texts.written import Written

COMPUTED = "qddot"  # the tag of cells in which a report's results are derived again
SHOWN = ("text/latex", "text/plain")
EQUATION = re.compile(r"[ \t]*[^\W\d]\w*(?:\[[\d, ]*\])*[ \t]*=(?!=)")
SHOWN_AT_END = re.compile(
    r"\s*(?:display\(|pprint\()?(?:(?:\w+\.)?(?:simplify|trigsimp|expand|factor|nsimplify)\()?"
    r"(?P<name>[^\W\d]\w*(?:\[[\d, ]*\])*)\)*(?:\.\w+\(\w*\))?\)*\s*"
)


def cells(text: str, where: str) -> str:
    """Returns the sources and the outputs of a notebook's cells, without those in which a report calls qddot.

    raises FormatError: it is not a notebook
    """
    try:
        notebook, end = json.JSONDecoder().raw_decode(text.lstrip())
        if text.lstrip()[end:].strip():
            raise FormatError("several-notebooks", where=where)
        relevant_cells = [cell for cell in notebook["cells"] if cell.get("cell_type") in ("code", "markdown")]
        relevant_cells = [cell for cell in relevant_cells if COMPUTED not in cell.get("metadata", {}).get("tags", ())]
        variables: dict[str, Any] = {}
        pieces = [piece for cell in relevant_cells for piece in _of_cell(cell, variables)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise FormatError("not-notebook", where=where) from None
    return "\n\n".join(pieces)


def _of_cell(cell: Any, variables: dict[str, Any]) -> Iterator[str]:
    """Yields the source of a cell and, if that is code, the equations among its outputs."""
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        yield source
        return
    yield of_python(Written(source), variables).text
    name = _shown_name(source)
    for output in cell.get("outputs", ()):
        if output.get("output_type") == "stream":
            lines = [line for line in "".join(output["text"]).splitlines() if EQUATION.match(line)]
            yield of_python(Written("\n".join(lines))).text
        elif name and "data" in output:
            yield _shown(name, {kind: "".join(value) for kind, value in output["data"].items() if kind in SHOWN})


def _shown_name(source: str) -> str:
    """Returns the name of the quantity that a cell's last line shows: h[0] for simplify(h[0])."""
    lines = [line for line in re.split(r"[;\n]", source) if line.strip() and not line.strip().startswith("#")]
    match = SHOWN_AT_END.fullmatch(lines[-1]) if lines else None
    return match["name"] if match else ""


def _shown(name: str, data: dict[str, str]) -> str:
    """Returns the output of a cell as an equation for a name."""
    if "text/latex" in data:
        return f"${name} = {data['text/latex'].strip().strip('$')}$"
    plain_text = data.get("text/plain", "")
    return of_python(Written(f"{name} = {plain_text}")).text if plain_text and "<" not in plain_text else ""
