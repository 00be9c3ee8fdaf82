"""The built page does in a browser what a person asks of it, and is small enough to be loaded."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from qddot.page.server import serving
from tools import BROWSER, chromium, node, page

HERE = Path(__file__).parent
PICTURES = HERE.parent.parent / "page" / "work" / "pictures"
LARGEST, LARGEST_PACKED = 27_000_000, 12_000_000  # bytes


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The page at the root of a server, and once more in a folder of it."""
    built = page()
    shutil.copytree(built, tmp_path / "root")
    shutil.copytree(built, tmp_path / "root" / "within")
    with serving(tmp_path / "root", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


def test_the_page_does_what_a_person_asks(address: str) -> None:
    command = [node(), str(HERE / "driven.mjs"), address, chromium(), str(BROWSER / "node_modules"), str(PICTURES)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=600)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each for each in told if not each["ok"]] == [], done.stderr[-2000:]
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(told) > 15


def test_the_page_is_small() -> None:
    contents = [path.read_bytes() for path in page().rglob("*") if path.is_file()]
    assert sum(map(len, contents)) < LARGEST
    assert sum(len(gzip.compress(content)) for content in contents) < LARGEST_PACKED


def test_its_typescript_is_sound() -> None:
    root = HERE.parent.parent
    node()
    compiler = BROWSER / "node_modules" / ".bin" / "tsc"
    if not (root / "page" / "node_modules").exists() and "CI" not in os.environ:
        pytest.skip("the page's packages are missing: run `make page`")
    done = subprocess.run([str(compiler), "-p", str(root / "page")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
