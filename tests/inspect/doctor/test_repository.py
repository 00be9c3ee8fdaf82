"""The doctor examines a repository: each finding stands at its file and line, in every form that a pipeline reads."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import commands
import jsonschema
import pytest
import yaml

from qddot.base.words.message import say
from qddot.formats.in_folders import robot_files
from qddot.formats.xml import xacro
from qddot.inspect.doctor import examine
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, check
from qddot.inspect.doctor.site import Site

ROOT = Path(__file__).parents[3]
MISTAKES = ROOT / "tests" / "data" / "robots_with_mistakes"
SCHEMA = json.loads((ROOT / "tests" / "data" / "sarif.json").read_text(encoding="utf-8"))
MARK = re.compile(r"here: ([\w, ]*\w)")
NO_ROBOTS = ("macros/rod.xacro", "pyproject.toml", "package.xml", "docs/start.xml", ".hidden/robot.urdf")
Place = tuple[str, int, str]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = shutil.copytree(MISTAKES, tmp_path / "a repository, 50%: here")
    monkeypatch.chdir(folder)
    return folder


def planted(folder: Path) -> list[Place]:
    """Each file, line and check that a comment on that line names."""
    return sorted(
        (path.relative_to(folder).as_posix(), number, check)
        for path in folder.rglob("*.*")
        if path.is_file()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for said in MARK.findall(line)
        for check in said.split(", ")
    )


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return commands.run(capsys, "doctor", *arguments)


def test_a_file_for_each_finding() -> None:
    """What only an installation lacks, and what bounds prove of a robot alone, have tests of their own."""
    assert {check for _, _, check in planted(MISTAKES)} == set(examine.rules()) - {"not_examined", "singular_pose"}


def named_checks(file: Path) -> Iterator[str]:
    """The functions of a file of the doctor that are checks, and the names in findings that are made elsewhere."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
            yield from (ast.literal_eval(name) for name in node.args[3:])
        if isinstance(node, ast.FunctionDef) and any("check(" in ast.unparse(each) for each in node.decorator_list):
            yield node.name


def test_each_check_of_a_finding_has_a_rule_and_is_documented() -> None:
    files = (ROOT / "src" / "qddot" / "inspect" / "doctor").glob("*.py")
    assert {check for file in files for check in named_checks(file)} == set(examine.rules())
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / "reference" / "doctor.md").read_text("utf-8"), re.MULTILINE)
    assert set(examine.rules()) <= {check for row in rows for check in re.findall(r"`(\w+)`", row)}


def test_findings_stand_at_their_file_and_line(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, ".", "--xacro", "--json")
    content = json.loads(out)
    findings = [(each["file"], said["line"], said["check"]) for each in content["files"] for said in each["findings"]]
    assert sorted(findings) == planted(repository)
    assert (code, content["worst"]) == (3, "error")
    sound = [each["file"] for each in content["files"] if not each["findings"]]
    assert sound == ["arms/sound.toml", "arms/sound.urdf"]


def test_only_files_that_describe_robots_are_examined(repository: Path) -> None:
    examined = {path.relative_to(repository).as_posix() for path in robot_files(repository)}
    present = {path.relative_to(repository).as_posix() for path in repository.rglob("*.*") if path.is_file()}
    assert present - examined == set(NO_ROBOTS)


def test_annotations_name_file_and_line(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, ".", "--xacro", "--format", "github")
    said = re.findall(r"^::(error|warning|notice) file=(.+),line=(\d+),title=(\w+)::.+$", out, re.MULTILINE)
    assert sorted((file, int(line), check) for _, file, line, check in said) == planted(repository)
    assert code == 3
    assert "arms/sound.urdf: sound: no findings" in out.splitlines()


def test_annotations_escape_what_has_a_meaning(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, str(repository / "arms" / "millimetres.toml"), "--format", "github")
    assert "a repository%2C 50%25%3A here/arms/millimetres.toml,line=4,title=millimetres::" in out


SOUND = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="b"/><link name="l"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="b"/><child link="l"/></joint></robot>"""


@check("A link is the last one.")
def last_link(case: Examined) -> Iterator[Finding]:
    """Yields a finding of this test alone."""
    told = say("it is last", expected="a test says so", remedy="add a link")
    yield Finding("warning", Site.link(case.model.bodies[-1].name), told)


@pytest.mark.parametrize(("file", "name", "line"), [("arms/sound.toml", "fore", 11), ("arms/sound.urdf", "arm", 4)])
def test_a_new_check_is_one_function(
    file: str,
    name: str,
    line: int,
    repository: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every form of the findings knows a check that stands only here, and the line of the link that it names."""
    monkeypatch.setattr(examine, "CHECKS", (*examine.CHECKS, last_link))
    code, out, _ = run(capsys, file)
    assert code == 1
    assert re.search(rf"warning +{line} +link '{name}' +it is last +a test says so +add a link", out)
    finding = {
        "severity": "warning",
        "place": f"link '{name}'",
        "found": "it is last",
        "why": "a test says so",
        "remedy": "add a link",
        "check": "last_link",
        "line": line,
    }
    assert json.loads(run(capsys, file, "--json")[1])["findings"] == [finding]
    message = f"link '{name}': it is last; a test says so; add a link"
    annotation = f"::warning file={file},line={line},title=last_link::{message}"
    assert annotation in run(capsys, file, "--format", "github")[1].splitlines()
    log = sarif_of(run(capsys, file, "--format", "sarif")[1])
    assert {"id": "last_link", "shortDescription": {"text": last_link.rule}} in log["tool"]["driver"]["rules"]
    (result,) = log["results"]
    assert (result["ruleId"], result["locations"][0]["physicalLocation"]["region"]["startLine"]) == ("last_link", line)


def is_command(line: str) -> bool:
    """What GitHub's runner takes for a command: a line that begins with ::, or one with ##[…] in it."""
    return line.strip().startswith("::") or re.search(r"##\[.*\]", line) is not None


@pytest.mark.parametrize(
    "name", ["::stop-commands::t", "x\n::error file=main.c::y", "x\r::add-mask::y", "a##[add-mask]b", "%3A%0A"]
)
def test_no_name_is_a_workflow_command(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the name of a file nor that of a robot; the only commands are the doctor's own findings."""
    written = name.replace("\n", "&#10;").replace("\r", "&#13;").replace("%", "&#37;")
    (tmp_path / f"{name}.urdf").write_text(SOUND.replace('name="r"', f'name="{written}"'), encoding="utf-8")
    (tmp_path / f"{name}.sdf").write_text("<sdf", encoding="utf-8")
    for place in (str(tmp_path), str(tmp_path / f"{name}.urdf"), str(tmp_path / f"{name}.sdf"), name):
        _, out, err = run(capsys, place, "--format", "github")
        commands_in = [line for line in re.split(r"[\r\n]", out + err) if is_command(line)]
        own = r"::error (file=[^:,]+,line=\d+,title=refused|title=nothing was examined)::.*"
        assert all(re.fullmatch(own, line) for line in commands_in), commands_in


RAW = "\x1b[31m\x9b\u202e\n\udcff"  # to a terminal: colour, a control, the direction of writing; and no UTF-8


@pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin", reason="other systems take no such name")
@pytest.mark.parametrize("form", ["--format=text", "--json", "--format=github", "--format=sarif"])
def test_names_of_files_are_harmless_to_terminals_and_exact_to_programs(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(f"{RAW}.sdf").write_text("<sdf", encoding="utf-8")
    code, out, err = run(capsys, ".", form)
    assert (code, err) == (3, "")
    assert all(line.isprintable() for line in out.split("\n"))
    if form == "--json":
        assert json.loads(out)["files"][0]["file"] == f"{RAW}.sdf"
    elif form == "--format=sarif":
        ((result,), name) = sarif_of(out)["results"], os.fsencode(f"{RAW}.sdf")
        assert unquote_to_bytes(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) == name
    else:
        assert r"\x1b[31m\x9b\u202e" in out


def test_a_name_that_no_file_may_have_is_that_of_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "x" * 300)
    assert code == 2
    assert "no robot 'xxx" in err


def test_superfluous_names_are_no_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(capsys, "two_link", "\x1b[31m\n::error::x")
    assert capsys.readouterr().err.startswith(r"qddot: unrecognized arguments: \x1b[31m ::error::x; see ")


RUNS = SOUND.replace('"l"', '"l${(lambda: 1)()}"').replace("</robot>", '<xacro:if value="1"/></robot>')


@pytest.mark.parametrize(
    ("name", "before"), [("run.xacro", ""), ("run.urdf", ""), ("run.xml", ""), ("run.toml", "<!--\nconvention =\n-->")]
)
def test_macros_in_a_folder_run_only_when_asked(
    name: str, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The expressions in them are Python, which must not run because a pull request brought them."""
    (tmp_path / name).write_text(before + RUNS, encoding="utf-8")
    started = list[Path]()
    expanded = xacro.expanded

    def noted(path: Path, words: list[str]) -> Any:
        started.append(path)
        return expanded(path, words)

    monkeypatch.setattr(xacro, "expanded", noted)
    code, out, _ = run(capsys, str(tmp_path), "--json")
    (finding,) = json.loads(out)["files"][0]["findings"]
    assert (code, finding["check"], finding["severity"], started) == (0, "not_examined", "hint", [])
    assert "--xacro" in finding["remedy"]
    assert run(capsys, str(tmp_path), "--xacro")[0] == 0
    assert started


def sarif_of(out: str) -> dict[str, Any]:
    """The log, after the schema has been held against it."""
    log: dict[str, Any] = json.loads(out)
    jsonschema.validate(log, SCHEMA, format_checker=jsonschema.FormatChecker())
    (only,) = log["runs"]
    rules = [rule["id"] for rule in only["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in only["results"])
    return dict(only)


def test_sarif_is_valid_and_names_file_and_line(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, ".", "--xacro", "--format", "sarif")
    log = sarif_of(out)
    findings = []
    for result in log["results"]:
        (location,) = result["locations"]
        place = location["physicalLocation"]
        findings.append((place["artifactLocation"]["uri"], place["region"]["startLine"], result["ruleId"]))
    assert sorted(findings) == planted(repository)
    assert (code, log["invocations"]) == (3, [{"executionSuccessful": True}])


def test_sarif_of_a_robot_that_ships_has_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    _, result = sarif_of(run(capsys, "spherical_pendulum", "--format", "sarif")[1])["results"]
    assert result["ruleId"] == "singular_pose"
    assert result["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "mass matrix"}]}]


def test_a_schema_that_a_log_breaks_says_so() -> None:
    location = {"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": -1}}}
    result = {"message": {"text": "x"}, "locations": [location]}
    runs = [{"tool": {"driver": {"name": "x"}}, "results": [result]}]
    log = {"$schema": SCHEMA["properties"]["$schema"]["const"], "version": "2.1.0", "runs": runs}
    with pytest.raises(jsonschema.ValidationError, match="-1"):
        jsonschema.validate(log, SCHEMA)


@pytest.mark.parametrize("form", ["--format=text", "--json", "--format=github", "--format=sarif"])
def test_a_folder_without_robot_files_is_a_mistake(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    code, out, err = run(capsys, str(tmp_path), form)
    assert (code, err.count("\n")) == (2, 1)
    assert "no robot file is in this folder" in err
    if form == "--format=github":
        assert out.startswith("::error title=nothing was examined::")
    elif form == "--format=sarif":
        (invocation,) = sarif_of(out)["invocations"]
        assert invocation["executionSuccessful"] is False
    else:
        assert out == ""


def test_a_file_whose_reader_is_not_installed_is_a_warning(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    (repository / "only").mkdir()
    (repository / "arms" / "unusual_gravity.xml").rename(repository / "only" / "arm.xml")
    code, out, _ = run(capsys, "only", "--json")
    (finding,) = json.loads(out)["files"][0]["findings"]
    assert (code, finding["check"], finding["line"]) == (1, "not_examined", 1)
    assert "pip install" in finding["remedy"]


def test_what_has_no_model_is_a_warning_with_its_line(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is right, so that it is neither refused nor a mistake in what was given, alone or in a folder."""
    code, out, err = run(capsys, "arms/gearbox.sdf", "--json")
    (finding,) = json.loads(out)["findings"]
    assert (code, err, finding["check"], finding["severity"]) == (1, "", "not_modelled", "warning")
    assert finding["line"] == 15
    assert "the rest of the file was not examined" in finding["why"]


def test_arguments_of_xacro_are_for_a_file(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, ".", "side:=left")
    assert code == 2
    assert "arguments for a folder" in err
    code, _, err = run(capsys, ".", "--set", "l1=2")
    assert code == 2
    assert "values of symbols for a folder" in err


ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def environment(**variables: str) -> dict[str, str]:
    """An environment in which `qddot` is that of this tree."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), **variables}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("examined", "fail_on", "code", "worst"),
    [
        (".", "warning", 3, "error"),
        ("arms/massless.toml", "warning", 0, "none"),
        ("arms/millimetres.toml", "warning", 1, "warning"),
        ("arms/millimetres.toml", "error", 0, "warning"),
        ("docs", "warning", 2, None),
        ("arms", "hint", 2, None),
    ],
)
def test_the_action_examines_a_repository(
    examined: str, fail_on: str, code: int, worst: str | None, repository: Path, tmp_path: Path
) -> None:
    """The step that examines runs as a workflow runs it: bash that stops at errors, inputs in the environment."""
    step = ACTION["runs"]["steps"][1]
    assert step["env"] == {
        "EXAMINED": "${{ inputs.path }}",
        "SARIF": "${{ inputs.sarif }}",
        "FAIL_ON": "${{ inputs.fail-on }}",
        "XACRO": "${{ inputs.xacro }}",
    }
    output = tmp_path / "output"
    log = tmp_path / "findings.sarif"
    inputs = {"EXAMINED": examined, "SARIF": str(log), "FAIL_ON": fail_on, "XACRO": "true"}
    inputs["GITHUB_OUTPUT"] = str(output)
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    result = subprocess.run(command, env=environment(**inputs), capture_output=True, text=True, check=False)
    assert result.returncode == code, result.stderr
    if worst is None:
        assert "::error" in result.stdout
        return
    assert output.read_text(encoding="utf-8") == f"worst={worst}\n"
    assert "::" in result.stdout
    assert sarif_of(log.read_text(encoding="utf-8"))["results"]


def test_the_action_installs_itself_beside_what_the_job_has() -> None:
    install = ACTION["runs"]["steps"][0]
    assert install["env"]["ACTION"] == "${{ github.action_path }}"
    assert '"$ACTION[mjcf]"' in install["run"]


@pytest.mark.slow
def test_the_hook_examines_a_repository(repository: Path) -> None:
    """The hook runs its entry in the repository's root, once, if a file that is committed matches."""
    assert HOOK["pass_filenames"] is False
    assert all(re.search(HOOK["files"], file) for file, _, _ in planted(repository))
    assert not re.search(HOOK["files"], "README.md")
    result = subprocess.run(HOOK["entry"].split(), env=environment(), capture_output=True, text=True, check=False)
    assert result.returncode == 3
    assert "arms/limits_in_degrees.urdf: sound: 1 warning" in result.stdout
