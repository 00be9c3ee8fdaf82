"""Converts LaTeX documents to formulas: without macros, cancelled terms and the words between formulas."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.common_signs import squared_norm
from qddot.teach.check.reading.dialects.latex_macros import of_macros
from qddot.teach.check.reading.texts.rewriting import PROSE, Rewriting, closing
from qddot.teach.check.reading.texts.written import Written

COMMENT = re.compile(r"(?<!\\)%[^\n]*")
STRUCK = re.compile(r"\\(?:cancel|bcancel|xcancel|sout|st|hcancel|[hv]?phantom)\s*(?=\{)")
OFF = re.compile(r"\\iffalse(?![A-Za-z]).*?\\fi(?![A-Za-z])", re.DOTALL)
TEXT = re.compile(r"\\(?:text|mbox|textrm|intertext|shortintertext|textit|textbf|textnormal|hbox)\s*\{([^{}]*)\}")
SYMMETRIC = re.compile(r"\\(?:text|mbox|textrm|mathrm|textit)\s*\{\s*\(?[Ss]ym(?:m(?:etric)?)?\.?\)?\s*\}")
OLD_FONT = re.compile(r"\{\s*\\(?:bf|rm|it|sf|cal|boldmath)\s+([^{}]*?)\s*\}")
VERBATIM = re.compile(r"\\begin\{(verbatim|lstlisting|comment|tikzpicture)\}.*?\\end\{\1\}", re.DOTALL)
ARROWS = re.compile(
    r"\\(?:Rightarrow|implies|Longrightarrow|therefore|because|iff|Leftrightarrow|rightarrow|to|mapsto)(?![A-Za-z])"
)
OF_TIME = re.compile(r"\{\s*\\left\(\s*t\s*\\right\)\s*\}|\\left\(\s*t\s*\\right\)|(?<=[\w}'])\s*\(\s*t\s*\)")
# commands that decorate or colour their last argument, with their number of arguments
AROUND = dict.fromkeys(("underbrace", "overbrace", "mathop", "smash", "mathclap", "fbox", "Aboxed", "num", "hl"), 1)
AROUND |= dict.fromkeys(("textcolor", "colorbox", "underset", "overset", "stackrel"), 2)
WRAPPER = re.compile(rf"\\({'|'.join(AROUND)})(?![A-Za-z])\s*(?=\{{)")
LABEL_OF_BRACE = re.compile(r"\s*[_^]\s*(?=\{)")
# a pose with both frames before its letter, {}^0_3T
FRAMES = re.compile(
    r"(?:\{\s*\})?\s*\^\s*\{?0\}?\s*_\s*\{?(\d)\}?\s*(\\(?:mathbf|boldsymbol|mathrm|bm|mathit)\s*\{\s*T\s*\}|T(?![\w_^]))"
)
OF_BASE = re.compile(r"(?<==)\s*\{\s*\}\s*\^\s*\{?0\}?\s*(?=T\s*_)")  # in front of a pose on the right: = {}^0T_2
# a name below a brace; C q̇ is the name of h
LABEL = re.compile(
    r"\s*:?=?:?\s*(?P<name>\\?[A-Za-z]+(?:_\{?\w+\}?)?(?:\s*\([^()=]*\))?)"
    r"(?P<rates>\s*\\dot\s*\{?\s*(?:q|\\theta)\s*\}?)?\s*"
)
DECORATED = re.compile(
    r"\\(hat|bar|tilde|check|breve|overline|widehat|widetilde|mathring)\s*"
    r"(?:\{\s*(\\?[A-Za-z]+)(?:_\{?\w+\}?)?\s*\}|(\\[A-Za-z]+|[A-Za-z]))(?:\s*_\s*(?:\{[^{}]*\}|\w))?"
    r"(?P<defined>\s*&?\s*(?:=|:=|\\equiv|\\triangleq|\\coloneqq))?"
)
SAME = re.compile(r"\$([^$=\n]{1,30})\$\s*\(\s*\$\s*(?:=|\\equiv)\s*([^$=\n]{1,30})\$\s*\)")  # $\alpha$ ($= q_1$)
# of a table, with a name in its first cell and the formula in its second: $M_{11}$ & $m l^2$ \\\\
ROW_OF_TABLE = re.compile(
    r"(?m)(^|\\\\|\\hline|\})\s*(?<!\\)\$([A-Za-z\\][^$&=\n]{0,40})(?<!\\)\$\s*&\s*(?:\\displaystyle\s*)?(?<!\\)\$([^$&=]+)(?<!\\)\$"
    r"((?:\s*&[^&=\\\n]{0,200})?\s*(?:\\\\|\\tabularnewline|\\end\b|\\hline))"
)
FRACTION = re.compile(r"\\(?:[tdc]?frac|nicefrac|sfrac)(?![A-Za-z])")
PART_OF_FRACTION = re.compile(r"\s*(\{|\\[A-Za-z]+|[^\s\\}])")
# squared norms, |v|² and ‖v‖²
SQUARED_NORM = re.compile(
    r"\\left\s*(?:\\?\||\\[lr]?[vV]ert)((?:(?!\\left|\\right|=).){1,40}?)\\right\s*(?:\\?\||\\[lr]?[vV]ert)\s*\^\s*\{?2\}?|"
    r"(?:\\\||\\[lr]?[vV]ert)((?:(?!\\\||\\[lr]?[vV]ert|=).){1,40}?)(?:\\\||\\[lr]?[vV]ert)\s*\^\s*\{?2\}?|"
    r"\|([^|=\n]{1,40})\|\s*\^\s*\{?2\}?"
)
END_OF_PROOF = re.compile(r"\\(?:blacksquare|square|Box|checkmark|qed|qedhere)(?![A-Za-z])")
COLUMN = re.compile(r"\\[dt]?binom(?![A-Za-z])\s*(?=\{)")
I = r"(?:\\mathrm\s*\{\s*[ij]\s*\}|[ij])"
E = r"(?:\\mathrm\s*\{\s*e\s*\}|(?<![A-Za-z\\])e)"
EXPONENTIAL = re.compile(rf"{E}\s*\^\s*\{{\s*{I}\s*(?P<angle>(?:[^{{}}]|\{{[^{{}}]*\}})+)\}}")
SUM_OF_EXPONENTIALS = re.compile(EXPONENTIAL.pattern + rf"\s*\+\s*{E}\s*\^\s*\{{\s*-\s*{I}\s*(?P=angle)\}}")
# a row whose entries stand apart, as in [0 \\;\\; -g \\;\\; 0]^T
WIDE_SPACE = re.compile(r"(?:\\;\s*){2,}|\\q?quad(?![A-Za-z])\s*|(?:\\ ){2,}")
SPACED_ROW = re.compile(r"(?<!\\)\[[^\[\]=&]*?(?:\\;\s*\\;|\\q?quad|\\ \\ )[^\[\]=&]*\](?=\s*\^)")
# a value with its unit, of the package siunitx
VALUE = re.compile(r"\\(?:SI|qty)(?![A-Za-z])\s*(?:\[[^\]]*\])?\s*(?=\{)")
UNITS = {"kilogram": "kg", "gram": "g", "metre": "m", "meter": "m", "second": "s", "newton": "N", "joule": "J"}
UNITS |= {"radian": "rad", "degree": "°", "watt": "W", "hertz": "Hz"}
PREFIXES = {"kilo": "k", "centi": "c", "milli": "m"}
POWERS = {"squared": "^2", "cubed": "^3", "per": "/"}
ANGLE = re.compile(r"\\ang\s*(?:\[[^\]]*\])?\s*\{([^{};]*)\}")
UNIT = re.compile(r"\\(?:si|unit)\s*\{[^{}]*\}")
DETERMINANT = re.compile(
    r"\\det\s*\(?\s*(?:\\(?:mathbf|boldsymbol|bm)\s*)?\{?\s*M\s*\}?\s*(?:\(\s*q\s*\)\s*)?\)?(?=\s*=)"
)
# a zero with its size, as 0_{3\times3} and \mathbf{0}_2
ZERO_OF_SIZE = re.compile(
    r"(?<![\w.}\\])(?:\\(?:mathbf|boldsymbol|bm|mathrm)\s*\{?\s*)?0\s*\}?_(?:[\dn]|\{[\dn]\s*(?:(?:\\times|,)\s*[\dn]\s*)?\})"
)
# a condition after an equation, as in D > 0
OF_SIGN = re.compile(
    r"(?:>|<|\\(?:geq?|leq?|neq?|succ|succeq|prec|preceq|gt|lt|geqslant|leqslant)(?![A-Za-z]))\s*(?:\\mathbf\s*)?\{?0\}?"
    r"(?=\s*(?:[,;.]?\s*(?:\$|\\\]|\\\)|\\end|\\quad|\\qquad|$)))"
)
# commands of the package physics
QUANTITY = re.compile(r"\\(?:qty|quantity|pqty|bqty)(?![A-Za-z])\s*\*?\s*(?=[({\[])")
BY = re.compile(r"\\(dv|pdv|derivative|partialderivative|diff|diffp|od|pd)(?![A-Za-z])\s*\*?\s*(?:\[(\d)\])?\s*(?=\{)")
# of plain TeX: \pmatrix{a & b \cr c & d}
PLAIN_MATRIX = re.compile(r"\\(b?p?matrix|cases)(?![A-Za-z])\s*(?=\{)")
# x: & … in front of an equation of an alignment
LABEL_OF_ROW = re.compile(
    r"(\\begin\{(?:align|gather|aligned|alignat|eqnarray|array|cases)\*?\}(?:\{[^{}]*\})?|\\\\(?:\[[^\]]*\])?)"
    r"\s*(?:\\?[A-Za-z]+(?:_\{?\w+\}?)?|\\(?:text|mathrm)\{[^{}]{0,30}\})\s*:\s*(?=&)"
)
SAID_SYMMETRIC = re.compile(
    r"(?:\\q?quad|\\[,;: ]|[ \t~])*\\(?:text|mbox|textrm|mathrm)\s*\{\s*\(\s*[Ss]ymm?(?:etric|\.)?\s*\)\s*\}"
)
_SIGN_OF_UNIT = r"(?:kg|rad|m|s|N|J)"
UNIT_OF_MATRIX = re.compile(
    rf"(?<=matrix\}})(?:\\[,;: ]|[ \t~])*\\(?:mathrm|text|textrm|mbox)\s*\{{\s*"
    rf"(?:{_SIGN_OF_UNIT}(?:\^\{{?-?\d\}}?|[²³])?(?:\\[,;: ]|[·/~ ]|\\cdot\s*)*)+\}}"
)
# a letter with primes that a text defines, M' = \partial M_{11}/\partial q_2
PRIMED = re.compile(r"(?<![A-Za-z\\_{}\d'])([A-Z])('{1,2})(?=\s*&?\s*=)")
WORDS_IN_A_ROW = (
    "and or with where so then hence thus therefore we get have for if else is are of the by from since "
    "because when which gives yields i.e e.g also let using note that becomes otherwise"
)
WORDS = frozenset(WORDS_IN_A_ROW.split())


def of_latex(written: Written) -> Written:
    """Returns a LaTeX text without comments and macros; a separator replaces words between formulas."""
    text = Rewriting(written).blank(COMMENT).blank(VERBATIM).blank(OFF)
    of_macros(text)
    while struck := STRUCK.search(text.text):
        end = closing(text.text, struck.end())
        text.replace(struck.start(), end + 1 if end >= 0 else struck.end(), " ")
    _brace_fractions(text)
    _columns(text)
    _plain_matrices(text)
    _primed_names(text)
    text.sub(LABEL_OF_ROW, lambda row: row[1])
    text.sub(SAID_SYMMETRIC, " ").sub(UNIT_OF_MATRIX, " ")
    text.sub(SPACED_ROW, _spaced_row)
    _exponentials(text)
    _values(text)
    text.sub(END_OF_PROOF, " ").sub(OF_SIGN, " ").sub(ZERO_OF_SIZE, "0").sub(DETERMINANT, r"\mathrm{detM}")
    _unwrap(text)
    text.sub(SQUARED_NORM, squared_norm)
    _decorations(text)
    _quotients_of_differentials(text)
    text.sub(FRAMES, lambda match: f"{{}}^{{0}}{match[2]}_{{{match[1]}}}").sub(OF_BASE, " ").sub(QUANTITY, " ").sub(
        OF_TIME, " "
    )
    text.sub(SYMMETRIC, "\\mathrm{sym}").sub(OLD_FONT, lambda match: f"\\mathbf{{{match[1]}}}").sub(TEXT, _words)
    text.sub(ROW_OF_TABLE, lambda row: f"{row[1]} ${row[2]} = {row[3]}$ {row[4]}")
    text.sub(ARROWS, PROSE).sub(SAME, lambda match: f"${match[1]} = {match[2]}$")
    text.sub(r"\^\s*\{\s*((?:\\prime\s*)+|'+)\s*\}|\^\s*(\\prime)(?![A-Za-z])|\\prime(?![A-Za-z])", _primes)
    return text.done()


def _decorations(text: Rewriting) -> None:
    """Gives names of their own to decorated letters that are defined beside bare ones: \\hat J_1 = J_1 + …"""
    defined = {(each[1], each[2] or each[3]) for each in DECORATED.finditer(text.text) if each["defined"]}
    for accent, letter in sorted(defined):
        bare = DECORATED.sub("", text.text)
        if re.search(rf"(?<![A-Za-z\\]){re.escape(letter)}(?![A-Za-z])", bare):
            # in \bar mg the bar is on m only
            name, end = accent + letter.lstrip("\\"), "" if len(letter) == 1 else r"(?![A-Za-z])"
            text.sub(rf"\\{accent}\s*\{{\s*{re.escape(letter)}{end}(?=\s*\}})", f"\\mathrm{{{name}")
            text.sub(rf"\\{accent}\s*\{{\s*{re.escape(letter)}(?![A-Za-z])", f"\\mathrm{{{name}")
            text.sub(rf"\\{accent}\s*{re.escape(letter)}{end}", f"\\mathrm{{{name}}}")


def _brace_fractions(text: Rewriting) -> None:
    """Puts braces around the parts of \\frac l2 and \\frac1{12} that have none."""
    at = 0
    while fraction := FRACTION.search(text.text, at):
        at = fraction.end()
        for _ in range(2):
            part = PART_OF_FRACTION.match(text.text, at)
            if part is None:
                break
            if part[1].startswith("{"):
                at = max(closing(text.text, part.start(1)) + 1, part.end())
            else:
                text.replace(part.start(), part.end(), f"{{{part[1]}}}")
                at = part.start() + len(part[1]) + 2
        at = fraction.end()


def _columns(text: Rewriting) -> None:
    """Writes \\binom{a}{b}, which in mechanics is a column, as a matrix."""
    while column := COLUMN.search(text.text):
        spans, end = _braces(text.text, column.end(), 2)
        if len(spans) < 2:
            return
        rows = r" \\ ".join(text.text[slice(*span)] for span in spans)
        text.replace(column.start(), end, rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}")


def _plain_matrices(text: Rewriting) -> None:
    """Writes the matrices of plain TeX, \\pmatrix{a & b \\cr c & d}, as environments."""
    at = 0
    while matrix := PLAIN_MATRIX.search(text.text, at):
        spans, end = _braces(text.text, matrix.end(), 1)
        at = matrix.end()
        if spans:
            rows = re.sub(r"\\cr(?![A-Za-z])", r"\\\\", text.text[slice(*spans[0])])
            text.replace(matrix.start(), end, rf"\begin{{{matrix[1]}}}{rows}\end{{{matrix[1]}}}")


def _primed_names(text: Rewriting) -> None:
    """Gives names of their own to capital letters with primes that a text defines, which are no rates."""
    for letter, primes in sorted({each.groups() for each in PRIMED.finditer(text.text)}, reverse=True):
        name = f"{letter}prime{'prime' * (len(primes) - 1)}"
        text.sub(rf"(?<![A-Za-z\\]){letter}{primes}(?!')", f"\\mathrm{{{name}}}")


def _exponentials(text: Rewriting) -> None:
    """Writes e^{ia} + e^{-ia} as 2 cos a, and any other e^{ia}, a point of the plane, as the column (cos a, sin a)."""
    text.sub(SUM_OF_EXPONENTIALS, lambda pair: rf"2\cos\left({pair['angle'].strip()}\right)")
    text.sub(
        EXPONENTIAL,
        lambda point: (
            rf"\begin{{pmatrix}} \cos\left({point['angle']}\right) \\ \sin\left({point['angle']}\right) \end{{pmatrix}}"
        ),
    )


def _spaced_row(row: re.Match[str]) -> str:
    """Returns a row with commas between entries that stand apart, unless it has commas."""
    return row[0] if re.search(r"(?<!\\),", row[0]) else WIDE_SPACE.sub(" , ", row[0])


def _values(text: Rewriting) -> None:
    """Writes \\SI{2}{\\kilogram} as a number with its unit, 2 kg."""
    text.sub(UNIT, " ").sub(ANGLE, lambda angle: rf"{angle[1]}^\circ")
    at = 0
    while value := VALUE.search(text.text, at):
        spans, end = _braces(text.text, value.end(), 2)
        at = value.end()
        if len(spans) == 2:
            number, unit = (text.text[slice(*span)] for span in spans)
            text.replace(value.start(), end, rf"{number}\,\mathrm{{{_unit(unit)}}}")


def _unit(unit: str) -> str:
    """Returns the symbol of a unit that is given by commands, \\kilogram\\metre\\squared, or by symbols."""
    signs, before = "", ""
    for command in re.findall(r"\\[a-z]+|[^\\\s.]+", unit):
        word = command.removeprefix("\\")
        starts = word in UNITS or word in PREFIXES
        signs += " " if starts and before and before != "per" and before not in PREFIXES else ""
        signs += UNITS.get(word) or PREFIXES.get(word) or POWERS.get(word) or word
        before = word
    return signs


def _unwrap(text: Rewriting) -> None:
    """Replaces commands such as \\underbrace{…}_{…} and \\textcolor{red}{…} by their content."""
    at = 0
    while wrapper := WRAPPER.search(text.text, at):
        spans, end = _braces(text.text, wrapper.end(), AROUND[wrapper[1]])
        at = wrapper.end()
        if len(spans) < AROUND[wrapper[1]]:
            continue
        start, stop = spans[-1]
        label = LABEL_OF_BRACE.match(text.text, end) if wrapper[1].endswith("brace") else None
        end = closing(text.text, label.end()) + 1 if label else end
        if label and (name := LABEL.fullmatch(text.text[label.end() + 1 : end - 1])):
            name_of = "h" if name["rates"] else name["name"]
            text.append(f" $ {name_of} = {{{text.text[start:stop]}}} $ ", start)
        text.replace(stop, max(end, stop), " ")
        text.replace(wrapper.start(), start, " ")
        at = wrapper.start()


def _braces(text: str, at: int, count: int) -> tuple[list[tuple[int, int]], int]:
    """Returns the spans inside some pairs of braces, and the place after the last one."""
    spans = list[tuple[int, int]]()
    while len(spans) < count and (opened := re.compile(r"\s*\{").match(text, at)):
        end = closing(text, opened.end() - 1)
        if end < 0:
            break
        spans.append((opened.end(), end))
        at = end + 1
    return spans, at


def _quotients_of_differentials(text: Rewriting) -> None:
    """Writes \\dv{q}{t} and \\pdv{L}{q}, of the package physics, as fractions."""
    while by := BY.search(text.text):
        spans, end = _braces(text.text, by.end(), 2)
        if not spans:
            text.replace(by.start(), by.end(), "\\unknown")
            continue
        d, inside = "\\partial " if "p" in by[1] else "d ", [text.text[slice(*span)] for span in spans]
        of, variable = inside if len(inside) == 2 else ("", inside[0])
        power = f"^{by[2]}" if by[2] else ""
        text.replace(by.start(), end, f"\\frac{{{d.strip()}{power} {of}}}{{{d}{variable}{power}}}")


def _primes(match: re.Match[str]) -> str:
    """Returns one prime for each that is typed, as a sign or a command."""
    inner = match[1] or match[0]
    return "'" * max(inner.count("prime"), inner.count("'"))


def _words(match: re.Match[str]) -> str:
    """Returns a separator in place of words; a name in \\text{…} is returned unchanged."""
    words = match[1].strip()
    is_prose = (
        " " in words
        or words.startswith("(")
        or re.search(r"[^\x00-\u024f]", words)
        or words.lower().rstrip(",.;:") in WORDS
    )
    return PROSE if is_prose or not words else match[0]
