"""A report has every step of the derivation in one file, and the numbers that the compiled functions give."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from refusals import refusal
from shipped import robot
from told_levels import told_at

import qddot
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import QddotError
from qddot.exact.equations.routes import ROUTES
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Matrix, Sum
from qddot.formats.finding import closed_zoo, load_closed
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import Column, Columns, Document, EquationBlock, Paragraph, Section, Table
from qddot.papers.report.formats.html_page import page
from qddot.papers.report.formula import Formula, formula, in_latex
from qddot.papers.report.languages import LANGUAGES
from qddot.papers.report.report_file import FORMATS
from qddot.papers.report.sections import blocks_of, route_steps, the_arm, transforms
from qddot.papers.report.sections.worked_state import worked_state
from qddot.papers.report.wording import Words
from qddot.proof.bounds.table import rounded_up
from qddot.robot.own_texts import in_language

pytestmark = pytest.mark.usefixtures("derived_once")
SMALL = ("spatial_2r", "rp", "elbow_3r")
SECTIONS = ("robot", "transforms", "steps", "equations", "proof", "state", "parameters", "sources")
CATALOGUES = ("sentences", "routes", "steps", "closing", "identities")
NAMES = ("rod", "1 rod", "杆", "1 杆")  # of the link of one_link
PARTS = re.compile(r"\{\w+\}")


def document(name: str, routes: tuple[str, ...] = ("composite",), lang: str = "en") -> Document:
    arm = robot(name)
    equations = [arm.equations(route) for route in routes]
    shorts = [eq.textbook() for eq in equations]
    return report(ReportContents(shorts, equations[0].prove([]), arm.base_parameters()), lang)


def section(made: Document, key: str) -> Section:
    return next(section for section in made.sections if section.key == key)


def columns(made: Document) -> tuple[Column, ...]:
    return next(block for block in section(made, "steps").blocks if isinstance(block, Columns)).columns


def tables(made: Document, key: str) -> list[Table]:
    return [block for block in section(made, key).blocks if isinstance(block, Table)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_route_is_told_in_every_language(lang: str) -> None:
    made = document("elbow_3r", tuple(ROUTES), lang)
    assert tuple(section.key for section in made.sections) == (*SECTIONS[:2], "routes", *SECTIONS[2:])
    assert len(columns(made)) == len(ROUTES)
    for column in columns(made):
        places = [k for k, block in enumerate(column.blocks) if isinstance(block, EquationBlock)]
        # its idea, then each step with its law in front
        assert all(isinstance(column.blocks[k], Paragraph) for k in (0, *(place - 1 for place in places)))
        assert places[0] == 2
        assert len(places) >= 6


@pytest.mark.parametrize("route", ROUTES)
def test_equations_are_numbered_and_say_which_they_use(route: str) -> None:
    made = document("elbow_3r", (route,))
    numbers = made.numbers()
    listed = [block for block in made.blocks() if isinstance(block, EquationBlock)]
    assert len({block.key for block in listed}) == len(listed)
    assert [numbers[block.key][0] for block in listed] == [
        1 + sum(len(before.listed) for before in listed[:k]) for k in range(len(listed))
    ]
    for block in listed:
        assert all(numbers[key][1] < numbers[block.key][0] for key in block.uses)
    assert next(block for block in listed if block.key == "M").uses


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_sentences_are_whole_in_both_languages(catalogue: str) -> None:
    sentences, others = getattr(LANGUAGES["en"], catalogue), getattr(LANGUAGES["zh"], catalogue)
    assert list(sentences) == list(others)
    for key, sentence in sentences.items():
        for one, other in zip(_texts(sentence), _texts(others[key]), strict=True):
            assert one
            assert other
            assert set(PARTS.findall(one)) == set(PARTS.findall(other))


def _texts(sentence: str | tuple[str, ...]) -> tuple[str, ...]:
    return (sentence,) if isinstance(sentence, str) else sentence


def test_every_identity_of_a_certificate_is_told_in_words() -> None:
    certificate = robot("elbow_3r").prove()
    plain = {identity.name for identity in certificate.identities if identity.name.split(" ≡ ")[0] not in ROUTES}
    assert plain <= set(LANGUAGES["en"].identities)


@pytest.mark.parametrize(
    ("law", "latex"),
    [
        ("U_ijk = ∂U_ij/∂q_k", "U_{ijk} = \\partial U_{ij} / \\partial q_{k}"),
        ("J̄ = ∫ r rᵀ d m", "\\bar{J} = \\int r r^{T} d m"),
        ("M⁻¹ q̈ + ½ Γ_ijk q̇_j", "M^{-1} \\ddot{q} + \\tfrac{1}{2} \\Gamma_{ijk} \\dot{q}_{j}"),
        ("C_ij^{(2)} = det R", "C^{(2)}_{ij} = \\mathrm{det} \\, R"),
        ("Σ_j Tr(J_{ω,j}ᵀ)", "\\sum_{j} \\mathrm{Tr} ( J^{T}_{\\omega ,j} )"),
    ],
)
def test_laws_in_sentences_are_mathematics(law: str, latex: str) -> None:
    assert in_latex(formula(law)) == latex


@pytest.mark.parametrize("name", SMALL)
def test_the_worked_state_is_what_the_compiled_functions_give(name: str) -> None:
    arm, made = robot(name), document(name)
    q, qd, qdd = (np.array(list(part.values())) for part in worked_state(arm.model))
    state, torques = tables(made, "state")
    M, C, G = (block.listed[0].right for block in section(made, "state").blocks if isinstance(block, EquationBlock))
    # six digits are shown
    close: dict[str, Any] = {"rtol": 1e-5, "atol": 1e-9}
    np.testing.assert_allclose(_numbers(state, 1), np.transpose([q, qd, qdd]), **close)
    for shown, exact in ((M, arm.mass_matrix(q)), (C, arm.coriolis_matrix(q, qd)), (G, arm.gravity(q)[:, None])):
        assert isinstance(shown, Matrix)
        np.testing.assert_allclose([[float(Text().write(x)) for x in row] for row in shown.rows], exact, **close)
    velocity = arm.bias(q, qd) - arm.gravity(q)
    expected = [arm.mass_matrix(q) @ qdd, velocity, arm.gravity(q), arm.inverse_dynamics(q, qd, qdd)]
    np.testing.assert_allclose(_numbers(torques, 1), np.transpose(expected), **close)


def _numbers(table: Table, skipped: int = 0) -> list[list[float]]:
    """Returns the numbers in the rows of a table, which may have units."""
    cells = [[str(cell).replace("−", "-").split()[0] for cell in row[skipped:]] for row in table.rows]
    return [[float(cell) for cell in row if cell[-1].isdigit()] for row in cells]


def test_a_file_needs_nothing_else(tmp_path: Path) -> None:
    path = robot("spatial_2r").report(tmp_path / "arm.html", "com_jacobian")
    text = path.read_text(encoding="utf-8")
    assert "<svg" in text
    assert "<script" not in text
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", text)
    assert "url(http" not in text
    numbers = [int(number) for number in re.findall(r"id=\"equation-(\d+)\"", text)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(text) < 1_500_000
    for mathematics in re.findall(r"<math.*?</math>", text, re.DOTALL):
        ElementTree.fromstring(mathematics)


def test_a_short_form_that_is_wrong_is_not_reported() -> None:
    eq = qddot.load("rp").equations()
    short = eq.textbook()
    first, *others = short.G.entries
    short._arrays["G"] = replace(short.G, entries=(first + short.ring.generator("cos(q1)"), *others))
    with refusal(QddotError, "short-form-not-equal", "G, tau"):
        report(ReportContents([short], eq.prove([])))


def test_everything_wide_is_scrolled_by_keyboard_and_each_head_has_a_name() -> None:
    text = page(document("elbow_3r"))
    scrolled = re.findall(r'<(?:div class="(?:scroll|matrix)"|pre)[^>]*>', text)
    assert len(scrolled) > 10
    assert all(re.search(r'tabindex="0" role="group" aria-label="[^"]+"', each) for each in scrolled)
    heads = re.findall(r"<th[ >].*?</th>", text)
    assert heads
    assert all(re.search(r'aria-label="[^"]+"|>[^<]+<', head) for head in heads)


def test_titles_are_escaped(tmp_path: Path) -> None:
    title = "<script>alert(1)</script> & $x$"
    rows = [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": "m", "com": [0, 0, 0]}], symbols="l m", title=title)
    text = arm.report(tmp_path / "arm.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_what_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    arm = robot("rp")
    for path, match in (("arm.docx", ("wrong-kind-of-file",)), ("/dev/null/arm.html", ("file-in-no-folder",))):
        with refusal(QddotError, *match):
            arm.report(tmp_path / path)
    with refusal(QddotError, "none-of-these", "no-route", "'x'"):
        arm.report(tmp_path / "arm.html", "x")
    with refusal(QddotError, "none-of-these", "'fr'"):
        arm.report(tmp_path / "arm.html", lang="fr")
    assert list(tmp_path.iterdir()) == []


def test_what_nobody_would_read_is_named_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_of, "MOST_TERMS", 12)
    made = document("elbow_3r")
    numbers = made.numbers()
    assert "M" in numbers
    assert "christoffel" not in numbers
    sentences = [block for block in section(made, "equations").blocks if isinstance(block, Paragraph)]
    assert any("terms, too many to show here" in str(part) for block in sentences for part in block.parts)
    assert not any("Joint by joint, the equations of motion are" in block.parts for block in sentences)
    text = page(made)
    assert text.count('<div class="left"') == max(last for _, last in numbers.values())


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_full_disk_leaves_nothing_behind(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("qddot.base.system.files.os.fsync", full)
    with refusal(QddotError, "file-unwritable", "disk-full", str(tmp_path / f"arm{suffix}")):
        robot("rp").report(tmp_path / f"arm{suffix}", level="summary")
    assert list(tmp_path.iterdir()) == []


def test_a_differential_is_a_letter_on_a_page_and_no_sign_with_room_around_it() -> None:
    text = page(document("rp"))
    assert '<mi mathvariant="normal">dm</mi>' in text
    assert "<mo>dm</mo>" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_symbols_of_centres_of_mass_are_explained_before_they_are_used(lang: str) -> None:
    short = robot("puma560").equations("com_jacobian").textbook()
    blocks = transforms.section([short], Words.of(lang, short)).blocks
    place = next(k for k, block in enumerate(blocks) if isinstance(block, EquationBlock) and block.key == "p_c")
    explained = {part for block in blocks[:place] if isinstance(block, Paragraph) for part in block.parts}
    for name in ("cx1", "cy1", "cz1", "cx6", "cy6", "cz6"):
        assert symbol(name) in explained


def test_constants_are_announced_where_there_are_any_alone() -> None:
    announced, said = Words("en").paragraph("constants"), 0
    for route in ("energy", "com_jacobian"):
        for section in told_at("full", "cart_pole", route).sections:
            blocks = [
                *section.blocks,
                *(each for block in section.blocks if isinstance(block, Columns) for each in block.columns[0].blocks),
            ]
            for before, after in pairwise(blocks):
                assert before != announced or isinstance(after, EquationBlock)
            said += announced in blocks
    assert said == 2  # once in each report


@pytest.mark.parametrize(("name", "titles"), [("two_link", 8), ("planar_2r", 11)])
def test_products_of_inertia_have_columns_where_some_are_not_zero(name: str, titles: int) -> None:
    (table,) = (
        block
        for block in told_at("lecture", name).sections[0].blocks
        if isinstance(block, Table) and block.titles[1] == "mass"
    )
    assert len(table.titles) == titles
    said = [
        part
        for block in told_at("lecture", name).sections[0].blocks
        if isinstance(block, Paragraph)
        for part in block.parts
    ]
    assert any("All products of inertia are zero" in str(part) for part in said) == (titles == 8)


def test_numbers_of_one_table_are_of_one_kind() -> None:
    (table,) = (
        block
        for block in told_at("lecture", "ur5").sections[0].blocks
        if isinstance(block, Table) and block.titles[1] == "mass"
    )
    cells = [cell for row in table.rows for cell in row if isinstance(cell, Sum)]
    assert {cell.numbers for cell in cells} == {NumberForm.DECIMALS}


@pytest.mark.parametrize(("name", "force", "moment"), [
    ("two_link", ("a", "a_c"), ("N_c", "F")),
    ("puma560", ("w", "dw", "a"), ("w", "dw", "a")),
])  # fmt: skip
def test_newtons_and_eulers_laws_name_what_they_use(name: str, force: tuple[str, ...], moment: tuple[str, ...]) -> None:
    short = qddot.load(name).equations("newton_euler").textbook()
    uses = {step.name: step.uses for part in route_steps.parts_of(short) for step in part.steps}
    assert (uses["F"], uses["N"]) == (force, moment)


@pytest.mark.parametrize("name", [*qddot.zoo(), *closed_zoo()])
def test_a_robot_that_ships_says_what_its_symbols_are_in_both_languages(name: str) -> None:
    is_closed = name in closed_zoo()
    model = load_closed(name).model.tree if is_closed else qddot.load(name).model
    sources = [] if is_closed else [model.source]
    texts = [model.title, *sources, *(each.meaning for each in model.symbols.values())]
    assert all(texts)
    names_alone = ("Universal Robots", "UFACTORY")  # which are not translated
    for text in texts:
        told = in_language(text, "zh")
        assert text.startswith(names_alone) or re.search("[\u4e00-\u9fff]", told), text
        assert re.findall(r"\d+", told) == re.findall(r"\d+", text)
    assert in_language("a user's own title 1", "zh") == "a user's own title 1"


def test_a_report_in_chinese_has_its_title_and_its_symbols_in_chinese() -> None:
    made = document("spatial_2r", lang="zh")
    assert made.title == "空间两连杆机械臂"
    cells = {cell for table in tables(made, "robot") for row in table.rows for cell in row}
    assert {"重力加速度", "连杆 1 的质量"} <= cells


def test_names_of_links_in_a_users_file_are_not_translated() -> None:
    """The rod of a robot that ships is 杆 in Chinese; the same links under a name of their own keep their names."""
    arm = robot("one_link")
    mine = qddot.loads(arm.to_toml().replace(f'name = "{arm.name}"', 'name = "mine"', 1))
    told = []
    for each in (arm, mine):
        eq = each.equations()
        made = report(ReportContents([eq.textbook()], eq.prove([]), each.base_parameters()), "zh")
        told.append({cell for table in tables(made, "robot") for row in table.rows for cell in row if cell in NAMES})
    assert told == [{"1 杆"}, {"1 rod"}]


def test_identities_that_all_hold_are_not_counted_twice() -> None:
    told = {lang: page(document("rp", lang=lang)) for lang in LANGUAGES}
    assert re.search(r"All \d+ identities hold\.", told["en"])
    assert re.search(r"\d+ 个恒等式全部成立。", told["zh"])


def test_fractions_on_a_page_are_larger_than_indices_and_chinese_paragraphs_begin_with_a_space() -> None:
    text = page(document("rp", lang="zh"))
    (size,) = re.findall(r"mfrac > \* \{ font-size: ([\d.]+)em", text)
    assert 0.8 <= float(size) < 1
    assert '<html lang="zh' in text
    assert re.search(r":lang\(zh\) p:not\([^)]*\) \{ text-indent: 2em", text)


def test_joints_with_a_symbol_of_the_same_kind_share_a_row_of_their_effects() -> None:
    (table,) = (each for each in tables(told_at("summary", "puma560_akb"), "robot") if "effect" in each.titles)
    ((joints, kind, values, unit),) = table.rows
    texts = [getattr(cell, "text", cell) for cell in (joints, kind, values, unit)]
    assert texts == [
        "q1, q2, q3, q4, q5, q6", "rotor and gears, inertia at the joint", "Jm1, Jm2, Jm3, Jm4, Jm5, Jm6", "kg m²"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("axes", "parts"),
    [
        ("x, -z, y", ["x", "−z", "y"]),
        ("z, (-0.5, sqrt(3)/2, 0), -y", ["z", "(-0.5, √3/2, 0)", "−y"]),
        ("((1 + sqrt(5))/4, 0, 1), y", ["((1 + √5)/4, 0, 1)", "y"]),
        ("", []),
    ],
)
def test_a_line_may_be_broken_between_axes(axes: str, parts: list[str]) -> None:
    told = the_arm.vectors(axes).parts
    assert [getattr(part, "text", part) for part in told[::2]] == parts
    assert set(told[1::2]) <= {", "}


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (3.1e-13, "4 × 10⁻¹³"), (0.0096, "0.01"), (0.5, "0.5"), (0.51, "0.6")]
)
def test_what_is_said_to_be_the_most_is_not_less(value: float, text: str) -> None:
    assert blocks_of.number(float(rounded_up(value, 1)), 1) == text


def test_a_constant_has_its_tolerance_and_its_formula() -> None:
    symbols = qddot.Symbol(
        "k", expression("1.43"), "kg m^2", "a constant", expression("7e-5"), "-m1*(d2 + rz2)**2 + 2*m2 - Izz/2"
    )
    other = qddot.Symbol("m", expression(2), "kg", "a mass")
    table = the_arm._symbols({"k": symbols, "m": other}, Words("en"))
    assert table.titles == ("symbol", "meaning", "unit", "value", "formula")
    assert [str(cell).replace("\N{NO-BREAK SPACE}", " ") for cell in table.rows[0][3:4]] == ["1.43 ± 7 × 10⁻⁵"]
    (written,) = table.rows[0][4:]
    assert isinstance(written, Paragraph)
    signs = [part.strip() for part in written.parts if isinstance(part, str)]
    assert signs == ["+", "−"], "each sign between terms, none in parentheses"
    first = written.parts[0]
    assert isinstance(first, Formula)
    assert in_latex(first) == r"- m_{1} ( d_{2} + r_{z2} )^{2}"
    assert table.rows[1][4] == ""


def test_on_paper_a_paragraph_stays_with_the_table_or_the_equations_that_it_introduces(tmp_path: Path) -> None:
    """Whatever block follows a paragraph in the page is named in the rule of the print."""
    text = robot("rp").report(tmp_path / "rp.html").read_text(encoding="utf-8")
    kept = re.search(r"p:has\(([^)]*)\)", text[text.index("@media print {") :])
    assert kept is not None
    following = set(re.findall(r'</p>\s*<div class="([\w-]+)', text))
    assert following == {"equations", "scroll"}
    assert {f".{name}" for name in following} <= set(re.findall(r"\+ ([.\w]+)", kept[1]))


BAR = r"The bar sets the gravity torques $\bar{g}$ apart from the symbol $g$ of the robot."


@pytest.mark.parametrize(("book", "has_bar"), [("spong", True), ("siciliano", True), ("craig", False), ("", False)])
def test_a_letter_with_a_bar_is_explained_where_it_first_appears(book: str, has_bar: bool, tmp_path: Path) -> None:
    """The book's gravity torques g have the letter of the arm's acceleration of gravity."""
    text = robot("rp").with_notation(book).report(tmp_path / "rp.md").read_text(encoding="utf-8")
    (explained,) = re.findall(r"The bar sets.*", text) or [""]
    assert explained == has_bar * BAR
    if has_bar:
        law = text.index(r"\bar{g}", text.index("equations of motion are"))
        assert text.count("\n\n", law, text.index(explained)) == 1


@pytest.mark.parametrize("level", ["summary", "lecture"])
def test_a_short_report_explains_a_bar_and_names_the_mass_matrix_in_the_law(level: str, tmp_path: Path) -> None:
    text = robot("two_link").with_notation("siciliano").report(tmp_path / "r.md", level=level).read_text("utf-8")
    assert text.count(BAR) == 1
    assert text.index("$B$ is the mass matrix") < text.index(BAR) < text.index("The mass matrix is symmetric:")
    assert "$c$" not in text


def test_reports_and_exams_with_loops_explain_a_bar(tmp_path: Path) -> None:
    chain = qddot.load_closed_chain("four_bar").with_notation("spong")
    text = chain.report(tmp_path / "r.md", level="summary").read_text("utf-8")
    assert text.index(r"\bar{g}") < text.index("The bar sets") < text.index(r"\bar{g}_ {1}")
