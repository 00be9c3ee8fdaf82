"""Files and folders with hostile names: commands read them, programs get the names exactly, and none is obeyed."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote_to_bytes

from soaking.commands import called, judged
from soaking.trial import Finding

INJECTED = "injected"  # begins a line only where a name's line break has reached the output
PARTS = ["arm", "a b", " ", "'", '"', "`id`", "$(id)", "\\", "*", "?", "~", "&", ";", "|", "#", "{0}", "%s", "%", "%0A",
         "%0A::error::", "::stop-commands::x", "::add-mask::", "##[add-mask]", f"\n{INJECTED}", f"\r{INJECTED}", "\t",
         "\n::error::", "\x1b[31m", "\x1b]0;x\x07", "\x7f", "\x85", "\x9b31m", "\u2028", "\u202e", "\u200b", "\ufeff",
         "é", "e\u0301", "名", "😀", "\udcff", "\udce2\udc82", ".", "..", "...", "-", "-x", "--json", "--without", ":",
         ",", ":12", "line 5", "[red]", "<b>", "x" * 100, "名" * 80, ".urdf", ".urdf.", ".xacro"]  # fmt: skip
LONGEST = 240  # bytes of a name before its suffix; file systems take 255
SOUND = {
    ".urdf": (
        '<robot name="r"><link name="ground"/><link name="l"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
        '<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" '
        'type="continuous"><parent link="ground"/><child link="l"/><axis xyz="0 1 0"/></joint></robot>'
    ),
    ".xml": (
        '<mujoco><worldbody><body name="l"><joint name="j" axis="0 1 0"/>'
        '<inertial pos="0.1 0 0" mass="1" diaginertia="0.02 0.02 0.02"/></body></worldbody></mujoco>'
    ),
}
BROKEN = {".urdf": "<robot", ".sdf": "<sdf", ".xml": "<mujoco><x/></mujoco>", ".toml": 'convention = "none"'}
FILES = [(suffix, text, texts is BROKEN) for texts in (SOUND, BROKEN) for suffix, text in texts.items()]
GITHUB = "--format=github"
OWN = re.compile(r"::(?:error|warning|notice) (?:file=([^:,]+),line=\d+,)?title=\w[\w ]*::.*")
ORDER = re.compile(r"\s*::|.*##\[.*\]")  # what GitHub's runner obeys


def trial(r: random.Random) -> Iterator[Finding]:
    """A folder with some files, sound and broken, given to the doctor; and one of them, given to some commands."""
    folder, given = name(r), r.choice(["", "./"])
    Path(folder).mkdir()
    broken: dict[str, bool] = {}  # by path
    for suffix, text, wrong in r.sample(FILES, 3):
        path = f"{folder}/{name(r)}{suffix}"
        Path(path).write_text(text, encoding="utf-8")
        broken[path] = wrong
    for option, named in NAMED.items():
        out, found = run(["doctor", option, "--", given + folder], {3} if any(broken.values()) else {0})
        yield from found or judged_names(option, named(out), broken)
    path = r.choice(sorted(broken))
    for line in (["show"], ["derive"], ["doctor"], ["doctor", GITHUB]):
        refused = {2, 3} if line[0] == "doctor" else {2}  # a mistake of the description, or a file that is none
        yield from run([*line, "--", given + path], refused if broken[path] else {0})[1]
        yield from run([*line, "--", f"{given}{folder}/{name(r)}.urdf/x"], {2})[1]  # which is not there


def name(r: random.Random) -> str:
    """A name that the file system takes; where it is cut within a letter, it is no UTF-8."""
    drawn = os.fsdecode(os.fsencode("".join(r.sample(PARTS, r.choice([1, 1, 2, 3]))))[:LONGEST])
    return f"{drawn}_" if drawn in (".", "..") else drawn


def run(line: list[str], codes: set[int]) -> tuple[str, list[Finding]]:
    """What a command writes on standard output, and what is wrong with its code and with all that it writes."""
    code, err = called(line)
    out = Path(".out").read_bytes().decode("utf-8")
    shown = f"qddot {shlex.join(line)!a}"
    found = list(judged(line[0], shown, code, err))
    if not found and code not in codes:
        found.append(Finding(f"{line[0]}: not a code of this file", f"{shown} ends with {code}: {err[-300:]}"))
    return out, found or list(harmless(out + err, shown, GITHUB in line))


def harmless(text: str, shown: str, for_github: bool) -> Iterator[Finding]:
    """No name moves a terminal, begins a line or is an order to a pipeline."""
    lines = text.split("\n")
    if not all(line.isprintable() for line in lines):
        yield Finding("a name is written raw", f"{shown}: {text!r}"[:600])
    if any(line.startswith(INJECTED) for line in lines):
        yield Finding("a name begins a line", f"{shown}: {text!r}"[:600])
    for line in lines if for_github else ():
        if ORDER.match(line) and not OWN.fullmatch(line):
            yield Finding("an order to a pipeline", f"{shown}: {line!r}"[:600])


def judged_names(option: str, named: set[str] | None, broken: Mapping[str, bool]) -> Iterator[Finding]:
    """The names that an output gives to programs are those of the broken files, or in JSON those of all."""
    expected = {path for path, wrong in broken.items() if wrong or option == "--json"}
    if named is None:
        return
    if option == GITHUB:  # whose form can give no other names exactly
        expected = {path for path in expected if path.replace("\n", "").replace("\r", "").isprintable()}
        named &= expected
    if named != expected:
        yield Finding(f"other names by {option}", f"{sorted(named)!a} in place of {sorted(expected)!a}")


def of_github(out: str) -> set[str]:
    files = {own[1] for line in out.split("\n") if (own := OWN.fullmatch(line))}
    for code, letter in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        files = {file.replace(code, letter) for file in files}
    return files


def of_sarif(out: str) -> set[str]:
    places = (each["locations"][0]["physicalLocation"] for each in json.loads(out)["runs"][0]["results"])
    return {
        os.fsdecode(unquote_to_bytes(place["artifactLocation"]["uri"].encode("ascii", "replace"))) for place in places
    }


NAMED: dict[str, Callable[[str], set[str] | None]] = {  # by the option of the doctor: the names in its output
    "--format=text": lambda out: None,
    "--json": lambda out: {each["file"] for each in json.loads(out)["files"]},
    GITHUB: of_github,
    "--format=sarif": of_sarif,
}
