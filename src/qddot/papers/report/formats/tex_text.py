"""Writes texts as LaTeX sets them with any engine: it escapes signs, and writes accents and mathematics as commands.

Fonts of plain LaTeX have Latin and Greek letters; another letter is replaced by its code point, as in U+0416.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from qddot.algebra.expressions.identifiers import GREEK, spelled
from qddot.base.errors import visible

APART = "\u2060"
TWO = re.compile(r"([-'])(?=\1)")  # two signs that LaTeX would join to a dash or to one quotation mark
SIGNS = {
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\ensuremath{<}",  # these four are other signs in the oldest fonts
    ">": "\\ensuremath{>}",
    "|": "\\ensuremath{|}",
    '"': "{\\ttfamily\\char34}",
    "`": "\\`{}",
    **{sign: f"\\{sign}" for sign in "{}_%&#"},
    "$": "\\ensuremath{\\$}",
    "‐": "-",
    "‑": "-",
    "–": "--",
    "—": "---",
    "‘": "`{}",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": "\\ldots{}",
    "§": "\\ensuremath{\\mathsection}",
    "\u00a0": "~",
    APART: "{}",
}
LETTERS = {"ß": "\\ss{}", "æ": "\\ae{}", "Æ": "\\AE{}", "œ": "\\oe{}", "Œ": "\\OE{}", "ø": "\\o{}", "Ø": "\\O{}"}
LETTERS |= {"ł": "\\l{}", "Ł": "\\L{}", "ı": "\\i{}"}
MATHEMATICS = {"×": "\\times", "·": "\\cdot", "−": "-", "±": "\\pm", "∂": "\\partial", "Σ": "\\Sigma", "∑": "\\sum"}
MATHEMATICS |= {"∫": "\\int", "√": "\\surd", "∞": "\\infty", "≡": "\\equiv", "≤": "\\leq", "≥": "\\geq", "≠": "\\neq"}
MATHEMATICS |= {"≈": "\\approx", "∼": "\\sim", "→": "\\to", "←": "\\leftarrow", "↔": "\\leftrightarrow", "∈": "\\in"}
MATHEMATICS |= {"⇒": "\\Rightarrow", "∘": "\\circ", "°": "^{\\circ}", "⊙": "\\odot", "⊗": "\\otimes", "∥": "\\parallel"}
MATHEMATICS |= {"∇": "\\nabla", "½": "\\tfrac{1}{2}", "¼": "\\tfrac{1}{4}", "¾": "\\tfrac{3}{4}", "µ": "\\mu"}
MATHEMATICS |= {"ℓ": "\\ell", "⟂": "\\perp", "⊥": "\\perp", "′": "'", "ϕ": "\\phi", "ϑ": "\\vartheta"}
MATHEMATICS |= {"ϵ": "\\epsilon", "ε": "\\varepsilon"}
MATHEMATICS |= {"𝒢": "\\mathcal{G}", "ο": "o", "¬": "\\neg", "⋅": "\\cdot", "✓": "\\surd"}
ACCENTS = {  # commands for accents over letters of words, and of mathematics
    "\u0300": ("`", "grave"),
    "\u0301": ("'", "acute"),
    "\u0302": ("^", "hat"),
    "\u0303": ("~", "tilde"),
    "\u0304": ("=", "bar"),
    "\u0306": ("u", "breve"),
    "\u0307": (".", "dot"),
    "\u0308": ('"', "ddot"),
    "\u030a": ("r", "mathring"),
    "\u030b": ("H", ""),
    "\u030c": ("v", "check"),
    "\u0323": ("d", ""),
    "\u0327": ("c", ""),
    "\u0331": ("b", ""),
}
SMALL = {"<super>": "^", "<sub>": "_"}  # Unicode's words for superscripts and subscripts
EAST_ASIAN = ("W", "F")  # widths of letters
CHINESE = "“”‘’…—"  # these have the width of Chinese characters only in Chinese text


def escaped(text: str, lang: str = "en") -> str:
    """Returns a text in which nothing is a command; lang: a language, whose own letters are kept"""
    parted = TWO.sub(rf"\1{APART}", visible(unicodedata.normalize("NFC", text)))
    return "".join(_letter(letter, marks, lang) for letter, marks in _letters(parted))


def _letters(text: str) -> Iterator[tuple[str, str]]:
    """Yields each letter with the accents that it carries."""
    k = 0
    while k < len(text):
        end = k + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        # a crossed-out sign is a separate sign
        letter = text[k] if text[k] in MATHEMATICS else unicodedata.normalize("NFD", text[k])
        yield letter[0], letter[1:] + text[k + 1 : end]
        k = end


def _letter(letter: str, marks: str, lang: str) -> str:
    if lang == "zh" and (letter in CHINESE or unicodedata.east_asian_width(letter) in EAST_ASIAN):
        return unicodedata.normalize("NFC", letter + marks)
    mathematics = _mathematics(letter)
    if mathematics:
        return f"\\ensuremath{{{_accented(mathematics, marks, 1)}}}"
    written = SIGNS.get(letter) or LETTERS.get(letter) or _plain(letter)
    return _accented(f"\\{letter}" if marks and letter in "ij" else written, marks, 0)


def _accented(written: str, marks: str, kind: int) -> str:
    """Returns a letter below its accents; those that LaTeX lacks follow it by their code points."""
    for mark in marks:
        command = ACCENTS.get(mark, ("", ""))[kind]
        written = f"\\{command}{{{written}}}" if command else written + _plain(mark)
    return written


def _mathematics(letter: str) -> str:
    """Returns the command of a sign, a Greek letter or a raised one in mathematics, or nothing."""
    if letter in MATHEMATICS:
        return MATHEMATICS[letter]
    name = spelled(letter)
    if name in GREEK and not letter.isascii():
        return f"\\{name}"
    kind, _, code = unicodedata.decomposition(letter).partition(" ")
    if kind in SMALL and " " not in code:
        inner = chr(int(code, 16))
        return f"{SMALL[kind]}{{{_mathematics(inner) or _upright(inner)}}}"
    return ""


def _upright(letter: str) -> str:
    return letter if letter.isascii() and letter.isalnum() else f"\\text{{{SIGNS.get(letter) or _plain(letter)}}}"


def _plain(letter: str) -> str:
    return letter if letter.isascii() else f"U+{ord(letter):04X}\\allowbreak{{}}"


def typed(line: str) -> str:
    """Returns a line of a program in letters that every typewriter font has: Greek ones by their names."""
    return "".join(map(_typed, unicodedata.normalize("NFC", visible(line))))


def _typed(letter: str) -> str:
    name = spelled(letter)
    return name if name.isascii() else f"U+{ord(letter):04X}"
