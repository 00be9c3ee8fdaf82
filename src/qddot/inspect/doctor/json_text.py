"""Writes JSON for people and programs: letters as they are, and what no terminal shows as escapes."""

from __future__ import annotations

import json
from typing import Any


def json_text(content: Any) -> str:
    """Returns indented JSON in which what is not printable is \\u…, also names of files that are no UTF-8."""
    text = json.dumps(content, indent=2, ensure_ascii=False)
    return "".join(letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text)
