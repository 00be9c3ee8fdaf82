"""Writes texts of a description into comments of other languages."""

from __future__ import annotations

import re


def comment(text: str) -> str:
    """Returns a text without characters that would end a comment or begin a string in it."""
    return re.sub(r"[^\w .,:+=^()-]", "_", text)
