"""The notebook that grades a class runs, names the mistakes that are planted in it, and gives no result away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import qddot

NOTEBOOK = Path(__file__).parents[3] / "examples" / "grading.ipynb"
SECONDS = 120  # for one cell, on a busy machine


@pytest.fixture(scope="module")
def cells() -> dict[str, list[Any]]:
    """The outputs of the cells, by each cell's last line."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "an example is kept without its outputs"
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3").execute()
    return {cell.source.splitlines()[-1]: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


def test_the_table_has_a_row_for_each_student(cells: dict[str, list[Any]]) -> None:
    (output,) = cells["grades"]
    shown = output.data["text/html"]
    assert shown.partition("</table>")[0].count("<tr>") == 1 + 6  # behind it stand the causes of what is unread
    unread = "emil.txt:1:1): the end in a bracket that was opened"
    for said in ("an extra factor of 2", "gravity points the other way", unread, "it is empty", "5 of 5"):
        assert said in shown, said


def test_objects_show_themselves_as_tables(cells: dict[str, list[Any]]) -> None:
    for line in ("grades", "marked", "chen"):
        (output,) = cells[line]
        assert set(output.data) == {"text/plain", "text/html"}
        assert "\n" not in output.data["text/plain"]


def test_a_hint_names_the_mistake_and_gives_nothing_away(cells: dict[str, list[Any]]) -> None:
    (output,) = cells['print(f"M12 is not right yet. Perhaps: {hint(wrong)}")']
    doubled = "a term is doubled: it has an extra factor of 2, or it is written twice"
    assert output.text == f"M12 is not right yet. Perhaps: {doubled}\n"


def test_the_hidden_tests_pass_and_fail_as_they_should() -> None:
    sources = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    space: dict[str, Any] = {"arm": qddot.load("two_link")}
    for start in ("def hint", "### BEGIN SOLUTION", "### BEGIN HIDDEN TESTS"):
        (source,) = (each for each in sources if each.startswith(start))
        exec(compile(source, start, "exec"), space)
    space["M12"] = "m2*l**2/3 + m2*l*cos(q2)/2"
    with pytest.raises(AssertionError, match=r"^M12 is not right yet. Perhaps: l is not squared in a term$"):
        exec(compile(source, "hidden tests", "exec"), space)


def test_the_notebook_ends_in_a_fact(cells: dict[str, list[Any]]) -> None:
    ends = [output.text for line, outputs in cells.items() if "graded;" in line for output in outputs]
    assert ends == ["graded; 2 of 6 are right; marks 5 5 4 3 1 0\n"]
