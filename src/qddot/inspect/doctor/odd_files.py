"""Reports mistakes that the readers had to correct in a file."""

from __future__ import annotations

from collections.abc import Iterator

from qddot.describe.xml_mending import MENDED
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined


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
