"""The site: its pages are built without a warning, and every link leads somewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote

import nbformat
import newcomer
import pytest
import tools
from shipped import FREE
from tools import chromium, node, uses

import qddot

ROOT = Path(__file__).parents[2]
pytestmark = uses("node", "pyodide")  # which set the mathematics
MODULES = Path(sys.prefix) / "browser" / "node_modules"  # in the environment of `make`
EXECUTED = ("first-arm", "robots")  # pages whose outputs are looked at; `test_documents.py` runs the blocks of all
OUTSIDE = re.compile(r"[a-z]+:")  # the scheme of an address


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("_build", "gallery"))
    shutil.copy(ROOT / "CONTRIBUTING.md", folder)
    (folder / "page" / "src").mkdir(parents=True)
    shutil.copy(ROOT / "page" / "src" / "colours.css", folder / "page" / "src")
    (folder / "built").mkdir()  # stands for the built page, which `tests/apps/page` opens in a browser
    (folder / "built" / "index.html").write_text("<!doctype html>", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", "html"]
    command += ["-D", "suppress_warnings=config.cache,myst-nb.lexer"]  # a kernel would say which language it runs
    command += ["-D", f"only_run={' '.join(EXECUTED)}"]
    # reports of longer arms take longer
    command += ["-D", f"page_folder={folder / 'built'}", "-D", "gallery_reports=1"]
    said = folder / "said.txt"  # a file, since a process that outlives the build would hold a pipe open
    variables = os.environ | {"QDDOT_CACHE": str(tools.cache(tmp_path_factory))}
    with said.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=variables, stdout=output, stderr=output, start_new_session=True
        )
        code = process.wait(600)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    lines = said.read_text(encoding="utf-8").splitlines()
    assert code == 0, "\n".join(line for line in lines if "IPKernelApp" not in line)[-3000:]
    return folder / "html"


def pages_of(site: Path) -> list[Path]:
    """All pages of the site, without templates of the theme, the page in which arms are played with, and reports."""
    pages = [page for page in site.rglob("*.html") if page.relative_to(site).parts[0] not in ("_static", "page")]
    assert pages
    return [page for page in pages if not page.stem.endswith("-report")]


def links(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [link for link in re.findall(r'(?:href|src)="([^"]*)"', text) if link and not OUTSIDE.match(link)]


def test_every_link_leads_to_a_file_and_a_place_in_it(site: Path) -> None:
    places = {page: set(re.findall(r'id="([^"]*)"', page.read_text(encoding="utf-8"))) for page in pages_of(site)}
    assert len(places) > 60
    for page in places:
        for link in links(page):
            path, _, place = unquote(link).partition("#")
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            assert target.exists(), f"{page.relative_to(site)} links to {link}"
            if place and target in places:
                assert place in places[target], f"{page.relative_to(site)} links to {link}"


def test_a_page_asks_for_nothing_from_elsewhere(site: Path) -> None:
    for page in pages_of(site):
        text = page.read_text(encoding="utf-8")
        asked = re.findall(r'<(?:script|img|iframe)[^>]*\bsrc="(https?:[^"]*)"', text)
        asked += re.findall(r'<link[^>]*rel="stylesheet"[^>]*href="(https?:[^"]*)"', text)
        assert not asked, page


def test_the_start_page_with_all_that_it_asks_for_is_less_than_a_megabyte(site: Path) -> None:
    page = site / "index.html"
    asked = {(site / unquote(link).partition("?")[0]).resolve() for link in links(page) if not link.startswith("#")}
    fonts = [*site.glob("_static/**/fa-solid-900.woff2"), *site.glob("_static/katex/fonts/KaTeX_M*-*.woff2")]
    size = sum(file.stat().st_size for file in (page, *asked, *fonts) if ".html" not in file.name or file == page)
    assert len(fonts) > 2
    assert size <= 2**20


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    text = (site / "reference" / "api.html").read_text(encoding="utf-8")
    missing = [name for name in qddot.__all__ if f"qddot.{name}" not in text and not name.startswith("__")]
    assert missing == []


def test_every_arm_that_ships_is_in_the_gallery(site: Path) -> None:
    pages = {page.stem for page in (site / "gallery").glob("*.html")}
    assert {name for name in pages if not name.endswith("-report")} == {*qddot.zoo(), "index"}


def test_every_tutorial_and_every_arm_of_the_gallery_can_be_played_with(site: Path) -> None:
    pages = [page for folder in ("learn", "zh/learn", "gallery") for page in pages_of(site / folder)]
    for page in pages:
        if page.stem not in ("index", "satellite", "five-bar", "lagrange", *FREE):  # which the page does not show
            addresses = re.findall(r'data-page="([^"]*)"', page.read_text(encoding="utf-8"))
            assert len(addresses) == 1, page
            path, _, asked = unescape(addresses[0]).partition("#")
            assert (page.parent / path).resolve() == site / "page" / "index.html", page
            lang = "zh" if "zh" in page.parts else "en"
            names = {page.stem} if page.parent.name == "gallery" else set(qddot.zoo())
            assert asked in {f"robot={name}&view=arm&lang={lang}" for name in names}, page


@pytest.mark.parametrize(("home", "words"), [("index", "Try it in your browser"), ("zh/index", "在浏览器中试一试")])
def test_the_front_page_leads_with_a_picture_and_a_way_to_try_it(site: Path, home: str, words: str) -> None:
    text = (site / f"{home}.html").read_text(encoding="utf-8")
    picture, button, block = (text.index(mark) for mark in ('<figure class="play">', words, '<div class="highlight'))
    assert picture < button < block


def test_the_site_has_the_colours_and_fonts_of_the_page(site: Path) -> None:
    for page in pages_of(site):
        text = page.read_text(encoding="utf-8")
        assert text.index("_static/colours.css") < text.index("_static/style.css"), page
    style = (site / "_static" / "style.css").read_text(encoding="utf-8")
    named = set(re.findall(r"(--[a-z-]+):", (ROOT / "page" / "src" / "colours.css").read_text(encoding="utf-8")))
    assert {"--paper", "--ink", "--blue", "--serif", "--sans"} <= named & set(re.findall(r"var\((--[a-z-]+)\)", style))


def test_a_notebook_has_the_blocks_of_its_page_and_nothing_that_only_the_site_shows(site: Path) -> None:
    for source in sorted((ROOT / "docs").glob("**/*/*.md")):
        blocks = newcomer.BLOCK.findall(source.read_text(encoding="utf-8"))
        name = source.relative_to(ROOT / "docs").with_suffix("")
        if blocks:
            text = (site / f"{name}.html").read_text(encoding="utf-8")
            assert f'href="{name.name}.ipynb" download' in text, name
            notebook = nbformat.read(site / f"{name}.ipynb", as_version=4)
            nbformat.validate(notebook)
            codes = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
            assert codes == [block.strip("\n") for block in blocks], name
            assert not any(re.match("[`:]{3,}{", line) for cell in notebook.cells for line in cell.source.splitlines())


QUESTIONS = {
    "friction": "How do I add friction?",
    "gravity compensation": "How do I compensate gravity?",
    "旋量": "怎样跟上用旋量的课程？",
    "作业": "怎样完成一份作业，从参数表到影片？",
    "两连杆": "怎样用能量法和力法推导两连杆机械臂？",
}


def test_the_search_leads_to_the_heading_that_has_the_words_and_keeps_languages_apart(site: Path) -> None:
    command = [
        node(),
        str(ROOT / "tests" / "docs" / "search_site.mjs"),
        str(site / "_static"),
        str(site / "searchindex.js"),
    ]
    said = subprocess.run([*command, *QUESTIONS], capture_output=True, text=True, check=True).stdout
    for (question, heading), results in zip(QUESTIONS.items(), json.loads(said), strict=True):
        assert heading in results[0][1], (question, results[:3])
        chinese = [page.startswith("zh/") for page, _ in results]
        assert chinese == sorted(chinese, reverse=not question.isascii()), question
        assert chinese[0] is not question.isascii(), question


@uses("chromium")
def test_nothing_is_cut_on_a_phone(site: Path) -> None:
    names = ("index", "learn/first-arm", "zh/learn/table-to-report", "gallery/index", "understand/conventions")
    reference = [f"reference/{name}" for name in ("robots", "torque-laws", "simulation", "robot-file")]
    pages = [str(site / f"{name}.html") for name in (*names, *reference)]
    command = [node(), str(ROOT / "tests" / "docs" / "phone_site.mjs"), str(MODULES), chromium(), *pages]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(said) == {page: [] for page in pages}


def test_an_arm_of_the_gallery_is_called_by_its_name(site: Path) -> None:
    text = (site / "gallery" / "index.html").read_text(encoding="utf-8")
    titles = [" ".join(title.split()) for title in re.findall(r"sd-card-title[^>]*>\s*([^<]+)<", text)]
    assert {escape(qddot.load(name).model.title) for name in qddot.zoo()} == set(titles)


def test_the_page_is_not_loaded_before_somebody_asks_for_it(site: Path) -> None:
    for page in pages_of(site):
        assert "<iframe" not in page.read_text(encoding="utf-8"), page


@pytest.mark.parametrize("arm", qddot.zoo())
def test_an_arm_of_the_gallery_has_its_picture_facts_equations_and_report(site: Path, arm: str) -> None:
    text = (site / "gallery" / f"{arm}.html").read_text(encoding="utf-8")
    assert f"_images/{arm}.svg" in text
    assert escape(qddot.load(arm).model.title) in text
    assert "<h2>Equations of motion" in text
    assert "katex-html" in text
    assert "<h2>Report" in text
    assert f"qddot report {arm} -o" in text
    if qddot.load(arm).n == 1:
        assert f'href="{arm}-report.html"' in text
        assert "<math" in (site / "gallery" / f"{arm}-report.html").read_text(encoding="utf-8")


def test_stored_results_are_drawn_with_their_date_and_machine(site: Path) -> None:
    drawn = {"validation": 3, "speed": 6}  # pictures and tables of what was measured
    for page, count in drawn.items():
        text = (site / "evidence" / f"{page}.html").read_text(encoding="utf-8")
        assert len(re.findall(r"Measured on \d{4}-\d\d-\d\d, \S", text)) == count, page
    curves = (site / "evidence" / "speed.html").read_text(encoding="utf-8")
    of_the_theme = r'<path [^>]*stroke="(?:var\(--(?:axis-[xyz]|measure)\)|currentcolor)"[^>]*stroke-width="1.5"'
    # four functions; beside published results, and alone
    assert len(re.findall(of_the_theme, curves)) == 4 * 6 + 4 * 3
