"""Lists the notations of courses and papers for the page, which writes the letters of quantities itself in its tabs."""

from __future__ import annotations

from typing import Any

from qddot.apps.chinese.translating import chinese
from qddot.exact.equations.notations import NOTATIONS, Notation
from qddot.exact.equations.quantity_names import letter_of
from qddot.exact.equations.quantity_table import QUANTITIES

LOWERED = str.maketrans("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")


def notations() -> list[dict[str, Any]]:
    """Returns each notation with its sentence, its sentence in Chinese, and the letters that differ from ours."""
    return [
        {"name": each.name, "sentence": each.sentence, "zh": chinese(each.sentence), "letters": _letters(each)}
        for each in NOTATIONS.values()
    ]


def _letters(notation: Notation) -> dict[str, str]:
    """Returns the letters of quantities that differ from ours, in plain characters: Vₘ for V_m."""
    letters = {name: letter_of(name, notation) for name in QUANTITIES if letter_of(name, notation) != letter_of(name)}
    return {name: _lowered(letter) for name, letter in letters.items()}


def _lowered(letter: str) -> str:
    head, _, index = letter.partition("_")
    return head + index.translate(LOWERED)
