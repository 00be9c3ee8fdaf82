"""Writes the formulas of MathML, which pages have, in LaTeX."""

from __future__ import annotations

from html.parser import HTMLParser

ACCENTS = {
    "˙": "\\dot",
    ".": "\\dot",
    "¨": "\\ddot",
    "..": "\\ddot",
    "^": "\\hat",
    "¯": "\\bar",
    "→": "\\vec",
    "~": "\\tilde",
}
ARGUMENTS = {"mfrac": "\\frac{{{}}}{{{}}}", "msub": "{}_{{{}}}", "msup": "{}^{{{}}}", "msubsup": "{}_{{{}}}^{{{}}}"}
FUNCTIONS = ("cos", "sin", "tan", "cot", "sgn")
INVISIBLE = dict.fromkeys("\u2061\u2062\u2063\u2064", " ")
SIGNS = {"⋅": "\\cdot ", "·": "\\cdot ", "×": "\\times ", "−": "-", "⊤": "\\top ", "∂": "\\partial ", **INVISIBLE}
LEAVES = ("mi", "mn", "mo", "mtext", "mspace", "annotation")
Tree = list["str | Tree"]


class _Formula(HTMLParser):
    """This builds a formula's tree: a tag, and what is inside it."""

    def __init__(self) -> None:
        super().__init__()
        self.root: Tree = ["math"]
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: object) -> None:
        new: Tree = [tag]
        self.open[-1].append(new)
        self.open.append(new)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1][0] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1][0] in LEAVES:
            self.open[-1].append(data.strip())


def of_mathml(text: str) -> str:
    """Returns a formula of MathML in LaTeX."""
    formula = _Formula()
    formula.feed(text)
    return _latex(formula.root)


def _latex(tree: Tree) -> str:
    tag, inside = str(tree[0]), tree[1:]
    if tag in LEAVES:
        return _leaf(tag, "".join(map(str, inside)))
    parts = [_latex(part) for part in inside if isinstance(part, list)]
    if tag in ARGUMENTS and len(parts) == ARGUMENTS[tag].count("{}"):
        return ARGUMENTS[tag].format(*parts)
    if tag == "mover" and len(parts) == 2:
        return f"{ACCENTS[parts[1].strip()]}{{{parts[0]}}}" if parts[1].strip() in ACCENTS else parts[0]
    if tag == "munder" and parts:
        return parts[0]
    if tag == "msqrt":
        return f"\\sqrt{{{' '.join(parts)}}}"
    if tag == "mfenced":
        return f"({', '.join(parts)})"
    if tag == "mtr":
        return " & ".join(parts)
    if tag == "mtable":
        return "\\begin{matrix}" + " \\\\ ".join(parts) + "\\end{matrix}"
    return " ".join(parts)


def _leaf(tag: str, text: str) -> str:
    if tag == "mtext":
        return f"\\text{{{text}}}"
    if tag == "annotation":
        return ""
    if text in FUNCTIONS:
        return f"\\{text} "
    word = text.isascii() and text.isalpha() and len(text) > 1
    return f"\\mathrm{{{text}}}" if word else "".join(SIGNS.get(letter, letter) for letter in text)
