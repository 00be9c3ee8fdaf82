"""Converts MathML, the formulas of web pages, notebooks and word processors, to LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from qddot.teach.check.reading.texts.rewriting import Rewriting

FORMULA = re.compile(r"(?is)<(?:\w+:)?math\b[^>]*>(?:(?!<(?:\w+:)?math\b).)*?</(?:\w+:)?math\s*>")
TOOLTIP = re.compile(
    r'(?is)<(\w+)\b[^<>]*\brole="tooltip"[^<>]*>(?:(?!</?\1\b).|<\1\b[^<>]*>(?:(?!</?\1\b).)*</\1>)*</\1>'
)
# blanks and tags between the parts of one line
BETWEEN = r"(?:[\s\u200b]|<(?!/?(?:math|p|tr|t[dh]|li|h\d|table|section|br|a)\b)[^<>]*>)*"
GOES_ON = re.compile(rf"(?i)=\s*\\\){BETWEEN}\\\((?!\s*=)|\\\){BETWEEN}\\\((?=\s*[-+])")
DEEPEST = 60  # nesting depth of elements
SIGNS = {"−": "-", "\u2061": " ", "\u2062": " ", "\u2063": ",", "\u2064": "+", "·": r"\cdot ", "×": r"\times "}
SIGNS |= {"{": r"\{", "}": r"\}", "∂": r"\partial ", "\u00a0": " ", "%": r"\%", "⊤": r"\top ", "&": r"\&", "#": r"\#"}
ACCENTS = {"\u02d9": "dot", "\u0307": "dot", ".": "dot", "\u00a8": "ddot", "\u0308": "ddot", "..": "ddot"}
ACCENTS |= dict.fromkeys(("\u00af", "\u203e", "_", "\u0304"), "bar") | dict.fromkeys(("→", "⃗"), "vec")
ACCENTS |= dict.fromkeys(("^", "\u02c6", "\u0302"), "hat")
FUNCTIONS = ("sin", "cos", "tan", "sgn", "sum", "det")
LEFT_OUT = ("annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark")


@dataclass
class Element:
    """An element has a tag, attributes, and texts and elements inside it."""

    tag: str
    parts: list[Element | str] = field(default_factory=list)
    attributes: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def children(self) -> list[Element]:
        """Returns the elements in it."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def text(self) -> str:
        """Returns the text in it."""
        return "".join(part for part in self.parts if isinstance(part, str)).strip()


class _Tree(HTMLParser):
    """This builds the elements of a formula; ends of elements may be missing."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = [Element("mrow")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag.rpartition(":")[2], attributes=dict(attrs))
        self.opened[-1].parts.append(element)
        if len(self.opened) < DEEPEST:
            self.opened.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened[-1].parts.append(Element(tag.rpartition(":")[2], attributes=dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        last = next((k for k in range(len(self.opened) - 1, 0, -1) if self.opened[k].tag == name), None)
        if last is not None:
            del self.opened[last:]

    def handle_data(self, data: str) -> None:
        self.opened[-1].parts.append(data)


def formulas(text: Rewriting) -> None:
    """Writes each formula of a page as LaTeX, joins those of one line, and removes tooltips."""
    if not FORMULA.search(text.text):
        return
    text.sub(TOOLTIP, " ")
    text.sub(FORMULA, lambda match: f"\\({latex(match[0])}\\)")
    text.sub(GOES_ON, lambda match: "= " if match[0].startswith("=") else " ")


def latex(mathml: str) -> str:
    """Returns a formula of MathML as LaTeX."""
    tree = _Tree()
    tree.feed(mathml)
    tree.close()
    return " ".join(_row(tree.opened[0]).split())


def _row(element: Element) -> str:
    """Returns a row as LaTeX, without the brackets around a table, since the table gets its own."""
    children = element.children
    if [child.tag for child in children] == ["mo", "mtable", "mo"]:
        children = children[1:2]
    return "".join(f"{_written(child)} " for child in children)


def _written(element: Element) -> str:
    if element.tag in LEFT_OUT:
        return ""
    if element.tag in LEAVES:
        return LEAVES[element.tag](element)
    if element.tag in NODES:
        children = [child for child in element.children if child.tag not in ("annotation", "annotation-xml")]
        return NODES[element.tag]([_written(child).strip() for child in children], element)
    return _row(element)


def _identifier(element: Element) -> str:
    name = element.text
    if name in FUNCTIONS:
        return f"\\{name} "
    return f"\\mathrm{{{name}}}" if len(name) > 1 and name.isascii() else SIGNS.get(name, name)


def _sign(element: Element) -> str:
    return "".join(SIGNS.get(letter, letter) for letter in element.text)


def _scripts(parts: Sequence[str], marks: str) -> str:
    base, *others = parts or [""]
    return base + "".join(f"{mark}{{{part}}}" for mark, part in zip(marks, others, strict=False) if part)


def _multiscripts(_: Sequence[str], element: Element) -> str:
    children = element.children
    tags = [child.tag for child in children]
    before = tags.index("mprescripts") if "mprescripts" in tags else len(tags)
    base, *after = [_written(child).strip() for child in children[:before]] or [""]
    front = [_written(child).strip() for child in children[before + 1 :]]
    marks = "_^" * len(children)
    in_front = _scripts(["{}", *front], marks) if any(front) else ""
    return in_front + _scripts([base or "{}", *after], marks)


def _over(parts: Sequence[str], element: Element) -> str:
    base, above = (*parts, "", "")[:2]
    accent = ACCENTS.get(element.children[1].text) if len(element.children) > 1 else None
    return f"\\{accent}{{{base}}}" if accent else f"{base}^{{{above}}}"


def _table(parts: Sequence[str], _: Element) -> str:
    rows = " \\\\ ".join(parts)
    return f"\\begin{{bmatrix}} {rows} \\end{{bmatrix}}"


def _fenced(parts: Sequence[str], element: Element) -> str:
    opens, closes = (element.attributes.get(name) or default for name, default in (("open", "("), ("close", ")")))
    return f"{SIGNS.get(opens, opens)} {', '.join(parts)} {SIGNS.get(closes, closes)}"


LEAVES: dict[str, Callable[[Element], str]] = {
    "mi": _identifier,
    "mn": lambda element: element.text.replace("−", "-").replace("\u2009", ""),
    "mo": _sign,
    "mtext": lambda element: f"\\text{{{element.text}}}" if element.text else " ",
    "mspace": lambda _: " ",
}
NODES: dict[str, Callable[[Sequence[str], Element], str]] = {
    "msub": lambda parts, _: _scripts(parts, "_"),
    "msup": lambda parts, _: _scripts(parts, "^"),
    "msubsup": lambda parts, _: _scripts(parts, "_^"),
    "munder": lambda parts, _: _scripts(parts, "_"),
    "munderover": lambda parts, _: _scripts(parts, "_^"),
    "mmultiscripts": _multiscripts,
    "mover": _over,
    "mfrac": lambda parts, _: f"\\frac{{{(*parts, '', '')[0]}}}{{{(*parts, '', '')[1]}}}",
    "msqrt": lambda parts, _: f"\\sqrt{{{' '.join(parts)}}}",
    "mtable": _table,
    "mtr": lambda parts, _: " & ".join(parts),
    "mtd": lambda parts, _: " ".join(parts),
    "mfenced": _fenced,
    "semantics": lambda parts, _: parts[0] if parts else "",
}
