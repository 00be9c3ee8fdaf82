"""The page has each language that has a folder: with English that has accents, no tab says a word without them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from pathlib import Path

from page_sentences import SOURCE, write_sentences, write_zoo
from pseudo import CODE, library
from tools import BROWSER, PAGE, chromium, node, uses

from qddot.apps.page.server import serving
from qddot.exact.equations.notations import NOTATIONS
from qddot.formats.finding import zoo

NAMES = {*zoo(), *NOTATIONS, "upper", "fore", "tool", "rad"}  # of robots, notations, links, quantities, units
WORD = re.compile(r"(?<![\w'.])[a-z]{3,}(?![\w'.])")


@uses("node", "pyodide", "chromium", "built page")
def test_each_word_of_its_tabs_is_in_the_language(tmp_path: Path) -> None:
    site, sentences = tmp_path / "site", tmp_path / "languages.json"
    shutil.copytree(PAGE, site)
    copy = library(tmp_path / "library")
    write_sentences(sentences, copy)
    write_zoo(site, copy)
    with serving(site, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address, modules = f"http://127.0.0.1:{server.server_address[1]}/", str(BROWSER / "node_modules")
        script = str(Path(__file__).parent / "accented.mjs")
        command = [node(), script, str(SOURCE), str(sentences), str(site), address, chromium(), modules]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300)
        server.shutdown()
        thread.join()
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout)
    # the Python within the built page has no such folder, and says so where it is asked for a report
    own = {view: [text for text in texts if f"'{CODE}'" not in text] for view, texts in said.items()}
    words = {view: {word for text in texts for word in WORD.findall(text)} - NAMES for view, texts in own.items()}
    assert min(map(len, said.values())) > 20
    assert {view: sorted(each) for view, each in words.items() if each} == {}
