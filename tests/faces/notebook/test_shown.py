"""What shows itself in a notebook is escaped, and has a head where it is long."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from shipped import robot

import qddot
from qddot.base import html
from qddot.faces.robot import Robot
from qddot.inspect.doctor.diagnosis import Diagnosis

HOSTILE = (
    "<script>alert(1)</script>",
    "</td></table><img src=x onerror=alert(1)>",
    r"$\input{/etc/passwd}$",
    r"\(\href{javascript:alert(1)}{x}\) \[x\] \begin{aligned}",
    "#import \"a\" & 'b'",
    "\u202egnp.exe",
    "two\nlines\x1b[2J",
)
TEXT = " ".join(HOSTILE)
COMMANDS = {"\\displaystyle", "\\begin", "\\end", "\\mathrm", "\\theta"}
REACHED = ("tabindex", "role", "aria-label")  # of what is scrolled by keyboard
OURS = {"div", "b", "br", "table", "tr", "th", "td", "span"}


class Page(HTMLParser):
    """This collects tags, attributes and text of a piece of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.pieces: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def shown(thing: Any) -> Page:
    """The page of a thing, which is well formed, and in which nothing is a command or a formula."""
    page = Page(thing._repr_html_())
    assert not page.open
    assert set(page.tags) <= OURS
    assert page.attributes <= {"style", *REACHED}
    for piece in page.pieces:
        assert piece.isprintable()
        if set(piece) & set("$\\"):
            assert len(piece) == 1, "a dollar or a backslash that could begin a formula"
    return page


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Robot:
    """An arm whose every free text is hostile."""
    path = tmp_path_factory.mktemp("arms") / "arm.toml"
    said, name = json.dumps(TEXT), json.dumps(" ".join(HOSTILE[:5]))
    path.write_text(
        f"name = {name}\ntitle = {said}\nsource = {said}\nconvention = 'dh'\n[symbols]\n"
        f"k1 = {{ value = 1.0, unit = {said}, meaning = {said} }}\n"
        f"[[link]]\nname = {name}\ndh = {{ theta = 'q1', d = 0, a = 'k1', alpha = '90deg' }}\nmass = 1\n"
        "com = [0.1, 0, 0]\n"
        "[[link]]\nname = 'two'\ndh = { theta = 'q2', d = 0, a = 'k1', alpha = 0 }\nmass = 2\ncom = [0.1, 0.2, 0]\n"
        "joint = { limits = ['-1deg', '1deg'] }\n",
        encoding="utf-8",
    )
    return qddot.load(path)


def test_every_text_is_shown_as_it_is() -> None:
    for text in HOSTILE:
        page = Page(html.escaped(text))
        assert set(page.tags) <= {"span"}
        assert "".join(page.pieces).isprintable()
    assert "".join(Page(html.escaped(HOSTILE[0])).pieces) == HOSTILE[0]
    assert "".join(Page(html.escaped(HOSTILE[2])).pieces) == HOSTILE[2]
    assert html.escaped("\u202e\n") == "<span>\\</span>u202e "


def test_a_wide_table_is_scrolled_by_keyboard_and_each_head_has_a_title() -> None:
    page = Page(html.block(html.table(("", "mass"), [("link1", "2"), ("link2", "3")])))
    assert page.attributes == {"style", *REACHED}
    assert page.tags.count("th") == 1
    assert page.tags.count("td") == 5, "the column without a title has an empty cell at its head"


def test_whatever_an_arm_is_called_its_tables_only_show_it(arm: Robot) -> None:
    model = replace(arm.model, notes=(TEXT,))
    assert "alert(1)" in "".join(shown(Robot(model)).pieces)
    eq, run = arm.equations(), arm.simulate([0, 0], duration=0.5, step=0.1)
    assert run.stops, "the table of a run has its stops, which name the limits"
    for thing in (
        arm,
        eq.at([0.1, 0.2]),
        eq.prove(["newton_euler"]),
        eq.abbreviate(),
        arm.base_parameters(),
        arm.program("inverse_dynamics"),
        arm.doctor(),
        qddot.diff(arm, arm.with_values(k1=2)),
        run,
        run.energy,
        run.trust(),
    ):
        shown(thing)
        assert repr(thing).isprintable()


def test_a_run_from_a_hostile_file_only_shows_it(arm: Robot, tmp_path: Path) -> None:
    run = arm.simulate([0, 0], duration=0.1, step=0.1)
    run.data = run.data.assign_attrs(model=TEXT, torque=TEXT, values=TEXT, method=TEXT, notes=TEXT)
    shown(run)
    shown(run.energy)
    shown(qddot.Run.load(run.save(tmp_path / "a.nc")))


def test_a_formula_has_no_command_of_the_users(arm: Robot) -> None:
    eq = arm.equations()
    things = (eq, eq.textbook(), eq.M, eq.linearize([0, 0]))
    for written in (*(thing._repr_latex_() for thing in things), eq.steps._repr_markdown_()):  # type: ignore[attr-defined]
        assert not set(re.findall(r"\\[a-z]+", written)) & {"\\input", "\\href", "\\script"}
        assert "<" not in written
        assert written.count("{") == written.count("}")


def test_a_symbol_called_like_a_lump_stays_itself(arm: Robot) -> None:
    short = arm.equations().textbook()
    assert short.constants
    assert "k1" not in short.constants
    assert short.proved()


@pytest.mark.parametrize("name", ["input", "hspace", "θ", "质量", "_", "__a_b", "ⅷ", "e", "frac", "text", "end"])
def test_a_symbols_name_is_no_command(name: str) -> None:
    """A name is an identifier; whatever it is in a language, it stands there as letters."""
    rows = [{"theta": "q1", "d": 0, "a": name, "alpha": 0}]
    M = qddot.from_dh(rows, [{"mass": 1}], symbols=[name]).equations().M
    for written in (M.latex(), M._repr_latex_()):
        assert set(re.findall(r"\\[A-Za-z]+", written)) <= COMMANDS
    assert ElementTree.fromstring(M.mathml()).tag.endswith("math")
    bare = re.sub(r'"[^"]*"', "", M.typst())
    assert set(re.findall(r"[A-Za-z]{2,}", bare)) <= {"mat", "delim", "theta"}


def test_an_array_is_shown_with_its_name() -> None:
    eq = robot("two_link").equations()
    assert "M &= \\begin{bmatrix}" in eq.M._repr_latex_()
    assert "M_{12} &= " in eq.M[0, 1]._repr_latex_()
    assert "M_{22} &= " in eq.M[1:, 1:]._repr_latex_()
    assert "& \\begin{bmatrix}" in (2 * eq.M)._repr_latex_()
    assert "& {" in (2 * eq.K)._repr_latex_()
    assert "The other 3 entries are zero." in eq.christoffel._repr_latex_()
    assert "entr" not in eq.M._repr_latex_()
    assert eq.springs._repr_latex_().count("= 0") == eq.n


@pytest.mark.parametrize("name", ["M", "christoffel", "h", "tau", "K", "T", "J_c"])
def test_a_long_array_shows_its_head_and_how_to_get_the_rest(name: str) -> None:
    array = robot("puma560").equations().array(name)
    written = array._repr_latex_()
    called = "\\_\\text{".join(array.identifier.split("_")) if "_" not in array.identifier else "J}\\_\\text{c"
    assert f"{array.terms:,} terms" in written
    assert f"{called}.text() and {called}.latex() show all." in written
    assert len(re.findall(r"\\\\", written)) < 60
    assert len(written) < 10_000
    assert len(repr(array)) < 60


def test_brackets_that_are_too_wide_are_cut() -> None:
    short = robot("puma560").equations().textbook()
    written = short._repr_latex_()
    assert "\\cdots)" in written
    assert "constants: .table() has all." in written
    assert len(written) < 10_000


def test_a_term_that_is_wider_than_a_line_is_whole() -> None:
    names = [letter * 50 for letter in "abc"]
    rows = [{"theta": "q1", "d": 0, "a": names[0], "alpha": 0}]
    M = qddot.from_dh(rows, [{"mass": f"{names[1]}*{names[2]}"}], symbols=names).equations().M
    written = M._repr_latex_()
    assert all(name in written for name in names)
    assert "These are the first" not in written


def test_what_is_empty_or_zero_shows_that() -> None:
    eq = robot("one_link").equations()
    assert "B &= 0" in eq.B._repr_latex_()
    assert "M &= 0" in eq.M[0:0]._repr_latex_()
    assert "h_{1} &= 0" in eq.h._repr_latex_()
    no_steps = robot("puma560_1986").equations().steps._repr_markdown_()  # type: ignore[attr-defined]
    assert no_steps == "Equations that were given entry by entry have no steps."
    assert "no findings" in robot("two_link").doctor()._repr_html_()
    assert "no findings" in Diagnosis("without proofs", ())._repr_html_()
    without_constants = robot("slider").equations().textbook()
    assert "M &= \\begin{bmatrix} m \\end{bmatrix}" in without_constants._repr_latex_()


def test_steps_of_a_long_arm_are_not_computed_to_be_listed() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": 1, "alpha": "90deg"} for k in range(1, 9)]
    written = qddot.from_dh(rows).equations("dh4x4").steps._repr_markdown_()  # type: ignore[attr-defined]
    assert "| `T` | 8 × 4 × 4 |" in written
    assert "| `U_ijk` | computed at its first use | |" in written


def test_a_long_table_shows_its_first_rows_and_how_to_get_the_rest() -> None:
    rows = [[str(k), "a" * 10_000] for k in range(html.MOST_ROWS + 7)]
    made = html.table(("k", "text"), rows, "thing.rows")
    assert made.count("<tr>") == html.MOST_ROWS + 1
    assert "7 more rows: thing.rows" in made
    assert max(map(len, Page(made).pieces)) == html.LONGEST_CELL


def test_a_pendulum_of_a_hundred_links_shows_its_first_rows() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": 1, "alpha": 0} for k in range(1, 101)]
    page = shown(qddot.from_dh(rows, name="chain"))
    assert "60 more rows: model.bodies" in page.pieces
