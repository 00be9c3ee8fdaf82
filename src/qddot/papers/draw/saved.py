"""Saves a figure for a document, as SVG or PDF: small, reproducible, and with names that no other picture has.

Matplotlib's SVG is rewritten, since in one HTML page the ids and styles of a picture would affect the others.
"""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO, StringIO
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

NAMESPACE = "http://www.w3.org/2000/svg"
HREF = "{http://www.w3.org/1999/xlink}href"
LINK = "link-"  # the page knows the ids with this prefix
# letters as outlines look right everywhere; a picture with a letter that no font has keeps its texts
SETTINGS = {"svg.fonttype": "path", "svg.hashsalt": "picture"}
POLYGON = re.compile(r"M[^MQC]*z\s*")
STYLE = re.compile(r"([\w-]+): ([^;]+)")
COMMAND = re.compile(r"([MLQCz])([^MLQCz]*)")  # of a path
SHARED = re.compile(r"clip-path|(?:fill|stroke)(?:-\w+)?")  # attributes that a group can have for all its elements
PARTS = 100  # positions are rounded to 1/PARTS of a point


def svg(figure: Figure, name: str) -> str:
    """Returns a figure as SVG; its ids begin with its name, except those of the groups of links."""
    text = StringIO()
    with rc_context(SETTINGS):
        FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None})
    figure.set_layout_engine("none")  # the layout is final
    root = ElementTree.fromstring(text.getvalue())  # noqa: S314 - Matplotlib's own text
    for element in root.iter():
        _shorten(element)
    _name(root, name)
    for group in root.iter("g"):
        _join(group)
        _gather(group)
    for path in root.iter("path"):
        path.attrib["d"] = _in_steps(path.get("d", ""))
    # Matplotlib puts this into a style sheet, which would apply to all pictures of a page
    root.attrib |= {"xmlns": NAMESPACE, "stroke-linejoin": "round", "stroke-linecap": "butt"}
    return ElementTree.tostring(root, "unicode")


def pdf(figure: Figure) -> bytes:
    """Returns a figure as a page of PDF."""
    file = BytesIO()
    figure.savefig(file, format="pdf", metadata={"CreationDate": None})
    return file.getvalue()


def _shorten(element: Element) -> None:
    """Removes everything without a visible effect: blanks, style sheets, metadata, namespaces of names."""
    element.tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    element.tail = None
    if element.tag not in ("text", "tspan"):
        element.text = None
    for child in [child for child in element if child.tag.endswith(("}metadata", "}style"))]:
        element.remove(child)
    own = element.attrib
    if HREF in own:
        own["href"] = own.pop(HREF)
    # as attributes, so that a page can give a look of its own
    own |= dict(STYLE.findall(own.pop("style", "")))
    if "font" in own:  # size and families together, which are not an attribute
        own["style"] = f"font: {own.pop('font')}"


def _in_steps(path: str) -> str:
    """Returns a path in rounded steps from point to point."""
    written, here, start, last = list[str](), (0, 0), (0, 0), ""
    for command, numbers in COMMAND.findall(path):
        parts = [round(float(number) * PARTS) for number in numbers.split()]
        steps = [part - here[k % 2] for k, part in enumerate(parts)]
        here = (parts[-2], parts[-1]) if parts else start
        start = here if command == "M" else start
        # a repeated command need not be named again
        written += [" " if command == last else command.lower(), " ".join(map(_decimal, steps))]
        last = command
    return "".join(written).replace(" -", "-")


@cache
def _decimal(parts: int) -> str:
    return re.sub(r"^(-?)0\.", r"\1.", f"{parts / PARTS:.9g}")


def _name(root: Element, name: str) -> None:
    """Renames the ids that are referred to, so that they begin with the picture's name; removes the others."""
    used = re.compile(r"(?<=#)[^)]+")
    referring = [(element, key) for element in root.iter() for key in ("href", "clip-path") if key in element.attrib]
    targets = dict.fromkeys(target for element, key in referring for target in used.findall(element.attrib[key]))
    names = {old: f"{name}-{k}" for k, old in enumerate(targets)}
    for element, key in referring:
        element.attrib[key] = used.sub(lambda old: names[old[0]], element.attrib[key])
    for element in root.iter():
        own = element.attrib.pop("id", "")
        if own in names or own.startswith(LINK):
            element.attrib["id"] = names.get(own, own)


def _join(group: Element) -> None:
    """Joins neighbours that look alike into one path: polygons, and letters with their edges."""
    before = Element("path")
    for part in group.findall("path"):
        if POLYGON.fullmatch(part.get("d", "")):
            # all have the same sense, so that none cuts a hole
            part.attrib["d"] = _counterclockwise(part.attrib["d"])
            if "opacity" not in part.attrib and {**part.attrib, "d": ""} == {**before.attrib, "d": ""}:
                before.attrib["d"] += part.attrib["d"]
                group.remove(part)
                continue
        elif part.attrib == {key: value for key, value in before.attrib.items() if not key.startswith("stroke")}:
            before.attrib["paint-order"] = "stroke"
            group.remove(part)
        before = part


def _counterclockwise(polygon: str) -> str:
    """Returns a closed path of straight lines that turns counterclockwise on the screen, where y points down."""
    places = [tuple(map(float, place.split())) for place in re.findall(r"[^MLz]+", polygon) if place.strip()]
    turned = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*places, places[0]]))
    return "M" + "L".join(f"{x} {y}" for x, y in (places if turned < 0 else places[::-1])) + "z"


def _gather(group: Element) -> None:
    """Moves the style that all parts of a group share to the group."""
    looks = [{key: value for key, value in part.attrib.items() if SHARED.fullmatch(key)} for part in group]
    if len(looks) < 2 or any("transform" in part.attrib for part in group):
        return
    for key, value in looks[0].items():
        if key not in group.attrib and all(look.get(key) == value for look in looks):
            group.attrib[key] = value
            for part in group:
                del part.attrib[key]
