"""The command line does what a user types; mistakes give one line and exit code 2."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

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


def test_show_says_what_the_file_says(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", "puma560_akb")
    assert code == 0
    for part in ("Armstrong", "link3", "revolute", "-160deg … 160deg", "armature", "Jm6", "0.193", "partial inertia"):
        assert part in out


def test_show_has_tolerances_and_formulas_of_constants(capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(run(capsys, "show", "puma560_1986")[1].split())
    assert "I14 0.00164 ± 7e-05 kg m^2 constant of the mass matrix Izz4 + Iyy5 + Izz6" in out
    assert "formula" not in run(capsys, "show", "puma560_akb")[1]


def test_show_writes_numbers_short(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", "baxter")
    assert code == 0
    for part in ("(0.0640273122…,", "-0.259027312…,", "0.129626)", "-sqrt(2)/2", "5.70044", "x, -z, y"):
        assert part in out


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("puma560", ["standard Denavit–Hartenberg rows", "link2 q2 d2 a2 0", "link6 q6 d6 0 0"]),
        ("rp", ["modified Denavit–Hartenberg rows", "turning q1 + 90deg 0 0 0", "sliding 0 d2 0 90deg"]),
        ("elbow_3r", ["screws at q = 0 in the base frame", "upper (-1, 0, 0) (0, -l0, 0) (0, r1, l0)"]),
        ("slider", ["block (0, 0, 0) (1, 0, 0) (0, 0, h)"]),
    ],
)
def test_show_prints_the_rows_or_screws(name: str, lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(run(capsys, "show", name)[1].split())
    for line in lines:
        assert line in out
    sentence = lines[0].split(" (")[0]
    assert sentence in qddot.load(name)._repr_html_()


def test_show_names_the_base_of_rows_and_leaves_out_what_no_rows_describe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raised = tmp_path / "raised.toml"
    row = 'dh = { theta = "q1", d = 0, a = 1, alpha = 0 }'
    raised.write_text(f'convention = "dh"\n[base]\nrpy = ["90deg", 0, 0]\nxyz = [0, 0, 2]\n[[link]]\n{row}\n')
    assert "from a base at (0, 0, 2) with axes x, z, -y:" in run(capsys, "show", str(raised))[1]
    out = run(capsys, "show", "solo12")[1]
    assert "Denavit" not in out
    assert "screws" not in out


def test_simulate_compares_values_and_draws_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    start = ("simulate", "two_link", "--q0", "1,0.5", "--duration", "1", "--step", "0.01")
    code, out, _ = run(capsys, *start, "--compare", "damping=0,1,5", "--plot-energy", "e.svg")
    assert (code, Path("e.svg").is_file()) == (0, True)
    code, out, _ = run(capsys, *start, "--compare", "damping=0,1,5", "--json")
    ends = [each["E at the end [J]"] for each in json.loads(out).values()]
    for damping, end in zip((0, 1, 5), ends, strict=True):
        alone = qddot.load("two_link").simulate([1, 0.5], duration=1, step=0.01, damping=damping)
        assert end == pytest.approx(alone.energy.E[-1], abs=1e-9)
    code, out, _ = run(capsys, *start, "--compare", "l=1,2", "--json")
    assert list(json.loads(out)) == ["l 1", "l 2"]
    film = ("--movie-start", "0.5", "--movie-duration", "0.1", "--title", "a", "--perspective")
    code, out, _ = run(capsys, *start, "--frames", "pictures", *film)
    assert (code, len(list(Path("pictures").glob("*.png")))) == (0, 4)


@pytest.mark.parametrize(
    ("compare", "says"),
    [
        (["m=1"], "two values or more"),
        (["nothing=1,2"], "no symbol 'nothing' in two_link"),
        (["damping"], "expected damping=0,1,5 or SYMBOL=V,…"),
        (["damping=1,2", "--damping", "3"], "both --damping and --compare damping=…"),
        (["damping=1,2", "--movie", "a.gif"], "--compare with --movie; expected --plot-energy"),
    ],
)
def test_mistakes_in_what_is_compared(compare: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "two_link", "--q0", "1,0", "--compare", *compare)
    assert (code, says in err) == (2, True), err


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
        (["export", "two_link", "--code", "rust"], "target 'rust'; expected c or python or js"),
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
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    err = capsys.readouterr().err
    assert caught.value.code == 2
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


@pytest.mark.parametrize("command", ["list", "derive puma560", "prove rp", "simulate rp --q0 0,1 --duration 0.01"])
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


def test_simulate_accounts_draws_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / name) for name in ("e.png", "m.svg", "a.gif", "run.nc")]
    arguments = [
        "simulate",
        "spatial_2r",
        "--q0",
        "180deg,0",
        "--qd0",
        "0.1,0.1",
        "--duration",
        "0.2",
        "--step",
        "0.01",
    ]
    more = [
        "--damping",
        "5",
        "--set",
        "m1=3",
        "--plot",
        files[0],
        "--plot-energy",
        files[1],
        "--movie",
        files[2],
        "-o",
        files[3],
    ]
    assert main([*arguments, *more]) == 0
    shown = capsys.readouterr().out
    for line in (
        "total E",
        "loss: damping",
        "ΔE − work of the motors + losses",
        "reliable to the end",
        *(f"wrote {f}" for f in files),
    ):
        assert line in shown
    assert all(Path(name).stat().st_size > 1000 for name in files)
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["energy"]["E"][0] == pytest.approx(393.025)
    assert (told["samples"], told["complete"], told["horizon"]) == (21, True, 0.2)


def test_show_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix, begins in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        path = tmp_path / f"arm{suffix}"
        assert main(["show", "rp", "--picture", str(path), "--q", "-30deg,0.5"]) == 0
        assert capsys.readouterr().out.startswith(f"wrote {path}\n")
        assert path.read_bytes().startswith(begins)
    for wrong, says in (
        (["--picture", "a.xyz"], "the format .xyz"),
        (["--picture", str(tmp_path / "no" / "a.png")], "does not exist"),
        (["--picture", str(tmp_path / "a.png"), "--q", "1"], "expected 2 finite numbers"),
        (["--picture", str(tmp_path / "a.png"), "--q", "1,x"], "--q 'x'"),
    ):
        assert main(["show", "rp", *wrong]) == 2
        assert says in capsys.readouterr().err
    assert not (tmp_path / "a.png").exists()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--q0", "1"], "q0 has the shape (1,)"),
        (["--q0", "1,x"], "--q0 'x'"),
        (["--q0", "1,2", "--step", "0.3"], "does not divide"),
        (["--q0", "1,2", "--step", "0"], "step = 0"),
        (["--q0", "1,2", "-o", "no/a.nc"], "does not exist"),
        (["--q0", "1,2", "--plot", "a.xyz"], "the format .xyz"),
        (["--q0", "1,2", "--movie", "a.avi"], "the format .avi"),
        (["--q0", "1,2", "--set", "m9=1"], "no symbol 'm9'"),
        (["--q0", "1,2", "--set", "m1"], "NAME=VALUE"),
        (["--q0", "1,2", "--damping", "1,2,3"], "damping has the shape"),
    ],
)
def test_mistakes_in_simulate_are_one_line(wrong: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "spatial_2r", *wrong]) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.err.count("\n") == 1
    assert not told.out


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
        capsys, "simulate", "two_link", "--q0", "-1,0", "--duration", "0.1", "--torque", "-1,2", "--json"
    )
    assert (code, err) == (0, "")
    assert json.loads(out)["samples"] == 101


def test_a_run_without_an_energy_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "two_link", "--q0", "1,0", "--qd0", "9e99,0", "--duration", "0.1")
    assert code == 0
    assert "grew without bound" in out


def test_an_interrupted_run_says_where_it_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    monkeypatch.setattr("qddot.apps.cli.simulate.bar", lambda _: nullcontext(interrupted))
    for name, least in (("FIRST", 1), ("PIECE", 1e-9)):  # it can be interrupted after each step
        monkeypatch.setattr(f"qddot.motion.simulate.stepping.integration.{name}", least)
    code, out, _ = run(capsys, "simulate", "two_link", "--q0", "1,0", "--duration", "1", "--method", "dop853")
    assert code == 0
    said = re.search(r"interrupted; all results above end with the last sample, at t = (\S+) s", out)
    assert said
    assert 0.49 < float(said[1]) < 0.6


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
        (["--to", "dh", "-o", "absent/arm.toml"], "cannot be written"),
    ],
)
def test_mistakes_in_convert_are_one_line(wrong: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "convert", "rp", *wrong)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_number_that_is_too_large_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    for text, says in (("1e300", "a magnitude within 1e±100"), ("x", "a number, such as 0.5, 30deg or pi/4")):
        code, _, err = run(capsys, "simulate", "two_link", "--q0", f"{text},0")
        assert code == 2 and f"--q0 {text!r}; expected {says}" in err


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        (["simulate", "two_link", "--q0", "90,0", "--duration", "0.01"], ["--q0 q1: 90"]),
        (["simulate", "two_link", "--q0", "90deg,6", "--duration", "0.01"], []),
        (["simulate", "cart_pole", "--q0", "90,0", "--duration", "0.01", "--no-limits"], []),  # 90 m
        (
            ["simulate", "two_link", "--q0", "0,0", "--target", "0,45", "--gains", "9,3", "--duration", "0.01"],
            ["--target q2: 45"],
        ),
        (["bounds", "elbow_3r", "--region", "q2=-90:90", "--seconds", "0.1"], ["--region q2: -90", "--region q2: 90"]),
        (["bounds", "elbow_3r", "--region", "q2=-90deg:1.5", "--seconds", "0.1"], []),
        (["show", "two_link", "--picture", "arm.svg", "--q", "90,7"], ["--q q1: 90", "--q q2: 7"]),
        (["show", "five_bar", "--picture", "bar.svg", "--q", "90,0,0,0"], ["--q q1: 90"]),
        (["show", "two_link", "--picture", "arm.svg", "--q", "90deg,6"], []),
        (["diff", "two_link", "two_link", "--at", "0,-45"], ["--at q2: -45"]),
        (["closed", "five_bar", "--assemble", "q1=90,q2=2"], ["--assemble q1: 90"]),
        (["closed", "five_bar", "--modes", "q1=1,q2=60"], ["--modes q2: 60"]),
        (["closed", "five_bar", "--near", "q3=30", "--only", "phi"], ["--near q3: 30"]),
        (["closed", "five_bar", "--assemble", "q1=1,q2=120deg"], []),
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


def test_a_payload_that_is_never_carried_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "two_link", "--q0", "0.1,0.2", "--duration", "1", "--payload", "2,0.5,0.2")
    assert (code, "released at 0.2 s, but taken at 0.5 s" in err) == (2, True)


@pytest.mark.parametrize("names", ["m2,g", "g,m2"])
def test_free_symbols_stay_in_the_order_that_is_given(
    names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", "two_link", "--code", "python", "--functions", "gravity", "--free", names]
    assert main([*command, "--set", "m1=1", "--set", "l=1", "--folder", str(tmp_path)]) == 0
    text = next(tmp_path.glob("*.py")).read_text()
    assert f"def gravity(q, {names.replace(',', ', ')}" in text
