"""Writes out loops and comprehensions in Python, MATLAB and Julia for each value of their index."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from qddot.teach.check.reading.dialects.extents import end_of_indented, end_of_line
from qddot.teach.check.reading.dialects.lists import matrix_of
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, opening

OF_PYTHON = re.compile(
    r"^(?P<indent>[ \t]*)for[ \t]+(?P<name>\w+)[ \t]+in[ \t]+(?P<values>range\([\w, ]+\)|[(\[][\w, ]+[)\]]|\w+)[ \t]*:"
    r"[ \t]*(?P<rest>[^\n]*)(?:\n|$)",
    re.MULTILINE,
)
OF_MATLAB = re.compile(
    r"(?:^|(?<=[;,\n]))[ \t]*for[ \t]*\(?[ \t]*(?P<name>\w+)[ \t]*(?:=|in|∈)[ \t]*(?P<first>\d+):(?P<last>\w+)\)?[ \t]*"
    r"[,;]?",
    re.MULTILINE,
)
BLOCKS = re.compile(r"(?<![\w.])(?:for|if|while|switch|function|end)(?!\w)")
COMPREHENSION = re.compile(
    r"\s+for\s+(?P<name>\w+)\s+in\s+(?P<values>range\([\w, ]+\)|[(\[][\w, ]+[)\]]|\w+)\s*(?=[)\]])"
)
BY_INDICES = re.compile(
    r"(?<![\w.])(?:\w+\.)?Matrix\(\s*(?P<rows>\w+)\s*,\s*(?P<columns>\w+)\s*,\s*lambda\s+(?P<i>\w+)\s*,\s*(?P<j>\w+)\s*:"
)
# a function of indices, such as def christoffel(i, j, k): return …
OF_INDICES = re.compile(
    r"^[ \t]*(?:def[ \t]+(?P<name>\w+)\((?P<indices>[a-z](?:[ ]*,[ ]*[a-z])*)\)[^\n:]*:\s*return[ \t]+|"
    r"(?P<short>\w+)[ \t]*=[ \t]*lambda[ \t]+(?P<own>[a-z](?:[ ]*,[ ]*[a-z])+)[ \t]*:)",
    re.MULTILINE,
)
NAMES = r"[ \t]*[A-Za-z]\w*(?:[ \t]*,[ \t]*[A-Za-z]\w*)*[ \t]*,?[ \t]*"
LIST = rf"^[ \t]*{{}}[ \t]*=[ \t]*(?:(?:\w+\.)?Matrix\()?[ \t]*[(\[]({NAMES})[)\]]\)?[ \t]*$"
SET = re.compile(r"^[ \t]*(?P<name>[^\W\d]\w*)[ \t]*=(?!=)", re.MULTILINE)
MOST_VALUES, MOST_LOOPS = 12, 300


def of_loops_of_python(text: Rewriting) -> None:
    """Writes out the loops and comprehensions over range(…) in a Python script, for each value of their index."""
    _write_out(text, OF_PYTHON, _loop_of_python)
    _matrices(text)
    _comprehensions(text)
    _functions(text)


def of_loops_of_matlab(text: Rewriting) -> None:
    """Writes out the loops over first:last in a MATLAB or Julia script, for each value of their index."""
    _write_out(text, OF_MATLAB, _loop_of_matlab)


def _write_out(
    text: Rewriting, loops: re.Pattern[str], written: Callable[[str, re.Match[str]], tuple[int, str] | None]
) -> None:
    """Replaces each loop up to its end by its statements, in which further loops are looked for.

    written: returns the end of a loop and its statements, or None if the values of its index are unknown
    """
    at = 0
    for _ in range(MOST_LOOPS):
        loop = loops.search(text.text, at)
        if loop is None:
            return
        replacement = written(text.text, loop)
        at = loop.end()
        if replacement is not None:
            text.replace(loop.start(), *replacement)
            at = loop.start()


def _loop_of_python(text: str, loop: re.Match[str]) -> tuple[int, str] | None:
    """Returns the end of a loop over listed values, and its statements; None if the values are unknown."""
    values = _values(text, loop["values"])
    if not values:
        return None
    in_one_line = loop["rest"].strip()
    end = loop.end() if in_one_line else end_of_indented(text, loop)
    body = loop["rest"] + "\n" if in_one_line else text[loop.end() : end]
    return end, "".join(_written_out(body, loop["name"], values, loop.start()))


def _loop_of_matlab(text: str, loop: re.Match[str]) -> tuple[int, str] | None:
    """Returns the end of a loop over first:last, and its statements; None if its end or the last value is unknown."""
    end, first, last = _end_of_block(text, loop.end()), int(loop["first"]), _number(text, loop["last"])
    if end is None or last is None or last - first >= MOST_VALUES:
        return None
    statements = _written_out(text[loop.end() : end], loop["name"], range(first, last + 1), loop.start())
    return end + len("end"), "\n".join(statements)


def _written_out(body: str, name: str, values: Sequence[str | int], at: int) -> list[str]:
    """Returns the statements of a loop for each value; a name that they set anew has another name each time."""
    own = {each["name"] for each in SET.finditer(body)}
    own -= {
        each for each in own if re.search(rf"(?<![\w.]){each}[ \t]*(?:[-+*/]=|=[^=\n;]*(?<![\w.]){each}(?!\w))", body)
    }
    written = []
    for k, value in enumerate(values):
        statements = _with(body, name, value)
        for each in own:
            statements = _with(statements, each, f"{each}At{at}Step{k}")
        written.append(statements)
    return written


def _with(body: str, name: str, value: str | int) -> str:
    """Returns statements with the value of an index in place of its name."""
    return re.sub(rf"(?<![\w.]){name}(?!\w)", str(value), body)


def _values(text: str, written: str) -> Sequence[str | int]:
    """Returns the values of range(2), (0, 1), (q1, q2), or of the name of such a list; none if they are unknown."""
    if written.isidentifier():
        listed = re.search(LIST.format(written), text, re.MULTILINE)
        return re.findall(r"\w+", listed[1]) if listed else ()
    if not written.startswith("range") and re.search(r"[A-Za-z]", written):
        return re.findall(r"\w+", written)
    inside = re.findall(r"\w+", written.removeprefix("range"))
    numbers = [number for each in inside if (number := _number(text, each)) is not None]
    if len(numbers) < len(inside) or not numbers or max(numbers) > MOST_VALUES:
        return ()
    return range(*numbers) if written.startswith("range") and len(numbers) < 3 else numbers


def _number(text: str, name: str) -> int | None:
    """Returns a whole number, or the one to which a script sets a name."""
    if name.isdecimal():
        return int(name)
    assigned = re.search(rf"^[ \t]*{name}[ \t]*=[ \t]*(\d+)[ \t]*;?[ \t]*$", text, re.MULTILINE)
    return int(assigned[1]) if assigned else None


def _end_of_block(text: str, start: int) -> int | None:
    """Returns the place of the `end` that closes the block whose header ends at a place."""
    depth = 1
    for word in BLOCKS.finditer(text, start):
        inside = text[start : word.start()]
        if inside.count("(") > inside.count(")"):  # x(end)
            continue
        depth += -1 if word[0] == "end" else 1
        if not depth:
            return word.start()
    return None


def _matrices(text: Rewriting) -> None:
    """Writes Matrix(2, 2, lambda i, j: …) as a list of rows."""
    at = 0
    while matrix := BY_INDICES.search(text.text, at):
        at = matrix.end()
        rows, columns = (_number(text.text, matrix[each]) for each in ("rows", "columns"))
        end = closing(text.text, text.text.index("(", matrix.start()), "()")
        if rows is None or columns is None or end < 0 or max(rows, columns) > MOST_VALUES:
            continue
        entry = text.text[matrix.end() : end].strip()
        entries = (
            [f"({_with(_with(entry, matrix['i'], i), matrix['j'], j)})" for j in range(columns)] for i in range(rows)
        )
        text.replace(matrix.start(), end + 1, matrix_of(entries))


def _comprehensions(text: Rewriting) -> None:
    """Writes sum(a*i for i in range(2)) as a sum, and [a*i for i in range(2)] as a list."""
    at = 0
    for _ in range(MOST_LOOPS):
        each = COMPREHENSION.search(text.text, at)
        if each is None:
            return
        at, values = each.end(), _values(text.text, each["values"])
        end = each.end()
        pair = "()" if text.text[end] == ")" else "[]"
        start = opening(text.text, end, pair)
        if not values or start < 0:
            continue
        terms = [_with(text.text[start + 1 : each.start()].strip(), each["name"], k) for k in values]
        is_sum = re.search(r"(?<![\w.])(?:\w+\.)?sum$", text.text[:start])
        if is_sum:
            inner = "sum" if COMPREHENSION.search(terms[0] + ")") else ""
            text.replace(is_sum.start(), end + 1, f"({' + '.join(f'{inner}({term})' for term in terms)})")
            at = is_sum.start()
        elif pair == "[]":
            text.replace(start, end + 1, f"[{', '.join(terms)}]")
            at = start


def _functions(text: Rewriting) -> None:
    """Writes the body of a function of indices in place of each of its calls with numbers."""
    for function in reversed(list(OF_INDICES.finditer(text.text))):
        name, indices = (
            function["name"] or function["short"],
            re.findall("[a-z]", function["indices"] or function["own"]),
        )
        end = end_of_line(text.text, function.end())
        body = text.text[function.end() : end].strip()
        call = re.compile(rf"(?<![\w.]){name}\(\s*(\d+(?:\s*,\s*\d+)*)\s*\)")
        calls = [each for each in call.finditer(text.text) if each[1].count(",") == len(indices) - 1]
        for each in reversed(calls):
            value = body
            for index, number in zip(indices, re.findall(r"\d+", each[1]), strict=True):
                value = _with(value, index, int(number))
            text.replace(each.start(), each.end(), f"({value})")
        if calls:
            text.blank(re.escape(function[0] + text.text[function.end() : end]))
