"""Files with content that is not modelled, slips and hostile names, which folders may have, too: all is said."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

import qddot
from qddot.apps import cli
from qddot.robot.notes import noted_as
from soaking import names
from soaking.trial import Finding, Kind

NAMES = ["bar", "a b", "../up", "--without", "::stop-commands::x", "::error::", "%0A::error::", "é", "名", "$(id)",
         "`id`", "{0}", "%s", "'", '"', "<b>", "a,b", "q1", "base", "world", "*/", "x" * 300]  # fmt: skip
HIDDEN = ["\u202e", "\u200b", "\u2028", "\x85"]  # XML allows them; names must not have them
ARMS = {
    ".xml": (
        '<mujoco>{top}<worldbody><body name={name} {body}><joint name="j" axis="0 1 0" {joint}/>'
        '<inertial pos="0.1 0 0" mass="1" diaginertia="0.02 0.02 0.02"/></body></worldbody>{rest}</mujoco>'
    ),
    ".urdf": (
        '<robot name="r"><link name="ground"/><link name={name}><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
        '<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="j" type="continuous"><parent link="ground"/><child link={name}/><axis xyz="0 1 0"/>'
        '<dynamics damping="0.1"/></joint>{rest}</robot>'
    ),
    ".sdf": (
        '<sdf version="1.9"><world name="w">{top}<model name="m"><link name={name}><inertial><mass>1</mass>{inertial}'
        '</inertial>{link}</link><joint name="j" type="revolute"><parent>world</parent><child>{text}</child>'
        "<axis><xyz>0 1 0</xyz></axis></joint></model></world></sdf>"
    ),
}
LEFT_OUT: dict[str, dict[str, tuple[str, str]]] = {  # by suffix and kind: the place and the content
    ".xml": {
        "tendons": (
            "rest",
            '<tendon><fixed stiffness="2" springlength="0 1"><joint joint="j" coef="1"/></fixed></tendon>',
        ),
        "actuators": ("rest", '<actuator><motor joint="j" damping="0.1 0.2"/></actuator>'),
        "gravcomp": ("body", 'gravcomp="0.5"'),
        "fluid": ("top", '<option viscosity="0.1"/>'),
        "polynomials": ("joint", 'damping="1 2"'),
    },
    ".urdf": {
        "rotors": (
            "rest",
            '<transmission type="DifferentialTransmission"><actuator><motorInertia>1</motorInertia></actuator>'
            "</transmission>",
        ),
        "springs": ("rest", '<gazebo reference="j"><springStiffness>3</springStiffness></gazebo>'),
        "gravcomp": ("rest", '<gazebo reference="b"><turnGravityOff>1</turnGravityOff></gazebo>'),
    },
    ".sdf": {
        "gravcomp": ("link", "<gravity>false</gravity>"),
        "decay": ("link", "<velocity_decay><angular>0.1</angular></velocity_decay>"),
        "fluid": ("inertial", "<fluid_added_mass><xx>1</xx></fluid_added_mass>"),
    },
}
SLIPS = {  # by suffix: what is replaced by what
    ".urdf": [
        ('<axis xyz="0 1 0"/>', "<axis>0 1 0</axis>"),
        ("izz=", "Izz="),
        ("damping=", "dampening="),
        ("<dynamics", "<dynamic"),
        ("<inertial>", "<inertial/><inertial>"),
        ('<origin xyz="0.1 0 0"/>', '<origin position="0.1 0 0"/>'),
    ],
    ".sdf": [("<xyz>0 1 0</xyz>", "0 1 0"), ("<xyz>", '<xyz axis="j">'), ("<mass>", "<mass>2</mass><mass>")],
}


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(seed)
    suffix = r.choice(sorted(ARMS))
    kinds = r.sample(sorted(LEFT_OUT[suffix]), r.choice([0, 0, 1, 2]))
    name = r.choice(NAMES) + (r.choice(HIDDEN) if r.random() < 0.1 else "") if r.random() < 0.6 else "bar"
    parts = {"top": "", "body": "", "joint": "", "rest": "", "link": "", "inertial": ""}
    for kind in kinds:
        place, content = LEFT_OUT[suffix][kind]
        parts[place] += content
    text = ARMS[suffix].format(name=quoteattr(name), text=name.replace("&", "&amp;").replace("<", "&lt;"), **parts)
    slip = r.choice(SLIPS[suffix]) if suffix in SLIPS and r.random() < 0.5 else None
    path = Path(f"arm{suffix}")
    path.write_text(text.replace(*slip) if slip else text, encoding="utf-8")
    yield from said(path, kinds, slip)
    yield from shown(path)
    if r.random() < 0.3:
        yield from names.trial(r)


def said(path: Path, kinds: list[str], slip: tuple[str, str] | None) -> Iterator[Finding]:
    """The file is refused by the kinds of content alone, and is a robot without them that says so."""
    try:
        qddot.load(path)
        if kinds:
            yield Finding("read without a word", f"{kinds} in {path.read_text()}")
    except qddot.QddotError as error:
        if kinds and "not modelled" in str(error) and not all(kind in str(error) for kind in kinds):
            yield Finding("kinds not named", f"{kinds}: {error}")
        if not kinds and "not modelled" in str(error):
            yield Finding("refused without need", str(error))
    try:
        arm = qddot.load(path, without=kinds)
    except qddot.QddotError as error:
        if "not modelled" in str(error):
            yield Finding("refused although left out", f"{kinds}: {error}")
        return  # a name that no robot may have
    if sorted(part.name for part in arm.model.left_out) != sorted(kinds):
        yield Finding("another list", f"{kinds}: {arm.model.left_out}")
    if slip and not any(noted_as(arm.model.notes, "content-unread")):
        yield Finding("a slip without a note", f"{slip}: {arm.model.notes}")
    certificate = str(arm.prove())
    if certificate.count("left out: ") != len(kinds):
        yield Finding("a certificate without them", certificate[:300])


def shown(path: Path) -> Iterator[Finding]:
    """No command writes a line that a pipeline takes for its own, nor a character that a terminal does not show."""
    for line in (["show", str(path)], ["doctor", str(path), "--format", "github"], ["doctor", str(path)]):
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            code = cli.main(line)
        text = out.getvalue() + err.getvalue()
        if code not in (0, 1, 2, 3) or "not modelled" in err.getvalue():
            yield Finding(f"{line[0]} refuses", f"{code}: {err.getvalue()[:300]}")
        orders = [each for each in text.splitlines() if each.startswith("::")]
        if any(not each.startswith(("::error ", "::error::", "::warning ", "::notice ")) for each in orders):
            yield Finding("an order to a pipeline", f"{orders[:3]}")
        if any(not (character.isprintable() or character == "\n") for character in text):
            yield Finding("invisible characters shown", repr(text[:300]))


KIND = Kind("contents", trial, seconds=60)
