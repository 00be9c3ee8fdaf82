"""Notes what the elements of an XML file have that its format does not know, or that is read only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qddot.base.errors import did_you_mean, few, shortened
from qddot.base.words.message import Message, say
from qddot.formats.xml.elements import XACRO, Element
from qddot.robot.notes import note, noted

MOST = 40  # notes of one file


class Known(NamedTuple):
    """These are the attributes and the children that an element may have.

    ignored: children that are known and change nothing; several: children that may occur more than once
    has_text: whether the element's own text is read
    """

    attributes: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    has_text: bool = False


def unread(root: Element, formats: Mapping[str, Known], file: str = "") -> list[str]:
    """Returns notes of attributes, children, texts and repeated elements that are not read; one note for equal ones.

    formats: what is known, by the elements' tags; the content of other elements is not looked at
    file: the name of an included file
    """
    places: dict[Message, list[Element]] = {}
    for element, what in _unread(root, formats):
        places.setdefault(what, []).append(element)
    notes = [noted(_place(elements, file), what) for what, elements in places.items()]
    return [*notes[:MOST], *([note("more-content-unread", number=len(notes) - MOST)] if len(notes) > MOST else [])]


def _place(elements: list[Element], file: str) -> Message:
    """Returns the place of the first element, and the lines of the others."""
    others = few([str(element.line) for element in elements[1:]], 4)
    more = say("and-in-line", lines=others) if others else ""
    return say(
        "place-in-file", file=f"{file} " if file else "", line=elements[0].line, label=elements[0].label, more=more
    )


def _unread(element: Element, formats: Mapping[str, Known]) -> Iterator[tuple[Element, Message]]:
    """Yields the elements, each with a note of what is not read in it, and the remedy."""
    waiting = [element]
    while waiting:
        element = waiting.pop()
        known = formats.get(element.tag)
        if known is None:
            continue
        for what in (*_attributes(element, known), *_children(element, known, formats), *_text(element, known)):
            yield element, what
        waiting.extend(reversed([child for child in element.children if child.tag in known.children]))


def _attributes(element: Element, known: Known) -> Iterator[Message]:
    for name in element.attributes:
        if name not in known.attributes and not name.startswith("{"):
            names = [*known.attributes, *known.children]
            inside = say("write-inside", name=name) if name in known.children else did_you_mean(name.lower(), names)
            yield _note(say("attribute-unread", name=shortened(name), tag=element.tag), inside)


def _children(element: Element, known: Known, formats: Mapping[str, Known]) -> Iterator[Message]:
    counts = Counter(child.tag for child in element.children)
    for tag, count in counts.items():
        if tag in known.ignored or tag.startswith(XACRO):
            continue
        if tag not in known.children:
            inner = [each for each in known.children if tag in formats.get(each, Known()).children]
            meant = say("it-belongs-in", tag=inner[0]) if inner else did_you_mean(tag.lower(), known.children)
            yield _note(say("element-unread", tag=shortened(tag)[1:-1], parent=element.tag), meant)
        elif count > 1 and tag not in known.several:
            yield _note(say("element-repeated", tag=tag, number=count, parent=element.tag), say("remove-the-others"))


def _text(element: Element, known: Known) -> Iterator[Message]:
    if element.text and not known.has_text and not element.children:
        quoted = shortened(element.text, 30)
        single = len(known.attributes) == 1
        meant = say("write-attribute", name=known.attributes[0], value=quoted[1:-1]) if single else say("remove-it")
        yield _note(say("text-unread", text=quoted, tag=element.tag), meant)


def _note(what: Message, remedy: Message) -> Message:
    return say("content-unread", what=what, remedy=remedy)
