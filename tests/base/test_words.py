"""Each message has a sentence in each language, with the same slots, and nothing says what no message says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from messages import ALWAYS, CODES, PAGE, codes, files, made, slots_in, texts, with_table
from refusals import refusal

import qddot
from qddot.apps.cli.commands import COMMANDS
from qddot.base.errors import ModelError, QddotError
from qddot.base.words.language import ENGLISH, catalogue, documents, language, languages, speaking
from qddot.exact.equations.routes import GIVEN, ROUTES
from qddot.formats.confusions.confusion import named

KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
CHINESE = re.compile("[\u4e00-\u9fff]")
OTHERS = [lang for lang in languages() if lang != ENGLISH]


def test_each_key_stands_in_one_file_of_english() -> None:
    counted = Counter(key for entries in files(ENGLISH).values() for key in entries)
    assert [key for key, times in counted.items() if times > 1 or not KEY.fullmatch(key)] == []


@pytest.mark.parametrize("lang", OTHERS)
def test_the_page_has_its_sentences_in_each_language(lang: str) -> None:
    assert places_in(documents(lang, "page")) == places_in(documents(ENGLISH, "page"))


def places_in(words: Any, path: str = "") -> set[tuple[str, tuple[str, ...]]]:
    """The keys of nested sentences, with the places in them."""
    if isinstance(words, Mapping):
        return {each for key, part in words.items() for each in places_in(part, f"{path}.{key}")}
    return {(path, tuple(sorted(re.findall(r"{\w+}", str(words)))))}


@pytest.mark.parametrize("lang", OTHERS)
def test_each_language_has_the_keys_and_the_slots_of_english(lang: str) -> None:
    english, other = files(ENGLISH), files(lang)
    assert {name: set(english[name]) for name in other} == {name: set(each) for name, each in other.items()}
    differing = [key for key, entry in catalogue(lang).items() if slots_in(entry) != slots_in(catalogue(ENGLISH)[key])]
    assert differing == []


def test_each_message_of_the_source_has_a_sentence_and_its_slots() -> None:
    entries = catalogue(ENGLISH)
    assert {each.place.split("/")[0] for each in made() if each.key not in entries} <= {"teach"}
    known = [each for each in made() if each.key in entries]
    differing = [(each.place, each.key) for each in known if each.slots != slots_in(entries[each.key]) - ALWAYS]
    assert differing == []


def test_each_sentence_is_said_somewhere() -> None:
    made_of_names = {f"command-{command.name}" for command in COMMANDS}
    made_of_names |= {f"route-{name}".replace("_", "-") for name in (*ROUTES, GIVEN)}
    made_of_names |= {named(text, {}).key for text in texts()}
    assert sorted(set(catalogue(ENGLISH)) - texts() - made_of_names) == []


def test_an_error_is_told_in_the_language_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    error = ModelError("mass-negative", where="link 'upper'", mass=-1)
    assert str(error) == "link 'upper': mass -1 is negative; expected zero or more"
    assert error.told("zh").startswith("连杆 'upper'：")
    with speaking("zh"):
        assert str(error) == error.told("zh")
    monkeypatch.setenv("QDDOT_LANG", "zh")
    assert (language(), str(error)) == ("zh", error.told("zh"))
    monkeypatch.setenv("QDDOT_LANG", "tlh")
    assert language() == ENGLISH


def test_a_part_of_a_program_speaks_a_language() -> None:
    error = ModelError("mass-negative", mass=-1)
    with qddot.speaking("zh"):
        assert str(error) == error.told("zh")
    assert str(error) == error.told("en")
    with refusal(QddotError, "none-of-these", "a-language", "'tlh'"), qddot.speaking("tlh"):
        pass


def test_documents_and_pictures_are_in_the_language_in_use(tmp_path: Path) -> None:
    arm = qddot.load("two_link")
    with qddot.speaking("zh"):
        arm.report(tmp_path / "derivation.md", "composite")
        arm.exam(tmp_path / "exam.md")
        qddot.load_closed_chain("four_bar").report(tmp_path / "four_bar.md")
        title = arm.simulate([0.5, 0], duration=0.1, step=0.01).plot_energy().axes[0].get_title(loc="left")
        texts = [path.read_text(encoding="utf-8") for path in tmp_path.glob("*.md")]
        texts += [arm.answer_template(), title]
    assert len(texts) > 4 and all(map(CHINESE.search, texts))


def test_an_error_keeps_its_message_with_another_place_and_as_another_kind() -> None:
    error = QddotError("mass-negative", where="link 'a'", mass=-1).at("arm.toml:3")
    assert str(error) == "arm.toml:3 link 'a': mass -1 is negative; expected zero or more"
    assert str(error.to(ModelError, expected="1 kg")) == "arm.toml:3 link 'a': mass -1 is negative; expected 1 kg"


def test_the_codes_of_errors_are_listed_and_none_is_used_again() -> None:
    """`python tests/helpers/messages.py` writes the list and the page anew."""
    listed = CODES.read_text(encoding="utf-8").split()
    assert [code for code in listed if not code.startswith("-")] == codes()
    assert not {code.lstrip("-") for code in listed if code.startswith("-")} & {*codes()}
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page
