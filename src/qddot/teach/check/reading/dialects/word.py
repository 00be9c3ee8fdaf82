"""Reads documents of Word as pages of HTML: their paragraphs, tables and formulas."""

from __future__ import annotations

import html
import io
import zipfile
import zlib
from collections.abc import Callable, Iterable

from qddot.base.errors import FormatError
from qddot.base.words.message import say
from qddot.formats.xml import elements
from qddot.formats.xml.elements import Element
from qddot.teach.check.reading.dialects.linear_math import of_linear_math
from qddot.teach.check.reading.dialects.mathml import ACCENTS, FUNCTIONS, SIGNS
from qddot.teach.check.reading.texts.written import Written

ARCHIVE = b"PK\x03\x04"
COMPOUND = b"\xd0\xcf\x11\xe0"  # of encrypted documents, and of those before 2007
PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
LARGEST_DOCUMENT = 20_000_000  # bytes; pictures need most of them
LARGEST_PART = 5_000_000
EXPECTED = say("document-of-word-or-text")
REMOVED = ("del", "moveFrom", "Fallback", "instrText", "pPr", "tblPr", "tcPr", "trPr", "sectPr")
STRUCK = ("strike", "dstrike")
OFF = ("0", "false", "off", "none")
NEW_ROW = r" \\ "
LINEAR = frozenset("■█_^/〖▒√")  # signs of formulas that are typed in one line


def of_word(data: bytes, where: str) -> str:
    """Returns a document of Word as a page of HTML, in which formulas are LaTeX.

    raises FormatError: it is encrypted, damaged, too large, no document of Word, or has formulas as embedded objects
    """
    if data.startswith(COMPOUND):
        is_encrypted = "EncryptedPackage".encode("utf-16-le") in data
        kind = "document-with-password" if is_encrypted else "old-office-document"
        raise FormatError(kind, where=where, expected=EXPECTED)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = {info.filename: info for info in archive.infolist()}
            if PARTS[0] not in infos:
                raise FormatError("archive-office-document", where=where, expected=EXPECTED)
            texts = [_part(archive, infos[name], where) for name in PARTS if name in infos]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
        raise FormatError("archive-cannot-opened", where=where, expected=EXPECTED) from None
    try:
        return "\n".join(_inside(elements.parse(text, where)) for text in texts)
    except RecursionError:
        raise FormatError("elements-nested-too-deep", where=where) from None


def _part(archive: zipfile.ZipFile, info: zipfile.ZipInfo, where: str) -> str:
    """Returns the text of one file of an archive."""
    if info.flag_bits & 1:
        raise FormatError("encrypted-document", where=where, expected=EXPECTED)
    with archive.open(info) as file:
        data = file.read(LARGEST_PART + 1)
    if len(data) > LARGEST_PART:
        raise FormatError("part-of-archive-too-large", where=where, filename=info.filename, largest_part=LARGEST_PART)
    return elements.decoded(data, where)


def _inside(element: Element) -> str:
    return "".join(map(_shown, element.children))


def _shown(element: Element) -> str:
    """Returns an element of a document as HTML."""
    if element.tag == "object":
        raise FormatError("formula-picture-another-program", where=element.file)
    if element.tag in REMOVED:
        return ""
    return SHOWN.get(element.tag, _inside)(element)


def _run(run: Element) -> str:
    """Returns a run of text, lowered, raised or struck out as its properties say."""
    text = _inside(run)
    properties = run.child("rPr")
    if properties is None or not text.strip():
        return text
    if _is_on(properties, "vanish"):
        return ""
    tag = {"subscript": "sub", "superscript": "sup"}.get(_value(properties, "vertAlign"))
    tag = "s" if any(_is_on(properties, name) for name in STRUCK) else tag
    return f"<{tag}>{text}</{tag}>" if tag else text


def _value(properties: Element | None, name: str, default: str = "") -> str:
    """Returns the value of a property."""
    child = properties.child(name) if properties else None
    values = child.attributes.items() if child else ()
    return next((value for key, value in values if key.rpartition("}")[2] == "val"), default)


def _is_on(properties: Element | None, name: str) -> bool:
    """Returns whether a property that is on or off is there and not off."""
    return properties is not None and properties.child(name) is not None and _value(properties, name) not in OFF


def _formula(element: Element) -> str:
    """Returns a formula as LaTeX between its signs; one that is typed in one line is built up first."""
    formula = _row(element.children)
    if all(child.tag == "r" for child in element.children) and LINEAR & set(formula):
        formula = of_linear_math(Written(formula)).text
    return f"\\({html.escape(formula, quote=False)}\\)" if formula.strip() else ""


def _row(parts: Iterable[Element]) -> str:
    return "".join(map(_math, parts))


def _math(element: Element) -> str:
    """Returns a part of a formula as LaTeX."""
    if element.tag in REMOVED or element.tag.endswith("Pr"):
        return ""
    return MATH[element.tag](element) if element.tag in MATH else _row(element.children)


def _of(element: Element, name: str) -> str:
    """Returns the content of a child, such as the numerator num of a fraction."""
    child = element.child(name)
    return _math(child).strip() if child else ""


def _letters(run: Element) -> str:
    """Returns the letters of a formula, with functions and signs as commands, and words as words."""
    text = "".join("".join(each.words) for each in run.all("t"))
    if _is_on(run.child("rPr"), "nor") and text.strip().isalpha() and len(text.strip()) > 1 and text not in FUNCTIONS:
        return f"\\text{{{text}}}"
    if text.strip() in FUNCTIONS:
        return f"\\{text.strip()} "
    return "".join(SIGNS.get(letter, letter) for letter in text)


def _scripts(element: Element) -> str:
    """Returns a letter with its index and its power; those of sPre stand in front of it."""
    base, *scripts = (_of(element, name) for name in ("e", "sub", "sup"))
    marks = "".join(f"{mark}{{{script}}}" for mark, script in zip("_^", scripts, strict=True) if script)
    return f"{{}}{marks}{base}" if element.tag == "sPre" else f"{base}{marks} "


def _fraction(element: Element) -> str:
    bar = _value(element.child("fPr"), "type", "bar")
    return f"\\{'binom' if bar == 'noBar' else 'frac'}{{{_of(element, 'num')}}}{{{_of(element, 'den')}}}"


def _brackets(element: Element) -> str:
    """Returns parts between brackets; a matrix gets its own brackets."""
    opens, closes = (
        _value(element.child("dPr"), name, default) for name, default in (("begChr", "("), ("endChr", ")"))
    )
    parts = [_math(part).strip() for part in element.all("e")]
    if len(parts) == 1 and parts[0].startswith("\\begin{bmatrix}") and parts[0].endswith("\\end{bmatrix}"):
        return parts[0]
    opens, closes = SIGNS.get(opens, opens), SIGNS.get(closes, closes)
    return f"\\left{opens or '.'} {', '.join(parts)} \\right{closes or '.'}"


def _matrix(element: Element) -> str:
    rows = (" & ".join(_math(cell).strip() for cell in row.all("e")) for row in element.all("mr"))
    return f"\\begin{{bmatrix}} {NEW_ROW.join(rows)} \\end{{bmatrix}}"


def _lines(element: Element) -> str:
    """Returns the lines of several equations, without the numbers that stand behind #."""
    rows = (_math(row).partition("\\#")[0].replace("\\&", "&").strip() for row in element.all("e"))
    return f"\\begin{{aligned}} {NEW_ROW.join(rows)} \\end{{aligned}}"


def _accent(element: Element) -> str:
    accent = ACCENTS.get(_value(element.child("accPr"), "chr", "\u0302"), "unknown")
    return f"\\{accent}{{{_of(element, 'e')}}}"


def _large_operator(element: Element) -> str:
    sign = _value(element.child("naryPr"), "chr", "∫")
    sign = {"∑": "\\sum", "∏": "\\prod", "∫": "\\int"}.get(sign, sign)
    bounds = "".join(f"{mark}{{{_of(element, name)}}}" for mark, name in (("_", "sub"), ("^", "sup")))
    return f"{sign}{bounds} {_of(element, 'e')}"


def _limit(element: Element) -> str:
    return f"{_of(element, 'e')}_{{{_of(element, 'lim')}}}"


def _words(element: Element) -> str:
    return html.escape("".join(element.words), quote=False)


def _tag(name: str, *, ends_line: bool = True) -> Callable[[Element], str]:
    """Returns a function that puts an element between tags of HTML."""
    return lambda element: f"<{name}>{_inside(element)}</{name}>" + "\n" * ends_line


def _first(element: Element) -> str:
    """Returns the first of several representations."""
    return _inside(element.children[0]) if element.children else ""


def _displays(element: Element) -> str:
    return "".join(f"<br>{_formula(each)}<br>" for each in element.all("oMath"))


SHOWN: dict[str, Callable[[Element], str]] = {
    "p": _tag("p"),
    "tbl": _tag("table"),
    "tr": _tag("tr"),
    "tc": _tag("td", ends_line=False),
    "r": _run,
    "t": _words,
    "tab": lambda _: "\t",
    "br": lambda _: "<br>",
    "cr": lambda _: "<br>",
    "noBreakHyphen": lambda _: "-",
    "AlternateContent": _first,
    "oMathPara": _displays,
    "oMath": _formula,
}
MATH: dict[str, Callable[[Element], str]] = {
    "r": _letters,
    "f": _fraction,
    **dict.fromkeys(("sSub", "sSup", "sSubSup", "sPre"), _scripts),
    "rad": lambda root: "\\sqrt" + (f"[{_of(root, 'deg')}]" if _of(root, "deg") else "") + f"{{{_of(root, 'e')}}}",
    "d": _brackets,
    "m": _matrix,
    "eqArr": _lines,
    "acc": _accent,
    "bar": lambda bar: f"\\bar{{{_of(bar, 'e')}}}",
    "nary": _large_operator,
    "func": lambda function: f"{_of(function, 'fName')} {{{_of(function, 'e')}}}",
    "limLow": _limit,
    "groupChr": lambda brace: _of(brace, "e"),
    "phant": lambda phantom: "" if _value(phantom.child("phantPr"), "show", "1") in OFF else _of(phantom, "e"),
}
