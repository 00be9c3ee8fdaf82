"""Writes each page with blocks that run as a Jupyter notebook, to which the page has a link."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
from blocks import RUN, for_the_site
from myst_nb.core.read import read_myst_markdown_notebook
from sphinx.application import Sphinx

WORDS = {"en": "Download as a notebook", "zh": "下载为 Jupyter 笔记本"}
DIRECTIVE = re.compile(r"^(`{3,}|:{3,})\{(?!code-cell).*?^\1$\n*", re.MULTILINE | re.DOTALL)  # what only the site shows


def is_offered(app: Sphinx, page: str) -> bool:
    """Returns whether a page has blocks that run; the front page is no notebook."""
    return Path(page).name != "index" and bool(RUN.search(Path(app.env.doc2path(page)).read_text(encoding="utf-8")))


def notebook(source: Path) -> str:
    """Returns a page as a notebook that has not been run, without what only the site shows."""
    cells = read_myst_markdown_notebook(DIRECTIVE.sub("", for_the_site(source.read_text(encoding="utf-8"))))
    cells.metadata = nbformat.from_dict({"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    for k, cell in enumerate(cells.cells):
        cell.id, cell.metadata = f"cell-{k}", nbformat.from_dict({})
    return str(nbformat.writes(cells)) + "\n"


def link(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Tells a page's template the name of its notebook."""
    if page in app.env.found_docs and is_offered(app, page):
        words = WORDS["zh" if page.startswith("zh/") else "en"]
        context |= {"notebook": f"{page.rpartition('/')[2]}.ipynb", "notebook_words": words}


def write(app: Sphinx, error: Exception | None) -> None:
    """Writes the notebooks beside the pages."""
    if error is None and app.builder.format == "html":
        for page in app.env.found_docs:
            if is_offered(app, page):
                to = Path(app.outdir) / f"{page}.ipynb"
                to.write_text(notebook(Path(app.env.doc2path(page))), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Links to the notebooks while pages are written, and writes them at the end."""
    app.connect("html-page-context", link)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
