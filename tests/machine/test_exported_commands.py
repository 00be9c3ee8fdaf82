"""The commands in the heads of exported files, and those beside code on the site, run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools import uses

import qddot
from qddot.apps.cli import main

NUMBERS = Path(__file__).parents[2] / "docs" / "reference" / "numbers.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:[:*%] )(cc .*|node \S+|octave --eval .*)")
MAINS = {"main.c": '#include "two_link.h"\nint main(void) { return 0; }\n'}
MAINS["main.cpp"] = MAINS["main.c"].replace(".h", ".hpp").replace("void", "")
PROGRAMS = {"cpp": "main.cpp", "js": "main.mjs", "matlab": "run_it.m"}  # of a block of code
READABLE = {"matlab": (".m", "f = "), "python": (".py", "import scipy")}  # its file, and how its example begins


def run(command: str, folder: Path) -> str:
    """What a command line prints in a folder."""
    done = subprocess.run(
        command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


@uses("gcc", "g++", "node", "octave")
def test_the_commands_in_the_heads_of_files_run(tmp_path: Path) -> None:
    arm, commands = qddot.load("two_link"), []
    for target in ("cpp", "js", "matlab"):
        for file in arm.export(target, ["inverse_dynamics", "state_derivative"], tmp_path):
            commands += COMMAND.findall("\n".join(file.read_text(encoding="utf-8").splitlines()[:6]))
    for name, text in MAINS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [command.split()[0] for command in commands] == ["cc", "cc", "cc", "node", "node", "octave"]
    printed = "".join(run(command, tmp_path) for command in commands)
    assert printed.count("two_link: all values are right") == 2


@uses("octave")
@pytest.mark.parametrize("target", READABLE)
def test_the_example_in_a_readable_function_runs(target: str, tmp_path: Path) -> None:
    """z after a step of 0.01 s from rest is near a fall with the acceleration at rest."""
    arm, (suffix, first) = qddot.load("two_link"), READABLE[target]
    (file,) = arm.export(target, None, tmp_path, **({} if target == "matlab" else {"readable": True}))
    lines = [line.lstrip("% ").strip() for line in file.read_text(encoding="utf-8").splitlines()]
    start = next(k for k, line in enumerate(lines) if line.startswith(first))
    example = lines[start : lines.index("", start)]
    if suffix == ".py":
        example = ["import numpy as np", "from two_link import *", *example, "print(*z[2:])"]
    else:
        example.append("disp(z(3:4)')")
    (tmp_path / f"step{suffix}").write_text("\n".join(example), encoding="utf-8")
    printed = run(f"octave step{suffix}" if suffix == ".m" else f"{sys.executable} step.py", tmp_path)
    falling = 0.01 * arm.forward_dynamics([0, 0], [0, 0], [0, 0])
    assert [float(each) for each in printed.split()] == pytest.approx(falling, rel=0.01)


@uses("gcc", "g++", "eigen", "node", "octave")
def test_code_on_the_site_is_compiled_and_run_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = NUMBERS.read_text(encoding="utf-8")
    section = text[text.index("\n## Code\n") : text.index("\n## Numbers and speed\n")]
    monkeypatch.chdir(tmp_path)
    run_ones = 0
    for language, body in BLOCK.findall(section):
        if language in PROGRAMS:
            Path(PROGRAMS[language]).write_text(body, encoding="utf-8")
        if language == "matlab":
            run_ones += not run(f"octave {PROGRAMS[language]}", tmp_path)
        if language == "console":
            for command, printed in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", body, re.MULTILINE):
                if command.startswith("qddot "):
                    words = re.findall(r'"[^"]*"|\S+', command.removeprefix("qddot "))
                    assert main(words) == 0
                    continue
                run_ones += 1
                assert printed in run(command, tmp_path)
    assert run_ones == 7
