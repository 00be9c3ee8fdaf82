"""Real robot files, damaged: only a robot or an error of qddot's may come out."""

from __future__ import annotations

import ast
import contextlib
import io
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

import qddot
from qddot.apps import cli
from qddot.robot.left_out import NAMES
from soaking.trial import Finding, Kind

ODD = ["nan", "inf", "-inf", "1e400", "-0", "1e-400", "1e308", "-1", "0", "", "1e9999999999999999999", "0x10", "1/0",
       "٣", "1_000", "true", "[]", "π", "9" * 60, "\\u0000", "--1", "1e", "q1", "sqrt(-1)"]  # fmt: skip
SPECIAL = ["\x00", "\x1b]0;x\x07", "\u202e", "\ufeff", "<", "&", '"', "]", "\n\n", "\r", "<!--", "]]>", "${1/0}", "é"]
LARGEST_ARM = 8  # joints whose dynamics are compiled
TESTS = Path(__file__).parents[2] / "tests"


@cache
def originals() -> list[tuple[str, str]]:
    """(suffix, text) of the zoo's files, of the tests' XML, and of the files that installed packages have."""
    zoo = resources.files("qddot.robot") / "zoo"
    found = [
        (".toml", entry.read_text(encoding="utf-8"))
        for entry in sorted(zoo.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".toml")
    ]
    for source in sorted(TESTS.glob("formats/*.py")):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            root = re.search(r"<(robot|mujoco|sdf)\b", text) if "</" in text else None
            if root:
                found.append(({"robot": ".urdf", "mujoco": ".xml", "sdf": ".sdf"}[root[1]], text))
    found += [(".sdf", path.read_text(encoding="utf-8")) for path in sorted(TESTS.glob("formats/sdf/**/*.sdf"))]
    for place in sorted({Path(entry) for entry in sys.path if entry.endswith("site-packages")}):
        shipped = [*place.glob("cmeel.prefix/share/example-robot-data/**/*.urdf"), *place.glob("mujoco/**/*.xml")]
        found += [(path.suffix, path.read_text(encoding="utf-8", errors="replace")) for path in sorted(shipped)]
    return found


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(seed)
    group = r.choice([".toml", ".urdf", ".urdf", ".sdf", ".xml"])
    suffix, text = r.choice([each for each in originals() if each[0] == group] or originals())
    damaged = text
    for _ in range(r.choice([1, 1, 2, 3, 8])):
        damaged = r.choice(DAMAGES)(damaged, r)
    content = damaged.encode("utf-8", errors="surrogatepass")
    if r.random() < 0.2 and content:
        flipped = bytearray(content)
        for _ in range(r.choice([1, 1, 3, 20])):
            flipped[r.randrange(len(flipped))] ^= 1 << r.randrange(8)
        content = bytes(flipped)
    path = Path(f"damaged{r.choice([suffix, suffix, suffix, '.xacro' if suffix == '.urdf' else suffix])}")
    path.write_bytes(content)
    yield from looked_at(path)


def looked_at(path: Path) -> Iterator[Finding]:
    """Load it; if it is a robot, show it and compute one torque, which is finite or said not to be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            arm = qddot.load(path, without=NAMES)
        except qddot.QddotError as error:
            if "Traceback" in str(error) or not str(error).strip():
                yield Finding("an error that says nothing", f"{error!r}")
            return
        with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.redirect_stderr(io.StringIO()):
            code = cli.main(["show", str(path)])
        if code not in (0, 2) or (code == 0 and not shown.getvalue()):
            yield Finding("show", f"show ends with {code} where load gives a robot")
        if "\x1b" in shown.getvalue() or "\u202e" in shown.getvalue():
            yield Finding("raw controls shown", "a control character of the file reaches the terminal")
        if arm.n > LARGEST_ARM:
            return
        with contextlib.suppress(qddot.QddotError):
            tau = arm.inverse_dynamics(*np.full((3, arm.n), 0.3), check=True)
            if not np.isfinite(tau).all():
                yield Finding("not finite, not said", f"torques {tau}")


def _lines(text: str, r: random.Random) -> tuple[list[str], int, int]:
    lines = text.splitlines(keepends=True) or [""]
    return lines, r.randrange(len(lines)), r.randrange(len(lines))


def drop_line(text: str, r: random.Random) -> str:
    lines, i, _ = _lines(text, r)
    return "".join(lines[:i] + lines[i + 1 :])


def double_line(text: str, r: random.Random) -> str:
    lines, i, j = _lines(text, r)
    return "".join([*lines[:i], lines[j], *lines[i:]])


def shuffle_lines(text: str, r: random.Random) -> str:
    lines, i, j = _lines(text, r)
    part = lines[min(i, j) : max(i, j) + 1][:12]
    r.shuffle(part)
    return "".join(lines[: min(i, j)] + part + lines[min(i, j) + len(part) :])


def truncate(text: str, r: random.Random) -> str:
    return text[: r.randrange(len(text) + 1)]


def odd_number(text: str, r: random.Random) -> str:
    found = list(re.finditer(r"-?\d+(?:\.\d*)?(?:e-?\d+)?", text))
    if not found:
        return text
    at = r.choice(found)
    new = r.choice(ODD) if r.random() < 0.8 else f"{float(at[0]) * r.choice([-1, 1e-12, 1e12, 1e300, 1e-300])!r}"
    return text[: at.start()] + new + text[at.end() :]


def exchange_values(text: str, r: random.Random) -> str:
    words = text.split('"')
    if len(words) < 3:
        return text
    a, b = (2 * r.randrange(len(words) // 2) + 1 for _ in range(2))
    words[a], words[b] = words[b], words[a]
    return '"'.join(words)


def empty_value(text: str, r: random.Random) -> str:
    words = text.split('"')
    if len(words) >= 3:
        words[2 * r.randrange(len(words) // 2) + 1] = r.choice(["", " ", "base", "world", *ODD])
    return '"'.join(words)


def drop_attribute(text: str, r: random.Random) -> str:
    found = list(re.finditer(r'\s[\w:]+\s*=\s*"[^"]*"', text))
    at = r.choice(found) if found else None
    return text[: at.start()] + text[at.end() :] if at else text


def drop_tag(text: str, r: random.Random) -> str:
    found = list(re.finditer(r"<[^>]*>", text))
    at = r.choice(found) if found else None
    return text[: at.start()] + (at[0] * 2 if r.random() < 0.3 else "") + text[at.end() :] if at else text


def special(text: str, r: random.Random) -> str:
    i = r.randrange(len(text) + 1)
    return text[:i] + r.choice(SPECIAL) + text[i:]


def odd_comment(text: str, r: random.Random) -> str:
    lines, i, _ = _lines(text, r)
    comment = r.choice(["<!-- -- -->", "<!--- a --->", "<!-- <!-- b --> -->", "<!-- -- ", "<!--->", "--", "-->"])
    return "".join([*lines[:i], comment, *lines[i:]])


def odd_prefix(text: str, r: random.Random) -> str:
    found = list(re.finditer(r"</?(?=[A-Za-z])|\s(?=\w+\s*=)", text))
    at = r.choice(found).end() if found else 0
    return text[:at] + r.choice(["drake:", "a:b:", ":", "xml:", "xmlns:", "xacro:"]) + text[at:]


def deeper(text: str, r: random.Random) -> str:
    lines, i, _ = _lines(text, r)
    n, (start, end) = r.choice([3, 20, 600, 5_000]), r.choice([("<a>", "</a>"), ("[", "]"), ("{a = ", "}"), ("a.", "")])
    return "".join([*lines[:i], start * n, end * n, *lines[i:]])


DAMAGES: list[Callable[[str, random.Random], str]] = [
    drop_line, double_line, shuffle_lines, truncate, odd_number, odd_number, odd_number, exchange_values, empty_value,
    drop_attribute, drop_tag, special, odd_comment, odd_prefix, deeper,
]  # fmt: skip
KIND = Kind("files", trial, seconds=20, memory=6 << 30)
