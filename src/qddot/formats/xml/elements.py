"""Reads XML elements with their lines by defusedxml, without entities, document types and other files.

An invalid text is read once more after `mending`, and the root lists the corrections.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from qddot.base.errors import FormatError, shortened
from qddot.base.records import record
from qddot.base.system.texts import raw
from qddot.base.words.message import Listed, say
from qddot.formats.registry import any_file
from qddot.formats.xml.mending import mended

XACRO = "xacro:"
LARGEST = 5_000_000  # bytes of a file; a URDF of a hundred links has 200,000
DEEPEST = 500  # levels of nested elements, as in MuJoCo's parser
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
ENCODINGS = ("utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252", "utf-16")
# editors and people leave blank lines or comments before the declaration
_DECLARATION = re.compile(r"(?:\s|<!--(?>.*?-->))*+(?P<own><\?xml\s[^>]*\?>)", re.DOTALL)
_ENCODING = re.compile(rb"\s*<\?xml\s[^>]*encoding\s*=\s*[\"']([\w.:-]+)[\"']")


@record(slots=True)
class Element:
    """An element has its name without a namespace (except xacro's), its attributes, and its place.

    mended: for a root, the corrected mistakes of the file, each with file and line
    """

    tag: str
    attributes: dict[str, str]
    line: int
    file: str
    children: list[Element] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # the pieces of the element's own text
    mended: tuple[str, ...] = ()

    def all(self, tag: str) -> Iterator[Element]:
        """Returns the children with that name."""
        return (child for child in self.children if child.tag == tag)

    def child(self, tag: str) -> Element | None:
        """Returns the first child with that name, or None."""
        return next(self.all(tag), None)

    def descendants(self, entered: Callable[[Element], bool] = lambda _: True) -> Iterator[Element]:
        """Yields this element and all below it. entered: whether the children of an element follow it"""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children) if entered(element) else ())

    def check_tag(self, tag: str) -> None:
        """Raises FormatError unless the element, the root of a file, has this name."""
        if self.tag != tag:
            raise FormatError("root-wrong", where=self.where, tag=shortened(self.tag), needed=tag)

    def required(self, attribute: str) -> str:
        if attribute not in self.attributes:
            raise FormatError("attribute-missing", where=self.where, attribute=attribute)
        return self.attributes[attribute]

    @property
    def text(self) -> str:
        """Returns the element's own text, without that of its children."""
        return "".join(self.words).strip()

    @property
    def where(self) -> str:
        """Returns the element's place for an error, such as arm.urdf:41 <joint 'j3'>."""
        return f"{self.file}:{self.line} {self.label}"

    @property
    def label(self) -> str:
        """Returns the element's name for an error, such as <joint 'j3'>."""
        name = self.attributes.get("name")
        return f"<{self.tag}{f' {shortened(name)}' if name else ''}>"


def read(path: Path) -> Element:
    """Returns the root element of a file; raises FormatError."""
    return parse(decoded(raw(path, LARGEST, any_file()), str(path)), str(path))


def decoded(data: bytes, where: str) -> str:
    """Decodes a document by its byte order mark or its declaration, by default as UTF-8.

    raises FormatError: the encoding is not supported, or the bytes are not valid in it
    """
    declared = _ENCODING.match(data)
    named = declared[1].decode("ascii") if declared else "utf-8"
    encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), named)
    try:
        if codecs.lookup(encoding).name not in (*ENCODINGS, "utf-8-sig"):
            raise LookupError
        return data.decode(encoding)
    except LookupError:
        raise FormatError(
            "encoding-unknown", where=where, encoding=shortened(encoding), names=Listed(ENCODINGS[1:])
        ) from None
    except UnicodeDecodeError:
        key = "binary-robot-file" if encoding.startswith("utf") else "bytes-not-in-encoding"
        raise FormatError(key, where=where, encoding=encoding) from None


def parse(text: str, where: str) -> Element:
    """Returns the root element of a document; raises FormatError with the line of invalid or unsafe XML.

    An encoding in the declaration is ignored, since the text is decoded; blank lines and comments may come before it.
    Corrections by `mending` are notes of the root. Elements may be nested DEEPEST deep.
    """
    # programs in C may write the zero that ends a string
    text = text.rstrip("\0")
    declaration = _DECLARATION.match(text)
    if declaration:
        start, end = declaration.span("own")
        text = text[:start] + re.sub(r"\S", " ", declaration["own"]) + text[end:]
    try:
        return _root(text, where)
    except ParseError:
        text, notes = mended(text, where)
    try:
        return _root(text, where, notes)
    except ParseError as error:
        told = str(error).partition(":")[0]
        reason = say("text-ends-early") if told == "no element found" else told
        raise FormatError("invalid-xml", where=f"{where}:{error.position[0]}", reason=reason) from None


def _root(text: str, where: str, notes: Sequence[str] = ()) -> Element:
    """Returns the root element; raises ParseError for an invalid document, FormatError for an unsafe one."""
    builder = _Builder(where, notes)
    parser: Any = DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.lines = parser.parser
    try:
        parser.feed(text)
        root: Element = parser.close()
        return root
    except UnicodeEncodeError:
        raise FormatError("xml-lone-surrogate", where=where) from None
    except DefusedXmlException:
        raise FormatError("document-type-or-entity", where=f"{where}:{builder.lines.CurrentLineNumber}") from None


class _Builder:
    """A builder makes the tree from the starts and ends of elements that the parser reports."""

    def __init__(self, file: str, notes: Sequence[str]) -> None:
        self.file = file
        self.notes = tuple(notes)
        self.lines: Any = None
        self.open: list[Element] = []
        self.root: Element | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(_local(tag), dict(attributes), self.lines.CurrentLineNumber, self.file)
        if len(self.open) == DEEPEST:
            raise FormatError("elements-too-deep", where=element.where, deepest=DEEPEST)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element = replace(element, mended=self.notes)
        self.open.append(element)

    def data(self, text: str) -> None:
        self.open[-1].words.append(text)

    def end(self, tag: str) -> None:
        self.open.pop()

    def comment(self, text: str) -> None:
        if self.open:
            self.open[-1].comments.append(text)

    def close(self) -> Element | None:
        return self.root


def _local(tag: str) -> str:
    namespace, _, name = tag.rpartition("}")
    return XACRO + name if namespace.endswith("/xacro") else name
