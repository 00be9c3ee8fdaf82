"""The site's settings. `make docs` builds it; every block of code that a page shows runs then."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

from qddot.base.version import __version__  # noqa: E402 - after the path is set

KATEX = Path(sys.prefix) / "browser" / "node_modules" / "katex" / "dist"  # in the environment of `make`

project, author = "qddot", "the qddot developers"
version = release = __version__
language = "en"
extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinxcontrib.katex",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "architecture",
    "arms",
    "blocks",
    "command_line",
    "conventions",
    "docstrings",
    "evidence",
    "katex_server",
    "languages",
    "notebooks",
    "playable",
    "searching",
]
exclude_patterns = ["_build", "_extensions", "_templates"]
templates_path = ["_templates"]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_timeout = 300
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_merge_streams = True
# what Jupyter would show first
nb_mime_priority_overrides = [("html", "text/html", 0)]

katex_prerender = True  # so that a page needs no script for its mathematics
katex_css_path = "katex/katex.min.css"
katex_js_path = str(KATEX / "katex.min.js")  # of the same release

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autosummary_generate = True
default_role = "code"

html_theme = "pydata_sphinx_theme"
html_title = "qddot"
# the page's own colours and fonts, so that both are one design
html_static_path = ["_static", "../page/src/colours.css"]
html_favicon = "_static/icon.svg"
html_css_files = ["colours.css", "style.css"]
html_show_sourcelink = False
html_context = {"default_mode": "auto"}  # light or dark, as the system is
html_theme_options = {
    "logo": {"text": '<span class="mark">q̈</span> qddot'},
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "article_header_end": ["notebook", "languages"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"index": []}
project_copyright = "the qddot developers"


def copy_katex(app: Sphinx, error: Exception | None) -> None:
    """Copies the style sheet and the fonts of mathematics to the pages."""
    if error is None and app.builder.format == "html":
        to = Path(app.outdir) / "_static" / "katex"
        (to / "fonts").mkdir(parents=True, exist_ok=True)
        shutil.copy(KATEX / "katex.min.css", to)
        for font in (KATEX / "fonts").glob("*.woff2"):
            shutil.copy(font, to / "fonts")


def setup(app: Sphinx) -> None:
    """Adds what happens after the build."""
    app.connect("build-finished", copy_katex)
