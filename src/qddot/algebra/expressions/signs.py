"""Replaces signs that people type, as in π/2, 90°, ½, L₁ or （０．５）, by those that the parser accepts.

Signs with a single meaning are accepted; what may be a slip, such as 0,5 or 10cm, is an error with a correction.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from unicodedata import normalize, numeric

FRACTIONS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
RAISED = {letter: str(k) for k, letter in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
LOWERED = {letter: str(k) for k, letter in enumerate("₀₁₂₃₄₅₆₇₈₉")}
MEANT = {"π": "pi", "°": " deg", "−": "-", "–": "-", "·": "*", "⋅": "*", "∙": "*", "×": "*", "÷": "/"}
# in addition to the characters that Unicode defines as wide forms of ASCII
WIDE = {"，": ",", "。": ".", "、": ",", "\u3000": " "}
ROOT_OF_NUMBER = re.compile(r"√\s*(\d+(?:\.\d+)?)")
ROOT_OF_BRACKET = re.compile(r"√\s*\(")
POWER = re.compile(f"[{''.join(RAISED)}]+")
INDEX = re.compile(f"(?<=[^\\W\\d])[{''.join(LOWERED)}]+")  # only after a letter, since 10₂ is not a number here
DEGREES = re.compile(r"(?<=\d)\s*度")  # in other places it may be of a name
MIXED = re.compile(rf"(?<![\w.])(\d*)([{FRACTIONS}])")
UNITS = dict.fromkeys(("m", "kg", "N", "Nm", "Ns", "J", "Js", "W", "Hz", "s", "rad"), "1")
UNITS |= {"cm": "1/100", "mm": "1/1000", "km": "1000", "g": "1/1000", "t": "1000", "ms": "1/1000"}
UNITS |= {"厘米": "1/100", "毫米": "1/1000", "克": "1/1000"} | dict.fromkeys(("米", "千克", "公斤", "秒", "弧度"), "1")
WITH_UNIT = re.compile(rf"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*({'|'.join(UNITS)})")
DECIMAL_COMMA = re.compile(r"(?<![\w.,])(\d+),(\d+)(?![\w.,])")
NO_SIGN = re.compile(r"((?<![\w.])(?:\d+\.?\d*|\.\d+)|\))\s*(?!deg\b)([^\W\d]\w*|\()(?![eE][+-]?\d)")
FUNCTION = "sin|cos|tan|tanh|exp|sqrt"
NO_BRACKET = re.compile(rf"\b({FUNCTION})\s+([^\W\d]\w*)")
GAP = re.compile(r"(\w+|\))\s+(?!deg\b)(?=[^\W\d]|\()")  # between two factors, or after the name of a function
EXPONENT = re.compile(r"[eE]\d+\b")


def plain(text: str) -> str:
    """Returns a text in the parser's signs; every sign with a single meaning in arithmetic is replaced."""
    if text.isascii():
        return text
    text = "".join(map(_narrow, text))
    text = POWER.sub(lambda power: "**" + "".join(RAISED[digit] for digit in power[0]), text)
    text = INDEX.sub(lambda index: "".join(LOWERED[digit] for digit in index[0]), text)
    text = ROOT_OF_BRACKET.sub("sqrt(", ROOT_OF_NUMBER.sub(r"sqrt(\1)", text))
    text = DEGREES.sub(" deg", text)
    text = MIXED.sub(lambda number: _fraction(*number.groups()), text)
    return "".join(MEANT.get(letter, letter) for letter in text)


def _narrow(letter: str) -> str:
    """Returns the ordinary form of a wide letter from East Asian keyboards."""
    return normalize("NFKC", letter) if "\uff01" <= letter <= "\uff5e" else WIDE.get(letter, letter)


def _fraction(whole: str, part: str) -> str:
    """Returns 2½ as (2+1/2)."""
    value = Fraction(numeric(part)).limit_denominator(10)
    return f"({whole}+{value})" if whole else f"({value})"


def correction(text: str, symbols: Collection[str] = ()) -> str:
    """Returns what the writer of an invalid text probably meant, or "".

    symbols: declared names; a number before one of them is a factor, even if the name is also a unit
    """
    text = plain(text).strip()
    united = WITH_UNIT.fullmatch(text)
    if united and united[2] not in symbols:
        return _decimals(Fraction(united[1]) * Fraction(UNITS[united[2]]))
    pointed = DECIMAL_COMMA.sub(r"\1.\2", text)
    if pointed != text:
        return pointed
    joined = NO_SIGN.sub(lambda both: both[0] if EXPONENT.fullmatch(both[2]) else f"{both[1]}*{both[2]}", text)
    joined = GAP.sub(_with_sign, NO_BRACKET.sub(r"\1(\2)", joined))
    return joined if joined != text else ""


def _with_sign(gap: re.Match[str]) -> str:
    """Returns what is before a gap between factors, with a star in place of the gap."""
    return gap[0] if re.fullmatch(FUNCTION, gap[1]) else f"{gap[1]}*"


def _decimals(number: Fraction) -> str:
    return f"{number.numerator}" if number.denominator == 1 else f"{float(number):.12g}"
