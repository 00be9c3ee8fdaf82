"""Converts HTML pages to plain text and formulas."""

from __future__ import annotations

import html
import re
from html.entities import html5

from qddot.teach.check.reading.dialects import mathml
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

NOT_SHOWN = re.compile(r"(?is)<!--.*?-->|<(script|style|head|s|del|strike|svg)\b[^>]*>.*?</\1\s*>")
EMBEDDED = re.compile(r"\"data:[^\"]*\"")  # a picture within an attribute
TABLE_ROW = re.compile(
    r"(?is)<tr\b[^>]*>\s*<td\b[^>]*>((?:(?!</?t[dr]).)*)</td>\s*<td\b[^>]*>((?:(?!</?t[dr]).)*)</td>\s*</tr>"
)
# a line of a page that continues the formula of the line above it
CONTINUED = re.compile(
    r"(?:(?<=[^\s<>])|(?<=</sub>)|(?<=</sup>)|(?<=</i>)|(?<=</b>))[ \t]*\n"
    r"[ \t]*(?=(?:[-+−=·]|&minus;|&#8722;|&plus;)[ \t]*[^\s>-])"
)
MATRIX = re.compile(
    r"(?is)(?<![A-Za-z])(?P<name>[A-Zhg](?:\([^()<>]{0,20}\))?)[\s:=]{0,9}(?:is|ist|est|es|为|是)?[\s:]{0,9}"
    r"(?:</p>|<br\s{0,3}/?>)?\s{0,40}<table\b[^>]*>(?P<rows>(?:(?!</?table).)*)</table>"
)
CELL = re.compile(r"(?is)<td\b[^>]*>((?:(?!</?td).)*)</td>")


def of_html(written: Written) -> Written:
    """Returns the text of a page, without struck-out text, and with subscripts and superscripts."""
    text = Rewriting(written).sub(EMBEDDED, "")
    mathml.formulas(text)
    text.sub(NOT_SHOWN, lambda match: "\n" * match[0].count("\n"))
    text.sub(CONTINUED, " ").sub(MATRIX, _matrix_of_table)
    of_scripts(text.sub(TABLE_ROW, _equation_of_row))
    text.sub(r"(?i)<br\s*/?>|</(?:p|div|li|tr|h\d|pre)>", "\n").sub(r"<[A-Za-z/!][^<>]{0,500}>", " ")
    text.sub(r"&(#?\w+);", lambda match: _entity(match[0], match[1]))
    return text.done()


def of_scripts(text: Rewriting) -> Rewriting:
    """Writes M<sub>11</sub> as M_{11}, and l<sup>2</sup> as l^{2}."""
    return text.sub(r"(?i)<sub>\s*", "_{").sub(r"(?i)<sup>\s*", "^{").sub(r"(?i)\s*</su[bp]>", "}")


def _matrix_of_table(table: re.Match[str]) -> str:
    """Returns a table of formulas after "The mass matrix M is" as a matrix with that name."""
    rows = [CELL.findall(row) for row in re.split(r"(?i)</tr>", table["rows"])]
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
    """Returns the letter for which an entity of HTML stands; an unknown one is returned unchanged."""
    return html.unescape(whole) if name.startswith("#") or f"{name};" in html5 else whole
