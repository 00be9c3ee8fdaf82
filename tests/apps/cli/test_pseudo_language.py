"""A language is one folder: with English that has accents on all letters, no command says a word without them."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from pseudo import CODE, library

from qddot.apps.cli.commands import COMMANDS
from qddot.exact.equations.notations import NOTATIONS
from qddot.exact.equations.routes import ROUTES
from qddot.exact.printing.writers import WRITERS
from qddot.motion.simulate.stepping.methods import METHODS

LINES = """
--help
show --help
simulate --help
derive
derive nowhere.toml
derive two_link --only X
simulate two_link --q0 1
export two_link --code cobol
"""
RUNNING = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from qddot.apps.cli import main
said = {}
for line in json.loads(sys.argv[1]):
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            main([*line.split(), "--lang", sys.argv[2]])
        except SystemExit:
            pass
    said[line] = out.getvalue()
print(json.dumps(said))
"""
# what is typed or is a name: options with their values, files, functions, code, choices
TYPED = re.compile(
    r"`[^`]*`|--?[\w-]+(?:[= ][\w.,/|{}=…:-]+)?|\bqddot\b.*$|\{[^{}]*\}|\[[\w ,…-]+\]|\w*[_./\d]\w*|'[^']*'",
    re.MULTILINE,
)
QUANTITIES = "christoffel friction forces springs tau text semi xacro"
NAMES = {*(command.name for command in COMMANDS), *METHODS, *ROUTES, *WRITERS, *NOTATIONS, *QUANTITIES.split()}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = library(tmp_path_factory.mktemp("pseudo"))
    done = subprocess.run(
        [sys.executable, "-c", RUNNING, json.dumps(LINES.split("\n")[1:-1]), CODE],
        env={"PYTHONPATH": str(folder), "PATH": "", "COLUMNS": "200"},
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    texts: dict[str, str] = json.loads(done.stdout)
    return texts


@pytest.mark.parametrize("command", LINES.split("\n")[1:-1])
def test_each_word_of_a_command_is_in_the_language(command: str, said: dict[str, str]) -> None:
    rest = TYPED.sub(" ", said[command])
    assert {*re.findall(r"\b[a-z]{3,}\b", rest)} <= NAMES, said[command]
