"""The suite of conformance vectors is one file of many robots with their licences, which follows its schema."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import jsonschema

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "bench"))

from conformance_suite import ROBOTS, write  # noqa: E402

CHOSEN = [
    "two_link",
    "satellite_arm",
    "puma560_1986",
    "ur_description/urdf/ur5_robot.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "anymal_c_simple_description/urdf/anymal.urdf",
]
NAMES = [
    "two_link/fixed",
    "satellite_arm/free",
    "ur_description/ur5_robot/fixed",
    "anymal_b_simple_description/anymal/fixed",
    "anymal_c_simple_description/anymal/fixed",
]


def test_several_robots_make_one_file_that_follows_the_schema(tmp_path: Path) -> None:
    *paths, archive = write(tmp_path / "vectors", CHOSEN, states=1)
    texts = {path.name: path.read_text("utf-8") for path in paths}
    content = json.loads(texts["vectors.json"])
    jsonschema.validate(content, json.loads(texts["vectors.schema.json"]))
    assert [robot["name"] for robot in content["robots"]] == NAMES
    assert all(robot["licence"] for robot in content["robots"])
    assert "Redistribution" in content["robots"][2]["licence"]
    with zipfile.ZipFile(archive) as packed:
        assert {name: packed.read(name).decode() for name in packed.namelist()} == texts


def test_there_are_more_than_fifty_robots() -> None:
    assert len(set(ROBOTS)) == len(ROBOTS) >= 55
