"""Random command lines: the documented exit codes, no traceback, and nothing left behind."""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import qddot
from qddot.apps import cli
from qddot.apps.cli.command_line import parser_for
from qddot.formats.toml import robot_file
from soaking import random_robots
from soaking.trial import Finding, Kind

CODES = {"doctor": {0, 1, 2, 3}, "diff": {0, 1, 2}, "prove": {0, 1, 2}, "derive": {0, 1, 2}, "check": {0, 1, 2}}
OTHERS = {0, 2}
MANY_ODD = 4
UNREAD = 141  # where the reader left
SMALL = ["two_link", "planar_2r", "spatial_2r", "elbow_3r", "slider", "spherical_pendulum"]
ODD = ["", "nan", "inf", "-1", "0", "1e999", "abc", "1/0", "9" * 400, "--", "ä", "\x1b[31m", "a=b", ",", "-0",
       "1e-300", "/", "."]  # fmt: skip
GOOD = {
    "duration": ["0.1", "0.2"], "step": ["0.01", "0.02", "0.001"], "damping": ["0.5", "0,0", "1"],
    "torque": ["1", "0,0", "1,2,3"], "set": ["m1=2", "g=0", "L=0.5", "l1=1"], "record_every": ["1", "2", "5"],
    "plot": ["p.png", "p.pdf", "p.svg"], "plot_energy": ["m.png", "m.svg"], "movie": ["f.gif", "f.mp4"],
    "picture": ["a.png", "a.svg", "a.pdf"], "q": ["0,0", "0.3,-0.2", "90deg"],
    "route": ["composite", "newton_euler", "dh4x4", "com_jacobian", "screw", "energy"],
    "only": ["M", "M,G", "h", "tau", "K,P", "C2,B", "christoffel"], "digits": ["1", "3", "17"],
    "significance": ["0.1", "0.01", "0.01,B=0.05"], "against_joint": ["0.001", "0.1"], "budget": ["10", "1000"],
    "region": ["q2=-90deg:90deg", "qd1=-2:2", "q1=0:1"],
    "functions": ["inverse_dynamics", "mass_matrix,gravity", "jacobian"],
    "free": ["g", "m1,g", "L"], "body": ["tool", "0", "-1"], "q0": ["0,0", "0.3,-0.2", "0.1", "1,2,3", "90deg,0"],
    "qd0": ["0,0", "1,-1", "0.1"], "at": ["0,0", "0.1,0.2,0.3"],
}  # fmt: skip
OUTPUTS = {
    "simulate": ["run.nc", "run.csv"],
    "convert": ["out.toml", "out.urdf"],
    "report": ["out.html", "out.md"],
    "exam": ["exam.html", "exam.md"],
}
STREAMS = ["", "", ">/dev/full", ">&-", "2>&-", "| true"]
FOLDERS = ["out", ".", "deep/er"]


@cache
def parsers() -> dict[str, argparse.ArgumentParser]:
    """The commands, as the command line itself knows them."""
    groups = [action for action in parser_for()._actions if isinstance(action, argparse._SubParsersAction)]
    for parser in groups[0].choices.values():
        parser.complete()
    return dict(groups[0].choices)


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(seed)
    prepare(r)
    for k in range(3):
        command, line = command_line(r)
        before = set(listed())
        stream = r.choice(STREAMS) if k == 0 and r.random() < 0.1 else None
        code, err = called(line) if stream is None else called_outside(line, stream)
        shown = f"qddot {shlex.join(line)[:400]} {stream or ''}".strip()
        read = code != UNREAD or stream != "| true"
        yield from judged(command, shown, code if read else 0, err)
        left = set(listed()) - before
        named = {part for part in line if part} | set(FOLDERS)
        hidden = [path for path in left if Path(path).name.startswith((".", "tmp", "qddot-"))]
        # where standard output failed, the files had been written before, and stay
        if hidden or (code == 2 and stream is None and any(path.split("/")[0] not in named for path in left)):
            yield Finding(f"{command}: leaves files", f"{shown} leaves {sorted(left)[:5]}, code {code}")


def judged(command: str, shown: str, code: int, err: str) -> Iterator[Finding]:
    """By its exit code and by what it said on standard error."""
    if "Traceback" in err:
        last = [part for part in err.splitlines() if part.strip()]
        place = re.findall(r'/qddot/(\S*?)", line \d+, in (\S+)', err)
        where = ":".join(place[-1]) if place else "nowhere"
        yield Finding(f"traceback: {last[-1].split(':')[0]} in {where}", f"{shown}: {last[-1][:200]}", err[-1500:])
    elif code not in CODES.get(command, OTHERS):
        yield Finding(f"{command}: exit code {code}", f"{shown} ends with {code}: {err[-300:]}")
    elif code == 2 and not err.strip():
        yield Finding(f"{command}: a mistake without a word", shown)
    elif code == 2 and "mistake in qddot" in err:
        yield Finding(f"{command}: says it is wrong", f"{shown}: {err[-300:]}")


def prepare(r: random.Random) -> None:
    """Files to name: random robots, a folder, and files that are no robots."""
    for k in range(2):
        # exact equations of longer ones, and of more odd angles, may take minutes
        drawn = (random_robots.robot(r.randrange(1 << 30), 2) for _ in count())
        mapping = next(each for each in drawn if random_robots.odd_turns(each["link"]) <= MANY_ODD)
        arm = qddot.Robot(robot_file.from_mapping(mapping, "random"))
        Path(f"r{k}.toml").write_text(arm.to_toml(), encoding="utf-8")
    Path("folder.toml").mkdir()
    Path("binary.urdf").write_bytes(bytes(r.randrange(256) for _ in range(200)))
    Path("empty.toml").write_text("")


def command_line(r: random.Random) -> tuple[str, list[str]]:
    command = r.choice(sorted(set(parsers()) - {"page"}))  # which serves until it is stopped
    line = [command]
    for action in parsers()[command]._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        if not action.option_strings:
            line.append(an_arm(r, command))
            continue
        if not (action.required or r.random() < 0.2) or (action.required and r.random() < 0.03):
            continue
        line.append(r.choice(action.option_strings))
        if action.nargs != 0:
            line.append(a_value(command, action, r))
    if r.random() < 0.03:
        line.insert(r.randrange(len(line) + 1), r.choice(["--help", "--nonsense", "", "-x", "--version"]))
    return command, line


def a_value(command: str, action: Any, r: random.Random) -> str:
    if r.random() < 0.12:
        return r.choice(ODD)
    if action.choices:
        return str(r.choice(sorted(action.choices)))
    if action.dest == "output":
        return r.choice(OUTPUTS.get(command, ["out.txt", "out.html"]))
    if action.dest == "folder":
        return r.choice(FOLDERS)
    if action.dest == "code":
        return r.choice(["c", "python", "js"])
    return r.choice(GOOD.get(action.dest, ODD))


def an_arm(r: random.Random, command: str) -> str:
    choice = r.random()
    if choice < 0.55:
        return r.choice([name for name in SMALL if name in qddot.zoo()])
    if choice < 0.85:
        return r.choice(["r0.toml", "r1.toml"])
    if choice < 0.9:
        # bounds over the whole region of an arm of seven joints take minutes
        light = [name for name in qddot.zoo() if name != "simple_humanoid"]  # whose equations take a gigabyte
        return r.choice(SMALL if command == "abbreviate" else light)
    return r.choice(["folder.toml", "binary.urdf", "empty.toml", "none.toml", "/dev/null", "/dev/zero", "~", *ODD])


def listed() -> list[str]:
    own = (".cache", ".stacks", ".said", ".out", ".err")
    return [str(path) for path in Path(".").rglob("*") if not str(path).startswith(own)]


def called(line: list[str]) -> tuple[int, str]:
    """The command in this process, its streams in files."""
    kept = os.dup(1), os.dup(2)
    with open(".out", "w+", encoding="utf-8") as out, open(".err", "w+", encoding="utf-8") as err:
        old = sys.stdout, sys.stderr
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdout, sys.stderr = out, err
        try:
            code = cli.main(line)
        except SystemExit as error:
            code = int(error.code or 0)
        except Exception:
            traceback.print_exc()
            code = 1
        finally:
            out.flush()
            err.flush()
            sys.stdout, sys.stderr = old
            for fd, saved in zip((1, 2), kept, strict=True):
                os.dup2(saved, fd)
                os.close(saved)
    return code, Path(".err").read_text(encoding="utf-8", errors="replace")


def called_outside(line: list[str], stream: str) -> tuple[int, str]:
    """The command as a process, now and then with a full or a closed stream."""
    text = f"{shlex.join([sys.executable, '-m', 'qddot', *line])} {stream}"
    if "\0" in text:
        return 2, "not asked"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {text}"],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stderr or ("closed" if stream == "2>&-" else "")


KIND = Kind("commands", trial, seconds=60)
