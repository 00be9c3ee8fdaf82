"""Lets an arm be played with: a picture of the page, and a button that puts the page itself in its place.

The built page, where there is one, goes into the site. From disk a browser runs no page: then the picture stays.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

import qddot
from qddot.base.errors import QddotError
from qddot.base.system import built_page

FOLDER = "page"  # of the site
SIZE = (960, 600)  # of a picture, in pixels
WORDS = {
    "en": {
        "play": "Play with this arm",
        "front": "Try it in your browser",
        "alone": "in a page of its own",
        "shown": "The page with {name} in it",
        "unserved": "This arm can be played with only where a web server serves the site, not from disk; "
        "{command} does it on your machine.",
        "unbuilt": "The page in which this arm can be played with is not in this site: <code>make page</code> before "
        "<code>make docs</code> puts it there. {command} opens it on your machine.",
    },
    "zh": {
        "play": "动手操作这个机械臂",
        "front": "在浏览器中试一试",
        "alone": "单独打开",
        "shown": "载入了 {name} 的网页",
        "unserved": "由网络服务器提供本站时，可以在这里操作这个机械臂；从磁盘打开的文件则不行，"
        "可改用 {command} 在本机打开。",
        "unbuilt": "本站不含可以操作这个机械臂的网页：先运行 <code>make page</code>，再运行 <code>make docs</code>，"
        "即可加入。用 {command} 可以在本机打开它。",
    },
}


class Play(SphinxDirective):
    """Lets an arm that ships be played with: `play NAME`.

    `:drawn:` says that the page has a picture of it already, `:front:` that the page is the first of the site.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"drawn": directives.flag, "front": directives.flag}

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in qddot.zoo():
            raise self.error(f"{name} is no arm that ships: {', '.join(qddot.zoo())}")
        pictures = () if "drawn" in self.options else pictures_of(name)
        for picture in pictures:
            if not (Path(self.env.srcdir) / picture).is_file():
                raise self.error(f"{picture} is missing: run `node docs/page_pictures.mjs`")
        home, lang = "../" * self.env.docname.count("/"), "zh" if self.env.docname.startswith("zh/") else "en"
        button = WORDS[lang]["front" if "front" in self.options else "play"]
        files = [home + picture for picture in pictures]
        shown = figure(name, home, lang, files, button=button, built=bool(self.config.page_folder))
        return [nodes.raw("", shown, format="html")]


def pictures_of(name: str) -> tuple[str, str]:
    """Returns the files of an arm's pictures, in light and in dark."""
    return (f"_static/page/{name}-light.webp", f"_static/page/{name}-dark.webp")


def figure(name: str, home: str, lang: str, pictures: Sequence[str], *, button: str, built: bool) -> str:
    """Returns the pictures with a button, which is hidden until the script finds that the site is served.

    home: the way to the site's root
    """
    words = WORDS[lang]
    title = escape(words["shown"].format(name=name))
    size = f'alt="{title}" width="{SIZE[0]}" height="{SIZE[1]}" loading="lazy"'
    shown = "".join(
        f'<img class="only-{theme}" src="{picture}" {size}>'
        for theme, picture in zip(("light", "dark"), pictures, strict=False)
    )
    told = words["unserved" if built else "unbuilt"].format(command=f"<code>qddot page {name}</code>")
    caption = f'<p class="unserved">{told}</p>'
    if built:
        address = escape(f"{home}{FOLDER}/index.html#robot={name}&view=arm&lang={lang}")
        caption += (
            '<p class="served" hidden><button type="button" class="sd-btn sd-btn-primary" '
            f'data-page="{address}" data-title="{title}">{button}</button> '
            f'<a href="{address}">{words["alone"]}</a></p>'
        )
    return f'<figure class="play"><div class="stage">{shown}</div><figcaption>{caption}</figcaption></figure>'


def find(_app: Sphinx, config: Config) -> None:
    """Looks for the built page, unless a folder or none is asked for."""
    if config.page_folder is None:
        config.page_folder = ""
        with suppress(QddotError):
            config.page_folder = str(built_page.folder())


def copy(app: Sphinx, error: Exception | None) -> None:
    """Puts the built page into the site, in place of the one from before."""
    if error is None and app.builder.format == "html":
        to = Path(app.outdir) / FOLDER
        shutil.rmtree(to, ignore_errors=True)
        if app.config.page_folder:
            shutil.copytree(app.config.page_folder, to)


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the directive `play`, its script, and the folder of the built page as a setting."""
    app.add_config_value("page_folder", None, "env", (str, type(None)))
    app.add_directive("play", Play)
    app.add_js_file("play.js", loading_method="defer")
    app.connect("config-inited", find)
    app.connect("build-finished", copy)
    return {"parallel_read_safe": True}
