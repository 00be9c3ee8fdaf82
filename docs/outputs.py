"""Writes below each block of a page what it prints and draws, so that pages read well in a clone.

python docs/outputs.py                 of all pages
python docs/outputs.py learn/trust.md  of one; its Chinese twin shows the same

Every block of `python` runs, in the order of its page; a value in its last line is shown as `print` shows it.
"""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from html import unescape
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

DOCS = Path(__file__).resolve().parent
sys.path.append(str(DOCS / "_extensions"))

from blocks import RUN, WITH_OUTPUT  # noqa: E402 - after the path is set

SHOWN = DOCS / "_static" / "shown"
LINES, CUT = 40, "…"  # of an output, and what stands for the others
REFINED = re.compile(r"[≤≥] [-\d.e]+ \(found: [-\d.e]+\)")
NUMBER = re.compile(r"[-−+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TIME = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-\d+)? ?(?:ms|µs|ns|s)(?![\w/²])")
SECONDS = re.compile(r"(?<=%)( +\d+) +\d+\.\d\d\b")  # behind the boxes of a table of bounds
NEAR = 1e-6  # below this, numbers are roundings of zero


def pages() -> list[Path]:
    """Returns the pages with blocks that run, without Chinese twins."""
    found = sorted(path for path in DOCS.rglob("*.md") if not {"_build", "gallery", "zh"} & {*path.parts})
    return [path for path in found if RUN.search(path.read_text(encoding="utf-8"))]


def shown(value: Any) -> str:
    """Returns a value as `print` shows it, or its table in a notebook where `print` shows one short line."""
    if type(value).__module__.partition(".")[0] != "qddot":
        return str(value) if isinstance(value, Path) else repr(value.item() if isinstance(value, np.generic) else value)
    in_notebook = getattr(value, "_repr_html_", None)
    return plain(in_notebook()) if in_notebook and str(value) == repr(value) else str(value)


def plain(html: str) -> str:
    """Returns the text of an object's HTML, its tables in columns."""
    parts = re.split(r"<table.*?>(.*?)</table>", html, flags=re.DOTALL)
    for k in range(0, len(parts), 2):
        parts[k] = unescape(re.sub("<[^>]*>", "", re.sub("<br>|</div>|</p>", "\n", parts[k]))).strip()
    for k in range(1, len(parts), 2):
        rows = [re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row) for row in re.findall("<tr.*?>(.*?)</tr>", parts[k])]
        texts = [[unescape(re.sub("<[^>]*>", "", cell)) for cell in row] for row in rows]
        widths = [max(map(len, column)) for column in zip_longest(*texts, fillvalue="")]
        parts[k] = "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in texts)
    return "\n\n".join(filter(None, parts))


def run(code: str, name: str, space: dict[str, Any]) -> tuple[str, list[Any]]:
    """Runs a block; returns what it prints, with the value of its last line, and the figures that it draws."""
    from matplotlib import pyplot
    from matplotlib.figure import Figure

    tree, printed, figures = ast.parse(code), io.StringIO(), []
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(tree, name, "exec"), space)  # noqa: S102 - a block of our own pages
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), space)  # noqa: S307
            if isinstance(value, Figure):
                figures.append(value)
            elif value is not None and not code.rstrip().endswith(";"):
                printed.write(shown(value))
    figures += [pyplot.figure(number) for number in pyplot.get_fignums()]
    pyplot.close("all")
    lines = printed.getvalue().expandtabs().splitlines()
    text = "\n".join(line.rstrip() for line in lines[:LINES])
    return text.strip("\n") + (f"\n{CUT}" if len(lines) > LINES else ""), figures


def outputs(page: Path) -> list[tuple[str, list[Any]]]:
    """Runs the blocks of a page in the working folder."""
    mpl.use("Agg")
    space = dict[str, Any](__name__="__main__")
    codes = RUN.findall(page.read_text(encoding="utf-8"))
    return [run(code, f"{page.name}, block {k}", space) for k, code in enumerate(codes, 1)]


def picture(page: Path, block: int, number: int) -> Path:
    """Returns the file of a block's picture."""
    return SHOWN / f"{page.stem}-{block}{'abc'[number] if number else ''}.webp"


def written(text: str, results: list[tuple[str, list[Any]]], page: Path, up: str) -> str:
    """Returns a page with the outputs below its blocks, those from before where they say the same.

    up: the way from its folder to `docs`
    """
    left = iter(enumerate(results, 1))

    def with_output(match: re.Match[str]) -> str:
        ((k, (said, figures)),) = islice(left, 1)
        output = f"\n```output\n{said}\n```" if said else ""
        before = match["output"] or ""
        names = (picture(page, k, number).name for number in range(len(figures)))
        drawn = "".join(f"\n\n![]({up}_static/shown/{name})" for name in names)
        return f"{match['block']}{before if same(before, output) else output}{drawn}"

    return WITH_OUTPUT.sub(with_output, text)


def same(shown: str, real: str) -> bool:
    """Returns whether two outputs say the same.

    Times, and bounds that are refined for a time, differ from run to run, and last digits between processors.
    """
    texts = [SECONDS.sub(r"\1", TIME.sub("s", REFINED.sub("", text))) for text in (shown, real)]
    words = [NUMBER.sub("#", text).split() for text in texts]
    numbers = [[float(each.replace("−", "-")) for each in NUMBER.findall(text)] for text in texts]
    return words[0] == words[1] and all(
        abs(a - b) <= NEAR + 1e-3 * max(abs(a), abs(b)) for a, b in zip(*numbers, strict=True)
    )


def twins(page: Path) -> list[tuple[Path, str]]:
    """Returns a page and its Chinese twin, if it has one, each with the way to `docs`."""
    name = page.relative_to(DOCS)
    found = [page, DOCS / "zh" / name]
    return [(each, "../" * (len(each.relative_to(DOCS).parts) - 1)) for each in found if each.exists()]


def write(page: Path) -> None:
    """Writes the outputs of a page, and of its twin, and the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        results = outputs(page)
        os.chdir(DOCS)
    SHOWN.mkdir(exist_ok=True)
    for old in SHOWN.glob(f"{page.stem}-[0-9]*.webp"):
        old.unlink()
    for k, (_, figures) in enumerate(results, 1):
        for number, figure in enumerate(figures):
            figure.savefig(
                picture(page, k, number), dpi=80, bbox_inches="tight", facecolor="white", pil_kwargs={"quality": 70}
            )
    for each, up in twins(page):
        text = each.read_text(encoding="utf-8")
        each.write_text(written(text, results, page, up), encoding="utf-8")


def main(names: list[str]) -> None:
    """Writes the outputs of the named pages, or of all, each in a process of its own."""
    if len(names) == 1:
        write(DOCS / names[0])
        return
    for page in pages():
        sys.stderr.write(f"{page.relative_to(DOCS)}\n")
        subprocess.run([sys.executable, __file__, str(page.relative_to(DOCS))], check=True)  # noqa: S603


if __name__ == "__main__":
    main(sys.argv[1:])
