"""A language is one folder: with English that has accents, no command and no document says a word without them."""

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
simulate two_link --at 1
export two_link --code cobol
show two_link
doctor puma560
prove one_link
check two_link answer.txt
bounds two_link --seconds 1
abbreviate two_link
base two_link
closed four_bar --only M
report two_link --routes composite -o report.md
exam two_link -o exam.md
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
    if " -o " in line:
        said[line] += open(line.split()[-1], encoding="utf-8").read()
print(json.dumps(said))
"""
# what is typed or is a name: options with their values, files, functions, code, choices
TYPED = re.compile(
    r"`[^`]*`|--?[\w-]+(?:[= ][\w.,/|{}=…:-]+)?|\bqddot\b.*$|\{[^{}]*\}|\[[\w ,…-]+\]|\w*[_./\d]\w*|'[^']*'",
    re.MULTILINE,
)
# in documents: formulas, tags, addresses, and works with their years
PRINTED = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|<[^>]*>|\]\([^)]*\)|[^\n]*\b(?:19|20)\d\d\b[^\n]*", re.DOTALL)
QUANTITIES = "christoffel friction forces springs tau text semi xacro max rad fore upper"
NAMES = {*(command.name for command in COMMANDS), *METHODS, *ROUTES, *WRITERS, *NOTATIONS, *QUANTITIES.split()}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = library(tmp_path_factory.mktemp("pseudo"))
    (folder / "answer.txt").write_text("M12 = 3\nh1 = m3\nM22 = m2*l**2/3\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUNNING, json.dumps(LINES.split("\n")[1:-1]), CODE],
        env={"PYTHONPATH": str(folder), "PATH": "", "COLUMNS": "200"},
        cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    texts: dict[str, str] = json.loads(done.stdout)
    return texts


@pytest.mark.parametrize("command", LINES.split("\n")[1:-1])
def test_each_word_of_a_command_is_in_the_language(command: str, said: dict[str, str]) -> None:
    rest = TYPED.sub(" ", PRINTED.sub(" ", said[command]))
    assert {*re.findall(r"\b[a-z]{3,}\b", rest)} <= NAMES, said[command]
