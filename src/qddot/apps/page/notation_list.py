"""Lists the notations of courses and papers for the page, which writes the letters of quantities itself in its tabs."""

from __future__ import annotations

from typing import Any

from qddot.base.words.language import languages
from qddot.base.words.message import Message, told
from qddot.exact.equations.notations import NOTATIONS, Notation
from qddot.exact.equations.quantity_names import letter_of
from qddot.exact.equations.quantity_table import QUANTITIES

LOWERED = str.maketrans("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")


def notations() -> list[dict[str, Any]]:
    """Returns each notation with its sentence in each language, and the letters that differ from ours."""
    return [
        {"name": each.name, "sentences": _in_each_language(each.sentence), "letters": _letters(each)}
        for each in NOTATIONS.values()
    ]


def _in_each_language(sentence: Message | str) -> dict[str, str]:
    return {lang: told(sentence, lang) for lang in languages()}


def _letters(notation: Notation) -> dict[str, str]:
    """Returns the letters of quantities that differ from ours, in plain characters: Vₘ for V_m."""
    letters = {name: letter_of(name, notation) for name in QUANTITIES if letter_of(name, notation) != letter_of(name)}
    return {name: _lowered(letter) for name, letter in letters.items()}


def _lowered(letter: str) -> str:
    head, _, index = letter.partition("_")
    return head + index.translate(LOWERED)
