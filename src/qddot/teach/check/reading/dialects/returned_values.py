"""Names the values that Python functions return, and gives variables of different functions different names."""

from __future__ import annotations

import re

from qddot.teach.check.reading.dialects.extents import end_of_indented, end_of_line
from qddot.teach.check.reading.dialects.functions import is_result, name_output, rename, result_of
from qddot.teach.check.reading.texts.rewriting import Rewriting, parted

FUNCTION = re.compile(
    r"^(?P<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?P<name>\w+)\((?P<arguments>[^()]*(?:\([^()]*\)[^()]*)*)\)[^\n:]*:",
    re.MULTILINE,
)
LAMBDA = re.compile(r"^([ \t]*)(\w+)[ \t]*=[ \t]*lambda[ \t]+([^:\n]*):[ \t]*", re.MULTILINE)
RETURNED = re.compile(r"(?:^|(?<=:))[ \t]*return[ \t]+", re.MULTILINE)
GRADIENT = re.compile(r"(?<![\w.])(?:\w+\.)?(?:grad|jacfwd|jacrev|jacobian)\((\w+)\)(?:\(\w+\))?(?!\w)")


def of_scopes(text: Rewriting) -> None:
    """Gives the variables of a function names of their own if another function sets them, too."""
    functions, seen = list(FUNCTION.finditer(text.text)), set[str]()
    for number, function in reversed(list(enumerate(functions))):
        end = end_of_indented(text.text, function)
        body = text.text[function.end() : end]
        own = {each[1] for each in re.finditer(r"^[ \t]+([^\W\d]\w*)[ \t]*=(?!=)", body, re.MULTILINE)}
        own = {name for name in own if not is_result(name)}
        for name in sorted(own & seen):
            end = rename(text, function.end(), end, name, f"{name}In{number}")
        seen |= own


def of_returned_values(text: Rewriting) -> None:
    """Names return values after their functions: mass_matrix returns M, tau2 returns tau2."""
    text.sub(LAMBDA, lambda match: f"{match[1]}{result_of(match[2], match[3])} = ")
    for function in reversed(list(FUNCTION.finditer(text.text))):
        result, end = result_of(function["name"], function["arguments"]), end_of_indented(text.text, function)
        for returned in reversed(list(RETURNED.finditer(text.text, function.end(), end))):
            _of_returned_value(text, function.end(), returned, result)
    _gradients(text)


def _of_returned_value(text: Rewriting, start: int, returned: re.Match[str], result: str) -> None:
    """Writes a formula that a body returns as the result's value, and renames a variable that it returns."""
    stop = end_of_line(text.text, returned.end())
    value = text.text[returned.end() : stop].strip()
    names = re.findall(r"[^\W\d]\w*", value)
    is_list = re.fullmatch(r"[\[(]?[\w, \t]*[\])]?", value) is not None and len(names) > 1
    if re.fullmatch(r"[^\W\d]\w*", value) and re.search(rf"^[ \t]*{value}\b[^=\n]*=", text.text, re.MULTILINE):
        text.replace(returned.start(), stop, "\n")
        name_output(text, start, returned.start(), result, value)
    elif is_list and all(map(is_result, names)):
        text.replace(returned.start(), stop, "\n")
    elif re.search(r"[-+*/(\[]|,", value):
        value = f"[{value}]" if len(parted(value)) > 1 else value
        text.replace(returned.start(), stop, f"\n{result} = {value}")


def _gradients(text: Rewriting) -> None:
    """Writes jacobian(potential) of JAX, where a script defines the potential, as the gradient of its result."""
    potentials = {name: result_of(name) for name in re.findall(r"^[ \t]*def[ \t]+(\w+)", text.text, re.MULTILINE)}
    text.sub(
        GRADIENT,
        lambda match: f"gradient({potentials[match[1]]}, q)" if match[1] in potentials else match[0],
    )
