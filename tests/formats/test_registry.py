"""Every fact about a format is in its record: one that only this test knows is read, found, written, told."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from page_questions import told
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.formats import registry, writing
from qddot.formats.finding import load_closed
from qddot.formats.registry import FORMATS, TOML, Format
from qddot.formats.shared.closing import Chain
from qddot.inspect.doctor.examination import examine

ROOT = Path(__file__).parents[2]
SHIPPED, CLOSED = qddot.load("two_link").model, load_closed("four_bar")
LAB = Format(
    "LAB",
    (".lab",),
    "the table of a laboratory",
    "lab.md",
    root="lab",
    read=lambda path, root: SHIPPED,
    read_loops=lambda path, root: Chain(CLOSED.model),
    loads=lambda text, where: SHIPPED,
    write={"lab": lambda model: f"<lab name='{model.name}'/>\n"},
)
PROSE = (
    "README.md",
    "action.yml",
    "docs/index.md",
    "docs/reference/command-line.md",
    "src/qddot/faces/constructors.py",
)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of the format, which is registered."""
    monkeypatch.setattr(registry, "FORMATS", (*FORMATS, LAB))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.lab").write_text("<lab/>")
    return tmp_path


def test_files_of_a_new_format_are_opened_by_their_root_element(lab: Path) -> None:
    (lab / "arm.xml").write_text("<lab/>")
    for name in ("arm.lab", "arm.xml"):
        assert qddot.load(name).model == SHIPPED
        assert load_closed(name).model == CLOSED.model


def test_a_format_without_loops_says_so(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORMATS", (*FORMATS, LAB._replace(read_loops=None)))
    with refusal(QddotError, "has-no-loops", "arm.lab", "LAB"):
        load_closed("arm.lab")


def test_the_doctor_finds_files_of_a_new_format_in_a_folder(lab: Path) -> None:
    (lab / "page.html").write_text("<lab/>")
    assert [each.file for each in examine(str(lab))] == [str(lab / "arm.lab")]
    (lab / "arm.lab").unlink()
    with refusal(QddotError, "folder-without-robots", "URDF, xacro, SDF, MJCF, LAB"):
        examine(str(lab))


def test_a_robot_is_converted_to_a_new_format_as_often_as_one_likes(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("two_link", "spatial_2r"):
        assert main(["convert", name, "--to", "lab", "-o", "out.lab"]) == 0
        text = (lab / "out.lab").read_text()
        assert f"<lab name='{name}'/>" in text
        assert text.startswith("<!-- made by qddot convert -->")
    with pytest.raises(SystemExit):
        main(["convert", "--help"])
    printed = " ".join(capsys.readouterr().out.split())
    assert "convention of the new file, or urdf, lab" in printed
    assert ".toml, .urdf, .lab" in printed


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize(
    ("name", "expected"),
    [("absent.toml", ("file-missing",)), ("other.xml", ("root-unknown", "<robot>, <sdf>, <mujoco> or <lab>"))],
)
def test_an_error_lists_a_new_format(name: str, expected: tuple[str, ...]) -> None:
    Path("other.xml").write_text("<other/>")
    with refusal(QddotError, *expected):
        qddot.load(name)


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize(("command", "expected"), [("", "SDF, MJCF, LAB (docs"), ("derive", ".mjcf, .lab;")])
def test_help_lists_a_new_format(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    assert expected in " ".join(capsys.readouterr().out.split())


@pytest.mark.usefixtures("lab")
def test_the_page_opens_a_new_format() -> None:
    assert told("read", text="<lab/>", name="arm.lab")["result"]["robot"]["name"] == "two_link"
    assert "TOML or URDF or SDF or LAB" in told("read", text="<mujoco/>", name="arm.xml")["error"]["text"]
    index = runpy.run_path(str(ROOT / "page" / "make" / "zoo.py"))["index"]()
    assert index["accept"] == ".toml,.urdf,.sdf,.world,.xml,.lab"
    opening = (ROOT / "page" / "src" / "shell" / "opening.ts").read_text(encoding="utf-8")
    assert not [suffix for suffix in registry.suffixes() if f"{suffix}," in opening or f'{suffix}"' in opening]


def test_a_robot_file_has_every_convention_in_which_it_is_written() -> None:
    assert set(TOML.write) == set(writing.CONVERTED)
    assert {name for form in FORMATS for name in form.write} == {*writing.CONVERTED, "urdf"}


def row(form: Format) -> str:
    """The row of a format in the docs' table."""
    cells = (
        f"[{form.title}]({form.page})" if form.page != "urdf.md" else form.title,
        ", ".join(f"`{suffix}`" for suffix in form.suffixes),
        form.sentence,
        f"`<{form.root}>`" if form.root else "",
        "yes" if form.read_loops or form is TOML else "",
        ", ".join(form.write),
        "yes" if form.loads else "",
    )
    return f"| {' | '.join(cells)} |"


def test_the_docs_have_a_table_of_the_formats() -> None:
    text = (ROOT / "docs" / "reference" / "urdf.md").read_text(encoding="utf-8")
    assert "\n".join(map(row, FORMATS)) in text
    assert all((ROOT / "docs" / "reference" / form.page).exists() for form in FORMATS)


@pytest.mark.parametrize("place", PROSE)
def test_prose_names_every_format(place: str) -> None:
    text = (ROOT / place).read_text(encoding="utf-8")
    assert not [form.title for form in FORMATS if form.root and form.title not in text]
