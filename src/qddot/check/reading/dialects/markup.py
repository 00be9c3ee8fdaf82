"""Converts HTML, Markdown, notebooks and notes to plain text, and Chinese signs to common ones."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from html.entities import html5
from typing import Any

from qddot.check.reading.dialects import mathml
from qddot.check.reading.dialects.latex import PROSE, squared_norm
from qddot.check.reading.dialects.programs import of_python
from qddot.check.reading.dialects.tables import of_tables
from qddot.check.reading.texts.rewriting import Rewriting
from qddot.check.reading.texts.written import Written
from qddot.errors import FormatError

WIDE = {**dict(zip("（）［］｛｝＝＋－＊／＾．", "()[]{}=+-*/^.", strict=True)), "＇": "'", "　": " "}
WIDE |= {chr(ord("０") + k): str(k) for k in range(10)}
STOPS = "，。；：、！？“”‘’《》【】"
LETTERS = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af" + STOPS + "]"
CHINESE = re.compile(rf"{LETTERS}+(?:[-–—/·~]+{LETTERS}+)*")
TAG = re.compile(
    r"</?(?:a|br|div|span|p|details|summary|img|b|i|u|em|strong|hr|center|font|small|table|t[rdh]|ul|ol|li|h\d)\b[^<>\n]{0,300}>"
)
OF_TIME = re.compile(r"(?<=[\w'′\u0307\u0308])\(t\)")
# + const, which an energy may have
CONSTANT = re.compile(r"\+[ \t]*(?:\\(?:text|mathrm|textrm)\{[ ]*[ck]onst\.?\}|[ck]onst(?:ant)?\b\.?(?![ \t]*[*/^=(]))")
SQUARED_NORM = re.compile(r"(?:\||‖)([^\W\d]\w*)(?:\||‖)[ \t]*(?:\^[ \t]*2|²|\*\*2)")
COMPUTED = "qddot"  # the tag of cells in which a report's results are derived again
RAISED_OF_STEPS = "ce"  # letters above the names of steps: of composite bodies, and of moments about a joint's axis
_INDEX = r"_\s*(?:\{[\d\s,]*\}|\d)"
RAISED = re.compile(
    rf"(?<![A-Za-z\\])(?P<letter>[IFn])\s*(?P<before>{_INDEX})?\s*\^\s*"
    rf"\{{?\s*(?P<raised>[{RAISED_OF_STEPS}])(?![A-Za-z\d(])(?:\s*\}})?(?:\s*(?P<behind>{_INDEX}))?(?!\s*_)"
)
UNFINISHED = re.compile(r"[\w)\]'] *[*/^+-] *[\w(\[\\].*[\w)\]'}] *$")
LIST_MARK = re.compile(
    r"^[ \t>]*(?:[-*•+][ \t]+(?=[^\n]*=|\W*[^\W\d]{3,}[^\n=+*/^\d]*$)|"
    r"\(?(?:\d{1,2}|[a-hivx]{1,3})[.)][ \t]+|#{1,6}[ \t][^\n]*)",
    re.MULTILINE,
)


TABLE_ROW_OF_CODE = re.compile(r"^[ \t]*\|[ \t]*([^\W\d]\w{0,9})[ \t]*\|[ \t]*([^|\n=]*\w[*^][^|\n=]*)\|?[ \t]*$", re.M)
# words such as Step 2. and link 1, whose numbers belong to no formula
NUMBERED_WORDS = (
    r"(?:steps?|schritt|problem|aufgabe|question|part|exercise|task|equations?|fig(?:ure)?|section|chapter|page|table|"
    r"links?|joints?|frames?|glied|gelenk|body|rod|row|column|case|no\.|nr\.|ex\.|prob\.)[ \t]*"
)
NUMBERED = re.compile(  # the bracket in "from link 1)" closes another one
    rf"(?:^[ \t]*{NUMBERED_WORDS}\d+[a-z]?\)|\b{NUMBERED_WORDS}(?:\(\d+(?:\.\d+)*[a-z]?\)|\d+(?:\.\d+)*[a-z]?)[.:]?)"
    r"(?![\w*/^+=-])",
    re.IGNORECASE | re.MULTILINE,
)
# between sentences: arrows, dashes, abbreviations
ARROW = re.compile(
    r"<?[=-]+>(?!=)(?=[^\n]*=|[ \t]*(?:\n|$)|\s*[^\W\d]{3,}\s)|(?<=[ \t])(?:--|[–—])(?=[ \t]+[A-Za-z]{3,})|"
    r"\b(?:i\.e|e\.g|c\.o\.m|w\.r\.t|cf|eq|eqs|resp|etc|viz)\.",
    re.IGNORECASE,
)
# a rate in words, as in dd2 = d2 dot, and in other languages
DOTS_IN_WORDS = re.compile(
    r"(?<==)[ \t]*(?P<name>[A-Za-z]\w*)[ \t]+(?:(?P<two>dos|two|double|zwei|deux|dois|due)[ \t]+)?"
    r"(?:dots?|puntos?|punt[oi]|punkte?|points?|pontos?)(?=[ \t]*(?:[,;).]|$))",
    re.MULTILINE | re.IGNORECASE,
)
TABLE_ROW = re.compile(
    r"^[ \t]*\|[ \t]*`?([A-Za-zΓτ]\w*[\d₀-₉]\w*|τ[₀-₉])`?[ \t]*\|([^|\n=]+)\|(?:[^|\n=+*/()]*\|)?[ \t]*$", re.MULTILINE
)
TABLE_ROW_OF_CHAIN = re.compile(
    r"^[ \t]*\|[ \t]*`?(\w+[ \t]*=[ \t]*\w+)`?[ \t]*\|([^|\n=]+)\|(?:[^|\n=+*/()]*\|)?[ \t]*$", re.MULTILINE
)
TABLE_ROW_OF_LATEX = re.compile(
    r"^[ \t]*\|[ \t]*\$([^$|\n=]+(?:=[^$|\n=]+)?)\$[ \t]*\|[ \t]*\$([^$|\n=]+)\$[ \t]*\|?[ \t]*$", re.MULTILINE
)
NOT_SHOWN = re.compile(r"(?is)<!--.*?-->|<(script|style|head|s|del|strike|svg)\b[^>]*>.*?</\1\s*>")
EMBEDDED = re.compile(r"\"data:[^\"]*\"")  # a picture within an attribute
TABLE_ROW_OF_HTML = re.compile(
    r"(?is)<tr\b[^>]*>\s*<td\b[^>]*>((?:(?!</?t[dr]).)*)</td>\s*<td\b[^>]*>((?:(?!</?t[dr]).)*)</td>\s*</tr>"
)


# a line of a page that continues the formula of the line above it
CONTINUED_IN_HTML = re.compile(
    r"(?:(?<=[^\s<>])|(?<=</sub>)|(?<=</sup>)|(?<=</i>)|(?<=</b>))[ \t]*\n"
    r"[ \t]*(?=(?:[-+−=·]|&minus;|&#8722;|&plus;)[ \t]*[^\s>-])"
)
MATRIX_OF_HTML = re.compile(
    r"(?is)(?<![A-Za-z])(?P<name>[A-Zhg](?:\([^()<>]{0,20}\))?)[\s:=]{0,9}(?:is|ist|est|es|为|是)?[\s:]{0,9}"
    r"(?:</p>|<br\s{0,3}/?>)?\s{0,40}<table\b[^>]*>(?P<rows>(?:(?!</?table).)*)</table>"
)
CELL_OF_HTML = re.compile(r"(?is)<td\b[^>]*>((?:(?!</?td).)*)</td>")


SHOWN = ("text/latex", "text/plain")
EQUATION = re.compile(r"[ \t]*[^\W\d]\w*(?:\[[\d, ]*\])*[ \t]*=(?!=)")
SHOWN_AT_END = re.compile(
    r"\s*(?:display\(|pprint\()?(?:(?:\w+\.)?(?:simplify|trigsimp|expand|factor|nsimplify)\()?"
    r"(?P<name>[^\W\d]\w*(?:\[[\d, ]*\])*)\)*(?:\.\w+\(\w*\))?\)*\s*"
)


def of_html(written: Written) -> Written:
    """Returns the text of a page, without struck-out text, and with subscripts and superscripts."""
    text = Rewriting(written).sub(EMBEDDED, "")
    mathml.formulas(text)
    text.sub(NOT_SHOWN, lambda match: "\n" * match[0].count("\n"))
    text.sub(CONTINUED_IN_HTML, " ").sub(MATRIX_OF_HTML, _matrix_of_table)
    text.sub(TABLE_ROW_OF_HTML, _equation_of_row).sub(r"(?i)<sub>\s*", "_{").sub(r"(?i)<sup>\s*", "^{").sub(
        r"(?i)\s*</su[bp]>", "}"
    )
    text.sub(r"(?i)<br\s*/?>|</(?:p|div|li|tr|h\d|pre)>", "\n").sub(r"<[A-Za-z/!][^<>]{0,500}>", " ")
    text.sub(r"&(#?\w+);", lambda match: _entity(match[0], match[1]))
    return text.done()


def _matrix_of_table(table: re.Match[str]) -> str:
    """Returns a table of formulas after "The mass matrix M is" as a matrix with that name."""
    rows = [CELL_OF_HTML.findall(row) for row in re.split(r"(?i)</tr>", table["rows"])]
    rows = [row for row in rows if row]
    is_matrix = (
        len({len(row) for row in rows}) == 1 and len(rows) > 1 and not any("=" in cell for row in rows for cell in row)
    )
    if not is_matrix or any(re.fullmatch(r"\s*(?:<[^<>]*>)*[A-Za-z ]{4,}", cell) for row in rows for cell in row):
        return table[0]
    shown = "; ".join(", ".join(cell.strip() for cell in row) for row in rows)
    return f"<br>{table['name']} = [{shown}]<br>"


def _equation_of_row(row: re.Match[str]) -> str:
    """Returns a row with an entry and its value as an equation; any other row is returned unchanged."""
    name, value = (re.sub(r"<[^<>]*>", "", cell).strip() for cell in row.groups())
    is_name = re.fullmatch(r"[^\W\d_]\w*", name) and (re.search(r"\d$", name) or re.fullmatch(r"[τTVKPLUQF]\w?", name))
    is_equation = is_name and value and "=" not in value
    return f"{row[1]} = {row[2]}<br>" if is_equation else row[0]


def _entity(whole: str, name: str) -> str:
    return html.unescape(whole) if name.startswith("#") or f"{name};" in html5 else whole


def of_markdown(written: Written) -> Written:
    """Returns a text without the marks of Markdown, and without struck-out text."""
    text = Rewriting(written).blank(r"~~(?:[^~]|~(?!~))*~~").blank(r"^[ \t]*(?:```|~~~)[^\n]*", re.MULTILINE)
    of_tables(text)
    text.blank(r"^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$", re.MULTILINE).blank(r"(?<=\])\(#[^()\s]*\)")  # rules, links
    text.blank(r"^[ \t]*={3,}[ \t]*$|^[ \t]*\.\.[ \t]+[\w-]+::[^\n]*", re.MULTILINE)  # of reStructuredText
    text.sub(TABLE_ROW_OF_LATEX, lambda row: f"${row[1]} = {row[2]}$").sub(
        TABLE_ROW, lambda row: f" {row[1]} = {row[2]}"
    ).sub(TABLE_ROW_OF_CHAIN, lambda row: f" {row[1]} = {row[2]}")
    text.sub(r"(?i)<sub>\s*", "_{").sub(r"(?i)<sup>\s*", "^{").sub(r"(?i)\s*</su[bp]>", "}").blank(TAG)
    text.sub(r"`", " ")
    text.sub(TABLE_ROW_OF_CODE, lambda row: f" {row[1]} = {row[2]}")
    text.sub(r"\*\*(?=[^\s*][^*\n]*\*\*(?!\w))([^*\n]*)\*\*", lambda match: f"  {match[1]}  ")
    return text.sub(r"^[ \t]*\|(?=[^\n]*=)|\|[ \t]*$", " ", re.MULTILINE).done()


def plain(written: Written) -> Written:
    """Returns a text with common signs in place of Chinese ones, and separators in place of Chinese words."""
    text = Rewriting(written).sub(OF_TIME, "").sub(SQUARED_NORM, squared_norm).sub(RAISED, _lowered).sub(CONSTANT, "")
    text.sub(DOTS_IN_WORDS, lambda rate: rate["name"] + ("\u0308" if rate["two"] else "\u0307"))
    if not written.text.isascii():
        text.sub("[" + re.escape("".join(WIDE)) + "]", lambda match: WIDE[match[0]])
        text.sub(CHINESE, PROSE).sub("[⇒→⟹∴∵⟶]", PROSE).sub(r"(?<!\w)Σ(?=[ \t]*\w)", "∑")
    return text.done()


def _lowered(name: re.Match[str]) -> str:
    """Returns Iᶜ_1 with its c in front of its index, as I_c1, so that it is not read as an exponent."""
    index = (name["before"] or name["behind"] or "").strip("_{} ")
    index = index if "0" in index else re.sub(r"[\s,]", "", index)
    return f"{name['letter']}_{{{name['raised']}{index}}}"


def without_list_marks(written: Written) -> Written:
    """Returns a text without list marks, headings, arrows and dashes."""
    text = Rewriting(written).sub(LIST_MARK, lambda mark: mark[0] if _is_sign(mark) else " " * len(mark[0]))
    return text.sub(NUMBERED, PROSE).sub(ARROW, PROSE).done()


def _is_sign(mark: re.Match[str]) -> bool:
    """Returns whether a dash before a formula is a minus: the line above is a formula that has no '=' yet."""
    above = mark.string[: mark.start()].split("\n")[-2:-1]
    is_formula = any("=" not in line and UNFINISHED.search(line) for line in above)
    return mark[0].strip() in ("+", "-") and is_formula


def cells(text: str, where: str) -> str:
    """Returns the sources and the outputs of a notebook's cells, without those in which a report calls qddot.

    raises FormatError: it is not a notebook
    """
    try:
        notebook: Any = json.loads(text)
        relevant_cells = [cell for cell in notebook["cells"] if cell.get("cell_type") in ("code", "markdown")]
        relevant_cells = [cell for cell in relevant_cells if COMPUTED not in cell.get("metadata", {}).get("tags", ())]
        pieces = [piece for cell in relevant_cells for piece in _of_cell(cell)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise FormatError("not a notebook", where=where, expected="cells with sources") from None
    return "\n\n".join(pieces)


def _of_cell(cell: Any) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        yield source
        return
    yield of_python(Written(source)).text
    name = _shown_name(source)
    for output in cell.get("outputs", ()):
        if output.get("output_type") == "stream":
            lines = [line for line in "".join(output["text"]).splitlines() if EQUATION.match(line)]
            yield of_python(Written("\n".join(lines))).text
        elif name and "data" in output:
            yield _shown(name, {kind: "".join(value) for kind, value in output["data"].items() if kind in SHOWN})


def _shown_name(source: str) -> str:
    """Returns the name of the quantity that a cell's last line shows: h[0] for simplify(h[0])."""
    lines = [line for line in re.split(r"[;\n]", source) if line.strip() and not line.strip().startswith("#")]
    match = SHOWN_AT_END.fullmatch(lines[-1]) if lines else None
    return match["name"] if match else ""


def _shown(name: str, data: dict[str, str]) -> str:
    """Returns the output of a cell as an equation for a name."""
    if "text/latex" in data:
        return f"${name} = {data['text/latex'].strip().strip('$')}$"
    plain_text = data.get("text/plain", "")
    return of_python(Written(f"{name} = {plain_text}")).text if plain_text and "<" not in plain_text else ""
