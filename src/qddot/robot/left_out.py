"""Lists the kinds of content of files that change a robot's equations and are not modelled, and what a robot lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qddot.base.errors import ClosedChainError, FormatError, NotModelledError, did_you_mean, few, shortened, visible
from qddot.base.records import record


@record()
class Content:
    """This is a kind of content: its name for `without`, what it is, and to what it adds."""

    name: str
    what: str
    adds: str


CONTENTS = (
    Content("tendons", "tendons with springs, damping, friction or armature", "M, h, springs and friction"),
    Content("actuators", "actuators with armature or damping", "M and friction"),
    Content("equalities", "equalities that are not modelled", "the constraints"),
    Content("loops", "connections that close loops", "the constraints"),
    Content("gravcomp", "gravity that is compensated or switched off for single links", "G"),
    Content("fluid", "a fluid round the links", "M, h and friction"),
    Content("flexes", "bodies that bend", "M, springs and damping"),
    Content("plugins", "plugins", "the forces"),
    Content("polynomials", "springs and damping that are not linear", "springs and friction"),
    Content("springs", "springs that are not modelled", "springs"),
    Content("rotors", "rotors of motors", "M"),
    Content("decay", "velocities of single links that decay", "friction"),
    Content("wind", "wind that acts on links", "the forces"),
    Content("extensions", "links, joints and states that extensions add", "M, G and the constraints"),
)
NAMES = tuple(content.name for content in CONTENTS)
LOOPS = "loops"
BESIDES_LOOPS = tuple(name for name in NAMES if name != LOOPS)
KINDS = {content.name: content for content in CONTENTS}
OPENS_LOOPS = "qddot.load_closed_chain opens it, as does `qddot closed`"  # the remedy where a tree is expected


@record()
class LeftOut:
    """This is content of a file that a model lacks: the name of its kind, and where it is in the file."""

    name: str
    where: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", visible(self.where))

    def __str__(self) -> str:
        kind = KINDS[self.name]
        return f"{kind.what} ({self.where}), which would add to {kind.adds}"


def left_out(name: str, places: Iterable[str]) -> list[LeftOut]:
    """Returns a list of the content of one kind at these places, which is empty where there is none."""
    distinct = list(dict.fromkeys(places))
    return [LeftOut(name, str(few(distinct, 4)))] if distinct else []


def sentences(parts: Sequence[LeftOut]) -> list[str]:
    """Returns a line for each kind of content that a model lacks."""
    return [f"left out: {part}" for part in parts]


def headed(name: str, parts: Sequence[LeftOut]) -> str:
    """Returns a model's name with what it lacks, for the first line of a file."""
    return "; ".join([name, *sentences(parts)])


def as_table(parts: Sequence[LeftOut]) -> dict[str, str]:
    """Returns the places by the names of the kinds, as a robot file has them."""
    return {part.name: part.where for part in parts}


def from_table(table: Any) -> tuple[LeftOut, ...]:
    """Returns what the table `left_out` of a robot file lists. raises FormatError: another form, or an unknown kind"""
    if not isinstance(table, dict) or not all(isinstance(where, str) for where in table.values()):
        raise FormatError("left-out", table=shortened(table))
    checked(tuple(table))
    return tuple(LeftOut(name, where) for name, where in table.items())


def checked(without: str | Iterable[str]) -> tuple[str, ...]:
    """Returns names of kinds, which may be in one text with commas. raises FormatError: there is no such kind"""
    names = (without.split(",") if without else ()) if isinstance(without, str) else without
    if not isinstance(names, Iterable):
        raise FormatError("without-names-tendons-gravcomp", names=shortened(names))
    listed = [name.strip() if isinstance(name, str) else name for name in names]
    for name in listed:
        if name not in NAMES:
            raise FormatError("no-kind-content", name=shortened(name), remedy=did_you_mean(name, NAMES))
    return tuple(listed)


def refuse(parts: Sequence[LeftOut], without: Sequence[str], where: str) -> None:
    """Raises an error for content that changes the equations and is not to be left out.

    raises ClosedChainError: connections that close loops; NotModelledError: any other content
    """
    refused = [part for part in parts if part.name not in without]
    if not refused:
        return
    loops = [part for part in refused if part.name == LOOPS]
    listed = ", ".join(f'"{part.name}"' for part in refused)
    kind = ClosedChainError if loops else NotModelledError
    raise kind(
        f"links are held together in loops, and a robot is a tree ({loops[0].where})"
        if loops
        else f"not modelled: {'; '.join(map(str, refused))}",
        where=where,
        remedy=f"{OPENS_LOOPS}; "
        * bool(loops)
        + f"--without {','.join(part.name for part in refused)} (in Python without=[{listed}]) reads the file "
        "without this, and says so",
    )
