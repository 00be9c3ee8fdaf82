"""The exact core needs only python-flint and pure Python: without packages of numbers, and in a browser's Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import bare
import defusedxml
import lark
from tools import BROWSER, node, uses

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ROBOTS = ("two_link", "elbow_3r")  # with a symbol for each number; the page derives longer arms


def output_of(*command: str) -> dict[str, dict[str, str]]:
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    outputs: dict[str, dict[str, str]] = json.loads(done.stdout)
    return outputs


def test_it_runs_without_the_packages_of_numbers_and_pictures() -> None:
    outputs = output_of(sys.executable, str(HERE / "bare.py"), *ROBOTS)
    assert outputs["elbow_3r"]["base"].startswith("15 base parameters of 30")
    assert outputs["two_link"] == {**bare.printed("two_link"), **bare.everything("two_link")}
    assert outputs["rows"] == {"urdf": bare.described(), "wrong": bare.refuted(), "report": bare.reported()}


@uses("node", "pyodide")
def test_it_prints_the_same_in_a_browsers_python(tmp_path: Path) -> None:
    for package in (defusedxml, lark):  # pure Python
        shutil.copytree(Path(package.__file__).parent, tmp_path / package.__name__)
    sources = ",".join(map(str, (ROOT / "src", HERE, tmp_path)))
    outputs = output_of(node(), str(HERE / "in_node.mjs"), str(BROWSER), sources, *ROBOTS)
    for name in ROBOTS:
        assert outputs[name] == bare.printed(name)
    assert outputs["long ring"] == bare.long_ring()
