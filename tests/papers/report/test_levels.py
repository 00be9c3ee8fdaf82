"""A summary, a lecture and a full report keep to their pages, and say what they leave out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from refusals import refusal
from shipped import robot
from told_levels import told_at

from qddot.base.errors import QddotError
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Symbol
from qddot.faces import derivation_report, illustrations
from qddot.papers.report import arm_report
from qddot.papers.report.document import Columns, EquationBlock, Paragraph, Section, Table
from qddot.papers.report.formats.html_page import page
from qddot.papers.report.formula import Formula
from qddot.papers.report.levels import Chapter
from qddot.papers.report.sections import base_and_cost, blocks_of
from qddot.papers.report.sections.route_steps import TEXTS
from qddot.papers.report.wording import Words, traits_of

pytestmark = pytest.mark.usefixtures("derived_once")


def pages(name: str, level: str, tmp_path: Path, **how: Any) -> int:
    path = robot(name).report(tmp_path / "arm.pdf", level=level, **how)
    return len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "route", "level", "lang", "most"),
    [
        ("spatial_2r", "com_jacobian", "lecture", "en", 9),
        ("puma560", "com_jacobian", "lecture", "en", 20),
        ("spatial_2r", "com_jacobian", "summary", "en", 2),
        ("elbow_3r", "energy", "summary", "en", 2),
        ("puma560_akb", "composite", "summary", "zh", 2),
        ("satellite_arm", "composite", "summary", "en", 2),
    ],
)
def test_a_level_keeps_to_its_pages(name: str, route: str, level: str, lang: str, most: int, tmp_path: Path) -> None:
    assert 1 < pages(name, level, tmp_path, route=route, lang=lang) <= most


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), [("two_link", "en"), ("puma560_akb", "zh")])
def test_a_summary_with_constants_for_control_has_two_pages(
    name: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(illustrations, "GAP", 0.5)  # a bound that is not close takes as much room
    assert pages(name, "summary", tmp_path, lang=lang, bounds=True) == 2


def test_a_summary_of_a_long_arm_says_what_it_leaves_out() -> None:
    _, equations, _ = told_at("summary").sections
    said = Words("en").paragraph("summary excerpt", n="6")
    assert said in equations.blocks
    assert len([each for block in equations.blocks if getattr(block, "key", "") == "M" for each in block.listed]) <= 1
    assert said not in told_at("summary", "spatial_2r").sections[1].blocks


def test_a_summary_has_the_entry_whose_constants_have_room() -> None:
    """M22 of the PUMA 560 has 25 constants, and G3 eight more, of which a summary has no room for all."""
    blocks = [block for block in told_at("summary", "puma560").sections[1].blocks if isinstance(block, EquationBlock)]
    assert [(block.key, len(block.listed)) for block in blocks] == [("constants", 25), ("M", 1)]
    defined = {each.left for each in blocks[0].listed}
    used = {atom for atom in blocks_of.atoms_of(blocks[1:]) if isinstance(atom, Symbol) and atom.head == "k"}
    assert used == defined


def test_a_lecture_shows_one_link_and_one_entry_of_a_long_arm() -> None:
    made = told_at("lecture")
    blocks: dict[str, Any] = {block.key: block for block in made.blocks() if isinstance(block, EquationBlock)}
    # each follows from the one before
    example = {"M": "M22", "com_jacobian.m_ijk": "m223", "christoffel": "Γ322", "C": "C32"}
    assert {key: str(each.left.text) for key in example for each in blocks[key].listed} == example
    assert {str(each.left.text)[:3] for each in blocks["com_jacobian.Jv"].listed} == {"Jv3"}
    assert len(blocks["A"].listed) == 6
    said = [str(part) for block in made.blocks() if isinstance(block, Columns) for part in block.columns[0].blocks]
    assert any("level “full”" in sentence for sentence in said)


@pytest.mark.parametrize("in_summary", [True, False])
def test_a_new_section_is_one_chapter(in_summary: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chapter that stands only here is in its place in a whole report, and in a summary if it says how."""

    known = arm_report.chapters

    def chapters(derivation: arm_report.ReportContents, words: Words, *more: Any) -> list[Chapter]:
        first, *others = known(derivation, words, *more)
        blocks = (words.paragraph("joints", n="2"), Paragraph(("only in a whole report",)))
        new = Chapter(
            lambda: Section("counted", "Counted", blocks), (lambda blocks: blocks[:1]) if in_summary else None
        )
        return [first, new, *others]

    monkeypatch.setattr(arm_report, "chapters", chapters)
    short = robot("two_link").equations().textbook()
    whole, summary = (
        page(arm_report.report(arm_report.ReportContents([short], robot("two_link").prove([])), level=level))
        for level in ("full", "summary")
    )
    assert whole.index("<h2>1 The robot") < whole.index("<h2>2 Counted") < whole.index("only in a whole report")
    assert ("2 joints</p>" in summary, "only in a whole report" in summary) == (in_summary, False)


def test_a_lecture_on_a_short_arm_is_the_full_report() -> None:
    assert page(told_at("lecture", "spatial_2r")) == page(told_at("full", "spatial_2r"))
    assert tuple(section.key for section in told_at("summary", "spatial_2r").sections) == (
        "robot",
        "equations",
        "proof",
    )


@pytest.mark.parametrize("name", ["cart_pole", "two_link", "spatial_2r"])
@pytest.mark.parametrize("route", ["energy", "com_jacobian"])
def test_a_summary_explains_its_constants_and_says_no_law_without_its_equations(name: str, route: str) -> None:
    _, equations, _ = told_at("summary", name, route).sections
    keys = [block.key for block in equations.blocks if isinstance(block, EquationBlock)]
    assert keys == ["constants", "M", "G", "tau"]
    said = [block for block in equations.blocks if isinstance(block, Paragraph)]
    law = Words("en", traits=traits_of(robot(name).model)).paragraph("law")
    assert said[0] == law or (str(said[0].parts[0]).startswith("Cosines") and said[1] == law)


@cache
def told_of(name: str, route: str, level: str) -> dict[str, Any]:
    """The equations of a report by their names, as text."""
    blocks = (block for block in told_at(level, name, route).blocks() if isinstance(block, EquationBlock))
    return {f"{block.key}: {each.left}": each.right for block in blocks for each in block.listed}


def appendix_of(name: str, route: str) -> Any:
    return next(section for section in told_at("lecture", name, route).sections if section.key == "appendix")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "route"), [("ur5", "com_jacobian"), ("ur5", "newton_euler"), ("ur5", "dh4x4")])
def test_an_appendix_has_equations_of_the_full_report_and_counts_the_others(name: str, route: str) -> None:
    full, listed = told_of(name, route, "full"), told_of(name, route, "lecture")
    rest = {key.removeprefix("appendix."): right for key, right in listed.items() if key.startswith("appendix.")}
    of_quantities = {key: right for key, right in rest.items() if not key.startswith("constants")}
    short = robot(name).equations(route).textbook()
    assert of_quantities
    assert not of_quantities.keys() & listed.keys()
    assert all(full[key] == right for key, right in of_quantities.items() if key in full)
    (table,) = (block for block in appendix_of(name, route).blocks if isinstance(block, Table))
    counts = {}
    for of, *numbers in table.rows:
        assert isinstance(of, Formula | Symbol)
        counts[of.text] = list(map(int, numbers))
    for quantity, letter in (("M", "M"), ("christoffel", "Γ_ijk"), ("G", "G")):
        array = short.array(quantity)
        nonzero = sum(bool(entry) for _, _, entry in array.labelled())
        shown, here, longer, zero = counts[letter]
        assert (shown + here + longer, zero) == (nonzero, len(list(array.labelled())) - nonzero)
        assert here == sum(key.startswith(f"{quantity}:") for key in rest)


def test_what_an_appendix_is_written_with_is_explained() -> None:
    sections = told_at("lecture", "puma560").sections
    blocks = [block for section in sections for block in section.blocks]
    explained = {
        each.left
        for block in blocks
        if isinstance(block, EquationBlock) and "constants" in block.key
        for each in block.listed
    }
    short = robot("puma560").equations("com_jacobian").textbook()
    used = set(blocks_of.atoms_of(appendix_of("puma560", "com_jacobian").blocks)) & {symbol(c) for c in short.constants}
    assert len(used) > 20
    assert used <= explained


def test_short_arms_and_other_levels_have_no_appendix() -> None:
    for level, name in (("full", "ur5"), ("summary", "ur5"), ("lecture", "spatial_2r")):
        assert "appendix" not in {section.key for section in told_at(level, name).sections}


def test_a_summary_is_written_without_what_it_does_not_show(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("motion", "operations"):
        monkeypatch.setattr(illustrations, name, None)
    monkeypatch.setattr(base_and_cost, "section", None)
    robot("rp").report(tmp_path / "arm.html", level="summary")
    assert "<svg" in (tmp_path / "arm.html").read_text(encoding="utf-8")
    with pytest.raises(TypeError):
        robot("rp").report(tmp_path / "arm.html", level="lecture")


def test_another_level_is_refused_before_the_work_begins(tmp_path: Path) -> None:
    with refusal(QddotError, "none-of-these", "a-level", "'lectures'", "summary, lecture or full"):
        robot("rp").report(tmp_path / "arm.html", level="lectures")
    assert list(tmp_path.iterdir()) == []


def test_equations_that_no_report_can_write_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(derivation_report, "MOST_TERMS", 8)
    with refusal(QddotError, "report-too-long", "spatial_2r", "9", "8", "qddot derive spatial_2r --only G"):
        robot("spatial_2r").report(tmp_path / "arm.html", level="summary")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("level", ["summary", "full"])
def test_several_routes_are_compared_by_their_steps_and_terms(level: str, tmp_path: Path) -> None:
    names = ("newton_euler", "energy")
    text = robot("two_link").report(tmp_path / "r.md", names, level=level).read_text("utf-8")
    rows = re.findall(r"^\| (Newton|Lagrange)[^|]*\| (\d+) \| (\d+) \| \d+ \| (\S+) \|$", text, re.MULTILINE)
    expected = []
    for first, name in zip(("Newton", "Lagrange"), names, strict=True):
        eq = robot("two_link").equations(name)
        chosen = [part.partition(":")[0].strip() for stretch in TEXTS[name] for part in stretch.split(",")]
        steps = [each for each in chosen if each in eq.quantities.steps]
        terms = sum(eq.array(each).terms for each in steps)
        expected.append((first, str(len(steps)), str(terms), "—" if first == "Newton" else "proved"))
    assert rows == expected


@pytest.mark.parametrize("level", ["summary", "lecture"])
def test_code_in_a_report_of_any_level_has_the_names_of_exported_code(level: str, tmp_path: Path) -> None:
    text = robot("two_link").report(tmp_path / "r.md", code="c", level=level).read_text("utf-8")
    robot("two_link").export("c", folder=tmp_path)
    exported = (tmp_path / "two_link.c").read_text("utf-8")
    names = set(re.findall(r"void (\w*inverse_dynamics\w*)\(", exported))
    assert "two_link_inverse_dynamics" in names
    assert set(re.findall(r"void (\w*inverse_dynamics\w*)\(", text)) == names
