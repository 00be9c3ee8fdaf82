"""Joins the pages that there are in two languages: each links to its twin, and Chinese ones say what they are."""

from __future__ import annotations

from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any

import pydata_sphinx_theme
from sphinx.application import Sphinx

CHINESE = "zh/"  # the folder of pages that have the names of their English twins
NAMES = {"en": "English", "zh-CN": "中文"}


@cache
def _theme_in_chinese() -> NullTranslations:
    return translation("sphinx", Path(pydata_sphinx_theme.__file__).parent / "locale", ["zh"])


def join(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Tells a page's template its twin, and writes the theme's own words around a Chinese page in Chinese."""
    chinese = page.startswith(CHINESE)
    twin = page.removeprefix(CHINESE) if chinese else f"{CHINESE}{page}"
    if chinese:
        context |= {"language": "zh-CN", "_": _theme_in_chinese().gettext}
    if twin in app.env.found_docs:
        language = "en" if chinese else "zh-CN"
        context |= {"twin": twin, "twin_language": language, "twin_name": NAMES[language]}


def setup(app: Sphinx) -> dict[str, Any]:
    """Looks for a page's twin before the page is written."""
    app.connect("html-page-context", join)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
