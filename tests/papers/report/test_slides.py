"""Slides have the report, one idea on each, in one file that a lecturer's keys lead through."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest
from refusals import refusal
from shipped import robot
from told_levels import told_at
from tools import BROWSER, chromium, node, uses

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.papers.report.document import Block, Document, EquationBlock, Figure, Paragraph, Section, Table
from qddot.papers.report.formats.slides_page import page
from qddot.papers.report.slides import in_slides

pytestmark = pytest.mark.usefixtures("derived_once")
NUMBER = re.compile(r'<a class="number"[^>]*>\((\d+)\)</a>')


def deck() -> tuple[Document, Document]:
    document = told_at("lecture", "spatial_2r")
    return document, in_slides(document)


def ideas(section: Section) -> list[Block]:
    return [block for block in section.blocks if not isinstance(block, Paragraph)]


def test_each_slide_has_one_idea_and_nothing_is_lost() -> None:
    document, slides = deck()
    assert all(len(ideas(section)) <= 1 for section in slides.sections if not section.key.startswith("result"))
    assert len({section.key for section in slides.sections}) == len(slides.sections)
    kinds = (EquationBlock, Table, Figure)
    there, shown = ([block for block in each.blocks() if isinstance(block, kinds)] for each in (document, slides))
    assert len(there) == len(shown)
    keys = ({block.key for block in each if isinstance(block, EquationBlock)} for each in (there, shown))
    assert next(keys) == next(keys)


def test_the_equations_of_motion_are_the_result() -> None:
    document, slides = deck()
    keys = [section.key for section in slides.sections]
    results = [block.key for each in slides.sections if each.key.startswith("result") for block in ideas(each)]  # type: ignore[union-attr]
    assert keys[0] == "title" and keys[-1].startswith("sources") and keys[-2].startswith("result")
    assert results == ["equation", "tau"]
    law = next(section for section in document.sections if section.key == "equations").blocks[0]
    assert next(section for section in slides.sections if section.key == "result-1").blocks[0] == law


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_is_one_file_with_one_script(lang: str, tmp_path: Path) -> None:
    arm = robot("spatial_2r")
    path = arm.report(tmp_path / "slides.html", lang=lang, format="slides", level="summary")
    text = path.read_text(encoding="utf-8")
    assert [each.name for each in tmp_path.iterdir()] == ["slides.html"]
    script = re.search(r"<script>(.*)</script>", text, re.DOTALL)
    assert script and base64.b64encode(sha256(script[1].encode()).digest()).decode() in text
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", text) and f'<html lang="{lang}">' in text
    assert ("按键" in text) == (lang == "zh") and text.count('class="slide') > 5
    for section in re.findall(r"<section.*?</section>", text, re.DOTALL):
        ElementTree.fromstring(section.replace("&nbsp;", " "))
    assert [*map(int, NUMBER.findall(text))] == [*range(1, len(NUMBER.findall(text)) + 1)]


def test_slides_of_a_closed_chain() -> None:
    text = page(in_slides(told_closed()))
    assert 'id="conditions-' in text and "The result" in text and "<math>" in text


def told_closed() -> Document:
    from qddot.papers.report.closed_report import report

    chain = qddot.load_closed_chain("four_bar")
    eq = chain.equations()
    return report(eq.reduced, eq.tree.textbook(), chain.prove(), "en", None, None, "summary")


def test_pages_of_the_pdf_are_slides(tmp_path: Path) -> None:
    arm = robot("spatial_2r")
    content = arm.report(tmp_path / "slides.pdf", format="slides", level="summary").read_bytes()
    boxes = {tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox\s*\[([^\]]*)\]", content)}
    (_, _, width, height) = boxes.pop()
    assert not boxes and width / height == pytest.approx(16 / 9)
    assert len(re.findall(rb"/Type\s*/Page\b", content)) >= 8


def test_other_formats_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arm = robot("spatial_2r")
    with refusal(QddotError, "wrong-kind-of-file", "slides"):
        arm.report(tmp_path / "slides.md", format="slides")
    with refusal(QddotError, "none-of-these", "a-kind-of-document"):
        arm.report(tmp_path / "slides.html", format="beamer")
    with refusal(QddotError, "none-of-these", "a-kind-of-document"):
        qddot.load_closed_chain("four_bar").report(tmp_path / "slides.html", format=["slides"])
    assert main(["report", "four_bar", "--format", "slides", "-o", str(tmp_path / "a.tex")]) == 2
    assert "slides cannot be written as" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@uses("node", "pyodide", "chromium")
def test_no_slide_is_too_small_for_what_is_on_it(tmp_path: Path) -> None:
    """At 1280 × 720, in both languages, also the PUMA 560, whose equations are continued on further slides."""
    arms: dict[str, qddot.Robot | qddot.ClosedChain] = {
        "two_link": robot("two_link"),
        "puma560": robot("puma560"),
        "four_bar": qddot.load_closed_chain("four_bar"),
    }
    files = [
        str(arm.report(tmp_path / f"{name}-{lang}.html", lang=lang, format="slides"))
        for name, arm in arms.items()
        for lang in ("en", "zh")
    ]
    command = [node(), str(Path(__file__).with_name("slides.mjs")), str(BROWSER / "node_modules"), chromium(), *files]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for file, seen in zip(files, said, strict=True):
        last = seen["count"]
        assert (seen["outside"], seen["errors"], seen["helped"]) == ([], [], True), file
        assert [place for place, _ in seen["places"][:5]] == [f"#{last}", f"#{last - 1}", "#1", "#2", "#3"]
        assert seen["places"][5][1] > 0 and seen["places"][-1][0] == "#1"
        assert (seen["pages"], seen["boxes"]) == (last, ["/MediaBox [0 0 960 540]"])
        numbers = [int(number.strip("()")) for number in seen["numbers"]]
        assert numbers == [*range(1, len(numbers) + 1)] and numbers
