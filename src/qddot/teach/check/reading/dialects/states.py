"""Converts functions in MATLAB and Julia for ODE solvers, f(t, x): x has the coordinates, then their rates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from qddot.teach.check.reading.texts.rewriting import Rewriting, closing, parted

HEADER = re.compile(
    r"^[ \t]*function[ \t]+\[?(?P<out>\w+)\]?[ \t]*=[ \t]*\w+\([ \t]*t[ \t]*,[ \t]*(?P<state>\w+)\b[^\n]*|"
    r"^[ \t]*(?P<name>\w+)[ \t]*=[ \t]*@\([ \t]*t[ \t]*,[ \t]*(?P<own>\w+)\b[^)\n]*\)",
    re.MULTILINE,
)
# a header without time, such as function dx = f(x, u), where the name of the rate contains that of the state
HEADER_WITHOUT_TIME = re.compile(
    r"^[ \t]*function[ \t]+\[?(?P<out>\w+)\]?[ \t]*=[ \t]*\w+\([ \t]*(?P<state>[xyzXs])\b[^\n]*", re.MULTILINE
)
SOLVED = re.compile(r"(?P<M>[^\W\d]\w*)[ \t]*\\\s*(?P<rest>.*)", re.DOTALL)  # M \ (tau - h)
HEADER_OF_JULIA = re.compile(
    r"^[ \t]*function[ \t]+[\w!.]+\(\s*(?P<rate>\w+)\s*,\s*(?P<state>\w+)\s*,\s*(?P<params>\w+)\s*,\s*t\s*\)[^\n]*$",
    re.MULTILINE,
)
# f(x, u; m=1) = [x[2], …]
ONE_LINE_OF_JULIA = re.compile(r"^[ \t]*[^\W\d]\w*\((?P<state>[xsz])\b[^()\n]*\)[ \t]*=[ \t]*(?=\[)", re.MULTILINE)
HALF = re.compile(r"\w+(?:[(\[]\d+:\w+[)\]])?")  # z(4:6), or a name
STANDARD_NAMES = {"q", "qd", "dq", "qdot", "theta", "dtheta", "thetad", "thetadot"}
MOST_JOINTS = 30


class State(NamedTuple):
    """A state has a name, a number of joints, the first index of its language, 0 or 1, and the brackets of indices."""

    name: str
    joints: int
    base: int
    brackets: str

    def entry(self, k: int) -> str:
        """Returns the name of the k-th entry, from 0: coordinates come first, then rates, then accelerations.

        An entry that the state does not have keeps its name.
        """
        is_entry = 0 <= k < 3 * self.joints
        head = ("q", "qd", "qdd")[k // self.joints] if is_entry else self.name
        index = (k % self.joints if is_entry else k) + self.base
        return f"{head}{self.brackets[0]}{index}{self.brackets[1]}"

    def equations(self, parts: Sequence[str]) -> str:
        """Returns the entries of the state's rate as equations, or "" if none of three ways to give them is used.

        The ways are entry by entry, single rates with a column of accelerations, and a column of each.
        """
        if len(parts) == self.joints + 1 > 2:  # the accelerations are a column
            rates = (f"{self.entry(k)} = {part.strip()}" for k, part in enumerate(parts[:-1], self.joints))
            solved = SOLVED.fullmatch(parts[-1].strip())
            return "; ".join([*rates, f"{solved['M']}*qdd = {solved['rest']}"]) if solved else ""
        if len(parts) == 2 < 2 * self.joints:  # both halves are columns
            solved = SOLVED.fullmatch(parts[1].strip())
            return f"{solved['M']}*qdd = {solved['rest']}" if solved and HALF.fullmatch(parts[0].strip()) else ""
        if len(parts) != 2 * self.joints:
            return ""
        return "; ".join(f"{self.entry(k)} = {part.strip()}" for k, part in enumerate(parts, self.joints))


def of_states(text: Rewriting) -> None:
    """Renames the entries of a state in MATLAB to q(1), …, qd(1), …, and those of its rate to qd(1), …, qdd(1), …"""
    header = HEADER.search(text.text) or HEADER_WITHOUT_TIME.search(text.text)
    if header is None:
        return
    is_timed = header.re is HEADER
    name, rate = header["state"] or header["own" if is_timed else "state"], header["out"] or header["name"]
    if not is_timed and not re.fullmatch(rf"d_?{name}(?:dt)?|{name}_?(?:d|dot|p|prime)", rate):
        return
    indices = [
        int(k) for pair in re.findall(rf"(?<![\w.])(?:{name}|{rate})\((\d+)(?::(\d+))?\)", text.text) for k in pair if k
    ]
    text.replace(header.start(), header.end(), "" if header["state"] else f"{rate} = ")
    if (state := _state(name, max(indices, default=0), 1, "()")) is None:
        return
    _name_parts(text, state)
    text.sub(rf"(?<![\w.]){name}\((\d+)\)", lambda entry: state.entry(int(entry[1]) - 1))
    _name_halves(text, state, rate)
    text.blank(rf"^[ \t]*{rate}[ \t]*=[ \t]*zeros\([^\n]*", re.MULTILINE)
    text.sub(rf"(?<![\w.]){rate}\((\d+)\)(?=[ \t]*=)", lambda entry: state.entry(int(entry[1]) - 1 + state.joints))
    _column(text, rate, state)


def of_states_of_julia(text: Rewriting) -> None:
    """Renames the entries of a state and of its rate to q, qd and qdd, in a function f!(du, u, p, t) of Julia."""
    header = HEADER_OF_JULIA.search(text.text)
    if header is None:
        _state_of_one_line(text)
        return
    rate, name, params = header["rate"], header["state"], header["params"]
    apart = re.search(rf"^[ \t]*([^\n=,]+(?:,[^\n=,]+)+?)[ \t]*=[ \t]*{name}[ \t]*$", text.text, re.MULTILINE)
    text.sub(rf"^[ \t]*[^\n=]*=[ \t]*(?:{params}|{name})[ \t]*$", "", re.MULTILINE)
    indices = [int(k) for k in re.findall(rf"(?<!\w){rate}\[(\d+)\]", text.text)]
    if (state := _state(name, max(indices, default=0), 1, "()")) is None:
        return
    text.sub(rf"(?<!\w){name}\[(\d+)\]", lambda entry: state.entry(int(entry[1]) - 1))
    text.sub(rf"(?<!\w){rate}\[(\d+)\]", lambda entry: state.entry(int(entry[1]) - 1 + state.joints))
    own = apart[1].split(",") if apart else []
    if len(own) == 2 * state.joints:
        meanings = "; ".join(f"{each.strip()} = {state.entry(k)}" for k, each in enumerate(own))
        text.replace(header.start(), header.start(), f"{meanings}\n")


def _state_of_one_line(text: Rewriting) -> None:
    """Writes f(x, u) = [x[2], (u - k*x[1])/m] as equations for the rate of the state."""
    header = ONE_LINE_OF_JULIA.search(text.text)
    end = closing(text.text, header.end(), "[]") if header else -1
    if header is None or end < 0:
        return
    parts = parted(text.text[header.end() + 1 : end])
    state = _state(header["state"], len(parts), 1, "()")
    if state is None or not (equations := state.equations(parts)):
        return
    text.replace(header.start(), end + 1, equations)
    text.sub(rf"(?<!\w){state.name}\[(\d+)\]", lambda entry: state.entry(int(entry[1]) - 1))


def _state(name: str, length: int, base: int, brackets: str) -> State | None:
    """Returns a state with half as many joints as entries, or None if their number is odd or too large."""
    return State(name, length // 2, base, brackets) if length % 2 == 0 and 0 < length <= 2 * MOST_JOINTS else None


def _name_parts(text: Rewriting, state: State) -> None:
    """Renames a half of the state, as in v = x(3:4), to q or qd."""
    halves = re.compile(rf"^([ \t]*|.*;[ \t]*)(\w+)[ \t]*=[ \t]*{state.name}\((\d+):(\d+)\)[ \t]*;?", re.MULTILINE)
    while half := halves.search(text.text):
        name, is_rate = half[2], int(half[3]) > state.joints
        text.replace(half.start(), half.end(), half[1])
        if name not in STANDARD_NAMES:
            text.sub(rf"(?<![\w.]){name}(?![\w.])", "qd" if is_rate else "q")


def _name_halves(text: Rewriting, state: State, rate: str) -> None:
    """Renames halves of the state, z(3:4), and of its rate, of which those are removed that only say q̇ = q̇."""
    n = state.joints
    for name, first, second in ((state.name, "q", "qd"), (rate, "qd", "qdd")):
        for half, k in ((first, 1), (second, n + 1)):
            text.sub(rf"(?<![\w.]){name}\([ \t]*{k}[ \t]*:[ \t]*(?:{k + n - 1}|end)[ \t]*\)", half)
    text.blank(r"^[ \t]*qd[ \t]*=[ \t]*qd[ \t]*;?", re.MULTILINE)


def _column(text: Rewriting, rate: str, state: State) -> None:
    """Writes the state's rate as equations, or removes it if its parts are only names."""
    column = re.search(rf"(?<![\w.]){rate}[ \t]*=[ \t\n]*(?=\[)", text.text)
    end = closing(text.text, column.end(), "[]") if column else -1
    if column is None or end < 0:
        return
    parts = parted(text.text[column.end() + 1 : end], ";")
    equations = state.equations(parts)
    if equations or all(re.fullmatch(r"\s*\w+(?:\([^()]*\))?\s*", part) for part in parts):
        text.replace(column.start(), end + 1, equations)
