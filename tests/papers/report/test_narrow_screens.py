"""On a phone the letters of a report's pictures are as large as they were drawn; only their boxes are scrolled."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from shipped import robot
from tools import BROWSER, chromium, node, uses

pytestmark = pytest.mark.usefixtures("derived_once")
PHONE = 390
POINT = 96 / 72  # pixels for a point of a picture


@uses("node", "pyodide", "chromium")
def test_letters_of_pictures_are_legible_on_a_phone(tmp_path: Path) -> None:
    reports = [str(robot("spatial_2r").report(tmp_path / f"{lang}.html", lang=lang)) for lang in ("en", "zh")]
    command = [node(), str(Path(__file__).with_name("narrow.mjs")), str(BROWSER / "node_modules"), chromium(), *reports]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for seen in json.loads(said):
        assert seen["page"] == PHONE
        assert len(seen["pictures"]) == 3  # the arm, its coordinates and its energies; the film takes the path's place
        for picture in seen["pictures"]:
            assert picture["scale"] == pytest.approx(POINT, rel=1e-3)
            assert picture["room"] < PHONE
            assert picture["reached"]
