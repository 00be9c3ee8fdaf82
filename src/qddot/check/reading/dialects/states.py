"""Reads functions for a solver, such as f(t, x), whose state x has the coordinates first and their rates behind."""

from __future__ import annotations

import re

from qddot.check.reading.rewriting import Rewriting, closing, parted

HEADER = re.compile(
    r"^[ \t]*function[ \t]+\[?(?P<out>\w+)\]?[ \t]*=[ \t]*\w+\([ \t]*t[ \t]*,[ \t]*(?P<state>\w+)\b[^\n]*|"
    r"^[ \t]*(?P<name>\w+)[ \t]*=[ \t]*@\([ \t]*t[ \t]*,[ \t]*(?P<own>\w+)\b[^)\n]*\)",
    re.MULTILINE,
)
KNOWN = {"q", "qd", "dq", "qdot", "theta", "dtheta", "thetad", "thetadot"}
MOST_JOINTS = 30


def of_states(text: Rewriting) -> None:
    """Writes the entries of the state as q(1), …, qd(1), …, and the last ones of its rate as accelerations."""
    header = HEADER.search(text.text)
    if header is None:
        return
    state, rate = header["state"] or header["own"], header["out"] or header["name"]
    joints = _joints(text.text, state)
    text.replace(header.start(), header.end(), "" if header["state"] else f"{rate} = ")
    if not joints:
        return
    _name_parts(text, state, joints)
    text.sub(rf"(?<![\w.]){state}\((\d+)\)", lambda entry: _entry(int(entry[1]), joints))
    _accelerations(text, rate, joints)


def _joints(text: str, state: str) -> int:
    """Returns half the length of the state, by the highest index that occurs; 0 where that is odd."""
    indices = [int(k) for pair in re.findall(rf"(?<![\w.]){state}\((\d+)(?::(\d+))?\)", text) for k in pair if k]
    highest = max(indices, default=0)
    return highest // 2 if highest % 2 == 0 and highest <= 2 * MOST_JOINTS else 0


def _entry(k: int, joints: int) -> str:
    return f"q({k})" if k <= joints else f"qd({k - joints})"


def _name_parts(text: Rewriting, state: str, joints: int) -> None:
    """Gives the names of whole parts, v = x(3:4), their meaning."""
    halves = re.compile(rf"^([ \t]*|.*;[ \t]*)(\w+)[ \t]*=[ \t]*{state}\((\d+):(\d+)\)[ \t]*;?", re.MULTILINE)
    while half := halves.search(text.text):
        name, is_rate = half[2], int(half[3]) > joints
        text.replace(half.start(), half.end(), half[1])
        if name not in KNOWN:
            text.sub(rf"(?<![\w.]){name}(?![\w.])", "qd" if is_rate else "q")


def _accelerations(text: Rewriting, rate: str, joints: int) -> None:
    """Leaves of the state's rate the entries that are accelerations, or none where they have names already."""
    column = re.search(rf"(?<![\w.]){rate}[ \t]*=[ \t\n]*(?=\[)", text.text)
    end = closing(text.text, column.end(), "[]") if column else -1
    if column is None or end < 0:
        return
    parts = parted(text.text[column.end() + 1 : end], ";")
    later = parts[joints:] if len(parts) == 2 * joints else []
    if not later and not all(re.fullmatch(r"\s*\w+(?:\([^()]*\))?\s*", part) for part in parts):
        return
    text.replace(column.start(), end + 1, "; ".join(f"qdd({k}) = {part.strip()}" for k, part in enumerate(later, 1)))
