"""Finds the built page in the installed package qddot_page, or else in a checkout."""

from __future__ import annotations

from pathlib import Path

from qddot.base.errors import QddotError
from qddot.base.system import programs
from qddot.base.words.message import say

PACKAGE = "qddot_page"
CHECKOUT = Path(__file__).resolve().parents[4] / "page" / "dist"
HOW = say("build-the-page")


def folder() -> Path:
    """Returns the folder of the built page. raises QddotError: there is none"""
    places = [place for place in (programs.package(PACKAGE), CHECKOUT) if place is not None]
    for place in places:
        if (place / "index.html").is_file():
            return place
    raise QddotError("page-not-built", package=PACKAGE, checkout=CHECKOUT, remedy=HOW)
