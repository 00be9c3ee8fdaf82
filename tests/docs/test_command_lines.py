"""Every command line that the README, the pages and the help texts print is run, and its exit code is held."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import qddot
from qddot.apps.cli import main
from qddot.apps.cli.commands import COMMANDS, EXAMPLES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
pytestmark = pytest.mark.slow

FENCE = re.compile(r"^(`{3,})([^\n]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
OF_COMMANDS = ("", "text")  # the languages of blocks with command lines
SPAN = re.compile(r"`(qddot [a-z]+ \w[^`]*)`")
LINE = re.compile(r" *(?:\$ )?(qddot [a-z].*?)(?:\s{2,}(.*)|\s+#.*)?")
ROW = re.compile(r"^\| `(qddot [a-z][^`]*)` \| (.*) \|$", re.MULTILINE)  # of a table of command lines
PATTERN = re.compile(r"\b[A-Z]{2,}\b|\b[AB]\b|[\[…]")  # what a pattern of command lines has, but no command line
OPTION = re.compile(r"(--[a-z][a-z-]*)(?: ([^\s,;-][^\s,;]*))?")  # in the remark beside a line
DIFFERENT = 1  # of diff
CODES = {"qddot diff puma560_akb my_puma.toml": DIFFERENT}

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
LINK = f'<inertial><origin xyz="0 0 -0.2"/><mass value="{{}}"/>{INERTIA}</inertial>'
ARM = f"""<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">%s
<link name="base">{LINK.format(5)}</link><link name="rod">{LINK.format("%s")}</link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="9" velocity="9"/></joint></robot>"""
SCARA = 'convention = "dh"\n' + "".join(
    f"[[link]]\nmass = 1\ndh = {{ theta = {theta}, d = {d}, a = {a}, alpha = {alpha} }}\n"
    for theta, d, a, alpha in (
        ('"q1"', 0, 0.3, 0),
        ('"q2"', 0, 0.2, '"180deg"'),
        (0, '"q3"', 0, 0),
        ('"q4"', 0.05, 0, 0),
    )
)


def printed() -> Iterator[tuple[str, str]]:
    """Yields each command line with the remark beside it."""
    texts = ["\n".join(line for line, _ in EXAMPLES)]
    for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md"))):
        if not {"_build", "gallery"} & set(path.parts):
            text = path.read_text(encoding="utf-8")
            texts += [body for _, language, body in FENCE.findall(text) if language in OF_COMMANDS]
            yield from ((line, remark.replace("`", "")) for line, remark in ROW.findall(text))
            yield from ((line, "") for line in SPAN.findall(text) if not PATTERN.search(line))
    for line in "\n".join(texts).splitlines():
        if match := LINE.fullmatch(line):
            yield match[1], match[2] or ""


def with_options(line: str, remark: str) -> Iterator[str]:
    """Yields a command line, and the same with each option of its remark, which replaces its own of that name."""
    yield line
    for option, value in OPTION.findall(remark):
        without = re.sub(rf" {option} \S+", "", line)
        yield " ".join(filter(None, (without, option, value)))


LINES = sorted({each for line, remark in printed() for each in with_options(line, remark)})


@contextmanager
def served_at_once(*_: object) -> Iterator[SimpleNamespace]:
    """Stands for the server of a built page, which would serve until it is interrupted."""
    yield SimpleNamespace(server_address=("", 8000), serve_forever=lambda: None)


def loaded_in(page: str) -> str:
    """The text of a robot file that a tutorial loads."""
    text = re.search(r'qddot\.loads\("""\n(.*?)"""\)', (DOCS / "learn" / page).read_text(encoding="utf-8"), re.DOTALL)
    assert text
    return text[1]


def prepare(words: list[str]) -> None:
    """Writes the files that a command line reads, and lets a class have two students."""
    words[:] = ["2" if before == "--students" and word == "30" else word for before, word in pairwise(["", *words])]
    plan = re.search("```toml\n(.*?)```", (DOCS / "reference" / "sweep.md").read_text(encoding="utf-8"), re.DOTALL)
    assert plan
    puma = qddot.load("puma560_akb").with_values(m3=6.0)
    argument = '<xacro:arg name="{0}" default="{1}"/>'
    texts = {
        "my_arm.toml": lambda: qddot.load("two_link").to_toml(),
        "my_arm.urdf": lambda: ARM % ("", 2),
        "anymal.urdf": lambda: ARM % ("", 2),
        "arm.xacro": lambda: ARM % (argument.format("tool", "none") + argument.format("size", 2), "$(arg size)"),
        "ur5.urdf": lambda: qddot.load("ur5").to_urdf(),
        "scara.toml": lambda: SCARA,
        "my_puma.toml": lambda: puma.to_toml(),
        "my_delta.toml": lambda: qddot.load_closed_chain("delta").as_screws().to_toml("screws"),
        "my_answer.tex": lambda: r"\[M_{22} = \frac{1}{3} m_2 L^2\]",
        "names.txt": lambda: "Ada\nBlaise\n",
        "plan.toml": lambda: plan[1],
        "puma3.toml": lambda: loaded_in("course-4x4.md"),
    }
    written = [after for before, after in pairwise(words) if before == "-o"]
    for word in {*words, *(["my_arm.toml"] if "." in words else [])} - set(written):
        if word in texts:
            Path(word).write_text(texts[word](), encoding="utf-8")
    if "--preview" in words:
        Path("mine.tex").write_text(texts["my_answer.tex"]().replace("L", "l"), encoding="utf-8")
    if "exam-seeds.csv" in words:
        main(["exam", "two_link", "--questions", "M,G", "--seed", "1", "--students", "3", "-o", "exam.md"])
        Path("answers").mkdir()
        Path("exam-003-answers.txt").rename("answers/exam-003.txt")
    elif "answers" in words:
        Path("answers").mkdir()
        Path("answers", "ada.txt").write_text("M22 = m2*l^2/3", encoding="utf-8")
    if "exam-003-arm.toml" in words:
        main(["exam", "two_link", "--questions", "M,G", "--seed", "1", "--students", "3", "-o", "exam.md"])
        Path("exam-003-answers.txt").rename("answer.txt")
    if "--status" in words:
        main(["sweep", "two_link", "plan.toml"])


def test_the_lines_are_found() -> None:
    shown = {line.split()[1] for line in LINES}
    assert shown == {command.name for command in COMMANDS}, "each command is shown"
    for line in ("qddot vectors my_arm.urdf --base both", "qddot prove puma560 --folder proof --to pari"):
        assert line in LINES
    assert not any(re.search(r" --students (?!names.txt|30 )", line) for line in LINES)


def test_a_shell_reads_every_line_as_it_is_printed() -> None:
    """Brackets and stars of formulas are quoted."""
    done = subprocess.run(["sh", "-n"], input="\n".join(LINES), text=True, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", LINES)
def test_a_printed_command_line_does_what_it_says(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("qddot.apps.page.server.serving", served_at_once)
    words = shlex.split(line)[1:]
    prepare(words)
    before = {*Path().rglob("*")}
    assert main(words) == CODES.get(line, 0), capsys.readouterr().err
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    assert out or {*Path().rglob("*")} - before
