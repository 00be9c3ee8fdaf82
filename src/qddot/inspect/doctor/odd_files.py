"""Reports mistakes that the readers had to correct in a file, and content that changes the equations."""

from __future__ import annotations

from collections.abc import Iterator

from qddot.describe.xml_mending import MENDED
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined
from qddot.model.left_out import KINDS


def mended_xml(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each mistake in XML that the reader has corrected."""
    for note in case.model.notes:
        place, mended, mistake = note.partition(f": {MENDED}: ")
        if mended:
            yield Finding(
                "warning",
                place,
                mistake,
                "this is not valid XML: some programs reject the file",
                "write comments without --, and declare each prefix (xmlns:…)",
                "mended_xml",
            )


def not_modelled(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each kind of content that would change the equations and is left out."""
    for part in case.model.left_out:
        yield Finding(
            "warning",
            part.where,
            f"not modelled: {KINDS[part.name].what}",
            f"this would add to {KINDS[part.name].adds}",
            f"--without {part.name} (in Python without) reads the file without it, and says so",
            "not_modelled",
        )
