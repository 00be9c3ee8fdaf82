"""The command line does what a user types; mistakes give one line and exit code 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import run

import qddot
from qddot.apps.cli import main


def test_list_names_every_robot(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list")
    assert code == 0
    for name in ("puma560", "puma560_akb", "panda", "two_link", "slider", "four_bar", "unicycle"):
        assert name in out
    assert "RRRRRR" in out


def test_prove_exits_by_its_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "prove", "two_link")
    assert code == 0
    assert "14 of 14 identities proved" in out
    code, out, _ = run(capsys, "prove", "two_link", "--json")
    assert json.loads(out)["holds"] is True


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["derive", "two_linc"], "did you mean 'two_link'"),
        (["derive", "absent.toml"], "the file does not exist"),
        (["derive", "."], "a folder"),
        (["derive", "two_link", "--route", "newton"], "expected composite"),
        (["derive", "two_link", "--only", "MM"], "no quantity 'MM'"),
        (["derive", "two_link", "--only", ","], "names nothing"),
        (["prove", "nothing"], "no robot"),
        (["show", ""], "no robot"),
        (["export", "two_link", "--set", "m1=abc"], "expected a number"),
        (["export", "two_link", "--set", "m1=nan"], "expected a number"),
        (["export", "two_link", "--set", "m1"], "expected NAME=VALUE"),
        (["export", "two_link", "--set", "zzz=1"], "no symbol 'zzz'"),
        (["report", "two_link", "--set", "zzz=1"], "no symbol 'zzz'"),
        (["base", "two_link", "--set", "zzz=1"], "no symbol 'zzz'"),
        (["show", "two_link", "--set", "zzz=1"], "no symbol 'zzz'"),
        (["doctor", "two_link", "--set", "zzz=1"], "no symbol 'zzz'"),
        (["convert", "two_link", "--to", "tree", "--set", "m1=1", "--set", "m1=2"], "--set gives m1 twice"),
        (["export", "two_link", "--code", "rust"], "--code 'rust'; expected c or cpp or matlab or python or js"),
        (["export", "two_link", "--notation", "zju"], "--notation without --readable"),
        (["export", "two_link", "--functions", "x"], "no function 'x'"),
        (["show", "nothing"], "no robot"),
        (["derive", "x" * 5000], "no robot"),
        (["derive", "/dev/null"], "not an ordinary file"),
        (["derive", "nul\0"], "no robot"),
    ],
)
def test_a_mistake_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("qddot: ")
    assert says in err
    assert err.count("\n") == 1


def test_a_file_works_like_a_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(
        'convention = "dh"\n[symbols]\nm = 2\n[[link]]\ndh = {theta="q1", d=0, a=1.5, alpha=0}\nmass = "m"\n'
    )
    code, out, _ = run(capsys, "derive", str(path), "--only", "M")
    assert code == 0
    assert "M11 = 9*m/4" in out


@pytest.mark.parametrize("arguments", [[], ["derive"], ["derive", "rp", "--format", "foo"], ["list", "extra"], ["x"]])
def test_a_mistyped_command_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    try:
        code: Any = main(arguments)
    except SystemExit as stopped:
        code = stopped.code
    err = capsys.readouterr().err
    assert code == 2
    assert err.startswith("qddot: ")
    assert err.count("\n") == 1


def test_brackets_in_a_file_are_shown_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(
        '\ufeffname = "a"\nconvention = "dh"\n[symbols]\nm = {value=2, unit="[/]"}\n[[link]]\nname = "[/red]"\n'
        'dh = {theta="q1", d=0, a=1, alpha=0}\nmass = "m"\n',
        encoding="utf-8",
    )
    code, out, _ = run(capsys, "show", str(path))
    assert code == 0
    assert "[/]" in out
    assert "[/red]" in out


@pytest.mark.parametrize(
    "command", ["PYTHONIOENCODING=ascii {} derive rp", "LC_ALL=POSIX {} prove rp", "{} derive rp > /dev/full"]
)
def test_poor_terminals_and_full_disks(command: str) -> None:
    line = command.format(f"{sys.executable} -m qddot")
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr
    assert result.returncode == (2 if "full" in command else 0)


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["derive", "--help"], ["prove", "--help"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 0
        assert f"qddot {arguments[0]}".replace("--help", "prove") in capsys.readouterr().out


@pytest.mark.parametrize("command", ["list", "derive puma560", "prove rp", "simulate rp --at 0,1 --duration 0.01"])
@pytest.mark.thorough
def test_as_a_process_with_a_reader_that_goes_away(command: str) -> None:
    """Exit code 1 would say that an identity does not hold."""
    line = f"{sys.executable} -m qddot {command} | true; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.stderr == ""
    assert result.returncode == 141


@pytest.mark.parametrize(
    ("streams", "code", "says"),
    [
        (">&-", 2, "qddot: standard output is closed; expected a terminal, a file or /dev/null\n"),
        ("2>&- >/dev/null", 0, ""),
        (">&- 2>&-", 2, ""),
        ("--only X 2>&-", 2, ""),
    ],
)
def test_as_a_process_with_closed_streams(streams: str, code: int, says: str) -> None:
    line = f"{sys.executable} -m qddot derive rp {streams}"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (code, "", says)


def test_export_writes_what_it_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(
        capsys, "export", "puma560_akb", "--functions", "gravity,mass_matrix", "--folder", str(tmp_path / "new")
    )
    assert code == 0
    written = [Path(line) for line in out.split()]
    assert [path.name for path in written] == ["puma560_akb.h", "puma560_akb.c"]
    assert all(path.exists() for path in written)


def test_the_certificate_names_each_route_once(capsys: pytest.CaptureFixture[str]) -> None:
    routes = json.loads(run(capsys, "prove", "rp", "--json")[1])["routes"]
    assert sorted(routes) == sorted(set(routes))
    assert len(routes) == 6


def test_base_names_what_matters(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "base", "puma560")
    assert code == 0
    assert out.startswith("36 base parameters of 60")
    assert "mx2 + a2*(m2 + m3 + m4 + m5 + m6)" in out
    told = json.loads(run(capsys, "base", "two_link", "--json", "--armature")[1])
    assert len(told["base"]) == len(told["columns"]) == 7
    assert told["error_bound"] == 0


def test_values_are_set_wherever_they_matter(capsys: pytest.CaptureFixture[str]) -> None:
    assert "unusual_gravity" in run(capsys, "doctor", "two_link", "--set", "g=9810", "--json")[1]
    assert "m1 = {value = 7.25" in run(capsys, "convert", "two_link", "--to", "tree", "--set", "m1=7.25")[1]
    assert "7.25" in run(capsys, "show", "two_link", "--set", "m1=7.25")[1]
    told = json.loads(run(capsys, "base", "two_link", "--json", "--set", "m1=7.25")[1])
    assert told["hash"] == qddot.load("two_link").with_values(m1=7.25).model.hash


def test_negative_values_are_values(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "simulate", "two_link", "--at", "-1,0", "--duration", "0.1", "--torque", "-1,2", "--json"
    )
    assert (code, err) == (0, "")
    assert json.loads(out)["samples"] == 101


def test_a_package_that_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an installation without dependencies, which derives and proves."""
    monkeypatch.setitem(sys.modules, "rich.box", None)
    code, _, err = run(capsys, "list")
    assert code == 2
    assert err == "qddot: rich is not installed, but it is needed here; run `pip install .` in a clone of qddot\n"


def test_export_in_textbook_form(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "export", "elbow_3r", "--closed-form", "--code", "python", "--folder", str(tmp_path))
    assert code == 0
    assert Path(out.split()[0]).read_text(encoding="utf-8").startswith('"""')


def test_export_for_reading(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for options, name, line in (
        (
            ["--code", "matlab", "--notation", "zju", "--set", "L=3"],
            "spatial_2r.m",
            "    L = 3;  % m, length of each link",
        ),
        (["--code", "python", "--readable"], "spatial_2r.py", "def spatial_2r(t, z, tau=lambda t, z: np.zeros(2)):"),
    ):
        code, out, _ = run(capsys, "export", "spatial_2r", *options, "--folder", str(tmp_path))
        assert (code, out) == (0, f"{tmp_path / name}\n")
        assert line in (tmp_path / name).read_text(encoding="utf-8").splitlines()


def test_convert_prints_or_writes_a_robot_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, printed, err = run(capsys, "convert", "puma560", "--to", "mdh")
    assert (code, err) == (0, "")
    path = tmp_path / "arm.toml"
    code, out, _ = run(capsys, "convert", "puma560", "--to", "mdh", "-o", str(path))
    assert code == 0
    assert out == f"{path}\n"
    assert path.read_text(encoding="utf-8") == f"# made by qddot convert\n{printed}"
    assert "general values of a2, a3, d2, d4, d6" in printed
    assert run(capsys, "derive", str(path), "--only", "G")[1] == run(capsys, "derive", "puma560", "--only", "G")[1]


@pytest.mark.parametrize("to", ["dh", "mdh", "screws", "body_screws", "tree"])
def test_convert_to_every_convention(to: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "convert", "rp", "--to", to)
    assert code == 0
    assert f'convention = "{to}"' in out


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--to", "dh", "-o", "arm.yaml"], "the format .yaml; expected .toml"),
        (["--to", "dh", "-o", "arm"], "a file without a suffix; expected .toml"),
        (["--to", "dh", "-o", "/dev/null/arm.toml"], "cannot be written"),
    ],
)
def test_mistakes_in_convert_are_one_line(wrong: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "convert", "rp", *wrong)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_number_that_is_too_large_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    for text, says in (("1e300", "a magnitude within 1e±100"), ("x", "a number, such as 0.5, 30deg or pi/4")):
        code, _, err = run(capsys, "simulate", "two_link", "--at", f"{text},0")
        assert code == 2 and f"--at q1 {text!r}; expected {says}" in err


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        (["simulate", "two_link", "--at", "90,0", "--duration", "0.01"], ["--at q1: 90"]),
        (["simulate", "two_link", "--at", "90deg,6", "--duration", "0.01"], []),
        (["simulate", "cart_pole", "--at", "90,0", "--duration", "0.01", "--no-limits"], []),  # 90 m
        (
            ["simulate", "two_link", "--at", "0,0", "--target", "0,45", "--gains", "9,3", "--duration", "0.01"],
            ["--target q2: 45"],
        ),
        (["bounds", "elbow_3r", "--region", "q2=-90:90", "--seconds", "0.1"], ["--region q2: -90", "--region q2: 90"]),
        (["bounds", "elbow_3r", "--region", "q2=-90deg:1.5", "--seconds", "0.1"], []),
        (["show", "two_link", "-o", "arm.svg", "--at", "90,7"], ["--at q1: 90", "--at q2: 7"]),
        (["show", "five_bar", "-o", "bar.svg", "--at", "90,0,0,0"], ["--at q1: 90"]),
        (["show", "two_link", "-o", "arm.svg", "--at", "90deg,6"], []),
        (["diff", "two_link", "two_link", "--at", "0,-45"], ["--at q2: -45"]),
        (["closed", "five_bar", "--assemble", "--at", "q1=90,q2=2"], ["--at q1: 90"]),
        (["closed", "five_bar", "--modes", "--at", "q1=1,q3=60"], ["--at q3: 60"]),
        (["closed", "five_bar", "--near", "q3=30", "--only", "phi"], ["--near q3: 30"]),
        (["closed", "five_bar", "--assemble", "--at", "q1=1,q2=120deg"], []),
    ],
)
def test_radians_that_look_like_degrees_get_a_note(
    words: list[str],
    notes: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    main(words)
    err = capsys.readouterr().err
    for note in notes:
        assert f'{note} has no unit and is read as radians; degrees are written "' in err
    assert err.count("read as radians") == len(notes)


@pytest.mark.parametrize(("text", "notes"), [("rest=30", 1), ("rest=30deg", 0), ("k=30", 0)])
def test_a_symbol_in_radians_that_looks_like_degrees_gets_a_note(
    text: str, notes: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arm = tmp_path / "sprung.toml"
    link = '{ name = "rod", dh = { theta = "q1", d = 0, a = 1, alpha = 0 }, mass = 1, com = [0, 0, 0], joint = '
    symbols = 'symbols = { rest = { value = 0.1, unit = "rad" }, k = { value = 2, unit = "N m/rad" } }'
    arm.write_text(
        f'convention = "dh"\n{symbols}\nlink = [{link}{{ spring = {{ stiffness = "k", rest = "rest" }} }} }}]\n'
    )
    assert main(["show", str(arm), "--set", text]) == 0
    assert capsys.readouterr().err.count("--set rest: 30 has no unit and is read as radians") == notes


@pytest.mark.parametrize("names", ["m2,g", "g,m2"])
def test_free_symbols_stay_in_the_order_that_is_given(
    names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", "two_link", "--code", "python", "--functions", "gravity", "--free", names]
    assert main([*command, "--set", "m1=1", "--set", "l=1", "--folder", str(tmp_path)]) == 0
    text = next(tmp_path.glob("*.py")).read_text()
    assert f"def gravity(q, {names.replace(',', ', ')}" in text


@pytest.mark.parametrize("command", [["show", "spat"], ["derive", "spatial_2"], ["diff", "spat", "spatial_2r"]])
def test_a_robot_is_found_by_the_beginning_of_its_name(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, told = run(capsys, *command)
    assert code == 0 and "spatial_2r" in out
    assert told == f"qddot: {command[1]} is read as spatial_2r, which alone begins with it\n"


def test_a_chain_and_a_file_are_found_by_their_beginnings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, "closed", "five")[0] == run(capsys, "show", "five")[0] == 0
    (tmp_path / "two_arms.toml").write_text(qddot.load("rp").to_toml(), encoding="utf-8")
    (tmp_path / "my_arm.toml").write_text(qddot.load("rp").to_toml(), encoding="utf-8")
    (tmp_path / "my_notes.txt").write_text("no robot", encoding="utf-8")
    (tmp_path / "my_folder.toml").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "my_arm.toml" in run(capsys, "show", "my")[2]
    assert run(capsys, "show", str(tmp_path / "my"))[0] == 0
    code, _, told = run(capsys, "show", "two")
    assert code == 2 and "expected one of two_arms.toml, two_link" in told


def test_a_name_that_begins_others_is_taken_and_a_beginning_of_several_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(capsys, "show", "puma560")[2] == ""
    code, out, told = run(capsys, "derive", "puma")
    assert (code, out) == (2, "")
    assert "begin with 'puma'; expected one of puma560, puma560_1986, puma560_akb" in told
    assert "以 'puma' 开头" in run(capsys, "derive", "puma", "--lang", "zh")[2]
    for hostile in ("", ".", "..", "/", "nowhere/at/all", "*", "\0"):
        assert run(capsys, "show", hostile)[0] == 2


def test_remedies_are_options_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = 'q0 = [0, 0]\nduration = 0.1\nstep = 0.01\ndraws = 4\nstore = "s.zarr"\n'
    plan += "values = {{ m1 = 1, l = 1, m2 = {{ {} }} }}\n"
    for name, drawn in (("one", "normal = [1, 0.1]"), ("other", "normal = [2, 0.1]"), ("wrong", "normal = [1, -0.3]")):
        (tmp_path / f"{name}.toml").write_text(plan.format(drawn))
    (tmp_path / "light.toml").write_text(plan.format("choice = [-1]").replace("s.zarr", "t.zarr"))
    assert main(["sweep", "two_link", str(tmp_path / "one.toml")]) == 0
    for line, remedy in (
        ("abbreviate puma560", "; give values: --set Ixx2=VALUE"),
        ("sweep two_link other.toml", "; choose another store, or delete what is stored there: --overwrite"),
        ("sweep two_link light.toml --strict", "leave such runs out: without --strict"),
        ("sweep two_link wrong.toml", "m2: normal(1, -0.3); expected a standard deviation above 0"),
        ("closed two_link", "; `qddot derive` takes it"),
    ):
        words = [str(tmp_path / word) if word.endswith(".toml") else word for word in line.split()]
        code, _, err = run(capsys, *words)
        assert code == 2 and remedy in err, err
