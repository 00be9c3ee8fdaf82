"""Expands the macros of a LaTeX document."""

from __future__ import annotations

import re
from typing import NamedTuple

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.texts.rewriting import Rewriting, closing

BOXES = re.compile(r"\\(?:[hv]box|setbox|usebox|resizebox|scalebox|ifdim|footnotesize|small|colorbox)(?![A-Za-z])")
MOST_EXPANDED = 20_000  # uses of macros
MOST_ARGUMENTS = 9
COMMAND_AT_END = re.compile(r"\\[A-Za-z]+$")
LONGEST_COMMAND = 40  # characters
NEW = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareMathOperator|DeclareRobustCommand)\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?"
    r"\s*(?:\[(\d)\])?\s*(?:\[([^\]]*)\])?\s*(?=\{)|\\[egx]?def\s*\\([A-Za-z]+)((?:#\d)*)\s*(?=\{)"
)
LET = re.compile(r"\\let\s*\\([A-Za-z]+)\s*=?[ ]?(\\[A-Za-z]+|[^\\\s])")


class Macro(NamedTuple):
    """A macro has a number of arguments, a default of the first one if that is optional, and a body."""

    arguments: int
    default: str | None
    body: str


def of_macros(text: Rewriting) -> None:
    """Expands the macros that a document defines, and removes their definitions.

    raises ExpressionError: a macro calls itself
    """
    if macros := _macros(text):
        _expand(text, macros)


def _macros(text: Rewriting) -> dict[str, Macro]:
    """Removes the definitions of macros from a text, and returns them."""
    macros = {new[1]: Macro(0, None, new[2]) for new in LET.finditer(text.text) if new[2] != f"\\{new[1]}"}
    text.sub(LET, "")
    while new := NEW.search(text.text):
        end = closing(text.text, new.end())
        if end < 0:
            break
        arguments = int(new[2] or 0) if new[1] else len(new[5] or "") // 2
        macros[new[1] or new[4]] = Macro(arguments, new[3], text.text[new.end() + 1 : end])
        text.replace(new.start(), end + 1, "")
    return macros


def _expand(text: Rewriting, macros: dict[str, Macro]) -> None:
    """Expands macros; one that only lays out its arguments is replaced by these."""
    used = re.compile(r"\\(" + "|".join(sorted(macros, key=len, reverse=True)) + r")(?![A-Za-z])")
    at, count = 0, 0
    while use := used.search(text.text, at):
        macro, end = macros[use[1]], use.end()
        arguments, end = _arguments(text.text, end, macro)
        count += 1
        if count > MOST_EXPANDED:
            where = text.written.where(min(text.origins[use.start()], len(text.written.text)))
            raise ExpressionError("macro-calls-itself", where=where, use=use[1])
        body = " ".join(arguments) if arguments and BOXES.search(macro.body) else _filled(macro.body, arguments)
        is_term = re.search(r"\\(?:cos|sin)(?![A-Za-z])|[+-]", body) and "=" not in body and "begin" not in body
        before, after = text.text[max(use.start() - LONGEST_COMMAND, 0) : use.start()], text.text[end : end + 1]
        text.replace(use.start(), end, f"{{{body}}}" if is_term else _apart(before, body, after))
        at = use.start()


def _apart(before: str, body: str, after: str) -> str:
    """Returns a macro's body, with blanks where a command would run into a letter, as in \\cos\\qa."""
    start = " " if COMMAND_AT_END.search(before) and body[:1].isalpha() else ""
    end = " " if COMMAND_AT_END.search(body) and after.isalpha() else ""
    return f"{start}{body}{end}"


def _arguments(text: str, at: int, macro: Macro) -> tuple[list[str], int]:
    """Returns the arguments of a macro's use, and the place after them."""
    arguments: list[str] = []
    if macro.default is not None:
        option = re.compile(r"\s*\[([^\]]*)\]").match(text, at)
        arguments.append(option[1] if option else macro.default)
        at = option.end() if option else at
    while len(arguments) < min(macro.arguments, MOST_ARGUMENTS):
        blank = re.compile(r"\s*").match(text, at)
        start = blank.end() if blank else at
        end = closing(text, start) if text[start : start + 1] == "{" else -1
        token = re.compile(r"\\[A-Za-z]+|.", re.DOTALL).match(text, start)
        if end >= 0:
            arguments.append(text[start + 1 : end])
            at = end + 1
        else:
            arguments.append(token[0] if token else "")
            at = token.end() if token else start
    return arguments, at


def _filled(body: str, arguments: list[str]) -> str:
    """Returns a macro's body with its arguments."""
    return re.sub(r"#(\d)", lambda slot: "".join(arguments[int(slot[1]) - 1 :][:1]) if slot[1] != "0" else "", body)
