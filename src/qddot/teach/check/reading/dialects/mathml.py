"""Converts MathML, the formulas of web pages, notebooks and word processors, to LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qddot.teach.check.reading.dialects.markup import Element, Text

SIGNS = {"−": "-", "\u2061": " ", "\u2062": " ", "\u2063": ",", "\u2064": "+", "·": r"\cdot ", "×": r"\times "}
SIGNS |= {"{": r"\{", "}": r"\}", "∂": r"\partial ", "\u00a0": " ", "%": r"\%", "⊤": r"\top ", "&": r"\&", "#": r"\#"}
ACCENTS = {"\u02d9": "dot", "\u0307": "dot", ".": "dot", "\u00a8": "ddot", "\u0308": "ddot", "..": "ddot"}
ACCENTS |= dict.fromkeys(("\u00af", "\u203e", "_", "\u0304"), "bar") | dict.fromkeys(("→", "⃗"), "vec")
ACCENTS |= dict.fromkeys(("^", "\u02c6", "\u0302"), "hat")
FUNCTIONS = ("sin", "cos", "tan", "sgn", "sum", "det")
LEFT_OUT = ("annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark")


def latex(formula: Element) -> str:
    """Returns a formula of MathML as LaTeX; one that is only annotated has its annotation in LaTeX."""
    shown = " ".join(_row(formula).split())
    notes = [note for note in formula.all("annotation") if note.attributes.get("encoding") == "application/x-tex"]
    return shown or "".join(note.text for note in notes)


def _row(element: Element) -> str:
    """Returns a row as LaTeX, without the brackets around a table, since the table gets its own."""
    if [child.tag for child in element.children] == ["mo", "mtable", "mo"]:
        return f"{_written(element.children[1])} "
    return "".join(part.text if isinstance(part, Text) else f"{_written(part)} " for part in element.parts)


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
