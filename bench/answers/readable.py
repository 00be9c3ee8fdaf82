"""Writes into docs/reference/check.md what `check` reads, from the checker's own tables, with an example in each row.

python bench/answers/readable.py           prints the tables
python bench/answers/readable.py --write   writes them between their marks in docs/reference/check.md

examples/readable.toml has the examples, which a test gives to the checker.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from qddot.algebra.expressions.signs import UNITS
from qddot.teach.check.reading.dialects import formats
from qddot.teach.check.reading.names import arm_names
from qddot.teach.check.reading.names.letters import CALLED, LETTERS
from qddot.teach.check.reading.programs import library
from qddot.teach.check.reading.programs.languages import NOTATIONS
from qddot.teach.check.reading.signs import latex_signs

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "check.md"
BEGIN, END = "<!-- made by bench/answers/readable.py: begin -->\n", "<!-- end -->\n"
EXAMPLES: dict[str, Any] = tomllib.loads((HERE / "examples" / "readable.toml").read_text(encoding="utf-8"))
INTERNAL = {"brackets"}  # a function that no program calls
IN_PRODUCTS = {"products", "squares", "pseudo_inertia"}  # quantities that are read within others
OF_LOOPS = {"R", "phi"}  # quantities of closed chains
LENGTHS = ("m", "cm", "mm", "km", "米", "厘米", "毫米")


class Example(NamedTuple):
    """This is a right answer, as the text of a file with a suffix."""

    text: str
    suffix: str = ""
    arm: str = "two_link"

    def cell(self) -> str:
        """Returns the cell of a table."""
        return code(self.text.replace("\n", " ⏎ "))


class Row(NamedTuple):
    """A row of a table has cells, and examples, the first of which is shown in the last cell."""

    cells: tuple[str, ...]
    examples: tuple[Example, ...]


class Table(NamedTuple):
    """A table has a title, the heads of its columns, and rows."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[Row]


def code(text: str) -> str:
    """Returns a text as code in a cell."""
    return f"`{text.replace('|', chr(92) + '|')}`"


def listed(names: Iterable[str]) -> str:
    """Returns names as code, each once."""
    return " ".join(map(code, dict.fromkeys(names)))


def tables() -> list[Table]:
    """Returns all tables."""
    return [_formats(), _programs(), _formulas(), _latex(), _motion(), _quantities(), _units()]


def _formats() -> Table:
    rows = []
    for each in formats.FORMATS:
        suffix = each.suffixes.split()[0] if each.suffixes else "" if each.name != "matlab" else ".m"
        base = _first_index(each)
        files = listed(each.suffixes.split() or ([".m"] if suffix else []))
        text = EXAMPLES["formats"][each.name]
        rows.append(Row((each.name, files, listed(each.fences.split()), *base), (Example(text, suffix),)))
    heads = ("format", "files", "blocks of code", "first index", "`1/2`")
    return Table("Formats, by the suffix of a file or by its look", heads, rows)


def _first_index(form: formats.Format) -> tuple[str, str]:
    """Returns the first index of a program, and what 1/2 is in it."""
    if form == formats.PYTHON:
        return "0", "1/2"
    if form.name not in NOTATIONS:
        return "", ""
    language = NOTATIONS[form.name]
    return str(language.base), "0" if "cut/" in language.operators.values() else "1/2"


def _programs() -> Table:
    groups = EXAMPLES["programs"]
    known = {*library.FUNCTIONS} - INTERNAL
    named = [name for group in groups for name in group["names"].split()]
    assert sorted(named) == sorted(known), f"functions without an example: {known ^ {*named}}"
    rows = [Row((listed(group["names"].split()),), (Example(group["example"], ".py"),)) for group in groups]
    return Table("Functions of programs", ("functions",), rows)


def _formulas() -> Table:
    spelled: dict[str, list[str]] = {}
    for name, meaning in {**arm_names.FUNCTIONS, **latex_signs.FUNCTIONS}.items():
        spelled.setdefault(meaning, []).append(name)
    rows = [
        Row((listed(names),), (Example(EXAMPLES["formulas"][meaning]),))
        for meaning, names in spelled.items()
        if meaning in EXAMPLES["formulas"]
    ]
    return Table("Functions of formulas", ("function",), rows)


def _latex() -> Table:
    kinds = {
        "functions": latex_signs.FUNCTIONS,
        "signs": latex_signs.SIGNS,
        "matrices": latex_signs.MATRICES,
        "accents": latex_signs.ACCENTS,
        "fonts": latex_signs.FONTS,
        "greek": latex_signs.GREEK,
        "left_out": latex_signs.LEFT_OUT | latex_signs.LEFT_OUT_WITH_ARGUMENT,
    }
    rows = [
        Row((kind.replace("_", " "), listed(sorted(names))), (Example(EXAMPLES["latex"][kind], ".tex"),))
        for kind, names in kinds.items()
    ]
    return Table("Commands of LaTeX", ("kind", "commands"), rows)


def _motion() -> Table:
    forms = {"coordinate": ("{0}{1}",), "rate": arm_names.RATES, "acceleration": arm_names.ACCELERATIONS}
    rows = []
    for kind, text in EXAMPLES["motion"].items():
        letters = [name for name, meaning in arm_names.VECTORS.items() if meaning == kind and name.islower()]
        names = dict.fromkeys([*(form.format("q", "1") for form in forms[kind]), *(f"{name}1" for name in letters)])
        rows.append(Row((kind, listed(names)), tuple(Example(text.replace("{q1}", name)) for name in names)))
    return Table("Names of the motion of the first joint", ("what", "names"), rows)


def _quantities() -> Table:
    letters: dict[str, list[str]] = {}
    for letter, meanings in LETTERS.items():
        for meaning in meanings:
            letters.setdefault(meaning.quantity, []).append(letter.removesuffix(" of loops"))
    examples = {name: Example(text, arm="one_link") for name, text in EXAMPLES["quantities"].items()}
    examples |= {name: Example(text) for name, text in EXAMPLES["quantities of two links"].items()}
    assert examples.keys() | IN_PRODUCTS | OF_LOOPS == letters.keys(), "quantities without an example"
    rows = [Row((str(CALLED[name]), listed(letters[name])), (example,)) for name, example in examples.items()]
    return Table("Letters of quantities, of which the size and the contents choose one", ("quantity", "letters"), rows)


def _units() -> Table:
    factors: dict[str, list[str]] = {}
    for name, factor in UNITS.items():
        factors.setdefault(factor, []).append(name)
    rows = [Row((listed(names), factor), tuple(map(_example_of_unit, names))) for factor, names in factors.items()]
    return Table("Units of values, with the factor to SI units", ("units", "factor"), rows)


def _example_of_unit(unit: str) -> Example:
    is_length = unit in LENGTHS
    return Example(EXAMPLES["units"]["length" if is_length else "other"].replace("{unit}", unit))


def section() -> str:
    """Returns all tables as Markdown."""
    return "\n".join("".join(_lines(table)) for table in tables())


def _lines(table: Table) -> Iterator[str]:
    has_examples = any(row.examples for row in table.rows)
    heads = (*table.heads, "such as") if has_examples else table.heads
    yield f"**{table.title}**\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for row in table.rows:
        cells = (*row.cells, *([row.examples[0].cell()] if row.examples else []))
        yield f"| {' | '.join(cells)} |\n"


def written(page: str) -> str:
    """Returns a page with the tables between their marks."""
    before, rest = page.split(BEGIN)
    return "".join([before, BEGIN, section(), END, rest.split(END)[1]])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(section())
