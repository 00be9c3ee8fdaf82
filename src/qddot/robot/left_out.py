"""Lists the kinds of content of files that change a robot's equations and are not modelled, and what a robot lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qddot.base.errors import ClosedChainError, FormatError, NotModelledError, did_you_mean, few, shortened, visible
from qddot.base.records import record
from qddot.base.words.message import Following, Message, Told, say
from qddot.robot.notes import note


@record()
class Content:
    """This is a kind of content: its name for `without`, what it is, and to what it adds."""

    name: str
    what: Message
    adds: Message


CONTENTS = (
    Content("tendons", say("content-tendons"), say("to-m-h-springs-friction")),
    Content("actuators", say("content-actuators"), say("to-m-friction")),
    Content("equalities", say("content-equalities"), say("to-constraints")),
    Content("loops", say("content-loops"), say("to-constraints")),
    Content("gravcomp", say("content-gravcomp"), say("to-g")),
    Content("fluid", say("content-fluid"), say("to-m-h-friction")),
    Content("flexes", say("content-flexes"), say("to-m-springs-damping")),
    Content("plugins", say("content-plugins"), say("to-forces")),
    Content("polynomials", say("content-polynomials"), say("to-springs-friction")),
    Content("springs", say("content-springs"), say("to-springs")),
    Content("rotors", say("content-rotors"), say("to-m")),
    Content("decay", say("content-decay"), say("to-friction")),
    Content("wind", say("content-wind"), say("to-forces")),
    Content("extensions", say("content-extensions"), say("to-m-g-constraints")),
)
NAMES = tuple(content.name for content in CONTENTS)
LOOPS = "loops"
BESIDES_LOOPS = tuple(name for name in NAMES if name != LOOPS)
KINDS = {content.name: content for content in CONTENTS}
OPENS_LOOPS = say("opens-loops")  # the remedy where a tree is expected


@record()
class LeftOut:
    """This is content of a file that a model lacks: the name of its kind, and where it is in the file."""

    name: str
    where: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", visible(self.where))

    @property
    def message(self) -> Message:
        """Returns what it is, where, and to what it would add."""
        return say("content-adds", what=KINDS[self.name].what, place=self.where, adds=KINDS[self.name].adds)

    def __str__(self) -> str:
        return str(self.message)


def left_out(name: str, places: Iterable[str]) -> list[LeftOut]:
    """Returns a list of the content of one kind at these places, which is empty where there is none."""
    distinct = list(dict.fromkeys(places))
    return [LeftOut(name, Told(few(distinct, 4)))] if distinct else []


def sentences(parts: Sequence[LeftOut]) -> list[str]:
    """Returns a line for each kind of content that a model lacks."""
    return [note("content-left-out", content=part.message) for part in parts]


def headed(name: str, parts: Sequence[LeftOut]) -> str:
    """Returns a model's name with what it lacks, for the first line of a file."""
    return "; ".join([name, *sentences(parts)])


def as_table(parts: Sequence[LeftOut]) -> dict[str, str]:
    """Returns the places by the names of the kinds, as a robot file has them."""
    return {part.name: part.where for part in parts}


def from_table(table: Any) -> tuple[LeftOut, ...]:
    """Returns what the table `left_out` of a robot file lists. raises FormatError: another form, or an unknown kind"""
    if not isinstance(table, dict) or not all(isinstance(where, str) for where in table.values()):
        raise FormatError("left-out-not-table", table=shortened(table))
    checked(tuple(table))
    return tuple(LeftOut(name, where) for name, where in table.items())


def checked(without: str | Iterable[str]) -> tuple[str, ...]:
    """Returns names of kinds, which may be in one text with commas. raises FormatError: there is no such kind"""
    names = (without.split(",") if without else ()) if isinstance(without, str) else without
    if not isinstance(names, Iterable):
        raise FormatError("without-wrong", names=shortened(names))
    listed = [name.strip() if isinstance(name, str) else name for name in names]
    for name in listed:
        if name not in NAMES:
            raise FormatError("left-out-unknown", name=shortened(name), remedy=did_you_mean(name, NAMES))
    return tuple(listed)


def refuse(parts: Sequence[LeftOut], without: Sequence[str], where: str) -> None:
    """Raises an error for content that changes the equations and is not to be left out.

    raises ClosedChainError: connections that close loops; NotModelledError: any other content
    """
    refused = [part for part in parts if part.name not in without]
    if not refused:
        return
    loops = [part for part in refused if part.name == LOOPS]
    names = [part.name for part in refused]
    reads = say("without-reads", names=",".join(names), listed=", ".join(f'"{name}"' for name in names))
    parts = Following(part.message for part in refused)
    content = say("held-in-loops", place=loops[0].where) if loops else say("not-modelled", parts=parts)
    kind = ClosedChainError if loops else NotModelledError
    raise kind(content, where=where, remedy=Following((OPENS_LOOPS, reads)) if loops else reads)
