"""Converts HTML pages, of courses and of programs, to plain text and formulas."""

from __future__ import annotations

import re
from dataclasses import replace

from qddot.teach.check.reading.dialects import mathml
from qddot.teach.check.reading.dialects.markup import Element, Text, parsed
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

NOT_SHOWN = ("math", "script", "style", "head", "s", "del", "strike", "svg", "template")
# a typeset copy of a formula that is in the page as MathML or LaTeX, too
COPIES = ("MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_CHTML", "MathJax_SVG", "katex-html")
PICTURES = ("equation_image", "texrender", "latex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display")
NOT_READ = r"formula = \unknown"  # in place of one that a page shows without its text
OF_LATEX = "LaTeX:"  # before the alternative text of a picture in Canvas
BLOCKS = ("p", "li", "tr", "pre", "dd", "dt", "blockquote", *(f"h{k}" for k in range(1, 7)))
APART = ("td", "th", "a", "table", "section")  # formulas in them are not joined to others
SCRIPTS = {"sub": "_", "sup": "^"}
BREAK = "\v"  # a line end of the source, which a page shows as a blank
# a line of a page that continues the formula of the line above it
CONTINUED = re.compile(rf"(?<=\S)[ \t]*{BREAK}[ \t]*(?=[-+−=·][ \t]*[^\s-])")
BOX = "\f"  # the end of a <div>, which also lays out the parts of one line
BETWEEN = rf"[ \u200b{BREAK}{BOX}]*"  # parts of one line
GOES_ON = re.compile(rf"=\s*\\\){BETWEEN}\\\((?!\s*=)|\\\){BETWEEN}\\\((?=\s*[-+])")
# the name of an entry in front of the formula of its value
NAME_BEFORE = re.compile(r"(?<![^\s])(?P<name>[A-Za-zτ](?:_\{ *\w{1,3} *\}|\w{0,3}))[ ]*=[ ]*\\\((?!\s*=)")
NAMES = re.compile(r"\$?[\w{},]+(?:[ ]*=[ ]*[\w{},]+)+\$?\Z", re.ASCII)  # equal entries
NAMED = re.compile(
    r"(?<![A-Za-z])(?P<name>[A-Zhg](?:\([^()<>]{0,20}\))?)[\s:=]{0,9}(?:is|ist|est|es|为|是)?[\s:]{0,40}$"
)


def of_html(written: Written) -> Written:
    """Returns the text of a page, without struck-out text, and with subscripts and superscripts."""
    tree = parsed(written.text)
    scripts = (script.attributes.get("type") or "" for script in tree.all("script"))
    has_sources = next(tree.all("math"), None) or any(kind.startswith("math/tex") for kind in scripts)
    page = _Page(has_sources=bool(has_sources))
    page.add(tree)
    origins = written.origins or tuple(range(len(written.text) + 1))
    shown = replace(
        written,
        text="".join(page.pieces),
        file=written.file or written.text,
        origins=(*(origins[at] for at in page.places), origins[-1]),
    )
    text = Rewriting(shown).sub(CONTINUED, " ")
    text.sub(GOES_ON, lambda match: "= " if match[0].startswith("=") else " ")
    text.sub(NAME_BEFORE, lambda match: f"\\({match['name']} = ")
    return text.sub(f"[{BREAK}{BOX}]", "\n").done()


class _Page:
    """This is the text of a page, with the place in the source of each of its characters.

    has_sources: whether its formulas are in it as MathML or LaTeX, beside typeset copies
    """

    def __init__(self, *, has_sources: bool) -> None:
        self.pieces, self.places = list[str](), list[int]()
        self.has_sources = has_sources

    def add(self, element: Element, *, is_typed: bool = False) -> None:
        """Adds the parts of an element. is_typed: whether line ends are shown as such, as in <pre>"""
        for part in element.parts:
            if isinstance(part, Element):
                self._element(part, is_typed)
                continue
            self._text(part, is_typed)

    def _text(self, part: Text, is_typed: bool) -> None:
        text = part.text.replace("\t", " ")
        self.pieces.append(text if is_typed else text.replace("\n", BREAK))
        self.places += [part.at + (0 if part.is_entity else k) for k in range(len(text))]

    def _write(self, text: str, at: int) -> None:
        self.pieces.append(text)
        self.places += [at] * len(text)

    def _element(self, element: Element, is_typed: bool) -> None:
        if formula := _formula(element):
            self._write(formula, element.at)
        elif element.tag in NOT_SHOWN or _is_hidden(element) or (self.has_sources and element.has("class", *COPIES)):
            self._write(" ", element.at)
        elif element.tag == "br":
            self._write("\n", element.at)
        elif element.tag == "table" and (rows := _rows(element, has_sources=self.has_sources)):
            self._table(rows, element.at)
        elif element.tag == "em" and self._splits_index(element):
            self._write("_", element.at)
            self.add(element, is_typed=is_typed)
            self._write("_", element.at)
        elif element.tag in SCRIPTS:
            self._write(f"{SCRIPTS[element.tag]}{{", element.at)
            self.add(element, is_typed=is_typed)
            self._write("}", element.at)
        else:
            self._around(element, is_typed)

    def _splits_index(self, element: Element) -> bool:
        """Returns whether <em> stands for the underscores of two indices, as in m<em>1 l</em>2."""
        before = "".join(self.pieces[-1:])[-1:]
        return before.isalpha() and element.text[:1].isdigit() and element.text[-1:].isalpha()

    def _around(self, element: Element, is_typed: bool) -> None:
        """Adds the content of an element between blanks, or tabs, or before a line end."""
        sign = "\t" if element.tag in APART else " "
        at = element.at
        self._write(sign, at)
        self.add(element, is_typed=is_typed or element.tag == "pre")
        self._write("\n" if element.tag in BLOCKS else BOX if element.tag == "div" else sign, at)

    def _table(self, rows: list[list[tuple[str, int]]], at: int) -> None:
        """Adds a table as one of Markdown, or as a matrix that the text above names."""
        cells = [[cell for cell, _ in row] for row in rows]
        named = NAMED.search("".join(self.pieces[-20:])[-80:].replace(BREAK, " "))
        if named and _is_matrix(cells):
            self._write(f"\n{named['name']} = [{'; '.join(', '.join(row) for row in cells)}]\n", at)
            return
        self._write("\n", at)
        for row in rows:
            for cell, place in row:
                self._write(f"| {cell} ", place)
            self._write("|\n", at)


def _rows(table: Element, *, has_sources: bool) -> list[list[tuple[str, int]]]:
    """Returns the cells of a table with their places, or none if one of them has a table, lines or an equation."""
    if next(table.all("table"), None):
        return []
    rows = [
        [(_shown(cell, has_sources=has_sources), cell.at) for cell in row.all("td", "th")] for row in table.all("tr")
    ]
    values = ["" if NAMES.match(cell) else cell for row in rows for cell, _ in row]
    are_texts = any({*"\n|="} & {*cell} for cell in values)
    return [] if are_texts else [row for row in rows if row]


def _shown(cell: Element, *, has_sources: bool) -> str:
    """Returns the text of a cell; a formula that is alone in it stands between dollar signs."""
    page = _Page(has_sources=has_sources)
    page.add(cell)
    lines = [" ".join(line.split()) for line in "".join(page.pieces).strip().split("\n")]
    text = "\n".join(lines)
    return f"${text[2:-2].strip()}$" if text[:2] == r"\(" and text.find(r"\)") == len(text) - 2 else text


def _is_matrix(rows: list[list[str]]) -> bool:
    """Returns whether rows of a table are those of a matrix, which has neither equations nor words."""
    cells = [cell for row in rows for cell in row]
    return (
        len(rows) > 1
        and len({len(row) for row in rows}) == 1
        and not any("=" in cell or re.fullmatch(r"[A-Za-z ]{4,}", cell) for cell in cells)
    )


def _is_hidden(element: Element) -> bool:
    """Returns whether a page does not show an element, or shows it beside the pointer only."""
    style = (element.attributes.get("style") or "").replace(" ", "")
    return "hidden" in element.attributes or "display:none" in style or element.has("role", "tooltip")


def _formula(element: Element) -> str:
    """Returns the formula that an element shows, between its signs: MathML, a picture with LaTeX, or a script."""
    latex = ""
    if element.tag == "math":
        latex = mathml.latex(element)
    elif element.tag == "img":
        latex = element.attributes.get("data-equation-content") or ""
        alt = (element.attributes.get("alt") or "").strip()
        if not latex and (alt.startswith(OF_LATEX) or element.has("class", *PICTURES)):
            latex = alt.removeprefix(OF_LATEX) or NOT_READ
    elif element.tag == "script" and (element.attributes.get("type") or "").startswith("math/tex"):
        latex = element.text
    elif element.tag == "mjx-container":
        latex = " ".join(map(mathml.latex, element.all("math"))) or NOT_READ
    return f"\\({latex.strip()}\\)" if latex.strip() else ""
