"""A template names all that an answer may use; each of its slots is judged by itself, and an empty one is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qddot
from qddot.base.errors import QddotError
from qddot.exact.printing.latex import Latex
from qddot.exact.printing.matlab import Matlab
from qddot.exact.printing.python import Python
from qddot.exact.printing.text import Text
from qddot.faces.checking import Checking
from qddot.formats.finding import load, zoo
from qddot.teach.check.asked import required_entries
from qddot.teach.check.exact_arrays import exact_array
from qddot.teach.check.templates import FORMS, SLOT, USUAL

LANGUAGES = {".tex": Latex(), ".md": Text(), ".py": Python(), ".m": Matlab(), ".ipynb": Python()}
LARGEST = 3  # joints
SMALL = [name for name in zoo() if load(name).n <= LARGEST]
ENTRIES = ["M11", "M12", "M22", "h1", "h2", "G1", "G2"]


def opened(name: str) -> Checking:
    return qddot.load(name) if name in SMALL else qddot.load_closed_chain(name)


def filled(arm: Checking, form: str, asked: str = USUAL, **instead: str) -> str:
    """Returns a template with the exact formulas in its slots, or others instead for entries by name."""
    lines, entries = [], list(required_entries(arm.quantities, asked).items())
    text, content = arm.answer_template(form, asked), None
    if form == ".ipynb":
        content = json.loads(text)
        text = content["cells"][1]["source"]
    for line in text.split("\n"):
        slot = SLOT.fullmatch(line)
        if slot is not None:
            (quantity, place), name = entries.pop(0)
            array = exact_array(arm.quantities, quantity)
            formula = dict(zip(array.places, array.written_entries(), strict=True))[place]
            right = instead.get(name, LANGUAGES[form].write(formula))
            line = line[: slot.start("sign")] + right + line[slot.end("sign") :]
        lines.append(line)
    assert not entries
    if content is None:
        return "\n".join(lines)
    content["cells"][1]["source"] = "\n".join(lines)
    return json.dumps(content)


def saved(folder: Path, form: str, text: str) -> Path:
    path = folder / f"answer{form}"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [*SMALL, "four_bar"])
def test_the_exact_formulas_in_all_slots_are_right_and_a_wrong_one_is_named(
    name: str, form: str, tmp_path: Path
) -> None:
    arm = opened(name)
    first = next(iter(required_entries(arm.quantities, USUAL).values()))
    judgement = arm.check(saved(tmp_path, form, filled(arm, form)))
    assert judgement, judgement
    assert not judgement.notes
    wrong = arm.check(saved(tmp_path, form, filled(arm, form, **{first: "7"})))
    assert [entry.name for entry in wrong.wrong] == [first]
    assert not wrong.unread


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_slot_of_an_empty_template_is_missing_and_none_is_wrong(form: str, lang: str, tmp_path: Path) -> None:
    arm = qddot.load("two_link")
    judgement = arm.check(saved(tmp_path, form, arm.answer_template(form, lang=lang)))
    assert not judgement
    assert list(judgement.missing) == ENTRIES
    assert not judgement.entries
    assert not judgement.unread


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", ["m1*(l + 3", "m1*l)", "m1 + +", "unknown*l", r"\frac{m1}{", "{m1", "m1*l ="])
def test_a_fault_in_one_slot_does_not_reach_the_next(form: str, fault: str, tmp_path: Path) -> None:
    judgement = qddot.load("two_link").check(saved(tmp_path, form, filled(qddot.load("two_link"), form, M12=fault)))
    assert not judgement
    assert not judgement.wrong
    assert {entry.name for entry in judgement.entries} >= {*ENTRIES} - {"M12"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("asked", ["M,C,G", "tau", "K,P", "B,C2,G", "T2,J_tool", "christoffel", "p_c", "A1", "M12,G"])
@pytest.mark.parametrize("notation", ["", "khatib", "uicker"])
def test_other_quantities_have_slots_that_are_read(form: str, asked: str, notation: str, tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r").with_notation(notation)
    assert arm.check(saved(tmp_path, form, filled(arm, form, asked)))


@pytest.mark.parametrize("left", ["M22 =", "M22 = ?", "M22 = ...", "M22 = [];", r"\[ M_{22} = \]"])
def test_a_slot_without_a_formula_is_missing_however_it_is_left(left: str) -> None:
    arm = qddot.load("two_link")
    text = arm.answer_template(".py").replace("M22 = ...", left).replace("G1 = ...", "G1 = 0")
    judgement = arm.check(text)
    assert "M22" in judgement.missing
    assert [entry.name for entry in judgement.entries] == ["G1"]
    assert not judgement.unread


def test_a_formula_in_the_line_below_its_slot_is_read() -> None:
    arm = qddot.load("two_link")
    text = arm.answer_template(".py", "M22").replace("M22 = ...", "M22 =\n  m2*l**2/3")
    assert arm.check(text)


def test_names_of_ones_own_may_be_defined_between_the_slots() -> None:
    arm = qddot.load("two_link")
    text = arm.answer_template(".py", "M22,M12").replace("M22 = ...", "a = m2*l**2/3\nM22 = a")
    assert arm.check(text.replace("M12 = ...", "M12 = a + m2*l**2*cos(q2)/2"))


def test_the_header_has_the_meanings_and_units_of_names_and_the_direction_of_gravity() -> None:
    arm = qddot.load("two_link")
    english, chinese = arm.answer_template("a.tex"), arm.answer_template("a.tex", lang="zh")
    for line in ("m1: mass of link 1 [kg]", "q2: coordinate [rad], with the rate qd2", "(0, -g, 0) in the base frame"):
        assert line in english
    assert "upper triangle" in english
    assert "m1: 连杆 1 的质量 [kg]" in chinese
    assert "upper triangle" not in arm.answer_template(".py", "G")


@pytest.mark.parametrize(
    ("form", "lang", "asked"), [(".docx", "en", None), ("", "en", None), (".md", "fr", None), (".md", "en", "X")]
)
def test_an_unknown_form_language_or_quantity_is_refused(form: str, lang: str, asked: str | None) -> None:
    with pytest.raises(QddotError, match=r"expected|no "):
        qddot.load("two_link").answer_template(form, asked, lang)
