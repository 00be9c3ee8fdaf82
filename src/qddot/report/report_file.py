"""Writes the file of a report, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from qddot.errors import QddotError, shortened
from qddot.system import files

SUFFIXES = (".html",)


def checked(path: str | Path) -> Path:
    """Returns the path of a report; raises QddotError for another kind of file, or a folder that is not there."""
    place = Path(path)
    if place.suffix.lower() not in SUFFIXES:
        raise QddotError(f"a report {shortened(str(path))}", expected=f"a file {' or '.join(SUFFIXES)}")
    if not place.parent.is_dir():
        raise QddotError(f"a report {shortened(str(path))}", expected="a folder that is there", remedy="make it first")
    return place


def write(place: Path, text: str) -> Path:
    """Writes the file; raises QddotError where it cannot be written."""
    try:
        files.write({place: text})
    except OSError as error:
        raise QddotError(f"the report {place} cannot be written: {error.strerror}") from error
    return place
