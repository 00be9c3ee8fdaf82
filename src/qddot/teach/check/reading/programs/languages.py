"""Lists the notations of languages other than Python: each is a record of its signs, its words and its habits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

NEVER = r"(?!)"  # a pattern of nothing


class Notation(NamedTuple):
    """This is how a language of programs is written.

    base: the first index; last_is_returned: whether a function returns the value of its last statement
    has_braces: whether its blocks stand in braces, or else end with words
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

    name: str
    comments: str
    base: int = 1
    last_is_returned: bool = False
    has_braces: bool = False
    quotes: str = '"'
    words: Mapping[str, str] = {}
    idle: str = ""
    signs: Mapping[str, str] = {}
    suffixes: str = ""
    lines: bool = True
    commas: bool = False
    spaced: bool = False
    transposes: bool = False
    rounds: bool = False
    prompts: str = NEVER
    shown: str = NEVER
    blank_multiplies: bool = False
    angled: bool = False
    states: bool = False
    operators: Mapping[str, str] = {}
    cased: bool = True
    functions: Mapping[str, str] = {}


OF_C, OF_ML = r"/\*(?:.|\n)*?\*/", r"\(\*(?:.|\n)*?\*\)"  # comments
BLOCKS = {"for": "FOR", "while": "WHILE", "if": "IF", "elseif": "ELSEIF", "else": "ELSE", "end": "END"}
MATLAB = Notation(
    "matlab",
    comments=r"^[ \t]*[%#]\{[ \t]*\n(?:.|\n)*?^[ \t]*[%#]\}[^\n]*|[%#][^\n]*|\.\.\.[^\n]*\n?",
    quotes="\"'",
    words=BLOCKS
    | {"function": "FUNCTION", "return": "SKIP", "break": "SKIP", "switch": "SWITCH", "case": "CASE"}
    | {"otherwise": "CASE"}
    | dict.fromkeys(("endfunction", "endfor", "endif", "endwhile"), "END"),
    idle="syms clear clearvars clc close format disp fprintf printf assume assumeAlso global persistent warning "
    "figure plot latex pretty pkg hold xlabel ylabel legend title grid error assert addpath",
    commas=True,
    rounds=True,
    spaced=True,
    transposes=True,
)
JULIA = Notation(
    "julia",
    comments=r"#=(?:.|\n)*?=#|#[^\n]*",
    last_is_returned=True,
    words=BLOCKS | {"function": "FUNCTION", "in": "IN", "return": "RETURN", "begin": "BEGIN", "let": "BEGIN"},
    idle="using import println plot struct mutable export prob sol",
    signs={"~": "EQUAL", "∈": "IN"},
    spaced=True,
    transposes=True,
    operators={"//": "/"},
)
C = Notation(
    "c",
    comments=OF_C + r"|//[^\n]*|^[ \t]*#(?![ \t]*define)[^\n]*|\\\n",
    base=0,
    has_braces=True,
    quotes="\"'`",
    words={"for": "FOR", "while": "WHILE", "if": "IF", "else": "ELSE", "return": "RETURN"},
    idle="using import package use printf cout cerr println print console System assert throw extern static_assert "
    "break continue require",
    signs={"{": "LBRACE", "}": "RBRACE", "|": "BAR", "::": "SCOPE", "&": "REFERENCE", "=>": "MAPS", "'": "OTHER"}
    | {"++": "INCREMENT", "--": "INCREMENT"},
    suffixes=r"(?:_?f(?:32|64)|[fFlLuU]+)(?!\w)",
    lines=False,
    operators={"^": "xor", "/": "cut/"},
    rounds=True,
    functions={f"{each}f": each for each in ("sin", "cos", "tan", "sqrt", "pow", "fabs", "atan2")}
    | {each.capitalize(): each for each in ("sin", "cos", "tan", "sqrt", "pow")}
    | {"M_PI": "pi", "PI": "pi"},
)
MAPLE = Notation(
    "maple",
    comments=r"#[^\n]*|" + OF_ML,
    last_is_returned=True,
    states=True,
    words={"for": "FOR", "from": "EQUAL", "if": "IF", "else": "ELSE", "elif": "ELSEIF", "end": "END", "od": "END"}
    | {"fi": "END", "proc": "PROC", "return": "RETURN", "then": "SEP", "do": "SEP", "in": "IN"},
    idle="restart with local global option options description read interface assume",
    signs={":": "SEMI", ".": "PRODUCT", "'": "BLANK", "$": "COMMA", "|": "BAR"},
    prompts=r"^>[ \t]*",
    operators={".": "@"},
    angled=True,
    functions={"Pi": "pi", "Transpose": "transpose"},
)
MAXIMA = Notation(
    "maxima",
    comments=OF_C,
    last_is_returned=True,
    states=True,
    idle="depends declare kill load assume display",
    signs={":": "EQUAL", "::": "EQUAL", "$": "SEMI", ".": "PRODUCT", "'": "BLANK", "%": "BLANK"},
    prompts=r"^[ \t]*\(%i\d+\)[ \t]*",
    shown=r"^[ \t]*\(%o\d+\)[ \t]*",
    operators={".": "@"},
)
MATHEMATICA = Notation(
    "mathematica",
    comments=OF_ML + r"|//[ \t]*[A-Z]\w*",
    last_is_returned=True,
    idle="Clear ClearAll Print Needs Get Run Quit SetOptions",
    signs={".": "PRODUCT", "[": "CALL", "]": "CALLED", "_": "BLANK", "<|": "LSQB", "|>": "RSQB"},
    prompts=r"^In\[\d+\]:=[ \t]*",
    shown=r"^Out\[\d+\](?://\w+)?=[ \t]*",
    blank_multiplies=True,
    operators={".": "@"},
    functions={each.capitalize(): each for each in ("sin", "cos", "tan", "sqrt", "pi", "transpose", "sign")}
    | {"D": "diff", "Inverse": "inv"},
)
FORTRAN = Notation(
    "fortran",
    comments=r"^[Cc*](?=[ \t])(?![ \t]*=)[^\n]*|![^\n]*|&[ \t]*(?:![^\n]*)?\n[ \t]*&?",
    quotes="\"'",
    words={"do": "FOR", "if": "IF", "then": "SEP", "else": "ELSE", "elseif": "ELSEIF", "result": "RESULT"}
    | {"function": "FUNCTION", "subroutine": "FUNCTION", "program": "BEGIN", "module": "BEGIN"}
    | dict.fromkeys(("end", "enddo", "endif"), "END"),
    idle="pure elemental recursive real double integer logical implicit use contains call dimension parameter "
    "intent common write print stop type return character",
    signs={"%": "DOT"},
    suffixes=r"_\w+",
    cased=False,
    rounds=True,
    operators={"/": "cut/"},
    functions={"float": "double", "dble": "double"},
)
MODELICA = Notation(
    "modelica",
    comments=OF_C + r"|//[^\n]*|\"[^\"\n]*\"",
    quotes="\"'",
    states=True,
    words={"model": "BEGIN", "class": "BEGIN", "block": "BEGIN", "end": "END"}
    | dict.fromkeys(("Real", "input", "output", "final", "flow"), "BLANK"),
    idle="parameter constant import within annotation equation algorithm protected public initial",
    commas=True,
)
NOTATIONS = {each.name: each for each in (MATLAB, JULIA, C, MAPLE, MAXIMA, MATHEMATICA, FORTRAN, MODELICA)}
