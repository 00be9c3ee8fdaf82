"""The section of reports on inertias by integration, and what commands print of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import qddot
from qddot import shapes
from qddot.apps.cli import main
from qddot.papers.report.document import Document, Paragraph
from qddot.papers.report.report_file import contents
from qddot.papers.report.sections import integrals
from qddot.papers.report.wording import Words
from qddot.robot.shapes.kinds import KINDS

FILE = """
name = "hammer"
convention = "mdh"
gravity = [0, "-g", 0]
[symbols]
l = 0.4
m = 1.0
rho = 7850
b = 0.05
[[link]]
name = "hammer"
mdh = { alpha = 0, a = 0, d = 0, theta = "q1" }
inertia = { shapes = [
    { shape = "rod", length = "l", mass = "m", at = ["l/2", 0, 0] },
    { shape = "cylinder", length = "2*b", radius = "b", axis = "y", density = "rho", at = ["l", 0, 0] },
] }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hammer.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def document(arm: qddot.Robot, lang: str = "en") -> Document:
    """A report of this section alone."""
    short = arm.equations().textbook()
    section = integrals.section(short, Words.of(lang, short))
    assert section is not None
    return Document("title", "", lang, (section,))


@pytest.mark.parametrize(("lang", "title"), [("en", "Inertias by integration"), ("zh", "由积分求惯量")])
def test_a_report_derives_inertias_by_integration(file: Path, lang: str, title: str) -> None:
    place = Path("report.md")
    text = str(contents({place: document(qddot.load(file), lang)})[place])
    assert f"1 {title}" in text
    assert r"\int_{- l / 2}^{l / 2} x^{2} \thinspace \mathrm{d} x" in text
    assert r"$\bar{\rho} \int_{- b}^{b} \int_{0}^{b} \int_{0}^{2 \pi} s y^{2}" in text
    assert "$l^{2} m / 12$" in text
    assert r"I^{o}_ {1} = \begin{bmatrix}" in text
    assert r"\bar{J}_ {1} = \begin{bmatrix}" in text


@pytest.mark.parametrize("name", KINDS)
def test_every_shape_is_told_in_both_languages(name: str) -> None:
    kind = KINDS[name]
    body = getattr(shapes, name)(density="rho", **{size: f"{size}_1" for size in kind.sizes})
    symbols = ["rho", *(f"{size}_1" for size in kind.sizes)]
    arm = qddot.from_mdh([{"alpha": 0, "a": 0, "d": 0, "theta": "q1"}], [{"inertia": body}], symbols=symbols)
    for lang, words in (("en", f"uniform {kind.noun}"), ("zh", "是均质")):
        paragraphs = (block.parts for block in document(arm, lang).blocks() if isinstance(block, Paragraph))
        assert any(words in "".join(part for part in parts if isinstance(part, str)) for parts in paragraphs)


def rod(com: list[Any], **link: Any) -> qddot.Robot:
    rows = [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}]
    return qddot.from_dh(rows, [{"mass": "m", "com": com, "inertia": shapes.rod(length="l", **link)}], symbols="l m")


def test_a_rod_has_its_central_tensor_its_own_one_and_its_pseudo_inertia() -> None:
    place = Path("report.html")
    text = str(contents({place: document(rod(["-l/2", 0, 0]))})[place])
    assert re.search(r"<msubsup><mo[^>]*>∫</mo><mrow>.*?</mrow><mrow>", text)
    assert len(re.findall(r"<mtable", text)) == 3


def test_a_notebook_computes_the_tensors_again() -> None:
    arm, place = rod(["-l/2", 0, 0]), Path("report.ipynb")
    text = str(contents({place: document(arm)._replace(robot=arm.to_toml(), routes=("composite",))})[place])
    assert "arm.equations().I_o" in text


def test_shapes_whose_axes_are_turned_are_told() -> None:
    said = [str(block) for block in document(rod([0, 0, 0], rpy=[0, 0, "30deg"])).blocks()]
    assert any("turned against those of the link" in each for each in said)
    straight = [str(block) for block in document(rod([0, 0, 0], axis="y")).blocks()]
    assert not any("turned against" in each for each in straight)


@pytest.mark.parametrize("suffix", [".tex", ".typ"])
def test_papers_have_limits_at_their_integrals(suffix: str) -> None:
    place = Path("report").with_suffix(suffix)
    text = "".join(str(each) for each in contents({place: document(rod([0, 0, 0]))}).values())
    limits = r"\int_{- l / 2}^{l / 2}" if suffix == ".tex" else "integral_(- l slash 2)^(l slash 2)"
    assert limits in text


def test_a_report_without_shapes_has_no_such_section() -> None:
    short = qddot.load("two_link").equations().textbook()
    assert integrals.section(short, Words.of("en", short)) is None


def test_show_and_derive_print_the_integrals(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", str(file)])
    shown = capsys.readouterr().out
    for line in (
        "inertias by integration:",
        "hammer: thin rod along x of length l; mass m, centre of mass (l/2, 0, 0)",
        "  ∫y**2 dm = rho ∫[-b, b] ∫[0, b] ∫[0, 2*pi] s*y**2 dphi ds dy = 2*pi*b**5*rho/3",
    ):
        assert line in shown
    main(["derive", str(file), "--only", "inertia"])
    derived = capsys.readouterr().out
    assert "∫x**2 dm = m/V ∫[-l/2, l/2] x**2 dx = l**2*m/12" in derived
    assert "I_o1[2,2] = " in derived
    assert "Jbar1[4,4] = m + 2*rho*b**3*pi" in derived
    main(["derive", str(file), "--only", "M"])
    assert "∫" not in capsys.readouterr().out


@pytest.mark.parametrize("book", ["", "murray", "craig", "khatib", "uicker"])
def test_a_volume_has_another_letter_than_the_twists(book: str, tmp_path: Path) -> None:
    arm = qddot.loads(
        'name = "slab"\nconvention = "dh"\ngravity = [0, "-g", 0]\nsymbols = { g = 9.81 }\n[[link]]\n'
        'dh = { theta = "q1", d = 0, a = 1, alpha = 0 }\nmass = 3\n'
        'inertia = { shape = "box", length = 1, width = 0.1, height = 0.2, at = ["-1/2", 0, 0] }\n'
    ).with_notation(book)
    text = arm.report(tmp_path / "slab.md").read_text(encoding="utf-8")
    assert r"$\mathcal{V} = \int \mathrm{d} \mathcal{V}$" in text
    assert not re.search(r"\\mathrm\{d\} V|/ V", text)
