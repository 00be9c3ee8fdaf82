"""Entries of equations as the literature prints them, over the symbols of the zoo's models, and how long they are.

docs/evidence/validation.md says where each comes from.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

SOURCES: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parents[1] / "data" / "printed_forms.json").read_text(encoding="utf-8")
)
QUANTITIES = ("christoffel", "tau", "J_c", "p_c", "C2", "M", "B", "h", "G", "T")


def entry_of(equations: Any, label: str) -> Any:
    """M12, B112, J_c2[3,1], christoffel223 … of equations in normal or textbook form."""
    quantity = next(q for q in QUANTITIES if label.startswith(q))
    place = tuple(int(digit) - 1 for digit in re.findall(r"\d", label.removeprefix(quantity)))
    return equations.array(quantity)[(place[0], 0) if quantity == "B" else place]


def printed_operations(text: str) -> int:
    """× and ± of a formula as it is printed, a power as products; a sign in front is none."""
    total = 0
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.BinOp):
            power = isinstance(node.op, ast.Pow)
            exponent = node.right.value if power and isinstance(node.right, ast.Constant) else None
            total += exponent - 1 if isinstance(exponent, int) else 1
    return total
