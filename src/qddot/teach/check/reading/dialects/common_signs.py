"""Replaces what occurs in all formats, Chinese signs and words, squared norms, and rates in words, by common signs."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import PROSE, Rewriting
from qddot.teach.check.reading.texts.written import Written

WIDE = {**dict(zip("（）［］｛｝＝＋－＊／＾．", "()[]{}=+-*/^.", strict=True)), "＇": "'", "　": " "}
WIDE |= {chr(ord("０") + k): str(k) for k in range(10)}
STOPS = "，。；：、！？“”‘’《》【】"
LETTERS = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af" + STOPS + "]"
CHINESE = re.compile(rf"{LETTERS}+(?:[-–—/·~]+{LETTERS}+)*")
OF_TIME = re.compile(r"(?<=[\w'′\u0307\u0308])\(t\)")
# + const, which an energy may have
CONSTANT = re.compile(r"\+[ \t]*(?:\\(?:text|mathrm|textrm)\{[ ]*[ck]onst\.?\}|[ck]onst(?:ant)?\b\.?(?![ \t]*[*/^=(]))")
SQUARED_NORM = re.compile(r"(?:\||‖)([^\W\d]\w*)(?:\||‖)[ \t]*(?:\^[ \t]*2|²|\*\*2)")
RAISED_OF_STEPS = "ce"  # letters above the names of steps: of composite bodies, and of moments about a joint's axis
_INDEX = r"_\s*(?:\{[\d\s,]*\}|\d)"
RAISED = re.compile(
    rf"(?<![A-Za-z\\])(?P<letter>[IFn])\s*(?P<before>{_INDEX})?\s*\^\s*"
    rf"\{{?\s*(?P<raised>[{RAISED_OF_STEPS}])(?![A-Za-z\d(])(?:\s*\}})?(?:\s*(?P<after>{_INDEX}))?(?!\s*_)"
)
# a rate in words, as in dd2 = d2 dot, and in other languages
DOTS_IN_WORDS = re.compile(
    r"(?<==)[ \t]*(?P<name>[A-Za-z]\w*)[ \t]+(?:(?P<two>dos|two|double|zwei|deux|dois|due)[ \t]+)?"
    r"(?:dots?|puntos?|punt[oi]|punkte?|points?|pontos?)(?=[ \t]*(?:[,;).]|$))",
    re.MULTILINE | re.IGNORECASE,
)


def with_common_signs(written: Written) -> Written:
    """Returns a text with common signs in place of Chinese ones, and separators in place of Chinese words."""
    text = Rewriting(written).sub(OF_TIME, "").sub(SQUARED_NORM, squared_norm).sub(RAISED, _lowered).sub(CONSTANT, "")
    text.sub(DOTS_IN_WORDS, lambda rate: rate["name"] + ("\u0308" if rate["two"] else "\u0307"))
    if not written.text.isascii():
        text.sub("[" + re.escape("".join(WIDE)) + "]", lambda match: WIDE[match[0]])
        text.sub(CHINESE, PROSE).sub("[⇒→⟹∴∵⟶]", PROSE).sub(r"(?<!\w)Σ(?=[ \t]*\w)", "∑")
    return text.done()


def squared_norm(match: re.Match[str]) -> str:
    """Returns a squared speed, |v|² or ‖ṗ‖², as the square of a name such as v."""
    inside = next(group for group in match.groups() if group).strip()
    inside = re.sub(r"\\(?:mathbf|boldsymbol|bm|vec|mathrm|bar)\s*(?:\{\s*(\w+)\s*\}|\s(\w))", r"\1\2", inside)
    inside = re.sub(r"^\\dot\s*(?:\{\s*\w+\s*\}|\w)", "v", inside)
    return f"{inside}^2" if re.fullmatch(r"\\?\w+(?:\{[\w ,]*\})?", inside) else f"({inside})^2"


def _lowered(name: re.Match[str]) -> str:
    """Returns Iᶜ_1 with its c in front of its index, as I_c1, so that it is not read as an exponent."""
    index = (name["before"] or name["after"] or "").strip("_{} ")
    index = index if "0" in index else re.sub(r"[\s,]", "", index)
    return f"{name['letter']}_{{{name['raised']}{index}}}"
