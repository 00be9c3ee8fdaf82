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


def test_show_has_the_limits_of_motors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, joint = tmp_path / "hoist.toml", 'joint = {{ type = "{}", {} }}'
    links = (joint.format("revolute", "effort = 40, velocity = 2.5"), joint.format("prismatic", "velocity = 0.3"))
    file.write_text('convention = "tree"\n' + "".join(f"[[link]]\nmass = 1\n{each}\n" for each in links))
    out = run(capsys, "show", str(file))[1].splitlines()
    (title,), first, second = (
        [line for line in out if text in line] for text in ("|τ| ≤", "40 N m   2.5 rad/s", "0.3 m/s")
    )
    assert title.index("|q̇| ≤") == first[0].index("2.5 rad/s") == second[0].index("0.3 m/s")
    assert "|τ| ≤" not in run(capsys, "show", "puma560_akb")[1]


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
        assert main(["show", "rp", "-o", str(path), "--at", "-30deg,0.5"]) == 0
        assert capsys.readouterr().out.startswith(f"wrote {path}\n")
        assert path.read_bytes().startswith(begins)
    for wrong, says in (
        (["-o", "a.xyz"], "the format .xyz"),
        (["-o", "/dev/null/a.png"], "cannot be written"),
        (["-o", str(tmp_path / "a.png"), "--at", "1"], "expected 2 numbers, in the order q1, d2"),
        (["-o", str(tmp_path / "a.png"), "--at", "1,x"], "--at d2 'x'"),
    ):
        assert main(["show", "rp", *wrong]) == 2
        assert says in capsys.readouterr().err
    assert not (tmp_path / "a.png").exists()


def test_show_has_the_numbers_of_which_M_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    """So that an entry can be recomputed by hand: M22 of spatial_2r is m2 (L/2)² + Ia, as the table says."""
    out = " ".join(run(capsys, "show", "spatial_2r")[1].split())
    assert "fore m2 (-L/2, 0, 0) centre of mass Ia/2 Ia Ia" in out
    arm = qddot.load("spatial_2r")
    assert arm.mass_matrix([0.3, 0.7])[1, 1] == pytest.approx(10 * (2 / 2) ** 2 + 5)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("puma560", "link1 m1 (mx1, my1, mz1) origin of its frame Ixx1 Iyy1 Izz1 Ixy1 Ixz1 Iyz1"),
        ("puma560_akb", "link1 0 (0, 0, 0) centre of mass – – Izz1 – – –"),
        ("one_link", "m (l, 0, 0) centre of mass 0 0 0"),
        ("delta", "platform mp + 3*mr/2 (0, 0, 0) centre of mass 0 0 0"),
    ],
)
def test_masses_are_about_the_point_that_the_description_gives(
    name: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert line in " ".join(run(capsys, "show", name)[1].split())


def test_links_without_mass_are_in_no_row(capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(capsys, "show", "delta")[1].split("masses of the links")[1].split("symbol")[0]
    assert "arm_1" in rows and "motor_1" not in rows
    given = run(capsys, "show", "puma560_1986")[1]  # its equations are given entry by entry
    assert "masses of the links" not in given
