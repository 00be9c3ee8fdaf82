"""Parses HTML and MathML into trees of elements with the places of their texts; ends of elements may be missing."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.entities import html5
from html.parser import HTMLParser

DEEPEST = 150  # nesting depth of elements
# elements whose starts end others that are open
ENDED = {"p": ("p",), "li": ("li",), "tr": ("td", "th", "tr"), "td": ("td", "th"), "th": ("td", "th")}
BREAKING = ("p", "div", "table", "br", "li", "ul", "ol", "pre", "h1", "h2", "h3", "h4")  # they end an open formula
NAMES_OF_TAGS = (
    "a abbr address article aside b big blockquote body br button caption center cite code col colgroup dd del "
    "details div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe "
    "img input ins kbd label legend li link main mark meta nav nobr ol option p picture pre q s samp script section "
    "select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead "
    "time title tr tt u ul var wbr semantics annotation annotation-xml none "
)
TAGS = frozenset(NAMES_OF_TAGS.split())
WITHOUT_END = ("br", "img", "hr", "input", "meta", "link", "col", "wbr", "source", "none", "mprescripts", "mspace")


@dataclass
class Text:
    """This is a text between tags, or the letter of an entity."""

    text: str
    at: int
    is_entity: bool = False


@dataclass
class Element:
    """An element has a tag, attributes, its place, and texts and elements inside it."""

    tag: str
    at: int = 0
    parts: list[Element | Text] = field(default_factory=list)
    attributes: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def children(self) -> list[Element]:
        """Returns the elements in it."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def text(self) -> str:
        """Returns the text in it, without that of its elements."""
        return "".join(part.text for part in self.parts if isinstance(part, Text)).strip()

    def has(self, name: str, *words: str) -> bool:
        """Returns whether an attribute has one of some words."""
        return not {*words}.isdisjoint((self.attributes.get(name) or "").split())

    def all(self, *tags: str) -> Iterator[Element]:
        """Yields the elements with some tags in it, but not those inside these."""
        for child in self.children:
            if child.tag in tags:
                yield child
            else:
                yield from child.all(*tags)


class _Tree(HTMLParser):
    """This builds the elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.opened = [Element("page")]
        self.lines = [0, *(k + 1 for k, letter in enumerate(text) if letter == "\n")]
        self.feed(_whole(text))
        self.close()

    def _at(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = tag.rpartition(":")[2]
        if name not in TAGS and not name.startswith("m") and not {":", "-"} & set(tag):  # as in 0 <q1 and q2> 0
            self.handle_data(self.get_starttag_text() or "")
            return
        if tag in BREAKING:
            self.handle_endtag("math")
        while len(self.opened) > 1 and self.opened[-1].tag in ENDED.get(tag, ()):
            self.opened.pop()
        element = self._added(tag, attrs)
        if len(self.opened) < DEEPEST and tag not in WITHOUT_END:
            self.opened.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._added(tag, attrs)

    def _added(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        element = Element(tag.rpartition(":")[2], self._at(), attributes=dict(attrs))
        self.opened[-1].parts.append(element)
        return element

    def handle_endtag(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        last = next((k for k in range(len(self.opened) - 1, 0, -1) if self.opened[k].tag == name), None)
        if last is not None:
            del self.opened[last:]

    def handle_data(self, data: str) -> None:
        self.opened[-1].parts.append(Text(data, self._at()))

    def handle_entityref(self, name: str) -> None:
        whole = f"&{name};" if f"{name};" in html5 else f"&{name}"
        self.opened[-1].parts.append(Text(html.unescape(whole), self._at(), is_entity=True))

    def handle_charref(self, name: str) -> None:
        self.opened[-1].parts.append(Text(html.unescape(f"&#{name};"), self._at(), is_entity=True))


def _whole(text: str) -> str:
    """Returns a page whose last tag is closed, and whose comments end, so that nothing after them is left out."""
    end = text.rfind("-->") + 1
    text = text[:end] + text[end:].replace("<!--", "    ")
    return f"{text}>" if text.rfind("<") > text.rfind(">") else text


def parsed(text: str) -> Element:
    """Returns the tree of a page, or of a part of one."""
    return _Tree(text).opened[0]
