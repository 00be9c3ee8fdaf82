"""Replaces what occurs in all formats, Chinese signs and words, squared norms, and rates in words, by common signs."""

from __future__ import annotations

import re
from unicodedata import normalize

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
INDEXED_LEFT_SIDE = r"\s*_\s*(?:\{\s*\d+\s*\}|\d)\s*&?\s*="
SCRIPT = re.compile(r"\\math(?:cal|scr)\s*(?:\{\s*([A-Z])\s*\}|(?<=\s)([A-Z]))|([𝒜-𝒵ℬℰℱℋℐℳℛ])")
OF_SCRIPT = "cal"  # after a letter that is written in script beside the same letter in italics
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
    _scripts_apart(text)
    text.sub(DOTS_IN_WORDS, lambda rate: rate["name"] + ("\u0308" if rate["two"] else "\u0307"))
    if not written.text.isascii():
        text.sub("[" + re.escape("".join(WIDE)) + "]", lambda match: WIDE[match[0]])
        text.sub(CHINESE, PROSE).sub("[⇒→⟹∴∵⟶]", PROSE).sub(r"(?<!\w)Σ(?=[ \t]*\w)", "∑")
    return text.done()


def _scripts_apart(text: Rewriting) -> None:
    """Writes the script letter of 𝒢_1 as Gcal in an answer that has G_1, too, as reports with screws do."""
    scripts = {_letter(match) for match in re.finditer(SCRIPT.pattern + INDEXED_LEFT_SIDE, text.text)}
    italic = SCRIPT.sub("", text.text) if scripts else ""
    both = {each for each in scripts if re.search(rf"(?<![\w\\{{]){each}{INDEXED_LEFT_SIDE}", italic)}
    if both:
        text.sub(
            SCRIPT, lambda match: f"\\mathrm{{{_letter(match)}{OF_SCRIPT}}}" if _letter(match) in both else match[0]
        )


def _letter(match: re.Match[str]) -> str:
    return normalize("NFKC", next(filter(None, match.groups())))


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
