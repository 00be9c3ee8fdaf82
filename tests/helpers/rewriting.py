"""Helpers write right derivations as people do: factored, with double angles, sums, constants, other names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from drawn_arms import right
from mutating import QUANTITIES

from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook import Textbook

CLASSICS = ("one_link", "two_link", "planar_2r", "spatial_2r", "rp", "slider", "spherical_pendulum", "elbow_3r")
ARMS = (*CLASSICS, "origin_2r")
ANGLE = r"(q\d|theta|phi)"


class Rewritten(NamedTuple):
    """A right derivation as a text, and what its own names mean."""

    eq: Quantities
    text: str
    rename: dict[str, str]
    about: str


def arrays(eq: Quantities, quantity: str) -> dict[str, Any]:
    """The quantity in the forms in which it may be written."""
    return {
        "expanded": eq.in_joint_angles.array(quantity),
        "factored": Textbook(eq, lumped=False).array(quantity),
        "double angles": Textbook(eq, "multiple-angle", lumped=False).array(quantity),
    }


LANGUAGES: dict[str, Callable[[Any], str]] = {
    "text": lambda array: array.text(10_000),
    "latex": lambda array: array.latex_equation(),
    "python": lambda array: array.python(),
    "matlab": lambda array: array.matlab(),
}


def half_angles(text: str) -> str:
    """Squares of cosines and sines by the double angle."""
    text = re.sub(rf"cos\({ANGLE}\)\*\*2", r"((1 + cos(2*\1))/2)", text)
    return re.sub(rf"sin\({ANGLE}\)\*\*2", r"((1 - cos(2*\1))/2)", text)


def sums_expanded(text: str) -> str:
    """Cosines and sines of sums as products."""
    text = re.sub(rf"cos\({ANGLE} \+ {ANGLE}\)", r"(cos(\1)*cos(\2) - sin(\1)*sin(\2))", text)
    return re.sub(rf"sin\({ANGLE} \+ {ANGLE}\)", r"(sin(\1)*cos(\2) + cos(\1)*sin(\2))", text)


def shifted_angles(text: str) -> str:
    """Sines as cosines of the complement."""
    return re.sub(rf"sin\({ANGLE}\)", r"cos(pi/2 - \1)", text)


def with_ones(text: str) -> str:
    """A one before every cosine, as its own square and that of the sine, or as a quotient."""
    return re.sub(rf"cos\({ANGLE}\)", r"((sin(\1)**2 + cos(\1)**2)*cos(\1)*(3/6 + 0.5))", text)


TRICKS = {each.__name__: each for each in (half_angles, sums_expanded, shifted_angles, with_ones)}


def rewritten(arm: str, rng: Random) -> Rewritten:
    """A right quantity of an arm in a form, a language, and perhaps with other names or identities put in."""
    eq, quantity = right(arm), rng.choice(QUANTITIES)
    how = rng.choice((*LANGUAGES, "constants", "names", *TRICKS))
    forms = arrays(eq, quantity)
    form = rng.choice(list(forms))
    about = f"{arm} {quantity}: {form}, {how}"
    if how in LANGUAGES:
        return Rewritten(eq, LANGUAGES[how](forms[form]), {}, about)
    if how == "constants":
        written = rng.choice((Textbook(eq).python, Textbook(eq).matlab))([quantity])
        return Rewritten(eq, written, {}, about)
    python = forms[form].python()
    if how in TRICKS:
        return Rewritten(eq, TRICKS[how](python), {}, about)
    new = {name: f"my_{name}" for name in eq.model.symbols}
    text = re.sub(r"[A-Za-z_]\w*", lambda match: new.get(match[0], match[0]), python)
    used = {own: name for name, own in new.items() if re.search(rf"\b{own}\b", text)}
    return Rewritten(eq, text, used, about)


def drawn(count: int, seed: int) -> Iterator[Rewritten]:
    """So many right derivations; a quantity that is zero is not drawn."""
    rng = Random(f"rewritten {seed}")
    number = 0
    while number < count:
        each = rewritten(rng.choice(ARMS), rng)
        if each.eq.array(each.about.split()[1].rstrip(":")):
            number += 1
            yield each
