"""An arm on the site can be played with: the page comes in place of its picture when somebody asks for it."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tools import BROWSER, PAGE, chromium, node, uses

HERE = Path(__file__).parent
DOCS = HERE.parents[2] / "docs"
CONF = f"""
import sys
sys.path.insert(0, {str(DOCS / "_extensions")!r})
extensions = ["playable"]
html_theme = "basic"
html_static_path = ["_static"]
html_favicon = "_static/icon.svg"
"""


def built(folder: Path, page_folder: str, arm: str = "two_link") -> Path:
    """A site of one page, with an arm to be played with."""
    (folder / "_static").symlink_to(DOCS / "_static")
    (folder / "conf.py").write_text(CONF, encoding="utf-8")
    (folder / "index.rst").write_text(f"Arm\n===\n\n.. play:: {arm}\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-D", f"page_folder={page_folder}", str(folder)]
    subprocess.run([*command, str(folder / "html")], check=True, capture_output=True, text=True)
    return folder / "html"


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing."""


@uses("node", "pyodide", "chromium", "built page")
def test_the_page_takes_the_place_of_its_picture(tmp_path: Path) -> None:
    site = built(tmp_path, str(PAGE))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address, modules = f"http://127.0.0.1:{server.server_address[1]}/index.html", str(BROWSER / "node_modules")
        command = [node(), str(HERE / "played.mjs"), address, str(site / "index.html"), chromium(), modules]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300)
        server.shutdown()
        thread.join()
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_site_without_the_page_says_how_to_get_it(tmp_path: Path) -> None:
    site = built(tmp_path, "")
    text = (site / "index.html").read_text(encoding="utf-8")
    assert "make page" in text
    assert "qddot page two_link" in text
    assert "data-page" not in text
    assert not (site / "page").exists()


def test_an_arm_that_does_not_ship_is_told_when_the_site_is_built(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as told:
        built(tmp_path, "", "my_arm")
    assert "my_arm is no arm that ships: acrobot" in told.value.stderr
