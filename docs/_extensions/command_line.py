"""Writes the reference of the command line: what each command says of itself."""

from __future__ import annotations

import os
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from qddot.apps.cli import main
from qddot.apps.cli.commands import COMMANDS

COLUMNS = "100"


def said_by(*words: str) -> str:
    """Returns the help of a command."""
    text = StringIO()
    with redirect_stdout(text), suppress(SystemExit):
        main([*words, "--help"])
    return text.getvalue()


class CommandLine(SphinxDirective):
    """Shows the help of `qddot` and of all its commands, each in a section of its own."""

    def run(self) -> list[nodes.Node]:
        os.environ["COLUMNS"] = COLUMNS
        found: list[nodes.Node] = [_shown(said_by())]
        for command in COMMANDS:
            section = nodes.section(ids=[f"qddot-{command.name}"])
            section += nodes.title("", "", nodes.literal("", f"qddot {command.name}"))
            section += _shown(said_by(command.name))
            found.append(section)
        return found


def _shown(text: str) -> nodes.literal_block:
    block = nodes.literal_block(text, text)
    block["language"] = "text"
    return block


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the directive `command-line`."""
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True}
