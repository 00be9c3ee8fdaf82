"""Converts notebooks and scripts in Mathematica, the Wolfram Language, to plain equations."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.program_names import of_camel
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, parted
from qddot.teach.check.reading.texts.written import Written

GREEK = re.compile(r"\\\[(?:Curly)?(Capital)?([A-Z][a-z]+)\]")
FUNCTIONS = re.compile(r"(?<![\w.])(Cos|Sin|Tan|Sqrt|Sign)(?=\[)")
SHOWN = re.compile(r"//[ \t]*(?:Simplify|FullSimplify|MatrixForm|Expand|TrigReduce|TrigExpand|Factor)\b")
NAMED_EQUATIONS = re.compile(r"^[ \t]*(?:eq|eom|ode|law|motion)\w*[ \t]*:?=(?!=)[ \t\n]*(?=[^;=]*==)[^\s]", re.M | re.I)
SOLVE = re.compile(r"(?<![\w.])(?:\w+[ \t]*=[ \t]*)?(?:N|D|ND)?Solve(?=\[)")
RULES = re.compile(r"\{(?=\s*\w+''\s*->)")
SCOPE = re.compile(r"(?<![\w.])(\w+(?:\[[^\[\]]*\])?[ \t]*:?=(?!=)\s*)?(?:Module|Block|With)(?=\[)")
ASSOCIATION = re.compile(r"(?:(?<![\w.])\w+[ \t]*=[ \t]*)?<\|")
ITERATED = re.compile(r"(?<!\w)(Table|Sum)\[")
ITERATOR = re.compile(r"\s*\{\s*(?P<name>\w+)\s*,\s*(?:(?P<first>\d+)\s*,\s*)?(?P<last>\d+)\s*\}\s*")
MOST_VALUES = 12  # of an iterator
WRAPPED = re.compile(r"(?<![\w.])(?:FullSimplify|Simplify|Expand|MatrixForm|TrigExpand|TrigReduce|Factor)(?=\[)")
PROMPT = re.compile(r"^In\[\d+\]:=[ \t]*", re.MULTILINE)
# In[5]:= G1 = D[V, q1], and below it Out[5]= with the value of G1
SHOWN_OF_NAME = re.compile(
    r"^(?P<typed>In\[(?P<k>\d+)\]:=[ \t]*(?P<name>\w+)[ \t]*=(?!=)[^\n]*\n)\s*Out\[(?P=k)\](?://\w+)?=", re.MULTILINE
)


def of_mathematica(written: Written) -> Written:
    """Returns the text of a notebook or a script with round brackets and the usual names of functions."""
    text = (
        Rewriting(written)
        .blank(r"\(\*(?:.|\n)*?\*\)")
        .sub(SHOWN_OF_NAME, lambda match: f"{match['typed']}{match['name']} =")
        .sub(PROMPT, "")
        .blank(r"^[ \t]*(?:Clear|ClearAll|Print|Needs|Get)\[[^\n]*", re.M)
    )
    text.sub(GREEK, lambda match: match[2].lower()).sub(SHOWN, "").sub(WRAPPED, "")
    text.sub(r"Subscript\[([\w\s,]+)\]", lambda match: "".join(re.findall(r"\w+", match[1])))
    text.sub(r"Derivative\[([12])\]\[(\w+)\](?:\[t\])?", lambda match: match[2] + "'" * int(match[1]))
    arrays = {match[1] for match in re.finditer(r"(?m)^\s*(\w+)(?:\[t_?\])?\s*:?=[^=\n]*\{", text.text)}
    text.sub(
        r"(?<!\w)D\[\s*(\w+)(?:\[t\])?\s*,\s*(?:t|\{t\s*,\s*([12])\})\s*\]",
        lambda m: m[0] if m[1] in arrays else m[1] + "'" * int(m[2] or 1),
    )
    text.sub(r"(?<=[\w'])\[t_?\]", "").sub(r"(?<=\w)_(?=\s*[,\]])", "").sub(FUNCTIONS, lambda match: match[1].lower())
    text.sub(r"(?<!\w)Transpose(?=\[)", "transpose").sub(r"(?<!\w)Pi(?!\w)", "pi").sub(r"(?<!\w)Dot(?!\w)", "")
    text.sub(r"(?<=[\w)\]}])[ \t]+\.[ \t]+(?=[\w({])", "*").sub(r"(?<=[A-Za-z\]}])\.(?=[A-Za-z({])", "*")
    text.sub(r"(?<!\w)D(?=\[)", "diff")
    of_camel(text)
    _associations(text)
    _tables(text)
    _solved(text)
    _rules(text)
    _scopes(text)
    _named_equations(text)
    _brackets(text)
    return text.sub(r"==", "=").done()


def _associations(text: Rewriting) -> None:
    """Writes <|"M" -> a, "G" -> b|> as M = a; G = b."""
    while opened := ASSOCIATION.search(text.text):
        end = text.text.find("|>", opened.end())
        if end < 0:
            return
        pairs = (part.split("->", 1) for part in parted(text.text[opened.end() : end]) if "->" in part)
        equations = [f"{name.strip().strip(chr(34))} = {value.strip()}" for name, value in pairs]
        text.replace(opened.start(), end + len("|>"), "; ".join(equations))


def _tables(text: Rewriting) -> None:
    """Writes Table[a, {i, 2}] and Sum[a, {i, 1, 2}] as a list and a sum, the innermost first."""
    while calls := list(ITERATED.finditer(text.text)):
        call = calls[-1]
        end = closing(text.text, call.end() - 1, "[]")
        parts = parted(text.text[call.end() : end]) if end >= 0 else []
        iterators = [ITERATOR.fullmatch(part) for part in parts[1:]]
        if not iterators or any(each is None or int(each["last"]) > MOST_VALUES for each in iterators):
            text.replace(call.start(), call.end() - 1, f"{call[1]}OfUnknown")
            continue
        value = parts[0].strip()
        for each in reversed(iterators):
            assert each is not None
            values = range(int(each["first"] or 1), int(each["last"]) + 1)
            terms = [re.sub(rf"(?<!\w){each['name']}(?!\w)", str(k), value) for k in values]
            value = f"({' + '.join(f'({term})' for term in terms)})" if call[1] == "Sum" else f"{{{', '.join(terms)}}}"
        text.replace(call.start(), end + 1, value)


def _solved(text: Rewriting) -> None:
    """Replaces sol = Solve[{a == b}, {x}] by its equations."""
    while solved := SOLVE.search(text.text):
        end = closing(text.text, solved.end(), "[]")
        parts = parted(text.text[solved.end() + 1 : end]) if end >= 0 else []
        if not parts:
            return
        equations = parted(parts[0].strip().removeprefix("{").removesuffix("}"))
        text.replace(solved.start(), end + 1, ";".join(equations))


def _rules(text: Rewriting) -> None:
    """Writes solutions for accelerations, {x'' -> a, y'' -> b}, as equations."""
    while rules := RULES.search(text.text):
        end = closing(text.text, rules.start())
        if end < 0:
            return
        text.replace(rules.start(), end + 1, ";".join(parted(text.text[rules.start() + 1 : end])).replace("->", "=="))


def _scopes(text: Rewriting) -> None:
    """Writes M = Module[{a = 1, b}, b = 2; a + b] as its assignments, a = 1; b = 2; M = a + b."""
    while scope := SCOPE.search(text.text):
        end = closing(text.text, scope.end(), "[]")
        parts = parted(text.text[scope.end() + 1 : end]) if end >= 0 else []
        if len(parts) != 2:
            return
        own = [each for each in parted(parts[0].strip().strip("{}")) if "=" in each]
        *steps, last = parted(parts[1], ";")
        text.replace(scope.start(), end + 1, "; ".join([*own, *steps, f"{scope[1] or ''}{last}"]))


def _named_equations(text: Rewriting) -> None:
    """Removes the names of equations, eq = a == b and eqs = {a == b, c == d}."""
    while named := NAMED_EQUATIONS.search(text.text):
        start, end = named.end() - 1, closing(text.text, named.end() - 1, "{}")
        if text.text[start] != "{" or end < 0:
            text.replace(named.start(), start, "")
        else:
            text.replace(named.start(), end + 1, ";".join(parted(text.text[start + 1 : end])))


def _brackets(text: Rewriting) -> None:
    """Writes calls f[x] and parts M[[1, 2]] in round brackets, and lists {…} in square ones."""
    letters, opened, k = list(text.text), list[str](), 0
    while k < len(letters):
        letter = letters[k]
        if letter == "[":
            before = "".join(letters[max(k - 1, 0) : k])
            is_part = letters[k + 1 : k + 2] == ["["]
            opened.append("part" if is_part else "call" if before.isalnum() or before in ("'", ")", "]") else "list")
            letters[k] = "(" if opened[-1] != "list" else "["
            if is_part:
                letters[k + 1] = " "
        elif letter == "]" and opened:
            kind = opened.pop()
            letters[k] = ")" if kind != "list" else "]"
            if kind == "part" and letters[k + 1 : k + 2] == ["]"]:
                letters[k + 1] = " "
        k += 1
    text.text = "".join({"{": "[", "}": "]"}.get(letter, letter) for letter in letters)
