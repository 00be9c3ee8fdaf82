"""This table has the library's sentences with their Chinese; {a} matches any text, {w}, {v} and {u} one word."""

from __future__ import annotations

NOTATIONS = (("no notation {a}", "没有记号 {a}"),)
SENTENCES = NOTATIONS
