"""Notes what the elements of an XML file have that its format does not know, or that is read only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qddot.base.errors import did_you_mean, few, shortened
from qddot.formats.xml.elements import XACRO, Element
from qddot.formats.xml.mending import UNREAD

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
    places: dict[str, list[Element]] = {}
    for element, what in _unread(root, formats):
        places.setdefault(what, []).append(element)
    notes = [f"{_place(elements, file)}: {UNREAD}: {what}" for what, elements in places.items()]
    return [*notes[:MOST], *([f"{len(notes) - MOST} more kinds of content are not read"] if len(notes) > MOST else [])]


def _place(elements: list[Element], file: str) -> str:
    """Returns the place of the first element, and the lines of the others."""
    others = few([str(element.line) for element in elements[1:]], 4)
    return f"{file} line {elements[0].line} {elements[0].label}".strip() + (f" and in line {others}" if others else "")


def _unread(element: Element, formats: Mapping[str, Known]) -> Iterator[tuple[Element, str]]:
    """Yields the elements with what is not read in them, and the remedy."""
    waiting = [element]
    while waiting:
        element = waiting.pop()
        known = formats.get(element.tag)
        if known is None:
            continue
        for what in (*_attributes(element, known), *_children(element, known, formats), *_text(element, known)):
            yield element, what
        waiting.extend(reversed([child for child in element.children if child.tag in known.children]))


def _attributes(element: Element, known: Known) -> Iterator[str]:
    for name in element.attributes:
        if name not in known.attributes and not name.startswith("{"):
            names = [*known.attributes, *known.children]
            inside = f"write <{name} …> inside" if name in known.children else did_you_mean(name.lower(), names)
            yield f"the attribute {shortened(name)} of <{element.tag}>; {inside}"


def _children(element: Element, known: Known, formats: Mapping[str, Known]) -> Iterator[str]:
    counts = Counter(child.tag for child in element.children)
    for tag, count in counts.items():
        if tag in known.ignored or tag.startswith(XACRO):
            continue
        if tag not in known.children:
            inner = [each for each in known.children if tag in formats.get(each, Known()).children]
            meant = f"it belongs in <{inner[0]}>" if inner else did_you_mean(tag.lower(), known.children)
            yield f"<{shortened(tag)[1:-1]}> in <{element.tag}>; {meant}"
        elif count > 1 and tag not in known.several:
            yield f"<{tag}> occurs {count} times in <{element.tag}>, and the first one counts; remove the others"


def _text(element: Element, known: Known) -> Iterator[str]:
    if element.text and not known.has_text and not element.children:
        quoted = shortened(element.text, 30)
        meant = f'write {known.attributes[0]}="{quoted[1:-1]}"' if len(known.attributes) == 1 else "remove it"
        yield f"the text {quoted} in <{element.tag}>; {meant}"
