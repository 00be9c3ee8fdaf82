"""A report has every step of the derivation in one file, and the numbers that the compiled functions give."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import qddot
from qddot.equations.routes import ROUTES
from qddot.report.arm_report import report
from qddot.report.document import Document, Equations, Paragraph, Table
from qddot.report.languages import LANGUAGES, chinese, english
from qddot.report.sections import worked_state

SMALL = ("spatial_2r", "rp", "elbow_3r")


def document(name: str, route: str = "composite", lang: str = "en") -> Document:
    eq = qddot.load(name).equations(route)
    return report(eq.textbook(), eq.prove([]), lang)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_route_is_told_in_every_language(route: str, lang: str) -> None:
    made = document("elbow_3r", route, lang)
    assert len(made.sections) == 7
    steps = made.sections[2].blocks
    told = [block for block in steps if isinstance(block, Paragraph)]
    assert len(told) >= 2
    assert sum(isinstance(block, Equations) for block in steps) in (len(told), len(told) - 1)


@pytest.mark.parametrize("catalogue", ["SENTENCES", "STEPS"])
def test_sentences_are_whole_in_both_languages(catalogue: str) -> None:
    sentences, others = getattr(english, catalogue), getattr(chinese, catalogue)
    assert list(sentences) == list(others)
    for key, sentence in sentences.items():
        assert sentence
        assert set(re.findall(r"\{\w+\}", sentence)) == set(re.findall(r"\{\w+\}", others[key]))


@pytest.mark.parametrize("name", SMALL)
def test_the_worked_state_is_what_the_compiled_functions_give(name: str) -> None:
    arm, made = qddot.load(name), document(name)
    q, qd, qdd = (np.array(list(part.values())) for part in worked_state(arm.model.coordinates))
    torques, M = (block for block in made.sections[5].blocks if isinstance(block, Table))
    columns = np.array([[float(str(cell)) for cell in row[1:]] for row in torques.rows]).T
    expected = [q, qd, qdd, arm.bias(q, qd) - arm.gravity(q), arm.gravity(q), arm.inverse_dynamics(q, qd, qdd)]
    # six digits are shown
    np.testing.assert_allclose(columns, expected, rtol=1e-5, atol=1e-9)
    shown = np.array([[float(str(cell)) for cell in row] for row in M.rows])
    np.testing.assert_allclose(shown, arm.mass_matrix(q), rtol=1e-5, atol=1e-9)


def test_a_file_needs_nothing_else(tmp_path: Path) -> None:
    path = qddot.load("spatial_2r").report(tmp_path / "arm.html", "com_jacobian")
    text = path.read_text(encoding="utf-8")
    assert "<svg" in text
    assert "<script" not in text
    assert not re.search(r"(?:src|href)=\"(?!#)[^\"]*//", text)
    assert "url(http" not in text
    numbers = [int(number) for number in re.findall(r"id=\"equation-(\d+)\"", text)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(text) < 1_500_000
    for formula in re.findall(r"<math.*?</math>", text, re.DOTALL):
        ElementTree.fromstring(formula)


def test_a_short_form_that_is_wrong_is_not_reported() -> None:
    eq = qddot.load("rp").equations()
    short = eq.textbook()
    first, *others = short.G.entries
    short.G.entries = (first + short.ring.generator("cos(q1)"), *others)
    with pytest.raises(qddot.QddotError, match="the short form of G is not equal"):
        report(short, eq.prove([]))


def test_titles_are_escaped(tmp_path: Path) -> None:
    title = "<script>alert(1)</script> & $x$"
    rows = [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": "m", "com": [0, 0, 0]}], symbols="l m", title=title)
    text = arm.report(tmp_path / "arm.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_what_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    arm = qddot.load("rp")
    for path, match in (("arm.docx", "a file .html"), ("no/arm.html", "a folder that is there")):
        with pytest.raises(qddot.QddotError, match=match):
            arm.report(tmp_path / path)
    with pytest.raises(qddot.QddotError, match="no route 'x'"):
        arm.report(tmp_path / "arm.html", "x")
    with pytest.raises(qddot.QddotError, match="'fr'"):
        arm.report(tmp_path / "arm.html", lang="fr")
    assert list(tmp_path.iterdir()) == []
