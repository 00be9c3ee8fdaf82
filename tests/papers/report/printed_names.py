"""The names of quantities in a report: their letters, labels and indices, as printed and in formulas."""

from __future__ import annotations

import re

from qddot.exact.printing.tree import Symbol

POWERS = ("T", "-1", "2")  # superscripts with which a letter keeps its meaning
# quantities of more than one index: A_11 is of link 11
SEVERAL = (
    "M",
    "Gamma",
    "C",
    "B",
    "U",
    "h",
    "m",
    "b",
    "ℬ",
    "F",
    "sigma",
)
INDICES = "ijkn"

Name = tuple[str, str, int, str, str, bool]


def name_of(symbol: Symbol, label: str) -> Name:
    above = "" if symbol.above in POWERS else symbol.above
    return symbol.head, label, symbol.dots, above, symbol.frame, symbol.bar


def parted(left: Symbol) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The label, the indices, and the cell of a matrix that a printed name has: J_v1,23 has v, 1 and (2, 3)."""
    if general(left)[1]:
        return general(left)[0], (), ()
    if not re.fullmatch(r"[^\d,]*[\d,]*", left.below):
        return left.below, (), ()
    label = re.split(r"[\d,]", left.below, maxsplit=1)[0]
    rest = left.below[len(label) :].strip(",")
    cell: tuple[int, ...] = ()
    if "[" in left.text:
        cell = tuple(int(k) for k in left.text[left.text.index("[") + 1 : -1].split(","))
        written = "".join(map(str, cell)) if max(cell) < 10 else ",".join(map(str, cell))  # J_v10,1,10
        rest = rest.removesuffix(written).strip(",")
    numbers = rest.split(",") if "," in rest else rest if left.head in SEVERAL and not label else [rest] * bool(rest)
    return label, tuple(map(int, numbers)), cell


def reference(symbol: Symbol) -> tuple[Name, tuple[int, ...]]:
    """What a symbol stands for, by its name and its indices; a transpose stands for the same."""
    label, places, _ = parted(symbol)
    return name_of(symbol, label), places


def general(symbol: Symbol) -> tuple[str, str]:
    """The label and the index letters of a symbol in a formula: J_{v,i} has v and i."""
    parts = symbol.below.split(",")
    label = ",".join(part for part in parts if not set(part) <= set(INDICES))
    return label, "".join(part for part in parts if set(part) <= set(INDICES))
