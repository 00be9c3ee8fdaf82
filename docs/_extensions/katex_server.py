"""Asks KaTeX for mathematics through a socket's file, which takes no time; each formula through a port takes 0.1 s."""

from __future__ import annotations

import socket
from pathlib import Path
from subprocess import PIPE, Popen
from time import monotonic, sleep
from typing import Any

from sphinx.application import Sphinx
from sphinxcontrib.katex import KaTeXServer


def start(folder: Path, timeout: float) -> tuple[Popen[bytes], socket.socket]:
    """Returns the server with a connection to it; its file is there a little before it listens."""
    place = folder / "katex.sock"
    process = Popen(KaTeXServer.build_command(socket=place), stdin=PIPE, stdout=PIPE, cwd=folder)  # noqa: S603 - of our own words
    end = monotonic() + timeout
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(place))
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            if monotonic() > end:
                raise KaTeXServer.timeout_error(timeout) from None
            sleep(0.001)
        else:
            return process, connection


def setup(_app: Sphinx) -> dict[str, Any]:
    """Takes the place of the start on POSIX, where there are such files."""
    KaTeXServer.start_server_process = start
    return {"parallel_read_safe": True, "parallel_write_safe": True}
