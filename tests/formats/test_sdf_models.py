"""One of several models in an SDF file is chosen by its name, and is read as if the file had no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands import run
from refusals import refusal
from sdf_texts import BODY, SWING, TWO

import qddot
from qddot.base.errors import FormatError, NotModelledError, QddotError

RAIL = '<joint name="r" type="prismatic"><parent>world</parent><child>a</child><axis><xyz>1 0 0</xyz></axis></joint>'
ARM = f'<model name="arm"><link name="a">{BODY}</link>{SWING}</model>'
CART = f'<model name="cart"><link name="a"><gravity>false</gravity>{BODY}</link>{RAIL}</model>'
HAND = f'<model name="hand"><pose>0 0 1 0 0 0</pose><link name="a">{BODY}</link></model>'
FLOOR = '<model name="floor"><static>true</static><link name="a"/></model>'
BOLT = '<joint name="bolt" type="fixed"><parent>arm::a</parent><child>hand::a</child></joint>'


def world(folder: Path, inside: str) -> Path:
    path = folder / "hall.sdf"
    path.write_text(f'<sdf version="1.9"><world name="hall">{inside}</world></sdf>')
    return path


@pytest.mark.parametrize(("name", "own", "without"), [("arm", ARM, ()), ("cart", CART, "gravcomp")])
def test_a_chosen_model_is_that_of_a_world_without_the_others(
    tmp_path: Path, name: str, own: str, without: Any
) -> None:
    alone = qddot.load(world(tmp_path, own), without=without).model
    among = qddot.load(world(tmp_path, FLOOR + ARM + CART), model=name, without=without).model
    assert (among.name, among.bodies, among.left_out) == (name, alone.bodies, alone.left_out)
    others = {"arm": "cart", "cart": "arm"}
    assert f"models that are not chosen are not read: '{others[name]}'" in among.notes


def test_models_that_joints_of_the_world_join_are_read_together(tmp_path: Path) -> None:
    path = world(tmp_path, ARM + CART + HAND + BOLT)
    for name in ("arm", "hand"):
        assert [body.name for body in qddot.load(path, model=name).model.bodies] == ["arm::a", "hand::a"]
    with refusal(FormatError, "several-models-move", "'arm', 'cart', 'hand'"):
        qddot.load(path)


def test_names_of_no_moving_model_are_refused(tmp_path: Path) -> None:
    path = world(tmp_path, FLOOR + ARM + CART)
    with refusal(FormatError, "several-models-move", "'arm', 'cart'"):
        qddot.load(path)
    with refusal(FormatError, "model-unknown", "'amr'", "did-you-mean"):
        qddot.load(path, model="amr")
    with refusal(FormatError, "model-stands-still", "'floor'"):
        qddot.load(path, model="floor")
    with refusal(FormatError, "model-name-wrong", "'None'"):
        qddot.load(path, model=None)
    with pytest.raises(NotModelledError, match="--without gravcomp "):
        qddot.load(path, model="cart")
    for robot in ("two_link", "four_bar"):
        load = qddot.load if robot == "two_link" else qddot.load_closed_chain
        with refusal(FormatError, "one-model", "'arm'", "SDF"):
            load(robot, model="arm")
    path = tmp_path / "two.toml"
    path.write_text(qddot.load("two_link").to_toml())
    with refusal(FormatError, "one-model"):
        qddot.load(path, model="arm")


GEARED = CART.replace('"prismatic"', '"gearbox"').replace('"cart"', '"geared"')
LOST = CART.replace("<child>a", "<child>hook").replace('"cart"', '"lost"')
SLIP = CART.replace("<inertial>", "<intertial/><inertial>").replace('"cart"', '"slip"')
WELD = '<joint name="weld" type="fixed"><parent>arm::a</parent><child>slip::a</child></joint>'
TO_NOTHING = '<joint name="loose" type="fixed"><parent>cart::a</parent><child>cart::hook</child></joint>'


def test_errors_of_other_models_do_not_matter_to_the_chosen_one(tmp_path: Path) -> None:
    alone = qddot.load(world(tmp_path, ARM)).model.bodies
    assert (
        qddot.load(world(tmp_path, GEARED + ARM + LOST + SLIP + CART + TO_NOTHING), model="arm").model.bodies == alone
    )
    for name, *expected in (
        ("geared", FormatError, "element-missing", "gearbox_reference_body"),
        ("lost", FormatError, "no-frame", "'lost::hook'"),
        ("slip", FormatError, "element-not-read", "<intertial>"),
        ("cart", FormatError, "no-frame", "'cart::hook'"),
    ):
        with refusal(*expected):
            qddot.load(tmp_path / "hall.sdf", model=name)
    with refusal(FormatError, "element-not-read", "<intertial>"):  # the arm is welded to it
        qddot.load(world(tmp_path, ARM + SLIP + WELD), model="arm")


def test_only_the_chosen_model_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the others the notes name no content, also where they have errors: only that they are not read."""
    geared = GEARED.replace("</axis>", "</axis><gearbox_ratio>2</gearbox_ratio>")
    doubtful = CART.replace('<model name="cart">', '<model name="cart" colour="red">')
    alone = qddot.load(world(tmp_path, ARM)).model.notes
    path = world(tmp_path, geared + doubtful + ARM)
    notes = qddot.load(path, model="arm").model.notes
    assert [*notes] == [*alone, "models that are not chosen are not read: 'geared', 'cart'"]
    for command in ("show", "doctor"):
        told = run(capsys, command, str(path), "--model", "arm")
        assert not any(word in "".join(map(str, told)) for word in ("gearbox", "colour")), command
    path.write_text(f'<sdf version="1.9">{geared}{ARM}</sdf>')
    assert [*qddot.load(path, model="arm").model.notes][-1] == "models that are not chosen are not read: 'geared'"


@pytest.mark.parametrize("others", [GEARED + LOST, GEARED + SLIP])
def test_without_a_name_the_error_tells_which_models_have_none(tmp_path: Path, others: str) -> None:
    with pytest.raises(QddotError, match=r"reads one of those without errors: 'arm', 'hand'$"):
        qddot.load(world(tmp_path, ARM + others + HAND))
    with refusal(FormatError, "element-not-read", "<intertial>"):
        qddot.load(world(tmp_path, FLOOR + SLIP))


def test_models_beside_each_other_below_the_root(tmp_path: Path) -> None:
    path = tmp_path / "two.sdf"
    path.write_text(f'<sdf version="1.9">{ARM}{CART}</sdf>')
    with refusal(FormatError, "models-not-one", "'arm', 'cart'"):
        qddot.load(path)
    assert qddot.load(path, model="arm").name == "arm"
    path.write_text(f'<sdf version="1.9">{ARM}{GEARED}</sdf>')
    with pytest.raises(QddotError, match=r"reads one of those without errors: 'arm'$"):
        qddot.load(path)
    path.write_text(f'<sdf version="1.9">{ARM}</sdf>')
    assert qddot.load(path, model="arm").name == "arm"
    with refusal(FormatError, "model-unknown", "'cart'"):
        qddot.load(path, model="cart")


def test_a_closed_chain_is_chosen_as_an_arm_is(tmp_path: Path) -> None:
    pin = '<joint name="{0}" type="revolute"><parent>{1}</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
    loop = pin.format("k", "a") + pin.format("l", "world")
    chain = f'<model name="linkage">{TWO}{loop}</model>'
    path = world(tmp_path, chain + ARM)
    assert [loop.name for loop in qddot.load_closed_chain(path, model="linkage").model.loops] == ["l"]
    assert qddot.load(path, model="linkage", without="loops").n == 2
    assert qddot.load(path, model="arm").n == 1


def test_commands_choose_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(world(tmp_path, ARM + CART))
    lines = (["show"], ["derive", "--only", "M"], ["convert", "--to", "tree"], ["base"], ["vectors", "--states", "1"])
    for command, *options in (*lines, ["diff", "two_link"], ["doctor"]):
        folder = ["--folder", str(tmp_path / "v")] if command == "vectors" else []
        refused, _, reason = run(capsys, command, path, *options, *folder)
        read, _, _ = run(capsys, command, path, *options, *folder, "--model", "arm")
        assert (refused, read) == ((3, 0) if command == "doctor" else (2, 1 if command == "diff" else 0)), command
        assert command == "doctor" or "--model NAME" in reason
    _, out, _ = run(capsys, "derive", path, "--model", "arm", "--only", "M")
    assert out.split()[-3:] == ["M11", "=", "2"]
    assert run(capsys, "doctor", str(tmp_path), "--model", "arm")[0] == 2


def test_a_model_is_refused_where_no_file_has_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(world(tmp_path, ARM + CART))
    (one := tmp_path / "one.toml").write_text(qddot.load("two_link").to_toml())
    for line in (
        ["diff", str(one), str(one)],
        ["diff", "ur5", "ur5"],
        ["diff", "ur5", "--against", "pinocchio", path],
        ["vectors", "ur5", str(one)],
    ):
        code, _, reason = run(capsys, *line, "--model", "arm")
        assert (code, f"{line[1]}: the model 'arm'" in reason) == (2, True), reason
    assert run(capsys, "diff", path, str(one), "--model", "arm")[0] == 1
