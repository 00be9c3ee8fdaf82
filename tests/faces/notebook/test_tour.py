"""The notebook among the examples runs, and every object in it shows itself as it should."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

TOUR = Path(__file__).parents[3] / "examples" / "tour.ipynb"
SECONDS = 120  # for one cell, on a busy machine
LONGEST = {"text/plain": 200, "text/html": 30_000, "text/latex": 10_000, "text/markdown": 10_000, "image/png": 400_000}
# what the last line of a cell shows, and as what
SHOWN = {
    "arm": "text/html",
    "eq": "text/latex",
    "eq.textbook()": "text/latex",
    "certificate": "text/html",
    'eq.M[0, 0].diff("q2")': "text/latex",
    'arm.equations("dh4x4").steps': "text/markdown",
    'eq.linearize(["90deg", 0])': "text/latex",
    "eq.at([0.3, -0.4], [1.0, 0.5])": "text/html",
    "base": "text/html",
    "eq.abbreviate(significance=0.05)": "text/html",
    'arm.program("inverse_dynamics")': "text/html",
    "run": "text/html",
    "run.energy": "text/html",
    "run.trust()": "text/html",
    "run.plot()": "image/png",
    'qddot.load("puma560").doctor()': "text/html",
    "qddot.diff(arm, arm.with_values(m2=3))": "text/html",
    "puma.M": "text/latex",
}
BESIDE = {  # what the tour does not show: as a user of a notebook may ask for it
    'arm.check(G2="0")': "text/html",
    'qddot.shapes.rod(m="m", length="l")': "text/html",
    "puma": "text/latex",
    "puma.christoffel": "text/latex",
    "puma.h[0]": "text/latex",
    "puma.textbook()": "text/latex",
    'puma.textbook().shares("M")': "text/html",
    'puma.why("M12")': "text/html",
    "arm.linearize([0.3, -0.4])": "text/html",
    "run.plot_energy()": "image/png",
    "run.plot_phase(1)": "image/png",
    "run.plot_path()": "image/png",
    "arm.plot([0.3, 0.4])": "image/png",
}
OPEN_FIGURES = "import matplotlib.pyplot as plt\nprint(plt.get_fignums())"


@pytest.fixture(scope="module")
def cells(record_testsuite_property: Callable[[str, object], None]) -> dict[str, list[Any]]:
    """The outputs of the tour's cells and of some more, by each cell's last line; the report says how long it took."""
    notebook = nbformat.read(TOUR, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "an example is kept without its outputs"
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in (*BESIDE, OPEN_FIGURES)]
    start = perf_counter()
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3").execute()
    record_testsuite_property("seconds of the notebook", round(perf_counter() - start, 1))
    return {cell.source.splitlines()[-1]: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


def test_every_cell_is_known(cells: dict[str, list[Any]]) -> None:
    assert [line for line in cells if "print" not in line] == [*SHOWN, *BESIDE]


@pytest.mark.parametrize(("line", "kind"), {**SHOWN, **BESIDE}.items(), ids=[*SHOWN, *BESIDE])
def test_an_object_shows_itself_once_and_never_as_a_dump(line: str, kind: str, cells: dict[str, list[Any]]) -> None:
    (output,) = cells[line]
    assert output.output_type == "execute_result"
    assert set(output.data) == {"text/plain", kind}
    for each, content in output.data.items():
        assert 0 < len(content) <= LONGEST[each], each
    assert "\n" not in output.data["text/plain"]


def test_the_tour_ends_in_a_fact(cells: dict[str, list[Any]]) -> None:
    ends = [output for line, outputs in cells.items() if "proved;" in line for output in outputs]
    assert [output.text for output in ends] == ["proved; 100 torques agree to 12 decimals\n"]


def test_no_figure_stays_open(cells: dict[str, list[Any]]) -> None:
    (output,) = cells[OPEN_FIGURES.splitlines()[-1]]
    assert output.text == "[]\n"
