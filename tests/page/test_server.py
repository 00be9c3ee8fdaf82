"""`qddot page` serves the files of one folder, to browsers on this machine that ask its own address."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qddot.cli import main
from qddot.errors import QddotError
from qddot.page.server import ADDRESS, serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "built"
    (built / "flint").mkdir(parents=True)
    (built / "index.html").write_text("<p>the page</p>")
    (built / "flint" / "libflint.wasm").write_bytes(b"\0asm")
    (tmp_path / "secret.txt").write_text("secret")
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


def asked(port: int, path: str, host: str | None = None, method: str = "GET") -> tuple[int, bytes, dict[str, str]]:
    with closing(http.client.HTTPConnection(ADDRESS, port, timeout=10)) as connection:
        connection.request(method, path, headers={"Host": host or f"{ADDRESS}:{port}"})
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
    assert main(["page", "--folder", str(tmp_path)]) == 2
    assert "make page" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(folder: Path, port: int) -> None:
    with pytest.raises(QddotError, match=f"port {port} .* --port"):
        serving(folder, port)
    with pytest.raises(QddotError, match="0 to 65535"):
        serving(folder, 70_000)
