"""`qddot page` serves the files of one folder, to browsers on this machine that ask its own address."""

from __future__ import annotations

import http.client
import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from refusals import refusal

from qddot.apps.cli import main
from qddot.apps.page import server
from qddot.apps.page.server import ADDRESS, Server, serving
from qddot.base.errors import QddotError

PACKED = b"\x28\xb5\x2f\xfd and more"  # begins as what Zstandard packs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "built"
    (built / "flint").mkdir(parents=True)
    (built / "index.html").write_text("<p>the page</p>")
    (built / "flint" / "libflint.wasm").write_bytes(b"\0asm")
    (tmp_path / "secret.txt").write_text("secret")
    (built / "first.bin").write_bytes(PACKED)
    (built / "way-out").symlink_to(tmp_path / "secret.txt")
    return built


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    with serving(folder, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def asked(
    port: int, path: str, host: str | None = None, method: str = "GET", accepted: str = "identity"
) -> tuple[int, bytes, dict[str, str]]:
    with closing(http.client.HTTPConnection(ADDRESS, port, timeout=10)) as connection:
        connection.request(method, path, headers={"Host": host or f"{ADDRESS}:{port}", "Accept-Encoding": accepted})
        answer = connection.getresponse()
        return answer.status, answer.read(), dict(answer.getheaders())


def test_it_serves_the_page_under_a_policy_of_its_own(port: int) -> None:
    status, content, headers = asked(port, "/")
    assert (status, content) == (200, b"<p>the page</p>")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_browser_compiles_a_library_while_it_arrives(port: int) -> None:
    assert asked(port, "/flint/libflint.wasm")[2]["Content-Type"] == "application/wasm"


@pytest.mark.parametrize("accepted", ["gzip, deflate, br, zstd", "zstd", "zstd;q=0.5, gzip"])
def test_a_browser_that_knows_how_a_file_is_packed_unpacks_it(port: int, accepted: str) -> None:
    status, content, headers = asked(port, "/first.bin", accepted=accepted)
    assert (status, content) == (200, PACKED)
    assert headers["Content-Encoding"] == "zstd"
    assert "Content-Encoding" not in asked(port, "/flint/libflint.wasm", accepted=accepted)[2]


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "zstd;q=0, gzip", "gzip, zstd; q=0.0", "xzstd", ""])
def test_the_page_unpacks_a_file_that_its_browser_does_not(port: int, accepted: str) -> None:
    _, content, headers = asked(port, "/first.bin", accepted=accepted)
    assert content == PACKED
    assert "Content-Encoding" not in headers
    assert headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1", "127.0.0.1:1", "", "localhost.example.com"])
def test_a_name_that_is_not_this_machines_is_refused(port: int, host: str) -> None:
    assert asked(port, "/", host or " ")[0] in (400, 403)


def test_its_own_names_are_accepted(port: int) -> None:
    assert asked(port, "/", f"localhost:{port}")[0] == 200


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd", "/way-out", "/flint", "/%00", "/%ff"],
)
def test_nothing_outside_of_the_folder_is_served(port: int, path: str) -> None:
    status, content, _ = asked(port, path)
    assert status == 404
    assert b"secret" not in content


def test_nothing_is_taken(port: int) -> None:
    assert asked(port, "/", method="POST")[0] == 501


def test_a_page_that_is_not_built_says_how_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["page", "--built", str(tmp_path)]) == 2
    assert "make page" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(folder: Path, port: int) -> None:
    with pytest.raises(QddotError, match=f"port {port} .* --port"):
        serving(folder, port)
    with refusal(QddotError, "port-port"):
        serving(folder, 70_000)


LONG = 1 << 24  # bytes, more than a socket's buffers hold


def half_asked(port: int) -> socket.socket:
    """A connection with the half of a request."""
    connection = socket.create_connection((ADDRESS, port), timeout=20)
    connection.sendall(b"GET / HTTP/1.1\r\n")
    return connection


def left(connection: socket.socket) -> int:
    """How many bytes come before a connection ends."""
    count = 0
    with connection:
        while content := connection.recv(1 << 16):
            count += len(content)
    return count


def test_many_connections_that_ask_for_nothing_give_way_to_those_that_do(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST", 4)
    halves = [half_asked(port) for _ in range(20)]
    assert asked(port, "/")[:2] == (200, b"<p>the page</p>")
    assert [left(each) for each in halves[:17]] == [0] * 17  # the fourth place was given to the page
    for each in halves[17:]:
        each.sendall(f"Host: {ADDRESS}:{port}\r\nConnection: close\r\n\r\n".encode())
        assert left(each) > 100


def test_the_half_of_a_request_is_not_waited_for_for_ever(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(server, "monotonic", lambda: now[0])
    with closing(half_asked(port)) as half:
        assert asked(port, "/")[0] == 200  # the server has taken the connection before
        half.sendall(b"Host: ")  # some more of it does not help
        now[0] += 1.1 * server.PATIENCE
        assert half.recv(1) == b""
    assert asked(port, "/")[0] == 200


def test_a_browser_that_takes_a_long_file_slowly_gets_all_of_it(
    port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each piece takes almost as long as the server waits, and all of them more than an hour."""
    now, note = [0.0], Server.note

    def noting(self: Server, connection: Any) -> None:
        now[0] += 0.9 * server.PATIENCE
        note(self, connection)

    monkeypatch.setattr(server, "monotonic", lambda: now[0])
    monkeypatch.setattr(Server, "note", noting)
    (folder / "long.wasm").write_bytes(bytes(LONG))
    status, content, _ = asked(port, "/long.wasm")
    assert (status, len(content)) == (200, LONG)
    assert now[0] > 100 * server.PATIENCE


def test_a_browser_that_takes_nothing_of_a_long_file_is_left(
    port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, closed, shutdown_request = threading.Event(), threading.Event(), Server.shutdown_request

    def closing_one(self: Server, request: Any) -> None:
        shutdown_request(self, request)
        closed.set()

    later = itertools.count(0.0, 2 * server.PATIENCE)  # whenever the clock is looked at
    monkeypatch.setattr(server, "monotonic", lambda: next(later) if taken.is_set() else 0.0)
    monkeypatch.setattr(Server, "shutdown_request", closing_one)
    (folder / "long.wasm").write_bytes(bytes(LONG))
    connection = socket.create_connection((ADDRESS, port), timeout=20)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
    connection.sendall(f"GET /long.wasm HTTP/1.1\r\nHost: {ADDRESS}:{port}\r\n\r\n".encode())
    assert connection.recv(15) == b"HTTP/1.1 200 OK"
    taken.set()
    assert closed.wait(20)
    assert left(connection) < LONG
