"""Markdown means the same whether mathematics is looked for first or last; a notebook derives anew what it tells."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from base64 import b64decode
from fractions import Fraction
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nbclient import NotebookClient
from shipped import robot
from tools import BROWSER, node, uses

import qddot
from qddot.base.errors import visible
from qddot.exact.equations.quantity_names import name_of
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Matrix, Product, Sum
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import (
    Blank,
    Code,
    Column,
    Columns,
    Document,
    EquationBlock,
    Figure,
    Folded,
    Numbered,
    Paragraph,
    Picture,
    Reference,
    Section,
    Share,
    Table,
)
from qddot.papers.report.finished_parts import FinishedParts
from qddot.papers.report.formats import markdown_file, markdown_inline, notebook_file
from qddot.papers.report.formula import formula

pytestmark = pytest.mark.usefixtures("derived_once")

IN_KATEX = Path(__file__).parents[2] / "exact" / "printing" / "in_katex.mjs"
DOCUMENTS = [
    ("spatial_2r", "com_jacobian", "en"),
    ("spatial_2r", "energy", "zh"),
    ("elbow_3r", "dh4x4", "zh"),
    ("elbow_3r", "newton_euler", "en"),
    ("rp", "screw", "en"),
    ("rp", "composite energy", "zh"),
]
MATHEMATICS = re.compile(r"\$\$\n(.*?)\n\$\$|\$([^$]+)\$", re.DOTALL)
CODE = re.compile(r"^(`{3,})\w*\n.*?^\1$", re.DOTALL | re.MULTILINE)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0L8 8"/></svg>'
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
KINDS = ["text/html", "text/latex", "text/markdown", "text/latex", "text/html", "text/html", "text/html", "image/png"]
HOSTILE = (
    "<script>alert(1)</script> &amp; </details>",
    "*a* _b_ `c` ~~d~~ ![e](f) [g]: h <http://i.j> {#k .l}",
    "# a heading",
    "- an item",
    "12. an item",
    "---",
    "```python",
    "| a | b |",
    "    indented",
    "costs $5 and $6, $$7$$, \\(x\\) \\[y\\] \\begin{align}",
    "\u202egnp.exe two\nlines\x1b[2J",
    "(target)= %comment +++ @name ^up^",
)


@cache
def document(name: str, routes: str, lang: str) -> Document:
    arm = robot(name)
    told = [arm.equations(route) for route in routes.split()]
    derivation = ReportContents([eq.textbook() for eq in told], told[0].prove([]), arm.base_parameters())
    return report(derivation, lang, FinishedParts(pose=Picture(SVG)))


def by_hand() -> Document:
    """A document with every kind of block, and hostile texts wherever there may be one."""
    said = " ".join(HOSTILE)
    m = Sum((Product(Fraction(2), ((symbol("m_1"), 1),)),))
    long = Sum(tuple(Product(Fraction(1), ((symbol(f"shoulder_pan_joint_{k}"), 2),)) for k in range(9)))
    listed = (
        Numbered(name_of("M"), Matrix(((m, m), (m, Sum()))), ((Share(0, said, m), Share(1, said, None)),)),
        Numbered(name_of("tau"), long),
        Numbered(name_of("G"), Blank(3)),
    )
    law = formula("U_ij = ∂T_i/∂q̇_j − {Σ_k [Γ_ijk] q̇_k} · ½")
    blocks = (
        Paragraph((said, law, said, Reference("first"), m, symbol("a"))),
        Paragraph(("其中", symbol("theta"), "，而", law, "。")),
        *(Paragraph((each,)) for each in HOSTILE),
        EquationBlock("first", listed),
        EquationBlock("second", (Numbered(name_of("h"), Blank(1)),), ("first",)),
        Table((said, ""), ((said, m), (Blank(1), symbol("b")), ("-0.5", "9.81"))),
        Figure(Picture(SVG), said),
        Folded(said, (Paragraph((said,)), Figure(Picture(SVG, moving=b"moving"), said))),
        Columns((Column(said, (Paragraph((said,)),)), Column("two", (EquationBlock("third", listed[:1]),)))),
        Code("python", "a = '```' # ````\n\tb\x1b\n"),
    )
    return Document(said, said, "en", (Section("one", said, blocks), Section("two", "two", ())))


def markdown(made: Document) -> str:
    content = markdown_file.files(made, Path("arm.md"))[Path("arm.md")]
    assert isinstance(content, str)
    return content


@pytest.fixture(params=[*DOCUMENTS, None], ids=range(len(DOCUMENTS) + 1))
def made(request: pytest.FixtureRequest) -> Document:
    """Each document, and the one with every kind of block."""
    return by_hand() if request.param is None else document(*request.param)


def all_documents() -> list[Document]:
    return [*(document(*each) for each in DOCUMENTS), by_hand()]


class Page(HTMLParser):
    """This collects the tags and the text of a page, and where each tag leads."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.places, self.links = set[str](), "", list[str](), list[str]()
        self.pieces, self.alternatives = list[str](), list[str]()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        known = dict(attrs)
        assert set(known) <= {"id", "href", "src", "alt", "class", "start"}
        self.places += [str(known["id"])] if "id" in known else []
        self.links += [str(known["href"])] if "href" in known else []
        self.alternatives += [str(known["alt"])] if "alt" in known else []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)
        self.text += data


def read(text: str) -> Page:
    """The page that a program makes which reads Markdown first, and knows nothing of mathematics."""
    return Page(READER.render(text))


def formulas(text: str) -> list[str]:
    return [one or two for one, two in MATHEMATICS.findall(CODE.sub("", text))]


def test_markdown_leaves_the_mathematics_alone(made: Document) -> None:
    written = markdown(made)
    page = READER.render(CODE.sub("", written))
    shown = unescape(re.sub(r"<span>(.|&#\d+;)</span>|<[^>]+>", "", page))
    assert formulas(written)
    assert formulas(shown) == formulas(written)


@uses("node", "pyodide")
def test_every_formula_parses_in_katex(tmp_path: Path) -> None:
    texts = [each for made in all_documents() for each in formulas(markdown(made))]
    (tmp_path / "all.json").write_text(json.dumps(texts), encoding="utf-8")
    command = [node(), str(IN_KATEX), str(BROWSER), str(tmp_path / "all.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert len(texts) > 400
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_link_leads_to_a_place_and_equations_are_numbered(made: Document) -> None:
    written = markdown(made)
    page = read(written)
    assert len(page.places) == len(set(page.places))
    assert {link.removeprefix("#") for link in page.links} <= set(page.places)
    numbers = [int(number) for number in re.findall(r"\\tag\{(\d+)\}", written)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [place for place in page.places if place.startswith("equation-")] == [f"equation-{k}" for k in numbers]


def test_dollar_signs_of_mathematics_stand_apart() -> None:
    """GitHub finds mathematics between spaces and some signs of sentences alone."""
    for made in all_documents():
        written = CODE.sub("", markdown(made)).replace("\n$$\n", "\n")
        signs = [match.start() for match in re.finditer(r"\$", written)]
        assert signs
        for opened, closed in zip(signs[::2], signs[1::2], strict=True):
            assert written[opened - 1] in " (\n"
            assert written[closed + 1] in " .,;:?)\n"


def test_whatever_a_text_says_it_is_shown_letter_by_letter() -> None:
    made = by_hand()
    page = read(markdown(made))
    known = {"h1", "h2", "h3", "p", "a", "ol", "li", "span", "table", "thead", "tbody", "tr", "th", "td", "img", "br"}
    assert page.tags == known | {"details", "summary", "pre", "code"}
    assert set(page.links) == {"#one", "#two", "#equation-1", "#equation-3"}
    for text in HOSTILE:
        assert visible(text).strip() in page.text
    assert page.alternatives == [visible(" ".join(HOSTILE))] * 2
    assert not re.search(r"!\[[^\n]*<span>", markdown(made).replace("\\!", ""))
    shown = [piece for piece in page.pieces if set("$\\") & set(piece)]
    assert all(len(piece) == 1 or formulas(piece) for piece in shown if "````" not in piece)


@given(st.text())
@settings(max_examples=20)
def test_any_text_is_a_line_of_text(text: str) -> None:
    page = read(markdown_inline.joined([markdown_inline.text(text)]))
    assert page.tags <= {"p", "span"}
    assert page.text.strip() == visible(text).strip()


@given(st.lists(st.text(alphabet="-+*#>=`~_|.1)a[](){}!&<:%$\\ \t", max_size=9)))
def test_lines_are_never_more_than_lines(texts: list[str]) -> None:
    for text in texts:
        page = read(markdown_inline.joined([markdown_inline.text(text)]))
        assert page.tags <= {"p", "span"}
        assert page.text.strip() == visible(text).strip()


def test_code_stands_between_fences_that_it_does_not_have() -> None:
    written = markdown(by_hand())
    page = read(written)
    assert "\n`````python\na = '```' # ````\n    b\\x1b\n`````\n" in written
    assert "a = '```' # ````\n    b\\x1b\n" in page.text


def test_pictures_stand_beside_the_file(tmp_path: Path) -> None:
    place = tmp_path / "my arm (1) #2.md"
    files = markdown_file.files(by_hand(), place)
    one, two = tmp_path / "my arm (1) #2-picture-1.svg", tmp_path / "my arm (1) #2-picture-2.webp"
    assert set(files) == {place, one, two}
    assert files[one] == SVG
    assert files[two] == b"moving"
    assert "](my%20arm%20%281%29%20%232-picture-2.webp)" in str(files[place])


def test_a_report_writes_markdown_and_its_picture(tmp_path: Path) -> None:
    path = robot("rp").report(tmp_path / "rp.md", "screw")
    linked = set(re.findall(r"\]\((rp-picture-[^)]+)\)", path.read_text(encoding="utf-8")))
    assert "rp-picture-1.svg" in linked
    assert {each.name for each in tmp_path.iterdir()} == {"rp.md"} | linked


def cells(made: Document) -> Any:
    (content,) = notebook_file.files(made, Path("arm.ipynb")).values()
    notebook = nbformat.reads(content, as_version=4)
    nbformat.validate(notebook)
    return notebook.cells


def test_a_notebook_is_valid_and_has_the_same_text(made: Document) -> None:
    notebook = cells(made)
    assert [cell.cell_type for cell in notebook] == ["markdown"] * (len(made.sections) + 1)
    whole = "\n\n".join(cell.source for cell in notebook)
    assert re.sub(r"attachment:|arm-", "", whole) == re.sub("arm-", "", markdown(made).strip())
    named = re.findall(r"\(attachment:(.*?)\)", whole)
    pictures = {name: data for cell in notebook for name, data in cell.get("attachments", {}).items()}
    assert named == list(pictures)
    assert b64decode(pictures["picture-1.svg"]["image/svg+xml"]).decode() == SVG


@pytest.mark.parametrize(("lang", "name"), [("en", "rp"), ("zh", "elbow_3r")])
def test_a_notebook_derives_the_arm_that_it_tells_of(lang: str, name: str, tmp_path: Path) -> None:
    arm = robot(name)
    path = arm.report(tmp_path / "arm.ipynb", "com_jacobian", lang)
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in code)
    first, *others = (ast.parse(cell.source) for cell in code)
    (call,) = (node for node in ast.walk(first) if isinstance(node, ast.Call))
    assert qddot.loads(ast.literal_eval(call.args[0])).model == arm.model
    assert ast.unparse(others[0]).startswith("eq = arm.equations('com_jacobian')")


def test_a_notebook_of_an_arm_without_values_asks_for_no_numbers() -> None:
    rows = [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": "m", "com": [0, 0, 0]}], symbols="l m")
    eq = arm.equations()
    made = report(ReportContents([eq.textbook()], eq.prove([])))._replace(
        robot=arm.to_toml("dh"), routes=("composite", "energy")
    )
    code = "\n".join(cell.source for cell in cells(made) if cell.cell_type == "code")
    assert "simulate" not in code
    assert "inverse_dynamics" not in code
    assert 'arm.equations("energy").steps' in code


@given(st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("\"'\\\n")))
def test_any_text_is_itself_in_a_cell_of_code(text: str) -> None:
    source = notebook_file.quoted(text)
    assert ast.literal_eval(source) == text
    assert all(letter.isprintable() or letter == "\n" for letter in source)


def test_the_notebook_runs(tmp_path: Path) -> None:
    path = robot("rp").report(tmp_path / "rp.ipynb", "com_jacobian")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    kinds = [set(output.data) - {"text/plain"} for (output,) in shown]
    assert [kind for (kind,) in filter(None, kinds)] == KINDS
