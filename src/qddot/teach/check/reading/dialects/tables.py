"""Writes tables with the names and the values of entries, or with a row for each joint, as equations."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting

TABLE = re.compile(r"(?:^[ \t]*\|[^\n]*(?:\n|$))+", re.MULTILINE)
RULE = re.compile(r"[ \t:|+-]*-{2,}[ \t:|+-]*")
NAME = re.compile(r"[^\W\d_]\w*\d|[^\W\d_]\w*[₀-₉]|[τTVKPLUQF]\w?|\w+(?:[ \t]*=[ \t]*\w+)+")
NAME_OF_PRODUCT = re.compile(r"[^\W\d]\w{0,9}")
WITHOUT_BRACES = str.maketrans("", "", "{}")
CLOSED_BY = {"$": "$", "\\(": "\\)"}  # signs around formulas
OF_JOINTS = re.compile(
    r"(?:joint|link|axis|body|row|gelenk|glied|achse|articulation|axe|articulaci[oó]n|eje|junta|关节|连杆|轴|i|k|#|no\.?)s?"
    r"(?:[ \t]+\$?[ijk]\$?)?",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"(?:[^\W\d]+[ \t]*)?(?P<joints>\d(?:[ \t]*[,&][ \t]*\d)*)[ \t]*(?:\([^()]*\))?")
WORDS = (
    (r"torque|moment|force|drehmoment|kraft|couple|effort|par\b|fuerza|torque|for[cç]a|力矩|驱动", "tau"),
    (r"gravit|schwer|gewicht|pesanteur|重力", "G"),
    (r"velocity|coriolis|centrifugal|geschwindigkeit|vitesse|科氏", "h"),
)
LETTER = re.compile(r"\$?[ \t]*(?P<letter>\\?[A-Za-zτ]+)(?:_\{?[ijk]\}?)?[ \t]*\$?")
MARKS = re.compile(r"(?:marks?|points?|score|punkte|puntos|分|分数|分值|得分)", re.IGNORECASE)
LONGEST_HEAD = 30


def of_tables(text: Rewriting) -> None:
    """Writes the tables of Markdown as equations."""
    for table in reversed(list(TABLE.finditer(text.text))):
        rows = [_cells(row) for row in table[0].splitlines() if not RULE.fullmatch(row)]
        if equations := _equations_of_rows(rows):
            text.replace(table.start(), table.end(), "\n\n".join(["", *equations, ""]))


def _equations_of_rows(rows: list[list[str]]) -> list[str]:
    """Returns the equations of a table, or none.

    | 1 | m l^2 | below the heads "joint" and "torque" is tau1 = m l^2, and | M11 | m l^2 | is M11 = m l^2.
    """
    first, *heads = rows[0] if rows else [""]
    if any(MARKS.fullmatch(head.strip(" *")) for head in heads):
        return []  # what the entries are worth
    names = [_quantity(head) for head in heads]
    if OF_JOINTS.fullmatch(first.strip(" $*")) and any(names):
        return [line for row in rows[1:] for line in _equations(row, names)]
    pairs = [pair for row in rows for pair in _pairs(row)]
    return [_equation(pair) for pair in pairs] if any(map(_is_entry, pairs)) else []


def _pairs(row: list[str]) -> list[list[str]]:
    """Returns the entries of a row that has several side by side, each with its value, or the row."""
    pairs = [row[k : k + 2] for k in range(0, len(row), 2)]
    return pairs if len(row) > 2 and all(map(_is_entry, pairs)) else [row]


def _is_entry(row: list[str]) -> bool:
    """Returns whether a row has the name of an entry, or a = b, its value, and perhaps words."""
    name, value, *others = [_plain(cell) for cell in [*row, "", ""]]
    are_words = not set("".join(others)) & set("=+*/()")
    if not name or not value or len(row) > 3 or not are_words or set("=$") & set(value) or "\\(" in value:
        return False
    bare = name.translate(WITHOUT_BRACES)
    are_formulas = all(_plain(cell) != cell.strip("` ") for cell in row[:2])
    return are_formulas or bool(NAME.fullmatch(bare) or (NAME_OF_PRODUCT.fullmatch(bare) and set("*^") & set(value)))


def _equation(row: list[str]) -> str:
    """Returns the equation of a row, or its cells apart."""
    if not _is_entry(row):
        return "  ".join(row)
    equation = " = ".join(map(_plain, row[:2]))
    return f"${equation}$" if any(sign in cell for cell in row[:2] for sign in CLOSED_BY) else equation


def _plain(cell: str) -> str:
    """Returns a cell without the signs around a formula or code."""
    cell = cell.strip("` ")
    return next(
        (cell.removeprefix(sign).removesuffix(CLOSED_BY[sign]) for sign in CLOSED_BY if cell.startswith(sign)), cell
    ).strip()


def _equations(cells: list[str], names: list[str]) -> list[str]:
    """Returns the equations in a row: one for each joint and each column with a quantity."""
    numbered = NUMBERED.fullmatch(cells[0].strip(" $*"))
    pairs = [(name, cell.strip()) for name, cell in zip(names, cells[1:], strict=False) if name and cell.strip()]
    if numbered is None or any("=" in cell for _, cell in pairs):
        return []
    return [
        f"${name}_{{{joint}}} = {cell.strip('$')}$" if "$" in cell else f"{name.strip(chr(92))}{joint} = {cell}"
        for joint in re.findall(r"\d", numbered["joints"])
        for name, cell in pairs
        if cell.count("$") in (0, 2)
    ]


def _cells(row: str) -> list[str]:
    """Returns the cells of a row."""
    return row.strip().removeprefix("|").removesuffix("|").split("|")


def _quantity(head: str) -> str:
    """Returns the name of the quantity in the head of a column, or ""."""
    head = head.strip().strip("*")
    if (letter := LETTER.fullmatch(head)) and len(letter["letter"].lstrip("\\")) <= len("tau"):
        return letter["letter"].replace("τ", r"\tau")
    if len(head) > LONGEST_HEAD:
        return ""
    name = next((name for words, name in WORDS if re.search(words, head, re.IGNORECASE)), "")
    return r"\tau" if name == "tau" else name
