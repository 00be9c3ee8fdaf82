"""Converts texts of Mathematica, Maple, Maxima and Typst to plain equations."""

from __future__ import annotations

import re

from qddot.check.reading.dialects.functions import result_of
from qddot.check.reading.dialects.latex import PROSE
from qddot.check.reading.dialects.programs import of_camel
from qddot.check.reading.texts.rewriting import Rewriting, closing, parted
from qddot.check.reading.texts.written import Written

GREEK_OF_MATHEMATICA = re.compile(r"\\\[(?:Curly)?(Capital)?([A-Z][a-z]+)\]")
FUNCTIONS = re.compile(r"(?<![\w.])(Cos|Sin|Tan|Sqrt|Sign)(?=\[)")
SHOWN = re.compile(r"//[ \t]*(?:Simplify|FullSimplify|MatrixForm|Expand|TrigReduce|TrigExpand|Factor)\b")
NAMED_EQUATIONS = re.compile(r"^[ \t]*(?:eq|eom|ode|law|motion)\w*[ \t]*:?=(?!=)[ \t\n]*(?=[^;=]*==)[^\s]", re.M | re.I)
SOLVE = re.compile(r"(?<![\w.])(?:\w+[ \t]*=[ \t]*)?(?:N|D|ND)?Solve(?=\[)")
RULES = re.compile(r"\{(?=\s*\w+''\s*->)")
SCOPE = re.compile(r"(?<![\w.])(\w+(?:\[[^\[\]]*\])?[ \t]*:?=(?!=)\s*)?(?:Module|Block|With)(?=\[)")
ASSOCIATION = re.compile(r"(?:(?<![\w.])\w+[ \t]*=[ \t]*)?<\|")
# of Maple, a procedure and what it returns
PROCEDURE = re.compile(r"(?P<name>\w+)[ \t]*:=[ \t]*proc[ \t]*\((?P<arguments>[^()]*)\)(?:[ \t]*::[^;\n]*;)?")
LOCALS = re.compile(r"(?:^|(?<=[;\s]))[ \t]*(?:local|global|option|options|description)\b[^;:]*[;:]")
END_OF_PROCEDURE = re.compile(r"(?<!\w)end(?:[ \t]+proc)?[ \t]*(?:[;:]|$)", re.MULTILINE)
RETURN_OF_MAPLE = re.compile(r"(?<!\w)return\b")
ITERATED = re.compile(r"(?<!\w)(Table|Sum)\[")
ITERATOR = re.compile(r"\s*\{\s*(?P<name>\w+)\s*,\s*(?:(?P<first>\d+)\s*,\s*)?(?P<last>\d+)\s*\}\s*")
MOST_VALUES = 12  # of an iterator
WRAPPED = re.compile(r"(?<![\w.])(?:FullSimplify|Simplify|Expand|MatrixForm|TrigExpand|TrigReduce|Factor)(?=\[)")

# Typst: an equation whose name and terms are arguments of a layout function, as in reports
LAID_OUT = re.compile(
    r"^[ \t]*\(\$display\(([^$\n]*) =\)\$, \((\$[^\n]*\$),\), (?:\d+|none), (?:true|false)\),\)?$", re.MULTILINE
)
ATTACHED = re.compile(
    r"(?<!\w)attach\(([^(),]*|[a-z.]+\([^(),]*\)), tl: [^,()]*(?:, b: ((?:\"[^\"]*\"|[^,()\"])*))?(?:, t: ([^,()]*))?\)"
)
ANGLED = "()[]{}<>"  # brackets of Maple; the last ones enclose matrices
PROMPT_OF_MAPLE = re.compile(r"^>[ \t]*", re.MULTILINE)
PROMPT_OF_MATHEMATICA = re.compile(r"^In\[\d+\]:=[ \t]*", re.MULTILINE)
# In[5]:= G1 = D[V, q1], and below it Out[5]= with the value of G1
SHOWN_OF_NAME = re.compile(
    r"^(?P<typed>In\[(?P<k>\d+)\]:=[ \t]*(?P<name>\w+)[ \t]*=(?!=)[^\n]*\n)\s*Out\[(?P=k)\](?://\w+)?=", re.MULTILINE
)


PROMPT_OF_MAXIMA = re.compile(r"^[ \t]*\(%[io]\d+\)[ \t]*", re.MULTILINE)
# an input, such as (%i8) G1 : diff(V, q1), and below it the output (%o8), which is the value of G1
SHOWN_BY_MAXIMA = re.compile(
    r"^(?P<typed>[ \t]*\(%i(?P<k>\d+)\)[ \t]*(?:\w+\()?(?P<name>\w+(?:\[[\d, ]*\])?)[ \t]*(?:\)|:(?!=))?"
    r"[^\n]*)\n\s*"
    r"\(%o(?P=k)\)[ \t]*(?P<shown>(?:[^\n]+\n?)+?)(?=\s*(?:\(%i|$(?!\n)|\n\s*\n))",
    re.MULTILINE,
)


def of_mathematica(written: Written) -> Written:
    """Returns the text of a notebook or a script with round brackets and the usual names of functions."""
    text = (
        Rewriting(written)
        .blank(r"\(\*(?:.|\n)*?\*\)")
        .sub(SHOWN_OF_NAME, lambda match: f"{match['typed']}{match['name']} =")
        .sub(PROMPT_OF_MATHEMATICA, "")
        .blank(r"^[ \t]*(?:Clear|ClearAll|Print|Needs|Get)\[[^\n]*", re.M)
    )
    text.sub(GREEK_OF_MATHEMATICA, lambda match: match[2].lower()).sub(SHOWN, "").sub(WRAPPED, "")
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


def of_maple(written: Written) -> Written:
    """Returns the text of a Maple worksheet as equations."""
    text = (
        Rewriting(written)
        .sub(PROMPT_OF_MAPLE, "")
        .blank(r"#[^\n]*|\(\*(?:.|\n)*?\*\)")
        .blank(r"^[ \t]*(?:restart|with)\b[^\n]*", re.MULTILINE)
    )
    _procedures(text)
    text.sub(r"Matrix\(\s*\d\s*,\s*\d\s*,\s*(?=\[)", "Matrix(").sub(r"Vector\(\s*\d\s*,\s*(?=\[)", "Matrix(")
    text.sub(r"(?<!\w)Vector(?:\[(?:row|column)\])?\(", "Matrix(").sub(r"(?<!\w)Pi(?!\w)", "pi")
    text.sub(r"t\s*\$\s*2", "t, t").sub(r":(?!=)[ \t]*(?=\n|$)", ";").sub(r"(?<=[\w)])\s*\.\s*(?=[A-Za-z(<])", "*")
    text.sub(r"(?<!\w)(theta|q|phi|m|l|x|y|tau|I|lc)\[(\d)\]", lambda match: f"{match[1]}{match[2]}")
    _angled(text)
    return text.done()


def _procedures(text: Rewriting) -> None:
    """Writes a procedure as its assignments, and its last value as that of its name."""
    while procedure := PROCEDURE.search(text.text):
        end = END_OF_PROCEDURE.search(text.text, procedure.end())
        if end is None:
            return
        body = LOCALS.sub(" ", text.text[procedure.end() : end.start()])
        result = result_of(procedure["name"], procedure["arguments"])
        *steps, last = parted(RETURN_OF_MAPLE.sub("", body), ";") or [""]
        named = last if ":=" in last else f" {result} := {last.strip()}"
        text.replace(procedure.start(), end.end(), ";".join([*steps, named]) + ";")


def _angled(text: Rewriting) -> None:
    """Writes lists for <<a, b> | <c, d>>, a matrix by columns, and for <a, b>."""
    while bracket := re.search(r"(?<![\w)\]<])<(?=[^=])", text.text):
        end = closing(text.text, bracket.start(), "<>")
        if end < 0:
            return
        text.replace(bracket.start(), end + 1, _list_of(text.text[bracket.start() + 1 : end]))


def _list_of(inner: str) -> str:
    columns = parted(inner, "|", ANGLED)
    if len(columns) > 1:
        entries = [
            parted(column.strip()[1:-1] if column.strip().startswith("<") else column, ",", ANGLED)
            for column in columns
        ]
        rows = ([column[k].strip() for column in entries] for k in range(min(map(len, entries))))
        return f"[{', '.join('[' + ', '.join(row) + ']' for row in rows)}]"
    rows_of_text = (part.strip().removeprefix("<").removesuffix(">") for part in parted(inner, ",", ANGLED))
    return f"[{', '.join('[' + ', '.join(parted(part, '|', ANGLED)) + ']' for part in rows_of_text)}]"


def of_maxima(written: Written) -> Written:
    """Returns a text of Maxima as equations."""
    text = (
        Rewriting(written)
        .blank(r"/\*(?:.|\n)*?\*/")
        .sub(SHOWN_BY_MAXIMA, lambda match: f"{match['typed']}\n{match['name']}: {match['shown'].rstrip()};\n")
        .sub(PROMPT_OF_MAXIMA, "")
        .blank(r"^[ \t]*(?:depends|declare|kill|load|assume)\([^\n]*", re.M)
    )
    text.sub(r"(?<!\w)matrix\s*\(", "Matrix(").sub(r"%pi", "pi").sub(r"'\s*(?=diff\()", "").sub(r"\$", ";")
    text.sub(r"(?<=[\w)\]])[ \t]+\.[ \t]+(?=[\w(\[])", "*").sub(
        r"(?<!\w)(?:trigsimp|ratsimp|trigreduce|expand|factor)\(", "("
    )
    text.sub(r"((?:^|;)[ \t]*\w+(?:\[[^\]\n]*\]|\([^)\n]*\))?[ \t]*):(?!=)", lambda match: f"{match[1]}=", re.MULTILINE)
    while rows := re.search(r"Matrix\((?=\s*\[[^\[])", text.text):
        end = closing(text.text, rows.end() - 1, "()")
        if end < 0:
            break
        text.replace(rows.start(), end + 1, f"[{text.text[rows.end() : end]}]")
    return text.done()


def of_typst(written: Written) -> Written:
    """Returns the formulas of a Typst document, with separators in place of words between them."""
    text = Rewriting(written).blank(r"//[^\n]*|/\*(?:.|\n)*?\*/")
    text.sub(LAID_OUT, _laid_out)
    if "$" in text.text:
        _only_formulas(text)
    text.sub(r"(?<!\w)plus(?!\w)", "+").sub(r"(?<!\w)minus(?!\w)", "-").sub(r"(?<!\w)slash(?!\w)", "/").sub(
        r"(?<!\w)integral(?!\w)", "∫"
    )
    text.sub(r"(?<![\w.])sum(?=_\()", "∑")
    text.sub(ATTACHED, lambda match: match[1] + (f"_({match[2]})" if match[2] else ""))
    text.sub(r"\"([(),])\"", lambda match: match[1])  # signs in quotes, as in C^("("2")")
    text.sub(r"\"(exp|Ad|ad|Tr|det)\"", lambda match: f" {match[1]}")
    text.sub(r"(?<=_)\"([^\"\n]*)\"", lambda match: f"{{{match[1]}}}")
    text.sub(r"([_^])\(([^()]*)\)", lambda match: f"{match[1]}{{{_without_blanks(match[2])}}}").sub(
        r"\"[^\"\n]*\"", PROSE
    )
    text.sub(r"(?<!\w)comma(?!\w)", ",")
    text.sub(r"(?<!\w)bracket\.([lr])(?!\w)", lambda match: "[" if match[1] == "l" else "]")
    text.sub(r"(?<!\w)paren\.([lr])(?!\w)", lambda match: "(" if match[1] == "l" else ")").sub(
        r"(?<!\w)macron\((\w+)\)", lambda match: f"\\bar{{{match[1]}}}"
    )
    text.sub(r"(?<!\w)dot\.double\(([^()]*)\)", lambda match: f"\\ddot{{{match[1]}}}")
    text.sub(r"(?<!\w)(?:diaer|dot\.dot)\(([^()]*)\)", lambda match: f"\\ddot{{{match[1]}}}")
    text.sub(r"(?<!\w)dot\(([^()]*)\)", lambda match: f"\\dot{{{match[1]}}}")
    text.sub(r"(?<![\\\w])(?:dot\.op|dot\.c|times|dot)(?![\w({])", "*").sub(
        r"(?<!\w)(?:quad|wide|thin|med|thick)(?!\w)", r"\quad "
    )
    text.sub(r"(?<!\w)(?:bold|upright|italic|cal|bb|hat|arrow)\((\w+)\)", lambda match: match[1])
    text.sub(r"(?<!\w)partial(?!\w)", "∂").sub(r"(?<!\w)(?:dif|upright\(d\))(?!\w)", "d")
    text.sub(r"\(\s*∂\s*(\w+)\s*\)\s*/\s*(?=\()", lambda match: f"∂ {match[1]}/").sub(r"\\(?=\s|$)", "\n").sub(
        r"&", " "
    ).sub(r"(?<!\w)(?:bold|upright|italic|cal|bb|hat|arrow|display)(?=\()", "")
    _calls(text)
    return text.done()


def _laid_out(row: re.Match[str]) -> str:
    """Returns a row of a layout function as one formula."""
    return f"${row[1]} = {row[2].replace('$, $', ' ').strip('$')}$"


def _without_blanks(index: str) -> str:
    return re.sub(r"[\s\"]+", "", index)


def _only_formulas(text: Rewriting) -> None:
    inside, pieces = False, list[str]()
    for letter in text.text:
        if letter == "$":
            inside = not inside
            pieces.append(PROSE)
        else:
            pieces.append(letter if inside or letter == "\n" else " ")
    text.text = "".join(pieces)


def _calls(text: Rewriting) -> None:
    """Writes mat(…), vec(…), frac(…) and root brackets as lists and quotients."""
    while call := re.search(r"(?<![\w\\])(mat|vec|frac)\(", text.text):
        end = closing(text.text, call.end() - 1, "()")
        if end < 0:
            return
        inner = re.sub(r"delim:[^,]*,", "", text.text[call.end() : end])
        if call[1] == "frac":
            new = "/".join(f"({part})" for part in parted(inner))
            new = f"({new})"
        elif call[1] == "vec":
            new = f"[{'; '.join(parted(inner))}]"
        else:
            new = f"[{inner}]"
        text.replace(call.start(), end + 1, new)
