"""Runs `qddot page`: it serves qddot's web page on this machine, with an arm in it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from qddot.apps.cli.opening import reading_options, without
from qddot.apps.cli.values import set_option, with_set_values
from qddot.apps.cli.words import sentence
from qddot.base.errors import QddotError, shortened

if TYPE_CHECKING:
    from qddot.robot.model import Model


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.apps.page.server import PORT

    command.add_argument("a", metavar="ARM", nargs="?", help=sentence("help-page-a"))
    command.add_argument("--built", metavar="DIR", help=sentence("help-page-folder"))
    reading_options(command)
    set_option(command)
    command.add_argument("--port", default=str(PORT), metavar="N", help=sentence("help-port", port=PORT))
    command.add_argument("--open", action="store_true", help=sentence("help-open"))


def run(chosen: argparse.Namespace) -> None:
    """Runs the command: it serves until it is interrupted."""
    from qddot.apps.page.server import ADDRESS, serving

    fragment = _fragment(chosen) if chosen.a else ""
    folder = None if chosen.built is None else Path(chosen.built)
    with serving(folder, _port(chosen.port)) as server:
        address = f"http://{ADDRESS}:{server.server_address[1]}/{fragment}"
        print(sentence("served-until", address=address), flush=True)
        if chosen.open:
            import webbrowser

            webbrowser.open(address)
        server.serve_forever()


def _port(text: str) -> int:
    if not text.isdecimal():
        raise QddotError("port-number", text=shortened(text))
    return int(text)


def _fragment(chosen: argparse.Namespace) -> str:
    """Returns the part of the address after #: the name of a robot that ships, or a whole robot file."""
    from qddot.apps.page.links import fragment_of
    from qddot.formats.finding import load, zoo

    read = load(chosen.a, chosen.arguments, without=without(chosen), model=chosen.model)
    model: Model = with_set_values(read, chosen)
    return f"#robot={quote(chosen.a)}" if chosen.a in zoo() and not chosen.set else f"#r={fragment_of(model)}"
