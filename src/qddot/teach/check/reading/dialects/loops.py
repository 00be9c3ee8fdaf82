"""Writes out loops in MATLAB and Julia for each value of their index."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from qddot.teach.check.reading.texts.rewriting import Rewriting

OF_MATLAB = re.compile(
    r"(?:^|(?<=[;,\n]))[ \t]*for[ \t]*\(?[ \t]*(?P<name>\w+)[ \t]*(?:=|in|∈)[ \t]*(?P<first>\d+):(?P<last>\w+)\)?[ \t]*"
    r"[,;]?",
    re.MULTILINE,
)
BLOCKS = re.compile(r"(?<![\w.])(?:for|if|while|switch|function|end)(?!\w)")
SET = re.compile(r"^[ \t]*(?P<name>[^\W\d]\w*)[ \t]*=(?!=)", re.MULTILINE)
MOST_VALUES, MOST_LOOPS = 12, 300


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
