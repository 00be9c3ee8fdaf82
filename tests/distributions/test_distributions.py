"""Both distributions have the same version and the same dependencies wherever these are written down."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Template

import qddot

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES_IN_CONDA = {"matplotlib": "matplotlib-base"}


def full_metadata() -> dict[str, Any]:
    """What the distribution qddot says of itself when it is built."""
    hook = runpy.run_path(str(ROOT / "full" / "dependencies.py"))["Dependencies"](str(ROOT / "full"), {})
    metadata: dict[str, Any] = {"version": qddot.__version__}
    hook.update(metadata)
    return metadata


def recipe() -> dict[str, Any]:
    """conda's recipe, with what conda-build itself fills in."""
    text = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")
    source = (ROOT / "src" / "qddot" / "base" / "version.py").read_text(encoding="utf-8")
    return dict(
        yaml.safe_load(
            Template(text).render(
                PYTHON="python",
                load_file_regex=lambda load_file, regex_pattern, from_recipe_dir: re.search(regex_pattern, source),
                pin_subpackage=lambda name, exact: f"{name} exact={exact}",
            )
        )
    )


def test_the_version_stands_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == qddot.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changelog, re.MULTILINE)[0] == qddot.__version__
    assert recipe()["package"]["version"] == qddot.__version__
    for place in (ROOT, ROOT / "full", ROOT / "page"):
        content = tomllib.loads((place / "pyproject.toml").read_text(encoding="utf-8"))
        path = place / content["tool"]["hatch"]["version"]["path"]
        assert path.resolve() == (ROOT / "src" / "qddot" / "base" / "version.py").resolve()


def test_qddot_is_the_core_and_the_page_of_its_own_version() -> None:
    metadata, version = full_metadata(), qddot.__version__
    assert metadata["dependencies"] == [f"qddot-core[full]=={version}"]
    extras = metadata["optional-dependencies"]
    assert extras["page"] == [f"qddot-page=={version}"]
    assert set(extras) == {*PROJECT["optional-dependencies"], "page"} - {"full", "docs", "test"}
    assert all(extras[name] == [f"qddot-core[{name}]=={version}"] for name in extras if name != "page")


def test_conda_has_the_same_dependencies() -> None:
    core, full = recipe()["outputs"]
    wanted = [PROJECT["dependencies"], PROJECT["optional-dependencies"]["full"]]
    for output, dependencies in zip((core, full), wanted, strict=True):
        floors = {name: floor for name, _, floor in (each.partition(">=") for each in dependencies)}
        said = dict(each.split(" >=") for each in output["requirements"]["run"] if ">=" in each)
        said.pop("python", None)
        assert said == {NAMES_IN_CONDA.get(name, name): floor for name, floor in floors.items()}
    assert "qddot-core exact=True" in full["requirements"]["run"]
    assert core["requirements"]["run"][0] == f"python {PROJECT['requires-python']}"


def test_the_hook_and_the_action_install_what_the_doctor_needs() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    mujoco, xacro = hook["additional_dependencies"]
    assert mujoco == PROJECT["optional-dependencies"]["mjcf"][0]
    assert xacro in PROJECT["optional-dependencies"]["test"]
