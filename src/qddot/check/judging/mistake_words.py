"""The sentences that name mistakes, by kind: of the whole entry, and of one term {term} where there is a second one."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: dict[str, tuple[str, ...]] = {  # the most common mistakes first
    "gravity reversed": ("gravity is reversed",),
    "armature": ("the armatures (rotor inertias) are missing", "the armature (rotor inertia) of {link} is missing"),
    "springs and friction": ("springs and friction are left out",),
    "springs": ("the springs are left out", "the spring at {link} is left out"),
    "friction": ("friction is left out", "the friction at {link} is left out"),
    "rows": ("the table of {right} Denavit–Hartenberg rows is read as {wrong}",),
    "inertia about origin": (
        "the inertias are taken about the frames' origins, where they are given about the centres of mass "
        "(their parallel-axis terms are missing)",
        "the inertia of {link} is taken about its frame's origin, where it is given about the centre of mass "
        "(its parallel-axis term is missing)",
    ),
    "inertia about centre": (
        "the inertias are taken about the centres of mass, where they are given about the frames' origins "
        "(a parallel-axis term is added once more)",
        "the inertia of {link} is taken about its centre of mass, where it is about its frame's origin "
        "(a parallel-axis term is added once more)",
    ),
    "products": (
        "the products of inertia have the other sign",
        "the products of inertia of {link} have the other sign",
    ),
    "inertia times mass": (
        "the inertias are multiplied by the masses of their links, which they have in them",
        "the inertia of {link} is multiplied by the link's mass, which it has in it",
    ),
    "transposed": ("{quantity} is transposed",),
    "swapped": ("{one} and {other} are swapped",),
    "sign": ("the sign of the whole", "the sign of {term}"),
    "half": ("a factor 1/2 too many", "a factor 1/2 too many in {term}"),
    "double": ("a factor 2 too many", "{term} is doubled: a factor 2 too many, or it stands twice"),
    "sine for cosine": ("sin({angle}) stands for cos({angle})", "sin({angle}) stands for cos({angle}) in {term}"),
    "cosine for sine": ("cos({angle}) stands for sin({angle})", "cos({angle}) stands for sin({angle}) in {term}"),
    "angle not summed": (
        "an angle is not summed: {wrong} stands for {right}",
        "an angle is not summed: {wrong} stands for {right} in {term}",
    ),
    "mass": (
        "the mass of link {other} stands for that of link {link}: {wrong} for {right}",
        "the mass of link {other} stands for that of link {link}: {wrong} for {right} in {term}",
    ),
    "parallel axis": ("the parallel-axis terms are missing", "the parallel-axis term {term} is missing"),
    "inertia missing": (
        "the inertias about the centres of mass are left out: the links are taken as point masses",
        "the inertia of {link} about its centre of mass is left out: it is taken as a point mass",
    ),
    "lost": ("0 stands for what is not zero", "{term} is missing"),
    "square lost": ("the square of {right} is lost", "the square of {right} is lost in {term}"),
    "factor lost": ("the factor {right} is lost", "the factor {right} is lost in {term}"),
    "rate for acceleration": ("rates stand for accelerations", "a rate stands for an acceleration in {term}"),
    "angle summed": (
        "an angle is summed that should not be: {wrong} stands for {right}",
        "an angle is summed that should not be: {wrong} stands for {right} in {term}",
    ),
    "symbol": ("{wrong} stands for {right}", "{wrong} stands for {right} in {term}"),
    "rate": ("{wrong} stands for {right}", "{wrong} stands for {right} in {term}"),
    "acceleration": ("{wrong} stands for {right}", "{wrong} stands for {right} in {term}"),
    "mass of another link": ("the mass of {other} stands for that of {link}",) * 2,
    "masses exchanged": ("the masses of links {link} and {other} are exchanged",) * 2,
    "link masses exchanged": ("the masses of {link} and {other} are exchanged",) * 2,
    "symbols exchanged": ("{wrong} and {right} are exchanged", "{wrong} and {right} are exchanged in {term}"),
    "sine and cosine exchanged": (
        "the sine and the cosine of {angle} are exchanged",
        "the sine and the cosine of {angle} are exchanged in {term}",
    ),
    "another angle": ("the angle {wrong} stands for {right}", "the angle {wrong} stands for {right} in {term}"),
    "rates exchanged": ("{wrong} and {right} are exchanged", "{wrong} and {right} are exchanged in {term}"),
    "accelerations exchanged": ("{wrong} and {right} are exchanged", "{wrong} and {right} are exchanged in {term}"),
    "gravity axis": ("gravity is along another axis: ({wrong}) instead of ({right})",),
    "gravity missing": ("gravity is left out",),
    "massless": ("the links have no mass", "{link} is left out: it has neither mass nor inertia"),
    "misplaced": ("what stands there is {other}",),
    "degrees": ("an angle is in degrees instead of radians", "an angle is in degrees instead of radians in {term}"),
    "factor extra": ("a factor {wrong} too many", "a factor {wrong} too many in {term}"),
    "number": ("the number {wrong} stands for {right}", "the number {wrong} stands for {right} in {term}"),
    "factor": ("it is {factor} times the right one", "{term} stands there {factor} times"),
    "extra": ("{term} does not belong there",),
    "carried": ("it follows from your own {source}, which is wrong",),
}
COMMONNESS = tuple(SENTENCES)


def sentence(kind: str, words: Mapping[str, str]) -> str:
    """Returns the sentence for a kind of mistake with its words."""
    whole, *narrow = SENTENCES[kind]
    least = "term" if any("{term}" in form for form in narrow) else "link"
    return (narrow[0] if narrow and least in words else whole).format(**words)
