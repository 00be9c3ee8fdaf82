"""A file is overwritten without being asked only by the command that made it, which writes all its files or none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from PIL import Image
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.base.system import files, signature
from qddot.papers.draw import movie

COMMANDS = {  # and files that they write
    "report one_link --level summary -o r.html": ["r.html"],
    "report one_link --level summary -o r.md": ["r-picture-1.svg"],
    "report one_link --level summary -o r.ipynb": ["r.ipynb"],
    "report one_link --level summary -o r.tex": ["r-picture-1.pdf"],
    "report one_link --level summary --lang zh -o r.typ": ["r.typ"],
    "closed four_bar --level summary -o c.md": ["c.md"],
    "exam one_link -o e.md": ["e-answers.txt", "e-arm.toml"],
    "exam one_link -o e.xml": ["e.xml"],
    "exam one_link --students 2 -o e.html": ["e-seeds.csv"],
    "prove one_link --to coq": ["Makefile", "theory/Checker.v"],
    "prove one_link --to pari": ["one_link.gp"],
    "vectors one_link": ["vectors.json", "vectors.schema.json", "compare.py"],
    "convert two_link --to mdh -o a.toml": ["a.toml"],
    "convert two_link --to urdf -o a.urdf": ["a.urdf"],
    "export one_link --code c": ["one_link.h"],
    "export one_link --code python": ["one_link.py"],
    "export one_link --code js": ["one_link.d.mts"],
    "abbreviate two_link --code c": ["two_link_abbreviated.c"],
    "show one_link -o p.svg": ["p.svg"],
    "show one_link -o p.pdf": ["p.pdf"],
    "simulate one_link --at 1 --duration 0.1 --step 0.01 -o m.csv --plot m.png": ["m.csv", "m.png"],
    "simulate one_link --at 1 --duration 0.1 --step 0.01 --movie m.gif": ["m.gif"],
    "simulate one_link --at 1 --duration 0.1 --step 0.01 -o m.nc --plot-energy e.svg": ["m.nc"],
}
PROBLEMS = (
    "{} is there already, and was not made by qddot {}",
    "{} 已经存在，且不是由 qddot {} 生成",
)
MINE = b"my own work, of a week\n"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("written", COMMANDS)
def test_a_command_leaves_what_it_did_not_make_and_replaces_what_it_made(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = written.split()
    for name in COMMANDS[written]:
        mine = Path(name)
        mine.parent.mkdir(exist_ok=True)
        mine.write_bytes(MINE)
        assert main(command) == 2
        problem = PROBLEMS["zh" in command].format(f"{name!r}", command[0])
        assert problem in said(command, capsys)
        assert contents(tmp_path) == {name: MINE}, "one of the files was written"
        mine.unlink()
    mine.write_bytes(MINE)
    assert main([*command, "--overwrite"]) == 0
    assert mine.read_bytes() != MINE
    assert main(command) == 0, "its own files"
    assert not list(tmp_path.glob(".qddot*"))


def said(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Returns the error of a command; the code of an abbreviated model is that of `export`."""
    return capsys.readouterr().err.replace("qddot export", f"qddot {command[0]}")


def test_a_film_says_what_made_it(tmp_path: Path) -> None:
    run = LINK.simulate([1.0], duration=0.2, step=0.01)
    film = run.movie(tmp_path / "m.mp4", fps=10, size=(160, 90))
    assert run.movie(film, fps=10, size=(160, 90)) == film


LINK = qddot.load("one_link")
CALLS: dict[str, Callable[[Path], Any]] = {
    "eq.json": lambda path: LINK.equations().save(path),
    **{f"eq{suffix}": lambda path: LINK.equations().save(path) for suffix in ("", ".txt", ".py", ".dat")},
    "one_link.v": lambda path: LINK.certificate().export(path.parent),
    "compare.py": lambda path: LINK.vectors().export(path.parent),
    "one_link.c": lambda path: LINK.export("c", folder=path.parent),
    "r.md": lambda path: LINK.report(path, level="summary"),
    "e.md": lambda path: LINK.exam(path),
    "c.md": lambda path: qddot.load_closed_chain("four_bar").report(path, level="summary"),
    "run.csv": lambda path: LINK.simulate([1.0], duration=0.1, step=0.01).save(path),
    "frame_00002.png": lambda path: LINK.simulate([1.0], duration=0.1).pictures(path.parent, fps=30, size=(160, 90)),
}


@pytest.mark.parametrize("name", CALLS)
def test_so_does_each_method(name: str, tmp_path: Path) -> None:
    mine = tmp_path / name
    mine.write_bytes(MINE)
    with refusal(QddotError, "file-of-another-maker"):
        CALLS[name](mine)
    assert contents(tmp_path) == {name: MINE}
    mine.unlink()
    CALLS[name](mine)
    CALLS[name](mine)


def test_another_command_does_not_replace_it_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    LINK.exam("one.html")
    sheet = Path("one.html").read_bytes()
    with refusal(QddotError, "file-of-another-maker", "report"):
        LINK.report("one.html")
    assert Path("one.html").read_bytes() == sheet
    LINK.report("one.html", level="summary", overwrite=True)
    assert Path("one.html").read_bytes() != sheet


def test_a_signed_file_is_what_its_format_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The readers of every format find the same as without a signature, and nothing that they object to."""
    monkeypatch.chdir(tmp_path)
    run = LINK.simulate([1.0], duration=0.1, step=0.01)
    run.movie("m.gif", fps=50, size=(160, 90))
    run.pictures(".", fps=10, size=(160, 90))
    film = movie.webp(run._recording, fps=50, size=(160, 90))
    files.save({Path("m.webp"): film}, "it", "report")
    assert len(Path("m.webp").read_bytes()) == 8 + int.from_bytes(Path("m.webp").read_bytes()[4:8], "little")
    for name in ("m.gif", "m.webp", "frame_00000.png"):
        with Image.open(name) as picture:
            picture.seek(getattr(picture, "n_frames", 1) - 1)
            picture.load()
    assert np.array_equal(qddot.Run.load(run.save("m.nc")).q, run.q)
    for form in ("ipynb", "tex", "pdf"):
        LINK.report(f"r.{form}", level="summary")
    nbformat.validate(nbformat.read("r.ipynb", 4))
    for page in Path().glob("*.pdf"):
        content = page.read_bytes()
        (table,) = re.findall(rb"startxref\s+(\d+)\s+%%EOF\s*\Z", content)
        assert content[int(table) :].startswith(b"xref") or b" obj" in content[int(table) :][:20]
    LINK.vectors().export()
    assert set(json.loads(Path("vectors.json").read_text())) - set(LINK.vectors().data()) == {"$comment"}
    assert main(["convert", "one_link", "--to", "urdf", "-o", "a.urdf"]) == 0
    assert qddot.load("a.urdf").n == 1


def test_every_format_that_is_written_has_a_signature(tmp_path: Path) -> None:
    for suffix in (*signature.COMMENTS, *signature.OTHERS):
        target = tmp_path / f"a{suffix}"
        begun = {".ipynb": '{"metadata": {}}', ".json": "{}", ".pdf": "startxref"}.get(suffix, "x" * 20)
        files.save({target: begun}, "it", "report")
        assert files.may_replace(target, "report") and not files.may_replace(target, "exam"), suffix


def test_there_is_one_way_to_write_a_file() -> None:
    """Everything that users ask for goes through `files.save`, which has the rule."""
    source = Path(qddot.__file__).parent
    writes = re.compile(r"(?<!\w)files\.write\(|\.write_text\(|\.write_bytes\(|open\([^)]*['\"][wax]b?['\"]")
    writing = {str(path.relative_to(source)) for path in source.rglob("*.py") if writes.search(path.read_text("utf-8"))}
    caches = {
        "machine/compilers/cache.py",
        "motion/sweeps/store.py",
        "papers/report/formats/typst_file.py",
    }  # stores and temporary folders
    template = "apps/cli/check.py"  # a student fills it in, so that a signature would not protect it
    assert writing == {*caches, template, "apps/cli/__init__.py"}  # which opens the null device
