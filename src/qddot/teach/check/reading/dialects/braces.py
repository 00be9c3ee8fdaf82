"""Converts functions in C, C++, Java, JavaScript and Rust to equations for their return values."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.extents import end_of_value
from qddot.teach.check.reading.programs.functions import is_result, name_output, result_of
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, parted

ARGUMENTS = r"\((?:[^(){};\[\]]|\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\))*\)"
FUNCTION = re.compile(
    rf"(?P<name>[^\W\d]\w*)(?:<[^<>(){{}}]*>)?\s*(?P<arguments>{ARGUMENTS})\s*"
    r"(?:(?:const|noexcept|override|final|throws\s+\w+)\s*)*(?:(?:->|:)[^={};]*|:\s*\{[^{}]*\}\s*)?(?P<body>\{)"
)
CLOSURE = re.compile(
    rf"(?P<name>[^\W\d]\w*)[ \t]*(?::[^=;{{}}\n]*)?=\s*(?:\[[^\[\]\n]*\]\s*(?P<lambda>{ARGUMENTS})[^={{}};]*(?=\{{)|"
    rf"(?:async\s+)?(?P<arrow>{ARGUMENTS}|\w+)\s*(?::[^=;{{}}]*)?=>\s*|"
    r"(?:move\s*)?\|(?P<bars>[^|\n]*)\|\s*(?:->\s*[\w\[\]; ]+)?)"
)
STRUCTURE = re.compile(
    r"(?:^|(?<=[;{}]))[ \t]*(?:(?:export|default|public|abstract|final|pub|static|typedef)\s+)*"
    r"(?:struct|class|namespace|impl|enum|union|interface|mod|trait)\b[^{};=()]*\{",
    re.MULTILINE,
)
CONTROL = frozenset(["if", "for", "while", "switch", "else", "match", "catch", "do", "try", "return", "sizeof", "new"])
RETURN = re.compile(r"(?<![\w.])return\b\s*")
LISTED = re.compile(
    r"(?:std::)?(?:make_(?:pair|tuple|array)|tuple|pair|(?:[\w:]*(?:Vector|Matrix|Vec|Mat|vec|mat)\w*)(?:<[^<>]*>)?|"
    r"vec!|array!|Some|Ok)\s*(?=[\[({])"
)
STREAMED = re.compile(r"^\(\s*[\w:<>, ]+\(\s*\)\s*<<(?P<entries>.*)\)\s*\.\s*finished\(\)$", re.DOTALL)
MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?:\((?P<arguments>[\w, \t]*)\))?[ \t]+(?P<body>[^\n]+)$", re.M
)
MOST_MACROS = 2_000  # most uses of a macro to expand


def of_macros(text: Rewriting) -> None:
    """Expands macros such as #define SQR(x) ((x)*(x))."""
    macros = {match["name"]: match for match in MACRO.finditer(text.text)}
    text.blank(MACRO)
    for name, macro in macros.items():
        arguments = [each.strip() for each in (macro["arguments"] or "").split(",") if each.strip()]
        use, at = re.compile(rf"(?<![\w.]){name}" + (r"(?=[ ]*\()" if arguments else r"(?!\w)")), 0
        for _ in range(MOST_MACROS):
            if not (match := use.search(text.text, at)):
                break
            end, body = match.end(), macro["body"].strip()
            if arguments:
                start = text.text.index("(", end)
                end = closing(text.text, start, "()") + 1
                values = dict(zip(arguments, parted(text.text[start + 1 : end - 1]), strict=False))
                body = re.sub(r"[^\W\d]\w*", lambda word, of=values: of.get(word[0], word[0]).strip(), body)
            at = match.start() + len(body)
            text.replace(match.start(), max(end, match.end()), body)


def of_functions(text: Rewriting, *, last_is_returned: bool) -> None:
    """Replaces functions by equations: `double G2(double q) { return a; }` becomes `G2 = a;`.

    last_is_returned: whether an expression at the end of a body is the result, as in Rust
    """
    for match in reversed(list(CLOSURE.finditer(text.text))):
        _closure(text, match, last_is_returned)
    for match in reversed([each for each in FUNCTION.finditer(text.text) if each["name"] not in CONTROL]):
        _function(text, match, last_is_returned)
    while structure := STRUCTURE.search(text.text):
        end = closing(text.text, structure.end() - 1)
        if end < 0:
            return
        text.replace(end, end + 1, ";")
        text.replace(structure.start(), structure.end(), "")


def _closure(text: Rewriting, match: re.Match[str], last_is_returned: bool) -> None:
    """Replaces a function that is assigned to a name, as in f = (q) => a, by an equation for its value."""
    arguments = match["lambda"] or match["arrow"] or match["bars"] or ""
    is_block = text.text[match.end() : match.end() + 1] == "{"
    start = _start(text.text, match.start())
    if is_block:
        end = closing(text.text, match.end())
        if end >= 0:
            _body(text, start, match.end(), end, result_of(match["name"], arguments), last_is_returned)
        return
    end = end_of_value(text.text, match.end())
    text.replace(match.end(), end, listed(text.text[match.end() : end]))
    text.replace(start, match.end(), f" {result_of(match['name'], arguments)} = ")


def _function(text: Rewriting, match: re.Match[str], last_is_returned: bool) -> None:
    """Replaces a function by equations; one without return may write its result into an argument, out[0] = a."""
    start, end = _start(text.text, match.start()), closing(text.text, match.start("body"))
    if end < 0 or "=" in text.text[start : match.start()]:
        return
    result = result_of(match["name"], match["arguments"])
    outputs = re.findall(r"(\w+)\s*(?:\[[\d, ]*\]|\([\d, ]*\))+\s*=(?!=)", text.text[match.start("body") : end])
    own = re.findall(r"\w+", match["arguments"])
    if outputs and outputs[0] in own and not RETURN.search(text.text, match.start("body"), end):
        end = name_output(text, match.start("body"), end, result, outputs[0])
    _body(text, start, match.start("body"), end, result, last_is_returned)


def _body(text: Rewriting, start: int, opened: int, end: int, result: str, last_is_returned: bool) -> None:
    """Writes the return value of a body as the result, and removes the header and the braces."""
    text.replace(end, end + 1, ";")
    values = [(each.start(), each.end()) for each in RETURN.finditer(text.text, opened, end)]
    if not values and last_is_returned:
        last = max(text.text.rfind(sign, opened, end) for sign in ";{")
        last = last if last >= opened else opened
        values = [(last + 1, last + 1)] if text.text[last + 1 : end].strip() else []
    for at, after in reversed(values):
        stop = min(end_of_value(text.text, after), end)
        value = text.text[after:stop].strip()
        names = re.findall(r"[^\W\d]\w*", value)
        single = names[0] if re.fullmatch(r"[^\W\d]\w*", value) else ""
        if single and re.search(rf"(?<![\w.]){single}\s*(?:[\[(][^=;\n]*[\])])?\s*(?:=(?!=)|<<)", text.text[opened:at]):
            text.replace(at, stop, "")
            name_output(text, opened, at, result, single)
        elif re.fullmatch(r"[\[({]?[\w, \n]*[\])}]?", value) and len(names) > 1 and all(map(is_result, names)):
            text.replace(at, stop, "")
        else:
            text.replace(at, stop, f"; {result} = {listed(value)}")
    text.replace(start, opened + 1, " ")


def listed(value: str) -> str:
    """Returns a value of several numbers, {a, b} or make_pair(a, b), as a list."""
    value = value.strip()
    if streamed := STREAMED.match(value):
        return f"[{streamed['entries']}]"
    value = re.sub(r"new\s+\w+\s*(?:\[\d*\])*\s*(?=\{)", "", value)
    named = LISTED.match(value)
    if named and (end := closing(value, named.end(), {"(": "()", "[": "[]", "{": "{}"}[value[named.end()]])) >= 0:
        value = f"[{value[named.end() + 1 : end]}]{value[end + 1 :]}"
    value = re.sub(r"Vector\w*(?:<[^<>]*>)?\s*\{", "{", value)
    return value.translate(str.maketrans("{}", "[]"))


def _start(text: str, at: int) -> int:
    """Returns where the header with the name at a place begins."""
    return max(text.rfind(sign, 0, at) for sign in ";{}") + 1
