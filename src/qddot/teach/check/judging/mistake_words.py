"""These sentences name mistakes by kind: one for a whole entry or arm, one for a {term} or a {link}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.formats.confusions.confusion import Confusion
from qddot.formats.confusions.of_arms import (
    DEGREES,
    DIRECTIONS,
    NO_ARMATURE,
    NO_COULOMB,
    NO_DAMPING,
    NO_GRAVITY,
    NO_SPRINGS,
    OTHER_ROWS,
    REVERSED_AXIS,
    SIGN_OF_GRAVITY,
    TOGETHER,
)
from qddot.formats.confusions.of_bodies import (
    ABOUT_CENTRE,
    ABOUT_ORIGIN,
    NO_CENTRE,
    NO_MASS,
    NO_PRODUCTS,
    NO_TENSOR,
    PERMUTED,
    SIGN_OF_PRODUCTS,
    TIMES_MASS,
)


def _of_arms(*confusions: Confusion[Any]) -> dict[str, tuple[str, ...]]:
    """Returns the sentences about a whole arm, and about one link."""
    slots = {"right": "{right}", "wrong": "{wrong}"}
    return {each.name: (each.said(**slots), each.said(of=" of {link}", **slots)) for each in confusions}


def _of_bodies(*confusions: Confusion[Any]) -> dict[str, tuple[str, ...]]:
    slots = {"right": "{right}", "wrong": "{wrong}"}
    return {
        each.name: tuple(each.said(of=of, **slots) for of in (" of every link", " of {link}")) for each in confusions
    }


SENTENCES: dict[str, tuple[str, ...]] = {  # the most common mistakes first
    "units": ("a number in another unit is not converted: {wrong} instead of {right} in SI units",),
    **_of_arms(SIGN_OF_GRAVITY, NO_ARMATURE, *TOGETHER, NO_SPRINGS, NO_DAMPING, NO_COULOMB, OTHER_ROWS),
    "half": ("an extra factor of 1/2", "an extra factor of 1/2 in {term}"),
    "double": ("an extra factor of 2", "{term} is doubled: it has an extra factor of 2, or it is written twice"),
    **_of_bodies(ABOUT_ORIGIN, ABOUT_CENTRE, SIGN_OF_PRODUCTS, TIMES_MASS),
    "transposed": ("{quantity} is transposed",),
    "rates lost": ("the rates are missing; if the centrifugal matrix is meant, name it C2",),
    "swapped": ("{one} and {other} are swapped",),
    "sign": ("the sign of the whole expression", "the sign of {term}"),
    "sine for cosine": ("sin({angle}) instead of cos({angle})", "sin({angle}) instead of cos({angle}) in {term}"),
    "cosine for sine": ("cos({angle}) instead of sin({angle})", "cos({angle}) instead of sin({angle}) in {term}"),
    "angle not summed": (
        "an angle is not summed: {wrong} instead of {right}",
        "an angle is not summed: {wrong} instead of {right} in {term}",
    ),
    "mass": (
        "the mass of link {other} instead of that of link {link}: {wrong} instead of {right}",
        "the mass of link {other} instead of that of link {link}: {wrong} instead of {right} in {term}",
    ),
    "rate not summed": (
        "a sum of rates lacks {right}",
        "a sum of rates lacks {right}: {term} is missing",
    ),
    "brackets lost": ("Lagrange's equations lack Hamel's terms, which the brackets of the quasi-velocities add",),
    "parallel axis": ("the parallel-axis terms are missing", "the parallel-axis term {term} is missing"),
    **_of_bodies(NO_TENSOR),
    "lost": ("0 instead of an expression that is not zero", "{term} is missing"),
    "square lost": ("{right} is not squared", "{right} is not squared in {term}"),
    "rate for acceleration": ("rates instead of accelerations", "a rate instead of an acceleration in {term}"),
    "angle summed": (
        "an angle is summed that should not be: {wrong} instead of {right}",
        "an angle is summed that should not be: {wrong} instead of {right} in {term}",
    ),
    "symbol": ("{wrong} instead of {right}", "{wrong} instead of {right} in {term}"),
    "factor lost": ("the factor {right} is missing", "the factor {right} is missing in {term}"),
    "rate": ("{wrong} instead of {right}", "{wrong} instead of {right} in {term}"),
    "acceleration": ("{wrong} instead of {right}", "{wrong} instead of {right} in {term}"),
    "mass of another link": ("the mass of {other} instead of that of {link}",) * 2,
    "masses exchanged": ("the masses of links {link} and {other} are exchanged",) * 2,
    "link masses exchanged": ("the masses of {link} and {other} are exchanged",) * 2,
    "symbols exchanged": ("{wrong} and {right} are exchanged", "{wrong} and {right} are exchanged in {term}"),
    "sine and cosine exchanged": (
        "the sine and the cosine of {angle} are exchanged",
        "the sine and the cosine of {angle} are exchanged in {term}",
    ),
    "another angle": ("the angle {wrong} instead of {right}", "the angle {wrong} instead of {right} in {term}"),
    "rates exchanged": ("{wrong} and {right} are exchanged", "{wrong} and {right} are exchanged in {term}"),
    "accelerations exchanged": ("{wrong} and {right} are exchanged", "{wrong} and {right} are exchanged in {term}"),
    **_of_arms(*DIRECTIONS, NO_GRAVITY),
    **_of_bodies(NO_MASS, NO_CENTRE, NO_PRODUCTS, *PERMUTED),
    **_of_arms(REVERSED_AXIS),
    "repeated name": ("{one} is written twice, and one of the two is {other}",),
    "misplaced": ("this is {other}",),
    DEGREES.name: (DEGREES.said(), f"{DEGREES.said()} in {{term}}"),
    "factor extra": ("an extra factor of {wrong}", "an extra factor of {wrong} in {term}"),
    "number": ("the number {wrong} instead of {right}", "the number {wrong} instead of {right} in {term}"),
    "factor": ("it is {factor} times the right expression", "{term} is {factor} times as large as it should be"),
    "extra": ("the term {term} should not be there",),
    "carried": ("it follows from your own {source}, which is wrong",),
}
COMMONNESS = tuple(SENTENCES)


def sentence(kind: str, words: Mapping[str, str]) -> str:
    """Returns the sentence for a kind of mistake with its words."""
    whole, *narrow = SENTENCES[kind]
    least = "term" if any("{term}" in form for form in narrow) else "link"
    return (narrow[0] if narrow and least in words else whole).format(**words)
