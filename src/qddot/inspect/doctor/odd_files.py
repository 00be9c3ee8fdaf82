"""Reports mistakes that the readers had to correct in a file, and content that changes the equations."""

from __future__ import annotations

from collections.abc import Iterator

from qddot.base.words.message import Told, say
from qddot.formats.toml.link_table import NO_CENTRE
from qddot.formats.toml.robot_file import NO_PARENT, PREVIOUS
from qddot.formats.xml.mending import MENDED, UNREAD
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, check
from qddot.inspect.doctor.site import Site
from qddot.robot.left_out import KINDS


@check("The file is not valid XML.")
def mended_xml(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each mistake in XML that the reader has corrected."""
    for note in case.model.notes:
        place, mended, mistake = note.partition(f": {MENDED}: ")
        if mended:
            yield Finding(
                "warning",
                Site(place),
                mistake,
                "this is not valid XML: some programs reject the file",
                "write comments without --, and declare each prefix (xmlns:…)",
            )


@check("The file has an attribute, an element or a text that its format does not know.")
def unread_content(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each attribute, element or text of an XML file that its format does not know."""
    for note in case.model.notes:
        place, unread, rest = note.partition(f": {UNREAD}: ")
        if unread:
            what, _, remedy = rest.rpartition("; ")
            why = "what it says is not in the equations, where a default may take its place"
            yield Finding("warning", Site(place), f"not read: {what}", why, remedy)


@check("A link has a mass, and no centre of mass is given.", of_links=True)
def unplaced_centre(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each link of a robot file with a mass and without a centre of mass."""
    for note in case.model.notes:
        place, missing, _ = note.partition(f": {NO_CENTRE}")
        if missing:
            why = "the centre of mass of most links is elsewhere"
            yield Finding("hint", Site(place), NO_CENTRE, why, "give com, or com = [0, 0, 0]")


@check("A link of a tree names no parent, though it is not the first one.", of_links=True)
def no_parent(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each link after the first that hangs on the base since its file names no parent."""
    for note in case.model.notes:
        place, missing, _ = note.partition(f": {NO_PARENT}")
        if missing:
            why = "in most robots each link hangs on the one before it"
            yield Finding("hint", Site(place), NO_PARENT, why, f'give parent = "{PREVIOUS}", or parent = "base"')


@check("The file contains something that is not modelled, such as a tendon or a gearbox.")
def not_modelled(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each kind of content that would change the equations and is left out."""
    for part in case.model.left_out:
        yield Finding(
            "warning",
            Site(part.where),
            Told(say("kind-not-modelled", what=KINDS[part.name].what)),
            Told(say("this-would-add", adds=KINDS[part.name].adds)),
            Told(say("reads-without-it", name=part.name)),
        )
