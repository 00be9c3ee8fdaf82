"""Finds the built page in the installed package qddot_page, or else in a checkout."""

from __future__ import annotations

from pathlib import Path

from qddot.base.errors import QddotError
from qddot.base.system import programs

PACKAGE = "qddot_page"
CHECKOUT = Path(__file__).resolve().parents[4] / "page" / "dist"
HOW = "run `make page` in a clone of qddot, or install the page's wheel, which `make page-wheel` builds"


def folder() -> Path:
    """Returns the folder of the built page. raises QddotError: there is none"""
    places = [place for place in (programs.package(PACKAGE), CHECKOUT) if place is not None]
    for place in places:
        if (place / "index.html").is_file():
            return place
    raise QddotError("no-built-page-package", package=PACKAGE, checkout=CHECKOUT, remedy=HOW)
