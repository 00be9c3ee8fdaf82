"""Draws what was measured and stored: differences from peers and from the literature, and what first calls cost."""

from __future__ import annotations

import json
from math import log10
from pathlib import Path
from typing import Any

import batch_curves
import differences
from docutils import nodes
from markup import table
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def _origin(stored: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in stored["versions"].items())
    return f"Measured on {stored['date']}, {stored['machine']}; {versions}."


def first_calls(stored: dict[str, Any]) -> str:
    """Returns a table: what the first call takes, what later ones do, and after how many it has paid."""
    rows = []
    for row in stored["rows"]:
        saved = row["Pinocchio"] - row["call"]
        paid = f"{_rounded(1e6 * row['first'] / saved):,} calls" if saved > 0 else "never"
        times = (f"{row['first']:.2g} s", f"{row['call']:.2g} µs", f"{row['Pinocchio']:.2g} µs")
        rows.append((str(row["joints"]), row["function"], *times, paid))
    return table(("joints", "function", "first call", "later calls", "Pinocchio", "paid after"), rows)


def speeds(stored: dict[str, Any]) -> dict[str, str]:
    """Returns the tables of speeds: of functions in numbers, of motion, and of exact work."""
    times = ("call", "Pinocchio")
    heads = ("function", "operations", "a state of a batch", "one state a call", "Pinocchio, one state a call")
    rows = [
        (
            row["function"],
            f"{row['operations']:,}",
            f"{row['batch']:.0f}&nbsp;ns",
            *(f"{row[who]:.1f}&nbsp;µs" for who in times),
        )
        for row in stored["numbers"]
    ]
    return {
        "numbers": table(heads, rows),
        "motion": table(("arm", "an arm's step"), [(row["what"], f"{row['ns']:.0f} ns") for row in stored["motion"]]),
        "exact": table(("work", "time"), [(row["what"], _long(row["ms"])) for row in stored["exact"]]),
    }


def _long(milliseconds: float) -> str:
    return f"{milliseconds:.2g} ms" if milliseconds < 100 else f"{milliseconds / 1000:.2g} s"


def _rounded(count: float) -> int:
    """Returns a count to two digits."""
    unit = 10 ** max(0, int(log10(count)) - 1)
    return round(count / unit) * unit


class Evidence(SphinxDirective):
    """Shows a file of stored results: `differences FILE SOURCE`, `first-calls FILE`, or for an arm `batches FILE ARM`.

    `batches` and `batch-table` take a file of published results behind the arm; `speeds FILE TABLE` shows one of three.
    """

    required_arguments = 2
    optional_arguments = 2

    def run(self) -> list[nodes.Node]:
        kind, file, *further = self.arguments
        stored = self._stored(file)
        published = self._stored(further[1]) if len(further) > 1 else None
        if kind == "differences":
            shown = differences.picture(stored, further[0])
            told = f"{differences.legend(stored, further[0])} {_origin(stored)}"
        elif kind == "batches":
            shown = batch_curves.panels(stored, published, further[0])
            told = f"{batch_curves.legend(published)} {_origin(stored)}"
        elif kind == "batch-table":
            shown, told = batch_curves.table(stored, published, further[0]), "Microseconds a batch."
        elif kind == "speeds":
            shown, told = speeds(stored)[further[0]], _origin(stored)
        else:
            shown, told = first_calls(stored), _origin(stored)
        caption = f"<figcaption><p>{told}</p></figcaption>"
        figure = f'<figure class="drawn"><div class="drawings" tabindex="0">{shown}</div>{caption}</figure>'
        return [nodes.raw("", figure, format="html")]

    def _stored(self, file: str) -> dict[str, Any]:
        path = Path(self.env.doc2path(self.env.docname)).parent / file
        self.env.note_dependency(str(path))
        return json.loads(path.read_text(encoding="utf-8"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the directive `evidence`."""
    app.add_directive("evidence", Evidence)
    return {"parallel_read_safe": True}
