"""`qddot show` prints what a robot's file says, and draws it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run

import qddot
from qddot.apps.cli import main


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
