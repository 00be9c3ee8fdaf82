"""Reports on paper, by Typst and by LaTeX: every part is there, nothing runs out of a page, no text is a command."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typst
from paper_documents import HOSTILE, everything
from PIL import Image
from refusals import refusal
from shipped import robot
from tools import pdflatex, uses

import qddot
from qddot import EquationsOfMotion
from qddot.base.errors import visible
from qddot.base.system import chinese_font, programs
from qddot.exact.printing.tree import Matrix
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import Document, EquationBlock, Figure, Paragraph, Picture, Section
from qddot.papers.report.formats import paper_rows, tex_file, typst_file
from qddot.papers.report.formats.tex_text import escaped
from qddot.papers.report.formula import formula, in_latex, in_typst
from qddot.papers.report.languages import LANGUAGES
from qddot.papers.report.levels import Extent
from qddot.papers.report.sections import the_arm, worked_state
from qddot.papers.report.wording import Words

pytestmark = pytest.mark.usefixtures("derived_once")

DERIVATIONS = (("spatial_2r", "com_jacobian"), ("elbow_3r", "screw"), ("ur5", "dh4x4"), ("rp", "newton_euler"))
PPI, CENTIMETRE = 60, 60 / 2.54
SLIGHTLY = 0.5  # points that nobody sees
MARGIN = 1.8  # centimetres on the left and on the right that nothing stands in
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><path d="M0 0 L4 2" stroke="red"/></svg>'


@cache
def document(name: str, route: str, lang: str = "en") -> Document:
    arm = robot(name)
    eq = arm.equations(route)
    return report(ReportContents([eq.textbook()], eq.prove([]), arm.base_parameters()), lang)


def pages(made: Document, folder: Path) -> list[np.ndarray]:
    """Returns the pages as grey pictures."""
    fonts = typst_file.available(made.lang)
    main = typst_file.write(made, folder, fonts.families())
    compiler = typst.Compiler(main, folder, fonts, package_path=folder, package_cache_path=folder)
    drawn = compiler.compile(format="png", ppi=PPI)
    drawn = [drawn] if isinstance(drawn, bytes) else drawn
    assert drawn
    return [np.asarray(Image.open(BytesIO(page)).convert("L")) for page in drawn]


def written(made: Document, folder: Path) -> str:
    return typst_file.write(made, folder, typst_file.available(made.lang).families()).read_text(encoding="utf-8")


def queried(made: Document, folder: Path, selector: str, field: str) -> Any:
    main = typst_file.write(made, folder, typst_file.available(made.lang).families())
    return json.loads(typst.query(str(main), selector, field=field, root=str(folder)))


def in_margins(drawn: Iterable[np.ndarray]) -> int:
    """Returns how many dots stand in the margins."""
    strip = int(MARGIN * CENTIMETRE)
    return sum(int((page[:, :strip] < 250).sum() + (page[:, -strip:] < 250).sum()) for page in drawn)


@pytest.mark.parametrize(
    ("name", "route", "lang"), [(*each, "zh" if k % 2 else "en") for k, each in enumerate(DERIVATIONS)]
)
def test_nothing_runs_out_of_a_page(name: str, route: str, lang: str, tmp_path: Path) -> None:
    drawn = pages(document(name, route, lang), tmp_path)
    assert len(drawn) > 1
    assert in_margins(drawn) == 0


def test_what_is_too_wide_would_be_seen(tmp_path: Path) -> None:
    made = everything(hostile=("x" * 200,) * 4)
    assert in_margins(pages(made, tmp_path)) > 0


def test_every_kind_of_block_has_its_place(tmp_path: Path) -> None:
    made = everything()
    assert in_margins(pages(made, tmp_path)) == 0
    numbers = queried(made, tmp_path, "metadata", "value")
    count = max(last for _, last in made.numbers().values())
    assert numbers == list(range(1, count + 1))
    links = {dest for dest in queried(made, tmp_path, "link", "dest") if "equation" in dest}
    assert links == {f"<equation-{k}>" for key in ("M", "h") for k in made.numbers()[key]}
    assert set(re.findall(r"picture-\d.svg", written(made, tmp_path))) == {"picture-1.svg", "picture-2.svg"}


def test_texts_are_no_commands_of_typst(tmp_path: Path) -> None:
    headings = [body["text"] for body in queried(everything(), tmp_path, "heading.where(level: 1)", "body")]
    assert headings[2:-1] == list(HOSTILE[:-1])
    assert headings[-1] == visible(HOSTILE[-1])


def test_a_pdf_says_what_it_is(tmp_path: Path) -> None:
    path = robot("rp").report(tmp_path / "arm.pdf", "energy", level="summary")
    content = path.read_bytes()
    assert content.startswith(b"%PDF")
    assert b"/Title" in content
    assert b"/Lang(en)" in content
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.usefixtures("no_chinese_font")
def test_what_is_missing_is_named_before_anything_is_derived(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(EquationsOfMotion, "textbook", None)
    with refusal(qddot.QddotError, "no-chinese-font"):
        robot("rp").report(tmp_path / "arm.pdf", lang="zh")
    monkeypatch.setattr(programs, "has_module", lambda name: name != "typst")
    with refusal(qddot.QddotError, "pdf-needs-typst", '".[report]"'):
        robot("rp").report(tmp_path / "arm.pdf")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("svg", "message"),
    [("<svg", ("report-not-set",)), (SVG.replace("<path", '<image href="/etc/passwd"/><path'), ("report-not-set",))],
)
def test_a_picture_that_is_broken_or_leads_elsewhere_is_refused(svg: str, message: tuple[str, ...]) -> None:
    with refusal(qddot.QddotError, *message):
        typst_file.pdf(with_pictures(Picture(svg)))


def with_pictures(picture: Picture) -> Document:
    """Returns a document in which all pictures are this one."""
    made = everything(hostile=())
    first = made.sections[0]
    blocks = tuple(block._replace(picture=picture) if isinstance(block, Figure) else block for block in first.blocks)
    return made._replace(sections=(first._replace(blocks=blocks),))


def typeset(made: Document, folder: Path) -> str:
    """Writes a document and runs pdflatex on it; returns its log."""
    for path, content in tex_file.files(made, folder / "arm.tex").items():
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    if made.lang == "zh":
        with_boxes_for_letters(folder)
    return run_latex(folder)


def run_latex(folder: Path) -> str:
    """Runs pdflatex on arm.tex until references and tables have settled, and returns its log."""
    command = [pdflatex(), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    noted: list[str] = []
    while len(noted) < 2 or noted[-1] != noted[-2]:
        how = [] if noted else ["-draftmode"]
        result = subprocess.run([*command, *how, "arm.tex"], cwd=folder, capture_output=True, timeout=300)
        log = (folder / "arm.log").read_text(encoding="latin-1")
        assert result.returncode == 0, log[-3000:]
        noted.append("".join(path.read_text(encoding="latin-1") for path in sorted(folder.glob("arm.[at]o[xc]*"))))
    assert (folder / "arm.pdf").read_bytes().startswith(b"%PDF")
    return log


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_report_in_typst_compiles_where_it_lies(lang: str, tmp_path: Path) -> None:
    """It needs nothing but its pictures beside it, and gives the pages of the PDF."""
    arm, font = robot("two_link"), chinese_font.file()
    source, pdf = arm.report(tmp_path / "my arm.typ", lang=lang), arm.report(tmp_path / "arm.pdf", lang=lang)
    assert {path.name for path in tmp_path.glob("*.svg")} == {f"my-arm-picture-{k}.svg" for k in (1, 2, 3, 4)}
    compiled = typst.compile(str(source), root=str(tmp_path), font_paths=[str(font.parent)] if font else [])
    assert pages_of(compiled) == pages_of(pdf.read_bytes()) > 4


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@uses("pdflatex")
@pytest.mark.slow
def test_latex_keeps_a_lecture_with_its_pictures_and_tables_on_the_page(tmp_path: Path) -> None:
    robot("spatial_2r").report(tmp_path / "arm.tex", "com_jacobian", level="lecture")
    in_lines_and_known(run_latex(tmp_path))


@uses("pdflatex")
@pytest.mark.slow
def test_latex_keeps_a_lecture_on_a_long_arm_in_chinese_on_the_page(tmp_path: Path) -> None:
    """Chinese characters are boxes of their width here, since pdflatex has none; xelatex is not needed for that."""
    eq = robot("ur5").equations("dh4x4")
    in_lines_and_known(typeset(report(ReportContents([eq.textbook()], eq.prove([])), "zh", level="lecture"), tmp_path))


def in_lines_and_known(log: str) -> None:
    """Asserts that nothing runs out of its line, and that what is referred to is there, once."""
    assert [line for line in log.splitlines() if line.startswith("Overfull") and too_wide(line) > SLIGHTLY] == []
    assert "Output written" in log
    for mistake in ("undefined", "multiply defined", "Missing character"):
        assert mistake not in log


@uses("pdflatex")
@pytest.mark.slow
def test_a_summary_has_two_pages_in_latex(tmp_path: Path) -> None:
    robot("elbow_3r").report(tmp_path / "arm.tex", level="summary")
    assert "arm.pdf (2 pages" in run_latex(tmp_path)


@uses("pdflatex")
@pytest.mark.parametrize("name", ["kinova_6dof", "solo12"])
def test_tables_with_powers_of_ten_and_capitals_are_on_the_page_in_latex(name: str, tmp_path: Path) -> None:
    """In English, whose titles of columns are the wider ones."""
    short = robot(name).equations().textbook(lumped=False)
    section = the_arm.section(short, Words.of("en", short), None)
    log = typeset(Document(name, "", "en", (section,)), tmp_path)
    assert "Overfull" not in log


def too_wide(line: str) -> float:
    return float(line.partition("(")[2].partition("pt")[0])


def with_boxes_for_letters(folder: Path) -> None:
    """Writes a class in the place of ctexart in which each Chinese character is a box as wide as the line is high."""
    text = (folder / "arm.tex").read_text(encoding="utf-8")
    wide = sorted({letter for letter in text if letter > "\u2e80"})
    box = "\\leavevmode\\hbox to 1em{\\hss\\rule{.8em}{.6em}\\hss}\\hskip 0pt plus .08em\\relax"
    lines = ["\\NeedsTeXFormat{LaTeX2e}", "\\ProvidesClass{ctexart}", "\\LoadClass[10pt,a4paper]{article}"]
    lines += [
        "\\setlength{\\parindent}{2em}\\linespread{1.15}",
        "\\newcommand{\\ctexset}[1]{}",
        f"\\newcommand{{\\han}}{{{box}}}",
    ]
    lines += [f"\\DeclareUnicodeCharacter{{{ord(letter):04X}}}{{\\han}}" for letter in wide]
    (folder / "ctexart.cls").write_text("\n".join(lines), encoding="utf-8")


@uses("pdflatex")
@pytest.mark.parametrize(("name", "route"), DERIVATIONS[1:])
def test_latex_sets_every_line_within_the_page(name: str, route: str, tmp_path: Path) -> None:
    log = typeset(document(name, route), tmp_path)
    assert "Overfull" not in log
    assert "undefined" not in log
    assert "multiply defined" not in log
    assert "Missing character" not in log


@uses("pdflatex")
def test_texts_are_no_commands_of_latex(tmp_path: Path) -> None:
    log = typeset(everything(), tmp_path)
    assert "Overfull" not in log
    assert "undefined" not in log
    assert "Missing character" not in log
    assert "/etc/passwd" not in log.replace("\n", "")
    assert "tcrm" not in log  # fonts that plain LaTeX would have to make first


@uses("pdflatex")
def test_each_equation_has_its_number_in_latex(tmp_path: Path) -> None:
    made = everything()
    text = str(tex_file.files(made, tmp_path / "arm.tex")[tmp_path / "arm.tex"])
    count = max(last for _, last in made.numbers().values())
    labels = [int(number) for number in re.findall(r"\\label\{equation-(\d+)\}", text)]
    assert labels == list(range(1, count + 1))
    assert set(map(int, re.findall(r"\\hyperref\[equation-(\d+)\]", text))) <= set(labels)


def test_a_document_in_chinese_is_for_xelatex(tmp_path: Path) -> None:
    text = str(tex_file.files(everything("zh"), tmp_path / "arm.tex")[tmp_path / "arm.tex"])
    assert text.startswith("% !TEX program = xelatex\n")
    assert "机器人" in text
    assert Words("zh")("left out", caption="A moving picture")[:2] in text


def test_pictures_lie_beside_the_file_under_plain_names(tmp_path: Path) -> None:
    place = tmp_path / "a #b%$.v2.tex"
    written = tex_file.files(with_pictures(Picture(SVG, b"%PDF-1.4")), place)
    assert {path.name for path in written} == {place.name, "a--b---v2-picture-1.pdf", "a--b---v2-picture-2.pdf"}
    assert "{a--b---v2-picture-1.pdf}" in str(written[place])


def laws() -> Document:
    """Returns a document with the formulas of all sentences, and with signs that mean something to a typesetter."""
    sentences = (*LANGUAGES["en"].sentences.values(), *LANGUAGES["en"].steps.values())
    formulas = [law for sentence in sentences for law in re.findall(r"\$([^$]+)\$", sentence)]
    formulas += ["M_ik = Σ_j Tr(U_jk J̄_j U_jiᵀ)", "J̄ = ∫ r rᵀ dm, ½ (m_ijk + m_{ik,j}) ≡ 0; B = Ad(M⁻¹) S"]
    formulas += ["sin q̇_1 · ∂L/∂q̈ ≤ x′ → {y} [z] ⊙ Ж", "# $ % & ~ ^ \\ \" ' @ ` | < > * _ 2 … ∘"]
    blocks = tuple(Paragraph((formula(law), " means this.")) for law in formulas)
    return Document("Laws", "", "en", (Section("laws", "Laws", blocks),))


@uses("pdflatex")
def test_every_formula_is_set_by_both(tmp_path: Path) -> None:
    assert in_margins(pages(laws(), tmp_path)) == 0
    assert "undefined" not in typeset(laws(), tmp_path)


@pytest.mark.parametrize(
    ("law", "latex", "typst_source"),
    [
        ("sin q̇_1", "\\mathrm{sin} \\, \\dot{q}_{1}", '"sin" thin dot(q)_(1)'),
        ("Σ_k Γ_ijk", "\\sum_{k} \\Gamma_{ijk}", "sum_(k) Gamma_(i j k)"),
        ("#x", "\\# x", '"#" x'),
    ],
)
def test_words_and_signs_of_formulas(law: str, latex: str, typst_source: str) -> None:
    assert in_latex(formula(law)) == latex
    assert in_typst(formula(law)) == typst_source


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("é ß ı̇", "\\'{e} \\ss{} \\.{\\i{}}"),
        ("^^5c", "\\textasciicircum{}\\textasciicircum{}5c"),
        ("a--b", "a-{}-b"),
        ("x ≠ 2", "x \\ensuremath{\\neq} 2"),
        ("M⁻", "M\\ensuremath{^{-}}"),
        ("Ж", "U+0416\\allowbreak{}"),
        ("ω̇", "\\ensuremath{\\dot{\\omega}}"),
    ],
)
def test_letters_are_escaped(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_short_definitions_stand_in_pairs_and_each_equation_keeps_its_number(tmp_path: Path) -> None:
    made = document("elbow_3r", "screw")
    text, last = written(made, tmp_path), max(last for _, last in made.numbers().values())
    assert text.count("\n#pairs(") >= 1
    assert re.findall(r"\), (\d+), (?:true|false)\),", text) == [str(k) for k in range(1, last + 1)]
    first = made.numbers()["constants"][0]
    pairs = text.split("\n#pairs(")[1].split("\n#")[0]
    assert f"), {first}, " in pairs and f"), {first + 1}, " in pairs


def test_latex_sets_the_same_pairs_and_numbers_each_equation(tmp_path: Path) -> None:
    made = document("elbow_3r", "screw")
    text, last = str(tex_file.files(made, tmp_path / "arm.tex")[tmp_path / "arm.tex"]), made.numbers()
    count = max(end for _, end in last.values())
    pairs = re.findall(r"\\begin\{pairs\}(.*?)\\end\{pairs\}", text, re.DOTALL)
    typst_text = written(made, tmp_path)
    assert len(pairs) == typst_text.count("\n#pairs(") >= 1
    places = re.findall(r"\\label\{equation-(\d+)\}|\\numbered\{(\d+)\}", text)
    assert [int(one or other) for one, other in places if "#" not in one] == list(range(1, count + 1))


def test_chinese_letters_stay_in_chinese() -> None:
    assert escaped("关节“一”，é", "zh") == "关节“一”，\\'{e}"


@pytest.mark.parametrize(("name", "keys"), [("ur5", {"state.M", "state.C", "state.G"}), ("satellite_arm", {"state.G"})])
def test_a_worked_state_has_whole_matrices_or_none(name: str, keys: set[str]) -> None:
    """A matrix of eleven columns has no room on a page, where its entries would fill another one."""
    short = robot(name).equations().textbook()
    section = worked_state.section(short, Words.of("en", short), Extent("lecture", excerpt=True))
    listed = [block for block in Document("", "", "en", (section,)).blocks() if isinstance(block, EquationBlock)]
    assert {block.key for block in listed} == keys
    assert all(isinstance(row.right, Matrix) for block in listed for row in paper_rows.rows(block, 1))
