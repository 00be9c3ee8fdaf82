"""xacro: URDF with macros, expanded by the program of that name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from qddot import programs
from qddot.errors import FormatError, shortened
from qddot.formats.xml import XACRO, Element

LONGEST_RUN = 60  # seconds
# isolated, then with the folders of this Python: not with the one at hand, which may hold another's xacro.py or yaml.py
ISOLATED = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); import xacro; xacro.main()"


def needed(path: Path, root: Element) -> bool:
    return path.suffix.lower() == ".xacro" or any(element.tag.startswith(XACRO) for element in root.descendants())


def expanded(path: Path) -> str:
    """The file with its macros expanded; a xacro file may read other files, as its includes say.

    raises FormatError: xacro is not installed, or its own complaint
    """
    try:
        run = subprocess.run(  # noqa: S603
            [*_program(path), str(path.resolve())],
            capture_output=True,
            timeout=LONGEST_RUN,
            check=False,
            env=programs.environment(),
        )
    except subprocess.TimeoutExpired:
        raise FormatError(f"xacro takes more than {LONGEST_RUN} s", where=str(path)) from None
    if run.returncode:
        complaint = run.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise FormatError(f"xacro: {shortened(complaint[0], 200)}", where=str(path), remedy="check: xacro FILE")
    return run.stdout.decode(errors="replace")


def _program(path: Path) -> list[str]:
    """The command that ROS brings, or the module in this Python."""
    command = programs.command("xacro")
    if command:
        return [command]
    if programs.has_module("xacro"):
        return [sys.executable, "-I", "-X", "utf8", "-c", ISOLATED, json.dumps(programs.module_path())]
    raise FormatError(
        "a xacro macro, and xacro is not installed",
        where=str(path),
        remedy="run elsewhere: xacro FILE > FILE.urdf; or pip install xacro",
    )
