"""Texts of SDF files, and the models that are read from them."""

from __future__ import annotations

from pathlib import Path

from qddot.formats import sdf
from qddot.robot.model import Model

SDF = Path(__file__).parents[1] / "formats" / "sdf"
BODY = "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1.5</iyy><izz>2</izz></inertia></inertial>"
SWING = '<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>'
JOINT = '<joint name="k" type="{}"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>'
TWO = f'<link name="a">{BODY}</link><link name="b">{BODY}</link>{SWING}'


def read(text: str) -> Model:
    return sdf.loads(text, "arm.sdf")


def model(inside: str, version: str = "1.9") -> Model:
    return read(f'<sdf version="{version}"><model name="m">{inside}</model></sdf>')
