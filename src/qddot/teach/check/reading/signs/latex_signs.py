"""Lists the LaTeX commands that occur in equations, with their meanings."""

from __future__ import annotations

import re

from qddot.algebra.expressions import identifiers

COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
SPACE = re.compile(r"\\[,;:!> ]")
WIDE = re.compile(r"(?:\\(?:quad|qquad|enspace|hfill)(?![A-Za-z])|\\hspace\*?\s*\{[^{}]*\}|\s|~|\\[,;:!> ])+")
WIDE_FIRST = re.compile(r"\\(?:quad|qquad|enspace|hfill|hspace)(?![A-Za-z])|(?:\\[;: ]){2}")
ROW = re.compile(r"\\\\\*?(?:[ \t]*\[[-\d. a-z]*\])?|\\(?:cr|newline|tabularnewline)(?![A-Za-z])")
ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{\s*([A-Za-z]+\*?)\s*\}")
OPTIONS = re.compile(r"(?:\s*\[[-\d. a-z]*\])?(?:\s*\{[lcr|@ \d]*\})?")
SIZED = re.compile(
    r"\\(?:left|right|middle|(?:big|Big|bigg|Bigg)[lrm]?)(?![A-Za-z])\s*"
    r"(\(|\)|\[|\]|\||\.|/|\\\{|\\\}|\\[lr](?:brace|brack|angle|paren|vert))"
)
BRACKETS = {"[": "(", "]": ")", "\\{": "(", "\\}": ")", "\\lbrace": "(", "\\rbrace": ")", "\\lbrack": "("}
BRACKETS |= {"\\rbrack": ")", "\\lparen": "(", "\\rparen": ")"}
MATRICES = frozenset({"bmatrix", "pmatrix", "matrix", "Bmatrix", "smallmatrix", "array"})
WITH_OPTIONS = MATRICES | {"alignat", "alignedat", "aligned", "gathered"}
GREEK = {**{name: name for name in identifiers.GREEK}, "ell": "ell", "hslash": "h"}
GREEK |= {f"var{name}": name for name in ("theta", "phi", "rho", "epsilon", "kappa", "pi", "sigma")}
ACCENTS = {"dot": 1, "ddot": 2}
FONTS = frozenset(
    {"mathrm", "mathit", "mathbf", "mathsf", "mathtt", "mathcal", "mathscr", "mathnormal", "mathbb", "boldsymbol"}
    | {"bm", "text", "textrm", "textit", "textbf", "rm", "operatorname", "mbox", "pmb", "mathfrak", "bar", "vec", "hat"}
    | {"tilde", "check", "breve", "overline", "underline", "widehat", "widetilde", "mathring", "textnormal", "mathop"}
)
SCRIPTS = frozenset({"mathcal", "mathscr"})
FUNCTIONS = {"cos": "cos", "sin": "sin", "sqrt": "sqrt", "sgn": "sgn", "sign": "sgn"}
FUNCTIONS |= {name: name for name in ("tan", "cot", "sec", "csc")}
FUNCTIONS |= dict.fromkeys(("frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac"), "frac")
PIS = ("pi", "varpi")
SIGNS = {
    "cdot": "*",
    "times": "*",
    "ast": "*",
    "div": "/",
    "pi": "pi",
    "varpi": "pi",
    "circ": "degree",
    "degree": "degree",
    "top": "transpose",
    "intercal": "transpose",
    "equiv": "=",
    "triangleq": "=",
    "coloneqq": "=",
    "approx": "=",
    "simeq": "=",
    "doteq": "=",
    "prime": "'",
    "star": "*",
    "bullet": "*",
    "lbrack": "[",
    "rbrack": "]",
    "partial": "partial",
}
LEFT_OUT = frozenset(
    {"displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "notag", "nonumber", "boxed", "left", "right"}
    | {"big", "Big", "bigg", "Bigg", "allowbreak", "nobreak", "small", "footnotesize", "normalsize", "hline", "it"}
    | {"thinspace", "medspace", "thickspace", "negthinspace", "ensuremath", "hskip", "Large", "large", "relax"}
)
LEFT_OUT_WITH_ARGUMENT = frozenset(
    {
        "label",
        "tag",
        "vspace",
        "phantom",
        "hphantom",
        "vphantom",
        "color",
        "ref",
        "eqref",
        "cite",
        "intertext",
    }
)
