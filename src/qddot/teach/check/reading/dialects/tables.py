"""Writes Markdown tables with a row for each joint, and a quantity in the head of a column, as equations."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting

TABLE = re.compile(
    r"^[ \t]*\|(?P<head>[^\n]*)\|[ \t]*\n[ \t]*\|?[ \t:|-]*-{2,}[ \t:|-]*\n(?P<rows>(?:[ \t]*\|[^\n]*(?:\n|$))+)",
    re.MULTILINE,
)
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
LONGEST_HEAD = 30


def of_tables(text: Rewriting) -> None:
    """Writes | 1 | $m l^2$ | below the heads "joint" and "torque" as tau_1 = m l^2."""
    for table in reversed(list(TABLE.finditer(text.text))):
        first, *heads = _cells(table["head"])
        names = [_quantity(head) for head in heads]
        if not OF_JOINTS.fullmatch(first.strip(" $*")) or not any(names):
            continue
        equations = [line for row in table["rows"].splitlines() for line in _equations(_cells(row), names)]
        if equations:
            text.replace(table.start(), table.end(), "\n\n".join(["", *equations, ""]))


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
