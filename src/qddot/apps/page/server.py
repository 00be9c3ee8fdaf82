"""Serves the built page on this machine only: the files of one folder, at one local address.

A connection makes progress when it requests a file, and with each piece of the file that is sent. One without progress
for some time is closed; if there are too many, the one without progress for longest is closed for a new one.
"""

from __future__ import annotations

import http.server
import re
import sys
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from socket import SHUT_RDWR
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import unquote, urlsplit

from qddot.base.errors import QddotError
from qddot.base.system import built_page
from qddot.base.words.message import Following, say

ADDRESS = "127.0.0.1"
PORT = 8739
MOST = 64  # the most connections at once; a browser has six
PATIENCE = 30.0  # seconds in which a connection has to make progress
PIECE = 1 << 16  # bytes
ZSTANDARD = b"\x28\xb5\x2f\xfd"  # the first bytes of a file that is packed with it
ACCEPTED = re.compile(r"\bzstd\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")
HOW = Following((built_page.HOW, say("or-give-folder-of-page")))
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff": "font/woff",
    ".zip": "application/zip",
}


class Handler(http.server.SimpleHTTPRequestHandler):
    """This answers GET and HEAD requests with the files of its folder, and nothing else."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "qddot", ""

    def parse_request(self) -> bool:
        """Refuses requests under a host name other than this machine's, since another site could let its name point
        here."""
        if not super().parse_request():
            return False
        self.server.note(self.connection)
        host = self.headers.get("Host", "")
        port = self.connection.getsockname()[1]
        if host.lower() in (f"{ADDRESS}:{port}", f"localhost:{port}"):
            return True
        self.send_error(HTTPStatus.FORBIDDEN, f"this is {ADDRESS}:{port}")
        return False

    def send_head(self) -> Any:
        """Opens the requested file, if it is one of the folder's."""
        place = self._place()
        if place is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        content = place.open("rb")
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", TYPES.get(place.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(place.stat().st_size))
        if self._is_packed_as_accepted(content):
            self.send_header("Content-Encoding", "zstd")
        self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        return content

    def _is_packed_as_accepted(self, content: Any) -> bool:
        """Returns whether the browser itself can unpack the file, which is faster than unpacking it in the page."""
        is_packed = content.read(len(ZSTANDARD)) == ZSTANDARD
        content.seek(0)
        return is_packed and bool(ACCEPTED.search(self.headers.get("Accept-Encoding", "")))

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Sends a file in pieces."""
        while piece := source.read(PIECE):
            outputfile.write(piece)
            self.server.note(self.connection)

    def _place(self) -> Path | None:
        """Returns the file, or None if there is none or if it is outside of the folder, also by a link."""
        folder = Path(self.directory).resolve()
        try:
            name = unquote(urlsplit(self.path).path, errors="strict").lstrip("/") or "index.html"
            place = (folder / name).resolve()
            return place if place.is_relative_to(folder) and place.is_file() else None
        except (OSError, ValueError):
            return None

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Prints nothing, since a terminal shows only the address."""


class Server(http.server.ThreadingHTTPServer):
    """This serves several files at once, and reports no error when a browser closes its connection early."""

    daemon_threads = True

    def __init__(self, *arguments: Any) -> None:
        self._noted: dict[Any, float] = {}  # the time of each connection's last progress, the earliest first
        self._lock = Lock()
        super().__init__(*arguments)

    def note(self, connection: Any) -> None:
        """Records progress of a connection, unless it was closed."""
        with self._lock:
            if self._noted.pop(connection, None) is not None:
                self._noted[connection] = monotonic()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serves a connection on a thread of its own."""
        with self._lock:
            if len(self._noted) >= MOST:
                self._end(next(iter(self._noted)))
            self._noted[request] = monotonic()
        super().process_request(request, client_address)

    def service_actions(self) -> None:
        """Closes connections without progress; called twice a second."""
        with self._lock:
            for connection, noted in [*self._noted.items()]:
                if monotonic() - noted > PATIENCE:
                    self._end(connection)

    def shutdown_request(self, request: Any) -> None:
        """Closes a connection that was served."""
        with self._lock:
            self._noted.pop(request, None)
        super().shutdown_request(request)

    def _end(self, connection: Any) -> None:
        """Wakes the thread that waits for a connection, and closes it."""
        del self._noted[connection]
        with suppress(OSError):
            connection.shutdown(SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints the error, unless a connection was closed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def serving(folder: Path | None = None, port: int = PORT) -> Server:
    """Returns a server of a folder, which serves once `serve_forever` is called; port 0 takes any free port.

    raises QddotError: the page is not built, or the port is in use
    """
    place = built_page.folder() if folder is None else folder
    if not (place / "index.html").is_file():
        raise QddotError("no-built-page", place=place, remedy=HOW)
    try:
        return Server((ADDRESS, port), partial(Handler, directory=str(place)))
    except OSError as error:
        raise QddotError("port-give-another-port", port=port, address=ADDRESS, strerror=error.strerror) from None
    except OverflowError:
        raise QddotError("port-port", port=port) from None
