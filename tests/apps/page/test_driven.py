"""The built page does in a browser what a person asks of it, and is small enough to be loaded."""

from __future__ import annotations

import gzip
import json
import math
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from page_sentences import write_sentences
from tools import BROWSER, PAGE, chromium, node, uses

import qddot
from qddot.apps.page.server import serving

if TYPE_CHECKING:
    from qddot.papers.draw.widget import ArmWidget

HERE = Path(__file__).parent
PICTURES = HERE.parents[2] / "page" / "interim" / "pictures"
LARGEST, LARGEST_PACKED = 15_000_000, 12_000_000  # bytes


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The page at the root of a server, and once more in a folder of it."""
    shutil.copytree(PAGE, tmp_path / "root")
    shutil.copytree(PAGE, tmp_path / "root" / "within")
    with serving(tmp_path / "root", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def native(tmp_path: Path) -> Path:
    """The energies of the homework's motion, with which the page compares its own, and what widgets are handed."""
    q, qd, damping, step = [math.pi, 0.0], [0.1, 0.1], 1.0, 0.01
    arm = qddot.load("spatial_2r")
    run = arm.simulate(q, qd, 5.0, 1e-3, "rk4", damping=damping, limits=False, options=qddot.Options(record_every=10))
    content = {"q": q, "qd": qd, "damping": damping, "step": step}
    content |= {"K": run.energy.K.tolist(), "P": run.energy.P.tolist()}
    content["widgets"] = [handed(arm.view(q)), handed(stopped().view(lang="zh"))]
    path = tmp_path / "native.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def stopped() -> qddot.Run:
    """A run that ends early, at a joint's limit."""
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": 1, "joint": {"limits": [-1, 1]}}], gravity=[0, -9.81, 0])
    return arm.simulate([-0.5], [6.0], 2.0, 0.01)


def handed(widget: ArmWidget) -> dict[str, Any]:
    """What a widget hands to its script, with its arrays as lists."""
    arrays = {name: np.frombuffer(getattr(widget, name)).tolist() for name in ("times", "samples")}
    return {name: getattr(widget, name) for name in ("arm", "lang", "q", "stopped")} | arrays


@uses("node", "pyodide", "chromium", "built page")
def test_the_page_does_what_a_person_asks(address: str, native: Path) -> None:
    modules = str(BROWSER / "node_modules")
    command = [node(), str(HERE / "driven.mjs"), address, chromium(), modules, str(PICTURES), str(native)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=600)
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"not done within {late.timeout} s, but: {late.stdout!r}")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each for each in told if not each["ok"]] == [], done.stderr[-2000:]
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(told) > 17


@uses("built page")
def test_the_page_is_small() -> None:
    contents = [path.read_bytes() for path in PAGE.rglob("*") if path.is_file()]
    assert sum(map(len, contents)) < LARGEST
    assert sum(len(gzip.compress(content)) for content in contents) < LARGEST_PACKED


@uses("node", "pyodide")
def test_its_typescript_is_sound() -> None:
    root = HERE.parents[2]
    compiler = BROWSER / "node_modules" / ".bin" / "tsc"
    if not (root / "page" / "node_modules").exists() and "CI" not in os.environ:
        pytest.skip("the page's packages are missing: run `make page`")
    write_sentences()
    done = subprocess.run([str(compiler), "-p", str(root / "page")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
