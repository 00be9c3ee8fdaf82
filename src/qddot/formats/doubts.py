"""Chooses those notes of readers that report a likely mistake in a file, which every command tells."""

from __future__ import annotations

from collections.abc import Iterable

from qddot.formats.shared.rotations import NO_UNIT
from qddot.formats.toml.robot_file import NO_CENTRE
from qddot.formats.xml.mending import UNREAD

DOUBTFUL = (f": {UNREAD}: ", NO_CENTRE, NO_UNIT)


def doubts(notes: Iterable[str]) -> list[str]:
    """Returns the notes of content that is not read, of missing centres of mass, and of angles without a unit."""
    return [note for note in notes if any(words in note for words in DOUBTFUL)]
