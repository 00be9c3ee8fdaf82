"""Commands print Chinese with --lang zh; `python tests/apps/cli/test_in_chinese.py` writes the outputs anew."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest
from commands import run
from rich.cells import cell_len

import qddot
from qddot.apps.cli import main
from qddot.apps.cli.output import wrapped
from qddot.base.words.language import speaking
from qddot.formats.finding import closed_zoo, load_closed, zoo
from qddot.robot.left_out import CONTENTS, Content, LeftOut, sentences

HERE = Path(__file__).parent
OUTPUTS = HERE / "outputs_in_chinese.txt"  # each after its command
COMMANDS = """
show two_link
show four_bar
show lacking.toml
derive two_link
derive two_link --form textbook
derive puma560 --only G
derive four_bar --only M
derive lacking.toml --only inertia,friction
prove two_link
prove puma560
prove four_bar
prove lacking.toml
doctor puma560
doctor four_bar
doctor lacking.toml
check two_link answer.txt
check two_link answer.txt --hints 2
check two_link answer.txt --preview
check two_link answers --only M
check two_link doubtful.tex
simulate two_link --at 1,0 --duration 2 --step 0.01 --damping 1
simulate four_bar --at 1,0,0 --duration 1 --step 0.01
simulate lacking.toml --at 1 --duration 1 --step 0.1 --compare damping=0,1
abbreviate two_link
abbreviate four_bar
base four_bar
"""
LACKING = """
name = "lacking"
convention = "dh"
gravity = [0, "-g", 0]
left_out = { tendons = "tendon 'wire'", gravcomp = "body 'rod'" }
[symbols]
l = { value = 1.0, unit = "m", meaning = "length of the rod" }
unused = 1.0
[[link]]
name = "rod"
mass = 2
com = ["-l/2", 0, 0]
inertia = { shape = "cylinder", length = "l", radius = 0.1, axis = "x" }
dh = { theta = "q1", d = 0, a = "l", alpha = 0 }
joint = { damping = 0.1 }
"""
ANSWER = """M11 = (m1 + 4*m2)*l**2/3 + m2*l**2*cos(q2)
M12 = m2*l**2/3 - m2*l**2*cos(q2)/2
M22 = m2*l**2/3
h1 = m3*qd1
"""
DOUBTFUL = r"""$$K = \frac12 \int \dot q_1^2 dm = \frac12 m l^2 \dot q_1^2$$
$$G_1 = \sum_{j=1}^{i} m_j g$$
$$G_2 = $$
$$M_{11} = (m_1 : l)$$
$$M_{12} = m_2 \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}^2 + 1$$
$$M_{22} = m_2 \frac{m_2 l^2}{12} + m_2 \frac{l^2}{4}$$
$$h = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix} \begin{bmatrix} 1 \\ 2 \\ 3 \end{bmatrix}$$
$$J_{tool} = \begin{bmatrix} -l s_1 - l s_{12} & -l s_{12} \\ l c_1 + l c_{12} & l c_{12} \end{bmatrix}$$
$$z_1 = \begin{bmatrix} 0 \\ 0 \\ 1 \end{bmatrix}$$
"""
# what is no English: functions, units, formats, quantities, options, and the names in the files above
NOT_ENGLISH = """cos sin sqrt exp det rad deg phi dphi Ixx Iyy Izz Ixy Ixz Iyz PUMA base friction txt toml qddot without
rename Python doubtful tex int tool begin end bmatrix bmat
tendons gravcomp lacking rod wire body tendon unused answer answers li wang"""
NAMES = frozenset(NOT_ENGLISH.split())
MISTAKES = HERE.parents[1] / "data" / "robots_with_mistakes" / "arms"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the commands name, in the current folder."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)


def write_files(folder: Path) -> None:
    (folder / "lacking.toml").write_text(LACKING, encoding="utf-8")
    (folder / "doubtful.tex").write_text(DOUBTFUL, encoding="utf-8")
    (folder / "answers").mkdir()
    for path in (folder / "answer.txt", folder / "answers" / "li.txt"):
        path.write_text(ANSWER, encoding="utf-8")
    (folder / "answers" / "wang.txt").write_text(ANSWER.splitlines()[0], encoding="utf-8")


def output(command: str, columns: int = 120) -> str:
    """What a command prints in Chinese, without times and numbers that are rounding alone."""
    printed = io.StringIO()
    with redirect_stdout(printed), patch("sys.stderr", printed), patch.dict("os.environ", COLUMNS=str(columns)):
        main([*shlex.split(command), "--lang", "zh"])
    text = re.sub(r"(?<=  )\d[\d.]* m?s$|(?<=用时 )[\d.]+", "…", printed.getvalue(), flags=re.MULTILINE)
    text = re.sub(r"[\d.]+e-\d+", "…", text)
    return re.sub(r"(?<=J（t = )[\d.]+", "…", text)


def loosely(text: str) -> str:
    """A text whose columns may be as wide as their contents are."""
    return re.sub(" +", " ", re.sub("─+", "─", text))


def expected() -> dict[str, str]:
    parts = re.split(r"^\$ qddot (.*)\n", OUTPUTS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("command", COMMANDS.strip().splitlines())
@pytest.mark.usefixtures("files")
def test_a_command_prints_chinese(command: str) -> None:
    assert loosely(output(command)) == loosely(expected()[command])


def names_in(arm: str) -> set[str]:
    """The words in the names of a robot or a closed chain that ships."""
    chain = load_closed(arm).model if arm in closed_zoo() else None
    tree = chain.tree if chain else qddot.load(arm).model
    own = [arm, *tree.symbols, *tree.coordinates]
    own += [name for body in tree.bodies for name in (body.name, body.joint.name)]
    own += [*(loop.name for loop in chain.loops), *(wheel.name for wheel in chain.rolling)] if chain else []
    return {word for name in own for word in re.findall("[A-Za-z]+", name)}


@pytest.mark.parametrize("command", COMMANDS.strip().splitlines())
def test_no_english_word_but_names_remains(command: str) -> None:
    arm = command.split()[1]
    known = names_in("two_link" if arm.endswith(".toml") else arm)
    assert unknown_words(expected()[command], NAMES | known) == set()


def unknown_words(text: str, known: set[str]) -> set[str]:
    """English words that are no names: citations are none, routes and methods stand behind their titles."""
    text = re.sub(r"^来源：.*$|（\w+）|方法 \w+|`[^`]*`|--\w+", "", text, flags=re.MULTILINE)
    return set(re.findall(r"\b[A-Za-z]{3,}\b", text)) - known


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*zoo(), *closed_zoo()])
def test_no_english_word_but_names_describes_a_robot(name: str) -> None:
    described = output(f"show {name}", 400).split("\n", 1)[1]  # behind its title, which may be a name
    assert unknown_words(described, NAMES | names_in(name)) == set()


@pytest.mark.parametrize("command", ["bounds two_link", "list"])
def test_no_english_word_but_names_remains_of_long_tables(command: str) -> None:
    text = re.sub("^  [a-z].*$|“.*”", "", output(command, 400), flags=re.MULTILINE)  # rows begin with names
    assert unknown_words(text, NAMES | names_in("two_link")) == set()


def test_no_english_word_but_names_tells_what_the_doctor_finds() -> None:
    """Each of its findings is planted in a file of the folder."""
    text = re.sub(rf"{re.escape(str(MISTAKES))}\S+|'[^']*'|\"[^\"]*\"|<[^>]*>", "", output(f"doctor {MISTAKES}", 600))
    keys = "com axis cylinder parent partial_inertia true xmlns xacro pin robot SDF TOML XML"
    arms = {path.name.partition(".")[0] for path in MISTAKES.iterdir()}
    assert unknown_words(text, NAMES | arms | {*keys.split()}) == set()


@pytest.mark.parametrize("content", CONTENTS, ids=lambda each: each.name)
def test_content_that_is_left_out_is_told_in_chinese(content: Content) -> None:
    with speaking("zh"):
        text = str(sentences([LeftOut(content.name, "x")])[0])
    assert re.fullmatch(r"未计入：[^a-z]+（x），会影响[^a-z]+", re.sub("[ 、]h", "", text)), text


@pytest.mark.parametrize(
    "command",
    [
        "derive two_link --json",
        "abbreviate four_bar --json",
        "base four_bar --json",
        "doctor lacking.toml --json",
        "doctor lacking.toml --format sarif",
        "check two_link answer.txt --json",
        "simulate two_link --at 1,0 --duration 1 --step 0.1 --compare damping=0,1 --json",
    ],
)
@pytest.mark.usefixtures("files")
def test_json_stays_english(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    in_english, in_chinese = (run(capsys, *command.split(), "--lang", lang)[1] for lang in ("en", "zh"))
    assert json.loads(in_english) == json.loads(in_chinese)


@pytest.mark.parametrize("command", ["show four_bar", "doctor four_bar", "prove two_link"])
def test_columns_of_chinese_are_aligned(command: str) -> None:
    """A Chinese character is two columns wide: each cell begins below its heading."""
    lines = output(command).splitlines()
    rules = [k for k, line in enumerate(lines) if line.startswith(" ──")]
    assert rules
    for k in rules:
        starts = _starts(lines[k - 1])
        for row in lines[k + 1 : lines.index("", k)]:
            assert _starts(row) <= starts | {2}, row


def _starts(line: str) -> set[int]:
    """The columns at which the cells of a table's line begin."""
    return {cell_len(line[: cell.start(1)]) for cell in re.finditer(r"(?<=  )(\S)", line)}


def test_a_line_with_chinese_is_broken_where_it_is_full() -> None:
    line = (
        "M q̈ + h + G = τ，推导法：组合刚体法（composite）；c1 = cos(q1)，s1 = sin(q1)，qd1、qdd1 为 q1 的速度与加速度"
    )
    lines = wrapped(line, 40)
    assert "".join(lines).replace(" ", "") == line.replace(" ", "")
    assert all(cell_len(each) <= 40 for each in lines)
    assert wrapped("two words", 5) == ["two", "words"]


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        write_files(Path(made))
        os.chdir(made)
        text = "".join(f"$ qddot {command}\n{output(command)}" for command in COMMANDS.strip().splitlines())
    OUTPUTS.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
