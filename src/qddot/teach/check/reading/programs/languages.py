"""Lists the notations of languages other than Python: each is a record of its signs, its words and its habits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qddot.teach.check.reading.programs.form import Language

NO_WORDS: frozenset[str] = frozenset()


class Notation(NamedTuple):
    """This is how a language of programs is written.

    language: how it counts; grammar: the file of its grammar
    suffixes: a pattern of what stands behind numbers, such as f in 1.0f
    comments: a pattern of comments, and of signs that continue a line; quotes: the marks of texts
    words: the kinds of tokens of its key words; idle: words that begin statements without formulas, up to their end
    signs: the kinds of signs that mean something else than in most languages
    lines: whether a line ends a statement; commas: whether a comma does; spaced: whether blanks part entries, [a b]
    transposes: whether ' is transposition; rounds: whether entries have round brackets, M(1, 2)
    prompts, shown: patterns of what stands before an input, and before the output that it has
    blank_multiplies: whether a b is a product; angled: whether <a, b> is a column
    states: whether = states an equation and does not assign
    operators: what its signs mean where that differs; cased: whether capitals differ from small letters
    functions: its functions that have another name in formulas
    """

    language: Language
    grammar: str
    comments: str
    quotes: str = "\"'"
    words: Mapping[str, str] = {}
    idle: frozenset[str] = NO_WORDS
    signs: Mapping[str, str] = {}
    suffixes: str = ""
    lines: bool = True
    commas: bool = False
    spaced: bool = False
    transposes: bool = False
    rounds: bool = False
    prompts: str = r"(?!)"
    shown: str = r"(?!)"
    blank_multiplies: bool = False
    angled: bool = False
    states: bool = False
    operators: Mapping[str, str] = {}
    cased: bool = True
    functions: Mapping[str, str] = {}


BLOCKS = {"for": "FOR", "while": "WHILE", "if": "IF", "elseif": "ELSEIF", "else": "ELSE", "end": "END"}
MATLAB = Notation(
    Language("matlab", 1),
    "keywords.lark",
    comments=r"^[ \t]*[%#]\{[ \t]*\n(?:.|\n)*?^[ \t]*[%#]\}[^\n]*|[%#][^\n]*|\.\.\.[^\n]*\n?",
    words={
        **BLOCKS,
        "function": "FUNCTION",
        "return": "SKIP",
        "switch": "SWITCH",
        "case": "CASE",
        "otherwise": "CASE",
        "endfunction": "END",
        "endfor": "END",
        "endif": "END",
        "endwhile": "END",
        "break": "SKIP",
    },
    idle=frozenset(
        [
            "syms",
            "clear",
            "clearvars",
            "clc",
            "close",
            "format",
            "disp",
            "fprintf",
            "printf",
            "assume",
            "assumeAlso",
            "global",
            "persistent",
            "warning",
            "figure",
            "plot",
            "latex",
            "pretty",
            "pkg",
            "hold",
            "xlabel",
            "ylabel",
            "legend",
            "title",
            "grid",
            "error",
            "assert",
            "addpath",
            "return",
            "break",
        ]
    ),
    commas=True,
    rounds=True,
    spaced=True,
    transposes=True,
)
JULIA = Notation(
    Language("julia", 1, last_is_returned=True),
    "keywords.lark",
    comments=r"#=(?:.|\n)*?=#|#[^\n]*",
    quotes='"',
    words={**BLOCKS, "function": "FUNCTION", "in": "IN", "return": "RETURN", "begin": "BEGIN", "let": "BEGIN"},
    idle=frozenset(["using", "import", "println", "plot", "struct", "mutable", "export", "const_", "prob", "sol"]),
    signs={"~": "EQUAL", "∈": "IN", "'": "QUOTE", "%": "PRODUCT"},
    spaced=True,
    transposes=True,
    operators={"//": "/"},
)
C = Notation(
    Language("c", divides_whole=True),
    "braces.lark",
    comments=r"/\*(?:.|\n)*?\*/|//[^\n]*|^[ \t]*#(?![ \t]*define)[^\n]*|\\\n",
    quotes="\"'`",
    words={"for": "FOR", "while": "WHILE", "if": "IF", "else": "ELSE", "return": "RETURN"},
    idle=frozenset(
        [
            "using",
            "import",
            "package",
            "use",
            "printf",
            "cout",
            "cerr",
            "println",
            "print",
            "console",
            "System",
            "assert",
            "throw",
            "extern",
            "typedef_",
            "static_assert",
            "break",
            "continue",
            "require",
        ]
    ),
    signs={
        "{": "LBRACE",
        "}": "RBRACE",
        "|": "BAR",
        "::": "SCOPE",
        "&": "REFERENCE",
        "&&": "LOGICAL",
        "->": "ARROW",
        "=>": "MAPS",
        "++": "INCREMENT",
        "--": "INCREMENT",
        ".": "DOT",
        "'": "OTHER",
    },
    suffixes=r"(?:_?f(?:32|64)|[fFlLuU]+)(?!\w)",
    lines=False,
    operators={"^": "xor"},
    rounds=True,
    functions={f"{each}f": each for each in ("sin", "cos", "tan", "sqrt", "pow", "fabs", "atan2")}
    | dict.fromkeys(("M_PI", "PI"), "pi")
    | {each.capitalize(): each for each in ("sin", "cos", "tan", "sqrt", "pow")},
)
MAPLE = Notation(
    Language("maple", 1, last_is_returned=True),
    "keywords.lark",
    states=True,
    comments=r"#[^\n]*|\(\*(?:.|\n)*?\*\)",
    quotes='"',
    words={"for": "FOR", "from": "EQUAL", "if": "IF", "else": "ELSE", "elif": "ELSEIF", "end": "END", "od": "END"}
    | {"fi": "END", "proc": "PROC", "return": "RETURN", "then": "SEP", "do": "SEP", "in": "IN"},
    idle=frozenset(
        ["restart", "with", "local", "global", "option", "options", "description", "read", "interface", "assume"]
    ),
    signs={":": "SEMI", ".": "PRODUCT", "'": "BLANK", "$": "COMMA", "|": "BAR"},
    prompts=r"^>[ \t]*",
    operators={".": "@"},
    angled=True,
    functions={"Pi": "pi", "Transpose": "transpose"},
)
MAXIMA = Notation(
    Language("maxima", 1, last_is_returned=True),
    "keywords.lark",
    states=True,
    comments=r"/\*(?:.|\n)*?\*/",
    quotes='"',
    idle=frozenset(["depends", "declare", "kill", "load", "assume", "display"]),
    signs={":": "EQUAL", "::": "EQUAL", "$": "SEMI", ".": "PRODUCT", "'": "BLANK", "%": "BLANK"},
    prompts=r"^[ \t]*\(%i\d+\)[ \t]*",
    shown=r"^[ \t]*\(%o\d+\)[ \t]*",
    operators={".": "@"},
)
MATHEMATICA = Notation(
    Language("mathematica", 1, last_is_returned=True),
    "keywords.lark",
    comments=r"\(\*(?:.|\n)*?\*\)|//[ \t]*[A-Z]\w*",
    quotes='"',
    idle=frozenset(["Clear", "ClearAll", "Print", "Needs", "Get", "Run", "Quit", "SetOptions"]),
    signs={".": "PRODUCT", "[": "CALL", "]": "CALLED", "_": "BLANK", "<|": "LSQB", "|>": "RSQB"},
    prompts=r"^In\[\d+\]:=[ \t]*",
    shown=r"^Out\[\d+\](?://\w+)?=[ \t]*",
    blank_multiplies=True,
    operators={".": "@"},
    functions={each.capitalize(): each for each in ("sin", "cos", "tan", "sqrt", "pi", "transpose", "sign")}
    | {"D": "diff", "Inverse": "inv"},
)
FORTRAN = Notation(
    Language("fortran", 1, divides_whole=True),
    "keywords.lark",
    comments=r"^[Cc*](?=[ \t])(?![ \t]*=)[^\n]*|![^\n]*|&[ \t]*(?:![^\n]*)?\n[ \t]*&?",
    words={"do": "FOR", "if": "IF", "then": "SEP", "else": "ELSE", "elseif": "ELSEIF", "end": "END"}
    | {"function": "FUNCTION", "subroutine": "FUNCTION", "program": "BEGIN", "module": "BEGIN", "enddo": "END"}
    | {"endif": "END", "result": "RESULT"},
    idle=frozenset(
        [
            "pure",
            "elemental",
            "recursive",
            "real",
            "double",
            "integer",
            "logical",
            "implicit",
            "use",
            "contains",
            "call",
            "dimension",
            "parameter",
            "intent",
            "common",
            "write",
            "print",
            "stop",
            "type",
            "return",
            "character",
        ]
    ),
    signs={"%": "DOT"},
    suffixes=r"_\w+",
    cased=False,
    commas=False,
    rounds=True,
)
MODELICA = Notation(
    Language("modelica", 1),
    "keywords.lark",
    states=True,
    comments=r"/\*(?:.|\n)*?\*/|//[^\n]*|\"[^\"\n]*\"",
    words={"model": "BEGIN", "class": "BEGIN", "block": "BEGIN", "end": "END"}
    | dict.fromkeys(("Real", "input", "output", "final", "flow"), "BLANK"),
    idle=frozenset(
        [
            "parameter",
            "constant",
            "import",
            "within",
            "annotation",
            "equation",
            "algorithm",
            "protected",
            "public",
            "initial",
        ]
    ),
    commas=True,
)
NOTATIONS = {each.language.name: each for each in (MATLAB, JULIA, C, MAPLE, MAXIMA, MATHEMATICA, FORTRAN, MODELICA)}
