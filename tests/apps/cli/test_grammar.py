"""One word for one thing in all commands: what options mean alone and together, and where files go."""

from __future__ import annotations

import argparse
import json
import re
from math import cos, pi
from pathlib import Path

import numpy as np
import pytest
from commands import run

import qddot
from qddot.apps.cli import main
from qddot.apps.cli.command_line import parser_for
from qddot.apps.cli.commands import COMMANDS, EXAMPLES

SHARED = {  # options that mean the same everywhere, with what follows them
    "--at": "STATE",
    "--only": "M,G,…",
    "--set": "NAME=VALUE",
    "--region": "NAME=LOW:HIGH",
    "--folder": "DIR",
    "--store": "DIR",
    "--output": "FILE",
    "--route": "R",
    "--symbolic": "KIND,…",
}


def actions(name: str) -> dict[str, argparse.Action]:
    """The options of a command, by their long names."""
    (sub,) = (each for each in parser_for(name)._actions if isinstance(each, argparse._SubParsersAction))
    parser = sub.choices[name]
    parser.complete()
    return {each.option_strings[-1]: each for each in parser._actions if each.option_strings}


def test_an_option_means_the_same_in_all_commands() -> None:
    seen: dict[str, set[object]] = {}
    for command in COMMANDS:
        for name, action in actions(command.name).items():
            if name in SHARED:
                assert action.metavar == SHARED[name] or action.choices, (command.name, name)
            seen.setdefault(name, set()).add(type(action))
    assert set(SHARED) <= set(seen)
    assert {name for name, kinds in seen.items() if len(kinds) > 1} == {"--json"}  # one of the doctor's formats


def test_the_help_lists_the_assembled_equation() -> None:
    for name in ("derive", "closed"):
        assert "equation" in re.findall(r"\w+", str(actions(name)["--only"].help).split(";")[0]), name


def test_options_that_go_together_are_options_of_their_commands() -> None:
    for command in COMMANDS:
        own = set(actions(command.name))
        together = [*getattr(command.loaded, "APART", ())]
        for options, needed in getattr(command.loaded, "NEEDS", {}).items():
            together += [options, needed]
        assert {option for group in together for option in group} <= own, command.name


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("derive two_link --only M --only G", "--only twice"),
        ("derive two_link --json --format latex", "--json with --format"),
        ("derive two_link --format=latex --json", "--json with --format"),
        ("show two_link --at 1,1", "--at without --output"),
        ("prove two_link --to coq --json", "--to with --json"),
        ("prove two_link --folder proof", "--folder without --to"),
        ("closed five_bar --without loops", "qddot derive five_bar --without loops has the links alone"),
        ("closed five_bar --near q1=1,q2=1", "--near changes nothing"),
        ("closed five_bar --near q1=1,q2=1 --assemble --at q1=1", "--near changes nothing"),
        ("closed five_bar --assemble --modes --at q1=1", "--assemble with --modes"),
        ("closed five_bar --assemble", "--assemble without --at"),
        ("closed five_bar --assemble --at q1=1 --only M", "--assemble with --only"),
        ("derive ur5 --symbolic masses", "--symbolic: no numbers of the kind 'masses'"),
        ("closed four_bar --symbolic ,", "--symbolic: no numbers of the kind ''"),
        ("convert two_link --to mdh -o a.toml -o b.toml", "--output twice"),
        ("simulate two_link --at 0,0 --title Swing", "--title without --movie or --frames"),
        ("simulate two_link --at 0,0 --target 1,1 --gains 9,3 --delay 0.1", "--delay without --sample-every"),
        ("export two_link --region q2=0:1", "--region without --bounds"),
        ("diff two_link two_link --against mujoco --at 0,0", "--against with --at"),
        ("check two_link mine.md --csv --json", "--csv with --json"),
    ],
)
def test_no_option_is_ignored_in_silence(line: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *line.split())
    assert (code, out) == (2, "") and says in err, err


@pytest.mark.parametrize(
    ("options", "says"),
    [("--P -k*x", '--P="-k*x"'), ("--only -o x", "--only: expected one argument; see")],
)
def test_a_value_with_a_minus_is_told_to_follow_an_equals_sign(
    options: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["lagrange", "--q", "x", "--K", "m*xd**2/2", *options.split()])
    assert says in capsys.readouterr().err


def test_symbols_for_numbers_are_set_and_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One rod has G1 = m1 g rx1 cos q1 and M11 = Izz1 + m1 rx1²; every command takes the option alike."""
    file = tmp_path / "rod.toml"
    file.write_text(
        """convention = "tree"
gravity = [0, -10, 0]
[[link]]
joint = { type = "revolute", axis = [0, 0, 1] }
mass = 2
com = [0.5, 0, 0]
inertia = { about = "com", zz = 0.25 }
"""
    )
    code, out, _ = run(capsys, "derive", str(file), "--symbolic", "mass, com,inertia", "--only", "M,G")
    assert code == 0
    assert set(out.split("M11 = ")[1].split("\n")[0].split(" + ")) == {"Izz1", "m1*rx1**2"}
    assert out.split("G1 = ")[1].strip() in {"10*m1*rx1*c1", "10*c1*m1*rx1"}
    at = ("--symbolic", "mass", "--set", "m1=4", "--at", "q1=0", "--only", "G", "--json")
    _, out, _ = run(capsys, "derive", str(file), *at)
    assert json.loads(out)["G"]["lower"] == pytest.approx([20])
    (_, chain, _), (_, derived, _) = (
        run(capsys, name, "four_bar", "--symbolic", "friction", "--only", "M") for name in ("closed", "derive")
    )
    assert chain == derived


def test_an_exam_takes_a_chain_in_the_coordinates_that_are_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """(q1, q3) are the motors of the five-bar; without a choice they are (q1, q2)."""
    line = f"exam five_bar --independent q1,q3 --questions M --folder {tmp_path} -o exam.md"
    assert run(capsys, *line.split())[0] == 0
    assert 'independent = ["q1", "q3"]' in (tmp_path / "exam-arm.toml").read_text(encoding="utf-8")


def test_the_end_of_a_help_stays_apart_from_its_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """What an example shows has two blanks before it, or a line of its own."""
    for line, key in EXAMPLES:
        with pytest.raises(SystemExit):
            main([line.split()[1], "--help"])
        shown = capsys.readouterr().out
        assert not key or f"  {line}  " in shown or f"  {line}\n    " in shown


def test_a_chinese_help_joins_names_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("convert", ""):
        with pytest.raises(SystemExit):
            main([*command.split(), "--help", "--lang", "zh"])
        assert not re.search(r" (?:or|and) ", capsys.readouterr().out)


def test_a_command_that_is_misspelt_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "deriv", "two_link")
    assert code == 2 and "did you mean 'derive'?" in err and err.count("\n") == 1


@pytest.mark.parametrize("option", ["--set", "--region"])
def test_values_are_separated_by_commas_or_given_by_options_of_their_own(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    values = {"--set": ["m1=2", "m2=3"], "--region": ["q1=0:1", "qd=2", "qdd=1"]}[option]
    command = ("bounds", "one_link" if option == "--region" else "two_link", "--json")
    apart = json.loads(run(capsys, *command, *(word for value in values for word in (option, value)))[1])
    together = json.loads(run(capsys, *command, option, ", ".join(values))[1])
    told = [[(row["name"], row["proven"]) for row in each["bounds"]] for each in (apart, together)]
    assert told[0] == told[1] and together["region"] == apart["region"]


def test_a_language_that_there_is_not_is_noted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QDDOT_LANG", "cn")
    _, english, err = run(capsys, "list")
    assert "QDDOT_LANG='cn' is no language that is known (en, zh)" in err
    assert run(capsys, "list", "--lang", "zh")[1:] != (english, err) and not run(capsys, "list", "--lang", "zh")[2]


def test_configurations_of_a_chain_are_json_with_the_digits_that_are_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ("closed", "five_bar", "--assemble", "--at", "q1=2,q2=-1.2,q3=1,q4=1.2")
    told = json.loads(run(capsys, *command, "--json")[1])
    text = run(capsys, *command)[1]
    assert all(f"{name} = {value!r}" in text for name, value in told["q"].items())
    assert f"within {told['radius']:.1e} of" in text and len(told["q"]) == 4
    command = ("closed", "five_bar", "--modes", "--at", "q1=2,q3=1")
    modes = json.loads(run(capsys, *command, "--json")[1])["modes"]
    assert len(modes) == 2 and any(mode["q"] == pytest.approx(told["q"], abs=1e-15) for mode in modes)


def test_options_have_no_abbreviations_which_a_new_option_would_break(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "derive", "two_link", "--dig", "3")
    assert "unrecognized arguments: --dig 3 (did you mean '--digits'?)" in capsys.readouterr().err


@pytest.mark.parametrize("at", ["0.5,30deg", "q1=0.5,q2=30deg", "0.5,pi/6,0,0", "q2=30deg,q1=0.5,qd1=0"])
def test_a_state_is_written_by_order_or_by_names(at: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "derive", "two_link", "--only", "G", "--at", at)[1]
    second = 9.81 / 2 * cos(0.5 + pi / 6)  # of m2 g l cos(q1 + q2)/2 with unit masses and lengths
    assert f"{9.81 * 3 / 2 * cos(0.5) + second:.8g}" in out and f"{second:.8g}" in out


def test_what_is_not_named_is_zero_and_rates_count(capsys: pytest.CaptureFixture[str]) -> None:
    still = run(capsys, "derive", "two_link", "--only", "tau", "--at", "q2=90deg")[1]
    moving = run(capsys, "derive", "two_link", "--only", "tau", "--at", "q2=90deg,qd1=2,qdd2=3")[1]
    assert "tau1    14.715" in still  # 3/2 m g l, and a rod that hangs from a vertical one
    assert "tau1    15.715" in moving and "tau2    3" in moving  # + m l²/3 · 3; m l²/2 · 2² + m l²/3 · 3


def test_values_are_asked_for_by_set_and_only_where_they_are_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rod.toml"
    file.write_text(
        'name = "rod"\nconvention = "dh"\ngravity = [0, "-g", 0]\nsymbols = "l m g"\n[[link]]\nmass = "m"\n'
        'dh = { theta = "q1", d = 0, a = "l", alpha = 0 }\ncom = [0, 0, 0]\n'
    )
    assert (
        "M11     12" in run(capsys, "derive", str(file), "--only", "M", "--at", "1", "--set", "m=3", "--set", "l=2")[1]
    )
    code, _, err = run(capsys, "derive", str(file), "--only", "G", "--at", "1", "--set", "m=3")
    assert code == 2 and "no value for g, l; give values: --set g=VALUE" in err


def test_values_of_a_closed_chain_stand_beside_the_configuration_that_they_are_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = run(capsys, "closed", "five_bar", "--only", "M", "--at", "q1=1,q3=0.5", "--json")[1]
    q = list(json.loads(out)["q"].values())
    assert q[::2] == [1, 0.5] and np.abs(qddot.load_closed_chain("five_bar").closure(q)[0]).max() < 1e-12
    motors = run(capsys, "bounds", "four_bar", "--independent", "q2", "--region", "q2=1:1.01", "--seconds", "0.2")
    assert "q2" in "".join(motors[1:]) and motors[0] in (0, 2)
    assert run(capsys, "derive", "two_link", "--independent", "q1")[2].startswith("qddot: --independent with two_link")


WRITTEN = {  # command lines with the file that each writes into a new folder
    "show two_link -o {}/arm.svg": "arm.svg",
    "report one_link --level summary -o {}/r.html": "r.html",
    "convert two_link --to mdh -o {}/arm.toml": "arm.toml",
    "export one_link --folder {}": "one_link.c",
    "prove one_link --to pari --folder {}": "one_link.gp",
    "check two_link {}/mine.tex --template": "mine.tex",
    "lagrange --q x --K m*xd**2/2 -o {}/l.toml": "l.toml",
    "simulate one_link --at 0 --duration 0.01 -o {}/run.csv": "run.csv",
    "simulate one_link --at 0 --duration 0.01 --store {}/s.zarr": "s.zarr",
}


@pytest.mark.parametrize("line", WRITTEN)
def test_folders_are_made_and_files_are_named(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "place"
    code, out, err = run(capsys, *line.format(folder).split())
    assert code == 0, err
    assert (folder / WRITTEN[line]).exists() and WRITTEN[line] in out


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("1", "2 or 4 or 6 numbers, in the order q1, q2, qd1, qd2, qdd1, qdd2"),
        ("q3=1", "a name in the state 'q3'"),
        ("q1=1,q1=2", "--at gives q1 twice"),
        ("q1=1,2", "NAME=VALUE"),
        ("q1=x", "--at q1 'x'"),
        ("", "--at"),
        ("q1=", "--at"),
    ],
)
def test_a_state_that_is_none_is_refused(at: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "derive", "two_link", f"--at={at}")
    assert (code, out) == (2, "") and says in err, err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("exam two_link --seed abc", "argument --seed: 'abc'; expected a whole number;"),
        ("--lang zh exam two_link --seed abc", "选项 --seed：'abc'；应为整数；"),
        ("simulate two_link --record-every 1.5", "argument --record-every: '1.5'; expected a whole number;"),
        ("report two_link --significance x", "argument --significance: 'x'; expected a number;"),
        ("report two_link --format slide", "; did you mean 'slides'?"),
        ("exam two_link --book sponge", "; did you mean 'spong'?"),
        ("export two_link --code rust", "--code 'rust'; expected c or"),
        ("exam two_link --students -5", "students = -5; expected a whole number from 1 to"),
    ],
)
def test_a_wrong_value_is_refused_with_what_its_option_takes(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(line.split())
    except SystemExit as error:
        code = int(error.code or 0)
    assert code == 2
    assert said in capsys.readouterr().err


def test_a_value_that_is_set_is_not_varied(tmp_path: Path) -> None:
    for arm, symbol in (("two_link", "m1"), ("four_bar", "m2")):
        folder = tmp_path / arm
        folder.mkdir()
        line = ["exam", arm, "--set", f"{symbol}=3", "--students", "4", "--questions", "M", "-o", str(folder / "e.md")]
        assert main(line) == 0
        files = [path.read_text(encoding="utf-8") for path in folder.glob("*-arm.toml")]
        assert len(files) == 4
        assert all(re.search(rf"^{symbol} = (\{{ ?value = )?\"?3\b", text, re.MULTILINE) for text in files)


def test_marks_of_one_answer_name_its_numbers_and_what_a_person_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["exam", "two_link", "--seed", "3", "-o", str(tmp_path / "e.md")])
    files = [str(tmp_path / f"e-{name}") for name in ("arm.toml", "answers.txt", "rubric.toml")]
    capsys.readouterr()
    assert main(["check", *files[:2], "--rubric", files[2]]) == 0
    told = capsys.readouterr().out
    assert "numbers: 2 of 2 are right\n" in told
    assert told.endswith("6 more marks are given by hand.\n")


def test_a_step_that_does_not_divide_is_told_a_short_one_that_does(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "two_link", "--at", "1,0", "--duration", "10", "--step"]
    assert main([*line, "0.3"]) == 2
    (step,) = re.findall(r"step=(\S+) makes 33", capsys.readouterr().err)
    assert len(step) < 12
    assert main([*line, step]) == 0


def test_a_language_may_stand_before_the_command_or_before_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--lang", "zh", "--help"])
    assert "机器人" in capsys.readouterr().out
    outputs = []
    for line in ("--lang zh derive two_link --only G", "derive two_link --only G --lang zh"):
        assert main(line.split()) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
