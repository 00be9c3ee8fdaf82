"""Reports mistakes that the readers had to correct in a file, and content that changes the equations."""

from __future__ import annotations

from collections.abc import Iterator

from qddot.base.words.message import say
from qddot.formats.toml.robot_file import PREVIOUS
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, check
from qddot.inspect.doctor.site import Site
from qddot.robot.left_out import KINDS
from qddot.robot.notes import noted_as


@check("The file is not valid XML.")
def mended_xml(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each mistake in XML that the reader has corrected."""
    for place, note in noted_as(case.model.notes, "xml-corrected"):
        told = say("finding-mended-xml", mistake=note.slots["mistake"], places=note.slots["places"])
        yield Finding("warning", Site(place), told)


@check("The file has an attribute, an element or a text that its format does not know.")
def unread_content(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each attribute, element or text of an XML file that its format does not know."""
    for place, note in noted_as(case.model.notes, "content-unread"):
        told = say("finding-unread", what=note.slots["what"], remedy=note.slots["remedy"])
        yield Finding("warning", Site(place), told)
    for place, note in noted_as(case.model.notes, "macro-unread"):
        yield Finding("warning", Site(place), say("finding-macro-unread", tag=note.slots["tag"]))


@check("A link has a mass, and no centre of mass is given.", of_links=True)
def unplaced_centre(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each link of a robot file with a mass and without a centre of mass."""
    for place, _ in noted_as(case.model.notes, "no-centre-given"):
        yield Finding("hint", Site(place), say("finding-no-centre"))


@check("A link of a tree names no parent, though it is not the first one.", of_links=True)
def no_parent(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each link after the first that hangs on the base since its file names no parent."""
    for place, _ in noted_as(case.model.notes, "no-parent-given"):
        yield Finding("hint", Site(place), say("finding-no-parent", previous=PREVIOUS))


@check("The file contains something that is not modelled, such as a tendon or wind on a link.")
def not_modelled(case: Examined) -> Iterator[Finding]:
    """Yields a finding for each kind of content that would change the equations and is left out."""
    for part in case.model.left_out:
        kind = KINDS[part.name]
        told = say("finding-not-modelled", what=kind.what, adds=kind.adds, name=part.name)
        yield Finding("warning", Site(part.where), told)
