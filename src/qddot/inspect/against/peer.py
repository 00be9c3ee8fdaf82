"""A Peer is another program that has read a file, with its numbers and the model that it made of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from qddot.base.errors import FormatError, shortened
from qddot.base.records import record
from qddot.base.words.message import Message
from qddot.inspect.comparison.places import Array
from qddot.robot.model import Model


class Numbers(NamedTuple):
    """These are M with the armature, h = C q̇, G, and F, the torques of viscous friction and springs, in one state."""

    M: Array
    h: Array
    G: Array
    F: Array


@record()
class Peer:
    """A peer has the program's name and version, the model that it has made of a file, and a function for its numbers.

    The function takes q and q̇ in the order of the model's coordinates, in rad or m and rad/s or m/s.
    quantities: those of its numbers that can be compared; left_out: what its torques leave out
    """

    name: str
    model: Model
    numbers: Callable[[Array, Array], Numbers]
    quantities: tuple[str, ...]
    left_out: Message


def refused(program: str, path: Path, error: Exception) -> FormatError:
    """Returns the error that says that a peer rejects a file, and the reason that the peer gives."""
    reason = shortened(" ".join(str(error).split()), 200)
    return FormatError("peer-refuses-file", where=str(path), program=program, reason=reason)
