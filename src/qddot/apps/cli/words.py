"""Tells the sentences that commands print in the language in use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from qddot.base.errors import shortened
from qddot.base.words.language import VARIABLE, chosen, language, languages, manner
from qddot.base.words.message import say

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
WIDTH = 115  # of the sentences at the end of a help


def language_in(words: Sequence[str]) -> str:
    """Returns the language that a command line chooses, which its help and its errors are in, too, or ""."""
    after = pairwise(words)
    codes = [value for option, value in after if option == "--lang"]
    codes += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    return codes[-1] if codes and codes[-1] in languages() else ""


def unknown_language() -> str:
    """Returns a note if no language of a command line replaces one in QDDOT_LANG that there is not, or ""."""
    named = os.environ.get(VARIABLE, "")
    if chosen() or not named or named in languages():
        return ""
    return sentence("language-unknown", variable=VARIABLE, text=shortened(named), names=listed(languages()))


def sentence(key: str, **slots: Any) -> str:
    """Returns a sentence of the catalogues."""
    return say(key, **slots).told()


def paragraph(key: str, **slots: Any) -> str:
    """Returns a sentence of the catalogues in lines, as the end of a help has it."""
    from qddot.apps.cli.output import wrapped

    return "\n".join(wrapped(sentence(key, **slots), WIDTH))


def listed(names: Iterable[str]) -> str:
    """Returns names with the language's comma between them."""
    comma: str = manner(language())["comma"]
    return comma.join(names)


def independent(chain: ClosedChain, names: Iterable[str], *, given: bool) -> str:
    """Returns the names of the independent coordinates or their velocities, and by which rule they were chosen.

    given: whether the user chose them
    """
    model, drives, told = chain.model, chain.model.tree.driven, listed(names)
    if drives and set(drives) == set(chain.independent):
        return sentence("driven-alone", names=told, count=len(drives))
    if given or model.conditions or chain.system.choice.near:
        return told
    rule = say("first-independent" if model.integrable else "last-independent")
    if drives:
        return sentence("motors-not-independent", names=told, rule=rule, motors=listed(drives))
    return sentence("no-motors-named", names=told, rule=rule)


def translated(text: str) -> str:
    """Returns a text of a robot, such as its title, in this language if a translation is known."""
    from qddot.robot.own_texts import in_language

    return in_language(text, language())


def titled(name: str, title: str) -> str:
    """Returns the name of a model with its title, if it has one."""
    return sentence("titled", name=name, title=translated(title)) if title else name
